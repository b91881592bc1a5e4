// SPDX-License-Identifier: Apache-2.0
// Integers in scratch memory that callers hand over as doubles: their bytes are copied, as C allows
// for memory of any declared type, and no index is ever rounded.
#ifndef HF_SOLVERS_SMALL_SLOTS_H
#define HF_SOLVERS_SMALL_SLOTS_H

#include <string.h>

static inline int hf_slot_get(const double *slots, int k)
{
    int value;
    memcpy(&value, slots + k, sizeof value);
    return value;
}

static inline void hf_slot_set(double *slots, int k, int value)
{
    memcpy(slots + k, &value, sizeof value);
}

static inline void hf_slot_swap(double *slots, int i, int j)
{
    int kept = hf_slot_get(slots, i);
    hf_slot_set(slots, i, hf_slot_get(slots, j));
    hf_slot_set(slots, j, kept);
}

#endif
