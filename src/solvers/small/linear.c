// SPDX-License-Identifier: Apache-2.0
// Small dense linear equations without symmetry: Gauss elimination with scaled rows.
#include "solvers/small/linear.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "laws/batch.h"
#include "math/lanes.h"
#include "math/row.h"

// Rows have sizes as unlike as what they stand for. False: one is zero or not finite.
static bool scale_rows(double *a, int n, size_t stride, double *e)
{
    for (int i = 0; i < n; ++i) {
        double *row = a + (size_t)i * stride, largest = 0.0;
        for (int k = 0; k < n; ++k) {
            largest = fabs(row[k]) > largest ? fabs(row[k]) : largest;
        }
        if (!(largest > 0.0) || !isfinite(largest) || !hf_row_finite(row, (size_t)n)) {
            return false;
        }
        for (int k = 0; k < n; ++k) {
            row[k] /= largest;
        }
        e[i] /= largest;
    }
    return true;
}

// Rows below row k, which has the pivot, less their shares of it. Whole fours: numbers in columns
// up to k are of no use any more.
HF_BATCH_BODY void reduce(double *a, int n, size_t stride, int k, double *e)
{
    const double *row = a + (size_t)k * stride;
    double over = 1.0 / row[k];
    hf_four x, y;
    for (int i = k + 1; i < n; ++i) {
        double *other = a + (size_t)i * stride, share = other[k] * over;
        for (size_t j = (size_t)(k + 1) / 4 * 4; j < stride && share != 0.0; j += 4) {
            HF_LANES_LOAD(x, other + j);
            HF_LANES_LOAD(y, row + j);
            x += -share * y;
            HF_LANES_STORE(other + j, x);
        }
        e[i] -= share * e[k];
    }
}

HF_BATCH_BODY void swap_rows(double *a, size_t stride, int k, int other, double *e)
{
    double kept = e[k], *row = a + (size_t)k * stride, *to = a + (size_t)other * stride;
    hf_four x, y;
    for (size_t j = (size_t)k / 4 * 4; j < stride && other != k; j += 4) {
        HF_LANES_LOAD(x, row + j);
        HF_LANES_LOAD(y, to + j);
        HF_LANES_STORE(row + j, y);
        HF_LANES_STORE(to + j, x);
    }
    e[k] = e[other];
    e[other] = kept;
}

// Forward, by the largest pivot of each column.
HF_BATCH_BODY void forward(double *a, int n, size_t stride, double least, double *e, bool *good)
{
    *good = true;
    for (int k = 0; k < n && *good; ++k) {
        const double *column = a + k;
        size_t pivot = (size_t)k;
        for (size_t i = pivot + 1; i < (size_t)n; ++i) {
            pivot = fabs(column[i * stride]) > fabs(column[pivot * stride]) ? i : pivot;
        }
        *good = fabs(column[pivot * stride]) > least;
        if (*good) {
            swap_rows(a, stride, k, (int)pivot, e);
            reduce(a, n, stride, k, e);
        }
    }
}

static void go_forward(double *a, int n, size_t stride, double least, double *e, bool *good);
HF_BATCH(go_forward, forward,
         (double *a, int n, size_t stride, double least, double *e, bool *good),
         (a, n, stride, least, e, good))

bool hf_linear_solve(double *a, int n, double *e, double least)
{
    size_t stride = (size_t)HF_LINEAR_STRIDE(n);
    bool good;
    if (!scale_rows(a, n, stride, e)) {
        return false;
    }
    // Forward
    go_forward(a, n, stride, least, e, &good);
    if (!good) {
        return false;
    }
    // and back
    for (int k = n - 1; k >= 0; --k) {
        const double *row = a + (size_t)k * stride;
        double sum = e[k];
        for (int j = k + 1; j < n; ++j) {
            sum -= row[j] * e[j];
        }
        e[k] = sum / row[k];
    }
    return true;
}
