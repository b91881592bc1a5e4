// SPDX-License-Identifier: Apache-2.0
// Filters without delay for columns of evenly spaced samples.
#ifndef HF_FIT_FILTER_H
#define HF_FIT_FILTER_H

#include <stdbool.h>

// Butterworth's low pass of order 4, forth and back: no phase, -6 dB at the cutoff. `cutoff` over
// the sampling rate, above 0 and below 0.5. The ends are extended by what is mirrored through
// them. False when out of memory.
bool hf_filter_both_ways(double *values, long long count, double cutoff);

// Low pass at 1/every of half the sampling rate (a windowed sinc of 20 every + 1 taps, symmetric)
// and every so many-th sample of it, in place. Returns how many there are; 0 when out of memory.
// Beyond the ends the column counts as zero, as SciPy's decimate has it.
long long hf_filter_thin(double *values, long long count, int every);

#endif
