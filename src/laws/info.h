// SPDX-License-Identifier: Apache-2.0
// Helpers for the hf_law_info tables.
#ifndef HF_LAWS_INFO_H
#define HF_LAWS_INFO_H

#include <holdfast/law.h>

#define HF_PARAM(type, field, text, units, phrase, what)                                           \
    {                                                                                              \
        .name = (text), .unit = (units), .meaning = (phrase), .kind = (what),                      \
        .offset = offsetof(type, field)                                                            \
    }

#define HF_PARAMS(table) .params = (table), .param_count = (int)(sizeof(table) / sizeof((table)[0]))

extern const hf_law_info hf_spring_info;
extern const hf_law_info hf_stiction_info;
extern const hf_law_info hf_dahl_info;
extern const hf_law_info hf_lugre_info;
extern const hf_law_info hf_contact_info;
extern const hf_law_info hf_joint_info;

#endif
