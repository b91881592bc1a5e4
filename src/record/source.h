// SPDX-License-Identifier: Apache-2.0
// An HDF5 recording being read. Files are not trusted: what a dataset claims is compared with what
// the file can hold before memory is taken for it.
#ifndef HF_RECORD_SOURCE_H
#define HF_RECORD_SOURCE_H

#include <hdf5.h>

#include <holdfast/record.h>

typedef struct hf_source {
    const char *path;
    unsigned long long file_size;
    hid_t file;
    hf_recording *recording;
    long long *columns; // [channel_count] attribute `column`, or the place by name
    int listed;         // channels named so far
    hf_error *error;
} hf_source;

// "path: cannot read 'WHERE': HDF5's reason". Returns HF_ERROR_FILE.
hf_status hf_source_fail(const hf_source *source, const char *where);
// "path: 'WHERE' TEXT". Returns HF_ERROR_INPUT.
hf_status hf_source_refuse(const hf_source *source, const char *where, const char *format, ...)
    HF_PRINTF(3, 4);
// Opens a dataset of this very file; links to other files are refused. Negative on error.
hid_t hf_source_open(const hf_source *source, const char *name);
// Whether the `length` numbers that a dataset claims can be in this file.
HF_NODISCARD hf_status hf_source_check(const hf_source *source, const char *name, hid_t dataset,
                                       hsize_t length);

// A text attribute; NULL when there is none.
char *hf_source_text(hid_t object, const char *name);
// Fills `count` texts from a dataset that has as many (read_values.c).
HF_NODISCARD hf_status hf_source_read_texts(const hf_source *source, const char *name, int count,
                                            char **texts);

// read_values.c: /names, /units and /values, after time.
HF_NODISCARD hf_status hf_source_read_values(hf_source *source);

#endif
