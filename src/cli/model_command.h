// SPDX-License-Identifier: Apache-2.0
// Commands that read a model and look at it: MODEL [--set P=V]...
#ifndef HF_CLI_MODEL_COMMAND_H
#define HF_CLI_MODEL_COMMAND_H

#include <holdfast/models.h>
#include <holdfast/sim.h>

#include "cli/cli.h"

typedef struct hf_cli_model_options {
    hf_cli_list sets;
} hf_cli_model_options;

// --set, into the first member of a command's options: hf_cli_model_options.
extern const hf_cli_option hf_cli_set_option;

// Reads the model and calls `look` with it and a sim of it at t = 0. Returns the exit code.
int hf_cli_look_at_model(const char *word, const hf_cli_model_options *options,
                         int (*look)(const char *word, const hf_overrides *overrides, hf_sim *sim));

#endif
