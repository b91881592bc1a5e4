// SPDX-License-Identifier: Apache-2.0
// The same problems by Siconos' solvers, as they come.
#ifndef HF_BENCH_FC3D_SICONOS_H
#define HF_BENCH_FC3D_SICONOS_H

#include <holdfast/fc3d.h>

typedef enum siconos_method {
    SICONOS_GAUSS_SEIDEL,
    SICONOS_NEWTON,
    SICONOS_NEWTON_JEAN_MOREAU,
    SICONOS_NEWTON_FISCHER,
    SICONOS_PROXIMAL,
    SICONOS_ADMM,
    SICONOS_METHODS
} siconos_method;

typedef struct siconos_result {
    bool solved; // by its own account
    int iterations;
    double seconds;  // processor time of the solver alone
    double residual; // by its own function
} siconos_result;

// Solves from zero, `times` times, of which the mean time counts. `r` gets 3 contacts numbers.
siconos_result siconos_solve(const hf_fc3d_problem *problem, siconos_method method,
                             double tolerance, int times, double *r);

#endif
