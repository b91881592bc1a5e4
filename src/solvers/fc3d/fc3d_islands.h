// SPDX-License-Identifier: Apache-2.0
// A problem by bodies falls apart into islands: contacts that are joined through bodies. Each is a
// problem of its own, with its own scale and its own residual, and they are solved beside each
// other on several threads.
#ifndef HF_SOLVERS_FC3D_FC3D_ISLANDS_H
#define HF_SOLVERS_FC3D_FC3D_ISLANDS_H

#include "fc3d_internal.h"

typedef struct hf_fc3d_islands hf_fc3d_islands;

// On `threads` >= 1, with room for `small` to begin with. Allocates; NULL on error.
hf_fc3d_islands *hf_fc3d_islands_create(const hf_fc3d_def *def, int threads,
                                        const hf_fc3d_problem *small, hf_error *error);
void hf_fc3d_islands_destroy(hf_fc3d_islands *islands); // NULL is allowed

// hf_fc3d_solve, island by island, with the settings and followers of `like`: bodies have the mass
// one. The same bits for any number of threads. Of `info`: the residual of the worst island, the
// iterations and the method of the one that took most. Allocates only when the problem needs more
// memory than any before it.
HF_NODISCARD hf_status hf_fc3d_islands_solve(hf_fc3d_islands *islands, const hf_fc3d_solver *like,
                                             const hf_fc3d_problem *problem, double *r, double *u,
                                             hf_fc3d_info *info, hf_error *error);
// How many islands the last problem had.
int hf_fc3d_islands_count(const hf_fc3d_islands *islands);

#endif
