// SPDX-License-Identifier: Apache-2.0
// A spring without stiffness is a damper, and goes where there are rates and no displacements.
#include <hf_machine.h>

#include <math.h>

static const char BALL[] =
    "bodies:\n"
    "  arm: {type: tree, joints: {ball: {type: spherical, mass: 1, inertia: [0.01, 0.01, 0.01],\n"
    "    velocity: [1, -2, 3]}}}\n"
    "forces:\n"
    "  - {name: grease, type: spring, coupling: spin, on: arm.ball, stiffness: %g, damping: "
    "0.02}\n";

// I w' = -c w
static void spin_decays(void **state)
{
    (void)state;
    char text[600];
    (void)snprintf(text, sizeof text, BALL, 0.0);
    hf_model *model = model_of(text);
    hf_sim_def def = hf_sim_def_default(model);
    def.method = (hf_method_def){.type = HF_METHOD_RK4, .step = 1e-3};
    hf_sim *sim = sim_from(model, &def);
    run_until(sim, 0.7);
    const double start[3] = {1.0, -2.0, 3.0};
    for (int i = 0; i < 3; ++i) {
        hf_check_near(hf_sim_velocities(sim)[i], start[i] * exp(-0.02 / 0.01 * 0.7), 1e-11, "spin",
                      "closed form");
    }
    hf_check_near(hf_sim_energy(sim).dissipated, 0.5 * 0.01 * 14.0 * (1.0 - exp(-4.0 * 0.7)), 1e-10,
                  "heat", "closed form");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

static void stiffness_is_refused(void **state)
{
    (void)state;
    char text[600];
    hf_error error = {0};
    int length = snprintf(text, sizeof text, BALL, 5.0);
    hf_model *model = hf_model_parse(text, (size_t)length, "ball", NULL, NULL, &error);
    assert_null(model);
    assert_non_null(strstr(error.text, "with stiffness 0 it is a damper"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(spin_decays),
                                       cmocka_unit_test(stiffness_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
