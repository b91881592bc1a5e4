// SPDX-License-Identifier: Apache-2.0
// Runs a random machine under one method and hashes what came of it.
#include "trial.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "invariants.h"

// Velocities of slow machines are small numbers, their places are not: the absolute tolerance lies
// between what either would ask for.
static const double SLOW_TOLERANCE = 1e-4;

static double processor_time(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

// FNV-1a.
static uint64_t mix(uint64_t hash, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; ++i) {
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * UINT64_C(1099511628211);
    }
    return hash;
}

// Adds the recorded channels to the hash: a sum, so that their order does not matter.
static void hash_channels(hf_trial *trial, hf_sim *sim)
{
    const hf_model *model = hf_sim_model(sim);
    for (int i = 0; i < hf_model_record_count(model); ++i) {
        char name[200];
        hf_channel channel = hf_model_record_channel(model, i);
        hf_model_channel_name(model, channel, name, sizeof name);
        double value = hf_sim_value(sim, channel), time = hf_sim_time(sim);
        uint64_t hash = mix(UINT64_C(14695981039346656037), name, strlen(name));
        hash = mix(hash, &time, sizeof time);
        trial->hash += mix(hash, &value, sizeof value);
        trial->finite = trial->finite && isfinite(value);
    }
}

static void take_positions(hf_trial *trial, hf_sim *sim, double *at)
{
    const hf_model *model = hf_sim_model(sim);
    trial->positions = 0;
    for (int i = 0; i < hf_model_record_count(model); ++i) {
        char name[200];
        hf_channel channel = hf_model_record_channel(model, i);
        hf_model_channel_name(model, channel, name, sizeof name);
        if (strstr(name, ".position") != NULL && trial->positions < HF_TRIAL_POSITIONS) {
            at[trial->positions++] = hf_sim_value(sim, channel);
        }
    }
}

static void run(hf_trial *trial, hf_sim *sim, const char *text, double duration, double slow)
{
    hf_watch watch;
    enum { EVERY = 5 };
    hf_error error = {0};
    double step = hf_sim_method(sim).step;
    trial->finite = true;
    take_positions(trial, sim, trial->at_start);
    hf_watch_begin(&watch, text, sim, slow);
    for (long long k = 1; (double)k * step <= duration * (1.0 + 1e-9); ++k) {
        trial->status = hf_sim_step(sim, &error);
        if (trial->status < 0) {
            (void)snprintf(trial->why, sizeof trial->why, "%s", error.text);
            break;
        }
        hf_watch_look(&watch, sim);
        if (k % EVERY == 0) {
            hash_channels(trial, sim);
        }
    }
    take_positions(trial, sim, trial->at_end);
    trial->verdict = hf_sim_verdict(sim);
    memcpy(trial->broken, watch.broken, sizeof trial->broken);
}

hf_model *hf_trial_model(const char *text, const char *method, double step, hf_error *error)
{
    const hf_overrides overrides = {.method = method, .step = step};
    return hf_model_parse(text, strlen(text), "random.yaml", NULL, &overrides, error);
}

static hf_trial trial_of(const hf_model *model, const char *text, double duration, double slow)
{
    hf_trial trial = {0};
    hf_error error = {0};
    double start = processor_time();
    hf_sim_def def = hf_sim_def_default(model);
    def.methods[0] = hf_adaptive_methods();
    def.methods[1] = hf_contact_methods();
    // Half the tolerance with half the step
    double finer = def.method.step / slow / 1e-3;
    if (def.method.type == HF_METHOD_ADAPTIVE || def.method.type == HF_METHOD_SWITCH) {
        def.method.rtol = 1e-6 * finer;
        def.method.atol = 1e-9 * finer * (slow > 1.0 ? SLOW_TOLERANCE : 1.0);
    }
    hf_sim *sim = hf_sim_create(model, &def, &error);
    trial.admitted = sim != NULL;
    if (sim == NULL) {
        trial.status = error.status;
        (void)snprintf(trial.why, sizeof trial.why, "%s", error.text);
    } else {
        run(&trial, sim, text, duration, slow);
    }
    hf_sim_destroy(sim);
    trial.seconds = processor_time() - start;
    return trial;
}

hf_trial hf_trial_of(const hf_model *model, const char *text, double duration)
{
    return trial_of(model, text, duration, 1.0);
}

hf_trial hf_trial_run(const char *text, const char *method, double step, double duration)
{
    return hf_trial_run_slowly(text, method, step, duration, 1.0);
}

hf_trial hf_trial_run_slowly(const char *text, const char *method, double step, double duration,
                             double slow)
{
    hf_error error = {0};
    hf_model *model = hf_trial_model(text, method, step * slow, &error);
    hf_trial trial = {.status = error.status};
    if (model == NULL) {
        (void)snprintf(trial.why, sizeof trial.why, "%s", error.text);
    } else {
        trial = trial_of(model, text, duration * slow, slow);
    }
    hf_model_destroy(model);
    return trial;
}
