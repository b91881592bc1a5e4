// SPDX-License-Identifier: Apache-2.0
// What method nlp has in common with timestep: the steps, and most keys.
#ifndef HF_METHODS_TIMESTEP_INFO_H
#define HF_METHODS_TIMESTEP_INFO_H

#include "sim/method_info.h"

// The keys of timestep; the first HF_TIMESTEP_SHARED_KEYS are those of nlp too.
enum { HF_TIMESTEP_SHARED_KEYS = 5, HF_TIMESTEP_KEYS = 7 };
extern const hf_method_key hf_timestep_keys[HF_TIMESTEP_KEYS];

bool hf_timestep_admits(const hf_model *model, const hf_force_place *force, hf_why *why);

#endif
