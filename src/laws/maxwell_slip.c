// SPDX-License-Identifier: Apache-2.0
#include <holdfast/laws/maxwell_slip.h>

#include "info.h"
#include "parallel.h"

static const double default_levels[] = {0.1, 0.2, 0.3, 0.4};
static const double default_stiffnesses[] = {1e5, 1e5, 1e5, 1e5};

hf_maxwell_slip_def hf_maxwell_slip_def_default(void)
{
    return (hf_maxwell_slip_def){.levels = {default_levels, 4},
                                 .stiffnesses = {default_stiffnesses, 4},
                                 .factor = hf_level_coulomb(1.0)};
}

hf_status hf_maxwell_slip_def_check(const hf_maxwell_slip_def *def, int dim, hf_fault *fault)
{
    return hf_check_elements("levels", &def->levels, &def->stiffnesses, &def->factor, dim, fault);
}

void hf_maxwell_slip_eval(const hf_maxwell_slip_def *def, int dim, const hf_law_in *in,
                          hf_law_out *out)
{
    hf_element_info info = hf_parallel_eval(&def->levels, &def->stiffnesses, NULL, &def->factor,
                                            dim, in, out->force, out->dy);
    out->regime = info.regime;
    out->stored = info.stored;
    out->dissipated = info.dissipated;
    out->normal = 0.0;
}

double hf_maxwell_slip_step(const hf_maxwell_slip_def *def, double *e, double displacement)
{
    double sum = 0.0;
    for (int i = 0; i < def->levels.count; i++) {
        hf_share share = hf_share_of(&def->factor, def->levels.values[i], 1.0);
        double reach = e[i] + displacement;
        double limit = hf_level_at(&share.level, reach < 0.0 ? HF_BACK : HF_FORTH, 0.0,
                                   share.normal, HF_REGIME_SLIP) /
                       def->stiffnesses.values[i];
        e[i] = hf_sat(limit, reach);
        sum += def->stiffnesses.values[i] * e[i];
    }
    return sum;
}

HF_LAW_GLUE(maxwell_slip, dim * def->levels.count)

// An explicit method leaves an element a little beyond its bound in the step in which it yields:
// back on the bound, at the level at rest.
static void accept(const void *def_, int dim, const hf_law_in *in, double *y)
{
    const hf_maxwell_slip_def *def = def_;
    for (int i = 0; i < def->levels.count; i++) {
        double *e = y + i * dim;
        hf_share share = hf_share_of(&def->factor, def->levels.values[i], in->normal);
        int side = dim == 1 && e[0] < 0.0 ? HF_BACK : HF_FORTH;
        double limit = hf_level_at(&share.level, side, 0.0, share.normal, HF_REGIME_SLIP);
        hf_sat_n(limit / def->stiffnesses.values[i], dim, e, e);
    }
}

static void linear(const void *def, int axis, double *stiffness, double *damping)
{
    const hf_maxwell_slip_def *maxwell = def;
    (void)axis;
    *stiffness = hf_list_sum(&maxwell->stiffnesses);
    *damping = 0.0;
}

static const hf_param params[] = {
    HF_PARAM(hf_maxwell_slip_def, levels, "levels", "N", "levels of the elements", HF_PARAM_LIST),
    HF_PARAM(hf_maxwell_slip_def, stiffnesses, "stiffnesses", "N/m", "stiffnesses of the elements",
             HF_PARAM_LIST),
    HF_PARAM(hf_maxwell_slip_def, factor, "factor", "", "common factor of the levels",
             HF_PARAM_LEVEL),
};

const hf_law_info hf_maxwell_slip_info = {
    HF_LAW_LINE(maxwell_slip),
    .source = "Iwan 1966, Kikuuwe et al. 2005 figure 4",
    .kind = HF_KIND_FRICTION,
    .min_dim = 1,
    .max_dim = 3,
    .friction = true,
    HF_PARAMS(params),
    HF_LAW_GLUED(maxwell_slip),
    .accept = accept,
    .linear = linear,
};
