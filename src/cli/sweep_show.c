// SPDX-License-Identifier: Apache-2.0
// What came of a sweep: ranges of the columns, failures, indices.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "cli/sweep.h"

enum { MOST_AXES = 500, MOST_MESSAGES = 5 };

typedef struct range {
    double low, mean, high;
    long long count; // of finite numbers
} range;

static range range_of(const hf_table *table, const hf_table_column *column)
{
    range r = {.low = INFINITY, .high = -INFINITY};
    double sum = 0.0;
    for (long long i = 0; i < table->rows; ++i) {
        double x = column->numbers[i];
        if (isfinite(x)) {
            r.low = fmin(r.low, x);
            r.high = fmax(r.high, x);
            sum += x;
            r.count += 1;
        }
    }
    r.mean = sum / (double)r.count;
    return r;
}

static bool is_output(const hf_table_column *column)
{
    return strncmp(column->role, "output:", 7) == 0;
}

static long long count_verdict(const hf_table *table, const char *verdict)
{
    int k = hf_table_find(table, "verdict");
    long long count = 0;
    for (long long i = 0; k >= 0 && table->columns[k].texts != NULL && i < table->rows; ++i) {
        count += strcmp(table->columns[k].texts[i], verdict) == 0 ? 1 : 0;
    }
    return count;
}

// The messages of the first cases that have one.
static void print_messages(const hf_table *table)
{
    int v = hf_table_find(table, "verdict"), m = hf_table_find(table, "message");
    int shown = 0;
    if (v < 0 || m < 0 || table->columns[v].texts == NULL || table->columns[m].texts == NULL) {
        return;
    }
    for (long long i = 0; i < table->rows && shown < MOST_MESSAGES; ++i) {
        const char *verdict = table->columns[v].texts[i];
        if (strcmp(verdict, "trustworthy") != 0) {
            hf_cli_put(stdout, "case %lld %s: %s\n", i, verdict, table->columns[m].texts[i]);
            ++shown;
        }
    }
}

static void print_indices(const hf_table *table)
{
    hf_sweep_index indices[MOST_AXES] = {{0}};
    const char *kind = hf_table_fact(table, "indices");
    bool sobol = strcmp(kind, "sobol") == 0;
    // Indices of each output
    for (int k = 0; kind[0] != '\0' && k < table->column_count; ++k) {
        hf_error error = {0};
        if (!is_output(&table->columns[k])) {
            continue;
        }
        int axes = hf_sweep_table_indices(table, k, indices, MOST_AXES, &error);
        if (axes < 0) {
            hf_cli_report(&error);
            return;
        }
        hf_cli_put(stdout, sobol ? "\n%-32s %10s %10s %10s %10s\n" : "\n%-32s %10s %10s %10s\n",
                   table->columns[k].name, sobol ? "first" : "mean size", sobol ? "+-" : "mean",
                   sobol ? "total" : "spread", "+-");
        // A line for each random axis
        const char *name = hf_table_fact(table, "random");
        for (int i = 0; i < axes && i < MOST_AXES; ++i) {
            const hf_sweep_index *x = &indices[i];
            int length = (int)strcspn(name, "\n");
            if (sobol) {
                hf_cli_put(stdout, "  %-30.*s %10.4f %10.4f %10.4f %10.4f\n", length, name,
                           x->first, x->first_error, x->total, x->total_error);
            } else {
                hf_cli_put(stdout, "  %-30.*s %10.4g %10.4g %10.4g\n", length, name, x->total,
                           x->first, x->spread);
            }
            name += length + 1;
        }
    }
}

void hf_cli_sweep_print(const char *path, const hf_table *table)
{
    (void)path;
    long long failed = count_verdict(table, "failed"), doubtful = count_verdict(table, "doubtful");
    hf_cli_put(stdout, "%lld failed, %lld doubtful\n", failed, doubtful);
    hf_cli_put(stdout, "%-34s %14s %14s %14s\n", "", "least", "mean", "largest");
    for (int k = 0; k < table->column_count; ++k) {
        const hf_table_column *column = &table->columns[k];
        if (column->numbers == NULL || strcmp(column->role, "case") == 0) {
            continue;
        }
        range r = range_of(table, column);
        if (r.count == 0) {
            hf_cli_put(stdout, "  %-32s %14s\n", column->name, "no number");
            continue;
        }
        hf_cli_put(stdout, "  %-32s %14.6g %14.6g %14.6g %s\n", column->name, r.low, r.mean, r.high,
                   column->unit);
    }
    print_messages(table);
    print_indices(table);
}

static void json_indices(hf_json *json, const hf_table *table, int column)
{
    hf_sweep_index indices[MOST_AXES] = {{0}};
    const char *name = hf_table_fact(table, "random");
    int axes = hf_table_fact(table, "indices")[0] == '\0'
                   ? 0
                   : hf_sweep_table_indices(table, column, indices, MOST_AXES, NULL);
    if (axes <= 0) {
        return;
    }
    hf_json_begin(json, "indices");
    for (int i = 0; i < axes && i < MOST_AXES; ++i) {
        char word[200];
        (void)snprintf(word, sizeof word, "%.*s", (int)strcspn(name, "\n"), name);
        hf_json_begin(json, word);
        hf_json_number(json, "first", indices[i].first);
        hf_json_number(json, "total", indices[i].total);
        hf_json_number(json, "first_error", indices[i].first_error);
        hf_json_number(json, "total_error", indices[i].total_error);
        hf_json_number(json, "spread", indices[i].spread);
        hf_json_count(json, "used", indices[i].used);
        hf_json_end(json);
        name += strcspn(name, "\n") + 1;
    }
    hf_json_end(json);
}

void hf_cli_sweep_print_json(const char *path, const hf_table *table)
{
    hf_json json = {.file = stdout};
    // The table as a whole
    hf_json_begin(&json, NULL);
    hf_json_text(&json, "table", path);
    hf_json_text(&json, "version", HF_VERSION);
    hf_json_count(&json, "cases", table->rows);
    hf_json_count(&json, "failed", count_verdict(table, "failed"));
    hf_json_count(&json, "doubtful", count_verdict(table, "doubtful"));
    // Its columns, with their ranges and indices
    hf_json_begin(&json, "columns");
    for (int k = 0; k < table->column_count; ++k) {
        const hf_table_column *column = &table->columns[k];
        hf_json_begin(&json, column->name);
        hf_json_text(&json, "role", column->role);
        hf_json_text(&json, "unit", column->unit);
        if (column->numbers != NULL) {
            range r = range_of(table, column);
            hf_json_number(&json, "least", r.count == 0 ? (double)NAN : r.low);
            hf_json_number(&json, "mean", r.mean);
            hf_json_number(&json, "largest", r.count == 0 ? (double)NAN : r.high);
            hf_json_count(&json, "finite", r.count);
        }
        if (is_output(column)) {
            json_indices(&json, table, k);
        }
        hf_json_end(&json);
    }
    hf_json_end(&json);
    hf_json_end(&json);
}
