// SPDX-License-Identifier: Apache-2.0
// Elastoplastic bristle friction. Equations: elastoplastic.h.
#include <holdfast/laws/elastoplastic.h>

#include "bristle.h"
#include "check.h"
#include "element.h"
#include "info.h"

hf_elastoplastic_def hf_elastoplastic_def_default(void)
{
    return (hf_elastoplastic_def){
        .level = hf_level_coulomb(1.0), .stiffness = 1e5, .damping = 300.0, .breakaway = 0.7};
}

hf_status hf_elastoplastic_def_check(const hf_elastoplastic_def *def, int dim, hf_fault *fault)
{
    hf_status status = hf_check_bristle_level(&def->level, dim, fault);
    if (status == HF_OK)
        status = hf_check_positive("stiffness", def->stiffness, fault);
    if (status == HF_OK)
        status = hf_check_not_negative("damping", def->damping, fault);
    if (status == HF_OK)
        status = hf_check_not_negative("viscous", def->viscous, fault);
    if (status == HF_OK && !(def->breakaway >= 0.0 && def->breakaway < 1.0))
        status = hf_fault_set(fault, "breakaway", "must be from 0 to below 1", def->breakaway);
    return status;
}

// The lowest level on a side, which the viscous part only raises.
static double lowest(const hf_level *level, int side, double normal)
{
    double least = level->kinetic[side];
    for (int i = 0; i < level->table_level.count; i++)
        if (i == 0 || level->table_level.values[i] < least)
            least = level->table_level.values[i];
    return level->per_normal ? least * normal : least;
}

// alpha for a deflection of size reach with bounds eba < g.
static double plastic_part(double reach, double eba, double g)
{
    const double pi = 3.14159265358979323846;
    if (reach <= eba)
        return 0.0;
    if (reach >= g)
        return 1.0;
    return 0.5 + 0.5 * sin(pi * (reach - 0.5 * (g + eba)) / (g - eba));
}

// alpha |v|/g [1/s]: how fast the deflection relaxes.
static double decay_of(const hf_elastoplastic_def *def, int side, double speed, double along,
                       double reach, double normal, hf_regime regime, double *level)
{
    *level = hf_level_at(&def->level, side, speed, normal, regime);
    if (!(*level > 0.0) || along < 0.0)
        return 0.0;
    double g = *level / def->stiffness;
    double eba = def->breakaway * lowest(&def->level, side, normal) / def->stiffness;
    return plastic_part(reach, eba, g) * speed / g;
}

// Nearer to its end than this part of it the deflection relaxes as Dahl's: the rest is rounding.
#define NEAR_END 1e-9

// The rate at which the deflection comes to its end, g v/|v|: lambda |g v/|v| - e| = |e'|. A state
// that relaxes so comes there from anywhere within one long step and never passes it. The slope of
// alpha(e) e, six times |v|/g at its steepest, would leave it on its way for many steps.
static double approach(double g, int dim, const double *v, const double *e, const double *de)
{
    double speed = hf_length(dim, v), squares = 0.0;
    if (!(g > 0.0) || !(speed > 0.0))
        return 0.0;
    for (int i = 0; i < dim; i++) {
        double left = g * v[i] / speed - e[i];
        squares += left * left;
    }
    double left = hf_sqrt(squares);
    return left > NEAR_END * g ? hf_length(dim, de) / left : speed / g;
}

void hf_elastoplastic_eval(const hf_elastoplastic_def *def, int dim, const hf_law_in *in,
                           hf_law_out *out)
{
    double speed = hf_length(dim, in->rate), reach = hf_length(dim, in->y);
    int side = dim == 1 && in->rate[0] < 0.0 ? HF_BACK : HF_FORTH;
    double along = 0.0, power = 0.0, level;
    for (int i = 0; i < dim; i++)
        along += in->y[i] * in->rate[i];
    double decay = decay_of(def, side, speed, along, reach, in->normal, in->regime, &level);
    for (int i = 0; i < dim; i++)
        out->dy[i] = level > 0.0 ? in->rate[i] - decay * in->y[i] : 0.0;
    double lambda = approach(level / def->stiffness, dim, in->rate, in->y, out->dy);
    for (int i = 0; i < dim; i++) {
        double spring = level > 0.0 ? def->stiffness * in->y[i] : 0.0;
        double flow = hf_bristle_mean(in, i, lambda, out->dy[i]);
        double rest = def->damping * flow + def->viscous * in->rate[i];
        out->force[i] = spring + rest;
        power += rest * in->rate[i];
    }
    bool slips = along > 0.0 && def->stiffness * reach >= HF_BRISTLE_SLIP * level;
    out->regime = hf_regime_of(&def->level, in->normal, slips);
    out->stored = 0.5 * def->stiffness * reach * reach;
    out->dissipated = power + def->stiffness * reach * reach * decay;
    out->normal = 0.0;
}

double hf_elastoplastic_step(const hf_elastoplastic_def *def, hf_elastoplastic *state,
                             double velocity, double step)
{
    double e = state->e[0], level;
    int side = velocity < 0.0 ? HF_BACK : HF_FORTH;
    double decay =
        decay_of(def, side, hf_abs(velocity), e * velocity, hf_abs(e), 1.0, HF_REGIME_SLIP, &level);
    // e' = v - decay e, solved over the step; beyond +-g only its end is left
    if (decay > 0.0)
        e += (e - velocity / decay) * expm1(-decay * step);
    else
        e += step * velocity;
    e = hf_sat(hf_abs(state->e[0]) > level / def->stiffness ? hf_abs(state->e[0])
                                                            : level / def->stiffness,
               e);
    state->e[0] = e;
    double f = 0.0, de = 0.0;
    hf_law_in in = {.rate = &velocity, .y = &e, .normal = 1.0, .regime = HF_REGIME_SLIP};
    hf_law_out out = {.force = &f, .dy = &de};
    hf_elastoplastic_eval(def, 1, &in, &out);
    return f;
}

HF_LAW_GLUE(elastoplastic, dim)

static void linear(const void *def, int axis, double *stiffness, double *damping)
{
    const hf_elastoplastic_def *law = def;
    (void)axis;
    *stiffness = law->stiffness;
    *damping = law->damping + law->viscous;
}

static double relax(const void *def_, int dim, const hf_law_in *in, double *lambda)
{
    const hf_elastoplastic_def *def = def_;
    double de[3], force[3];
    hf_law_out out = {.force = force, .dy = de};
    hf_elastoplastic_eval(def, dim, in, &out);
    double speed = hf_length(dim, in->rate);
    int side = dim == 1 && in->rate[0] < 0.0 ? HF_BACK : HF_FORTH;
    double level = hf_level_at(&def->level, side, speed, in->normal, in->regime);
    for (int i = 0; i < dim; i++)
        lambda[i] = approach(level / def->stiffness, dim, in->rate, in->y, de);
    return hf_bristle_reach(&def->level, def->stiffness, speed, in->normal);
}

static const hf_param params[] = {
    HF_PARAM(hf_elastoplastic_def, level, "level", "N", "friction level", HF_PARAM_LEVEL),
    HF_PARAM(hf_elastoplastic_def, stiffness, "stiffness", "N/m", "bristle stiffness",
             HF_PARAM_NUMBER),
    HF_PARAM(hf_elastoplastic_def, damping, "damping", "Ns/m", "bristle damping", HF_PARAM_NUMBER),
    HF_PARAM(hf_elastoplastic_def, viscous, "viscous", "Ns/m", "viscous friction", HF_PARAM_NUMBER),
    HF_PARAM(hf_elastoplastic_def, breakaway, "breakaway", "",
             "part of the level up to which it is elastic", HF_PARAM_NUMBER),
};

const hf_law_info hf_elastoplastic_info = {
    HF_LAW_LINE(elastoplastic),
    .source = "Dupont et al. 2002",
    .kind = HF_KIND_FRICTION,
    .min_dim = 1,
    .max_dim = 3,
    .friction = true,
    HF_PARAMS(params),
    HF_LAW_GLUED(elastoplastic),
    .linear = linear,
    .relax = relax,
};
