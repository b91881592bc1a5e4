// SPDX-License-Identifier: Apache-2.0
// Karnopp's law [Karnopp1985]: a band of
// velocities that counts as zero. 1 to 3 dimensions. Law name: "karnopp".
//
//   f = sat(F(0), h)     if |v| <= epsilon                                        [Kikuuwe2005] (5)
//   f = F(|v|) sgn(v)    else
//
// h: all other forces. Not an impedance: needs h (mass and step are not used). Valid while h
// changes slowly over the time in which the velocity crosses the band. f.v may be negative
// inside it.
//
// Strength: holds any force below F(0) without a spring.
//
// Known defect: the velocity inside the band is kept, so that the body creeps for ever at up to
// epsilon, or never stops ([Kikuuwe2005] K1, K2); f chatters between +-F when epsilon is below T
// F/M (K3). epsilon has no physical meaning.
#ifndef HOLDFAST_LAWS_KARNOPP_H
#define HOLDFAST_LAWS_KARNOPP_H

#include <holdfast/laws/level.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hf_karnopp_def {
    hf_level level;   // F
    double threshold; // epsilon, > 0 [m/s]
} hf_karnopp_def;

// 1 N, 0.01 m/s.
HF_API hf_karnopp_def hf_karnopp_def_default(void);
HF_API HF_NODISCARD hf_status hf_karnopp_def_check(const hf_karnopp_def *def, int dim,
                                                   hf_fault *fault);
HF_API void hf_karnopp_eval(const hf_karnopp_def *def, int dim, const hf_law_in *in,
                            hf_law_out *out);

// The force at a scalar velocity under the other forces `applied`. No state. Normal force 1 N.
HF_API double hf_karnopp_force(const hf_karnopp_def *def, double velocity, double applied);

// Many at once: arrays of n numbers.
// Constant symmetric levels, normal force 1 N; nothing is checked, the outputs overlap nothing. The
// numbers are hf_karnopp_force's, to the bit.
HF_API void hf_karnopp_batch(size_t n, const double *threshold, const double *level,
                             const double *applied, const double *rate, double *HF_RESTRICT force);

#ifdef __cplusplus
}
#endif
#endif
