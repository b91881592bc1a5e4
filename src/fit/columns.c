// SPDX-License-Identifier: Apache-2.0
// Columns of a log by expressions: units, signs, offsets and sums of columns in one text.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "fit/fit_data.h"
#include "math/expression.h"

// A column by its plain name, which need not be a word of expressions.
static int find_column(const hf_fit_log *log, const char *name, size_t length)
{
    for (int i = 0; i < log->column_count; ++i) {
        if (strncmp(log->names[i], name, length) == 0 && log->names[i][length] == '\0') {
            return i;
        }
    }
    return -1;
}

// hf_expression_scope.find: a column whose name has dots, as those of recordings have, or stands in
// quotes. Slot 0 is the time.
static int find_slot(void *context, const char *word, size_t length)
{
    int column = find_column(context, word, length);
    return column < 0 ? -1 : column + 1;
}

// Whether a text is a name and nothing else.
static bool is_name(const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    static const char others[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789.";
    return strspn(text, letters) > 0 && strspn(text, others) == strlen(text);
}

// Some of the names that there are, as far as there is room.
static void list_columns(const hf_fit_log *log, char *text, size_t room)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < log->column_count; ++i) {
        int more = snprintf(text + used, room - used, "%s%s", i == 0 ? "" : ", ", log->names[i]);
        if (more < 0 || (size_t)more >= room - used) {
            (void)snprintf(text + used, room - used, "%s", room - used > 4 ? " ..." : "");
            return;
        }
        used += (size_t)more;
    }
}

// The word of an expression that no column has is most likely a misspelt column.
static hf_status wrong_expression(const hf_fit_log *log, const char *expression, const char *what,
                                  const hf_expression_fault *fault, const char **names, int count,
                                  hf_error *error)
{
    char word[64] = "", all[120];
    size_t at = fault->position < strlen(expression) ? fault->position : 0;
    size_t length = strspn(expression + at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
                                            "0123456789.");
    length = length < sizeof word - 1 ? length : sizeof word - 1;
    memcpy(word, expression + at, length);
    const char *nearest = length == 0 ? NULL : hf_nearest_name(word, names, count);
    if (is_name(expression)) {
        list_columns(log, all, sizeof all);
        (void)hf_error_set(error, HF_ERROR_NAME,
                           "%.100s: there is no column '%.80s'; the log has %.120s%s%.80s%s", what,
                           expression, all, nearest == NULL ? "" : "; did you mean '",
                           nearest == NULL ? "" : nearest, nearest == NULL ? "" : "'?");
    } else {
        (void)hf_error_set(error, HF_ERROR_NAME, "%.100s: '%.80s': %.120s%s%.80s%s", what,
                           expression, fault->text,
                           nearest == NULL ? "" : "; did you mean the column '",
                           nearest == NULL ? "" : nearest, nearest == NULL ? "" : "'?");
    }
    hf_error_locate(error, log->name, 1, 1);
    return HF_ERROR_NAME;
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
    int column = find_column(log, expression, strlen(expression)), count = log->column_count + 1;
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
        const hf_expression_scope scope = {
            .names = names, .count = count, .time = -1, .find = find_slot, .context = (void *)log};
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
    // Rows about it, up to a gap
    const double gap = 10.0; // times the shorter of the steps beside the row
    double before = row > 0 ? time[row] - time[row - 1] : INFINITY;
    double after = row < rows - 1 ? time[row + 1] - time[row] : INFINITY;
    double most = gap * fmin(before, after);
    long long low = row, high = row;
    while (low > 0 && row - low < REACH && time[low] - time[low - 1] <= most) {
        --low;
    }
    while (high < rows - 1 && high - row < REACH && time[high + 1] - time[high] <= most) {
        ++high;
    }
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
