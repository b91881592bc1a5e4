// SPDX-License-Identifier: Apache-2.0
// Dahl's solid friction. Equations: dahl.h.
#include <holdfast/laws/dahl.h>

#include "bristle.h"
#include "check.h"
#include "info.h"

hf_dahl_def hf_dahl_def_default(void)
{
    return (hf_dahl_def){.level = hf_level_coulomb(1.0), .stiffness = 1e5};
}

hf_status hf_dahl_def_check(const hf_dahl_def *def, int dim, hf_fault *fault)
{
    hf_status status = hf_check_bristle_level(&def->level, dim, fault);
    if (status == HF_OK)
        status = hf_check_positive("stiffness", def->stiffness, fault);
    return status;
}

void hf_dahl_eval(const hf_dahl_def *def, int dim, const hf_law_in *in, hf_law_out *out)
{
    hf_bristle b = hf_bristle_eval(&def->level, def->stiffness, dim, in, out->dy);
    double force_scale = b.level > 0.0 ? def->stiffness : 0.0;
    for (int i = 0; i < dim; i++)
        out->force[i] = force_scale * in->y[i];
    out->regime = b.regime;
    out->stored = 0.5 * def->stiffness * b.square;
    // |v| f^2/F = K e.(v - e')
    out->dissipated = def->stiffness * b.square * b.decay;
    out->normal = 0.0;
}

double hf_dahl_step(const hf_dahl_def *def, hf_dahl *state, double velocity, double step)
{
    state->e[0] = hf_bristle_advance(&def->level, def->stiffness, velocity, step, state->e[0]);
    return def->stiffness * state->e[0];
}

HF_LAW_GLUE(dahl, dim)

static void linear(const void *def, int axis, double *stiffness, double *damping)
{
    const hf_dahl_def *dahl = def;
    (void)axis;
    *stiffness = dahl->stiffness;
    *damping = 0.0;
}

static double relax(const void *def_, int dim, const hf_law_in *in, double *lambda)
{
    const hf_dahl_def *def = def_;
    return hf_bristle_relax(&def->level, def->stiffness, 1.0, dim, in, lambda);
}

static const hf_param params[] = {
    HF_PARAM(hf_dahl_def, level, "level", "N", "friction level", HF_PARAM_LEVEL),
    HF_PARAM(hf_dahl_def, stiffness, "stiffness", "N/m", "stiffness at rest", HF_PARAM_NUMBER),
};

const hf_law_info hf_dahl_info = {
    HF_LAW_LINE(dahl),
    .source = "Kikuuwe and Yamamoto 2008 (11), Kikuuwe et al. 2005 (8)",
    .kind = HF_KIND_FRICTION,
    .state_unit = HF_UNIT_GAP,
    .min_dim = 1,
    .max_dim = 3,
    .friction = true,
    HF_PARAMS(params),
    HF_LAW_GLUED(dahl),
    .linear = linear,
    .relax = relax,
};
