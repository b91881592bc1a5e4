// SPDX-License-Identifier: Apache-2.0
// Generalized Maxwell-slip. Equations: gms.h.
#include <holdfast/laws/gms.h>

#include "bristle.h"
#include "info.h"
#include "parallel.h"

static const double default_shares[] = {0.1, 0.2, 0.3, 0.4};
static const double default_stiffnesses[] = {1e5, 1e5, 1e5, 1e5};
// Shares are decimal numbers: their sum is 1 but for this.
static const double SUM_ROUNDING = 1e-9;

hf_gms_def hf_gms_def_default(void)
{
    return (hf_gms_def){.level = hf_level_coulomb(1.0),
                        .shares = {default_shares, 4},
                        .stiffnesses = {default_stiffnesses, 4},
                        .attraction = 20.0,
                        .damping = 100.0};
}

// Shares may be off 1 by the rounding of decimal fractions.
static hf_status check_shares(const hf_gms_def *def, hf_fault *fault)
{
    hf_status status = HF_OK;
    for (int i = 0; i < def->shares.count && status == HF_OK; i++)
        status = hf_check_positive("shares", def->shares.values[i], fault);
    double sum = hf_list_sum(&def->shares);
    if (status == HF_OK && !(hf_abs(sum - 1.0) <= SUM_ROUNDING))
        status = hf_fault_set(fault, "shares", "must sum to 1", sum);
    return status;
}

hf_status hf_gms_def_check(const hf_gms_def *def, int dim, hf_fault *fault)
{
    hf_level one = hf_level_coulomb(1.0);
    hf_status status = hf_check_bristle_level(&def->level, dim, fault);
    if (status == HF_OK)
        status = hf_check_elements("shares", &def->shares, &def->stiffnesses, &one, dim, fault);
    if (status == HF_OK)
        status = check_shares(def, fault);
    if (status == HF_OK)
        status = hf_check_positive("attraction", def->attraction, fault);
    if (status == HF_OK)
        status = hf_check_not_negative("damping", def->damping, fault);
    if (status == HF_OK)
        status = hf_check_not_negative("viscous", def->viscous, fault);
    return status;
}

static double level_of(const hf_gms_def *def, double v, double normal)
{
    return hf_level_at(&def->level, v < 0.0 ? HF_BACK : HF_FORTH, hf_abs(v), normal,
                       HF_REGIME_SLIP);
}

// The mode after the motion at velocity v: an element at its level slides along, one whose velocity
// has turned sticks.
static double next_mode(double mode, double spring, double v, double limit)
{
    if (mode != 0.0)
        return mode * v > 0.0 ? mode : 0.0;
    if (hf_abs(spring) >= limit && spring * v > 0.0)
        return v < 0.0 ? -1.0 : 1.0;
    return 0.0;
}

// The level of an element that is pulled or slides along `way`, continued to motion back as at
// rest.
static double level_along(const hf_gms_def *def, double way, double v, double normal)
{
    return hf_level_at(&def->level, way < 0.0 ? HF_BACK : HF_FORTH, hf_max0(way < 0.0 ? -v : v),
                       normal, HF_REGIME_SLIP);
}

void hf_gms_eval(const hf_gms_def *def, int dim, const hf_law_in *in, hf_law_out *out)
{
    (void)dim;
    int count = def->shares.count;
    const double *z = in->y, *mode = in->modes ? in->modes : in->y + count;
    double v = in->rate[0];
    // The level now, and what no element adds to
    double level = level_of(def, v, in->normal);
    bool slips = true;
    double force = def->viscous * v, stored = 0.0, storing = 0.0;
    // Element by element: it sticks (its spring follows v) or slides towards its share of the level
    for (int i = 0; i < count; i++) {
        double k = def->stiffnesses.values[i], share = def->shares.values[i];
        if (in->modes && mode[i] != 0.0)
            level = level_along(def, mode[i], v, in->normal);
        bool open = !(level > 0.0);
        double rate = open ? 0.0 : v;
        if (!open && mode[i] != 0.0) {
            double end = mode[i] * share * level; // a_i s(v), in the direction of the slide
            rate = mode[i] * share * def->attraction / k * (1.0 - k * z[i] / end);
        }
        out->dy[i] = rate;
        out->dy[count + i] = 0.0;
        // Within a stage of a step, before accept: an element that has come to its level is there
        double limit = share * level;
        bool there = !in->modes && mode[i] == 0.0 && z[i] * v > 0.0 && k * hf_abs(z[i]) > limit;
        double spring = there ? hf_sat(limit, k * z[i]) : k * z[i], moves = there ? 0.0 : rate;
        double flow = moves * hf_bristle_flow(limit, k, 1, &z[i], &rate, in->step);
        force += (open ? 0.0 : spring) + share * def->damping * flow;
        stored += 0.5 * k * z[i] * z[i];
        storing += spring * moves;
        slips = slips && mode[i] != 0.0;
    }
    // Power that is not stored is heat
    out->force[0] = force;
    out->regime = hf_regime_of(&def->level, in->normal, slips);
    out->stored = stored;
    out->dissipated = force * v - storing;
    out->normal = 0.0;
}

double hf_gms_step(const hf_gms_def *def, double *y, double velocity, double step)
{
    int count = def->shares.count;
    double *z = y, *mode = y + count;
    double level = level_of(def, velocity, 1.0);
    double force = def->viscous * velocity;
    for (int i = 0; i < count; i++) {
        double k = def->stiffnesses.values[i], share = def->shares.values[i];
        double limit = share * level, before = z[i];
        mode[i] = next_mode(mode[i], k * z[i], velocity, limit);
        if (mode[i] == 0.0) {
            z[i] += step * velocity;
            if (k * z[i] * velocity > 0.0 && k * hf_abs(z[i]) > limit) {
                // reached in this step: the element stays on its level, or where it was beyond it
                double bound = k * hf_abs(before) > limit ? hf_abs(before) : limit / k;
                z[i] = hf_sat(bound, z[i]);
            }
        } else {
            double end = mode[i] * limit / k;
            z[i] += (z[i] - end) * expm1(-def->attraction * step / level);
        }
        force += k * z[i] + share * def->damping * ((z[i] - before) / step);
    }
    return force;
}

HF_LAW_GLUE(gms, 2 * def->shares.count)

static void accept(const void *def_, int dim, const hf_law_in *in, double *y)
{
    const hf_gms_def *def = def_;
    (void)dim;
    int count = def->shares.count;
    double v = in->rate[0], level = level_of(def, v, in->normal);
    for (int i = 0; i < count; i++) {
        double k = def->stiffnesses.values[i], limit = def->shares.values[i] * level;
        double mode = next_mode(y[count + i], k * y[i], v, limit);
        // An explicit method left the element beyond the level that it has just reached.
        if (y[count + i] == 0.0 && mode != 0.0)
            y[i] = mode * limit / k;
        y[count + i] = mode;
    }
}

// One switching function an element; its mode is that of y.
static int switch_count(const void *def, int dim)
{
    (void)dim;
    return ((const hf_gms_def *)def)->shares.count;
}

static void switches(const void *def_, int dim, const hf_law_in *in, hf_law_switch *functions)
{
    const hf_gms_def *def = def_;
    (void)dim;
    double v = in->rate[0];
    for (int i = 0; i < def->shares.count; i++) {
        double k = def->stiffnesses.values[i], z = in->y[i];
        double limit = def->shares.values[i] * level_along(def, z, v, in->normal);
        functions[i] = in->modes[i] != 0.0
                           ? hf_switch_to_stick(in, in->modes[i] * v)
                           : hf_switch_to_slip(in, k, k * hf_abs(z), limit, z < 0.0 ? -v : v);
    }
}

static void change(const void *def_, int dim, const hf_law_in *in, const bool *fallen,
                   double *modes, double *y)
{
    const hf_gms_def *def = def_;
    (void)dim;
    int count = def->shares.count;
    for (int i = 0; i < count; i++) {
        if (fallen[i]) {
            bool slid = modes[i] != 0.0;
            double k = def->stiffnesses.values[i];
            double limit = def->shares.values[i] * level_along(def, y[i], in->rate[0], in->normal);
            modes[i] = slid ? 0.0 : y[i] < 0.0 ? -1.0 : 1.0;
            if (!slid) // from its level
                y[i] = modes[i] * limit / k;
        }
        y[count + i] = modes[i];
    }
}

static void linear(const void *def, int axis, double *stiffness, double *damping)
{
    const hf_gms_def *law = def;
    (void)axis;
    *stiffness = hf_list_sum(&law->stiffnesses);
    *damping = law->damping + law->viscous;
}

// Sliding elements follow the level with attraction/level, all at the same rate.
static double relax(const void *def_, int dim, const hf_law_in *in, double *lambda)
{
    const hf_gms_def *def = def_;
    (void)dim;
    int count = def->shares.count;
    double level = level_of(def, in->rate[0], in->normal);
    for (int i = 0; i < count; i++) {
        lambda[i] = in->y[count + i] != 0.0 && level > 0.0 ? def->attraction / level : 0.0;
        lambda[count + i] = 0.0;
    }
    return HUGE_VAL; // accept puts elements back onto their level
}

static const hf_param params[] = {
    HF_PARAM(hf_gms_def, level, "level", "N", "friction level", HF_PARAM_LEVEL),
    HF_PARAM(hf_gms_def, shares, "shares", "", "the elements' shares of the level", HF_PARAM_LIST),
    HF_PARAM(hf_gms_def, stiffnesses, "stiffnesses", "N/m", "stiffnesses of the elements",
             HF_PARAM_LIST),
    HF_PARAM(hf_gms_def, attraction, "attraction", "N/s", "how fast sliding follows the level",
             HF_PARAM_NUMBER),
    HF_PARAM(hf_gms_def, damping, "damping", "Ns/m", "damping of the elements", HF_PARAM_NUMBER),
    HF_PARAM(hf_gms_def, viscous, "viscous", "Ns/m", "viscous friction", HF_PARAM_NUMBER),
};

const hf_law_info hf_gms_info = {
    HF_LAW_LINE(gms),
    .source = "Lampaert et al. 2003, Kikuuwe et al. 2005 (9)",
    .kind = HF_KIND_FRICTION,
    .min_dim = 1,
    .max_dim = 1,
    .friction = true,
    HF_PARAMS(params),
    HF_LAW_GLUED(gms),
    .accept = accept,
    .linear = linear,
    .relax = relax,
    .switch_count = switch_count,
    .switches = switches,
    .change = change,
};
