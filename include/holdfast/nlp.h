// SPDX-License-Identifier: Apache-2.0
// HF_METHOD_NLP: the nonlinear program of [RobotSimulation2025], by IPOPT. The steps are those of
// HF_METHOD_TIMESTEP (contact.h): the same laws, the same friction-contact problem in every step;
// but that problem is solved as the document has it, by a general program for nonlinear
// optimization. A reference to compare with: thousands of times slower, and less exact. A library
// of its own, holdfast-nlp, which is there when IPOPT was found. A program
// that links it has the method; one that loads it as it runs sets an entry of hf_sim_def.methods to
// hf_nlp_methods().
//
// See docs/methods/nlp.md. Unlike all other methods this one allocates in its steps, as IPOPT does,
// and sims in several threads wait for each other, because IPOPT's sparse solver, MUMPS, cannot be
// used by two threads at a time.
#ifndef HOLDFAST_NLP_H
#define HOLDFAST_NLP_H

#include <holdfast/nlp_endings.h>
#include <holdfast/sim.h>

#ifdef __cplusplus
extern "C" {
#endif

// A table for hf_sim_def.methods.
HF_API const hf_method_table *hf_nlp_methods(void);

// "Solve_Succeeded"; NULL: out of range.
HF_API const char *hf_nlp_ending_name(hf_nlp_ending ending);

#ifdef __cplusplus
}
#endif
#endif
