// SPDX-License-Identifier: Apache-2.0
// The oscillator of [Farhat2010], (10), read from its files: at rest from t = pi on, at x = -0.75.
#include <hf_test.h>
#include <holdfast/holdfast.h>

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

// Runs a variant as far as it goes; its status.
static hf_status run(const char *variant, hf_sim_stats *stats, double *time, double *position,
                     hf_error *error)
{
    const hf_overrides overrides = {.variant = variant};
    hf_spec *spec = hf_spec_load(HF_SOURCE_DIR "/examples/oscillator-sgn.yaml", &overrides, error);
    hf_model *model = spec == NULL ? NULL : hf_model_compile(spec, error);
    hf_sim *sim = model == NULL ? NULL : hf_sim_create(model, NULL, error);
    hf_spec_destroy(spec);
    if (sim == NULL) {
        fail_msg("%s", error->text);
    }
    hf_status status = HF_OK;
    for (int k = 0; k < 1000 && status == HF_OK; ++k) {
        status = hf_sim_step(sim, error);
    }
    *stats = hf_sim_get_stats(sim);
    *time = hf_sim_time(sim);
    *position = hf_sim_value(sim, hf_model_find_channel(model, "block.position"));
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    return status;
}

// Friction as a set passes through the stop in a few steps; as sgn(v) the same integrator gets to
// the stop as well, but not beyond it, and says why.
static void sgn_stalls(void **state)
{
    (void)state;
    hf_sim_stats set, sgn;
    hf_error error = {0};
    double time, position;
    assert_int_equal(run("set", &set, &time, &position, &error), HF_OK);
    hf_check_below(fabs(time - 10.0), 1e-9, "time", "set");
    hf_check_below(fabs(position + 0.75), 1e-7, "position", "set");
    hf_check_below((double)set.internal_steps, 100.0, "internal steps", "set");

    assert_int_equal(run("sgn", &sgn, &time, &position, &error), HF_ERROR_CONVERGENCE);
    assert_non_null(strstr(error.text, "too many internal steps"));
    hf_check_below(fabs(time - PI), 2e-3, "time", "sgn");
    hf_check_below(fabs(position + 0.75), 1e-5, "position", "sgn");
    assert_true(sgn.internal_steps > 1000 * set.internal_steps);
    assert_true(sgn.evaluations > 1000 * set.evaluations);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sgn_stalls)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
