// SPDX-License-Identifier: Apache-2.0
#include "record/format.h"

#include <string.h>
#include <strings.h>

hf_file_format hf_file_format_of(const char *path)
{
    const char *ending = strrchr(path, '.');
    if (ending == NULL) {
        return HF_FILE_UNKNOWN;
    }
    if (strcasecmp(ending, ".csv") == 0) {
        return HF_FILE_CSV;
    }
    return strcasecmp(ending, ".h5") == 0 || strcasecmp(ending, ".hdf5") == 0 ? HF_FILE_HDF5
                                                                              : HF_FILE_UNKNOWN;
}
