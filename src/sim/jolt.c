// SPDX-License-Identifier: Apache-2.0
// Frictions where velocities jump: by driven bodies, or by loops that hold to them.
#include <math.h>
#include <string.h>

#include "sim/sim_data.h"

// Jumps of a rate that are not rounding [m/s or rad/s].
#define LEAST_JOLT 1e-10

// The largest change of a force's rates along which it rubs; `before` has them by row.
static double jump_of(const hf_sim *sim, const hf_force_place *force, const double *before,
                      double *sign)
{
    double largest = 0.0;
    for (int row = force->row + (force->ops->contact ? 1 : 0); row < force->row + force->dim;
         ++row) {
        double change = fabs(sim->rate[row] - before[row]);
        if (change > largest) {
            largest = change;
            *sign = sim->rate[row] < 0.0 ? -1.0 : 1.0;
        }
    }
    return largest;
}

// Rates at the state x and the present time.
static void look_at_rates(hf_sim *sim, hf_side side)
{
    memcpy(sim->stage, sim->x, (size_t)sim->model->n * sizeof *sim->x);
    hf_sim_observe(sim, sim->core->time, side, sim->stage);
}

void hf_sim_jolt_begin(hf_sim *sim)
{
    look_at_rates(sim, HF_SIDE_RIGHT);
    memcpy(sim->force, sim->rate, (size_t)sim->model->row_count * sizeof *sim->rate);
}

void hf_sim_jolt_end(hf_sim *sim)
{
    const hf_model *model = sim->model;
    const double *before = sim->force; // forces are found anew
    double sign = 1.0;
    look_at_rates(sim, HF_SIDE_RIGHT);
    for (int i = 0; i < model->force_count; ++i) {
        const hf_force_place *force = &model->forces[i];
        if (force->info != NULL && force->info->friction && force->item != NULL &&
            hf_mode_regime(sim->mode_before[i]) == HF_REGIME_STICK &&
            jump_of(sim, force, before, &sign) > LEAST_JOLT) {
            sim->mode_before[i] = force->dim == 1 ? sign : 1.0;
            sim->tallies[i].jolted = true;
        }
    }
    sim->fresh = false;
}

void hf_sim_jolt(hf_sim *sim)
{
    look_at_rates(sim, HF_SIDE_LEFT);
    memcpy(sim->force, sim->rate, (size_t)sim->model->row_count * sizeof *sim->rate);
    hf_sim_jolt_end(sim);
}
