// SPDX-License-Identifier: Apache-2.0
// The words of an axis.
//
//   NAME=1:20:96            96 numbers from 1 to 20
//   NAME=log:0.1:10:32      32 numbers from 0.1 to 10, in equal ratios
//   NAME=1,2,5              these
//   NAME=dahl,lugre         these texts, as model files write them
//   NAME=uniform:0:1        random: between 0 and 1; loguniform:0.1:10 in the logarithm
//   NAME=normal:0.35:0.05   mean and standard deviation
//   NAME=lognormal:2:0.1    median, and standard deviation of the logarithm
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "sweep/plan.h"

enum { MOST_WORDS = 100000, SHOWN = 120 };
static const double MOST_VALUES = 1e9;

static hf_status out_of_memory(hf_error *error)
{
    return hf_error_set(error, HF_ERROR_MEMORY, "out of memory for a sweep");
}

static bool read_number(const char *text, double *value)
{
    size_t length = strlen(text);
    return length > 0 && hf_number_parse(text, length, value) && isfinite(*value);
}

// ------------------------------------------------------------------------------------------------
// Lists

hf_status hf_axis_list(hf_plan *plan, hf_axis *axis, const char *const *texts, long long count,
                       bool numbers, hf_error *error)
{
    size_t room = (size_t)count;
    const char **kept = hf_arena_alloc(&plan->arena, room, sizeof *kept);
    double *values = hf_arena_alloc(&plan->arena, room, sizeof *values);
    if (kept == NULL || values == NULL) {
        return out_of_memory(error);
    }
    bool all = numbers;
    for (size_t i = 0; i < room; ++i) {
        kept[i] = hf_arena_string(&plan->arena, texts[i]);
        if (kept[i] == NULL) {
            return out_of_memory(error);
        }
        all = all && read_number(texts[i], &values[i]);
    }
    axis->kind = all ? HF_AXIS_NUMBERS : HF_AXIS_TEXTS;
    axis->numbers = all ? values : NULL;
    axis->texts = all ? NULL : kept;
    axis->count = count;
    return HF_OK;
}

// Cuts a text at separators outside of brackets. Returns the number of words; the words point into
// the text.
static int cut(char *text, char separator, const char **words, int room)
{
    int depth = 0, count = 0;
    char *start = text;
    for (char *c = text;; ++c) {
        depth += *c == '[' || *c == '{' ? 1 : *c == ']' || *c == '}' ? -1 : 0;
        bool end = *c == '\0';
        if (!end && !(*c == separator && depth == 0)) {
            continue;
        }
        *c = '\0';
        if (count == room) {
            return room + 1;
        }
        words[count++] = start;
        if (end) {
            return count;
        }
        start = c + 1;
    }
}

static hf_status read_list(hf_plan *plan, const char *text, hf_axis *axis, hf_error *error)
{
    char *copy = strdup(text);
    const char **words = calloc(MOST_WORDS, sizeof *words);
    hf_status status = copy == NULL || words == NULL ? out_of_memory(error) : HF_OK;
    if (status == HF_OK) {
        int count = cut(copy, ',', words, MOST_WORDS);
        status = count > MOST_WORDS ? hf_error_set(error, HF_ERROR_RANGE,
                                                   "more than %d values; for as many, "
                                                   "write a CSV file of cases",
                                                   MOST_WORDS)
                                    : hf_axis_list(plan, axis, words, count, true, error);
        // An empty variant is the model without one
        bool empties = strcmp(axis->name, "variant") == 0;
        for (int i = 0; status == HF_OK && i < count; ++i) {
            if (words[i][0] == '\0' && !empties) {
                status = hf_error_set(error, HF_ERROR_SYNTAX, "value %d is empty", i + 1);
            }
        }
    }
    free((void *)words);
    free(copy);
    return status;
}

// ------------------------------------------------------------------------------------------------
// Grids and draws

typedef struct form {
    const char *word; // before the first ':'; "": none
    hf_axis_kind kind;
    int numbers;
    const char *shown;
} form;

static const form forms[] = {
    {"", HF_AXIS_LINEAR, 3, "LOW:HIGH:COUNT"},
    {"log", HF_AXIS_LOG, 3, "log:LOW:HIGH:COUNT"},
    {"uniform", HF_AXIS_UNIFORM, 2, "uniform:LOW:HIGH"},
    {"loguniform", HF_AXIS_LOG_UNIFORM, 2, "loguniform:LOW:HIGH"},
    {"normal", HF_AXIS_NORMAL, 2, "normal:MEAN:DEVIATION"},
    {"lognormal", HF_AXIS_LOG_NORMAL, 2, "lognormal:MEDIAN:DEVIATION"},
};

static hf_status check_form(const form *f, hf_axis *axis, const double *numbers, hf_error *error)
{
    // What the form says
    axis->kind = f->kind;
    axis->low = numbers[0];
    axis->high = numbers[1];
    if (f->numbers == 3) {
        if (!(numbers[2] >= 1.0 && numbers[2] <= MOST_VALUES && numbers[2] == floor(numbers[2]))) {
            return hf_error_set(error, HF_ERROR_RANGE,
                                "the count must be a whole number from 1 to %g, got %g",
                                MOST_VALUES, numbers[2]);
        }
        axis->count = (long long)numbers[2];
    }
    // Numbers that it cannot do with
    bool logarithm = f->kind == HF_AXIS_LOG || f->kind == HF_AXIS_LOG_UNIFORM;
    if ((logarithm && !(axis->low > 0.0 && axis->high > 0.0)) ||
        (f->kind == HF_AXIS_LOG_NORMAL && !(axis->low > 0.0))) {
        return hf_error_set(error, HF_ERROR_RANGE, "a logarithm needs numbers above 0, got %g",
                            axis->low > 0.0 ? axis->high : axis->low);
    }
    bool between = f->kind == HF_AXIS_UNIFORM || f->kind == HF_AXIS_LOG_UNIFORM;
    if (between && !(axis->low < axis->high)) {
        return hf_error_set(error, HF_ERROR_RANGE, "LOW must be below HIGH, got %g and %g",
                            axis->low, axis->high);
    }
    bool spread = f->kind == HF_AXIS_NORMAL || f->kind == HF_AXIS_LOG_NORMAL;
    if (spread && !(axis->high > 0.0)) {
        return hf_error_set(error, HF_ERROR_RANGE, "the deviation must be above 0, got %g",
                            axis->high);
    }
    return HF_OK;
}

// A form of the table; *found false: the text is none, but a list.
static hf_status read_form(const char *text, hf_axis *axis, bool *found, hf_error *error)
{
    enum { WORDS = 5 };
    const char *words[WORDS];
    char copy[256];
    *found = false;
    // Words between colons
    if (strlen(text) >= sizeof copy || strchr(text, ':') == NULL) {
        return HF_OK;
    }
    memcpy(copy, text, strlen(text) + 1);
    int count = cut(copy, ':', words, WORDS);
    // The form that has this word, or as many numbers
    for (size_t i = 0; i < sizeof forms / sizeof *forms; ++i) {
        const form *f = &forms[i];
        int skip = f->word[0] == '\0' ? 0 : 1;
        double numbers[3] = {0};
        if (skip == 1 && strcmp(words[0], f->word) != 0) {
            continue;
        }
        bool good = count == f->numbers + skip;
        for (int k = 0; good && k < f->numbers; ++k) {
            good = read_number(words[skip + k], &numbers[k]);
        }
        if (!good && skip == 0 && !(count >= 2 && count <= 3 && read_number(words[0], numbers))) {
            continue;
        }
        *found = true;
        return good ? check_form(f, axis, numbers, error)
                    : hf_error_set(error, HF_ERROR_SYNTAX, "expected %s, got '%.60s'", f->shown,
                                   text);
    }
    return HF_OK;
}

hf_status hf_axis_parse(hf_plan *plan, const char *text, hf_axis *axis, hf_error *error)
{
    const char *equals = strchr(text, '=');
    size_t length = equals == NULL ? 0 : (size_t)(equals - text);
    *axis = (hf_axis){.random = -1};
    if (length == 0 || equals[1] == '\0') {
        return hf_error_set(error, HF_ERROR_SYNTAX,
                            "vary '%.*s': expected NAME=VALUES, as in floor.level=1:20:96", SHOWN,
                            text);
    }
    char *name = hf_arena_alloc(&plan->arena, length + 1, 1);
    if (name == NULL) {
        return out_of_memory(error);
    }
    memcpy(name, text, length);
    axis->name = name;
    hf_error inner = {0};
    bool found = false;
    hf_status status = read_form(equals + 1, axis, &found, &inner);
    if (status == HF_OK && !found) {
        status = read_list(plan, equals + 1, axis, &inner);
    }
    if (status != HF_OK) {
        return hf_error_set(error, status, "vary '%.*s': %.300s", SHOWN, text, inner.text);
    }
    return HF_OK;
}
