// SPDX-License-Identifier: Apache-2.0
// JSON, written value by value. Keys and texts may be anything: bytes that are not UTF-8 become
// U+FFFD, and `<`, `>`, `&` are written as escapes, so that the text may stand inside an HTML page.
#ifndef HF_BASE_JSON_H
#define HF_BASE_JSON_H

#include <stdbool.h>
#include <stdio.h>

// {file}: nothing written yet, for people: one member a line. {file, .compact = true}: for
// programs.
typedef struct hf_json {
    FILE *file;
    bool compact;
    int depth;   // of objects
    bool filled; // the present object or list has a value
} hf_json;

// Begins an object. A key of NULL: the outermost value, or one in a list.
void hf_json_begin(hf_json *json, const char *key);
void hf_json_end(hf_json *json);
void hf_json_begin_list(hf_json *json, const char *key);
void hf_json_end_list(hf_json *json);

// NaN and infinite numbers become null: JSON has none.
void hf_json_number(hf_json *json, const char *key, double value);
void hf_json_numbers(hf_json *json, const char *key, const double *values, int count);
void hf_json_count(hf_json *json, const char *key, long long value);
void hf_json_flag(hf_json *json, const char *key, bool value);
void hf_json_text(hf_json *json, const char *key, const char *text);
// A value that is JSON already.
void hf_json_raw(hf_json *json, const char *key, const char *text);

#endif
