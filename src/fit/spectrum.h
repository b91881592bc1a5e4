// SPDX-License-Identifier: Apache-2.0
// Eigenvalues of symmetric matrices, and what of a normal matrix can be inverted.
#ifndef HF_FIT_SPECTRUM_H
#define HF_FIT_SPECTRUM_H

#include <holdfast/base.h>

// Below this, over the largest, an eigenvalue of a matrix with a unit diagonal is zero: what
// secants of a simulation tell apart.
#define HF_SPECTRUM_ZERO 1e-7

// Eigenvalues, rising, and eigenvectors (row by row: vectors[k * n] is the k-th) of a symmetric
// matrix, by Jacobi's rotations. `a` is destroyed.
void hf_spectrum(double *a, int n, double *values, double *vectors);

// The inverse of a symmetric, positive semidefinite matrix, after its diagonal was scaled to one;
// directions of zero eigenvalues are left out. *condition: largest over smallest eigenvalue.
HF_NODISCARD hf_status hf_spectrum_invert(const double *a, int n, double *inverse,
                                          double *condition, hf_error *error);

#endif
