// SPDX-License-Identifier: Apache-2.0
// CMA-ES: evolution of a population whose covariance follows the steps that paid [Hansen2016]. For
// costs without usable derivatives: slow, and not lost in small valleys.
#ifndef HF_FIT_CMA_H
#define HF_FIT_CMA_H

#include <stdbool.h>

typedef struct hf_cma hf_cma;

// Around the point `mean` of `count` numbers, with first steps of this size and so many points in a
// generation (0: 4 + 3 ln count). The same seed gives the same bits. NULL: out of memory.
hf_cma *hf_cma_create(int count, const double *mean, double size, int population,
                      unsigned long long seed);
void hf_cma_destroy(hf_cma *cma);
int hf_cma_population(const hf_cma *cma);
// Where the cost is wanted next: [population][count]. The caller may move points, as into bounds.
double *hf_cma_ask(hf_cma *cma);
// The costs there; one that is not finite is the worst. False: steps have become so small, or so
// uneven, that no further progress is to be had.
bool hf_cma_tell(hf_cma *cma, const double *costs);
// The best point so far, and its cost.
const double *hf_cma_best(const hf_cma *cma, double *cost);

#endif
