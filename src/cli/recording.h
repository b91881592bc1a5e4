// SPDX-License-Identifier: Apache-2.0
// Recordings named on the command line.
#ifndef HF_CLI_RECORDING_H
#define HF_CLI_RECORDING_H

#include <holdfast/record.h>

// hf_recording_read for files that may be damaged, by accident or on purpose. HDF5's own decoder
// can crash or go round in circles on some of them (version 1.10 on one of a hundred files with a
// changed byte), so a child process reads the file first. NULL on error.
hf_recording *hf_cli_read_recording(const char *path, hf_error *error);
// The same for the table of a sweep.
hf_table *hf_cli_read_table(const char *path, hf_error *error);

#endif
