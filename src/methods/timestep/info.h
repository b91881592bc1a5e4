// SPDX-License-Identifier: Apache-2.0
// What method nlp has in common with timestep: the steps, and most keys.
#ifndef HF_METHODS_TIMESTEP_INFO_H
#define HF_METHODS_TIMESTEP_INFO_H

#include "sim/method_info.h"

// The keys of nlp, from the first, and of timestep, from the second on: they share most.
enum { HF_NLP_KEYS = 6, HF_TIMESTEP_KEYS = 7, HF_CONTACT_KEYS = 8 };
extern const hf_method_key hf_contact_keys[HF_CONTACT_KEYS];

bool hf_timestep_admits(const hf_model *model, const hf_force_place *force, hf_why *why);

#endif
