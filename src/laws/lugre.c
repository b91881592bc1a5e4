// SPDX-License-Identifier: Apache-2.0
// LuGre bristle friction. Equations: lugre.h.
#include <holdfast/laws/lugre.h>

#include "bristle.h"
#include "check.h"
#include "info.h"

hf_lugre_def hf_lugre_def_default(void)
{
    return (hf_lugre_def){.level = hf_level_coulomb(1.0), .stiffness = 1e5, .damping = 300.0};
}

hf_status hf_lugre_def_check(const hf_lugre_def *def, int dim, hf_fault *fault)
{
    hf_status status = hf_check_bristle_level(&def->level, dim, fault);
    if (status == HF_OK)
        status = hf_check_positive("stiffness", def->stiffness, fault);
    if (status == HF_OK)
        status = hf_check_not_negative("damping", def->damping, fault);
    if (status == HF_OK)
        status = hf_check_not_negative("viscous", def->viscous, fault);
    return status;
}

void hf_lugre_eval(const hf_lugre_def *def, int dim, const hf_law_in *in, hf_law_out *out)
{
    hf_bristle b = hf_bristle_eval(&def->level, def->stiffness, dim, in, out->dy);
    double power = 0.0;
    for (int i = 0; i < dim; i++) {
        double spring = b.level > 0.0 ? def->stiffness * in->y[i] : 0.0;
        double flow = hf_bristle_mean(in, i, b.decay, out->dy[i]);
        double rest = def->damping * flow + def->viscous * in->rate[i];
        out->force[i] = spring + rest;
        power += rest * in->rate[i];
    }
    out->regime = b.regime;
    out->stored = 0.5 * def->stiffness * b.square;
    // f.v - K e.e' = (B e' + D v).v + K |e|^2 |v|/g
    out->dissipated = power + def->stiffness * b.square * b.decay;
    out->normal = 0.0;
}

double hf_lugre_step(const hf_lugre_def *def, hf_lugre *state, double velocity, double step)
{
    double e = hf_bristle_advance(&def->level, def->stiffness, velocity, step, state->e[0]);
    state->e[0] = e;
    double f = 0.0, de = 0.0;
    hf_law_in in = {.rate = &velocity, .y = &e, .normal = 1.0, .regime = HF_REGIME_SLIP};
    hf_law_out out = {.force = &f, .dy = &de};
    hf_lugre_eval(def, 1, &in, &out);
    return f;
}

HF_LAW_GLUE(lugre, dim)

static void linear(const void *def, int axis, double *stiffness, double *damping)
{
    const hf_lugre_def *lugre = def;
    (void)axis;
    *stiffness = lugre->stiffness;
    *damping = lugre->damping + lugre->viscous;
}

static double relax(const void *def_, int dim, const hf_law_in *in, double *lambda)
{
    const hf_lugre_def *def = def_;
    return hf_bristle_relax(&def->level, def->stiffness, 1.0, dim, in, lambda);
}

static const hf_param params[] = {
    HF_PARAM(hf_lugre_def, level, "level", "N", "friction level", HF_PARAM_LEVEL),
    HF_PARAM(hf_lugre_def, stiffness, "stiffness", "N/m", "bristle stiffness", HF_PARAM_NUMBER),
    HF_PARAM(hf_lugre_def, damping, "damping", "Ns/m", "bristle damping", HF_PARAM_NUMBER),
    HF_PARAM(hf_lugre_def, viscous, "viscous", "Ns/m", "viscous friction", HF_PARAM_NUMBER),
};

const hf_law_info hf_lugre_info = {
    HF_LAW_LINE(lugre),
    .source = "Kikuuwe and Yamamoto 2008 (12)",
    .kind = HF_KIND_FRICTION,
    .state_unit = HF_UNIT_GAP,
    .min_dim = 1,
    .max_dim = 3,
    .friction = true,
    HF_PARAMS(params),
    HF_LAW_GLUED(lugre),
    .linear = linear,
    .relax = relax,
};
