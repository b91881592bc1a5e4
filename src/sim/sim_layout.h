// SPDX-License-Identifier: Apache-2.0
// A sim's memory: one block, carved twice, first to count, then to hand out.
#ifndef HF_SIM_SIM_LAYOUT_H
#define HF_SIM_SIM_LAYOUT_H

#include "base/carve.h"
#include "sim/sim_data.h"

// Gives every array of the sim its place.
void hf_sim_lay_out(hf_sim *sim, hf_carver *carver);
// A sim as planned, in one block of the plan's allocator, its arrays zero. NULL: HF_ERROR_MEMORY.
hf_sim *hf_sim_allocate(const hf_sim *plan, hf_error *error);
// The initial state, inputs and poses that never change, before anything is evaluated.
void hf_sim_put_start(hf_sim *sim);
// Lists the forces whose laws have states that relax.
void hf_sim_list_relaxing(hf_sim *sim);

#endif
