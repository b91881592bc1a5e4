// SPDX-License-Identifier: Apache-2.0
// HDF5 without its printing, and messages about FCLIB's files.
#ifndef HF_FCLIB_FCLIB_FILE_H
#define HF_FCLIB_FCLIB_FILE_H

#include <stdio.h>

#include <hdf5.h>
#include <holdfast/fclib.h>

typedef struct hf_fclib_quiet {
    H5E_auto2_t function;
    void *data;
} hf_fclib_quiet;

// Between these two HDF5 prints nothing.
hf_fclib_quiet hf_fclib_enter(void);
void hf_fclib_leave(hf_fclib_quiet quiet);

// "path: cannot open: why". Returns HF_ERROR_FILE.
hf_status hf_fclib_cannot_open(hf_error *error, const char *path);
// "path: name TEXT". Returns HF_ERROR_FILE.
hf_status hf_fclib_refuse(hf_error *error, const char *path, const char *name, const char *format,
                          ...) HF_PRINTF(4, 5);

#endif
