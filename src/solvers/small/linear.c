// SPDX-License-Identifier: Apache-2.0
// Small dense linear equations without symmetry: Gauss elimination with scaled rows.
#include "solvers/small/linear.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "laws/batch.h"
#include "math/lanes.h"

// The largest |number| of a row of whole fours; a number that is not finite makes *spoiled NaN.
HF_BATCH_BODY double largest_of(const double *row, size_t stride, double *spoiled)
{
    hf_four most = {0.0, 0.0, 0.0, 0.0}, zeros = most, x, size;
    for (size_t k = 0; k < stride; k += 4) {
        HF_LANES_LOAD(x, row + k);
        zeros += 0.0 * x;
        hf_four_mask below = x < 0.0;
        size = (hf_four)(((hf_four_mask)x & ~below) | ((hf_four_mask)(-x) & below));
        hf_four_mask more = size > most;
        most = (hf_four)(((hf_four_mask)size & more) | ((hf_four_mask)most & ~more));
    }
    *spoiled = zeros[0] + zeros[1] + zeros[2] + zeros[3];
    double largest = 0.0;
    for (int k = 0; k < 4; ++k) {
        largest = most[k] > largest ? most[k] : largest;
    }
    return largest;
}

// Rows have sizes as unlike as what they stand for. Not good: one is zero or not finite.
HF_BATCH_BODY void scale_rows(double *a, int n, size_t stride, double *e, bool *good)
{
    hf_four x;
    *good = true;
    for (int i = 0; i < n && *good; ++i) {
        double *row = a + (size_t)i * stride, spoiled, largest = largest_of(row, stride, &spoiled);
        *good = largest > 0.0 && isfinite(largest) && spoiled == 0.0;
        for (size_t k = 0; k < stride && *good; k += 4) {
            HF_LANES_LOAD(x, row + k);
            x /= largest;
            HF_LANES_STORE(row + k, x);
        }
        e[i] /= largest;
    }
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

// Forward, by the largest pivot of each column of the scaled rows.
HF_BATCH_BODY void forward(double *a, int n, size_t stride, double least, double *e, bool *good)
{
    scale_rows(a, n, stride, e, good);
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
