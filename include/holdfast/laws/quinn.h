// SPDX-License-Identifier: Apache-2.0
// Quinn's regularization [Quinn2004]: continuous, and
// balanced at rest. 1 to 3 dimensions. Law name: "quinn".
//
//   vbar = v + epsilon sat(1, h/F)                                               [Kikuuwe2005] (7b)
//   f    = F sat(1, vbar/epsilon)                                                [Kikuuwe2005] (7a)
//
// h: all other forces. Not an impedance: needs h (mass and step are not used). The paper has a
// constant F; here F = F(|v|). Valid with epsilon near T F/M, the best for a fixed step T and a
// mass M.
//
// Strength: continuous, and f = h at rest.
//
// Known defect: with epsilon > T F/M it only tends to rest ([Kikuuwe2005] Q1), with epsilon < T F/M
// it chatters (Q3), and it adds energy when |h| > F near zero velocity (Simulation II).
#ifndef HOLDFAST_LAWS_QUINN_H
#define HOLDFAST_LAWS_QUINN_H

#include <holdfast/laws/level.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hf_quinn_def {
    hf_level level;   // F; the kinetic level must be positive
    double threshold; // epsilon, > 0 [m/s]
} hf_quinn_def;

// 1 N, 0.01 m/s.
HF_API hf_quinn_def hf_quinn_def_default(void);
HF_API HF_NODISCARD hf_status hf_quinn_def_check(const hf_quinn_def *def, int dim, hf_fault *fault);
HF_API void hf_quinn_eval(const hf_quinn_def *def, int dim, const hf_law_in *in, hf_law_out *out);

// The force at a scalar velocity under the other forces `applied`. No state. Normal force 1 N.
HF_API double hf_quinn_force(const hf_quinn_def *def, double velocity, double applied);

// Many at once: arrays of n numbers.
// Constant symmetric levels, normal force 1 N; nothing is checked, the outputs overlap nothing. The
// numbers are hf_quinn_force's, to the bit.
HF_API void hf_quinn_batch(size_t n, const double *threshold, const double *level,
                           const double *applied, const double *rate, double *HF_RESTRICT force);

#ifdef __cplusplus
}
#endif
#endif
