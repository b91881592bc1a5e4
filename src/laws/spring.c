// SPDX-License-Identifier: Apache-2.0
// Spring-damper, with or without hardening. Equations: spring.h.
#include <holdfast/laws/spring.h>

#include <math.h>

#include "check.h"
#include "info.h"

hf_spring_def hf_spring_def_default(void)
{
    return (hf_spring_def){.stiffness = 1000.0};
}

hf_status hf_spring_def_check(const hf_spring_def *def, int dim, hf_fault *fault)
{
    *fault = (hf_fault){0};
    hf_status status = hf_check_not_negative("cubic", def->cubic, fault);
    if (status == HF_OK)
        status = def->cubic > 0.0 ? hf_check_finite("stiffness", def->stiffness, fault)
                                  : hf_check_not_negative("stiffness", def->stiffness, fault);
    if (status == HF_OK)
        status = hf_check_not_negative("damping", def->damping, fault);
    if (status == HF_OK)
        status = hf_check_finite("rest", def->rest, fault);
    if (status == HF_OK && dim > 1 && def->rest != 0.0)
        return hf_fault_set(fault, "rest", "must be 0 on a coupling of more than one dimension",
                            def->rest);
    return status;
}

void hf_spring_eval(const hf_spring_def *def, int dim, const hf_law_in *in, hf_law_out *out)
{
    double stretch_square = 0.0, rate_square = 0.0;
    for (int i = 0; i < dim; i++) {
        double stretch = in->gap[i] - def->rest;
        out->force[i] = def->stiffness * stretch + def->damping * in->rate[i];
        stretch_square += stretch * stretch;
        rate_square += in->rate[i] * in->rate[i];
    }
    out->stored = 0.5 * def->stiffness * stretch_square;
    if (def->cubic > 0.0) {
        for (int i = 0; i < dim; i++)
            out->force[i] += def->cubic * stretch_square * (in->gap[i] - def->rest);
        out->stored += 0.25 * def->cubic * (stretch_square * stretch_square);
    }
    out->regime = HF_REGIME_STICK;
    out->dissipated = def->damping * rate_square;
    out->normal = 0.0;
}

void hf_spring_batch(size_t n, const double *stiffness, const double *damping, const double *rest,
                     const double *gap, const double *rate, double *HF_RESTRICT force,
                     double *HF_RESTRICT stored, double *HF_RESTRICT dissipated)
{
    for (size_t i = 0; i < n; i++) {
        double stretch = gap[i] - rest[i];
        force[i] = stiffness[i] * stretch + damping[i] * rate[i];
        stored[i] = 0.5 * stiffness[i] * (stretch * stretch);
        dissipated[i] = damping[i] * (rate[i] * rate[i]);
    }
}

HF_LAW_GLUE(spring, 0)

static void linear(const void *def, int axis, double *stiffness, double *damping)
{
    const hf_spring_def *spring = def;
    (void)axis;
    *stiffness = spring->stiffness > 0.0 ? spring->stiffness : 0.0;
    *damping = spring->damping;
}

// f = (K + c |s|^2) s has the slopes K + c (|s|^2 + 2 s_i^2) and, across, 2 c s_i s_j, which are
// added to the row's own (Gershgorin).
static bool slopes(const void *def, int dim, const hf_law_in *in, double *stiffness,
                   double *damping)
{
    const hf_spring_def *spring = def;
    double square = 0.0, sum = 0.0;
    for (int i = 0; i < dim; i++) {
        double stretch = in->gap[i] - spring->rest;
        square += stretch * stretch;
        sum += fabs(stretch);
    }
    for (int i = 0; i < dim; i++) {
        double stretch = fabs(in->gap[i] - spring->rest);
        stiffness[i] = spring->stiffness + spring->cubic * (square + 2.0 * stretch * sum);
        damping[i] = spring->damping;
    }
    return spring->cubic > 0.0;
}

static bool batch(const void *def, double numbers[HF_LAW_BATCH_NUMBERS])
{
    const hf_spring_def *spring = def;
    numbers[0] = spring->stiffness;
    numbers[1] = spring->damping;
    numbers[2] = spring->rest;
    return spring->cubic == 0.0;
}

static void eval_batch(const hf_law_batch *b)
{
    hf_spring_batch(b->count, b->numbers[0], b->numbers[1], b->numbers[2], b->gap, b->rate,
                    b->force, b->stored, b->dissipated);
}

static const hf_param params[] = {
    HF_PARAM(hf_spring_def, stiffness, "stiffness", "N/m", "stiffness", HF_PARAM_NUMBER),
    HF_PARAM(hf_spring_def, cubic, "cubic", "N/m^3",
             "stiffness that grows with the stretch squared", HF_PARAM_NUMBER),
    HF_PARAM(hf_spring_def, damping, "damping", "Ns/m", "damping", HF_PARAM_NUMBER),
    HF_PARAM(hf_spring_def, rest, "rest", "m", "gap without force", HF_PARAM_NUMBER),
};

const hf_law_info hf_spring_info = {
    HF_LAW_LINE(spring),    .source = "Kikuuwe and Yamamoto 2008 (10)",
    .kind = HF_KIND_SPRING, .min_dim = 1,
    .max_dim = 3,           .needs_gap = true,
    HF_PARAMS(params),      HF_LAW_GLUED(spring),
    .linear = linear,       .slopes = slopes,
    .batch = batch,         .eval_batch = eval_batch,
};
