// SPDX-License-Identifier: Apache-2.0
// CSV in: line by line, into columns that grow together. Errors carry line and column.
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/error.h"
#include "base/number.h"
#include "record/reader.h"

enum { FIRST_CAPACITY = 1024, SHOWN = 40 };

typedef struct table {
    hf_csv csv;
    int columns;  // with time
    char **names; // of the channels, while the header is read
    int named;
    size_t capacity;
    hf_recording *recording;
} table;

// Length of a field's text in a message.
static int shown(const hf_csv_field *field)
{
    return field->length < SHOWN ? (int)field->length : SHOWN;
}

// ------------------------------------------------------------------------------------------------
// Header

// Keeps the name of a channel; the list of names grows by doubling.
static hf_status add_name(table *t, const hf_csv_field *field)
{
    int count = t->named;
    if (count >= HF_RECORDING_MAX_CHANNELS) {
        return hf_csv_fail(&t->csv, field->column, HF_ERROR_RANGE, "more than %d columns",
                           HF_RECORDING_MAX_CHANNELS);
    }
    if ((count & (count - 1)) == 0) { // 0, 1, 2, 4, ...
        size_t room = count == 0 ? 1 : 2 * (size_t)count;
        char **larger = realloc(t->names, room * sizeof *larger);
        if (larger == NULL) {
            return hf_csv_fail(&t->csv, 1, HF_ERROR_MEMORY, "out of memory for %zu channels", room);
        }
        t->names = larger;
    }
    t->names[count] = strndup(field->text, field->length);
    if (t->names[count] == NULL) {
        return hf_csv_fail(&t->csv, 1, HF_ERROR_MEMORY, "out of memory for %d channels", count + 1);
    }
    t->named += 1;
    return HF_OK;
}

static hf_status read_header(table *t)
{
    bool more = false;
    // There must be a header
    HF_TRY(hf_csv_line(&t->csv, &more));
    if (!more) {
        return hf_error_set(t->csv.error, HF_ERROR_SYNTAX,
                            "%.300s: the file is empty, expected a header 'time,...'",
                            t->csv.label);
    }
    // Its fields: time first, then names that are not empty
    for (t->columns = 0;; ++t->columns) {
        hf_csv_field field;
        HF_TRY(hf_csv_next(&t->csv, &field, &more));
        if (!more) {
            break;
        }
        if (t->columns == 0 && strcmp(field.text, "time") != 0) {
            return hf_csv_fail(&t->csv, field.column, HF_ERROR_SYNTAX,
                               "the first column must be 'time', not '%.*s'", shown(&field),
                               field.text);
        }
        if (field.length == 0) {
            return hf_csv_fail(&t->csv, field.column, HF_ERROR_SYNTAX, "column %d has no name",
                               t->columns + 1);
        }
        if (t->columns > 0) {
            HF_TRY(add_name(t, &field));
        }
    }
    // The recording takes the names over
    HF_TRY(hf_recording_allocate(t->recording, t->named, t->csv.error));
    for (int i = 0; i < t->named; ++i) {
        t->recording->names[i] = t->names[i];
    }
    t->named = 0; // the recording owns them
    return HF_OK;
}

// ------------------------------------------------------------------------------------------------
// Rows

static bool grow_column(double **column, size_t capacity)
{
    double *larger = realloc(*column, capacity * sizeof **column);
    if (larger != NULL) {
        *column = larger;
    }
    return larger != NULL;
}

static hf_status grow(table *t)
{
    size_t capacity = t->capacity == 0 ? FIRST_CAPACITY : 2 * t->capacity;
    bool good =
        capacity <= SIZE_MAX / 4 / sizeof(double) && grow_column(&t->recording->time, capacity);
    for (int i = 0; good && i < t->recording->channel_count; ++i) {
        good = grow_column(&t->recording->values[i], capacity);
    }
    if (!good) {
        return hf_csv_fail(&t->csv, 1, HF_ERROR_MEMORY, "out of memory for %zu samples", capacity);
    }
    t->capacity = capacity;
    return HF_OK;
}

static hf_status read_row(table *t)
{
    size_t sample = (size_t)t->recording->samples;
    if (sample == t->capacity) {
        HF_TRY(grow(t));
    }
    bool more = true;
    int i = 0, beyond = 0;
    for (; i < t->columns; ++i) {
        hf_csv_field field;
        HF_TRY(hf_csv_next(&t->csv, &field, &more));
        if (!more) {
            break;
        }
        double *column = i == 0 ? t->recording->time : t->recording->values[i - 1];
        if (!hf_number_parse(field.text, field.length, &column[sample])) {
            return hf_csv_fail(&t->csv, field.column, HF_ERROR_SYNTAX,
                               "expected a number, not '%.*s'", shown(&field), field.text);
        }
    }
    HF_TRY(hf_csv_rest(&t->csv, &beyond));
    if (i < t->columns || beyond > 0) {
        return hf_csv_fail(&t->csv, 1, HF_ERROR_SYNTAX,
                           "expected %d numbers as in the header, not %d", t->columns, i + beyond);
    }
    t->recording->samples += 1;
    return HF_OK;
}

static hf_status read_rows(table *t)
{
    int blank = 0; // number of the first blank line; blank lines may only end the file
    for (;;) {
        bool more = false;
        HF_TRY(hf_csv_line(&t->csv, &more));
        if (!more) {
            return HF_OK;
        }
        if (hf_csv_is_blank(&t->csv)) {
            blank = blank == 0 ? t->csv.number : blank;
            continue;
        }
        if (blank != 0) {
            t->csv.number = blank;
            return hf_csv_fail(&t->csv, 1, HF_ERROR_SYNTAX,
                               "expected %d numbers, not an empty line", t->columns);
        }
        if (!t->csv.ended) {
            t->recording->truncated = true; // its last number may be cut: 12 of 12.5
            return HF_OK;
        }
        HF_TRY(read_row(t));
    }
}

hf_status hf_csv_read_stream(FILE *file, const char *label, hf_recording *recording,
                             hf_error *error)
{
    table t = {.csv = {.file = file, .label = label, .error = error}, .recording = recording};
    hf_status status = read_header(&t);
    if (status == HF_OK) {
        status = read_rows(&t);
    }
    while (t.named > 0) {
        free(t.names[--t.named]);
    }
    free(t.names);
    hf_csv_free(&t.csv);
    return status;
}

hf_status hf_csv_read(const char *path, hf_recording *recording, hf_error *error)
{
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return hf_error_set(error, HF_ERROR_FILE, "%.300s: cannot open: %s", path, strerror(errno));
    }
    hf_status status = hf_csv_read_stream(file, path, recording, error);
    (void)fclose(file);
    return status;
}
