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

// The functions of hf_law_info that only cast. `states` is the number of states, an expression in
// def and dim.
#define HF_LAW_GLUE(law, states)                                                                   \
    static void set_default(void *def)                                                             \
    {                                                                                              \
        *(hf_##law##_def *)def = hf_##law##_def_default();                                         \
    }                                                                                              \
    static hf_status check(const void *def, int dim, hf_fault *fault)                              \
    {                                                                                              \
        return hf_##law##_def_check(def, dim, fault);                                              \
    }                                                                                              \
    static int state_count(const void *def_, int dim)                                              \
    {                                                                                              \
        const hf_##law##_def *def = def_;                                                          \
        (void)def;                                                                                 \
        (void)dim;                                                                                 \
        return (states);                                                                           \
    }                                                                                              \
    static void eval(const void *def, int dim, const hf_law_in *in, hf_law_out *out)               \
    {                                                                                              \
        hf_##law##_eval(def, dim, in, out);                                                        \
    }

// The members of hf_law_info that HF_LAW_GLUE fills.
#define HF_LAW_GLUED(law)                                                                          \
    .def_size = sizeof(hf_##law##_def), .set_default = set_default, .check = check,                \
    .state_count = state_count, .eval = eval

// hf_<law>_info of every law.
#define HF_LAW(constant, symbol, name, phrase) extern const hf_law_info hf_##symbol##_info;
#include <holdfast/laws/laws.def>

// What the line of laws.def gives to hf_<law>_info.
#define HF_LAW(constant, symbol, name, phrase)                                                     \
    enum { hf_##symbol##_type = HF_LAW_##constant };                                               \
    static const char hf_##symbol##_name[] = name, hf_##symbol##_phrase[] = phrase;
#include <holdfast/laws/laws.def>

#define HF_LAW_LINE(symbol)                                                                        \
    .type = (hf_law_type)hf_##symbol##_type, .name = hf_##symbol##_name,                           \
    .phrase = hf_##symbol##_phrase

#endif
