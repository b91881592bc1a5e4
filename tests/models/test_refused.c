// SPDX-License-Identifier: Apache-2.0
// Models that are refused: refused.txt has one machine, and for each case a section of it, a line
// that is added there, and what is said of the line. The place must be the line's, at the column
// that the case names.
#include "models_test.h"

#define CASES HF_SOURCE_DIR "/tests/models/refused.txt"

enum { LINE = 1000, TEXT = 20000 };

// The machine with the line in place of its section's mark (@forces); other marks are left out.
// Returns the line's number.
static int with_line(const char *machine, const char *section, const char *line, char text[TEXT])
{
    int number = 0, found = 0;
    size_t used = 0, name = strlen(section);
    for (const char *at = machine; *at != '\0';) {
        size_t length = strcspn(at, "\n"), blank = strspn(at, " ");
        bool mark = at[blank] == '@';
        bool wanted =
            mark && length == blank + 1 + name && memcmp(at + blank + 1, section, name) == 0;
        if (wanted) {
            used += (size_t)snprintf(text + used, TEXT - used, "%*s%s\n", (int)blank, "", line);
        } else if (!mark) {
            used += (size_t)snprintf(text + used, TEXT - used, "%.*s\n", (int)length, at);
        }
        assert_true(used < TEXT);
        number += wanted || !mark ? 1 : 0;
        found = wanted ? number : found;
        at += length + (at[length] == '\n' ? 1 : 0);
    }
    if (found == 0) {
        fail_msg("the machine has no mark @%s", section);
    }
    return found;
}

static void check_refused(const char *machine, const char *section, int column, const char *message,
                          const char *line)
{
    char text[TEXT], expected[LINE];
    hf_error error = {0};
    int number = with_line(machine, section, line, text);
    (void)snprintf(expected, sizeof expected, "model.yaml:%d:%d: %s", number, column, message);
    hf_spec *spec = hf_spec_parse(text, strlen(text), "model.yaml", HF_SOURCE_DIR "/tests/models",
                                  NULL, &error);
    if (spec != NULL) {
        hf_spec_destroy(spec);
        fail_msg("%s\nwas accepted; expected: %s", line, message);
    }
    if (strcmp(error.text, expected) != 0) {
        fail_msg("%s\nsays\n  %s\nexpected\n  %s", line, error.text, expected);
    }
    assert_true(error.status < 0);
    assert_int_equal(error.line, number);
    assert_int_equal(error.column, column);
}

static void every_case(void **state)
{
    (void)state;
    char line[LINE], said[LINE], machine[TEXT], text[TEXT];
    size_t used = 0;
    int cases = 0;
    FILE *file = fopen(CASES, "r");
    assert_non_null(file);
    // The machine, up to an empty line
    while (fgets(line, sizeof line, file) != NULL && line[0] != '\n') {
        used += line[0] == '#' ? 0 : (size_t)snprintf(machine + used, TEXT - used, "%s", line);
        assert_true(used < TEXT);
    }
    // It is good as it is
    (void)with_line(machine, "top", "", text);
    hf_spec_destroy(parse_good(text));
    // SECTION COLUMN: MESSAGE, and below it the line, by two blanks farther right
    while (fgets(said, sizeof said, file) != NULL && fgets(line, sizeof line, file) != NULL) {
        char section[20];
        int column = 0, end = 0;
        said[strcspn(said, "\n")] = line[strcspn(line, "\n")] = '\0';
        if (sscanf(said, "%19s %d: %n", section, &column, &end) != 2 || end == 0 ||
            strncmp(line, "  ", 2) != 0) {
            fail_msg("%s: no case: %s", CASES, said);
        }
        check_refused(machine, section, column, said + end, line + 2);
        ++cases;
    }
    (void)fclose(file);
    assert_true(cases > 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_case)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
