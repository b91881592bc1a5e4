// SPDX-License-Identifier: Apache-2.0
// What benchmarks share: a clock, and result lines that bench/run gathers into its summary.
#ifndef HF_BENCH_BENCH_H
#define HF_BENCH_BENCH_H

#include <stdio.h>
#include <time.h>

// Wall time [s].
static inline double hf_bench_now(void)
{
    struct timespec t;
    (void)timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// One line of the summary. `limit` is "-", or a comparison that the value must pass: ">= 1e6".
static inline void hf_bench_result(const char *name, double value, const char *unit,
                                   const char *limit)
{
    printf("result|%s|%.9g|%s|%s\n", name, value, unit, limit);
}

#endif
