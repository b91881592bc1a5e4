// SPDX-License-Identifier: Apache-2.0
// Forward Euler, 000 (4), and semi-implicit Euler. Both give friction elements tau = h, so that an
// element is 000 (14) = 001 (29) with M = 0: unconditionally stable in slip.
#include "methods/fixed/methods.h"

hf_status hf_euler_advance(hf_sim *sim, double h, double end, hf_error *error)
{
    hf_sim_begin(sim, h);
    for (int i = 0; i < sim->model->n; ++i) {
        sim->stage[i] = sim->x[i] + h * sim->k[i];
    }
    hf_step_forces_stop(sim, sim->stage);
    return hf_sim_commit(sim, h, end, error);
}

// Velocities first; positions with the new velocities.
hf_status hf_semi_implicit_euler_advance(hf_sim *sim, double h, double end, hf_error *error)
{
    const hf_model *model = sim->model;
    hf_sim_begin(sim, h);
    for (int i = model->nq; i < model->n; ++i) {
        sim->stage[i] = sim->x[i] + h * sim->k[i];
    }
    for (int i = 0; i < model->nq; ++i) {
        sim->stage[i] = sim->x[i];
    }
    hf_step_forces_stop(sim, sim->stage);
    hf_sim_q_rate(sim, sim->stage, sim->slope);
    for (int i = 0; i < model->nq; ++i) {
        sim->stage[i] = sim->x[i] + h * sim->slope[i];
    }
    return hf_sim_commit(sim, h, end, error);
}
