// SPDX-License-Identifier: Apache-2.0
// What becomes of a part of a robot's file: told.txt has a file of each format with marks, and
// parts that take the place of a mark. Each time: what is refused and where, what the account says
// of the part, and the lines that the model has more. With HF_TOLD_WRITE=FILE the answers of this
// build are written, to be read and kept.
#include "hf_test.h"

#include <holdfast/robots.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CASES HF_SOURCE_DIR "/tests/robots/told.txt"

enum { FORMATS = 3, LINE = 4000, TEXT = 60000 };

typedef struct format {
    char name[10], text[TEXT];
    hf_robot *plain; // of the file without its marks
} format;

// A text that grows to a limit.
typedef struct answer {
    char text[TEXT];
    size_t used;
} answer;

static void say(answer *a, const char *text, size_t length)
{
    assert_true(a->used + length + 1 < TEXT);
    memcpy(a->text + a->used, text, length);
    a->used += length;
    a->text[a->used] = '\0';
}

static void say_all(answer *a, const char *text)
{
    say(a, text, strlen(text));
}

// ------------------------------------------------------------------------------------------------
// What is said of a part

// The file with the part in place of its mark. Returns the line of the part; 0: no mark of this
// name.
static int with_part(const char *file, const char *mark, const char *part, char text[TEXT])
{
    int line = 0, found = 0;
    size_t used = 0, length = strlen(mark);
    for (const char *at = file; *at != '\0';) {
        size_t size = strcspn(at, "\n");
        bool wanted = at[0] == '@' && size == length + 1 && memcmp(at + 1, mark, length) == 0;
        if (at[0] != '@' || wanted) {
            const char *from = wanted ? part : at;
            used += (size_t)snprintf(text + used, TEXT - used, "%.*s\n",
                                     (int)(wanted ? strlen(part) : size), from);
            assert_true(used < TEXT);
            ++line;
            found = wanted ? line : found;
        }
        at += size + 1;
    }
    return found;
}

// The lines of a model that the plain one lacks.
static void say_lines(answer *a, const char *model, const char *plain)
{
    for (const char *at = model; *at != '\0';) {
        size_t size = strcspn(at, "\n");
        bool known = false;
        for (const char *other = plain; *other != '\0' && !known;) {
            size_t length = strcspn(other, "\n");
            known = length == size && memcmp(at, other, size) == 0;
            other += length + (other[length] == '\n' ? 1 : 0);
        }
        if (!known && at[0] != '#' && size > 0) {
            say_all(a, "  | ");
            say(a, at, size);
            say_all(a, "\n");
        }
        at += size + (at[size] == '\n' ? 1 : 0);
    }
}

static void say_items(answer *a, const hf_robot *robot, int line)
{
    static const char *const signs[HF_ROBOT_LOT_COUNT] = {[HF_ROBOT_TAKEN] = "+",
                                                          [HF_ROBOT_OTHERWISE] = "~",
                                                          [HF_ROBOT_MISSING] = "-",
                                                          [HF_ROBOT_SEEN] = "."};
    hf_robot_counts counts = hf_robot_count(robot);
    for (int i = 0; i < counts.elements + counts.attributes; ++i) {
        hf_robot_item item = hf_robot_item_get(robot, i);
        bool plain = item.lot == HF_ROBOT_TAKEN && strcmp(item.why, "taken") == 0;
        if (item.line != line || plain) {
            continue;
        }
        char text[LINE];
        (void)snprintf(text, sizeof text, "  %s %s%s%s: %s\n", signs[item.lot], item.element,
                       item.attribute == NULL ? "" : " ",
                       item.attribute == NULL ? "" : item.attribute, item.why);
        say_all(a, text);
    }
}

static void answer_of(answer *a, const format *f, const char *mark, const char *part)
{
    char text[TEXT];
    hf_error error = {0};
    int line = with_part(f->text, mark, part, text);
    if (line == 0) {
        fail_msg("%s has no mark @%s", f->name, mark);
    }
    hf_robot_options options = hf_robot_options_default();
    options.start = strcmp(mark, "key") == 0 ? "home" : NULL;
    hf_robot *robot = hf_robot_parse(text, strlen(text), "robot.xml", HF_SOURCE_DIR "/tests/robots",
                                     &options, &error);
    *a = (answer){.used = 0};
    if (robot != NULL) {
        say_items(a, robot, line);
        say_lines(a, hf_robot_model(robot), hf_robot_model(f->plain));
        hf_robot_destroy(robot);
        return;
    }
    // Refused, at the part itself
    char place[100];
    assert_true(error.status < 0);
    (void)snprintf(place, sizeof place, "robot.xml:%d:", line);
    const char *said =
        strncmp(error.text, place, strlen(place)) == 0 ? error.text + strlen(place) : error.text;
    say_all(a, "  ! ");
    say_all(a, said);
    say_all(a, "\n");
}

// ------------------------------------------------------------------------------------------------
// The file of cases

static bool next_line(FILE *file, char line[LINE])
{
    if (fgets(line, LINE, file) == NULL) {
        return false;
    }
    line[strcspn(line, "\n")] = '\0';
    return true;
}

// The three files, up to "= cases".
static void read_formats(FILE *file, format formats[FORMATS], FILE *written)
{
    char line[LINE];
    format *f = NULL;
    int count = 0;
    while (next_line(file, line) && strcmp(line, "= cases") != 0) {
        if (written != NULL) {
            (void)fprintf(written, "%s\n", line);
        }
        if (line[0] == '=') {
            assert_true(count < FORMATS);
            f = &formats[count++];
            (void)snprintf(f->name, sizeof f->name, "%.9s", line + 2);
            f->text[0] = '\0';
        } else if (f != NULL) {
            size_t used = strlen(f->text);
            (void)snprintf(f->text + used, TEXT - used, "%s\n", line);
        }
    }
    assert_int_equal(count, FORMATS);
    if (written != NULL) {
        (void)fprintf(written, "= cases\n");
    }
    for (int i = 0; i < FORMATS; ++i) {
        char text[TEXT];
        hf_error error = {0};
        (void)with_part(formats[i].text, "", "", text);
        formats[i].plain = hf_robot_parse(text, strlen(text), "robot.xml", NULL, NULL, &error);
        if (formats[i].plain == NULL) {
            fail_msg("%s: %s", formats[i].name, error.text);
        }
    }
}

static void check_case(const format formats[FORMATS], const char *head, const char *expected,
                       FILE *written)
{
    char name[10], mark[20];
    int end = 0;
    static answer a;
    if (sscanf(head, "%9s %19s %n", name, mark, &end) != 2 || end == 0) {
        fail_msg("%s: no case: %s", CASES, head);
    }
    const format *f = NULL;
    for (int i = 0; i < FORMATS; ++i) {
        f = strcmp(formats[i].name, name) == 0 ? &formats[i] : f;
    }
    assert_non_null(f);
    answer_of(&a, f, mark, head + end);
    if (written != NULL) {
        (void)fprintf(written, "%s\n%s", head, a.text);
    } else if (strcmp(a.text, expected) != 0) {
        fail_msg("%s\nbecomes\n%sexpected\n%s", head, a.text, expected);
    }
}

static void every_case(void **state)
{
    (void)state;
    static format formats[FORMATS];
    static char expected[TEXT];
    char line[LINE], head[LINE] = "";
    const char *path = getenv("HF_TOLD_WRITE");
    FILE *file = fopen(CASES, "r"), *written = path == NULL ? NULL : fopen(path, "w");
    int cases = 0;
    assert_non_null(file);
    read_formats(file, formats, written);
    // A head, and below it the lines of its answer
    for (bool more = next_line(file, head); more; ++cases) {
        size_t used = 0;
        expected[0] = '\0';
        while ((more = next_line(file, line)) && line[0] == ' ') {
            used += (size_t)snprintf(expected + used, TEXT - used, "%s\n", line);
        }
        check_case(formats, head, expected, written);
        memcpy(head, line, sizeof head);
    }
    (void)fclose(file);
    if (written != NULL) {
        (void)fclose(written);
    }
    for (int i = 0; i < FORMATS; ++i) {
        hf_robot_destroy(formats[i].plain);
    }
    assert_true(cases > 400);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_case)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
