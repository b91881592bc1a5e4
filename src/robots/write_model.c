// SPDX-License-Identifier: Apache-2.0
// From a robot to the text of a model file. What the model file has no words for yet is marked as
// not represented here, at the element that it came from.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "robots/robot.h"
#include "robots/write.h"

// ------------------------------------------------------------------------------------------------
// Words

static bool reserve(hf_text_out *out, size_t more)
{
    if (out->failed || out->count + more + 1 <= out->capacity) {
        return !out->failed;
    }
    size_t capacity = 2 * out->capacity + more + 4096;
    char *text = realloc(out->text, capacity);
    out->failed = text == NULL;
    if (text != NULL) {
        out->text = text;
        out->capacity = capacity;
    }
    return !out->failed;
}

void hf_put(hf_text_out *out, const char *text)
{
    size_t length = strlen(text);
    if (reserve(out, length)) {
        memcpy(out->text + out->count, text, length + 1);
        out->count += length;
    }
}

void hf_put_number(hf_text_out *out, double value)
{
    char text[HF_NUMBER_SIZE];
    (void)hf_number_format(value + 0.0, text); // no -0
    hf_put(out, text);
}

void hf_put_numbers(hf_text_out *out, const double *values, int count)
{
    hf_put(out, "[");
    for (int i = 0; i < count; ++i) {
        hf_put(out, i > 0 ? ", " : "");
        hf_put_number(out, values[i]);
    }
    hf_put(out, "]");
}

void hf_put_vec3(hf_text_out *out, hf_vec3 v)
{
    hf_put_numbers(out, (double[]){v.x, v.y, v.z}, 3);
}

void hf_put_quat(hf_text_out *out, hf_quat q)
{
    hf_put_numbers(out, (double[]){q.w, q.x, q.y, q.z}, 4);
}

void hf_put_quoted(hf_text_out *out, const char *text)
{
    hf_put(out, "\"");
    for (const char *c = text; *c != '\0'; ++c) {
        char one[3] = {*c, '\0', '\0'};
        if (*c == '"' || *c == '\\') {
            one[0] = '\\', one[1] = *c;
        } else if ((unsigned char)*c < 0x20 || *c == 0x7F) {
            one[0] = ' ';
        }
        hf_put(out, one);
    }
    hf_put(out, "\"");
}

void hf_put_key_number(hf_text_out *out, const char *key, double value)
{
    hf_put(out, key);
    hf_put_number(out, value);
}

void hf_put_link_name(hf_text_out *out, const hf_robot *robot, int link)
{
    if (link < 0) {
        hf_put(out, "world");
        return;
    }
    hf_put(out, robot->name);
    hf_put(out, ".");
    hf_put(out, robot->links.items[link].name);
}

static bool is_zero(hf_vec3 v)
{
    return v.x == 0.0 && v.y == 0.0 && v.z == 0.0;
}

bool hf_is_unturned(hf_quat q)
{
    return q.x == 0.0 && q.y == 0.0 && q.z == 0.0;
}

// ------------------------------------------------------------------------------------------------
// Joints and links

static const char *const JOINTS[HF_JOINT_TYPE_COUNT] = {
    [HF_JOINT_FIXED] = "fixed",         [HF_JOINT_REVOLUTE] = "revolute",
    [HF_JOINT_PRISMATIC] = "prismatic", [HF_JOINT_SPHERICAL] = "spherical",
    [HF_JOINT_PLANAR] = "planar",       [HF_JOINT_FREE] = "free",
};

static bool is_scalar(const hf_robot_link *link)
{
    return link->type == HF_JOINT_REVOLUTE || link->type == HF_JOINT_PRISMATIC;
}

// What the link weighs.
static void put_inertia(hf_text_out *out, const hf_robot_link *link, bool always)
{
    const hf_sym3 *i = &link->inertia;
    if (link->mass != 0.0) {
        hf_put_key_number(out, ", mass: ", link->mass);
    }
    if (!is_zero(link->center)) {
        hf_put(out, ", center: ");
        hf_put_vec3(out, link->center);
    }
    bool diagonal = i->xy == 0.0 && i->xz == 0.0 && i->yz == 0.0;
    if (i->xx != 0.0 || i->yy != 0.0 || i->zz != 0.0 || !diagonal || always) {
        hf_put(out, ", inertia: ");
        hf_put_numbers(out, (double[]){i->xx, i->yy, i->zz, i->xy, i->xz, i->yz}, diagonal ? 3 : 6);
    }
}

// Where a joint starts: where the file says, within its limits.
static void put_start(hf_text_out *out, const hf_robot *robot, const hf_robot_link *link)
{
    int count = hf_joint_coordinates(link->type);
    bool zero = true;
    for (int i = 0; i < count; ++i) {
        bool one =
            (link->type == HF_JOINT_SPHERICAL && i == 0) || (link->type == HF_JOINT_FREE && i == 3);
        zero = zero && link->position[i] == (one ? 1.0 : 0.0);
    }
    if (count == 0 || zero) {
        return;
    }
    // Key frames have few digits: where loops are to be closed, joints may start nearby.
    bool kept = link->placed && link->type == HF_JOINT_FREE;
    bool loose = robot->loops.count + robot->couplings.count > 0 && !kept;
    hf_put(out, loose ? ", guess: " : ", position: ");
    if (count == 1) {
        hf_put_number(out, link->position[0]);
    } else {
        hf_put_numbers(out, link->position, count);
    }
}

static void put_start_velocity(hf_text_out *out, const hf_robot_link *link)
{
    int count = hf_joint_velocities(link->type);
    bool still = true;
    for (int i = 0; i < count; ++i) {
        still = still && link->velocity[i] == 0.0;
    }
    if (!still && count == 1) {
        hf_put_key_number(out, ", velocity: ", link->velocity[0]);
    } else if (!still) {
        hf_put(out, ", velocity: ");
        hf_put_numbers(out, link->velocity, count);
    }
}

// Spring, damper, friction and limits of a joint of one coordinate.
static void put_joint_forces(hf_text_out *out, const hf_robot_link *link)
{
    // Forces
    if (link->friction > 0.0) {
        hf_put_key_number(out, ", friction: {law: coulomb, level: ", link->friction);
        hf_put(out, "}");
    }
    if (link->damping > 0.0) {
        hf_put_key_number(out, ", damping: ", link->damping);
    }
    if (link->stiffness > 0.0) {
        hf_put_key_number(out, ", spring: {stiffness: ", link->stiffness);
        hf_put_key_number(out, ", rest: ", link->rest - link->zero);
        hf_put(out, "}");
    }
    // Limits, as far as there are any
    bool low = isfinite(link->low), high = isfinite(link->high), speed = isfinite(link->speed);
    if (low || high || speed) {
        hf_put(out, ", limits: {");
        if (low) {
            hf_put_key_number(out, "low: ", link->low - link->zero);
        }
        if (high) {
            hf_put_key_number(out, low ? ", high: " : "high: ", link->high - link->zero);
        }
        if (speed) {
            hf_put_key_number(out, low || high ? ", speed: " : "speed: ", link->speed);
        }
        hf_put(out, "}");
    }
}

static void put_link(hf_text_out *out, const hf_robot *robot, int index)
{
    const hf_robot_link *link = &robot->links.items[index];
    // Its joint
    hf_put(out, "      ");
    hf_put(out, link->name);
    hf_put(out, ": {type: ");
    hf_put(out, JOINTS[link->type]);
    if (link->parent >= 0) {
        hf_put(out, ", parent: ");
        hf_put(out, robot->links.items[link->parent].name);
    }
    if (!is_zero(link->offset)) {
        hf_put(out, ", offset: ");
        hf_put_vec3(out, link->offset);
    }
    if (!hf_is_unturned(link->tilt)) {
        hf_put(out, ", orientation: ");
        hf_put_quat(out, link->tilt);
    }
    if (is_scalar(link)) {
        hf_put(out, ", axis: ");
        hf_put_vec3(out, link->axis);
    }
    // Without an inertia the shapes would give it one.
    put_inertia(out, link, hf_link_has_shapes(robot, index));
    if (link->keep_inertia) {
        hf_put(out, ", keep_inertia: true");
    }
    if (link->armature > 0.0 && link->type != HF_JOINT_FIXED) {
        hf_put_key_number(out, ", armature: ", link->armature);
    }
    put_start(out, robot, link);
    put_start_velocity(out, link);
    if (is_scalar(link)) {
        put_joint_forces(out, link);
    }
    hf_put_link_shapes(out, robot, index);
    hf_put_looks(out, robot, index);
    hf_put(out, "}\n");
}

// ------------------------------------------------------------------------------------------------

// The top of the file.
static void put_head(hf_text_out *out, hf_robot *robot)
{
    hf_put(out, "# Made from ");
    const char *slash = strrchr(robot->label, '/');
    hf_put(out, slash == NULL ? robot->label : slash + 1);
    hf_put(out, " (");
    hf_put(out, robot->format);
    hf_put(out, ").\nname: ");
    hf_put_quoted(out,
                  robot->title == NULL || robot->title[0] == '\0' ? robot->name : robot->title);
    hf_put(out, "\ngravity: ");
    hf_put_vec3(out, robot->gravity);
    hf_put(out, "\nmethod: {type: timestep, step: ");
    const double usual = 1e-3; // [s], where the file names no step
    hf_put_number(out, robot->step > 0.0 ? robot->step : usual);
    hf_put(out, "}\nduration: 5\n");
}

bool hf_robot_write(hf_robot *robot)
{
    // Settings and surfaces
    hf_text_out out = {0};
    put_head(&out, robot);
    if (!hf_name_scenery(robot) || !hf_put_surfaces(&out, robot)) {
        free(out.text);
        return false;
    }
    // The tree and what stands around it
    hf_put(&out, "bodies:\n");
    if (robot->links.count > 0) {
        hf_put(&out, "  ");
        hf_put(&out, robot->name);
        hf_put(&out, ":\n    type: tree\n    joints:\n");
    }
    for (size_t i = 0; i < robot->links.count; ++i) {
        put_link(&out, robot, (int)i);
    }
    hf_put_scenery(&out, robot);
    hf_put_signals(&out, robot);
    size_t before = out.count;
    hf_put(&out, "forces:\n");
    size_t empty = out.count;
    hf_put_forces(&out, robot);
    hf_put_contacts(&out, robot);
    if (!out.failed && out.count == empty) {
        out.text[out.count = before] = '\0';
    }
    hf_put_loops(&out, robot);
    robot->text = out.text;
    return !out.failed || hf_robot_out_of_memory(robot);
}
