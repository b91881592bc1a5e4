// SPDX-License-Identifier: Apache-2.0
// Viscous approximation of Coulomb friction. Equations: viscous_approximation.h.
#include <holdfast/laws/viscous_approximation.h>

#include "check.h"
#include "element.h"
#include "info.h"

hf_viscous_approximation_def hf_viscous_approximation_def_default(void)
{
    return (hf_viscous_approximation_def){.level = hf_level_coulomb(1.0), .threshold = 0.01};
}

hf_status hf_viscous_approximation_def_check(const hf_viscous_approximation_def *def, int dim,
                                             hf_fault *fault)
{
    hf_status status = hf_check_level("level", &def->level, dim, fault);
    if (status == HF_OK)
        status = hf_check_positive("threshold", def->threshold, fault);
    return status;
}

void hf_viscous_approximation_eval(const hf_viscous_approximation_def *def, int dim,
                                   const hf_law_in *in, hf_law_out *out)
{
    double speed = hf_length(dim, in->rate);
    int side = dim == 1 && in->rate[0] < 0.0 ? HF_BACK : HF_FORTH;
    double level = hf_level_at(&def->level, side, speed, in->normal, in->regime);
    bool slips = speed > def->threshold;
    double reference = slips ? speed : def->threshold;
    for (int i = 0; i < dim; i++)
        out->force[i] = level * (in->rate[i] / reference);
    out->regime = hf_regime_of(&def->level, in->normal, slips);
    out->stored = 0.0;
    out->dissipated = level * (speed / reference) * speed;
    out->normal = 0.0;
}

double hf_viscous_approximation_force(const hf_viscous_approximation_def *def, double velocity)
{
    double force;
    hf_law_in in = {.rate = &velocity, .normal = 1.0};
    hf_law_out out = {.force = &force};
    hf_viscous_approximation_eval(def, 1, &in, &out);
    return force;
}

HF_LAW_GLUE(viscous_approximation, 0)

static void linear(const void *def, int axis, double *stiffness, double *damping)
{
    const hf_viscous_approximation_def *law = def;
    (void)axis;
    *stiffness = 0.0;
    *damping = law->level.peak[0] / law->threshold;
}

static const hf_param params[] = {
    HF_PARAM(hf_viscous_approximation_def, level, "level", "N", "friction level", HF_PARAM_LEVEL),
    HF_PARAM(hf_viscous_approximation_def, threshold, "threshold", "m/s",
             "speed at which the level is reached", HF_PARAM_NUMBER),
};

const hf_law_info hf_viscous_approximation_info = {
    HF_LAW_LINE(viscous_approximation),
    .source = "Kikuuwe et al. 2005 (6)",
    .kind = HF_KIND_FRICTION,
    .min_dim = 1,
    .max_dim = 3,
    .friction = true,
    HF_PARAMS(params),
    HF_LAW_GLUED(viscous_approximation),
    .linear = linear,
};
