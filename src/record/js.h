// SPDX-License-Identifier: Apache-2.0
// JSON, written value by value into a growing text. Keys and texts may be anything: bytes that are
// not UTF-8 become U+FFFD, and `<`, `>`, `&` are written as escapes, so that the text may stand
// inside an HTML page.
#ifndef HF_RECORD_JS_H
#define HF_RECORD_JS_H

#include <locale.h>
#include <stdbool.h>
#include <stdio.h>

typedef struct hf_js {
    FILE *file;
    bool filled;            // the present object or array has a value
    locale_t plain, before; // numbers have a decimal point whatever the program's language
} hf_js;

// Between these two the thread's locale is "C". False when out of memory.
bool hf_js_start(hf_js *js, FILE *file);
void hf_js_stop(hf_js *js);

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

// A text with its quotes, alone.
void hf_js_write_text(FILE *file, const char *text);

#endif
