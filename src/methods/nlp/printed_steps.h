// SPDX-License-Identifier: Apache-2.0
// Method nlp with `program: printed`: the steps of the document's own machine.
#ifndef HF_METHODS_NLP_PRINTED_STEPS_H
#define HF_METHODS_NLP_PRINTED_STEPS_H

#include "sim/sim_data.h"

// Refuses every machine but the document's: one mass that moves along x and z, gravity along -z,
// and one rigid contact of it with the floor, with a constant friction and without restitution.
HF_NODISCARD hf_status hf_nlp_printed_admit(hf_sim *sim, hf_error *error);
// One step.
HF_NODISCARD hf_status hf_nlp_printed_advance(hf_sim *sim, double end, hf_error *error);

#endif
