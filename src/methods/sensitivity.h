// SPDX-License-Identifier: Apache-2.0
// Derivatives that are carried along with a sim: sims on both sides of its numbers.
#ifndef HF_METHODS_SENSITIVITY_H
#define HF_METHODS_SENSITIVITY_H

#include <holdfast/sensitivity.h>

#include "sim/sim_data.h"

// Below and above the present number.
enum { HF_BELOW, HF_ABOVE, HF_BESIDES };

// A term, and the sims beside the present one.
typedef struct hf_beside {
    hf_sensitivity_term term;
    double step;               // from the present number to either side
    hf_model *own[HF_BESIDES]; // models that were made for it; NULL: the caller's
    hf_sim *sims[HF_BESIDES];
    double *s; // [n] derivative of the state, where the method carries it along
} hf_beside;

struct hf_sensitivity {
    hf_sim *sim;
    hf_sim *base; // a sim as the present one, to evaluate without touching that
    int count;
    hf_beside *besides;
    double *states;   // behind besides[].s
    double known;     // the time up to which derivatives are known [s]
    hf_error failure; // status HF_OK: they are
    void *work;       // the method's
};

// Why a method's derivative is not the machine's, or HF_OK.
HF_NODISCARD hf_status hf_sensitivity_admit(const hf_sim *sim, hf_error *error);
// Inputs of the present sim, to the sims beside it.
void hf_sensitivity_copy_inputs(hf_sensitivity *sensitivity);
// After a step of a method that is differentiated as it is: the sims beside it take it too.
void hf_sensitivity_step(hf_sim *sim);
// Derivatives end here. The first reason counts.
void hf_sensitivity_fail(hf_sensitivity *sensitivity, const char *format, ...) HF_PRINTF(2, 3);

#endif
