// SPDX-License-Identifier: Apache-2.0
// What the tests of model files share.
#ifndef HF_TESTS_MODELS_TEST_H
#define HF_TESTS_MODELS_TEST_H

#include <hf_test.h>
#include <holdfast/holdfast.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spec/spec_data.h"

// An array of numbers, also inside the arguments of a macro.
#define NUMBERS(...) ((const double[]){__VA_ARGS__})

// Parses a text that must be good.
static inline hf_spec *parse_good(const char *text)
{
    hf_error error = {0};
    hf_spec *spec = hf_spec_parse(text, strlen(text), "model.yaml", NULL, NULL, &error);
    if (spec == NULL) {
        fail_msg("a good model was refused: %s", error.text);
    }
    return spec;
}

// Parses a text, with at most one override, that must fail with a message that contains `expected`.
static inline void expect_error_with(const char *text, const char *override, const char *expected)
{
    hf_error error = {0};
    hf_overrides overrides = {.items = &override, .count = 1};
    hf_spec *spec = hf_spec_parse(text, strlen(text), "model.yaml", NULL,
                                  override == NULL ? NULL : &overrides, &error);
    if (spec != NULL) {
        hf_spec_destroy(spec);
        fail_msg("expected an error, '%s', but the model was accepted", expected);
    }
    if (strstr(error.text, expected) == NULL) {
        fail_msg("expected '%s' in '%s'", expected, error.text);
    }
    assert_true(error.status < 0);
}

static inline void expect_error(const char *text, const char *expected)
{
    expect_error_with(text, NULL, expected);
}

// What a name stands for in a description.
static inline const hf_spec_body *body_of(const hf_spec *spec, const char *name)
{
    hf_body body = hf_spec_find_body(spec, name);
    if (body.id == 0) {
        fail_msg("no body '%s'", name);
    }
    return &spec->bodies[body.id - 1];
}

static inline const hf_force_def *force_of(const hf_spec *spec, const char *name)
{
    hf_force force = hf_spec_find_force(spec, name);
    if (force.id == 0) {
        fail_msg("no force '%s'", name);
    }
    return &spec->forces[force.id - 1];
}

// A whole file in memory; the caller frees it.
static inline char *read_whole(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        fail_msg("cannot open %s", path);
    }
    size_t capacity = 1 << 16, count = 0;
    char *text = malloc(capacity);
    assert_non_null(text);
    for (size_t got; (got = fread(text + count, 1, capacity - count - 1, file)) > 0;) {
        count += got;
        assert_true(count < capacity - 1);
    }
    (void)fclose(file);
    text[count] = '\0';
    *length = count;
    return text;
}

#endif
