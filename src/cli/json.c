// SPDX-License-Identifier: Apache-2.0
#include "cli/json.h"

#include <math.h>
#include <stddef.h>

#include "record/js.h"
#include "record/number.h"

static void begin_member(hf_json *json, const char *key)
{
    if (json->depth > 0) {
        (void)fprintf(json->file, "%s\n%*s", json->filled ? "," : "", 2 * json->depth, "");
        hf_js_write_text(json->file, key);
        (void)fputs(": ", json->file);
    }
    json->filled = true;
}

void hf_json_begin(hf_json *json, const char *key)
{
    begin_member(json, key);
    (void)fputc('{', json->file);
    json->depth += 1;
    json->filled = false;
}

void hf_json_end(hf_json *json)
{
    json->depth -= 1;
    if (json->filled) {
        (void)fprintf(json->file, "\n%*s", 2 * json->depth, "");
    }
    (void)fputs(json->depth == 0 ? "}\n" : "}", json->file);
    json->filled = true;
}

void hf_json_begin_list(hf_json *json, const char *key)
{
    begin_member(json, key);
    (void)fputc('[', json->file);
    json->filled = false;
}

void hf_json_item(hf_json *json, const char *text)
{
    (void)fputs(json->filled ? ", " : "", json->file);
    hf_js_write_text(json->file, text);
    json->filled = true;
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
    begin_member(json, key);
    (void)fputs(text, json->file);
}

void hf_json_count(hf_json *json, const char *key, long long value)
{
    begin_member(json, key);
    (void)fprintf(json->file, "%lld", value);
}

void hf_json_text(hf_json *json, const char *key, const char *text)
{
    begin_member(json, key);
    hf_js_write_text(json->file, text);
}
