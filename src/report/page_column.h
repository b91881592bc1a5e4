// SPDX-License-Identifier: Apache-2.0
// Columns of numbers inside the page.
//
// Numbers are kept whole (64 bits) as differences of their bit patterns, first bytes first: what
// moves little leaves zeros, which deflate packs. Then base64, in a script element that is data.
#ifndef HF_REPORT_PAGE_COLUMN_H
#define HF_REPORT_PAGE_COLUMN_H

#include <stdio.h>

#include <holdfast/base.h>

#include "base/json.h"

typedef struct hf_page_columns {
    FILE *file;          // where the packed numbers go
    hf_json *json;       // where their description goes
    int written;         // elements so far; they are called c0, c1, ...
    bool shorten;        // keep 32 bits of what deviates from the middle: for large runs
    const char *trouble; // NULL: none; else why nothing more is written
} hf_page_columns;

// Describes a column under `key` and, unless it is constant, writes its numbers.
void hf_page_column_write(hf_page_columns *columns, const char *key, const double *values,
                          long long count);
// The same for rising times; evenly spaced ones take no room.
void hf_page_column_write_times(hf_page_columns *columns, const char *key, const double *times,
                                long long count);
// A table of floats, row by row, written column after column.
void hf_page_column_write_floats(hf_page_columns *columns, const char *key, const float *values,
                                 long long rows, long long width);

#endif
