// SPDX-License-Identifier: Apache-2.0
// Sweeps in tests: run, read back, compare.
#ifndef HF_TEST_SWEEP_FILES_H
#define HF_TEST_SWEEP_FILES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <holdfast/sweep.h>

#include "hf_test.h"

// A name in a new folder of /tmp.
static inline void hf_temporary(char path[64], const char *name)
{
    char folder[] = "/tmp/holdfast-sweep-XXXXXX";
    assert_non_null(mkdtemp(folder));
    (void)snprintf(path, 64, "%s/%s", folder, name);
}

static inline void hf_remove(const char *path)
{
    char folder[64];
    (void)snprintf(folder, sizeof folder, "%s", path);
    (void)unlink(path);
    *strrchr(folder, '/') = '\0';
    (void)rmdir(folder);
}

static inline void hf_sweep_must(const hf_sweep_def *def)
{
    hf_error error = {0};
    hf_sweep *sweep = hf_sweep_create(def, &error);
    if (sweep == NULL) {
        fail_msg("%s", error.text);
    }
    if (hf_sweep_run(sweep, &error) != HF_OK) {
        fail_msg("%s", error.text);
    }
    hf_sweep_destroy(sweep);
}

static inline hf_table *hf_sweep_rows(hf_sweep_def *def)
{
    char path[64];
    hf_error error = {0};
    hf_temporary(path, "t.h5");
    def->output = path;
    hf_sweep_must(def);
    hf_table *table = hf_table_read(path, &error);
    if (table == NULL) {
        fail_msg("%s", error.text);
    }
    hf_remove(path);
    return table;
}

static inline double hf_cell(const hf_table *table, const char *column, long long row)
{
    int k = hf_table_find(table, column);
    if (k < 0 || table->columns[k].numbers == NULL) {
        fail_msg("no column of numbers '%s'", column);
    }
    return table->columns[k].numbers[row];
}

static inline const char *hf_word(const hf_table *table, const char *column, long long row)
{
    int k = hf_table_find(table, column);
    if (k < 0 || table->columns[k].texts == NULL) {
        fail_msg("no column of texts '%s'", column);
    }
    return table->columns[k].texts[row];
}

#endif
