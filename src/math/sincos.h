// SPDX-License-Identifier: Apache-2.0
// Sine and cosine of one angle.
#ifndef HF_MATH_SINCOS_H
#define HF_MATH_SINCOS_H

#include <math.h>
#include <string.h>

#include "math/lanes.h"

// Side by side, the two calls become libm's one.
static inline void hf_sincos(double angle, double *sine, double *cosine)
{
    *sine = sin(angle);
    *cosine = cos(angle);
}

// ------------------------------------------------------------------------------------------------
// Of our own: for one number and for four at once, with the same bits, whatever the processor and
// the C library. The angle is brought to [-pi/4, pi/4] by multiples n of pi/2, which is subtracted
// in three parts (118 bits), and polynomials of fdlibm follow [Sun1993]; within one unit in the
// last place, or 1e-30 where that is more. Angles beyond HF_SINCOS_MOST, where n needs more bits,
// and those that are not finite are libm's.
#define HF_SINCOS_MOST 5e5

// 2/pi; a number that makes the last bits of a sum those of n; pi/2 = P1 + P2 + P3, where P1 and P2
// have 33 bits each: their products with n are exact.
#define HF_SINCOS_TWO_BY_PI 6.36619772367581382433e-01
#define HF_SINCOS_WHOLE     0x1.8p52
#define HF_SINCOS_P1        1.57079632673412561417e+00
#define HF_SINCOS_P2        6.07710050630396597660e-11
#define HF_SINCOS_P3        2.02226624879595063154e-21

// y + tail = x - n pi/2; s and c are its sine and cosine. For doubles and for lanes of them.
#define HF_SINCOS_KERNEL(number, x, n, s, c)                                                       \
    do {                                                                                           \
        number rest_ = (x) - (n)*HF_SINCOS_P1;                                                     \
        number second_ = (n)*HF_SINCOS_P2;                                                         \
        number first_ = rest_ - second_;                                                           \
        number third_ = (n)*HF_SINCOS_P3 - ((rest_ - first_) - second_);                           \
        number y_ = first_ - third_;                                                               \
        number tail_ = (first_ - y_) - third_;                                                     \
        number z_ = y_ * y_, v_ = z_ * y_, w_ = z_ * z_;                                           \
        number odd_ =                                                                              \
            8.33333333332248946124e-03 +                                                           \
            z_ * (-1.98412698298579493134e-04 +                                                    \
                  z_ * (2.75573137070700676789e-06 +                                               \
                        z_ * (-2.50507602534068634195e-08 + z_ * 1.58969099521155010221e-10)));    \
        (s) = y_ - ((z_ * (0.5 * tail_ - v_ * odd_) - tail_) - v_ * -1.66666666666666324348e-01);  \
        number even_ =                                                                             \
            z_ * (4.16666666666666019037e-02 +                                                     \
                  z_ * (-1.38888888888741095749e-03 + z_ * 2.48015872894767294178e-05)) +          \
            w_ * w_ *                                                                              \
                (-2.75573143513906633035e-07 +                                                     \
                 z_ * (2.08757232129817482790e-09 + z_ * -1.13596475577881948265e-11));            \
        number half_ = 0.5 * z_, one_ = 1.0 - half_;                                               \
        (c) = one_ + (((1.0 - one_) - half_) + (z_ * even_ - y_ * tail_));                         \
    } while (0)

static inline void hf_sincos_own(double angle, double *sine, double *cosine)
{
    if (!(fabs(angle) <= HF_SINCOS_MOST)) {
        hf_sincos(angle, sine, cosine);
        return;
    }
    double sum = angle * HF_SINCOS_TWO_BY_PI + HF_SINCOS_WHOLE, n = sum - HF_SINCOS_WHOLE, s, c;
    long long bits;
    memcpy(&bits, &sum, sizeof bits);
    HF_SINCOS_KERNEL(double, angle, n, s, c);
    double one = (bits & 1) != 0 ? c : s, other = (bits & 1) != 0 ? s : c;
    *sine = (bits & 2) != 0 ? -one : one;
    *cosine = ((bits + 1) & 2) != 0 ? -other : other;
}

#endif
