// SPDX-License-Identifier: Apache-2.0
// ZIP archives, written entry by entry. [APPNOTE 6.3.3]
//
// Deflated, without the extensions for large files: at most 4 GiB and 65535 entries, more is
// refused. All entries are of one time, so that the same contents make the same bytes.
#ifndef HF_FMI_ZIP_H
#define HF_FMI_ZIP_H

#include <stdio.h>

#include <holdfast/base.h>

typedef struct hf_zip {
    FILE *file;
    const char *path; // for messages
    unsigned char *directory;
    size_t directory_size, directory_capacity;
    unsigned long long offset; // bytes written
    unsigned count;            // of entries
} hf_zip;

// Makes the file anew. `path` is not copied.
HF_NODISCARD hf_status hf_zip_create(hf_zip *zip, const char *path, hf_error *error);
// Adds a file. `name` is relative, with '/' between folders. `program`: it may be executed.
HF_NODISCARD hf_status hf_zip_add(hf_zip *zip, const char *name, const void *bytes, size_t size,
                                  bool program, hf_error *error);
// Writes the directory and closes the file; `failed`: closes it without.
HF_NODISCARD hf_status hf_zip_close(hf_zip *zip, bool failed, hf_error *error);

#endif
