// SPDX-License-Identifier: Apache-2.0
// Stops under forward Euler.
//
// It moves positions by the velocities at the beginning of the step, whatever its forces: these
// decide the motion from its end on, and a stop is met one step before it would be passed. Where no
// step came before, at the start, after a step that was cut short or where a driven velocity jumps,
// that is too late: the step would end beyond the limit, and the next one throw back what should
// stop. Such a step moves positions by its new velocities, as semi-implicit Euler does; both are of
// first order.
#include "sim/method_info.h"
#include "sim/sim_data.h"

static bool is_euler(const hf_sim *sim)
{
    return hf_method_info_get(sim->core->method.type)->contact_scheme == HF_CONTACT_EULER;
}

// Whether a stop is passed within h, at the rate that its gap has now.
static bool passes(const hf_sim *sim, const hf_force_place *force, double h)
{
    if (force->exact != HF_EXACT_STOP || !hf_force_is_on(sim, force)) {
        return false;
    }
    const hf_stop_def *stop = force->def;
    double rate = sim->rate[force->row], next = sim->gap[force->row] + h * rate;
    return (rate < 0.0 && next < stop->low) || (rate > 0.0 && next > stop->high);
}

bool hf_steps_overrun(const hf_sim *sim, double h)
{
    const hf_model *model = sim->model;
    bool passed = false;
    for (int i = 0; i < model->island_count && is_euler(sim) && !passed; ++i) {
        const hf_island *island = &model->islands[i];
        for (int k = 0; k < island->force_count && !passed; ++k) {
            passed = passes(sim, &model->forces[model->step_forces[island->first_force + k]], h);
        }
    }
    return passed;
}

void hf_steps_gap(const hf_sim *sim, const hf_force_place *force, const double *rate, double h,
                  double *gap)
{
    bool ahead = is_euler(sim) && !sim->overruns;
    for (int k = 0; k < force->dim; ++k) {
        gap[k] = sim->gap[force->row + k] + (ahead ? h * rate[k] : 0.0);
    }
}
