// SPDX-License-Identifier: Apache-2.0
// Sums over rows that have numbers on one way to the world alone (hf_ts_side.leaf).
#ifndef HF_METHODS_TIMESTEP_WAYS_H
#define HF_METHODS_TIMESTEP_WAYS_H

#include <math.h>

#include "methods/timestep/timestep.h"

// u += Y s of a side on one way to the world, rows `first` to end - 1.
static inline void add_way(const double *y, int count, int leaf, const int *above, const double *s,
                           int first, int end, double u[HF_TS_ROWS])
{
    // All three in one walk
    if (end - first == HF_TS_ROWS) {
        const double *b = y + count, *c = b + count;
        double sums[HF_TS_ROWS] = {0.0, 0.0, 0.0};
        for (int k = leaf; k >= 0; k = above[k]) {
            sums[0] += y[k] * s[k];
            sums[1] += b[k] * s[k];
            sums[2] += c[k] * s[k];
        }
        for (int r = 0; r < HF_TS_ROWS; ++r) {
            u[r] += sums[r];
        }
        return;
    }
    for (int r = first; r < end; ++r) {
        const double *row = y + (size_t)r * (size_t)count;
        double sum = 0.0;
        for (int k = leaf; k >= 0; k = above[k]) {
            sum += row[k] * s[k];
        }
        u[r] += sum;
    }
}

// Rows in use: the others are zero.
static inline int first_row(const hf_ts_contact *contact)
{
    return contact->kind == HF_TS_FRICTION && contact->part != HF_TS_PLANE ? 1 : 0;
}

static inline int end_row(const hf_ts_contact *contact)
{
    return contact->kind == HF_TS_POINT && !contact->smooth ? HF_TS_ROWS : 1 + contact->rows;
}

// Whether rows have the sparsity of a tree.
static inline bool is_way(const hf_timestep *ts, const hf_ts_side *side)
{
    return side->leaf != HF_TS_ANYWHERE &&
           ts->machine.groups[side->group].above != ts->machine.chain;
}

// Numbers of a row from here on are zero.
static inline int end_of(const hf_timestep *ts, const hf_ts_side *side)
{
    return is_way(ts, side) ? side->leaf + 1 : side->count;
}

// s += Y' r of such a side, rows `first` to end - 1; returns |Y' r|.
static inline double add_way_columns(const double *y, int count, int leaf, const int *above,
                                     int first, int end, const double r[HF_TS_ROWS], double *s)
{
    const double *own = y + (size_t)first * (size_t)count, *b = y + count, *c = b + count;
    double squares = 0.0;
    for (int k = leaf; k >= 0 && end - first == 1; k = above[k]) {
        double change = own[k] * r[first];
        s[k] += change;
        squares += change * change;
    }
    for (int k = leaf; k >= 0 && end - first > 1; k = above[k]) {
        double change = y[k] * r[0] + b[k] * r[1] + c[k] * r[2];
        s[k] += change;
        squares += change * change;
    }
    return sqrt(squares);
}

#endif
