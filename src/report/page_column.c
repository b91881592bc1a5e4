// SPDX-License-Identifier: Apache-2.0
// Packs columns of numbers for the page: differences of bits, deflate, base64.
#include "report/page_column.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { LEVEL = 4, BASE64_LINE = 3 * 4096 };

// Times that stray less than this part of a step count as evenly spaced.
static const double EVEN_TOLERANCE = 1e-6;

// ------------------------------------------------------------------------------------------------
// Bytes

static void write_base64(FILE *file, const unsigned char *bytes, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char text[BASE64_LINE / 3 * 4];
    for (size_t start = 0; start < size; start += BASE64_LINE) {
        size_t end = size - start < BASE64_LINE ? size : start + BASE64_LINE, used = 0;
        for (size_t i = start; i < end; i += 3) {
            size_t have = end - i < 3 ? end - i : 3;
            unsigned three = (unsigned)bytes[i] << 16 |
                             (have > 1 ? (unsigned)bytes[i + 1] << 8 : 0) |
                             (have > 2 ? bytes[i + 2] : 0);
            text[used++] = digits[three >> 18];
            text[used++] = digits[three >> 12 & 63];
            text[used++] = have > 1 ? digits[three >> 6 & 63] : '=';
            text[used++] = have > 2 ? digits[three & 63] : '=';
        }
        (void)fwrite(text, 1, used, file);
    }
}

// Deflates bytes into an element of their own. Its number, or -1 with `trouble` set.
static int write_element(hf_page_columns *c, const unsigned char *bytes, size_t size)
{
    uLong bound = compressBound((uLong)size);
    unsigned char *packed = malloc(bound);
    if (packed == NULL || compress2(packed, &bound, bytes, (uLong)size, LEVEL) != Z_OK) {
        free(packed);
        c->trouble = "out of memory";
        return -1;
    }
    (void)fprintf(c->file, "<script type=\"text/plain\" id=\"c%d\">", c->written);
    write_base64(c->file, packed, bound);
    (void)fputs("</script>\n", c->file);
    free(packed);
    return c->written++;
}

// ------------------------------------------------------------------------------------------------
// Numbers

// Byte k of every difference, then byte k-1, ...: planes of equal significance.
static void put_planes(unsigned char *planes, size_t count, size_t index, uint64_t bits, int width)
{
    for (int k = 0; k < width; ++k) {
        planes[(size_t)k * count + index] = (unsigned char)(bits >> (8 * (width - 1 - k)));
    }
}

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint32_t short_bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void pack_doubles(unsigned char *planes, const double *values, size_t count)
{
    uint64_t before = 0;
    for (size_t i = 0; i < count; ++i) {
        uint64_t bits = bits_of(values[i]);
        put_planes(planes, count, i, bits - before, 8);
        before = bits;
    }
}

static void pack_shortened(unsigned char *planes, const double *values, size_t count, double middle)
{
    uint32_t before = 0;
    for (size_t i = 0; i < count; ++i) {
        uint32_t bits = short_bits_of((float)(values[i] - middle));
        put_planes(planes, count, i, (uint32_t)(bits - before), 4);
        before = bits;
    }
}

static bool is_constant(const double *values, size_t count)
{
    for (size_t i = 1; i < count; ++i) {
        if (bits_of(values[i]) != bits_of(values[0])) {
            return false;
        }
    }
    return true;
}

// Middle of the finite values; 0 when there are none.
static double middle_of(const double *values, size_t count)
{
    double least = INFINITY, largest = -INFINITY;
    for (size_t i = 0; i < count; ++i) {
        if (isfinite(values[i])) {
            least = fmin(least, values[i]);
            largest = fmax(largest, values[i]);
        }
    }
    double middle = 0.5 * least + 0.5 * largest;
    return isfinite(middle) ? middle : 0.0;
}

// Room for `count` numbers of `width` bytes; NULL with `trouble` set when there is none.
static unsigned char *make_planes(hf_page_columns *c, size_t count, size_t width)
{
    unsigned char *planes = count < SIZE_MAX / 8 / width ? malloc(count * width + 1) : NULL;
    if (planes == NULL) {
        c->trouble = "out of memory";
    }
    return planes;
}

static void describe(hf_page_columns *c, const char *key, const char *kind, long long count)
{
    hf_json_begin(c->json, key);
    hf_json_text(c->json, "kind", kind);
    hf_json_count(c->json, "count", count);
}

void hf_page_column_write(hf_page_columns *c, const char *key, const double *values,
                          long long count)
{
    size_t n = (size_t)count;
    if (is_constant(values, n)) {
        describe(c, key, "constant", count);
        hf_json_number(c->json, "value", n == 0 ? 0.0 : values[0]);
        hf_json_end(c->json);
        return;
    }
    size_t width = c->shorten ? 4 : 8;
    unsigned char *planes = c->trouble == NULL ? make_planes(c, n, width) : NULL;
    describe(c, key, c->shorten ? "f32" : "f64", count);
    if (planes != NULL) {
        if (c->shorten) {
            double middle = middle_of(values, n);
            pack_shortened(planes, values, n, middle);
            hf_json_number(c->json, "middle", middle);
        } else {
            pack_doubles(planes, values, n);
        }
        hf_json_count(c->json, "element", write_element(c, planes, n * width));
    }
    free(planes);
    hf_json_end(c->json);
}

static bool is_even(const double *times, size_t count, double step)
{
    for (size_t i = 0; i < count; ++i) {
        if (!(fabs(times[i] - (times[0] + (double)i * step)) <= EVEN_TOLERANCE * step)) {
            return false;
        }
    }
    return true;
}

void hf_page_column_write_times(hf_page_columns *c, const char *key, const double *times,
                                long long count)
{
    double step = count < 2 ? 1.0 : (times[count - 1] - times[0]) / (double)(count - 1);
    if (count > 0 && step > 0.0 && is_even(times, (size_t)count, step)) {
        describe(c, key, "even", count);
        hf_json_number(c->json, "start", times[0]);
        hf_json_number(c->json, "step", step);
        hf_json_end(c->json);
        return;
    }
    bool shorten = c->shorten;
    c->shorten = false;
    hf_page_column_write(c, key, times, count);
    c->shorten = shorten;
}

void hf_page_column_write_floats(hf_page_columns *c, const char *key, const float *values,
                                 long long rows, long long width)
{
    size_t n = (size_t)rows, columns = (size_t)width;
    unsigned char *planes = c->trouble == NULL ? make_planes(c, n * columns, 4) : NULL;
    describe(c, key, "f32", rows * width);
    if (planes != NULL) {
        uint32_t before = 0;
        for (size_t k = 0; k < columns; ++k) {
            for (size_t i = 0; i < n; ++i) {
                uint32_t bits = short_bits_of(values[i * columns + k]);
                put_planes(planes, n * columns, k * n + i, (uint32_t)(bits - before), 4);
                before = bits;
            }
        }
        hf_json_number(c->json, "middle", 0.0);
        hf_json_count(c->json, "element", write_element(c, planes, n * columns * 4));
    }
    free(planes);
    hf_json_end(c->json);
}
