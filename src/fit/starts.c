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
// Other starts that take less than this part off a log's cost are no other valley.
static const double LEAST_FALL = 1e-5;

// A machine that does not run with some numbers is news of them; memory that ran out is not.
static hf_status memory_of(const hf_error *failure, hf_error *error)
{
    return failure->status == HF_ERROR_MEMORY
               ? hf_error_set(error, HF_ERROR_MEMORY, "%s", failure->text)
               : HF_OK;
}

// Memory of a track that settles.
typedef struct settling {
    double *damping; // [segment]
    double *step;    // [state]
    double *off;     // [row]
    bool corrected;  // derivatives are corrected by steps, not by runs (hf_fit_update_segment)
    bool moved;      // one of the segments came nearer in the last round
} settling;

static bool settling_create(const hf_fit *fit, const hf_fit_track *track, settling *s)
{
    s->damping = malloc(((size_t)track->segment_count + 1) * sizeof *s->damping);
    s->step = malloc(((size_t)fit->state_count + 1) * sizeof *s->step);
    s->off = malloc((size_t)track->rows * sizeof *s->off);
    for (int i = 0; i < track->segment_count && s->damping != NULL; ++i) {
        s->damping[i] = FIRST_DAMPING;
    }
    return s->damping != NULL && s->step != NULL && s->off != NULL;
}

static void settling_destroy(settling *s)
{
    free(s->damping);
    free(s->step);
    free(s->off);
}

static void swap(double *a, double *b, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        double other = a[i];
        a[i] = b[i];
        b[i] = other;
    }
}

// What was tried in a segment becomes the present, and corrects its derivatives.
static void accept_segment(const hf_fit *fit, hf_fit_track *track, int segment, settling *s)
{
    size_t n = (size_t)fit->state_count, rows = (size_t)track->rows;
    size_t first = (size_t)track->first[segment];
    swap(track->starts + (size_t)segment * n, track->trial + (size_t)segment * n, n);
    for (size_t m = 0; m < (size_t)fit->def.match_count; ++m) {
        swap(track->simulated + m * rows + first, track->predicted + m * rows + first,
             (size_t)track->first[segment + 1] - first);
    }
    hf_fit_update_segment(fit, track, segment, NULL, s->off);
}

// One round of all segments of a track.
static hf_status settle_round(hf_fit *fit, int index, settling *w, hf_error *error)
{
    hf_fit_track *track = &fit->tracks[index];
    size_t n = (size_t)fit->state_count;
    w->moved = false;
    // A step of each segment's start
    if (!w->corrected) {
        HF_TRY(hf_fit_differentiate(
            fit, fit->def.secant,
            (hf_fit_part){.first = index, .end = index + 1, .starts_only = true}, error));
    }
    memcpy(track->trial, track->starts, n * (size_t)track->segment_count * sizeof *track->trial);
    for (int s = 0; s < track->segment_count; ++s) {
        if (hf_fit_segment_step(fit, track, s, w->damping[s], w->step)) {
            for (size_t k = 0; k < n; ++k) {
                track->trial[(size_t)s * n + k] += w->step[k];
            }
        }
    }
    // Where the machine does not run with them, shorter ones
    hf_error failure = {0};
    fit->simulations += 1;
    bool ran = hf_fit_simulate(fit, index, fit->x, track->first, track->segment_count, track->trial,
                               track->predicted, &failure) == HF_OK;
    HF_TRY(memory_of(&failure, error));
    // Kept where they are better
    for (int s = 0; s < track->segment_count; ++s) {
        double before = hf_fit_segment_cost(fit, track, s, track->simulated);
        double after = ran ? hf_fit_segment_cost(fit, track, s, track->predicted) : INFINITY;
        bool better = after < before;
        w->damping[s] *= better ? 0.2 : 10.0;
        w->moved = w->moved || after < before * (1.0 - SETTLED);
        if (better) {
            accept_segment(fit, track, s, w);
        }
    }
    return HF_OK;
}

// Rounds with derivatives by runs have the last word: corrected ones serve as long as they help.
static hf_status settle_track(hf_fit *fit, int index, hf_error *error)
{
    hf_fit_track *track = &fit->tracks[index];
    settling w = {.moved = !fit->def.fixed_starts};
    hf_status status = HF_OK;
    if (!settling_create(fit, track, &w)) {
        status = hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    }
    hf_error failure = {0};
    for (int round = 0, corrected = 0; status == HF_OK; round += !w.corrected) {
        // Segments were accepted one by one, but inner states of laws go on from one to the next
        if (!w.corrected) {
            track->ran = hf_fit_simulate(fit, index, fit->x, track->first, track->segment_count,
                                         track->starts, track->simulated, &failure) == HF_OK;
            fit->simulations += 1;
            status = memory_of(&failure, error);
            if (status != HF_OK || !track->ran || !w.moved || round == MOST_ROUNDS) {
                break;
            }
        }
        status = settle_round(fit, index, &w, error);
        corrected = w.corrected ? corrected + 1 : 0;
        // Unless a round with derivatives by runs moved nothing, corrected ones follow
        w.corrected = w.moved && corrected < MOST_ROUNDS;
        w.moved = w.moved || corrected > 0;
    }
    settling_destroy(&w);
    return status;
}

hf_status hf_fit_settle_logs(hf_fit *fit, hf_error *error)
{
    for (int t = 0; t < fit->def.log_count; ++t) {
        HF_TRY(settle_track(fit, t, error));
        if (!fit->tracks[t].ran) {
            return hf_error_set(error, HF_ERROR_CONVERGENCE, "the machine does not run");
        }
    }
    return HF_OK;
}

// Those of every second segment at a time: a start that is NaN becomes what the run had there.
bool hf_fit_continue(hf_fit *fit, int index, double *starts, hf_error *failure)
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

hf_status hf_fit_rejoin_track(hf_fit *fit, int index, hf_fit_others kind, bool *changed,
                              hf_error *error)
{
    hf_fit_track *track = &fit->tracks[index];
    size_t n = (size_t)fit->state_count, count = n * (size_t)track->segment_count;
    double *before = malloc((2 * count + (size_t)track->segment_count + 1) * sizeof *before);
    if (before == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    }
    // Costs of the segments as they are
    double *others = before + count, *costs = others + count, cost = 0.0;
    memcpy(before, track->starts, count * sizeof *before);
    for (int s = 0; s < track->segment_count; ++s) {
        costs[s] = hf_fit_segment_cost(fit, track, s, track->simulated);
        cost += costs[s];
    }
    // Other starts, settled
    hf_error failure = {0};
    bool there = kind != HF_FIT_CONTINUED || hf_fit_continue(fit, index, others, &failure);
    hf_status status = memory_of(&failure, error);
    if (kind != HF_FIT_CONTINUED) {
        measured_starts(fit, track, kind == HF_FIT_STILL, others);
    }
    bool better = false;
    if (there) {
        memcpy(track->starts, others, count * sizeof *others);
        status = settle_track(fit, index, error);
        // Kept where they are better
        for (int s = 0; s < track->segment_count; ++s) {
            double other = hf_fit_segment_cost(fit, track, s, track->simulated);
            if (track->ran && other < costs[s] * (1.0 - LEAST_GAIN)) {
                better = true;
            } else {
                memcpy(track->starts + (size_t)s * n, before + (size_t)s * n, n * sizeof *before);
            }
        }
    }
    // What is simulated is of these starts; of those before, where inner states of laws that go on
    // from a segment to the next make the whole worse
    double now = INFINITY;
    for (bool again = false; status == HF_OK; again = true) {
        if (again) {
            memcpy(track->starts, before, count * sizeof *before);
        }
        track->ran = hf_fit_simulate(fit, index, fit->x, track->first, track->segment_count,
                                     track->starts, track->simulated, &failure) == HF_OK;
        fit->simulations += 1;
        status = memory_of(&failure, error);
        now = track->ran ? hf_fit_track_cost(fit, track, track->simulated) : INFINITY;
        if (again || !better || now < cost) {
            break;
        }
    }
    *changed = *changed || now < cost * (1.0 - LEAST_FALL);
    free(before);
    return status;
}

hf_status hf_fit_rejoin(hf_fit *fit, hf_fit_others kind, bool *changed, hf_error *error)
{
    *changed = false;
    for (int t = 0; t < fit->def.log_count && !fit->def.fixed_starts; ++t) {
        HF_TRY(hf_fit_rejoin_track(fit, t, kind, changed, error));
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
                status = hf_fit_rejoin_track(fit, t, (hf_fit_others)kind, &changed, error);
            }
        }
    }
    return status;
}
