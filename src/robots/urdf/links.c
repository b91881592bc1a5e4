// SPDX-License-Identifier: Apache-2.0
// Links of a URDF: what they weigh, and where they touch.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec.h"
#include "robots/urdf/urdf.h"

static bool read_inertial(hf_urdf *u, hf_xml_element *e, hf_robot_link *link)
{
    static const char *const names[] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    hf_xml_element *mass = hf_xml_child(e, "mass"), *inertia = hf_xml_child(e, "inertia");
    hf_quat turn;
    double n[6] = {0};
    hf_xml_mark_element(e, HF_FATE_TAKEN, NULL);
    hf_xml_mark_element(mass, HF_FATE_TAKEN, NULL);
    hf_xml_mark_element(inertia, HF_FATE_TAKEN, NULL);
    if (!hf_urdf_origin(u, e, &link->center, &turn) ||
        !hf_urdf_numbers(u, mass, "value", 1, &link->mass, NULL)) {
        return false;
    }
    for (int i = 0; i < 6; ++i) {
        if (!hf_urdf_numbers(u, inertia, names[i], 1, &n[i], NULL)) {
            return false;
        }
    }
    if (!(link->mass >= 0.0)) {
        return hf_xml_fail(mass, u->robot->error, HF_ERROR_RANGE, "mass must not be negative");
    }
    link->inertia = hf_robot_turned((hf_sym3){n[0], n[1], n[2], n[3], n[4], n[5]}, turn);
    return true;
}

// Sizes of a geometry. *known: it is one that collides here.
static bool read_geometry(hf_urdf *u, hf_xml_element *geometry, hf_robot_shape *shape, bool *known)
{
    hf_xml_element *e = geometry == NULL ? NULL : geometry->first;
    double n[3] = {0, 0, 0}, scale[3] = {1, 1, 1}, length = 0;
    *known = false;
    if (e == NULL) {
        return hf_xml_fail(shape->from, u->robot->error, HF_ERROR_INPUT,
                           "a collision needs a geometry");
    }
    hf_xml_mark_element(geometry, HF_FATE_TAKEN, NULL);
    hf_xml_mark_element(e, HF_FATE_TAKEN, NULL);
    bool round = strcmp(e->name, "sphere") == 0, box = strcmp(e->name, "box") == 0,
         cylinder = strcmp(e->name, "cylinder") == 0, capsule = strcmp(e->name, "capsule") == 0;
    // Round ones
    if (round || cylinder || capsule) {
        if (!hf_urdf_numbers(u, e, "radius", 1, n, NULL) ||
            !hf_urdf_numbers(u, e, "length", 1, &length, NULL)) {
            return false;
        }
        shape->type = round ? HF_ROBOT_SPHERE : cylinder ? HF_ROBOT_CYLINDER : HF_ROBOT_CAPSULE;
        shape->size = (hf_vec3){n[0], 0, length};
        *known = n[0] > 0.0 && (round || length > 0.0);
    } else if (box) {
        // then boxes, meshes, and what is not represented
        if (!hf_urdf_numbers(u, e, "size", 3, n, NULL)) {
            return false;
        }
        shape->type = HF_ROBOT_BOX;
        shape->size = (hf_vec3){n[0], n[1], n[2]};
        *known = n[0] > 0.0 && n[1] > 0.0 && n[2] > 0.0;
    } else if (strcmp(e->name, "mesh") == 0) {
        hf_xml_attribute *file = hf_xml_get(e, "filename");
        if (!hf_urdf_numbers(u, e, "scale", 3, scale, NULL)) {
            return false;
        }
        shape->scale = (hf_vec3){scale[0], scale[1], scale[2]};
        return hf_robot_mesh(u->robot, e, file, file == NULL ? NULL : file->value, shape, known);
    } else {
        hf_xml_mark_all(e, HF_FATE_MISSING, "others would touch a shape of this kind");
        return true;
    }
    return *known || hf_xml_fail(e, u->robot->error, HF_ERROR_RANGE,
                                 "sizes of a %s must be positive", e->name);
}

static bool read_collision(hf_urdf *u, hf_xml_element *e, int link)
{
    if (u->robot->options.collide == HF_ROBOT_COLLIDE_NONE) {
        hf_xml_mark_all(e, HF_FATE_OTHERWISE, "nothing collides: as asked for");
        return true;
    }
    int index = hf_robot_add_shape(u->robot);
    if (index < 0) {
        return false;
    }
    // Whose it is
    hf_robot_shape *shape = &u->robot->shapes.items[index];
    hf_xml_attribute *name = hf_xml_get(e, "name");
    shape->from = e;
    shape->link = link;
    shape->name = name == NULL ? NULL : name->value;
    hf_xml_mark_element(e, HF_FATE_TAKEN, NULL);
    hf_xml_mark(name, HF_FATE_SEEN, "a name that nothing refers to");
    // Where it is, and its form
    bool known = false;
    if (!hf_urdf_origin(u, e, &shape->center, &shape->turn) ||
        !read_geometry(u, hf_xml_child(e, "geometry"), shape, &known)) {
        return false;
    }
    shape->collides = known;
    hf_xml_element *origin = hf_xml_child(e, "origin");
    if (shape->type == HF_ROBOT_SPHERE && known && origin != NULL) {
        hf_xml_unmark(hf_xml_get(origin, "rpy"), "a sphere is the same however it is turned");
    }
    return true;
}

// Bullet's numbers of a link's contacts.
static bool read_bullet(hf_urdf *u, hf_xml_element *contact, int link)
{
    static const char *const names[] = {"lateral_friction", "spinning_friction", "rolling_friction",
                                        "restitution"};
    if (contact == NULL) {
        return true;
    }
    hf_xml_mark_element(contact, HF_FATE_TAKEN, NULL);
    for (int k = 0; k < 4; ++k) {
        hf_xml_element *e = hf_xml_child(contact, names[k]);
        double value = 0.0;
        if (e == NULL) {
            continue;
        }
        if (!hf_urdf_text_number(u, e, &value)) {
            return false;
        }
        u->robot->friction_rule = "product";
        for (size_t i = 0; i < u->robot->shapes.count; ++i) {
            hf_robot_shape *s = &u->robot->shapes.items[i];
            if (s->link == link) {
                double *to[4] = {&s->friction, &s->spin_friction, &s->rolling_friction,
                                 &s->restitution};
                *to[k] = fmax(value, 0.0);
                s->rows = k == 2 && s->rows < 6 ? 6 : k == 1 && s->rows < 4 ? 4 : s->rows;
            }
        }
    }
    return true;
}

bool hf_urdf_read_link(hf_urdf *u, const hf_urdf_link *link)
{
    hf_xml_element *inertial = hf_xml_child(link->element, "inertial");
    if (inertial != NULL && link->index >= 0 &&
        !read_inertial(u, inertial, &u->robot->links.items[link->index])) {
        return false;
    }
    for (hf_xml_element *e = hf_xml_child(link->element, "collision"); e != NULL;
         e = hf_xml_next(e)) {
        if (!read_collision(u, e, link->index)) {
            return false;
        }
    }
    for (size_t i = 0; i < u->robot->shapes.count && link->index >= 0; ++i) {
        hf_robot_shape *s = &u->robot->shapes.items[i];
        double mu = u->robot->links.items[link->index].contact_friction;
        if (s->link == link->index && mu >= 0.0) {
            s->friction = mu;
            s->across = u->robot->links.items[link->index].contact_across;
            s->direction = u->robot->links.items[link->index].contact_direction;
            s->by_world = u->robot->links.items[link->index].contact_by_world;
        }
    }
    return hf_robot_read_visuals(u->robot, link->element, u->root, link->index) &&
           read_bullet(u, hf_xml_child(link->element, "contact"), link->index);
}
