// SPDX-License-Identifier: Apache-2.0
// The core of the viscoelastic stiction element, shared by the laws that contain one. Inline: it is
// the innermost loop of every run.
#ifndef HF_LAWS_ELEMENT_H
#define HF_LAWS_ELEMENT_H

#include <holdfast/laws/level.h>
#include <holdfast/laws/prox.h>

// Of a force that is a stiffness by a deflection that is that force by the stiffness.
#define HF_ELEMENT_ROUNDING 1e-15

// What an evaluation of the element gives besides force and rate.
typedef struct hf_element_info {
    hf_regime regime;
    double stored;     // [J]
    double dissipated; // [W]
} hf_element_info;

// Whether the level does not change with speed on this side.
static inline bool hf_level_is_flat(const hf_level *level, int side)
{
    return level->table_speed.count == 0 && level->gear.count == 0 && level->viscous[side] == 0.0 &&
           (level->peak[side] == level->kinetic[side] || level->stribeck[side] == 0.0);
}

// hf_level_slip with the closed form of a flat level in line.
static inline hf_slip hf_level_slip_fast(const hf_level *level, int side, double normal,
                                         hf_regime regime, double c, double trial)
{
    if (!hf_level_is_flat(level, side))
        return hf_level_slip(level, side, normal, regime, c, trial);
    double limit = regime == HF_REGIME_SLIP ? level->kinetic[side] : level->peak[side];
    if (level->per_normal)
        limit = limit * normal + level->cohesion[side];
    if (level->sticking > 1.0 && regime != HF_REGIME_SLIP)
        limit *= level->sticking;
    if (!(trial > limit)) // NaN is passed on
        return (hf_slip){.force = trial, .speed = 0.0, .slips = false};
    return (hf_slip){.force = limit, .speed = (trial - limit) / c, .slips = true};
}

// Open: no normal force, so no level.
static inline bool hf_level_is_open(const hf_level *level, double normal)
{
    return level->per_normal && level->gear.count == 0 && level->cohesion[0] == 0.0 &&
           !(normal > 0.0);
}

static inline hf_regime hf_regime_of(const hf_level *level, double normal, bool slips)
{
    if (hf_level_is_open(level, normal))
        return HF_REGIME_OPEN;
    return slips ? HF_REGIME_SLIP : HF_REGIME_STICK;
}

// A friction law without memory: what its force takes is heat.
static inline void hf_out_rub(int dim, const hf_law_in *in, hf_law_out *out)
{
    out->stored = 0.0;
    out->dissipated = 0.0;
    for (int i = 0; i < dim; i++)
        out->dissipated += out->force[i] * in->rate[i];
    out->normal = 0.0;
}

// Rate-independent stop operator, the element at B + tau K = 0.
static inline hf_element_info hf_element_stop(const hf_level *level, double stiffness, int dim,
                                              const double *v, const double *e, double normal,
                                              hf_regime regime, double *force, double *de)
{
    double reach = hf_length(dim, e);
    double outward = 0.0; // speed along e
    for (int i = 0; i < dim; i++)
        outward += v[i] * e[i];
    outward = reach > 0.0 ? outward / reach : 0.0;
    int side = dim == 1 && e[0] < 0.0 ? HF_BACK : HF_FORTH;
    double limit = hf_level_at(level, side, hf_max0(outward), normal, regime);
    bool bound = stiffness * reach >= limit && (outward > 0.0 || !(limit > 0.0));
    double scale = bound && reach > 0.0 ? limit / reach : stiffness;
    double stored = 0.5 * stiffness * reach * reach;
    // Beyond its bound, where a step may leave it: only the work of the force that it is cut to.
    if (stiffness * reach > limit) {
        scale = limit / reach;
        stored = limit * (reach - 0.5 * limit / stiffness);
    }
    for (int i = 0; i < dim; i++) {
        force[i] = scale * e[i];
        de[i] = bound ? (reach > 0.0 ? v[i] - outward * (e[i] / reach) : 0.0) : v[i];
    }
    // What was put back onto its bound may be below it by rounding: it slips.
    bool slips =
        bound || (stiffness * reach >= limit * (1.0 - HF_ELEMENT_ROUNDING) && outward > 0.0);
    return (hf_element_info){.regime = hf_regime_of(level, normal, slips),
                             .stored = stored,
                             .dissipated = bound ? limit * hf_max0(outward) : 0.0};
}

// [Kikuuwe2008] (19) in one dimension. In stick e' is v itself: (19c) without its rounding.
static inline hf_element_info hf_element_eval1(const hf_level *level, double stiffness,
                                               double damping, double tau, double v, double e,
                                               double normal, hf_regime regime, double *force,
                                               double *de)
{
    double c = damping + tau * stiffness;
    if (!(c > 0.0))
        return hf_element_stop(level, stiffness, 1, &v, &e, normal, regime, force, de);
    double spring = stiffness * e;
    double trial = c * v + spring;
    hf_slip slip = hf_level_slip_fast(level, trial < 0.0 ? HF_BACK : HF_FORTH, normal, regime, c,
                                      hf_abs(trial));
    double f = trial, rate = v;
    if (slip.slips) {
        f = trial < 0.0 ? -slip.force : slip.force;
        rate = (f - spring) / c;
    }
    *force = f;
    *de = rate;
    return (hf_element_info){.regime = hf_regime_of(level, normal, slip.slips),
                             .stored = 0.5 * spring * e,
                             .dissipated = slip.force * slip.speed + c * (rate * rate)};
}

// [Kikuuwe2008] (19) in dim = 1, 2 or 3 dimensions.
static inline hf_element_info hf_element_eval(const hf_level *level, double stiffness,
                                              double damping, double tau, int dim, const double *v,
                                              const double *e, double normal, hf_regime regime,
                                              double *force, double *de)
{
    if (dim == 1)
        return hf_element_eval1(level, stiffness, damping, tau, v[0], e[0], normal, regime, force,
                                de);
    double c = damping + tau * stiffness;
    if (!(c > 0.0))
        return hf_element_stop(level, stiffness, dim, v, e, normal, regime, force, de);
    double trial[3];
    double square = 0.0;
    for (int i = 0; i < dim; i++) {
        trial[i] = c * v[i] + stiffness * e[i];
        square += e[i] * e[i];
    }
    double size = hf_length(dim, trial);
    hf_slip slip = hf_level_slip_fast(level, HF_FORTH, normal, regime, c, size);
    double scale = slip.slips ? slip.force / size : 1.0;
    double flow = 0.0;
    for (int i = 0; i < dim; i++) {
        force[i] = slip.slips ? scale * trial[i] : trial[i];
        de[i] = slip.slips ? (force[i] - stiffness * e[i]) / c : v[i];
        flow += de[i] * de[i];
    }
    return (hf_element_info){.regime = hf_regime_of(level, normal, slip.slips),
                             .stored = 0.5 * stiffness * square,
                             .dissipated = slip.force * slip.speed + c * flow};
}

#endif
