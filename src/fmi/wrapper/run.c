// SPDX-License-Identifier: Apache-2.0
// An experiment with an instance: from its start, step by step, to its end.
#include <math.h>
#include <string.h>

#include "compile/model_data.h"
#include "fmi/wrapper/instance.h"

// Times of the host and of the machine that differ by less than this share of the method's step are
// the same: hosts add up their steps, each with a rounding.
#define SAME_TIME 1e-6

static double tolerance(const hf_fmu *fmu, double time)
{
    return fmax(SAME_TIME * hf_sim_method(fmu->sim).step, 1e-14 * fabs(time));
}

hf_fmu_status hf_fmu_setup(hf_fmu *fmu, const char *function, double start, bool ends, double stop)
{
    if (!hf_fmu_allows(fmu, function, HF_FMU_INSTANTIATED)) {
        return HF_FMU_ERROR;
    }
    if (!isfinite(start) || (ends && !(stop >= start))) {
        return hf_fmu_tell(fmu, HF_FMU_ERROR, HF_FMU_LOG_ERROR,
                           "%s: the times from %g s to %g s are none of an experiment", function,
                           start, stop);
    }
    fmu->start = fmu->time = start;
    fmu->stop = ends ? stop : INFINITY;
    if (start != 0.0 && fmu->model->passing_count > 0) {
        return hf_fmu_tell(fmu, HF_FMU_WARNING, HF_FMU_LOG_WARNING,
                           "%s: the machine's own clock begins at 0, not at %g s; its signals "
                           "count from there",
                           function, start);
    }
    return HF_FMU_OK;
}

hf_fmu_status hf_fmu_enter(hf_fmu *fmu, const char *function)
{
    if (!hf_fmu_allows(fmu, function, HF_FMU_INSTANTIATED)) {
        return HF_FMU_ERROR;
    }
    fmu->mode = HF_FMU_INITIALIZING;
    return HF_FMU_OK;
}

hf_fmu_status hf_fmu_leave(hf_fmu *fmu, const char *function)
{
    if (!hf_fmu_allows(fmu, function, HF_FMU_INITIALIZING)) {
        return HF_FMU_ERROR;
    }
    hf_fmu_status status = hf_fmu_settle(fmu, function);
    fmu->mode = status == HF_FMU_OK ? HF_FMU_STEPPING : HF_FMU_FAILED;
    return status;
}

// ------------------------------------------------------------------------------------------------
// Steps

// Puts the inputs to what their values and derivatives make `after` the last communication point.
static void put_sloped(hf_fmu *fmu, double after, bool keep)
{
    const hf_fmu_variables *v = &fmu->variables;
    for (int i = 1; i <= v->input_count; ++i) {
        int index = v->items[i].index;
        const double *slopes = &fmu->slopes[index * HF_FMU_MOST_ORDER];
        double value = 0.0;
        for (int k = HF_FMU_MOST_ORDER; k >= 1; --k) { // Horner's rule
            value = (value + slopes[k - 1]) * after / k;
        }
        value += fmu->inputs[index];
        if (value != fmu->inputs[index] || keep) {
            hf_sim_set_input(fmu->sim, v->items[i].signal, value);
        }
        fmu->inputs[index] = keep ? value : fmu->inputs[index];
    }
}

// Inputs with derivatives are held over each step of the method, at their value in its middle: as
// accurate as a method of second order sees them.
static hf_status advance_sloped(hf_fmu *fmu, double until, hf_error *error)
{
    double step = hf_sim_method(fmu->sim).step, from = hf_sim_time(fmu->sim);
    hf_status status = HF_OK;
    double t = from;
    while (t < until && status == HF_OK) {
        double end = (floor(t / step + SAME_TIME) + 1.0) * step;
        end = end > until - SAME_TIME * step ? until : end;
        put_sloped(fmu, (t + end) / 2.0 - from, false);
        status = hf_sim_advance(fmu->sim, end, false, error);
        if (!(hf_sim_time(fmu->sim) > t)) {
            break; // there but for a rounding
        }
        t = hf_sim_time(fmu->sim);
    }
    put_sloped(fmu, until - from, true);
    memset(fmu->slopes, 0,
           (size_t)fmu->variables.input_count * HF_FMU_MOST_ORDER * sizeof *fmu->slopes);
    fmu->sloped = false;
    return status;
}

// The machine's time for one of the host's: the end of a step of the method, if it is that but for
// roundings.
static double own_time(const hf_fmu *fmu, double time)
{
    double step = hf_sim_method(fmu->sim).step, own = time - fmu->start;
    double end = nearbyint(own / step) * step;
    return fabs(own - end) <= tolerance(fmu, time) ? end : own;
}

static hf_fmu_status check_step(const hf_fmu *fmu, const char *function, double point, double step)
{
    const char *why = !isfinite(point) || !isfinite(step) ? "times must be finite"
                      : step < 0.0                        ? "a step cannot be negative"
                      : fabs(point - fmu->time) > tolerance(fmu, point)
                          ? "the step does not begin where the last one ended"
                      : point + step > fmu->stop + tolerance(fmu, fmu->stop)
                          ? "the step goes beyond the end of the experiment"
                          : NULL;
    return why == NULL ? HF_FMU_OK
                       : hf_fmu_tell(fmu, HF_FMU_ERROR, HF_FMU_LOG_ERROR,
                                     "%s from %.17g s, by %.17g s, at %.17g s: %s", function, point,
                                     step, fmu->time, why);
}

hf_fmu_status hf_fmu_step(hf_fmu *fmu, const char *function, double point, double step)
{
    if (!hf_fmu_allows(fmu, function, HF_FMU_STEPPING) ||
        check_step(fmu, function, point, step) != HF_FMU_OK ||
        hf_fmu_settle(fmu, function) != HF_FMU_OK) {
        return HF_FMU_ERROR;
    }
    // The method's own steps; the last one is cut
    hf_error error = {0};
    double until = own_time(fmu, point + step);
    hf_status status = fmu->sloped ? advance_sloped(fmu, until, &error)
                                   : hf_sim_advance(fmu->sim, until, false, &error);
    if (status < 0) {
        fmu->mode = HF_FMU_FAILED;
        fmu->time = fmu->start + hf_sim_time(fmu->sim);
        return hf_fmu_tell_error(fmu, function, &error);
    }
    fmu->time = point + step;
    // A doubt is reported early in a long run; later it is seldom asked for
    if (hf_sim_get_stats(fmu->sim).steps >= fmu->judged) {
        hf_fmu_judge(fmu);
        fmu->judged = 2 * hf_sim_get_stats(fmu->sim).steps;
    }
    return HF_FMU_OK;
}

void hf_fmu_judge(hf_fmu *fmu)
{
    if (fmu->sim == NULL || fmu->doubted || hf_sim_get_stats(fmu->sim).steps == 0) {
        return;
    }
    hf_verdict verdict = hf_sim_verdict(fmu->sim);
    if (!verdict.trustworthy) {
        fmu->doubted = true;
        (void)hf_fmu_tell(fmu, HF_FMU_WARNING, HF_FMU_LOG_WARNING,
                          "t = %.9g s: the run is doubtful: %s", fmu->time, verdict.why);
    }
}

// ------------------------------------------------------------------------------------------------
// Ends

hf_fmu_status hf_fmu_terminate(hf_fmu *fmu, const char *function)
{
    if (!hf_fmu_allows(fmu, function, HF_FMU_STEPPING)) {
        return HF_FMU_ERROR;
    }
    hf_fmu_judge(fmu);
    fmu->mode = HF_FMU_TERMINATED;
    return HF_FMU_OK;
}

hf_fmu_status hf_fmu_reset(hf_fmu *fmu, const char *function)
{
    const hf_fmu_variables *v = &fmu->variables;
    hf_error error = {0};
    hf_fmu_judge(fmu);
    for (int i = 0; i < v->count; ++i) {
        const hf_fmu_variable *variable = &v->items[i];
        if (hf_fmu_is_parameter(variable)) {
            fmu->parameters[variable->index] = variable->start;
        } else if (variable->kind == HF_FMU_INPUT) {
            fmu->inputs[variable->index] = variable->start;
        }
    }
    memset(fmu->slopes, 0, (size_t)v->input_count * HF_FMU_MOST_ORDER * sizeof *fmu->slopes);
    fmu->sloped = false;
    fmu->start = fmu->time = 0.0;
    fmu->stop = INFINITY;
    fmu->mode = HF_FMU_INSTANTIATED;
    if (hf_fmu_make_sim(fmu, &error) < 0) {
        fmu->mode = HF_FMU_FAILED;
        return hf_fmu_tell_error(fmu, function, &error);
    }
    return HF_FMU_OK;
}
