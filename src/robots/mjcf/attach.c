// SPDX-License-Identifier: Apache-2.0
// `attach`: a body of another model, or all of its world, with what drives and couples it.
//
// The other file is read for every attach. Its names and references get the prefix, its classes
// begin with a top class of their own, and its elements keep the settings of its own compiler: they
// are of another *scope*. Then the body takes the place of the attach, as if it were written there,
// and the sections of its file go behind those of this one.
#include <stdlib.h>
#include <string.h>

#include "robots/mjcf/mjcf.h"

enum { MOST_DEEP = 16 };

int hf_mjcf_add_scope(hf_mjcf *m, const char *folder, const char *prefix)
{
    const char *main = hf_robot_print(m->robot, "%smain", prefix);
    void *grown = main == NULL ? NULL
                               : hf_grow(m->scopes.items, m->scopes.count, &m->scopes.capacity,
                                         sizeof *m->scopes.items);
    if (grown == NULL) {
        (void)hf_robot_out_of_memory(m->robot);
        return -1;
    }
    m->scopes.items = grown;
    m->scopes.items[m->scopes.count] = (hf_mjcf_scope){.autolimits = true,
                                                       .euler = "xyz",
                                                       .from_geom = HF_MJCF_AUTO,
                                                       .most_group = 5,
                                                       .folder = folder,
                                                       .prefix = prefix,
                                                       .main = main};
    m->now = m->scopes.items;
    return (int)m->scopes.count++;
}

// ------------------------------------------------------------------------------------------------
// Names

// Whether an attribute names something, or refers to a name.
static bool is_name(const char *attribute)
{
    static const char names[] =
        " name class childclass joint joint1 joint2 jointinparent body body1 body2 geom geom1 "
        "geom2 "
        "site site1 site2 sidesite refsite cranksite slidersite tendon tendon1 tendon2 mesh hfield "
        "material texture objname refname target actuator skin flex instance ";
    return hf_mjcf_has_word(names, attribute);
}

static bool put_prefix(hf_mjcf *m, hf_xml_element *element, const char *prefix)
{
    for (hf_xml_attribute *a = element->attributes; a != NULL; a = a->next) {
        if (is_name(a->name) && a->value[0] != '\0') {
            a->value = hf_robot_print(m->robot, "%s%s", prefix, a->value);
            if (a->value == NULL) {
                return false;
            }
        }
    }
    for (hf_xml_element *e = element->first; e != NULL; e = e->next) { // depth is limited
        if (!put_prefix(m, e, prefix)) {
            return false;
        }
    }
    return true;
}

// ------------------------------------------------------------------------------------------------
// What goes along

// The body of a name, in a world or a body.
static hf_xml_element *find_body(hf_xml_element *around, const char *name)
{
    for (hf_xml_element *e = around->first; e != NULL; e = e->next) { // depth is limited
        const hf_xml_attribute *own = strcmp(e->name, "body") == 0 ? hf_xml_get(e, "name") : NULL;
        if (own != NULL && strcmp(own->value, name) == 0) {
            return e;
        }
        hf_xml_element *found = find_body(e, name);
        if (found != NULL) {
            return found;
        }
    }
    return NULL;
}

static void unlink_element(hf_xml_element *e)
{
    hf_xml_element *parent = e->parent, *before = NULL;
    for (hf_xml_element *x = parent->first; x != e; x = x->next) {
        before = x;
    }
    *(before == NULL ? &parent->first : &before->next) = e->next;
    parent->last = parent->last == e ? before : parent->last;
    e->next = NULL;
}

static void append(hf_xml_element *parent, hf_xml_element *e)
{
    *(parent->last == NULL ? &parent->first : &parent->last->next) = e;
    parent->last = e;
    e->parent = parent;
    e->next = NULL;
}

// Names of all that is below an element.
static bool collect(hf_mjcf *m, const hf_xml_element *element, hf_names *names)
{
    const hf_xml_attribute *name = hf_xml_get(element, "name");
    if (name != NULL && hf_names_find(names, name->value, strlen(name->value)) < 0 &&
        !hf_names_add(names, name->value, 0)) {
        return hf_robot_out_of_memory(m->robot);
    }
    for (const hf_xml_element *e = element->first; e != NULL; e = e->next) {
        if (!collect(m, e, names)) {
            return false;
        }
    }
    return true;
}

// Whether all that an element and its children act on is attached.
static bool is_attached(const hf_xml_element *element, const hf_names *names)
{
    static const char *const others[] = {"name",     "class",   "childclass", "mesh",
                                         "material", "texture", "hfield"};
    for (const hf_xml_attribute *a = element->attributes; a != NULL; a = a->next) {
        bool place = is_name(a->name);
        for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i) {
            place = place && strcmp(a->name, others[i]) != 0;
        }
        if (place && hf_names_find(names, a->value, strlen(a->value)) < 0) {
            return false;
        }
    }
    for (const hf_xml_element *e = element->first; e != NULL; e = e->next) {
        if (!is_attached(e, names)) {
            return false;
        }
    }
    return true;
}

// Of a section, what acts on bodies that are not attached stays behind, in the world of its file.
// What is kept can be acted on in turn (tendons).
static bool thin_out(hf_mjcf *m, hf_xml_element *section, hf_xml_element *world, hf_names *names)
{
    for (hf_xml_element *e = section->first, *next = NULL; e != NULL; e = next) {
        next = e->next;
        if (is_attached(e, names)) {
            if (!collect(m, e, names)) {
                return false;
            }
            continue;
        }
        unlink_element(e);
        append(world, e);
        hf_xml_mark_all(e, HF_FATE_SEEN, "of a body that is not attached");
    }
    return true;
}

// The sections of the other file, in an order in which names are known before they are referred to.
static bool move_sections(hf_mjcf *m, hf_xml_element *into, hf_xml_element *root,
                          hf_xml_element *world, hf_xml_element *body)
{
    static const char *const sections[] = {"default",  "asset",    "contact", "tendon",
                                           "equality", "actuator", "sensor",  "deformable"};
    hf_names names = {0};
    bool good = body == NULL || collect(m, body, &names);
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; ++i) {
        for (hf_xml_element *e = root->first, *next = NULL; e != NULL && good; e = next) {
            next = e->next;
            if (strcmp(e->name, sections[i]) != 0) {
                continue;
            }
            good = body == NULL || i < 2 || thin_out(m, e, world, &names);
            unlink_element(e);
            append(into, e);
        }
    }
    hf_names_free(&names);
    for (hf_xml_element *e = root->first; e != NULL && good; e = e->next) {
        if (e != world && strcmp(e->name, "compiler") != 0 && strcmp(e->name, "worldbody") != 0) {
            hf_xml_mark_all(e, HF_FATE_SEEN, "settings and key frames are those of the whole");
        }
    }
    return good;
}

// ------------------------------------------------------------------------------------------------

static bool attach_all(hf_mjcf *m, hf_xml_element *root, hf_xml_element *around, int depth);

// The asset of a model's name.
static hf_xml_element *find_model(hf_xml_element *root, const char *name)
{
    for (hf_xml_element *s = hf_xml_child(root, "asset"); s != NULL; s = hf_xml_next(s)) {
        for (hf_xml_element *e = hf_xml_child(s, "model"); e != NULL; e = hf_xml_next(e)) {
            const hf_xml_attribute *own = hf_xml_get(e, "name");
            if (own != NULL && strcmp(own->value, name) == 0) {
                return e;
            }
        }
    }
    return NULL;
}

// Reads the file of a model, with all that it includes and attaches itself.
static hf_xml_element *load_model(hf_mjcf *m, hf_xml_element *model, const char *prefix, int depth)
{
    hf_robot *robot = m->robot;
    hf_xml_attribute *file = hf_xml_get(model, "file");
    const char *relative = NULL;
    if (file == NULL) {
        (void)hf_xml_fail(model, robot->error, HF_ERROR_INPUT, "a model needs a file");
        return NULL;
    }
    // The account, and where the file is
    hf_xml_mark_element(model, HF_FATE_TAKEN, NULL);
    hf_xml_mark(hf_xml_get(model, "name"), HF_FATE_TAKEN, NULL);
    hf_xml_mark(file, HF_FATE_TAKEN, NULL);
    hf_xml_mark(hf_xml_get(model, "content_type"), HF_FATE_SEEN, "told by the file itself");
    const char *named =
        hf_robot_print(robot, "%s%s", m->scopes.items[model->scope].folder, file->value);
    char *path = named == NULL ? NULL : hf_robot_resolve(robot, model, file, named, &relative);
    if (path == NULL) {
        return NULL;
    }
    // Its root, in a scope of its own
    const char *slash = strrchr(robot->label, '/'), *inner = strrchr(relative, '/');
    const char *label =
        hf_robot_print(robot, "%.*s%s", slash == NULL ? 0 : (int)(slash - robot->label) + 1,
                       robot->label, relative);
    const char *folder =
        hf_robot_print(robot, "%.*s", inner == NULL ? 0 : (int)(inner - relative) + 1, relative);
    int scope = label == NULL || folder == NULL ? -1 : hf_mjcf_add_scope(m, folder, prefix);
    hf_xml_element *root = scope < 0 ? NULL : hf_xml_load(&robot->xml, path, label, robot->error);
    free(path);
    if (root == NULL) {
        return NULL;
    }
    hf_xml_set_scope(root, scope);
    hf_xml_mark_element(root, HF_FATE_TAKEN, NULL);
    hf_xml_mark(hf_xml_get(root, "model"), HF_FATE_SEEN, "the name of a model that is attached");
    if (strcmp(root->name, "mujoco") != 0) {
        (void)hf_xml_fail(root, robot->error, HF_ERROR_INPUT, "a model to attach must be MJCF");
        return NULL;
    }
    return hf_mjcf_include(m, root) && hf_mjcf_read_compilers(m, root) &&
                   attach_all(m, root, root, depth + 1)
               ? root
               : NULL;
}

// Puts what is attached behind the element: a body, or all of a world.
static void put_behind(hf_xml_element *attach, hf_xml_element *world, hf_xml_element *body)
{
    hf_xml_element *parent = attach->parent, *behind = attach->next, *at = attach;
    for (hf_xml_element *e = body == NULL ? world->first : body, *next = NULL; e != NULL;
         e = next) {
        next = body == NULL ? e->next : NULL;
        unlink_element(e);
        e->parent = parent;
        at->next = e;
        e->next = behind;
        at = e;
    }
    parent->last = behind == NULL ? at : parent->last;
}

static bool attach_one(hf_mjcf *m, hf_xml_element *root, hf_xml_element *attach, int depth)
{
    hf_robot *robot = m->robot;
    hf_xml_attribute *name = hf_xml_get(attach, "model"), *body = hf_xml_get(attach, "body"),
                     *prefix = hf_xml_get(attach, "prefix");
    // Which model, and under which names
    if (name == NULL || depth > MOST_DEEP) {
        return hf_xml_fail(attach, robot->error, HF_ERROR_INPUT,
                           name == NULL ? "attach needs a model"
                                        : "models are attached within each other too deep");
    }
    hf_xml_element *model = find_model(root, name->value);
    if (model == NULL) {
        return hf_xml_fail_at(name, robot->error, HF_ERROR_NAME, "there is no model '%.60s'",
                              name->value);
    }
    hf_xml_mark_element(attach, HF_FATE_TAKEN, NULL);
    hf_xml_mark(name, HF_FATE_TAKEN, NULL);
    hf_xml_mark(body, HF_FATE_TAKEN, NULL);
    hf_xml_mark(prefix, HF_FATE_TAKEN, NULL);
    size_t first = m->scopes.count;
    const char *front = prefix == NULL ? "" : prefix->value;
    hf_xml_element *other = load_model(m, model, front, depth);
    if (other == NULL) {
        return false;
    }
    // What is attached of it
    hf_xml_element *world = hf_xml_child(other, "worldbody");
    hf_xml_element *chosen = body == NULL || world == NULL ? NULL : find_body(world, body->value);
    if (world == NULL || (body != NULL && chosen == NULL)) {
        return hf_xml_fail(attach, robot->error, HF_ERROR_NAME, "the model '%.60s' has no %s%.60s",
                           name->value, body == NULL ? "worldbody" : "body ",
                           body == NULL ? "" : body->value);
    }
    if (body == NULL) {
        hf_xml_mark_element(world, HF_FATE_TAKEN, NULL);
    }
    // Its names, those of what it attaches itself too
    for (hf_xml_element *e = other->first; e != NULL; e = e->next) {
        if (strcmp(e->name, "compiler") != 0 && !put_prefix(m, e, front)) {
            return false;
        }
    }
    for (size_t i = first + 1; i < m->scopes.count; ++i) {
        hf_mjcf_scope *s = &m->scopes.items[i];
        s->main = hf_robot_print(robot, "%s%s", front, s->main);
        s->prefix = hf_robot_print(robot, "%s%s", front, s->prefix);
        if (s->main == NULL || s->prefix == NULL) {
            return false;
        }
    }
    put_behind(attach, world, chosen);
    if (body != NULL) {
        hf_xml_mark_all(world, HF_FATE_SEEN, "of a body that is not attached");
    }
    return move_sections(m, root, other, world, chosen);
}

// Every attach below an element. What is attached has none left.
static bool attach_all(hf_mjcf *m, hf_xml_element *root, hf_xml_element *around, int depth)
{
    for (hf_xml_element *e = around->first; e != NULL; e = e->next) { // depth is limited
        if (e->scope != around->scope) {
            continue;
        }
        bool here = strcmp(e->name, "attach") == 0;
        if (here ? !attach_one(m, root, e, depth) : !attach_all(m, root, e, depth)) {
            return false;
        }
    }
    return true;
}

bool hf_mjcf_attach(hf_mjcf *m)
{
    return attach_all(m, m->root, m->root, 0);
}
