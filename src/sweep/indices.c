// SPDX-License-Identifier: Apache-2.0
// Sensitivity indices of a table whose sweep was planned for them.
//
// Sobol': blocks of N points A, B, and A_B^i (A with the axis i of B). With V the variance of the
// outputs over A and B:                                                      [Saltelli2010]
//   S_i  = 1/N sum f(B) (f(A_B^i) - f(A)) / V                  first order, (b) of Table 2
//   ST_i = 1/(2N) sum (f(A) - f(A_B^i))^2 / V                  total, (f) of Table 2, [Jansen1999]
// Outputs are taken about their mean, which lessens the error of S_i. Standard errors are those of
// the means, with V as if it were exact.
//
// Morris: walks of d + 1 points; the effect of the axis that a step moves is the change of the
// output over the step in the axis's probability, with its sign. The steps are in the table.
//                                                                            [Morris1991]
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "sweep/sweep_data.h"

typedef struct study {
    const hf_table *table;
    const double *f;
    long long samples;
    int axes;
} study;

static int count_lines(const char *text)
{
    int count = 0;
    for (; *text != '\0'; ++text) {
        count += *text == '\n' ? 1 : 0;
    }
    return count;
}

// Mean and standard error of a sum of terms.
typedef struct tally {
    double sum, squares;
    long long count;
} tally;

static void add(tally *t, double term)
{
    t->sum += term;
    t->squares += term * term;
    t->count += 1;
}

static double mean_of(const tally *t)
{
    return t->sum / (double)t->count;
}

static double deviation_of(const tally *t)
{
    double mean = mean_of(t), n = (double)t->count;
    return t->count > 1 ? sqrt(fmax(0.0, t->squares / n - mean * mean) * n / (n - 1.0))
                        : (double)NAN;
}

// ------------------------------------------------------------------------------------------------
// Sobol'

static void sobol_index(const study *s, int axis, double mean, double variance,
                        hf_sweep_index *index)
{
    long long n = s->samples;
    const double *a = s->f, *b = s->f + n, *mixed = s->f + (2 + (long long)axis) * n;
    tally first = {0}, total = {0};
    for (long long k = 0; k < n; ++k) {
        if (isfinite(a[k]) && isfinite(b[k]) && isfinite(mixed[k])) {
            add(&first, (b[k] - mean) * (mixed[k] - a[k]) / variance);
            add(&total, 0.5 * (a[k] - mixed[k]) * (a[k] - mixed[k]) / variance);
        }
    }
    double root = sqrt((double)first.count);
    *index = (hf_sweep_index){.first = mean_of(&first),
                              .total = mean_of(&total),
                              .first_error = deviation_of(&first) / root,
                              .total_error = deviation_of(&total) / root,
                              .spread = (double)NAN,
                              .used = first.count};
}

static void sobol(const study *s, hf_sweep_index *indices, int capacity)
{
    tally all = {0};
    for (long long k = 0; k < 2 * s->samples; ++k) {
        if (isfinite(s->f[k])) {
            add(&all, s->f[k]);
        }
    }
    double mean = mean_of(&all), sum = 0.0;
    for (long long k = 0; k < 2 * s->samples; ++k) { // again, about the mean: no cancellation
        sum += isfinite(s->f[k]) ? (s->f[k] - mean) * (s->f[k] - mean) : 0.0;
    }
    double variance = sum / (double)(all.count - 1);
    for (int i = 0; i < s->axes && i < capacity; ++i) {
        sobol_index(s, i, mean, variance, &indices[i]);
    }
}

// ------------------------------------------------------------------------------------------------
// Morris

// A line of a fact with one for each random axis; its length. NULL: there is none.
static const char *axis_line(const study *s, const char *fact, int axis, size_t *length)
{
    const char *line = hf_table_fact(s->table, fact);
    for (int i = 0; i < axis && line != NULL; ++i) {
        line = strchr(line, '\n');
        line = line == NULL ? NULL : line + 1;
    }
    const char *end = line == NULL ? NULL : strchr(line, '\n');
    *length = end == NULL ? 0 : (size_t)(end - line);
    return end == NULL ? NULL : line;
}

// How far a step moves an axis; NaN: the table does not say.
static double axis_step(const study *s, int axis)
{
    size_t length;
    double step = (double)NAN;
    const char *line = axis_line(s, "steps", axis, &length);
    return line != NULL && hf_number_parse(line, length, &step) ? step : (double)NAN;
}

// The axis's values in the table; NULL: it has none.
static const double *axis_values(const study *s, int axis)
{
    size_t length;
    const char *line = axis_line(s, "random", axis, &length);
    if (line == NULL) {
        return NULL;
    }
    for (int k = 0; k < s->table->column_count; ++k) {
        const char *name = s->table->columns[k].name;
        if (strlen(name) == length && memcmp(name, line, length) == 0) {
            return s->table->columns[k].numbers;
        }
    }
    return NULL;
}

static void morris_index(const study *s, const double *x, double step, hf_sweep_index *index)
{
    tally effects = {0}, sizes = {0};
    long long points = (long long)s->axes + 1;
    for (long long k = 0; k + 1 < s->samples * points; ++k) {
        double change = s->f[k + 1] - s->f[k];
        if ((k + 1) % points != 0 && x[k] != x[k + 1] && isfinite(change)) {
            double effect = change / (x[k + 1] > x[k] ? step : -step);
            add(&effects, effect);
            add(&sizes, fabs(effect));
        }
    }
    *index = (hf_sweep_index){.first = mean_of(&effects),
                              .total = mean_of(&sizes),
                              .first_error = (double)NAN,
                              .total_error = (double)NAN,
                              .spread = deviation_of(&effects),
                              .used = effects.count};
}

// ------------------------------------------------------------------------------------------------

int hf_sweep_table_indices(const hf_table *table, int output, hf_sweep_index *indices, int capacity,
                           hf_error *error)
{
    // A table that was planned for them
    const char *kind = hf_table_fact(table, "indices"), *text = hf_table_fact(table, "samples");
    bool is_sobol = strcmp(kind, "sobol") == 0;
    double samples = 0.0;
    int axes = count_lines(hf_table_fact(table, "random"));
    if (kind[0] == '\0' || !hf_number_parse(text, strlen(text), &samples) || axes == 0) {
        return (int)hf_error_set(error, HF_ERROR_INPUT,
                                 "the table was not planned for indices: sweep with --indices");
    }
    if (output < 0 || output >= table->column_count || table->columns[output].numbers == NULL) {
        return (int)hf_error_set(error, HF_ERROR_NAME, "the table has no such column of numbers");
    }
    // All cases are there
    double cases = samples * (axes + (is_sobol ? 2 : 1));
    if (!(cases == (double)table->rows)) {
        return (int)hf_error_set(error, HF_ERROR_INPUT,
                                 "the table has %lld cases, and %g are needed for indices",
                                 table->rows, cases);
    }
    // By the kind of index
    study s = {.table = table,
               .f = table->columns[output].numbers,
               .samples = (long long)samples,
               .axes = axes};
    if (is_sobol) {
        sobol(&s, indices, capacity);
        return axes;
    }
    for (int i = 0; i < axes && i < capacity; ++i) {
        const double *x = axis_values(&s, i), step = axis_step(&s, i);
        if (x == NULL || !(step > 0.0)) {
            return (int)hf_error_set(error, HF_ERROR_INPUT,
                                     "the table lacks a random axis, or its step");
        }
        morris_index(&s, x, step, &indices[i]);
    }
    return axes;
}
