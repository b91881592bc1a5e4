// SPDX-License-Identifier: Apache-2.0
#include "cli/json.h"

#include <math.h>
#include <stddef.h>

#include "record/number.h"

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

static void write_text(FILE *file, const char *text)
{
    (void)fputc('"', file);
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0';) {
        int length = character_length(c);
        if (length == 0) {
            (void)fputs("\\ufffd", file);
            length = 1;
        } else if (*c == '"' || *c == '\\') {
            (void)fprintf(file, "\\%c", *c);
        } else if (*c < 0x20 || *c == 0x7F) {
            (void)fprintf(file, "\\u%04x", (unsigned)*c);
        } else {
            (void)fwrite(c, 1, (size_t)length, file);
        }
        c += length;
    }
    (void)fputc('"', file);
}

static void begin_member(hf_json *json, const char *key)
{
    if (json->depth > 0) {
        (void)fprintf(json->file, "%s\n%*s", json->filled ? "," : "", 2 * json->depth, "");
        write_text(json->file, key);
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
    write_text(json->file, text);
}
