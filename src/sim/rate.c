// SPDX-License-Identifier: Apache-2.0
// The right-hand side z' = f(z, u) as a function of its own, and its linearization A = df/dz,
// B = df/du. The sim's state is not touched: evaluations are in sim->stage and sim->slope.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "sim/sim_data.h"

// Cube root of the rounding of a double: where truncation and rounding of a central difference are
// about equal.
static const double SMALL = 6e-6;
// Inner states are deflections of bristles: seldom larger than this [m or rad].
static const double LEAST_STATE = 1e-3;

int hf_sim_state_size(const hf_sim *sim)
{
    return sim->model->nq + sim->model->nv + sim->model->ny;
}

// Forces of methods that solve them: silent here.
static const hf_method_table SILENT = {.forces = hf_step_forces_clear};

static hf_status check_smooth(const hf_sim *sim, hf_error *error)
{
    const hf_model *model = sim->model;
    for (int g = 0; g < model->group_count; ++g) {
        const hf_force_group *group = &model->groups[g];
        const hf_force_place *force = &model->forces[group->first];
        if (group->stepwise || (group->contacts && sim->exact_contacts) ||
            (force->item == NULL && force->ops->needs_collider)) {
            return hf_error_at(
                error, HF_ERROR_UNSUPPORTED, hf_at_law(force->name, force->info->name, "law"),
                "law '%s' is found over whole steps: it is no function of the state; "
                "ask for the smooth rest, or choose another law",
                force->info->name);
        }
    }
    return HF_OK;
}

// sim->slope := f at the state in sim->stage.
static void evaluate(hf_sim *sim)
{
    const hf_method_table *plugged = sim->plugged;
    hf_sim_core *core = sim->core;
    long long evaluations = core->stats.evaluations;
    double tau = hf_method_first_tau(core->method.type, core->method.step);
    sim->plugged = plugged == NULL ? NULL : &SILENT;
    hf_sim_eval(sim, core->time, HF_SIDE_RIGHT, tau, sim->stage, sim->slope);
    sim->plugged = plugged;
    core->stats.evaluations = evaluations;
    sim->fresh = false;
}

static hf_status begin(hf_sim *sim, const double *state, bool smooth, hf_error *error)
{
    HF_ASSERT(!sim->in_update);
    if (!smooth) {
        HF_TRY(check_smooth(sim, error));
    }
    // What is due at the present state (samples, pairs, memories that switch) comes first
    long long evaluations = sim->core->stats.evaluations;
    hf_sim_refresh(sim, hf_method_first_tau(sim->core->method.type, sim->core->method.step));
    sim->core->stats.evaluations = evaluations;
    memcpy(sim->stage, sim->x, (size_t)sim->model->n * sizeof *sim->x);
    if (state != NULL) {
        memcpy(sim->stage, state, (size_t)hf_sim_state_size(sim) * sizeof *state);
    }
    return HF_OK;
}

hf_status hf_sim_rate(hf_sim *sim, const double *state, bool smooth, double *rate, hf_error *error)
{
    HF_TRY(begin(sim, state, smooth, error));
    evaluate(sim);
    memcpy(rate, sim->slope, (size_t)hf_sim_state_size(sim) * sizeof *rate);
    return HF_OK;
}

// Column of df/d*at, where *at is a number that evaluations look at: into column `k` of `columns`.
static void differentiate(hf_sim *sim, double *at, double h, double *matrix, int k, int columns)
{
    int n = hf_sim_state_size(sim);
    const double middle = *at, above = middle + h, below = middle - h;
    *at = above;
    sim->signals_valid = false;
    evaluate(sim);
    for (int i = 0; i < n; ++i) {
        matrix[i * columns + k] = sim->slope[i];
    }
    *at = below;
    sim->signals_valid = false;
    evaluate(sim);
    for (int i = 0; i < n; ++i) {
        matrix[i * columns + k] = (matrix[i * columns + k] - sim->slope[i]) / (above - below);
    }
    *at = middle;
    sim->signals_valid = false;
}

hf_status hf_sim_linearize(hf_sim *sim, const double *state, bool smooth, double *a, double *b,
                           hf_error *error)
{
    const hf_model *model = sim->model;
    int n = hf_sim_state_size(sim), inputs = hf_model_input_count(model);
    HF_TRY(begin(sim, state, smooth, error));
    for (int k = 0; a != NULL && k < n; ++k) {
        double least = k < model->nq + model->nv ? 1.0 : LEAST_STATE;
        differentiate(sim, &sim->stage[k], SMALL * fmax(least, fabs(sim->stage[k])), a, k, n);
    }
    for (int k = 0; b != NULL && k < inputs; ++k) {
        double *at = &sim->inputs[model->signals[hf_model_input(model, k).id - 1].slot];
        differentiate(sim, at, SMALL * fmax(1.0, fabs(*at)), b, k, inputs);
    }
    return HF_OK;
}
