// SPDX-License-Identifier: Apache-2.0
// Tables by the ending of the name: written as CSV, HDF5 or Parquet, read as CSV or HDF5.
#include "record/table.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "record/format.h"
#include "record/target.h"

static hf_status unknown_format(const char *path, hf_error *error)
{
    return hf_error_set(error, HF_ERROR_INPUT,
                        "%.300s: a table's file name must end in .h5, .hdf5, .csv or .parquet",
                        path);
}

bool hf_is_parquet_name(const char *path)
{
    static const char ending[] = ".parquet";
    size_t length = strlen(path), own = sizeof ending - 1;
    return length > own && strcasecmp(path + length - own, ending) == 0;
}

hf_status hf_table_write(const char *path, const hf_table_plan *plan, hf_error *error)
{
    hf_file_format format = hf_file_format_of(path);
    bool parquet = hf_is_parquet_name(path);
    if (format == HF_FILE_UNKNOWN && !parquet) {
        return unknown_format(path, error);
    }
    if (plan->column_count > HF_TABLE_COLUMNS_MAX) {
        return hf_error_set(error, HF_ERROR_RANGE, "%.300s: %d columns are more than %d", path,
                            plan->column_count, HF_TABLE_COLUMNS_MAX);
    }
    hf_target target;
    HF_TRY(hf_target_open(&target, path, error));
    const char *place = hf_target_place(&target);
    hf_status status = parquet                 ? hf_parquet_table_write(place, path, plan, error)
                       : format == HF_FILE_CSV ? hf_csv_table_write(place, path, plan, error)
                                               : hf_hdf5_table_write(place, path, plan, error);
    if (status == HF_OK) {
        status = hf_target_reveal(&target, path, error);
    }
    hf_target_close(&target);
    return status;
}

hf_table *hf_table_read(const char *path, hf_error *error)
{
    hf_file_format format = hf_file_format_of(path);
    if (hf_is_parquet_name(path)) {
        (void)hf_error_set(error, HF_ERROR_INPUT,
                           "%.300s: Parquet tables are written for other programs and not read; "
                           "keep the .h5 too",
                           path);
        return NULL;
    }
    if (format == HF_FILE_UNKNOWN) {
        (void)unknown_format(path, error);
        return NULL;
    }
    hf_table *table = calloc(1, sizeof *table);
    if (table == NULL) {
        (void)hf_error_set(error, HF_ERROR_MEMORY, "out of memory for a table");
        return NULL;
    }
    hf_status status = format == HF_FILE_CSV ? hf_csv_table_read(path, table, error)
                                             : hf_hdf5_table_read(path, table, error);
    if (status != HF_OK) {
        hf_table_destroy(table);
        return NULL;
    }
    return table;
}

void hf_table_destroy(hf_table *table)
{
    if (table == NULL) {
        return;
    }
    for (int k = 0; table->columns != NULL && k < table->column_count; ++k) {
        hf_table_column *column = &table->columns[k];
        for (long long i = 0; column->texts != NULL && i < table->rows; ++i) {
            free(column->texts[i]);
        }
        free((void *)column->texts);
        free(column->numbers);
        free(column->name);
        free(column->unit);
        free(column->role);
    }
    for (int i = 0; i < table->fact_count; ++i) {
        free(table->fact_names[i]);
        free(table->facts[i]);
    }
    free(table->columns);
    free((void *)table->fact_names);
    free((void *)table->facts);
    free(table);
}

int hf_table_find(const hf_table *table, const char *name)
{
    for (int k = 0; k < table->column_count; ++k) {
        if (strcmp(table->columns[k].name, name) == 0) {
            return k;
        }
    }
    return -1;
}

const char *hf_table_fact(const hf_table *table, const char *name)
{
    for (int i = 0; i < table->fact_count; ++i) {
        if (strcmp(table->fact_names[i], name) == 0) {
            return table->facts[i];
        }
    }
    return "";
}
