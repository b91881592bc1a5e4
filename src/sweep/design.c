// SPDX-License-Identifier: Apache-2.0
// Points of the unit cube by their number alone (independent, Latin hypercube, Sobol), normal
// quantiles.
#include "sweep/design.h"

#include <math.h>

static unsigned long long mix(unsigned long long x)
{
    x += 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

unsigned long long hf_random_bits(unsigned long long seed, unsigned long long stream,
                                  unsigned long long index)
{
    return mix(mix(mix(seed) ^ stream) ^ index);
}

// In (0, 1): the middle of one of 2^53 equal parts, so that neither end is met.
static double to_uniform(unsigned long long bits)
{
    return ((double)(bits >> 12) + 0.5) * 0x1p-52;
}

// A Feistel network is a one-to-one map of 2^(2b) numbers, whatever its rounds do; numbers that
// leave 0 .. count-1 are mapped again until they return (cycle walking). [Black2002]
unsigned long long hf_random_place(unsigned long long seed, unsigned long long stream,
                                   unsigned long long index, unsigned long long count)
{
    enum { ROUNDS = 6 };
    int half = 1;
    while (half < 32 && (1ULL << (2 * half)) < count) {
        ++half;
    }
    const unsigned long long mask = (1ULL << half) - 1;
    unsigned long long place = index;
    do {
        unsigned long long left = place >> half, right = place & mask;
        for (int round = 0; round < ROUNDS; ++round) {
            unsigned long long key = (stream << 8) | (unsigned long long)round;
            unsigned long long next = left ^ (hf_random_bits(seed, key, right) & mask);
            left = right;
            right = next;
        }
        place = (left << half) | right;
    } while (place >= count);
    return place;
}

// Streams of random numbers that one axis uses.
enum { STREAM_VALUE = 0, STREAM_ORDER = 1, STREAM_SHIFT = 2, STREAMS = 3 };

double hf_design_uniform(hf_sweep_design design, unsigned long long seed, int axis,
                         unsigned long long index, unsigned long long count)
{
    unsigned long long base = STREAMS * (unsigned long long)axis;
    if (design == HF_SWEEP_SOBOL) {
        // A digital shift: the sequence keeps its nets, and no point lies at the cube's corner.
        unsigned shift = (unsigned)(hf_random_bits(seed, base + STREAM_SHIFT, 0) >> 32);
        return ((double)(hf_sobol_point(axis, index) ^ shift) + 0.5) * 0x1p-32;
    }
    double uniform = to_uniform(hf_random_bits(seed, base + STREAM_VALUE, index));
    if (design == HF_SWEEP_LHS) {
        double layer = (double)hf_random_place(seed, base + STREAM_ORDER, index, count);
        uniform = (layer + uniform) / (double)count;
        return fmin(fmax(uniform, 0x1p-53), 1.0 - 0x1p-53);
    }
    return uniform;
}

static double ratio(const double *above, const double *below, double r)
{
    double a = above[7], b = below[6];
    for (int i = 6; i >= 0; --i) {
        a = a * r + above[i];
    }
    for (int i = 5; i >= 0; --i) {
        b = b * r + below[i];
    }
    return a / (b * r + 1.0);
}

// Algorithm AS 241, PPND16: rational functions of (p - 1/2)^2, and of sqrt(-ln p) in the tails.
double hf_normal_quantile(double p)
{
    static const double a[] = {3.3871328727963666080e0,  1.3314166789178437745e+2,
                               1.9715909503065514427e+3, 1.3731693765509461125e+4,
                               4.5921953931549871457e+4, 6.7265770927008700853e+4,
                               3.3430575583588128105e+4, 2.5090809287301226727e+3};
    static const double b[] = {4.2313330701600911252e+1, 6.8718700749205790830e+2,
                               5.3941960214247511077e+3, 2.1213794301586595867e+4,
                               3.9307895800092710610e+4, 2.8729085735721942674e+4,
                               5.2264952788528545610e+3};
    static const double c[] = {1.42343711074968357734e0,  4.63033784615654529590e0,
                               5.76949722146069140550e0,  3.64784832476320460504e0,
                               1.27045825245236838258e0,  2.41780725177450611770e-1,
                               2.27238449892691845833e-2, 7.74545014278341407640e-4};
    static const double d[] = {2.05319162663775882187e0,  1.67638483018380384940e0,
                               6.89767334985100004550e-1, 1.48103976427480074590e-1,
                               1.51986665636164571966e-2, 5.47593808499534494600e-4,
                               1.05075007164441684324e-9};
    static const double e[] = {6.65790464350110377720e0,  5.46378491116411436990e0,
                               1.78482653991729133580e0,  2.96560571828504891230e-1,
                               2.65321895265761230930e-2, 1.24266094738807843860e-3,
                               2.71155556874348757815e-5, 2.01033439929228813265e-7};
    static const double f[] = {5.99832206555887937690e-1, 1.36929880922735805310e-1,
                               1.48753612908506148525e-2, 7.86869131145613259100e-4,
                               1.84631831751005468180e-5, 1.42151175831644588870e-7,
                               2.04426310338993978564e-15};
    double q = p - 0.5;
    if (fabs(q) <= 0.425) {
        return q * ratio(a, b, 0.180625 - q * q);
    }
    double r = sqrt(-log(q < 0.0 ? p : 1.0 - p));
    double x = r <= 5.0 ? ratio(c, d, r - 1.6) : ratio(e, f, r - 5.0);
    return q < 0.0 ? -x : x;
}
