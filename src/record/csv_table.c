// SPDX-License-Identifier: Apache-2.0
// Tables as CSV. Numbers read back to the same double.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/csv.h"
#include "base/error.h"
#include "base/number.h"
#include "record/table.h"

enum { SHOWN = 40 };

// ------------------------------------------------------------------------------------------------
// Out

static hf_status fail(const char *path, hf_error *error)
{
    return hf_error_set(error, HF_ERROR_FILE, "%.300s: cannot write: %s", path, strerror(errno));
}

static hf_status write_rows(FILE *file, const char *path, const hf_table_plan *plan,
                            double *numbers, const char **texts, hf_error *error)
{
    // The header
    for (int k = 0; k < plan->column_count; ++k) {
        if (k > 0) {
            (void)fputc(',', file);
        }
        hf_csv_write_text(file, plan->columns[k].name);
    }
    (void)fputc('\n', file);
    // Row by row, as the plan hands them out
    for (long long i = 0; i < plan->rows; ++i) {
        HF_TRY(plan->row(plan->context, i, numbers, texts, error));
        for (int k = 0; k < plan->column_count; ++k) {
            char number[HF_NUMBER_SIZE];
            if (k > 0) {
                (void)fputc(',', file);
            }
            if (plan->columns[k].width > 0) {
                hf_csv_write_text(file, texts[k]);
            } else {
                (void)hf_number_format(numbers[k], number);
                (void)fputs(number, file);
            }
        }
        if (fputc('\n', file) == EOF) {
            return fail(path, error);
        }
    }
    return HF_OK;
}

hf_status hf_csv_table_write(const char *place, const char *path, const hf_table_plan *plan,
                             hf_error *error)
{
    size_t columns = (size_t)plan->column_count;
    double *numbers = calloc(columns, sizeof *numbers);
    const char **texts = calloc(columns, sizeof *texts);
    FILE *file = numbers == NULL || texts == NULL ? NULL : fopen(place, "w");
    hf_status status = file != NULL ? write_rows(file, path, plan, numbers, texts, error)
                       : numbers == NULL || texts == NULL
                           ? hf_error_set(error, HF_ERROR_MEMORY, "out of memory for a table")
                           : fail(path, error);
    bool good = file == NULL || (fflush(file) == 0 && ferror(file) == 0);
    if (!good && status == HF_OK) {
        status = fail(path, error);
    }
    if (file != NULL && fclose(file) != 0 && status == HF_OK) {
        status = fail(path, error);
    }
    free(numbers);
    free((void *)texts);
    return status;
}

// ------------------------------------------------------------------------------------------------
// In

typedef struct grid {
    hf_csv csv;
    hf_table *table;
    char **fields; // row by row
    size_t count, capacity;
} grid;

static hf_status out_of_memory(const grid *g)
{
    return hf_error_set(g->csv.error, HF_ERROR_MEMORY, "%.300s: out of memory", g->csv.label);
}

// The fields of a line are added to all others.
static hf_status read_line(grid *g, int *columns)
{
    for (*columns = 0;; ++*columns) {
        hf_csv_field field;
        bool more = false;
        HF_TRY(hf_csv_next(&g->csv, &field, &more));
        if (!more) {
            return HF_OK;
        }
        char **larger = hf_grow((void *)g->fields, g->count, &g->capacity, sizeof *g->fields);
        if (larger == NULL) {
            return out_of_memory(g);
        }
        g->fields = larger;
        g->fields[g->count] = strndup(field.text, field.length);
        if (g->fields[g->count++] == NULL) {
            return out_of_memory(g);
        }
    }
}

static hf_status check_header(const grid *g)
{
    for (size_t k = 0; k < g->count; ++k) {
        if (g->fields[k][0] == '\0') {
            return hf_csv_fail(&g->csv, 1, HF_ERROR_SYNTAX, "column %zu has no name", k + 1);
        }
        for (size_t j = 0; j < k; ++j) {
            if (strcmp(g->fields[j], g->fields[k]) == 0) {
                return hf_csv_fail(&g->csv, 1, HF_ERROR_NAME, "column '%.60s' is there twice",
                                   g->fields[k]);
            }
        }
    }
    return HF_OK;
}

static hf_status read_lines(grid *g, int *width)
{
    bool more = false;
    HF_TRY(hf_csv_line(&g->csv, &more));
    HF_TRY(more ? read_line(g, width) : HF_OK);
    if (*width == 0 || *width > HF_TABLE_COLUMNS_MAX) {
        return hf_error_set(g->csv.error, HF_ERROR_SYNTAX,
                            "%.300s: expected a header with the names of 1 to %d columns",
                            g->csv.label, HF_TABLE_COLUMNS_MAX);
    }
    HF_TRY(check_header(g));
    for (;;) {
        int columns = 0;
        HF_TRY(hf_csv_line(&g->csv, &more));
        if (!more) {
            return HF_OK;
        }
        if (hf_csv_is_blank(&g->csv)) {
            continue;
        }
        HF_TRY(read_line(g, &columns));
        if (columns != *width) {
            return hf_csv_fail(&g->csv, 1, HF_ERROR_SYNTAX, "expected %d fields, got %d", *width,
                               columns);
        }
        g->table->rows += 1;
    }
}

// One column out of the fields: numbers if all of them are, else the texts themselves.
static hf_status take_column(grid *g, int k)
{
    hf_table *t = g->table;
    hf_table_column *column = &t->columns[k];
    size_t rows = (size_t)t->rows, width = (size_t)t->column_count, at = (size_t)k;
    // The name is in the first row
    column->name = g->fields[at];
    g->fields[at] = NULL;
    column->unit = calloc(1, 1);
    column->role = calloc(1, 1);
    column->numbers = calloc(rows + 1, sizeof *column->numbers);
    if (column->unit == NULL || column->role == NULL || column->numbers == NULL) {
        return out_of_memory(g);
    }
    // Numbers, if all fields are
    bool numbers = true;
    for (size_t i = 0; i < rows && numbers; ++i) {
        const char *text = g->fields[(i + 1) * width + at];
        numbers = hf_number_parse(text, strlen(text), &column->numbers[i]);
    }
    if (numbers) {
        return HF_OK;
    }
    // Else texts, which move from the fields to the column
    free(column->numbers);
    column->numbers = NULL;
    column->texts = calloc(rows + 1, sizeof *column->texts);
    if (column->texts == NULL) {
        return out_of_memory(g);
    }
    for (size_t i = 0; i < rows; ++i) {
        column->texts[i] = g->fields[(i + 1) * width + at];
        g->fields[(i + 1) * width + at] = NULL;
    }
    return HF_OK;
}

static hf_status take_columns(grid *g, int width)
{
    g->table->columns = calloc((size_t)width + 1, sizeof *g->table->columns);
    if (g->table->columns == NULL) {
        return out_of_memory(g);
    }
    g->table->column_count = width;
    for (int k = 0; k < width; ++k) {
        HF_TRY(take_column(g, k));
    }
    return HF_OK;
}

hf_status hf_csv_table_read_stream(FILE *file, const char *label, hf_table *table, hf_error *error)
{
    grid g = {.csv = {.file = file, .label = label, .error = error}, .table = table};
    int width = 0;
    hf_status status = read_lines(&g, &width);
    if (status == HF_OK) {
        status = take_columns(&g, width);
    }
    for (size_t i = 0; i < g.count; ++i) {
        free(g.fields[i]);
    }
    free((void *)g.fields);
    hf_csv_free(&g.csv);
    return status;
}

hf_status hf_csv_table_read(const char *path, hf_table *table, hf_error *error)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return hf_error_set(error, HF_ERROR_FILE, "%.300s: cannot open: %s", path, strerror(errno));
    }
    hf_status status = hf_csv_table_read_stream(file, path, table, error);
    (void)fclose(file);
    return status;
}
