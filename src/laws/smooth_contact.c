// SPDX-License-Identifier: Apache-2.0
// The smooth contact. Equations: smooth_contact.h.
#include <holdfast/laws/smooth_contact.h>

#include "check.h"
#include "element.h"
#include "info.h"

// The floor has no edge: below this part of the largest force (at 6.9 thicknesses) the contact is
// called open.
#define OPEN_SHARE 1e-6

hf_smooth_contact_def hf_smooth_contact_def_default(void)
{
    return (hf_smooth_contact_def){.largest_force = 1500.0,
                                   .thickness = 0.01,
                                   .damping = 10.0,
                                   .clamp = true,
                                   .friction = hf_level_coefficient(0.5),
                                   .threshold = 0.01};
}

hf_status hf_smooth_contact_def_check(const hf_smooth_contact_def *def, int dim, hf_fault *fault)
{
    *fault = (hf_fault){0};
    hf_status status = hf_check_positive("largest_force", def->largest_force, fault);
    if (status == HF_OK)
        status = hf_check_positive("thickness", def->thickness, fault);
    if (status == HF_OK)
        status = hf_check_not_negative("damping", def->damping, fault);
    if (status == HF_OK)
        status = hf_check_positive("threshold", def->threshold, fault);
    if (status == HF_OK)
        status = hf_check_coefficient("friction", &def->friction, dim == 2 ? 1 : 2, fault);
    return status;
}

// Repulsion A/2 (1 - tanh(x/2)) = A/(1 + exp x) and its integral, x = 2 p/d, without cancellation
// on either side.
static void repel(const hf_smooth_contact_def *def, double gap, double *force, double *stored)
{
    double x = 2.0 * gap / def->thickness;
    double small = exp(-hf_abs(x));
    *force = def->largest_force * (x > 0.0 ? small : 1.0) / (1.0 + small);
    *stored = 0.5 * def->largest_force * def->thickness * (log1p(small) + hf_max0(-x));
}

void hf_smooth_contact_eval(const hf_smooth_contact_def *def, int dim, const hf_law_in *in,
                            hf_law_out *out)
{
    double spring, rate = in->rate[0];
    repel(def, in->gap[0], &spring, &out->stored);
    double normal = spring * (1.0 - def->damping * rate);
    normal = def->clamp ? hf_max0(normal) : normal;
    out->force[0] = -normal;
    out->normal = hf_max0(normal);
    out->dissipated = (spring - normal) * rate;
    out->regime = out->normal > OPEN_SHARE * def->largest_force ? HF_REGIME_STICK : HF_REGIME_OPEN;
    if (dim < 2)
        return;
    double speed = hf_length(dim - 1, in->rate + 1);
    int side = dim == 2 && in->rate[1] < 0.0 ? HF_BACK : HF_FORTH;
    double level = hf_level_at(&def->friction, side, speed, out->normal, in->regime);
    double size = level * tanh(speed / def->threshold);
    for (int i = 1; i < dim; i++)
        out->force[i] = speed > 0.0 ? size * (in->rate[i] / speed) : level * in->rate[i];
    out->dissipated += size * speed;
    if (out->regime != HF_REGIME_OPEN && speed > def->threshold)
        out->regime = HF_REGIME_SLIP;
}

HF_LAW_GLUE(smooth_contact, 0)

// The steepest that it can be: stiffness where the gap is zero, damping deep inside.
static void linear(const void *def, int axis, double *stiffness, double *damping)
{
    const hf_smooth_contact_def *contact = def;
    double largest = contact->largest_force;
    *stiffness = axis == 0 ? largest / (2.0 * contact->thickness) : 0.0;
    *damping = axis == 0 ? contact->damping * largest
                         : contact->friction.peak[0] * largest / contact->threshold;
}

static const hf_param params[] = {
    HF_PARAM(hf_smooth_contact_def, largest_force, "largest_force", "N",
             "repulsion deep inside; larger loads fall through", HF_PARAM_NUMBER),
    HF_PARAM(hf_smooth_contact_def, thickness, "thickness", "m",
             "distance over which the repulsion fades", HF_PARAM_NUMBER),
    HF_PARAM(hf_smooth_contact_def, damping, "damping", "s/m", "damping by repulsion",
             HF_PARAM_NUMBER),
    HF_PARAM(hf_smooth_contact_def, clamp, "clamp", "", "cut off suction", HF_PARAM_FLAG),
    HF_PARAM(hf_smooth_contact_def, friction, "friction", "", "coefficient of friction",
             HF_PARAM_LEVEL),
    HF_PARAM(hf_smooth_contact_def, threshold, "threshold", "m/s",
             "speed at which friction is three quarters of its level", HF_PARAM_NUMBER),
};

const hf_law_info hf_smooth_contact_info = {
    HF_LAW_LINE(smooth_contact),
    .source = "Intro to Robot Simulation 2025, smooth contact",
    .kind = HF_KIND_CONTACT,
    .needs_gap = true,
    .friction = true,
    HF_PARAMS(params),
    HF_LAW_GLUED(smooth_contact),
    .linear = linear,
};
