// SPDX-License-Identifier: Apache-2.0
#include "record/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t format_whole(double value, char *text)
{
    char digits[HF_NUMBER_SIZE];
    size_t count = 0, length = 0;
    long long rest = (long long)fabs(value);
    do {
        digits[count++] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest != 0);
    if (signbit(value)) {
        text[length++] = '-';
    }
    while (count > 0) {
        text[length++] = digits[--count];
    }
    text[length] = '\0';
    return length;
}

size_t hf_number_format(double value, char text[HF_NUMBER_SIZE])
{
    if (isnan(value)) {
        return (size_t)snprintf(text, HF_NUMBER_SIZE, "nan");
    }
    if (fabs(value) < 1e15 && floor(value) == value) { // what %.15g would print, 20 times faster
        return format_whole(value, text);
    }
    int length = 0;
    for (int digits = 15; digits <= 17; ++digits) {
        length = snprintf(text, HF_NUMBER_SIZE, "%.*g", digits, value);
        if (digits == 17 || strtod(text, NULL) == value) {
            break;
        }
    }
    return (size_t)length;
}

static bool is_word(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && memcmp(text, word, length) == 0;
}

bool hf_number_parse(const char *text, size_t length, double *value)
{
    size_t sign = length > 0 && (text[0] == '-' || text[0] == '+') ? 1 : 0;
    if (is_word(text + sign, length - sign, "inf")) {
        *value = text[0] == '-' ? -INFINITY : INFINITY;
        return true;
    }
    if (is_word(text + sign, length - sign, "nan") || is_word(text, length, "NaN")) {
        *value = (double)NAN;
        return true;
    }
    if (length == sign || strspn(text, "0123456789.eE+-") < length) {
        return false; // strtod would also take hexadecimals and words
    }
    char *end = NULL;
    *value = strtod(text, &end);
    return end == text + length && isfinite(*value);
}
