// SPDX-License-Identifier: Apache-2.0
// The bristle equation e' = v - |v| K e / F(v), shared by Dahl and LuGre.           000 (11), (12)
#ifndef HF_LAWS_BRISTLE_H
#define HF_LAWS_BRISTLE_H

#include <holdfast/laws/dahl.h>
#include <holdfast/laws/prox.h>

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
