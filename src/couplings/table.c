// SPDX-License-Identifier: Apache-2.0
// The table of all couplings, and the loops over those of a model.
#include "couplings/couplings.h"

#define ENTRY(NAME, name) [HF_COUPLING_##NAME] = &hf_coupling_ops_##name,
static const hf_coupling_ops *const TABLE[HF_COUPLING_TYPE_COUNT] = {HF_COUPLINGS(ENTRY)};
#undef ENTRY

const hf_coupling_ops *hf_coupling_ops_get(hf_coupling_type type)
{
    return (unsigned)type < HF_COUPLING_TYPE_COUNT ? TABLE[type] : NULL;
}

const hf_coupling_ops *hf_coupling_ops_of(const hf_coupling_def *coupling)
{
    return hf_coupling_ops_get(coupling->type);
}

int hf_coupling_dim(const hf_coupling_def *coupling)
{
    const hf_coupling_ops *ops = hf_coupling_ops_of(coupling);
    return ops->dim == NULL ? ops->rows : ops->dim(coupling);
}

bool hf_coupling_is_contact(hf_coupling_type type)
{
    const hf_coupling_ops *ops = hf_coupling_ops_get(type);
    return ops != NULL && ops->contact;
}

int hf_coupling_states(const hf_coupling_def *def, int of_law)
{
    const hf_coupling_ops *ops = hf_coupling_ops_of(def);
    return ops->states == NULL ? of_law : ops->states(def, of_law);
}

void hf_couplings_carry(const hf_couplings *couplings, const hf_pose *poses, double seconds,
                        hf_vec3 *references)
{
    int memory = 0;
    for (int i = 0; i < couplings->range_count; ++i) {
        const hf_coupling_range *range = &couplings->ranges[i];
        for (int k = 0; range->ops->carry != NULL && k < range->count; ++k, ++memory) {
            const void *item = hf_coupling_item(range->ops, range->items, k);
            references[memory] = range->ops->carry(item, poses, references[memory], seconds);
        }
    }
}
