// SPDX-License-Identifier: Apache-2.0
// Penalty joint: holds two frames together but for the angle about the joint's axis, where friction
// acts. Law name: "joint".                                              [Kikuuwe2008] (29), I_joint
//
// Coupling coordinates of a frame-to-frame coupling: position (0..2), bending (3, 4), angle (5).
//
//   f[0..2] = K gap + B rate                   translation
//   f[3..4] = Kb gap + Bb rate                 bending
//   f[5]    = sat(F, (Bf + tau Kf) rate + Kf e)   friction about the axis, [Kikuuwe2008] (19)
//
// A level of zero means no friction: f[5] = 0, regime open; Kf may then be zero.
#ifndef HOLDFAST_LAWS_JOINT_H
#define HOLDFAST_LAWS_JOINT_H

#include <holdfast/laws/level.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hf_joint_law_def {
    double stiffness;          // K, > 0 [N/m]
    double damping;            // B, >= 0 [Ns/m]
    double bend_stiffness;     // Kb, > 0 [Nm/rad]
    double bend_damping;       // Bb, >= 0 [Nms/rad]
    hf_level level;            // F [Nm]
    double friction_stiffness; // Kf, > 0 with friction [Nm/rad]
    double friction_damping;   // Bf, >= 0 [Nms/rad]
} hf_joint_law_def;

// K = 1e6 N/m, B = 1e3 Ns/m, Kb = 100 Nm/rad, Bb = 0.1 Nms/rad, no friction.
HF_API hf_joint_law_def hf_joint_law_def_default(void);
HF_API HF_NODISCARD hf_status hf_joint_law_def_check(const hf_joint_law_def *def, int dim,
                                                     hf_fault *fault);
HF_API void hf_joint_law_eval(const hf_joint_law_def *def, int dim, const hf_law_in *in,
                              hf_law_out *out);

#ifdef __cplusplus
}
#endif
#endif
