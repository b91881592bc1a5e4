// SPDX-License-Identifier: Apache-2.0
// A step of Newton's method (quick.c) over the rows of a group's contacts, where these are fewer
// than its velocities and its mass matrix has no branches to follow, as with loops. With e the
// change of the reactions of closed contacts, and s what those of open ones do,
//   e = dr - G u,   u = Y s + W e,   W = Y Y'     so that     (1 + G W) e = dr - G Y s
// Slopes G and dr of what is held are large, and e is not: in place of a sum of large numbers.
#include <string.h>

#include "math/row.h"
#include "methods/timestep/timestep.h"
#include "solvers/small/linear.h"
#include "solvers/small/rows.h"

// The closed rows of a group.
typedef struct row_list {
    int count;
    int contact[HF_TS_QUICK_WIDTH], row[HF_TS_QUICK_WIDTH];
    const double *y[HF_TS_QUICK_WIDTH];
} row_list;

// Whether W of these rows is there, from the step of Newton's method before; if not, notes them.
static bool is_there(hf_timestep *ts, int group, const row_list *list)
{
    hf_ts_quick_list *last = &ts->scratch.quick_list;
    bool same = last->group == group && last->count == list->count;
    last->group = group;
    last->count = list->count;
    for (int i = 0; i < list->count; ++i) {
        int row = HF_TS_ROWS * list->contact[i] + list->row[i];
        same = same && last->rows[i] == row;
        last->rows[i] = row;
    }
    return same;
}

// False: there are as many as velocities, or more.
static bool list_rows(const hf_timestep *ts, int group, row_list *list)
{
    const int most = ts->machine.groups[group].count;
    list->count = 0;
    for (int i = 0; i < ts->problem.count; ++i) {
        const hf_ts_contact *contact = &ts->problem.contacts[i];
        const hf_ts_side *side = &contact->sides[0];
        if (side->group != group || ts->scratch.quick[i].regime == HF_REGIME_OPEN) {
            continue;
        }
        int last = hf_ts_quick_tangents(contact);
        for (int k = contact->kind == HF_TS_FRICTION ? 1 : 0; k <= last; ++k) {
            if (list->count >= most - 1) {
                return false;
            }
            list->contact[list->count] = i;
            list->row[list->count] = k;
            list->y[list->count++] =
                ts->problem.y + side->y + (size_t)k * (size_t)ts->machine.groups[group].count;
        }
    }
    return true;
}

// The slopes G of a contact's reaction by its velocity: r += dr - G u.
static void find_slopes(const hf_ts_quick *quick, double g[3][3])
{
    const double *d = quick->d, across = quick->across;
    double slip = quick->regime == HF_REGIME_SLIP ? quick->along * quick->normal : 0.0;
    memset(g, 0, 9 * sizeof g[0][0]);
    g[0][0] = quick->normal;
    g[1][1] = g[2][2] = quick->tangent;
    if (quick->regime == HF_REGIME_SLIP) {
        g[1][0] = slip * d[0];
        g[2][0] = slip * d[1];
        g[1][1] += across * d[1] * d[1];
        g[2][2] += across * d[0] * d[0];
        g[1][2] = g[2][1] = -across * d[0] * d[1];
    }
}

// W, with `a` for the rows side by side.
static void find_w(const row_list *list, size_t width, double *a, double *w)
{
    int n = list->count;
    for (int i = 0; i < n; ++i) {
        memcpy(a + (size_t)i * width, list->y[i], width * sizeof *a);
        hf_rows_times(a, i + 1, width, list->y[i], w + i * n);
    }
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < i; ++j) {
            w[j * n + i] = w[i * n + j];
        }
    }
}

// 1 + G W into `a`, dr - G Y s into `e`, contact by contact. s: NULL: zero.
static void pose(const hf_timestep *ts, const row_list *list, const double *dr, const double *s,
                 size_t width, const double *w, double *a, double *e)
{
    int n = list->count, stride = HF_LINEAR_STRIDE(n);
    for (int first = 0, end; first < n; first = end) {
        double g[3][3];
        int from = list->row[first];
        end = first;
        while (end < n && list->contact[end] == list->contact[first]) {
            ++end;
        }
        find_slopes(&ts->scratch.quick[list->contact[first]], g);
        for (int i = first; i < end; ++i) {
            double *row = a + i * stride;
            memset(row, 0, (size_t)stride * sizeof *row);
            e[i] = dr[3 * list->contact[i] + list->row[i]];
            for (int k = first; k < end; ++k) {
                double slope = g[from + i - first][from + k - first];
                if (slope != 0.0) {
                    e[i] -= s == NULL ? 0.0 : slope * hf_row_dot(list->y[k], s, width);
                    hf_row_add(row, slope, w + k * n, (size_t)n);
                }
            }
            row[i] += 1.0;
        }
    }
}

// s := sum Y' dr of the open contacts of the group, whose reactions end. False: it is zero.
static bool gather(const hf_timestep *ts, int group, const double *dr, double *s)
{
    size_t n = (size_t)ts->machine.groups[group].count;
    bool some = false;
    memset(s, 0, n * sizeof *s);
    for (int i = 0; i < ts->problem.count; ++i) {
        const hf_ts_contact *contact = &ts->problem.contacts[i];
        if (contact->sides[0].group != group || ts->scratch.quick[i].regime != HF_REGIME_OPEN) {
            continue;
        }
        for (int k = 0; k <= hf_ts_quick_tangents(contact); ++k) {
            const double *y = ts->problem.y + contact->sides[0].y + (size_t)k * n;
            some = some || dr[3 * i + k] != 0.0;
            for (size_t m = 0; m < n && dr[3 * i + k] != 0.0; ++m) {
                s[m] += dr[3 * i + k] * y[m];
            }
        }
    }
    return some;
}

bool hf_ts_quick_rows(hf_timestep *ts, int group, const double *dr, bool *good)
{
    const hf_ts_group *g = &ts->machine.groups[group];
    row_list list;
    if (hf_ts_is_branched(ts, g) || !list_rows(ts, group, &list)) {
        return false;
    }
    // The changes of the reactions
    size_t n = (size_t)g->count, count = (size_t)list.count;
    double *w = ts->scratch.matrix, *a = w + count * count;
    double *e = a + count * (n + 3), *s = e + count; // a: count rows of either length
    bool some = gather(ts, group, dr, s);
    if (!is_there(ts, group, &list)) {
        find_w(&list, n, a, w);
    }
    pose(ts, &list, dr, some ? s : NULL, n, w, a, e);
    *good = hf_linear_solve(a, list.count, e, 0.0);
    // Those of open contacts end
    for (int i = 0; i < ts->problem.count && *good; ++i) {
        if (ts->problem.contacts[i].sides[0].group == group &&
            ts->scratch.quick[i].regime == HF_REGIME_OPEN) {
            for (int k = 0; k < 3; ++k) {
                ts->problem.r[3 * i + k] += dr[3 * i + k];
            }
        }
    }
    for (int i = 0; i < list.count && *good; ++i) {
        ts->problem.r[3 * list.contact[i] + list.row[i]] += e[i];
    }
    return true;
}
