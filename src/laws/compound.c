// SPDX-License-Identifier: Apache-2.0
// Parallel viscoelastic stiction elements. Equations: compound.h.
#include <holdfast/laws/compound.h>

#include "info.h"
#include "parallel.h"

static const double default_levels[] = {0.1, 0.2, 0.3, 0.4};
static const double default_stiffnesses[] = {1e5, 1e5, 1e5, 1e5};
static const double default_dampings[] = {100.0, 100.0, 100.0, 100.0};

hf_compound_def hf_compound_def_default(void)
{
    return (hf_compound_def){.levels = {default_levels, 4},
                             .stiffnesses = {default_stiffnesses, 4},
                             .dampings = {default_dampings, 4},
                             .factor = hf_level_coulomb(1.0)};
}

hf_status hf_compound_def_check(const hf_compound_def *def, int dim, hf_fault *fault)
{
    hf_status status =
        hf_check_elements("levels", &def->levels, &def->stiffnesses, &def->factor, dim, fault);
    if (status != HF_OK || def->dampings.count == 0)
        return status;
    if (def->dampings.count != def->levels.count || !def->dampings.values)
        return hf_fault_set(fault, "dampings", "must have one number an element, or none",
                            def->dampings.count);
    for (int i = 0; i < def->dampings.count && status == HF_OK; i++)
        status = hf_check_not_negative("dampings", def->dampings.values[i], fault);
    return status;
}

void hf_compound_eval(const hf_compound_def *def, int dim, const hf_law_in *in, hf_law_out *out)
{
    hf_element_info info = hf_parallel_eval(&def->levels, &def->stiffnesses, &def->dampings,
                                            &def->factor, dim, in, out->force, out->dy);
    out->regime = info.regime;
    out->stored = info.stored;
    out->dissipated = info.dissipated;
    out->normal = 0.0;
}

double hf_compound_step(const hf_compound_def *def, double *e, double velocity, double step)
{
    double sum = 0.0;
    for (int i = 0; i < def->levels.count; i++) {
        hf_share share = hf_share_of(&def->factor, def->levels.values[i], 1.0);
        double damping = def->dampings.count > 0 ? def->dampings.values[i] : 0.0;
        double f, de;
        hf_element_eval1(&share.level, def->stiffnesses.values[i], damping, step, velocity, e[i],
                         share.normal, HF_REGIME_SLIP, &f, &de);
        e[i] += step * de;
        sum += f;
    }
    return sum;
}

HF_LAW_GLUE(compound, dim * def->levels.count)

static void linear(const void *def, int axis, double *stiffness, double *damping)
{
    const hf_compound_def *compound = def;
    (void)axis;
    *stiffness = hf_list_sum(&compound->stiffnesses);
    *damping = hf_list_sum(&compound->dampings);
}

static bool admits(const void *def, double tau)
{
    const hf_compound_def *compound = def;
    if (tau > 0.0)
        return true;
    for (int i = 0; i < compound->dampings.count; i++)
        if (!(compound->dampings.values[i] > 0.0))
            return false;
    return compound->dampings.count > 0;
}

static const hf_param params[] = {
    HF_PARAM(hf_compound_def, levels, "levels", "N", "levels of the elements", HF_PARAM_LIST),
    HF_PARAM(hf_compound_def, stiffnesses, "stiffnesses", "N/m", "stiffnesses of the elements",
             HF_PARAM_LIST),
    HF_PARAM(hf_compound_def, dampings, "dampings", "Ns/m", "dampings of the elements",
             HF_PARAM_LIST),
    HF_PARAM(hf_compound_def, factor, "factor", "", "common factor of the levels", HF_PARAM_LEVEL),
};

const hf_law_info hf_compound_info = {
    HF_LAW_LINE(compound),
    .source = "Kikuuwe et al. 2005 IV-B",
    .kind = HF_KIND_FRICTION,
    .min_dim = 1,
    .max_dim = 3,
    .friction = true,
    HF_PARAMS(params),
    HF_LAW_GLUED(compound),
    .linear = linear,
    .admits = admits,
};
