// SPDX-License-Identifier: Apache-2.0
// Temporary files and made-up runs for the tests of recordings.
#include "files.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/names.h"
#include "hf_test.h"
#include "record/format.h"

files files_create(void)
{
    files f = {.folder = "/tmp/holdfast-record-XXXXXX"};
    assert_non_null(mkdtemp(f.folder));
    return f;
}

const char *files_path(files *f, const char *name)
{
    (void)snprintf(f->path, sizeof f->path, "%s/%s", f->folder, name);
    return f->path;
}

void files_remove(files *f)
{
    DIR *folder = opendir(f->folder);
    assert_non_null(folder);
    for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            char path[400];
            (void)snprintf(path, sizeof path, "%s/%s", f->folder, entry->d_name);
            assert_int_equal(unlink(path), 0);
        }
    }
    assert_int_equal(closedir(folder), 0);
    assert_int_equal(rmdir(f->folder), 0);
}

const char *files_write(files *f, const char *name, const void *bytes, size_t size)
{
    FILE *file = fopen(files_path(f, name), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    return f->path;
}

hf_run_facts facts_create(int channels)
{
    char **names = calloc((size_t)channels + 1, sizeof *names);
    const char **units = calloc((size_t)channels + 1, sizeof *units);
    assert_true(names != NULL && units != NULL);
    for (int i = 0; i < channels; ++i) {
        names[i] = malloc(32);
        assert_non_null(names[i]);
        (void)snprintf(names[i], 32, "c%d.value", i);
        units[i] = "m";
    }
    return (hf_run_facts){.title = "a made-up run",
                          .model = "name: a made-up run\n# \xC3\xA4\n",
                          .method = "rk4",
                          .step = 1e-3,
                          .duration = 1.0,
                          .count = channels,
                          .names = (const char *const *)names,
                          .units = units};
}

void facts_free(hf_run_facts *facts)
{
    char **names = (char **)(uintptr_t)facts->names;
    for (int i = 0; i < facts->count; ++i) {
        free(names[i]);
    }
    free(names);
    free((void *)(uintptr_t)facts->units);
}

double made_up(long long sample, int channel)
{
    unsigned long long place[2] = {(unsigned long long)sample, (unsigned long long)channel};
    unsigned long long bits = hf_hash_bytes(0, place, sizeof place);
    double value;
    memcpy(&value, &bits, sizeof value);
    return isnan(value) ? (double)sample : value;
}

hf_writer *writer_open(const char *path, const hf_run_facts *facts, hf_error *error)
{
    return hf_file_format_of(path) == HF_FILE_CSV ? hf_csv_create(path, facts, error)
                                                  : hf_hdf5_create(path, facts, error);
}

void write_samples(hf_writer *writer, int channels, long long from, long long to)
{
    double *row = calloc((size_t)channels + 1, sizeof *row);
    assert_non_null(row);
    for (long long k = from; k < to; ++k) {
        for (int i = 0; i <= channels; ++i) {
            row[i] = i == 0 ? (double)k * 1e-3 : made_up(k, i - 1);
        }
        hf_error error = {0};
        if (writer->sample(writer, row, &error) != HF_OK) {
            fail_msg("%s", error.text);
        }
    }
    free(row);
}
