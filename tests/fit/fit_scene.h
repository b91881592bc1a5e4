// SPDX-License-Identifier: Apache-2.0
// Logs with known truth: a machine of a text is simulated, and noise is added to what it measures.
#ifndef HF_TESTS_FIT_SCENE_H
#define HF_TESTS_FIT_SCENE_H

#include <math.h>
#include <string.h>

#include <holdfast/fit.h>

#include "hf_test.h"

static inline hf_fit_machine *scene_machine(const char *text)
{
    hf_error error = {0};
    hf_fit_machine *machine =
        hf_fit_machine_create(text, strlen(text), "scene.yaml", NULL, NULL, &error);
    if (machine == NULL) {
        fail_msg("%s", error.text);
    }
    return machine;
}

// A force with many frequencies, which changes every 5 ms: what the drive was told.
static inline double scene_drive(double t)
{
    t = 0.005 * floor(t / 0.005 + 1e-9);
    return 6.0 * sin(2.0 * t) + 4.0 * sin(5.3 * t + 1.0) + 3.0 * sin(11.0 * t);
}

// The log of a machine with the input `drive` that measures `channel`, `seconds` long, a row every
// 5 ms; noise of this deviation on the measurement. `colour` 0 to 1: how much a sample of a
// disturbance of the force, of the size `rough`, keeps of the one before.
static inline hf_fit_log *scene_log(hf_fit_machine *machine, const double *values,
                                    const char *channel, double seconds, double noise, double rough,
                                    double colour, hf_rng *rng)
{
    static const char *const names[] = {"u", "y"};
    long long rows = (long long)round(seconds / 0.005) + 1;
    hf_fit_log *log = hf_fit_log_create("scene.csv", rows, names, 2);
    hf_error error = {0};
    hf_spec *spec = hf_fit_machine_make(machine, values, &error);
    hf_model *model = spec == NULL ? NULL : hf_model_compile(spec, &error);
    hf_sim *sim = model == NULL ? NULL : hf_sim_create(model, NULL, &error);
    if (sim == NULL) {
        fail_msg("%s", error.text);
    }
    hf_signal drive = hf_model_find_signal(model, "drive");
    hf_channel y = hf_model_find_channel(model, channel);
    double disturbance = 0.0;
    for (long long k = 0; k < rows; ++k) {
        double t = 0.005 * (double)k;
        assert_true(hf_sim_advance(sim, t, false, &error) == HF_OK);
        disturbance =
            colour * disturbance + sqrt(1.0 - colour * colour) * rough * hf_rng_normal(rng);
        log->time[k] = t;
        log->columns[0][k] = scene_drive(t);
        log->columns[1][k] = hf_sim_value(sim, y) + noise * hf_rng_normal(rng);
        hf_sim_set_input(sim, drive, log->columns[0][k] + disturbance);
    }
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    hf_spec_destroy(spec);
    return log;
}

#endif
