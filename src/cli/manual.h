// SPDX-License-Identifier: Apache-2.0
// The manual page.
#ifndef HF_CLI_MANUAL_H
#define HF_CLI_MANUAL_H

// Prints holdfast(1) from the tables of the commands.
void hf_cli_print_manual(void);

#endif
