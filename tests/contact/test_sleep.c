// SPDX-License-Identifier: Apache-2.0
// Islands at rest beside what moves: those that sleep have the bits of those that are computed,
// whatever wakes them, and cost nothing.
#include <stdint.h>

#include "twins.h"

enum { TEXT = 8000, PIECES = 900 };

// A mass that swings for ever, so that the machine never rests as a whole; stacks that are struck
// by a ball and by a swinging link, carried and left by a shelf, taken along by a belt that starts
// and stops, pushed by a signal and by an input.
static const char *const ISLANDS =
    "gravity: [0, 0, -9.81]\n"
    "method: {type: timestep, step: 2e-3%s}\n"
    "signals:\n"
    "  push: {input: 0}\n"
    "  lift: {table: {points: [[0, 0], [0.7, 0], [0.75, 0.01], [1.1, 0.01], [1.3, -0.3]]}}\n"
    "  knock: \"t > 0.6 && t < 0.62 ? 30 : 0\"\n"
    "bodies:\n"
    "  ground: {type: static, shape: {type: plane}}\n"
    "  shelf: {type: driven, dim: 3, position: [2, 0, 0.4 + lift], shape: {type: box, size: [1, 1, "
    "0.1]}}\n"
    "  a1: {type: rigid, mass: 1, shape: {type: box, size: [0.2, 0.2, 0.1]}, position: [0, 0, "
    "0.05]}\n"
    "  a2: {type: rigid, mass: 3, shape: {type: box, size: [0.2, 0.1, 0.1]}, position: [0.02, "
    "0.01, 0.15],\n"
    "    orientation: {axis: [0, 0, 1], angle: 0.3}}\n"
    "  a3: {type: rigid, mass: 0.2, shape: {type: cylinder, radius: 0.05, length: 0.1}, position: "
    "[0.02, 0, 0.25]}\n"
    "  ball: {type: rigid, mass: 0.3, shape: {type: sphere, radius: 0.05}, position: [-0.96, 0, "
    "1.2], velocity: [2, 0, 0]}\n"
    "  b1: {type: rigid, mass: 2, shape: {type: capsule, radius: 0.05, length: 0.2}, position: [1, "
    "0, 0.05],\n"
    "    orientation: {axis: [1, 0, 0], angle: 1.5707963}}\n"
    "  c1: {type: rigid, mass: 1, shape: {type: box, size: [0.1, 0.1, 0.1]}, position: [2, 0, "
    "0.5]}\n"
    "  c2: {type: rigid, mass: 1, shape: {type: box, size: [0.1, 0.1, 0.1]}, position: [2.01, 0, "
    "0.6]}\n"
    "  d1: {type: rigid, mass: 1, shape: {type: box, size: [0.2, 0.1, 0.1]}, position: [0, 2, "
    "0.05]}\n"
    "  d2: {type: rigid, mass: 1, shape: {type: box, size: [0.1, 0.1, 0.1]}, position: [0.4, 2, "
    "0.05]}\n"
    "  e1: {type: rigid, mass: 1, shape: {type: box, size: [0.1, 0.1, 0.6]}, position: [-0.18, "
    "-2, 0.3]}\n"
    "  belt: {type: static, position: [0, -6, 0.2], shape: {type: box, size: [4, 1, 0.1], "
    "surface_velocity: [1, 0, 0], surface_speed: \"t > 0.5 && t < 0.8 ? 0.2 : 0\"}}\n"
    "  f1: {type: rigid, mass: 1, shape: {type: box, size: [0.2, 0.1, 0.1]}, position: [0, -6, "
    "0.3]}\n"
    "  arm:\n"
    "    type: tree\n"
    "    joints:\n"
    "      swing: {type: revolute, axis: [0, 1, 0], offset: [-0.3, -2, 0.7], position: 1.2, mass: "
    "1, center: [0, 0, -0.2], inertia: [1e-2, 1e-2, 1e-2],\n"
    "        shape: {type: capsule, radius: 0.05, length: 0.4}}\n"
    "  clock: {type: mass, dim: 1, mass: 1, position: 0.2}\n"
    "forces:\n"
    "  - {name: touch, type: collide, among: all, friction: 0.5, spin_friction: 2e-3, "
    "rolling_friction: 5e-3}\n"
    "  - {name: spring, on: clock, type: spring, stiffness: 40}\n"
    "  - {name: knocks, on: b1, type: force, value: [knock, 0, 0]}\n"
    "  - {name: shove, on: d1, type: force, value: [push, 0, 0]}\n";

static const char *with_threads(char text[TEXT], const char *format, int threads)
{
    char method[100] = "";
    if (threads > 0) {
        (void)snprintf(method, sizeof method, ", threads: %d", threads);
    }
    (void)snprintf(text, TEXT, format, method);
    return text;
}

// Contacts that slept through a step.
static long long slept(const twins *t)
{
    assert_int_equal(hf_timestep_of(t->busy)->sleep.slept, 0);
    return hf_timestep_of(t->quiet)->sleep.slept;
}

static bool moves(const twins *t, const char *name)
{
    const double *v = hf_sim_velocity(t->quiet, hf_model_find_body(t->model, name));
    bool moving = false;
    for (int k = 0; k < 6; ++k) {
        moving = moving || v[k] != 0.0;
    }
    return moving;
}

// Everything wakes when its turn comes, and not before.
static void wakes(void **state)
{
    (void)state;
    const struct {
        const char *name;
        double before, after; // [s] it lies still, it moves within the next 0.2 s
    } wakened[] = {{"a3", 0.4, 0.45}, {"b1", 0.59, 0.6}, {"c1", 0.69, 0.7}, {"c2", 1.09, 1.1},
                   {"d1", 1.0, 1.2},  {"e1", 0.1, 0.15}, {"f1", 0.5, 0.502}};
    char text[TEXT];
    twins t = twins_of(with_threads(text, ISLANDS, 0));
    bool moved[7] = {false}, early[7] = {false};
    for (int i = 0; i < PIECES; ++i) {
        double time = hf_sim_time(t.quiet);
        if (i == 600) {
            hf_signal push = hf_model_find_signal(t.model, "push");
            hf_sim_set_input(t.quiet, push, 20.0);
            hf_sim_set_input(t.busy, push, 20.0);
        }
        step_twins(&t, i);
        for (int k = 0; k < 7; ++k) {
            bool moving = moves(&t, wakened[k].name);
            early[k] = early[k] || (moving && time > 0.02 && time < wakened[k].before);
            moved[k] =
                moved[k] || (moving && time >= wakened[k].after && time < wakened[k].after + 0.35);
        }
        if (i % 50 == 17) {
            compare_channels(&t);
            compare_contacts(&t);
        }
    }
    for (int k = 0; k < 7; ++k) {
        if (!moved[k] || (early[k] && k != 3)) {
            fail_msg("'%s' %s", wakened[k].name, moved[k] ? "moves too early" : "does not wake");
        }
    }
    hf_check_below(10.0 * PIECES, (double)slept(&t), "10 contacts a step", "contacts that slept");
    close_twins(&t);
}

// Two spheres of a swarm, one upon the other, fall on a stack that sleeps: spheres of a swarm are
// in a force that keeps pairs of its own, and wake what they come near all the same.
static const char *const SWARM =
    "gravity: [0, 0, -9.81]\n"
    "method: {type: timestep, step: 2e-3%s}\n"
    "bodies:\n"
    "  ground: {type: static, shape: {type: plane}}\n"
    "  low: {type: rigid, mass: 2, shape: {type: box, size: [0.2, 0.2, 0.1]}, position: [0, 0, "
    "0.05]}\n"
    "  high: {type: rigid, mass: 1, shape: {type: box, size: [0.1, 0.1, 0.1]}, position: [0, 0, "
    "0.15]}\n"
    "  far: {type: rigid, mass: 1, shape: {type: box, size: [0.1, 0.1, 0.1]}, position: [3, 0, "
    "0.05]}\n"
    "  s1: {type: rigid, mass: 0.5, shape: {type: sphere, radius: 0.05}, position: [-1, 0, "
    "1.1583], velocity: [2, 0, 0]}\n"
    "  s2: {type: rigid, mass: 0.5, shape: {type: sphere, radius: 0.05}, position: [-1, 0.01, "
    "1.31], velocity: [2, 0, 0]}\n"
    "forces:\n"
    "  - {name: spheres, type: collide, among: [s1, s2], friction: 0.2}\n"
    "  - {name: touch, type: collide, among: all, except: [[s1, s2]], friction: 0.5}\n";

static void wakes_by_a_swarm(void **state)
{
    (void)state;
    const double strike = 0.9 / 2.0; // [s] over the way to the upper box
    char text[TEXT];
    twins t = twins_of(with_threads(text, SWARM, 0));
    assert_int_equal(t.model->swarm_count, 1);
    assert_false(t.model->swarms[0].shapes);
    bool struck = false;
    for (int i = 0; i < PIECES; ++i) {
        double time = hf_sim_time(t.quiet);
        step_twins(&t, i);
        if (i == 150) { // nothing has come near yet
            assert_true(slept(&t) > 0);
        }
        struck = struck || moves(&t, "high");
        if (struck != (time + 2e-3 >= strike) && fabs(time - strike) > 4e-3) {
            fail_msg("t = %g s: the stack %s, struck at %g s", time,
                     struck ? "moves" : "lies still", strike);
        }
        if (time > 0.02 && moves(&t, "far")) {
            fail_msg("t = %g s: what is far away moves", time);
        }
        if (i % 50 == 17) {
            compare_channels(&t);
            compare_contacts(&t);
        }
    }
    close_twins(&t);
}

static void disturbed_at_random(const char *format, int threads, unsigned long long seed)
{
    char text[TEXT];
    hf_rng rng = hf_rng_create(seed);
    twins t = twins_of(with_threads(text, format, threads));
    long long before = 0;
    for (int piece = 0; piece < PIECES; ++piece) {
        step_twins(&t, piece);
        before = slept(&t) > before ? slept(&t) : before;
        if (piece % 50 == 17) {
            compare_channels(&t);
            compare_contacts(&t);
        }
        if (piece > 50 && hf_rng_int(&rng, 0, 59) == 0) {
            disturb_twins(&t, &rng);
        }
    }
    hf_check_below(0.0, (double)before, "none", "contacts that slept");
    close_twins(&t);
}

static void under_disturbance(void **state)
{
    (void)state;
    disturbed_at_random(ISLANDS, 0, 5);
    disturbed_at_random(ISLANDS, 0, 6);
    disturbed_at_random(ISLANDS, 3, 7);
}

int main(void)
{
    const struct CMUnitTest sleeps[] = {
        cmocka_unit_test(wakes),
        cmocka_unit_test(wakes_by_a_swarm),
        cmocka_unit_test(under_disturbance),
    };
    return hf_run_tests(sleeps);
}
