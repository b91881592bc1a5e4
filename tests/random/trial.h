// SPDX-License-Identifier: Apache-2.0
// One run of a random machine under one method, and what came of it.
#ifndef HF_TESTS_RANDOM_TRIAL_H
#define HF_TESTS_RANDOM_TRIAL_H

#include <holdfast/holdfast.h>

#include <stdbool.h>
#include <stdint.h>

enum { HF_TRIAL_POSITIONS = 64 };

typedef struct hf_trial {
    bool admitted; // a sim was created
    bool finite;   // all that it records
    hf_status status;
    hf_verdict verdict;
    double seconds; // of the processor
    uint64_t hash;  // of all that it records, whatever the order of channels
    int positions;  // recorded channels `position`, at the end
    double at_start[HF_TRIAL_POSITIONS], at_end[HF_TRIAL_POSITIONS];
    char why[512];    // not admitted, or failed
    char broken[160]; // what did not hold at some sample (invariants.h)
} hf_trial;

// Runs a model file's text for `duration`. A method to a tolerance takes `step` for its tolerance
// too: halved with it.
hf_trial hf_trial_run(const char *text, const char *method, double step, double duration);

// The same of a machine in which everything lasts `slow` times longer: step, duration and
// tolerances are those of the fast one.
hf_trial hf_trial_run_slowly(const char *text, const char *method, double step, double duration,
                             double slow);

// The same in two parts: the model may be shared by threads. NULL with the error filled.
hf_model *hf_trial_model(const char *text, const char *method, double step, hf_error *error);
hf_trial hf_trial_of(const hf_model *model, const char *text, double duration);

#endif
