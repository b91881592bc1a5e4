// SPDX-License-Identifier: Apache-2.0
// Viscous approximation [MartinsOden1983]: a steep viscosity in the place of stick. 1 to 3
// dimensions. Law name: "viscous-approximation".
//
//   f = F(|v|) sat(1, v/epsilon)                                                  [Kikuuwe2005] (6)
//
// Dissipated f.v >= 0, nothing stored, no state. Explicit methods need T F/(M epsilon) < 2.
//
// Strength: the simplest continuous law, passive.
//
// Known defect: holds nothing: under a force h < F the body creeps for ever at epsilon h/F.
#ifndef HOLDFAST_LAWS_VISCOUS_APPROXIMATION_H
#define HOLDFAST_LAWS_VISCOUS_APPROXIMATION_H

#include <holdfast/laws/level.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hf_viscous_approximation_def {
    hf_level level;   // F
    double threshold; // epsilon, > 0 [m/s]
} hf_viscous_approximation_def;

// 1 N, 0.01 m/s.
HF_API hf_viscous_approximation_def hf_viscous_approximation_def_default(void);
HF_API HF_NODISCARD hf_status hf_viscous_approximation_def_check(
    const hf_viscous_approximation_def *def, int dim, hf_fault *fault);
HF_API void hf_viscous_approximation_eval(const hf_viscous_approximation_def *def, int dim,
                                          const hf_law_in *in, hf_law_out *out);

// The force at a scalar velocity. No state. Normal force 1 N.
HF_API double hf_viscous_approximation_force(const hf_viscous_approximation_def *def,
                                             double velocity);

// Many at once: arrays of n numbers.
// Constant symmetric levels, normal force 1 N; nothing is checked, the outputs overlap nothing. The
// numbers are hf_viscous_approximation_force's, to the bit.
HF_API void hf_viscous_approximation_batch(size_t n, const double *threshold, const double *level,
                                           const double *rate, double *HF_RESTRICT force);

#ifdef __cplusplus
}
#endif
#endif
