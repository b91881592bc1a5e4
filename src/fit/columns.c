// SPDX-License-Identifier: Apache-2.0
// Columns of a log by expressions: units, signs, offsets and sums of columns in one text.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "fit/fit_data.h"
#include "math/expression.h"

// The word of an expression that no column has is most likely a misspelt column.
static hf_status wrong_expression(const hf_fit_log *log, const char *expression, const char *what,
                                  const hf_expression_fault *fault, const char **names, int count,
                                  hf_error *error)
{
    char word[64] = "";
    size_t at = fault->position < strlen(expression) ? fault->position : 0;
    size_t length = strspn(expression + at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
                                            "0123456789");
    length = length < sizeof word - 1 ? length : sizeof word - 1;
    memcpy(word, expression + at, length);
    const char *nearest = length == 0 ? NULL : hf_nearest_name(word, names, count);
    return hf_error_set(
        error, HF_ERROR_NAME, "%s: '%.80s' over the columns of %.120s: %.120s%s%s%s", what,
        expression, log->name, fault->text, nearest == NULL ? "" : "; did you mean the column '",
        nearest == NULL ? "" : nearest, nearest == NULL ? "" : "'?");
}

// A column by its plain name, which need not be a word of expressions.
static int find_column(const hf_fit_log *log, const char *name)
{
    for (int i = 0; i < log->column_count; ++i) {
        if (strcmp(log->names[i], name) == 0) {
            return i;
        }
    }
    return -1;
}

static hf_status evaluate(const hf_fit_log *log, const hf_expression *expression, const char *text,
                          const char *what, double *variables, double *values, hf_error *error)
{
    for (long long k = 0; k < log->rows; ++k) {
        variables[0] = log->time[k];
        for (int i = 0; i < log->column_count; ++i) {
            variables[i + 1] = log->columns[i][k];
        }
        values[k] = hf_expression_value(expression, variables);
        if (!isfinite(values[k])) {
            return hf_error_set(error, HF_ERROR_RANGE,
                                "%s: '%.80s' is not finite in row %lld of %.120s", what, text,
                                k + 1, log->name);
        }
    }
    return HF_OK;
}

hf_status hf_fit_column(const hf_fit_log *log, const char *expression, const char *what,
                        double *values, hf_error *error)
{
    // A column by its name
    int column = find_column(log, expression), count = log->column_count + 1;
    if (column >= 0) {
        memcpy(values, log->columns[column], (size_t)log->rows * sizeof *values);
        return HF_OK;
    }
    // Or an expression of time and columns
    const char **names = calloc((size_t)count, sizeof *names);
    double *variables = calloc((size_t)count, sizeof *variables);
    hf_status status = HF_OK;
    if (names == NULL || variables == NULL) {
        status = hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    } else {
        names[0] = "time";
        for (int i = 1; i < count; ++i) {
            names[i] = log->names[i - 1];
        }
        const hf_expression_scope scope = {.names = names, .count = count, .time = -1};
        hf_expression_fault fault = {0};
        hf_expression *program = hf_expression_create(expression, scope, &fault);
        status = program == NULL
                     ? wrong_expression(log, expression, what, &fault, names, count, error)
                     : evaluate(log, program, expression, what, variables, values, error);
        hf_expression_destroy(program);
    }
    free((void *)names);
    free(variables);
    return status;
}

// Least squares of a + b s + c s^2 over the nearest rows; the slope there is b.
double hf_fit_slope(const double *time, const double *values, long long rows, long long row)
{
    enum { REACH = 5 };
    long long low = row > REACH ? row - REACH : 0;
    long long high = row + REACH < rows - 1 ? row + REACH : rows - 1;
    if (high - low < 2) {
        return (values[high] - values[low]) / (time[high] - time[low]);
    }
    double width = time[high] - time[low];
    double m[5] = {0}, r[3] = {0};
    for (long long k = low; k <= high; ++k) {
        double s = (time[k] - time[row]) / width, y = values[k] - values[row];
        double power = 1.0;
        for (int i = 0; i < 5; ++i, power *= s) {
            m[i] += power;
            r[i < 3 ? i : 0] += i < 3 ? power * y : 0.0;
        }
    }
    // Cramer's rule for b
    double determinant = m[0] * (m[2] * m[4] - m[3] * m[3]) - m[1] * (m[1] * m[4] - m[3] * m[2]) +
                         m[2] * (m[1] * m[3] - m[2] * m[2]);
    double slope = m[0] * (r[1] * m[4] - m[3] * r[2]) - r[0] * (m[1] * m[4] - m[3] * m[2]) +
                   m[2] * (m[1] * r[2] - r[1] * m[2]);
    return slope / (determinant * width);
}
