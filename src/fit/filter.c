// SPDX-License-Identifier: Apache-2.0
// Filters without delay for columns of evenly spaced samples.
#include "fit/filter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

// A second-order section, b over 1, a1, a2; its state is that of the transposed direct form.
typedef struct section {
    double b[3], a[2];
} section;

// The two sections of the filter: poles at pi/8 and 3 pi/8 from the real axis, by the bilinear
// transformation with the cutoff prewarped.
static section make_section(double cutoff, int which)
{
    double k = tan(PI * cutoff), q = 2.0 * cos(PI * (which == 0 ? 1.0 : 3.0) / 8.0);
    double norm = 1.0 / (1.0 + k * q + k * k);
    section s = {.b = {k * k * norm, 2.0 * k * k * norm, k * k * norm},
                 .a = {2.0 * (k * k - 1.0) * norm, (1.0 - k * q + k * k) * norm}};
    return s;
}

// From the state in which a constant of the first value has rested.
static void run_section(const section *s, double *x, long long count)
{
    double first = x[0];
    double z1 = first * (1.0 - s->b[0]), z2 = first * (s->b[2] - s->a[1]);
    for (long long k = 0; k < count; ++k) {
        double in = x[k], out = s->b[0] * in + z1;
        z1 = s->b[1] * in - s->a[0] * out + z2;
        z2 = s->b[2] * in - s->a[1] * out;
        x[k] = out;
    }
}

static void reverse(double *x, long long count)
{
    for (long long i = 0, j = count - 1; i < j; ++i, --j) {
        double kept = x[i];
        x[i] = x[j];
        x[j] = kept;
    }
}

bool hf_filter_both_ways(double *values, long long count, double cutoff)
{
    // Padding as long as the filter's response to an impulse
    long long pad = (long long)ceil(6.0 / cutoff), all;
    pad = pad < count - 1 ? pad : count - 1;
    all = count + 2 * pad;
    double *x = malloc((size_t)all * sizeof *x);
    if (x == NULL) {
        return false;
    }
    for (long long k = 0; k < pad; ++k) {
        x[k] = 2.0 * values[0] - values[pad - k];
        x[pad + count + k] = 2.0 * values[count - 1] - values[count - 2 - k];
    }
    memcpy(x + pad, values, (size_t)count * sizeof *x);
    for (int way = 0; way < 2; ++way) {
        for (int i = 0; i < 2; ++i) {
            section s = make_section(cutoff, i);
            run_section(&s, x, all);
        }
        reverse(x, all);
    }
    memcpy(values, x + pad, (size_t)count * sizeof *x);
    free(x);
    return true;
}

long long hf_filter_thin(double *values, long long count, int every)
{
    if (every <= 1) {
        return count;
    }
    // Room for the taps and for what is kept
    int half = 10 * every;
    double *taps = malloc((size_t)(2 * half + 1) * sizeof *taps), sum = 0.0;
    long long kept = (count + every - 1) / every;
    double *out = malloc((size_t)kept * sizeof *out);
    if (taps == NULL || out == NULL) {
        free(taps);
        free(out);
        return 0;
    }
    // A low pass: sinc, windowed (Hamming)
    for (int i = -half; i <= half; ++i) {
        double at = PI * i / every, window = 0.54 + 0.46 * cos(PI * i / half);
        taps[i + half] = window * (i == 0 ? 1.0 : sin(at) / at);
        sum += taps[i + half];
    }
    // Applied where a value is kept
    for (long long n = 0; n < kept; ++n) {
        double total = 0.0;
        for (int i = -half; i <= half; ++i) {
            long long k = n * every + i;
            total += k >= 0 && k < count ? taps[i + half] * values[k] : 0.0;
        }
        out[n] = total / sum;
    }
    memcpy(values, out, (size_t)kept * sizeof *out);
    free(taps);
    free(out);
    return kept;
}
