// SPDX-License-Identifier: Apache-2.0
// The points of contact between two bodies become one: their forces are summed, and the sum acts at
// the mean of the points, weighted by the size of the forces. A pair slips where more than half of
// the force belongs to points that slip.
#include "report/page_contacts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"

// Rows of all frames together: some 5 MB of a page.
enum { ROWS_MOST = 150000 };

// Columns of a row (record.h).
enum {
    POINT = 0,
    FORCE = 3,
    REGIME = 6,
    BODY_ON = 7,
    BODY_TO = 8,
    COLUMNS = HF_FRAME_LIST_COLUMNS
};

static const float SLIPS = 2.0F, STICKS = 1.0F; // hf_regime

// Pairs in order of their bodies; rows of one pair become neighbours.
static int compare_rows(const void *a, const void *b)
{
    const float *x = a, *y = b;
    if (x[BODY_ON] != y[BODY_ON]) {
        return x[BODY_ON] < y[BODY_ON] ? -1 : 1;
    }
    return x[BODY_TO] < y[BODY_TO] ? -1 : x[BODY_TO] > y[BODY_TO];
}

// The bodies of a row in ascending order; the force is then on the other one.
static void order_bodies(float *row)
{
    if (row[BODY_ON] > row[BODY_TO]) {
        float on = row[BODY_ON];
        row[BODY_ON] = row[BODY_TO];
        row[BODY_TO] = on;
        for (int k = FORCE; k < FORCE + 3; ++k) {
            row[k] = -row[k];
        }
    }
}

static float force_size(const float *row)
{
    return sqrtf(row[FORCE] * row[FORCE] + row[FORCE + 1] * row[FORCE + 1] +
                 row[FORCE + 2] * row[FORCE + 2]);
}

// The sum of `count` rows of one pair.
static void sum_pair(const float *rows, size_t count, float *pair)
{
    float weight = 0.0F, slipping = 0.0F;
    memset(pair, 0, COLUMNS * sizeof *pair);
    for (size_t i = 0; i < count; ++i) {
        const float *row = &rows[i * COLUMNS];
        float size = force_size(row);
        weight += size;
        slipping += row[REGIME] == SLIPS ? size : 0.0F;
        for (int k = 0; k < 3; ++k) {
            pair[POINT + k] += size * row[POINT + k];
            pair[FORCE + k] += row[FORCE + k];
        }
    }
    for (int k = 0; k < 3; ++k) {
        pair[POINT + k] = weight > 0.0F ? pair[POINT + k] / weight : rows[POINT + k];
    }
    pair[REGIME] = slipping > 0.5F * weight ? SLIPS : STICKS;
    pair[BODY_ON] = rows[BODY_ON];
    pair[BODY_TO] = rows[BODY_TO];
}

// Sums the rows of a frame by pair, in place. Returns the number of pairs.
static size_t sum_frame(float *rows, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        order_bodies(&rows[i * COLUMNS]);
    }
    qsort(rows, count, COLUMNS * sizeof *rows, compare_rows);
    size_t pairs = 0;
    for (size_t i = 0, end = 0; i < count; i = end) {
        for (end = i + 1;
             end < count && compare_rows(&rows[i * COLUMNS], &rows[end * COLUMNS]) == 0; ++end) {
        }
        float pair[COLUMNS];
        sum_pair(&rows[i * COLUMNS], end - i, pair);
        memcpy(&rows[pairs * COLUMNS], pair, sizeof pair);
        pairs += 1;
    }
    return pairs;
}

typedef struct pair_table {
    float *rows;   // [room][COLUMNS]
    float *counts; // of each frame
    long long used, most;
} pair_table;

// Pairs of every frame, one frame behind the other.
static void sum_all(const hf_recording_frames *frames, pair_table *table)
{
    size_t from = 0;
    for (long long i = 0; i < frames->count; ++i) {
        size_t count = (size_t)frames->listed[i];
        float *rows = &table->rows[table->used * COLUMNS];
        memmove(rows, &frames->list[from * COLUMNS], count * COLUMNS * sizeof *rows);
        size_t pairs = sum_frame(rows, count);
        table->counts[i] = (float)pairs;
        table->used += (long long)pairs;
        table->most = (long long)pairs > table->most ? (long long)pairs : table->most;
        from += count;
    }
}

// Keeps every stride-th frame only.
static long long keep_some(pair_table *table, long long frames, long long stride)
{
    size_t from = 0, to = 0;
    long long kept = 0;
    for (long long i = 0; i < frames; ++i) {
        size_t count = (size_t)table->counts[i];
        if (i % stride == 0) {
            memmove(&table->rows[to * COLUMNS], &table->rows[from * COLUMNS],
                    count * COLUMNS * sizeof *table->rows);
            table->counts[kept++] = (float)count;
            to += count;
        }
        from += count;
    }
    table->used = (long long)to;
    return kept;
}

void hf_page_contacts_write(hf_page_columns *columns, const hf_recording_frames *frames)
{
    if (frames->list == NULL || frames->listed_rows == 0) {
        return;
    }
    size_t room = (size_t)frames->listed_rows;
    pair_table table = {.rows = malloc((room + 1) * COLUMNS * sizeof(float)),
                        .counts = malloc(((size_t)frames->count + 1) * sizeof(float))};
    if (table.rows == NULL || table.counts == NULL) {
        columns->trouble = "out of memory";
    } else {
        sum_all(frames, &table);
        long long stride = 1 + (table.used - 1) / ROWS_MOST;
        long long kept = keep_some(&table, frames->count, stride);
        hf_json_begin(columns->json, "pairs");
        hf_json_count(columns->json, "stride", stride);
        hf_json_count(columns->json, "most", table.most);
        hf_page_column_write_floats(columns, "count", table.counts, kept, 1);
        hf_page_column_write_floats(columns, "rows", table.rows, table.used, COLUMNS);
        hf_json_end(columns->json);
    }
    free(table.rows);
    free(table.counts);
}
