// SPDX-License-Identifier: Apache-2.0
// Sine and cosine of one angle. Side by side, the two calls become libm's one.
#ifndef HF_MATH_SINCOS_H
#define HF_MATH_SINCOS_H

#include <math.h>

static inline void hf_sincos(double angle, double *sine, double *cosine)
{
    *sine = sin(angle);
    *cosine = cos(angle);
}

#endif
