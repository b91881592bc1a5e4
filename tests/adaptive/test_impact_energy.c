// SPDX-License-Identifier: Apache-2.0
// Impacts with friction never gain energy. Newton's restitution with Coulomb's law in impulses
// would where friction turns the sliding around: Kane and Levinson's double pendulum does, and rods
// that meet the floor with their ends. The restitution of such an impact is lessened.
#include "adaptive_test.h"

#include <math.h>

enum { TRIALS = 60, TEXT = 1024 };

// A double pendulum above a floor, with random poses and speeds; the tip is on its way down.
static const char *pendulum(char text[TEXT], hf_rng *rng)
{
    double upper = hf_rng_uniform(rng, 0.2, 0.6), lower = hf_rng_uniform(rng, 0.1, 0.6);
    double height = cos(upper) + cos(upper + lower) + 0.02;
    (void)snprintf(text, TEXT,
                   "gravity: [0, 0, -9.81]\n"
                   "bodies:\n"
                   "  arm:\n"
                   "    type: tree\n"
                   "    joints:\n"
                   "      upper: {type: revolute, axis: [0, 1, 0], offset: [0, 0, %.6f], mass: 1,\n"
                   "        center: [0, 0, -0.5], inertia: [0.0833, 0.0833, 0.001],\n"
                   "        position: %.6f, velocity: %.6f}\n"
                   "      lower: {type: revolute, parent: upper, axis: [0, 1, 0], mass: 1,\n"
                   "        offset: [0, 0, -1], center: [0, 0, -0.5],\n"
                   "        inertia: [0.0833, 0.0833, 0.001], position: %.6f, velocity: %.6f}\n"
                   "forces:\n"
                   "  - {name: tip, on: arm.lower, point: [0, 0, -1], type: contact,\n"
                   "     law: rigid-contact, restitution: %.6f, friction: %.6f}\n",
                   height, upper, hf_rng_uniform(rng, -4.0, -1.0), lower,
                   hf_rng_uniform(rng, -6.0, 2.0), hf_rng_uniform(rng, 0.3, 0.9),
                   hf_rng_uniform(rng, 0.2, 1.0));
    return text;
}

static void pendulums(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(61);
    long long impacts = 0;
    for (int i = 0; i < TRIALS; ++i) {
        char text[TEXT];
        hf_model *model = model_of(pendulum(text, &rng));
        hf_sim *sim = sim_with(model, switching(HF_FAMILY_ADAMS, 1e-8, 0.01));
        double heat = 0.0;
        for (int k = 0; k < 60; ++k) {
            step(sim);
            hf_energy energy = hf_sim_energy(sim);
            hf_check_below(heat - energy.dissipated, 1e-9, "energy gained in impacts", "none");
            hf_check_below(energy.kinetic + energy.potential, energy.start + 1e-4, "energy",
                           "that of the start");
            heat = energy.dissipated;
        }
        hf_sim_stats stats = hf_sim_get_stats(sim);
        impacts += stats.events;
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
    assert_true(impacts > TRIALS / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pendulums)};
    return hf_run_tests(tests);
}
