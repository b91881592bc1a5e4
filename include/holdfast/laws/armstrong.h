// SPDX-License-Identifier: Apache-2.0
// Armstrong's seven-parameter model [Armstrong1994]. One
// dimension. Law name: "armstrong".
//
// Two laws and a switch:
//
//   stick   f = k z,  z' = v
//   slide   f = [Fc + Fv |v| + S / (1 + (v(t - lag)/vs)^2)] sgn(v)
//
// S, the Stribeck part, is what it had risen to when the slide began:
//
//   S = Sa + (Sinf - Sa) t2/(t2 + dwell)      t2: time in stick, Sa: S at the last slide's end
//
// It breaks away when |k z| reaches Fc + S, and sticks when v changes sign, with z = f/k.
//
// The seven: k, Fc, Fv, Sinf, vs, lag, dwell. Four of them are the level's: Fc = kinetic, Sinf =
// static - kinetic, vs = stribeck, Fv = viscous. The curve is the law's own, so that shape must
// be 2, and there is no table. Stored 1/2 k z^2 in stick; dissipated f v in slide.
//
// Strength: rising static level and frictional memory, as measured on machines: it predicts at
// which speeds and stiffnesses a machine sticks and slips.
//
// Known defect: at break-away the force drops from Fc + S without motion, the switch takes the
// stored energy away, and nothing damps the spring in stick.
#ifndef HOLDFAST_LAWS_ARMSTRONG_H
#define HOLDFAST_LAWS_ARMSTRONG_H

#include <holdfast/laws/level.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hf_armstrong_def {
    hf_level level;   // Fc, Fc + Sinf, vs and Fv
    double stiffness; // k, > 0 [N/m]
    double lag;       // frictional memory, >= 0 [s]
    double dwell;     // time constant of the rising static level, >= 0 [s]
} hf_armstrong_def;

// Samples of past velocity kept for the lag [-].
#define HF_ARMSTRONG_SAMPLES 16

// The state, as the law's y holds it in this order.
typedef struct hf_armstrong {
    double deflection;                    // z in stick [m]
    double mode;                          // -1, 0, 1: sliding back, stuck, sliding forth
    double stuck;                         // t2 [s]
    double rise;                          // S/Sinf now [-]
    double begun;                         // S/Sinf when the stick began (Sa) [-]
    double age;                           // of samples[0] [s]
    double spacing;                       // of the samples in time [s]
    double samples[HF_ARMSTRONG_SAMPLES]; // past velocities, newest first [m/s]
} hf_armstrong;

// Fc = 1 N, Sinf = 0.5 N, vs = 0.01 m/s, Fv = 0, k = 1e5 N/m, lag 5 ms, dwell 0.1 s.
HF_API hf_armstrong_def hf_armstrong_def_default(void);
HF_API HF_NODISCARD hf_status hf_armstrong_def_check(const hf_armstrong_def *def, int dim,
                                                     hf_fault *fault);
HF_API void hf_armstrong_eval(const hf_armstrong_def *def, int dim, const hf_law_in *in,
                              hf_law_out *out);

// One step at a constant velocity. The state is zero at first (stuck, not yet risen). Normal force
// 1 N.
HF_API double hf_armstrong_step(const hf_armstrong_def *def, hf_armstrong *state, double velocity,
                                double step);

#ifdef __cplusplus
}
#endif
#endif
