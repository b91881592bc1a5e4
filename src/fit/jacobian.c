// SPDX-License-Identifier: Apache-2.0
// Derivatives of what is simulated, by secants. A start's secant moves the starts of all segments
// at once: segments do not depend on each other, so that one column costs two runs whatever their
// number. Wide secants smooth the kinks that stops and break-aways make.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/crew.h"
#include "base/error.h"
#include "fit/fit_data.h"

// Secants of starts, of a state's scale: where nothing is measured of it; above what the tolerances
// of methods blur; below what bends the motion.
static const double PLAIN_SECANT = 1e-3, LEAST_SECANT = 1e-5, MOST_SECANT = 0.02;

// Secants of the numbers that are reported, as a share of the search's own.
static const double RESULT_SECANT = 0.2;

double hf_fit_moved(const hf_fit *fit, int unknown, double x, double step, double *made)
{
    const hf_fit_unknown *u = &fit->unknowns[unknown];
    bool logarithmic = fit->parameters[u->parameter].logarithmic;
    double moved = logarithmic ? x * exp(step) : x + step * fit->scales[unknown];
    moved = fmin(fmax(moved, u->low), u->high);
    // A logarithmic unknown at a bound of 0 would never leave it
    if (logarithmic && !(moved > 0.0)) {
        moved = x;
    }
    *made = logarithmic ? log(moved / x) : (moved - x) / fit->scales[unknown];
    return moved;
}

// One column of one log.
typedef struct column {
    int track, index; // below unknown_count: an unknown; then a state
    hf_status status;
    hf_error error;
} column;

typedef struct work {
    hf_fit *fit;
    double width;
    column *columns;
} work;

// The step of a state's secant: a little more than what is not explained yet, so that closed loops
// stay within their limits.
static double state_step(const hf_fit *fit, const hf_fit_track *track, int state)
{
    int match = fit->states[state].match;
    double fraction = PLAIN_SECANT;
    if (match < 0 && fit->states[state].velocity) {
        match = fit->states[state - 1].match;
    }
    if (match >= 0) {
        double sum = 0.0;
        for (long long k = 0; k < track->rows; ++k) {
            double e = track->measured[match * track->rows + k] -
                       track->simulated[match * track->rows + k];
            sum += e * e;
        }
        int base = fit->states[state].match >= 0 ? state : state - 1;
        fraction = 2.0 * sqrt(sum / (double)track->rows) / fit->states[base].scale;
    }
    return fmin(fmax(fraction, LEAST_SECANT), MOST_SECANT) * fit->states[state].scale;
}

// The run with one number moved. False: it failed.
static bool run_moved(const work *w, const column *c, double step, double *starts, double *x,
                      double *out, double *made, hf_error *error)
{
    const hf_fit *fit = w->fit;
    const hf_fit_track *track = &fit->tracks[c->track];
    int n = fit->state_count, count = n * track->segment_count;
    memcpy(starts, track->starts, (size_t)count * sizeof *starts);
    memcpy(x, fit->x, (size_t)fit->unknown_count * sizeof *x);
    if (c->index < fit->unknown_count) {
        x[c->index] = hf_fit_moved(fit, c->index, x[c->index], step, made);
    } else {
        for (int i = c->index - fit->unknown_count; i < count; i += n) {
            starts[i] += step;
        }
        *made = step;
    }
    return *made == 0.0 || hf_fit_simulate(fit, c->track, x, track->first, track->segment_count,
                                           starts, out, error) == HF_OK;
}

static bool differentiate(void *context, int worker, long long index)
{
    (void)worker;
    const work *w = context;
    column *c = &w->columns[index];
    hf_fit *fit = w->fit;
    hf_fit_track *track = &fit->tracks[c->track];
    size_t size = (size_t)(track->rows * fit->def.match_count);
    size_t states = (size_t)(fit->state_count * track->segment_count) + 1;
    // Room for the other side
    double *plus = track->columns[c->index], *minus = malloc(size * sizeof *minus);
    double *starts = malloc(states * sizeof *starts);
    double *x = malloc(((size_t)fit->unknown_count + 1) * sizeof *x);
    if (minus == NULL || starts == NULL || x == NULL) {
        c->status = hf_error_set(&c->error, HF_ERROR_MEMORY, "out of memory");
    } else {
        // A step forth and back
        double step = c->index < fit->unknown_count
                          ? w->width
                          : state_step(fit, track, c->index - fit->unknown_count);
        double forth = 0.0, back = 0.0;
        // A side on which the machine does not run counts as no step
        bool ran = run_moved(w, c, step, starts, x, plus, &forth, &c->error);
        forth = ran ? forth : 0.0;
        ran = run_moved(w, c, -step, starts, x, minus, &back, &c->error);
        back = ran ? back : 0.0;
        const double *from = back != 0.0 ? minus : track->simulated;
        const double *to = forth != 0.0 ? plus : track->simulated;
        double span = forth - back;
        for (size_t k = 0; k < size; ++k) {
            plus[k] = span > 0.0 ? (to[k] - from[k]) / span : 0.0;
        }
        c->status = span > 0.0 ? HF_OK : HF_ERROR_CONVERGENCE;
    }
    free(minus);
    free(starts);
    free(x);
    return true;
}

static hf_status allocate(hf_fit *fit, int first, int end, hf_error *error)
{
    int count = fit->unknown_count + (fit->def.fixed_starts ? 0 : fit->state_count);
    for (int t = first; t < end; ++t) {
        hf_fit_track *track = &fit->tracks[t];
        if (track->columns != NULL) {
            continue;
        }
        track->columns = hf_arena_alloc(&fit->arena, (size_t)count + 1, sizeof *track->columns);
        for (int i = 0; i < count && track->columns != NULL; ++i) {
            bool other =
                i < fit->unknown_count && fit->unknowns[i].log >= 0 && fit->unknowns[i].log != t;
            track->columns[i] =
                other ? NULL
                      : hf_arena_alloc(&fit->arena, (size_t)(track->rows * fit->def.match_count),
                                       sizeof(double));
            if (!other && track->columns[i] == NULL) {
                track->columns = NULL;
            }
        }
        if (track->columns == NULL) {
            return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
        }
    }
    return HF_OK;
}

hf_status hf_fit_differentiate(hf_fit *fit, double width, hf_fit_part part, hf_error *error)
{
    fit->differentiated = false;
    HF_TRY(allocate(fit, part.first, part.end, error));
    // A column for each unknown and each state at a start
    int each = fit->unknown_count + (fit->def.fixed_starts ? 0 : fit->state_count);
    work w = {.fit = fit, .width = width};
    w.columns = calloc((size_t)((part.end - part.first) * each) + 1, sizeof *w.columns);
    if (w.columns == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    }
    int count = 0;
    for (int t = part.first; t < part.end; ++t) {
        for (int i = part.starts_only ? fit->unknown_count : 0; i < each; ++i) {
            if (fit->tracks[t].columns[i] != NULL) {
                w.columns[count].track = t;
                w.columns[count++].index = i;
            }
        }
    }
    // All of them, by whoever is free
    hf_crew crew = {.count = count, .work = differentiate, .context = &w};
    (void)hf_crew_run(&crew, fit->def.threads);
    fit->simulations += 2 * (long long)count;
    // Only memory can fail here
    hf_status status = HF_OK;
    for (int i = 0; i < count && status == HF_OK; ++i) {
        if (w.columns[i].status == HF_ERROR_MEMORY) {
            *error = w.columns[i].error;
            status = HF_ERROR_MEMORY;
        }
    }
    free(w.columns);
    return status;
}

// ------------------------------------------------------------------------------------------------
// Derivatives after a step, without a run

void hf_fit_update_segment(const hf_fit *fit, hf_fit_track *track, int segment, const double *step,
                           double *off)
{
    int u = fit->unknown_count, from = step == NULL ? u : 0;
    int n = fit->def.fixed_starts ? 0 : fit->state_count;
    const double *now = track->starts + (size_t)segment * (size_t)fit->state_count;
    const double *before = track->trial + (size_t)segment * (size_t)fit->state_count;
    // The length of the step, states by their sizes
    double length = 0.0;
    for (int i = from; i < u + n; ++i) {
        double d = i < u ? step[i] : (now[i - u] - before[i - u]) / fit->states[i - u].scale;
        length += track->columns[i] == NULL ? 0.0 : d * d;
    }
    if (!(length > 0.0)) {
        return;
    }
    long long first = track->first[segment], rows = track->first[segment + 1] - first;
    for (int m = 0; m < fit->def.match_count; ++m) {
        long long at = m * track->rows + first;
        // What the derivatives did not foresee
        for (long long k = 0; k < rows; ++k) {
            off[k] = track->simulated[at + k] - track->predicted[at + k];
        }
        for (int i = from; i < u + n; ++i) {
            double d = i < u ? step[i] : now[i - u] - before[i - u];
            for (long long k = 0; k < rows && track->columns[i] != NULL; ++k) {
                off[k] -= d * track->columns[i][at + k];
            }
        }
        // Goes to each by its share of the step
        for (int i = from; i < u + n; ++i) {
            double scale = i < u ? 1.0 : fit->states[i - u].scale;
            double d = i < u ? step[i] : (now[i - u] - before[i - u]) / scale;
            for (long long k = 0; k < rows && track->columns[i] != NULL; ++k) {
                track->columns[i][at + k] += d / (length * scale) * off[k];
            }
        }
    }
}

hf_status hf_fit_update(hf_fit *fit, const double *step, hf_error *error)
{
    fit->differentiated = false;
    for (int t = 0; t < fit->def.log_count; ++t) {
        hf_fit_track *track = &fit->tracks[t];
        double *off = malloc((size_t)track->rows * sizeof *off);
        if (off == NULL) {
            return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
        }
        for (int s = 0; s < track->segment_count; ++s) {
            hf_fit_update_segment(fit, track, s, step, off);
        }
        free(off);
    }
    return HF_OK;
}

hf_status hf_fit_sensitivity(hf_fit *fit, int log, int match, int unknown, double *derivatives,
                             hf_error *error)
{
    hf_error own = {0};
    error = error == NULL ? &own : error;
    HF_ASSERT(log >= 0 && log < fit->track_count && match >= 0 && match < fit->def.match_count);
    HF_ASSERT(unknown >= 0 && unknown < fit->unknown_count);
    if (!fit->differentiated) {
        HF_TRY(hf_fit_differentiate(fit, RESULT_SECANT * fit->def.secant,
                                    (hf_fit_part){.end = fit->track_count}, error));
        fit->differentiated = true;
    }
    const hf_fit_track *track = &fit->tracks[log];
    const double *slopes = track->columns[unknown];
    // From the scaled unknown to its value
    bool logarithmic = fit->parameters[fit->unknowns[unknown].parameter].logarithmic;
    double size = logarithmic ? fit->x[unknown] : fit->scales[unknown];
    for (long long k = 0; k < track->rows; ++k) {
        derivatives[k] = slopes == NULL ? 0.0 : slopes[match * track->rows + k] / size;
    }
    return HF_OK;
}
