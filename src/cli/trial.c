// SPDX-License-Identifier: Apache-2.0
// Loads, runs and measures one machine under one law, method and step, for `holdfast compare`.
#include "cli/trial.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/crew.h"
#include "base/error.h"
#include "cli/model_source.h"
#include <holdfast/record.h>

// Samples kept for figures. Longer runs keep every n-th state, n odd: chatter from step to step
// stays visible.
enum { MOST_SAMPLES = 100000 };
static const double MOST_STEPS = 9e15;

static double cpu_time(void)
{
    struct timespec t = {0};
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static hf_status out_of_memory(hf_cli_trial *t)
{
    return hf_error_set(&t->error, HF_ERROR_MEMORY, "out of memory");
}

static hf_status allocate(hf_cli_trial *t, const hf_model *model, long long samples)
{
    int forces = hf_model_get_info(model).forces, channels = hf_model_record_count(model);
    t->forces = calloc((size_t)forces + 1, sizeof *t->forces);
    t->values = calloc((size_t)channels + 1, sizeof *t->values);
    t->time = calloc((size_t)samples, sizeof *t->time);
    if (t->forces == NULL || t->values == NULL || t->time == NULL) {
        return out_of_memory(t);
    }
    for (int i = 0; i < channels; ++i) {
        hf_channel channel = hf_model_record_channel(model, i);
        hf_cli_value *value = &t->values[i];
        hf_model_channel_name(model, channel, value->name, sizeof value->name);
        (void)snprintf(value->unit, sizeof value->unit, "%s",
                       hf_model_channel_unit(model, channel));
        value->curve = calloc((size_t)samples, sizeof *value->curve);
        t->value_count = i + 1;
        if (value->curve == NULL) {
            return out_of_memory(t);
        }
    }
    return HF_OK;
}

// ------------------------------------------------------------------------------------------------
// Recording, for a page. A recording that fails does not end the run: the page lacks it, and
// unrecorded says why. The first failure counts.

static void note_failure(hf_cli_trial *t, hf_status status, const hf_error *error)
{
    if (status < 0 && t->unrecorded.status >= 0) {
        t->unrecorded = *error;
    }
}

static void open_recording(hf_cli_trial *t, hf_sim *sim, double duration)
{
    if (t->recording == NULL) {
        return;
    }
    hf_record_def def = hf_record_def_default(hf_sim_model(sim));
    def.duration = duration;
    hf_error error = {0};
    (void)pthread_mutex_lock(t->recording_lock);
    t->record = hf_record_create(t->recording, sim, &def, &error);
    (void)pthread_mutex_unlock(t->recording_lock);
    note_failure(t, t->record == NULL ? error.status : HF_OK, &error);
}

static void record_sample(hf_cli_trial *t, hf_sim *sim)
{
    if (t->record != NULL) {
        hf_error error = {0};
        (void)pthread_mutex_lock(t->recording_lock);
        hf_status status = hf_record_sample(t->record, sim, &error);
        (void)pthread_mutex_unlock(t->recording_lock);
        note_failure(t, status, &error);
    }
}

// For hf_sim_def.on_event.
static void record_event(void *context, const hf_event *event)
{
    hf_cli_trial *t = context;
    if (t->record != NULL) {
        hf_error error = {0};
        (void)pthread_mutex_lock(t->recording_lock);
        hf_status status = hf_record_event(t->record, event, &error);
        (void)pthread_mutex_unlock(t->recording_lock);
        note_failure(t, status, &error);
    }
}

static void close_recording(hf_cli_trial *t)
{
    if (t->record != NULL) {
        hf_error error = {0};
        (void)pthread_mutex_lock(t->recording_lock);
        hf_status status = hf_record_close(t->record, &error);
        (void)pthread_mutex_unlock(t->recording_lock);
        note_failure(t, status, &error);
        t->record = NULL;
    }
}

// ------------------------------------------------------------------------------------------------
// Running

static void sample(hf_cli_trial *t, hf_sim *sim)
{
    record_sample(t, sim);
    const hf_model *model = hf_sim_model(sim);
    t->time[t->samples] = hf_sim_time(sim);
    for (int i = 0; i < t->value_count; ++i) {
        t->values[i].curve[t->samples] = hf_sim_value(sim, hf_model_record_channel(model, i));
    }
    t->samples += 1;
}

// Keeps the larger drift and its unit. A NaN gives way.
static void take_drift(hf_cli_trial *t, const hf_model *model, const hf_cli_force_result *force)
{
    double drift = force->hold.drift;
    if (!(drift > t->drift) && !(isnan(t->drift) && !isnan(drift))) {
        return;
    }
    char name[HF_CLI_NAME_SIZE + 8];
    (void)snprintf(name, sizeof name, "%s.rate", force->name);
    hf_channel rate = hf_model_find_channel(model, name);
    t->drift = drift;
    // Rates of several axes (rate.x, ...) are of points: metres.
    (void)snprintf(t->drift_unit, sizeof t->drift_unit, "%s",
                   rate.id == 0 ? "m/s" : hf_model_channel_unit(model, rate));
}

static void collect(hf_cli_trial *t, hf_sim *sim, hf_cli_watch *watch)
{
    const hf_model *model = hf_sim_model(sim);
    hf_cli_watch_end(watch);
    t->end = hf_sim_time(sim);
    t->stats = hf_sim_get_stats(sim);
    t->energy = hf_sim_energy(sim);
    t->verdict = hf_sim_verdict(sim);
    t->drift = (double)NAN;
    for (int i = 0; i < t->value_count; ++i) {
        t->values[i].value = hf_sim_value(sim, hf_model_record_channel(model, i));
    }
    for (int id = 1; id <= hf_model_get_info(model).forces; ++id) {
        hf_cli_hold hold = hf_cli_watch_hold(watch, (hf_force){id});
        hf_force_stats stats = hf_sim_force_stats(sim, (hf_force){id});
        if (stats.friction) { // also of many contacts, which have no drift of their own
            t->largest_force = fmax(t->largest_force, stats.largest_force);
        }
        if (!hold.friction) {
            continue;
        }
        hf_cli_force_result *force = &t->forces[t->force_count++];
        (void)snprintf(force->name, sizeof force->name, "%s",
                       hf_model_force_name(model, (hf_force){id}));
        force->stats = stats;
        force->hold = hold;
        take_drift(t, model, force);
        t->chatter += hold.chatter;
    }
}

static void find_stable_step(hf_cli_trial *t, hf_sim *sim)
{
    t->smallest_stable_step = INFINITY;
    for (int id = 1; id <= hf_model_get_info(hf_sim_model(sim)).forces; ++id) {
        hf_stability stability = hf_sim_stability(sim, (hf_force){id});
        t->smallest_stable_step = fmin(t->smallest_stable_step, stability.largest_step);
    }
}

static hf_status step_through(hf_cli_trial *t, hf_sim *sim, hf_cli_watch *watch, long long steps,
                              long long stride)
{
    hf_status status = HF_OK;
    double start = cpu_time();
    sample(t, sim);
    for (long long k = 1; k <= steps && status == HF_OK; ++k) {
        status = hf_sim_step(sim, &t->error);
        if (status != HF_OK) {
            break;
        }
        hf_cli_watch_step(watch, sim);
        if (k % stride == 0 || k == steps) {
            sample(t, sim);
        }
    }
    t->cpu_seconds = cpu_time() - start;
    collect(t, sim, watch);
    return status;
}

static hf_status run_sim(hf_cli_trial *t, hf_sim *sim)
{
    const hf_model *model = hf_sim_model(sim);
    double duration = isnan(t->duration) ? hf_model_duration(model) : t->duration;
    double steps = round(duration / hf_sim_method(sim).step);
    if (!(steps >= 1.0 && steps < MOST_STEPS)) {
        return hf_error_set(&t->error, HF_ERROR_RANGE,
                            "%g s in steps of %g s: expected at least one step, and fewer than "
                            "%g",
                            duration, hf_sim_method(sim).step, MOST_STEPS);
    }
    t->used = hf_sim_method(sim);
    long long stride = 1 + 2 * ((long long)steps / MOST_SAMPLES / 2 + 1);
    stride = steps <= MOST_SAMPLES ? 1 : stride;
    HF_TRY(allocate(t, model, (long long)steps / stride + 3));
    find_stable_step(t, sim);
    hf_sim_reset(sim);
    hf_cli_watch *watch = hf_cli_watch_create(sim);
    if (watch == NULL) {
        return out_of_memory(t);
    }
    t->created = true;
    open_recording(t, sim, duration);
    hf_status status = step_through(t, sim, watch, (long long)steps, stride);
    close_recording(t);
    hf_cli_watch_destroy(watch);
    return status;
}

void hf_cli_trial_run(hf_cli_trial *t)
{
    t->overrides.law = t->law.law == NULL ? NULL : &t->law;
    t->overrides.method = t->method;
    t->overrides.dropped = t->dropped;
    t->overrides.dropped_size = sizeof t->dropped;
    t->overrides.step = isnan(t->step) ? 0.0 : t->step;
    hf_model *model = hf_cli_try_model(t->model, &t->overrides, &t->error);
    if (model == NULL) {
        t->status = t->error.status < 0 ? t->error.status : HF_ERROR_INPUT;
        return;
    }
    hf_sim_def def = hf_cli_sim_def(model);
    t->used = def.method;
    def.on_event = record_event;
    def.event_context = t;
    hf_sim *sim = hf_sim_create(model, &def, &t->error);
    t->status = sim == NULL ? t->error.status : run_sim(t, sim);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// ------------------------------------------------------------------------------------------------
// Threads

typedef struct trials {
    hf_cli_trial *items;
} trials;

static bool work(void *context, int worker, long long index)
{
    (void)worker;
    hf_cli_trial_run(&((trials *)context)->items[index]);
    return true;
}

void hf_cli_trials_run(hf_cli_trial *items, int count, int threads)
{
    trials all = {items};
    hf_crew crew = {.count = count, .work = work, .context = &all};
    (void)hf_crew_run(&crew, threads);
}

void hf_cli_trial_free(hf_cli_trial *t)
{
    for (int i = 0; i < t->value_count; ++i) {
        free(t->values[i].curve);
    }
    free(t->values);
    free(t->forces);
    free(t->time);
}
