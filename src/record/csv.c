// SPDX-License-Identifier: Apache-2.0
// CSV: rows are gathered in memory and written whole, so that a killed run ends at most once within
// a row, and then without an end of line.
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/csv.h"
#include "base/error.h"
#include "base/number.h"
#include "record/format.h"
#include "record/target.h"
#include "record/writer.h"

enum { WRITE_SIZE = 1 << 16 }; // bytes gathered before a write

typedef struct csv {
    hf_writer writer; // first: the two share their address
    char *path;
    hf_target target;
    int file;
    int count;     // numbers in a row, with time
    off_t written; // bytes in the file, whole rows
    size_t length; // bytes in the buffer
    char *buffer;  // WRITE_SIZE and one row more
} csv;

static void csv_free(csv *c)
{
    hf_target_close(&c->target);
    free(c->path);
    free(c->buffer);
    free(c);
}

static hf_status fail(const csv *c, hf_error *error)
{
    return hf_error_set(error, HF_ERROR_FILE, "%.300s: cannot write: %s", c->path, strerror(errno));
}

static hf_status csv_flush(hf_writer *writer, hf_error *error)
{
    csv *c = (csv *)writer;
    size_t done = 0;
    while (done < c->length) {
        ssize_t part = write(c->file, c->buffer + done, c->length - done);
        if (part < 0 && errno == EINTR) {
            continue;
        }
        if (part < 0) {
            hf_status status = fail(c, error);
            c->length = 0;
            // Keep the file to whole rows. That a pipe cannot be cut is no second error.
            int cut = ftruncate(c->file, c->written);
            (void)cut;
            return status;
        }
        done += (size_t)part;
    }
    c->written += (off_t)done;
    c->length = 0;
    return HF_OK;
}

static hf_status csv_sample(hf_writer *writer, const double *row, hf_error *error)
{
    csv *c = (csv *)writer;
    for (int i = 0; i < c->count; ++i) {
        if (i > 0) {
            c->buffer[c->length++] = ',';
        }
        c->length += hf_number_format(row[i], c->buffer + c->length);
    }
    c->buffer[c->length++] = '\n';
    return c->length < WRITE_SIZE ? HF_OK : csv_flush(writer, error);
}

static hf_status csv_close(hf_writer *writer, const hf_run_end *end, hf_error *error)
{
    csv *c = (csv *)writer;
    hf_status status = end == NULL ? HF_OK : csv_flush(writer, error);
    if (close(c->file) != 0 && status == HF_OK && end != NULL) {
        status = fail(c, error); // network file systems report a full disk here
    }
    csv_free(c);
    return status;
}

static hf_status write_header(csv *c, const hf_run_facts *facts, hf_error *error)
{
    memcpy(c->buffer, "time", 4);
    c->length = 4;
    for (int i = 0; i < facts->count; ++i) {
        c->buffer[c->length++] = ',';
        c->length += hf_csv_put_text(c->buffer + c->length, facts->names[i]);
    }
    c->buffer[c->length++] = '\n';
    return csv_flush(&c->writer, error);
}

// Room for the header or for WRITE_SIZE and one row; zero when that is more than memory can be.
static size_t buffer_size(const hf_run_facts *facts)
{
    size_t columns = (size_t)facts->count + 1;
    if (columns > (SIZE_MAX / 2 - WRITE_SIZE) / (HF_NUMBER_SIZE + 1)) {
        return 0;
    }
    size_t size = WRITE_SIZE + columns * (HF_NUMBER_SIZE + 1);
    size_t header = sizeof "time\n";
    for (int i = 0; i < facts->count; ++i) {
        header += HF_CSV_TEXT_SIZE(strlen(facts->names[i])) + 1;
    }
    return header > size ? header : size;
}

hf_writer *hf_csv_create(const char *path, const hf_run_facts *facts, hf_error *error)
{
    csv *c = calloc(1, sizeof *c);
    size_t size = buffer_size(facts);
    if (size > HF_CSV_LONGEST_LINE) {
        free(c);
        (void)hf_error_set(error, HF_ERROR_RANGE,
                           "%.300s: %d channels make lines of more than %d MiB; record to .h5",
                           path, facts->count, HF_CSV_LONGEST_LINE >> 20);
        return NULL;
    }
    if (c == NULL || size == 0) {
        free(c);
        (void)hf_error_set(error, HF_ERROR_MEMORY, "out of memory for %d channels", facts->count);
        return NULL;
    }
    // The writer and its buffer of a line
    c->writer = (hf_writer){csv_sample, NULL, NULL, csv_flush, csv_close};
    c->count = facts->count + 1;
    c->target.lock = -1;
    c->buffer = malloc(size);
    c->path = strdup(path);
    if (c->buffer == NULL || c->path == NULL) {
        (void)hf_error_set(error, HF_ERROR_MEMORY, "out of memory for %d channels", facts->count);
        csv_free(c);
        return NULL;
    }
    // The file, which gets its name only when its header is complete
    bool to_stdout = hf_is_standard_stream(path);
    if (!to_stdout && hf_target_open(&c->target, path, error) != HF_OK) {
        csv_free(c);
        return NULL;
    }
    c->file = to_stdout ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)
                        : open(hf_target_place(&c->target), O_WRONLY | O_TRUNC | O_CLOEXEC);
    if (c->file < 0) {
        (void)hf_error_set(error, HF_ERROR_FILE, "%.300s: cannot create: %s", path,
                           strerror(errno));
        csv_free(c);
        return NULL;
    }
    if (write_header(c, facts, error) != HF_OK ||
        (!to_stdout && hf_target_reveal(&c->target, path, error) != HF_OK)) {
        (void)csv_close(&c->writer, NULL, NULL);
        return NULL;
    }
    return &c->writer;
}
