// SPDX-License-Identifier: Apache-2.0
// Whether a run's answer depends on its step: the same machine beside it with half the step, or a
// tenth of the tolerances of a method that has such.
#ifndef HF_CLI_VERIFY_H
#define HF_CLI_VERIFY_H

#include <holdfast/sim.h>

#include "cli/model_source.h"

typedef struct hf_cli_verify hf_cli_verify;

// A second sim at the beginning of `sim`, of the model that `overrides` make of the word. NULL
// after a message.
hf_cli_verify *hf_cli_verify_begin(const char *word, const hf_overrides *overrides,
                                   const hf_sim *sim);
// After a step of `sim`: the second one comes to the same time, with the same inputs, and places
// are compared. One that fails is reported in the verdict.
void hf_cli_verify_step(hf_cli_verify *verify, const hf_sim *sim);
// The largest difference of a place, as a part of its way [-].
double hf_cli_verify_share(const hf_cli_verify *verify);
// What it adds to the verdict: a reason for doubt, or within what the run can be trusted. NULL is
// allowed.
void hf_cli_verify_judge(const hf_cli_verify *verify, hf_verdict *verdict);
// NULL is allowed.
void hf_cli_verify_end(hf_cli_verify *verify);

#endif
