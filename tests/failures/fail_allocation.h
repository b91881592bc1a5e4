// SPDX-License-Identifier: Apache-2.0
// Asks whether the allocation or call that is about to happen is the one that must fail.
#ifndef HF_FAIL_ALLOCATION_H
#define HF_FAIL_ALLOCATION_H

#include <stdbool.h>

typedef enum hf_fail_kind { HF_FAIL_MEMORY, HF_FAIL_FILES, HF_FAIL_HDF5 } hf_fail_kind;

// Whether a call of this kind, which returns to `caller`, fails.
bool hf_fail_now(hf_fail_kind kind, const void *caller);

#endif
