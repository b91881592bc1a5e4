// SPDX-License-Identifier: Apache-2.0
// Numbers side by side, in one register where the processor has such, otherwise in several. Sums
// and products are those of C, lane by lane; arrays need not be aligned.
#ifndef HF_MATH_LANES_H
#define HF_MATH_LANES_H

#include <string.h>

typedef double hf_two __attribute__((vector_size(2 * sizeof(double))));
typedef double hf_four __attribute__((vector_size(4 * sizeof(double))));

// What comparing two hf_four gives: all bits of a lane, or none.
typedef long long hf_four_mask __attribute__((vector_size(4 * sizeof(double))));

#define HF_LANES_LOAD(x, from) memcpy(&(x), (from), sizeof(x))
#define HF_LANES_STORE(to, x)  memcpy((to), &(x), sizeof(x))

static inline hf_two hf_two_load(const double *from)
{
    hf_two x;
    HF_LANES_LOAD(x, from);
    return x;
}

#endif
