// SPDX-License-Identifier: Apache-2.0
// hf_sim_step: one step of the chosen method, cut where an input jumps or a sample is taken.
#include "base/error.h"
#include "methods/fixed/methods.h"

typedef hf_status (*advance_function)(hf_sim *sim, double h, double end, hf_error *error);

static advance_function advance_of(hf_method_type type)
{
    switch (type) {
    case HF_METHOD_EULER:
        return hf_euler_advance;
    case HF_METHOD_SEMI_IMPLICIT_EULER:
        return hf_semi_implicit_euler_advance;
    case HF_METHOD_DISCRETE:
        return hf_discrete_advance;
    case HF_METHOD_RK4:
        return hf_rk4_advance;
    case HF_METHOD_RK4_TAU:
    case HF_METHOD_ADAPTIVE:
    case HF_METHOD_SWITCH:
    case HF_METHOD_TIMESTEP:
    case HF_METHOD_NLP:
    case HF_METHOD_COUNT:
        break;
    }
    return hf_rk4_tau_advance;
}

hf_status hf_sim_step(hf_sim *sim, hf_error *error)
{
    hf_sim_core *core = sim->core;
    HF_ASSERT(!sim->in_update);
    advance_function advance = advance_of(core->method.type);
    if (core->opened) {
        HF_TRY(hf_sim_close_again(sim, error));
    }
    double start = (double)core->step_index * core->method.step;
    double end = (double)(core->step_index + 1) * core->method.step;
    while (core->time < end) {
        HF_TRY(hf_schedule_meet(sim, error));
        double stop = hf_schedule_next(sim, end);
        if (sim->plugged != NULL) {
            HF_TRY(sim->plugged->advance(sim, stop, error));
        } else {
            bool whole = core->time == start && stop == end;
            HF_TRY(advance(sim, whole ? core->method.step : stop - core->time, stop, error));
        }
        if (sim->model->driven_count > 0 && hf_schedule_at_jump(sim)) {
            hf_sim_cross_jump(sim);
        }
    }
    core->step_index += 1;
    core->stats.steps += 1;
    return HF_OK;
}
