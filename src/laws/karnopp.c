// SPDX-License-Identifier: Apache-2.0
// Karnopp's law. Equations: karnopp.h.
#include <holdfast/laws/karnopp.h>

#include "check.h"
#include "element.h"
#include "info.h"

hf_karnopp_def hf_karnopp_def_default(void)
{
    return (hf_karnopp_def){.level = hf_level_coulomb(1.0), .threshold = 0.01};
}

hf_status hf_karnopp_def_check(const hf_karnopp_def *def, int dim, hf_fault *fault)
{
    hf_status status = hf_check_level("level", &def->level, dim, fault);
    if (status == HF_OK)
        status = hf_check_positive("threshold", def->threshold, fault);
    return status;
}

void hf_karnopp_eval(const hf_karnopp_def *def, int dim, const hf_law_in *in, hf_law_out *out)
{
    double speed = hf_length(dim, in->rate);
    bool band = !(speed > def->threshold);
    const double *along = band ? in->applied : in->rate;
    int side = dim == 1 && along[0] < 0.0 ? HF_BACK : HF_FORTH;
    double limit = hf_level_at(&def->level, side, band ? 0.0 : speed, in->normal, in->regime);
    bool slips = true;
    if (band)
        slips = hf_sat_n(limit, dim, in->applied, out->force);
    else
        for (int i = 0; i < dim; i++)
            out->force[i] = limit * (in->rate[i] / speed);
    out->regime = hf_regime_of(&def->level, in->normal, slips);
    hf_out_rub(dim, in, out);
}

double hf_karnopp_force(const hf_karnopp_def *def, double velocity, double applied)
{
    double force;
    hf_law_in in = {.rate = &velocity, .applied = &applied, .normal = 1.0};
    hf_law_out out = {.force = &force};
    hf_karnopp_eval(def, 1, &in, &out);
    return force;
}

HF_LAW_GLUE(karnopp, 0)

static void linear(const void *def, int axis, double *stiffness, double *damping)
{
    // Holds without stiffness: its force in the band is the other forces'.
    (void)def;
    (void)axis;
    *stiffness = 0.0;
    *damping = 0.0;
}

static const hf_param params[] = {
    HF_PARAM(hf_karnopp_def, level, "level", "N", "friction level", HF_PARAM_LEVEL),
    HF_PARAM(hf_karnopp_def, threshold, "threshold", "m/s", "speed that counts as zero",
             HF_PARAM_NUMBER),
};

const hf_law_info hf_karnopp_info = {
    HF_LAW_LINE(karnopp),
    .source = "Karnopp 1985, Kikuuwe et al. 2005 (5)",
    .kind = HF_KIND_FRICTION,
    .min_dim = 1,
    .max_dim = 3,
    .friction = true,
    .needs_applied = true,
    .instead = "stiction",
    HF_PARAMS(params),
    HF_LAW_GLUED(karnopp),
    .linear = linear,
};
