// SPDX-License-Identifier: Apache-2.0
// hf_sim_step: one step of the chosen method, cut where an input jumps.
#include <float.h>
#include <math.h>

#include "base/error.h"
#include "methods/methods.h"

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
    case HF_METHOD_COUNT:
        break;
    }
    return hf_rk4_tau_advance;
}

// A jump nearer than this is at the boundary itself: first and last stages see its two sides.
static double near_boundary(double t)
{
    return 0.75 * HF_JUST * DBL_EPSILON * fabs(t);
}

// Number of jumps at or before t.
static int jumps_until(const hf_model *model, double t)
{
    int low = 0, high = model->jump_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (model->jumps[middle] <= t) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

// The first jump after t that is more than rounding away from both ends, or `end`.
static double next_stop(const hf_model *model, double t, double end)
{
    double near = near_boundary(end);
    int next = jumps_until(model, t + near);
    return next < model->jump_count && model->jumps[next] < end - near ? model->jumps[next] : end;
}

static bool at_jump(const hf_model *model, double t)
{
    double near = near_boundary(t);
    int before = jumps_until(model, t + near);
    return before > 0 && model->jumps[before - 1] >= t - near;
}

hf_status hf_sim_step(hf_sim *sim, hf_error *error)
{
    hf_sim_core *core = sim->core;
    advance_function advance = advance_of(core->method.type);
    if (core->opened) {
        HF_TRY(hf_sim_close_again(sim, error));
    }
    double start = (double)core->step_index * core->method.step;
    double end = (double)(core->step_index + 1) * core->method.step;
    while (core->time < end) {
        double stop = sim->model->jump_count == 0 ? end : next_stop(sim->model, core->time, end);
        if (sim->plugged != NULL) {
            HF_TRY(sim->plugged->advance(sim, stop, error));
        } else {
            bool whole = core->time == start && stop == end;
            HF_TRY(advance(sim, whole ? core->method.step : stop - core->time, stop, error));
        }
        if (sim->model->driven_count > 0 && at_jump(sim->model, core->time)) {
            hf_sim_cross_jump(sim);
        }
    }
    core->step_index += 1;
    core->stats.steps += 1;
    return HF_OK;
}
