// SPDX-License-Identifier: Apache-2.0
// Numbers to text and back, with a decimal point in every locale.
#include "base/number.h"

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

// In some languages printf writes 1,5. Whatever stands between the digits becomes one point.
static size_t put_point(char *text, size_t length)
{
    size_t start = strspn(text, "+-0123456789.einfa");
    if (start == length) {
        return length;
    }
    size_t end = start + strcspn(text + start, "0123456789");
    text[start] = '.';
    memmove(text + start + 1, text + end, length - end + 1);
    return length - (end - start) + 1;
}

size_t hf_number_format(double value, char text[HF_NUMBER_SIZE])
{
    if (isnan(value)) {
        return (size_t)snprintf(text, HF_NUMBER_SIZE, "nan");
    }
    const double most = 1e15;                          // of 15 digits
    if (fabs(value) < most && floor(value) == value) { // what %.15g would print, 20 times faster
        return format_whole(value, text);
    }
    int length = 0;
    for (int digits = 15; digits <= 17; ++digits) {
        length = snprintf(text, HF_NUMBER_SIZE, "%.*g", digits, value);
        if (digits == 17 || strtod(text, NULL) == value) {
            break;
        }
    }
    return put_point(text, (size_t)length);
}

static bool is_word(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && memcmp(text, word, length) == 0;
}

// strtod for programs whose language writes 1,5: with its own sign in place of the point.
static bool parse_translated(const char *text, size_t length, double *value)
{
    enum { LONGEST = 400 }; // digits; a double has at most 309 before its point
    char half[16], copy[LONGEST + sizeof half];
    int width = snprintf(half, sizeof half, "%.1f", 0.5);
    if (width < 3 || length > LONGEST) {
        return false;
    }
    const char *point = memchr(text, '.', length);
    size_t before = point == NULL ? length : (size_t)(point - text), size = before;
    memcpy(copy, text, before);
    if (point != NULL) {
        memcpy(copy + size, half + 1, (size_t)width - 2);
        size += (size_t)width - 2;
        memcpy(copy + size, point + 1, length - before - 1);
        size += length - before - 1;
    }
    copy[size] = '\0';
    char *end = NULL;
    *value = strtod(copy, &end);
    return *end == '\0' && end != copy && isfinite(*value);
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
    if (end != text + length) { // wrong, or the point is not this language's
        return parse_translated(text, length, value);
    }
    return isfinite(*value);
}
