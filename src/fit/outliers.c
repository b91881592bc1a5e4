// SPDX-License-Identifier: Apache-2.0
// Segments whose starts are in a wrong valley. Friction makes several valleys of a start, and one
// segment in a wrong one draws the numbers to where it fits least badly, and with these numbers the
// right start looks no better: neither can be mended alone. So such segments sleep while the others
// find the numbers.
//
// Which segments? Those that fit far worse than the others, and those that pull: where the numbers
// are a compromise, all segments fit a little worse, and the segment that causes it need not fit
// the worst. With H the normal matrix and g_s what segment s adds to the descent, leaving it out
// would let the others gain
//   p_s = g_s' (H - H_s)^-1 g_s
// (their own descent is -g_s where all together have none), which is s^2 tr (H - H_s)^-1 H_s in the
// mean where residuals are noise of the variance s^2.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "fit/fit_data.h"
#include "math/dense.h"

// A segment is looked at whose cost of a row is so many standard deviations above the usual one, by
// the number of independent residuals in a segment; unless more than this part of all segments is:
// then the model is wrong, not their starts.
static const double BAD = 3.0, MOST_BAD = 0.34;
// So many times the usual cost is bad in any case: a wrong valley has residuals with a memory.
static const double BAD_ANYWAY = 2.0;
// What must be gained for a better valley, of the cost.
static const double LEAST_FALL = 1e-4;
// A segment pulls whose p_s is so many times its mean, times the residuals for each independent
// one. So many of those that pull most are tried, each by itself.
static const double PULL = 5.0;
enum { MOST_PULLERS = 3 };
// Secants of a closer search, of the given ones.
static const double NARROW = 0.1;
// A start that is slower than this part of a velocity's size may be a standstill.
static const double SLOW = 0.1;

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

// p_s of a segment over its mean. `rest` and `own` are room for as much as `all` has.
static hf_status pull_of(const hf_fit *fit, const hf_fit_track *track, int segment,
                         const hf_fit_normal *all, hf_fit_normal *own, double *rest, double *pull,
                         hf_error *error)
{
    size_t u = (size_t)all->count;
    double gain = 0.0, mean = 0.0;
    // H - H_s, factored
    HF_TRY(hf_fit_normal_segment(fit, track, segment, own, error));
    for (size_t i = 0; i < u * u; ++i) {
        rest[i] = all->matrix[i] - own->matrix[i];
    }
    // Numbers that this segment alone tells pull at nothing
    *pull = 0.0;
    if (!hf_cholesky(rest, u)) {
        return HF_OK;
    }
    // p_s and its mean
    hf_cholesky_solve(rest, u, own->matrix, u);
    double *solved = rest + u * u;
    memcpy(solved, own->descent, u * sizeof *solved);
    hf_cholesky_solve(rest, u, solved, 1);
    for (size_t i = 0; i < u; ++i) {
        gain += own->descent[i] * solved[i];
        mean += own->matrix[i * u + i];
    }
    *pull = mean > 0.0 ? gain / mean : 0.0;
    return HF_OK;
}

// Pulls of all segments, all logs one after the other, over the variance of residuals.
static hf_status find_pulls(hf_fit *fit, double *pulls, hf_error *error)
{
    size_t u = (size_t)fit->unknown_count, size = u * u + u;
    double *room = malloc((3 * size + 1) * sizeof *room);
    if (room == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    }
    hf_fit_normal all = {.count = (int)u, .matrix = room, .descent = room + u * u};
    hf_fit_normal own = {.count = (int)u, .matrix = room + size, .descent = room + size + u * u};
    // Derivatives of the present numbers and starts
    hf_status status =
        hf_fit_differentiate(fit, fit->def.secant, (hf_fit_part){.end = fit->def.log_count}, error);
    status = status == HF_OK ? hf_fit_normal_build(fit, 0.0, &all, error) : status;
    // Segment by segment
    double variance = fit->cost / (double)hf_fit_get_summary(fit).residuals;
    int count = 0;
    for (int t = 0; t < fit->def.log_count; ++t) {
        for (int s = 0; s < fit->tracks[t].segment_count && status == HF_OK; ++s, ++count) {
            status =
                pull_of(fit, &fit->tracks[t], s, &all, &own, room + 2 * size, &pulls[count], error);
            pulls[count] /= variance;
        }
    }
    free(room);
    return status;
}

// Marks the segment with the largest pull and sets its pull to zero. Returns how many it marked: 1
// or 0.
static int find_puller(const hf_fit *fit, double *pulls, int count, bool *asleep)
{
    int most = 0;
    for (int i = 0; i < count; ++i) {
        most = pulls[i] > pulls[most] ? i : most;
        asleep[i] = false;
    }
    double memory = (double)hf_fit_get_summary(fit).residuals / hf_fit_independent(fit);
    if (count < 2 || !(pulls[most] > PULL * memory)) {
        return 0;
    }
    asleep[most] = true;
    pulls[most] = 0.0;
    return 1;
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

// Wide secants see over the kinks of stops, and no way down where a narrow valley lies across: then
// narrower ones may.
static hf_status search_closely(hf_fit *fit, hf_error *error)
{
    fit->closely = true;
    hf_status status = hf_fit_search(fit, fit->def.secant, fit->def.iterations, error);
    if (status == HF_OK && !fit->stopped) {
        status = hf_fit_search(fit, NARROW * fit->def.secant, fit->def.iterations, error);
    }
    fit->closely = false;
    return status;
}

// The numbers without those that sleep, other starts with these numbers, and the numbers from all.
static hf_status find_anew(hf_fit *fit, bool *asleep, bool settled, hf_error *error)
{
    lay_down(fit, asleep);
    hf_status status = search_closely(fit, error);
    lay_down(fit, NULL);
    status = status == HF_OK ? other_starts(fit, asleep, settled, error) : status;
    return status == HF_OK ? search_closely(fit, error) : status;
}

// The cost of the search's result, which stands where it is better than what was kept; or what was
// kept is put back, as it is where a run failed.
static hf_status choose(hf_fit *fit, hf_status ran, const hf_error *failure,
                        const hf_fit_kept *kept, bool *better, hf_error *error)
{
    *better = ran == HF_OK && fit->cost < kept->cost * (1.0 - LEAST_FALL);
    if (!*better) {
        hf_fit_put_back(fit, kept);
    }
    return ran == HF_ERROR_MEMORY ? hf_error_set(error, ran, "%s", failure->text) : HF_OK;
}

// Another start for the segment that is marked, and the search from there: at a standstill where it
// was measured to be slow, or where the segment before ended. Unlike a start that is settled with
// the present numbers it may be better for the segments behind it alone, into which inner states of
// laws go on.
static hf_status begin_otherwise(hf_fit *fit, const bool *asleep, bool still, bool *tried,
                                 hf_error *error)
{
    size_t n = (size_t)fit->state_count, first = 0;
    *tried = false;
    // The segment that is marked; the first one has none before it
    for (int t = 0; t < fit->def.log_count; first += (size_t)fit->tracks[t++].segment_count) {
        hf_fit_track *track = &fit->tracks[t];
        for (size_t s = 0; s < (size_t)track->segment_count; ++s) {
            double *start = track->starts + s * n;
            if (!asleep[first + s] || (!still && s == 0)) {
                continue;
            }
            // Where it moves it does not stand still
            *tried = true;
            for (size_t i = 0; i < n; ++i) {
                bool fast = fit->states[i].velocity && fabs(start[i]) > SLOW * fit->states[i].scale;
                *tried = *tried && !(still && fast);
            }
            for (size_t i = 0; i < n && *tried; ++i) {
                start[i] = !still ? (double)NAN : fit->states[i].velocity ? 0.0 : start[i];
            }
        }
    }
    return *tried ? search_closely(fit, error) : HF_OK;
}

// The segments that pull most, one by one, begin otherwise.
static hf_status try_pullers(hf_fit *fit, const hf_fit_kept *kept, double *pulls, bool *asleep,
                             bool *better, hf_error *error)
{
    HF_TRY(find_pulls(fit, pulls, error));
    for (int i = 0; i < MOST_PULLERS && find_puller(fit, pulls, count_segments(fit), asleep); ++i) {
        for (int still = 1; still >= 0; --still) {
            hf_error failure = {0};
            bool tried = false;
            hf_status ran = begin_otherwise(fit, asleep, still == 1, &tried, &failure);
            if (tried) {
                HF_TRY(choose(fit, ran, &failure, kept, better, error));
            }
            if (*better || fit->stopped) {
                return HF_OK;
            }
        }
    }
    return HF_OK;
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
    } else if (!fit->def.fixed_starts) {
        // Those that fit far worse than the others sleep
        int bad = find_bad(fit, costs, costs + count, asleep);
        for (int way = 0; way < 2 && bad > 0 && !*better && status == HF_OK && !fit->stopped;
             ++way) {
            hf_error failure = {0};
            hf_status ran = find_anew(fit, asleep, way == 0, &failure);
            status = choose(fit, ran, &failure, &kept, better, error);
        }
        // Those that pull begin otherwise
        if (!*better && status == HF_OK && !fit->stopped) {
            status = try_pullers(fit, &kept, costs, asleep, better, error);
        }
    }
    hf_fit_drop(fit, &kept);
    free(costs);
    free(asleep);
    return status;
}
