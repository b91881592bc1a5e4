// SPDX-License-Identifier: Apache-2.0
// JSON stays JSON, whatever names and numbers are in it.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "hf_test.h"

static void read_back(FILE *file, char *text, size_t size)
{
    rewind(file);
    size_t length = fread(text, 1, size - 1, file);
    text[length] = '\0';
    (void)fclose(file);
}

static void check_text(const char *given, const char *want)
{
    char text[200];
    hf_json json = {.file = tmpfile()};
    assert_non_null(json.file);
    hf_json_begin(&json, NULL);
    hf_json_text(&json, given, given);
    hf_json_end(&json);
    char whole[200];
    (void)snprintf(whole, sizeof whole, "{\n  %s: %s\n}\n", want, want);
    read_back(json.file, text, sizeof text);
    assert_string_equal(text, whole);
}

static void texts(void **state)
{
    (void)state;
    check_text("", "\"\"");
    check_text("plain", "\"plain\"");
    check_text("a\"b\\c", "\"a\\\"b\\\\c\"");
    check_text("a\nb\t\x01\x7F", "\"a\\u000ab\\u0009\\u0001\\u007f\"");
    check_text("\xC3\xA4 \xE2\x82\xAC \xF0\x9F\x98\x80",
               "\"\xC3\xA4 \xE2\x82\xAC \xF0\x9F\x98\x80\"");
    // Not UTF-8: lone, cut, overlong, surrogate, beyond the last character.
    check_text("a\xFF", "\"a\\ufffd\"");
    check_text("\xC3", "\"\\ufffd\"");
    check_text("\xC0\xAF", "\"\\ufffd\\ufffd\"");
    check_text("\xED\xA0\x80", "\"\\ufffd\\ufffd\\ufffd\"");
    check_text("\xF4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\"");
    check_text("\xE2\x82", "\"\\ufffd\\ufffd\"");
}

static void numbers(void **state)
{
    (void)state;
    char text[300];
    hf_json json = {.file = tmpfile()};
    assert_non_null(json.file);
    hf_json_begin(&json, NULL);
    hf_json_number(&json, "a", 0.1);
    hf_json_number(&json, "b", (double)NAN);
    hf_json_number(&json, "c", -INFINITY);
    hf_json_begin(&json, "d");
    hf_json_end(&json);
    hf_json_begin(&json, "e");
    hf_json_count(&json, "f", 1LL << 53);
    hf_json_end(&json);
    hf_json_end(&json);
    read_back(json.file, text, sizeof text);
    assert_string_equal(text, "{\n  \"a\": 0.1,\n  \"b\": null,\n  \"c\": null,\n  \"d\": {},\n"
                              "  \"e\": {\n    \"f\": 9007199254740992\n  }\n}\n");
}

static void lists(void **state)
{
    (void)state;
    char text[300];
    hf_json json = {.file = tmpfile()};
    assert_non_null(json.file);
    hf_json_begin(&json, NULL);
    hf_json_begin_list(&json, "none");
    hf_json_end_list(&json);
    hf_json_begin_list(&json, "two");
    hf_json_text(&json, NULL, "a");
    hf_json_text(&json, NULL, "b\"");
    hf_json_end_list(&json);
    hf_json_count(&json, "after", 1);
    hf_json_end(&json);
    read_back(json.file, text, sizeof text);
    assert_string_equal(text, "{\n  \"none\": [],\n  \"two\": [\"a\", \"b\\\"\"],\n"
                              "  \"after\": 1\n}\n");
}

// The same values without a byte that JSON does not need.
static void compact(void **state)
{
    (void)state;
    char text[300];
    hf_json json = {.file = tmpfile(), .compact = true};
    assert_non_null(json.file);
    hf_json_begin(&json, NULL);
    hf_json_numbers(&json, "a", (const double[]){1.0, 0.5}, 2);
    hf_json_begin_list(&json, "b");
    hf_json_begin(&json, NULL);
    hf_json_flag(&json, "c", true);
    hf_json_end(&json);
    hf_json_begin(&json, NULL);
    hf_json_end(&json);
    hf_json_end_list(&json);
    hf_json_end(&json);
    read_back(json.file, text, sizeof text);
    assert_string_equal(text, "{\"a\":[1,0.5],\"b\":[{\"c\":true},{}]}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts),
        cmocka_unit_test(numbers),
        cmocka_unit_test(lists),
        cmocka_unit_test(compact),
    };
    return hf_run_tests(tests);
}
