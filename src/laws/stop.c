// SPDX-License-Identifier: Apache-2.0
// End stops with restitution, and brakes. Equations: stop.h.
#include <holdfast/laws/stop.h>

#include "check.h"
#include "info.h"

hf_stop_def hf_stop_def_default(void)
{
    return (hf_stop_def){.low = -HF_STOP_NONE, .high = HF_STOP_NONE};
}

hf_status hf_stop_def_check(const hf_stop_def *def, int dim, hf_fault *fault)
{
    (void)dim;
    *fault = (hf_fault){0};
    hf_status status = hf_check_finite("low", def->low, fault);
    if (status == HF_OK)
        status = hf_check_finite("high", def->high, fault);
    if (status == HF_OK && !(def->high > def->low))
        return hf_fault_set(fault, "high", "must be above low", def->high);
    if (status == HF_OK && !(def->restitution >= 0.0 && def->restitution <= 1.0))
        return hf_fault_set(fault, "restitution", "must be from 0 to 1", def->restitution);
    if (status == HF_OK)
        status = hf_check_finite("speed", def->speed, fault);
    if (status == HF_OK && !(def->speed >= 0.0))
        return hf_fault_set(fault, "speed", "must not be negative", def->speed);
    return status;
}

void hf_stop_eval(const hf_stop_def *def, int dim, const hf_law_in *in, hf_law_out *out)
{
    double v = in->rate[0], gap = in->gap[0], bounce = -def->restitution * v;
    double free = v + in->step * in->applied[0] / in->mass, after = free;
    double next = gap + in->step * free;
    (void)dim;
    if (next < def->low) {
        double touch = (def->low - gap) / in->step;
        after = bounce > touch ? bounce : touch;
    } else if (next > def->high) {
        double touch = (def->high - gap) / in->step;
        after = bounce < touch ? bounce : touch;
    }
    if (def->speed > 0.0) {
        after = after > def->speed ? def->speed : after < -def->speed ? -def->speed : after;
    }
    out->force[0] = in->mass * (free - after) / in->step;
    out->regime = after == free ? HF_REGIME_OPEN : HF_REGIME_STICK;
    out->stored = 0.0;
    out->dissipated = 0.5 * out->force[0] * (v + after);
    out->normal = 0.0;
}

HF_LAW_GLUE(stop, 0)

static void linear(const void *def, int axis, double *stiffness, double *damping)
{
    // Rigid: it takes off just the velocity there is.
    (void)def;
    (void)axis;
    *stiffness = 0.0;
    *damping = 0.0;
}

static const hf_param params[] = {
    HF_PARAM(hf_stop_def, low, "low", "m", "lower limit of the gap", HF_PARAM_NUMBER),
    HF_PARAM(hf_stop_def, high, "high", "m", "upper limit of the gap", HF_PARAM_NUMBER),
    HF_PARAM(hf_stop_def, restitution, "restitution", "", "rebound speed over impact speed",
             HF_PARAM_NUMBER),
    HF_PARAM(hf_stop_def, speed, "speed", "m/s", "largest rate of the gap; 0: no limit",
             HF_PARAM_NUMBER),
};

const hf_law_info hf_stop_info = {
    HF_LAW_LINE(stop),    .source = "Newton's restitution; Intro to Robot Simulation 2025",
    .kind = HF_KIND_STOP, .exact = HF_EXACT_STOP,
    .min_dim = 1,         .max_dim = 1,
    .needs_gap = true,    .needs_applied = true,
    HF_PARAMS(params),    HF_LAW_GLUED(stop),
    .linear = linear,
};
