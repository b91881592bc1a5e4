// SPDX-License-Identifier: Apache-2.0
// One run seen by a program of observe.h. Means are over time, by the trapezoidal rule between
// samples; extremes, first times and counts are those of the samples.
//
// The limit cycle is judged over the second half of the time that counts. Its level is the middle
// of the extremes there; the signal crosses it upwards when it comes from below by a tenth of its
// amplitude to above by as much. Crossing times are interpolated; the period is their mean
// distance, NaN with fewer than three.
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "sweep/observe.h"

enum { MOST_KEPT = 1 << 18 }; // samples for a limit cycle; beyond, every second is dropped

typedef struct state {
    double value, before; // at this sample, at the last one
    double sum, low, high, first;
    long long count;
    bool was;
    double *kept; // [capacity] for limit cycles; NULL until needed
} state;

struct hf_watcher {
    const hf_observe *observe;
    hf_channel_slot *slots;                    // of the channels
    hf_force *forces;                          // of the gathers
    double variables[HF_EXPRESSION_MAX_SLOTS]; // channels, and t in the last
    double gathered[HF_EXPRESSION_MAX_SLOTS];
    state *states;
    double *times; // of kept samples
    long long kept, stride, skipped;
    size_t capacity;
    double after, middle; // times from which samples count, and those of limit cycles [s]
    double last, begun;   // times of the last and the first sample that counted [s]
    int *sampled;         // gathers whose expressions are evaluated at every sample
    int sampled_count;
    bool any, samples, plain, cycles;
};

static bool is_cycle(hf_gather_kind kind)
{
    return kind == HF_GATHER_PERIOD || kind == HF_GATHER_AMPLITUDE;
}

hf_watcher *hf_watcher_create(const hf_observe *observe)
{
    hf_watcher *w = calloc(1, sizeof *w);
    if (w == NULL) {
        return NULL;
    }
    w->observe = observe;
    w->slots = calloc((size_t)observe->channel_count + 1, sizeof *w->slots);
    w->forces = calloc((size_t)observe->gather_count + 1, sizeof *w->forces);
    w->states = calloc((size_t)observe->gather_count + 1, sizeof *w->states);
    w->sampled = calloc((size_t)observe->gather_count + 1, sizeof *w->sampled);
    if (w->slots == NULL || w->forces == NULL || w->states == NULL || w->sampled == NULL) {
        hf_watcher_destroy(w);
        return NULL;
    }
    for (int i = 0; i < observe->gather_count; ++i) {
        hf_gather_kind kind = observe->gathers[i].kind;
        if (kind > HF_GATHER_FINAL && kind < HF_GATHER_STICK) {
            w->sampled[w->sampled_count++] = i;
            w->samples = true;
        }
        w->cycles = w->cycles || is_cycle(kind);
    }
    return w;
}

void hf_watcher_destroy(hf_watcher *w)
{
    if (w == NULL) {
        return;
    }
    for (int i = 0; w->states != NULL && i < w->observe->gather_count; ++i) {
        free(w->states[i].kept);
    }
    free(w->states);
    free(w->slots);
    free(w->forces);
    free(w->sampled);
    free(w->times);
    free(w);
}

bool hf_watcher_samples(const hf_watcher *watcher)
{
    return watcher->samples;
}

hf_status hf_watcher_begin(hf_watcher *w, hf_sim *sim, double after, double end, hf_error *error)
{
    const hf_observe *o = w->observe;
    const hf_model *model = hf_sim_model(sim);
    w->plain = true;
    // Where each channel is read
    for (int i = 0; i < o->channel_count; ++i) {
        hf_channel channel = hf_model_find_channel(model, o->channels[i]);
        if (channel.id == 0) {
            return hf_error_set(error, HF_ERROR_NAME, "there is no channel '%.100s' in this case",
                                o->channels[i]);
        }
        w->slots[i] = hf_model_channel_slot(model, channel);
        if (w->slots[i].home == HF_IN_VALUES) {
            w->slots[i].index = channel.id - 1;
            w->plain = false;
        }
    }
    // What is gathered, from nothing
    for (int i = 0; i < o->gather_count; ++i) {
        const char *force = o->gathers[i].force;
        w->forces[i] = force == NULL ? (hf_force){0} : hf_model_find_force(model, force);
        if (force != NULL && w->forces[i].id == 0) {
            return hf_error_set(error, HF_ERROR_NAME, "there is no force '%.100s' in this case",
                                force);
        }
        double *kept = w->states[i].kept;
        w->states[i] = (state){.low = INFINITY, .high = -INFINITY, .first = (double)NAN};
        w->states[i].kept = kept;
    }
    // Times and samples
    w->after = after;
    w->middle = after + 0.5 * (end - after);
    w->any = false;
    w->kept = 0;
    w->stride = 1;
    w->skipped = 0;
    return HF_OK;
}

static void read_channels(hf_watcher *w, hf_sim *sim)
{
    const hf_observe *o = w->observe;
    const double *homes[] = {[HF_IN_VALUES] = w->plain ? NULL : hf_sim_values(sim),
                             [HF_IN_POSITIONS] = hf_sim_positions(sim),
                             [HF_IN_VELOCITIES] = hf_sim_velocities(sim)};
    for (int i = 0; i < o->channel_count; ++i) {
        w->variables[i] = homes[w->slots[i].home][w->slots[i].index];
    }
    w->variables[HF_EXPRESSION_MAX_SLOTS - 1] = hf_sim_time(sim);
}

// ------------------------------------------------------------------------------------------------
// Samples of limit cycles

static hf_status grow(hf_watcher *w, hf_error *error)
{
    size_t larger = w->capacity == 0 ? 1024 : 2 * w->capacity;
    double *times = realloc(w->times, larger * sizeof *times);
    bool good = times != NULL;
    w->times = good ? times : w->times;
    for (int i = 0; good && i < w->observe->gather_count; ++i) {
        if (is_cycle(w->observe->gathers[i].kind)) {
            double *kept = realloc(w->states[i].kept, larger * sizeof *kept);
            good = kept != NULL;
            w->states[i].kept = good ? kept : w->states[i].kept;
        }
    }
    if (!good) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory for the samples of a run");
    }
    w->capacity = larger;
    return HF_OK;
}

// Keeps every second sample of those kept so far, and from now on.
static void thin(hf_watcher *w)
{
    for (long long k = 0; 2 * k < w->kept; ++k) {
        w->times[k] = w->times[2 * k];
        for (int i = 0; i < w->observe->gather_count; ++i) {
            if (is_cycle(w->observe->gathers[i].kind)) {
                w->states[i].kept[k] = w->states[i].kept[2 * k];
            }
        }
    }
    w->kept = (w->kept + 1) / 2;
    w->stride *= 2;
}

static hf_status keep(hf_watcher *w, double time, hf_error *error)
{
    w->skipped += 1;
    if (w->kept > 0 && w->skipped < w->stride) {
        return HF_OK;
    }
    w->skipped = 0;
    if (w->kept == MOST_KEPT) {
        thin(w);
    }
    if ((size_t)w->kept == w->capacity) {
        HF_TRY(grow(w, error));
    }
    w->times[w->kept] = time;
    for (int i = 0; i < w->observe->gather_count; ++i) {
        if (is_cycle(w->observe->gathers[i].kind)) {
            w->states[i].kept[w->kept] = w->states[i].value;
        }
    }
    w->kept += 1;
    return HF_OK;
}

static void cycle_of(const hf_watcher *w, const double *x, double *period, double *amplitude)
{
    // Half of what lies between the extremes
    double low = INFINITY, high = -INFINITY;
    for (long long k = 0; k < w->kept; ++k) {
        low = fmin(low, x[k]);
        high = fmax(high, x[k]);
    }
    *amplitude = w->kept > 0 ? 0.5 * (high - low) : (double)NAN;
    *period = (double)NAN;
    // Crossings of the middle, upwards, where the signal went beyond a band on both sides
    double level = 0.5 * (low + high), band = 0.1 * *amplitude;
    double crossing = 0.0, first = 0.0, last = 0.0;
    long long count = 0;
    bool below = false;
    for (long long k = 0; band > 0.0 && k < w->kept; ++k) {
        if (x[k] < level - band) {
            below = true;
        } else if (below && k > 0 && x[k - 1] < level && x[k] >= level) {
            crossing = w->times[k - 1] +
                       (w->times[k] - w->times[k - 1]) * (level - x[k - 1]) / (x[k] - x[k - 1]);
        }
        if (below && x[k] > level + band) {
            first = count == 0 ? crossing : first;
            last = crossing;
            ++count;
            below = false;
        }
    }
    // Two whole periods at least
    if (count >= 3) {
        *period = (last - first) / (double)(count - 1);
    }
}

// ------------------------------------------------------------------------------------------------
// Samples

// What a new sample does to a gather; `length` [s] since the last one that counted.
static void take(hf_gather_kind kind, state *s, double time, double length, bool any)
{
    double value = s->value;
    switch (kind) {
    case HF_GATHER_MEAN:
        s->sum += any ? 0.5 * length * (s->before + value) : 0.0;
        break;
    case HF_GATHER_RMS:
        s->sum += any ? 0.5 * length * (s->before * s->before + value * value) : 0.0;
        break;
    case HF_GATHER_MAX:
    case HF_GATHER_MIN: // a NaN stays
        s->low = value >= s->low ? s->low : value;
        s->high = value <= s->high ? s->high : value;
        break;
    case HF_GATHER_FIRST:
        s->first = value != 0.0 && isnan(s->first) ? time : s->first;
        break;
    case HF_GATHER_COUNT:
        s->count += value != 0.0 && !s->was ? 1 : 0;
        s->was = value != 0.0;
        break;
    default:
        break;
    }
    s->before = value;
}

hf_status hf_watcher_sample(hf_watcher *w, hf_sim *sim, hf_error *error)
{
    double time = hf_sim_time(sim);
    if (!w->samples || time < w->after) {
        return HF_OK;
    }
    read_channels(w, sim);
    for (int k = 0; k < w->sampled_count; ++k) {
        const hf_gather *g = &w->observe->gathers[w->sampled[k]];
        state *s = &w->states[w->sampled[k]];
        s->value = hf_expression_value(g->expression, w->variables);
        take(g->kind, s, time, time - w->last, w->any);
    }
    w->begun = w->any ? w->begun : time;
    w->any = true;
    w->last = time;
    return w->cycles && time >= w->middle ? keep(w, time, error) : HF_OK;
}

// ------------------------------------------------------------------------------------------------
// The end

static double force_value(hf_gather_kind kind, const hf_force_stats *f)
{
    double whole = f->stick_seconds + f->slip_seconds + f->open_seconds;
    switch (kind) {
    case HF_GATHER_STICK:
        return f->stick_seconds / whole;
    case HF_GATHER_SLIP:
        return f->slip_seconds / whole;
    case HF_GATHER_OPEN:
        return f->open_seconds / whole;
    case HF_GATHER_TRANSITIONS:
        return (double)f->transitions;
    default:
        return f->largest_force;
    }
}

static double value_of(const hf_watcher *w, int i, hf_sim *sim, const hf_verdict *verdict)
{
    const hf_gather *g = &w->observe->gathers[i];
    const state *s = &w->states[i];
    double length = w->last - w->begun, period, amplitude;
    switch (g->kind) {
    case HF_GATHER_FINAL:
        return hf_expression_value(g->expression, w->variables);
    case HF_GATHER_MEAN:
        return w->any && length > 0.0 ? s->sum / length : w->any ? s->value : (double)NAN;
    case HF_GATHER_RMS:
        return w->any && length > 0.0 ? sqrt(s->sum / length)
               : w->any               ? fabs(s->value)
                                      : (double)NAN;
    case HF_GATHER_MAX:
        return w->any ? s->high : (double)NAN;
    case HF_GATHER_MIN:
        return w->any ? s->low : (double)NAN;
    case HF_GATHER_FIRST:
        return s->first;
    case HF_GATHER_COUNT:
        return (double)s->count;
    case HF_GATHER_PERIOD:
    case HF_GATHER_AMPLITUDE:
        cycle_of(w, s->kept, &period, &amplitude);
        return g->kind == HF_GATHER_PERIOD ? period : amplitude;
    case HF_GATHER_LEDGER:
        return verdict->ledger;
    default:
        break;
    }
    hf_force_stats stats = hf_sim_force_stats(sim, w->forces[i]);
    return force_value(g->kind, &stats);
}

void hf_watcher_end(hf_watcher *w, hf_sim *sim, const hf_verdict *verdict, double *outputs)
{
    const hf_observe *o = w->observe;
    read_channels(w, sim);
    for (int i = 0; i < o->gather_count; ++i) {
        w->gathered[i] = value_of(w, i, sim, verdict);
    }
    w->gathered[HF_EXPRESSION_MAX_SLOTS - 1] = hf_sim_time(sim);
    for (int i = 0; i < o->output_count; ++i) {
        outputs[i] = hf_expression_value(o->outputs[i].expression, w->gathered);
    }
}
