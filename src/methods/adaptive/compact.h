// SPDX-License-Identifier: Apache-2.0
// Newton's linear systems of machines with room in their state that is not in use (compact.c).
#ifndef HF_METHODS_ADAPTIVE_COMPACT_H
#define HF_METHODS_ADAPTIVE_COMPACT_H

#include "methods/adaptive/integrator.h"

typedef struct hf_compact hf_compact;

// Gives CVODE's memory this linear solver. False: no memory.
bool hf_compact_create(hf_integrator *integrator, void *memory);
void hf_compact_destroy(hf_integrator *integrator);

#endif
