// SPDX-License-Identifier: Apache-2.0
// [Kikuuwe2005]'s fixed-step scheme. Over a step from t to t + T:
//   driven bodies move first, X += T V;  inputs are those at the end of the step;
//   forces at the old positions, friction over the step (14), (17), (29): tau = T;
//   velocities, then positions with the new velocities.
// First order; its friction is the implicit Euler method's.
#include "methods/fixed/methods.h"

#include <math.h>
#include <string.h>

#include "sim/meet.h"

// A driven body is a step ahead of the bodies that move with it, and what lies between them is
// stretched by that. It settles, but where bodies move at the start of the run it is a jolt, which
// gives them this share of their speed at most.
#define JOLT_SHARE 0.02

// The rates of a force, with other velocities than the sim's.
static void rates(hf_sim *sim, const hf_force_place *force, const double *v, double *out)
{
    hf_force_psi(
        force,
        &(hf_motion){.q = sim->x, .v = v, .poses = sim->poses, .gap = sim->gap, .rate = sim->rate});
    memcpy(out, sim->rate + force->row, (size_t)force->dim * sizeof *out);
}

// How much of its speed the lag of a step gives a body: omega h, of what it moves along.
static void note_lag(hf_sim *sim, int index, double h, const double *movers, const double *all)
{
    const hf_force_place *force = &sim->model->forces[index];
    for (int axis = 0; axis < force->dim; ++axis) {
        double stiffness = 0.0, damping = 0.0, inverse = hf_force_inverse_mass(sim, force, axis);
        force->info->linear(force->def, axis, &stiffness, &damping);
        double own = fabs(movers[axis]), driven = fabs(all[axis] - movers[axis]);
        double along = fmin(own, driven) / fmax(fmax(own, driven), DBL_MIN);
        double share = sqrt(fmax(0.0, stiffness * inverse)) * h * along;
        if (share > JOLT_SHARE &&
            !(sim->core->lag_force > 0 && sim->core->lag_step <= JOLT_SHARE / share * h)) {
            sim->core->lag_force = index + 1;
            sim->core->lag_step = JOLT_SHARE / share * h;
        }
    }
}

// At the start of a run: forces between driven and other bodies that move already.
static void note_lags(hf_sim *sim, double h)
{
    const hf_model *model = sim->model;
    const double *v = sim->x + model->nq;
    bool first = sim->core->stats.steps == 0 && sim->core->time == 0.0;
    for (int i = 0; i < model->force_count && first && model->drive_count > 0; ++i) {
        const hf_force_place *force = &model->forces[i];
        double all[HF_LAW_MAX_DIM], movers[HF_LAW_MAX_DIM];
        if (force->info == NULL || force->item == NULL || force->info->linear == NULL ||
            force->info->friction || force->exact != HF_EXACT_NONE) {
            continue;
        }
        hf_update_poses(sim, sim->x, v);
        rates(sim, force, v, all);
        memcpy(sim->slope, v, (size_t)model->nv * sizeof *v);
        for (int k = 0; k < model->drive_count; ++k) {
            sim->slope[model->drives[k].v] = 0.0;
        }
        hf_update_poses(sim, sim->x, sim->slope);
        rates(sim, force, sim->slope, movers);
        note_lag(sim, i, h, movers, all);
    }
}

static hf_status advance(hf_sim *sim, double h, double end, hf_error *error)
{
    const hf_model *model = sim->model;
    double *stage = sim->stage, *x = sim->x;

    // Inputs and driven bodies at the end of the step
    hf_sim_meet(sim, h); // discrete memories see the state
    note_lags(sim, h);
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
    hf_sim_keep_pushes(sim);

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
    HF_FIXED_ADMITS,
    .in_steps = true,
    .stepwise = true,
    .look_ahead = 1.0,
    .first_tau = 1.0,
    .contact_scheme = HF_CONTACT_SEMI_IMPLICIT,
    .advance = advance,
    .linear_step = hf_semi_implicit_linear_step,
};
