// SPDX-License-Identifier: Apache-2.0
// Machines at rest: steps that are not computed again have the bits of steps that are, whatever
// disturbs the machine in between.
#include "contact_test.h"
#include "methods/timestep/timestep.h"

enum { TEXT = 6000, PIECES = 900 };

// The same machine twice: `quiet` may repeat its steps, `busy` computes every one.
typedef struct twins {
    hf_model *model;
    hf_sim *quiet, *busy;
    char *states[2];
    long long taken; // by sims that are no longer
} twins;

static void keep_busy(twins *t)
{
    hf_timestep_of(t->busy)->repeat.possible = false;
}

static twins twins_of(const char *text)
{
    twins t = {.model = model_of(text)};
    hf_sim_def def = hf_sim_def_default(t.model);
    def.methods[0] = hf_contact_methods();
    t.quiet = sim_from(t.model, &def);
    t.busy = sim_from(t.model, &def);
    for (int k = 0; k < 2; ++k) {
        t.states[k] = calloc(1, hf_sim_save_size(t.quiet));
        assert_non_null(t.states[k]);
    }
    keep_busy(&t);
    return t;
}

static long long taken(const twins *t)
{
    assert_int_equal(hf_timestep_of(t->busy)->repeat.taken, 0);
    return t->taken + hf_timestep_of(t->quiet)->repeat.taken;
}

static void close_twins(twins *t)
{
    free(t->states[0]);
    free(t->states[1]);
    hf_sim_destroy(t->quiet);
    hf_sim_destroy(t->busy);
    hf_model_destroy(t->model);
}

// All that a saved state has: bodies, reactions, tallies, counters.
static void compare(twins *t, int piece)
{
    size_t size = hf_sim_save_size(t->quiet);
    hf_sim_save(t->quiet, t->states[0]);
    hf_sim_save(t->busy, t->states[1]);
    for (size_t i = 0; i < size; ++i) {
        if (t->states[0][i] != t->states[1][i]) {
            fail_msg("piece %d, t = %g s: byte %zu of %zu of the saved states differs", piece,
                     hf_sim_time(t->quiet), i, size);
        }
    }
}

static void compare_channels(twins *t)
{
    for (int id = 1; id <= hf_model_channel_count(t->model); ++id) {
        hf_check_same_bits(hf_sim_value(t->quiet, (hf_channel){id}),
                           hf_sim_value(t->busy, (hf_channel){id}), "channel");
    }
}

static void compare_contacts(twins *t)
{
    enum { ROOM = 400 };
    static hf_contact_view a[ROOM], b[ROOM];
    int count = hf_sim_contacts(t->quiet, a, ROOM);
    assert_int_equal(count, hf_sim_contacts(t->busy, b, ROOM));
    for (int i = 0; i < count && i < ROOM; ++i) {
        hf_check_same_bits(a[i].push.x, b[i].push.x, "contact force");
        hf_check_same_bits(a[i].push.z, b[i].push.z, "contact force");
        hf_check_same_bits(a[i].gap, b[i].gap, "gap");
    }
}

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
// Disturbances

static hf_body a_body(const twins *t, hf_rng *rng)
{
    hf_body body;
    do {
        body.id = hf_rng_int(rng, 1, hf_model_get_info(t->model).bodies);
    } while (hf_model_body_info(t->model, body).type != HF_BODY_RIGID);
    return body;
}

// One of all that may happen between steps, to both.
static void disturb(twins *t, hf_rng *rng)
{
    hf_error error = {0};
    hf_sim *sims[2] = {t->quiet, t->busy};
    hf_body body = a_body(t, rng);
    hf_signal push = hf_model_find_signal(t->model, "push");
    size_t size = hf_sim_save_size(t->quiet);
    double numbers[7], value = hf_rng_uniform(rng, -20.0, 20.0);
    int what = hf_rng_int(rng, 0, 7);
    if (what == 5) { // before anything else touches them
        hf_sim_save(t->quiet, t->states[0]);
    }
    for (int k = 0; k < 2; ++k) {
        hf_sim *sim = sims[k];
        switch (what) {
        case 0:
            hf_sim_set_input(sim, push, value);
            break;
        case 1: // the value that it has
            hf_sim_set_input(sim, push, hf_sim_signal(sim, push));
            break;
        case 2:
            memcpy(numbers, hf_sim_velocity(sim, body), 6 * sizeof *numbers);
            numbers[0] += 0.002 * value;
            assert_int_equal(hf_sim_set_velocity(sim, body, numbers, &error), HF_OK);
            break;
        case 3:
            memcpy(numbers, hf_sim_position(sim, body), 7 * sizeof *numbers);
            numbers[2] += 0.01;
            assert_int_equal(hf_sim_set_position(sim, body, numbers, &error), HF_OK);
            break;
        case 4:
            (void)hf_sim_energy(sim);
            break;
        case 5:
            assert_int_equal(hf_sim_restore(sim, t->states[0], size, &error), HF_OK);
            break;
        case 6:
            t->taken += k == 0 ? hf_timestep_of(sim)->repeat.taken : 0;
            assert_int_equal(
                hf_sim_set_parameter(sim, "touch.friction", 0.5 + 0.01 * value, &error), HF_OK);
            break;
        default: // a piece of a step
            assert_int_equal(hf_sim_advance(sim, hf_sim_time(sim) + 7e-4, false, &error), HF_OK);
        }
    }
    keep_busy(t);
}

static void disturbed_at_random(const char *format, int threads)
{
    char text[TEXT];
    hf_rng rng = hf_rng_create(5);
    twins t = twins_of(with_threads(text, format, threads));
    for (int piece = 0; piece < PIECES; ++piece) {
        step(t.quiet);
        step(t.busy);
        compare(&t, piece);
        if (piece % 50 == 17) {
            compare_channels(&t);
            compare_contacts(&t);
        }
        if (piece > 200 && hf_rng_int(&rng, 0, 59) == 0) {
            disturb(&t, &rng);
        }
    }
    // Pushes keep it from resting about half of the time
    hf_check_below(PIECES / 5.0, (double)taken(&t), "a fifth of the steps",
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
            step(t.quiet);
            step(t.busy);
            compare(&t, i);
        }
        hf_check_near((double)taken(&t), repeated[k], 10.0, "steps that were repeated", "rest");
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
    compare(&t, 0);
    compare_contacts(&t);
    hf_check_below(50.0, (double)taken(&t), "50", "steps that were repeated");
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
