// SPDX-License-Identifier: Apache-2.0
#include "info.h"

static const hf_law_info *const table[HF_LAW_TYPE_COUNT] = {
#define HF_LAW(constant, symbol, name, phrase) [HF_LAW_##constant] = &hf_##symbol##_info,
#include <holdfast/laws/laws.def>
};

const hf_law_info *hf_law_info_get(hf_law_type type)
{
    // One comparison for both ends, whatever the sign of the enumeration's type.
    return (unsigned)type < HF_LAW_TYPE_COUNT ? table[type] : NULL;
}

// strcmp is not freestanding.
static bool same_text(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

const hf_law_info *hf_law_info_find(const char *name)
{
    for (int i = 0; i < HF_LAW_TYPE_COUNT; i++)
        if (table[i] && same_text(table[i]->name, name))
            return table[i];
    return NULL;
}
