// SPDX-License-Identifier: Apache-2.0
// The numbers of a joint.
#include <math.h>
#include <string.h>

#include "math/vec.h"
#include "robots/mjcf/mjcf.h"

static const char *HOLDS = "friction that holds: MuJoCo's creeps under load";

// A coefficient, or a polynomial, whose further numbers go into `more` or are not represented.
static bool read_first(hf_mjcf *m, const hf_mjcf_view *view, const char *name, double *value,
                       double *more)
{
    double n[3] = {*value, 0, 0};
    if (!hf_mjcf_numbers(m, view, name, 1, 3, n, NULL)) {
        return false;
    }
    if (more != NULL) {
        more[0] = n[1], more[1] = n[2];
    } else if (n[1] != 0.0 || n[2] != 0.0) {
        hf_mjcf_mark(view, name, HF_FATE_MISSING,
                     "only the first of the polynomial's coefficients acts");
    }
    if (!(n[0] >= 0.0)) {
        return hf_xml_fail_at(hf_mjcf_peek(view, name), m->robot->error, HF_ERROR_RANGE,
                              "%s must not be negative", name);
    }
    *value = n[0];
    return true;
}

static bool read_limits(hf_mjcf *m, const hf_mjcf_view *view, hf_robot_link *link, bool turns)
{
    double range[2] = {0, 0};
    bool limited = false;
    if (!hf_mjcf_range(m, view, "range", "limited", range, &limited)) {
        return false;
    }
    if (limited) {
        link->low = turns ? hf_mjcf_angle(m, range[0]) : range[0];
        link->high = turns ? hf_mjcf_angle(m, range[1]) : range[1];
    }
    return true;
}

// The angle of a ball joint, up to the larger of two numbers.
static bool read_ball_limit(hf_mjcf *m, const hf_mjcf_view *view, hf_robot_link *link)
{
    double low = link->low;
    if (!read_limits(m, view, link, true)) {
        return false;
    }
    if (isfinite(link->high) && !(link->high > 0.0)) {
        return hf_xml_fail_at(hf_mjcf_peek(view, "range"), m->robot->error, HF_ERROR_RANGE,
                              "the range of a ball joint ends at a positive angle");
    }
    link->low = low;
    return true;
}

// Joints of more than one velocity.
static bool read_ball(hf_mjcf *m, const hf_mjcf_view *view, hf_robot_link *link)
{
    static const struct {
        const char *name, *why;
    } lost[] = {
        {"stiffness", "a spring would pull the free body back"},
        {"range", "has no effect here"},
        {"actuatorfrcrange", "the torque of all actuators would be limited"},
    };
    // What they have in common with others
    if (!read_first(m, view, "damping", &link->damping, NULL) ||
        !read_first(m, view, "frictionloss", &link->friction, NULL) ||
        !hf_mjcf_number(m, view, "armature", &link->armature)) {
        return false;
    }
    if (!(link->armature >= 0.0)) {
        return hf_xml_fail(view->element, m->robot->error, HF_ERROR_RANGE,
                           "armature must not be negative");
    }
    if (link->type == HF_JOINT_FREE && link->friction != 0.0) {
        hf_mjcf_mark(view, "frictionloss", HF_FATE_OTHERWISE,
                     "friction that holds; its bound is of the force's and of the torque's size, "
                     "not of each axis");
    } else if (link->friction != 0.0) {
        hf_mjcf_mark(view, "frictionloss", HF_FATE_OTHERWISE,
                     "friction that holds; its bound is of the torque's size, not of each axis");
    }
    bool ball = link->type == HF_JOINT_SPHERICAL;
    if (ball && (!read_first(m, view, "stiffness", &link->stiffness, NULL) ||
                 !read_ball_limit(m, view, link))) {
        return false;
    }
    for (size_t i = ball ? 2 : 0; i < sizeof lost / sizeof lost[0]; ++i) {
        hf_xml_attribute *a = hf_mjcf_peek(view, lost[i].name);
        double n[3];
        int count = a == NULL ? 0 : hf_xml_numbers(a->value, 1, 3, n);
        bool none = a != NULL && count > 0 && n[0] == 0.0 && (count < 2 || n[1] == 0.0);
        bool free_range = link->type == HF_JOINT_FREE && i == 1;
        hf_xml_mark(a, none || free_range ? HF_FATE_SEEN : HF_FATE_MISSING,
                    none || free_range ? "has no effect here" : lost[i].why);
    }
    // What has no effect
    static const char *const unused[] = {"axis",         "ref", "springref",
                                         "springdamper", "pos", "limited"};
    size_t count = sizeof unused / sizeof unused[0] - (ball ? 2 : 0);
    for (size_t i = 0; i < count; ++i) {
        hf_mjcf_mark(view, unused[i], HF_FATE_SEEN, "has no effect on a joint of this type");
    }
    return true;
}

static bool read_zero(hf_mjcf *m, const hf_mjcf_view *view, hf_robot_link *link, bool turns)
{
    double zero = 0, rest = 0;
    int given = 0;
    if (!hf_mjcf_number(m, view, "ref", &zero) ||
        !hf_mjcf_numbers(m, view, "springref", 1, 1, &rest, &given)) {
        return false;
    }
    link->zero = turns ? hf_mjcf_angle(m, zero) : zero;
    link->rest = turns ? hf_mjcf_angle(m, rest) : rest;
    if (zero != 0.0) {
        hf_mjcf_mark(view, "ref", HF_FATE_OTHERWISE, "the joint's coordinate is counted from it");
    }
    bool sprung =
        link->stiffness != 0.0 || link->more_stiffness[0] != 0.0 || link->more_stiffness[1] != 0.0;
    if (given > 0 && !sprung) {
        hf_mjcf_mark(view, "springref", HF_FATE_SEEN, "there is no spring");
    }
    return true;
}

bool hf_mjcf_read_joint(hf_mjcf *m, const hf_mjcf_view *view, hf_robot_link *link)
{
    // Joints of more velocities, or of none
    bool turns = link->type == HF_JOINT_REVOLUTE;
    if (strcmp(view->element->name, "freejoint") == 0) {
        return true;
    }
    if (!turns && link->type != HF_JOINT_PRISMATIC) {
        return read_ball(m, view, link);
    }
    // One coordinate: axis, spring, friction, limits
    double torque[2] = {0, 0};
    bool limited = false;
    if (!hf_mjcf_vec3(m, view, "axis", &link->axis) ||
        !hf_mjcf_number(m, view, "armature", &link->armature) ||
        !read_first(m, view, "damping", &link->damping, link->more_damping) ||
        !read_first(m, view, "stiffness", &link->stiffness, link->more_stiffness) ||
        !read_first(m, view, "frictionloss", &link->friction, NULL) ||
        !read_zero(m, view, link, turns) || !read_limits(m, view, link, turns) ||
        !hf_mjcf_range(m, view, "actuatorfrcrange", "actuatorfrclimited", torque, &limited)) {
        return false;
    }
    // What cannot be
    if (!(hf_v3_norm(link->axis) > HF_MJCF_LEAST) || !(link->armature >= 0.0)) {
        return hf_xml_fail(view->element, m->robot->error, HF_ERROR_RANGE,
                           "a joint's axis must not be zero, nor its armature negative");
    }
    if (link->friction > 0.0) {
        hf_mjcf_mark(view, "frictionloss", HF_FATE_OTHERWISE, HOLDS);
    }
    // Limits of what actuators do together
    if (limited) {
        link->least_effort = torque[0];
        link->effort = torque[1];
    }
    return true;
}
