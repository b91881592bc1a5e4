// SPDX-License-Identifier: Apache-2.0
// A sim's memory: one block, carved twice, first to count, then to hand out.
#ifndef HF_SIM_SIM_LAYOUT_H
#define HF_SIM_SIM_LAYOUT_H

#include "base/carve.h"
#include "sim/sim_data.h"

// Gives every array of the sim its place.
void hf_sim_lay_out(hf_sim *sim, hf_carver *carver);
// Lists the forces whose laws have states that relax.
void hf_sim_list_relaxing(hf_sim *sim);

#endif
