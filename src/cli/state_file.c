// SPDX-License-Identifier: Apache-2.0
// Writes and reads the state of a run: `run --save FILE` and `run --from FILE`.
#include "cli/state_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "record/target.h"

// Larger than any machine's state: a file that claims more is damaged.
static const size_t MOST_BYTES = (size_t)1 << 32;

static hf_status fail(hf_error *error, const char *path, const char *what)
{
    return hf_error_set(error, HF_ERROR_FILE, "%.300s: %s: %s", path, what,
                        errno == 0 ? "not all of it" : strerror(errno));
}

static bool write_all(const char *place, const void *bytes, size_t size)
{
    FILE *file = fopen(place, "wb");
    if (file == NULL) {
        return false;
    }
    bool good = fprintf(file, "holdfast state %s %zu\n", HF_VERSION, size) > 0 &&
                fwrite(bytes, 1, size, file) == size;
    return fclose(file) == 0 && good;
}

hf_status hf_cli_state_save(const char *path, const hf_sim *sim, hf_error *error)
{
    size_t size = hf_sim_save_size(sim);
    void *bytes = malloc(size);
    hf_target target = {.lock = -1};
    if (bytes == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory for the state of the run");
    }
    hf_sim_save(sim, bytes);
    hf_status status = hf_target_open(&target, path, error);
    if (status == HF_OK) {
        errno = 0;
        status = write_all(hf_target_place(&target), bytes, size)
                     ? hf_target_reveal(&target, path, error)
                     : fail(error, path, "cannot write");
        hf_target_close(&target);
    }
    free(bytes);
    return status;
}

// The first line. HF_OK with the number of bytes that follow.
static hf_status read_head(FILE *file, const char *path, size_t *size, hf_error *error)
{
    char line[100] = "", version[32] = "", *end = NULL;
    int used = 0;
    unsigned long long bytes = 0;
    if (fgets(line, sizeof line, file) != NULL &&
        sscanf(line, "holdfast state %31s%n", version, &used) == 1 && line[used] == ' ') {
        bytes = strtoull(line + used, &end, 10);
    }
    if (end == NULL || *end != '\n' || bytes == 0 || bytes > MOST_BYTES) {
        return hf_error_set(error, HF_ERROR_INPUT,
                            "%.300s: is no state of a run, as 'run --save' writes it", path);
    }
    if (strcmp(version, HF_VERSION) != 0) {
        return hf_error_set(error, HF_ERROR_INPUT,
                            "%.300s: was saved by holdfast %s; this is " HF_VERSION, path, version);
    }
    *size = (size_t)bytes;
    return HF_OK;
}

hf_status hf_cli_state_restore(const char *path, hf_sim *sim, hf_error *error)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return fail(error, path, "cannot open");
    }
    size_t size = 0;
    void *bytes = NULL;
    hf_status status = read_head(file, path, &size, error);
    if (status == HF_OK) {
        bytes = malloc(size + 1);
        if (bytes == NULL) {
            status = hf_error_set(error, HF_ERROR_MEMORY, "out of memory for %zu bytes", size);
        } else if (fread(bytes, 1, size, file) != size || fgetc(file) != EOF) {
            status = hf_error_set(error, HF_ERROR_INPUT, "%.300s: has not the %zu bytes it claims",
                                  path, size);
        } else {
            hf_error why = {0};
            status = hf_sim_restore(sim, bytes, size, &why);
            if (status != HF_OK) {
                status = hf_error_set(error, status, "%.200s: %.300s", path, why.text);
            }
        }
    }
    free(bytes);
    (void)fclose(file);
    return status;
}
