// SPDX-License-Identifier: Apache-2.0
// How elements of method switch feel each other's forces through bodies that follow others.
#include "adaptive_test.h"

#include <math.h>

// p is stuck to a body that follows m; m is held by friction against a push, and slides from 0.5 s
// on with (9 N - 5 N)/1 kg. What holds p feels what holds m: at first no force, then 2 kg * 4
// m/s^2.
static void followers_feel_what_holds_their_master(void **state)
{
    (void)state;
    hf_model *model = model_of(
        "bodies:\n"
        "  m: {type: mass, dim: 3, mass: 1}\n"
        "  f: {type: driven, dim: 3, follow: m}\n"
        "  p: {type: mass, dim: 3, mass: 2}\n"
        "signals: {push: \"t < 0.5 ? 3 : 9\"}\n"
        "forces:\n"
        "  - {name: shove, on: m, type: force, value: [push, 0, 0]}\n"
        "  - {name: floor, on: m, point: [0, 0, 0], type: friction, law: coulomb, level: 5}\n"
        "  - {name: glue, on: p, to: f, point: [0, 0, 0], to_point: [0, 0, 0],\n"
        "     type: friction, law: coulomb, level: 50}\n");
    hf_sim *sim = sim_with(model, switching(HF_FAMILY_ADAMS, 1e-9, 0.01));
    for (int k = 1; k <= 100; ++k) {
        step(sim);
        double t = hf_sim_time(sim), since = fmax(0.0, t - 0.5);
        bool slides = k > 50;
        hf_check_near(value_of(sim, "p.position.x"), 2.0 * since * since, 1e-7, "p", "closed form");
        hf_check_near(value_of(sim, "m.position.x"), 2.0 * since * since, 1e-7, "m", "closed form");
        if (k != 50) { // the push jumps
            hf_check_near(value_of(sim, "glue.force.x"), slides ? 8.0 : 0.0, 1e-6, "glue",
                          "mass times acceleration");
        }
    }
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(followers_feel_what_holds_their_master),
    };
    return hf_run_tests(tests);
}
