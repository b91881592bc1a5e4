// SPDX-License-Identifier: Apache-2.0
// Conventional contacts, for comparison. Equations: penalty_contact.h.
#include <holdfast/laws/penalty_contact.h>

#include "check.h"
#include "element.h"
#include "info.h"

hf_penalty_contact_def hf_penalty_contact_def_default(void)
{
    return (hf_penalty_contact_def){.stiffness = 1e5,
                                    .damping = 100.0,
                                    .exponent = 1.0,
                                    .clamp = true,
                                    .tangent_stiffness = 1e5,
                                    .tangent_damping = 100.0,
                                    .friction = hf_level_coefficient(0.5)};
}

hf_status hf_penalty_contact_def_check(const hf_penalty_contact_def *def, int dim, hf_fault *fault)
{
    *fault = (hf_fault){0};
    hf_status status = hf_check_positive("stiffness", def->stiffness, fault);
    if (status == HF_OK)
        status = hf_check_not_negative("damping", def->damping, fault);
    if (status == HF_OK && !(def->exponent >= 1.0 && hf_is_finite(def->exponent)))
        status = hf_fault_set(fault, "exponent", "must be at least 1, and finite", def->exponent);
    if (status == HF_OK)
        status = hf_check_positive("tangent_stiffness", def->tangent_stiffness, fault);
    if (status == HF_OK)
        status = hf_check_not_negative("tangent_damping", def->tangent_damping, fault);
    if (status == HF_OK)
        status = hf_check_coefficient("friction", &def->friction, dim == 2 ? 1 : 2, fault);
    return status;
}

void hf_penalty_contact_eval(const hf_penalty_contact_def *def, int dim, const hf_law_in *in,
                             hf_law_out *out)
{
    bool touches = !(in->gap[0] >= 0.0); // NaN is passed on
    double depth = touches ? -in->gap[0] : 0.0, rate = -in->rate[0];
    double power = touches ? (def->exponent == 1.0 ? depth : pow(depth, def->exponent)) : 0.0;
    double spring = def->stiffness * power;
    double damper = touches ? def->damping * (def->proportional ? power : 1.0) * rate : 0.0;
    double normal = spring + damper;
    normal = def->clamp ? hf_max0(normal) : normal;
    out->force[0] = -normal;
    out->normal = hf_max0(normal);
    out->stored = spring * depth / (def->exponent + 1.0);
    // the damper's part, or all of the spring's when suction is cut off
    out->dissipated = touches ? (normal - spring) * rate : 0.0;
    out->regime = touches && normal != 0.0 ? HF_REGIME_STICK : HF_REGIME_OPEN;
    if (dim < 2)
        return;
    hf_element_info tangent = hf_element_eval(
        &def->friction, def->tangent_stiffness, def->tangent_damping, in->tau, dim - 1,
        in->rate + 1, in->y, out->normal, in->regime, out->force + 1, out->dy);
    if (out->regime != HF_REGIME_OPEN)
        out->regime = tangent.regime == HF_REGIME_OPEN ? HF_REGIME_STICK : tangent.regime;
    out->stored += tangent.stored;
    out->dissipated += tangent.dissipated;
}

HF_LAW_GLUE(penalty_contact, dim - 1)

// At a depth of 1 mm for exponents above one, whose tangent is zero at the surface.
static void linear(const void *def, int axis, double *stiffness, double *damping)
{
    const hf_penalty_contact_def *contact = def;
    const double depth = 1e-3;
    double n = contact->exponent;
    if (axis > 0) {
        *stiffness = contact->tangent_stiffness;
        *damping = contact->tangent_damping;
        return;
    }
    *stiffness = n == 1.0 ? contact->stiffness : contact->stiffness * n * pow(depth, n - 1.0);
    *damping = contact->damping * (contact->proportional ? pow(depth, n) : 1.0);
}

static bool admits(const void *def, double tau)
{
    const hf_penalty_contact_def *contact = def;
    return contact->tangent_damping + tau * contact->tangent_stiffness > 0.0;
}

static const hf_param params[] = {
    HF_PARAM(hf_penalty_contact_def, stiffness, "stiffness", "N/m^n", "stiffness along the normal",
             HF_PARAM_NUMBER),
    HF_PARAM(hf_penalty_contact_def, damping, "damping", "Ns/m", "damping along the normal",
             HF_PARAM_NUMBER),
    HF_PARAM(hf_penalty_contact_def, exponent, "exponent", "", "exponent of the depth",
             HF_PARAM_NUMBER),
    HF_PARAM(hf_penalty_contact_def, proportional, "proportional", "",
             "damping grows with the depth (Hunt and Crossley)", HF_PARAM_FLAG),
    HF_PARAM(hf_penalty_contact_def, clamp, "clamp", "", "cut off suction", HF_PARAM_FLAG),
    HF_PARAM(hf_penalty_contact_def, tangent_stiffness, "tangent_stiffness", "N/m",
             "stiffness in stick", HF_PARAM_NUMBER),
    HF_PARAM(hf_penalty_contact_def, tangent_damping, "tangent_damping", "Ns/m", "damping in stick",
             HF_PARAM_NUMBER),
    HF_PARAM(hf_penalty_contact_def, friction, "friction", "", "coefficient of friction",
             HF_PARAM_LEVEL),
};

const hf_law_info hf_penalty_contact_info = {
    HF_LAW_LINE(penalty_contact),
    .source = "Xiong et al. 2013 (15), (16)",
    .kind = HF_KIND_CONTACT,
    .tau_axes = 0x6,
    .needs_gap = true,
    .friction = true,
    HF_PARAMS(params),
    HF_LAW_GLUED(penalty_contact),
    .linear = linear,
    .admits = admits,
};
