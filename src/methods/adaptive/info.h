// SPDX-License-Identifier: Apache-2.0
// What the adaptive methods have in common.
#ifndef HF_METHODS_ADAPTIVE_INFO_H
#define HF_METHODS_ADAPTIVE_INFO_H

#include "sim/method_info.h"

// How they integrate, under two names of the key.
#define HF_ADAPTIVE_FAMILY(key, other, phrase, first, names)                                       \
    {                                                                                              \
        .name = (key), .other_name = (other), .unit = "", .meaning = (phrase),                     \
        .kind = HF_KEY_CHOICE, .offset = offsetof(hf_method_def, family), .usual = (first),        \
        .choice = (names), .choice_count = HF_FAMILY_COUNT                                         \
    }
// Their tolerances. Below the least rtol the rounding of doubles is all there is; above the most
// steps are hardly checked.
#define HF_ADAPTIVE_RTOL                                                                           \
    {                                                                                              \
        .name = "rtol", .unit = "", .meaning = "relative tolerance",                               \
        .offset = offsetof(hf_method_def, rtol), .least = 1e-14, .most = 0.1,                      \
        .usual = HF_DEFAULT_RTOL                                                                   \
    }
#define HF_ADAPTIVE_ATOL                                                                           \
    {                                                                                              \
        .name = "atol", .unit = "SI",                                                              \
        .meaning = "absolute tolerance of every number of the state",                              \
        .offset = offsetof(hf_method_def, atol), .most = INFINITY, .usual = HF_DEFAULT_ATOL        \
    }

// Whether there is something to integrate.
bool hf_adaptive_admits_machine(const hf_model *model, hf_why *why);
// A level that depends on the regime a step begins in: static above kinetic without a Stribeck
// velocity (level.h).
bool hf_force_is_held(const hf_force_place *force);

#endif
