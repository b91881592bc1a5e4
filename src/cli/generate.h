// SPDX-License-Identifier: Apache-2.0
// Completions and manual, from the tables of the commands.
#ifndef HF_CLI_GENERATE_H
#define HF_CLI_GENERATE_H

// Prints what `what` names: bash, zsh, fish or man. Returns the exit code.
int hf_cli_generate(const char *what);

#endif
