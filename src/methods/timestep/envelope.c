// SPDX-License-Identifier: Apache-2.0
// The factor C of a group with implicit forces, A = I + sum Y' G Y = C C', by rows from the first
// number that is not zero (an envelope): a chain costs what its links do, not the cube of all.
#include <math.h>

#include "methods/timestep/timestep.h"

static double *row_of(const hf_timestep *ts, const hf_ts_group *group, int i)
{
    return ts->envelope + ts->row_place[group->s + i] - ts->row_first[group->s + i];
}

bool hf_ts_envelope_factor(hf_timestep *ts, const hf_ts_group *group)
{
    const int *first = ts->row_first + group->s;
    for (int i = 0; i < group->count; ++i) {
        double *a = row_of(ts, group, i), square = a[i];
        for (int j = first[i]; j < i; ++j) {
            const double *b = row_of(ts, group, j);
            double sum = a[j];
            for (int k = first[i] > first[j] ? first[i] : first[j]; k < j; ++k) {
                sum -= a[k] * b[k];
            }
            a[j] = sum / b[j];
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
    const int *first = ts->row_first + group->s;
    for (int i = 0; i < group->count; ++i) {
        const double *c = row_of(ts, group, i);
        double sum = s[i];
        for (int k = first[i]; k < i; ++k) {
            sum -= c[k] * s[k];
        }
        s[i] = sum / c[i];
    }
}

void hf_ts_envelope_back(const hf_timestep *ts, const hf_ts_group *group, double *s)
{
    const int *first = ts->row_first + group->s;
    for (int i = group->count - 1; i >= 0; --i) {
        const double *c = row_of(ts, group, i);
        s[i] /= c[i];
        for (int k = first[i]; k < i; ++k) {
            s[k] -= c[k] * s[i];
        }
    }
}

void hf_ts_envelope_weigh(const hf_timestep *ts, const hf_ts_group *group, double *s)
{
    const int *first = ts->row_first + group->s;
    for (int i = 0; i < group->count; ++i) {
        const double *c = row_of(ts, group, i);
        double own = s[i];
        for (int k = first[i]; k < i; ++k) {
            s[k] += c[k] * own;
        }
        s[i] = c[i] * own;
    }
}

void hf_ts_envelope_add(const hf_timestep *ts, const hf_ts_group *group, int lo, int width,
                        const double *y, double g)
{
    for (int i = 0; i < width; ++i) {
        double *a = row_of(ts, group, lo + i), scaled = g * y[i];
        for (int k = 0; k <= i && scaled != 0.0; ++k) {
            a[lo + k] += scaled * y[k];
        }
    }
}
