// SPDX-License-Identifier: Apache-2.0
// The table of all laws, made from laws.def, and helpers for its entries.
#include "info.h"

#include <holdfast/laws/level.h>

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

const hf_param *hf_law_param(const hf_law_info *law, const char *name)
{
    for (int i = 0; i < law->param_count; i++)
        if (same_text(law->params[i].name, name))
            return &law->params[i];
    return NULL;
}

hf_status hf_law_set_number(const hf_law_info *law, void *def, const char *name, double number)
{
    const hf_param *param = hf_law_param(law, name);
    if (!param || (param->kind != HF_PARAM_NUMBER && param->kind != HF_PARAM_AUTO))
        return HF_ERROR_NAME;
    *(double *)(void *)((char *)def + param->offset) = number;
    return HF_OK;
}

hf_status hf_law_set_level(const hf_law_info *law, void *def, const char *name,
                           const hf_level *level)
{
    const hf_param *param = hf_law_param(law, name);
    if (!param || param->kind != HF_PARAM_LEVEL)
        return HF_ERROR_NAME;
    *(hf_level *)(void *)((char *)def + param->offset) = *level;
    return HF_OK;
}
