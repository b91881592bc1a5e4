// SPDX-License-Identifier: Apache-2.0
// URDF from the top: links and joints into a tree, then what refers to them.
#include "robots/urdf/urdf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec.h"

// ------------------------------------------------------------------------------------------------
// Values

bool hf_urdf_numbers(hf_urdf *u, hf_xml_element *element, const char *attribute, int count,
                     double *numbers, bool *found)
{
    hf_xml_attribute *a = hf_xml_get(element, attribute);
    if (found != NULL) {
        *found = a != NULL;
    }
    if (a == NULL) {
        return true;
    }
    double read[9];
    if (hf_xml_numbers(a->value, count, count, read) < 0) {
        return hf_xml_fail_at(a, u->robot->error, HF_ERROR_INPUT,
                              "%s must be %d number%s, got '%.60s'", attribute, count,
                              count == 1 ? "" : "s", a->value);
    }
    memcpy(numbers, read, (size_t)count * sizeof *numbers);
    hf_xml_mark(a, HF_FATE_TAKEN, NULL);
    return true;
}

bool hf_urdf_origin(hf_urdf *u, hf_xml_element *element, hf_vec3 *position, hf_quat *turn)
{
    hf_xml_element *origin = hf_xml_child(element, "origin");
    double p[3] = {0}, a[3] = {0}, q[4];
    bool quaternion = false;
    hf_xml_mark_element(origin, HF_FATE_TAKEN, NULL);
    if (!hf_urdf_numbers(u, origin, "xyz", 3, p, NULL) ||
        !hf_urdf_numbers(u, origin, "rpy", 3, a, NULL) ||
        !hf_urdf_numbers(u, origin, "quat_xyzw", 4, q, &quaternion)) {
        return false;
    }
    *position = (hf_vec3){p[0], p[1], p[2]};
    if (quaternion) {
        *turn = hf_quat_normalized((hf_quat){q[3], q[0], q[1], q[2]});
        return hf_quat_norm(*turn) > 0.5 ||
               hf_xml_fail(origin, u->robot->error, HF_ERROR_RANGE, "quat_xyzw must not be zero");
    }
    *turn = hf_robot_from_rpy(a[0], a[1], a[2]);
    return true;
}

bool hf_urdf_text_number(hf_urdf *u, hf_xml_element *element, double *number)
{
    hf_xml_attribute *value = hf_xml_get(element, "value");
    const char *text = value != NULL ? value->value : element->text;
    hf_xml_mark_element(element, HF_FATE_TAKEN, NULL);
    hf_xml_mark(value, HF_FATE_TAKEN, NULL);
    return hf_xml_numbers(text, 1, 1, number) == 1 ||
           hf_xml_fail(element, u->robot->error, HF_ERROR_INPUT, "%s must be a number, got '%.60s'",
                       element->name, text);
}

// ------------------------------------------------------------------------------------------------
// Names

static hf_xml_attribute *need(hf_urdf *u, hf_xml_element *element, const char *name)
{
    hf_xml_attribute *a = hf_xml_get(element, name);
    hf_xml_mark(a, HF_FATE_TAKEN, NULL);
    if (a == NULL) {
        (void)hf_xml_fail(element, u->robot->error, HF_ERROR_INPUT, "%s needs %s", element->name,
                          name);
    }
    return a;
}

static hf_urdf_link *find_link(const hf_urdf *u, const char *name)
{
    for (size_t i = 0; i < u->links.count; ++i) {
        if (strcmp(u->links.items[i].name, name) == 0) {
            return &u->links.items[i];
        }
    }
    return NULL;
}

static bool list_link(hf_urdf *u, hf_xml_element *e)
{
    hf_xml_attribute *name = need(u, e, "name");
    if (name == NULL) {
        return false;
    }
    void *grown =
        hf_grow(u->links.items, u->links.count, &u->links.capacity, sizeof *u->links.items);
    if (grown == NULL) {
        return hf_robot_out_of_memory(u->robot);
    }
    u->links.items = grown;
    if (find_link(u, name->value) != NULL) {
        return hf_xml_fail_at(name, u->robot->error, HF_ERROR_NAME, "there are two links '%.60s'",
                              name->value);
    }
    hf_xml_mark_element(e, HF_FATE_TAKEN, NULL);
    u->links.items[u->links.count++] = (hf_urdf_link){e, name->value, -1, false};
    return true;
}

static bool list_joint(hf_urdf *u, hf_xml_element *e)
{
    static const struct {
        const char *name;
        hf_joint_type type;
    } types[] = {{"revolute", HF_JOINT_REVOLUTE},   {"continuous", HF_JOINT_REVOLUTE},
                 {"prismatic", HF_JOINT_PRISMATIC}, {"fixed", HF_JOINT_FIXED},
                 {"floating", HF_JOINT_FREE},       {"planar", HF_JOINT_PLANAR},
                 {"spherical", HF_JOINT_SPHERICAL}, {"ball", HF_JOINT_SPHERICAL}};
    // What it needs to have
    hf_xml_element *parent = hf_xml_child(e, "parent"), *child = hf_xml_child(e, "child");
    hf_xml_attribute *name = need(u, e, "name"), *type = name == NULL ? NULL : need(u, e, "type");
    if (type == NULL) {
        return false;
    }
    if (parent == NULL || child == NULL) {
        return hf_xml_fail(e, u->robot->error, HF_ERROR_INPUT,
                           "joint '%.60s' needs parent and child", name->value);
    }
    hf_xml_attribute *from = need(u, parent, "link"),
                     *to = from == NULL ? NULL : need(u, child, "link");
    if (to == NULL) {
        return false;
    }
    hf_xml_mark_element(e, HF_FATE_TAKEN, NULL);
    hf_xml_mark_element(parent, HF_FATE_TAKEN, NULL);
    hf_xml_mark_element(child, HF_FATE_TAKEN, NULL);
    // Its type and both of its links
    size_t kind = 0, count = sizeof types / sizeof types[0];
    while (kind < count && strcmp(types[kind].name, type->value) != 0) {
        ++kind;
    }
    hf_urdf_link *link = find_link(u, to->value);
    if (kind == count || link == NULL || find_link(u, from->value) == NULL || link->is_child) {
        return kind == count  ? hf_xml_fail_at(type, u->robot->error, HF_ERROR_INPUT,
                                               "unknown type of joint '%.60s'", type->value)
               : link == NULL ? hf_xml_fail_at(to, u->robot->error, HF_ERROR_NAME,
                                               "there is no link '%.60s'", to->value)
               : link->is_child
                   ? hf_xml_fail_at(to, u->robot->error, HF_ERROR_INPUT,
                                    "link '%.60s' is the child of two joints", to->value)
                   : hf_xml_fail_at(from, u->robot->error, HF_ERROR_NAME,
                                    "there is no link '%.60s'", from->value);
    }
    // A link has one joint above it
    link->is_child = true;
    void *grown =
        hf_grow(u->joints.items, u->joints.count, &u->joints.capacity, sizeof *u->joints.items);
    if (grown == NULL) {
        return hf_robot_out_of_memory(u->robot);
    }
    u->joints.items = grown;
    u->joints.items[u->joints.count++] =
        (hf_urdf_joint){e, name->value, from->value, to->value, types[kind].type, -1};
    return true;
}

// ------------------------------------------------------------------------------------------------
// Joints

// A limit, which may be infinite: then it does nothing.
static bool read_bound(hf_urdf *u, hf_xml_element *limit, const char *name, double *bound,
                       bool *found)
{
    hf_xml_attribute *a = hf_xml_get(limit, name);
    if (a != NULL && hf_xml_infinite(a->value, bound)) {
        hf_xml_mark(a, HF_FATE_SEEN, "no limit");
        return true;
    }
    return hf_urdf_numbers(u, limit, name, 1, bound, found);
}

static bool read_limits(hf_urdf *u, hf_xml_element *e, const char *type, hf_robot_link *link)
{
    hf_xml_element *limit = hf_xml_child(e, "limit");
    double low = 0, high = 0, effort = 0, speed = 0;
    bool has_effort = false, has_speed = false;
    hf_xml_mark_element(limit, HF_FATE_TAKEN, NULL);
    if (limit == NULL) {
        return true;
    }
    bool limited = strcmp(type, "revolute") == 0 || strcmp(type, "prismatic") == 0;
    // Numbers
    if (!read_bound(u, limit, "lower", &low, NULL) || !read_bound(u, limit, "upper", &high, NULL) ||
        !read_bound(u, limit, "effort", &effort, &has_effort) ||
        !read_bound(u, limit, "velocity", &speed, &has_speed)) {
        return false;
    }
    if (limited && !(low <= high)) {
        return hf_xml_fail(limit, u->robot->error, HF_ERROR_RANGE, "limits must rise, got %g to %g",
                           low, high);
    }
    // A range of its coordinate
    if (limited && low < high) {
        link->low = low;
        link->high = high;
    } else if (limited) {
        hf_xml_mark_element(limit, HF_FATE_OTHERWISE, "lower equals upper: taken as no limits");
    } else {
        hf_xml_unmark(hf_xml_get(limit, "lower"), "this type of joint has no limits");
        hf_xml_unmark(hf_xml_get(limit, "upper"), "this type of joint has no limits");
    }
    // Force and speed, where they are known
    if (has_effort && effort > 0.0) {
        link->effort = effort;
        hf_xml_mark(hf_xml_get(limit, "effort"), HF_FATE_OTHERWISE,
                    "range of the joint's input, a force or torque");
    } else if (has_effort) {
        hf_xml_unmark(hf_xml_get(limit, "effort"), "0 means that it is not known");
    }
    if (has_speed && speed > 0.0) {
        link->speed = speed;
        hf_xml_mark(hf_xml_get(limit, "velocity"), HF_FATE_OTHERWISE,
                    "a brake holds the joint at this speed, whatever drives it");
    } else if (has_speed) {
        hf_xml_unmark(hf_xml_get(limit, "velocity"), "0 means that it is not known");
    }
    return true;
}

static bool read_dynamics(hf_urdf *u, hf_xml_element *e, hf_robot_link *link)
{
    static const char *const names[] = {"dynamics", "joint_properties"};
    for (int i = 0; i < 2; ++i) {
        hf_xml_element *d = hf_xml_child(e, names[i]);
        hf_xml_mark_element(d, HF_FATE_TAKEN, NULL);
        if (!hf_urdf_numbers(u, d, "damping", 1, &link->damping, NULL) ||
            !hf_urdf_numbers(u, d, "friction", 1, &link->friction, NULL) ||
            !hf_urdf_numbers(u, d, "mu_viscous", 1, &link->damping, NULL) ||
            !hf_urdf_numbers(u, d, "mu_coulomb", 1, &link->friction, NULL) ||
            !hf_urdf_numbers(u, d, "K", 1, &link->stiffness, NULL) ||
            !hf_urdf_numbers(u, d, "D", 1, &link->damping, NULL)) {
            return false;
        }
        if (d != NULL && (link->friction < 0.0 || link->damping < 0.0 || link->stiffness < 0.0)) {
            return hf_xml_fail(d, u->robot->error, HF_ERROR_RANGE,
                               "damping and friction must not be negative");
        }
        if (d != NULL && isfinite(link->effort) && link->friction >= link->effort) {
            hf_xml_mark(hf_xml_get(d, "friction"), HF_FATE_OTHERWISE,
                        "it is above the effort limit: the joint's drive can never move it");
        }
    }
    return true;
}

static bool read_joint(hf_urdf *u, hf_urdf_joint *joint, int parent)
{
    hf_xml_element *e = joint->element, *axis = hf_xml_child(e, "axis");
    // The link that it carries
    int index = hf_robot_add_link(u->robot, joint->name, joint->child);
    if (index < 0) {
        return false;
    }
    joint->index = index;
    find_link(u, joint->child)->index = index;
    hf_robot_link *link = &u->robot->links.items[index];
    double n[3] = {1, 0, 0};
    link->type = joint->type;
    link->parent = parent;
    link->body = joint->child;
    link->from = e;
    hf_xml_mark_element(axis, HF_FATE_TAKEN, NULL);
    const char *type = hf_xml_get(e, "type")->value;
    // Its frame, axis, limits and friction
    if (!hf_urdf_origin(u, e, &link->offset, &link->tilt) ||
        !hf_urdf_numbers(u, axis, "xyz", 3, n, NULL) || !read_limits(u, e, type, link) ||
        !read_dynamics(u, e, link)) {
        return false;
    }
    // What its type needs
    link->axis = (hf_vec3){n[0], n[1], n[2]};
    bool scalar = link->type == HF_JOINT_REVOLUTE || link->type == HF_JOINT_PRISMATIC;
    if (scalar && !(hf_v3_norm(link->axis) > HF_ROBOT_NO_DIRECTION)) {
        return hf_xml_fail(axis, u->robot->error, HF_ERROR_RANGE, "the axis must not be zero");
    }
    if (link->type == HF_JOINT_FREE) {
        link->position[3] = 1.0;
    } else if (link->type == HF_JOINT_SPHERICAL) {
        link->position[0] = 1.0;
    } else if (link->type == HF_JOINT_PLANAR) {
        // Its plane is across the axis; Holdfast's is x, y of the joint's frame.
        hf_vec3 z = hf_v3_scale(1.0 / hf_v3_norm(link->axis), link->axis);
        const double rounding = 1e-12; // of an axis that is written with all its digits
        if (!(z.z > 1.0 - rounding)) {
            hf_xml_mark_element(axis, HF_FATE_MISSING, "a plane across another axis than z");
        }
    } else if (scalar) {
        double start = link->position[0] < link->low    ? link->low
                       : link->position[0] > link->high ? link->high
                                                        : link->position[0];
        if (start != 0.0) {
            link->position[0] = start;
            hf_xml_mark_element(e, HF_FATE_OTHERWISE,
                                "zero lies outside of its limits: it begins at the limit");
        }
    }
    return true;
}

// All joints below a link, in the order of the file.
static bool read_below(hf_urdf *u, const char *name, int index, int depth)
{
    if (depth > 2000) {
        return hf_xml_fail(u->root, u->robot->error, HF_ERROR_INPUT,
                           "the chain of links is too long");
    }
    for (size_t i = 0; i < u->joints.count; ++i) {
        hf_urdf_joint *joint = &u->joints.items[i];
        if (strcmp(joint->parent, name) == 0 &&
            (!read_joint(u, joint, index) ||
             !read_below(u, joint->child, joint->index, depth + 1))) {
            return false;
        }
    }
    return true;
}

static bool read_root(hf_urdf *u, hf_urdf_link *link)
{
    bool world = strcmp(link->name, "world") == 0;
    int index = -1;
    if (!world) {
        index = hf_robot_add_link(u->robot, link->name, "base");
        if (index < 0) {
            return false;
        }
        hf_robot_link *base = &u->robot->links.items[index];
        base->body = link->name;
        base->from = link->element;
        base->type = u->robot->options.base == HF_ROBOT_BASE_FREE ? HF_JOINT_FREE : HF_JOINT_FIXED;
        base->position[3] = base->type == HF_JOINT_FREE ? 1.0 : 0.0;
    }
    link->index = index;
    return read_below(u, link->name, index, 0);
}

// ------------------------------------------------------------------------------------------------

static const hf_urdf_joint *find_joint(const hf_urdf *u, const char *name)
{
    for (size_t i = 0; i < u->joints.count; ++i) {
        if (strcmp(u->joints.items[i].name, name) == 0) {
            return &u->joints.items[i];
        }
    }
    return NULL;
}

// q = multiplier q' + offset.
static bool read_mimic(hf_urdf *u, const hf_urdf_joint *joint)
{
    hf_xml_element *mimic = hf_xml_child(joint->element, "mimic");
    if (mimic == NULL) {
        return true;
    }
    // Which joint it follows
    hf_xml_attribute *other = need(u, mimic, "joint");
    const hf_urdf_joint *leader = other == NULL ? NULL : find_joint(u, other->value);
    double factor = 1.0, offset = 0.0;
    if (other == NULL || !hf_urdf_numbers(u, mimic, "multiplier", 1, &factor, NULL) ||
        !hf_urdf_numbers(u, mimic, "offset", 1, &offset, NULL)) {
        return false;
    }
    if (leader == NULL || leader == joint) {
        return hf_xml_fail_at(other, u->robot->error, HF_ERROR_NAME,
                              "there is no other joint '%.60s'", other->value);
    }
    // Both have one coordinate
    const hf_robot_link *links = u->robot->links.items;
    hf_joint_type a = links[joint->index].type, b = links[leader->index].type;
    if ((a != HF_JOINT_REVOLUTE && a != HF_JOINT_PRISMATIC) ||
        (b != HF_JOINT_REVOLUTE && b != HF_JOINT_PRISMATIC)) {
        return hf_xml_fail(mimic, u->robot->error, HF_ERROR_INPUT,
                           "mimic joints must have one coordinate");
    }
    // A coupling of the two
    hf_xml_mark_element(mimic, HF_FATE_TAKEN, NULL);
    int index =
        hf_robot_add_coupling(u->robot, hf_robot_print(u->robot, "%s-mimic", joint->name), "mimic");
    if (index < 0) {
        return false;
    }
    hf_robot_coupling *c = &u->robot->couplings.items[index];
    c->on = joint->index;
    c->to = leader->index;
    c->polynomial[0] = offset;
    c->polynomial[1] = factor;
    c->from = mimic;
    return true;
}

// An input for every joint whose effort is known.
static bool add_inputs(hf_urdf *u)
{
    for (size_t i = 0; i < u->joints.count; ++i) {
        const hf_urdf_joint *joint = &u->joints.items[i];
        const hf_robot_link *link = &u->robot->links.items[joint->index];
        bool scalar = link->type == HF_JOINT_REVOLUTE || link->type == HF_JOINT_PRISMATIC;
        if (!scalar || !isfinite(link->effort) || hf_xml_child(joint->element, "mimic") != NULL) {
            continue;
        }
        int index = hf_robot_add_drive(u->robot, joint->name, "joint");
        if (index < 0) {
            return false;
        }
        hf_robot_drive *drive = &u->robot->drives.items[index];
        drive->on.terms[0] = (hf_robot_term){joint->index, 1.0};
        drive->on.count = 1;
        drive->gain = 1.0;
        drive->input_low = -link->effort;
        drive->input_high = link->effort;
        drive->number = index;
        drive->from = joint->element;
    }
    return true;
}

static bool find_xacro(hf_urdf *u, hf_xml_element *e)
{
    for (; e != NULL; e = e->next) {
        if (strncmp(e->name, "xacro:", 6) == 0) {
            return hf_xml_fail(e, u->robot->error, HF_ERROR_UNSUPPORTED,
                               "this is xacro, which makes URDF by a program of its own: run "
                               "'xacro %.100s > robot.urdf' and read that",
                               u->robot->label);
        }
        if (!find_xacro(u, e->first)) {
            return false;
        }
    }
    return true;
}

static bool read_all(hf_urdf *u)
{
    if (!find_xacro(u, u->root->first)) {
        return false;
    }
    // Links and joints are listed
    for (hf_xml_element *e = hf_xml_child(u->root, "link"); e != NULL; e = hf_xml_next(e)) {
        if (!list_link(u, e)) {
            return false;
        }
    }
    for (hf_xml_element *e = hf_xml_child(u->root, "joint"); e != NULL; e = hf_xml_next(e)) {
        if (!list_joint(u, e)) {
            return false;
        }
    }
    // From the roots outwards; a joint that is not reached is in a cycle
    for (size_t i = 0; i < u->links.count; ++i) {
        if (!u->links.items[i].is_child && !read_root(u, &u->links.items[i])) {
            return false;
        }
    }
    for (size_t i = 0; i < u->joints.count; ++i) {
        if (u->joints.items[i].index < 0) {
            return hf_xml_fail(u->joints.items[i].element, u->robot->error, HF_ERROR_INPUT,
                               "joint '%.60s' is part of a cycle", u->joints.items[i].name);
        }
    }
    // Extensions, then what links are, then joints that follow others
    if (!hf_urdf_read_extras(u)) {
        return false;
    }
    for (size_t i = 0; i < u->links.count; ++i) {
        if (!hf_urdf_read_link(u, &u->links.items[i])) {
            return false;
        }
    }
    for (size_t i = 0; i < u->joints.count; ++i) {
        if (!read_mimic(u, &u->joints.items[i])) {
            return false;
        }
    }
    hf_robot_start_followers(u->robot);
    return add_inputs(u);
}

bool hf_read_urdf(hf_robot *robot, hf_xml_element *root)
{
    hf_urdf u = {.robot = robot, .root = root};
    hf_xml_attribute *name = hf_xml_get(root, "name");
    robot->gravity = (hf_vec3){0, 0, -9.81};
    robot->friction_rule = "minimum";
    hf_xml_mark_element(root, HF_FATE_TAKEN, NULL);
    hf_xml_mark(name, HF_FATE_TAKEN, NULL);
    if (robot->options.start != NULL) {
        return hf_xml_fail(root, robot->error, HF_ERROR_INPUT, "a URDF has no key frames");
    }
    bool read = hf_robot_set_title(robot, name == NULL ? NULL : name->value) && read_all(&u);
    if (read) {
        hf_urdf_settle(&u);
    }
    free(u.links.items);
    free(u.joints.items);
    return read;
}
