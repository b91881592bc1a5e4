// SPDX-License-Identifier: Apache-2.0
// Spring-damper, 1 to 3 dimensions.
//
//   f = K s + C |s|^2 s + B rate,   s = gap - rest        [Kikuuwe2008] (10), [Xiong2013] (47)
//
// Stored 1/2 K |s|^2 + 1/4 C |s|^4, dissipated B |rate|^2. With a hardening C > 0 the stiffness K
// may be negative: two places of rest. Law name: "spring".
#ifndef HOLDFAST_LAWS_SPRING_H
#define HOLDFAST_LAWS_SPRING_H

#include <holdfast/law.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hf_spring_def {
    double stiffness; // K, >= 0, or any when C > 0 [N/m]
    double damping;   // B, >= 0 [Ns/m]
    double rest;      // gap without force [m]; zero unless the coupling has dimension 1
    double cubic;     // C, >= 0 [N/m^3]
} hf_spring_def;

// K = 1000 N/m, no damping, rest 0.
HF_API hf_spring_def hf_spring_def_default(void);
HF_API HF_NODISCARD hf_status hf_spring_def_check(const hf_spring_def *def, int dim,
                                                  hf_fault *fault);
HF_API void hf_spring_eval(const hf_spring_def *def, int dim, const hf_law_in *in, hf_law_out *out);

// Many scalar springs at once: arrays of n numbers, without the cubic term. The outputs overlap
// nothing. The numbers are the same, to the bit, as hf_spring_eval's.
HF_API void hf_spring_batch(size_t n, const double *stiffness, const double *damping,
                            const double *rest, const double *gap, const double *rate,
                            double *HF_RESTRICT force, double *HF_RESTRICT stored,
                            double *HF_RESTRICT dissipated);

#ifdef __cplusplus
}
#endif
#endif
