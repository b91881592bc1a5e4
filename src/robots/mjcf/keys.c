// SPDX-License-Identifier: Apache-2.0
// Key frames: starts by name.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/turn.h"
#include "robots/mjcf/mjcf.h"

// Numbers of an attribute, as many as the model has; NULL without one, or with the error filled.
static double *numbers_of(hf_mjcf *m, hf_xml_attribute *a, int count)
{
    double *numbers = calloc((size_t)count + 1, sizeof *numbers);
    if (numbers == NULL) {
        (void)hf_robot_out_of_memory(m->robot);
        return NULL;
    }
    if (hf_xml_numbers(a->value, count, count, numbers) < 0) {
        (void)hf_xml_fail_at(a, m->robot->error, HF_ERROR_INPUT,
                             "%s must be %d numbers, as many as the model has", a->name, count);
        free(numbers);
        return NULL;
    }
    hf_xml_mark(a, HF_FATE_TAKEN, NULL);
    return numbers;
}

// Positions are those of the joints, in their order in the file.
static bool take_positions(hf_mjcf *m, hf_xml_attribute *a)
{
    int count = 0, at = 0;
    for (size_t i = 0; i < m->joints.count; ++i) {
        count += hf_joint_coordinates(m->robot->links.items[m->joints.items[i].link].type);
    }
    double *q = numbers_of(m, a, count);
    m->robot->start_from = a;
    for (size_t i = 0; i < m->joints.count && q != NULL; ++i) {
        hf_robot_link *link = &m->robot->links.items[m->joints.items[i].link];
        int own = hf_joint_coordinates(link->type);
        for (int k = 0; k < own; ++k) {
            link->position[k] = q[at++] - (own == 1 ? link->zero : 0.0);
        }
        double *turn = link->type == HF_JOINT_FREE ? link->position + 3 : link->position;
        if (own > 3 &&
            !(fabs(turn[0]) + fabs(turn[1]) + fabs(turn[2]) + fabs(turn[3]) > HF_QUAT_LEAST)) {
            free(q);
            return hf_xml_fail_at(a, m->robot->error, HF_ERROR_RANGE,
                                  "a quaternion of zero has no direction");
        }
        link->placed = true;
    }
    free(q);
    return q != NULL;
}

// Velocities, in the same order; of free and ball joints in the axes that Holdfast has too.
static bool take_velocities(hf_mjcf *m, hf_xml_attribute *a)
{
    int count = 0, at = 0;
    for (size_t i = 0; i < m->joints.count; ++i) {
        count += hf_joint_velocities(m->robot->links.items[m->joints.items[i].link].type);
    }
    double *v = numbers_of(m, a, count);
    for (size_t i = 0; i < m->joints.count && v != NULL; ++i) {
        hf_robot_link *link = &m->robot->links.items[m->joints.items[i].link];
        int own = hf_joint_velocities(link->type);
        memcpy(link->velocity, v + at, (size_t)own * sizeof *v);
        at += own;
    }
    free(v);
    return v != NULL;
}

static bool take_controls(hf_mjcf *m, hf_xml_attribute *a)
{
    double *ctrl = numbers_of(m, a, m->actuators);
    for (size_t i = 0; i < m->robot->drives.count && ctrl != NULL; ++i) {
        m->robot->drives.items[i].start = ctrl[m->robot->drives.items[i].number];
    }
    free(ctrl);
    return ctrl != NULL;
}

// States of actuators, in their order.
static bool take_states(hf_mjcf *m, hf_xml_attribute *a)
{
    int count = 0, at = 0;
    bool motors = false;
    for (size_t i = 0; i < m->robot->drives.count; ++i) {
        count += m->robot->drives.items[i].memory != HF_ROBOT_DIRECT ? 1 : 0;
        motors = motors || m->robot->drives.items[i].motor.there;
    }
    if ((int)m->robot->drives.count != m->actuators || motors) {
        hf_xml_mark(a, HF_FATE_MISSING, "states of actuators; those of motors begin at zero");
        return true;
    }
    double *act = numbers_of(m, a, count);
    for (size_t i = 0; i < m->robot->drives.count && act != NULL; ++i) {
        hf_robot_drive *drive = &m->robot->drives.items[i];
        drive->act_start = drive->memory != HF_ROBOT_DIRECT ? act[at++] : 0.0;
    }
    free(act);
    return act != NULL;
}

static bool take_key(hf_mjcf *m, hf_xml_element *e)
{
    static const char *const others[] = {"mpos", "mquat"};
    hf_xml_attribute *positions = hf_xml_get(e, "qpos"), *velocities = hf_xml_get(e, "qvel"),
                     *controls = hf_xml_get(e, "ctrl"), *states = hf_xml_get(e, "act");
    hf_xml_mark_element(e, HF_FATE_TAKEN, NULL);
    hf_xml_mark(hf_xml_get(e, "name"), HF_FATE_TAKEN, NULL);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i) {
        hf_xml_mark(hf_xml_get(e, others[i]), HF_FATE_MISSING,
                    "bodies that a program moves stand still");
    }
    hf_xml_mark(hf_xml_get(e, "time"), HF_FATE_OTHERWISE, "time begins at 0");
    return (velocities == NULL || take_velocities(m, velocities)) &&
           (positions == NULL || take_positions(m, positions)) &&
           (controls == NULL || take_controls(m, controls)) &&
           (states == NULL || take_states(m, states));
}

// Without a key frame every joint starts at its zero, or at the limit that is nearest to it.
static void keep_in_range(hf_mjcf *m)
{
    for (size_t i = 0; i < m->robot->links.count; ++i) {
        hf_robot_link *link = &m->robot->links.items[i];
        bool scalar = link->type == HF_JOINT_REVOLUTE || link->type == HF_JOINT_PRISMATIC;
        double low = link->low - link->zero, high = link->high - link->zero;
        if (!scalar || (link->position[0] >= low && link->position[0] <= high)) {
            continue;
        }
        link->position[0] = link->position[0] < low ? low : high;
        hf_xml_mark_element(link->from, HF_FATE_OTHERWISE,
                            "its start lies outside of its range: it begins at the limit");
    }
}

bool hf_mjcf_read_keys(hf_mjcf *m)
{
    const char *wanted = m->robot->options.start;
    hf_robot_choices known = {.count = 0};
    bool found = false;
    // Every frame has a name to be asked for by; the one that was asked for is the start
    for (hf_xml_element *s = hf_xml_child(m->root, "keyframe"); s != NULL; s = hf_xml_next(s)) {
        for (hf_xml_element *e = hf_xml_child(s, "key"); e != NULL; e = hf_xml_next(e)) {
            hf_xml_attribute *name = hf_xml_get(e, "name");
            if (hf_robot_add_key(m->robot, name == NULL ? "" : name->value) < 0) {
                return false;
            }
            if (name != NULL) {
                hf_robot_add_choice(&known, name->value);
            }
            if (!found && wanted != NULL && name != NULL && strcmp(name->value, wanted) == 0) {
                found = true;
                hf_xml_mark_element(s, HF_FATE_TAKEN, NULL);
                if (!take_key(m, e)) {
                    return false;
                }
            }
        }
    }
    // One that is not there is reported with those that are
    keep_in_range(m);
    return found || wanted == NULL ||
           hf_xml_fail(m->root, m->robot->error, HF_ERROR_NAME,
                       "there is no key frame '%.60s': the file has %s", wanted,
                       known.count == 0 ? "none" : known.text);
}
