// SPDX-License-Identifier: Apache-2.0
// Silences HDF5's own printing and turns its error stack into hf_error.
#include "record/hdf5_guard.h"

#include "base/error.h"

hf_hdf5_guard hf_hdf5_enter(void)
{
    hf_hdf5_guard guard = {NULL, NULL};
    (void)H5Eget_auto2(H5E_DEFAULT, &guard.function, &guard.data);
    (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return guard;
}

void hf_hdf5_leave(hf_hdf5_guard guard)
{
    (void)H5Eclear2(H5E_DEFAULT);
    (void)H5Eset_auto2(H5E_DEFAULT, guard.function, guard.data);
}

hid_t hf_hdf5_save_errors(void)
{
    return H5Eget_current_stack();
}

void hf_hdf5_restore_errors(hid_t errors)
{
    (void)H5Eset_current_stack(errors); // also closes it
}

static herr_t take_innermost(unsigned index, const H5E_error2_t *entry, void *context)
{
    const char **message = context;
    if (index == 0 && entry->desc != NULL) {
        *message = entry->desc;
    }
    return 0;
}

hf_status hf_hdf5_fail(hf_error *error, const char *path, const char *what)
{
    const char *message = "HDF5 failed without a message";
    (void)H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_innermost, &message);
    hf_status status =
        hf_error_set(error, HF_ERROR_FILE, "%.200s: %.80s: %.150s", path, what, message);
    (void)H5Eclear2(H5E_DEFAULT);
    return status;
}
