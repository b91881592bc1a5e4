// SPDX-License-Identifier: Apache-2.0
// Logs are cut into segments: by their length, and where the log has a gap. What the inputs did in
// a gap is not known, so that a simulation through it is of another motion.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "fit/fit_data.h"

// Times of logs are decimal numbers: a length that is met but for this part of it is met.
static const double TIME_ROUNDING = 1e-9;
// A gap is so many times the usual time between two rows, and such a part of a segment: shorter
// pauses of a log whose rows come unevenly are none.
static const double GAP_ROWS = 10.0, GAP_PART = 0.1;
// What is cut off by a gap must have more rows than a start has numbers of a coordinate.
enum { LEAST_ROWS = 4 };

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

hf_status hf_fit_find_usual_step(hf_fit_track *track, hf_error *error)
{
    long long count = track->rows - 1;
    double *steps = malloc((size_t)count * sizeof *steps);
    if (steps == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    }
    for (long long k = 0; k < count; ++k) {
        steps[k] = track->time[k + 1] - track->time[k];
    }
    qsort(steps, (size_t)count, sizeof *steps, by_size);
    track->usual_step = steps[count / 2];
    free(steps);
    return HF_OK;
}

// Whether there is a gap between a row and the one before.
static bool is_gap(const hf_fit_track *track, double length, long long row)
{
    double pause = track->time[row] - track->time[row - 1];
    return pause > GAP_ROWS * track->usual_step && pause > GAP_PART * length;
}

// Rows from `from` up to the next gap, or to the end.
static long long end_of_piece(const hf_fit_track *track, double length, long long from)
{
    long long k = from + 1;
    while (k < track->rows && !is_gap(track, length, k)) {
        ++k;
    }
    return k;
}

// The row at which each segment begins. A rest shorter than half a segment goes to the last one.
static int cut_rows(hf_fit_track *track, double length, long long *first)
{
    int count = 0;
    track->gaps = 0;
    track->widest_gap = 0.0;
    for (long long from = 0, to = 0; from < track->rows; from = to) {
        to = end_of_piece(track, length, from);
        if (from > 0) {
            double pause = track->time[from] - track->time[from - 1];
            track->gaps += 1;
            track->gap_at = pause > track->widest_gap ? track->time[from - 1] : track->gap_at;
            track->widest_gap = fmax(track->widest_gap, pause);
        }
        // Too few rows would tell nothing but their own start
        if (count == 0 || to - from >= LEAST_ROWS) {
            first[count++] = from;
        }
        double end = track->time[to - 1];
        for (long long k = from + 1; k < to && isfinite(length); ++k) {
            double begin = track->time[first[count - 1]];
            if (track->time[k] - begin >= length * (1.0 - TIME_ROUNDING) &&
                end - track->time[k] >= 0.5 * length) {
                first[count++] = k;
            }
        }
    }
    first[count] = track->rows;
    return count;
}

hf_status hf_fit_cut(hf_fit *fit, double length, hf_error *error)
{
    size_t n = (size_t)fit->state_count;
    fit->segment = length;
    for (int t = 0; t < fit->track_count; ++t) {
        hf_fit_track *track = &fit->tracks[t];
        // A log must have a segment
        double span = track->time[track->rows - 1];
        if (isfinite(length) && span < 0.5 * length) {
            (void)hf_error_set(error, HF_ERROR_INPUT,
                               "the log lasts %g s, shorter than half a segment of %g s", span,
                               length);
            hf_error_locate(error, track->log->name, 1, 1);
            return HF_ERROR_INPUT;
        }
        // Where segments begin, and in which state
        long long *rows = hf_arena_alloc(&fit->arena, (size_t)track->rows + 1, sizeof *rows);
        track->segment_count = rows == NULL ? 0 : cut_rows(track, length, rows);
        track->first = rows;
        size_t size = n * (size_t)track->segment_count + 1;
        track->starts = hf_arena_alloc(&fit->arena, size, sizeof *track->starts);
        track->trial = hf_arena_alloc(&fit->arena, size, sizeof *track->trial);
        if (rows == NULL || track->starts == NULL || track->trial == NULL) {
            return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
        }
        for (int s = 0; s < track->segment_count; ++s) {
            memcpy(track->starts + (size_t)s * n, track->guess + (size_t)rows[s] * n,
                   n * sizeof *track->starts);
        }
    }
    return HF_OK;
}
