// SPDX-License-Identifier: Apache-2.0
// Contacts with friction of rolling: their cone, its projection, and a dense Newton's method for a
// few of them. Coordinates: normal, two tangents, two turns.
#ifndef HF_SOLVERS_FC3D_FC3D_ROLLING_H
#define HF_SOLVERS_FC3D_FC3D_ROLLING_H

#include <stdbool.h>
#include <stddef.h>

enum { HF_ROLLING_ROWS = 5 };

// Bounds of a contact: |r_T| <= mu r_N, |r_R| <= mu_r r_N.
typedef struct hf_rolling_bounds {
    double mu, mu_r;
} hf_rolling_bounds;

// How a projection came to its point: the normal part, and which of the two bounds hold it.
typedef struct hf_rolling_point {
    double normal;
    bool open, slips, rolls;
} hf_rolling_point;

// p := the point of K = { r : |r_T| <= mu r_N, |r_R| <= mu_r r_N } nearest to z.
hf_rolling_point hf_rolling_project(const double z[HF_ROLLING_ROWS], hf_rolling_bounds bounds,
                                    double p[HF_ROLLING_ROWS]);

// z := r - rho (u + (mu |u_T| + mu_r |u_R|) n)
void hf_rolling_shift(const double *r, const double *u, hf_rolling_bounds bounds, double rho,
                      double z[HF_ROLLING_ROWS]);

// |r - P_K(r - rho u~)|^2
double hf_rolling_error(const double *r, const double *u, hf_rolling_bounds bounds, double rho);

// Dense problems: u = W r + q.
typedef struct hf_rolling_dense {
    int contacts;
    const double *w; // [5 contacts][5 contacts]
    const double *q; // [5 contacts]
    const hf_rolling_bounds *bounds;
    double rho; // about 1 / W's diagonal
} hf_rolling_dense;

// Doubles of scratch for so many contacts.
size_t hf_rolling_work(int contacts);

// Newton's method on r - P_K(r - rho u~) = 0, with a line search, from r on; r is the best that was
// found. Ends where the norm of that is at most `enough`. Returns the steps taken; *left: the norm.
int hf_rolling_newton(const hf_rolling_dense *problem, double enough, int steps, double *r,
                      double *work, double *left);

#endif
