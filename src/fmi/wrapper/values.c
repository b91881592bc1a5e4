// SPDX-License-Identifier: Apache-2.0
// Values of variables, in and out.
#include <math.h>

#include "fmi/wrapper/instance.h"

static const hf_fmu_variable *find(const hf_fmu *fmu, const char *function, unsigned reference)
{
    if (reference >= (unsigned)fmu->variables.count) {
        (void)hf_fmu_tell(fmu, HF_FMU_ERROR, HF_FMU_LOG_ERROR,
                          "%s: there is no variable with the value reference %u", function,
                          reference);
        return NULL;
    }
    return &fmu->variables.items[reference];
}

static double value_of(hf_fmu *fmu, const hf_fmu_variable *v)
{
    switch (v->kind) {
    case HF_FMU_TIME:
        return fmu->time;
    case HF_FMU_INPUT:
        return fmu->inputs[v->index];
    case HF_FMU_PARAMETER:
    case HF_FMU_TUNABLE:
        return fmu->parameters[v->index];
    case HF_FMU_CALCULATED:
        return hf_model_parameter(hf_sim_model(fmu->sim), v->index).value;
    case HF_FMU_OUTPUT:
    case HF_FMU_LOCAL:
        break;
    }
    return hf_sim_value(fmu->sim, (hf_channel){v->index});
}

hf_fmu_status hf_fmu_get(hf_fmu *fmu, const char *function, const unsigned *references,
                         size_t count, double *values)
{
    hf_fmu_status status = hf_fmu_settle(fmu, function);
    for (size_t i = 0; i < count && status == HF_FMU_OK; ++i) {
        const hf_fmu_variable *v = find(fmu, function, references[i]);
        if (v == NULL) {
            return HF_FMU_ERROR;
        }
        values[i] = value_of(fmu, v);
    }
    return status;
}

static hf_fmu_status refuse(const hf_fmu *fmu, const char *function, const hf_fmu_variable *v,
                            const char *why)
{
    return hf_fmu_tell(fmu, HF_FMU_ERROR, HF_FMU_LOG_ERROR, "%s: '%.200s' %s", function, v->name,
                       why);
}

// Whether a variable takes a value now; tells if not.
static hf_fmu_status check(const hf_fmu *fmu, const char *function, const hf_fmu_variable *v,
                           double value)
{
    if (v->kind != HF_FMU_INPUT && v->kind != HF_FMU_PARAMETER && v->kind != HF_FMU_TUNABLE) {
        return refuse(fmu, function, v,
                      v->kind == HF_FMU_CALCULATED ? "follows from other parameters"
                                                   : "is computed by the machine");
    }
    if (v->kind == HF_FMU_PARAMETER && fmu->mode == HF_FMU_STEPPING) {
        return refuse(fmu, function, v, "cannot be changed while the machine runs");
    }
    if (!isfinite(value)) {
        return refuse(fmu, function, v, "must be a finite number");
    }
    if (v->kind != HF_FMU_INPUT && !(value >= v->low && value <= v->high)) {
        return hf_fmu_tell(fmu, HF_FMU_ERROR, HF_FMU_LOG_ERROR,
                           "%s: '%.200s' = %g is outside of its range, %g to %g", function, v->name,
                           value, v->low, v->high);
    }
    return HF_FMU_OK;
}

hf_fmu_status hf_fmu_set(hf_fmu *fmu, const char *function, const unsigned *references,
                         size_t count, const double *values)
{
    if (!hf_fmu_allows(fmu, function,
                       HF_FMU_INSTANTIATED | HF_FMU_INITIALIZING | HF_FMU_STEPPING)) {
        return HF_FMU_ERROR;
    }
    // All or none
    for (size_t i = 0; i < count; ++i) {
        const hf_fmu_variable *v = find(fmu, function, references[i]);
        if (v == NULL || check(fmu, function, v, values[i]) != HF_FMU_OK) {
            return HF_FMU_ERROR;
        }
    }
    for (size_t i = 0; i < count; ++i) {
        const hf_fmu_variable *v = &fmu->variables.items[references[i]];
        double value = values[i] + 0.0; // zero has no sign
        if (v->kind != HF_FMU_INPUT) {
            fmu->parameters[v->index] = value;
        } else if (fmu->inputs[v->index] != value) {
            fmu->inputs[v->index] = value;
            hf_sim_set_input(fmu->sim, v->signal, value);
        }
    }
    return HF_FMU_OK;
}

hf_fmu_status hf_fmu_set_slope(hf_fmu *fmu, const char *function, unsigned reference, int order,
                               double value)
{
    const hf_fmu_variable *v = find(fmu, function, reference);
    if (v == NULL) {
        return HF_FMU_ERROR;
    }
    if (v->kind != HF_FMU_INPUT) {
        return refuse(fmu, function, v, "is no input");
    }
    if (order < 1 || order > HF_FMU_MOST_ORDER || !isfinite(value)) {
        return refuse(fmu, function, v, "takes finite derivatives of the orders 1 to 4");
    }
    fmu->slopes[v->index * HF_FMU_MOST_ORDER + order - 1] = value;
    fmu->sloped = true;
    return HF_FMU_OK;
}
