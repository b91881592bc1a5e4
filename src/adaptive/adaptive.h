// SPDX-License-Identifier: Apache-2.0
// Adaptive methods: what a sim keeps for them, and its two ways of going on.
#ifndef HF_ADAPTIVE_ADAPTIVE_H
#define HF_ADAPTIVE_ADAPTIVE_H

#include "adaptive/integrator.h"

// One block of memory, of the sim's allocator.
typedef struct hf_adaptive {
    hf_integrator integrator;
    double *known;       // the state as the last step left it
    double *inputs;      // the inputs that it knew
    double *known_modes; // the modes that it knew, by force
    bool *held;          // by force: whether its level depends on the regime it begins a step in
} hf_adaptive;

static inline hf_adaptive *hf_adaptive_of(const hf_sim *sim)
{
    return sim->work;
}

// Whether somebody else than the integrator changed what the future depends on.
bool hf_adaptive_disturbed(hf_sim *sim);
// Remembers the present state as the integrator's own.
void hf_adaptive_settle(hf_sim *sim);

#endif
