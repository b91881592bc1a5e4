// SPDX-License-Identifier: Apache-2.0
// Rigid contact as an ordinary differential equation: it only pushes, it is continuous in the
// state, and its restitution can be wished for. Law name: "rigid-contact".
//
// Coupling coordinates: gap[0] = p along the normal, negative in penetration. Then, by dimension:
// 1: the normal alone; 2: one tangent; 3: two tangents; 6: two tangents, spin about the normal, and
// rolling about the two tangents. The force has the sign of the motion: f[0] = -N <= 0.
//
//   e' = max(-e/beta, -(p + e)/alpha)                                              [Xiong2013] (24)
//   N  = K max(0, e - beta (p + e)/alpha) = K (e + beta e')                        [Xiong2013] (25)
//   ft = sat(mu N, Kt (a + beta_t vt)),   a' = (ft/Kt - a)/beta_t           [Xiong2013] (29), (30)
//
// and the same element for spin (dimension 1) and for rolling (dimension 2), whose coefficients are
// lengths: torque = coefficient x N. The state is (e, a...), dim numbers. When the contact opens
// all of it dies away with beta; open and at rest it is zero.
//
// Stored     K (e^2/2 + alpha e e' + alpha beta e'^2/2)  and 1/2 Kt |a|^2
// Dissipated K (beta - alpha) e'^2                       and the element's part
// both >= 0 exactly when alpha <= beta: then a bounce never gains energy. On a mass M, w =
// sqrt(K/M), the restitution depends on r = alpha/beta and k = beta w alone; r = 1 gives 1. RK4
// needs T w <= 0.3 and T w/sqrt(r) <= 1.8 for a true restitution.
//
// K, beta and alpha that are not given are chosen when the model is compiled
// (rigid_contact_choice.h); evaluation needs all three. The normal part does not look ahead: tau
// acts on the friction elements alone.
#ifndef HOLDFAST_LAWS_RIGID_CONTACT_H
#define HOLDFAST_LAWS_RIGID_CONTACT_H

#include <holdfast/laws/level.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hf_rigid_contact_def {
    double stiffness;    // K, >= 0 [N/m]; 0: chosen
    double damping_time; // beta, >= 0 [s]; 0: chosen
    double filter_time;  // alpha, 0 to beta [s]; 0: chosen
    // Wishes, for what is to be chosen.
    double restitution;  // rebound speed by impact speed, 0 to 1 [-]
    double penetration;  // largest depth at rest under the weight, >= 0 [m]; 0: any
    double impact_speed; // at which the restitution is wanted under gravity, > 0 [m/s]
    // Tangent plane.
    double tangent_stiffness;    // Kt, >= 0 [N/m]; 0: K when that is given, else chosen
    double tangent_damping_time; // beta_t, >= 0 [s]; 0: beta when that is given, else chosen
    hf_level friction;           // mu, per normal force [-]
    // Torques, on couplings of dimension 6.
    hf_level spin_friction;    // about the normal, per normal force [m]
    double spin_stiffness;     // >= 0 [Nm/rad]; 0: chosen
    hf_level rolling_friction; // about the tangents, per normal force [m]
    double rolling_stiffness;  // >= 0 [Nm/rad]; 0: chosen
} hf_rigid_contact_def;

// Everything chosen, for a restitution of 0.3 at 1 m/s; mu = 0.5, no friction of spin and rolling.
HF_API hf_rigid_contact_def hf_rigid_contact_def_default(void);
HF_API HF_NODISCARD hf_status hf_rigid_contact_def_check(const hf_rigid_contact_def *def, int dim,
                                                         hf_fault *fault);
// Whether nothing that dim needs is left to be chosen.
HF_API bool hf_rigid_contact_is_chosen(const hf_rigid_contact_def *def, int dim);
HF_API void hf_rigid_contact_eval(const hf_rigid_contact_def *def, int dim, const hf_law_in *in,
                                  hf_law_out *out);

#ifdef __cplusplus
}
#endif
#endif
