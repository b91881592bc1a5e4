// SPDX-License-Identifier: Apache-2.0
// The factor C of a group with implicit forces, A = I + sum Y' G Y = C C', by rows from the first
// number that is not zero (an envelope): a chain costs what its links do, not the cube of all.
#include <math.h>
#include <string.h>

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

// Of a tree, A = R'R with C = R', from the leaves on: nothing fills beside the ways to the world.
// R: its packed rows (bodies/tree_factor.c).
double *hf_ts_envelope_rows(const hf_timestep *ts, int group)
{
    return row_of(ts, &ts->machine.groups[group], 0);
}

void hf_ts_envelope_clear(const hf_timestep *ts, const hf_ts_group *group)
{
    int n = group->count;
    if (follows_tree(ts, group)) {
        double *rows = row_of(ts, group, 0);
        memset(rows, 0, hf_tree_row_numbers(n, group->ways) * sizeof *rows);
        for (int i = 0; i < n; ++i) {
            hf_tree_row(n, group->ways, rows, i)[hf_tree_depth(n, group->ways, i)] = 1.0;
        }
        return;
    }
    for (int i = 0; i < n; ++i) {
        int first = ts->implicit.row_first[group->s + i];
        double *row = row_of(ts, group, i);
        memset(row + first, 0, (size_t)(i - first) * sizeof *row);
        row[i] = 1.0;
    }
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

// Of a tree up to four rows go side by side; where there are fewer, the last of them several times.
static void half_four(const hf_timestep *ts, const hf_ts_group *group, int count, double *rows)
{
    int n = group->count;
    double *y = ts->scratch.jacobian, *row[4];
    for (int r = 0; r < 4; ++r) {
        row[r] = rows + (r < count ? r : count - 1) * n;
    }
    for (int k = 0; k < n; ++k) {
        y[4 * k] = row[0][k];
        y[4 * k + 1] = row[1][k];
        y[4 * k + 2] = row[2][k];
        y[4 * k + 3] = row[3][k];
    }
    hf_tree_factor_half_rows(n, group->ways, row_of(ts, group, 0), 4, y);
    for (int k = 0; k < n; ++k) {
        row[0][k] = y[4 * k];
        row[1][k] = y[4 * k + 1];
        row[2][k] = y[4 * k + 2];
        row[3][k] = y[4 * k + 3];
    }
}

void hf_ts_envelope_half_rows(const hf_timestep *ts, const hf_ts_group *group, int count,
                              double *rows)
{
    bool tree = follows_tree(ts, group);
    for (int r = 0; r < count;) {
        int some = tree && count - r > 1 ? (count - r < 4 ? count - r : 4) : 1;
        if (some > 1) {
            half_four(ts, group, some, rows + r * group->count);
        } else {
            hf_ts_envelope_half(ts, group, rows + r * group->count);
        }
        r += some;
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

// A row on the way of a tree from `leaf`.
static void add_way(const hf_ts_group *group, const double *y, int leaf, double g, double *a)
{
    const int *way = hf_tree_way(group->count, group->ways, leaf);
    for (int p = hf_tree_depth(group->count, group->ways, leaf); p >= 0; --p) {
        double *row = hf_tree_row(group->count, group->ways, a, way[p]), scaled = g * y[way[p]];
        for (int k = 0; k <= p && scaled != 0.0; ++k) {
            row[k] += scaled * y[way[k]];
        }
    }
}

void hf_ts_envelope_add(const hf_timestep *ts, const hf_ts_term *term, int row, double g)
{
    const hf_ts_group *group = &ts->machine.groups[term->group];
    const double *y = hf_ts_term_row(ts, term, row);
    int lo = term->lo, width = term->width;
    if (term->leaf >= 0) {
        add_way(group, y, term->leaf, g, row_of(ts, group, 0));
        return;
    }
    for (int i = 0; i < width; ++i) {
        double *a = row_of(ts, group, lo + i), scaled = g * y[i];
        for (int k = 0; k <= i && scaled != 0.0; ++k) {
            a[lo + k] += scaled * y[k];
        }
    }
}
