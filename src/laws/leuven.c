// SPDX-License-Identifier: Apache-2.0
// The Leuven law. Equations: leuven.h.
#include <holdfast/laws/leuven.h>

#include "bristle.h"
#include "info.h"
#include "parallel.h"

static const double default_levels[] = {0.1, 0.2, 0.3, 0.4};
static const double default_stiffnesses[] = {1e5, 1e5, 1e5, 1e5};
// Rounding of the sum of a few numbers.
static const double SUM_ROUNDING = 1e-12;

hf_leuven_def hf_leuven_def_default(void)
{
    return (hf_leuven_def){.level = hf_level_coulomb(1.0),
                           .levels = {default_levels, 4},
                           .stiffnesses = {default_stiffnesses, 4},
                           .exponent = 2.0,
                           .damping = 100.0};
}

// Elements must carry the level at rest, but for rounding of their sum.
static hf_status check_sum(const hf_leuven_def *def, hf_fault *fault)
{
    double sum = hf_list_sum(&def->levels);
    for (int side = 0; side < 2; side++)
        if (sum < hf_level_at(&def->level, side, 0.0, 1.0, HF_REGIME_STICK) * (1.0 - SUM_ROUNDING))
            return hf_fault_set(fault, "levels", "must sum to at least the static level", sum);
    return HF_OK;
}

hf_status hf_leuven_def_check(const hf_leuven_def *def, int dim, hf_fault *fault)
{
    hf_level one = hf_level_coulomb(1.0);
    hf_status status = hf_check_bristle_level(&def->level, dim, fault);
    if (status == HF_OK)
        status = hf_check_elements("levels", &def->levels, &def->stiffnesses, &one, dim, fault);
    if (status == HF_OK)
        status = check_sum(def, fault);
    if (status == HF_OK && !(def->exponent >= 1.0 && hf_is_finite(def->exponent)))
        status = hf_fault_set(fault, "exponent", "must be at least 1, and finite", def->exponent);
    if (status == HF_OK)
        status = hf_check_not_negative("damping", def->damping, fault);
    if (status == HF_OK)
        status = hf_check_not_negative("viscous", def->viscous, fault);
    return status;
}

// Force of the elements moved by dz, each cut at its level.
static double hysteresis(const hf_leuven_def *def, const double *e, double dz, double scale)
{
    double sum = 0.0;
    for (int i = 0; i < def->levels.count; i++)
        sum += hf_sat(scale * def->levels.values[i], def->stiffnesses.values[i] * (e[i] + dz));
    return sum;
}

// 1 - sgn(r) |r|^n
static double advance(const hf_leuven_def *def, double ratio)
{
    double power = pow(hf_abs(ratio), def->exponent);
    return ratio < 0.0 ? 1.0 + power : 1.0 - power;
}

// Force of the elements between located switches: those at their level stay there.
static double bound_force(const hf_leuven_def *def, const hf_law_in *in)
{
    double sum = 0.0;
    for (int i = 0; i < def->levels.count; i++) {
        double limit = def->levels.values[i];
        sum += in->modes[i] != 0.0 ? in->modes[i] * limit
                                   : hf_sat(limit, def->stiffnesses.values[i] * in->y[i]);
    }
    return sum;
}

// How fast the elements are moved, z'.
static double motion(const hf_leuven_def *def, double v, double spring, double level)
{
    return v * advance(def, v < 0.0 ? -spring / level : spring / level);
}

void hf_leuven_eval(const hf_leuven_def *def, int dim, const hf_law_in *in, hf_law_out *out)
{
    (void)dim;
    // Level, springs and how fast they are moved
    double v = in->rate[0];
    double scale = def->level.per_normal ? in->normal : 1.0;
    double level =
        hf_level_at(&def->level, v < 0.0 ? HF_BACK : HF_FORTH, hf_abs(v), in->normal, in->regime);
    bool open = !(level > 0.0);
    double spring = open        ? 0.0
                    : in->modes ? bound_force(def, in)
                                : hysteresis(def, in->y, 0.0, scale);
    double dz = open ? 0.0 : motion(def, v, spring, level);
    double stored = 0.0, storing = 0.0, flow = 0.0; // flow: of the element with the longest way
    for (int i = 0; i < def->levels.count; i++) {
        double k = def->stiffnesses.values[i], e = in->y[i];
        bool bound = in->modes ? in->modes[i] != 0.0
                               : k * hf_abs(e) >= scale * def->levels.values[i] && e * dz > 0.0;
        out->dy[i] = bound ? 0.0 : dz;
        double part = hf_bristle_flow(scale * def->levels.values[i], k, 1, &e, &dz, in->step);
        flow = part > flow ? part : flow;
        stored += 0.5 * k * e * e;
        storing += k * e * out->dy[i];
    }
    // Force, and where its power goes
    out->force[0] = spring + def->damping * flow * dz + def->viscous * v;
    bool slips = spring * v > 0.0 && hf_abs(spring) >= HF_BRISTLE_SLIP * level;
    out->regime = hf_regime_of(&def->level, in->normal, slips);
    out->stored = stored;
    out->dissipated = out->force[0] * v - storing;
    out->normal = 0.0;
}

// dz = v T (1 - sgn(r) |r|^n) with r at the end of the step. The right side falls as dz goes along
// v, so that one root lies between 0 and its value there: bisection.
static double implicit_motion(const hf_leuven_def *def, const double *e, double path, double level)
{
    double signed_level = path < 0.0 ? -level : level;
    double far = path * advance(def, hysteresis(def, e, 0.0, 1.0) / signed_level);
    double near = 0.0;
    for (int i = 0; i < 64; i++) {
        double dz = near + 0.5 * (far - near);
        if (dz == near || dz == far)
            break;
        double want = path * advance(def, hysteresis(def, e, dz, 1.0) / signed_level);
        if ((want - dz) * (far - near) > 0.0)
            near = dz;
        else
            far = dz;
    }
    return near;
}

double hf_leuven_step(const hf_leuven_def *def, double *e, double velocity, double step)
{
    double level = hf_level_at(&def->level, velocity < 0.0 ? HF_BACK : HF_FORTH, hf_abs(velocity),
                               1.0, HF_REGIME_SLIP);
    double dz = implicit_motion(def, e, velocity * step, level);
    for (int i = 0; i < def->levels.count; i++)
        e[i] = hf_sat(def->levels.values[i] / def->stiffnesses.values[i], e[i] + dz);
    return hysteresis(def, e, 0.0, 1.0) + def->damping * (dz / step) + def->viscous * velocity;
}

HF_LAW_GLUE(leuven, def->levels.count)

// Elements that an explicit method left beyond their bound go back on it.
static void accept(const void *def_, int dim, const hf_law_in *in, double *y)
{
    const hf_leuven_def *def = def_;
    (void)dim;
    double scale = def->level.per_normal ? in->normal : 1.0;
    for (int i = 0; i < def->levels.count; i++)
        y[i] = hf_sat(scale * def->levels.values[i] / def->stiffnesses.values[i], y[i]);
}

// One switching function an element. Modes: 0 free, -1 and 1 at its level. Where a load raises the
// levels, elements leave them as fast as that and come back with the little z' that sliding leaves:
// which of both, its rate decides, and that is not known here.
static int switch_count(const void *def_, int dim)
{
    const hf_leuven_def *def = def_;
    (void)dim;
    return def->level.per_normal ? 0 : def->levels.count;
}

// In steady sliding z' is about zero, of either sign: elements leave their level where it turns by
// more than it may err.
static void switches(const void *def_, int dim, const hf_law_in *in, hf_law_switch *functions)
{
    const hf_leuven_def *def = def_;
    (void)dim;
    double v = in->rate[0];
    double level =
        hf_level_at(&def->level, v < 0.0 ? HF_BACK : HF_FORTH, hf_abs(v), in->normal, in->regime);
    double dz = level > 0.0 ? motion(def, v, bound_force(def, in), level) : 0.0;
    double slack = in->near_rate + in->near_relative * hf_abs(v);
    for (int i = 0; i < def->levels.count; i++) {
        double k = def->stiffnesses.values[i], e = in->y[i], limit = def->levels.values[i];
        functions[i] = in->modes[i] != 0.0
                           ? hf_switch_to_stick(in, in->modes[i] * dz + slack)
                           : hf_switch_to_slip(in, k, k * hf_abs(e), limit, e < 0.0 ? -dz : dz);
    }
}

static void change(const void *def_, int dim, const hf_law_in *in, const bool *fallen,
                   double *modes, double *y)
{
    const hf_leuven_def *def = def_;
    (void)dim;
    (void)in;
    for (int i = 0; i < def->levels.count; i++) {
        if (!fallen[i])
            continue;
        modes[i] = modes[i] != 0.0 ? 0.0 : y[i] < 0.0 ? -1.0 : 1.0;
        y[i] = hf_sat(def->levels.values[i] / def->stiffnesses.values[i], y[i]);
    }
}

static void linear(const void *def, int axis, double *stiffness, double *damping)
{
    const hf_leuven_def *law = def;
    (void)axis;
    *stiffness = hf_list_sum(&law->stiffnesses);
    *damping = law->damping + law->viscous;
}

static const hf_param params[] = {
    HF_PARAM(hf_leuven_def, level, "level", "N", "friction level", HF_PARAM_LEVEL),
    HF_PARAM(hf_leuven_def, levels, "levels", "N", "levels of the hysteresis elements",
             HF_PARAM_LIST),
    HF_PARAM(hf_leuven_def, stiffnesses, "stiffnesses", "N/m",
             "stiffnesses of the hysteresis elements", HF_PARAM_LIST),
    HF_PARAM(hf_leuven_def, exponent, "exponent", "", "sharpness of the transition to sliding",
             HF_PARAM_NUMBER),
    HF_PARAM(hf_leuven_def, damping, "damping", "Ns/m", "damping in presliding", HF_PARAM_NUMBER),
    HF_PARAM(hf_leuven_def, viscous, "viscous", "Ns/m", "viscous friction", HF_PARAM_NUMBER),
};

const hf_law_info hf_leuven_info = {
    HF_LAW_LINE(leuven),
    .source = "Swevers et al. 2000, Lampaert et al. 2002",
    .kind = HF_KIND_FRICTION,
    .min_dim = 1,
    .max_dim = 1,
    .friction = true,
    HF_PARAMS(params),
    HF_LAW_GLUED(leuven),
    .accept = accept,
    .linear = linear,
    .switch_count = switch_count,
    .switches = switches,
    .change = change,
};
