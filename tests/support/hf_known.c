// SPDX-License-Identifier: Apache-2.0
// Hashes long answers and compares them with a file of known hashes.
#include "hf_known.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hf_test.h"

enum { MOST_NAMES = 100 };

// FNV-1a
#define BEGIN UINT64_C(14695981039346656037)
static uint64_t hash = BEGIN;
static FILE *shown;

static void add(const void *bytes, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * UINT64_C(1099511628211);
    }
}

// Adds words to the answer, and shows them where that is asked for.
void hf_known_text(const char *text)
{
    const char *words = text == NULL ? "none" : text, *path = getenv("HF_KNOWN_SHOW");
    add(words, strlen(words) + 1);
    if (shown == NULL && path != NULL) {
        shown = fopen(path, "a");
    }
    if (shown != NULL) {
        (void)fprintf(shown, "%s\n", words);
    }
}

void hf_known_number(double value)
{
    char text[40];
    (void)snprintf(text, sizeof text, "%.17g", value + 0.0);
    hf_known_text(text);
}

void hf_known_count(long long value)
{
    char text[40];
    (void)snprintf(text, sizeof text, "%lld", value);
    hf_known_text(text);
}

// Of functions of the C library, at many places.
static uint64_t hash_of_functions(void)
{
    static double (*const functions[])(double) = {sin,  cos, tan,   asin, acos, atan,
                                                  tanh, exp, expm1, log,  cbrt, log10};
    uint64_t kept = hash;
    hash = BEGIN;
    for (int k = 1; k <= 200; ++k) {
        double x = k / 201.0; // within the range of them all
        for (size_t f = 0; f < sizeof functions / sizeof functions[0]; ++f) {
            double value = functions[f](x);
            add(&value, sizeof value);
        }
        double more[] = {pow(3.0 * x, 7.0 * x), atan2(x - 0.3, 0.7 - x), hypot(x, 1.0 - x)};
        add(more, sizeof more);
    }
    uint64_t found = hash;
    hash = kept;
    return found;
}

// How often an answer had this name before.
static int number_of(const char *name)
{
    static struct {
        char name[60];
        int count;
    } names[MOST_NAMES];
    for (int i = 0; i < MOST_NAMES; ++i) {
        if (names[i].name[0] == '\0') {
            (void)snprintf(names[i].name, sizeof names[i].name, "%s", name);
        }
        if (strcmp(names[i].name, name) == 0) {
            return ++names[i].count;
        }
    }
    fail_msg("more than %d names of answers", MOST_NAMES);
    return 0;
}

// 1: the file has this line; 0: another hash; -1: no such name; 2: other functions.
static int look_up(const char *path, const char *name, uint64_t answer)
{
    char line[200], known[100];
    uint64_t number;
    int found = -1;
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        fail_msg("cannot open %s", path);
    }
    while (found == -1 && fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "# functions %" SCNx64, &number) == 1) {
            found = number == hash_of_functions() ? -1 : 2;
        } else if (sscanf(line, "%99s %" SCNx64, known, &number) == 2 && strcmp(known, name) == 0) {
            found = number == answer ? 1 : 0;
        }
    }
    (void)fclose(file);
    return found;
}

void hf_known_end(const char *path, const char *name)
{
    char numbered[80];
    uint64_t answer = hash;
    const char *written = getenv("HF_KNOWN_WRITE");
    (void)snprintf(numbered, sizeof numbered, "%.60s-%d", name, number_of(name));
    if (shown != NULL) {
        (void)fprintf(shown, "=== %s\n", numbered);
        (void)fflush(shown);
    }
    hash = BEGIN;
    // Written, or compared
    if (written != NULL) {
        FILE *file = fopen(written, "a");
        assert_non_null(file);
        if (ftell(file) == 0) {
            (void)fprintf(file, "# functions %016" PRIx64 "\n", hash_of_functions());
        }
        (void)fprintf(file, "%s %016" PRIx64 "\n", numbered, answer);
        assert_int_equal(fclose(file), 0);
        return;
    }
    int found = look_up(path, numbered, answer);
    if (found < 1) {
        fail_msg("%s: answer %s %s. If that is meant, write the file anew by tests/known.sh; "
                 "HF_KNOWN_SHOW=FILE shows the answers of a build",
                 path, numbered, found == 0 ? "has changed" : "is not known");
    }
}
