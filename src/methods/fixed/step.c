// SPDX-License-Identifier: Apache-2.0
// hf_sim_step: one step of the chosen method, cut where an input jumps or a sample is taken.
#include "base/error.h"
#include "sim/method_info.h"

hf_status hf_sim_step(hf_sim *sim, hf_error *error)
{
    hf_sim_core *core = sim->core;
    HF_ASSERT(!sim->in_update);
    const hf_method_info *method = hf_method_info_get(core->method.type);
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
            HF_TRY(
                method->advance(sim, whole ? core->method.step : stop - core->time, stop, error));
        }
        if (sim->model->driven_count > 0 && hf_schedule_at_jump(sim)) {
            hf_sim_cross_jump(sim);
        }
    }
    core->step_index += 1;
    core->stats.steps += 1;
    return HF_OK;
}
