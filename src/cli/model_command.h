// SPDX-License-Identifier: Apache-2.0
// Commands that read a model and look at it: MODEL [--set P=V]...
#ifndef HF_CLI_MODEL_COMMAND_H
#define HF_CLI_MODEL_COMMAND_H

#include <holdfast/models.h>
#include <holdfast/sim.h>

typedef struct hf_cli_model_command {
    const char *name;
    const char *about; // what it does, lines ending in '\n'
    const char *after; // more help, or ""
    // Looks at the model and a sim of it at t = 0. Returns the exit code.
    int (*look)(const char *word, const hf_overrides *overrides, hf_sim *sim);
} hf_cli_model_command;

// Reads the arguments and the model, and looks. Returns the exit code.
int hf_cli_look_at_model(const hf_cli_model_command *command, int count, char **arguments);

#endif
