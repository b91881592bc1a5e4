// SPDX-License-Identifier: Apache-2.0
// Sums over rows of some dozens of numbers, four side by side: loops of known length, which
// compilers turn into vector instructions without being allowed to reorder anything.
#ifndef HF_MATH_ROW_H
#define HF_MATH_ROW_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

// a.b of n numbers.
static inline double hf_row_dot(const double *restrict a, const double *restrict b, size_t n)
{
    double sum[4] = {0.0, 0.0, 0.0, 0.0}, rest = 0.0;
    size_t k = 0;
    for (; k + 4 <= n; k += 4) {
        for (size_t j = 0; j < 4; ++j) {
            sum[j] += a[k + j] * b[k + j];
        }
    }
    for (; k < n; ++k) {
        rest += a[k] * b[k];
    }
    return (sum[0] + sum[2]) + (sum[1] + sum[3]) + rest;
}

// Whether all n numbers are finite: 0 a is NaN as soon as one is not.
static inline bool hf_row_finite(const double *a, size_t n)
{
    double sum[4] = {0.0, 0.0, 0.0, 0.0};
    size_t k = 0;
    for (; k + 4 <= n; k += 4) {
        for (size_t j = 0; j < 4; ++j) {
            sum[j] += 0.0 * a[k + j];
        }
    }
    for (; k < n; ++k) {
        sum[0] += 0.0 * a[k];
    }
    return sum[0] + sum[1] + sum[2] + sum[3] == 0.0;
}

// a += g b.
static inline void hf_row_add(double *restrict a, double g, const double *restrict b, size_t n)
{
    size_t k = 0;
    for (; k + 4 <= n; k += 4) {
        for (size_t j = 0; j < 4; ++j) {
            a[k + j] += g * b[k + j];
        }
    }
    for (; k < n; ++k) {
        a[k] += g * b[k];
    }
}

// s -= its part along the first `rank` rows of q, which are orthonormal.
static inline void hf_rows_remove(const double *q, int rank, size_t n, double *s)
{
    for (int r = 0; r < rank; ++r, q += n) {
        hf_row_add(s, -hf_row_dot(q, s, n), q, n);
    }
}

// Makes row `rank` of q orthonormal to those before (Gram and Schmidt, twice, which is enough).
// False where what is left is less than `nothing` of its length: it follows from the others.
static inline bool hf_rows_join(double *q, int rank, size_t n, double nothing)
{
    double *row = q + (size_t)rank * n, before = 0.0, after = 0.0;
    for (size_t k = 0; k < n; ++k) {
        before += row[k] * row[k];
    }
    hf_rows_remove(q, rank, n, row);
    hf_rows_remove(q, rank, n, row);
    for (size_t k = 0; k < n; ++k) {
        after += row[k] * row[k];
    }
    if (!(after > nothing * nothing * before)) {
        return false;
    }
    double scale = 1.0 / sqrt(after);
    for (size_t k = 0; k < n; ++k) {
        row[k] *= scale;
    }
    return true;
}

#endif
