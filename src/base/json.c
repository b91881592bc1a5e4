// SPDX-License-Identifier: Apache-2.0
// JSON, written value by value, with all text escaped for JSON and for HTML.
#include "base/json.h"

#include <math.h>

#include "base/number.h"
#include "base/text.h"

static bool needs_escape(unsigned char c)
{
    return c < 0x20 || c == 0x7F || c == '<' || c == '>' || c == '&';
}

// A text with its quotes.
static void write_text(FILE *file, const char *text)
{
    (void)fputc('"', file);
    while (*text != '\0') {
        size_t length = hf_utf8_length(text, HF_UTF8_MOST);
        if (length == 0) {
            (void)fputs("\\ufffd", file);
            length = 1;
        } else if (*text == '"' || *text == '\\') {
            (void)fprintf(file, "\\%c", *text);
        } else if (needs_escape((unsigned char)*text)) {
            (void)fprintf(file, "\\u%04x", (unsigned)*text);
        } else {
            (void)fwrite(text, 1, length, file);
        }
        text += length;
    }
    (void)fputc('"', file);
}

// What stands before a value: the comma, the place on its line, the key.
static void begin_value(hf_json *json, const char *key)
{
    if (key == NULL) {
        (void)fputs(!json->filled ? "" : json->compact ? "," : ", ", json->file);
    } else {
        (void)fputs(json->filled ? "," : "", json->file);
        if (!json->compact) {
            (void)fprintf(json->file, "\n%*s", 2 * json->depth, "");
        }
        write_text(json->file, key);
        (void)fputs(json->compact ? ":" : ": ", json->file);
    }
    json->filled = true;
}

void hf_json_begin(hf_json *json, const char *key)
{
    begin_value(json, key);
    (void)fputc('{', json->file);
    json->depth += 1;
    json->filled = false;
}

void hf_json_end(hf_json *json)
{
    json->depth -= 1;
    if (json->filled && !json->compact) {
        (void)fprintf(json->file, "\n%*s", 2 * json->depth, "");
    }
    (void)fputs(json->depth == 0 && !json->compact ? "}\n" : "}", json->file);
    json->filled = true;
}

void hf_json_begin_list(hf_json *json, const char *key)
{
    begin_value(json, key);
    (void)fputc('[', json->file);
    json->filled = false;
}

void hf_json_end_list(hf_json *json)
{
    (void)fputc(']', json->file);
    json->filled = true;
}

void hf_json_number(hf_json *json, const char *key, double value)
{
    char text[HF_NUMBER_SIZE] = "null";
    if (isfinite(value)) {
        (void)hf_number_format(value, text);
    }
    begin_value(json, key);
    (void)fputs(text, json->file);
}

void hf_json_numbers(hf_json *json, const char *key, const double *values, int count)
{
    hf_json_begin_list(json, key);
    for (int i = 0; i < count; ++i) {
        hf_json_number(json, NULL, values[i]);
    }
    hf_json_end_list(json);
}

void hf_json_count(hf_json *json, const char *key, long long value)
{
    begin_value(json, key);
    (void)fprintf(json->file, "%lld", value);
}

void hf_json_flag(hf_json *json, const char *key, bool value)
{
    begin_value(json, key);
    (void)fputs(value ? "true" : "false", json->file);
}

void hf_json_text(hf_json *json, const char *key, const char *text)
{
    begin_value(json, key);
    write_text(json->file, text);
}

void hf_json_raw(hf_json *json, const char *key, const char *text)
{
    begin_value(json, key);
    (void)fputs(text, json->file);
}
