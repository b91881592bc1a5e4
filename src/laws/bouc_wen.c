// SPDX-License-Identifier: Apache-2.0
// Bouc-Wen hysteresis as friction [Bouc1967], [Wen1976], in the normalized form of
// [IkhouaneRodellar2007]. 1 to 3 dimensions. Law name: "bouc-wen".
//
//   f  = K e,   r = f/F(v),   u = r/|r|                                                         (1)
//   e' = v - |r|^n u (sigma |v| - (sigma - 1) v.u)                                              (2)
//
// In one dimension (2) is e' = v - sigma |v| |r|^(n-1) r + (sigma - 1) v |r|^n, that of the papers.
// The vector form is ours: it is the same in every direction, and keeps what follows.
//
//   loading   v along r     e' = v (1 - |r|^n)                   tends to the level, sharper with n
//   unloading v against r   e' = v (1 + (2 sigma - 1) |r|^n)     straight, slope K, at sigma = 1/2
//   stored 1/2 K |e|^2,  dissipated F |r|^(n+1) (sigma |v| - (sigma - 1) v.u) >= 0
//
// The last is F |r|^(n+1) |v| when loading and (2 sigma - 1) times that when unloading: passive for
// sigma >= 1/2 [ErlicherPoint2004]. (2) keeps |f| <= F where F is constant: at |r| = 1 the rate of
// |e| is sigma (v.u - |v|) <= 0. n = 1, sigma = 1 is Dahl's law. Explicit methods take its
// relaxation in sliding, at n |v| K/F, exactly.
//
// Known defect: partial unloading and reloading does not close its loop, so that it drifts under a
// load that oscillates, less with larger n.
#include <math.h>

#include <holdfast/laws/dahl.h>
#include <holdfast/laws/prox.h>

#include "bristle.h"
#include "check.h"
#include "info.h"

typedef struct bouc_wen_def {
    hf_level level;   // F; the kinetic level must be positive
    double stiffness; // K at rest, > 0 [N/m]
    double shape;     // n, >= 1 [-]
    double unloading; // sigma, >= 1/2 [-]
} bouc_wen_def;

static void set_default(void *def)
{
    *(bouc_wen_def *)def = (bouc_wen_def){
        .level = hf_level_coulomb(1.0), .stiffness = 1e5, .shape = 2.0, .unloading = 0.5};
}

static hf_status check(const void *def, int dim, hf_fault *fault)
{
    const bouc_wen_def *d = def;
    hf_status status = hf_check_bristle_level(&d->level, dim, fault);
    if (status == HF_OK)
        status = hf_check_positive("stiffness", d->stiffness, fault);
    if (status == HF_OK && !(d->shape >= 1.0 && hf_is_finite(d->shape)))
        status = hf_fault_set(fault, "shape", "must be at least 1, and finite", d->shape);
    if (status == HF_OK && !(d->unloading >= 0.5 && hf_is_finite(d->unloading)))
        status = hf_fault_set(fault, "unloading",
                              "must be at least 0.5, or it would give out energy", d->unloading);
    return status;
}

static int state_count(const void *def, int dim)
{
    (void)def;
    return dim;
}

static void eval(const void *def, int dim, const hf_law_in *in, hf_law_out *out)
{
    const bouc_wen_def *d = def;
    double speed = hf_length(dim, in->rate), reach = hf_length(dim, in->y), along = 0.0;
    int side = dim == 1 && in->rate[0] < 0.0 ? HF_BACK : HF_FORTH;
    double level = hf_level_at(&d->level, side, speed, in->normal, in->regime);
    bool open = !(level > 0.0);
    double force = d->stiffness * reach;
    for (int i = 0; i < dim; i++)
        along += reach > 0.0 ? in->rate[i] * in->y[i] / reach : 0.0; // v.u
    // (2): what the bristle yields along u
    double part = open ? 0.0 : pow(force / level, d->shape);
    double yields = part * (d->unloading * speed - (d->unloading - 1.0) * along);
    for (int i = 0; i < dim; i++) {
        double u = reach > 0.0 ? in->y[i] / reach : 0.0;
        out->force[i] = open ? 0.0 : d->stiffness * in->y[i];
        out->dy[i] = open ? 0.0 : in->rate[i] - yields * u;
    }
    bool slips = along > 0.0 && force >= HF_BRISTLE_SLIP * level;
    out->regime = open ? HF_REGIME_OPEN : slips ? HF_REGIME_SLIP : HF_REGIME_STICK;
    out->stored = 0.5 * force * reach;
    out->dissipated = force * yields;
    out->normal = 0.0;
}

static void linear(const void *def, int axis, double *stiffness, double *damping)
{
    (void)axis;
    *stiffness = ((const bouc_wen_def *)def)->stiffness;
    *damping = 0.0;
}

// At |r| = 1 the deflection relaxes n times as fast as Dahl's, or 2 sigma - 1 times that.
static double relax(const void *def, int dim, const hf_law_in *in, double *lambda)
{
    const bouc_wen_def *d = def;
    double unloading = d->unloading > 1.0 ? 2.0 * d->unloading - 1.0 : 1.0;
    return hf_bristle_relax(&d->level, d->stiffness, d->shape * unloading, dim, in, lambda);
}

static const hf_param params[] = {
    HF_PARAM(bouc_wen_def, level, "level", "N", "friction level", HF_PARAM_LEVEL),
    HF_PARAM(bouc_wen_def, stiffness, "stiffness", "N/m", "stiffness at rest", HF_PARAM_NUMBER),
    HF_PARAM(bouc_wen_def, shape, "shape", "", "sharpness of the knee, 1: round", HF_PARAM_NUMBER),
    HF_PARAM(bouc_wen_def, unloading, "unloading", "",
             "0.5: unloads straight; above: along a curve, with more loss", HF_PARAM_NUMBER),
};

const hf_law_info hf_bouc_wen_info = {
    HF_LAW_LINE(bouc_wen),
    .source = "Bouc 1967, Wen 1976",
    .kind = HF_KIND_FRICTION,
    .min_dim = 1,
    .max_dim = 3,
    .friction = true,
    .state_unit = HF_UNIT_GAP,
    .def_size = sizeof(bouc_wen_def),
    HF_PARAMS(params),
    .set_default = set_default,
    .check = check,
    .state_count = state_count,
    .eval = eval,
    .linear = linear,
    .relax = relax,
};
