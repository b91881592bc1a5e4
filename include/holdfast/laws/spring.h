// SPDX-License-Identifier: Apache-2.0
// Spring-damper, 1 to 3 dimensions.
//
//   f = K (gap - rest) + B rate                                                          000 (10)
//
// Stored 1/2 K |gap - rest|^2, dissipated B |rate|^2. Law name: "spring".
#ifndef HOLDFAST_LAWS_SPRING_H
#define HOLDFAST_LAWS_SPRING_H

#include <holdfast/law.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hf_spring_def {
    double stiffness; // K, >= 0 [N/m]
    double damping;   // B, >= 0 [Ns/m]
    double rest;      // gap without force [m]; zero unless the coupling has dimension 1
} hf_spring_def;

// K = 1000 N/m, no damping, rest 0.
hf_spring_def hf_spring_def_default(void);
HF_NODISCARD hf_status hf_spring_def_check(const hf_spring_def *def, int dim, hf_fault *fault);
void hf_spring_eval(const hf_spring_def *def, int dim, const hf_law_in *in, hf_law_out *out);

#ifdef __cplusplus
}
#endif
#endif
