// SPDX-License-Identifier: Apache-2.0
// Several rows of some dozens of numbers, one behind the other: products with them, and what is
// orthonormal to them. The sums are those of math/row.h to the bit, in wider registers where the
// processor has them.
#ifndef HF_SOLVERS_SMALL_ROWS_H
#define HF_SOLVERS_SMALL_ROWS_H

#include <stdbool.h>
#include <stddef.h>

// products[r] := row r of a . x, for `count` rows of n numbers.
void hf_rows_times(const double *a, int count, size_t n, const double *x, double *products);
// x += sum shares[r] row r of a, row by row.
void hf_rows_add(const double *a, int count, size_t n, const double *shares, double *x);
// a_ik += sum left_ji b_jk over `count` rows of left and b, for the lower half of a (n x n);
// numbers above the diagonal may change.
void hf_rows_outer(const double *left, const double *b, int count, size_t n, double *a);

// s -= its part along the first `rank` rows of q, which are orthonormal.
void hf_rows_remove(const double *q, int rank, size_t n, double *s);

// Makes row `rank` of q orthonormal to those before (Gram and Schmidt, twice where
// little of it is left, which is enough).
// False where what is left is less than `nothing` of its length: it follows from the others.
bool hf_rows_join(double *q, int rank, size_t n, double nothing);

#endif
