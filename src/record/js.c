// SPDX-License-Identifier: Apache-2.0
#include "record/js.h"

#include <math.h>

#include "record/number.h"

bool hf_js_start(hf_js *js, FILE *file)
{
    *js = (hf_js){.file = file, .plain = newlocale(LC_ALL_MASK, "C", (locale_t)0)};
    if (js->plain == (locale_t)0) {
        return false;
    }
    js->before = uselocale(js->plain);
    return true;
}

void hf_js_stop(hf_js *js)
{
    (void)uselocale(js->before);
    freelocale(js->plain);
}

// Bytes of the UTF-8 character at text, or 0 when it is none (RFC 3629).
static int character_length(const unsigned char *text)
{
    int length = 0;
    unsigned char low = 0x80, high = 0xBF; // range of the second byte
    if (text[0] < 0x80) {
        return 1;
    }
    if (text[0] >= 0xC2 && text[0] <= 0xDF) {
        length = 2;
    } else if (text[0] >= 0xE0 && text[0] <= 0xEF) {
        length = 3;
        low = text[0] == 0xE0 ? 0xA0 : low;
        high = text[0] == 0xED ? 0x9F : high;
    } else if (text[0] >= 0xF0 && text[0] <= 0xF4) {
        length = 4;
        low = text[0] == 0xF0 ? 0x90 : low;
        high = text[0] == 0xF4 ? 0x8F : high;
    }
    for (int i = 1; i < length; ++i) {
        if (text[i] < low || text[i] > high) {
            return 0;
        }
        low = 0x80;
        high = 0xBF;
    }
    return length;
}

static bool needs_escape(unsigned char c)
{
    return c < 0x20 || c == 0x7F || c == '<' || c == '>' || c == '&';
}

void hf_js_write_text(FILE *file, const char *text)
{
    (void)fputc('"', file);
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0';) {
        int length = character_length(c);
        if (length == 0) {
            (void)fputs("\\ufffd", file);
            length = 1;
        } else if (*c == '"' || *c == '\\') {
            (void)fprintf(file, "\\%c", *c);
        } else if (needs_escape(*c)) {
            (void)fprintf(file, "\\u%04x", (unsigned)*c);
        } else {
            (void)fwrite(c, 1, (size_t)length, file);
        }
        c += length;
    }
    (void)fputc('"', file);
}

static void begin_value(hf_js *js, const char *key)
{
    if (js->filled) {
        (void)fputc(',', js->file);
    }
    if (key != NULL) {
        hf_js_write_text(js->file, key);
        (void)fputc(':', js->file);
    }
    js->filled = true;
}

void hf_js_object(hf_js *js, const char *key)
{
    begin_value(js, key);
    (void)fputc('{', js->file);
    js->filled = false;
}

void hf_js_object_end(hf_js *js)
{
    (void)fputc('}', js->file);
    js->filled = true;
}

void hf_js_array(hf_js *js, const char *key)
{
    begin_value(js, key);
    (void)fputc('[', js->file);
    js->filled = false;
}

void hf_js_array_end(hf_js *js)
{
    (void)fputc(']', js->file);
    js->filled = true;
}

void hf_js_number(hf_js *js, const char *key, double value)
{
    char text[HF_NUMBER_SIZE] = "null";
    if (isfinite(value)) {
        (void)hf_number_format(value, text);
    }
    begin_value(js, key);
    (void)fputs(text, js->file);
}

void hf_js_numbers(hf_js *js, const char *key, const double *values, int count)
{
    hf_js_array(js, key);
    for (int i = 0; i < count; ++i) {
        hf_js_number(js, NULL, values[i]);
    }
    hf_js_array_end(js);
}

void hf_js_count(hf_js *js, const char *key, long long value)
{
    begin_value(js, key);
    (void)fprintf(js->file, "%lld", value);
}

void hf_js_flag(hf_js *js, const char *key, bool value)
{
    begin_value(js, key);
    (void)fputs(value ? "true" : "false", js->file);
}

void hf_js_text(hf_js *js, const char *key, const char *text)
{
    begin_value(js, key);
    hf_js_write_text(js->file, text);
}
