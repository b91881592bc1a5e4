// SPDX-License-Identifier: Apache-2.0
// Recordings, logs and tables in CSV, read from memory.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "record/reader.h"
#include "record/table.h"

static double sum_of(const double *values, long long count)
{
    double sum = 0.0;
    for (long long i = 0; i < count; ++i) {
        sum += values[i];
    }
    return sum;
}

static void read_recording(FILE *file)
{
    hf_error error = {0};
    hf_recording *recording = calloc(1, sizeof *recording);
    hf_fuzz_expect(recording != NULL, "there is memory");
    hf_status status = hf_csv_read_stream(file, "fuzz.csv", recording, &error);
    hf_fuzz_expect(status == HF_OK || (status == error.status && error.text[0] != '\0'),
                   "a refusal has a reason");
    double sum = 0.0;
    for (int i = 0; status == HF_OK && i < recording->channel_count; ++i) {
        hf_fuzz_expect(recording->names[i][0] != '\0', "each channel has a name");
        sum += sum_of(recording->values[i], recording->samples);
    }
    sum += status == HF_OK ? sum_of(recording->time, recording->samples) : 0.0;
    (void)sum;
    hf_recording_destroy(recording);
}

static void read_table(FILE *file)
{
    hf_error error = {0};
    hf_table *table = calloc(1, sizeof *table);
    hf_fuzz_expect(table != NULL, "there is memory");
    hf_status status = hf_csv_table_read_stream(file, "fuzz.csv", table, &error);
    hf_fuzz_expect(status == HF_OK || (status == error.status && error.text[0] != '\0'),
                   "a refusal has a reason");
    size_t sum = 0;
    for (int k = 0; status == HF_OK && k < table->column_count; ++k) {
        const hf_table_column *column = &table->columns[k];
        hf_fuzz_expect((column->numbers == NULL) != (column->texts == NULL),
                       "a column has numbers or texts");
        for (long long i = 0; i < table->rows; ++i) {
            sum += column->texts != NULL ? strlen(column->texts[i]) : column->numbers[i] > 0.0;
        }
    }
    (void)sum;
    hf_table_destroy(table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = hf_fuzz_text(data, size);
    FILE *file = fmemopen(text, size, "rb");
    hf_fuzz_expect(file != NULL, "a stream can be opened");
    read_recording(file);
    rewind(file);
    read_table(file);
    (void)fclose(file);
    free(text);
    return 0;
}
