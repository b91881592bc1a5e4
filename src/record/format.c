// SPDX-License-Identifier: Apache-2.0
// The format of a file by the ending of its name.
#include "record/format.h"

#include <string.h>
#include <strings.h>

bool hf_is_standard_stream(const char *path)
{
    return strcmp(path, "-") == 0;
}

hf_file_format hf_file_format_of(const char *path)
{
    if (hf_is_standard_stream(path)) {
        return HF_FILE_CSV;
    }
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
