// SPDX-License-Identifier: Apache-2.0
// Temporary files and made-up runs for the tests of recordings.
#ifndef TESTS_RECORD_FILES_H
#define TESTS_RECORD_FILES_H

#include "record/writer.h"

// A fresh folder below the system's temporary one; removed with all files by files_remove.
typedef struct files {
    char folder[64];
    char path[128];
} files;

files files_create(void);
void files_remove(files *f);
// The path of a name in the folder; valid until the next call.
const char *files_path(files *f, const char *name);
// Writes a whole file and returns its path.
const char *files_write(files *f, const char *name, const void *bytes, size_t size);

// Facts of a run with channels c0.value, c1.value, ... of unit m, freed by facts_free.
hf_run_facts facts_create(int channels);
void facts_free(hf_run_facts *facts);

// The number in a made-up run: any bits that are no NaN, a function of its place only.
double made_up(long long sample, int channel);

// Opens a writer by the ending of the path.
hf_writer *writer_open(const char *path, const hf_run_facts *facts, hf_error *error);

// Writes made-up samples [from, to), failing the test on error.
void write_samples(hf_writer *writer, int channels, long long from, long long to);

#endif
