// SPDX-License-Identifier: Apache-2.0
// The viscoelastic stiction element: Coulomb friction in series with a spring-damper, through a
// massless object. 1 to 3 dimensions. Law name: "stiction".
//
//   f  = sat(F, (B + tau K) v + K e)                         [Kikuuwe2008] (19b), [Xiong2013] (18b)
//   e' = (f - K e) / (B + tau K)                             [Kikuuwe2008] (19c), [Xiong2013] (18a)
//
// One function, three documents:
//   tau = 0                [Xiong2013]'s element with beta = B/K: an ordinary differential equation
//   tau = T, T/2 inside RK4     [Kikuuwe2008]'s I_fricK, (21)
//   tau = T with Euler          [Kikuuwe2008] (14), and [Kikuuwe2005] (29) with M = 0
//   B = 0, tau = T              the perfectly elastoplastic element
//
// While it sticks e' = v exactly, so that e - p never changes: no drift. A level that depends on
// velocity is taken at the slip speed w = |v - e'| of the massless object, [Kikuuwe2005] (27):
//   (B + tau K) w + F(w) = |(B + tau K) v + K e|.
//
// Stored 1/2 K |e|^2; dissipated f.(v - e') + (B + tau K) |e'|^2, both terms >= 0.
// Valid for K > 0, B >= 0, B + tau K > 0. Explicit methods need T K/B < 2 (Euler), 2.785 (RK4) in
// slip when tau = 0; tau = T has no such limit.
#ifndef HOLDFAST_LAWS_STICTION_H
#define HOLDFAST_LAWS_STICTION_H

#include <holdfast/laws/level.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hf_stiction_def {
    hf_level level;   // F
    double stiffness; // K, > 0 [N/m]
    double damping;   // B, >= 0 [Ns/m]
} hf_stiction_def;

// 1 N, K = 1e5 N/m, B = 100 Ns/m.
HF_API hf_stiction_def hf_stiction_def_default(void);
HF_API HF_NODISCARD hf_status hf_stiction_def_check(const hf_stiction_def *def, int dim,
                                                    hf_fault *fault);

// Whether the element is an ordinary function at this tau: B + tau K > 0. With B = 0 and tau = 0 it
// is the rate-independent stop operator, whose state an explicit method cannot keep on its bound;
// hf_stiction_eval is then still finite: f = sat(F, K e), e' = v, less its outward part at the
// bound.
HF_API bool hf_stiction_admits(const hf_stiction_def *def, double tau);

// The law itself, as hf_law_info.eval.
HF_API void hf_stiction_eval(const hf_stiction_def *def, int dim, const hf_law_in *in,
                             hf_law_out *out);

// ------------------------------------------------------------------------------------------------
// Alone, in a control loop or a haptic renderer: one state, one call a period.
//
//   hf_stiction_def def = hf_stiction_def_default();
//   hf_stiction state = {0};
//   each period T:  force_on_body = -hf_stiction_step(&def, &state, velocity, T);

typedef struct hf_stiction {
    double e[3];      // deflection [m]
    hf_regime regime; // of the last step
} hf_stiction;

// One step of [Kikuuwe2008] (14) with a scalar velocity; the force has the velocity's sign. The
// level's normal force is 1 N.
HF_API double hf_stiction_step(const hf_stiction_def *def, hf_stiction *state, double velocity,
                               double step);

// The same in dim = 1, 2 or 3 dimensions, under a normal force.
HF_API void hf_stiction_step_n(const hf_stiction_def *def, hf_stiction *state, int dim,
                               const double *velocity, double normal, double step, double *force);

// ------------------------------------------------------------------------------------------------
// Many elements at once: arrays of n numbers, constant symmetric levels, one dimension. Every
// element needs damping + tau stiffness > 0 and level >= 0 (not checked). The outputs overlap
// nothing. The numbers are the same, to the bit, as hf_stiction_eval's.

// Forces [N] and rates of the deflections [m/s].
HF_API void hf_stiction_batch(size_t n, double tau, const double *stiffness, const double *damping,
                              const double *level, const double *rate, const double *e,
                              double *HF_RESTRICT force, double *HF_RESTRICT de);

// Also the stored energy [J], the dissipated power [W] and the mode: -1 sliding back, 0 stuck, 1
// sliding forth.
HF_API void hf_stiction_batch_full(size_t n, double tau, const double *stiffness,
                                   const double *damping, const double *level, const double *rate,
                                   const double *e, double *HF_RESTRICT force,
                                   double *HF_RESTRICT de, double *HF_RESTRICT stored,
                                   double *HF_RESTRICT dissipated, double *HF_RESTRICT mode);

#ifdef __cplusplus
}
#endif
#endif
