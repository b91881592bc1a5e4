// SPDX-License-Identifier: Apache-2.0
// HDF5 without its printing: its error stack becomes our error text.
#ifndef HF_RECORD_HDF5_GUARD_H
#define HF_RECORD_HDF5_GUARD_H

#include <hdf5.h>

#include <holdfast/base.h>

// Whatever handler the program had for HDF5's errors.
typedef struct hf_hdf5_guard {
    H5E_auto2_t function;
    void *data;
} hf_hdf5_guard;

// Between these two HDF5 prints nothing.
hf_hdf5_guard hf_hdf5_enter(void);
void hf_hdf5_leave(hf_hdf5_guard guard);

// HDF5 clears its error stack at the next call: keep it while tidying up after a failure.
hid_t hf_hdf5_save_errors(void);
void hf_hdf5_restore_errors(hid_t errors);

// "path: what: the innermost message of HDF5's error stack". Returns HF_ERROR_FILE.
hf_status hf_hdf5_fail(hf_error *error, const char *path, const char *what);

#endif
