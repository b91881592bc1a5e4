// SPDX-License-Identifier: Apache-2.0
// W x = b for a symmetric positive semidefinite W, such as J M^-1 J': the solution of least norm.
#ifndef HF_SOLVERS_SMALL_LEAST_NORM_H
#define HF_SOLVERS_SMALL_LEAST_NORM_H

#include <stddef.h>

// Doubles of scratch that n unknowns need.
size_t hf_least_norm_work(int n);

// Solves for x (n numbers, row by row in w, which is overwritten) by Cholesky's factorization with
// diagonal pivoting, W = L L' with L of n rows and r columns. With full rank x = W^-1 b. Otherwise
// x = L (L'L)^-2 L' b: of all x that meet the part of b that can be met, the smallest. Returns r.
int hf_least_norm_solve(int n, double *w, const double *b, double *x, double *work);

// The same in two parts, for several b: the factorization stays in `work`. b and x may be the same.
int hf_least_norm_factorize(int n, double *w, double *work);
void hf_least_norm_apply(int n, int rank, const double *b, double *x, double *work);

// The same for any square matrix a (overwritten), by orthogonal factorizations with column
// pivoting: of all x that come nearest to a x = b, the smallest. Returns the rank.
int hf_least_norm_general(int n, double *a, const double *b, double *x, double *work);
size_t hf_least_norm_general_work(int n);

#endif
