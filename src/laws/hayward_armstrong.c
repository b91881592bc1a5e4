// SPDX-License-Identifier: Apache-2.0
// Hayward and Armstrong's law. Equations: hayward_armstrong.h.
#include <holdfast/laws/hayward_armstrong.h>

#include "adhesion.h"
#include "bristle.h"
#include "check.h"
#include "element.h"
#include "info.h"

hf_hayward_armstrong_def hf_hayward_armstrong_def_default(void)
{
    return (hf_hayward_armstrong_def){
        .level = hf_level_coulomb(1.0), .stiffness = 1e5, .stick = 0.7};
}

hf_status hf_hayward_armstrong_def_check(const hf_hayward_armstrong_def *def, int dim,
                                         hf_fault *fault)
{
    hf_status status = hf_check_bristle_level(&def->level, dim, fault);
    if (status == HF_OK)
        status = hf_check_positive("stiffness", def->stiffness, fault);
    if (status == HF_OK && !(def->stick > 0.0 && def->stick < 1.0))
        status = hf_fault_set(fault, "stick", "must be between 0 and 1", def->stick);
    return status;
}

void hf_hayward_armstrong_eval(const hf_hayward_armstrong_def *def, int dim, const hf_law_in *in,
                               hf_law_out *out)
{
    double speed = hf_length(dim, in->rate), reach = hf_length(dim, in->y);
    int side = dim == 1 && in->rate[0] < 0.0 ? HF_BACK : HF_FORTH;
    double level = hf_level_at(&def->level, side, speed, in->normal, in->regime);
    bool open = !(level > 0.0);
    double decay = open ? 0.0 : hf_adhesion(def->stick, reach, level / def->stiffness) * speed;
    double along = 0.0;
    for (int i = 0; i < dim; i++) {
        along += in->y[i] * in->rate[i];
        out->force[i] = open ? 0.0 : def->stiffness * in->y[i];
        out->dy[i] = open ? 0.0 : in->rate[i] - decay * in->y[i];
    }
    bool slips = along > 0.0 && def->stiffness * reach >= HF_BRISTLE_SLIP * level;
    out->regime = hf_regime_of(&def->level, in->normal, slips);
    out->stored = 0.5 * def->stiffness * reach * reach;
    out->dissipated = def->stiffness * reach * reach * decay;
    out->normal = 0.0;
}

double hf_hayward_armstrong_step(const hf_hayward_armstrong_def *def, hf_hayward_armstrong *state,
                                 double displacement)
{
    int side = displacement < 0.0 ? HF_BACK : HF_FORTH;
    double zmax = hf_level_at(&def->level, side, 0.0, 1.0, HF_REGIME_SLIP) / def->stiffness;
    double e = state->e[0];
    // w moves towards x by alpha |dx| e, and at least until |e| = zmax
    double flow = hf_adhesion(def->stick, hf_abs(e), zmax) * hf_abs(displacement);
    state->e[0] = hf_sat(zmax, e + displacement - flow * e);
    return def->stiffness * state->e[0];
}

HF_LAW_GLUE(hayward_armstrong, dim)

static void linear(const void *def, int axis, double *stiffness, double *damping)
{
    const hf_hayward_armstrong_def *law = def;
    (void)axis;
    *stiffness = law->stiffness;
    *damping = 0.0;
}

static double relax(const void *def_, int dim, const hf_law_in *in, double *lambda)
{
    const hf_hayward_armstrong_def *def = def_;
    // alpha e = (1 + s^8) e^9/(s^8 + e^8): steepest at e^8 = 9/7 s^8, 81/32 (1 + s^8)
    double steepness = 81.0 / 32.0 * (1.0 + hf_eighth_power(def->stick));
    return hf_bristle_relax(&def->level, def->stiffness, steepness, dim, in, lambda);
}

static const hf_param params[] = {
    HF_PARAM(hf_hayward_armstrong_def, level, "level", "N", "friction level", HF_PARAM_LEVEL),
    HF_PARAM(hf_hayward_armstrong_def, stiffness, "stiffness", "N/m", "stiffness in stick",
             HF_PARAM_NUMBER),
    HF_PARAM(hf_hayward_armstrong_def, stick, "stick", "",
             "part of the level up to which it hardly creeps", HF_PARAM_NUMBER),
};

const hf_law_info hf_hayward_armstrong_info = {
    HF_LAW_LINE(hayward_armstrong),
    .source = "Hayward and Armstrong 2000",
    .kind = HF_KIND_FRICTION,
    .min_dim = 1,
    .max_dim = 3,
    .friction = true,
    HF_PARAMS(params),
    HF_LAW_GLUED(hayward_armstrong),
    .linear = linear,
    .relax = relax,
};
