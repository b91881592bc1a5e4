// SPDX-License-Identifier: Apache-2.0
// Tables of sweeps, named on the command line.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/nlp.h"
#include "cli/recording.h"
#include "cli/sweep.h"
#include "record/format.h"
#include "record/table.h"

bool hf_cli_is_table_name(const char *word)
{
    return hf_file_format_of(word) != HF_FILE_UNKNOWN || hf_is_parquet_name(word);
}

static hf_status row(void *context, long long index, double *numbers, const char **texts,
                     hf_error *error)
{
    const hf_table *table = context;
    (void)error;
    for (int k = 0; k < table->column_count; ++k) {
        const hf_table_column *column = &table->columns[k];
        numbers[k] = column->numbers == NULL ? 0.0 : column->numbers[index];
        texts[k] = column->texts == NULL ? NULL : column->texts[index];
    }
    return HF_OK;
}

// Writes the table as another format, which the file's ending names.
static hf_status write_as(const char *path, hf_table *table, hf_error *error)
{
    hf_table_heading *columns = calloc((size_t)table->column_count, sizeof *columns);
    hf_table_fact_def *facts = calloc((size_t)table->fact_count + 1, sizeof *facts);
    if (columns == NULL || facts == NULL) {
        free(columns);
        free(facts);
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory for a table");
    }
    for (int k = 0; k < table->column_count; ++k) {
        const hf_table_column *column = &table->columns[k];
        columns[k] = (hf_table_heading){column->name, column->unit, column->role,
                                        column->texts == NULL ? 0 : 1};
    }
    for (int i = 0; i < table->fact_count; ++i) {
        facts[i] = (hf_table_fact_def){table->fact_names[i], table->facts[i]};
    }
    const hf_table_plan plan = {.rows = table->rows,
                                .column_count = table->column_count,
                                .columns = columns,
                                .fact_count = table->fact_count,
                                .facts = facts,
                                .row = row,
                                .context = table};
    hf_status status = hf_table_write(path, &plan, error);
    free(columns);
    free(facts);
    return status;
}

static int write_others(const hf_cli_sweep_options *o, hf_table *table)
{
    hf_error error = {0};
    if (o->csv != NULL && hf_file_format_of(o->csv) != HF_FILE_CSV) {
        return hf_cli_usage_error("sweep", "--csv: '%s' must end in .csv", o->csv);
    }
    if (o->parquet != NULL && !hf_is_parquet_name(o->parquet)) {
        return hf_cli_usage_error("sweep", "--parquet: '%s' must end in .parquet", o->parquet);
    }
    if ((o->csv != NULL && write_as(o->csv, table, &error) < 0) ||
        (o->parquet != NULL && write_as(o->parquet, table, &error) < 0)) {
        hf_cli_report(&error);
        return HF_CLI_FAILED;
    }
    return HF_CLI_DONE;
}

static int repeat(const hf_cli_sweep_options *o, const hf_table *table)
{
    hf_error error = {0};
    double number = 0.0;
    const hf_method_table *methods[HF_METHOD_TABLES] = {hf_cli_nlp_methods()};
    // Which case
    if (!hf_cli_read_number(o->repeat, &number) || number != (double)(long long)number) {
        return hf_cli_usage_error("sweep", "--rerun: expected the number of a case, not '%s'",
                                  o->repeat);
    }
    // Run again, and compared to the bit
    hf_status status = hf_sweep_repeat(table, (long long)number, o->output, methods, &error);
    if (status < 0) {
        hf_cli_report(&error);
        return status == HF_ERROR_RANGE || status == HF_ERROR_INPUT ? HF_CLI_USAGE : HF_CLI_FAILED;
    }
    // All that the table has of it
    if (!o->quiet) {
        hf_cli_put(stdout, "case %s: the same to the bit as in %s\n", o->repeat, o->model);
        for (int k = 0; k < table->column_count; ++k) {
            const hf_table_column *column = &table->columns[k];
            long long i = (long long)number;
            if (column->texts != NULL) {
                hf_cli_put(stdout, "  %-32s %s\n", column->name, column->texts[i]);
            } else {
                hf_cli_put(stdout, "  %-32s %.10g %s\n", column->name,
                           hf_cli_shown(column->numbers[i]), column->unit);
            }
        }
    }
    return HF_CLI_DONE;
}

int hf_cli_sweep_table(const hf_cli_sweep_options *o)
{
    hf_error error = {0};
    // What goes with a table
    bool made = o->vary.count > 0 || o->of.count > 0 || o->cases != NULL || o->resume ||
                o->collect || o->sets.count > 0 || o->variants != NULL || o->methods != NULL ||
                o->samples > 0 || o->design != NULL || o->seed > 0 || o->indices != NULL ||
                o->regimes || o->energy || !isnan(o->after) || o->every > 0 ||
                !isnan(o->duration) || o->recordings != NULL || o->shard != NULL || o->jobs > 0 ||
                o->strict;
    if (made) {
        return hf_cli_usage_error("sweep",
                                  "'%s' is a table: only --rerun, --csv, --parquet, --json, "
                                  "--quiet and -o go with it",
                                  o->model);
    }
    if (o->output != NULL && o->repeat == NULL) {
        return hf_cli_usage_error("sweep", "-o is the recording of --rerun; a table is written by "
                                           "--csv or --parquet");
    }
    // The table, and what is asked of it
    hf_table *table = hf_cli_read_table(o->model, &error);
    if (table == NULL) {
        hf_cli_report(&error);
        return HF_CLI_USAGE;
    }
    int code = HF_CLI_DONE;
    if (o->repeat != NULL) {
        code = repeat(o, table);
    } else if (o->json) {
        hf_cli_sweep_print_json(o->model, table);
    } else if (!o->quiet) {
        hf_cli_put(stdout, "%s: %lld cases\n", o->model, table->rows);
        hf_cli_sweep_print(o->model, table);
    }
    if (code == HF_CLI_DONE) {
        code = write_others(o, table);
    }
    hf_table_destroy(table);
    return code;
}
