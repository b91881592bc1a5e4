// SPDX-License-Identifier: Apache-2.0
// Carved blocks, disjoint sets and small dense matrices.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/carve.h"
#include "base/sets.h"
#include "hf_test.h"
#include "math/dense.h"

// ------------------------------------------------------------------------------------------------
// Carving

enum { PARTS = 12 };

// The same parts twice, as a layout function does.
static void lay_out(hf_carver *c, size_t sizes[PARTS][2], char *parts[PARTS])
{
    for (int i = 0; i < PARTS; ++i) {
        parts[i] = i % 3 == 2 ? hf_carve_matrix(c, sizes[i][0], 3, sizes[i][1])
                              : hf_carve(c, sizes[i][0], sizes[i][1]);
    }
}

static void parts_do_not_overlap(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(301);
    for (int trial = 0; trial < 200; ++trial) {
        size_t sizes[PARTS][2];
        char *parts[PARTS];
        for (int i = 0; i < PARTS; ++i) {
            sizes[i][0] = (size_t)hf_rng_int(&rng, 0, 40);
            sizes[i][1] = (size_t)hf_rng_int(&rng, 1, 24);
        }
        hf_carver counter = {0};
        lay_out(&counter, sizes, parts);
        assert_false(counter.overflow);
        assert_null(parts[0]);
        char *block = malloc(counter.used + 1);
        assert_non_null(block);
        hf_carver hand = {.base = block};
        lay_out(&hand, sizes, parts);
        assert_int_equal(hand.used, counter.used);
        // Each part is filled to its end; none changes another, none leaves the block.
        for (int i = 0; i < PARTS; ++i) {
            size_t size = sizes[i][0] * sizes[i][1] * (i % 3 == 2 ? 3 : 1);
            assert_int_equal((size_t)(parts[i] - block) % HF_CARVE_ALIGNMENT, 0);
            assert_true((size_t)(parts[i] - block) + size <= counter.used);
            memset(parts[i], i, size);
        }
        for (int i = 0; i < PARTS; ++i) {
            size_t size = sizes[i][0] * sizes[i][1] * (i % 3 == 2 ? 3 : 1);
            for (size_t k = 0; k < size; ++k) {
                assert_int_equal(parts[i][k], i);
            }
        }
        free(block);
    }
}

// Products that wrap around are refused, whichever factor is large, and stay refused.
static void too_much_is_refused(void **state)
{
    (void)state;
    static const size_t large[][3] = {{SIZE_MAX, 1, 2},
                                      {SIZE_MAX / 8 + 2, 1, 8},
                                      {1, 1, SIZE_MAX},
                                      {(size_t)1 << 33, (size_t)1 << 33, 8},
                                      {3, SIZE_MAX / 2, 8}};
    for (size_t i = 0; i < sizeof large / sizeof *large; ++i) {
        hf_carver counter = {0};
        (void)hf_carve(&counter, 10, 8);
        assert_null(hf_carve_matrix(&counter, large[i][0], large[i][1], large[i][2]));
        assert_true(counter.overflow);
        assert_int_equal(counter.used, 80);
        (void)hf_carve(&counter, 1, 1);
        assert_true(counter.overflow);
    }
    char block[8];
    hf_carver hand = {.base = block};
    assert_null(hf_carve(&hand, SIZE_MAX, 8));
}

// ------------------------------------------------------------------------------------------------
// Sets

// Against labels that are rewritten at every join.
static void sets_of_random_joins(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(302);
    enum { N = 50 };
    for (int trial = 0; trial < 100; ++trial) {
        int parent[N], label[N], joins = hf_rng_int(&rng, 0, 2 * N);
        hf_sets_clear(parent, N);
        for (int i = 0; i < N; ++i) {
            label[i] = i;
        }
        for (int k = 0; k < joins; ++k) {
            int i = hf_rng_int(&rng, 0, N - 1), j = hf_rng_int(&rng, 0, N - 1);
            hf_sets_join(parent, i, j);
            int from = label[i] > label[j] ? label[i] : label[j];
            int to = label[i] > label[j] ? label[j] : label[i];
            for (int m = 0; m < N; ++m) {
                label[m] = label[m] == from ? to : label[m];
            }
        }
        for (int i = 0; i < N; ++i) {
            assert_int_equal(hf_sets_root(parent, i), label[i]); // the lowest of its set
        }
    }
}

// ------------------------------------------------------------------------------------------------
// Dense matrices

enum { MOST = 9 };

// A = B B' + 0.1, positive definite.
static size_t random_matrix(hf_rng *rng, double *a)
{
    size_t n = (size_t)hf_rng_int(rng, 1, MOST);
    double b[MOST * MOST];
    for (size_t i = 0; i < n * n; ++i) {
        b[i] = hf_rng_normal(rng);
    }
    for (size_t i = 0; i < n; ++i) {
        for (size_t j = 0; j < n; ++j) {
            a[i * n + j] = i == j ? 0.1 : 0.0;
            for (size_t k = 0; k < n; ++k) {
                a[i * n + j] += b[i * n + k] * b[j * n + k];
            }
        }
    }
    return n;
}

static void cholesky_solves(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(303);
    for (int trial = 0; trial < 300; ++trial) {
        double a[MOST * MOST], l[MOST * MOST], x[2 * MOST], b[2 * MOST], y[MOST], z[MOST];
        size_t n = random_matrix(&rng, a);
        memcpy(l, a, sizeof l);
        assert_true(hf_cholesky(l, n));
        for (size_t i = 0; i < 2 * n; ++i) {
            x[i] = b[i] = hf_rng_normal(&rng);
        }
        hf_cholesky_solve(l, n, x, 2);
        for (size_t i = 0; i < n; ++i) {
            for (size_t c = 0; c < 2; ++c) {
                double sum = 0.0;
                for (size_t k = 0; k < n; ++k) {
                    sum += a[i * n + k] * x[2 * k + c];
                }
                hf_check_near(sum, b[2 * i + c], 1e-10, "A x", "b");
            }
            y[i] = b[2 * i];
        }
        // The halves one after the other are the whole, to the bit.
        hf_cholesky_lower(l, n, y, z);
        hf_cholesky_upper(l, n, z, z);
        for (size_t i = 0; i < n; ++i) {
            hf_check_same_bits(z[i], x[2 * i], "L'^-1 L^-1 b");
        }
    }
}

static void inverses(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(304);
    for (int trial = 0; trial < 300; ++trial) {
        double a[MOST * MOST], out[MOST * MOST];
        size_t n = random_matrix(&rng, a);
        assert_true(hf_dense_invert(a, n, out));
        if (trial % 2 == 0) { // any matrix of 3 x 3
            n = 3;
            for (int i = 0; i < 9; ++i) {
                a[i] = hf_rng_normal(&rng) + (i % 4 == 0 ? 4.0 : 0.0);
            }
            assert_true(hf_dense_invert3(a, out));
        }
        for (size_t i = 0; i < n * n; ++i) {
            double sum = 0.0;
            for (size_t k = 0; k < n; ++k) {
                sum += a[i / n * n + k] * out[k * n + i % n];
            }
            hf_check_near(sum, i / n == i % n ? 1.0 : 0.0, 1e-9, "A A^-1", "identity");
        }
    }
}

static void singular_matrices_are_told(void **state)
{
    (void)state;
    double semi[4] = {1.0, 0.0, 1.0, 1.0}, negative[1] = {-1.0}, nan[1] = {NAN}, out[9];
    const double flat[9] = {1, 2, 3, 2, 4, 6, 7, 8, 9}, one[4] = {1, 1, 1, 1};
    assert_false(hf_cholesky(semi, 2));
    assert_false(hf_cholesky(negative, 1));
    assert_true(isnan(negative[0]));
    assert_false(hf_cholesky(nan, 1));
    assert_false(hf_dense_invert(one, 2, out));
    assert_false(hf_dense_invert3(flat, out));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_do_not_overlap),
        cmocka_unit_test(too_much_is_refused),
        cmocka_unit_test(sets_of_random_joins),
        cmocka_unit_test(cholesky_solves),
        cmocka_unit_test(inverses),
        cmocka_unit_test(singular_matrices_are_told),
    };
    return hf_run_tests(tests);
}
