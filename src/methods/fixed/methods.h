// SPDX-License-Identifier: Apache-2.0
// Fixed-step methods. Each advances from sim->core->time to `end`, h seconds later, in one go. h is
// given so that a whole step is the method's step to the bit.
#ifndef HF_METHODS_FIXED_METHODS_H
#define HF_METHODS_FIXED_METHODS_H

#include "sim/sim_data.h"

HF_NODISCARD hf_status hf_euler_advance(hf_sim *sim, double h, double end, hf_error *error);
HF_NODISCARD hf_status hf_semi_implicit_euler_advance(hf_sim *sim, double h, double end,
                                                      hf_error *error);
HF_NODISCARD hf_status hf_discrete_advance(hf_sim *sim, double h, double end, hf_error *error);
HF_NODISCARD hf_status hf_rk4_advance(hf_sim *sim, double h, double end, hf_error *error);
HF_NODISCARD hf_status hf_rk4_tau_advance(hf_sim *sim, double h, double end, hf_error *error);

#endif
