// SPDX-License-Identifier: Apache-2.0
// Generalized Maxwell-slip [Lampaert2003]. One
// dimension. Law name: "gms".
//
//   f = sum_i (K_i z_i + a_i B z_i') + D v                                       [Kikuuwe2005] (9a)
//   z_i' = v                                            while element i sticks   [Kikuuwe2005] (9b)
//   K_i z_i' = sgn(v) a_i Q (1 - K_i z_i/(a_i s(v)))    while it slides, s(v) = F(|v|) sgn(v)
//
// Element i begins to slide when |K_i z_i| reaches a_i F(|v|), and sticks again when v changes
// sign. State: z_i, then the modes -1, 0, 1 of the elements, which change only between steps.
// Stored sum 1/2 K_i z_i^2; dissipated f v - (stored)'. Explicit Euler needs T Q/F < 2.
//
// Strength: hysteresis, Stribeck curve, frictional lag through Q; no drift below the first
// element's level.
//
// Known defect: a sliding element is driven by time, not by motion, so that close to rest (|v| <
// a_i Q/K_i) it gives out energy: dissipated is then negative. Its modes hang on zero crossings
// of v: one dimension only, and noise in v switches them.
#ifndef HOLDFAST_LAWS_GMS_H
#define HOLDFAST_LAWS_GMS_H

#include <holdfast/laws/level.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hf_gms_def {
    hf_level level;      // F(v); the kinetic level must be positive
    hf_list shares;      // a_i, > 0, sum 1 [-]
    hf_list stiffnesses; // K_i, > 0, as many [N/m]
    double attraction;   // Q, > 0 [N/s]
    double damping;      // B, >= 0 [Ns/m]
    double viscous;      // D, >= 0 [Ns/m]
} hf_gms_def;

// 1 N; shares 0.1, 0.2, 0.3, 0.4 with 1e5 N/m each; Q = 20 N/s, B = 100 Ns/m.
HF_API hf_gms_def hf_gms_def_default(void);
HF_API HF_NODISCARD hf_status hf_gms_def_check(const hf_gms_def *def, int dim, hf_fault *fault);
HF_API void hf_gms_eval(const hf_gms_def *def, int dim, const hf_law_in *in, hf_law_out *out);

// One step at a constant velocity, sliding elements exact. y has twice def->shares.count numbers
// (z_i, then modes), zero at first. Normal force 1 N.
HF_API double hf_gms_step(const hf_gms_def *def, double *y, double velocity, double step);

#ifdef __cplusplus
}
#endif
#endif
