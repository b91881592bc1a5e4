// SPDX-License-Identifier: Apache-2.0
// The factor C of a group with implicit forces, A = I + sum Y' G Y = C C', by rows from the first
// number that is not zero (an envelope): a chain costs what its links do, not the cube of all.
#include <math.h>

#include "bodies/tree.h"
#include "math/row.h"
#include "methods/timestep/timestep.h"

static double *row_of(const hf_timestep *ts, const hf_ts_group *group, int i)
{
    return ts->implicit.envelope + ts->implicit.row_place[group->s + i] -
           ts->implicit.row_first[group->s + i];
}

static bool follows_tree(const hf_timestep *ts, const hf_ts_group *group)
{
    return group->ways != NULL && group->ways != ts->machine.chain;
}

// Of a tree, A = R'R with C = R', from the leaves on: nothing fills beside the ways to the world
// (bodies/tree_factor.c). R: whole rows, one behind the other.
double *hf_ts_envelope_square(const hf_timestep *ts, int group)
{
    return row_of(ts, &ts->machine.groups[group], 0);
}

bool hf_ts_envelope_factor(hf_timestep *ts, const hf_ts_group *group)
{
    if (follows_tree(ts, group)) {
        return hf_tree_factor(group->count, group->ways, row_of(ts, group, 0));
    }
    const int *first = ts->implicit.row_first + group->s;
    for (int i = 0; i < group->count; ++i) {
        double *a = row_of(ts, group, i), square = a[i];
        for (int j = first[i]; j < i; ++j) {
            const double *b = row_of(ts, group, j);
            size_t from = (size_t)(first[i] > first[j] ? first[i] : first[j]);
            double sum = from < (size_t)j ? hf_row_dot(a + from, b + from, (size_t)j - from) : 0.0;
            a[j] = (a[j] - sum) / b[j];
            square -= a[j] * a[j];
        }
        if (!(square > 0.0)) {
            return false;
        }
        a[i] = sqrt(square);
    }
    return true;
}

void hf_ts_envelope_half(const hf_timestep *ts, const hf_ts_group *group, double *s)
{
    if (follows_tree(ts, group)) {
        hf_tree_factor_half(group->count, group->ways, row_of(ts, group, 0), s, s);
        return;
    }
    const int *first = ts->implicit.row_first + group->s;
    for (int i = 0; i < group->count; ++i) {
        const double *c = row_of(ts, group, i);
        size_t from = (size_t)first[i];
        s[i] = (s[i] - hf_row_dot(c + from, s + from, (size_t)i - from)) / c[i];
    }
}

void hf_ts_envelope_back(const hf_timestep *ts, const hf_ts_group *group, double *s)
{
    if (follows_tree(ts, group)) {
        hf_tree_factor_back(group->count, group->ways, row_of(ts, group, 0), s, s);
        return;
    }
    const int *first = ts->implicit.row_first + group->s;
    for (int i = group->count - 1; i >= 0; --i) {
        const double *c = row_of(ts, group, i);
        size_t from = (size_t)first[i];
        s[i] /= c[i];
        hf_row_add(s + from, -s[i], c + from, (size_t)i - from);
    }
}

void hf_ts_envelope_weigh(const hf_timestep *ts, const hf_ts_group *group, double *s)
{
    if (follows_tree(ts, group)) {
        hf_tree_factor_weigh(group->count, group->ways, row_of(ts, group, 0), s, s);
        return;
    }
    const int *first = ts->implicit.row_first + group->s;
    for (int i = 0; i < group->count; ++i) {
        const double *c = row_of(ts, group, i);
        double own = s[i];
        for (int k = first[i]; k < i; ++k) {
            s[k] += c[k] * own;
        }
        s[i] = c[i] * own;
    }
}

void hf_ts_envelope_add(const hf_timestep *ts, const hf_ts_term *term, int row, double g)
{
    const hf_ts_group *group = &ts->machine.groups[term->group];
    const double *y = hf_ts_term_row(ts, term, row);
    int lo = term->lo, width = term->width;
    for (int i = term->leaf; i >= 0 && term->leaf >= 0; i = group->ways[i]) {
        double *a = row_of(ts, group, i), scaled = g * y[i];
        for (int k = i; k >= 0 && scaled != 0.0; k = group->ways[k]) {
            a[k] += scaled * y[k];
        }
    }
    if (term->leaf >= 0) {
        return;
    }
    for (int i = 0; i < width; ++i) {
        double *a = row_of(ts, group, lo + i), scaled = g * y[i];
        for (int k = 0; k <= i && scaled != 0.0; ++k) {
            a[lo + k] += scaled * y[k];
        }
    }
}
