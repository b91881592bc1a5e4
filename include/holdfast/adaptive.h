// SPDX-License-Identifier: Apache-2.0
// Methods that step to a tolerance, by SUNDIALS (CVODE and ARKODE): HF_METHOD_ADAPTIVE and
// HF_METHOD_SWITCH. They are a library of their own, holdfast-adaptive, so that holdfast itself
// needs no SUNDIALS. A program
// that links it has the method; one that loads it as it runs sets an entry of hf_sim_def.methods to
// hf_adaptive_methods().
//
// hf_sim_step then advances to the next multiple of `step`, in as many internal steps as the
// tolerances ask for. Inputs' jumps end internal steps exactly. Setting an input or a state, and
// saving, make the integrator begin anew at the next step.
//
// Memory: a sim's own part is allocated at hf_sim_create. SUNDIALS allocates its part with malloc,
// all of it at hf_sim_create too.
#ifndef HOLDFAST_ADAPTIVE_H
#define HOLDFAST_ADAPTIVE_H

#include <holdfast/sim.h>

#ifdef __cplusplus
extern "C" {
#endif

// A table for hf_sim_def.methods.
HF_API const hf_method_table *hf_adaptive_methods(void);

#ifdef __cplusplus
}
#endif
#endif
