// SPDX-License-Identifier: Apache-2.0
// Derivatives of a run by names of the command line, as columns of its recording.
#ifndef HF_CLI_SENSITIVITY_H
#define HF_CLI_SENSITIVITY_H

#include <holdfast/record.h>
#include <holdfast/sensitivity.h>

#include "cli/cli.h"
#include "cli/model_source.h"

typedef struct hf_cli_sensitivity hf_cli_sensitivity;

// A sim at its beginning carries derivatives along by these names: `input.SIGNAL`,
// `initial.BODY.position` and `.velocity`, and what fits free (hf_fit_machine_free). NULL after a
// message.
hf_cli_sensitivity *hf_cli_sensitivity_begin(const char *word, const hf_overrides *overrides,
                                             hf_sim *sim, const hf_cli_list *names);
// Before the sim's own end. NULL is allowed.
void hf_cli_sensitivity_end(hf_cli_sensitivity *sensitivity);
// The further columns of a recording; none for NULL.
void hf_cli_sensitivity_columns(hf_cli_sensitivity *sensitivity, hf_record_def *def);

#endif
