// SPDX-License-Identifier: Apache-2.0
// The linear complementarity problem of dry friction at rest: which frictions hold, which break
// away, and in which direction.
//
//   a = c - W f,   low <= f <= high,
//   a_i = 0 where low_i < f_i < high_i,   a_i <= 0 where f_i = low_i,   a_i >= 0 where f_i = high_i
//
// W = J M^-1 J' is symmetric and positive semidefinite: a is unique, and f too when W is definite
// ([Farhat2010], erratum 14).
#ifndef HF_SOLVERS_SMALL_BOX_LCP_H
#define HF_SOLVERS_SMALL_BOX_LCP_H

#include <stddef.h>

typedef struct hf_box_lcp {
    int n;
    const double *w;          // n x n
    const double *c;          // accelerations without f
    const double *low, *high; // low <= high
} hf_box_lcp;

// Doubles of scratch for n unknowns.
size_t hf_box_lcp_work(int n);

// Finds f, and in side where each stands: -1 at low, 0 between, 1 at high. By principal pivoting in
// blocks, and one by one after the least index where blocks do not get on, which ends for every
// definite W. A semidefinite one gets a rounding's worth of diagonal more: of all f about the
// smallest. Returns the number of pivots, or -1 after too many.
int hf_box_lcp_solve(const hf_box_lcp *problem, double *f, int *side, double *work);

// The largest violation of the conditions by f and a = c - W f, relative to the sizes of c and of
// the bounds.
double hf_box_lcp_residual(const hf_box_lcp *problem, const double *f);

#endif
