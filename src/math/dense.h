// SPDX-License-Identifier: Apache-2.0
// Small dense matrices, row by row. By hand and in a fixed order of operations, so that the bits of
// a result do not depend on a library.
#ifndef HF_MATH_DENSE_H
#define HF_MATH_DENSE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

// Cholesky's factorization A = L L' in place: L in the lower triangle, the rest untouched. False
// when A is not positive definite; L is then filled with what the formulas give, NaN included.
bool hf_cholesky(double *a, size_t n);
// x := L^-1 b, and x := L'^-1 b; b and x may be the same.
void hf_cholesky_lower(const double *l, size_t n, const double *b, double *x);
void hf_cholesky_upper(const double *l, size_t n, const double *b, double *x);
// s := L' v, another array.
void hf_cholesky_weigh(const double *l, size_t n, const double *v, double *s);
// x := A^-1 x for every one of the columns of an n x `columns` matrix.
void hf_cholesky_solve(const double *l, size_t n, double *x, size_t columns);

// out := A^-1 for a symmetric, positive definite A, by Gauss and Jordan's elimination without
// pivoting, which such a matrix does not need. False when it is none.
bool hf_dense_invert(const double *a, size_t n, double *out);

// out := A^-1 for 3 x 3 numbers, by cofactors. False when A is singular or not finite.
static inline bool hf_dense_invert3(const double *a, double *out)
{
    double c0 = a[4] * a[8] - a[5] * a[7], c1 = a[5] * a[6] - a[3] * a[8];
    double c2 = a[3] * a[7] - a[4] * a[6];
    double f = 1.0 / (a[0] * c0 + a[1] * c1 + a[2] * c2);
    out[0] = f * c0;
    out[1] = f * (a[2] * a[7] - a[1] * a[8]);
    out[2] = f * (a[1] * a[5] - a[2] * a[4]);
    out[3] = f * c1;
    out[4] = f * (a[0] * a[8] - a[2] * a[6]);
    out[5] = f * (a[2] * a[3] - a[0] * a[5]);
    out[6] = f * c2;
    out[7] = f * (a[1] * a[6] - a[0] * a[7]);
    out[8] = f * (a[0] * a[4] - a[1] * a[3]);
    return isfinite(f);
}

#endif
