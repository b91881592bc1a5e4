// SPDX-License-Identifier: Apache-2.0
// A sim's memory: one block, carved twice, first to count, then to hand out.
#ifndef HF_SIM_SIM_LAYOUT_H
#define HF_SIM_SIM_LAYOUT_H

#include "sim/sim_data.h"

enum { HF_CARVE_ALIGNMENT = 64 };

typedef struct hf_carver {
    char *base; // NULL: only counting
    size_t used;
    bool overflow;
} hf_carver;

// Gives every array of the sim its place.
void hf_sim_lay_out(hf_sim *sim, hf_carver *carver);

#endif
