// SPDX-License-Identifier: Apache-2.0
// JSON, written value by value into a growing text. Keys and texts may be anything: bytes that are
// not UTF-8 become U+FFFD, and `<`, `>`, `&` are written as escapes, so that the text may stand
// inside an HTML page.
#ifndef HF_RECORD_JS_H
#define HF_RECORD_JS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

// {.file = f}: nothing written yet.
typedef struct hf_js {
    FILE *file;
    bool filled; // the present object or array has a value
} hf_js;

// A key of NULL: within an array, or outermost.
void hf_js_object(hf_js *js, const char *key);
void hf_js_object_end(hf_js *js);
void hf_js_array(hf_js *js, const char *key);
void hf_js_array_end(hf_js *js);
// NaN and infinite numbers become null: JSON has none.
void hf_js_number(hf_js *js, const char *key, double value);
void hf_js_numbers(hf_js *js, const char *key, const double *values, int count);
void hf_js_count(hf_js *js, const char *key, long long value);
void hf_js_flag(hf_js *js, const char *key, bool value);
void hf_js_text(hf_js *js, const char *key, const char *text);

#endif
