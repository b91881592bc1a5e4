// SPDX-License-Identifier: Apache-2.0
// Tables: written whole, row by row in order, so that the same rows give the same bytes.
#ifndef HF_RECORD_TABLE_H
#define HF_RECORD_TABLE_H

#include <stdio.h>

#include <holdfast/record.h>

enum { HF_TABLE_COLUMNS_MAX = 500 }; // what the header of a compound type has room for

typedef struct hf_table_heading {
    const char *name, *unit, *role;
    size_t width; // of its texts, at most [bytes]; 0: a column of numbers
} hf_table_heading;

typedef struct hf_table_fact_def {
    const char *name, *text;
} hf_table_fact_def;

typedef struct hf_table_plan {
    long long rows;
    int column_count; // 1 to HF_TABLE_COLUMNS_MAX
    const hf_table_heading *columns;
    int fact_count;
    const hf_table_fact_def *facts;
    // Fills numbers[k] or texts[k] of every column k. Texts must stay valid until the next call.
    hf_status (*row)(void *context, long long index, double *numbers, const char **texts,
                     hf_error *error);
    void *context;
} hf_table_plan;

// The file is made under another name and takes its own when it is whole (target.h): what was there
// before is there until then.
HF_NODISCARD hf_status hf_table_write(const char *path, const hf_table_plan *plan, hf_error *error);

// Whether a table of this name is written as Parquet: it ends in .parquet. Such are not read.
bool hf_is_parquet_name(const char *path);

// Formats. `place` is where the bytes go, `path` what messages call it. The readers fill a table
// that hf_table_destroy can free, whatever they return. A stream stays open.
HF_NODISCARD hf_status hf_csv_table_write(const char *place, const char *path,
                                          const hf_table_plan *plan, hf_error *error);
HF_NODISCARD hf_status hf_hdf5_table_write(const char *place, const char *path,
                                           const hf_table_plan *plan, hf_error *error);
HF_NODISCARD hf_status hf_parquet_table_write(const char *place, const char *path,
                                              const hf_table_plan *plan, hf_error *error);
HF_NODISCARD hf_status hf_csv_table_read(const char *path, hf_table *table, hf_error *error);
HF_NODISCARD hf_status hf_csv_table_read_stream(FILE *file, const char *label, hf_table *table,
                                                hf_error *error);
HF_NODISCARD hf_status hf_hdf5_table_read(const char *path, hf_table *table, hf_error *error);

#endif
