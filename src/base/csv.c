// SPDX-License-Identifier: Apache-2.0
// CSV: the only reader of it (RFC 4180), and the rule by which texts are quoted.
#include "base/csv.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { FIRST_ROOM = 1 << 16, MESSAGE_SIZE = 256 };

hf_status hf_csv_fail(const hf_csv *csv, int column, hf_status status, const char *format, ...)
{
    char text[MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    (void)hf_error_set(csv->error, status, "%s", text);
    hf_error_locate(csv->error, csv->label, csv->number > 0 ? csv->number : 1, column);
    return status;
}

void hf_csv_free(hf_csv *csv)
{
    free(csv->buffer);
    csv->buffer = NULL;
    csv->room = csv->start = csv->end = 0;
}

// ------------------------------------------------------------------------------------------------
// Lines

static void count_line(hf_csv *csv)
{
    csv->number += csv->number < INT_MAX ? 1 : 0;
}

// Makes room behind the bytes read ahead; one byte stays free for the zero that ends a line.
static hf_status make_room(hf_csv *csv)
{
    size_t kept = csv->end - csv->start;
    if (csv->start > 0) {
        memmove(csv->buffer, csv->buffer + csv->start, kept);
        csv->start = 0;
        csv->end = kept;
    }
    if (csv->end + 1 < csv->room) {
        return HF_OK;
    }
    if (csv->room > HF_CSV_LONGEST_LINE) {
        count_line(csv);
        return hf_csv_fail(csv, 1, HF_ERROR_RANGE,
                           "a line is longer than %d MiB: this is not a CSV file",
                           HF_CSV_LONGEST_LINE >> 20);
    }
    size_t room = csv->room == 0 ? FIRST_ROOM : 2 * csv->room;
    char *larger = realloc(csv->buffer, room);
    if (larger == NULL) {
        return hf_csv_fail(csv, 1, HF_ERROR_MEMORY, "out of memory for a line of %zu bytes", room);
    }
    csv->buffer = larger;
    csv->room = room;
    return HF_OK;
}

// Reads more bytes. *more false: the file has ended.
static hf_status read_more(hf_csv *csv, bool *more)
{
    HF_TRY(make_room(csv));
    errno = 0;
    size_t count = fread(csv->buffer + csv->end, 1, csv->room - 1 - csv->end, csv->file);
    if (count == 0 && ferror(csv->file)) {
        return hf_error_set(csv->error, HF_ERROR_FILE, "%.300s: cannot read: %s", csv->label,
                            strerror(errno));
    }
    csv->end += count;
    *more = count > 0;
    return HF_OK;
}

// A text has no zero bytes: say so at the first one, however long its line would be.
static hf_status refuse_zeros(hf_csv *csv, const char *from, size_t length)
{
    const char *zero = memchr(from, '\0', length);
    if (zero == NULL) {
        return HF_OK;
    }
    count_line(csv);
    return hf_csv_fail(csv, (int)(zero - (csv->buffer + csv->start)) + 1, HF_ERROR_SYNTAX,
                       "a zero byte: this is not a CSV file");
}

hf_status hf_csv_line(hf_csv *csv, bool *more)
{
    *more = true;
    char *newline = NULL;
    size_t seen = 0; // bytes of this line that were looked at
    // Read until the line has its end, or the file ends
    for (;;) {
        const size_t ahead = csv->end - csv->start - seen;
        char *from = ahead > 0 ? csv->buffer + csv->start + seen : NULL;
        newline = ahead > 0 ? memchr(from, '\n', ahead) : NULL;
        const size_t length = newline == NULL ? ahead : (size_t)(newline - from);
        if (length > 0) {
            HF_TRY(refuse_zeros(csv, from, length));
        }
        seen += length;
        if (newline != NULL) {
            break;
        }
        HF_TRY(read_more(csv, more));
        if (!*more) {
            break;
        }
    }
    csv->ended = newline != NULL;
    *more = csv->ended || seen > 0;
    if (!*more) {
        return HF_OK;
    }
    // Cut the line out of the buffer
    csv->line = csv->buffer + csv->start;
    csv->length = seen;
    csv->start += seen + (csv->ended ? 1 : 0);
    count_line(csv);
    if (csv->length > 0 && csv->line[csv->length - 1] == '\r') {
        csv->length -= 1;
    }
    csv->line[csv->length] = '\0';
    csv->next = csv->number == 1 && strncmp(csv->line, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    return HF_OK;
}

bool hf_csv_is_blank(const hf_csv *csv)
{
    return csv->line[strspn(csv->line, " \t")] == '\0';
}

// ------------------------------------------------------------------------------------------------
// Fields

static bool is_formula(const char *text)
{
    text += strspn(text, "'");
    return *text == '=' || *text == '+' || *text == '-' || *text == '@';
}

// A field in quotes, whose first quote is at line[at]. Its text moves to the front of it.
static hf_status take_quoted(hf_csv *csv, size_t at, hf_csv_field *field)
{
    char *line = csv->line;
    size_t from = at + 1, to = at;
    while (line[from] != '\0' && !(line[from] == '"' && line[from + 1] != '"')) {
        from += line[from] == '"' ? 1 : 0;
        line[to++] = line[from++];
    }
    if (line[from] == '\0') {
        return hf_csv_fail(csv, (int)at + 1, HF_ERROR_SYNTAX,
                           "a quoted field does not end on its line");
    }
    size_t behind = from + 1 + strspn(line + from + 1, " \t");
    if (line[behind] != ',' && line[behind] != '\0') {
        return hf_csv_fail(csv, (int)behind + 1, HF_ERROR_SYNTAX,
                           "expected ',' after a quoted field");
    }
    csv->next = behind + 1;
    line[to] = '\0';
    *field = (hf_csv_field){line + at, to - at, (int)at + 1};
    if (field->text[0] == '\'' && is_formula(field->text)) {
        field->text += 1;
        field->length -= 1;
    }
    return HF_OK;
}

hf_status hf_csv_next(hf_csv *csv, hf_csv_field *field, bool *more)
{
    *field = (hf_csv_field){0};
    *more = csv->next <= csv->length;
    if (!*more) {
        return HF_OK;
    }
    size_t at = csv->next + strspn(csv->line + csv->next, " \t");
    if (csv->line[at] == '"') {
        return take_quoted(csv, at, field);
    }
    size_t length = strcspn(csv->line + at, ",");
    csv->next = at + length + 1;
    while (length > 0 && strchr(" \t", csv->line[at + length - 1]) != NULL) {
        length -= 1;
    }
    csv->line[at + length] = '\0';
    *field = (hf_csv_field){csv->line + at, length, (int)at + 1};
    return HF_OK;
}

hf_status hf_csv_rest(hf_csv *csv, int *count)
{
    hf_csv_field field;
    bool more = true;
    for (*count = 0;; *count += *count < INT_MAX ? 1 : 0) {
        HF_TRY(hf_csv_next(csv, &field, &more));
        if (!more) {
            return HF_OK;
        }
    }
}

// Whether a text can only be read back, or stands safely in a spreadsheet, in quotes.
static bool needs_quotes(const char *text)
{
    size_t size = strlen(text);
    return is_formula(text) || text[strcspn(text, ",\"\r\n")] != '\0' ||
           (size > 0 && (strchr(" \t", text[0]) != NULL || strchr(" \t", text[size - 1]) != NULL));
}

size_t hf_csv_put_text(char *to, const char *text)
{
    size_t length = 0;
    if (!needs_quotes(text)) {
        length = strlen(text);
        memcpy(to, text, length);
        return length;
    }
    to[length++] = '"';
    if (is_formula(text)) {
        to[length++] = '\'';
    }
    for (; *text != '\0'; ++text) {
        if (*text == '"') {
            to[length++] = '"';
        }
        to[length++] = *text;
    }
    to[length++] = '"';
    return length;
}

void hf_csv_write_text(FILE *file, const char *text)
{
    if (!needs_quotes(text)) {
        (void)fputs(text, file);
        return;
    }
    (void)fputs(is_formula(text) ? "\"'" : "\"", file);
    for (; *text != '\0'; ++text) {
        (void)fputs(*text == '"' ? "\"" : "", file);
        (void)fputc(*text, file);
    }
    (void)fputc('"', file);
}
