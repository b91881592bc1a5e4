// SPDX-License-Identifier: Apache-2.0
// LuGre bristle friction [CanudasDeWit1995]. 1 to 3 dimensions. Law name: "lugre".
//
//   g(v) = F(v)/K                        deflection in steady sliding
//   e'   = v - |v| e / g(v)              mean bristle deflection                 [Kikuuwe2008] (12)
//   f    = K e + B e' + D v              force with the sign of v
//
// Stored 1/2 K |e|^2; dissipated f.v - K e.e', which is >= 0 when B is small enough:
// B < 4 K g(v)/|v| at every velocity reached. Beyond, the law can give out more than it took in (it
// is then reported negative). Known defect: drifts under an oscillating load below F.
// Explicit Euler needs T |v|/g(v) < 2. The level's own viscous part belongs to g; D does not.
// Regime: as for Dahl, by the spring part K e.
#ifndef HOLDFAST_LAWS_LUGRE_H
#define HOLDFAST_LAWS_LUGRE_H

#include <holdfast/laws/level.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hf_lugre_def {
    hf_level level;   // F(v) = K g(v); the kinetic level must be positive
    double stiffness; // K (sigma0), > 0 [N/m]
    double damping;   // B (sigma1), >= 0 [Ns/m]
    double viscous;   // D (sigma2), >= 0 [Ns/m]
} hf_lugre_def;

// 1 N, K = 1e5 N/m, B = 300 Ns/m, no viscous part.
HF_API hf_lugre_def hf_lugre_def_default(void);
HF_API HF_NODISCARD hf_status hf_lugre_def_check(const hf_lugre_def *def, int dim, hf_fault *fault);
HF_API void hf_lugre_eval(const hf_lugre_def *def, int dim, const hf_law_in *in, hf_law_out *out);

typedef struct hf_lugre {
    double e[3]; // deflection [m]
} hf_lugre;

// One step at a constant scalar velocity, e advanced exactly; f belongs to the end of the step.
// Normal force 1 N.
HF_API double hf_lugre_step(const hf_lugre_def *def, hf_lugre *state, double velocity, double step);

// Many at once: arrays of n numbers, one dimension.
// Constant symmetric levels, normal force 1 N; nothing is checked, the outputs overlap nothing. The
// numbers are hf_lugre_eval's, to the bit.
HF_API void hf_lugre_batch(size_t n, const double *stiffness, const double *damping,
                           const double *viscous, const double *level, const double *rate,
                           const double *e, double *HF_RESTRICT force, double *HF_RESTRICT de);

#ifdef __cplusplus
}
#endif
#endif
