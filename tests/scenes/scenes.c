// SPDX-License-Identifier: Apache-2.0
// Machines that tests and benchmarks share, built in C.
#include "scenes.h"

#include <holdfast/use_law.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void stop(const hf_error *error)
{
    fprintf(stderr, "scene: %s\n", error->text);
    abort();
}

static hf_model *compiled(hf_spec *spec, hf_error *error)
{
    hf_model *model = hf_model_compile(spec, error);
    if (model == NULL) {
        stop(error);
    }
    hf_spec_destroy(spec);
    return model;
}

static void add_force(hf_spec *spec, const hf_force_def *def, hf_error *error)
{
    if (hf_spec_add_force(spec, def, error).id == 0) {
        stop(error);
    }
}

static void set_run(hf_spec *spec, hf_method_type type, double step, double duration,
                    hf_error *error)
{
    if (hf_spec_set_method(spec, (hf_method_def){.type = type, .step = step}, error) < 0 ||
        hf_spec_set_duration(spec, duration, error) < 0) {
        stop(error);
    }
}

hf_model *hf_scene_rolling_sphere(void)
{
    hf_error error;
    hf_spec *spec = hf_spec_create();
    set_run(spec, HF_METHOD_RK4_TAU, 1e-4, 1.0, &error);
    if (hf_spec_set_gravity(spec, (hf_vec3){0.0, 0.0, -9.8}, &error) < 0) {
        stop(&error);
    }
    hf_rigid_def sphere = hf_rigid_def_default();
    sphere.name = "sphere";
    sphere.mass = 0.3;
    sphere.shape = (hf_shape){.type = HF_SHAPE_SPHERE, .size = {.x = 0.2}};
    sphere.inertia = hf_shape_inertia(sphere.shape, sphere.mass);
    sphere.position = (hf_vec3){0.0, 0.0, 0.202};
    sphere.velocity = (hf_vec3){2.0, 0.0, 0.0};
    hf_body body = hf_spec_add_rigid(spec, &sphere, &error);
    if (body.id == 0) {
        stop(&error);
    }
    hf_contact_def law = hf_contact_def_default();
    law.stiffness = 1e7;
    law.damping = 10.0;
    law.friction = hf_level_coefficient(0.1);
    hf_force_def floor = hf_force_def_default();
    floor.name = "floor";
    floor.coupling = hf_coupling_def_default(HF_COUPLING_PLANE);
    floor.coupling.on_frame.body = body;
    floor.coupling.radius = 0.2;
    hf_force_use_contact(&floor, &law);
    add_force(spec, &floor, &error);
    return compiled(spec, &error);
}

static double torque_shoulder(void *instance, double t)
{
    (void)instance;
    return t < 4.0 ? fmin(0.52, 0.3 * t) : 0.336 + 0.144 * sin(100.0 * t);
}

static double torque_elbow(void *instance, double t)
{
    (void)instance;
    return t < 4.0 ? fmin(0.52, 0.3 * t) : 0.336 + 0.144 * cos(100.0 * t);
}

static void add_torque_signals(hf_spec *spec, hf_signal torques[2], hf_error *error)
{
    static const double jumps[] = {4.0};
    for (int i = 0; i < 2; ++i) {
        hf_signal_def def = hf_signal_def_default();
        def.name = i == 0 ? "torque0" : "torque1";
        def.type = HF_SIGNAL_FUNCTION;
        def.function = i == 0 ? torque_shoulder : torque_elbow;
        def.jumps = (hf_list){jumps, 1};
        torques[i] = hf_spec_add_signal(spec, &def, error);
        if (torques[i].id == 0) {
            stop(error);
        }
    }
}

// The rods' moments of inertia about their own axis matter to penalty joints only: radius 0.02 m.
static hf_sym3 rod_inertia(void)
{
    const double m = 0.5, l = 0.3, r = 0.02;
    double across = m * l * l / 12.0;
    return (hf_sym3){.xx = 0.5 * m * r * r, .yy = across, .zz = across};
}

hf_model *hf_scene_two_link_arm(hf_arm_friction friction, bool driven)
{
    static const char *const joints[2] = {"shoulder", "elbow"}, *const frictions[2] = {"f0", "f1"},
                             *const motors[2] = {"m0", "m1"};
    hf_error error;
    hf_spec *spec = hf_spec_create();
    set_run(spec, HF_METHOD_RK4_TAU, 1e-4, 10.0, &error);
    hf_tree arm = hf_spec_add_tree(spec, "arm", &error);
    hf_signal torques[2] = {{0}, {0}};
    if (driven) {
        add_torque_signals(spec, torques, &error);
    }
    hf_stiction_def stiction = hf_stiction_def_default();
    stiction.level = hf_level_coulomb(0.5);
    stiction.stiffness = 5000.0;
    stiction.damping = 1.0;
    hf_lugre_def lugre = hf_lugre_def_default();
    lugre.level = hf_level_coulomb(0.5);
    lugre.stiffness = 5000.0;
    lugre.damping = 1.0;
    lugre.viscous = 0.0;
    hf_body parent = {0};
    for (int i = 0; i < 2; ++i) {
        hf_joint_def joint = hf_joint_def_default(HF_JOINT_REVOLUTE);
        joint.name = joints[i];
        joint.parent = parent;
        joint.offset.x = i == 0 ? 0.0 : 0.3;
        joint.mass = 0.5;
        joint.center.x = 0.15;
        joint.inertia = rod_inertia();
        parent = hf_spec_add_joint(spec, arm, &joint, &error);
        if (parent.id == 0) {
            stop(&error);
        }
        hf_force_def force = hf_force_def_default();
        force.coupling.on_coordinate.body = parent;
        if (friction != HF_ARM_FREE) {
            force.name = frictions[i];
            hf_force_use_lugre(&force, &lugre);
            if (friction == HF_ARM_STICTION) {
                hf_force_use_stiction(&force, &stiction);
            }
            add_force(spec, &force, &error);
        }
        if (driven) {
            force.name = motors[i];
            force.law = HF_LAW_FORCE;
            force.def = NULL;
            force.values[0].signal = torques[i];
            add_force(spec, &force, &error);
        }
    }
    return compiled(spec, &error);
}

hf_model *hf_scene_penalty_arm(double kp)
{
    static const char *const links[2] = {"link0", "link1"}, *const joints[2] = {"j0", "j1"},
                             *const motors[2] = {"m0", "m1"};
    hf_error error;
    hf_spec *spec = hf_spec_create();
    set_run(spec, HF_METHOD_RK4_TAU, 1e-4, 10.0, &error);
    hf_signal torques[2];
    add_torque_signals(spec, torques, &error);
    hf_joint_law_def law = hf_joint_law_def_default();
    law.stiffness = kp;
    law.damping = 2.0 * 0.7 * sqrt(kp * 0.5 / 8.0);
    law.bend_stiffness = 1e-4 * kp;
    law.bend_damping = 1e-4 * law.damping;
    law.level = hf_level_coulomb(0.5);
    law.friction_stiffness = 5000.0;
    law.friction_damping = 1.0;
    hf_body before = {0};
    for (int i = 0; i < 2; ++i) {
        hf_rigid_def rod = hf_rigid_def_default();
        rod.name = links[i];
        rod.mass = 0.5;
        rod.inertia = rod_inertia();
        rod.position.x = 0.15 + 0.3 * i;
        hf_body link = hf_spec_add_rigid(spec, &rod, &error);
        if (link.id == 0) {
            stop(&error);
        }
        hf_force_def force = hf_force_def_default();
        force.name = joints[i];
        force.coupling = hf_coupling_def_default(HF_COUPLING_FRAMES);
        force.coupling.on_frame.body = link;
        force.coupling.on_frame.point.x = -0.15;
        force.coupling.to_frame.body = before;
        force.coupling.to_frame.point.x = i == 0 ? 0.0 : 0.15;
        hf_force_use_joint_law(&force, &law);
        add_force(spec, &force, &error);
        force.name = motors[i];
        force.law = HF_LAW_FORCE;
        force.def = NULL;
        force.values[5].signal = torques[i];
        add_force(spec, &force, &error);
        before = link;
    }
    return compiled(spec, &error);
}

hf_model *hf_scene_chain(int count)
{
    hf_error error;
    hf_spec *spec = hf_spec_create();
    set_run(spec, HF_METHOD_RK4, 1e-4, 1.0, &error);
    hf_stiction_def stiction = hf_stiction_def_default();
    stiction.level = hf_level_coulomb(0.5);
    stiction.stiffness = 1e4;
    stiction.damping = 10.0;
    hf_spring_def spring = hf_spring_def_default();
    spring.stiffness = 100.0;
    spring.damping = 0.1;
    hf_body before = {0};
    for (int i = 0; i < count; ++i) {
        char name[32];
        hf_mass_def mass = hf_mass_def_default();
        (void)snprintf(name, sizeof name, "m%d", i);
        mass.name = name;
        mass.dim = 1;
        mass.mass = 0.1;
        hf_body body = hf_spec_add_mass(spec, &mass, &error);
        hf_force_def force = hf_force_def_default();
        force.coupling.on_coordinate.body = body;
        (void)snprintf(name, sizeof name, "floor%d", i);
        force.name = name;
        hf_force_use_stiction(&force, &stiction);
        add_force(spec, &force, &error);
        if (i > 0) {
            (void)snprintf(name, sizeof name, "spring%d", i);
            force.coupling.to_coordinate.body = before;
            hf_force_use_spring(&force, &spring);
        } else {
            (void)snprintf(name, sizeof name, "pull");
            force.law = HF_LAW_FORCE;
            force.values[0].constant = 20.0;
        }
        add_force(spec, &force, &error);
        before = body;
    }
    return compiled(spec, &error);
}
