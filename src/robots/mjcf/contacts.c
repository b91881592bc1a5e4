// SPDX-License-Identifier: Apache-2.0
// Pairs of geoms that have a contact of their own, and bodies that never touch.
#include <string.h>

#include "robots/mjcf/mjcf.h"

static hf_xml_element *first_of(const hf_mjcf *m, const char *kind, hf_xml_element **section)
{
    hf_xml_element *e = NULL;
    for (*section = hf_xml_child(m->root, "contact"); *section != NULL && e == NULL;) {
        e = hf_xml_child(*section, kind);
        *section = e == NULL ? hf_xml_next(*section) : *section;
    }
    return e;
}

static hf_xml_element *next_of(hf_xml_element *e, const char *kind, hf_xml_element **section)
{
    e = hf_xml_next(e);
    while (e == NULL && (*section = hf_xml_next(*section)) != NULL) {
        e = hf_xml_child(*section, kind);
    }
    return e;
}

bool hf_mjcf_in_pair(const hf_mjcf *m, const char *geom)
{
    hf_xml_element *section = NULL;
    for (hf_xml_element *e = first_of(m, "pair", &section); e != NULL && geom != NULL;
         e = next_of(e, "pair", &section)) {
        const hf_xml_attribute *one = hf_xml_get(e, "geom1"), *two = hf_xml_get(e, "geom2");
        if ((one != NULL && strcmp(one->value, geom) == 0) ||
            (two != NULL && strcmp(two->value, geom) == 0)) {
            return true;
        }
    }
    return false;
}

// ------------------------------------------------------------------------------------------------
// Pairs

static bool find_geom(hf_mjcf *m, const hf_mjcf_view *view, const char *name,
                      const hf_mjcf_geom **geom)
{
    hf_xml_attribute *a = hf_mjcf_get(view, name);
    *geom = NULL;
    for (size_t i = 0; i < m->geoms.count && a != NULL && *geom == NULL; ++i) {
        const hf_mjcf_geom *g = &m->geoms.items[i];
        *geom = g->name != NULL && strcmp(g->name, a->value) == 0 ? g : NULL;
    }
    if (a == NULL) {
        return hf_xml_fail(view->element, m->robot->error, HF_ERROR_INPUT, "pair needs %s", name);
    }
    return *geom != NULL ||
           hf_xml_fail_at(a, m->robot->error, HF_ERROR_NAME, "there is no geom '%.60s'", a->value);
}

// The link that a body moves with: fixed ones move as what carries them.
static int carrier(const hf_mjcf *m, const hf_mjcf_geom *geom)
{
    int link = m->bodies.items[geom->body].link;
    while (link >= 0 && m->robot->links.items[link].type == HF_JOINT_FIXED) {
        link = m->robot->links.items[link].parent;
    }
    return link;
}

// What the pair does not say is that of the two geoms: of the higher priority, or the larger.
static void start_pair(const hf_robot *robot, hf_robot_pair *pair)
{
    const hf_robot_shape *a = &robot->shapes.items[pair->a], *b = &robot->shapes.items[pair->b];
    bool first = a->priority >= b->priority, second = b->priority >= a->priority;
    const double of_a[3] = {a->friction, a->spin_friction, a->rolling_friction};
    const double of_b[3] = {b->friction, b->spin_friction, b->rolling_friction};
    for (int i = 0; i < 3; ++i) {
        double one = first ? of_a[i] : 0.0, two = second ? of_b[i] : 0.0;
        pair->friction[i] = one > two ? one : two;
    }
    int one = first ? a->rows : 0, two = second ? b->rows : 0;
    pair->rows = one > two ? one : two;
}

// friction: along two tangents, spinning, rolling about two tangents.
static bool read_friction(hf_mjcf *m, const hf_mjcf_view *view, hf_robot_pair *pair)
{
    double f[5] = {1, 1, 0.005, 1e-4, 1e-4}; // MuJoCo's defaults
    int given = 0;
    if (!hf_mjcf_condim(m, view, &pair->rows) ||
        !hf_mjcf_numbers(m, view, "friction", 1, 5, f, &given)) {
        return false;
    }
    for (int i = 0; i < 5; ++i) {
        if (!(f[i] >= 0.0)) {
            return hf_xml_fail_at(hf_mjcf_peek(view, "friction"), m->robot->error, HF_ERROR_RANGE,
                                  "friction must not be negative");
        }
    }
    if (given == 0) {
        return true;
    }
    if ((given > 1 && pair->rows >= 3 && f[1] != f[0]) || (pair->rows >= 6 && f[3] != f[4])) {
        hf_mjcf_mark(view, "friction", HF_FATE_MISSING,
                     "friction would differ between the two tangents: the first counts for both");
    }
    pair->friction[0] = f[0];
    pair->friction[1] = f[2];
    pair->friction[2] = f[3];
    return true;
}

static bool read_pair(hf_mjcf *m, hf_xml_element *e)
{
    hf_mjcf_view view;
    const hf_mjcf_geom *one = NULL, *two = NULL;
    // Its two geoms
    if (!hf_mjcf_look(m, e, "pair", NULL, &view) || !find_geom(m, &view, "geom1", &one) ||
        !find_geom(m, &view, "geom2", &two)) {
        return false;
    }
    hf_xml_mark(hf_xml_get(e, "name"), HF_FATE_SEEN, "a name that nothing refers to");
    // What cannot touch has no contact
    if (m->robot->options.collide == HF_ROBOT_COLLIDE_NONE) {
        hf_xml_mark_all(e, HF_FATE_OTHERWISE, "nothing collides: as asked for");
        return true;
    }
    if (one->shape < 0 || two->shape < 0) {
        hf_xml_mark_all(e, HF_FATE_MISSING, "one of its geoms cannot touch anything here");
        return true;
    }
    if (carrier(m, one) == carrier(m, two)) {
        hf_xml_mark_all(e, HF_FATE_SEEN, "both geoms are of one rigid body");
        return true;
    }
    // The pair, with its own attributes
    int index = hf_robot_add_pair(m->robot, one->shape, two->shape);
    if (index < 0) {
        return false;
    }
    hf_robot_pair *pair = &m->robot->pairs.items[index];
    m->robot->shapes.items[one->shape].paired = true;
    m->robot->shapes.items[two->shape].paired = true;
    pair->from = e;
    start_pair(m->robot, pair);
    return read_friction(m, &view, pair);
}

// ------------------------------------------------------------------------------------------------
// Bodies that never touch

static bool find_body(hf_mjcf *m, const hf_mjcf_view *view, const char *name, int *link)
{
    hf_xml_attribute *a = hf_mjcf_get(view, name);
    int body = a == NULL ? -1 : hf_mjcf_find_body(m, a);
    if (a == NULL) {
        return hf_xml_fail(view->element, m->robot->error, HF_ERROR_INPUT, "exclude needs %s",
                           name);
    }
    *link = body < 0 ? -1 : m->bodies.items[body].link;
    return body >= 0 ||
           hf_xml_fail_at(a, m->robot->error, HF_ERROR_NAME, "there is no body '%.60s'", a->value);
}

static bool read_exception(hf_mjcf *m, hf_xml_element *e)
{
    hf_mjcf_view view = {e, {{e}, 1}};
    int one = -1, two = -1;
    hf_xml_mark_element(e, HF_FATE_TAKEN, NULL);
    return find_body(m, &view, "body1", &one) && find_body(m, &view, "body2", &two) &&
           hf_robot_add_exception(m->robot, one, two) >= 0;
}

// Of equals the larger friction acts, in as many rows as the one with more of them has: friction of
// a geom without rows counts where another of its priority has some.
static void find_felt(const hf_mjcf *m)
{
    for (size_t i = 0; i < m->geoms.count; ++i) {
        const hf_mjcf_geom *g = &m->geoms.items[i];
        const hf_robot_shape *one = g->shape < 0 ? NULL : &m->robot->shapes.items[g->shape];
        bool felt = false;
        for (size_t k = 0; k < m->geoms.count && g->idle != NULL && one != NULL && !felt; ++k) {
            const hf_mjcf_geom *other = &m->geoms.items[k];
            const hf_robot_shape *two =
                other->shape < 0 ? NULL : &m->robot->shapes.items[other->shape];
            felt = two != NULL && two->rows >= 3 && two->priority == one->priority &&
                   other->body != g->body;
        }
        if (felt) {
            hf_xml_mark(g->idle, HF_FATE_TAKEN, NULL);
        }
    }
}

bool hf_mjcf_read_contacts(hf_mjcf *m)
{
    find_felt(m);
    for (hf_xml_element *s = hf_xml_child(m->root, "contact"); s != NULL; s = hf_xml_next(s)) {
        hf_xml_mark_element(s, HF_FATE_TAKEN, NULL);
        for (hf_xml_element *e = s->first; e != NULL; e = e->next) {
            bool pair = strcmp(e->name, "pair") == 0, exclude = strcmp(e->name, "exclude") == 0;
            if ((pair && !read_pair(m, e)) || (exclude && !read_exception(m, e))) {
                return false;
            }
        }
    }
    return true;
}
