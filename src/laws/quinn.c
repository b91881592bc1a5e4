// SPDX-License-Identifier: Apache-2.0
// Quinn's regularization. Equations: quinn.h.
#include <holdfast/laws/quinn.h>

#include "check.h"
#include "element.h"
#include "info.h"

hf_quinn_def hf_quinn_def_default(void)
{
    return (hf_quinn_def){.level = hf_level_coulomb(1.0), .threshold = 0.01};
}

hf_status hf_quinn_def_check(const hf_quinn_def *def, int dim, hf_fault *fault)
{
    hf_status status = hf_check_bristle_level(&def->level, dim, fault);
    if (status == HF_OK)
        status = hf_check_positive("threshold", def->threshold, fault);
    return status;
}

void hf_quinn_eval(const hf_quinn_def *def, int dim, const hf_law_in *in, hf_law_out *out)
{
    double speed = hf_length(dim, in->rate);
    int push_side = dim == 1 && in->applied[0] < 0.0 ? HF_BACK : HF_FORTH;
    double push_limit = hf_level_at(&def->level, push_side, speed, in->normal, in->regime);
    double bar[3] = {0.0, 0.0, 0.0}; // sat(1, h/F), then vbar/epsilon
    for (int i = 0; i < dim; i++)
        bar[i] = push_limit > 0.0 ? in->applied[i] / push_limit : 0.0;
    hf_sat_n(1.0, dim, bar, bar);
    for (int i = 0; i < dim; i++)
        bar[i] += in->rate[i] / def->threshold;
    int side = dim == 1 && bar[0] < 0.0 ? HF_BACK : HF_FORTH;
    double limit = hf_level_at(&def->level, side, speed, in->normal, in->regime);
    bool slips = hf_sat_n(1.0, dim, bar, bar);
    for (int i = 0; i < dim; i++)
        out->force[i] = limit * bar[i];
    out->regime = hf_regime_of(&def->level, in->normal, slips);
    hf_out_rub(dim, in, out);
}

double hf_quinn_force(const hf_quinn_def *def, double velocity, double applied)
{
    double force;
    hf_law_in in = {.rate = &velocity, .applied = &applied, .normal = 1.0};
    hf_law_out out = {.force = &force};
    hf_quinn_eval(def, 1, &in, &out);
    return force;
}

HF_LAW_GLUE(quinn, 0)

static void linear(const void *def, int axis, double *stiffness, double *damping)
{
    const hf_quinn_def *quinn = def;
    (void)axis;
    *stiffness = 0.0;
    *damping = quinn->level.peak[0] / quinn->threshold;
}

static const hf_param params[] = {
    HF_PARAM(hf_quinn_def, level, "level", "N", "friction level", HF_PARAM_LEVEL),
    HF_PARAM(hf_quinn_def, threshold, "threshold", "m/s", "speed at which the level is reached",
             HF_PARAM_NUMBER),
};

const hf_law_info hf_quinn_info = {
    HF_LAW_LINE(quinn),
    .source = "Quinn 2004, Kikuuwe et al. 2005 (7)",
    .kind = HF_KIND_FRICTION,
    .min_dim = 1,
    .max_dim = 3,
    .friction = true,
    .needs_applied = true,
    .instant = true,
    .instead = "stiction",
    HF_PARAMS(params),
    HF_LAW_GLUED(quinn),
    .linear = linear,
};
