// SPDX-License-Identifier: Apache-2.0
// The linear continuous law of [Kikuuwe2005]. Equations: continuous.h.
#include <holdfast/laws/continuous.h>

#include "check.h"
#include "element.h"
#include "info.h"

hf_continuous_def hf_continuous_def_default(void)
{
    return (hf_continuous_def){.level = hf_level_coulomb(1.0), .stiffness = 1e5, .damping = 100.0};
}

hf_status hf_continuous_def_check(const hf_continuous_def *def, int dim, hf_fault *fault)
{
    hf_status status = hf_check_level("level", &def->level, dim, fault);
    if (status == HF_OK)
        status = hf_check_positive("stiffness", def->stiffness, fault);
    if (status == HF_OK)
        status = hf_check_not_negative("damping", def->damping, fault);
    if (status == HF_OK)
        status = hf_check_not_negative("mass", def->mass, fault);
    if (status == HF_OK && def->forward && !(def->mass > 0.0))
        status = hf_fault_set(fault, "mass", "must be positive for the forward form", def->mass);
    return status;
}

// Friction on the mass over a step: from the trial force to its velocity w.
static hf_slip slip_of(const hf_continuous_def *def, int dim, const hf_law_in *in, double c,
                       const double *trial, double *w)
{
    double size = hf_length(dim, trial);
    int side = dim == 1 && trial[0] < 0.0 ? HF_BACK : HF_FORTH;
    hf_slip slip = hf_level_slip_fast(&def->level, side, in->normal, in->regime, c, size);
    for (int i = 0; i < dim; i++)
        w[i] = slip.slips ? slip.speed * (trial[i] / size) : 0.0;
    return slip;
}

// (29) with M > 0, and (22).
static void eval_with_mass(const hf_continuous_def *def, int dim, const hf_law_in *in,
                           hf_law_out *out)
{
    const double *z = in->y, *s = in->y + dim, *v = in->rate;
    double k = def->stiffness, b = def->damping, m = def->mass, tau = in->tau;
    double inertia = m / tau;
    double c = def->forward ? inertia : inertia + b + tau * k;
    double trial[3] = {0.0, 0.0, 0.0}, w[3], late[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < dim; i++) {
        late[i] = k * (z[i] + tau * v[i]) + b * (v[i] - s[i]); // (22a)
        trial[i] = (def->forward ? late[i] : (b + tau * k) * v[i] + k * z[i]) + inertia * s[i];
    }
    hf_slip slip = slip_of(def, dim, in, c, trial, w);
    double flow = 0.0, jerk = 0.0, balance = 0.0, stored = 0.0;
    for (int i = 0; i < dim; i++) {
        double dz = v[i] - w[i], ds = (w[i] - s[i]) / tau;
        out->force[i] = def->forward ? late[i] : k * z[i] + (b + tau * k) * dz;
        out->dy[i] = dz;
        out->dy[dim + i] = ds;
        flow += dz * dz;
        jerk += ds * ds;
        balance += out->force[i] * v[i] - k * z[i] * dz - m * s[i] * ds;
        stored += 0.5 * k * z[i] * z[i] + 0.5 * m * s[i] * s[i];
    }
    out->regime = hf_regime_of(&def->level, in->normal, slip.slips);
    out->stored = stored;
    out->dissipated =
        def->forward ? balance : slip.force * slip.speed + (b + tau * k) * flow + m * tau * jerk;
}

// tau = 0 with a mass, which no method admits: friction taken at the mass's own velocity.
static void eval_without_step(const hf_continuous_def *def, int dim, const hf_law_in *in,
                              hf_law_out *out)
{
    const double *z = in->y, *s = in->y + dim;
    double speed = hf_length(dim, s);
    int side = dim == 1 && s[0] < 0.0 ? HF_BACK : HF_FORTH;
    double level = hf_level_at(&def->level, side, speed, in->normal, in->regime);
    double friction[3], loss = 0.0, stored = 0.0;
    for (int i = 0; i < dim; i++)
        out->force[i] = def->stiffness * z[i] + def->damping * (in->rate[i] - s[i]);
    bool slips = hf_sat_n(level, dim, out->force, friction) || speed > 0.0;
    for (int i = 0; i < dim; i++) {
        double g = speed > 0.0 ? level * (s[i] / speed) : friction[i];
        out->dy[i] = in->rate[i] - s[i];
        out->dy[dim + i] = (out->force[i] - g) / def->mass;
        loss += g * s[i] + def->damping * out->dy[i] * out->dy[i];
        stored += 0.5 * def->stiffness * z[i] * z[i] + 0.5 * def->mass * s[i] * s[i];
    }
    out->regime = hf_regime_of(&def->level, in->normal, slips);
    out->stored = stored;
    out->dissipated = loss;
}

void hf_continuous_eval(const hf_continuous_def *def, int dim, const hf_law_in *in, hf_law_out *out)
{
    out->normal = 0.0;
    if (def->mass > 0.0) {
        if (in->tau > 0.0)
            eval_with_mass(def, dim, in, out);
        else
            eval_without_step(def, dim, in, out);
        return;
    }
    hf_element_info info =
        hf_element_eval(&def->level, def->stiffness, def->damping, in->tau, dim, in->rate, in->y,
                        in->normal, in->regime, out->force, out->dy);
    out->regime = info.regime;
    out->stored = info.stored;
    out->dissipated = info.dissipated;
}

void hf_continuous_step_n(const hf_continuous_def *def, hf_continuous *state, int dim,
                          const double *velocity, double normal, double step, double *force)
{
    double y[6], dy[6];
    for (int i = 0; i < dim; i++) {
        y[i] = state->z[i];
        y[dim + i] = state->s[i];
        dy[dim + i] = 0.0;
    }
    hf_law_in in = {
        .rate = velocity, .y = y, .normal = normal, .tau = step, .regime = state->regime};
    hf_law_out out = {.force = force, .dy = dy};
    hf_continuous_eval(def, dim, &in, &out);
    for (int i = 0; i < dim; i++) {
        state->z[i] += step * dy[i];
        state->s[i] += step * dy[dim + i];
    }
    if (out.regime == HF_REGIME_STICK && def->mass > 0.0)
        for (int i = 0; i < dim; i++)
            state->s[i] = 0.0; // without the rounding of s + T (0 - s)/T
    state->regime = out.regime;
}

double hf_continuous_step(const hf_continuous_def *def, hf_continuous *state, double velocity,
                          double step)
{
    double force;
    hf_continuous_step_n(def, state, 1, &velocity, 1.0, step, &force);
    return force;
}

HF_LAW_GLUE(continuous, def->mass > 0.0 ? 2 * dim : dim)

static void linear(const void *def, int axis, double *stiffness, double *damping)
{
    const hf_continuous_def *continuous = def;
    (void)axis;
    *stiffness = continuous->stiffness;
    *damping = continuous->damping;
}

static bool admits(const void *def, double tau)
{
    const hf_continuous_def *continuous = def;
    if (continuous->mass > 0.0)
        return tau > 0.0;
    return continuous->damping + tau * continuous->stiffness > 0.0;
}

static const hf_param params[] = {
    HF_PARAM(hf_continuous_def, level, "level", "N", "friction level", HF_PARAM_LEVEL),
    HF_PARAM(hf_continuous_def, stiffness, "stiffness", "N/m", "stiffness in stick",
             HF_PARAM_NUMBER),
    HF_PARAM(hf_continuous_def, damping, "damping", "Ns/m", "damping in stick", HF_PARAM_NUMBER),
    HF_PARAM(hf_continuous_def, mass, "mass", "kg", "mass of the sliding object", HF_PARAM_NUMBER),
    HF_PARAM(hf_continuous_def, forward, "forward", "",
             "the spring one step late, Kikuuwe et al. 2005 (22)", HF_PARAM_FLAG),
};

const hf_law_info hf_continuous_info = {
    HF_LAW_LINE(continuous),
    .source = "Kikuuwe et al. 2005 (29), (22)",
    .kind = HF_KIND_FRICTION,
    .min_dim = 1,
    .max_dim = 3,
    .friction = true,
    HF_PARAMS(params),
    HF_LAW_GLUED(continuous),
    .linear = linear,
    .admits = admits,
};
