// SPDX-License-Identifier: Apache-2.0
// Tables of signals: points in the model file, or two columns of a CSV file in its folder.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "models/reader.h"

enum { MOST_COLUMNS = 4096 };

// ------------------------------------------------------------------------------------------------
// CSV

typedef struct csv {
    hf_reader *reader;
    const char *file; // as written in the model
    char *at;         // next line
    int line;         // of the last line read, from 1
} csv;

static bool csv_fail(const csv *table, int column, const char *format, const char *word)
{
    char text[240];
    (void)snprintf(text, sizeof text, format, word);
    (void)hf_error_set(table->reader->error, HF_ERROR_INPUT, "%s: %s", table->reader->what, text);
    hf_error_locate(table->reader->error, table->file, table->line > 0 ? table->line : 1, column);
    return false;
}

// The next line, ended by a zero; NULL at the end.
static char *next_line(csv *table)
{
    char *line = table->at;
    if (*line == '\0') {
        return NULL;
    }
    size_t length = strcspn(line, "\n");
    table->at = line + length + (line[length] == '\n' ? 1 : 0);
    line[length] = '\0';
    if (length > 0 && line[length - 1] == '\r') {
        line[length - 1] = '\0';
    }
    table->line += 1;
    return line;
}

// Cuts the field at *at off, without blanks and quotes around it; *at moves to the next field, or
// becomes NULL.
static char *next_field(char **at)
{
    char *field = *at, *end = field + strcspn(field, ",");
    *at = *end == ',' ? end + 1 : NULL;
    *end = '\0';
    field += strspn(field, " \t");
    while (end > field && (end[-1] == ' ' || end[-1] == '\t')) {
        *--end = '\0';
    }
    if (end - field >= 2 && field[0] == '"' && end[-1] == '"') {
        *--end = '\0';
        ++field;
    }
    return field;
}

// Indices of the two named columns.
static bool find_columns(csv *table, char *header, const char *const wanted[2], int found[2],
                         const hf_node *const nodes[2])
{
    const char *names[MOST_COLUMNS];
    int count = 0;
    found[0] = found[1] = -1;
    for (char *at = header; at != NULL && count < MOST_COLUMNS; ++count) {
        names[count] = next_field(&at);
        for (int i = 0; i < 2; ++i) {
            if (found[i] < 0 && strcmp(names[count], wanted[i]) == 0) {
                found[i] = count;
            }
        }
    }
    for (int i = 0; i < 2; ++i) {
        if (found[i] < 0) {
            char hint[HF_HINT_SIZE];
            return hf_reader_fail(table->reader, nodes[i], HF_ERROR_NAME,
                                  "'%.80s' has no column '%.60s'%s", table->file, wanted[i],
                                  hf_hint(wanted[i], names, count, hint));
        }
    }
    return true;
}

// The numbers in the two columns of a row.
static bool read_row(const csv *table, char *line, const int columns[2], double numbers[2])
{
    char *start = line, *at = line;
    bool have[2] = {false, false};
    for (int i = 0; at != NULL; ++i) {
        char *field = next_field(&at);
        for (int k = 0; k < 2; ++k) {
            if (columns[k] != i) {
                continue;
            }
            int column = (int)(field - start) + 1;
            hf_node scalar = {.kind = HF_NODE_SCALAR, .plain = true, .text = field};
            if (!hf_node_is_number(&scalar)) {
                return csv_fail(table, column, "expected a number, got '%.40s'", field);
            }
            numbers[k] = strtod(field, NULL);
            if (!isfinite(numbers[k])) {
                return csv_fail(table, column, "the number %.40s is not finite", field);
            }
            have[k] = true;
        }
    }
    if (!have[0] || !have[1]) {
        return csv_fail(table, 1, "the row has %s columns than needed", "fewer");
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

static bool read_rows(csv *table, const int columns[2], hf_signal_def *def)
{
    hf_arena *arena = &table->reader->document->arena;
    size_t capacity = count_lines(table->at);
    double *times = hf_arena_alloc(arena, capacity, sizeof *times);
    double *values = hf_arena_alloc(arena, capacity, sizeof *values);
    if (times == NULL || values == NULL) {
        return hf_reader_out_of_memory(table->reader);
    }
    int count = 0;
    for (char *line; (line = next_line(table)) != NULL; ++count) {
        if (line[strspn(line, " \t")] == '\0' && table->at[strspn(table->at, " \t\r\n")] == '\0') {
            break; // blank lines at the end
        }
        double row[2] = {0};
        if (!read_row(table, line, columns, row)) {
            return false;
        }
        if (count > 0 && !(row[0] > times[count - 1])) {
            char word[64];
            (void)snprintf(word, sizeof word, "%g after %g", row[0], times[count - 1]);
            return csv_fail(table, 1, "times must rise, got %s", word);
        }
        times[count] = row[0];
        values[count] = row[1];
    }
    if (count == 0) {
        return csv_fail(table, 1, "%s", "the table has no rows");
    }
    def->times = (hf_list){times, count};
    def->values = (hf_list){values, count};
    return true;
}

static bool read_csv(hf_reader *reader, const hf_node *node, hf_signal_def *def)
{
    const hf_node *file = hf_node_get(node, "file"), *time = hf_node_get(node, "time");
    const hf_node *column = hf_read_need(reader, node, "column");
    const char *wanted[2] = {"time", NULL};
    if (column == NULL || !hf_read_text(reader, column, &wanted[1]) ||
        (time != NULL && !hf_read_text(reader, time, &wanted[0]))) {
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
    csv table = {.reader = reader, .file = file->text, .at = text};
    const hf_node *nodes[2] = {time == NULL ? file : time, column};
    int columns[2];
    read = hf_text_check(text, length, file->text, reader->error) == HF_OK;
    if (read) {
        table.at += strncmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
        char *header = next_line(&table);
        read = header == NULL ? csv_fail(&table, 1, "%s", "the table is empty")
                              : find_columns(&table, header, wanted, columns, nodes) &&
                                    read_rows(&table, columns, def);
    }
    free(text);
    return read;
}

// ------------------------------------------------------------------------------------------------
// Points in the model file

static bool read_points(hf_reader *reader, const hf_node *node, hf_signal_def *def)
{
    if (!hf_read_kind(reader, node, HF_NODE_LIST, "a list of [time, value]")) {
        return false;
    }
    if (node->count == 0) {
        return hf_reader_fail(reader, node, HF_ERROR_INPUT, "points must have at least one point");
    }
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
    static const char *const file_keys[] = {"file", "time", "column", "interpolation"};
    static const char *const point_keys[] = {"points", "interpolation"};
    static const char *const all_keys[] = {"file", "time", "column", "points", "interpolation"};
    static const char *const kinds[] = {"linear", "hold", "smooth"};
    if (!hf_read_map(reader, node, all_keys, 5)) {
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
    const hf_node *points = hf_node_get(node, "points");
    if (points != NULL) {
        return hf_read_map(reader, node, point_keys, 2) && read_points(reader, points, def);
    }
    if (hf_node_get(node, "file") == NULL) {
        return hf_reader_fail_key(reader, node, HF_ERROR_INPUT, "a table needs points or a file");
    }
    return hf_read_map(reader, node, file_keys, 4) && read_csv(reader, node, def);
}
