// SPDX-License-Identifier: Apache-2.0
// Contact with a plane: a spring-damper along the normal, and the stiction element in the tangent
// plane under the normal force it makes. Law name: "contact".
//
// Coupling coordinates: gap[0] along the normal, negative in penetration; rate[0] its rate; rate[1]
// and rate[2] tangential (gap[1], gap[2] are not used). The force has the sign of the motion, so
// that f[0] <= 0.
//
//   f0 = min(0, K gap + B rate0)  if gap < 0, else 0                 [Kikuuwe2008] (23a), erratum 3
//   N  = -f0
//   ft = sat(mu N, (Bt + tau Kt) vt + Kt e)                              [Kikuuwe2008] (23b), (23c)
//   e' = (ft - Kt e)/(Bt + tau Kt)                                              [Kikuuwe2008] (23d)
//
// When open, ft = 0 and e relaxes through its own damping. Stored 1/2 K gap^2 (gap < 0) and
// 1/2 Kt |e|^2; dissipated (f0 - K gap) rate0 (gap < 0) and the element's part: all >= 0.
// f0 jumps by B rate0 when the gap closes. A method needs sqrt(K/M) T <= 0.3 for a true
// restitution.
#ifndef HOLDFAST_LAWS_CONTACT_H
#define HOLDFAST_LAWS_CONTACT_H

#include <holdfast/laws/level.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hf_contact_def {
    double stiffness;         // K, > 0 [N/m]
    double damping;           // B, >= 0 [Ns/m]
    double tangent_stiffness; // Kt, >= 0 [N/m]; 0: as the normal's
    double tangent_damping;   // Bt, >= 0 [Ns/m]; 0: as the normal's
    hf_level friction;        // mu, per normal force
} hf_contact_def;

// K = 1e5 N/m, B = 100 Ns/m, mu = 0.5.
HF_API hf_contact_def hf_contact_def_default(void);
HF_API HF_NODISCARD hf_status hf_contact_def_check(const hf_contact_def *def, int dim,
                                                   hf_fault *fault);
HF_API void hf_contact_eval(const hf_contact_def *def, int dim, const hf_law_in *in,
                            hf_law_out *out);

#ifdef __cplusplus
}
#endif
#endif
