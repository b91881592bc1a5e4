// SPDX-License-Identifier: Apache-2.0
// Points of the unit cube: properties by which each design is defined.
#include <math.h>
#include <string.h>

#include "hf_test.h"
#include "sweep/design.h"

// ------------------------------------------------------------------------------------------------
// Sobol'

// Every block of 2^m points has one in each of 2^m equal parts, on every axis.
static void test_sobol_layers(void **state)
{
    (void)state;
    enum { M = 7, N = 1 << M };
    for (int axis = 0; axis < HF_SOBOL_AXES; ++axis) {
        for (unsigned long long block = 0; block < 4; ++block) {
            int seen[N] = {0};
            for (unsigned long long i = 0; i < N; ++i) {
                seen[hf_sobol_point(axis, block * N + i) >> (32 - M)] += 1;
            }
            for (int k = 0; k < N; ++k) {
                assert_int_equal(seen[k], 1);
            }
        }
    }
}

// The first two axes are a (0, m, 2)-net: one point in every elementary rectangle.
static void test_sobol_net(void **state)
{
    (void)state;
    enum { M = 8, N = 1 << M };
    for (int a = 0; a <= M; ++a) {
        int seen[N] = {0};
        for (unsigned i = 0; i < N; ++i) {
            unsigned x = a == 0 ? 0 : hf_sobol_point(0, i) >> (32 - a);
            unsigned y = a == M ? 0 : hf_sobol_point(1, i) >> (32 - (M - a));
            seen[(x << (M - a)) | y] += 1;
        }
        for (int k = 0; k < N; ++k) {
            assert_int_equal(seen[k], 1);
        }
    }
}

// Sobol's property A of the first d axes: the leading bits of their first d direction numbers make
// a matrix that is regular over GF(2), so that 2^d points meet every one of 2^d orthants. A wrong
// number in the table fails it in about half of all cases; m_i odd and below 2^i are checked too.
static void test_sobol_property_a(void **state)
{
    (void)state;
    for (int d = 1; d <= HF_SOBOL_AXES; ++d) {
        unsigned rows[HF_SOBOL_AXES] = {0};
        for (int axis = 0; axis < d; ++axis) {
            unsigned v[HF_SOBOL_BITS];
            hf_sobol_directions(axis, v);
            for (int i = 0; i < d; ++i) {
                rows[axis] |= (v[i] >> 31) << i;
                assert_int_equal((v[i] >> (31 - i)) & 1u, 1u); // odd
                assert_int_equal(i == 31 ? 0 : v[i] << (i + 1), 0);
            }
        }
        for (int column = 0; column < d; ++column) { // Gauss over GF(2)
            int pivot = column;
            while (pivot < d && ((rows[pivot] >> column) & 1u) == 0) {
                ++pivot;
            }
            assert_true(pivot < d);
            unsigned swap = rows[pivot];
            rows[pivot] = rows[column];
            rows[column] = swap;
            for (int r = column + 1; r < d; ++r) {
                rows[r] ^= ((rows[r] >> column) & 1u) != 0 ? rows[column] : 0u;
            }
        }
    }
}

// The first points of four axes, from the recurrence by hand; [JoeKuo2008] has the same ones in
// another order.
static void test_sobol_known(void **state)
{
    (void)state;
    // Points 1 to 4 in the order of their numbers, in eighths.
    static const int want[4][4] = {{4, 2, 6, 1}, {4, 6, 2, 5}, {4, 6, 2, 3}, {4, 6, 2, 1}};
    for (int axis = 0; axis < 4; ++axis) {
        for (int i = 0; i < 4; ++i) {
            assert_int_equal(hf_sobol_point(axis, (unsigned long long)i + 1) >> 29, want[axis][i]);
        }
    }
}

// The integral of prod (1 + (x_i - 1/2)/(i+1)) over the cube is 1; a sequence with gaps misses it.
static void test_sobol_integral(void **state)
{
    (void)state;
    enum { N = 1 << 12 };
    double sum = 0.0;
    for (unsigned long long k = 0; k < N; ++k) {
        double f = 1.0;
        for (int i = 0; i < HF_SOBOL_AXES; ++i) {
            f *= 1.0 + (hf_design_uniform(HF_SWEEP_SOBOL, 3, i, k, N) - 0.5) / (i + 1);
        }
        sum += f;
    }
    hf_check_near(sum / N, 1.0, 2e-3, "integral over 32 axes", "closed form");
}

// ------------------------------------------------------------------------------------------------
// Random numbers

static void test_place(void **state)
{
    (void)state;
    for (unsigned long long n = 1; n <= 200; ++n) {
        int seen[200] = {0}, fixed = 0;
        for (unsigned long long i = 0; i < n; ++i) {
            unsigned long long place = hf_random_place(5, 2, i, n);
            assert_true(place < n);
            seen[place] += 1;
            fixed += place == i ? 1 : 0;
        }
        for (unsigned long long i = 0; i < n; ++i) {
            assert_int_equal(seen[i], 1);
        }
        assert_true(n < 100 || fixed < 10); // one on average
    }
}

static void test_lhs(void **state)
{
    (void)state;
    enum { N = 500 };
    for (int axis = 0; axis < 40; ++axis) {
        int seen[N] = {0};
        for (unsigned long long k = 0; k < N; ++k) {
            double u = hf_design_uniform(HF_SWEEP_LHS, 9, axis, k, N);
            assert_true(u > 0.0 && u < 1.0);
            seen[(int)(u * N)] += 1;
        }
        for (int k = 0; k < N; ++k) {
            assert_int_equal(seen[k], 1);
        }
    }
}

// Independent draws: moments, no correlation of axes, another seed other numbers.
static void test_random(void **state)
{
    (void)state;
    enum { N = 100000 };
    double sum = 0.0, squares = 0.0, product = 0.0;
    int same = 0;
    for (unsigned long long k = 0; k < N; ++k) {
        double u = hf_design_uniform(HF_SWEEP_RANDOM, 1, 0, k, N) - 0.5;
        double v = hf_design_uniform(HF_SWEEP_RANDOM, 1, 1, k, N) - 0.5;
        sum += u;
        squares += u * u;
        product += u * v;
        same += u == hf_design_uniform(HF_SWEEP_RANDOM, 2, 0, k, N) - 0.5 ? 1 : 0;
    }
    hf_check_near(sum / N, 0.0, 4.0 * sqrt(1.0 / 12.0 / N), "mean", "four standard errors");
    hf_check_near(squares / N, 1.0 / 12.0, 4.0 * 0.0745 / sqrt(N), "variance", "four errors");
    hf_check_near(product / N, 0.0, 4.0 / 12.0 / sqrt(N), "covariance", "four standard errors");
    assert_int_equal(same, 0);
}

// Phi(quantile(p)) = p, in the tails too.
static void test_normal(void **state)
{
    (void)state;
    hf_check_near(hf_normal_quantile(0.975), 1.959963984540054, 1e-15, "97.5 %", "tables");
    hf_check_near(hf_normal_quantile(1e-10), -6.361340902404056, 1e-14, "1e-10", "tables");
    hf_check_same_bits(hf_normal_quantile(0.5), 0.0, "median");
    for (int k = 1; k < 400; ++k) {
        double p = k < 200 ? k / 400.0 : pow(10.0, -(k - 199) * 1.2);
        double x = hf_normal_quantile(p);
        hf_check_near(0.5 * erfc(-x / sqrt(2.0)) / p, 1.0, 1e-15 * (2.0 + x * x), "Phi(x)/p",
                      "erfc, whose slope there is x");
        if (p > 1e-3) {
            hf_check_near(hf_normal_quantile(1.0 - p), -x, 1e-12, "symmetry", "the other tail");
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sobol_layers),
        cmocka_unit_test(test_sobol_net),
        cmocka_unit_test(test_sobol_property_a),
        cmocka_unit_test(test_sobol_known),
        cmocka_unit_test(test_sobol_integral),
        cmocka_unit_test(test_place),
        cmocka_unit_test(test_lhs),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_normal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
