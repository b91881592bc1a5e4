// SPDX-License-Identifier: Apache-2.0
// Projections: everything nonsmooth in Holdfast is prox(S, x), the point of a convex set S nearest
// to x.                                                                        [Xiong2013] (8), (9)
//
//   y in Z sgn(x - y)   <=>  y = sat(Z, x)         S: ball of radius Z  [Xiong2013] (3),
//   [Kikuuwe2008] (15) y in dio(x + y)     <=>  y = max(0, -x)        S: half line [Xiong2013] (6)
//
// All let NaN through: a state that left the numbers is not hidden by a saturation.
#ifndef HOLDFAST_LAWS_PROX_H
#define HOLDFAST_LAWS_PROX_H

#include <holdfast/base.h>

#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

// |x| and the square root, each one instruction even where -ffreestanding makes them calls.
static inline double hf_abs(double x)
{
#if defined(__GNUC__) || defined(__clang__)
    return __builtin_fabs(x);
#else
    return fabs(x);
#endif
}

static inline double hf_sqrt(double x)
{
#if defined(__GNUC__) || defined(__clang__)
    return __builtin_sqrt(x);
#else
    return sqrt(x);
#endif
}

// The number of [low, high] nearest to x; low <= high.
static inline double hf_clamp(double low, double high, double x)
{
    return x > high ? high : (x < low ? low : x);
}

// max(0, x): projection on the nonnegative numbers.
static inline double hf_max0(double x)
{
    return x < 0.0 ? 0.0 : x;
}

// Scalar saturation, [Xiong2013] (2); limit >= 0.
static inline double hf_sat(double limit, double x)
{
    return hf_clamp(-limit, limit, x);
}

// Solves y in dio(x + y), [Xiong2013] (6): the force y >= 0 of a one-sided contact whose gap is x +
// y (in units of force). Either the contact is open, y = 0 and x > 0, or it closes, y = -x.
static inline double hf_dio(double x)
{
    return x > 0.0 ? 0.0 : -x;
}

// Euclidean length of a vector of dim numbers.
static inline double hf_length(int dim, const double *x)
{
    double sum = 0.0;
    for (int i = 0; i < dim; i++)
        sum += x[i] * x[i];
    return hf_sqrt(sum);
}

// Projection of x on the ball of radius limit >= 0, [Kikuuwe2008] (15). `out` may be `x`. Returns
// whether x lay outside.
static inline bool hf_sat_n(double limit, int dim, const double *x, double *out)
{
    if (dim == 1) { // without the rounding of limit/|x| x
        double size = hf_abs(x[0]);
        out[0] = hf_sat(limit, x[0]);
        return size > limit;
    }
    double length = hf_length(dim, x);
    bool outside = length > limit;
    double scale = outside ? limit / length : 1.0;
    for (int i = 0; i < dim; i++)
        out[i] = outside ? scale * x[i] : x[i];
    return outside;
}

#ifdef __cplusplus
}
#endif
#endif
