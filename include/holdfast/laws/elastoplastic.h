// SPDX-License-Identifier: Apache-2.0
// Elastoplastic bristle friction [Dupont2002]:
// LuGre that is purely elastic up to a break-away deflection. 1 to 3 dimensions. Law name:
// "elastoplastic".
//
//   e' = v - alpha(e, v) |v| e / g(v),   g(v) = F(v)/K
//   f  = K e + B e' + D v
//   alpha = 0                                                  |e| <= eba, or e.v < 0
//   alpha = 1/2 + 1/2 sin(pi (|e| - (g + eba)/2)/(g - eba))    between
//   alpha = 1                                                  |e| >= g
//
// eba = breakaway times the lowest F/K. Stored 1/2 K |e|^2; dissipated f.v - K e.e', >= 0 when B
// < 4 K g(v)/|v| (as LuGre). Explicit Euler needs T |v|/g < 2.
//
// Strength: no drift while |K e| stays below breakaway F.
//
// Known defect: under a ripple that passes the break-away deflection it drifts as LuGre does;
// below it there is no hysteresis at all.
#ifndef HOLDFAST_LAWS_ELASTOPLASTIC_H
#define HOLDFAST_LAWS_ELASTOPLASTIC_H

#include <holdfast/laws/level.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hf_elastoplastic_def {
    hf_level level;   // F(v); the kinetic level must be positive
    double stiffness; // K (sigma0), > 0 [N/m]
    double damping;   // B (sigma1), >= 0 [Ns/m]
    double viscous;   // D (sigma2), >= 0 [Ns/m]
    double breakaway; // part of the lowest level up to which it is elastic, 0 <= . < 1 [-]
} hf_elastoplastic_def;

// 1 N, K = 1e5 N/m, B = 300 Ns/m, no viscous part, breakaway 0.7.
HF_API hf_elastoplastic_def hf_elastoplastic_def_default(void);
HF_API HF_NODISCARD hf_status hf_elastoplastic_def_check(const hf_elastoplastic_def *def, int dim,
                                                         hf_fault *fault);
HF_API void hf_elastoplastic_eval(const hf_elastoplastic_def *def, int dim, const hf_law_in *in,
                                  hf_law_out *out);

typedef struct hf_elastoplastic {
    double e[3]; // deflection [m]
} hf_elastoplastic;

// One step at a constant scalar velocity (alpha from its beginning, then exact); f belongs to the
// end of the step. Normal force 1 N.
HF_API double hf_elastoplastic_step(const hf_elastoplastic_def *def, hf_elastoplastic *state,
                                    double velocity, double step);

#ifdef __cplusplus
}
#endif
#endif
