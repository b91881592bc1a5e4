// SPDX-License-Identifier: Apache-2.0
// CSV: lines, fields, quotes, and what strangers may do to them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/text.h"
#include "hf_test.h"

static hf_csv open_text(const char *text, size_t length, hf_error *error)
{
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    rewind(file);
    return (hf_csv){.file = file, .label = "t.csv", .error = error};
}

static void close_text(hf_csv *csv)
{
    (void)fclose(csv->file);
    hf_csv_free(csv);
}

// The fields of a text: "a|b/c|d" has two lines.
static void check_fields(const char *text, const char *want)
{
    char got[256] = "";
    hf_error error = {0};
    hf_csv csv = open_text(text, strlen(text), &error);
    for (bool more = true;;) {
        assert_int_equal(hf_csv_line(&csv, &more), HF_OK);
        if (!more) {
            break;
        }
        (void)strcat(got, got[0] == '\0' ? "" : "/");
        for (int i = 0;; ++i) {
            hf_csv_field field;
            assert_int_equal(hf_csv_next(&csv, &field, &more), HF_OK);
            if (!more) {
                break;
            }
            assert_int_equal(strlen(field.text), field.length);
            (void)strcat(got, i == 0 ? "" : "|");
            (void)strcat(got, field.text);
        }
    }
    assert_string_equal(got, want);
    close_text(&csv);
}

static void fields(void **state)
{
    (void)state;
    check_fields("", "");
    check_fields("a", "a");
    check_fields("a,b\nc,d\n", "a|b/c|d");
    check_fields("a,b\r\nc,d\r\n", "a|b/c|d");
    check_fields("\xEF\xBB\xBFtime,x\n\xEF\xBB\xBFy\n", "time|x/\xEF\xBB\xBFy");
    check_fields(",,\n,", "||/|");
    check_fields(" a ,\t\"b, c\" , \"\"\"d\"\"\"\n", "a|b, c|\"d\"");
    check_fields("\"\",x\n", "|x");
    check_fields("\"time\",l\",\",,\"", "time|l\"|,,");
    check_fields("5\" pipe,2\n", "5\" pipe|2"); // a quote within a field is a letter
    check_fields("\"'=a\",'=b,\"'quoted'\",\"''@c\"\n", "=a|'=b|'quoted'|'@c");
}

static void check_refused(const char *text, size_t length, const char *want)
{
    hf_error error = {0};
    hf_csv csv = open_text(text, length, &error);
    hf_status status = HF_OK;
    for (bool more = true; status == HF_OK && more;) {
        int count = 0;
        status = hf_csv_line(&csv, &more);
        status = status == HF_OK && more ? hf_csv_rest(&csv, &count) : status;
    }
    assert_int_not_equal(status, HF_OK);
    if (strstr(error.text, want) == NULL) {
        fail_msg("got '%s', want '%s'", error.text, want);
    }
    close_text(&csv);
}

static void refused(void **state)
{
    (void)state;
    check_refused("a,\"b\n", 5, "t.csv:1:3: a quoted field does not end on its line");
    check_refused("a\n\"b\"c\n", 7, "t.csv:2:4: expected ',' after a quoted field");
    check_refused("a\nb\0c\n", 6, "t.csv:2:2: a zero byte: this is not a CSV file");
}

// A line without an end is given up at the bound, not when memory ends.
static void endless(void **state)
{
    (void)state;
    size_t length = (size_t)2 * HF_CSV_LONGEST_LINE + 2;
    char *text = malloc(length);
    assert_non_null(text);
    memset(text, 'x', length);
    check_refused(text, length, "t.csv:1:1: a line is longer than 64 MiB");
    free(text);
    FILE *zeros = fopen("/dev/zero", "r");
    if (zeros != NULL) {
        hf_error error = {0};
        bool more = false;
        hf_csv csv = {.file = zeros, .label = "zero", .error = &error};
        assert_int_equal(hf_csv_line(&csv, &more), HF_ERROR_SYNTAX);
        assert_string_equal(error.text, "zero:1:1: a zero byte: this is not a CSV file");
        close_text(&csv);
    }
}

// Whatever text is written as a field is read back, and is no formula to a spreadsheet.
static void round_trip(void **state)
{
    (void)state;
    static const char letters[] = "=+-@',\" \tab";
    hf_rng rng = hf_rng_create(7);
    for (int trial = 0; trial < 3000; ++trial) {
        char text[12], line[64];
        size_t length = hf_rng_bits(&rng) % 9;
        for (size_t i = 0; i < length; ++i) {
            text[i] = letters[hf_rng_bits(&rng) % (sizeof letters - 1)];
        }
        text[length] = '\0';
        memcpy(line, "x,", 2);
        size_t size = hf_csv_put_text(line + 2, text);
        assert_true(size <= HF_CSV_TEXT_SIZE(length));
        char written[64] = "";
        FILE *file = tmpfile();
        assert_non_null(file);
        hf_csv_write_text(file, text);
        rewind(file);
        assert_int_equal(fread(written, 1, sizeof written, file), size);
        assert_memory_equal(written, line + 2, size);
        (void)fclose(file);
        const char *content = line + 2 + (line[2] == '"' ? 1 : 0);
        if (size > 0 && strchr("=+-@", *content) != NULL) {
            fail_msg("a spreadsheet would run '%.*s'", (int)size, line + 2);
        }
        memcpy(line + 2 + size, ",y\n", 3);
        hf_csv csv = open_text(line, size + 5, NULL);
        hf_csv_field field;
        bool more = false;
        assert_int_equal(hf_csv_line(&csv, &more), HF_OK);
        assert_int_equal(hf_csv_next(&csv, &field, &more), HF_OK);
        assert_int_equal(hf_csv_next(&csv, &field, &more), HF_OK);
        assert_string_equal(field.text, text);
        assert_int_equal(hf_csv_next(&csv, &field, &more), HF_OK);
        assert_string_equal(field.text, "y");
        close_text(&csv);
    }
}

// Any bytes: every field lies within its line, and reading ends.
static void random_bytes(void **state)
{
    (void)state;
    static const char letters[] = "\"\",,, '=\n\r\tab1\xEF\xBB\xBF";
    hf_rng rng = hf_rng_create(8);
    for (int trial = 0; trial < 3000; ++trial) {
        char text[40];
        size_t length = hf_rng_bits(&rng) % sizeof text;
        for (size_t i = 0; i < length; ++i) {
            text[i] = letters[hf_rng_bits(&rng) % (sizeof letters - 1)];
        }
        hf_csv csv = open_text(text, length, NULL);
        bool more = true;
        while (hf_csv_line(&csv, &more) == HF_OK && more) {
            hf_csv_field field;
            while (hf_csv_next(&csv, &field, &more) == HF_OK && more) {
                assert_true(field.text >= csv.line &&
                            field.text + field.length <= csv.line + csv.length);
                assert_int_equal(field.text[field.length], '\0');
            }
        }
        close_text(&csv);
    }
}

static void check_escaped(const char *text, size_t size, const char *want)
{
    char escaped[100];
    size_t length = hf_text_escape(escaped, size, text);
    assert_string_equal(escaped, want);
    assert_int_equal(length, strlen(want));
}

static void escapes(void **state)
{
    (void)state;
    check_escaped("plain \xC3\xA4\t\n", 100, "plain \xC3\xA4\t\n");
    check_escaped("\x1b[31mred\x07\r", 100, "\\x1b[31mred\\x07\\x0d");
    check_escaped("\xC2\x9B"
                  "1m \xE2\x80\xAE \xFF\xC3",
                  100,
                  "\\xc2\\x9b"
                  "1m \\xe2\\x80\\xae \\xff\\xc3");
    check_escaped("ab\x1b", 7, "ab\\x1b");
    check_escaped("ab\x1b", 6, "ab"); // cut before a character, never within
    check_escaped("a\xC3\xA4", 3, "a");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields),     cmocka_unit_test(refused),      cmocka_unit_test(endless),
        cmocka_unit_test(round_trip), cmocka_unit_test(random_bytes), cmocka_unit_test(escapes),
    };
    return hf_run_tests(tests);
}
