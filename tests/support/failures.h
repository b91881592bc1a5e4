// SPDX-License-Identifier: Apache-2.0
// Allocations that fail on purpose. For programs that are linked with hf_test_failures() in CMake,
// which takes malloc, calloc, realloc, aligned_alloc, strdup, strndup and free of our own code (not
// that of shared libraries) to these functions; so it works under the address sanitizer too.
#ifndef HF_FAILURES_H
#define HF_FAILURES_H

#include <stdbool.h>

// The allocation with this number from now on fails, 1 the next; once. 0: none.
void hf_failures_arm(long long number);
// Whether it has come to that since; and how many allocations there were.
bool hf_failures_hit(void);
long long hf_failures_count(void);

// Pieces of memory that our code took and did not give back yet.
long long hf_failures_live(void);

#endif
