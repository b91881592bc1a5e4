// SPDX-License-Identifier: Apache-2.0
// Segments whose starts are in a wrong valley. Friction makes several valleys of a start, and one
// segment in a wrong one draws the numbers to where it fits least badly, and with these numbers the
// right start looks no better: neither can be mended alone. So such segments sleep while the others
// find the numbers.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "fit/fit_data.h"

// A segment is looked at whose cost of a row is so many standard deviations above the usual one, by
// the number of independent residuals in a segment; unless more than this part of all segments is:
// then the model is wrong, not their starts.
static const double BAD = 3.0, MOST_BAD = 0.34;
// So many times the usual cost is bad in any case: a wrong valley has residuals with a memory.
static const double BAD_ANYWAY = 2.0;
// What must be gained for a better valley, of the cost.
static const double LEAST_FALL = 1e-4;

static int by_size(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

static int count_segments(const hf_fit *fit)
{
    int count = 0;
    for (int t = 0; t < fit->def.log_count; ++t) {
        count += fit->tracks[t].segment_count;
    }
    return count;
}

// Marks segments with an unusual cost in `asleep`, all logs one after the other. Returns how many.
static int find_bad(const hf_fit *fit, double *costs, double *sorted, bool *asleep)
{
    int count = 0, bad = 0;
    for (int t = 0; t < fit->def.log_count; ++t) {
        const hf_fit_track *track = &fit->tracks[t];
        for (int s = 0; s < track->segment_count; ++s) {
            costs[count++] = hf_fit_segment_cost(fit, track, s, track->simulated) /
                             (double)(track->first[s + 1] - track->first[s]);
        }
    }
    memcpy(sorted, costs, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, by_size);
    // n squares of independent numbers have the mean 1 and the deviation sqrt(2/n)
    double independent = fmax(hf_fit_independent(fit) / (double)count, 1.0);
    double most = fmin(1.0 + BAD * sqrt(2.0 / independent), BAD_ANYWAY) * sorted[count / 2];
    for (int i = 0; i < count; ++i) {
        asleep[i] = costs[i] > most;
        bad += asleep[i];
    }
    return (double)bad <= MOST_BAD * (double)count ? bad : 0;
}

// Those that are marked sleep, or NULL: all are awake.
static void lay_down(hf_fit *fit, bool *asleep)
{
    for (int t = 0, first = 0; t < fit->def.log_count; ++t) {
        fit->tracks[t].asleep = asleep == NULL ? NULL : asleep + first;
        first += fit->tracks[t].segment_count;
    }
}

// Other starts of the bad segments, with the present numbers: the best of those that fit these
// numbers (settled), or those in which the segments before ended, as they are.
static hf_status other_starts(hf_fit *fit, const bool *asleep, bool settled, hf_error *error)
{
    hf_status status = HF_OK;
    size_t n = (size_t)fit->state_count;
    for (int t = 0; t < fit->def.log_count && status == HF_OK; ++t) {
        hf_fit_track *track = &fit->tracks[t];
        size_t count = (size_t)track->segment_count;
        bool bad = false, changed = false;
        // Logs with segments that sleep
        for (size_t s = 0; s < count; ++s) {
            bad = bad || asleep[s];
        }
        // Settled numbers: all other starts are tried; else those of the segment before, gone on
        for (int kind = 0; kind < HF_FIT_OTHERS && bad && settled && status == HF_OK; ++kind) {
            status = hf_fit_rejoin_track(fit, t, (hf_fit_others)kind, &changed, error);
        }
        if (bad && !settled) {
            double *others = calloc(n * count + 1, sizeof *others);
            if (others == NULL) {
                return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
            }
            bool there = hf_fit_continue(fit, t, others, error);
            for (size_t i = 0; i < n * count && there; ++i) {
                track->starts[i] = asleep[i / n] ? others[i] : track->starts[i];
            }
            free(others);
            status = there ? HF_OK : error->status;
        }
        asleep += count;
    }
    return status;
}

// The numbers without those that sleep, other starts with these numbers, and the numbers from all.
static hf_status find_anew(hf_fit *fit, bool *asleep, bool settled, hf_error *error)
{
    lay_down(fit, asleep);
    hf_status status = hf_fit_search(fit, fit->def.secant, fit->def.iterations, error);
    lay_down(fit, NULL);
    status = status == HF_OK ? other_starts(fit, asleep, settled, error) : status;
    return status == HF_OK ? hf_fit_search(fit, fit->def.secant, fit->def.iterations, error)
                           : status;
}

hf_status hf_fit_reconsider(hf_fit *fit, bool *better, hf_error *error)
{
    *better = false;
    size_t count = (size_t)count_segments(fit);
    double *costs = malloc(2 * (count + 1) * sizeof *costs);
    bool *asleep = malloc((count + 1) * sizeof *asleep);
    hf_fit_kept kept = {0};
    hf_status status = HF_OK;
    if (costs == NULL || asleep == NULL || !hf_fit_keep(fit, &kept)) {
        status = hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    } else if (!fit->def.fixed_starts && find_bad(fit, costs, costs + count, asleep) > 0) {
        // What was before stands where nothing better came of it, and where a run failed
        for (int way = 0; way < 2 && !*better && status == HF_OK && !fit->stopped; ++way) {
            hf_error failure = {0};
            hf_status ran = find_anew(fit, asleep, way == 0, &failure);
            *better = ran == HF_OK && fit->cost < kept.cost * (1.0 - LEAST_FALL);
            if (!*better) {
                hf_fit_put_back(fit, &kept);
            }
            if (ran == HF_ERROR_MEMORY) {
                status = hf_error_set(error, ran, "%s", failure.text);
            }
        }
    }
    hf_fit_drop(fit, &kept);
    free(costs);
    free(asleep);
    return status;
}
