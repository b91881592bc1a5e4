// SPDX-License-Identifier: Apache-2.0
// Batches over arrays: one loop body, compiled for the baseline and, on x86-64, for AVX2, chosen by
// what the processor has. Neither contracts a multiplication with an addition, so the bits are the
// same; only the width differs.
#ifndef HF_LAWS_BATCH_H
#define HF_LAWS_BATCH_H

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__)) && !defined(__AVX2__)
#define HF_BATCH_WIDE       __attribute__((target("avx2")))
#define HF_BATCH_HAS_WIDE() __builtin_cpu_supports("avx2")
#endif

#if defined(__GNUC__) || defined(__clang__)
#define HF_BATCH_BODY static inline __attribute__((always_inline))
#else
#define HF_BATCH_BODY static inline
#endif

// Defines `name`, a void function, from the inline function `body`. `declared` is the parameter
// list in parentheses, `passed` the same as arguments.
#ifdef HF_BATCH_WIDE
#define HF_BATCH(name, body, declared, passed)                                                     \
    HF_BATCH_WIDE static void name##_wide declared                                                 \
    {                                                                                              \
        body passed;                                                                               \
    }                                                                                              \
    void name declared                                                                             \
    {                                                                                              \
        if (HF_BATCH_HAS_WIDE()) {                                                                 \
            name##_wide passed;                                                                    \
            return;                                                                                \
        }                                                                                          \
        body passed;                                                                               \
    }
#else
#define HF_BATCH(name, body, declared, passed)                                                     \
    void name declared                                                                             \
    {                                                                                              \
        body passed;                                                                               \
    }
#endif

#endif
