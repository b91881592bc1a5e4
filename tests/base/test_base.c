// SPDX-License-Identifier: Apache-2.0
// Names, arenas and error texts.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/names.h"
#include "hf_test.h"

static int sign(int x)
{
    return (x > 0) - (x < 0);
}

// ------------------------------------------------------------------------------------------------
// Names

static void natural_order(void **state)
{
    (void)state;
    static const char *const rising[] = {"",
                                         "01",
                                         "1",
                                         "2",
                                         "10",
                                         "10a",
                                         "a",
                                         "a-1",
                                         "a1",
                                         "a1b2",
                                         "a1b10",
                                         "a2",
                                         "a10",
                                         "a10b",
                                         "b",
                                         "b00",
                                         "b0a",
                                         "m999999999999999999998",
                                         "m999999999999999999999"};
    int count = (int)(sizeof rising / sizeof rising[0]);
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < count; ++k) {
            int want = sign(i - k); // 01 and 1 are one number: told apart as text
            if (sign(hf_name_compare(rising[i], rising[k])) != want) {
                fail_msg("order of '%s' and '%s' is not %d", rising[i], rising[k], want);
            }
        }
    }
}

// Antisymmetric, transitive, and zero for equal strings only: or else sorting is not determined.
static void natural_order_is_total(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(7);
    static const char letters[] = "a01b9-";
    char words[60][7];
    for (int i = 0; i < 60; ++i) {
        int length = hf_rng_int(&rng, 0, 6);
        for (int k = 0; k < length; ++k) {
            words[i][k] = letters[hf_rng_int(&rng, 0, 5)];
        }
        words[i][length] = '\0';
    }
    for (int i = 0; i < 60; ++i) {
        for (int k = 0; k < 60; ++k) {
            int order = sign(hf_name_compare(words[i], words[k]));
            assert_int_equal(order, -sign(hf_name_compare(words[k], words[i])));
            assert_int_equal(order == 0, strcmp(words[i], words[k]) == 0);
            for (int l = 0; l < 60 && order <= 0; ++l) {
                if (hf_name_compare(words[k], words[l]) <= 0 &&
                    hf_name_compare(words[i], words[l]) > 0) {
                    fail_msg("'%s' <= '%s' <= '%s', but not first <= last", words[i], words[k],
                             words[l]);
                }
            }
        }
    }
}

static void map_of_names(void **state)
{
    (void)state;
    enum { COUNT = 5000 };
    hf_names names = {0};
    char(*words)[12] = malloc(COUNT * sizeof *words);
    assert_non_null(words);
    assert_int_equal(hf_names_find(&names, "a", 1), -1);
    for (int i = 0; i < COUNT; ++i) {
        snprintf(words[i], sizeof words[i], "name%d", i);
        assert_true(hf_names_add(&names, words[i], i));
    }
    for (int i = 0; i < COUNT; ++i) {
        assert_int_equal(hf_names_find(&names, words[i], strlen(words[i])), i);
    }
    assert_int_equal(hf_names_find(&names, "name", 4), -1);
    assert_int_equal(hf_names_find(&names, "name5000", 8), -1);
    // Only the given length counts.
    assert_int_equal(hf_names_find(&names, "name12.position", 6), 12);
    hf_names_free(&names);
    assert_int_equal(hf_names_find(&names, "name1", 5), -1);
    free(words);
}

static void edit_distance(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        int limit, distance;
    } cases[] = {
        {"", "", 3, 0},
        {"stiffness", "stiffness", 3, 0},
        {"stifness", "stiffness", 3, 1},   // insert
        {"stiffnesss", "stiffness", 3, 1}, // delete
        {"stiffmess", "stiffness", 3, 1},  // replace
        {"sitffness", "stiffness", 3, 1},  // swap
        {"", "abc", 3, 3},
        {"", "abcd", 3, 4}, // more than the limit
        {"kitten", "sitting", 3, 3},
        {"kitten", "sitting", 2, 3},
        {"abcdef", "fedcba", 2, 3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        int there = hf_edit_distance(cases[i].a, cases[i].b, cases[i].limit);
        int back = hf_edit_distance(cases[i].b, cases[i].a, cases[i].limit);
        if (there != cases[i].distance || back != cases[i].distance) {
            fail_msg("distance of '%s' and '%s': got %d and %d, want %d", cases[i].a, cases[i].b,
                     there, back, cases[i].distance);
        }
    }
    // Longer than any word that it knows: never near, never a crash.
    char longer[200];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    assert_int_equal(hf_edit_distance(longer, longer, 3), 4);
}

static void nearest_name(void **state)
{
    (void)state;
    static const char *const keys[] = {"damping", "stiffness", "level", "mass", "dim"};
    assert_string_equal(hf_nearest_name("stifness", keys, 5), "stiffness");
    assert_string_equal(hf_nearest_name("leve", keys, 5), "level");
    assert_string_equal(hf_nearest_name("dmi", keys, 5), "dim");
    assert_null(hf_nearest_name("orientation", keys, 5));
    assert_null(hf_nearest_name("xy", keys, 5));
    // The same first word, where only one has it
    static const char *const long_keys[] = {"stribeck_velocity", "static_friction", "static_level"};
    assert_string_equal(hf_nearest_name("stribeck_speed", long_keys, 3), "stribeck_velocity");
    assert_null(hf_nearest_name("static_coefficient", long_keys, 3));
    assert_null(hf_nearest_name("mass", NULL, 0));
}

// FNV-1a's published values.
static void hash(void **state)
{
    (void)state;
    assert_true(hf_hash_bytes(0, "", 0) == 0xcbf29ce484222325ULL);
    assert_true(hf_hash_bytes(0, "a", 1) == 0xaf63dc4c8601ec8cULL);
    assert_true(hf_hash_bytes(0, "foobar", 6) == 0x85944171f73967e8ULL);
    assert_true(hf_hash_bytes(hf_hash_bytes(0, "foo", 3), "bar", 3) == 0x85944171f73967e8ULL);
}

// ------------------------------------------------------------------------------------------------
// Memory

static void arena(void **state)
{
    (void)state;
    hf_arena arena = {0};
    hf_rng rng = hf_rng_create(11);
    enum { COUNT = 400 };
    unsigned char *pieces[COUNT];
    size_t sizes[COUNT];
    for (int i = 0; i < COUNT; ++i) {
        sizes[i] = (size_t)hf_rng_int(&rng, 0, i % 20 == 0 ? 200000 : 300);
        pieces[i] = hf_arena_alloc(&arena, sizes[i], 1);
        assert_non_null(pieces[i]);
        assert_int_equal((uintptr_t)pieces[i] % 16, 0);
        for (size_t k = 0; k < sizes[i]; ++k) {
            assert_int_equal(pieces[i][k], 0);
        }
        memset(pieces[i], i % 251 + 1, sizes[i]);
    }
    for (int i = 0; i < COUNT; ++i) { // no piece wrote into another
        for (size_t k = 0; k < sizes[i]; ++k) {
            assert_int_equal(pieces[i][k], i % 251 + 1);
        }
    }
    assert_null(hf_arena_alloc(&arena, SIZE_MAX / 2, 16));
    assert_null(hf_arena_alloc(&arena, 3, SIZE_MAX / 3));
    assert_non_null(hf_arena_alloc(&arena, 0, 8));
    char *copy = hf_arena_string(&arena, "spring");
    assert_string_equal(copy, "spring");
    hf_arena_free(&arena);
    assert_null(arena.last);
    hf_arena_free(&arena);
}

// One list of arrays; one that cannot be had is NULL, and the answer says so.
static void arena_takes_lists(void **state)
{
    (void)state;
    hf_arena arena = {0};
    int *numbers;
    double *none, *values;
    assert_true(hf_arena_take(
        &arena, (hf_arena_want[]){{&numbers, 3, sizeof *numbers}, {&values, 2, sizeof *values}},
        2));
    numbers[2] = 7;
    hf_check_near(values[0] + values[1], 0.0, 0, "values", "zeroed");
    assert_false(hf_arena_take(
        &arena,
        (hf_arena_want[]){{&none, SIZE_MAX / 2, sizeof *none}, {&values, 2, sizeof *values}}, 2));
    assert_null(none);
    assert_non_null(values);
    assert_int_equal(numbers[2], 7);
    hf_arena_free(&arena);
}

static void growing_array(void **state)
{
    (void)state;
    int *items = NULL;
    size_t capacity = 0;
    for (int i = 0; i < 1000; ++i) {
        int *grown = hf_grow(items, (size_t)i, &capacity, sizeof *items);
        assert_non_null(grown);
        assert_true(capacity > (size_t)i);
        items = grown;
        items[i] = i;
    }
    for (int i = 0; i < 1000; ++i) {
        assert_int_equal(items[i], i);
    }
    capacity = SIZE_MAX / 8;
    assert_null(hf_grow(items, capacity, &capacity, sizeof *items));
    assert_int_equal(capacity, SIZE_MAX / 8);
    free(items);
}

// ------------------------------------------------------------------------------------------------
// Errors

static void error_text(void **state)
{
    (void)state;
    hf_error error;
    assert_int_equal(hf_error_set(&error, HF_ERROR_RANGE, "mass %s, got %g", "'block'", -1.5),
                     HF_ERROR_RANGE);
    assert_int_equal(error.status, HF_ERROR_RANGE);
    assert_int_equal(error.line, 0);
    assert_string_equal(error.text, "mass 'block', got -1.5");
    hf_error_locate(&error, "slip.yaml", 12, 9);
    assert_string_equal(error.text, "slip.yaml:12:9: mass 'block', got -1.5");
    assert_int_equal(error.line, 12);
    assert_int_equal(error.column, 9);
    assert_string_equal(error.text + error.place_size, "mass 'block', got -1.5");
    assert_int_equal(error.status, HF_ERROR_RANGE);
    assert_int_equal(hf_error_set(NULL, HF_ERROR_NAME, "nobody reads this"), HF_ERROR_NAME);
    hf_error_locate(NULL, "a", 1, 1);
}

static void error_text_is_cut(void **state)
{
    (void)state;
    hf_error error;
    char longer[1000];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    (void)hf_error_set(&error, HF_ERROR_INPUT, "%s", longer);
    assert_int_equal(strlen(error.text), sizeof error.text - 1);
    hf_error_locate(&error, longer, 1234567, 7654321);
    size_t length = strlen(error.text);
    assert_int_equal(length, sizeof error.text - 1);
    assert_non_null(strstr(error.text, ":1234567:7654321: xxx"));
    (void)hf_error_set(&error, HF_ERROR_INPUT, "short");
    hf_error_locate(&error, longer, 1, 2);
    assert_string_equal(strstr(error.text, ":1:2: "), ":1:2: short");
    assert_string_equal(error.text + error.place_size, "short");
    (void)hf_error_set(&error, HF_ERROR_INPUT, "elsewhere");
    assert_int_equal(error.place_size, 0);
}

static void status_text(void **state)
{
    (void)state;
    assert_string_equal(hf_status_text(HF_OK), "done");
    assert_string_equal(hf_status_text(HF_ERROR_NOT_FINITE), "the state left the finite numbers");
    assert_string_equal(hf_status_text((hf_status)-77), "unknown status");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(natural_order),
        cmocka_unit_test(natural_order_is_total),
        cmocka_unit_test(map_of_names),
        cmocka_unit_test(edit_distance),
        cmocka_unit_test(nearest_name),
        cmocka_unit_test(hash),
        cmocka_unit_test(arena),
        cmocka_unit_test(arena_takes_lists),
        cmocka_unit_test(growing_array),
        cmocka_unit_test(error_text),
        cmocka_unit_test(error_text_is_cut),
        cmocka_unit_test(status_text),
    };
    return hf_run_tests(tests);
}
