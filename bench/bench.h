// SPDX-License-Identifier: Apache-2.0
// What benchmarks share: clocks, and result lines that bench/run gathers into its summary.
#ifndef HF_BENCH_BENCH_H
#define HF_BENCH_BENCH_H

#include <math.h>
#include <stdio.h>
#include <time.h>

// Processor time of this program [s]: what others do on the machine counts little.
static inline double hf_bench_now(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

// A run that is repeated step by step, cut into parts: its time is the sum of the least time that
// each part ever took.
#define HF_BENCH_PARTS 50
typedef struct hf_bench_parts {
    double least[HF_BENCH_PARTS]; // [s]
} hf_bench_parts;

static inline hf_bench_parts hf_bench_parts_start(void)
{
    hf_bench_parts parts;
    for (int i = 0; i < HF_BENCH_PARTS; i++)
        parts.least[i] = HUGE_VAL;
    return parts;
}

static inline void hf_bench_part(hf_bench_parts *parts, int part, double seconds)
{
    parts->least[part] = fmin(parts->least[part], seconds);
}

static inline double hf_bench_parts_sum(const hf_bench_parts *parts)
{
    double sum = 0.0;
    for (int i = 0; i < HF_BENCH_PARTS; i++)
        sum += parts->least[i];
    return sum;
}

// One line of the summary. `limit` is "-", or a comparison that the value must pass: ">= 1e6".
static inline void hf_bench_result(const char *name, double value, const char *unit,
                                   const char *limit)
{
    printf("result|%s|%.9g|%s|%s\n", name, value, unit, limit);
}

#endif
