// SPDX-License-Identifier: Apache-2.0
// Bodies, their joints and their inertia.
//
// A body's joints act in order, each on what the ones before have moved: a chain of links, the last
// of which carries the body. A link's frame sits at its joint's `pos`; the body's frame is `origin`
// away.
#include <math.h>
#include <string.h>

#include "math/vec.h"
#include "robots/mjcf/mjcf.h"

bool hf_mjcf_name(hf_mjcf *m, const hf_xml_element *element, const char **name)
{
    const hf_xml_attribute *a = element == NULL ? NULL : hf_xml_get(element, "name");
    *name = a == NULL              ? NULL
            : m->suffix[0] == '\0' ? a->value
                                   : hf_robot_print(m->robot, "%s%s", a->value, m->suffix);
    return a == NULL || *name != NULL;
}

static int add_body(hf_mjcf *m, hf_xml_element *element, int link)
{
    const char *name = "world";
    void *grown =
        hf_grow(m->bodies.items, m->bodies.count, &m->bodies.capacity, sizeof *m->bodies.items);
    if (grown == NULL) {
        (void)hf_robot_out_of_memory(m->robot);
        return -1;
    }
    m->bodies.items = grown;
    if (element != NULL && !hf_mjcf_name(m, element, &name)) {
        return -1;
    }
    m->bodies.items[m->bodies.count] = (hf_mjcf_body){element, name, link};
    return (int)m->bodies.count++;
}

static bool add_joint(hf_mjcf *m, hf_xml_element *element, int link)
{
    void *grown =
        hf_grow(m->joints.items, m->joints.count, &m->joints.capacity, sizeof *m->joints.items);
    if (grown == NULL) {
        return hf_robot_out_of_memory(m->robot);
    }
    m->joints.items = grown;
    const char *name = NULL;
    if (!hf_mjcf_name(m, element, &name)) {
        return false;
    }
    m->joints.items[m->joints.count++] = (hf_mjcf_joint){element, name, link};
    return true;
}

int hf_mjcf_find_body(const hf_mjcf *m, const hf_xml_attribute *name)
{
    for (size_t i = 0; i < m->bodies.count && name != NULL; ++i) {
        if (m->bodies.items[i].name != NULL && strcmp(m->bodies.items[i].name, name->value) == 0) {
            return (int)i;
        }
    }
    return -1;
}

int hf_mjcf_find_joint(const hf_mjcf *m, const hf_xml_attribute *name)
{
    for (size_t i = 0; i < m->joints.count && name != NULL; ++i) {
        if (m->joints.items[i].name != NULL && strcmp(m->joints.items[i].name, name->value) == 0) {
            return (int)i;
        }
    }
    return -1;
}

// ------------------------------------------------------------------------------------------------
// Inertia

// Adds m (c c E - c c') times sign: Steiner's rule.
static void shift(hf_sym3 *i, double mass, hf_vec3 c)
{
    i->xx += mass * (c.y * c.y + c.z * c.z);
    i->yy += mass * (c.x * c.x + c.z * c.z);
    i->zz += mass * (c.x * c.x + c.y * c.y);
    i->xy -= mass * c.x * c.y;
    i->xz -= mass * c.x * c.z;
    i->yz -= mass * c.y * c.z;
}

void hf_mjcf_weight_add(hf_mjcf_weight *sum, double mass, hf_vec3 center, hf_quat turn,
                        hf_sym3 inertia)
{
    hf_sym3 i = hf_robot_turned(inertia, turn);
    shift(&i, mass, center);
    sum->count += 1;
    sum->turn = turn;
    sum->mass += mass;
    sum->moment = hf_v3_axpy(sum->moment, mass, center);
    sum->inertia.xx += i.xx, sum->inertia.yy += i.yy, sum->inertia.zz += i.zz;
    sum->inertia.xy += i.xy, sum->inertia.xz += i.xz, sum->inertia.yz += i.yz;
}

static bool read_inertial(hf_mjcf *m, hf_xml_element *element, hf_mjcf_weight *weight,
                          hf_vec3 *center)
{
    hf_mjcf_view view = {element, {{element}, 1}};
    hf_mjcf_pose pose;
    double mass = 0, diagonal[3] = {0}, full[6] = {0};
    int diagonals = 0, fulls = 0;
    hf_xml_mark_element(element, HF_FATE_TAKEN, NULL);
    if (!hf_mjcf_pose_of(m, &view, &pose) || !hf_mjcf_number(m, &view, "mass", &mass) ||
        !hf_mjcf_numbers(m, &view, "diaginertia", 3, 3, diagonal, &diagonals) ||
        !hf_mjcf_numbers(m, &view, "fullinertia", 6, 6, full, &fulls)) {
        return false;
    }
    if (hf_xml_get(element, "mass") == NULL || !(mass >= 0.0)) {
        return hf_xml_fail(element, m->robot->error, HF_ERROR_INPUT,
                           "inertial needs a mass that is not negative");
    }
    if (diagonals > 0 && fulls > 0) {
        return hf_xml_fail(element, m->robot->error, HF_ERROR_INPUT,
                           "inertial has diaginertia and fullinertia: give one of them");
    }
    hf_sym3 inertia = fulls > 0 ? (hf_sym3){full[0], full[1], full[2], full[3], full[4], full[5]}
                                : (hf_sym3){diagonal[0], diagonal[1], diagonal[2], 0, 0, 0};
    // About the center of mass: the caller moves nothing.
    *weight = (hf_mjcf_weight){.mass = mass,
                               .inertia = hf_robot_turned(inertia, pose.turn),
                               .count = fulls > 0 ? 0 : 1,
                               .turn = pose.turn};
    *center = pose.position;
    return true;
}

// boundmass, boundinertia (of the principal moments) and balanceinertia, in the compiler's order.
static void bound(const hf_mjcf *m, hf_robot_link *link)
{
    double least = m->now->least_inertia, moments[3], axes[3][3];
    link->mass = fmax(link->mass, m->now->least_mass);
    hf_robot_principal(&link->inertia, link->inertia_axes, moments, axes);
    if (moments[0] < least || moments[1] < least || moments[2] < least) {
        for (int i = 0; i < 3; ++i) {
            moments[i] = fmax(moments[i], least);
        }
        link->inertia = hf_robot_from_principal(moments, axes);
    }
    if (m->now->balance && hf_robot_inertia_is_off(&link->inertia)) {
        hf_robot_balance(&link->inertia);
    }
}

// ------------------------------------------------------------------------------------------------
// The tree

typedef struct walk {
    hf_mjcf_pose pose;      // of the frames around, in the body
    const char *childclass; // or NULL
} walk;

static bool read_body(hf_mjcf *m, hf_xml_element *element, walk around, int parent, int depth);

// All of an element's children and of the frames in it, by what they are.
typedef enum pass { JOINTS, GEOMS, BODIES } pass;

typedef struct body_reading {
    int body, parent;  // indices in bodies
    hf_mjcf_pose pose; // of the body in its parent
    int joints;        // read so far
    hf_vec3 anchor;    // of the last joint, in the body's frame
    bool weigh;
    hf_mjcf_weight weight;
} body_reading;

static int body_link(const hf_mjcf *m, int body)
{
    return m->bodies.items[body].link;
}

static hf_vec3 body_origin(const hf_mjcf *m, int body)
{
    int link = body_link(m, body);
    return link < 0 ? (hf_vec3){0} : m->robot->links.items[link].origin;
}

// A link more: on the parent's, or on the one before of the same body. `anchor`: in the body's
// frame.
static hf_robot_link *add_link(hf_mjcf *m, body_reading *b, const char *wanted, hf_vec3 anchor,
                               hf_xml_element *from)
{
    const char *name = m->bodies.items[b->body].name;
    int index = hf_robot_add_link(m->robot, wanted, name == NULL ? "body" : name);
    if (index < 0) {
        return NULL;
    }
    hf_robot_link *link = &m->robot->links.items[index];
    link->from = from;
    if (b->joints == 0) {
        hf_mat3 r = hf_quat_rotation(b->pose.turn);
        link->parent = body_link(m, b->parent);
        link->offset = hf_v3_add(hf_v3_add(body_origin(m, b->parent), b->pose.position),
                                 hf_m3_mulv(&r, anchor));
        link->tilt = b->pose.turn;
    } else {
        link->parent = index - 1;
        link->offset = hf_v3_sub(anchor, b->anchor);
        m->robot->links.items[index - 1].body = NULL;
    }
    link->body = name == NULL ? link->name : name;
    link->origin = hf_v3_scale(-1.0, anchor);
    b->anchor = anchor;
    b->joints += 1;
    m->bodies.items[b->body].link = index;
    return link;
}

static bool read_joint_element(hf_mjcf *m, hf_xml_element *e, const walk *w, body_reading *b)
{
    bool free_joint = strcmp(e->name, "freejoint") == 0;
    hf_mjcf_view view = {e, {{e}, 1}};
    hf_xml_mark_element(e, HF_FATE_TAKEN, NULL);
    // Its type and where it is
    if (!free_joint && !hf_mjcf_look(m, e, "joint", w->childclass, &view)) {
        return false;
    }
    static const char *const types[] = {"free", "ball", "slide", "hinge"};
    int type = free_joint ? 0 : 3;
    hf_vec3 anchor = {0};
    if ((!free_joint && !hf_mjcf_word(m, &view, "type", types, 4, &type)) ||
        (type != 0 && type != 2 && !hf_mjcf_vec3(m, &view, "pos", &anchor))) {
        return false;
    }
    // Where a free joint may stand
    if (type == 0 && (b->parent != 0 || b->joints > 0)) {
        return hf_xml_fail(e, m->robot->error, HF_ERROR_INPUT,
                           "a free joint must be the only joint of a body of the world");
    }
    // The link that it moves, with the joint at its origin
    hf_mat3 r = hf_quat_rotation(w->pose.turn);
    anchor = type == 2 ? (hf_vec3){0} // a slide moves all points alike
                       : hf_v3_add(w->pose.position, hf_m3_mulv(&r, anchor));
    if (type == 2) {
        anchor = b->joints > 0 ? b->anchor : (hf_vec3){0};
        hf_mjcf_mark(&view, "pos", HF_FATE_SEEN, "a slide moves all points alike");
    }
    const char *name = NULL;
    hf_robot_link *link = hf_mjcf_name(m, e, &name)
                              ? add_link(m, b, name, type == 0 ? (hf_vec3){0} : anchor, e)
                              : NULL;
    if (link == NULL) {
        return false;
    }
    hf_xml_mark(hf_xml_get(e, "name"), HF_FATE_TAKEN, NULL);
    static const hf_joint_type kinds[] = {HF_JOINT_FREE, HF_JOINT_SPHERICAL, HF_JOINT_PRISMATIC,
                                          HF_JOINT_REVOLUTE};
    // What free and ball joints begin with
    link->type = kinds[type];
    if (type == 0) {
        double at[7] = {link->offset.x, link->offset.y, link->offset.z, link->tilt.w,
                        link->tilt.x,   link->tilt.y,   link->tilt.z};
        memcpy(link->position, at, sizeof at);
        link->offset = (hf_vec3){0};
        link->tilt = (hf_quat){.w = 1.0};
    } else if (type == 1) {
        link->position[0] = 1.0;
    }
    if (!hf_mjcf_read_joint(m, &view, link)) {
        return false;
    }
    if (type >= 2) {
        link->axis = hf_m3_mulv(&r, link->axis);
    }
    return add_joint(m, e, m->bodies.items[b->body].link);
}

static bool enter_frame(hf_mjcf *m, hf_xml_element *e, const walk *w, walk *inner)
{
    hf_mjcf_view view = {e, {{e}, 1}};
    hf_mjcf_pose pose;
    hf_xml_mark_element(e, HF_FATE_TAKEN, NULL);
    hf_xml_mark(hf_xml_get(e, "name"), HF_FATE_SEEN, "the name of a frame");
    hf_xml_attribute *childclass = hf_mjcf_get(&view, "childclass");
    if (!hf_mjcf_pose_of(m, &view, &pose)) {
        return false;
    }
    *inner = (walk){hf_mjcf_compose(w->pose, pose),
                    childclass == NULL ? w->childclass : childclass->value};
    return true;
}

static bool read_children(hf_mjcf *m, hf_xml_element *element, walk w, body_reading *b, pass what,
                          int depth);

static bool list_site(hf_mjcf *m, hf_xml_element *e, const walk *w, int body)
{
    hf_mjcf_site site = {.element = e,
                         .childclass = w->childclass,
                         .body = body,
                         .at = w->pose.position,
                         .turn = w->pose.turn};
    void *grown =
        hf_grow(m->sites.items, m->sites.count, &m->sites.capacity, sizeof *m->sites.items);
    if (grown == NULL) {
        return hf_robot_out_of_memory(m->robot);
    }
    m->sites.items = grown;
    if (!hf_mjcf_name(m, e, &site.name)) {
        return false;
    }
    m->sites.items[m->sites.count++] = site;
    return true;
}

bool hf_mjcf_find_site(hf_mjcf *m, hf_xml_attribute *name, int *body, hf_mjcf_pose *pose)
{
    hf_mjcf_view view;
    for (size_t i = 0; i < m->sites.count; ++i) {
        const hf_mjcf_site *site = &m->sites.items[i];
        if (site->name == NULL || strcmp(site->name, name->value) != 0) {
            continue;
        }
        if (!hf_mjcf_look(m, site->element, "site", site->childclass, &view) ||
            !hf_mjcf_pose_of(m, &view, pose)) {
            return false;
        }
        hf_xml_mark(name, HF_FATE_TAKEN, NULL);
        hf_xml_mark(hf_xml_get(site->element, "name"), HF_FATE_TAKEN, NULL);
        *body = site->body;
        *pose = hf_mjcf_compose((hf_mjcf_pose){site->at, site->turn}, *pose);
        pose->position = hf_v3_add(pose->position, body_origin(m, site->body));
        return true;
    }
    return hf_xml_fail_at(name, m->robot->error, HF_ERROR_NAME, "there is no site '%.60s'",
                          name->value);
}

enum { MOST_COPIES = 100000 };

// replicate: copies of what it contains, each turned by `euler` more than the one before and
// `offset` further on in its axes; names get `sep` and the copy's number behind them.
static bool read_copies(hf_mjcf *m, hf_xml_element *e, walk w, body_reading *b, pass what,
                        int depth)
{
    hf_mjcf_view view = {e, {{e}, 1}};
    int count = 0, digits = 1;
    double euler[3] = {0};
    hf_vec3 offset = {0};
    hf_xml_mark_element(e, HF_FATE_TAKEN, NULL);
    hf_xml_attribute *separator = hf_mjcf_get(&view, "sep"),
                     *childclass = hf_mjcf_get(&view, "childclass");
    // How many, and how each follows the one before
    if (!hf_mjcf_integer(m, &view, "count", &count) ||
        !hf_mjcf_numbers(m, &view, "euler", 3, 3, euler, NULL) ||
        !hf_mjcf_vec3(m, &view, "offset", &offset)) {
        return false;
    }
    if (count < 1 || count > MOST_COPIES - m->copies) {
        return hf_xml_fail(e, m->robot->error, HF_ERROR_RANGE,
                           "replicate makes 1 copy or more, and all of a file at most %d",
                           MOST_COPIES);
    }
    m->copies += count;
    for (int left = count; left >= 10; left /= 10) {
        ++digits;
    }
    // Each copy, in its own pose and with its own suffix
    const char *outer = m->suffix;
    hf_mjcf_pose pose = {.turn = {.w = 1.0}};
    for (int i = 0; i < count; ++i) {
        const double turned[3] = {i * euler[0], i * euler[1], i * euler[2]};
        pose.turn = hf_mjcf_from_euler(m, turned);
        walk inner = {hf_mjcf_compose(w.pose, pose),
                      childclass == NULL ? w.childclass : childclass->value};
        m->suffix = hf_robot_print(m->robot, "%s%0*d%s", separator == NULL ? "" : separator->value,
                                   digits, i, outer);
        bool read = m->suffix != NULL && read_children(m, e, inner, b, what, depth + 1);
        m->suffix = outer;
        if (!read) {
            return false;
        }
        hf_mat3 r = hf_quat_rotation(pose.turn);
        pose.position = hf_v3_add(pose.position, hf_m3_mulv(&r, offset));
    }
    return true;
}

static bool read_children(hf_mjcf *m, hf_xml_element *element, walk w, body_reading *b, pass what,
                          int depth)
{
    if (depth > HF_XML_MAX_DEPTH * 2) {
        return hf_xml_fail(element, m->robot->error, HF_ERROR_INPUT, "bodies are nested too deep");
    }
    const char *around = w.childclass;
    for (hf_xml_element *e = element->first; e != NULL; e = e->next) {
        // Frames and copies by what is in them; of all else what this pass is for. Classes around
        // a model that is attached are not its own.
        bool read = true;
        walk inner;
        w.childclass = e->scope == element->scope ? around : NULL;
        if (strcmp(e->name, "frame") == 0) {
            read = enter_frame(m, e, &w, &inner) && read_children(m, e, inner, b, what, depth + 1);
        } else if (strcmp(e->name, "replicate") == 0) {
            read = read_copies(m, e, w, b, what, depth);
        } else if (what == JOINTS &&
                   (strcmp(e->name, "joint") == 0 || strcmp(e->name, "freejoint") == 0)) {
            read = b->body > 0
                       ? read_joint_element(m, e, &w, b)
                       : hf_xml_fail(e, m->robot->error, HF_ERROR_INPUT, "the world has no joint");
        } else if (what == GEOMS && strcmp(e->name, "geom") == 0) {
            read = hf_mjcf_read_geom(m, e, w.childclass, w.pose, b->body, b->weigh, &b->weight);
        } else if (what == GEOMS && strcmp(e->name, "site") == 0) {
            read = list_site(m, e, &w, b->body);
        } else if (what == BODIES && strcmp(e->name, "body") == 0) {
            read = read_body(m, e, w, b->body, depth + 1);
        }
        // What is wrong ends it
        if (!read) {
            return false;
        }
    }
    return true;
}

// What the body weighs, into its link.
static bool read_weight(hf_mjcf *m, body_reading *b, hf_xml_element *element, walk w)
{
    hf_xml_element *inertial = hf_xml_child(element, "inertial");
    m->now = &m->scopes.items[element->scope];
    // By the geoms, or as given
    b->weigh = m->now->from_geom == HF_MJCF_ALWAYS ||
               (m->now->from_geom == HF_MJCF_AUTO && inertial == NULL);
    hf_mjcf_weight given = {0};
    hf_vec3 center = {0};
    if (!read_children(m, element, w, b, GEOMS, 0)) {
        return false;
    }
    bool by_geoms = b->weigh && b->weight.mass > 0.0;
    if (by_geoms) {
        center = hf_v3_scale(1.0 / b->weight.mass, b->weight.moment);
        given = b->weight;
        shift(&given.inertia, -given.mass, center);
        hf_xml_mark_all(inertial, HF_FATE_SEEN, "inertiafromgeom: the geoms say what it weighs");
    } else if (inertial != NULL && !read_inertial(m, inertial, &given, &center)) {
        return false;
    }
    // The link's, not below the least that the file asks for
    hf_robot_link *link = &m->robot->links.items[body_link(m, b->body)];
    link->mass = given.mass;
    link->inertia = given.inertia;
    link->inertia_axes = given.count == 1 ? given.turn : (hf_quat){.w = 1.0};
    m->now = &m->scopes.items[element->scope];
    // What weighs nothing has its center, in MuJoCo, at the numbers that place the body in its
    // parent: they count where boundmass gives it a mass
    bool made = given.count == 0 && inertial == NULL && m->now->least_mass > 0.0;
    center = made ? b->pose.position : center;
    link->center = hf_v3_add(link->origin, center);
    bound(m, link);
    return true;
}

static bool read_body(hf_mjcf *m, hf_xml_element *element, walk around, int parent, int depth)
{
    hf_mjcf_view view = {element, {{element}, 1}};
    hf_xml_mark_element(element, HF_FATE_TAKEN, NULL);
    hf_xml_attribute *childclass = hf_mjcf_get(&view, "childclass");
    hf_xml_mark(hf_xml_get(element, "name"), HF_FATE_TAKEN, NULL);
    body_reading b = {.body = add_body(m, element, -1), .parent = parent};
    hf_mjcf_pose pose;
    double share = 0.0;
    bool mocap = false;
    if (b.body < 0 || !hf_mjcf_pose_of(m, &view, &pose) ||
        !hf_mjcf_number(m, &view, "gravcomp", &share) ||
        !hf_mjcf_flag(m, &view, "mocap", &mocap, NULL)) {
        return false;
    }
    // What programs do with it
    if (mocap) {
        hf_xml_mark(hf_xml_get(element, "mocap"), HF_FATE_OTHERWISE,
                    "a body that a program moves: it stands still");
    }
    if (share != 0.0) {
        hf_xml_mark(hf_xml_get(element, "gravcomp"), HF_FATE_OTHERWISE,
                    "a force at the center of mass that carries this share of the weight");
    }
    // Joints make its links; without one it is fixed
    b.pose = hf_mjcf_compose(around.pose, pose);
    walk inner = {.pose = {.turn = {.w = 1.0}},
                  .childclass = childclass == NULL ? around.childclass : childclass->value};
    if (!read_children(m, element, inner, &b, JOINTS, 0)) {
        return false;
    }
    if (b.joints == 0) {
        hf_robot_link *link = add_link(m, &b, m->bodies.items[b.body].name, (hf_vec3){0}, element);
        if (link == NULL) {
            return false;
        }
        link->type = HF_JOINT_FIXED;
    }
    // What it weighs, and its own bodies
    m->robot->links.items[body_link(m, b.body)].weight_share = share;
    return read_weight(m, &b, element, inner) &&
           read_children(m, element, inner, &b, BODIES, depth);
}

// settotalmass: all masses and inertias times the same factor.
static void set_total(hf_mjcf *m)
{
    double mass = 0.0;
    for (size_t i = 0; i < m->robot->links.count; ++i) {
        mass += m->robot->links.items[i].mass;
    }
    double factor = m->scopes.items[0].total_mass > 0.0 && mass > 0.0
                        ? m->scopes.items[0].total_mass / mass
                        : 1.0;
    for (size_t i = 0; i < m->robot->links.count && factor != 1.0; ++i) {
        hf_robot_link *link = &m->robot->links.items[i];
        hf_sym3 *s = &link->inertia;
        link->mass *= factor;
        s->xx *= factor, s->yy *= factor, s->zz *= factor;
        s->xy *= factor, s->xz *= factor, s->yz *= factor;
    }
}

bool hf_mjcf_read_bodies(hf_mjcf *m)
{
    walk w = {.pose = {.turn = {.w = 1.0}}};
    if (add_body(m, NULL, -1) < 0) {
        return false;
    }
    for (hf_xml_element *e = hf_xml_child(m->root, "worldbody"); e != NULL; e = hf_xml_next(e)) {
        body_reading b = {.body = 0, .parent = 0};
        hf_xml_mark_element(e, HF_FATE_TAKEN, NULL);
        if (!read_children(m, e, w, &b, JOINTS, 0) || !read_children(m, e, w, &b, GEOMS, 0) ||
            !read_children(m, e, w, &b, BODIES, 0)) {
            return false;
        }
    }
    set_total(m);
    return true;
}
