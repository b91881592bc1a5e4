// SPDX-License-Identifier: Apache-2.0
// Tables: what is written is read back, bit for bit; Parquet holds UTF-8 alone; what is wrong with
// a table is said; a table that cannot be finished leaves what was there.
#include "files.h"
#include "hf_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "record/table.h"

#define COUNT(list) ((int)(sizeof(list) / sizeof *(list)))

// Every kind of double, and texts that CSV has to quote.
static const double NUMBERS[] = {
    0.0,    -0.0,        1.0 / 3.0, -1e308,    5e-324, 2.2250738585072014e-308,
    1e-320, (double)NAN, INFINITY,  -INFINITY, 1e16,   123456789.125};
static const char *const TEXTS[] = {"plain",    "",  "a,b", "say \"so\"", " blanks ",    "'", "x;y",
                                    "\xc3\xa9", "1", "-",   "NaN",        "\xe2\x82\xac"};

typedef struct source {
    long long fails; // at this row; -1: never
} source;

static hf_status fill(void *context, long long index, double *numbers, const char **texts,
                      hf_error *error)
{
    const source *s = context;
    if (index == s->fails) {
        return hf_error_set(error, HF_ERROR_STATE, "row %lld is not to be had", index);
    }
    numbers[0] = NUMBERS[index];
    texts[1] = TEXTS[index];
    numbers[2] = (double)index;
    return HF_OK;
}

static const hf_table_heading HEADINGS[] = {
    {.name = "value", .unit = "m", .role = "axis"},
    {.name = "note, in words", .unit = "", .role = "", .width = 16},
    {.name = "row", .unit = "", .role = ""}};
static const hf_table_fact_def FACTS[] = {{"title", "a table"}, {"empty", ""}};

static hf_table_plan plan_of(source *s)
{
    return (hf_table_plan){.rows = COUNT(NUMBERS),
                           .column_count = COUNT(HEADINGS),
                           .columns = HEADINGS,
                           .fact_count = COUNT(FACTS),
                           .facts = FACTS,
                           .row = fill,
                           .context = s};
}

static void check_numbers(const hf_table_column *column, const char *path)
{
    assert_non_null(column->numbers);
    for (int i = 0; i < COUNT(NUMBERS); ++i) {
        bool same = isnan(NUMBERS[i])
                        ? isnan(column->numbers[i]) != 0
                        : memcmp(&column->numbers[i], &NUMBERS[i], sizeof NUMBERS[i]) == 0;
        if (!same) {
            fail_msg("%s: row %d is %.17g, wrote %.17g", path, i, column->numbers[i], NUMBERS[i]);
        }
    }
}

static void written_is_read(void **state)
{
    (void)state;
    static const char *const names[] = {"t.csv", "t.h5", "t.HDF5"};
    files f = files_create();
    for (int i = 0; i < COUNT(names); ++i) {
        hf_error error = {0};
        source s = {.fails = -1};
        hf_table_plan plan = plan_of(&s);
        const char *path = files_path(&f, names[i]);
        assert_int_equal(hf_table_write(path, &plan, &error), HF_OK);
        hf_table *table = hf_table_read(path, &error);
        if (table == NULL) {
            fail_msg("%s", error.text);
        }
        assert_int_equal(table->rows, COUNT(NUMBERS));
        assert_int_equal(table->column_count, 3);
        check_numbers(&table->columns[hf_table_find(table, "value")], path);
        const hf_table_column *notes = &table->columns[hf_table_find(table, "note, in words")];
        for (int k = 0; k < COUNT(TEXTS); ++k) {
            assert_string_equal(notes->texts[k], TEXTS[k]);
            assert_true(table->columns[hf_table_find(table, "row")].numbers[k] == (double)k);
        }
        assert_int_equal(hf_table_find(table, "valu"), -1);
        // Units and facts are HDF5's alone
        assert_string_equal(table->columns[0].unit, i == 0 ? "" : "m");
        assert_string_equal(table->columns[0].role, i == 0 ? "" : "axis");
        assert_string_equal(hf_table_fact(table, "title"), i == 0 ? "" : "a table");
        assert_string_equal(hf_table_fact(table, "nothing"), "");
        hf_table_destroy(table);
    }
    files_remove(&f);
}

// ------------------------------------------------------------------------------------------------
// Parquet

typedef struct text_row {
    const char *text, *kept;
} text_row;

static hf_status fill_text(void *context, long long index, double *numbers, const char **texts,
                           hf_error *error)
{
    (void)index;
    (void)numbers;
    (void)error;
    texts[0] = ((const text_row *)context)->text;
    return HF_OK;
}

// By RFC 3629: longest and shortest sequences of each length; continuations without a beginning,
// beginnings without continuations, overlong forms, surrogates, and what is above U+10FFFF.
static const text_row UTF8[] = {
    {"ascii", "ascii"},
    {"\xc2\x80", "\xc2\x80"},
    {"\xdf\xbf", "\xdf\xbf"},
    {"\xe0\xa0\x80", "\xe0\xa0\x80"},
    {"\xed\x9f\xbf", "\xed\x9f\xbf"},
    {"\xef\xbf\xbf", "\xef\xbf\xbf"},
    {"\xf0\x90\x80\x80", "\xf0\x90\x80\x80"},
    {"\xf4\x8f\xbf\xbf", "\xf4\x8f\xbf\xbf"},
    {"a\x80z", "a?z"},
    {"a\xbfz", "a?z"},
    {"a\xc0\xafz", "a??z"},
    {"a\xc1\xbfz", "a??z"},
    {"a\xc3", "a?"},
    {"a\xc3z", "a?z"},
    {"a\xe0\x9f\xbfz", "a???z"},
    {"a\xe2\x82", "a??"},
    {"a\xe2\x82z", "a??z"},
    {"a\xed\xa0\x80z", "a???z"},
    {"a\xed\xbf\xbfz", "a???z"},
    {"a\xf0\x8f\xbf\xbfz", "a????z"},
    {"a\xf0\x90\x80", "a???"},
    {"a\xf4\x90\x80\x80z", "a????z"},
    {"a\xf5\x80\x80\x80z", "a????z"},
    {"a\xff\xfez", "a??z"},
};

static bool holds(const char *bytes, size_t size, const char *part, size_t length)
{
    for (size_t i = 0; i + length <= size; ++i) {
        if (memcmp(bytes + i, part, length) == 0) {
            return true;
        }
    }
    return false;
}

static void parquet_is_utf8(void **state)
{
    (void)state;
    static const hf_table_heading heading = {.name = "text", .unit = "", .role = "", .width = 16};
    files f = files_create();
    const char *path = files_path(&f, "t.parquet");
    for (int i = 0; i < COUNT(UTF8); ++i) {
        hf_error error = {0};
        text_row row = UTF8[i];
        hf_table_plan plan = {
            .rows = 1, .column_count = 1, .columns = &heading, .row = fill_text, .context = &row};
        assert_int_equal(hf_table_write(path, &plan, &error), HF_OK);
        char bytes[4096], wanted[64];
        FILE *file = fopen(path, "rb");
        assert_non_null(file);
        size_t size = fread(bytes, 1, sizeof bytes, file), length = strlen(row.kept);
        (void)fclose(file);
        // PLAIN encoding: the length in four bytes, the bytes; "PAR1" at both ends
        assert_int_equal(length, strlen(row.text));
        memcpy(wanted, (const char[4]){(char)length, 0, 0, 0}, 4);
        memcpy(wanted + 4, row.kept, length);
        assert_true(size < sizeof bytes && memcmp(bytes, "PAR1", 4) == 0 &&
                    memcmp(bytes + size - 4, "PAR1", 4) == 0);
        if (!holds(bytes, size, wanted, length + 4)) {
            fail_msg("text %d is not kept as '%s'", i, row.kept);
        }
    }
    files_remove(&f);
}

// ------------------------------------------------------------------------------------------------
// What is wrong

static void expect_unread(files *f, const char *name, const char *text, size_t size,
                          const char *expected)
{
    hf_error error = {0};
    const char *path = files_write(f, name, text, size);
    hf_table *table = hf_table_read(path, &error);
    if (table != NULL || strstr(error.text, expected) == NULL) {
        fail_msg("%.60s: expected '%s', got '%s'", text, expected, error.text);
    }
    assert_true(error.status < 0);
}

static void wrong_tables(void **state)
{
    (void)state;
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"", "expected a header with the names of 1 to 500 columns"},
        {",b\n1,2\n", ":1:1: column 1 has no name"},
        {"a,\n1,2\n", ":1:1: column 2 has no name"},
        {"a,b,a\n1,2,3\n", ":1:1: column 'a' is there twice"},
        {"a,b\n1,2\n\n3\n", ":4:1: expected 2 fields, got 1"},
        {"a,b\n1,2,3\n", ":2:1: expected 2 fields, got 3"},
    };
    files f = files_create();
    for (int i = 0; i < COUNT(cases); ++i) {
        expect_unread(&f, "wrong.csv", cases[i].text, strlen(cases[i].text), cases[i].expected);
    }
    // More columns than there may be
    char wide[6000];
    size_t used = 0;
    for (int i = 0; i <= HF_TABLE_COLUMNS_MAX; ++i) {
        used += (size_t)snprintf(wide + used, sizeof wide - used, "%sc%d", i > 0 ? "," : "", i);
    }
    expect_unread(&f, "wide.csv", wide, used,
                  "expected a header with the names of 1 to 500 columns");
    expect_unread(&f, "text.h5", "no table", 8, "cannot open as HDF5");
    expect_unread(&f, "t.parquet", "PAR1", 4,
                  "Parquet tables are written for other programs and not read");
    expect_unread(&f, "t.txt", "a\n1\n", 4, ".txt");
    // A file that is not there
    hf_error error = {0};
    assert_null(hf_table_read(files_path(&f, "none.csv"), &error));
    assert_int_equal(error.status, HF_ERROR_FILE);
    assert_null(hf_table_read(files_path(&f, "none.h5"), &error));
    assert_true(error.status < 0);
    files_remove(&f);
}

static void unfinished_tables(void **state)
{
    (void)state;
    static const char *const names[] = {"t.csv", "t.h5", "t.parquet"};
    files f = files_create();
    for (int i = 0; i < COUNT(names); ++i) {
        const char *path = files_write(&f, names[i], "before", 6);
        for (long long at = 0; at < COUNT(NUMBERS); at += COUNT(NUMBERS) - 1) {
            hf_error error = {0};
            source s = {.fails = at};
            hf_table_plan plan = plan_of(&s);
            char expected[60], kept[10] = "";
            (void)snprintf(expected, sizeof expected, "row %lld is not to be had", at);
            assert_int_equal(hf_table_write(path, &plan, &error), HF_ERROR_STATE);
            assert_string_equal(error.text, expected);
            FILE *file = fopen(path, "rb");
            assert_non_null(file);
            assert_int_equal(fread(kept, 1, 9, file), 6);
            (void)fclose(file);
            assert_string_equal(kept, "before");
        }
    }
    // Plans that are none
    hf_error error = {0};
    source s = {.fails = -1};
    hf_table_plan plan = plan_of(&s);
    assert_int_equal(hf_table_write(files_path(&f, "t.txt"), &plan, &error), HF_ERROR_INPUT);
    plan.column_count = HF_TABLE_COLUMNS_MAX + 1;
    assert_int_equal(hf_table_write(files_path(&f, "t.csv"), &plan, &error), HF_ERROR_RANGE);
    assert_non_null(strstr(error.text, "501 columns are more than 500"));
    files_remove(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(written_is_read),
        cmocka_unit_test(parquet_is_utf8),
        cmocka_unit_test(wrong_tables),
        cmocka_unit_test(unfinished_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
