// SPDX-License-Identifier: Apache-2.0
// Default classes.
#include <string.h>

#include "robots/mjcf/mjcf.h"

static bool add_class(hf_mjcf *m, hf_xml_element *element, const char *name, int parent)
{
    void *grown =
        hf_grow(m->classes.items, m->classes.count, &m->classes.capacity, sizeof *m->classes.items);
    if (grown == NULL) {
        return hf_robot_out_of_memory(m->robot);
    }
    m->classes.items = grown;
    m->classes.items[m->classes.count++] = (hf_mjcf_class){name, parent, element};
    return true;
}

static bool read_default(hf_mjcf *m, hf_xml_element *element, int parent, int depth)
{
    hf_xml_attribute *name = hf_xml_get(element, "class");
    if (depth > HF_MJCF_MOST_CLASSES_DEEP) {
        return hf_xml_fail(element, m->robot->error, HF_ERROR_INPUT,
                           "default classes are nested deeper than %d", HF_MJCF_MOST_CLASSES_DEEP);
    }
    if (name == NULL && parent >= 0) {
        return hf_xml_fail(element, m->robot->error, HF_ERROR_INPUT,
                           "a default within a default needs a class");
    }
    hf_xml_mark(name, HF_FATE_TAKEN, NULL);
    hf_xml_mark_element(element, HF_FATE_TAKEN, NULL);
    if (!add_class(m, element, parent < 0 ? m->scopes.items[element->scope].main : name->value,
                   parent)) {
        return false;
    }
    int own = (int)m->classes.count - 1;
    for (hf_xml_element *e = element->first; e != NULL; e = e->next) {
        if (strcmp(e->name, "default") == 0 && !read_default(m, e, own, depth + 1)) {
            return false;
        }
    }
    return true;
}

bool hf_mjcf_read_classes(hf_mjcf *m)
{
    for (hf_xml_element *e = hf_xml_child(m->root, "default"); e != NULL; e = hf_xml_next(e)) {
        if (!read_default(m, e, -1, 0)) {
            return false;
        }
    }
    return true;
}

// ------------------------------------------------------------------------------------------------

static bool is_actuator(const char *tag)
{
    static const char *const tags[] = {"general",     "motor",   "position", "velocity",
                                       "intvelocity", "damper",  "cylinder", "muscle",
                                       "adhesion",    "dcmotor", "plugin"};
    for (size_t i = 0; i < sizeof tags / sizeof tags[0]; ++i) {
        if (strcmp(tags[i], tag) == 0) {
            return true;
        }
    }
    return false;
}

// Adds what a class and those around it say of a tag. Classes of one name are one, later ones
// first, and so are several elements of one class; of those around it only what stands before, as a
// class starts as a copy of them (the first `end` classes). All actuators share one set of
// defaults, whatever tag wrote them.
static void add_levels(hf_mjcf *m, const char *name, const char *tag, size_t end,
                       hf_mjcf_levels *levels)
{
    int parent = -1;
    for (size_t i = end; i > 0; --i) {
        const hf_mjcf_class *c = &m->classes.items[i - 1];
        if (strcmp(c->name, name) != 0) {
            continue;
        }
        parent = c->parent;
        int first = levels->count;
        for (hf_xml_element *e = c->element->first; e != NULL; e = e->next) {
            bool fits = strcmp(e->name, tag) == 0 || (is_actuator(tag) && is_actuator(e->name));
            if (fits && levels->count < HF_MJCF_MOST_LEVELS) {
                levels->count += 1;
                memmove(levels->items + first + 1, levels->items + first,
                        (size_t)(levels->count - 1 - first) * sizeof levels->items[0]);
                levels->items[first] = e;
            }
        }
    }
    if (parent >= 0) { // depth is limited
        add_levels(m, m->classes.items[parent].name, tag, (size_t)parent + 1, levels);
    }
}

bool hf_mjcf_look(hf_mjcf *m, hf_xml_element *element, const char *tag, const char *childclass,
                  hf_mjcf_view *view)
{
    *view = (hf_mjcf_view){.element = element, .levels = {{element}, 1}};
    hf_xml_mark_element(element, HF_FATE_TAKEN, NULL);
    hf_xml_attribute *own = hf_xml_get(element, "class");
    const char *name = own != NULL          ? own->value
                       : childclass != NULL ? childclass
                                            : m->scopes.items[element->scope].main;
    bool known = strcmp(name, m->scopes.items[element->scope].main) == 0;
    for (size_t i = 0; i < m->classes.count && !known; ++i) {
        known = strcmp(m->classes.items[i].name, name) == 0;
    }
    if (!known) {
        return hf_xml_fail(element, m->robot->error, HF_ERROR_NAME,
                           "there is no default class '%.60s'", name);
    }
    hf_xml_mark(own, HF_FATE_TAKEN, NULL);
    add_levels(m, name, tag, m->classes.count, &view->levels);
    for (int i = 1; i < view->levels.count; ++i) {
        hf_xml_mark_element(view->levels.items[i], HF_FATE_TAKEN, NULL);
    }
    return true;
}

hf_xml_attribute *hf_mjcf_peek(const hf_mjcf_view *view, const char *name)
{
    for (int i = 0; i < view->levels.count; ++i) {
        hf_xml_attribute *a = hf_xml_get(view->levels.items[i], name);
        if (a != NULL) {
            return a;
        }
    }
    return NULL;
}

hf_xml_attribute *hf_mjcf_get(const hf_mjcf_view *view, const char *name)
{
    hf_xml_attribute *a = hf_mjcf_peek(view, name);
    hf_xml_mark(a, HF_FATE_TAKEN, NULL);
    return a;
}

void hf_mjcf_mark(const hf_mjcf_view *view, const char *name, hf_fate fate, const char *why)
{
    hf_xml_attribute *a = hf_mjcf_peek(view, name);
    // What was read and turns out to say nothing was not taken. One of a class may be for others
    bool own = a != NULL && hf_xml_get(view->element, name) == a;
    if (own && fate == HF_FATE_SEEN && a->lot.fate == HF_FATE_TAKEN) {
        hf_xml_unmark(a, why);
        return;
    }
    hf_xml_mark(a, fate, why);
}
