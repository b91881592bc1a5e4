// SPDX-License-Identifier: Apache-2.0
// Logs: CSV into columns. A number that is not finite or a time that does not rise is refused at
// its place: a fit must not guess what was meant.
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <holdfast/fit.h>

#include "base/csv.h"
#include "base/error.h"
#include "base/number.h"
#include "base/text.h"

enum { FIRST_CAPACITY = 1024, MOST_COLUMNS = 4096, SHOWN = 40 };

typedef struct reader {
    hf_csv csv;
    hf_fit_log *log;
    int time_column; // among all columns, from 0
    size_t capacity;
} reader;

void hf_fit_log_destroy(hf_fit_log *log)
{
    if (log == NULL) {
        return;
    }
    for (int i = 0; i < log->column_count; ++i) {
        free(log->names == NULL ? NULL : log->names[i]);
        free(log->columns == NULL ? NULL : log->columns[i]);
    }
    free(log->names);
    free(log->columns);
    free(log->time);
    free(log->name);
    free(log);
}

hf_fit_log *hf_fit_log_create(const char *name, long long rows, const char *const *names,
                              int column_count)
{
    hf_fit_log *log = calloc(1, sizeof *log);
    if (log == NULL) {
        return NULL;
    }
    size_t count = (size_t)column_count, room = rows > 0 ? (size_t)rows : 1;
    log->name = hf_text_copy(name, strlen(name));
    log->rows = rows;
    log->time = calloc(room, sizeof *log->time);
    log->names = calloc(count + 1, sizeof *log->names);
    log->columns = calloc(count + 1, sizeof *log->columns);
    bool good =
        log->name != NULL && log->time != NULL && log->names != NULL && log->columns != NULL;
    log->column_count = good ? column_count : 0;
    for (int i = 0; i < column_count && good; ++i) {
        log->names[i] = hf_text_copy(names[i], strlen(names[i]));
        log->columns[i] = calloc(room, sizeof **log->columns);
        good = log->names[i] != NULL && log->columns[i] != NULL;
    }
    if (!good) {
        hf_fit_log_destroy(log);
        return NULL;
    }
    return log;
}

hf_status hf_fit_log_add(hf_fit_log *log, const char *name, double value, hf_error *error)
{
    for (int i = 0; i < log->column_count; ++i) {
        if (strcmp(log->names[i], name) == 0) {
            return hf_error_set(error, HF_ERROR_INPUT, "%.200s: there is a column '%.*s' already",
                                log->name, SHOWN, name);
        }
    }
    size_t room = (size_t)log->column_count + 2;
    char **names = realloc(log->names, room * sizeof *names);
    log->names = names == NULL ? log->names : names;
    double **columns = realloc(log->columns, room * sizeof *columns);
    log->columns = columns == NULL ? log->columns : columns;
    char *copy = hf_text_copy(name, strlen(name));
    double *numbers = malloc((size_t)log->rows * sizeof *numbers);
    if (names == NULL || columns == NULL || copy == NULL || numbers == NULL) {
        free(copy);
        free(numbers);
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    }
    for (long long k = 0; k < log->rows; ++k) {
        numbers[k] = value;
    }
    names[log->column_count] = copy;
    columns[log->column_count] = numbers;
    log->column_count += 1;
    return HF_OK;
}

// ------------------------------------------------------------------------------------------------
// Header

static hf_status out_of_memory(const reader *r)
{
    return hf_csv_fail(&r->csv, 1, HF_ERROR_MEMORY, "out of memory");
}

static hf_status add_column(reader *r, const hf_csv_field *field)
{
    hf_fit_log *log = r->log;
    for (int i = 0; i < log->column_count; ++i) {
        if (strcmp(log->names[i], field->text) == 0) {
            return hf_csv_fail(&r->csv, field->column, HF_ERROR_INPUT,
                               "the column '%.*s' is there twice", SHOWN, field->text);
        }
    }
    size_t room = (size_t)log->column_count + 1;
    char **names = realloc(log->names, room * sizeof *names);
    log->names = names == NULL ? log->names : names;
    double **columns = realloc(log->columns, room * sizeof *columns);
    log->columns = columns == NULL ? log->columns : columns;
    char *name = hf_text_copy(field->text, field->length);
    if (names == NULL || columns == NULL || name == NULL) {
        free(name);
        return out_of_memory(r);
    }
    names[log->column_count] = name;
    columns[log->column_count] = NULL;
    log->column_count += 1;
    return HF_OK;
}

// The first name tells why: another name of the time, another separator, a comment.
static hf_status no_time(const reader *r)
{
    const char *first = r->log->names[0];
    bool separated = strpbrk(first, ";\t") != NULL;
    return hf_csv_fail(&r->csv, 1, HF_ERROR_NAME,
                       "there is no column 'time'; the first is '%.*s'%s", SHOWN, first,
                       separated ? ": expected commas between columns" : "");
}

static hf_status read_header(reader *r)
{
    bool more = false;
    HF_TRY(hf_csv_line(&r->csv, &more));
    if (!more) {
        return hf_csv_fail(&r->csv, 1, HF_ERROR_SYNTAX,
                           "the file is empty, expected a line of column names");
    }
    r->time_column = -1;
    for (int i = 0;; ++i) {
        hf_csv_field field;
        HF_TRY(hf_csv_next(&r->csv, &field, &more));
        if (!more) {
            break;
        }
        if (i >= MOST_COLUMNS) {
            return hf_csv_fail(&r->csv, field.column, HF_ERROR_RANGE, "more than %d columns",
                               MOST_COLUMNS);
        }
        if (strcmp(field.text, "time") == 0 && r->time_column < 0) {
            r->time_column = i;
        } else {
            HF_TRY(add_column(r, &field));
        }
    }
    return r->time_column >= 0 ? HF_OK : no_time(r);
}

// ------------------------------------------------------------------------------------------------
// Rows

static hf_status grow(reader *r)
{
    hf_fit_log *log = r->log;
    size_t capacity = r->capacity == 0 ? FIRST_CAPACITY : 2 * r->capacity;
    if (capacity > SIZE_MAX / 4 / sizeof(double)) {
        return out_of_memory(r);
    }
    for (int i = -1; i < log->column_count; ++i) {
        double **column = i < 0 ? &log->time : &log->columns[i];
        double *larger = realloc(*column, capacity * sizeof **column);
        if (larger == NULL) {
            return out_of_memory(r);
        }
        *column = larger;
    }
    r->capacity = capacity;
    return HF_OK;
}

static hf_status read_number(reader *r, const hf_csv_field *field, double *number)
{
    int shown = field->length < SHOWN ? (int)field->length : SHOWN;
    if (!hf_number_parse(field->text, field->length, number)) {
        return hf_csv_fail(&r->csv, field->column, HF_ERROR_SYNTAX, "expected a number, got '%.*s'",
                           shown, field->text);
    }
    if (!isfinite(*number)) {
        return hf_csv_fail(&r->csv, field->column, HF_ERROR_RANGE, "the number %.*s is not finite",
                           shown, field->text);
    }
    return HF_OK;
}

static hf_status read_row(reader *r)
{
    hf_fit_log *log = r->log;
    long long row = log->rows;
    // Room for the row
    if ((size_t)row >= r->capacity) {
        HF_TRY(grow(r));
    }
    // As many numbers as there are columns; time rises
    int wanted = log->column_count + 1, next = 0;
    bool more = true;
    for (int i = 0; i < wanted; ++i) {
        hf_csv_field field;
        HF_TRY(hf_csv_next(&r->csv, &field, &more));
        if (!more) {
            return hf_csv_fail(&r->csv, 1, HF_ERROR_SYNTAX, "the row has %d numbers, expected %d",
                               i, wanted);
        }
        double number = 0.0;
        HF_TRY(read_number(r, &field, &number));
        if (i != r->time_column) {
            log->columns[next++][row] = number;
            continue;
        }
        log->time[row] = number;
        if (row > 0 && !(number > log->time[row - 1])) {
            return hf_csv_fail(&r->csv, field.column, HF_ERROR_RANGE,
                               "time must rise, got %g s after %g s", number, log->time[row - 1]);
        }
    }
    // and no more
    int rest = 0;
    HF_TRY(hf_csv_rest(&r->csv, &rest));
    if (rest > 0) {
        return hf_csv_fail(&r->csv, 1, HF_ERROR_SYNTAX, "the row has %d numbers, expected %d",
                           wanted + rest, wanted);
    }
    log->rows += 1;
    return HF_OK;
}

static hf_status read_all(reader *r)
{
    HF_TRY(read_header(r));
    for (bool more = true;;) {
        HF_TRY(hf_csv_line(&r->csv, &more));
        if (!more) {
            break;
        }
        if (!hf_csv_is_blank(&r->csv)) {
            HF_TRY(read_row(r));
        }
    }
    return r->log->rows >= 2 ? HF_OK
                             : hf_csv_fail(&r->csv, 1, HF_ERROR_INPUT,
                                           "a log needs at least two rows of numbers");
}

hf_fit_log *hf_fit_log_read(const char *path, hf_error *error)
{
    hf_error own = {0};
    reader r = {.csv = {.label = path, .error = error == NULL ? &own : error},
                .log = calloc(1, sizeof *r.log)};
    if (r.log == NULL || (r.log->name = hf_text_copy(path, strlen(path))) == NULL) {
        hf_fit_log_destroy(r.log);
        (void)hf_error_set(r.csv.error, HF_ERROR_MEMORY, "%.300s: out of memory", path);
        return NULL;
    }
    r.csv.file = fopen(path, "r");
    hf_status status = r.csv.file == NULL ? hf_error_set(r.csv.error, HF_ERROR_FILE, "%.300s: %s",
                                                         path, strerror(errno))
                                          : read_all(&r);
    hf_csv_free(&r.csv);
    if (r.csv.file != NULL) {
        (void)fclose(r.csv.file);
    }
    if (status < 0) {
        hf_fit_log_destroy(r.log);
        return NULL;
    }
    return r.log;
}
