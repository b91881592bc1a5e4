// SPDX-License-Identifier: Apache-2.0
// Tables as Apache Parquet files, without a library: numbers are DOUBLE, the number of the case is
// INT64, texts are UTF-8; all columns required, plain, not compressed, one page a column and group
// of rows. The format: parquet.thrift of apache/parquet-format, in Thrift's compact protocol.
//
//   "PAR1"  groups of rows: a column after the other, each a page's header and its values
//           FileMetaData: schema, number of rows, where each column of each group stands, facts
//           length of that [4 bytes]  "PAR1"
//
// Memory holds one group of rows, and 24 bytes a group and column of those that are written.
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "record/table.h"

enum { GROUP_BYTES = 16 << 20, GROUP_ROWS = 65536, FEWEST_ROWS = 1024 };
// Numbers of parquet.thrift
enum { TYPE_INT64 = 2, TYPE_DOUBLE = 5, TYPE_BYTE_ARRAY = 6 };
enum { REQUIRED = 0, CONVERTED_UTF8 = 0, PLAIN = 0, RLE = 3, UNCOMPRESSED = 0, DATA_PAGE = 0 };
// Kinds of Thrift's compact protocol
enum { KIND_I32 = 5, KIND_I64 = 6, KIND_BINARY = 8, KIND_LIST = 9, KIND_STRUCT = 12 };

// ------------------------------------------------------------------------------------------------
// Bytes

typedef struct bytes {
    unsigned char *data;
    size_t length, capacity;
    bool lost; // out of memory
} bytes;

static void put(bytes *b, const void *data, size_t length)
{
    if (b->length + length > b->capacity) {
        size_t larger = 2 * (b->length + length) + 64;
        unsigned char *moved = realloc(b->data, larger);
        if (moved == NULL) {
            b->lost = true;
            return;
        }
        b->data = moved;
        b->capacity = larger;
    }
    memcpy(b->data + b->length, data, length);
    b->length += length;
}

static void put_byte(bytes *b, unsigned value)
{
    unsigned char byte = (unsigned char)value;
    put(b, &byte, 1);
}

static void put_little(bytes *b, uint64_t value, int count)
{
    for (int i = 0; i < count; ++i) {
        put_byte(b, (unsigned)(value >> (8 * i)) & 0xffU);
    }
}

static void put_double(bytes *b, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_little(b, bits, 8);
}

// The length of the UTF-8 sequence that begins here; 0: there is none.
static size_t sequence_length(const unsigned char *c)
{
    size_t length = c[0] < 0x80                   ? 1
                    : c[0] >= 0xc2 && c[0] < 0xe0 ? 2
                    : c[0] >= 0xe0 && c[0] < 0xf0 ? 3
                    : c[0] >= 0xf0 && c[0] < 0xf5 ? 4
                                                  : 0;
    for (size_t i = 1; i < length; ++i) {
        if ((c[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    bool wrong = (c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xed && c[1] > 0x9f) ||
                 (c[0] == 0xf0 && c[1] < 0x90) || (c[0] == 0xf4 && c[1] > 0x8f);
    return length > 1 && wrong ? 0 : length;
}

// A text with its length before it. What is not UTF-8 (names of files may be anything) becomes '?'.
static void put_text(bytes *b, const char *text)
{
    put_little(b, strlen(text), 4);
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0';) {
        size_t length = sequence_length(c);
        put(b, length == 0 ? (const void *)"?" : c, length == 0 ? 1 : length);
        c += length == 0 ? 1 : length;
    }
}

// ------------------------------------------------------------------------------------------------
// Thrift

static void put_varint(bytes *b, uint64_t value)
{
    for (; value >= 0x80; value >>= 7) {
        put_byte(b, (unsigned)(value & 0x7f) | 0x80U);
    }
    put_byte(b, (unsigned)value);
}

static void put_zigzag(bytes *b, int64_t value)
{
    put_varint(b, ((uint64_t)value << 1) ^ (value < 0 ? UINT64_MAX : 0));
}

// A field of a struct; `*last` is the number of the field before it.
static void put_field(bytes *b, int *last, int number, unsigned kind)
{
    put_byte(b, (unsigned)(number - *last) << 4 | kind); // all our steps are below 16
    *last = number;
}

static void put_number(bytes *b, int *last, int number, unsigned kind, int64_t value)
{
    put_field(b, last, number, kind);
    put_zigzag(b, value);
}

static void put_binary(bytes *b, int *last, int number, const char *text)
{
    put_field(b, last, number, KIND_BINARY);
    put_varint(b, strlen(text));
    put(b, text, strlen(text));
}

static void put_list(bytes *b, int *last, int number, unsigned kind, uint64_t count)
{
    put_field(b, last, number, KIND_LIST);
    if (count < 15) {
        put_byte(b, (unsigned)count << 4 | kind);
    } else {
        put_byte(b, 0xf0U | kind);
        put_varint(b, count);
    }
}

static void put_end(bytes *b)
{
    put_byte(b, 0);
}

// ------------------------------------------------------------------------------------------------
// Groups of rows

typedef struct chunk {
    uint64_t place, size; // in the file, with the page's header [bytes]
    uint64_t rows;
} chunk;

typedef struct writer {
    FILE *file;
    const char *path;
    const hf_table_plan *plan;
    uint64_t place; // where the file ends
    bytes *columns; // values of the group
    chunk *chunks;  // of all groups, a group after the other
    size_t groups, capacity;
    double *numbers;
    const char **texts;
    hf_error *error;
} writer;

static hf_status out_of_memory(const writer *w)
{
    return hf_error_set(w->error, HF_ERROR_MEMORY, "out of memory for a table");
}

static hf_status write_bytes(writer *w, const void *data, size_t length)
{
    if (fwrite(data, 1, length, w->file) != length) {
        return hf_error_set(w->error, HF_ERROR_FILE, "%.300s: cannot write: %s", w->path,
                            strerror(errno));
    }
    w->place += length;
    return HF_OK;
}

static int type_of(const hf_table_heading *column)
{
    return column->width > 0                   ? TYPE_BYTE_ARRAY
           : strcmp(column->role, "case") == 0 ? TYPE_INT64
                                               : TYPE_DOUBLE;
}

static hf_status add_row(writer *w, long long index)
{
    HF_TRY(w->plan->row(w->plan->context, index, w->numbers, w->texts, w->error));
    for (int k = 0; k < w->plan->column_count; ++k) {
        switch (type_of(&w->plan->columns[k])) {
        case TYPE_BYTE_ARRAY:
            put_text(&w->columns[k], w->texts[k] == NULL ? "" : w->texts[k]);
            break;
        case TYPE_INT64:
            put_little(&w->columns[k], (uint64_t)w->numbers[k], 8);
            break;
        default:
            put_double(&w->columns[k], w->numbers[k]);
        }
    }
    return HF_OK;
}

static void put_page_header(bytes *b, size_t size, uint64_t rows)
{
    int last = 0, inner = 0;
    put_number(b, &last, 1, KIND_I32, DATA_PAGE);
    put_number(b, &last, 2, KIND_I32, (int64_t)size); // as it is, and
    put_number(b, &last, 3, KIND_I32, (int64_t)size); // compressed
    put_field(b, &last, 5, KIND_STRUCT);              // DataPageHeader
    put_number(b, &inner, 1, KIND_I32, (int64_t)rows);
    put_number(b, &inner, 2, KIND_I32, PLAIN);
    put_number(b, &inner, 3, KIND_I32, RLE); // of levels, which required columns do not have
    put_number(b, &inner, 4, KIND_I32, RLE);
    put_end(b);
    put_end(b);
}

// Writes what was gathered, and notes where.
static hf_status end_group(writer *w, uint64_t rows)
{
    size_t columns = (size_t)w->plan->column_count;
    if (w->groups == w->capacity) {
        size_t larger = 2 * w->capacity + 8;
        chunk *moved = realloc(w->chunks, larger * columns * sizeof *moved);
        if (moved == NULL) {
            return out_of_memory(w);
        }
        w->chunks = moved;
        w->capacity = larger;
    }
    for (size_t k = 0; k < columns; ++k) {
        bytes header = {0};
        put_page_header(&header, w->columns[k].length, rows);
        bool lost = header.lost || w->columns[k].lost;
        uint64_t place = w->place;
        hf_status status = lost ? out_of_memory(w) : write_bytes(w, header.data, header.length);
        free(header.data);
        HF_TRY(status);
        HF_TRY(write_bytes(w, w->columns[k].data, w->columns[k].length));
        w->chunks[w->groups * columns + k] =
            (chunk){.place = place, .size = w->place - place, .rows = rows};
        w->columns[k].length = 0;
    }
    w->groups += 1;
    return HF_OK;
}

static hf_status write_groups(writer *w)
{
    size_t width = 0;
    for (int k = 0; k < w->plan->column_count; ++k) {
        width += w->plan->columns[k].width + sizeof(double);
    }
    size_t most = GROUP_BYTES / width;
    most = most < FEWEST_ROWS ? FEWEST_ROWS : most > GROUP_ROWS ? GROUP_ROWS : most;
    uint64_t rows = 0;
    for (long long i = 0; i < w->plan->rows; ++i) {
        HF_TRY(add_row(w, i));
        rows += 1;
        if (rows == most || i + 1 == w->plan->rows) {
            HF_TRY(end_group(w, rows));
            rows = 0;
        }
    }
    return HF_OK;
}

// ------------------------------------------------------------------------------------------------
// What the file says of itself

static void put_schema(bytes *b, const hf_table_plan *plan)
{
    int root = 0;
    put_binary(b, &root, 4, "schema");
    put_number(b, &root, 5, KIND_I32, plan->column_count);
    put_end(b);
    for (int k = 0; k < plan->column_count; ++k) {
        int last = 0, type = type_of(&plan->columns[k]);
        put_number(b, &last, 1, KIND_I32, type);
        put_number(b, &last, 3, KIND_I32, REQUIRED);
        put_binary(b, &last, 4, plan->columns[k].name);
        if (type == TYPE_BYTE_ARRAY) {
            put_number(b, &last, 6, KIND_I32, CONVERTED_UTF8);
        }
        put_end(b);
    }
}

static void put_chunk(bytes *b, const hf_table_heading *column, const chunk *c)
{
    int last = 0, inner = 0;
    put_number(b, &last, 2, KIND_I64, (int64_t)c->place);
    put_field(b, &last, 3, KIND_STRUCT); // ColumnMetaData
    put_number(b, &inner, 1, KIND_I32, type_of(column));
    put_list(b, &inner, 2, KIND_I32, 1);
    put_zigzag(b, PLAIN);
    put_list(b, &inner, 3, KIND_BINARY, 1);
    put_varint(b, strlen(column->name));
    put(b, column->name, strlen(column->name));
    put_number(b, &inner, 4, KIND_I32, UNCOMPRESSED);
    put_number(b, &inner, 5, KIND_I64, (int64_t)c->rows);
    put_number(b, &inner, 6, KIND_I64, (int64_t)c->size);
    put_number(b, &inner, 7, KIND_I64, (int64_t)c->size);
    put_number(b, &inner, 9, KIND_I64, (int64_t)c->place);
    put_end(b);
    put_end(b);
}

static void put_groups(bytes *b, const writer *w)
{
    size_t columns = (size_t)w->plan->column_count;
    for (size_t g = 0; g < w->groups; ++g) {
        const chunk *chunks = w->chunks + g * columns;
        uint64_t size = 0;
        int last = 0;
        put_list(b, &last, 1, KIND_STRUCT, columns);
        for (size_t k = 0; k < columns; ++k) {
            put_chunk(b, &w->plan->columns[k], &chunks[k]);
            size += chunks[k].size;
        }
        put_number(b, &last, 2, KIND_I64, (int64_t)size);
        put_number(b, &last, 3, KIND_I64, (int64_t)chunks[0].rows);
        put_end(b);
    }
}

static void put_fact(bytes *b, const char *name, const char *text)
{
    int last = 0;
    put_binary(b, &last, 1, name);
    put_binary(b, &last, 2, text);
    put_end(b);
}

static hf_status write_footer(writer *w)
{
    const hf_table_plan *plan = w->plan;
    bytes b = {0};
    int last = 0;
    put_number(&b, &last, 1, KIND_I32, 1);
    put_list(&b, &last, 2, KIND_STRUCT, (uint64_t)plan->column_count + 1);
    put_schema(&b, plan);
    put_number(&b, &last, 3, KIND_I64, plan->rows);
    put_list(&b, &last, 4, KIND_STRUCT, w->groups);
    put_groups(&b, w);
    put_list(&b, &last, 5, KIND_STRUCT, (uint64_t)plan->fact_count);
    for (int i = 0; i < plan->fact_count; ++i) {
        put_fact(&b, plan->facts[i].name, plan->facts[i].text);
    }
    put_binary(&b, &last, 6, "holdfast " HF_VERSION);
    put_end(&b);
    put_little(&b, b.length, 4);
    put(&b, "PAR1", 4);
    hf_status status = b.lost ? out_of_memory(w) : write_bytes(w, b.data, b.length);
    free(b.data);
    return status;
}

// ------------------------------------------------------------------------------------------------

static hf_status write_file(writer *w)
{
    HF_TRY(write_bytes(w, "PAR1", 4));
    HF_TRY(write_groups(w));
    HF_TRY(write_footer(w));
    return fflush(w->file) == 0 ? HF_OK
                                : hf_error_set(w->error, HF_ERROR_FILE, "%.300s: cannot write: %s",
                                               w->path, strerror(errno));
}

hf_status hf_parquet_table_write(const char *place, const char *path, const hf_table_plan *plan,
                                 hf_error *error)
{
    size_t columns = (size_t)plan->column_count;
    writer w = {.path = path,
                .plan = plan,
                .error = error,
                .columns = calloc(columns, sizeof *w.columns),
                .numbers = calloc(columns, sizeof *w.numbers),
                .texts = calloc(columns, sizeof *w.texts)};
    bool room = w.columns != NULL && w.numbers != NULL && w.texts != NULL;
    w.file = room ? fopen(place, "wb") : NULL;
    hf_status status =
        !room ? out_of_memory(&w)
        : w.file != NULL
            ? write_file(&w)
            : hf_error_set(error, HF_ERROR_FILE, "%.300s: cannot write: %s", path, strerror(errno));
    if (w.file != NULL && fclose(w.file) != 0 && status == HF_OK) {
        status =
            hf_error_set(error, HF_ERROR_FILE, "%.300s: cannot write: %s", path, strerror(errno));
    }
    for (size_t k = 0; w.columns != NULL && k < columns; ++k) {
        free(w.columns[k].data);
    }
    free(w.columns);
    free(w.chunks);
    free(w.numbers);
    free((void *)w.texts);
    return status;
}
