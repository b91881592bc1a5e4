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

// ------------------------------------------------------------------------------------------------
// A fit of logs with the input u of `drive` that measure block.position as y

typedef struct scene {
    hf_fit_machine *machine;
    hf_fit_parameter parameters[8];
    int count;
    const hf_fit_log *logs[16]; // of the scene
    int log_count, judge_count; // fitted to; behind them those that judge
    hf_fit_input input;
    hf_fit_match match;
    hf_fit_def def;
} scene;

static inline scene scene_begin(const char *text)
{
    return (scene){.machine = scene_machine(text),
                   .input = {.signal = "drive", .expression = "u"},
                   .match = {.channel = "block.position", .expression = "y"},
                   .def = hf_fit_def_default()};
}

static inline void scene_end(scene *s)
{
    for (int i = 0; i < s->log_count + s->judge_count; ++i) {
        hf_fit_log_destroy((hf_fit_log *)(uintptr_t)s->logs[i]);
    }
    hf_fit_machine_destroy(s->machine);
}

static inline void scene_free(scene *s, const char *name, double start)
{
    hf_error error = {0};
    hf_fit_parameter *p = &s->parameters[s->count];
    if (hf_fit_machine_free(s->machine, name, p, 1, &error) != 1) {
        fail_msg("%s: %s", name, error.text);
    }
    p->start = start;
    s->count += 1;
}

// The fit of the scene as it is. NULL on error.
static inline hf_fit *scene_create(scene *s, hf_error *error)
{
    s->def.make = s->def.make == NULL ? hf_fit_machine_make : s->def.make;
    s->def.context = s->machine;
    s->def.logs = s->logs;
    s->def.log_count = s->log_count;
    s->def.validation_count = s->judge_count;
    s->def.inputs = &s->input;
    s->def.input_count = 1;
    s->def.matches = &s->match;
    s->def.match_count = 1;
    s->def.parameters = s->parameters;
    s->def.parameter_count = s->count;
    return hf_fit_create(&s->def, error);
}

static inline hf_fit *scene_run(scene *s)
{
    hf_error error = {0};
    hf_fit *fit = scene_create(s, &error);
    if (fit == NULL || hf_fit_run(fit, &error) != HF_OK) {
        fail_msg("%s", error.text);
    }
    return fit;
}

// Whether a message of the fit has these words.
static inline bool scene_says(const hf_fit *fit, const char *words)
{
    for (int i = 0; hf_fit_message(fit, i) != NULL; ++i) {
        if (strstr(hf_fit_message(fit, i), words) != NULL) {
            return true;
        }
    }
    return false;
}

#endif
