// SPDX-License-Identifier: Apache-2.0
// Where sweeps begin: with the load shared out evenly.
//
// Where contacts are redundant, the same motion goes with many reactions: two pads that hold a box
// may press on it with their whole faces, or both with one corner. Coulomb's law bounds each point
// by its own normal, so that a load in a corner turns the box, and one that is shared out holds it,
// or lets it slide straight on. Sweeps leave a load near where they begin. Bodies that are a little
// elastic share it as evenly as it can be: of all reactions r that push the bodies alike,
// Y' r = Y' r0, those of least size. They are the part of r0 in the range of Y, found by conjugate
// gradients for least squares (CGLS).
#include <math.h>
#include <string.h>

#include "methods/timestep/timestep.h"

// Larger problems are heaps, where a load has one way to go or many small ones.
enum { MOST_CONTACTS = 64, LEAST_POINTS = 3, MOST_STEPS = 20 };

// What is left of the part in the range of Y, squared, where the steps end.
#define SHARED_OUT 1e-16
// By how much of it a reaction may be beyond its cone: what slides is at its edge.
#define EDGE 1e-6

static bool is_point(const hf_ts_contact *c)
{
    return c->kind == HF_TS_POINT && c->part == HF_TS_WHOLE;
}

static double squares(const double *x, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; ++i) {
        sum += x[i] * x[i];
    }
    return sum;
}

// The part of `left` across the range of Y stays in it. Of other contacts than points it is zero.
static void take_range(hf_timestep *ts, double *left)
{
    int rows = 3 * ts->problem.count, n = ts->machine.s_count;
    double *way = ts->motion.s_way, *change = ts->scratch.along, *s = ts->motion.s_change;
    hf_ts_apply(ts, left);
    memcpy(way, s, (size_t)n * sizeof *way);
    double size = squares(s, n), end = SHARED_OUT * size;
    for (int step = 0; step < MOST_STEPS && size > end; ++step) {
        // Along the way, as far as it lessens what is left
        memset(change, 0, (size_t)rows * sizeof *change);
        for (int i = 0; i < ts->problem.count; ++i) {
            if (is_point(&ts->problem.contacts[i])) {
                hf_ts_add_motion(ts, &ts->problem.contacts[i], way, change + 3 * i);
            }
        }
        double length = squares(change, rows), far = length > 0.0 ? size / length : 0.0;
        for (int i = 0; i < rows; ++i) {
            left[i] -= far * change[i];
        }
        // The next one
        hf_ts_apply(ts, left);
        double before = size;
        size = squares(s, n);
        for (int k = 0; k < n; ++k) {
            way[k] = s[k] + size / before * way[k];
        }
    }
}

// Whether all points of r - way left are in their cones.
static bool is_inside(const hf_timestep *ts, const double *left, double way)
{
    const double *r = ts->problem.r;
    bool inside = true;
    for (int i = 0; i < ts->problem.count && inside; ++i, left += 3, r += 3) {
        double normal = r[0] - way * left[0];
        double across = hypot(r[1] - way * left[1], r[2] - way * left[2]);
        inside = !is_point(&ts->problem.contacts[i]) ||
                 (normal >= 0.0 && across <= ts->problem.mu[i] * normal * (1.0 + EDGE));
    }
    return inside;
}

void hf_ts_even(hf_timestep *ts)
{
    double *left = ts->scratch.left, *r = ts->problem.r;
    int points = 0, rows = 3 * ts->problem.count;
    for (int i = 0; i < ts->problem.count; ++i) {
        points += is_point(&ts->problem.contacts[i]) ? 1 : 0;
    }
    if (points < LEAST_POINTS || ts->problem.count > MOST_CONTACTS) {
        return;
    }
    for (int i = 0; i < rows; ++i) {
        left[i] = is_point(&ts->problem.contacts[i / 3]) ? r[i] : 0.0;
    }
    take_range(ts, left);
    // As far as the cones allow
    double way = 1.0;
    while (way > 0.1 && !is_inside(ts, left, way)) {
        way *= 0.5;
    }
    for (int i = 0; i < rows && way > 0.1; ++i) {
        r[i] -= way * left[i];
    }
}
