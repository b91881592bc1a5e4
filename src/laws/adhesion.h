// SPDX-License-Identifier: Apache-2.0
// alpha(z) of Hayward and Armstrong's law.
#ifndef HF_LAWS_ADHESION_H
#define HF_LAWS_ADHESION_H

static inline double hf_eighth_power(double x)
{
    double square = x * x, fourth = square * square;
    return fourth * fourth;
}

// How much of the deflection relaxes a metre of way, at a deflection of size reach >= 0 [1/m].
static inline double hf_adhesion(double stick, double reach, double zmax)
{
    double bound = hf_eighth_power(stick), part = hf_eighth_power(reach / zmax);
    return (1.0 + bound) / zmax * (part / (bound + part));
}

#endif
