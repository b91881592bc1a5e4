// SPDX-License-Identifier: Apache-2.0
// Starts of segments alone, for logs that only judge: each segment by itself, Levenberg-Marquardt
// with a damping of its own.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "fit/fit_data.h"

// A start whose cost falls by less, as a share of it, has settled.
#define SETTLED 1e-4

enum { MOST_ROUNDS = 12 };
// Damping of Levenberg and Marquardt at first; the part of a cost that must be gained.
static const double FIRST_DAMPING = 1e-3, LEAST_GAIN = 1e-6;

// A machine that does not run with some numbers is news of them; memory that ran out is not.
static hf_status memory_of(const hf_error *failure, hf_error *error)
{
    return failure->status == HF_ERROR_MEMORY
               ? hf_error_set(error, HF_ERROR_MEMORY, "%s", failure->text)
               : HF_OK;
}

// One round of all segments of a track. *moved: whether one of them came nearer.
static hf_status settle_round(hf_fit *fit, int index, double *damping, double *step, bool *moved,
                              hf_error *error)
{
    hf_fit_track *track = &fit->tracks[index];
    size_t n = (size_t)fit->state_count;
    *moved = false;
    // A step of each segment's start
    HF_TRY(hf_fit_differentiate(
        fit, fit->def.secant, (hf_fit_part){.first = index, .end = index + 1, .starts_only = true},
        error));
    memcpy(track->trial, track->starts, n * (size_t)track->segment_count * sizeof *track->trial);
    for (int s = 0; s < track->segment_count; ++s) {
        if (hf_fit_segment_step(fit, track, s, damping[s], step)) {
            for (size_t k = 0; k < n; ++k) {
                track->trial[(size_t)s * n + k] += step[k];
            }
        }
    }
    // Where the machine does not run with them, shorter ones
    hf_error failure = {0};
    fit->simulations += 1;
    if (hf_fit_simulate(fit, index, fit->x, track->first, track->segment_count, track->trial,
                        track->predicted, &failure) != HF_OK) {
        HF_TRY(memory_of(&failure, error));
        for (int s = 0; s < track->segment_count; ++s) {
            damping[s] *= 10.0;
        }
        return HF_OK;
    }
    // Kept where they are better
    for (int s = 0; s < track->segment_count; ++s) {
        double before = hf_fit_segment_cost(fit, track, s, track->simulated);
        double after = hf_fit_segment_cost(fit, track, s, track->predicted);
        bool better = after < before;
        damping[s] *= better ? 0.2 : 10.0;
        *moved = *moved || after < before * (1.0 - SETTLED);
        if (better) {
            memcpy(track->starts + (size_t)s * n, track->trial + (size_t)s * n,
                   n * sizeof *track->starts);
        }
    }
    return HF_OK;
}

static hf_status settle_track(hf_fit *fit, int index, hf_error *error)
{
    hf_fit_track *track = &fit->tracks[index];
    double *damping = malloc(((size_t)track->segment_count + 1) * sizeof *damping);
    double *step = malloc(((size_t)fit->state_count + 1) * sizeof *step);
    hf_status status = HF_OK;
    if (damping == NULL || step == NULL) {
        status = hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    }
    for (int s = 0; s < track->segment_count && status == HF_OK; ++s) {
        damping[s] = FIRST_DAMPING;
    }
    bool moved = !fit->def.fixed_starts;
    hf_error failure = {0};
    for (int round = 0; round <= MOST_ROUNDS && status == HF_OK; ++round) {
        track->ran = hf_fit_simulate(fit, index, fit->x, track->first, track->segment_count,
                                     track->starts, track->simulated, &failure) == HF_OK;
        fit->simulations += 1;
        status = memory_of(&failure, error);
        if (!track->ran || !moved || round == MOST_ROUNDS) {
            break;
        }
        status = settle_round(fit, index, damping, step, &moved, error);
    }
    free(damping);
    free(step);
    return status;
}

// Other starts for all segments: where the segment before ended, and standstill for the first.
// Those of every second segment at a time: a start that is NaN becomes what the run had there.
static bool continue_segments(hf_fit *fit, int index, double *starts, hf_error *failure)
{
    hf_fit_track *track = &fit->tracks[index];
    size_t n = (size_t)fit->state_count, count = n * (size_t)track->segment_count;
    bool good = true;
    for (size_t parity = 0; parity < 2 && good; ++parity) {
        memcpy(track->trial, track->starts, count * sizeof *track->trial);
        for (size_t i = 0; i < count; ++i) {
            size_t segment = i / n;
            bool other = segment > 0 && segment % 2 == parity;
            track->trial[i] = other ? (double)NAN : track->trial[i];
            if (segment == 0 && parity == 0 && fit->states[i].velocity) {
                track->trial[i] = 0.0;
            }
        }
        good = hf_fit_simulate(fit, index, fit->x, track->first, track->segment_count, track->trial,
                               track->predicted, failure) == HF_OK;
        fit->simulations += 1;
        for (size_t i = 0; i < count && good; ++i) {
            starts[i] = i / n % 2 == parity ? track->trial[i] : starts[i];
        }
    }
    return good;
}

// Other starts for all segments: as they were measured, or the same at a standstill.
static void measured_starts(const hf_fit *fit, const hf_fit_track *track, bool still,
                            double *starts)
{
    size_t n = (size_t)fit->state_count;
    for (int s = 0; s < track->segment_count; ++s) {
        for (size_t i = 0; i < n; ++i) {
            double guess = track->guess[(size_t)track->first[s] * n + i];
            starts[(size_t)s * n + i] = still && fit->states[i].velocity ? 0.0 : guess;
        }
    }
}

static hf_status rejoin_track(hf_fit *fit, int index, hf_fit_others kind, bool *changed,
                              hf_error *error)
{
    hf_fit_track *track = &fit->tracks[index];
    size_t n = (size_t)fit->state_count, count = n * (size_t)track->segment_count;
    double *before = malloc((2 * count + (size_t)track->segment_count + 1) * sizeof *before);
    if (before == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    }
    // Costs of the segments as they are
    double *others = before + count, *costs = others + count;
    memcpy(before, track->starts, count * sizeof *before);
    for (int s = 0; s < track->segment_count; ++s) {
        costs[s] = hf_fit_segment_cost(fit, track, s, track->simulated);
    }
    // Other starts, settled
    hf_error failure = {0};
    bool there = kind != HF_FIT_CONTINUED || continue_segments(fit, index, others, &failure);
    hf_status status = memory_of(&failure, error);
    if (kind != HF_FIT_CONTINUED) {
        measured_starts(fit, track, kind == HF_FIT_STILL, others);
    }
    if (there) {
        memcpy(track->starts, others, count * sizeof *others);
        status = settle_track(fit, index, error);
        // Kept where they are better
        for (int s = 0; s < track->segment_count; ++s) {
            double cost = hf_fit_segment_cost(fit, track, s, track->simulated);
            bool better = track->ran && cost < costs[s] * (1.0 - LEAST_GAIN);
            *changed = *changed || better;
            if (!better) {
                memcpy(track->starts + (size_t)s * n, before + (size_t)s * n, n * sizeof *before);
            }
        }
    }
    // What is simulated is of these starts
    track->ran = hf_fit_simulate(fit, index, fit->x, track->first, track->segment_count,
                                 track->starts, track->simulated, &failure) == HF_OK;
    fit->simulations += 1;
    free(before);
    return status == HF_OK ? memory_of(&failure, error) : status;
}

hf_status hf_fit_rejoin(hf_fit *fit, hf_fit_others kind, bool *changed, hf_error *error)
{
    *changed = false;
    for (int t = 0; t < fit->def.log_count && !fit->def.fixed_starts; ++t) {
        HF_TRY(rejoin_track(fit, t, kind, changed, error));
    }
    fit->cost = hf_fit_cost(fit, fit->x, false);
    return HF_OK;
}

hf_status hf_fit_settle(hf_fit *fit, hf_error *error)
{
    hf_status status = HF_OK;
    for (int t = fit->def.log_count; t < fit->track_count && status == HF_OK; ++t) {
        // Columns of unknowns are allocated with those of states, and zero
        bool changed = false;
        status = hf_fit_find_own(fit, t, error);
        status = status == HF_OK ? settle_track(fit, t, error) : status;
        for (int kind = 0; kind < HF_FIT_OTHERS && status == HF_OK; ++kind) {
            if (fit->tracks[t].ran && !fit->def.fixed_starts && kind != HF_FIT_MEASURED) {
                status = rejoin_track(fit, t, (hf_fit_others)kind, &changed, error);
            }
        }
    }
    return status;
}
