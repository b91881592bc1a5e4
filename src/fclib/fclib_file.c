// SPDX-License-Identifier: Apache-2.0
// Silences HDF5's own printing and makes messages about FCLIB's files.
#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "base/error.h"
#include "fclib/fclib_file.h"

hf_fclib_quiet hf_fclib_enter(void)
{
    hf_fclib_quiet quiet = {0};
    (void)H5Eget_auto2(H5E_DEFAULT, &quiet.function, &quiet.data);
    (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return quiet;
}

void hf_fclib_leave(hf_fclib_quiet quiet)
{
    (void)H5Eset_auto2(H5E_DEFAULT, quiet.function, quiet.data);
}

hf_status hf_fclib_cannot_open(hf_error *error, const char *path)
{
    errno = 0;
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return hf_error_set(error, HF_ERROR_FILE, "%.300s: cannot open: %s", path, strerror(errno));
    }
    (void)fclose(file);
    return hf_error_set(error, HF_ERROR_FILE, "%.300s: not an HDF5 file", path);
}

hf_status hf_fclib_refuse(hf_error *error, const char *path, const char *name, const char *format,
                          ...)
{
    char text[200];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return hf_error_set(error, HF_ERROR_FILE, "%.200s: %.60s %s", path, name, text);
}
