// SPDX-License-Identifier: Apache-2.0
// Dahl's solid friction [Dahl1968]. 1 to 3 dimensions. Law name: "dahl".
//
//   f = K e,   e' = v - |v| K e / F                           [Kikuuwe2008] (11), [Kikuuwe2005] (8)
//
// Stored 1/2 K |e|^2, dissipated |v| |f|^2/F >= 0. |f| <= F is kept by the flow.
// Known defect: drifts under an oscillating load below F. Explicit Euler needs T |v| K/F < 2.
// Regime: slip where |f| >= 0.99 F and f.v > 0 (the law itself only tends to its level); open where
// a level proportional to the normal force is zero: then f = 0 and e stays.
#ifndef HOLDFAST_LAWS_DAHL_H
#define HOLDFAST_LAWS_DAHL_H

#include <holdfast/laws/level.h>

#ifdef __cplusplus
extern "C" {
#endif

// The part of the level from which bristle laws report slip [-].
#define HF_BRISTLE_SLIP 0.99

typedef struct hf_dahl_def {
    hf_level level;   // F; the kinetic level must be positive
    double stiffness; // K at rest, > 0 [N/m]
} hf_dahl_def;

// 1 N, K = 1e5 N/m.
HF_API hf_dahl_def hf_dahl_def_default(void);
HF_API HF_NODISCARD hf_status hf_dahl_def_check(const hf_dahl_def *def, int dim, hf_fault *fault);
HF_API void hf_dahl_eval(const hf_dahl_def *def, int dim, const hf_law_in *in, hf_law_out *out);

typedef struct hf_dahl {
    double e[3]; // deflection [m]
} hf_dahl;

// One step at a constant scalar velocity, exact for the level at its beginning: with s = K |v| T/F,
// f goes to F sgn(v) as exp(-s). Bounded for every step. Normal force 1 N.
HF_API double hf_dahl_step(const hf_dahl_def *def, hf_dahl *state, double velocity, double step);

// Many at once: arrays of n numbers, one dimension.
// Constant symmetric levels, normal force 1 N; nothing is checked, the outputs overlap nothing. The
// numbers are hf_dahl_eval's, to the bit.
HF_API void hf_dahl_batch(size_t n, const double *stiffness, const double *level,
                          const double *rate, const double *e, double *HF_RESTRICT force,
                          double *HF_RESTRICT de);

#ifdef __cplusplus
}
#endif
#endif
