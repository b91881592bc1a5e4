// SPDX-License-Identifier: Apache-2.0
// Method timestep: what has come to rest stays where it is, to the bit, in whatever pose.
#include "contact_test.h"

enum { TRIALS = 12, TEXT = 2048 };

static const char *const shapes[] = {
    "{type: box, size: [0.2, 0.13, 0.08]}",
    "{type: cylinder, radius: 0.05, length: 0.12}",
    "{type: capsule, radius: 0.04, length: 0.1}",
    "{type: sphere, radius: 0.06}",
};

// Thrown on a plane, turned at random. Friction of rolling ends what would roll for ever.
static const char *thrown(char text[TEXT], hf_rng *rng, const char *shape)
{
    double v[9];
    for (int i = 0; i < 9; ++i) {
        v[i] = hf_rng_normal(rng);
    }
    (void)snprintf(
        text, TEXT,
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  ground: {type: static, shape: {type: plane}}\n"
        "  thing: {type: rigid, mass: 0.7, shape: %s, position: [0.1, 0.2, 0.3],\n"
        "    orientation: [%.6f, %.6f, %.6f, %.6f], velocity: [%.6f, %.6f, 0],\n"
        "    angular_velocity: [%.6f, %.6f, %.6f]}\n"
        "forces:\n"
        "  - {name: contacts, type: collide, among: all, friction: 0.5, restitution: 0,\n"
        "     spin_friction: 5e-3, rolling_friction: 5e-3}\n",
        shape, v[0], v[1], v[2], v[3], 0.3 * v[4], 0.3 * v[5], 3.0 * v[6], 3.0 * v[7], 3.0 * v[8]);
    return text;
}

// A unit quaternion is one but for rounding: dividing by its norm in every step would turn a body
// at rest to and fro by the last bit.
static void poses_stay(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(20250321);
    for (int i = 0; i < TRIALS; ++i) {
        char text[TEXT];
        double at_rest[7];
        hf_model *model = model_of(thrown(text, &rng, shapes[i % 4]));
        hf_sim *sim = sim_with(model, timestep(2e-3));
        const double *pose = hf_sim_position(sim, hf_model_find_body(model, "thing"));
        run_until(sim, 4.0);
        hf_check_same_bits(value_of(sim, "energy.kinetic"), 0.0, "kinetic energy");
        memcpy(at_rest, pose, sizeof at_rest);
        for (int k = 0; k < 50; ++k) {
            step(sim);
            for (int j = 0; j < 7; ++j) {
                hf_check_same_bits(pose[j], at_rest[j], "position and orientation");
            }
        }
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(poses_stay),
    };
    return hf_run_tests(tests);
}
