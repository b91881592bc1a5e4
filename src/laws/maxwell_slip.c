// SPDX-License-Identifier: Apache-2.0
// Maxwell-slip: parallel elastoplastic elements. Equations: maxwell_slip.h.
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

// How far an element's deflection is, and how fast it is moved along that.
static double outward_of(int dim, const double *v, const double *e, double *reach)
{
    double outward = 0.0;
    *reach = hf_length(dim, e);
    for (int k = 0; k < dim; k++)
        outward += v[k] * e[k];
    return *reach > 0.0 ? outward / *reach : 0.0;
}

// The level of an element whose deflection grows with `outward`.
static double limit_of(const hf_maxwell_slip_def *def, int i, int dim, const double *e,
                       double outward, double normal)
{
    hf_share share = hf_share_of(&def->factor, def->levels.values[i], normal);
    int side = dim == 1 && e[0] < 0.0 ? HF_BACK : HF_FORTH;
    return hf_level_at(&share.level, side, hf_max0(outward), share.normal, HF_REGIME_SLIP);
}

// Between located switches. An element that slips keeps |e| as it was when that began, whatever its
// level does, and its force is the level; in stick its force is that of its spring, cut where a
// falling level left it beyond.
static void eval_pieces(const hf_maxwell_slip_def *def, int dim, const hf_law_in *in,
                        hf_law_out *out)
{
    bool slips = true;
    out->stored = out->dissipated = out->normal = 0.0;
    for (int k = 0; k < dim; k++)
        out->force[k] = 0.0;
    for (int i = 0; i < def->levels.count; i++) {
        const double *e = in->y + i * dim;
        double *de = out->dy + i * dim, stiffness = def->stiffnesses.values[i], reach;
        double outward = outward_of(dim, in->rate, e, &reach);
        double limit = limit_of(def, i, dim, e, outward, in->normal);
        bool slides = in->modes[i] != 0.0, cut = slides || stiffness * reach > limit;
        double scale = cut && reach > 0.0 ? limit / reach : stiffness;
        for (int k = 0; k < dim; k++) {
            double n = reach > 0.0 ? e[k] / reach : 0.0;
            de[k] = limit > 0.0 ? in->rate[k] - (slides ? outward * n : 0.0) : 0.0;
            out->force[k] += scale * e[k];
            out->dissipated += scale * e[k] * in->rate[k] - stiffness * e[k] * de[k];
        }
        out->stored += 0.5 * stiffness * reach * reach;
        slips = slips && slides;
    }
    out->regime = hf_regime_of(&def->factor, in->normal, slips);
}

void hf_maxwell_slip_eval(const hf_maxwell_slip_def *def, int dim, const hf_law_in *in,
                          hf_law_out *out)
{
    if (in->modes) {
        eval_pieces(def, dim, in, out);
        return;
    }
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

// One switching function an element. Modes: 0 stuck, 1 slipping.
static int switch_count(const void *def, int dim)
{
    (void)dim;
    return ((const hf_maxwell_slip_def *)def)->levels.count;
}

static void switches(const void *def_, int dim, const hf_law_in *in, hf_law_switch *functions)
{
    const hf_maxwell_slip_def *def = def_;
    for (int i = 0; i < def->levels.count; i++) {
        const double *e = in->y + i * dim;
        double k = def->stiffnesses.values[i], reach;
        double outward = outward_of(dim, in->rate, e, &reach);
        double limit = limit_of(def, i, dim, e, outward, in->normal);
        functions[i] = in->modes[i] != 0.0 ? hf_switch_to_stick(in, outward)
                                           : hf_switch_to_slip(in, k, k * reach, limit, outward);
        if (!(limit > 0.0)) // nothing presses: it loses its deflection
            functions[i].value = reach > 0.0 ? -2.0 * functions[i].margin : functions[i].margin;
    }
}

// Onto its level: in motion where the slip begins, at rest where it ends.
static void change(const void *def_, int dim, const hf_law_in *in, const bool *fallen,
                   double *modes, double *y)
{
    const hf_maxwell_slip_def *def = def_;
    for (int i = 0; i < def->levels.count; i++) {
        double *e = y + i * dim, reach, outward = outward_of(dim, in->rate, e, &reach);
        if (!fallen[i])
            continue;
        double limit = limit_of(def, i, dim, e, outward, in->normal);
        modes[i] = modes[i] != 0.0 || !(limit > 0.0) ? 0.0 : 1.0;
        double scale = reach > 0.0 ? limit / (def->stiffnesses.values[i] * reach) : 1.0;
        for (int k = 0; k < dim; k++)
            e[k] *= scale;
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
    .switch_count = switch_count,
    .switches = switches,
    .change = change,
};
