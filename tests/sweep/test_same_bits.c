// SPDX-License-Identifier: Apache-2.0
// The same table to the bit: any number of threads, shards, interruptions, damaged cases.
#include <math.h>
#include <stdatomic.h>

#include "sweep_files.h"

static const char machine[] = "method: {type: rk4, step: 1e-3}\n"
                              "duration: 0.2\n"
                              "parameters: {m: 1}\n"
                              "bodies: {b: {type: mass, dim: 1, mass: m, position: 0.5}}\n"
                              "forces:\n"
                              "  - {name: spring, on: b, type: spring, stiffness: 90}\n"
                              "  - {name: floor, on: b, type: friction, law: stiction, level: 2,"
                              " stiffness: 1e4, damping: 50}\n"
                              "variants:\n"
                              "  soft: {forces.spring.stiffness: 10}\n"
                              "  wrong: {forces.floor.level: -1}\n";

static const char *const vary[] = {"floor.level=1:5:7", "m=lognormal:1:0.3"};
static const char *const of[] = {"b.position", "max(abs(b.velocity))", "stick(floor)"};
static const char *const variants[] = {"soft", "wrong"};
static const char *const methods[] = {"rk4", "timestep"};

static hf_sweep_def make_def(const char *output)
{
    hf_sweep_def def = hf_sweep_def_default();
    def.text = machine;
    def.length = strlen(machine);
    def.vary = vary, def.vary_count = 2;
    def.of = of, def.of_count = 3;
    def.variants = variants, def.variant_count = 2;
    def.methods = methods, def.method_count = 2;
    def.samples = 9;
    def.output = output;
    return def;
}

static char *read_all(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*size + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    (void)fclose(file);
    return bytes;
}

static void check_same(const char *path, const char *other)
{
    size_t a, b;
    char *x = read_all(path, &a), *y = read_all(other, &b);
    if (a != b || memcmp(x, y, a) != 0) {
        fail_msg("%s and %s differ", path, other);
    }
    free(x);
    free(y);
}

static bool stop_after(void *context)
{
    atomic_int *left = context;
    return atomic_fetch_sub(left, 1) <= 0;
}

static void check_kind(const char *name)
{
    char first[64], path[64], part[128];
    hf_error error = {0};
    hf_temporary(first, name);
    hf_temporary(path, name);
    hf_sweep_def def = make_def(first);
    hf_sweep_must(&def);
    // Threads
    static const int jobs[] = {2, 8};
    def.output = path;
    for (size_t i = 0; i < 2; ++i) {
        def.jobs = jobs[i];
        hf_sweep_must(&def);
        check_same(first, path);
    }
    // Shards, in another order, and what is missing of them
    for (int shard = 3; shard >= 2; --shard) {
        def.shards = 3;
        def.shard = shard;
        hf_sweep_must(&def);
    }
    def.shards = def.shard = 0;
    def.collect = true;
    hf_sweep *sweep = hf_sweep_create(&def, &error);
    assert_int_equal(hf_sweep_run(sweep, &error), HF_ERROR_STATE);
    assert_non_null(strstr(error.text, "are missing"));
    hf_sweep_destroy(sweep);
    def.collect = false;
    def.resume = true;
    (void)unlink(path);
    hf_sweep_must(&def);
    check_same(first, path);
    (void)snprintf(part, sizeof part, "%s.cases.2-of-3", path);
    assert_int_not_equal(access(part, F_OK), 0);
    // Stopped again and again
    atomic_int left;
    def.jobs = 2;
    def.stop_wanted = stop_after;
    def.context = &left;
    (void)unlink(path);
    int starts = 0;
    for (hf_status status = HF_INTERRUPTED; status == HF_INTERRUPTED; ++starts) {
        atomic_init(&left, 60 * (starts + 1));
        sweep = hf_sweep_create(&def, &error);
        assert_non_null(sweep);
        status = hf_sweep_run(sweep, &error);
        assert_true(status == HF_OK || status == HF_INTERRUPTED);
        hf_sweep_destroy(sweep);
        assert_true(starts < 100);
    }
    assert_true(starts > 2);
    check_same(first, path);
    hf_remove(path);
    hf_remove(first);
}

static void test_hdf5(void **state)
{
    (void)state;
    check_kind("t.h5");
}

static void test_csv(void **state)
{
    (void)state;
    check_kind("t.csv");
}

// Bytes of finished cases that were damaged: those cases run again, and nothing else changes.
static void test_damage(void **state)
{
    (void)state;
    char first[64], path[64], cases[128];
    hf_temporary(first, "t.h5");
    hf_temporary(path, "t.h5");
    hf_sweep_def def = make_def(first);
    hf_error error = {0};
    hf_sweep_must(&def);
    atomic_int left;
    atomic_init(&left, 200);
    def.output = path;
    def.stop_wanted = stop_after;
    def.context = &left;
    hf_sweep *sweep = hf_sweep_create(&def, &error);
    assert_int_equal(hf_sweep_run(sweep, &error), HF_INTERRUPTED);
    hf_sweep_destroy(sweep);
    (void)snprintf(cases, sizeof cases, "%s.cases", path);
    FILE *file = fopen(cases, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, 4096 + 70, SEEK_SET), 0);
    (void)fputs("damage", file);
    (void)fclose(file);
    def.stop_wanted = NULL;
    // Not without being asked, and not for another sweep
    sweep = hf_sweep_create(&def, &error);
    assert_int_equal(hf_sweep_run(sweep, &error), HF_ERROR_STATE);
    assert_non_null(strstr(error.text, "--resume"));
    hf_sweep_destroy(sweep);
    def.resume = true;
    def.seed = 2;
    sweep = hf_sweep_create(&def, &error);
    assert_int_equal(hf_sweep_run(sweep, &error), HF_ERROR_STATE);
    assert_non_null(strstr(error.text, "another sweep"));
    hf_sweep_destroy(sweep);
    def.seed = 1;
    hf_sweep_must(&def);
    check_same(first, path);
    hf_remove(path);
    hf_remove(first);
}

// Every case of a table can be run again to the same bits, and recorded.
static void test_repeat(void **state)
{
    (void)state;
    char recording[64];
    hf_error error = {0};
    hf_temporary(recording, "run.csv");
    hf_sweep_def def = make_def(NULL);
    hf_table *t = hf_sweep_rows(&def);
    for (long long i = 0; i < t->rows; i += 11) {
        bool wrong = strcmp(hf_word(t, "variant", i), "wrong") == 0;
        hf_status status = hf_sweep_repeat(t, i, wrong ? NULL : recording, NULL, &error);
        if (!wrong && status != HF_OK) {
            fail_msg("%s", error.text);
        }
        assert_int_equal(status < 0, strcmp(hf_word(t, "verdict", i), "failed") == 0);
    }
    hf_recording *r = hf_recording_read(recording, &error);
    assert_non_null(r);
    hf_recording_destroy(r);
    // Another number in the table is noticed
    t->columns[hf_table_find(t, "b.position")].numbers[0] += 1e-12;
    assert_int_equal(hf_sweep_repeat(t, 0, NULL, NULL, &error), HF_ERROR_STATE);
    assert_int_equal(hf_sweep_repeat(t, t->rows, NULL, NULL, &error), HF_ERROR_RANGE);
    hf_table_destroy(t);
    hf_remove(recording);
}

// Where only parameters vary, one live sim runs case after case. hf_sweep_repeat compiles each case
// anew: the same bits, under all methods, also behind cases that fail.
static void test_live(void **state)
{
    (void)state;
    static const char *const types[] = {
        "euler", "semi-implicit-euler", "verlet", "discrete", "rk4", "rk4-tau", "timestep"};
    static const char *const axes[] = {"b.mass=-0.2:2:4", "floor.level=1:5:3",
                                       "spring.stiffness=10,1e300,90"};
    hf_error error = {0};
    for (size_t k = 0; k < sizeof types / sizeof *types; ++k) {
        hf_sweep_def def = make_def(NULL);
        char set[60];
        (void)snprintf(set, sizeof set, "method.type=%s", types[k]);
        def.sets = (const char *[]){set}, def.set_count = 1;
        def.vary = axes, def.vary_count = 3;
        def.variant_count = def.method_count = 0;
        def.samples = 0;
        def.regimes = def.energy = true;
        hf_table *t = hf_sweep_rows(&def);
        int failed = 0;
        assert_int_equal(t->rows, 36);
        for (long long i = 0; i < t->rows; ++i) {
            bool wrong = strcmp(hf_word(t, "verdict", i), "failed") == 0;
            hf_status status = hf_sweep_repeat(t, i, NULL, NULL, &error);
            if (!wrong && status != HF_OK) {
                fail_msg("%s, case %lld: %s", types[k], i, error.text);
            }
            failed += wrong ? 1 : 0;
        }
        assert_in_range(failed, 9, 27); // masses below zero, and what springs throw far
        hf_table_destroy(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hdf5),   cmocka_unit_test(test_csv),  cmocka_unit_test(test_damage),
        cmocka_unit_test(test_repeat), cmocka_unit_test(test_live),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
