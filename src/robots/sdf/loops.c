// SPDX-License-Identifier: Apache-2.0
// A second joint of a link closes a chain. It has no coordinate of its own: a loop holds what it
// holds, exactly, and what acts on its axis (friction, damping, springs, limits, a drive) acts
// between the two frames that the loop joins,
//
//   x = the angle of the child's frame in the parent's about the axis, from -pi to pi, or the way
//       along it; 0 where the file places the links.
//
// What no loop is (universal joints, screws, limits of speed, limits of turns that x cannot tell)
// stays in the tree, where the joint that the link had before closes the chain in its place.
#include <math.h>
#include <string.h>

#include "math/vec.h"
#include "robots/sdf/sdf.h"

static const double HALF_TURN = 3.14159265358979323846;

static const struct {
    const char *name;
    hf_loop_type type;
    bool has_axis, limited;
} KINDS[] = {{"revolute", HF_LOOP_REVOLUTE, true, true},
             {"continuous", HF_LOOP_REVOLUTE, true, false},
             {"prismatic", HF_LOOP_PRISMATIC, true, true},
             {"fixed", HF_LOOP_FIXED, false, false},
             {"ball", HF_LOOP_POINT, false, false}};
enum { KIND_COUNT = sizeof KINDS / sizeof KINDS[0] };

// Where a frame of the model stands on the robot's link of one of its links; -1: the world.
static hf_sdf_pose frame_on(const hf_sdf *s, int link, hf_sdf_pose frame, int *index)
{
    *index = -1;
    if (link < 0) {
        return hf_sdf_compose(s->place, frame);
    }
    const hf_sdf_link *l = &s->links.items[link];
    hf_mat3 r = hf_quat_rotation(l->pose.turn);
    *index = l->index;
    hf_vec3 origin = s->robot->links.items[l->index].origin;
    hf_sdf_pose base = {hf_v3_sub(l->pose.position, hf_m3_mulv(&r, origin)), l->pose.turn};
    return hf_sdf_compose(hf_sdf_inverse(base), frame);
}

// Limits that coincide: the loop holds the axis there too.
static void hold_axis(hf_robot_loop *loop, double at, hf_xml_element *limit)
{
    hf_sdf_pose held = {.turn = {.w = 1.0}};
    if (loop->type == HF_LOOP_REVOLUTE) {
        held.turn = (hf_quat){.w = cos(0.5 * at), .z = sin(0.5 * at)};
    } else {
        held.position.z = at;
    }
    held = hf_sdf_compose((hf_sdf_pose){loop->to_point, loop->to_turn}, held);
    loop->to_point = held.position, loop->to_turn = held.turn;
    loop->type = HF_LOOP_FIXED;
    hf_xml_mark_element(limit, HF_FATE_OTHERWISE, "limits that coincide: it is held there");
}

// The limits, as far as x can tell on which side of them it is: not where a turn may end on the
// other side of half a turn.
static void keep_limits(const hf_robot_loop *loop, hf_robot_link *axis, hf_xml_element *limit)
{
    bool turns = loop->type == HF_LOOP_REVOLUTE;
    bool any = isfinite(axis->low) || isfinite(axis->high);
    bool within = axis->low > -HALF_TURN && axis->high < HALF_TURN;
    if (turns && any && !within) {
        axis->low = -INFINITY, axis->high = INFINITY;
        hf_xml_element *const ends[] = {hf_xml_child(limit, "lower"), hf_xml_child(limit, "upper")};
        for (int i = 0; i < 2; ++i) {
            if (ends[i] != NULL) {
                hf_xml_mark_element(ends[i], HF_FATE_MISSING,
                                    "limits of a joint that closes a loop, unless both are within "
                                    "half a turn");
            }
        }
    }
    if (isfinite(axis->speed)) {
        hf_xml_mark_element(hf_xml_child(limit, "velocity"), HF_FATE_MISSING,
                            "a limit of the speed of a joint that closes a loop");
    }
}

// ------------------------------------------------------------------------------------------------
// Which joint of a link closes the chain

static int kind_of(const hf_sdf_joint *joint)
{
    int kind = 0;
    while (kind < KIND_COUNT && strcmp(KINDS[kind].name, joint->type) != 0) {
        ++kind;
    }
    return kind;
}

// The number of a child element; `otherwise` without one.
static double number_of(hf_xml_element *parent, const char *name, double otherwise)
{
    hf_xml_element *e = hf_xml_child(parent, name);
    double n = otherwise;
    return e != NULL && hf_xml_numbers(e->text, 1, 1, &n) == 1 ? n : otherwise;
}

// Whether a loop can be all that a joint is: of its type, with its limits.
static bool can_close(const hf_sdf_joint *joint)
{
    const double far = 1e15; // no limit
    int kind = kind_of(joint);
    hf_xml_element *limit = hf_xml_child(hf_xml_child(joint->element, "axis"), "limit");
    double low = number_of(limit, "lower", -HUGE_VAL), high = number_of(limit, "upper", HUGE_VAL);
    double speed = number_of(limit, "velocity", -1.0);
    if (kind == KIND_COUNT || (KINDS[kind].has_axis && speed > 0.0 && speed < far)) {
        return false;
    }
    bool any = KINDS[kind].limited && (low > -far || high < far);
    return KINDS[kind].type != HF_LOOP_REVOLUTE || !any || (low > -HALF_TURN && high < HALF_TURN);
}

// Whether a link hangs on another in the tree.
static bool hangs_on(const hf_sdf *s, int link, int other)
{
    for (size_t steps = 0; link >= 0 && link != other && steps <= s->joints.count; ++steps) {
        int parent = -1;
        for (size_t i = 0; i < s->joints.count; ++i) {
            const hf_sdf_joint *j = &s->joints.items[i];
            parent = j->child == link && !j->closes && !j->gears ? j->parent : parent;
        }
        link = parent;
    }
    return link == other;
}

// Whether joints are tied to others by name, and so must be in the tree.
static bool has_ties(const hf_sdf *s)
{
    bool some = false;
    for (size_t i = 0; i < s->joints.count && !some; ++i) {
        hf_xml_element *e = s->joints.items[i].element;
        some = s->joints.items[i].gears || hf_xml_child(hf_xml_child(e, "axis"), "mimic") != NULL ||
               hf_xml_child(hf_xml_child(e, "axis2"), "mimic") != NULL;
    }
    return some;
}

void hf_sdf_choose_loops(hf_sdf *s)
{
    bool ties = has_ties(s);
    for (size_t i = 0; i < s->joints.count && !ties; ++i) {
        hf_sdf_joint *joint = &s->joints.items[i], *first = NULL;
        if (!joint->closes || can_close(joint) || !hf_sdf_has_place(joint)) {
            continue;
        }
        for (size_t k = 0; k < s->joints.count; ++k) {
            hf_sdf_joint *other = &s->joints.items[k];
            bool carries = other->child == joint->child && !other->closes && !other->gears;
            first = carries ? other : first;
        }
        if (first != NULL && can_close(first) && !hangs_on(s, joint->parent, joint->child)) {
            first->closes = true;
            joint->closes = false;
        }
    }
}

// ------------------------------------------------------------------------------------------------
// The loop

// What acts on the axis, as on a length of its own; the input of its drive.
static bool add_forces(hf_sdf *s, const hf_sdf_joint *joint, const hf_robot_loop *loop,
                       const hf_robot_link *axis)
{
    hf_vec3 z = {0, 0, 1};
    bool turns = loop->type == HF_LOOP_REVOLUTE;
    hf_robot_sum along = {.count = 1,
                          .terms = {{loop->on, 1.0}},
                          .wrench = {.there = true,
                                     .between = true,
                                     .link = loop->on,
                                     .to = loop->to,
                                     .point = loop->on_point,
                                     .to_point = loop->to_point,
                                     .turn = loop->on_turn,
                                     .to_turn = loop->to_turn,
                                     .force = turns ? (hf_vec3){0} : z,
                                     .torque = turns ? z : (hf_vec3){0}}};
    // The input of its drive
    if (isfinite(axis->effort)) {
        int index = hf_robot_add_drive(s->robot, joint->name, "joint");
        if (index < 0) {
            return false;
        }
        hf_robot_drive *drive = &s->robot->drives.items[index];
        drive->on = along;
        drive->gain = 1.0;
        drive->input_low = -axis->effort, drive->input_high = axis->effort;
        drive->number = index;
        drive->from = joint->element;
    }
    // Friction, spring and limits
    bool acts = axis->friction > 0.0 || axis->damping > 0.0 || axis->stiffness > 0.0 ||
                isfinite(axis->low) || isfinite(axis->high);
    if (acts) {
        int index = hf_robot_add_tendon(s->robot, joint->name, "loop");
        if (index < 0) {
            return false;
        }
        hf_robot_tendon *t = &s->robot->tendons.items[index];
        t->name = loop->name; // "NAME-friction" and others
        t->length = along;
        t->stiffness = axis->stiffness, t->slack_low = t->slack_high = axis->rest;
        t->damping = axis->damping, t->friction = axis->friction;
        t->low = axis->low, t->high = axis->high;
        t->from = joint->element;
    }
    return true;
}

bool hf_sdf_close_loop(hf_sdf *s, const hf_sdf_joint *joint)
{
    // Which kind of loop
    int kind = kind_of(joint);
    if (kind == KIND_COUNT) {
        hf_xml_mark_all(joint->element, HF_FATE_MISSING, "a joint of this type would close a loop");
        return true;
    }
    // Its frame in the model, z along the axis; what acts there
    hf_sdf_pose frame = {joint->pose.position, s->links.items[joint->child].pose.turn};
    hf_xml_element *e = hf_xml_child(joint->element, "axis"), *limit = hf_xml_child(e, "limit");
    hf_robot_link axis = {.type = HF_JOINT_REVOLUTE,
                          .low = -INFINITY,
                          .high = INFINITY,
                          .effort = INFINITY,
                          .speed = INFINITY};
    hf_vec3 direction = {0, 0, 1};
    if (KINDS[kind].has_axis && e != NULL) {
        if (!hf_sdf_read_axis(s, joint, e, &direction) ||
            !hf_sdf_read_axis_numbers(s, e, &axis, KINDS[kind].limited)) {
            return false;
        }
        frame.turn = hf_quat_mul(frame.turn, hf_robot_from_z(direction));
    }
    // The same frame on both links
    int index = hf_robot_add_loop(s->robot, joint->name, "loop");
    if (index < 0) {
        return false;
    }
    hf_robot_loop *loop = &s->robot->loops.items[index];
    hf_sdf_pose on = frame_on(s, joint->child, frame, &loop->on),
                to = frame_on(s, joint->parent, frame, &loop->to);
    loop->type = KINDS[kind].type;
    loop->on_point = on.position, loop->on_turn = on.turn;
    loop->to_point = to.position, loop->to_turn = to.turn;
    loop->from = joint->element;
    hf_xml_mark_element(joint->element, HF_FATE_OTHERWISE,
                        "a second joint of its child: it closes a loop, exactly");
    if (axis.low == axis.high) {
        hold_axis(loop, axis.low, limit);
        return true;
    }
    keep_limits(loop, &axis, limit);
    return add_forces(s, joint, loop, &axis);
}
