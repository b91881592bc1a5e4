// SPDX-License-Identifier: Apache-2.0
// Sweeps of Gauss-Seidel where bodies are known.
#ifndef HF_SOLVERS_FC3D_TURNS_H
#define HF_SOLVERS_FC3D_TURNS_H

#include "fc3d_internal.h"

// |r - P_K(r - rho u~)|^2 of one contact
static inline double hf_fc3d_contact_error(const double r[3], const double u[3], double mu,
                                           double rho)
{
    double z[3], now[3];
    hf_fc3d_shift(r, u, mu, rho, z);
    (void)hf_fc3d_project(z, mu, now);
    double a = r[0] - now[0], b = r[1] - now[1], c = r[2] - now[2];
    return a * a + b * b + c * c;
}

// All turns of the problem at hand; weights are set, u is that of r.
void hf_fc3d_turns_prepare(hf_fc3d_run *run, double rho);
// Residuals of the contacts as they are, from u; as if nobody had moved yet.
void hf_fc3d_turns_start(hf_fc3d_run *run, double rho);
// One sweep; returns the sum of the squared changes. `quiet`: changes that do not matter, squared.
double hf_fc3d_turns_sweep(hf_fc3d_run *run, double rho, double quiet);

#endif
