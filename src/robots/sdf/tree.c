// SPDX-License-Identifier: Apache-2.0
// Links and joints of an SDF model, and of the models in it, into a tree; joints that close a chain
// into loops.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec.h"
#include "robots/sdf/sdf.h"

static int find_link(const hf_sdf *s, const char *name)
{
    for (size_t i = 0; i < s->links.count; ++i) {
        if (strcmp(s->links.items[i].name, name) == 0) {
            return (int)i;
        }
    }
    return -1;
}

static bool list_link(hf_sdf *s, int scope, hf_xml_element *e)
{
    hf_xml_attribute *name = hf_xml_get(e, "name");
    const char *full = name == NULL ? NULL : hf_sdf_scoped(s, scope, name->value);
    void *grown =
        hf_grow(s->links.items, s->links.count, &s->links.capacity, sizeof *s->links.items);
    if (grown == NULL) {
        return hf_robot_out_of_memory(s->robot);
    }
    s->links.items = grown;
    if (name != NULL && full == NULL) {
        return false;
    }
    if (name == NULL || find_link(s, full) >= 0) {
        return hf_xml_fail(e, s->robot->error, HF_ERROR_NAME,
                           name == NULL ? "a link needs a name"
                                        : "there are two links of this name");
    }
    hf_sdf_link link = {.element = e, .name = full, .scope = scope, .index = -1};
    hf_xml_mark_element(e, HF_FATE_TAKEN, NULL);
    hf_xml_mark(name, HF_FATE_TAKEN, NULL);
    if (!hf_sdf_frame_in_model(s, scope, NULL, name->value, &link.pose)) {
        return false;
    }
    s->links.items[s->links.count++] = link;
    return true;
}

// A link by the name that a scope gives it, or one that a frame is attached to; -2: none.
static int find_named(hf_sdf *s, int scope, const char *name, int depth)
{
    const char *full = hf_sdf_scoped(s, scope, name);
    int link = full == NULL ? -2 : find_link(s, full);
    if (link >= 0 || full == NULL || depth > 20) {
        return link >= 0 ? link : -2;
    }
    // A frame of the scope, or of a model in it
    int inner = scope;
    const char *last = hf_sdf_descend(s, &inner, name);
    hf_xml_element *model = last == NULL ? NULL : s->scopes.items[inner].model;
    for (hf_xml_element *f = hf_xml_child(model, "frame"); f != NULL && last != NULL;
         f = hf_xml_next(f)) {
        hf_xml_attribute *own = hf_xml_get(f, "name"), *attached = hf_xml_get(f, "attached_to");
        if (own != NULL && strcmp(own->value, last) == 0 && attached != NULL) {
            hf_xml_mark(attached, HF_FATE_TAKEN, NULL);
            return find_named(s, inner, attached->value, depth + 1);
        }
    }
    return -2;
}

static bool find_end(hf_sdf *s, int scope, hf_xml_element *e, int *link)
{
    hf_xml_mark_element(e, HF_FATE_TAKEN, NULL);
    *link = strcmp(e->text, "world") == 0 ? -1 : find_named(s, scope, e->text, 0);
    return *link >= -1 ||
           hf_xml_fail(e, s->robot->error, HF_ERROR_NAME, "there is no link '%.60s'", e->text);
}

static bool list_joint(hf_sdf *s, int scope, hf_xml_element *e)
{
    hf_xml_attribute *name = hf_xml_get(e, "name"), *type = hf_xml_get(e, "type");
    hf_xml_element *parent = hf_xml_child(e, "parent"), *child = hf_xml_child(e, "child");
    if (name == NULL || type == NULL || parent == NULL || child == NULL) {
        return hf_xml_fail(e, s->robot->error, HF_ERROR_INPUT,
                           "a joint needs name, type, parent and child");
    }
    const char *full = hf_sdf_scoped(s, scope, name->value);
    // Its ends and its frame
    hf_sdf_joint joint = {.element = e, .scope = scope, .name = full, .type = type->value};
    hf_xml_mark_element(e, HF_FATE_TAKEN, NULL);
    hf_xml_mark(name, HF_FATE_TAKEN, NULL);
    hf_xml_mark(type, HF_FATE_TAKEN, NULL);
    if (full == NULL || !find_end(s, scope, parent, &joint.parent) ||
        !find_end(s, scope, child, &joint.child) ||
        !hf_sdf_frame_in_model(s, scope, NULL, name->value, &joint.pose)) {
        return false;
    }
    if (joint.child < 0) {
        return hf_xml_fail(child, s->robot->error, HF_ERROR_INPUT, "the world cannot be a child");
    }
    // What it does to its child
    hf_sdf_link *link = &s->links.items[joint.child];
    joint.gears = strcmp(joint.type, "gearbox") == 0;
    joint.closes = link->has_parent && !joint.gears;
    link->has_parent = link->has_parent || !joint.gears;
    void *grown =
        hf_grow(s->joints.items, s->joints.count, &s->joints.capacity, sizeof *s->joints.items);
    if (grown == NULL) {
        return hf_robot_out_of_memory(s->robot);
    }
    s->joints.items = grown;
    s->joints.items[s->joints.count++] = joint;
    return true;
}

// ------------------------------------------------------------------------------------------------
// Joints

bool hf_sdf_read_axis(hf_sdf *s, const hf_sdf_joint *joint, hf_xml_element *e, hf_vec3 *axis)
{
    hf_xml_element *xyz = hf_xml_child(e, "xyz");
    hf_xml_attribute *expressed = hf_xml_get(xyz, "expressed_in");
    double n[3] = {0, 0, 1};
    bool in_model = s->scopes.items[joint->scope].version < 1.45;
    if (!hf_sdf_numbers(s, e, "xyz", 3, n, NULL) ||
        !hf_sdf_flag(s, e, "use_parent_model_frame", &in_model)) {
        return false;
    }
    hf_sdf_pose frame = joint->pose;
    hf_xml_mark(expressed, HF_FATE_TAKEN, NULL);
    const char *named = expressed != NULL && expressed->value[0] != '\0' ? expressed->value
                        : in_model                                       ? "__model__"
                                                                         : NULL;
    if (named != NULL && !hf_sdf_frame_in_model(s, joint->scope, expressed, named, &frame)) {
        return false;
    }
    *axis = (hf_vec3){n[0], n[1], n[2]};
    if (!(hf_v3_norm(*axis) > HF_ROBOT_NO_DIRECTION)) {
        return hf_xml_fail(e, s->robot->error, HF_ERROR_RANGE, "the axis must not be zero");
    }
    hf_mat3 from = hf_quat_rotation(frame.turn),
            to = hf_quat_rotation(s->links.items[joint->child].pose.turn);
    *axis = hf_m3_tmulv(&to, hf_m3_mulv(&from, *axis));
    return true;
}

// A limit, which may be infinite: then it does nothing.
static bool read_bound(hf_sdf *s, hf_xml_element *limit, const char *name, double *bound)
{
    hf_xml_element *e = hf_xml_child(limit, name);
    if (e != NULL && hf_xml_infinite(e->text, bound)) {
        hf_xml_mark_element(e, HF_FATE_SEEN, "no limit");
        return true;
    }
    return hf_sdf_numbers(s, limit, name, 1, bound, NULL);
}

bool hf_sdf_read_axis_numbers(hf_sdf *s, hf_xml_element *e, hf_robot_link *link, bool limited)
{
    hf_xml_element *dynamics = hf_xml_child(e, "dynamics"), *limit = hf_xml_child(e, "limit");
    double low = -1e16, high = 1e16, effort = -1.0, speed = -1.0;
    hf_xml_mark_element(e, HF_FATE_TAKEN, NULL);
    hf_xml_mark_element(dynamics, HF_FATE_TAKEN, NULL);
    hf_xml_mark_element(limit, HF_FATE_TAKEN, NULL);
    // Numbers as they are written
    if (!hf_sdf_numbers(s, dynamics, "damping", 1, &link->damping, NULL) ||
        !hf_sdf_numbers(s, dynamics, "friction", 1, &link->friction, NULL) ||
        !hf_sdf_numbers(s, dynamics, "spring_reference", 1, &link->rest, NULL) ||
        !hf_sdf_numbers(s, dynamics, "spring_stiffness", 1, &link->stiffness, NULL) ||
        !read_bound(s, limit, "lower", &low) || !read_bound(s, limit, "upper", &high) ||
        !read_bound(s, limit, "effort", &effort) || !read_bound(s, limit, "velocity", &speed)) {
        return false;
    }
    if (link->damping < 0.0 || link->friction < 0.0 || link->stiffness < 0.0) {
        return hf_xml_fail(dynamics, s->robot->error, HF_ERROR_RANGE,
                           "damping, friction and spring_stiffness must not be negative");
    }
    // Limits of place
    if (limited && low < high) {
        link->low = low > -1e15 ? low : -INFINITY;
        link->high = high < 1e15 ? high : INFINITY;
    } else if (limited && low == high) {
        link->low = link->high = low;
    } else if (limited) {
        bool still = link->type == HF_JOINT_FIXED;
        hf_xml_mark_element(limit, still ? HF_FATE_SEEN : HF_FATE_MISSING,
                            still ? "the model stands still"
                                  : "its lower limit is above the upper one: it has none here");
    } else {
        hf_xml_unmark_element(hf_xml_child(limit, "lower"), "this type of joint has no limits");
        hf_xml_unmark_element(hf_xml_child(limit, "upper"), "this type of joint has no limits");
    }
    // What moves it
    if (effort > 0.0 && isfinite(effort)) {
        link->effort = effort;
        hf_xml_mark_element(hf_xml_child(limit, "effort"), HF_FATE_OTHERWISE,
                            "range of the joint's input, a force or torque");
        if (link->friction >= effort) {
            hf_xml_mark_element(
                hf_xml_child(dynamics, "friction"), HF_FATE_OTHERWISE,
                "it is above the effort limit: the joint's drive can never move it");
        }
    }
    if (speed > 0.0 && speed < 1e15) {
        link->speed = speed;
        hf_xml_mark_element(hf_xml_child(limit, "velocity"), HF_FATE_OTHERWISE,
                            "a brake holds the joint at this speed, whatever drives it");
    } else if (speed == 0.0) {
        hf_xml_mark_element(hf_xml_child(limit, "velocity"), HF_FATE_MISSING,
                            "the joint would not move at all");
    }
    if (link->low < link->high &&
        (link->position[0] < link->low || link->position[0] > link->high)) {
        link->position[0] = link->position[0] < link->low ? link->low : link->high;
        hf_xml_mark_element(e, HF_FATE_OTHERWISE,
                            "zero lies outside of its limits: it begins at the limit");
    }
    return true;
}

// A frame at the joint with the child link's axes, in the model.
static hf_sdf_pose joint_frame(const hf_sdf *s, const hf_sdf_joint *joint)
{
    return (hf_sdf_pose){joint->pose.position, s->links.items[joint->child].pose.turn};
}

// A new link of the robot at `frame` (in the model) on the link `parent` of the model.
static hf_robot_link *add_link(hf_sdf *s, const char *name, int parent, hf_sdf_pose frame,
                               int *index)
{
    *index = hf_robot_add_link(s->robot, name, "joint");
    if (*index < 0) {
        return NULL;
    }
    hf_robot_link *link = &s->robot->links.items[*index];
    hf_sdf_pose on; // the joint's frame: on its parent's, or in the world
    if (parent >= 0) {
        const hf_sdf_link *carrier = &s->links.items[parent];
        const hf_robot_link *below = &s->robot->links.items[carrier->index];
        // The parent's own frame stands `origin` away from the link's.
        hf_mat3 r = hf_quat_rotation(carrier->pose.turn);
        hf_sdf_pose base = {hf_v3_sub(carrier->pose.position, hf_m3_mulv(&r, below->origin)),
                            carrier->pose.turn};
        on = hf_sdf_compose(hf_sdf_inverse(base), frame);
        link->parent = carrier->index;
    } else {
        on = hf_sdf_compose(s->place, frame);
    }
    link->offset = on.position;
    link->tilt = on.turn;
    link->family = s->self_collide ? 0 : s->family;
    return link;
}

static const struct {
    const char *name;
    hf_joint_type type;
    int axes;
    bool limited;
} TYPES[] = {
    {"revolute", HF_JOINT_REVOLUTE, 1, true},   {"continuous", HF_JOINT_REVOLUTE, 1, false},
    {"prismatic", HF_JOINT_PRISMATIC, 1, true}, {"fixed", HF_JOINT_FIXED, 0, false},
    {"ball", HF_JOINT_SPHERICAL, 0, false},     {"universal", HF_JOINT_REVOLUTE, 2, true},
    {"revolute2", HF_JOINT_REVOLUTE, 2, true},  {"screw", HF_JOINT_REVOLUTE, 1, true}};
enum { TYPE_COUNT = sizeof TYPES / sizeof TYPES[0] };

static int kind_of(const hf_sdf_joint *joint)
{
    int kind = 0;
    while (kind < TYPE_COUNT && strcmp(TYPES[kind].name, joint->type) != 0) {
        ++kind;
    }
    return kind;
}

bool hf_sdf_has_place(const hf_sdf_joint *joint)
{
    return kind_of(joint) < TYPE_COUNT;
}

// The nut of a screw: a slide along the axis, of screw_thread_pitch [m] a turn; the older
// thread_pitch t is -2 pi over that.
static bool add_nut(hf_sdf *s, const hf_sdf_joint *joint, int *index)
{
    double pitch = 0.0, older = 0.0;
    bool new = false, old = false;
    // The pitch, in either way of writing
    if (!hf_sdf_numbers(s, joint->element, "screw_thread_pitch", 1, &pitch, &new) ||
        !hf_sdf_numbers(s, joint->element, "thread_pitch", 1, &older, &old)) {
        return false;
    }
    if ((old && older == 0.0) || (!old && !new)) {
        return hf_xml_fail(joint->element, s->robot->error, HF_ERROR_INPUT,
                           "a screw needs a screw_thread_pitch, or a thread_pitch other than zero");
    }
    // Metres a radian
    double lead = new ? pitch / (2.0 * 3.14159265358979323846) : -1.0 / older;
    int turn = *index, slide = hf_robot_add_link(s->robot, joint->name, "screw");
    int coupling = slide < 0 ? -1 : hf_robot_add_coupling(s->robot, joint->name, "screw");
    if (coupling < 0) {
        return false;
    }
    // A slide on the turning link, coupled to it
    hf_robot_link *nut = &s->robot->links.items[slide];
    nut->parent = turn;
    nut->type = s->is_static ? HF_JOINT_FIXED : HF_JOINT_PRISMATIC;
    nut->axis = s->robot->links.items[turn].axis;
    nut->from = joint->element;
    nut->family = s->self_collide ? 0 : s->family;
    hf_robot_coupling *c = &s->robot->couplings.items[coupling];
    double length = hf_v3_norm(nut->axis);
    *c = (hf_robot_coupling){.name = c->name, .on = slide, .to = turn, .from = joint->element};
    c->polynomial[1] = lead;
    nut->axis = length > 0.0 ? hf_v3_scale(1.0 / length, nut->axis) : nut->axis;
    if (s->is_static) {
        s->robot->couplings.count -= 1;
    }
    *index = slide;
    return true;
}

static bool read_joint(hf_sdf *s, const hf_sdf_joint *joint)
{
    // Its type
    int kind = kind_of(joint), index = -1;
    if (kind == TYPE_COUNT) {
        hf_xml_mark_all(joint->element, HF_FATE_MISSING,
                        "a joint of this type: its links are held together");
        kind = 3;
    }
    // One link of the robot for each axis
    hf_sdf_pose frame = joint_frame(s, joint);
    hf_sdf_link *child = &s->links.items[joint->child];
    int links = TYPES[kind].axes == 2 ? 2 : 1;
    for (int k = 0; k < links; ++k) {
        hf_xml_element *axis = hf_xml_child(joint->element, k == 0 ? "axis" : "axis2");
        hf_robot_link *link =
            k == 0 ? add_link(s, joint->name, joint->parent, frame, &index) : NULL;
        if (k == 1) {
            int before = index;
            index = hf_robot_add_link(s->robot, joint->name, "joint");
            link = index < 0 ? NULL : &s->robot->links.items[index];
            if (link != NULL) {
                link->parent = before;
                link->family = s->self_collide ? 0 : s->family;
            }
        }
        if (link == NULL) {
            return false;
        }
        link->type = s->is_static ? HF_JOINT_FIXED : TYPES[kind].type;
        link->from = joint->element;
        link->position[0] = link->type == HF_JOINT_SPHERICAL ? 1.0 : 0.0;
        if (TYPES[kind].axes > 0 && axis != NULL &&
            (!hf_sdf_read_axis(s, joint, axis, &link->axis) ||
             !hf_sdf_read_axis_numbers(s, axis, link, TYPES[kind].limited) ||
             !hf_sdf_lock(s, hf_xml_child(axis, "limit"), link))) {
            return false;
        }
    }
    // The last of them carries the body
    if (strcmp(joint->type, "screw") == 0 && !add_nut(s, joint, &index)) {
        return false;
    }
    hf_robot_link *last = &s->robot->links.items[index];
    hf_mat3 r = hf_quat_rotation(child->pose.turn);
    last->body = child->name;
    last->origin = hf_m3_tmulv(&r, hf_v3_sub(child->pose.position, frame.position));
    child->index = index;
    return true;
}

static bool read_below(hf_sdf *s, int parent, int depth)
{
    if (depth > 2000) {
        return hf_xml_fail(s->scopes.items[0].model, s->robot->error, HF_ERROR_INPUT,
                           "the chain of links is too long");
    }
    for (size_t i = 0; i < s->joints.count; ++i) {
        const hf_sdf_joint *joint = &s->joints.items[i];
        if (!joint->closes && !joint->gears && joint->parent == parent &&
            (!read_joint(s, joint) || !read_below(s, joint->child, depth + 1))) {
            return false;
        }
    }
    return true;
}

// A link that no joint carries: free, or fixed in a static model.
static bool read_root(hf_sdf *s, int link)
{
    hf_sdf_link *l = &s->links.items[link];
    int index = -1;
    hf_robot_link *on = add_link(s, l->name, -1, l->pose, &index);
    if (on == NULL) {
        return false;
    }
    bool fixed = s->is_static || s->robot->options.base == HF_ROBOT_BASE_FIXED;
    on->type = fixed ? HF_JOINT_FIXED : HF_JOINT_FREE;
    on->body = l->name;
    on->from = l->element;
    if (!fixed) {
        const double at[7] = {on->offset.x, on->offset.y, on->offset.z, on->tilt.w,
                              on->tilt.x,   on->tilt.y,   on->tilt.z};
        memcpy(on->position, at, sizeof at);
        on->offset = (hf_vec3){0};
        on->tilt = (hf_quat){.w = 1.0};
    }
    l->index = index;
    return read_below(s, link, 0);
}

// ------------------------------------------------------------------------------------------------
// Gearboxes

// The joint of one coordinate between two links, and whether it counts from the first to the
// second; NULL: none.
static const hf_robot_link *joint_between(const hf_sdf *s, int from, int to, int *index,
                                          double *sign)
{
    for (size_t i = 0; i < s->joints.count; ++i) {
        const hf_sdf_joint *j = &s->joints.items[i];
        bool forth = j->parent == from && j->child == to,
             back = j->parent == to && j->child == from;
        int kind = kind_of(j);
        if (!j->closes && !j->gears && (forth || back) && kind < TYPE_COUNT &&
            TYPES[kind].axes == 1 && strcmp(j->type, "screw") != 0) {
            *index = s->links.items[j->child].index;
            *sign = forth ? 1.0 : -1.0;
            return &s->robot->links.items[*index];
        }
    }
    return NULL;
}

// Whether a direction of the joint element (in the child's frame of the gearbox) is that of a
// link's axis: 1 or -1.
static double along(const hf_sdf *s, const hf_sdf_joint *joint, hf_vec3 direction, int link)
{
    hf_mat3 a = hf_quat_rotation(s->links.items[joint->child].pose.turn);
    hf_vec3 world = hf_m3_mulv(&a, direction);
    for (size_t i = 0; i < s->links.count; ++i) {
        if (s->links.items[i].index == link) {
            hf_mat3 b = hf_quat_rotation(s->links.items[i].pose.turn);
            return hf_v3_dot(world, hf_m3_mulv(&b, s->robot->links.items[link].axis)) < 0.0 ? -1.0
                                                                                            : 1.0;
        }
    }
    return 1.0;
}

// theta2 = -gearbox_ratio theta1: theta1 from the reference body to the parent about `axis`, theta2
// from it to the child about `axis2`.
static bool couple_gears(hf_sdf *s, const hf_sdf_joint *joint)
{
    hf_xml_element *e = joint->element, *body = hf_xml_child(e, "gearbox_reference_body"),
                   *axes[2] = {hf_xml_child(e, "axis"), hf_xml_child(e, "axis2")};
    double ratio = 1.0, sign[2] = {1, 1};
    int reference = -2, index[2] = {-1, -1};
    hf_vec3 direction[2] = {{0, 0, 1}, {0, 0, 1}};
    // Ratio, reference and directions
    if (!hf_sdf_numbers(s, e, "gearbox_ratio", 1, &ratio, NULL) ||
        (body != NULL && !find_end(s, joint->scope, body, &reference))) {
        return false;
    }
    for (int i = 0; i < 2; ++i) {
        hf_xml_mark_element(axes[i], HF_FATE_TAKEN, NULL);
        if (axes[i] != NULL && !hf_sdf_read_axis(s, joint, axes[i], &direction[i])) {
            return false;
        }
    }
    direction[1] = axes[1] == NULL ? direction[0] : direction[1];
    // The two joints that it couples
    const hf_robot_link *one = joint_between(s, reference, joint->parent, &index[0], &sign[0]),
                        *two = joint_between(s, reference, joint->child, &index[1], &sign[1]);
    if (body == NULL || one == NULL || two == NULL) {
        hf_xml_mark_all(e, HF_FATE_MISSING,
                        "a gearbox between links that no joint of one axis joins to its reference");
        return true;
    }
    int coupling = hf_robot_add_coupling(s->robot, joint->name, "gearbox");
    if (coupling < 0) {
        return false;
    }
    hf_robot_coupling *c = &s->robot->couplings.items[coupling];
    c->on = index[1];
    c->to = index[0];
    c->from = e;
    c->polynomial[1] = -ratio * sign[0] * along(s, joint, direction[0], index[0]) * sign[1] *
                       along(s, joint, direction[1], index[1]);
    return true;
}

// ------------------------------------------------------------------------------------------------

static bool list_all(hf_sdf *s, const char *kind, bool (*list)(hf_sdf *, int, hf_xml_element *))
{
    for (size_t i = 0; i < s->scopes.count; ++i) {
        for (hf_xml_element *e = hf_xml_child(s->scopes.items[i].model, kind); e != NULL;
             e = hf_xml_next(e)) {
            if (!list(s, (int)i, e)) {
                return false;
            }
        }
    }
    return true;
}

bool hf_sdf_read_tree(hf_sdf *s)
{
    // Everything by name, then what joints hold to the world, then what is free
    if (!list_all(s, "link", list_link) || !list_all(s, "joint", list_joint)) {
        return false;
    }
    hf_sdf_choose_loops(s);
    if (!read_below(s, -1, 0)) {
        return false;
    }
    for (size_t i = 0; i < s->links.count; ++i) {
        if (!s->links.items[i].has_parent && !read_root(s, (int)i)) {
            return false;
        }
    }
    // Nothing is left out; what closes chains
    for (size_t i = 0; i < s->links.count; ++i) {
        if (s->links.items[i].index < 0) {
            return hf_xml_fail(s->links.items[i].element, s->robot->error, HF_ERROR_INPUT,
                               "link '%.60s' is part of a cycle of joints", s->links.items[i].name);
        }
    }
    for (size_t i = 0; i < s->joints.count; ++i) {
        const hf_sdf_joint *joint = &s->joints.items[i];
        if ((joint->closes || joint->gears) && s->is_static) {
            hf_xml_mark_all(joint->element, HF_FATE_SEEN, "the model stands still");
        } else if ((joint->closes && !hf_sdf_close_loop(s, joint)) ||
                   (joint->gears && !couple_gears(s, joint))) {
            return false;
        }
    }
    return hf_sdf_couple_mimics(s);
}
