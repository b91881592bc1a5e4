// SPDX-License-Identifier: Apache-2.0
#ifndef HF_MATH_SINCOS_H
#define HF_MATH_SINCOS_H

#include <math.h>

static inline void hf_sincos(double x, double *s, double *c)
{
    *s = sin(x);
    *c = cos(x);
}

#endif
