// SPDX-License-Identifier: Apache-2.0
// What is at rest and can rest remains so, although redundant contacts have solutions that fall.
#include <holdfast/models.h>
#include <holdfast/sim.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hf_test.h"

// A capsule or a box between two pads, carried by friction alone: it holds up to mg = 2 mu P.
static const char MODEL[] =
    "gravity: [0, 0, -9.81]\n"
    "method: {type: timestep, step: %g}\n"
    "bodies:\n"
    "  hand:\n"
    "    type: tree\n"
    "    joints:\n"
    "      left: {type: prismatic, axis: [1, 0, 0], offset: [-0.045, 0, 0.5], mass: %g, "
    "shape: {type: box, size: [0.03, 0.1, 0.08]}}\n"
    "      right: {type: prismatic, axis: [-1, 0, 0], offset: [0.045, 0, 0.5], mass: 0.3, "
    "shape: {type: box, size: [0.03, 0.1, 0.08]}}\n"
    "  part: {type: rigid, mass: %g, position: [0, 0, 0.5], shape: %s}\n"
    "forces:\n"
    "  - {name: press-left, on: hand.left, type: force, value: %.17g}\n"
    "  - {name: press-right, on: hand.right, type: force, value: %.17g}\n"
    "  - {name: contacts, type: collide, among: [part, hand.left, hand.right], friction: %g, "
    "restitution: 0}\n";

static const char *const SHAPES[] = {
    "{type: capsule, radius: 0.03, length: 0.06, orientation: {axis: [1, 0, 0], angle: "
    "1.5707963267948966}}",
    "{type: box, size: [0.06, 0.05, 0.04]}",
    "{type: cylinder, radius: 0.03, length: 0.05, orientation: {axis: [1, 0, 0], angle: "
    "1.5707963267948966}}"};

// How far the part has moved after 0.5 s [m].
static double fall(const char *shape, double step, double pad, double mass, double press, double mu)
{
    char text[2000];
    hf_error error = {0};
    (void)snprintf(text, sizeof text, MODEL, step, pad, mass, shape, press, press, mu);
    hf_model *model = hf_model_parse(text, strlen(text), "remain.yaml", NULL, NULL, &error);
    hf_sim *sim = model == NULL ? NULL : hf_sim_create(model, NULL, &error);
    assert_string_equal(error.text, "");
    assert_non_null(sim);
    hf_body part = hf_model_find_body(model, "part");
    while (hf_sim_time(sim) < 0.5 - 0.5 * step) {
        assert_int_equal(hf_sim_step(sim, &error), HF_OK);
    }
    const double *q = hf_sim_position(sim, part);
    double moved = fabs(q[0]) + fabs(q[1]) + fabs(q[2] - 0.5);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    return moved;
}

static void pads_hold_up_to_the_closed_form(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(20);
    for (int i = 0; i < 24; ++i) {
        const char *shape = SHAPES[i % 3];
        double step = i % 2 == 0 ? 1e-3 : 5e-3, mu = hf_rng_uniform(&rng, 0.2, 0.9);
        double mass = hf_rng_log_uniform(&rng, 0.02, 2.0);
        double pad = hf_rng_log_uniform(&rng, 0.05, 2.0);
        double least = mass * 9.81 / (2.0 * mu);
        double held = fall(shape, step, pad, mass, 1.01 * least, mu);
        if (held != 0.0) {
            print_error("%s, mass %g, pad %g, mu %g, step %g: moved by %g m\n", shape, mass, pad,
                        mu, step, held);
        }
        assert_true(held == 0.0);
        assert_true(fall(shape, step, pad, mass, 0.95 * least, mu) > 1e-3);
    }
}

// The same on a slide that lifts it, faster and faster: a = 8 t. The driving force is that of all
// masses together, so that a part that sticks goes with the hand.
static const char LIFTED[] =
    "gravity: [0, 0, -9.81]\n"
    "method: {type: timestep, step: %g}\n"
    "bodies:\n"
    "  hand:\n"
    "    type: tree\n"
    "    joints:\n"
    "      lift: {type: prismatic, axis: [0, 0, 1], mass: 2}\n"
    "      left: {type: prismatic, parent: lift, axis: [1, 0, 0], offset: [-0.06, 0, 0], mass: "
    "0.2,\n"
    "             inertia: [1e-4, 1e-4, 1e-4], shape: {type: box, size: [0.02, 0.04, 0.04]}}\n"
    "      right: {type: prismatic, parent: lift, axis: [-1, 0, 0], offset: [0.06, 0, 0], mass: "
    "0.2,\n"
    "              inertia: [1e-4, 1e-4, 1e-4], shape: {type: box, size: [0.02, 0.04, 0.04]}}\n"
    "  part: {type: rigid, mass: %g, shape: {type: box, size: [0.1, 0.04, 0.04]}}\n"
    "forces:\n"
    "  - {name: press-left, on: hand.left, type: force, value: %.17g}\n"
    "  - {name: press-right, on: hand.right, type: force, value: %.17g}\n"
    "  - {name: hoist, on: hand.lift, type: force, value: \"%.17g*(9.81 + 8*t)\"}\n"
    "  - {name: contacts, type: collide, among: [part, hand.left, hand.right], friction: %g,\n"
    "     restitution: 0}\n";

// When the part is first slower than the hand by 1e-5 m/s [s].
static double slip_time(double step, double mass, double press, double mu)
{
    char text[2000];
    hf_error error = {0};
    (void)snprintf(text, sizeof text, LIFTED, step, mass, press, press, mass + 2.4, mu);
    hf_model *model = hf_model_parse(text, strlen(text), "lifted.yaml", NULL, NULL, &error);
    hf_sim *sim = model == NULL ? NULL : hf_sim_create(model, NULL, &error);
    assert_string_equal(error.text, "");
    assert_non_null(sim);
    const double *part = hf_sim_velocity(sim, hf_model_find_body(model, "part"));
    hf_coordinate lift = hf_model_find_coordinate(model, "hand.lift");
    while (hf_sim_time(sim) < 2.0 && fabs(hf_sim_v(sim, lift) - part[2]) < 1e-5) {
        assert_int_equal(hf_sim_step(sim, &error), HF_OK);
    }
    double time = hf_sim_time(sim);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    return time;
}

// In motion too, faces hold up to m (g + a) = 2 mu P, whatever corner sweeps would put the load in.
static void lifted_up_to_the_closed_form(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(21);
    for (int i = 0; i < 16; ++i) {
        double step = i % 2 == 0 ? 1e-3 : 2e-3, mu = hf_rng_uniform(&rng, 0.2, 0.9);
        double mass = hf_rng_log_uniform(&rng, 0.1, 2.0), when = hf_rng_uniform(&rng, 0.2, 0.8);
        double press = mass * (9.81 + 8.0 * when) / (2.0 * mu);
        double slips = slip_time(step, mass, press, mu);
        hf_check_near(slips, when, 4.0 * step, "slip", "m (g + a) = 2 mu P");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pads_hold_up_to_the_closed_form),
                                       cmocka_unit_test(lifted_up_to_the_closed_form)};
    return hf_run_tests(tests);
}
