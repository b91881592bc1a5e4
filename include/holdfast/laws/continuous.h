// SPDX-License-Identifier: Apache-2.0
// The linear continuous law: a spring-damper in series with a small mass M >= 0 on which Coulomb
// friction acts. 1 to 3 dimensions. Law name: "continuous".
//
// State: z, stretch of the spring; s, velocity of the mass (only when M > 0). With T = tau:
//
//   c w + g = (B + T K) v + K z + (M/T) s,   c = M/T + B + T K                  [Kikuuwe2005] (29a)
//   |g| <= F(0) if w = 0, else g = F(|w|) w/|w|                           [Kikuuwe2005] (29b), (28)
//   z' = v - w,   s' = (w - s)/T                                                [Kikuuwe2005] (29c)
//   f  = K (z + T z') + B z'                                                    [Kikuuwe2005] (29d)
//
// With M = 0 it is the stiction element, [Kikuuwe2008] (14). `forward` takes (22) instead, whose
// spring force is one step late: it needs M > 0, is stable in sliding only for 2 T B/M + T^2 K/M <
// 4, and is here for comparison.
//
// Stored 1/2 K |z|^2 + 1/2 M |s|^2; dissipated g.w + (B + T K) |z'|^2 + M T |s'|^2 >= 0 for
// (29), what the balance leaves for (22).
//
// Strength: no drift, and a transition to sliding with an inertia.
//
// Limit: with M > 0 it exists only over a step (tau > 0).
#ifndef HOLDFAST_LAWS_CONTINUOUS_H
#define HOLDFAST_LAWS_CONTINUOUS_H

#include <holdfast/laws/level.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hf_continuous_def {
    hf_level level;   // F
    double stiffness; // K, > 0 [N/m]
    double damping;   // B, >= 0 [Ns/m]
    double mass;      // M, >= 0; > 0 for `forward` [kg]
    bool forward;     // [Kikuuwe2005] (22) instead of (29)
} hf_continuous_def;

// 1 N, K = 1e5 N/m, B = 100 Ns/m, M = 0.
HF_API hf_continuous_def hf_continuous_def_default(void);
HF_API HF_NODISCARD hf_status hf_continuous_def_check(const hf_continuous_def *def, int dim,
                                                      hf_fault *fault);
HF_API void hf_continuous_eval(const hf_continuous_def *def, int dim, const hf_law_in *in,
                               hf_law_out *out);

typedef struct hf_continuous {
    double z[3];      // stretch [m]
    double s[3];      // velocity of the mass [m/s]
    hf_regime regime; // of the last step
} hf_continuous;

// One step of [Kikuuwe2005] (29), or (22), with a scalar velocity. Normal force 1 N.
HF_API double hf_continuous_step(const hf_continuous_def *def, hf_continuous *state,
                                 double velocity, double step);
// The same in dim = 1, 2 or 3 dimensions.
HF_API void hf_continuous_step_n(const hf_continuous_def *def, hf_continuous *state, int dim,
                                 const double *velocity, double normal, double step, double *force);

#ifdef __cplusplus
}
#endif
#endif
