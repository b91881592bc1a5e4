// SPDX-License-Identifier: Apache-2.0
// What happens at given times: inputs that jump, samples of controllers, calls of the program's own
// ones. Steps are cut there, whatever the method.
//
// The n-th sample of a period T is at n T, computed so, and at the step boundary instead when that
// is within rounding. A sample sees the state and the inputs of its instant, a jump there
// included; whatever the caller changes at that instant before time goes on has it taken again.
// So looking at a sim between steps changes nothing.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "sim/sim_data.h"

// ------------------------------------------------------------------------------------------------
// Jumps

// Number of times at or before t.
static int count_until(const double *times, int count, double t)
{
    int low = 0, high = count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (times[middle] <= t) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

bool hf_schedule_at_jump(const hf_sim *sim)
{
    const hf_model *model = sim->model;
    double t = sim->core->time, near = hf_near_time(t);
    int before = count_until(model->jumps, model->jump_count, t + near);
    return before > 0 && model->jumps[before - 1] >= t - near;
}

static int sampler_count(const hf_sim *sim)
{
    return sim->model->clock_count + sim->controller_count;
}

double hf_schedule_next(const hf_sim *sim, double end)
{
    const hf_model *model = sim->model;
    double near = hf_near_time(end), stop = end;
    // A method of first order has nothing to lose at kinks, and each piece is a solution.
    bool first = hf_method_solves_contacts(sim->core->method.type);
    const double *times = first ? model->breaks : model->jumps;
    int count = first ? model->break_count : model->jump_count;
    int next = count_until(times, count, sim->core->time + near);
    if (next < count && times[next] < end - near) {
        stop = times[next];
    }
    for (int i = 0; i < sampler_count(sim); ++i) {
        double time = (double)sim->samplers[i].count * sim->samplers[i].period;
        stop = time < end - near ? fmin(stop, time) : stop;
    }
    return stop;
}

// ------------------------------------------------------------------------------------------------
// Samples

void hf_schedule_reset(hf_sim *sim)
{
    const hf_model *model = sim->model;
    for (int i = 0; i < sampler_count(sim); ++i) {
        double period = i < model->clock_count ? model->clocks[i].period
                                               : sim->controllers[i - model->clock_count].period;
        sim->samplers[i] = (hf_sampler){.period = period, .time = -1.0};
    }
    memset(sim->memory, 0, (size_t)model->memory_count * sizeof *sim->memory);
    memset(sim->memory_before, 0, (size_t)model->memory_count * sizeof *sim->memory);
    if (sim->law_modes != NULL) {
        memset(sim->law_modes, 0, (size_t)model->switch_count * sizeof *sim->law_modes);
    }
}

static bool is_due(const hf_sim *sim, const hf_sampler *sampler)
{
    double t = sim->core->time;
    return (double)sampler->count * sampler->period <= t + hf_near_time(t);
}

// One sampled law. `again`: it has seen this instant, and something changed since.
static void take(hf_sim *sim, int clock, bool again)
{
    const hf_force_place *force = &sim->model->forces[sim->model->clocks[clock].force];
    hf_sampler *sampler = &sim->samplers[clock];
    double *memory = sim->memory + force->memory, *before = sim->memory_before + force->memory;
    size_t size = (size_t)force->memory_count * sizeof *memory;
    double inputs[HF_LAW_MAX_INPUTS] = {0};
    hf_law_inputs(sim, force, inputs);
    hf_law_in in = {.gap = sim->gap + force->row,
                    .rate = sim->rate + force->row,
                    .step = sampler->period,
                    .inputs = inputs};
    if (again) {
        memcpy(memory, before, size);
    } else {
        memcpy(before, memory, size);
        sampler->count += 1;
        sampler->time = sim->core->time;
    }
    force->info->sample(force->def, &in, memory);
}

void hf_sim_sample(hf_sim *sim)
{
    bool seen = false;
    for (int i = 0; i < sim->model->clock_count; ++i) {
        bool due = is_due(sim, &sim->samplers[i]);
        bool again = sim->core->touched && sim->samplers[i].time == sim->core->time;
        if (!due && !again) {
            continue;
        }
        if (!seen) {
            hf_sim_observe(sim, sim->core->time, HF_SIDE_RIGHT, sim->x);
            seen = true;
        }
        take(sim, i, !due);
    }
    sim->core->touched = false;
    if (seen) {
        sim->core->sampled = true;
        sim->fresh = false;
    }
}

// ------------------------------------------------------------------------------------------------
// The program's own controllers

hf_status hf_controllers_check(const hf_sim_def *def, hf_error *error)
{
    if (def->controller_count < 0 || (def->controller_count > 0 && def->controllers == NULL)) {
        return hf_error_set(error, HF_ERROR_INPUT, "controllers: %d of them, and no list",
                            def->controller_count);
    }
    for (int i = 0; i < def->controller_count; ++i) {
        double period = def->controllers[i].period;
        if (!(period >= HF_LEAST_PERIOD) || !isfinite(period)) {
            return hf_error_set(error, HF_ERROR_RANGE,
                                "controller %d: period must be at least %g s, got %g s", i,
                                HF_LEAST_PERIOD, period);
        }
        if (def->controllers[i].update == NULL) {
            return hf_error_set(error, HF_ERROR_INPUT, "controller %d: update is missing", i);
        }
    }
    return HF_OK;
}

static hf_status call_controllers(hf_sim *sim, hf_error *error)
{
    hf_error local = {0};
    error = error == NULL ? &local : error;
    for (int i = 0; i < sim->controller_count; ++i) {
        hf_sampler *sampler = &sim->samplers[sim->model->clock_count + i];
        const hf_controller_def *controller = &sim->controllers[i];
        if (!is_due(sim, sampler)) {
            continue;
        }
        sim->in_update = true;
        hf_status status = controller->update(controller->context, sim, error);
        sim->in_update = false;
        if (status < 0) {
            return status;
        }
        sampler->count += 1;
        sampler->time = sim->core->time;
    }
    return HF_OK;
}

hf_status hf_schedule_meet(hf_sim *sim, hf_error *error)
{
    HF_TRY(call_controllers(sim, error));
    if (sim->model->clock_count > 0) {
        hf_sim_sample(sim);
    }
    return HF_OK;
}
