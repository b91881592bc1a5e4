// SPDX-License-Identifier: Apache-2.0
// The bristle equation e' = v - |v| K e / F(v), shared by Dahl and LuGre.  [Kikuuwe2008] (11), (12)
#ifndef HF_LAWS_BRISTLE_H
#define HF_LAWS_BRISTLE_H

#include <holdfast/laws/dahl.h>
#include <holdfast/laws/prox.h>

// The largest deflection that a bristle can have, sup F/K: the equation keeps within it. Where the
// normal force or the speed moves the level a deflection outlives its level: then ten times it,
// which only a step that went wrong exceeds.
static inline double hf_bristle_reach(const hf_level *level, double stiffness, double speed,
                                      double normal)
{
    double most = 0.0;
    for (int side = 0; side < 2; side++) {
        double f =
            level->peak[side] > level->kinetic[side] ? level->peak[side] : level->kinetic[side];
        most = f > most ? f : most;
    }
    for (int i = 0; i < level->table_level.count; i++)
        most = level->table_level.values[i] > most ? level->table_level.values[i] : most;
    double viscous = level->viscous[0] > level->viscous[1] ? level->viscous[0] : level->viscous[1];
    if (!level->per_normal && !(viscous > 0.0) && level->table_speed.count == 0)
        return most / stiffness;
    return 10.0 * ((level->per_normal ? most * normal : most) + viscous * speed) / stiffness;
}

typedef struct hf_bristle {
    double level;  // F(v) [N]; zero when open
    double decay;  // |v| K/F [1/s]
    double square; // |e|^2 [m^2]
    hf_regime regime;
} hf_bristle;

// Writes e'. Where the level is zero the bristle carries nothing and keeps its deflection.
static inline hf_bristle hf_bristle_eval(const hf_level *level, double stiffness, int dim,
                                         const hf_law_in *in, double *de)
{
    double speed = hf_length(dim, in->rate);
    int side = dim == 1 && in->rate[0] < 0.0 ? HF_BACK : HF_FORTH;
    hf_bristle b = {.level = hf_level_at(level, side, speed, in->normal, in->regime),
                    .regime = HF_REGIME_STICK};
    double along = 0.0;
    for (int i = 0; i < dim; i++) {
        b.square += in->y[i] * in->y[i];
        along += in->y[i] * in->rate[i];
    }
    if (!(b.level > 0.0)) {
        for (int i = 0; i < dim; i++)
            de[i] = 0.0;
        b.level = 0.0;
        b.regime = HF_REGIME_OPEN;
        return b;
    }
    b.decay = speed * stiffness / b.level;
    for (int i = 0; i < dim; i++)
        de[i] = in->rate[i] - b.decay * in->y[i];
    if (along > 0.0 && stiffness * hf_sqrt(b.square) >= HF_BRISTLE_SLIP * b.level)
        b.regime = HF_REGIME_SLIP;
    return b;
}

// The part of e' that the bristle's damping takes. A bristle that has range g/K on each side moves
// by no more than what is left of it in a step, (g/K + |e|): where it starts or turns round faster
// than steps can follow, its rate at one moment would act over the whole step and stop the body.
// The mean over the step is taken then; where steps follow the bristle nothing changes.
static inline double hf_bristle_flow(double level, double stiffness, int dim, const double *e,
                                     const double *de, double step)
{
    double size = hf_length(dim, de) * step;
    double range = level / stiffness + hf_length(dim, e);
    return size > range ? range / size : 1.0;
}

// States that relax faster than this in a step take its mean, and the exact step (sim/relax.c):
// below it explicit steps are accurate, and differences would lose digits.
#define HF_BRISTLE_LEAST_DECAY 0.5

// The rate that a bristle's damping takes: of state i in the mean over the step, in which e' falls
// as exp(-lambda t). Its rate at one moment, acting over the whole of a step that is longer than
// 1/lambda, would stop the body. The sum over steps is B times the way of the bristle, whatever h.
static inline double hf_bristle_mean(const hf_law_in *in, int i, double lambda, double de)
{
    double decay = lambda * in->step;
    if (in->flow)
        return in->flow[i];
    return decay > HF_BRISTLE_LEAST_DECAY ? de * (-expm1(-decay) / decay) : de;
}

// lambda = steepness |v| K/F of `dim` states. `steepness` bounds the slope of alpha(e) e over e
// where the law relaxes as e' = v - alpha(e) (|v| K/F) e: then the part of e' that is left is no
// stiffer than what was taken out.
static inline double hf_bristle_relax(const hf_level *level, double stiffness, double steepness,
                                      int dim, const hf_law_in *in, double *lambda)
{
    double speed = hf_length(dim, in->rate);
    int side = dim == 1 && in->rate[0] < 0.0 ? HF_BACK : HF_FORTH;
    double f = hf_level_at(level, side, speed, in->normal, in->regime);
    for (int i = 0; i < dim; i++)
        lambda[i] = f > 0.0 ? steepness * speed * stiffness / f : 0.0;
    return hf_bristle_reach(level, stiffness, speed, in->normal);
}

// Solution of the scalar bristle equation after a step at constant velocity, normal force 1 N.
static inline double hf_bristle_advance(const hf_level *level, double stiffness, double velocity,
                                        double step, double e)
{
    int side = velocity < 0.0 ? HF_BACK : HF_FORTH;
    double speed = hf_abs(velocity);
    double limit = hf_level_at(level, side, speed, 1.0, HF_REGIME_SLIP) / stiffness;
    if (!(limit > 0.0) || speed == 0.0)
        return e;
    double end = velocity < 0.0 ? -limit : limit;
    return e + (e - end) * expm1(-speed * step / limit);
}

#endif
