// SPDX-License-Identifier: Apache-2.0
// Points of the unit cube, each by its number alone: any case can be made by any thread.
#ifndef HF_SWEEP_DESIGN_H
#define HF_SWEEP_DESIGN_H

#include <holdfast/sweep.h>

enum { HF_SOBOL_AXES = 32, HF_SOBOL_BITS = 32 };

// Direction numbers of an axis (from 0), as fractions of 2^32, for the bits of the point's number.
void hf_sobol_directions(int axis, unsigned directions[HF_SOBOL_BITS]);
// Point `index` of the sequence on an axis, x_0 = 0.
unsigned hf_sobol_point(int axis, unsigned long long index);

// 64 random bits that are a function of three numbers: splitmix64 over them. [Steele2014]
unsigned long long hf_random_bits(unsigned long long seed, unsigned long long stream,
                                  unsigned long long index);
// The place of `index` in a random order of 0 .. count-1.
unsigned long long hf_random_place(unsigned long long seed, unsigned long long stream,
                                   unsigned long long index, unsigned long long count);

// Coordinate `axis` of point `index` of `count`, in (0, 1).
double hf_design_uniform(hf_sweep_design design, unsigned long long seed, int axis,
                         unsigned long long index, unsigned long long count);

// The number that a normal variable of mean 0 and deviation 1 stays below with probability p,
// 0 < p < 1. Relative error about 1e-16. [Wichura1988]
double hf_normal_quantile(double p);

#endif
