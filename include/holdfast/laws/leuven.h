// SPDX-License-Identifier: Apache-2.0
// The Leuven law [Swevers2000], its hysteresis by
// Maxwell-slip [Lampaert2002]. One dimension. Law name: "leuven".
//
//   Fh = sum_i K_i e_i,   e_i' = z' while |K_i e_i| < L_i, else 0 outwards       hysteresis force
//   z' = v (1 - sgn(r) |r|^n),   r = Fh/s(v),   s(v) = F(|v|) sgn(v)
//   f  = Fh + B z' + D v
//
// State: e_i. The elements must be able to carry the level: sum L_i >= F(0). In steady sliding
// Fh = s(v). Stored sum 1/2 K_i e_i^2; dissipated f v - (stored)', of which only B z' v can be
// negative, where the level falls below Fh. Explicit Euler needs T |v| n (sum K_i)/F < 2.
//
// Strength: presliding hysteresis with non-local memory, Stribeck curve and lag in one law.
//
// Known defect: |r|^n leaves a creep under a ripple below the level, smaller for larger n, which
// makes it stiffer. One dimension only.
#ifndef HOLDFAST_LAWS_LEUVEN_H
#define HOLDFAST_LAWS_LEUVEN_H

#include <holdfast/laws/level.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hf_leuven_def {
    hf_level level;      // F(v); the kinetic level must be positive
    hf_list levels;      // L_i, >= 0 [N, or - if the level is per normal force]
    hf_list stiffnesses; // K_i, > 0, as many [N/m]
    double exponent;     // n, >= 1 [-]
    double damping;      // B, >= 0 [Ns/m]
    double viscous;      // D, >= 0 [Ns/m]
} hf_leuven_def;

// 1 N; elements of 0.1, 0.2, 0.3, 0.4 N with 1e5 N/m each; n = 2, B = 100 Ns/m.
HF_API hf_leuven_def hf_leuven_def_default(void);
HF_API HF_NODISCARD hf_status hf_leuven_def_check(const hf_leuven_def *def, int dim,
                                                  hf_fault *fault);
HF_API void hf_leuven_eval(const hf_leuven_def *def, int dim, const hf_law_in *in, hf_law_out *out);

// One step at a constant velocity; the elements are moved by implicit Euler (any step is stable). e
// has def->levels.count numbers, zero at first. Normal force 1 N.
HF_API double hf_leuven_step(const hf_leuven_def *def, double *e, double velocity, double step);

#ifdef __cplusplus
}
#endif
#endif
