// SPDX-License-Identifier: Apache-2.0
// Ctrl-C: SIGINT and SIGTERM ask for an end, which comes when it loses nothing.
#ifndef HF_CLI_STOP_H
#define HF_CLI_STOP_H

#include <stdbool.h>

// From now on. The second signal of a kind ends the program at once.
void hf_cli_catch_signals(void);
// Whether one came. `context` is not looked at. May be called from any thread.
bool hf_cli_stop_wanted(void *context);

#endif
