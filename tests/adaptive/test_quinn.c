// SPDX-License-Identifier: Apache-2.0
// Quinn's law, which knows the other forces of the instant, under HF_METHOD_ADAPTIVE.
#include "adaptive_test.h"

#include <math.h>

static hf_sim *start(const char *machine, const char *method, hf_model **model)
{
    char text[1500];
    (void)snprintf(text, sizeof text, "method: {%s}\n%s", method, machine);
    *model = model_of(text);
    return sim_from(*model, NULL);
}

// Within its layer f = h + F v/eps: whatever the push h, m v' = -F v/eps, and the block comes to
// rest as exp(-F t/(m eps)).
static void rests_in_its_layer(void **state)
{
    (void)state;
    static const char *const families[] = {"bdf", "adams", "erk"};
    for (int i = 0; i < 3; ++i) {
        char method[100];
        hf_model *model;
        (void)snprintf(method, sizeof method,
                       "type: adaptive, integrator: %s, step: 1e-3, rtol: 1e-9, atol: 1e-12",
                       families[i]);
        hf_sim *sim = start("bodies: {block: {type: mass, dim: 1, mass: 1, velocity: 0.002}}\n"
                            "forces:\n"
                            "  - {name: rope, on: block, type: force, value: 2}\n"
                            "  - {name: rub, on: block, type: friction, law: quinn, level: 5,\n"
                            "     threshold: 0.01}\n",
                            method, &model);
        run_until(sim, 0.004);
        double v = 0.002 * exp(-2.0);
        hf_check_near(value_of(sim, "block.velocity"), v, 1e-9, families[i], "0.002 exp(-500 t)");
        hf_check_near(value_of(sim, "rub.force"), -(2.0 + 500.0 * v), 1e-6, families[i],
                      "-(h + F v/eps)");
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// Two blocks with a friction each and one between them, a tree with a loop: against
// semi-implicit Euler, whose error is of first order, extrapolated from two steps.
static void as_fixed_steps(const char *machine, const char *channel, double end, double error)
{
    hf_model *model;
    double coarse, fine;
    hf_sim *sim = start(machine, "type: semi-implicit-euler, step: 4e-5", &model);
    run_until(sim, end);
    coarse = value_of(sim, channel);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    sim = start(machine, "type: semi-implicit-euler, step: 2e-5", &model);
    run_until(sim, end);
    fine = value_of(sim, channel);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    sim = start(machine, "type: adaptive, step: 1e-2, rtol: 1e-8, atol: 1e-10", &model);
    run_until(sim, end);
    hf_check_near(value_of(sim, channel), 2.0 * fine - coarse, error, channel, "extrapolated");
    assert_true(hf_sim_verdict(sim).trustworthy);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

static void two_blocks(void **state)
{
    (void)state;
    as_fixed_steps("bodies:\n"
                   "  a: {type: mass, dim: 1, mass: 1, velocity: 0.3}\n"
                   "  b: {type: mass, dim: 1, mass: 2, velocity: -0.1}\n"
                   "forces:\n"
                   "  - {name: pull, on: a, type: force, value: \"14*sin(5*t)\"}\n"
                   "  - {name: link, on: a, to: b, type: spring, stiffness: 200, damping: 2}\n"
                   "  - {name: rub, on: a, type: friction, law: quinn, level: 5}\n"
                   "  - {name: rub2, on: b, to: a, type: friction, law: quinn,\n"
                   "     level: {kinetic: 2, static: 3, stribeck_velocity: 0.05}}\n",
                   "a.position", 2.0, 1e-6);
}

static void behind_a_loop(void **state)
{
    (void)state;
    as_fixed_steps("gravity: [0, 0, -9.81]\n"
                   "bodies:\n"
                   "  engine:\n"
                   "    type: tree\n"
                   "    joints:\n"
                   "      crank: {type: revolute, axis: [0, -1, 0], position: 1, mass: 1,\n"
                   "              center: [0.05, 0, 0], inertia: [0.0002, 0.004, 0.004]}\n"
                   "      rod: {type: revolute, parent: crank, offset: [0.1, 0, 0],\n"
                   "            axis: [0, -1, 0], guess: -1.3, mass: 0.5, center: [0.15, 0, 0],\n"
                   "            inertia: [0.0001, 0.00375, 0.00375]}\n"
                   "  rail: {type: tree, joints: {slider: {type: prismatic, axis: [1, 0, 0],\n"
                   "         guess: 0.28, mass: 2}}}\n"
                   "loops: {pin: {type: point, on: engine.rod, to: rail.slider,\n"
                   "         point: [0.3, 0, 0]}}\n"
                   "forces: [{name: rub, on: rail.slider, type: friction, law: quinn, level: 3}]\n",
                   "engine.crank.position", 0.6, 2e-5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rests_in_its_layer),
        cmocka_unit_test(two_blocks),
        cmocka_unit_test(behind_a_loop),
    };
    return hf_run_tests(tests);
}
