// SPDX-License-Identifier: Apache-2.0
// What a model takes from the machine's initial state: a start that closes all loops, and the
// numbers that rigid contacts choose for the masses that they act on. Both are found in a
// workspace: the arrays of a sim in which a state can be looked at. It has no method and makes no
// step.
#ifndef HF_SIM_START_H
#define HF_SIM_START_H

#include "sim/sim_data.h"

// Closes the loops of the initial state (start_loops.c), and writes it to the model. The
// workspace's state is the one that is written in the spec.
HF_NODISCARD hf_status hf_start_loops(hf_sim *workspace, hf_model *model, const hf_spec *spec,
                                      hf_error *error);

// Whether contacts choose numbers, and their choice (choose.c). The workspace has been observed at
// the initial state.
bool hf_chooses_contacts(const hf_model *model);
HF_NODISCARD hf_status hf_choose_contacts(hf_sim *workspace, hf_model *model, hf_error *error);
// Numbers of a contact between shapes that has another restitution than its force, for round and
// for flat ones. Where the force's times are given they give way to the restitution.
void hf_choose_restitution(const hf_force_place *force, double restitution,
                           hf_rigid_contact_def *round, hf_rigid_contact_def *flat);

#endif
