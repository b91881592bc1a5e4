// SPDX-License-Identifier: Apache-2.0
// Random vectors, turns and inertias for random machines.
#include <math.h>

#include "machines.h"
#include "math/vec.h"

hf_vec3 hf_random_vector(hf_rng *rng, double size)
{
    double x = hf_rng_uniform(rng, -size, size), y = hf_rng_uniform(rng, -size, size);
    return hf_v3(x, y, hf_rng_uniform(rng, -size, size));
}

hf_quat hf_random_turn(hf_rng *rng)
{
    hf_quat q = {hf_rng_normal(rng), hf_rng_normal(rng), hf_rng_normal(rng), hf_rng_normal(rng)};
    return hf_quat_normalized(q);
}

// Principal moments of a box with random edges, turned.
hf_sym3 hf_random_inertia(hf_rng *rng, double mass, double size)
{
    hf_shape box = {.type = HF_SHAPE_BOX};
    box.size = hf_v3(hf_rng_uniform(rng, 0.3, 1.0) * size, hf_rng_uniform(rng, 0.3, 1.0) * size,
                     hf_rng_uniform(rng, 0.3, 1.0) * size);
    hf_sym3 d = hf_shape_inertia(box, mass);
    hf_mat3 r = hf_quat_rotation(hf_random_turn(rng));
    const double moments[3] = {d.xx, d.yy, d.zz};
    const double rows[3][3] = {{r.xx, r.xy, r.xz}, {r.yx, r.yy, r.yz}, {r.zx, r.zy, r.zz}};
    double j[3][3] = {{0}};
    for (int a = 0; a < 3; ++a) {
        for (int b = 0; b < 3; ++b) {
            for (int k = 0; k < 3; ++k) {
                j[a][b] += rows[a][k] * moments[k] * rows[b][k];
            }
        }
    }
    return (hf_sym3){j[0][0], j[1][1], j[2][2], j[0][1], j[0][2], j[1][2]};
}

// `dim` different axes in rising order.
static void random_axes(hf_rng *rng, int dim, int axes[3])
{
    int left_out = hf_rng_int(rng, 0, 2), next = 0;
    for (int axis = 0; axis < 3 && next < dim; ++axis) {
        bool take = dim == 3 || (dim == 2 ? axis != left_out : axis == left_out);
        if (take) {
            axes[next++] = axis;
        }
    }
}

int hf_machine_random_mass(hf_machine *machine, hf_rng *rng, int dim)
{
    hf_part *part = hf_machine_add(machine, HF_PART_MASS, "mass");
    part->mass.dim = dim;
    random_axes(rng, dim, part->mass.axes);
    part->mass.mass = hf_rng_log_uniform(rng, 0.2, 5.0);
    for (int i = 0; i < dim; ++i) {
        part->mass.position[i] = hf_rng_uniform(rng, -1.0, 1.0);
        part->mass.velocity[i] = hf_rng_uniform(rng, -1.0, 1.0);
    }
    return hf_machine_index(machine, part);
}

int hf_machine_random_rigid(hf_machine *machine, hf_rng *rng)
{
    hf_part *part = hf_machine_add(machine, HF_PART_RIGID, "rigid");
    part->rigid.mass = hf_rng_log_uniform(rng, 0.5, 5.0);
    part->rigid.inertia = hf_random_inertia(rng, part->rigid.mass, 1.0);
    part->rigid.position = hf_random_vector(rng, 1.0);
    part->rigid.orientation = hf_random_turn(rng);
    part->rigid.velocity = hf_random_vector(rng, 1.0);
    part->rigid.spin = hf_random_vector(rng, 2.0);
    return hf_machine_index(machine, part);
}

static double sine(void *context, double t)
{
    const double *numbers = context; // size, frequency, phase
    return numbers[0] * sin(numbers[1] * t + numbers[2]);
}

static double sine_rate(void *context, double t)
{
    const double *numbers = context;
    return numbers[0] * numbers[1] * cos(numbers[1] * t + numbers[2]);
}

// Size, frequency [rad/s] and phase of the sines that signals can be.
static const double SINES[8][3] = {{0.5, 1.0, 0.3}, {0.4, 2.5, 1.7}, {0.3, 3.1, 4.0},
                                   {0.6, 1.7, 5.1}, {0.2, 4.0, 2.2}, {0.5, 2.0, 0.0},
                                   {0.7, 1.3, 3.3}, {0.3, 3.7, 5.9}};

static int add_sine(hf_machine *machine, int which, bool rate)
{
    hf_part *part = hf_machine_add(machine, HF_PART_SIGNAL, rate ? "cosine" : "sine");
    part->signal.type = HF_SIGNAL_FUNCTION;
    part->signal.function = rate ? sine_rate : sine;
    part->signal.context = (void *)(uintptr_t)SINES[which];
    return hf_machine_index(machine, part);
}

int hf_machine_random_sine(hf_machine *machine, hf_rng *rng)
{
    return add_sine(machine, hf_rng_int(rng, 0, 7), false);
}

int hf_machine_random_driven(hf_machine *machine, hf_rng *rng, int dim)
{
    int motion[3] = {-1, -1, -1}, rate[3] = {-1, -1, -1};
    bool by_velocity = hf_rng_bool(rng), has_rate = !by_velocity && hf_rng_bool(rng);
    for (int i = 0; i < dim; ++i) {
        int which = hf_rng_int(rng, 0, 7);
        motion[i] = add_sine(machine, which, by_velocity);
        rate[i] = has_rate ? add_sine(machine, which, true) : -1;
    }
    hf_part *part = hf_machine_add(machine, HF_PART_DRIVEN, "driven");
    part->driven.dim = dim;
    part->driven.by_velocity = by_velocity;
    part->driven.has_rate = has_rate;
    random_axes(rng, dim, part->driven.axes);
    for (int i = 0; i < dim; ++i) {
        part->signals[i] = motion[i];
        part->rate_signals[i] = rate[i];
        part->driven.start[i] = hf_rng_uniform(rng, -1.0, 1.0);
    }
    return hf_machine_index(machine, part);
}

static void random_joint(hf_part *part, hf_rng *rng, hf_joint_type type)
{
    hf_joint_def *joint = &part->joint;
    *joint = hf_joint_def_default(type);
    joint->offset = hf_random_vector(rng, 0.5);
    joint->tilt = hf_random_turn(rng);
    joint->axis = hf_v3_add(hf_random_vector(rng, 1.0), hf_v3(0.0, 0.0, 1.5));
    joint->mass = hf_rng_log_uniform(rng, 0.5, 3.0);
    joint->center = hf_random_vector(rng, 0.3);
    joint->inertia = hf_random_inertia(rng, joint->mass, 0.8);
    bool one = type == HF_JOINT_REVOLUTE || type == HF_JOINT_PRISMATIC;
    joint->armature = one && hf_rng_bool(rng) ? 0.1 : 0.0;
    int quat = type == HF_JOINT_SPHERICAL ? 0 : (type == HF_JOINT_FREE ? 3 : 7);
    for (int i = 0; i < hf_joint_coordinates(type) && i < quat; ++i) {
        joint->position[i] = hf_rng_uniform(rng, -1.0, 1.0);
    }
    if (quat < 7) {
        hf_quat turn = hf_random_turn(rng);
        const double numbers[4] = {turn.w, turn.x, turn.y, turn.z};
        for (int i = 0; i < 4; ++i) {
            joint->position[quat + i] = numbers[i];
        }
    }
    for (int i = 0; i < hf_joint_velocities(type); ++i) {
        joint->velocity[i] = hf_rng_uniform(rng, -1.0, 1.0);
    }
}

int hf_machine_random_tree(hf_machine *machine, hf_rng *rng, int links, bool floating)
{
    int tree = hf_machine_index(machine, hf_machine_add(machine, HF_PART_TREE, "tree"));
    int first = machine->count;
    for (int i = 0; i < links; ++i) {
        hf_part *part = hf_machine_add(machine, HF_PART_JOINT, "link");
        hf_joint_type type = (hf_joint_type)hf_rng_int(rng, 0, HF_JOINT_TYPE_COUNT - 1);
        if (floating) {
            type = i == 0 ? HF_JOINT_FREE : (type == HF_JOINT_FREE ? HF_JOINT_REVOLUTE : type);
        }
        random_joint(part, rng, type);
        part->tree = tree;
        part->parent = i == 0 || (!floating && hf_rng_int(rng, 0, 3) == 0)
                           ? -1
                           : hf_rng_int(rng, first, first + i - 1);
    }
    return first;
}

// ------------------------------------------------------------------------------------------------
// Couplings

static bool can_turn(const hf_part *part)
{
    return part->kind == HF_PART_RIGID || part->kind == HF_PART_JOINT;
}

static int coordinates_of(const hf_part *part)
{
    switch (part->kind) {
    case HF_PART_MASS:
        return part->mass.dim;
    case HF_PART_DRIVEN:
        return part->driven.dim;
    case HF_PART_JOINT:
        return part->joint.type == HF_JOINT_SPHERICAL ? 0
               : part->joint.type == HF_JOINT_FREE    ? 3
                                                      : hf_joint_velocities(part->joint.type);
    default:
        return 0;
    }
}

static bool fits(const hf_part *part, hf_coupling_type type, int dim)
{
    bool body = can_turn(part) || part->kind == HF_PART_MASS || part->kind == HF_PART_DRIVEN;
    if (type == HF_COUPLING_COORDINATE) {
        return coordinates_of(part) >= dim;
    }
    bool turns = type == HF_COUPLING_SPIN || type == HF_COUPLING_FRAMES ||
                 type == HF_COUPLING_BETWEEN || type == HF_COUPLING_ANGLE;
    return turns ? can_turn(part) : body;
}

// A random body that fits; -1 when there is none.
static int pick(const hf_machine *machine, hf_rng *rng, hf_coupling_type type, int dim,
                int not_this)
{
    int found[HF_MACHINE_PARTS], count = 0;
    for (int i = 0; i < machine->count; ++i) {
        if (i != not_this && fits(&machine->parts[i], type, dim)) {
            found[count++] = i;
        }
    }
    return count == 0 ? -1 : found[hf_rng_int(rng, 0, count - 1)];
}

int hf_machine_random_coupling(hf_machine *machine, hf_rng *rng, hf_coupling_type type, int dim)
{
    int on = pick(machine, rng, type, dim, -1);
    int to = hf_rng_int(rng, 0, 3) == 0 ? -1 : pick(machine, rng, type, dim, on);
    if (on < 0) {
        return -1;
    }
    hf_part *part = hf_machine_add(machine, HF_PART_FORCE, "force");
    part->on = on;
    part->to = to;
    part->force.law = HF_LAW_FORCE;
    part->force.coupling = hf_coupling_def_default(type);
    hf_coupling_def *c = &part->force.coupling;
    c->dim = dim;
    if (type == HF_COUPLING_COORDINATE) {
        c->on_coordinate.axis = hf_rng_int(rng, 0, coordinates_of(&machine->parts[on]) - dim);
    }
    if (type == HF_COUPLING_COORDINATE && to >= 0) {
        c->to_coordinate.axis = hf_rng_int(rng, 0, coordinates_of(&machine->parts[to]) - dim);
    }
    c->on_frame.point = hf_random_vector(rng, 0.5);
    c->to_frame.point = hf_random_vector(rng, 0.5);
    c->on_frame.turn = hf_random_turn(rng);
    c->to_frame.turn = hf_random_turn(rng);
    if (type == HF_COUPLING_BETWEEN || type == HF_COUPLING_CRANK) {
        c->along = hf_random_vector(rng, 1.0);
    }
    if (type == HF_COUPLING_BETWEEN && hf_rng_bool(rng)) {
        c->about = hf_random_vector(rng, 1.0);
    }
    // A rod that always reaches its slider, or never does
    c->rod = type == HF_COUPLING_CRANK ? (hf_rng_bool(rng) ? 20.0 : 1e-6) : 0.0;
    c->radius = type == HF_COUPLING_PLANE && hf_rng_bool(rng) ? hf_rng_uniform(rng, 0.1, 0.5) : 0.0;
    return hf_machine_index(machine, part);
}
