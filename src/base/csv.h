// SPDX-License-Identifier: Apache-2.0
// CSV, line by line and field by field (RFC 4180): the only reader of CSV, and the rule by which
// texts are written.
//
// Fields are separated by commas. Blanks (spaces, tabs) around a field do not belong to it. A field
// in quotes may hold commas and blanks; "" within it is one quote. A quoted field ends on its line.
//
// Spreadsheets take a text that begins with = + - or @ for a formula and run it. Such a text is
// written with an apostrophe before it, in quotes ("'=name"); reading takes the apostrophe away.
#ifndef HF_BASE_CSV_H
#define HF_BASE_CSV_H

#include <stdbool.h>
#include <stdio.h>

#include <holdfast/base.h>

// Bytes of a line, at most: a file may be anything, even /dev/zero.
enum { HF_CSV_LONGEST_LINE = 1 << 26 };

typedef struct hf_csv {
    FILE *file;
    const char *label; // of the file, in messages
    hf_error *error;   // may be NULL
    int number;        // of the present line, from 1
    bool ended;        // the present line has its end of line
    // The present line, ended by a zero, within the buffer
    char *line;
    size_t length;
    size_t next; // offset of its next field; beyond `length`: none
    // Bytes read ahead
    char *buffer;
    size_t room, start, end;
} hf_csv;

typedef struct hf_csv_field {
    char *text; // ended by a zero, within the line
    size_t length;
    int column; // of its first byte in the line, from 1
} hf_csv_field;

// Reads the next line. *more false: there is none. A byte order mark is left out.
HF_NODISCARD hf_status hf_csv_line(hf_csv *csv, bool *more);
// Whether the present line has nothing but blanks.
bool hf_csv_is_blank(const hf_csv *csv);
// Takes the next field off the present line. *more false: there is none.
HF_NODISCARD hf_status hf_csv_next(hf_csv *csv, hf_csv_field *field, bool *more);
// Takes all fields that are left, and says how many they were.
HF_NODISCARD hf_status hf_csv_rest(hf_csv *csv, int *count);
// Fills the error with a text, and the place: label, present line, column.
hf_status hf_csv_fail(const hf_csv *csv, int column, hf_status status, const char *format, ...)
    HF_PRINTF(4, 5);
// Frees the buffer; the file stays open.
void hf_csv_free(hf_csv *csv);

// Writes a text as a field. Returns its length, at most HF_CSV_TEXT_SIZE. No zero is added.
#define HF_CSV_TEXT_SIZE(length) (2 * (length) + 3)
size_t hf_csv_put_text(char *to, const char *text);
// The same to a file; ferror tells of failures.
void hf_csv_write_text(FILE *file, const char *text);

#endif
