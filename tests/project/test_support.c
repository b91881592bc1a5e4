// SPDX-License-Identifier: Apache-2.0
// The helpers that the other tests rely on do notice what they are there to notice.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hf_test.h"

static void check_nan(void **state)
{
    (void)state;
    hf_check_near(NAN, 1.0, INFINITY, "NaN", "must fail");
}

static void check_far(void **state)
{
    (void)state;
    hf_check_near(1.0 + 1e-9, 1.0, 1e-10, "1 + 1e-9", "must fail");
}

static void check_infinite(void **state)
{
    (void)state;
    hf_check_near(INFINITY, -INFINITY, 1.0, "infinity", "must fail");
}

static void check_nan_below(void **state)
{
    (void)state;
    hf_check_below(NAN, 1.0, "NaN", "must fail");
}

static void check_zero_bits(void **state)
{
    (void)state;
    hf_check_same_bits(0.0, -0.0, "zero");
}

// Runs checks that must fail; succeeds when all of them did.
static int all_fail(void)
{
    const struct CMUnitTest wrong[] = {
        cmocka_unit_test(check_nan),       cmocka_unit_test(check_far),
        cmocka_unit_test(check_infinite),  cmocka_unit_test(check_nan_below),
        cmocka_unit_test(check_zero_bits),
    };
    return hf_run_tests(wrong) == (int)(sizeof wrong / sizeof wrong[0]) ? 0 : 1;
}

static void test_near_passes(void **state)
{
    (void)state;
    hf_check_near(1.0 + 1e-12, 1.0, 1e-11, "1 + 1e-12", "arithmetic");
    hf_check_near(INFINITY, INFINITY, 0.0, "infinity", "arithmetic");
    hf_check_below(1.0, 1.0, "one", "arithmetic");
    hf_check_same_bits(0.1, 0.1, "0.1");
}

static void test_random(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(1);
    enum { COUNT = 100000 };
    double mean = 0.0, square = 0.0, normal = 0.0, normal_square = 0.0;
    int dice[6] = {0};
    for (int i = 0; i < COUNT; i++) {
        double u = hf_rng_uniform(&rng, -1.0, 3.0);
        assert_true(u >= -1.0 && u < 3.0);
        double l = hf_rng_log_uniform(&rng, 1e-6, 1e6);
        assert_true(l >= 0.999e-6 && l <= 1.001e6);
        double n = hf_rng_normal(&rng);
        int d = hf_rng_int(&rng, 1, 6);
        assert_true(d >= 1 && d <= 6);
        dice[d - 1]++;
        mean += u / COUNT;
        square += (u - 1.0) * (u - 1.0) / COUNT;
        normal += n / COUNT;
        normal_square += n * n / COUNT;
    }
    // Six standard deviations of the mean of 1e5 numbers.
    hf_check_near(mean, 1.0, 6.0 * sqrt(4.0 / 3.0 / COUNT), "mean of uniform", "(low + high)/2");
    hf_check_near(square, 4.0 / 3.0, 0.03, "variance of uniform", "(high - low)^2/12");
    hf_check_near(normal, 0.0, 6.0 / sqrt(COUNT), "mean of normal", "definition");
    hf_check_near(normal_square, 1.0, 6.0 * sqrt(2.0 / COUNT), "variance of normal", "definition");
    for (int i = 0; i < 6; i++) {
        hf_check_near(dice[i], COUNT / 6.0, 6.0 * sqrt(COUNT * 5.0 / 36.0), "dice", "COUNT/6");
    }
}

static void test_seed_repeats(void **state)
{
    (void)state;
    hf_rng a = hf_rng_create(7), b = hf_rng_create(7);
    for (int i = 0; i < 100; i++) {
        assert_true(hf_rng_bits(&a) == hf_rng_bits(&b));
    }
}

static void test_allocations_are_counted(void **state)
{
    (void)state;
    long long before = hf_test_allocations();
    assert_int_equal(hf_test_allocations() - before, 0);
    // Volatile: compilers may leave out an allocation that nothing depends on.
    void *volatile a = malloc(10);
    void *volatile b = calloc(3, 10);
    assert_int_equal(hf_test_allocations() - before, 2);
    a = realloc(a, 100000);
    void *volatile c = aligned_alloc(64, 128);
    assert_int_equal(hf_test_allocations() - before, 4);
    char *volatile d = strdup("libc's own allocations count too");
    assert_int_equal(hf_test_allocations() - before, 5);
    free(a);
    free(b);
    free(c);
    free(d);
    assert_int_equal(hf_test_allocations() - before, 5);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "wrong") == 0) {
        return all_fail();
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_near_passes),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_seed_repeats),
        cmocka_unit_test(test_allocations_are_counted),
    };
    return hf_run_tests(tests);
}
