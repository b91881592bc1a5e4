// SPDX-License-Identifier: Apache-2.0
// The beginning of a step that evaluates forces elsewhere than at the present state.
#ifndef HF_SIM_MEET_H
#define HF_SIM_MEET_H

#include "sim/sim_data.h"

// The part of hf_sim_refresh that such a step needs: samples and discrete memories see the present
// state. Forces are found only where that leaves something behind.
void hf_sim_meet(hf_sim *sim, double tau);

#endif
