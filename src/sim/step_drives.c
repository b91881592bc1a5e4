// SPDX-License-Identifier: Apache-2.0
// Driven bodies and the forces that are computed once a step (step_forces.c): how they move within
// the step, and what they put in.
#include <string.h>

#include "sim/method_info.h"
#include "sim/sim_data.h"
#include "sim/step_island.h"

bool hf_steps_look_ahead(const hf_sim *sim)
{
    const hf_method_info *info = hf_method_info_get(sim->core->method.type);
    return sim->model->drive_count > 0 && sim->model->island_count > 0 && !info->in_steps &&
           info->first_tau == 1.0;
}

void hf_steps_find_ahead(hf_sim *sim, const double *v, double h)
{
    const hf_model *model = sim->model;
    if (!hf_steps_look_ahead(sim)) {
        return;
    }
    double now = sim->core->time, end = hf_schedule_next(sim, now + h);
    double part = end < now + h && end > now ? h / (end - now) : 1.0;
    hf_signals_update(sim, end, HF_SIDE_LEFT);
    memcpy(sim->ahead, sim->x, (size_t)(model->nq + model->nv) * sizeof *sim->ahead);
    hf_sim_drive(sim, end, HF_SIDE_LEFT, sim->ahead, sim->ahead + model->nq);
    hf_signals_update(sim, now, HF_SIDE_RIGHT);
    for (int i = 0; i < model->drive_count; ++i) {
        int k = model->drives[i].v;
        double *at = &sim->ahead[model->nq + k];
        *at = part == 1.0 ? *at : v[k] + part * (*at - v[k]);
    }
}

void hf_step_forces_drive(const hf_sim *sim, double *x)
{
    const hf_model *model = sim->model;
    for (int i = 0; i < model->drive_count && hf_steps_look_ahead(sim); ++i) {
        int k = model->nq + model->drives[i].v;
        x[k] = sim->ahead[k];
    }
}

// J v of driven bodies with all else at rest, for all rows of an island: v is half the sum of two.
static void driven_rates(hf_sim *sim, const hf_island *island, const hf_island_work *work,
                         const double *q, const double *v, const double *other)
{
    const hf_model *model = sim->model;
    memset(sim->response, 0, (size_t)model->nv * sizeof *sim->response);
    for (int i = 0; i < model->drive_count; ++i) {
        int k = model->drives[i].v;
        sim->response[k] = 0.5 * (v[k] + other[k]);
    }
    hf_island_rates(sim, island, q, sim->response, work->free_rate);
}

// Adds each force's f.(J v) times `share` to its heat; returns the sum.
static double book(const hf_sim *sim, const hf_island *island, const hf_island_work *work,
                   double share, double *heat)
{
    double sum = 0.0;
    for (int i = 0, row = 0; i < island->force_count; ++i) {
        const hf_force_place *force = hf_island_force(sim, island, i);
        double power = 0.0;
        for (int k = 0; k < force->dim; ++k, ++row) {
            power += share * work->force[row] * work->free_rate[row];
        }
        heat[force - sim->model->forces] += power;
        sum += power;
    }
    return sum;
}

double hf_island_driven_power(hf_sim *sim, const hf_island *island, const hf_island_work *work,
                              const double *x, double *heat)
{
    const hf_model *model = sim->model;
    const double *q = x, *v = x + model->nq, *start = sim->x + model->nq;
    double power = 0.0;
    if (model->drive_count == 0) {
        return 0.0;
    }
    // With the mean of their velocities
    bool first = hf_method_info_get(sim->core->method.type)->in_steps;
    const double *end = hf_steps_look_ahead(sim) ? sim->ahead + model->nq : v;
    driven_rates(sim, island, work, q, v, end);
    for (int i = 0; i < work->rows; ++i) {
        power += work->force[i] * work->free_rate[i];
    }
    // Where they move first (discrete), laws saw them with the velocities of the end at the
    // beginning already: half of what that differs is input, and no heat of what goes along
    if (first) {
        power += book(sim, island, work, -1.0, heat);
        driven_rates(sim, island, work, q, start, v);
        power += book(sim, island, work, 1.0, heat);
    }
    // Whoever reads the rates sees those of the step's beginning again
    for (int i = 0, row = 0; i < island->force_count; ++i) {
        const hf_force_place *force = hf_island_force(sim, island, i);
        memcpy(sim->rate + force->row, work->start_rate + row,
               (size_t)force->dim * sizeof *sim->rate);
        row += force->dim;
    }
    return power;
}
