// SPDX-License-Identifier: Apache-2.0
// [Kikuuwe2005]'s fixed-step scheme. Over a step from t to t + T:
//   driven bodies move first, X += T V;  inputs are those at the end of the step;
//   forces at the old positions, friction over the step (14), (17), (29): tau = T;
//   velocities, then positions with the new velocities.
// First order; its friction is the implicit Euler method's.
#include "methods/fixed/methods.h"

#include <string.h>

#include "sim/meet.h"

static hf_status advance(hf_sim *sim, double h, double end, hf_error *error)
{
    const hf_model *model = sim->model;
    double *stage = sim->stage, *x = sim->x;

    // Inputs and driven bodies at the end of the step
    hf_sim_meet(sim, h); // discrete memories see the state
    memcpy(stage, x, (size_t)model->n * sizeof *x);
    hf_signals_update(sim, end, HF_SIDE_LEFT);
    for (int i = 0; i < model->drive_count; ++i) {
        const hf_drive *d = &model->drives[i];
        if (d->by_velocity) {
            stage[d->q] = x[d->q] + h * hf_input_value(sim, d->motion);
        }
    }

    // Forces over the step
    hf_sim_eval(sim, end, HF_SIDE_LEFT, h, stage, sim->k);
    hf_step_forces_solve(sim, stage, sim->k, h);
    hf_sim_note(sim);
    memcpy(sim->step_force, sim->force, (size_t)model->row_count * sizeof *sim->force);

    // Velocities, then positions
    for (int i = model->nq; i < model->n; ++i) {
        stage[i] += h * sim->k[i];
    }
    if (hf_relax_begin(sim, h)) {
        hf_relax_euler(sim, sim->k, h, stage);
    }
    hf_step_forces_stop(sim, stage);
    hf_sim_q_rate(sim, stage, sim->slope);
    for (int i = 0; i < model->drive_count; ++i) {
        sim->slope[model->drives[i].q] = 0.0; // moved already
    }
    for (int i = 0; i < model->nq; ++i) {
        stage[i] += h * sim->slope[i];
    }
    return hf_sim_commit(sim, h, end, error);
}

const hf_method_info hf_method_discrete = {
    .name = "discrete",
    .phrase = "friction over the step, inputs at its end",
    .loads = true,
    .in_steps = true,
    .stepwise = true,
    .accepts = true,
    .shapes = true,
    .surfaces = true,
    .grain = true,
    .swarms = true,
    .look_ahead = 1.0,
    .first_tau = 1.0,
    .contact_scheme = HF_CONTACT_SEMI_IMPLICIT,
    .advance = advance,
    .linear_step = hf_semi_implicit_linear_step,
};
