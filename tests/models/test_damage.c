// SPDX-License-Identifier: Apache-2.0
// Model files with one value, or one key, that is wrong: each in turn, by each of a list of wrong
// ones. Every one is refused with a message and a place, or read. What was a number and no longer
// is one must be refused, at its own line. What is said of each, or what machine it makes, is what
// known.txt knows (hf_known.h).
#include "models_test.h"

#include <ctype.h>
#include <dirent.h>

#include "compile/model_data.h"
#include "hf_known.h"

enum { LARGEST = 1 << 16 };

// The first is what nothing may be.
static const char *const WRONG[] = {"12x", "-1",     "0",    "nan",   "nowhere", "[]",
                                    "{}",  "[1, 2]", "\"\"", "1e999", "true",    "{a: 1}"};
enum { WRONG_COUNT = sizeof WRONG / sizeof *WRONG };

// A pair `key: value`, or a value alone in a list.
typedef struct place {
    size_t key, value, end; // key: that of the value where there is none
    int line;
} place;

static bool is_number(const char *text, size_t length)
{
    char copy[40], *end = NULL;
    if (length == 0 || length >= sizeof copy) {
        return false;
    }
    (void)snprintf(copy, sizeof copy, "%.*s", (int)length, text);
    (void)strtod(copy, &end);
    return end != copy && *end == '\0' && isalpha((unsigned char)copy[0]) == 0;
}

// The next plain scalar after `at` that is a value.
static bool next_place(const char *text, size_t at, place *p)
{
    for (size_t i = at; text[i] != '\0'; ++i) {
        if (text[i] == '#' && (i == 0 || isspace((unsigned char)text[i - 1]))) {
            i += strcspn(text + i, "\n");
        }
        if (text[i] == '"') {
            i += 1 + strcspn(text + i + 1, "\"");
            continue;
        }
        bool after_key = text[i] == ':' && text[i + 1] == ' ';
        bool in_list = text[i] == '[' || (text[i] == ',' && text[i + 1] == ' ');
        size_t from = i + 1 + strspn(text + i + 1, " ");
        size_t length = strcspn(text + from, ",]}\n\"#[{");
        while (length > 0 && text[from + length - 1] == ' ') {
            --length;
        }
        size_t colon = strcspn(text + from, ":");
        bool is_key = !after_key && colon < length; // of the next pair
        if ((!after_key && !in_list) || length == 0 || is_key ||
            strchr("|>&*!'", text[from]) != NULL) {
            continue;
        }
        size_t key = after_key ? i : from;
        while (after_key && key > 0 &&
               (isalnum((unsigned char)text[key - 1]) || strchr("_-.", text[key - 1]) != NULL)) {
            --key;
        }
        *p = (place){key, from, from + length, 1};
        for (size_t k = 0; k < from; ++k) {
            p->line += text[k] == '\n';
        }
        return true;
    }
    return false;
}

// Where the sources are is not said.
static void note_error(const hf_error *error)
{
    const char *at = strstr(error->text, HF_SOURCE_DIR);
    hf_known_count(error->status);
    hf_known_count(error->line);
    hf_known_count(error->column);
    hf_known_text(at == NULL ? error->text : at + strlen(HF_SOURCE_DIR));
}

// Adds a machine to the present answer: its fingerprint, and what is recorded of it.
static void note_machine(const hf_spec *spec)
{
    hf_error error = {0};
    hf_model *model = hf_model_compile(spec, &error);
    if (model == NULL) {
        note_error(&error);
        return;
    }
    char fingerprint[40];
    (void)snprintf(fingerprint, sizeof fingerprint, "%llx", hf_model_fingerprint(model));
    hf_known_text(fingerprint);
    hf_known_count(hf_model_channel_count(model));
    hf_model_destroy(model);
}

// The error of a damaged text, or status HF_OK.
static hf_error read_damaged(const char *text, const char *folder, const char *damage,
                             bool machines)
{
    hf_error error = {0};
    hf_spec *spec = hf_spec_parse(text, strlen(text), "damaged.yaml", folder, NULL, &error);
    if (spec != NULL) {
        if (machines) {
            note_machine(spec);
        }
        hf_spec_destroy(spec);
        return (hf_error){0};
    }
    note_error(&error);
    if (error.status >= 0 || error.text[0] == '\0') {
        fail_msg("refused without a message, with %s:\n%s", damage, text);
    }
    return error;
}

static bool begins(const char *text, const char *word)
{
    return strncmp(text, word, strlen(word)) == 0;
}

// Whether a place is in the section of variants, whose values nobody reads before they are chosen.
static bool is_of_variant(const char *text, size_t at)
{
    size_t line = at;
    for (;;) {
        while (line > 0 && text[line - 1] != '\n') {
            --line;
        }
        if (line == 0 || isalpha((unsigned char)text[line]) != 0) {
            return begins(text + line, "variants:");
        }
        --line;
    }
}

// Words that may be anything.
static bool is_free(const char *key)
{
    return begins(key, "name:") || begins(key, "description:") || begins(key, "about:") ||
           begins(key, "unit:") || begins(key, "title:");
}

// machines: whether those that are accepted are compiled, which takes longer.
static int damage(const char *folder, const char *name, int wrong_count, bool machines)
{
    char path[1000];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    static char text[LARGEST], damaged[LARGEST + 100];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    assert_int_equal(fclose(file), 0);
    int tried = 0;
    place p = {0};
    for (size_t at = 0; next_place(text, at, &p); at = p.end) {
        for (int k = 0; k < wrong_count; ++k, ++tried) {
            (void)snprintf(damaged, sizeof damaged, "%.*s%s%s", (int)p.value, text, WRONG[k],
                           text + p.end);
            hf_error error = read_damaged(damaged, folder, WRONG[k], machines);
            bool number = k == 0 && is_number(text + p.value, p.end - p.value) &&
                          !is_free(text + p.key) && !is_of_variant(text, p.key);
            if (number && (error.status == HF_OK || error.line != p.line)) {
                fail_msg("%s:%d: '%s' in place of '%.*s' of %.30s: %s, line %d", path, p.line,
                         WRONG[k], (int)(p.end - p.value), text + p.value, text + p.key,
                         error.status == HF_OK ? "is taken" : error.text, error.line);
            }
        }
        (void)snprintf(damaged, sizeof damaged, "%.*s%s", (int)p.key, text, text + p.end);
        (void)read_damaged(damaged, folder, "one left out", machines);
        (void)snprintf(damaged, sizeof damaged, "%.*sx%s", (int)p.key, text, text + p.key);
        (void)read_damaged(damaged, folder, "another name", machines);
    }
    hf_known_end(HF_SOURCE_DIR "/tests/models/known.txt", name);
    return tried;
}

static void everything(void **state)
{
    (void)state;
    assert_true(damage(HF_SOURCE_DIR "/tests/models", "everything.yaml", WRONG_COUNT, true) > 2000);
}

static void more(void **state)
{
    (void)state;
    assert_true(damage(HF_SOURCE_DIR "/tests/models", "more.yaml", WRONG_COUNT, true) > 1500);
}

static void examples(void **state)
{
    (void)state;
    DIR *folder = opendir(HF_SOURCE_DIR "/examples");
    assert_non_null(folder);
    int tried = 0;
    for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        const char *ending = strrchr(entry->d_name, '.');
        if (ending != NULL && strcmp(ending, ".yaml") == 0) {
            tried += damage(HF_SOURCE_DIR "/examples", entry->d_name, 3, false);
        }
    }
    assert_int_equal(closedir(folder), 0);
    assert_true(tried > 3000);
}

// A part alone by its name.
int main(int count, char **words)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(everything), cmocka_unit_test(more),
                                       cmocka_unit_test(examples)};
    int failed = 0;
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; ++i) {
        if (count < 2 || strcmp(words[1], tests[i].name) == 0) {
            failed += hf_run_tests_at(tests[i].name, tests + i, 1);
        }
    }
    return failed;
}
