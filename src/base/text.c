// SPDX-License-Identifier: Apache-2.0
// Text from outside: checks UTF-8, and leaves out what a terminal would obey.
#include "base/text.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t hf_utf8_length(const char *text, size_t left)
{
    const unsigned char *s = (const unsigned char *)text;
    if (s[0] < 0x80) {
        return 1;
    }
    size_t length = s[0] >= 0xC2 && s[0] <= 0xDF ? 2 : (s[0] & 0xF0) == 0xE0 ? 3 : 4;
    if (s[0] < 0xC2 || s[0] > 0xF4 || length > left) {
        return 0;
    }
    unsigned char low = s[0] == 0xE0 ? 0xA0 : s[0] == 0xF0 ? 0x90 : 0x80;
    unsigned char high = s[0] == 0xED ? 0x9F : s[0] == 0xF4 ? 0x8F : 0xBF;
    if (s[1] < low || s[1] > high) {
        return 0;
    }
    for (size_t i = 2; i < length; ++i) {
        if ((s[i] & 0xC0) != 0x80) {
            return 0;
        }
    }
    return length;
}

// Whether a terminal would obey this character instead of showing it.
static bool commands(const char *text, size_t length)
{
    const unsigned char *s = (const unsigned char *)text;
    if (length == 1) {
        return (s[0] < 0x20 && s[0] != '\t' && s[0] != '\n') || s[0] == 0x7F;
    }
    if (length == 2) {
        return s[0] == 0xC2 && s[1] < 0xA0; // U+0080 to U+009F
    }
    if (length == 3 && s[0] == 0xE2) { // U+200E, 200F, 202A to 202E, 2066 to 2069: direction
        return (s[1] == 0x80 && (s[2] == 0x8E || s[2] == 0x8F || (s[2] >= 0xAA && s[2] <= 0xAE))) ||
               (s[1] == 0x81 && s[2] >= 0xA6 && s[2] <= 0xA9);
    }
    return false;
}

size_t hf_text_escape(char *to, size_t size, const char *text)
{
    size_t length = 0;
    if (size == 0) {
        return 0;
    }
    while (*text != '\0') {
        // One character, or one byte that is none
        size_t bytes = hf_utf8_length(text, HF_UTF8_MOST);
        bool escaped = bytes == 0 || commands(text, bytes);
        bytes = bytes == 0 ? 1 : bytes;
        if (length + (escaped ? 4 : 1) * bytes >= size) {
            break;
        }
        // As it is, or byte by byte in hexadecimal
        for (size_t i = 0; escaped && i < bytes; ++i) {
            length += (size_t)snprintf(to + length, size - length, "\\x%02x",
                                       (unsigned)(unsigned char)text[i]);
        }
        if (!escaped) {
            memcpy(to + length, text, bytes);
            length += bytes;
        }
        text += bytes;
    }
    to[length] = '\0';
    return length;
}

char *hf_text_copy(const char *text, size_t length)
{
    char *copy = malloc(length + 1);
    if (copy != NULL) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}
