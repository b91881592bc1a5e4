// SPDX-License-Identifier: Apache-2.0
// A progress bar with the remaining time, on stderr if that is a terminal.
#ifndef HF_CLI_PROGRESS_H
#define HF_CLI_PROGRESS_H

#include <stdbool.h>

// Monotonic time [s].
double hf_cli_now(void);

typedef struct hf_cli_progress {
    bool shown;
    double start; // [s]
    double next;  // when to draw again [s]
} hf_cli_progress;

// `wanted` false: never shown.
hf_cli_progress hf_cli_progress_begin(bool wanted);
// Draws at most ten times a second, and not before half a second has passed.
void hf_cli_progress_update(hf_cli_progress *progress, double done, double time);
// The same with another text in place of the time.
void hf_cli_progress_show(hf_cli_progress *progress, double done, const char *text);
// Removes the bar.
void hf_cli_progress_end(hf_cli_progress *progress);

#endif
