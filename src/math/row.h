// SPDX-License-Identifier: Apache-2.0
// Sums over rows of some dozens of numbers, four side by side: loops of known length, which
// compilers turn into vector instructions without being allowed to reorder anything.
#ifndef HF_MATH_ROW_H
#define HF_MATH_ROW_H

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

#endif
