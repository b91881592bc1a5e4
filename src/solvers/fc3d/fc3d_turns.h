// SPDX-License-Identifier: Apache-2.0
// Sweeps of Gauss-Seidel where bodies are known.
#ifndef HF_SOLVERS_FC3D_FC3D_TURNS_H
#define HF_SOLVERS_FC3D_FC3D_TURNS_H

#include "fc3d_internal.h"

// All turns of the problem at hand; weights are set, u is that of r.
void hf_fc3d_turns_prepare(hf_fc3d_run *run, double rho);
// Residuals of the contacts as they are, from u, before any contact is moved.
void hf_fc3d_turns_start(hf_fc3d_run *run, double rho);
// One sweep; returns the sum of the squared changes. `quiet`: changes that do not matter, squared.
double hf_fc3d_turns_sweep(hf_fc3d_run *run, double rho, double quiet);

#endif
