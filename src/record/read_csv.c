// SPDX-License-Identifier: Apache-2.0
// CSV in: line by line, into columns that grow together. Errors carry line and column.
#include <errno.h>
#include <locale.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "record/number.h"
#include "record/reader.h"

enum { FIRST_CAPACITY = 1024, LONGEST_LINE = 1 << 28 };

typedef struct table {
    const char *path;
    FILE *file;
    char *line; // the present line, without its end
    size_t room;
    size_t length;
    int number;  // of the line, from 1
    bool ended;  // the line has its end of line
    int columns; // with time
    size_t capacity;
    hf_recording *recording;
    hf_error *error;
} table;

static hf_status fail(const table *t, size_t offset, hf_status status)
{
    hf_error_locate(t->error, t->path, t->number, (int)offset + 1);
    return status;
}

#define FAIL(t, offset, status, ...) fail(t, offset, hf_error_set((t)->error, status, __VA_ARGS__))

// Reads the next line. False at the end of the file or on failure, told apart by *status.
static bool next_line(table *t, hf_status *status)
{
    errno = 0;
    ssize_t got = getline(&t->line, &t->room, t->file);
    *status = HF_OK;
    if (got < 0) {
        if (ferror(t->file) || errno != 0) {
            *status = hf_error_set(t->error, HF_ERROR_FILE, "%.300s: cannot read: %s", t->path,
                                   strerror(errno));
        }
        return false;
    }
    t->length = (size_t)got;
    t->number += t->number < INT32_MAX ? 1 : 0;
    if (t->length > LONGEST_LINE) {
        *status = FAIL(t, 0, HF_ERROR_RANGE, "a line of %zu bytes is too long", t->length);
        return false;
    }
    t->ended = t->line[t->length - 1] == '\n';
    if (t->ended) {
        t->line[--t->length] = '\0';
    }
    if (t->length > 0 && t->line[t->length - 1] == '\r') {
        t->line[--t->length] = '\0';
    }
    size_t text = strlen(t->line);
    if (text != t->length) {
        *status = FAIL(t, text, HF_ERROR_SYNTAX, "a zero byte: this is not a CSV file");
        return false;
    }
    return true;
}

// The field at *offset: its text within the line (quotes removed in place), and *offset behind its
// comma, or one beyond the line's end when it was the last.
static hf_status next_field(table *t, size_t *offset, char **text, size_t *length)
{
    char *start = t->line + *offset;
    if (*start != '"') {
        *length = strcspn(start, ",");
        *text = start;
        *offset += *length + 1;
        return HF_OK;
    }
    size_t from = 1, to = 0;
    while (start[from] != '\0' && !(start[from] == '"' && start[from + 1] != '"')) {
        from += start[from] == '"' ? 1 : 0;
        start[to++] = start[from++];
    }
    if (start[from] == '\0') {
        return FAIL(t, *offset, HF_ERROR_SYNTAX, "a quoted field does not end on its line");
    }
    if (start[from + 1] != ',' && start[from + 1] != '\0') {
        return FAIL(t, *offset + from + 1, HF_ERROR_SYNTAX, "expected ',' after a quoted field");
    }
    *text = start;
    *length = to;
    *offset += from + 2;
    start[to] = '\0';
    return HF_OK;
}

static int count_fields(const char *line)
{
    int count = 1;
    bool quoted = false;
    for (const char *c = line; *c != '\0'; ++c) {
        quoted = *c == '"' ? !quoted : quoted;
        count += *c == ',' && !quoted && count < INT32_MAX ? 1 : 0;
    }
    return count;
}

static hf_status read_header(table *t)
{
    hf_status status = HF_OK;
    if (!next_line(t, &status)) {
        return status != HF_OK ? status
                               : hf_error_set(t->error, HF_ERROR_SYNTAX,
                                              "%.300s: the file is empty, expected a header "
                                              "'time,...'",
                                              t->path);
    }
    size_t offset = strncmp(t->line, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0; // byte order mark
    t->columns = count_fields(t->line + offset);
    status = hf_recording_allocate(t->recording, t->columns - 1, t->error);
    if (status != HF_OK) {
        return fail(t, 0, status);
    }
    for (int i = 0; i < t->columns; ++i) {
        char *name = NULL;
        size_t length = 0, start = offset;
        HF_TRY(next_field(t, &offset, &name, &length));
        if (i == 0 && (length != 4 || memcmp(name, "time", 4) != 0)) {
            return FAIL(t, start, HF_ERROR_SYNTAX, "the first column must be 'time', not '%.*s'",
                        (int)(length < 40 ? length : 40), name);
        }
        if (length == 0) {
            return FAIL(t, start, HF_ERROR_SYNTAX, "column %d has no name", i + 1);
        }
        if (i > 0 && (t->recording->names[i - 1] = strndup(name, length)) == NULL) {
            return FAIL(t, start, HF_ERROR_MEMORY, "out of memory for %d channels", t->columns - 1);
        }
    }
    return HF_OK;
}

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
        return FAIL(t, 0, HF_ERROR_MEMORY, "out of memory for %zu samples", capacity);
    }
    t->capacity = capacity;
    return HF_OK;
}

static hf_status read_row(table *t)
{
    size_t sample = (size_t)t->recording->samples, offset = 0;
    if (sample == t->capacity) {
        HF_TRY(grow(t));
    }
    int i = 0;
    for (; i < t->columns && offset <= t->length; ++i) {
        char *text = NULL;
        size_t length = 0, start = offset;
        double *column = i == 0 ? t->recording->time : t->recording->values[i - 1];
        HF_TRY(next_field(t, &offset, &text, &length));
        if (!hf_number_parse(text, length, &column[sample])) {
            return FAIL(t, start, HF_ERROR_SYNTAX, "expected a number, not '%.*s'",
                        (int)(length < 40 ? length : 40), text);
        }
    }
    if (i < t->columns || offset <= t->length) {
        return FAIL(t, 0, HF_ERROR_SYNTAX, "expected %d numbers as in the header, not %d",
                    t->columns, count_fields(t->line));
    }
    t->recording->samples += 1;
    return HF_OK;
}

static hf_status read_rows(table *t)
{
    hf_status status = HF_OK;
    int blank = 0; // number of the first blank line; blank lines may only end the file
    while (next_line(t, &status)) {
        if (t->length == 0) {
            blank = blank == 0 ? t->number : blank;
            continue;
        }
        if (blank != 0) {
            t->number = blank;
            return FAIL(t, 0, HF_ERROR_SYNTAX, "expected %d numbers, not an empty line",
                        t->columns);
        }
        if (!t->ended) {
            t->recording->truncated = true; // its last number may be cut: 12 of 12.5
            return HF_OK;
        }
        HF_TRY(read_row(t));
    }
    return status;
}

hf_status hf_csv_read(const char *path, hf_recording *recording, hf_error *error)
{
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return hf_error_set(error, HF_ERROR_FILE, "%.300s: cannot open: %s", path, strerror(errno));
    }
    locale_t locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t before = uselocale(locale);
    table t = {.path = path, .file = file, .recording = recording, .error = error};
    hf_status status = read_header(&t);
    if (status == HF_OK) {
        status = read_rows(&t);
    }
    (void)uselocale(before);
    if (locale != (locale_t)0) {
        freelocale(locale);
    }
    free(t.line);
    (void)fclose(file);
    return status;
}
