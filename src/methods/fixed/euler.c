// SPDX-License-Identifier: Apache-2.0
// Forward Euler, [Kikuuwe2008] (4), and semi-implicit Euler. Both give friction elements tau = h,
// so that an element is [Kikuuwe2008] (14) = [Kikuuwe2005] (29) with M = 0: unconditionally stable
// in slip.
#include <string.h>

#include "methods/fixed/methods.h"

// Positions with the velocities of the step's end, in the place of those of its beginning.
static void move_by_the_end(hf_sim *sim, double h)
{
    hf_sim_q_rate(sim, sim->stage, sim->slope);
    for (int i = 0; i < sim->model->nq; ++i) {
        sim->stage[i] = sim->x[i] + h * sim->slope[i];
    }
}

static hf_status advance(hf_sim *sim, double h, double end, hf_error *error)
{
    hf_sim_begin(sim, h);
    for (int i = 0; i < sim->model->n; ++i) {
        sim->stage[i] = sim->x[i] + h * sim->k[i];
    }
    if (hf_relax_begin(sim, h)) {
        hf_relax_euler(sim, sim->k, h, sim->stage);
    }
    hf_step_forces_drive(sim, sim->stage);
    hf_step_forces_stop(sim, sim->stage);
    if (sim->overruns) { // a stop that would be passed
        memcpy(sim->stage, sim->x, (size_t)sim->model->nq * sizeof *sim->stage);
        move_by_the_end(sim, h);
    }
    return hf_sim_commit(sim, h, end, error);
}

// Velocities first; positions with the new velocities.
static hf_status advance_semi_implicitly(hf_sim *sim, double h, double end, hf_error *error)
{
    const hf_model *model = sim->model;
    hf_sim_begin(sim, h);
    for (int i = model->nq; i < model->n; ++i) {
        sim->stage[i] = sim->x[i] + h * sim->k[i];
    }
    for (int i = 0; i < model->nq; ++i) {
        sim->stage[i] = sim->x[i];
    }
    if (hf_relax_begin(sim, h)) {
        hf_relax_euler(sim, sim->k, h, sim->stage);
    }
    hf_step_forces_drive(sim, sim->stage);
    hf_step_forces_stop(sim, sim->stage);
    move_by_the_end(sim, h);
    return hf_sim_commit(sim, h, end, error);
}

static void linear_step(const hf_oscillator *o, const hf_method_def *method, double h,
                        const double *x, double *out)
{
    (void)method;
    double slope[HF_OSCILLATOR_MAX];
    hf_oscillator_rate(o, h, x, slope);
    for (int i = 0; i < hf_oscillator_size(o); ++i) {
        out[i] = x[i] + h * slope[i];
    }
}

void hf_semi_implicit_linear_step(const hf_oscillator *o, const hf_method_def *method, double h,
                                  const double *x, double *out)
{
    linear_step(o, method, h, x, out);
    out[0] = x[0] + h * out[1];
}

const hf_method_info hf_method_euler = {
    .name = "euler",
    .phrase = "forward Euler",
    HF_FIXED_ADMITS,
    .side_by_side = true,
    .stepwise = true,
    .look_ahead = 1.0,
    .first_tau = 1.0,
    .contact_scheme = HF_CONTACT_EULER,
    .advance = advance,
    .linear_step = linear_step,
};

const hf_method_info hf_method_semi_implicit_euler = {
    .name = "semi-implicit-euler",
    .phrase = "velocities first, then positions with the new velocities",
    HF_FIXED_ADMITS,
    .side_by_side = true,
    .stepwise = true,
    .look_ahead = 1.0,
    .first_tau = 1.0,
    .contact_scheme = HF_CONTACT_SEMI_IMPLICIT,
    .advance = advance_semi_implicitly,
    .linear_step = hf_semi_implicit_linear_step,
};
