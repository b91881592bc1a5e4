// SPDX-License-Identifier: Apache-2.0
// The penalty joint between two frames. Equations: joint.h.
#include <holdfast/laws/joint.h>

#include "check.h"
#include "element.h"
#include "info.h"

hf_joint_law_def hf_joint_law_def_default(void)
{
    return (hf_joint_law_def){.stiffness = 1e6,
                              .damping = 1e3,
                              .bend_stiffness = 100.0,
                              .bend_damping = 0.1,
                              .level = hf_level_coulomb(0.0)};
}

hf_status hf_joint_law_def_check(const hf_joint_law_def *def, int dim, hf_fault *fault)
{
    (void)dim;
    *fault = (hf_fault){0};
    hf_status status = hf_check_positive("stiffness", def->stiffness, fault);
    if (status == HF_OK)
        status = hf_check_not_negative("damping", def->damping, fault);
    if (status == HF_OK)
        status = hf_check_positive("bend_stiffness", def->bend_stiffness, fault);
    if (status == HF_OK)
        status = hf_check_not_negative("bend_damping", def->bend_damping, fault);
    if (status == HF_OK)
        status = hf_check_level("level", &def->level, 1, fault);
    if (status == HF_OK && hf_level_is_zero(&def->level))
        status = hf_check_not_negative("friction_stiffness", def->friction_stiffness, fault);
    else if (status == HF_OK)
        status = hf_check_positive("friction_stiffness", def->friction_stiffness, fault);
    if (status == HF_OK)
        status = hf_check_not_negative("friction_damping", def->friction_damping, fault);
    return status;
}

void hf_joint_law_eval(const hf_joint_law_def *def, int dim, const hf_law_in *in, hf_law_out *out)
{
    (void)dim;
    double stored = 0.0, dissipated = 0.0;
    for (int i = 0; i < 5; i++) {
        double k = i < 3 ? def->stiffness : def->bend_stiffness;
        double b = i < 3 ? def->damping : def->bend_damping;
        double spring = k * in->gap[i], damper = b * in->rate[i];
        out->force[i] = spring + damper;
        stored += 0.5 * spring * in->gap[i];
        dissipated += damper * in->rate[i];
    }
    out->force[5] = 0.0;
    out->dy[0] = 0.0;
    out->regime = HF_REGIME_OPEN;
    if (!hf_level_is_zero(&def->level)) {
        hf_element_info axis = hf_element_eval1(
            &def->level, def->friction_stiffness, def->friction_damping, in->tau, in->rate[5],
            in->y[0], in->normal, in->regime, &out->force[5], &out->dy[0]);
        out->regime = axis.regime;
        stored += axis.stored;
        dissipated += axis.dissipated;
    }
    out->stored = stored;
    out->dissipated = dissipated;
    out->normal = 0.0;
}

HF_LAW_GLUE(joint_law, 1)

static void linear(const void *def, int axis, double *stiffness, double *damping)
{
    const hf_joint_law_def *joint = def;
    if (axis == 5) {
        bool rubs = !hf_level_is_zero(&joint->level);
        *stiffness = rubs ? joint->friction_stiffness : 0.0;
        *damping = rubs ? joint->friction_damping : 0.0;
        return;
    }
    *stiffness = axis < 3 ? joint->stiffness : joint->bend_stiffness;
    *damping = axis < 3 ? joint->damping : joint->bend_damping;
}

static bool admits(const void *def, double tau)
{
    const hf_joint_law_def *joint = def;
    return hf_level_is_zero(&joint->level) ||
           joint->friction_damping + tau * joint->friction_stiffness > 0.0;
}

static const hf_param params[] = {
    HF_PARAM(hf_joint_law_def, stiffness, "stiffness", "N/m", "stiffness of the joint",
             HF_PARAM_NUMBER),
    HF_PARAM(hf_joint_law_def, damping, "damping", "Ns/m", "damping of the joint", HF_PARAM_NUMBER),
    HF_PARAM(hf_joint_law_def, bend_stiffness, "bend_stiffness", "Nm/rad",
             "stiffness against bending of the axis", HF_PARAM_NUMBER),
    HF_PARAM(hf_joint_law_def, bend_damping, "bend_damping", "Nms/rad",
             "damping against bending of the axis", HF_PARAM_NUMBER),
    HF_PARAM(hf_joint_law_def, level, "level", "Nm", "friction level about the axis",
             HF_PARAM_LEVEL),
    HF_PARAM(hf_joint_law_def, friction_stiffness, "friction_stiffness", "Nm/rad",
             "stiffness in stick about the axis", HF_PARAM_NUMBER),
    HF_PARAM(hf_joint_law_def, friction_damping, "friction_damping", "Nms/rad",
             "damping in stick about the axis", HF_PARAM_NUMBER),
};

const hf_law_info hf_joint_info = {
    HF_LAW_LINE(joint),
    .source = "Kikuuwe and Yamamoto 2008 (29)",
    .kind = HF_KIND_JOINT,
    .tau_axes = 0x20,
    .state_unit = HF_UNIT_ANGLE,
    .min_dim = 6,
    .max_dim = 6,
    .needs_gap = true,
    .friction = true,
    HF_PARAMS(params),
    HF_LAW_GLUED(joint_law),
    .linear = linear,
    .admits = admits,
};
