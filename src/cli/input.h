// SPDX-License-Identifier: Apache-2.0
// Values of a model's input signals from outside: a recorded log, or standard input.
#ifndef HF_CLI_INPUT_H
#define HF_CLI_INPUT_H

#include <holdfast/sim.h>

typedef struct hf_cli_input hf_cli_input;

// `source` is a recording (FILE.csv, FILE.h5: a column of time, and for each input a column of its
// name, whose values hold until the next) or "-": standard input, one line a step, the values in
// the order of the inputs or as name=value. `waits`: a step waits for its line; otherwise it keeps
// the last values when none has come. NULL after a message.
hf_cli_input *hf_cli_input_open(const char *source, const hf_model *model, bool waits);

// Sets the inputs for the step that begins now. After the end of the input they stay.
// HF_ERROR_SYNTAX: a line is malformed.
HF_NODISCARD hf_status hf_cli_input_apply(hf_cli_input *input, hf_sim *sim, hf_error *error);

// From standard input: what comes is not known before.
bool hf_cli_input_is_live(const hf_cli_input *input);
// Keeps what comes by standard input from now on, for hf_cli_input_again: a row a step.
void hf_cli_input_keep(hf_cli_input *input);
// The same values from the beginning, for a second run of the model; may be used by another thread.
// It must be closed before `input` is. NULL: out of memory.
hf_cli_input *hf_cli_input_again(const hf_cli_input *input);

// NULL is allowed.
void hf_cli_input_close(hf_cli_input *input);

#endif
