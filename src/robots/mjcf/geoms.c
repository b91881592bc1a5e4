// SPDX-License-Identifier: Apache-2.0
// Geoms: what a body weighs, and where it touches others.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec.h"
#include "robots/mjcf/mjcf.h"

typedef enum geom_type {
    PLANE,
    HFIELD,
    SPHERE,
    CAPSULE,
    ELLIPSOID,
    CYLINDER,
    BOX,
    MESH,
    SDF,
    GEOM_TYPES
} geom_type;

static const char *const TYPES[GEOM_TYPES] = {
    "plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh", "sdf"};

typedef struct geom {
    hf_xml_element *element;
    hf_mjcf_view view;
    geom_type type;
    hf_mjcf_pose pose; // in the body
    double size[3];    // half lengths, radius and half length, ...
    hf_mjcf_mesh *mesh;
    bool collides, weighs;
    const char *name; // or NULL
} geom;

// Two ends in place of place, turn and half length.
static bool read_ends(hf_mjcf *m, geom *g, bool *found)
{
    double n[6];
    int count = 0;
    // Two ends, if there are any
    if (!hf_mjcf_numbers(m, &g->view, "fromto", 6, 6, n, &count)) {
        return false;
    }
    *found = count == 6;
    if (!*found) {
        return true;
    }
    // Of kinds that have ends
    hf_vec3 from = {n[0], n[1], n[2]}, to = {n[3], n[4], n[5]}, along = hf_v3_sub(from, to);
    double length = hf_v3_norm(along);
    bool possible =
        g->type == CAPSULE || g->type == CYLINDER || g->type == BOX || g->type == ELLIPSOID;
    if (!possible || !(length > HF_MJCF_LEAST)) {
        return hf_xml_fail_at(hf_mjcf_peek(&g->view, "fromto"), m->robot->error, HF_ERROR_INPUT,
                              possible ? "fromto: the two ends coincide"
                                       : "fromto is for capsules, cylinders, boxes, ellipsoids");
    }
    // The middle, and a turn that puts z along them
    g->pose.position = hf_v3_scale(0.5, hf_v3_add(from, to));
    g->pose.turn = hf_robot_from_z(along);
    if (g->type == CAPSULE || g->type == CYLINDER) {
        g->size[1] = 0.5 * length;
    } else {
        g->size[1] = g->size[0];
        g->size[2] = 0.5 * length;
    }
    return true;
}

static bool read_sizes(hf_mjcf *m, geom *g)
{
    static const int needed[GEOM_TYPES] = {3, 0, 1, 2, 3, 2, 3, 0, 0};
    int given = 0, need = needed[g->type];
    bool ends = false;
    if (!hf_mjcf_numbers(m, &g->view, "size", 0, 3, g->size, &given) || !read_ends(m, g, &ends)) {
        return false;
    }
    if (need == 0) {
        hf_mjcf_mark(&g->view, "size", HF_FATE_SEEN, "has no effect on a geom of this type");
    }
    for (int i = 0; i < need && g->type != PLANE; ++i) {
        bool by_ends = ends && i > 0;
        if (!by_ends && (i >= given || !(g->size[i] > 0.0))) {
            return hf_xml_fail(g->element, m->robot->error, HF_ERROR_INPUT,
                               "a %s needs %d size%s above zero", TYPES[g->type], need,
                               need == 1 ? "" : "s");
        }
    }
    return true;
}

static const hf_robot_shape_type FORMS[GEOM_TYPES] = {
    HF_ROBOT_PLANE,    HF_ROBOT_BOX, HF_ROBOT_SPHERE, HF_ROBOT_CAPSULE, HF_ROBOT_ELLIPSOID,
    HF_ROBOT_CYLINDER, HF_ROBOT_BOX, HF_ROBOT_MESH,   HF_ROBOT_MESH};

// What its density counts: a volume, or with `shell` a surface.
static double extent_of(const geom *g, bool shell)
{
    if (g->type == MESH || g->type == SDF) {
        return g->mesh == NULL ? 0.0 : g->mesh->volume;
    }
    return hf_mjcf_form_size(FORMS[g->type], g->size, shell);
}

// About its center, its own axes.
static hf_sym3 inertia_of(const geom *g, double mass, bool shell)
{
    if (g->type != MESH && g->type != SDF) {
        return hf_mjcf_form_inertia(FORMS[g->type], g->size, mass, shell);
    }
    hf_sym3 i = g->mesh->inertia;
    double f = mass / g->mesh->volume;
    return (hf_sym3){f * i.xx, f * i.yy, f * i.zz, f * i.xy, f * i.xz, f * i.yz};
}

static bool read_mass(hf_mjcf *m, geom *g, hf_mjcf_weight *sum)
{
    // A mass, or a density
    double mass = 0, density = 1000.0;
    int given = 0;
    if (!hf_mjcf_numbers(m, &g->view, "mass", 1, 1, &mass, &given)) {
        return false;
    }
    if (given == 0 && !hf_mjcf_number(m, &g->view, "density", &density)) {
        return false;
    }
    hf_mjcf_mark(&g->view, "density", HF_FATE_SEEN, "the mass is given");
    if (!(mass >= 0.0) || !(density >= 0.0)) {
        return hf_xml_fail(g->element, m->robot->error, HF_ERROR_RANGE,
                           "mass and density of a geom must not be negative");
    }
    // What weighs nothing
    bool none = given > 0 ? mass == 0.0 : density == 0.0;
    if (none || g->type == PLANE || g->type == HFIELD) {
        return true;
    }
    if (g->mesh != NULL && !hf_mjcf_weigh_mesh(m, g->mesh)) {
        return false;
    }
    // Where its center is, and its share of the body
    bool shell = false;
    if (g->mesh != NULL) {
        hf_mjcf_mark(&g->view, "shellinertia", HF_FATE_SEEN, "a mesh has an inertia of its own");
    } else if (!hf_mjcf_flag(m, &g->view, "shellinertia", &shell, NULL)) {
        return false;
    }
    mass = given > 0 ? mass : density * extent_of(g, shell);
    hf_vec3 center = g->pose.position;
    if (g->mesh != NULL) {
        hf_mat3 r = hf_quat_rotation(g->pose.turn);
        center = hf_v3_add(center, hf_m3_mulv(&r, g->mesh->center));
    }
    hf_mjcf_weight_add(sum, mass, center, g->pose.turn, inertia_of(g, mass, shell));
    return true;
}

// ------------------------------------------------------------------------------------------------
// Contacts

static bool read_surface(hf_mjcf *m, const geom *g, hf_robot_shape *shape)
{
    double friction[3] = {1.0, 0.005, 0.0001};
    int dim = 3;
    hf_xml_attribute *given = hf_mjcf_peek(&g->view, "friction");
    hf_lot before = given == NULL ? (hf_lot){HF_FATE_NONE, NULL} : given->lot;
    if (!hf_mjcf_numbers(m, &g->view, "friction", 1, 3, friction, NULL) ||
        !hf_mjcf_condim(m, &g->view, &dim) ||
        !hf_mjcf_integer(m, &g->view, "priority", &shape->priority)) {
        return false;
    }
    for (int i = 0; i < 3; ++i) {
        if (!(friction[i] >= 0.0)) {
            return hf_xml_fail_at(hf_mjcf_peek(&g->view, "friction"), m->robot->error,
                                  HF_ERROR_RANGE, "friction must not be negative");
        }
    }
    shape->friction = friction[0];
    shape->spin_friction = friction[1];
    shape->rolling_friction = friction[2];
    shape->rows = dim;
    // Without rows of its own it acts on what is like it and has them (hf_mjcf_read_contacts)
    if (dim < 3 && given != NULL) {
        given->lot = before;
        hf_xml_mark(given, HF_FATE_SEEN, "with this condim nothing of the file feels it");
        m->geoms.items[m->geoms.count - 1].idle = given;
    }
    return true;
}

static void fill_form(const geom *g, hf_robot_shape *shape)
{
    const double *s = g->size;
    shape->type = FORMS[g->type];
    shape->center = g->pose.position;
    shape->turn = g->pose.turn;
    if (g->type == SPHERE) {
        shape->size = (hf_vec3){s[0], 0, 0};
    } else if (g->type == CAPSULE || g->type == CYLINDER) {
        shape->size = (hf_vec3){s[0], 0, 2.0 * s[1]};
    } else if (g->type == ELLIPSOID) {
        shape->size = (hf_vec3){s[0], s[1], s[2]};
    } else if (g->type == BOX) {
        shape->size = (hf_vec3){2.0 * s[0], 2.0 * s[1], 2.0 * s[2]};
    }
}

// Height fields: only those whose heights are known.
static bool fill_heights(hf_mjcf *m, const geom *g, hf_robot_shape *shape)
{
    bool known = false;
    if (!hf_mjcf_heights(m, &g->view, shape, &known)) {
        return false;
    }
    if (!known) {
        hf_mjcf_mark(&g->view, "type", HF_FATE_MISSING, "others would touch it");
    }
    shape->collides = known;
    return true;
}

static bool add_shape(hf_mjcf *m, geom *g, int body)
{
    int index = hf_robot_add_shape(m->robot), group = 1, mask = 1;
    if (index < 0 || !hf_mjcf_integer(m, &g->view, "contype", &group) ||
        !hf_mjcf_integer(m, &g->view, "conaffinity", &mask)) {
        return false;
    }
    hf_robot_shape *shape = &m->robot->shapes.items[index];
    shape->name = g->name;
    shape->from = g->element;
    shape->link = m->bodies.items[body].link;
    shape->group = (unsigned)group;
    shape->mask = (unsigned)mask;
    shape->collides = true;
    fill_form(g, shape);
    if ((g->mesh != NULL && !hf_mjcf_collide_mesh(m, g->mesh, shape)) ||
        (g->type == HFIELD && !fill_heights(m, g, shape)) || !read_surface(m, g, shape)) {
        return false;
    }
    m->geoms.items[m->geoms.count - 1].shape = shape->collides ? index : -1;
    if (shape->link >= 0) {
        shape->center = hf_v3_add(shape->center, m->robot->links.items[shape->link].origin);
    }
    return true;
}

// Pairs may name it.
static bool list_geom(hf_mjcf *m, const geom *g, int body, const char *childclass,
                      hf_mjcf_pose around)
{
    void *grown =
        hf_grow(m->geoms.items, m->geoms.count, &m->geoms.capacity, sizeof *m->geoms.items);
    if (grown == NULL) {
        return hf_robot_out_of_memory(m->robot);
    }
    m->geoms.items = grown;
    m->geoms.items[m->geoms.count++] =
        (hf_mjcf_geom){g->name, body, -1, g->element, childclass, around, NULL};
    return true;
}

static bool zero_or_absent(const hf_mjcf_view *view, const char *name)
{
    hf_xml_attribute *a = hf_mjcf_peek(view, name);
    double n = 1.0;
    return a != NULL && hf_xml_numbers(a->value, 1, 1, &n) == 1 && n == 0.0;
}

// What it is and where, before anything of it is marked as taken.
static bool read_kind(hf_mjcf *m, geom *g, hf_mjcf_pose around)
{
    // Its type and place
    int type = SPHERE;
    if (!hf_mjcf_word(m, &g->view, "type", TYPES, GEOM_TYPES, &type)) {
        return false;
    }
    g->type = (geom_type)type;
    hf_mjcf_pose pose;
    if (!hf_mjcf_pose_of(m, &g->view, &pose)) {
        return false;
    }
    g->pose = pose;
    static const char *const turns[] = {"quat", "axisangle", "euler", "xyaxes", "zaxis"};
    for (size_t i = 0; i < sizeof turns / sizeof turns[0] && g->type == SPHERE; ++i) {
        hf_xml_unmark(hf_xml_get(g->element, turns[i]),
                      "a sphere is the same however it is turned");
    }
    // A mesh, where the type needs one
    hf_xml_attribute *mesh = hf_mjcf_peek(&g->view, "mesh");
    if (mesh != NULL) {
        hf_xml_mark(mesh, HF_FATE_TAKEN, NULL);
        g->mesh = hf_mjcf_find_mesh(m, mesh);
        if (g->mesh == NULL) {
            return hf_xml_fail_at(mesh, m->robot->error, HF_ERROR_NAME, "there is no mesh '%.60s'",
                                  mesh->value);
        }
        if (g->type != MESH && g->type != SDF) {
            return hf_xml_fail_at(mesh, m->robot->error, HF_ERROR_UNSUPPORTED,
                                  "a %s that is fitted to a mesh is not understood", TYPES[type]);
        }
    } else if (g->type == MESH) {
        return hf_xml_fail(g->element, m->robot->error, HF_ERROR_INPUT,
                           "a geom of type mesh needs a mesh");
    }
    // Its size
    if (!read_sizes(m, g)) {
        return false;
    }
    g->pose = hf_mjcf_compose(around, g->pose);
    return true;
}

// ------------------------------------------------------------------------------------------------
// Looks

// The color of a geom: its own, or its material's.
static long color_of(const hf_mjcf *m, const hf_mjcf_view *view)
{
    hf_xml_attribute *rgba = hf_mjcf_peek(view, "rgba"), *material = hf_mjcf_peek(view, "material");
    if (rgba != NULL || material == NULL) {
        return rgba == NULL ? -1 : hf_robot_color(rgba->value);
    }
    for (hf_xml_element *a = hf_xml_child(m->root, "asset"); a != NULL; a = hf_xml_next(a)) {
        for (hf_xml_element *e = hf_xml_child(a, "material"); e != NULL; e = hf_xml_next(e)) {
            hf_xml_attribute *name = hf_xml_get(e, "name"), *own = hf_xml_get(e, "rgba");
            if (name != NULL && own != NULL && strcmp(name->value, material->value) == 0) {
                return hf_robot_color(own->value);
            }
        }
    }
    return -1;
}

// What MuJoCo shows too: geoms of groups 0 to 2. Attributes keep their fates: looking at them is no
// use of them.
static bool add_look(hf_mjcf *m, const geom *g, hf_mjcf_pose around, int body)
{
    enum { SHOWN_GROUPS = 2, MOST = 256 };
    hf_lot lots[MOST];
    int group = 0, count = 0, link = m->bodies.items[body].link;
    hf_xml_attribute *own = hf_mjcf_peek(&g->view, "group");
    if (own != NULL && hf_xml_numbers(own->value, 1, 1, &(double){0}) == 1) {
        group = (int)strtol(own->value, NULL, 10);
    }
    bool spare = group > SHOWN_GROUPS; // shown where nothing else is
    if (link < 0 || (spare && !g->collides) || m->robot->options.no_looks) {
        return true;
    }
    // What has become of its attributes
    for (int i = 0; i < g->view.levels.count; ++i) {
        for (hf_xml_attribute *a = g->view.levels.items[i]->attributes; a != NULL; a = a->next) {
            if (count == MOST) {
                return true;
            }
            lots[count++] = a->lot;
        }
    }
    // Its form, as of one that collides
    hf_error *error = m->robot->error, ignored = {0};
    geom copy = *g;
    m->robot->error = &ignored;
    bool known = read_kind(m, &copy, around) && copy.type != PLANE && copy.type != HFIELD &&
                 copy.type != SDF;
    m->robot->error = error;
    count = 0;
    for (int i = 0; i < g->view.levels.count; ++i) {
        for (hf_xml_attribute *a = g->view.levels.items[i]->attributes; a != NULL; a = a->next) {
            a->lot = lots[count++];
        }
    }
    // Its color and place
    hf_robot_look look = {.only = !g->collides, .spare = spare, .color = color_of(m, &g->view)};
    bool hidden = hf_mjcf_peek(&g->view, "rgba") != NULL && look.color < 0;
    if (!known || hidden || (copy.mesh != NULL && copy.mesh->file == NULL)) {
        return true;
    }
    fill_form(&copy, &look.shape);
    if (copy.mesh != NULL) {
        hf_mjcf_place_mesh(copy.mesh, &look.shape);
    }
    look.shape.link = link;
    look.shape.from = g->element;
    look.shape.center = hf_v3_add(look.shape.center, m->robot->links.items[link].origin);
    return hf_robot_add_look(m->robot, look, copy.mesh == NULL ? NULL : copy.mesh->file);
}

// The ellipsoid of a geom that a fluid drags on.
static bool read_drag(hf_mjcf *m, const geom *g, int body)
{
    double coefficients[5] = {0.5, 0.25, 1.5, 1.0, 1.0};
    hf_robot_shape form = {0};
    int link = m->bodies.items[body].link;
    if (!hf_mjcf_numbers(m, &g->view, "fluidcoef", 1, 5, coefficients, NULL)) {
        return false;
    }
    m->robot->links.items[link].no_drag = true; // of the box of its inertia
    fill_form(g, &form);
    hf_vec3 size = form.size;
    double half[3] = {size.x, size.x, 0.5 * size.z};
    switch (form.type) {
    case HF_ROBOT_SPHERE:
        half[2] = size.x;
        break;
    case HF_ROBOT_CAPSULE:
        half[2] += size.x;
        break;
    case HF_ROBOT_CYLINDER:
        break;
    case HF_ROBOT_ELLIPSOID:
        half[1] = size.y;
        half[2] = size.z;
        break;
    case HF_ROBOT_BOX:
        half[0] = 0.5 * size.x;
        half[1] = 0.5 * size.y;
        break;
    default:
        hf_mjcf_mark(&g->view, "fluidshape", HF_FATE_MISSING,
                     "the fluid would drag on it as on an ellipsoid");
        hf_mjcf_mark(&g->view, "fluidcoef", HF_FATE_MISSING,
                     "the fluid would drag on it as on an ellipsoid");
        return true;
    }
    int index = hf_robot_add_fluid(m->robot);
    if (index < 0) {
        return false;
    }
    m->robot->fluids.items[index] =
        (hf_robot_fluid){.link = link,
                         .center = hf_v3_add(form.center, m->robot->links.items[link].origin),
                         .turn = form.turn,
                         .half = {half[0], half[1], half[2]},
                         .blunt = coefficients[0],
                         .slender = coefficients[1],
                         .angular = coefficients[2],
                         .kutta = coefficients[3],
                         .magnus = coefficients[4]};
    return true;
}

// What a geom touches with.
static bool read_touch(hf_mjcf *m, geom *g, int body)
{
    if (!g->collides) {
        hf_mjcf_mark(&g->view, "contype", HF_FATE_TAKEN, NULL);
        hf_mjcf_mark(&g->view, "conaffinity", HF_FATE_TAKEN, NULL);
        return true;
    }
    if (g->type == SDF) {
        hf_mjcf_mark(&g->view, "type", HF_FATE_MISSING, "others would touch it");
        return true;
    }
    if (m->robot->options.collide == HF_ROBOT_COLLIDE_NONE) {
        hf_xml_mark_element(g->element, HF_FATE_OTHERWISE, "nothing collides: as asked for");
        return true;
    }
    return add_shape(m, g, body);
}

bool hf_mjcf_read_geom(hf_mjcf *m, hf_xml_element *element, const char *childclass,
                       hf_mjcf_pose pose, int body, bool weigh, hf_mjcf_weight *sum)
{
    geom g = {.element = element};
    if (!hf_mjcf_look(m, element, "geom", childclass, &g.view)) {
        return false;
    }
    // Whether a fluid drags on it, whether it weighs, and whether it touches
    static const char *const drags[] = {"none", "ellipsoid"};
    int group = 0, drag = 0;
    bool fluid = m->robot->fluid_density > 0.0 || m->robot->fluid_viscosity > 0.0;
    if (fluid && !hf_mjcf_word(m, &g.view, "fluidshape", drags, 2, &drag)) {
        return false;
    }
    drag = drag == 1 && m->bodies.items[body].link >= 0 ? 1 : 0;
    if (!hf_mjcf_integer(m, &g.view, "group", &group)) {
        return false;
    }
    hf_mjcf_mark(&g.view, "group", HF_FATE_TAKEN, NULL);
    g.weighs = weigh && group >= m->now->least_group && group <= m->now->most_group;
    if (!hf_mjcf_name(m, element, &g.name) || !list_geom(m, &g, body, childclass, pose)) {
        return false;
    }
    bool paired = hf_mjcf_in_pair(m, g.name);
    if (paired) {
        hf_xml_mark(hf_xml_get(element, "name"), HF_FATE_TAKEN, NULL);
    }
    g.collides =
        paired || !(zero_or_absent(&g.view, "contype") && zero_or_absent(&g.view, "conaffinity"));
    if (!add_look(m, &g, pose, body)) {
        return false;
    }
    if (!g.weighs && !g.collides && drag == 0) {
        hf_xml_mark_all(element, HF_FATE_SEEN, "a geom that is only shown");
        hf_mjcf_mark(&g.view, "contype", HF_FATE_TAKEN, NULL);
        hf_mjcf_mark(&g.view, "conaffinity", HF_FATE_TAKEN, NULL);
        return true;
    }
    // What it is, and what it weighs
    if (!read_kind(m, &g, pose) || (drag == 1 && !read_drag(m, &g, body))) {
        return false;
    }
    if (g.weighs && !read_mass(m, &g, sum)) {
        return false;
    }
    if (!g.weighs) {
        hf_mjcf_mark(&g.view, "mass", HF_FATE_SEEN, "the body's inertia is given");
        hf_mjcf_mark(&g.view, "density", HF_FATE_SEEN, "the body's inertia is given");
    }
    return read_touch(m, &g, body);
}

bool hf_mjcf_find_round(hf_mjcf *m, hf_xml_attribute *name, int *body, hf_mjcf_pose *pose,
                        bool *sphere, double *radius)
{
    // The geom of this name
    const hf_mjcf_geom *found = NULL;
    for (size_t i = 0; i < m->geoms.count && found == NULL; ++i) {
        const hf_mjcf_geom *g = &m->geoms.items[i];
        found = g->name != NULL && strcmp(g->name, name->value) == 0 ? g : NULL;
    }
    if (found == NULL) {
        return hf_xml_fail_at(name, m->robot->error, HF_ERROR_NAME, "there is no geom '%.60s'",
                              name->value);
    }
    // What it is, and where
    geom g = {.element = found->element};
    if (!hf_mjcf_look(m, found->element, "geom", found->childclass, &g.view) ||
        !read_kind(m, &g, found->around)) {
        return false;
    }
    if (g.type != SPHERE && g.type != CYLINDER) {
        return hf_xml_fail_at(name, m->robot->error, HF_ERROR_INPUT,
                              "a tendon wraps around spheres and cylinders, '%.60s' is a %s",
                              name->value, TYPES[g.type]);
    }
    hf_xml_mark_element(found->element, HF_FATE_TAKEN, NULL);
    hf_xml_mark(hf_xml_get(found->element, "name"), HF_FATE_TAKEN, NULL);
    hf_mjcf_mark(&g.view, "type", HF_FATE_TAKEN, NULL);
    int link = m->bodies.items[found->body].link;
    *body = found->body;
    *pose = g.pose;
    pose->position =
        link < 0 ? g.pose.position : hf_v3_add(g.pose.position, m->robot->links.items[link].origin);
    *sphere = g.type == SPHERE;
    *radius = g.size[0];
    return true;
}
