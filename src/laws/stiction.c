// SPDX-License-Identifier: Apache-2.0
// The viscoelastic stiction element. Equations: stiction.h.
#include <holdfast/laws/stiction.h>

#include "check.h"
#include "element.h"
#include "info.h"

hf_stiction_def hf_stiction_def_default(void)
{
    return (hf_stiction_def){.level = hf_level_coulomb(1.0), .stiffness = 1e5, .damping = 100.0};
}

hf_status hf_stiction_def_check(const hf_stiction_def *def, int dim, hf_fault *fault)
{
    hf_status status = hf_check_level("level", &def->level, dim, fault);
    if (status == HF_OK)
        status = hf_check_positive("stiffness", def->stiffness, fault);
    if (status == HF_OK)
        status = hf_check_not_negative("damping", def->damping, fault);
    return status;
}

bool hf_stiction_admits(const hf_stiction_def *def, double tau)
{
    return def->damping + tau * def->stiffness > 0.0;
}

void hf_stiction_eval(const hf_stiction_def *def, int dim, const hf_law_in *in, hf_law_out *out)
{
    hf_element_info info =
        hf_element_eval(&def->level, def->stiffness, def->damping, in->tau, dim, in->rate, in->y,
                        in->normal, in->regime, out->force, out->dy);
    out->regime = info.regime;
    out->stored = info.stored;
    out->dissipated = info.dissipated;
    out->normal = 0.0;
}

void hf_stiction_step_n(const hf_stiction_def *def, hf_stiction *state, int dim,
                        const double *velocity, double normal, double step, double *force)
{
    double de[3];
    hf_element_info info = hf_element_eval(&def->level, def->stiffness, def->damping, step, dim,
                                           velocity, state->e, normal, state->regime, force, de);
    for (int i = 0; i < dim; i++)
        state->e[i] += step * de[i];
    state->regime = info.regime;
}

double hf_stiction_step(const hf_stiction_def *def, hf_stiction *state, double velocity,
                        double step)
{
    double force;
    hf_stiction_step_n(def, state, 1, &velocity, 1.0, step, &force);
    return force;
}

HF_LAW_GLUE(stiction, dim)

static void linear(const void *def, int axis, double *stiffness, double *damping)
{
    const hf_stiction_def *stiction = def;
    (void)axis;
    *stiffness = stiction->stiffness;
    *damping = stiction->damping;
}

static bool admits(const void *def, double tau)
{
    return hf_stiction_admits(def, tau);
}

// With damping + tau K > 0 for every tau and one constant level.
static bool batch(const void *def, double numbers[HF_LAW_BATCH_NUMBERS])
{
    const hf_stiction_def *stiction = def;
    numbers[0] = stiction->stiffness;
    numbers[1] = stiction->damping;
    numbers[2] = stiction->level.kinetic[HF_FORTH];
    return hf_level_is_constant(&stiction->level) && hf_stiction_admits(stiction, 0.0);
}

static void eval_batch(const hf_law_batch *b)
{
    hf_stiction_batch_full(b->count, b->tau, b->numbers[0], b->numbers[1], b->numbers[2], b->rate,
                           b->y, b->force, b->dy, b->stored, b->dissipated, b->mode);
}

static const hf_param params[] = {
    HF_PARAM(hf_stiction_def, level, "level", "N", "friction level", HF_PARAM_LEVEL),
    HF_PARAM(hf_stiction_def, stiffness, "stiffness", "N/m", "stiffness in stick", HF_PARAM_NUMBER),
    HF_PARAM(hf_stiction_def, damping, "damping", "Ns/m", "damping in stick", HF_PARAM_NUMBER),
};

const hf_law_info hf_stiction_info = {
    HF_LAW_LINE(stiction),
    .source = "Kikuuwe and Yamamoto 2008 (19), Xiong et al. 2013 (18)",
    .kind = HF_KIND_FRICTION,
    .tau_axes = 0x7,
    .state_unit = HF_UNIT_GAP,
    .min_dim = 1,
    .max_dim = 3,
    .friction = true,
    HF_PARAMS(params),
    HF_LAW_GLUED(stiction),
    .linear = linear,
    .admits = admits,
    .batch = batch,
    .eval_batch = eval_batch,
};
