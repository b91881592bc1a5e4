// SPDX-License-Identifier: Apache-2.0
// Bad input: every file in bad/ says what expected.txt says, at the right place; files too large to
// keep are made here.
#include "models_test.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDER HF_SOURCE_DIR "/tests/models/bad"

static void check_file(const char *file, const char *expected)
{
    char path[1200];
    hf_error error = {0};
    size_t length = 0;
    (void)snprintf(path, sizeof path, "%s/%s", FOLDER, file);
    char *text = read_whole(path, &length);
    hf_spec *spec = hf_spec_parse(text, length, file, FOLDER, NULL, &error);
    free(text);
    if (spec != NULL) {
        hf_spec_destroy(spec);
        fail_msg("%s was accepted; expected: %s", file, expected);
    }
    if (strncmp(error.text, expected, strlen(expected)) != 0) {
        fail_msg("%s says\n  %s\nexpected\n  %s", file, error.text, expected);
    }
    int line = 0, column = 0;
    assert_int_equal(sscanf(strchr(error.text, ':'), ":%d:%d:", &line, &column), 2);
    assert_int_equal(error.line, line);
    assert_int_equal(error.column, column);
    assert_true(error.status < 0);
    assert_null(strchr(error.text, '\n'));
}

static void every_bad_file(void **state)
{
    (void)state;
    FILE *list = fopen(FOLDER "/expected.txt", "r");
    assert_non_null(list);
    char line[600];
    int count = 0;
    while (fgets(line, sizeof line, list) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        char *arrow = strstr(line, " > ");
        if (line[0] == '#') {
            continue;
        }
        assert_non_null(arrow);
        *arrow = '\0';
        check_file(line, arrow + 3);
        ++count;
    }
    (void)fclose(list);
    // None is forgotten.
    DIR *folder = opendir(FOLDER);
    assert_non_null(folder);
    int files = 0;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        size_t length = strlen(entry->d_name);
        files += length > 5 && strcmp(entry->d_name + length - 5, ".yaml") == 0;
    }
    (void)closedir(folder);
    assert_int_equal(count, files);
}

// ------------------------------------------------------------------------------------------------
// Made here

static char *repeated(const char *head, const char *piece, size_t times, const char *tail)
{
    size_t lh = strlen(head), lp = strlen(piece), lt = strlen(tail);
    char *text = malloc(lh + lp * times + lt + 1);
    assert_non_null(text);
    memcpy(text, head, lh);
    for (size_t i = 0; i < times; ++i) {
        memcpy(text + lh + i * lp, piece, lp);
    }
    memcpy(text + lh + lp * times, tail, lt + 1);
    return text;
}

static void expect_repeated(const char *head, const char *piece, size_t times, const char *tail,
                            const char *expected)
{
    char *text = repeated(head, piece, times, tail);
    expect_error(text, expected);
    free(text);
}

static void deep_nesting(void **state)
{
    (void)state;
    expect_repeated("name: ", "[", 100000, "", "model.yaml:1:70: nested deeper than 64 levels");
    expect_repeated("", "{a: ", 100000, "", "nested deeper than 64 levels");
    expect_repeated("", "- ", 100000, "", "nested deeper than 64 levels");
    expect_repeated("", "? ", 100000, "", "model.yaml:1:3: a key must be a word");
    // 64 levels are allowed, and then it is the wrong type.
    expect_repeated("name: ", "[", 63,
                    "1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]"
                    "\nbodies: {}\n",
                    "model.yaml:1:7: name must be a text, got a list");
}

static void large_texts(void **state)
{
    (void)state;
    size_t limit = (size_t)64 * 1024 * 1024;
    char *text = repeated("# ", "x", limit, "\n");
    hf_error error = {0};
    assert_null(hf_spec_parse(text, strlen(text), "big.yaml", NULL, NULL, &error));
    assert_non_null(strstr(error.text, "big.yaml: the text is larger than 64 MiB"));
    free(text);
    expect_repeated("name: [", "1,", 4000001, "1]\n", "holds more than 4000000 values");
    expect_repeated("name: \"", "x", 5000000, "\"\n", "bodies is missing");
    expect_repeated("", "x", 100000, ": 1\n", "unknown key 'xxxx");
}

// The size is looked at before anything is read: a sparse file of 100 GB costs nothing.
static void large_file(void **state)
{
    (void)state;
    char path[] = "/tmp/holdfast-large-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(ftruncate(file, (off_t)100 * 1000 * 1000 * 1000), 0);
    hf_error error = {0};
    assert_null(hf_spec_load(path, NULL, &error));
    (void)close(file);
    (void)unlink(path);
    assert_int_equal(error.status, HF_ERROR_FILE);
    assert_non_null(strstr(error.text, "larger than 64 MiB"));
}

static void files_that_cannot_be_read(void **state)
{
    (void)state;
    hf_error error = {0};
    assert_null(hf_spec_load("/nowhere/at/all.yaml", NULL, &error));
    assert_int_equal(error.status, HF_ERROR_FILE);
    assert_string_equal(error.text, "/nowhere/at/all.yaml: No such file or directory");
    assert_null(hf_spec_load("/tmp", NULL, &error));
    assert_non_null(strstr(error.text, "is a directory"));
    assert_null(hf_model_load("/nowhere/at/all.yaml", &error));
    assert_null(hf_spec_load("/nowhere/at/all.yaml", NULL, NULL));
    assert_null(hf_spec_parse("x", 1, "x", NULL, NULL, NULL));
}

// Any cut of a good text, and any byte in it, gives a message or a machine.
static void every_byte_value(void **state)
{
    (void)state;
    const char *good = "bodies:\n  block: {type: mass, mass: 1}\n";
    size_t length = strlen(good);
    for (size_t i = 0; i <= length; ++i) {
        hf_spec_destroy(hf_spec_parse(good, i, "cut", NULL, NULL, NULL));
    }
    char *text = malloc(length);
    assert_non_null(text);
    for (size_t i = 0; i < length; i += 3) {
        for (int byte = 0; byte < 256; ++byte) {
            memcpy(text, good, length);
            text[i] = (char)byte;
            hf_spec_destroy(hf_spec_parse(text, length, "byte", NULL, NULL, NULL));
        }
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest bad_files[] = {
        cmocka_unit_test(every_bad_file),
        cmocka_unit_test(deep_nesting),
        cmocka_unit_test(large_texts),
        cmocka_unit_test(large_file),
        cmocka_unit_test(files_that_cannot_be_read),
        cmocka_unit_test(every_byte_value),
    };
    return hf_run_tests(bad_files);
}
