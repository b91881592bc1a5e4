// SPDX-License-Identifier: Apache-2.0
// Islands whose contacts are not redundant (share.c). One x alone makes what they hold hold,
//   A x = -H (q + Y s),   A = H Y Y' G           s: what pushes besides x
// where A is regular, and so there is nothing to be shared out: the least x is that one, if it is
// within its cones. An elimination tells, in place of a search for the least.
#include <math.h>
#include <string.h>

#include "math/row.h"
#include "methods/timestep/timestep.h"
#include "solvers/small/linear.h"
#include "solvers/small/rows.h"

// A is regular where its pivots are larger than this, rows and columns having the length one: a
// row follows from the others but for the root of it. Between that and rows that do follow
// (share.c) forces are as good as redundant, and are searched for.
#define REGULAR 1e-6
// Forces are within their cones to this part of them.
#define WITHIN 1e-9

// What the elimination has room for.
typedef struct equations {
    int count;
    double *rows, *pushes;        // [count x width] of H Y and G' Y
    double *row_over, *push_over; // [count] 1 over their lengths
    double *a, *e;
} equations;

static int count_unknowns(const hf_timestep *ts, const hf_ts_share_room *room)
{
    int count = 0;
    for (int b = 0; b < room->count; ++b) {
        const hf_ts_shared *state = &ts->scratch.shared[room->contact[b]];
        count += state->end - state->first;
    }
    return count;
}

// 1/|row|; zero: it has no length.
static double over(const double *row, size_t n)
{
    double square = hf_row_dot(row, row, n);
    return square > 0.0 ? 1.0 / sqrt(square) : 0.0;
}

// Rows and what the unknowns push, with the friction of what slides. False: some row is zero.
static bool fill_rows(const hf_timestep *ts, const hf_ts_share_room *room, size_t n,
                      const equations *to)
{
    int at = 0;
    bool good = true;
    for (int b = 0; b < room->count; ++b) {
        int i = room->contact[b];
        const hf_ts_contact *c = &ts->problem.contacts[i];
        const hf_ts_shared *state = &ts->scratch.shared[i];
        for (int k = state->first; k < state->end; ++k, ++at) {
            double *row = to->rows + (size_t)at * n, *push = to->pushes + (size_t)at * n;
            memset(row, 0, n * sizeof *row);
            hf_ts_share_row(ts, c, k, 1.0, row);
            memcpy(push, row, n * sizeof *push);
            for (int m = 0; m < 2 && state->slides; ++m) {
                hf_ts_share_row(ts, c, 1 + m, state->along[m], push);
            }
            to->row_over[at] = over(row, n);
            to->push_over[at] = state->slides ? over(push, n) : to->row_over[at];
            good = good && to->row_over[at] > 0.0 && to->push_over[at] > 0.0;
        }
    }
    return good;
}

// e := -H (q + Y s), by the lengths of the rows; s of frictions that slip, as they do in r.
static void fill_wanted(const hf_timestep *ts, const hf_ts_share_room *room, size_t n,
                        const equations *to)
{
    double s[HF_TS_SHARE_WIDTH] = {0.0};
    int at = 0;
    for (int b = 0; b < room->count; ++b) {
        int i = room->contact[b];
        const hf_ts_contact *c = &ts->problem.contacts[i];
        bool slips = c->kind == HF_TS_FRICTION && ts->scratch.shared[i].kind != HF_BLOCK_BALL;
        for (int k = 1; k <= c->rows && slips; ++k) {
            hf_ts_share_row(ts, c, k, ts->problem.r[3 * i + k], s);
        }
    }
    for (int b = 0; b < room->count; ++b) {
        int i = room->contact[b];
        const hf_ts_shared *state = &ts->scratch.shared[i];
        for (int k = state->first; k < state->end; ++k, ++at) {
            to->e[at] = to->row_over[at] *
                        (-ts->problem.q[3 * i + k] - hf_row_dot(to->rows + (size_t)at * n, s, n));
        }
    }
}

// The unknowns, by contacts. False: they are not within their cones.
static bool put(const hf_timestep *ts, const hf_ts_share_room *room, const equations *from)
{
    double away = 0.0, all = 0.0, slopes[9];
    int at = 0;
    for (int b = 0; b < room->count; ++b) {
        int i = room->contact[b];
        const hf_ts_shared *state = &ts->scratch.shared[i];
        bool ball = state->kind == HF_BLOCK_BALL;
        const hf_block block = {state->kind, ball ? ts->problem.r[3 * i] : ts->problem.mu[i]};
        double z[3] = {0.0, 0.0, 0.0}, *x = room->x + 3 * b;
        for (int k = state->first; k < state->end; ++k, ++at) {
            z[k] = from->e[at] * from->push_over[at];
        }
        hf_block_project(&block, z, x, slopes);
        for (int k = 0; k < 3; ++k) {
            away += (x[k] - z[k]) * (x[k] - z[k]);
            all += z[k] * z[k];
        }
    }
    return away <= WITHIN * WITHIN * all;
}

hf_ts_single hf_ts_find_single(const hf_timestep *ts, const hf_ts_share_room *room, int width,
                               bool last)
{
    size_t n = (size_t)width, count = (size_t)count_unknowns(ts, room);
    if (count == 0 || count > n) {
        return HF_TS_SEVERAL;
    }
    // Rows, pushes and A, in the room of the search
    equations p = {.count = (int)count, .rows = room->c, .a = room->work};
    size_t stride = HF_LINEAR_STRIDE(count);
    p.e = p.a + count * stride;
    p.row_over = p.e + count;
    p.push_over = p.row_over + count;
    p.pushes = p.push_over + count;
    if (!fill_rows(ts, room, n, &p)) {
        return HF_TS_SEVERAL;
    }
    memset(p.a, 0, count * stride * sizeof *p.a);
    for (size_t i = 0; i < count; ++i) {
        double *row = p.a + i * stride;
        hf_rows_times(p.pushes, p.count, n, p.rows + i * n, row);
        for (size_t k = 0; k < count; ++k) {
            row[k] *= p.row_over[i] * p.push_over[k];
        }
    }
    // x, or whether there is one alone
    memset(p.e, 0, count * sizeof *p.e);
    if (last) {
        fill_wanted(ts, room, n, &p);
    }
    if (!hf_linear_solve(p.a, p.count, p.e, REGULAR)) {
        return HF_TS_SEVERAL;
    }
    return last && put(ts, room, &p) ? HF_TS_ONE : HF_TS_NO_OTHER;
}
