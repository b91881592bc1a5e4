// SPDX-License-Identifier: Apache-2.0
// Links of an SDF: what they weigh, and where they touch.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec.h"
#include "robots/dae.h"
#include "robots/sdf/sdf.h"

static bool read_inertial(hf_sdf *s, hf_xml_element *e, hf_robot_link *link)
{
    static const char *const names[] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    double mass = 1.0, n[6] = {1, 1, 1, 0, 0, 0};
    hf_sdf_pose pose = {.turn = {.w = 1.0}};
    hf_xml_attribute *relative = NULL;
    hf_xml_mark_element(e, HF_FATE_TAKEN, NULL);
    // Mass, place and inertia, with SDF's defaults
    if (e != NULL) {
        hf_xml_element *inertia = hf_xml_child(e, "inertia");
        hf_xml_attribute *automatic = hf_xml_get(e, "auto");
        hf_xml_mark_element(inertia, HF_FATE_TAKEN, NULL);
        if (!hf_sdf_read_pose(s, e, &pose, &relative) ||
            !hf_sdf_numbers(s, e, "mass", 1, &mass, NULL)) {
            return false;
        }
        for (int i = 0; i < 6; ++i) {
            if (!hf_sdf_numbers(s, inertia, names[i], 1, &n[i], NULL)) {
                return false;
            }
        }
        hf_xml_mark(automatic, HF_FATE_TAKEN, NULL);
    }
    // What cannot be
    if (!(mass >= 0.0)) {
        return hf_xml_fail(e, s->robot->error, HF_ERROR_RANGE, "mass must not be negative");
    }
    if (relative != NULL) {
        hf_xml_mark(relative, HF_FATE_MISSING, "the inertial's pose would be in this frame");
    }
    link->mass = mass;
    link->inertia = hf_robot_turned((hf_sym3){n[0], n[1], n[2], n[3], n[4], n[5]}, pose.turn);
    link->center = hf_v3_add(link->origin, pose.position);
    return true;
}

// The solid that a collision's mesh bounds; NULL where it bounds none. False with the error filled.
static bool read_solid(hf_sdf *s, const hf_robot_shape *shape, hf_xml_element *mesh,
                       hf_triangles **solid)
{
    hf_soup soup = {0};
    hf_error own = {0};
    const char *relative;
    hf_xml_element *uri = hf_xml_child(mesh, "uri");
    char *path = hf_robot_resolve(s->robot, uri, NULL, uri->text, &relative);
    if (path == NULL) {
        return false;
    }
    if (hf_any_soup_read(path, relative, &soup, &own)) {
        hf_soup_scale(&soup, shape->scale);
        *solid = hf_triangles_create(soup.points, (int)soup.point_count, soup.corners,
                                     (int)soup.triangle_count, &own);
    }
    hf_soup_free(&soup);
    free(path);
    if (*solid != NULL && !hf_triangles_get_info(*solid).closed) {
        hf_triangles_destroy(*solid);
        *solid = NULL;
    }
    return own.status != HF_ERROR_MEMORY || hf_robot_out_of_memory(s->robot);
}

// A shape that weighs by its density (1000 unless given), or NULL: its density is read alone.
// *known: it has a volume. False with the error filled.
static bool weigh_shape(hf_sdf *s, const hf_robot_shape *shape, hf_shape_def *def, bool *known)
{
    static const hf_shape_type types[] = {
        [HF_ROBOT_SPHERE] = HF_SHAPE_SPHERE,       [HF_ROBOT_BOX] = HF_SHAPE_BOX,
        [HF_ROBOT_CAPSULE] = HF_SHAPE_CAPSULE,     [HF_ROBOT_CYLINDER] = HF_SHAPE_CYLINDER,
        [HF_ROBOT_ELLIPSOID] = HF_SHAPE_ELLIPSOID, [HF_ROBOT_CONE] = HF_SHAPE_CONE};
    // Its density
    hf_xml_element *mesh = hf_xml_child(hf_xml_child(shape->from, "geometry"), "mesh");
    double density = 1000.0;
    if (!hf_sdf_numbers(s, shape->from, "density", 1, &density, NULL)) {
        return false;
    }
    *known = density > 0.0 && shape->collides && (shape->type <= HF_ROBOT_CONE || mesh != NULL);
    if (!*known || def == NULL) {
        return true;
    }
    // Its form and place
    *def = hf_shape_def_default(mesh != NULL ? HF_SHAPE_TRIANGLES : types[shape->type]);
    def->shape.size = shape->size;
    def->shape.turn = shape->turn;
    def->center = shape->center;
    def->density = density;
    if (mesh == NULL) {
        return true;
    }
    // By its triangles, also where a box stands for it, which has another center
    hf_sdf_pose pose = {.turn = {.w = 1.0}};
    hf_xml_attribute *relative = NULL;
    hf_triangles *solid = NULL;
    if (!hf_sdf_read_pose(s, shape->from, &pose, &relative) ||
        !read_solid(s, shape, mesh, &solid)) {
        return false;
    }
    def->center = hf_v3_add(pose.position, s->robot->links.items[shape->link].origin);
    def->shape.triangles = solid;
    *known = solid != NULL;
    return true;
}

// In place of what is written there: the account says that it has no effect.
static void set_weight(hf_robot_link *on, hf_mass_properties all, const hf_xml_element *inertial)
{
    static const char why[] = "auto: the inertia follows from the collisions";
    on->mass = all.mass;
    on->center = all.center;
    on->inertia = all.inertia;
    for (hf_xml_element *c = inertial->first; c != NULL; c = c->next) {
        hf_xml_unmark_element(c, why);
        for (hf_xml_element *part = c->first; part != NULL; part = part->next) {
            hf_xml_unmark_element(part, why);
        }
    }
}

static bool is_automatic(const hf_xml_element *inertial)
{
    const hf_xml_attribute *a = inertial == NULL ? NULL : hf_xml_get(inertial, "auto");
    return a != NULL && (strcmp(a->value, "true") == 0 || strcmp(a->value, "1") == 0);
}

// `auto`: mass and inertia of the collisions; of meshes by what their surface encloses, hollows and
// all, where it is closed. What the file says of them beside it has no effect.
static bool weigh(hf_sdf *s, hf_xml_element *inertial, int link)
{
    enum { MOST = 64 };
    hf_shape_def shapes[MOST];
    int count = 0;
    bool known = true, read = true;
    if (!is_automatic(inertial)) {
        return true;
    }
    // What its collisions weigh
    for (size_t i = 0; i < s->robot->shapes.count && read; ++i) {
        const hf_robot_shape *shape = &s->robot->shapes.items[i];
        if (shape->link == link && shape->from != NULL) {
            bool solid = false;
            known = known && count < MOST;
            read = weigh_shape(s, shape, known ? &shapes[count] : NULL, &solid);
            known = known && solid;
            count += known && read ? 1 : 0;
        }
    }
    // Together
    if (read && (!known || count == 0)) {
        hf_xml_mark(hf_xml_get(inertial, "auto"), HF_FATE_MISSING,
                    "the inertia would follow from the collisions");
    } else if (read) {
        set_weight(&s->robot->links.items[link], hf_shapes_mass(shapes, count), inertial);
    }
    for (int i = 0; i < count; ++i) {
        hf_triangles_destroy((hf_triangles *)shapes[i].shape.triangles);
    }
    return read;
}

// A plane of a model that stands still.
static bool read_plane(hf_sdf *s, hf_xml_element *e, hf_robot_shape *shape)
{
    double up[3] = {0, 0, 1};
    if (!hf_sdf_numbers(s, e, "normal", 3, up, NULL)) {
        return false;
    }
    hf_xml_mark_element(hf_xml_child(e, "size"), HF_FATE_SEEN, "planes have no end");
    shape->type = HF_ROBOT_PLANE;
    hf_vec3 normal = {up[0], up[1], up[2]};
    if (!(hf_v3_norm(normal) > HF_ROBOT_NO_DIRECTION)) {
        return hf_xml_fail(e, s->robot->error, HF_ERROR_RANGE, "the normal must not be zero");
    }
    if (up[0] != 0.0 || up[1] != 0.0 || !(up[2] > 0.0)) {
        shape->turn = hf_quat_mul(shape->turn, hf_robot_from_z(normal));
    }
    return true;
}

static bool read_geometry(hf_sdf *s, hf_xml_element *geometry, hf_robot_shape *shape)
{
    hf_xml_element *e = geometry == NULL ? NULL : geometry->first;
    double n[3] = {1, 1, 1}, radius = 1.0, length = 1.0;
    if (e == NULL) {
        return hf_xml_fail(shape->from, s->robot->error, HF_ERROR_INPUT,
                           "a collision needs a geometry");
    }
    // Round ones
    hf_xml_mark_element(geometry, HF_FATE_TAKEN, NULL);
    hf_xml_mark_element(e, HF_FATE_TAKEN, NULL);
    bool round = strcmp(e->name, "sphere") == 0, cylinder = strcmp(e->name, "cylinder") == 0,
         capsule = strcmp(e->name, "capsule") == 0, cone = strcmp(e->name, "cone") == 0;
    shape->collides = true;
    if (round || cylinder || capsule || cone) {
        shape->type = round      ? HF_ROBOT_SPHERE
                      : cylinder ? HF_ROBOT_CYLINDER
                      : capsule  ? HF_ROBOT_CAPSULE
                                 : HF_ROBOT_CONE;
        if (!hf_sdf_numbers(s, e, "radius", 1, &radius, NULL) ||
            !hf_sdf_numbers(s, e, "length", 1, &length, NULL)) {
            return false;
        }
        shape->size = (hf_vec3){radius, 0, length};
        if (cone) {
            hf_robot_place_cone(shape);
        }
        return (radius > 0.0 && length > 0.0) ||
               hf_xml_fail(e, s->robot->error, HF_ERROR_RANGE, "sizes must be positive");
    }
    // Boxes and ellipsoids
    if (strcmp(e->name, "box") == 0 || strcmp(e->name, "ellipsoid") == 0) {
        bool box = e->name[0] == 'b';
        shape->type = box ? HF_ROBOT_BOX : HF_ROBOT_ELLIPSOID;
        if (!hf_sdf_numbers(s, e, box ? "size" : "radii", 3, n, NULL)) {
            return false;
        }
        shape->size = (hf_vec3){n[0], n[1], n[2]};
        return (n[0] > 0.0 && n[1] > 0.0 && n[2] > 0.0) ||
               hf_xml_fail(e, s->robot->error, HF_ERROR_RANGE, "sizes must be positive");
    }
    // Meshes
    if (strcmp(e->name, "mesh") == 0) {
        hf_xml_element *uri = hf_xml_child(e, "uri");
        if (!hf_sdf_numbers(s, e, "scale", 3, n, NULL)) {
            return false;
        }
        hf_xml_mark_element(uri, HF_FATE_TAKEN, NULL);
        shape->scale = (hf_vec3){n[0], n[1], n[2]};
        return hf_robot_mesh(s->robot, uri == NULL ? e : uri, NULL, uri == NULL ? NULL : uri->text,
                             shape, &shape->collides);
    }
    if (strcmp(e->name, "plane") == 0 && s->is_static) {
        return read_plane(s, e, shape);
    }
    // What is not represented
    hf_xml_mark_all(e, HF_FATE_MISSING, "others would touch a shape of this kind");
    shape->collides = false;
    return true;
}

// The direction of mu and slip1, where mu2 or slip2 differ; else it says nothing.
static void set_direction(hf_xml_element *ode, hf_vec3 d, hf_robot_shape *shape)
{
    static const char *const second[] = {"mu2", "slip2"};
    bool directed = hf_v3_norm(d) > HF_ROBOT_NO_DIRECTION;
    hf_mat3 r = hf_quat_rotation(shape->turn);
    shape->direction = hf_m3_mulv(&r, d);
    shape->by_world = !directed;
    for (int i = 0; i < 2 && !directed; ++i) {
        bool differs = i == 0 ? shape->across >= 0.0 : shape->slip[0] != shape->slip[1];
        if (differs) {
            hf_xml_mark_element(hf_xml_child(ode, second[i]), HF_FATE_OTHERWISE, HF_BY_WORLD);
        }
    }
    if (directed && shape->across < 0.0 && shape->slip[0] == shape->slip[1]) {
        hf_xml_unmark_element(hf_xml_child(ode, "fdir1"), "both directions are alike");
    }
}

// Restitution counts above a speed alone, 100 km/s where none is given: then nothing bounces.
static bool read_bounce(hf_sdf *s, hf_xml_element *bounce, hf_robot_shape *shape)
{
    static const double unknown = 100000.0, fastest = 1000.0; // the format's default; [m/s]
    hf_xml_element *coefficient = hf_xml_child(bounce, "restitution_coefficient"),
                   *lowest = hf_xml_child(bounce, "threshold");
    double threshold = unknown;
    hf_xml_mark_element(bounce, HF_FATE_TAKEN, NULL);
    if (!hf_sdf_numbers(s, bounce, "restitution_coefficient", 1, &shape->restitution, NULL) ||
        !hf_sdf_numbers(s, bounce, "threshold", 1, &threshold, NULL)) {
        return false;
    }
    if (!(shape->restitution >= 0.0 && shape->restitution <= 1.0)) {
        return hf_xml_fail(coefficient, s->robot->error, HF_ERROR_RANGE,
                           "restitution_coefficient must be from 0 to 1");
    }
    // What the threshold makes of it
    shape->bounces_late = !(threshold < fastest);
    if (shape->restitution == 0.0) {
        shape->bounces_late = false;
        hf_xml_unmark_element(lowest, "nothing bounces anyhow");
    } else if (shape->bounces_late) {
        hf_xml_mark_element(coefficient, HF_FATE_OTHERWISE,
                            "it counts above the smaller threshold of two collisions, 100000 m/s "
                            "where none is given: nothing is so fast");
    } else if (threshold > 0.0) {
        hf_xml_mark_element(lowest, HF_FATE_OTHERWISE,
                            "speeds below which nothing bounces are chosen here");
    }
    return true;
}

// mu, mu2, fdir1, slip; torsional; bounce.
static bool read_surface(hf_sdf *s, hf_xml_element *e, hf_robot_shape *shape)
{
    hf_xml_element *friction = hf_xml_child(e, "friction"), *ode = hf_xml_child(friction, "ode"),
                   *torsional = hf_xml_child(friction, "torsional"),
                   *contact = hf_xml_child(e, "contact");
    hf_xml_element *const taken[] = {e, friction, ode, torsional, contact};
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; ++i) {
        hf_xml_mark_element(taken[i], HF_FATE_TAKEN, NULL);
    }
    double direction[3] = {0}, across = NAN, coefficient = 0.0, radius = 0.0, mask = 65535.0,
           slip[2] = {0};
    bool has_radius = false, masked = false, use_radius = true;
    // All numbers of it
    if (!hf_sdf_numbers(s, ode, "mu", 1, &shape->friction, NULL) ||
        !hf_sdf_numbers(s, ode, "mu2", 1, &across, NULL) ||
        !hf_sdf_numbers(s, ode, "fdir1", 3, direction, NULL) ||
        !hf_sdf_numbers(s, ode, "slip1", 1, &slip[0], NULL) ||
        !hf_sdf_numbers(s, ode, "slip2", 1, &slip[1], NULL) ||
        !hf_sdf_numbers(s, torsional, "coefficient", 1, &coefficient, NULL) ||
        !hf_sdf_numbers(s, torsional, "patch_radius", 1, &radius, &has_radius) ||
        !hf_sdf_flag(s, torsional, "use_patch_radius", &use_radius) ||
        !read_bounce(s, hf_xml_child(e, "bounce"), shape) ||
        !hf_sdf_numbers(s, contact, "collide_bitmask", 1, &mask, &masked)) {
        return false;
    }
    // Friction that depends on direction, or gives way
    shape->friction = fmax(shape->friction, 0.0);
    across = isfinite(across) ? fmax(across, 0.0) : shape->friction;
    shape->across = across != shape->friction ? across : -1.0;
    if (shape->friction != 1.0 && hf_xml_child(ode, "mu2") == NULL) {
        hf_xml_mark_element(hf_xml_child(ode, "mu"), HF_FATE_OTHERWISE,
                            "in all directions; Gazebo has 1 for a mu2 that is not there");
    }
    shape->slip[0] = fmax(slip[0], 0.0);
    shape->slip[1] = fmax(slip[1], 0.0);
    set_direction(ode, (hf_vec3){direction[0], direction[1], direction[2]}, shape);
    // What cannot be represented is reported
    if (coefficient > 0.0 && has_radius && use_radius) {
        // A disc under even pressure: 3 pi/16 coefficient radius N.
        shape->spin_friction = 3.0 * 3.14159265358979323846 / 16.0 * coefficient * radius;
        shape->rows = 4;
    } else if (coefficient > 0.0 && torsional != NULL) {
        hf_xml_mark_element(torsional, HF_FATE_MISSING, "friction against spinning");
    }
    if (masked && mask >= 0.0 && mask <= 4294967295.0) {
        shape->group = shape->mask = (unsigned)mask;
    }
    return true;
}

static bool read_collision(hf_sdf *s, hf_xml_element *e, int link)
{
    // A shape of the link
    int index = hf_robot_add_shape(s->robot);
    if (index < 0) {
        return false;
    }
    hf_robot_shape *shape = &s->robot->shapes.items[index];
    hf_xml_attribute *name = hf_xml_get(e, "name"), *relative = NULL;
    hf_sdf_pose pose;
    shape->from = e;
    shape->link = link;
    shape->name = name == NULL ? NULL : name->value;
    hf_xml_mark_element(e, HF_FATE_TAKEN, NULL);
    hf_xml_mark(name, HF_FATE_SEEN, "a name that nothing refers to");
    // Its place
    if (!hf_sdf_read_pose(s, e, &pose, &relative)) {
        return false;
    }
    if (relative != NULL) {
        hf_xml_mark(relative, HF_FATE_MISSING, "the collision's pose would be in this frame");
    }
    // Its form and surface, in the link's frame
    const hf_robot_link *on = &s->robot->links.items[link];
    shape->center = hf_v3_add(pose.position, on->origin);
    shape->turn = pose.turn;
    hf_xml_element *surface = hf_xml_child(e, "surface");
    if (!read_geometry(s, hf_xml_child(e, "geometry"), shape) ||
        (surface != NULL && !read_surface(s, surface, shape))) {
        return false;
    }
    if (shape->type == HF_ROBOT_PLANE && shape->collides) {
        // A plane is the world's.
        hf_mat3 r = hf_quat_rotation(on->tilt);
        shape->center = hf_v3_add(on->offset, hf_m3_mulv(&r, shape->center));
        shape->turn = hf_quat_mul(on->tilt, shape->turn);
        shape->link = -1;
    }
    return true;
}

// Shares of the velocities that Gazebo's solver takes away in each of its steps, as rates.
static bool read_decay(hf_sdf *s, hf_xml_element *e, hf_robot_link *link)
{
    double share[2] = {0};
    hf_xml_mark_element(e, HF_FATE_TAKEN, NULL);
    if (!hf_sdf_numbers(s, e, "linear", 1, &share[0], NULL) ||
        !hf_sdf_numbers(s, e, "angular", 1, &share[1], NULL)) {
        return false;
    }
    for (int i = 0; i < 2; ++i) {
        if (!(share[i] >= 0.0 && share[i] < 1.0)) {
            return hf_xml_fail(e, s->robot->error, HF_ERROR_RANGE,
                               "velocity_decay must be from 0 to below 1");
        }
        link->decay[i] = share[i] / s->step;
        if (share[i] > 0.0) {
            hf_xml_mark_element(hf_xml_child(e, i == 0 ? "linear" : "angular"), HF_FATE_OTHERWISE,
                                i == 0 ? "a damper at the center of mass, by the solver's step"
                                       : "a damper of the mean moment of inertia, by the solver's "
                                         "step");
        }
    }
    return true;
}

bool hf_sdf_read_link(hf_sdf *s, const hf_sdf_link *link)
{
    hf_xml_element *e = link->element;
    hf_robot_link *on = &s->robot->links.items[link->index];
    bool gravity = true;
    // What it weighs, and what acts on all of it
    if (!read_inertial(s, hf_xml_child(e, "inertial"), on) ||
        !hf_sdf_flag(s, e, "gravity", &gravity)) {
        return false;
    }
    if (!gravity) {
        on->weight_share = 1.0;
        hf_xml_mark_element(hf_xml_child(e, "gravity"), HF_FATE_OTHERWISE,
                            "a force that carries its weight");
    }
    if (!read_decay(s, hf_xml_child(e, "velocity_decay"), on)) {
        return false;
    }
    // What touches; where nothing is to, it weighs all the same
    bool none = s->robot->options.collide == HF_ROBOT_COLLIDE_NONE;
    size_t before = s->robot->shapes.count;
    hf_xml_element *inertial = hf_xml_child(e, "inertial");
    for (hf_xml_element *c = hf_xml_child(e, "collision"); c != NULL; c = hf_xml_next(c)) {
        if ((!none || is_automatic(inertial)) && !read_collision(s, c, link->index)) {
            return false;
        }
    }
    if (!weigh(s, inertial, link->index)) {
        return false;
    }
    for (hf_xml_element *c = hf_xml_child(e, "collision"); none && c != NULL; c = hf_xml_next(c)) {
        hf_xml_mark_all(c, HF_FATE_OTHERWISE, "nothing collides: as asked for");
    }
    s->robot->shapes.count = none ? before : s->robot->shapes.count;
    return hf_robot_read_visuals(s->robot, e, e, link->index);
}
