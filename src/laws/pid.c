// SPDX-License-Identifier: Apache-2.0
// The PID controller, continuous or sampled. Equations: pid.h.
#include <holdfast/laws/pid.h>

#include <math.h>

#include <holdfast/laws/prox.h>

#include "check.h"
#include "info.h"

hf_pid_def hf_pid_def_default(void)
{
    return (hf_pid_def){.low = -HF_PID_NONE, .high = HF_PID_NONE};
}

static bool limited(const hf_pid_def *def)
{
    return def->low > -HF_PID_NONE || def->high < HF_PID_NONE;
}

hf_status hf_pid_def_check(const hf_pid_def *def, int dim, hf_fault *fault)
{
    (void)dim;
    *fault = (hf_fault){0};
    // Gains and limits, one by one
    hf_status status = hf_check_not_negative("proportional", def->proportional, fault);
    if (status == HF_OK)
        status = hf_check_not_negative("integral", def->integral, fault);
    if (status == HF_OK)
        status = hf_check_not_negative("derivative", def->derivative, fault);
    if (status == HF_OK)
        status = hf_check_finite("bias", def->bias, fault);
    if (status == HF_OK)
        status = hf_check_finite("low", def->low, fault);
    if (status == HF_OK)
        status = hf_check_finite("high", def->high, fault);
    if (status == HF_OK && !(def->high > def->low))
        return hf_fault_set(fault, "high", "must be above low", def->high);
    // Integral action that is limited needs a way back
    if (status == HF_OK)
        status = hf_check_not_negative("anti_windup", def->anti_windup, fault);
    if (status == HF_OK && limited(def) && def->integral > 0.0 && !(hf_pid_anti_windup(def) > 0.0))
        return hf_fault_set(fault, "anti_windup",
                            "must be given and positive: integral action alone has no time "
                            "constant to choose it from",
                            def->anti_windup);
    // What only a sampled controller has
    if (status == HF_OK && def->period != 0.0 &&
        !(def->period >= HF_LEAST_PERIOD && hf_is_finite(def->period)))
        return hf_fault_set(fault, "period", "must be 0 (continuous), or at least 1e-6 s",
                            def->period);
    if (status == HF_OK && def->anti_windup > 0.0 && def->anti_windup < def->period)
        return hf_fault_set(fault, "anti_windup", "must not be below period", def->anti_windup);
    if (status == HF_OK && def->differences && def->period == 0.0)
        return hf_fault_set(fault, "differences", "needs a period: it is for sampled controllers",
                            1.0);
    if (status == HF_OK && def->position_differences && def->period == 0.0)
        return hf_fault_set(fault, "position_differences",
                            "needs a period: it is for sampled controllers", 1.0);
    if (status == HF_OK && (def->span < 0 || def->span > 2))
        return hf_fault_set(fault, "span", "must be 1 or 2", def->span);
    if (status == HF_OK && def->span > 0 && !def->differences && !def->position_differences)
        return hf_fault_set(fault, "span", "goes with differences or position_differences",
                            def->span);
    return status;
}

double hf_pid_anti_windup(const hf_pid_def *def)
{
    if (def->integral == 0.0 || def->anti_windup > 0.0)
        return def->integral == 0.0 ? 0.0 : def->anti_windup;
    double chosen = def->derivative > 0.0 ? sqrt(def->derivative / def->integral)
                                          : def->proportional / def->integral;
    return chosen > 0.0 && chosen < def->period ? def->period : chosen;
}

// (4); the excess is u - w.
static double integral_rate(const hf_pid_def *def, double error, double excess)
{
    if (def->integral == 0.0)
        return 0.0;
    double back = excess == 0.0 ? 0.0 : excess / hf_pid_anti_windup(def);
    return def->integral * error + back;
}

// (2)
static double wish(const hf_pid_def *def, const hf_law_in *in, double error, double error_rate,
                   double integral)
{
    return def->bias + in->inputs[HF_PID_FEED_FORWARD] + def->proportional * error +
           def->derivative * error_rate + integral;
}

void hf_pid_eval(const hf_pid_def *def, int dim, const hf_law_in *in, hf_law_out *out)
{
    double command;
    (void)dim;
    if (def->period > 0.0) {
        command = in->memory[HF_PID_COMMAND];
    } else {
        double error = in->inputs[HF_PID_REFERENCE] - in->gap[0];
        double w = wish(def, in, error, in->inputs[HF_PID_REFERENCE_RATE] - in->rate[0], in->y[0]);
        command = hf_clamp(def->low, def->high, w);
        out->dy[0] = integral_rate(def, error, command - w);
    }
    out->force[0] = -command;
    out->regime = command >= def->high || command <= def->low ? HF_REGIME_SLIP : HF_REGIME_STICK;
    out->stored = 0.0;
    out->dissipated = -command * in->rate[0];
    out->normal = 0.0;
}

// (now - before)/(k T), zero while there is no `before`.
static double difference(const hf_pid_def *def, double now, const double *memory)
{
    int span = def->span == 2 ? 2 : 1;
    double before = memory[span == 2 ? HF_PID_OLDER : HF_PID_ERROR];
    return memory[HF_PID_BEGUN] >= span ? (now - before) / (span * def->period) : 0.0;
}

void hf_pid_sample(const hf_pid_def *def, const hf_law_in *in, double *memory)
{
    double error = in->inputs[HF_PID_REFERENCE] - in->gap[0];
    double error_rate = in->inputs[HF_PID_REFERENCE_RATE] - in->rate[0];
    double kept = def->position_differences ? -in->gap[0] : error;
    if (def->position_differences)
        error_rate = in->inputs[HF_PID_REFERENCE_RATE] + difference(def, kept, memory);
    else if (def->differences)
        error_rate = difference(def, kept, memory);
    double w = wish(def, in, error, error_rate, memory[HF_PID_INTEGRAL]);
    double command = hf_clamp(def->low, def->high, w);
    memory[HF_PID_INTEGRAL] += def->period * integral_rate(def, error, command - w);
    memory[HF_PID_COMMAND] = command;
    memory[HF_PID_OLDER] = memory[HF_PID_ERROR];
    memory[HF_PID_ERROR] = kept;
    memory[HF_PID_BEGUN] = memory[HF_PID_BEGUN] < 1.0 ? 1.0 : 2.0;
}

HF_LAW_GLUE(pid, def->period > 0.0 ? 0 : 1)

static double period(const void *def)
{
    return ((const hf_pid_def *)def)->period;
}

static void sample(const void *def, const hf_law_in *in, double *memory)
{
    hf_pid_sample(def, in, memory);
}

static void linear(const void *def, int axis, double *stiffness, double *damping)
{
    const hf_pid_def *pid = def;
    (void)axis;
    // A force that holds over a step sets it no limit.
    *stiffness = pid->period > 0.0 ? 0.0 : pid->proportional;
    *damping = pid->period > 0.0 ? 0.0 : pid->derivative;
}

enum { SHOWN_REFERENCE, SHOWN_ERROR, SHOWN_INTEGRAL, SHOWN_SATURATED, SHOWN_COUNT };

static const hf_law_channel channels[SHOWN_COUNT] = {
    [SHOWN_REFERENCE] = {.name = "reference", .unit = HF_UNIT_GAP},
    [SHOWN_ERROR] = {.name = "error", .unit = HF_UNIT_GAP},
    [SHOWN_INTEGRAL] = {.name = "integral", .unit = HF_UNIT_FORCE},
    [SHOWN_SATURATED] = {.name = "saturated"},
};

static double show(const void *def, const hf_law_in *in, const double *force, int k)
{
    const hf_pid_def *pid = def;
    double command = 0.0 - force[0];
    switch (k) {
    case SHOWN_INTEGRAL:
        return pid->period > 0.0 ? in->memory[HF_PID_INTEGRAL] : in->y[0];
    case SHOWN_SATURATED:
        return command >= pid->high ? 1.0 : (command <= pid->low ? -1.0 : 0.0);
    default:
        return in->inputs[HF_PID_REFERENCE] - (k == SHOWN_ERROR ? in->gap[0] : 0.0);
    }
}

static const hf_param params[] = {
    HF_PARAM(hf_pid_def, proportional, "proportional", "N/m", "gain of the error", HF_PARAM_NUMBER),
    HF_PARAM(hf_pid_def, integral, "integral", "N/(m s)", "gain of its integral", HF_PARAM_NUMBER),
    HF_PARAM(hf_pid_def, derivative, "derivative", "Ns/m", "gain of its rate", HF_PARAM_NUMBER),
    HF_PARAM(hf_pid_def, bias, "bias", "N", "constant force", HF_PARAM_NUMBER),
    HF_PARAM(hf_pid_def, low, "low", "N", "lower limit of the force", HF_PARAM_NUMBER),
    HF_PARAM(hf_pid_def, high, "high", "N", "upper limit of the force", HF_PARAM_NUMBER),
    HF_PARAM(hf_pid_def, anti_windup, "anti_windup", "s",
             "time constant of the integral's return while the limits hold", HF_PARAM_AUTO),
    HF_PARAM(hf_pid_def, period, "period", "s", "time between samples, 0: continuous",
             HF_PARAM_NUMBER),
    HF_PARAM(hf_pid_def, differences, "differences", "",
             "sampled: the error's rate by differences, not from the measured velocity",
             HF_PARAM_FLAG),
    HF_PARAM(hf_pid_def, position_differences, "position_differences", "",
             "sampled: the rate of the measured position by differences, beside reference_rate",
             HF_PARAM_FLAG),
    HF_PARAM(hf_pid_def, span, "span", "", "samples between the two of a difference: 1 or 2",
             HF_PARAM_COUNT),
};

static const hf_law_input inputs[HF_PID_INPUT_COUNT] = {
    [HF_PID_REFERENCE] = {.name = "reference", .unit = "m", .rate_of = -1},
    [HF_PID_REFERENCE_RATE] = {.name = "reference_rate",
                               .unit = "m/s",
                               .rate_of = HF_PID_REFERENCE},
    [HF_PID_FEED_FORWARD] = {.name = "feed_forward", .unit = "N", .rate_of = -1},
};

const hf_law_info hf_pid_info = {
    HF_LAW_LINE(pid),
    .source = "Astrom and Hagglund 1995",
    .kind = HF_KIND_CONTROLLER,
    .min_dim = 1,
    .max_dim = 1,
    .needs_gap = true,
    .active = true,
    .inputs = inputs,
    .input_count = HF_PID_INPUT_COUNT,
    HF_PARAMS(params),
    HF_LAW_GLUED(pid),
    .linear = linear,
    .period = period,
    .memory_count = HF_PID_MEMORY_COUNT,
    .sample = sample,
    .channels = channels,
    .channel_count = SHOWN_COUNT,
    .show = show,
};
