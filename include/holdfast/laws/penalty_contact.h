// SPDX-License-Identifier: Apache-2.0
// The conventional contacts that rigid-contact is compared with: a spring-damper that may pull, the
// same clamped, and Hunt and Crossley's. Law name: "penalty-contact".
//
// Coupling coordinates as for rigid-contact, 1 to 3 dimensions. With depth
// d = max(0, -p) and d' = -p', where d > 0:
//
//   N = K d^n + B d'             n = 1 without clamp: [Xiong2013] (15); with clamp: (16)
//   N = K d^n + B d^n d'         proportional: Hunt and Crossley [HuntCrossley1975]
//
// clamp replaces N by max(0, N). Without it N may be negative: the floor sucks. Friction is the
// stiction element under max(0, N), as in [Kikuuwe2008] (23).
//
// Stored K d^(n+1)/(n+1) and 1/2 Kt |e|^2; dissipated the rest, which is never negative when B is
// not. (15) and (16) jump by B d' when the gap closes: no method keeps its order across that.
#ifndef HOLDFAST_LAWS_PENALTY_CONTACT_H
#define HOLDFAST_LAWS_PENALTY_CONTACT_H

#include <holdfast/laws/level.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hf_penalty_contact_def {
    double stiffness;         // K, > 0 [N/m^n]
    double damping;           // B, >= 0 [Ns/m, or Ns/m^(n+1) if proportional]
    double exponent;          // n, >= 1 [-]
    bool proportional;        // damping grows with the depth
    bool clamp;               // no suction
    double tangent_stiffness; // Kt, > 0 [N/m]
    double tangent_damping;   // Bt, >= 0 [Ns/m]
    hf_level friction;        // mu, per normal force
} hf_penalty_contact_def;

// [Xiong2013] (16): K = Kt = 1e5 N/m, B = Bt = 100 Ns/m, n = 1, clamped, mu = 0.5.
HF_API hf_penalty_contact_def hf_penalty_contact_def_default(void);
HF_API HF_NODISCARD hf_status hf_penalty_contact_def_check(const hf_penalty_contact_def *def,
                                                           int dim, hf_fault *fault);
HF_API void hf_penalty_contact_eval(const hf_penalty_contact_def *def, int dim, const hf_law_in *in,
                                    hf_law_out *out);

#ifdef __cplusplus
}
#endif
#endif
