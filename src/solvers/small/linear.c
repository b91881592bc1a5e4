// SPDX-License-Identifier: Apache-2.0
#include "solvers/small/linear.h"

#include <math.h>
#include <stddef.h>

#include "math/row.h"

// Rows have sizes as unlike as what they stand for. False: one is zero or not finite.
static bool scale_rows(double *a, int n, double *e)
{
    for (int i = 0; i < n; ++i) {
        double *row = a + i * n, largest = 0.0;
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

bool hf_linear_solve(double *a, int n, double *e, double least)
{
    if (!scale_rows(a, n, e)) {
        return false;
    }
    // Forward, by the largest pivot
    for (int k = 0; k < n; ++k) {
        int pivot = k;
        for (int i = k + 1; i < n; ++i) {
            pivot = fabs(a[i * n + k]) > fabs(a[pivot * n + k]) ? i : pivot;
        }
        if (!(fabs(a[pivot * n + k]) > least)) {
            return false;
        }
        for (int j = k; j < n && pivot != k; ++j) {
            double kept = a[k * n + j];
            a[k * n + j] = a[pivot * n + j];
            a[pivot * n + j] = kept;
        }
        double kept = e[k], *row = a + k * n, over;
        e[k] = e[pivot];
        e[pivot] = pivot != k ? kept : e[pivot];
        over = 1.0 / row[k];
        for (int i = k + 1; i < n; ++i) {
            double *other = a + i * n, share = other[k] * over;
            if (share != 0.0) {
                hf_row_add(other + k + 1, -share, row + k + 1, (size_t)(n - k - 1));
            }
            e[i] -= share * e[k];
        }
    }
    // and back
    for (int k = n - 1; k >= 0; --k) {
        double sum = e[k];
        for (int j = k + 1; j < n; ++j) {
            sum -= a[k * n + j] * e[j];
        }
        e[k] = sum / a[k * n + k];
    }
    return true;
}
