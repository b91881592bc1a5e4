// SPDX-License-Identifier: Apache-2.0
// Contact with a plane: a spring-damper along the normal, stiction in the plane. Equations:
// contact.h.
#include <holdfast/laws/contact.h>

#include "check.h"
#include "element.h"
#include "info.h"

hf_contact_def hf_contact_def_default(void)
{
    return (hf_contact_def){
        .stiffness = 1e5, .damping = 100.0, .friction = hf_level_coefficient(0.5)};
}

static double tangent_stiffness(const hf_contact_def *def)
{
    return def->tangent_stiffness > 0.0 ? def->tangent_stiffness : def->stiffness;
}

static double tangent_damping(const hf_contact_def *def)
{
    return def->tangent_damping > 0.0 ? def->tangent_damping : def->damping;
}

hf_status hf_contact_def_check(const hf_contact_def *def, int dim, hf_fault *fault)
{
    *fault = (hf_fault){0};
    hf_status status = hf_check_positive("stiffness", def->stiffness, fault);
    if (status == HF_OK)
        status = hf_check_not_negative("damping", def->damping, fault);
    if (status == HF_OK)
        status = hf_check_not_negative("tangent_stiffness", def->tangent_stiffness, fault);
    if (status == HF_OK)
        status = hf_check_not_negative("tangent_damping", def->tangent_damping, fault);
    if (status == HF_OK)
        status = hf_check_coefficient("friction", &def->friction, dim - 1, fault);
    return status;
}

void hf_contact_eval(const hf_contact_def *def, int dim, const hf_law_in *in, hf_law_out *out)
{
    double gap = in->gap[0];
    double spring = gap < 0.0 ? def->stiffness * gap : 0.0;
    double push = gap < 0.0 ? spring + def->damping * in->rate[0] : 0.0;
    double f0 = push > 0.0 ? 0.0 : push; // NaN is passed on
    hf_element_info tangent =
        hf_element_eval(&def->friction, tangent_stiffness(def), tangent_damping(def), in->tau,
                        dim - 1, in->rate + 1, in->y, -f0, in->regime, out->force + 1, out->dy);
    out->force[0] = f0;
    out->regime = f0 < 0.0 ? tangent.regime : HF_REGIME_OPEN;
    out->stored = 0.5 * spring * (gap < 0.0 ? gap : 0.0) + tangent.stored;
    // the damper's part of f0, or all of the spring's when suction is cut off
    out->dissipated = (f0 - spring) * in->rate[0] + tangent.dissipated;
    out->normal = -f0;
}

HF_LAW_GLUE(contact, dim - 1)

static void linear(const void *def, int axis, double *stiffness, double *damping)
{
    const hf_contact_def *contact = def;
    if (axis > 0 && hf_level_is_zero(&contact->friction)) {
        *stiffness = 0.0;
        *damping = 0.0;
        return;
    }
    *stiffness = axis == 0 ? contact->stiffness : tangent_stiffness(contact);
    *damping = axis == 0 ? contact->damping : tangent_damping(contact);
}

static bool admits(const void *def, double tau)
{
    const hf_contact_def *contact = def;
    return hf_level_is_zero(&contact->friction) ||
           tangent_damping(contact) + tau * tangent_stiffness(contact) > 0.0;
}

static const hf_param params[] = {
    HF_PARAM(hf_contact_def, stiffness, "stiffness", "N/m", "stiffness along the normal",
             HF_PARAM_NUMBER),
    HF_PARAM(hf_contact_def, damping, "damping", "Ns/m", "damping along the normal",
             HF_PARAM_NUMBER),
    HF_PARAM(hf_contact_def, tangent_stiffness, "tangent_stiffness", "N/m",
             "stiffness in stick; 0: as the normal's", HF_PARAM_NUMBER),
    HF_PARAM(hf_contact_def, tangent_damping, "tangent_damping", "Ns/m",
             "damping in stick; 0: as the normal's", HF_PARAM_NUMBER),
    HF_PARAM(hf_contact_def, friction, "friction", "", "friction coefficient", HF_PARAM_LEVEL),
};

const hf_law_info hf_contact_info = {
    HF_LAW_LINE(contact),
    .source = "Kikuuwe and Yamamoto 2008 (23)",
    .kind = HF_KIND_CONTACT,
    .tau_axes = 0x6,
    .state_unit = HF_UNIT_GAP,
    .min_dim = 0,
    .max_dim = 0,
    .needs_gap = true,
    .friction = true,
    HF_PARAMS(params),
    HF_LAW_GLUED(contact),
    .linear = linear,
    .admits = admits,
};
