// SPDX-License-Identifier: Apache-2.0
// Machines that have nothing to do with each other: each moves in a model with all of them as it
// moves alone, to the bit, and so do its forces, their energies and what is counted of them.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hf_test.h"
#include "loop_scenes.h"

enum { STEPS = 150, TEXT = 16000, NAME = 120 };

typedef struct machine {
    const char *bodies, *signals, *forces, *loops;
    bool in_steps; // its laws are found over whole steps: not under rk4
} machine;

// '@' is the machine's letter.
static const machine machines[] = {
    // Frictions with states of every kind, on axes of one mass
    {.bodies = "  '@slide': {type: mass, dim: 2, mass: 1.5, velocity: [0.3, -0.2]}\n"
               "  '@cart': {type: mass, dim: 3, mass: 0.8, velocity: [0, 0, 0.9]}\n",
     .signals = "  '@pull': '3*sin(40*t)'\n",
     .forces = "  - {name: '@first', on: '@slide.x', type: friction, law: lugre, stiffness: 2e4,"
               " damping: 20, level: {coulomb: 1.2}}\n"
               "  - {name: '@second', on: '@slide.y', type: friction, law: gms, level: 0.7}\n"
               "  - {name: '@third', on: '@cart.z', type: friction, law: bouc-wen, stiffness: 9e3,"
               " level: 0.9}\n"
               "  - {name: '@fourth', on: '@cart.y', to: '@slide.y', type: friction, law: dahl,"
               " stiffness: 1e4, level: 0.4}\n"
               "  - {name: '@motor', on: '@slide.x', type: force, value: '@pull'}\n"
               "  - {name: '@rope', ratio: {'@slide.y': 2, '@cart.z': -0.5}, type: spring,"
               " stiffness: 300}\n"},
    // A rail with a servo, stops and a belt
    {.bodies = "  '@cart': {type: mass, dim: 1, mass: 2}\n"
               "  '@load': {type: mass, dim: 1, mass: 1, velocity: -0.4}\n"
               "  '@belt': {type: driven, dim: 1, velocity: '0.2*sin(30*t)'}\n",
     .signals = "  '@path': '0.02*sin(25*t)'\n",
     .forces = "  - {name: '@servo', on: '@cart', type: controller, reference: '@path',"
               " proportional: 4000, derivative: 80, integral: 2e4, low: -30, high: 30}\n"
               "  - {name: '@grip', on: '@load', to: '@belt', type: friction, law: stiction,"
               " stiffness: 1e5, damping: 100, level: {coulomb: 2}}\n"
               "  - {name: '@gap', on: '@load', to: '@cart', type: stop, low: -0.01, high: 0.01,"
               " restitution: 0.4}\n",
     .in_steps = true},
    // Arms: two of a kind, and one that is not, with friction in the joints
    {.bodies = "  '@left': {type: tree, joints: {a: {type: revolute, axis: [0, 1, 0], mass: 1,"
               " center: [0.1, 0, 0], inertia: [0.001, 0.01, 0.01], velocity: 3}, b: {parent: a,"
               " type: revolute, axis: [0, 1, 0], offset: [0.2, 0, 0], mass: 0.4, center: [0.1, 0,"
               " 0], inertia: [0.001, 0.004, 0.004]}}}\n"
               "  '@right': {type: tree, joints: {a: {type: revolute, axis: [0, 1, 0], mass: 1,"
               " center: [0.1, 0, 0], inertia: [0.001, 0.01, 0.01], velocity: -2}, b: {parent: a,"
               " type: revolute, axis: [0, 1, 0], offset: [0.2, 0, 0], mass: 0.4, center: [0.1, 0,"
               " 0], inertia: [0.001, 0.004, 0.004]}}}\n"
               "  '@wrist': {type: tree, joints: {a: {type: spherical, mass: 1, inertia: [0.02,"
               " 0.01, 0.03], center: [0, 0, -0.1], velocity: [1, 2, 0.5]}, b: {parent: a, type:"
               " prismatic, axis: [0, 1, 0], mass: 0.3, velocity: 0.2}}}\n",
     .forces = "  - {name: '@elbow', on: '@right.b', type: friction, law: elastoplastic, level:"
               " 0.3, stiffness: 50, damping: 0.01}\n"
               "  - {name: '@slide', on: '@wrist.b', type: spring, stiffness: 40, damping: 1}\n"},
    // Closed chains of trees
    {.bodies = "  '@engine': {type: tree, joints: {crank: {type: revolute, axis: [0, -1, 0],"
               " position: -1.5, mass: 1, center: [0.05, 0, 0], inertia: [0.0002, 0.004, 0.004],"
               " velocity: 2}, rod: {type: revolute, parent: crank, offset: [0.1, 0, 0], axis: [0,"
               " -1, 0], guess: 1.8, mass: 0.5, center: [0.15, 0, 0], inertia: [0.0001, 0.00375,"
               " 0.00375]}}}\n"
               "  '@rail': {type: tree, joints: {slider: {type: prismatic, axis: [1, 0, 0], guess:"
               " 0.28, mass: 2}}}\n"
               "  '@sun': {type: tree, joints: {axle: {type: revolute, armature: 0.02}}}\n"
               "  '@ring': {type: tree, joints: {axle: {type: revolute, armature: 0.05}}}\n"
               "  '@arm': {type: tree, joints: {axle: {type: revolute, armature: 0.4}}}\n",
     .forces = "  - {name: '@motor', on: '@sun.axle', type: torque, value: 4}\n"
               "  - {name: '@drag', on: '@rail.slider', type: friction, law: lugre, level: 3,"
               " stiffness: 1e4, damping: 30}\n",
     .loops = "  '@pin': {type: point, on: '@engine.rod', to: '@rail.slider', point: [0.3, 0, 0]}\n"
              "  '@mesh': {type: ratio, ratio: {'@sun.axle': 1, '@ring.axle': 3, '@arm.axle': "
              "-4}}\n"},
    // Another crank, so that two chains turn
    {.bodies = "  '@engine': {type: tree, joints: {crank: {type: revolute, axis: [0, -1, 0],"
               " position: -0.9, mass: 1, center: [0.05, 0, 0], inertia: [0.0002, 0.004, 0.004],"
               " velocity: 9}, rod: {type: revolute, parent: crank, offset: [0.1, 0, 0], axis: [0,"
               " -1, 0], guess: 1.2, mass: 0.5, center: [0.15, 0, 0], inertia: [0.0001, 0.00375,"
               " 0.00375]}}}\n"
               "  '@rail': {type: tree, joints: {slider: {type: prismatic, axis: [1, 0, 0], guess:"
               " 0.33, mass: 1}}}\n",
     .forces = "  - {name: '@spring', on: '@rail.slider', type: spring, stiffness: 90}\n",
     .loops = "  '@pin': {type: point, on: '@engine.rod', to: '@rail.slider', point: [0.3, 0, "
              "0]}\n"},
    // Rigid bodies on the floor and against each other
    {.bodies = "  '@ball': {type: rigid, mass: 0.3, shape: {type: sphere, radius: 0.2}, position:"
               " [0, 0, 0.1999], velocity: [2, 0, 0]}\n"
               "  '@top': {type: rigid, mass: 0.2, inertia: [0.002, 0.001, 0.003], position: [5, 0,"
               " 3], angular_velocity: [3, 1, 8]}\n",
     .forces = "  - {name: '@floor', on: '@ball', type: contact, stiffness: 1e5, damping: 10,"
               " friction: 0.1}\n"},
    // Exact friction, and two frictions of one coordinate
    {.bodies = "  '@block': {type: mass, dim: 2, mass: 1, velocity: [1, 0]}\n",
     .signals = "  '@push': '4*sin(60*t)'\n",
     .forces =
         "  - {name: '@floor', on: '@block.x', type: friction, law: coulomb, level: 1.5}\n"
         "  - {name: '@guide', on: '@block.y', type: friction, law: coulomb, level: {coulomb: 1,"
         " static: 2}}\n"
         "  - {name: '@press', on: '@block.y', type: force, value: '@push'}\n",
     .in_steps = true},
};
enum { MACHINES = sizeof machines / sizeof *machines };

static void add(char *text, const char *part, int letter)
{
    size_t at = strlen(text);
    for (const char *c = part == NULL ? "" : part; *c != '\0' && at + 1 < TEXT; ++c) {
        text[at++] = (char)(*c == '@' ? 'a' + letter : *c);
    }
    text[at] = '\0';
}

// Machine `only`, or all (-1) that the method runs.
static void write_model(char *text, int only, bool in_steps)
{
    static const char *const heads[4] = {"gravity: [0, 0, -9.81]\nbodies:\n", "signals:\n",
                                         "forces:\n", "loops:\n"};
    text[0] = '\0';
    for (int part = 0; part < 4; ++part) {
        bool headed = false;
        for (int i = 0; i < MACHINES; ++i) {
            const machine *m = &machines[i];
            const char *own = part == 0   ? m->bodies
                              : part == 1 ? m->signals
                              : part == 2 ? m->forces
                                          : m->loops;
            if (own == NULL || (only >= 0 && i != only) || (m->in_steps && !in_steps)) {
                continue;
            }
            add(text, headed ? NULL : heads[part], 0);
            add(text, own, i);
            headed = true;
        }
    }
}

static bool has_steps(hf_method_type method)
{
    return method != HF_METHOD_RK4 && method != HF_METHOD_RK4_TAU;
}

static hf_sim *start(int only, hf_method_type method, double step)
{
    static char text[TEXT];
    write_model(text, only, has_steps(method));
    return loop_scene_start(loop_scene_parse(text), method, step);
}

static void compare(hf_sim *alone, hf_sim *all, int step)
{
    const hf_model *own = hf_sim_model(alone), *other = hf_sim_model(all);
    char name[NAME];
    for (int id = 1; id <= hf_model_channel_count(own); ++id) {
        hf_model_channel_name(own, (hf_channel){id}, name, sizeof name);
        hf_channel there = hf_model_find_channel(other, name);
        if (strncmp(name, "energy", 6) == 0 || there.id == 0) {
            continue; // of the whole model
        }
        double a = hf_sim_value(alone, (hf_channel){id}), b = hf_sim_value(all, there);
        if (!(a == b)) {
            fail_msg("step %d: %s is %.17g among others, %.17g alone", step, name, b, a);
        }
    }
}

static void compare_stats(hf_sim *alone, hf_sim *all)
{
    const hf_model *own = hf_sim_model(alone), *other = hf_sim_model(all);
    for (int id = 1; id <= hf_model_get_info(own).forces; ++id) {
        const char *name = hf_model_force_info(own, (hf_force){id}).name;
        hf_force there = hf_model_find_force(other, name);
        hf_force_stats a = hf_sim_force_stats(alone, (hf_force){id}),
                       b = hf_sim_force_stats(all, there);
        hf_check_near(b.stick_seconds, a.stick_seconds, 0.0, name, "alone");
        hf_check_near(b.slip_seconds, a.slip_seconds, 0.0, name, "alone");
        hf_check_near(b.dissipated, a.dissipated, 0.0, name, "alone");
        hf_check_near(b.input, a.input, 0.0, name, "alone");
        hf_check_near(b.largest_force, a.largest_force, 0.0, name, "alone");
        assert_true(a.transitions == b.transitions);
    }
}

static void advance(hf_sim *sim)
{
    hf_error error = {0};
    if (hf_sim_step(sim, &error) < 0) {
        fail_msg("%s", error.text);
    }
}

static void check_method(hf_method_type method)
{
    const double step = 1e-4;
    hf_sim *all = start(-1, method, step), *alone[MACHINES] = {0};
    double residue = 0.0, kinetic = 0.0, dissipated = 0.0;
    for (int i = 0; i < MACHINES; ++i) {
        alone[i] = machines[i].in_steps && !has_steps(method) ? NULL : start(i, method, step);
    }
    for (int k = 0; k < STEPS; ++k) {
        advance(all);
        for (int i = 0; i < MACHINES; ++i) {
            if (alone[i] != NULL) {
                advance(alone[i]);
                compare(alone[i], all, k);
            }
        }
    }
    // Energies add up
    for (int i = 0; i < MACHINES; ++i) {
        if (alone[i] != NULL) {
            compare_stats(alone[i], all);
            kinetic += hf_sim_energy(alone[i]).kinetic;
            dissipated += hf_sim_energy(alone[i]).dissipated;
            residue += hf_sim_energy(alone[i]).residual;
            loop_scene_finish(alone[i]);
        }
    }
    hf_energy energy = hf_sim_energy(all);
    hf_check_near(energy.kinetic, kinetic, 1e-12 * kinetic, "kinetic energy", "the sum");
    hf_check_near(energy.dissipated, dissipated, 1e-11, "heat", "the sum");
    hf_check_near(energy.residual, residue, 1e-10, "residual", "the sum");
    loop_scene_finish(all);
}

static void test_euler(void **state)
{
    (void)state;
    check_method(HF_METHOD_EULER);
    check_method(HF_METHOD_SEMI_IMPLICIT_EULER);
}

static void test_rk4(void **state)
{
    (void)state;
    check_method(HF_METHOD_RK4);
    check_method(HF_METHOD_RK4_TAU);
}

static void test_discrete(void **state)
{
    (void)state;
    check_method(HF_METHOD_DISCRETE);
}

// ------------------------------------------------------------------------------------------------
// Many trees in the plane, some of them alike, some hardly

enum { PENDULUMS = 17, WHOLE = 12000 };

// Masses in groups of eight: all alike, one unlike, all unlike; then one more.
static double mass_of(int i)
{
    return i < 8 ? 1.0 : i == 11 ? 1.0 + 1e-15 : i < 14 ? 2.0 : 2.0 + 0.1 * i;
}

static int write_pendulum(char *text, size_t size, int i)
{
    return snprintf(
        text, size,
        "  p%02d: {type: tree, joints: {a: {type: revolute, axis: [0, 1, 0], mass: %.17g,"
        " center: [0.1, 0, 0], inertia: [0.001, 0.01, 0.01], velocity: %g}, b:"
        " {parent: a, type: revolute, axis: [0, 1, 0], offset: [0.2, 0, 0], mass: %g,"
        " center: [0.1, 0, 0], inertia: [0.001, 0.004, 0.004]}}}\n",
        i, mass_of(i), 0.3 * i, i % 3 == 0 ? 0.4 : 0.5 * mass_of(i));
}

static void test_pendulums(void **state)
{
    (void)state;
    static const char head[] = "gravity: [0, 0, -9.81]\nbodies:\n";
    static char text[WHOLE];
    hf_sim *alone[PENDULUMS];
    int length = snprintf(text, sizeof text, "%s", head);
    for (int i = 0; i < PENDULUMS; ++i) {
        char own[800];
        int begin = snprintf(own, sizeof own, "%s", head);
        (void)write_pendulum(own + begin, sizeof own - (size_t)begin, i);
        alone[i] = loop_scene_start(loop_scene_parse(own), HF_METHOD_RK4, 1e-3);
        length += write_pendulum(text + length, sizeof text - (size_t)length, i);
    }
    hf_sim *all = loop_scene_start(loop_scene_parse(text), HF_METHOD_RK4, 1e-3);
    for (int k = 0; k < STEPS; ++k) {
        advance(all);
        for (int i = 0; i < PENDULUMS; ++i) {
            advance(alone[i]);
            compare(alone[i], all, k);
        }
    }
    for (int i = 0; i < PENDULUMS; ++i) {
        loop_scene_finish(alone[i]);
    }
    loop_scene_finish(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_euler),
        cmocka_unit_test(test_rk4),
        cmocka_unit_test(test_discrete),
        cmocka_unit_test(test_pendulums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
