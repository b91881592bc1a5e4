// SPDX-License-Identifier: Apache-2.0
// End stops: the gap of a coupling stays between two limits, with Newton's restitution at each.
// One dimension. Law name: "stop".
//
//   low <= gap <= high;  force <= 0 at low, >= 0 at high, zero between      (unilateral, rigid)
//   r+ = -e r-                                       at an impact, when no other stop interferes
//   |r| <= speed, where speed > 0: a brake holds the rate there          (fixed steps, timestep)
//
// Set-valued: method switch locates impacts and releases. Over one step of a fixed-step method
// (Euler methods, discrete), with vbar = v + T h/M the velocity without it and q' = gap + T vbar:
//
//   v' = max(-e v, (low - gap)/T)  if q' < low,   min(-e v, (high - gap)/T)  if q' > high
//   f  = M (vbar - v')/T
//
// Not an impedance: needs the mass M, all other forces h and the step T. Strength: rigid, no
// stiffness to choose. Limit: over steps of first order in T.
#ifndef HOLDFAST_LAWS_STOP_H
#define HOLDFAST_LAWS_STOP_H

#include <holdfast/law.h>

#ifdef __cplusplus
extern "C" {
#endif

// Beyond this there is no stop [m or rad].
#define HF_STOP_NONE 1e300

typedef struct hf_stop_def {
    double low, high;   // limits of the gap, low < high [m or rad]
    double restitution; // e, 0 to 1 [-]
    double speed;       // the rate stays within +-speed; 0: no limit [m/s or rad/s]
} hf_stop_def;

// No limits, restitution 0.
HF_API hf_stop_def hf_stop_def_default(void);
HF_API HF_NODISCARD hf_status hf_stop_def_check(const hf_stop_def *def, int dim, hf_fault *fault);
HF_API void hf_stop_eval(const hf_stop_def *def, int dim, const hf_law_in *in, hf_law_out *out);

#ifdef __cplusplus
}
#endif
#endif
