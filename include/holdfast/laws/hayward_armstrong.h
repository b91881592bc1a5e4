// SPDX-License-Identifier: Apache-2.0
// Hayward and Armstrong's law [Hayward2000]: driven by
// displacement, not by time. 1 to 3 dimensions. Law name: "hayward-armstrong".
//
//   dw = alpha(|e|) |dx| e,   e = x - w          w: point of adhesion
//   alpha(z) = (1 + stick^8)/zmax  z^8/((stick zmax)^8 + z^8)
//   f  = K e,   zmax = F/K
//
// As a differential equation: e' = v - alpha |v| e. The factor 1 + stick^8 is ours: with it
// alpha(zmax) zmax = 1, so that |f| <= F is kept and reached in steady sliding. Stored 1/2 K
// |e|^2, dissipated K alpha |v| |e|^2 >= 0. alpha = 1/zmax would be Dahl's law; a step at zmax
// the perfectly elastoplastic element, [Kikuuwe2005] (29) with M = B = 0.
//
// Strength: independent of time, so that jitter in it does no harm; almost no drift while |f| <
// stick F.
//
// Known defect: alpha > 0 everywhere, so that it still creeps, as (f/(stick F))^8.
#ifndef HOLDFAST_LAWS_HAYWARD_ARMSTRONG_H
#define HOLDFAST_LAWS_HAYWARD_ARMSTRONG_H

#include <holdfast/laws/level.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hf_hayward_armstrong_def {
    hf_level level;   // F; the kinetic level must be positive
    double stiffness; // K, > 0 [N/m]
    double stick;     // zstick/zmax, 0 < . < 1 [-]
} hf_hayward_armstrong_def;

// 1 N, K = 1e5 N/m, stick 0.7.
HF_API hf_hayward_armstrong_def hf_hayward_armstrong_def_default(void);
HF_API HF_NODISCARD hf_status hf_hayward_armstrong_def_check(const hf_hayward_armstrong_def *def,
                                                             int dim, hf_fault *fault);
HF_API void hf_hayward_armstrong_eval(const hf_hayward_armstrong_def *def, int dim,
                                      const hf_law_in *in, hf_law_out *out);

typedef struct hf_hayward_armstrong {
    double e[3]; // x - w [m]
} hf_hayward_armstrong;

// Moves by `displacement` and returns the force, as the paper does it. Normal force 1 N; the level
// is taken at rest.
HF_API double hf_hayward_armstrong_step(const hf_hayward_armstrong_def *def,
                                        hf_hayward_armstrong *state, double displacement);

// Many at once: arrays of n numbers, one dimension.
// Constant symmetric levels, normal force 1 N; nothing is checked, the outputs overlap nothing. The
// numbers are hf_hayward_armstrong_eval's, to the bit.
HF_API void hf_hayward_armstrong_batch(size_t n, const double *stiffness, const double *stick,
                                       const double *level, const double *rate, const double *e,
                                       double *HF_RESTRICT force, double *HF_RESTRICT de);

#ifdef __cplusplus
}
#endif
#endif
