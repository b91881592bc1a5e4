// SPDX-License-Identifier: Apache-2.0
// Tables of signals: points in the model file, or two columns of a CSV file in its folder.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/error.h"
#include "base/number.h"
#include "models/reader.h"

enum { MOST_COLUMNS = 4096 };

// ------------------------------------------------------------------------------------------------
// CSV

typedef struct table {
    hf_reader *reader;
    hf_csv csv;
} table;

// Two columns of a file: time and value.
typedef struct columns {
    const char *wanted[2];
    const hf_node *nodes[2]; // where they are named
    int found[2];
} columns;

static bool table_fail(const table *t, int column, const char *format, const char *word)
{
    char text[240];
    (void)snprintf(text, sizeof text, format, word);
    (void)hf_csv_fail(&t->csv, column, HF_ERROR_INPUT, "%s: %s", t->reader->what, text);
    return false;
}

// Indices of the two named columns, by the header.
static bool find_columns(table *t, columns *c)
{
    const char *names[MOST_COLUMNS];
    c->found[0] = c->found[1] = -1;
    bool more = true;
    int count = 0;
    // The header
    for (; count < MOST_COLUMNS; ++count) {
        hf_csv_field field;
        if (hf_csv_next(&t->csv, &field, &more) != HF_OK) {
            return false;
        }
        if (!more) {
            break;
        }
        names[count] = field.text;
        for (int i = 0; i < 2; ++i) {
            if (strcmp(field.text, c->wanted[i]) == 0) {
                if (c->found[i] >= 0) {
                    return table_fail(t, field.column, "the column '%.60s' is there twice",
                                      field.text);
                }
                c->found[i] = count;
            }
        }
    }
    // What is not there, and what may have been meant
    for (int i = 0; i < 2; ++i) {
        if (c->found[i] < 0) {
            char hint[HF_HINT_SIZE];
            return hf_reader_fail(t->reader, c->nodes[i], HF_ERROR_NAME,
                                  "'%.80s' has no column '%.60s'%s", t->csv.label, c->wanted[i],
                                  hf_hint(c->wanted[i], names, count, hint));
        }
    }
    return true;
}

// The numbers in the two columns of the present line.
static bool read_row(table *t, const columns *c, double numbers[2])
{
    bool have[2] = {false, false}, more = true;
    for (int i = 0; !have[0] || !have[1]; ++i) {
        hf_csv_field field;
        if (hf_csv_next(&t->csv, &field, &more) != HF_OK) {
            return false;
        }
        if (!more) {
            return table_fail(t, 1, "the row has %s columns than needed", "fewer");
        }
        for (int k = 0; k < 2; ++k) {
            if (c->found[k] != i) {
                continue;
            }
            if (!hf_number_parse(field.text, field.length, &numbers[k])) {
                return table_fail(t, field.column, "expected a number, got '%.40s'", field.text);
            }
            if (!isfinite(numbers[k])) {
                return table_fail(t, field.column, "the number %.40s is not finite", field.text);
            }
            have[k] = true;
        }
    }
    return true;
}

static size_t count_lines(const char *text)
{
    size_t lines = 1;
    for (const char *s = text; *s != '\0'; ++s) {
        lines += *s == '\n';
    }
    return lines;
}

// The present line and what follows it are blank.
static hf_status only_blanks(table *t, bool *blank)
{
    bool more = true;
    *blank = hf_csv_is_blank(&t->csv);
    while (*blank && more) {
        HF_TRY(hf_csv_line(&t->csv, &more));
        *blank = !more || hf_csv_is_blank(&t->csv);
    }
    return HF_OK;
}

static bool read_rows(table *t, const columns *c, size_t capacity, hf_signal_def *def)
{
    hf_arena *arena = &t->reader->document->arena;
    double *times = hf_arena_alloc(arena, capacity, sizeof *times);
    double *values = hf_arena_alloc(arena, capacity, sizeof *values);
    if (times == NULL || values == NULL) {
        return hf_reader_out_of_memory(t->reader);
    }
    int count = 0;
    for (bool more = true;; ++count) {
        // The next line, unless only blank ones are left
        int number = t->csv.number + 1;
        bool blank = false;
        if (hf_csv_line(&t->csv, &more) != HF_OK) {
            return false;
        }
        if (more && hf_csv_is_blank(&t->csv)) {
            if (only_blanks(t, &blank) != HF_OK) {
                return false;
            }
            if (!blank) {
                t->csv.number = number;
                return table_fail(t, 1, "expected numbers, got %s", "an empty line");
            }
        }
        if (!more || blank) {
            break;
        }
        // Its time and value
        double row[2] = {0};
        if (!read_row(t, c, row)) {
            return false;
        }
        if (count > 0 && !(row[0] > times[count - 1])) {
            char word[64];
            (void)snprintf(word, sizeof word, "%g after %g", row[0], times[count - 1]);
            return table_fail(t, 1, "times must rise, got %s", word);
        }
        times[count] = row[0];
        values[count] = row[1];
    }
    if (count == 0) {
        return table_fail(t, 1, "%s", "the table has no rows");
    }
    def->times = (hf_list){times, count};
    def->values = (hf_list){values, count};
    return true;
}

// Reads the two columns from a file's text.
static bool read_text(hf_reader *reader, const char *label, char *text, size_t length, columns *c,
                      hf_signal_def *def)
{
    table t = {.reader = reader, .csv = {.label = label, .error = reader->error}};
    if (hf_text_check(text, length, label, reader->error) != HF_OK) {
        return false;
    }
    if (length == 0) {
        return table_fail(&t, 1, "%s", "the table is empty");
    }
    t.csv.file = fmemopen(text, length, "r");
    if (t.csv.file == NULL) {
        return hf_reader_out_of_memory(reader);
    }
    bool more = true;
    bool good = hf_csv_line(&t.csv, &more) == HF_OK && find_columns(&t, c) &&
                read_rows(&t, c, count_lines(text), def);
    hf_csv_free(&t.csv);
    (void)fclose(t.csv.file);
    return good;
}

static bool read_csv(hf_reader *reader, const hf_node *node, hf_signal_def *def)
{
    const hf_node *file = hf_node_get(node, "file"), *time = hf_node_get(node, "time");
    const hf_node *column = hf_read_need(reader, node, "column");
    columns c = {.wanted = {"time", NULL}, .nodes = {time == NULL ? file : time, column}};
    if (column == NULL || !hf_read_text(reader, column, &c.wanted[1]) ||
        (time != NULL && !hf_read_text(reader, time, &c.wanted[0]))) {
        return false;
    }
    char *path = hf_reader_resolve(reader, file);
    if (path == NULL) {
        return false;
    }
    char *text = NULL;
    size_t length = 0;
    bool read = hf_text_read(path, file->text, true, &text, &length, reader->error) == HF_OK;
    free(path);
    if (!read) {
        return hf_reader_pass(reader, file, false);
    }
    read = read_text(reader, file->text, text, length, &c, def);
    free(text);
    return read;
}

// ------------------------------------------------------------------------------------------------
// Points in the model file

static bool read_points(hf_reader *reader, const hf_node *node, hf_signal_def *def)
{
    // At least one
    if (!hf_read_kind(reader, node, HF_NODE_LIST, "a list of [time, value]")) {
        return false;
    }
    if (node->count == 0) {
        return hf_reader_fail(reader, node, HF_ERROR_INPUT, "points must have at least one point");
    }
    // Times that rise, and values
    hf_arena *arena = &reader->document->arena;
    double *times = hf_arena_alloc(arena, (size_t)node->count, sizeof *times);
    double *values = hf_arena_alloc(arena, (size_t)node->count, sizeof *values);
    if (times == NULL || values == NULL) {
        return hf_reader_out_of_memory(reader);
    }
    int i = 0;
    for (const hf_node *item = node->first; item != NULL; item = item->next, ++i) {
        double point[2] = {0};
        if (!hf_read_numbers(reader, item, 2, point)) {
            return false;
        }
        if (i > 0 && !(point[0] > times[i - 1])) {
            return hf_reader_fail(reader, item, HF_ERROR_RANGE, "times must rise, got %g after %g",
                                  point[0], times[i - 1]);
        }
        times[i] = point[0];
        values[i] = point[1];
    }
    def->times = (hf_list){times, node->count};
    def->values = (hf_list){values, node->count};
    return true;
}

bool hf_read_table(hf_reader *reader, const hf_node *node, hf_signal_def *def)
{
    static const char *const file_keys[] = {"file", "time", "column", "interpolation", "of"};
    static const char *const point_keys[] = {"points", "interpolation", "of"};
    static const char *const all_keys[] = {"file",   "time",          "column",
                                           "points", "interpolation", "of"};
    static const char *const kinds[] = {"linear", "hold", "smooth"};
    // Points alone, or a map
    if (node->kind == HF_NODE_LIST) {
        def->type = HF_SIGNAL_TABLE;
        return read_points(reader, node, def);
    }
    if (!hf_read_map(reader, node, all_keys, 6)) {
        return false;
    }
    def->type = HF_SIGNAL_TABLE;
    const hf_node *kind_node = hf_node_get(node, "interpolation");
    int kind = 0;
    if (kind_node != NULL && !hf_read_choice(reader, kind_node, kinds, 3, &kind)) {
        return false;
    }
    def->hold = kind == 1;
    def->smooth = kind == 2;
    // Its points, or a file of them
    const hf_node *points = hf_node_get(node, "points");
    if (points != NULL) {
        return hf_read_map(reader, node, point_keys, 3) && read_points(reader, points, def);
    }
    if (hf_node_get(node, "file") == NULL) {
        return hf_reader_fail_key(reader, node, HF_ERROR_INPUT, "a table needs points or a file");
    }
    return hf_read_map(reader, node, file_keys, 5) && read_csv(reader, node, def);
}
