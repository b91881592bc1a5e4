// SPDX-License-Identifier: Apache-2.0
// The format of a file by its ending.
#ifndef HF_RECORD_FORMAT_H
#define HF_RECORD_FORMAT_H

#include <stdbool.h>

typedef enum hf_file_format { HF_FILE_UNKNOWN, HF_FILE_CSV, HF_FILE_HDF5 } hf_file_format;

// .csv, .h5 or .hdf5, in capitals or not. "-" is CSV.
hf_file_format hf_file_format_of(const char *path);

// Whether a path stands for standard output: "-".
bool hf_is_standard_stream(const char *path);

#endif
