// SPDX-License-Identifier: Apache-2.0
// Where shapes of a machine touch, for couplings that look at it (adhesion). Found at every
// evaluation, from the poses alone; the collider does it (collide/touches.c).
#ifndef HF_SIM_TOUCHES_H
#define HF_SIM_TOUCHES_H

#include "sim/sim_data.h"

// Room for them; nothing where no coupling asks.
HF_NODISCARD hf_status hf_touches_create(hf_sim *sim, hf_error *error);
void hf_touches_destroy(hf_sim *sim);
// At the poses of sim->poses: sim->touches.
void hf_touches_find(hf_sim *sim);
// Whether there was room for all of them so far.
HF_NODISCARD hf_status hf_touches_check(const hf_sim *sim, hf_error *error);

#endif
