// SPDX-License-Identifier: Apache-2.0
// Method timestep: contacts whose points turn within a step. A sphere with its center of mass 2 mm
// below its center spins at 180 rad/s, inclined by 0.1 rad: friction rights it, which event
// location shows too. With arms of the beginning of each step it was laid down instead, from 0.5 ms
// on.
#include "contact_test.h"

#include <holdfast/adaptive.h>

#include <math.h>
#include <string.h>

static const char TOP[] =
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "%s"
    "  top: {type: rigid, mass: 0.1, inertia: [%g, %g, 1.6e-5], %s,\n"
    "    position: [0, 0, 0.01800999167], orientation: {axis: [1, 0, 0], angle: 0.1},\n"
    "    angular_velocity: [0, -17.97001499, 179.1007498]}\n"
    "forces:\n"
    "  - {name: floor, %s, friction: 0.2, restitution: 0}\n";

static hf_model *top_model(double inertia, bool shapes)
{
    char text[2048];
    (void)snprintf(text, sizeof text, TOP,
                   shapes ? "  ground: {type: static, shape: {type: plane}}\n" : "", inertia,
                   inertia,
                   shapes ? "shapes: [{type: sphere, radius: 0.02, position: [0, 0, 2e-3]}]"
                          : "shape: {type: sphere, radius: 0.02}",
                   shapes ? "type: collide, among: all"
                          : "on: top, type: contact, law: rigid-contact, point: [0, 0, 2e-3]");
    return model_of(text);
}

// Of its axis from the vertical, at t1 and t2 [rad].
static void inclinations(hf_sim *sim, double t1, double t2, double found[2])
{
    for (int k = 0; k < 2; ++k) {
        run_until(sim, k == 0 ? t1 : t2);
        const double *pose = hf_sim_position(sim, hf_model_find_body(hf_sim_model(sim), "top"));
        found[k] = acos(1.0 - 2.0 * (pose[4] * pose[4] + pose[5] * pose[5]));
    }
}

static void tops_stay_upright(void **state)
{
    (void)state;
    static const double steps[] = {2e-4, 5e-4, 1e-3, 2e-3};
    static const double inertias[] = {1.6e-5, 1.9e-5};
    const double degree = 0.017453292519943295;
    for (int i = 0; i < 2; ++i) {
        hf_model *model = top_model(inertias[i], false);
        hf_sim_def def = hf_sim_def_default(model);
        double exact[2], found[2];
        def.method = (hf_method_def){.type = HF_METHOD_SWITCH, .step = 1e-2};
        def.methods[0] = hf_adaptive_methods();
        hf_sim *sim = sim_from(model, &def);
        inclinations(sim, 0.5, 1.0, exact);
        hf_sim_destroy(sim);
        hf_model_destroy(model);
        for (int k = 0; k < 8; ++k) {
            double h = steps[k % 4];
            model = top_model(inertias[i], k >= 4);
            sim = sim_with(model, timestep(h));
            inclinations(sim, 0.5, 1.5, found);
            // First order, 0.15 degrees at 1 ms; 0.4 were off before.
            hf_check_near(found[0], exact[0], 0.15 * degree * fmax(h / 1e-3, h * h / 0.7e-6),
                          "inclination after 0.5 s", "event location");
            hf_check_below(found[1], 3.0 * degree, "inclination after 1.5 s", "it is righted");
            hf_sim_destroy(sim);
            hf_model_destroy(model);
        }
    }
}

// A free tree with an unbalanced wheel at 60 rad/s on a base at 40 rad/s, and a loose arm: nothing
// acts on it. With velocity products of the beginning of each step it had 10 times its energy
// within 1 s at 10 ms.
static void fast_trees_keep_their_energy(void **state)
{
    (void)state;
    static const double steps[] = {1e-3, 5e-3, 1e-2};
    hf_model *model = model_of(
        "bodies:\n"
        "  craft:\n"
        "    type: tree\n"
        "    joints:\n"
        "      base: {type: free, mass: 2, inertia: [0.02, 0.03, 0.04],\n"
        "        velocity: [0.1, 0, 0, 3, 5, 40]}\n"
        "      wheel: {type: revolute, axis: [1, 0, 0], parent: base, offset: [0.1, 0, 0],\n"
        "        mass: 0.5, center: [0, 0.05, 0], inertia: [0.002, 0.001, 0.001], velocity: 60}\n"
        "      arm: {type: revolute, axis: [0, 1, 0], parent: base, offset: [-0.2, 0, 0],\n"
        "        mass: 0.3, center: [-0.1, 0, 0], inertia: [0.0001, 0.002, 0.002]}\n");
    for (int i = 0; i < 6; ++i) {
        hf_method_def method = timestep(steps[i % 3]);
        method.theta = i < 3 ? 1.0 : 0.5;
        hf_sim *sim = sim_with(model, method);
        double start = hf_sim_energy(sim).kinetic;
        for (int k = 1; k <= 20; ++k) {
            run_until(sim, 0.1 * k);
            hf_check_near(hf_sim_energy(sim).kinetic / start, 1.0, 1e-9,
                          "kinetic energy by the first", "nothing acts on it");
        }
        hf_sim_destroy(sim);
    }
    hf_model_destroy(model);
}

// Chains in a plane and in space, slow and fast, at 1 to 10 ms and with theta 1 and 1/2: none makes
// energy. At 40 rad/s and 1 ms the first had 2.9 times its own after 5 s, at 100 rad/s and 10 ms it
// left the finite numbers.
static void trees_of_any_speed_make_no_energy(void **state)
{
    (void)state;
    static const char *const joints[] = {
        "      a: {type: revolute, axis: [0, 1, 0], mass: 1, center: [0.15, 0, 0],\n"
        "        inertia: [0.001, 0.01, 0.01], velocity: W}\n"
        "      b: {type: revolute, parent: a, offset: [0.3, 0, 0], axis: [0, 1, 0], mass: 1,\n"
        "        center: [0.15, 0, 0], inertia: [0.001, 0.01, 0.01], position: 1.2,\n"
        "        velocity: -1.7*W}\n",
        "      a: {type: revolute, axis: [0, 0, 1], mass: 1, center: [0.1, 0.05, 0],\n"
        "        inertia: [0.003, 0.002, 0.004], velocity: W}\n"
        "      b: {type: revolute, parent: a, offset: [0.3, 0, 0], axis: [0, 1, 0], mass: 1,\n"
        "        center: [0.15, 0, 0.03], inertia: [0.001, 0.01, 0.01], position: 0.7,\n"
        "        velocity: 0.5*W}\n"
        "      c: {type: prismatic, parent: b, axis: [1, 0, 0], mass: 0.3, position: 0.2}\n"};
    static const double speeds[] = {4.0, 20.0, 40.0, 100.0}, steps[] = {1e-3, 5e-3, 1e-2};
    for (int i = 0; i < 48; ++i) {
        char text[1024];
        double w = speeds[i % 4], h = steps[i / 4 % 3];
        (void)snprintf(text, sizeof text,
                       "parameters: {W: %g}\nbodies:\n  arm:\n    type: tree\n    joints:\n%s", w,
                       joints[i / 24]);
        hf_model *model = model_of(text);
        hf_method_def method = timestep(h);
        method.theta = i / 12 % 2 == 0 ? 1.0 : 0.5;
        hf_sim *sim = sim_with(model, method);
        double start = hf_sim_energy(sim).kinetic;
        bool resolved = true;
        for (int k = 1; k <= 20 && resolved; ++k) {
            run_until(sim, 0.1 * k);
            resolved = hf_sim_get_stats(sim).unsettled_turn == 0.0;
            double energy = hf_sim_energy(sim).kinetic / start;
            hf_check_below(energy, 1.0 + 1e-8, "kinetic energy by the first", "nothing acts on it");
            if (resolved) {
                hf_check_near(energy, 1.0, 1e-4, "kinetic energy by the first", "kept");
            }
        }
        // What the step does not resolve is told
        assert_true(resolved || h * w >= 0.2);
        hf_verdict verdict = hf_sim_verdict(sim);
        assert_true(resolved || strstr(verdict.why, "too far for its velocity products") != NULL);
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// And comes to the motion of small steps, at first order or better: the base's place after 0.3 s.
static void fast_trees_converge(void **state)
{
    (void)state;
    static const double steps[] = {1e-5, 4e-4, 8e-4};
    double x[3];
    for (int i = 0; i < 3; ++i) {
        hf_model *model = model_of(
            "bodies:\n"
            "  craft:\n"
            "    type: tree\n"
            "    joints:\n"
            "      base: {type: free, mass: 2, inertia: [0.02, 0.03, 0.04],\n"
            "        velocity: [0.1, 0, 0, 3, 5, 40]}\n"
            "      wheel: {type: revolute, axis: [1, 0, 0], parent: base, offset: [0.1, 0, 0],\n"
            "        mass: 0.5, center: [0, 0.05, 0], inertia: [0.002, 0.001, 0.001],\n"
            "        velocity: 60}\n");
        hf_sim *sim = sim_with(model, timestep(steps[i]));
        run_until(sim, 0.3);
        x[i] = value_of(sim, "craft.base.position.x");
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
    hf_check_near((x[2] - x[0]) / (x[1] - x[0]), 2.0, 0.3, "error at 0.8 ms by that at 0.4 ms",
                  "first order");
    hf_check_below(fabs(x[1] - x[0]), 1e-3, "error at 0.4 ms", "10 us");
}

// Branches of one tree that meet in the world alone have an energy each. A free link falls by
// -g t beside an arm that swings at 12 rad/s, whatever the arm does; it fell by 0.1 % less.
static void branches_are_apart(void **state)
{
    (void)state;
    hf_model *model = model_of(
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  tree:\n"
        "    type: tree\n"
        "    joints:\n"
        "      a: {type: revolute, axis: [0, 1, 0], mass: 1, center: [0.2, 0, 0],\n"
        "          inertia: [0.01, 0.02, 0.02], velocity: 12}\n"
        "      b: {type: revolute, parent: a, axis: [0, 0, 1], offset: [0.4, 0, 0], mass: 1,\n"
        "          center: [0.2, 0, 0], inertia: [0.01, 0.02, 0.02], velocity: 9}\n"
        "      stone: {type: free, mass: 1, inertia: [0.01, 0.02, 0.03],\n"
        "              position: [3, 0, 0, 1, 0, 0, 0], velocity: [0, 0, 0, 0, 0, 0.2]}\n");
    hf_sim *sim = sim_with(model, (hf_method_def){.type = HF_METHOD_TIMESTEP, .step = 1e-3});
    run_until(sim, 0.4);
    const double *v = hf_sim_velocity(sim, hf_model_find_body(model, "tree.stone"));
    hf_check_near(v[2], -9.81 * 0.4, 1e-12, "the stone's velocity", "-g t");
    hf_check_near(v[5], 0.2, 1e-12, "the stone's spin", "as it was");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tops_stay_upright),
        cmocka_unit_test(branches_are_apart),
        cmocka_unit_test(fast_trees_keep_their_energy),
        cmocka_unit_test(trees_of_any_speed_make_no_energy),
        cmocka_unit_test(fast_trees_converge),
    };
    return hf_run_tests(tests);
}
