// SPDX-License-Identifier: Apache-2.0
// Couplings as the model holds them: one range for each type, in the order of the types.
#ifndef HF_COUPLINGS_COUPLINGS_H
#define HF_COUPLINGS_COUPLINGS_H

#include <holdfast/coupling.h>

#include "math/vec.h"

// The library's tables.
#define HF_COUPLING_EXTERN(NAME, name) extern const hf_coupling_ops hf_coupling_ops_##name;
HF_COUPLINGS(HF_COUPLING_EXTERN)
#undef HF_COUPLING_EXTERN

// Couplings of one type, beside each other in memory.
typedef struct hf_coupling_range {
    const hf_coupling_ops *ops;
    const void *items;
    int count;
} hf_coupling_range;

typedef struct hf_couplings {
    const hf_coupling_range *ranges;
    int range_count;
    const int *normal_rows; // of contacts
    int normal_count;
    int reference_count; // memories of couplings that carry a reference
    bool in_space;       // some force looks at poses, so that wrenches are ever written
    bool touches;        // some looks at what touches
} hf_couplings;

// All couplings, type by type.
static inline void hf_couplings_psi(const hf_couplings *couplings, const hf_motion *motion)
{
    for (int i = 0; i < couplings->range_count; ++i) {
        const hf_coupling_range *range = &couplings->ranges[i];
        range->ops->psi(range->items, range->count, motion);
    }
}

static inline void hf_couplings_phi(const hf_couplings *couplings, const hf_actions *actions)
{
    for (int i = 0; i < couplings->range_count; ++i) {
        const hf_coupling_range *range = &couplings->ranges[i];
        range->ops->phi(range->items, range->count, actions);
    }
}

// Carries every reference on by `seconds`.
void hf_couplings_carry(const hf_couplings *couplings, const hf_pose *poses, double seconds,
                        hf_vec3 *references);

// Item k of a range.
static inline const void *hf_coupling_item(const hf_coupling_ops *ops, const void *items, int k)
{
    return (const char *)items + (size_t)k * ops->item_size;
}

// Inner states of a definition whose law has `of_law`.
int hf_coupling_states(const hf_coupling_def *def, int of_law);

#endif
