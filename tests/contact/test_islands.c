// SPDX-License-Identifier: Apache-2.0
// Islands of contacts: the same bits for any number of threads, the motion of one problem to its
// tolerance, no allocation once there is room, and rest that is exact.
#include <hf_machine.h>

#include <holdfast/fc3d.h>

enum { TEXT = 6000, HEAPS = 5, IN_HEAP = 4 };

// Heaps far from each other, of unlike shapes and masses; friction of all kinds.
static const char *heaps(char text[TEXT], int threads, double tolerance)
{
    static const char *const shapes[] = {
        "{type: box, size: [0.2, 0.2, 0.1]}", "{type: sphere, radius: 0.08}",
        "{type: cylinder, radius: 0.1, length: 0.1}", "{type: capsule, radius: 0.06, length: 0.1}"};
    hf_rng rng = hf_rng_create(11);
    int length = snprintf(text, TEXT,
                          "gravity: [0, 0, -9.81]\n"
                          "method: {type: timestep, step: 2e-3, tolerance: %g%s%.0d}\n"
                          "bodies:\n"
                          "  ground: {type: static, shape: {type: plane}}\n",
                          tolerance, threads > 0 ? ", threads: " : "", threads);
    for (int i = 0; i < HEAPS * IN_HEAP; ++i) {
        double mass = hf_rng_log_uniform(&rng, 0.1, 10.0);
        length += snprintf(text + length, (size_t)(TEXT - length),
                           "  b%02d: {type: rigid, mass: %.3f, shape: %s, position: [%.3f, %.3f, "
                           "%.3f]}\n",
                           i, mass, shapes[i % 4],
                           2.0 * (i / IN_HEAP) + hf_rng_uniform(&rng, -0.02, 0.02),
                           hf_rng_uniform(&rng, -0.02, 0.02), 0.12 + 0.21 * (i % IN_HEAP));
    }
    (void)snprintf(text + length, (size_t)(TEXT - length),
                   "forces:\n"
                   "  - {name: all, type: collide, among: all, friction: 0.5,\n"
                   "     spin_friction: 2e-3, rolling_friction: 1e-2}\n");
    return text;
}

static void same_bits_for_any_number(void **state)
{
    (void)state;
    char text[TEXT];
    hf_sim *sims[3];
    hf_model *models[3];
    const int threads[3] = {1, 2, 7};
    for (int k = 0; k < 3; ++k) {
        models[k] = model_of(heaps(text, threads[k], 1e-6));
        sims[k] = sim_from(models[k], NULL);
    }
    for (int i = 0; i < 400; ++i) {
        for (int k = 0; k < 3; ++k) {
            step(sims[k]);
        }
        const double *x = hf_sim_positions(sims[0]);
        for (int c = 0; c < hf_model_get_info(models[0]).coordinates; ++c) {
            hf_check_same_bits(hf_sim_positions(sims[1])[c], x[c], "coordinate, 2 threads");
            hf_check_same_bits(hf_sim_positions(sims[2])[c], x[c], "coordinate, 7 threads");
        }
    }
    for (int k = 0; k < 3; ++k) {
        hf_sim_destroy(sims[k]);
        hf_model_destroy(models[k]);
    }
}

static void motion_of_strict_steps(void **state)
{
    (void)state;
    char text[TEXT];
    hf_model *whole = model_of(heaps(text, 0, 1e-11)), *parts = model_of(heaps(text, 2, 1e-8));
    hf_sim *a = sim_from(whole, NULL), *b = sim_from(parts, NULL);
    double largest = 0.0;
    for (int i = 0; i < 120; ++i) { // the heaps have met the ground and themselves
        step(a);
        step(b);
        for (int c = 0; c < hf_model_get_info(whole).coordinates; ++c) {
            largest = fmax(largest, fabs(hf_sim_positions(a)[c] - hf_sim_positions(b)[c]));
        }
    }
    hf_check_below(largest, 1e-5, "coordinates", "solved a thousand times better");
    assert_int_equal(hf_sim_get_stats(b).unsolved_steps, 0);
    hf_sim_destroy(a);
    hf_sim_destroy(b);
    hf_model_destroy(whole);
    hf_model_destroy(parts);
}

// A ball wrecks a wall: bricks slide, topple and fly in islands of all sizes, at other scales than
// the whole. What counts as solved is the whole, with one weight for all: a step's residual is
// never above the tolerance. Sweeps are not what solves most of these steps.
static void a_wrecked_wall_is_solved_as_a_whole(void **state)
{
    (void)state;
    hf_model *model = model_of(
        "gravity: [0, 0, -9.81]\n"
        "method: {type: timestep, step: 2e-3, tolerance: 1e-5}\n"
        "bodies:\n"
        "  ground: {type: static, shape: {type: plane}}\n"
        "  brick: {type: rigid, mass: 2, shape: {type: box, size: [0.2, 0.1, 0.1]},\n"
        "    position: [-0.55, 0, 0.05], repeat: {count: [6, 1, 10],\n"
        "    spacing: [0.205, 0.105, 0.1], stagger: [0.08, 0, 0]}}\n"
        "  ball: {type: rigid, mass: 20, shape: {type: sphere, radius: 0.15},\n"
        "    position: [0, -0.5, 0.55], velocity: [0, 6, 0]}\n"
        "forces:\n"
        "  - {name: contacts, type: collide, among: all, friction: 0.6, restitution: 0}\n");
    hf_sim *sim = sim_from(model, NULL);
    hf_sim_stats stats = {0};
    for (int i = 0; i < 250; ++i) {
        step(sim);
        stats = hf_sim_get_stats(sim);
        assert_int_equal(stats.unsolved_steps, 0);
        assert_true(stats.residual <= 1e-5);
    }
    assert_true(stats.solved_by[HF_FC3D_PROXIMAL] > 50);
    assert_true(stats.most_iterations < 1000);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

static void rests_without_allocating(void **state)
{
    (void)state;
    char text[TEXT];
    hf_model *model = model_of(heaps(text, 2, 1e-6));
    hf_sim *sim = sim_from(model, NULL);
    for (int i = 0; i < 1500; ++i) {
        step(sim);
    }
    // A sim that has been there allocates nothing, and what lies does not move by a bit
    int count = hf_model_get_info(model).coordinates, moved = 0;
    double *before = calloc((size_t)count, sizeof *before);
    assert_non_null(before);
    memcpy(before, hf_sim_positions(sim), (size_t)count * sizeof *before);
    long long allocations = hf_test_allocations();
    for (int i = 0; i < 100; ++i) {
        step(sim);
    }
    hf_check_below((double)(hf_test_allocations() - allocations), 0.5, "allocations", "none");
    for (int c = 0; c < count; ++c) {
        moved += hf_sim_positions(sim)[c] != before[c] ? 1 : 0;
    }
    assert_int_equal(moved, 0);
    free(before);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest islands[] = {
        cmocka_unit_test(same_bits_for_any_number),
        cmocka_unit_test(motion_of_strict_steps),
        cmocka_unit_test(a_wrecked_wall_is_solved_as_a_whole),
        cmocka_unit_test(rests_without_allocating),
    };
    return hf_run_tests(islands);
}
