// SPDX-License-Identifier: Apache-2.0
// Newton's method of steps whose contacts each act on one tree: it solves them, by itself and in a
// few steps, and comes to the answer of sweeps. And what slides from the start.
#include "contact_test.h"

#include <math.h>

// Two legs on springs under a base that a load pushes to and fro: feet stick, slip and leave the
// floor, joints have friction of every kind and limits.
static const char walker[] =
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  robot:\n"
    "    type: tree\n"
    "    joints:\n"
    "      slide: {type: prismatic, axis: [1, 0, 0], mass: 0.5}\n"
    "      side: {type: prismatic, parent: slide, axis: [0, 1, 0], mass: 0.5}\n"
    "      lift: {type: prismatic, parent: side, axis: [0, 0, 1], mass: 4, position: 0.55,\n"
    "             inertia: [0.1, 0.1, 0.1]}\n"
    "      left: {type: revolute, parent: lift, axis: [0, 1, 0], offset: [0, 0.1, 0], mass: 1,\n"
    "             center: [0, 0, -0.15], inertia: [0.01, 0.01, 0.001], position: 0.5}\n"
    "      shin: {type: revolute, parent: left, axis: [0, 1, 0], offset: [0, 0, -0.3], mass: 0.5,\n"
    "             center: [0, 0, -0.15], inertia: [0.005, 0.005, 0.001], position: -0.9}\n"
    "      right: {type: revolute, parent: lift, axis: [0, 1, 0], offset: [0, -0.1, 0], mass: 1,\n"
    "              center: [0, 0, -0.2], inertia: [0.01, 0.01, 0.001], position: -0.3}\n"
    "signals: {push: '45*sin(11*t)', sway: '12*sin(7*t)', hop: '70*sin(23*t)'}\n"
    "forces:\n"
    "  - {name: load, on: robot.slide, type: force, value: push}\n"
    "  - {name: up, on: robot.lift, type: force, value: hop}\n"
    "  - {name: other, on: robot.side, type: force, value: sway}\n"
    "  - {name: spring, on: robot.shin, type: spring, stiffness: 60, rest: -0.9, damping: 1}\n"
    "  - {name: hip, on: robot.left, type: spring, stiffness: 90, rest: 0.5, damping: 1}\n"
    "  - {name: leg, on: robot.right, type: spring, stiffness: 90, rest: -0.3, damping: 1}\n"
    "  - {name: knee, on: robot.shin, type: friction, law: coulomb, level: 0.8}\n"
    "  - {name: bearing, on: robot.left, type: friction, law: coulomb, level: {coulomb: 0.5,\n"
    "     static: 1}}\n"
    "  - {name: limit, on: robot.right, type: stop, low: -0.5, high: -0.1}\n"
    "  - {name: foot, on: robot.shin, point: [0, 0, -0.3], type: contact, friction: 0.25}\n"
    "  - {name: toe, on: robot.right, point: [0, 0, -0.57], type: contact, friction: 0.15}\n"
    "  - {name: belly, on: robot.lift, point: [0, 0, -0.3], type: contact, friction: 0.2}\n";

enum { STEPS = 1200 };

// Newton's method alone, from the reactions of the step before.
static void solves_in_a_few_steps(void **state)
{
    (void)state;
    hf_model *model = model_of(walker);
    hf_sim *sim = sim_with(model, timestep(1e-3));
    hf_error error = {0};
    int modes[3] = {0, 0, 0}, most = 0;
    static const char *const feet[2] = {"foot.mode", "toe.mode"};
    for (int k = 0; k < STEPS; ++k) {
        assert_int_equal(hf_sim_step(sim, &error), HF_OK);
        for (int i = 0; i < 2; ++i) {
            double mode = value_of(sim, feet[i]);
            modes[mode == 0.0 ? 0 : mode == 2.0 ? 2 : 1] += 1;
        }
        most = (int)fmax(most, hf_sim_get_stats(sim).iterations);
    }
    hf_sim_stats stats = hf_sim_get_stats(sim);
    // All that can happen to a foot does
    assert_true(modes[0] > 100 && modes[1] > 100 && modes[2] > 20);
    assert_int_equal(stats.unsolved_steps, 0);
    assert_true(stats.solved_by[HF_FC3D_NEWTON] + stats.warm_steps + stats.free_steps == STEPS);
    hf_check_below((double)stats.solver_iterations, 1.8 * STEPS, "steps of Newton's method",
                   "hardly two a step");
    hf_check_below(most, 24, "in any step", "before others take over");
    hf_energy energy = hf_sim_energy(sim);
    hf_check_below(fabs(energy.residual), 0.02 * energy.turnover, "residual", "ledger");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// Sweeps, to a hard tolerance, come to the same motion.
static void agrees_with_sweeps(void **state)
{
    (void)state;
    static const char *const channels[] = {"robot.slide.position", "robot.lift.position",
                                           "robot.shin.position",  "robot.right.velocity",
                                           "knee.force",           "foot.force.z"};
    hf_model *model = model_of(walker);
    hf_method_def method = timestep(1e-3);
    method.tolerance = 1e-12;
    hf_sim *newton = sim_with(model, method);
    method.solver = HF_FC3D_GAUSS_SEIDEL;
    hf_sim *sweeps = sim_with(model, method);
    hf_error error = {0};
    for (int k = 0; k < 300; ++k) {
        assert_int_equal(hf_sim_step(newton, &error), HF_OK);
        assert_int_equal(hf_sim_step(sweeps, &error), HF_OK);
        for (size_t i = 0; i < sizeof channels / sizeof *channels; ++i) {
            double want = value_of(sweeps, channels[i]);
            hf_check_near(value_of(newton, channels[i]), want, 1e-6 * fmax(1.0, fabs(want)),
                          channels[i], "by sweeps");
        }
    }
    assert_true(hf_sim_get_stats(sweeps).solved_by[HF_FC3D_NEWTON] == 0);
    hf_sim_destroy(newton);
    hf_sim_destroy(sweeps);
    hf_model_destroy(model);
}

// What slides at the start, in whatever direction, has the kinetic level from the first step on.
static void slides_from_the_first_step(void **state)
{
    (void)state;
    static const double directions[][3] = {
        {1, 0, 0}, {0, 1, 0}, {0.6, -0.8, 0}, {0, 0, 1}, {0, 0.6, 0.8}};
    for (int i = 0; i < 5; ++i) {
        int dim = i < 3 ? 2 : 3;
        const double *d = directions[i];
        char text[600], third[40] = "";
        (void)snprintf(third, sizeof third, ", %g", 0.5 * d[2]);
        (void)snprintf(text, sizeof text,
                       "bodies: {block: {type: mass, dim: %d, mass: 1, velocity: [%g, %g%s]}}\n"
                       "forces: [{name: floor, on: block, type: friction, law: coulomb,\n"
                       "  level: {coulomb: 1, static: 3}}]\n",
                       dim, 0.5 * d[0], 0.5 * d[1], dim == 3 ? third : "");
        hf_model *model = model_of(text);
        hf_sim *sim = sim_with(model, timestep(1e-3));
        hf_error error = {0};
        assert_int_equal(hf_sim_step(sim, &error), HF_OK);
        const double *v = hf_sim_velocities(sim);
        for (int k = 0; k < dim; ++k) {
            hf_check_near(v[k], (0.5 - 1e-3) * d[k], 1e-9, "velocity after a step",
                          "kinetic level");
        }
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solves_in_a_few_steps),
        cmocka_unit_test(agrees_with_sweeps),
        cmocka_unit_test(slides_from_the_first_step),
    };
    return hf_run_tests(tests);
}
