// SPDX-License-Identifier: Apache-2.0
// Machines at rest: steps that are not computed again have the bits of steps that are, whatever
// disturbs the machine in between.
#include "twins.h"

enum { TEXT = 6000, PIECES = 900 };

// ------------------------------------------------------------------------------------------------
// Machines

static const char *with_threads(char text[TEXT], const char *format, int threads)
{
    char method[100] = "";
    if (threads > 0) {
        (void)snprintf(method, sizeof method, ", threads: %d", threads);
    }
    (void)snprintf(text, TEXT, format, method);
    return text;
}

// Heaps of shapes, a shelf that a signal moves now and then, a spring, a motor with a sampled
// controller, an input that pushes, a signal that pushes from time to time.
static const char *const SHAPES =
    "gravity: [0, 0, -9.81]\n"
    "method: {type: timestep, step: 2e-3%s}\n"
    "signals:\n"
    "  push: {input: 0}\n"
    "  lift: {table: {points: [[0, 0], [0.7, 0], [0.75, 0.01], [1.4, 0.01], [1.5, 0]]}}\n"
    "  knock: \"t > 1.1 && t < 1.12 ? 30 : 0\"\n"
    "bodies:\n"
    "  ground: {type: static, shape: {type: plane}}\n"
    "  shelf: {type: driven, dim: 3, position: [2, 0, lift], shape: {type: box, size: [1, 1, "
    "0.1]}}\n"
    "  a1: {type: rigid, mass: 1, shape: {type: box, size: [0.2, 0.2, 0.1]}, position: [0, 0, "
    "0.05]}\n"
    "  a2: {type: rigid, mass: 3, shape: {type: box, size: [0.2, 0.1, 0.1]}, position: [0.02, "
    "0.01, 0.151],\n"
    "    orientation: {axis: [0, 0, 1], angle: 0.3}}\n"
    "  a3: {type: rigid, mass: 0.2, shape: {type: cylinder, radius: 0.05, length: 0.1}, position: "
    "[0.02, 0, 0.252]}\n"
    "  b1: {type: rigid, mass: 2, shape: {type: capsule, radius: 0.05, length: 0.2}, position: [1, "
    "0, 0.051],\n"
    "    orientation: {axis: [1, 0.2, 0], angle: 1.5707963}}\n"
    "  c1: {type: rigid, mass: 1, shape: {type: box, size: [0.1, 0.1, 0.1]}, position: [2, 0, "
    "0.101]}\n"
    "  c2: {type: rigid, mass: 1, shape: {type: sphere, radius: 0.05}, position: [2.3, 0.1, "
    "0.101]}\n"
    "  slide: {type: mass, dim: 1, mass: 1, position: 0.2}\n"
    "forces:\n"
    "  - {name: touch, type: collide, among: all, friction: 0.5, spin_friction: 2e-3, "
    "rolling_friction: 5e-3}\n"
    "  - {name: rail, on: slide, type: friction, law: coulomb, level: 2}\n"
    "  - {name: spring, on: slide, type: spring, stiffness: 5, damping: 2}\n"
    "  - {name: drive, on: slide, type: controller, reference: 0.1, proportional: 3, derivative: "
    "0.1, period: 0.01}\n"
    "  - {name: shove, on: a2, type: force, value: [push, knock, 0]}\n";

// A heap of spheres, whose pairs are kept.
static const char *const SPHERES =
    "gravity: [0, 0, -9.81]\n"
    "method: {type: timestep, step: 2e-3%s}\n"
    "signals:\n"
    "  push: {input: 0}\n"
    "bodies:\n"
    "  ground: {type: static, shape: {type: plane}}\n"
    "  a1: {type: rigid, mass: 1, shape: {type: sphere, radius: 0.05}, position: [0, 0, 0.05]}\n"
    "  a2: {type: rigid, mass: 2, shape: {type: sphere, radius: 0.05}, position: [0.1, 0, 0.05]}\n"
    "  a3: {type: rigid, mass: 1, shape: {type: sphere, radius: 0.05}, position: [0.05, 0.087, "
    "0.05]}\n"
    "  a4: {type: rigid, mass: 3, shape: {type: sphere, radius: 0.05}, position: [0.05, 0.03, "
    "0.132]}\n"
    "forces:\n"
    "  - {name: touch, type: collide, among: all, friction: 0.6, spin_friction: 1e-3, "
    "rolling_friction: 4e-3}\n"
    "  - {name: shove, on: a4, type: force, value: [push, 0, 0]}\n";

// Boxes that a hinge joins, one on the other's edge, and a four-bar linkage that frictions hold.
static const char *const LOOPS =
    "gravity: [0, 0, -9.81]\n"
    "method: {type: timestep, step: 2e-3%s}\n"
    "signals:\n"
    "  push: {input: 0}\n"
    "  turn: \"t > 1.1 && t < 1.15 ? 3 : 0\"\n"
    "bodies:\n"
    "  ground: {type: static, shape: {type: plane}}\n"
    "  a1: {type: rigid, mass: 1, shape: {type: box, size: [0.2, 0.2, 0.1]}, position: [0, 0, "
    "0.05]}\n"
    "  a2: {type: rigid, mass: 2, shape: {type: box, size: [0.2, 0.2, 0.1]}, position: [0.3, 0, "
    "0.06]}\n"
    "  bars:\n"
    "    type: tree\n"
    "    joints:\n"
    "      crank: {type: revolute, axis: [0, 1, 0], offset: [2, 0, 1], mass: 1, center: [0, 0, "
    "0.1], inertia: [1e-2, 1e-2, 1e-2], friction: {law: coulomb, level: 2}}\n"
    "      rod: {type: revolute, parent: crank, axis: [0, 1, 0], offset: [0, 0, 0.2], mass: 1, "
    "center: [0.2, 0, 0], inertia: [1e-2, 1e-2, 1e-2]}\n"
    "      rocker: {type: revolute, axis: [0, 1, 0], offset: [2.4, 0, 1], mass: 1, center: [0, 0, "
    "0.1], inertia: [1e-2, 1e-2, 1e-2], friction: {law: coulomb, level: 1}}\n"
    "loops:\n"
    "  joined: {type: point, on: a1, to: a2, point: [0.15, 0, 0.01], to_point: [-0.15, 0, 0]}\n"
    "  closed: {type: point, on: bars.rod, to: bars.rocker, point: [0.4, 0, 0], to_point: [0, 0, "
    "0.2]}\n"
    "forces:\n"
    "  - {name: touch, type: collide, among: [ground, a1, a2], friction: 0.5}\n"
    "  - {name: motor, on: bars.crank, type: force, value: turn}\n"
    "  - {name: shove, on: a2, type: force, value: [push, 0, 0]}\n";

// ------------------------------------------------------------------------------------------------

static void disturbed_at_random(const char *format, int threads)
{
    char text[TEXT];
    hf_rng rng = hf_rng_create(5);
    twins t = twins_of(with_threads(text, format, threads));
    for (int piece = 0; piece < PIECES; ++piece) {
        step_twins(&t, piece);
        if (piece % 50 == 17) {
            compare_channels(&t);
            compare_contacts(&t);
        }
        if (piece > 200 && hf_rng_int(&rng, 0, 59) == 0) {
            disturb_twins(&t, &rng);
        }
    }
    // Pushes keep it from resting about half of the time
    hf_check_below(PIECES / 5.0, (double)steps_taken(&t), "a fifth of the steps",
                   "steps that were repeated");
    close_twins(&t);
}

static void shapes_under_disturbance(void **state)
{
    (void)state;
    disturbed_at_random(SHAPES, 0);
    disturbed_at_random(SHAPES, 1);
    disturbed_at_random(SHAPES, 3);
}

static void spheres_under_disturbance(void **state)
{
    (void)state;
    disturbed_at_random(SPHERES, 0);
    disturbed_at_random(SPHERES, 2);
}

static void loops_under_disturbance(void **state)
{
    (void)state;
    disturbed_at_random(LOOPS, 0);
    disturbed_at_random(LOOPS, 2);
}

// A machine that rests is repeated in every step but the first few; a signal that goes on is not.
static void repeats_at_rest(void **state)
{
    (void)state;
    const char *const format = "gravity: [0, 0, -9.81]\n"
                               "method: {type: timestep, step: 1e-3}\n"
                               "bodies:\n"
                               "  ground: {type: static, shape: {type: plane}}\n"
                               "  box: {type: rigid, mass: 1, shape: {type: box, size: [0.1, 0.1, "
                               "0.1]}, position: [0, 0, 0.05]}\n"
                               "forces:\n"
                               "  - {name: touch, type: collide, among: all, friction: 0.5}\n"
                               "  - {name: pull, on: box, type: force, value: [\"%s\", 0, 0]}\n";
    const char *const pulls[] = {"2", "2 + sin(t)", "t < 0.5 ? 2 : 3", "t < 0.5 ? 2 : 9"};
    const double repeated[] = {1000, 0, 1000, 500};
    for (int k = 0; k < 4; ++k) {
        char text[TEXT];
        (void)snprintf(text, TEXT, format, pulls[k]);
        twins t = twins_of(text);
        for (int i = 0; i < 1000; ++i) {
            step_twins(&t, i);
        }
        hf_check_near((double)steps_taken(&t), repeated[k], 10.0, "steps that were repeated",
                      "rest");
        close_twins(&t);
    }
}

// A state of the same positions, with other reactions: those that are restored count.
static void restored_reactions(void **state)
{
    (void)state;
    char text[TEXT];
    hf_error error = {0};
    twins t = twins_of(with_threads(text, SHAPES, 0));
    hf_sim *sims[2] = {t.quiet, t.busy};
    hf_signal push = hf_model_find_signal(t.model, "push");
    size_t size = hf_sim_save_size(t.quiet);
    char *early = calloc(1, size);
    assert_non_null(early);
    for (int k = 0; k < 2; ++k) {
        run_until(sims[k], 0.3);
        hf_sim_save(sims[k], early);
        hf_sim_set_input(sims[k], push, 3.0);
        run_until(sims[k], 0.4);
        hf_sim_set_input(sims[k], push, 0.0);
        run_until(sims[k], 0.5);
        assert_int_equal(hf_sim_restore(sims[k], early, size, &error), HF_OK);
        run_until(sims[k], 0.4);
    }
    compare_twins(&t, 0);
    compare_contacts(&t);
    hf_check_below(50.0, (double)steps_taken(&t), "50", "steps that were repeated");
    free(early);
    close_twins(&t);
}

int main(void)
{
    const struct CMUnitTest repeats[] = {
        cmocka_unit_test(repeats_at_rest),          cmocka_unit_test(restored_reactions),
        cmocka_unit_test(shapes_under_disturbance), cmocka_unit_test(spheres_under_disturbance),
        cmocka_unit_test(loops_under_disturbance),
    };
    return hf_run_tests(repeats);
}
