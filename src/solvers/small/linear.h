// SPDX-License-Identifier: Apache-2.0
// Small dense linear equations without symmetry.
#ifndef HF_SOLVERS_SMALL_LINEAR_H
#define HF_SOLVERS_SMALL_LINEAR_H

#include <stdbool.h>

// Numbers from one row of n unknowns to the next: in fours, the last of which are zero.
#define HF_LINEAR_STRIDE(n) (((n) + 3) / 4 * 4)

// e := A^-1 e, A [n x HF_LINEAR_STRIDE(n)] by rows, which is overwritten: by elimination with the
// largest pivot of a column, after each row was divided by its largest number. False, and e is of
// no use: some number of A is not finite, or a pivot is not larger than `least`.
bool hf_linear_solve(double *a, int n, double *e, double least);

#endif
