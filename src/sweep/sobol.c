// SPDX-License-Identifier: Apache-2.0
// Sobol' sequence.                                                            [Sobol1967]
//
// Axis 0 is van der Corput's sequence. Every other axis has a primitive polynomial over GF(2),
//   x^s + a_1 x^(s-1) + ... + a_(s-1) x + 1,
// and odd numbers m_1 .. m_s with m_i < 2^i. Further ones follow the polynomial:
//   m_i = 2 a_1 m_(i-1) ^ 4 a_2 m_(i-2) ^ ... ^ 2^s m_(i-s) ^ m_(i-s)
// Direction numbers are v_i = m_i / 2^i, and point n is the exclusive or of those v_i whose bit is
// set in n. The numbers m are those of [JoeKuo2008]; every axis with those before it satisfies
// Sobol's property A (the test computes the determinants).
#include "sweep/design.h"

enum { MOST_DEGREE = 7 };

typedef struct polynomial {
    unsigned char degree, coefficients; // a_1 .. a_(s-1), the first in the highest bit
    unsigned char m[MOST_DEGREE];
} polynomial;

static const polynomial polynomials[HF_SOBOL_AXES] = {
    {0, 0, {0}},
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
    {7, 4, {1, 3, 7, 13, 13, 15, 69}},
    {7, 7, {1, 1, 3, 13, 7, 35, 63}},
    {7, 8, {1, 3, 5, 9, 1, 25, 53}},
    {7, 14, {1, 3, 1, 13, 9, 35, 107}},
    {7, 19, {1, 3, 1, 5, 27, 61, 31}},
    {7, 21, {1, 1, 5, 11, 19, 41, 61}},
    {7, 28, {1, 3, 5, 3, 3, 13, 69}},
    {7, 31, {1, 1, 7, 13, 1, 19, 1}},
    {7, 32, {1, 3, 7, 5, 13, 19, 59}},
    {7, 37, {1, 1, 3, 9, 25, 29, 41}},
    {7, 41, {1, 3, 5, 13, 23, 1, 55}},
    {7, 42, {1, 3, 7, 3, 13, 59, 17}},
};

void hf_sobol_directions(int axis, unsigned directions[HF_SOBOL_BITS])
{
    const polynomial *p = &polynomials[axis];
    int s = p->degree;
    for (int i = 0; i < HF_SOBOL_BITS; ++i) {
        if (s == 0) {
            directions[i] = 1u << (HF_SOBOL_BITS - 1 - i);
        } else if (i < s) {
            directions[i] = (unsigned)p->m[i] << (HF_SOBOL_BITS - 1 - i);
        } else {
            // The recurrence in fractions: v_i = v_(i-s) ^ v_(i-s)/2^s ^ (a_k v_(i-k)) ...
            directions[i] = directions[i - s] ^ (directions[i - s] >> s);
            for (int k = 1; k < s; ++k) {
                bool used = (p->coefficients >> (s - 1 - k)) & 1;
                directions[i] ^= used ? directions[i - k] : 0u;
            }
        }
    }
}

unsigned hf_sobol_point(int axis, unsigned long long index)
{
    unsigned directions[HF_SOBOL_BITS], point = 0;
    hf_sobol_directions(axis, directions);
    for (int i = 0; i < HF_SOBOL_BITS && index != 0; ++i, index >>= 1) {
        point ^= (index & 1) != 0 ? directions[i] : 0u;
    }
    return point;
}
