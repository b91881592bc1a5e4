// SPDX-License-Identifier: Apache-2.0
// hf_sim_step: one step of the chosen method, cut where an input jumps or a sample is taken; and
// hf_sim_advance: steps up to any time, the last one cut there too.
#include <math.h>

#include "base/error.h"
#include "loops/loops.h"
#include "methods/sensitivity.h"
#include "sim/method_info.h"

static long long transitions(const hf_sim *sim)
{
    long long sum = 0;
    for (int i = 0; i < sim->model->force_count; ++i) {
        sum += sim->tallies[i].transitions;
    }
    return sum;
}

// From the present time to `stop`, in one go. HF_EVENT: it ended at an event.
static hf_status run_piece(hf_sim *sim, double start, double end, double stop, hf_error *error)
{
    hf_sim_core *core = sim->core;
    const hf_method_info *method = hf_method_info_get(core->method.type);
    long long before = sim->stop_at_event ? transitions(sim) : 0, told = core->stats.events;
    sim->pieces += 1;
    HF_TRY(hf_loops_meet(sim, error));
    if (sim->plugged != NULL) {
        HF_TRY(sim->plugged->advance(sim, stop, error));
    } else {
        bool whole = core->time == start && stop == end;
        HF_TRY(method->advance(sim, whole ? core->method.step : stop - core->time, stop, error));
    }
    bool stretches = sim->model->drive_count > 0 || sim->model->gates_stores;
    if (stretches && hf_schedule_at_jump(sim)) {
        hf_sim_cross_jump(sim);
        if (!method->locates_events) {
            hf_sim_jolt(sim);
        }
    }
    bool event = method->locates_events ? core->stats.events != told
                                        : sim->stop_at_event && transitions(sim) != before;
    return sim->stop_at_event && event ? HF_EVENT : HF_OK;
}

// The rest of the present step, up to `until` at most.
static hf_status run_step(hf_sim *sim, double until, hf_error *error)
{
    hf_sim_core *core = sim->core;
    hf_status status = HF_OK;
    double start = (double)core->step_index * core->method.step;
    double end = (double)(core->step_index + 1) * core->method.step;
    double goal = until >= end - hf_near_time(end) ? end : until;
    while (core->time < goal && status == HF_OK) {
        HF_TRY(hf_schedule_meet(sim, error));
        status = run_piece(sim, start, end, hf_schedule_next(sim, goal), error);
        HF_TRY(status);
    }
    if (!(core->time < end)) {
        core->step_index += 1;
        core->stats.steps += 1;
    }
    return status;
}

// Where numbers failed because an input is none, the message says that and not what came of it.
static hf_status blame_input(const hf_sim *sim, hf_status status, hf_error *error)
{
    bool numeric = status == HF_ERROR_NOT_FINITE || status == HF_ERROR_CONVERGENCE;
    for (int i = 0; i < sim->model->signal_count && numeric; ++i) {
        const hf_model_signal *signal = &sim->model->signals[i];
        double value = sim->inputs[signal->slot];
        if (signal->def.type == HF_SIGNAL_INPUT && !isfinite(value)) {
            return hf_error_at(error, HF_ERROR_NOT_FINITE,
                               hf_at_time(sim->core->time, "signal", signal->def.name),
                               "the input must be a finite number, and is %s",
                               isnan(value) ? "not a number" : "infinite");
        }
    }
    return status;
}

// What failed at a force begins with the place where the force was written.
static hf_status locate(const hf_sim *sim, hf_status failed, hf_error *error)
{
    hf_status status = blame_input(sim, failed, error);
    int index = status < 0 && error != NULL && error->line == 0 && error->component[0] != '\0'
                    ? hf_names_find_kind(&sim->model->names, HF_NAME_FORCE, error->component)
                    : -1;
    if (index >= 0) {
        const hf_force_place *force = &sim->model->forces[sim->model->force_order[index]];
        if (force->file != NULL) {
            hf_error_locate(error, force->file, force->line, force->column);
        }
    }
    return status;
}

// The same, and the derivatives that go along (sensitivity.h).
static hf_status step_with_derivatives(hf_sim *sim, double until, hf_error *error)
{
    if (sim->sensitivity == NULL) {
        return run_step(sim, until, error);
    }
    hf_sensitivity_copy_inputs(sim->sensitivity);
    hf_status status = run_step(sim, until, error);
    if (status >= 0) {
        hf_sensitivity_step(sim);
    }
    return status;
}

hf_status hf_sim_step(hf_sim *sim, hf_error *error)
{
    HF_ASSERT(!sim->in_update);
    if (sim->core->opened) {
        HF_TRY(hf_sim_close_again(sim, error));
    }
    return locate(sim, step_with_derivatives(sim, INFINITY, error), error);
}

hf_status hf_sim_advance(hf_sim *sim, double until, bool stop_at_event, hf_error *error)
{
    HF_ASSERT(!sim->in_update);
    hf_status status = HF_OK;
    if (!isfinite(until)) {
        return hf_error_set(error, HF_ERROR_RANGE, "the time to advance to must be finite, got %g",
                            until);
    }
    sim->stop_at_event = stop_at_event;
    // Short of it by less than a rounding is there
    while (status == HF_OK && sim->core->time < until - hf_near_time(until)) {
        status = sim->core->opened ? hf_sim_close_again(sim, error) : HF_OK;
        status = status == HF_OK ? step_with_derivatives(sim, until, error) : status;
    }
    sim->stop_at_event = false;
    return locate(sim, status, error);
}
