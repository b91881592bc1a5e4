// SPDX-License-Identifier: Apache-2.0
// Small linear equations: by their residual, however unlike their rows are; what is singular, or
// nearly, is told.
#include <hf_test.h>

#include <math.h>
#include <string.h>

#include "solvers/small/linear.h"

enum { MOST = 12 };

// A of random numbers, rows of sizes from 1e-8 to 1e8.
static void fill(hf_rng *rng, int n, double *a)
{
    for (int i = 0; i < n; ++i) {
        double size = pow(10.0, hf_rng_uniform(rng, -8.0, 8.0));
        for (int k = 0; k < n; ++k) {
            a[i * n + k] = size * hf_rng_uniform(rng, -1.0, 1.0);
        }
    }
}

// In rows of whole fours.
static void lay_out(int n, const double *a, double *to)
{
    memset(to, 0, (size_t)(n * HF_LINEAR_STRIDE(n)) * sizeof *to);
    for (int i = 0; i < n * n; ++i) {
        to[i / n * HF_LINEAR_STRIDE(n) + i % n] = a[i];
    }
}

static void solutions_balance(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(71);
    for (int trial = 0; trial < 300; ++trial) {
        int n = 1 + trial % MOST;
        double a[MOST * MOST], left[MOST * MOST], x[MOST], e[MOST];
        fill(&rng, n, a);
        for (int i = 0; i < n; ++i) {
            x[i] = hf_rng_uniform(&rng, -1.0, 1.0);
        }
        for (int i = 0; i < n; ++i) {
            e[i] = 0.0;
            for (int k = 0; k < n; ++k) {
                e[i] += a[i * n + k] * x[k];
            }
        }
        lay_out(n, a, left);
        if (!hf_linear_solve(left, n, e, 1e-4)) {
            continue; // nearly singular by chance
        }
        for (int i = 0; i < n; ++i) {
            hf_check_near(e[i], x[i], 1e-9, "unknown", "what the right side was made of");
        }
    }
}

// A row that follows from the others but for a part: a pivot of that size.
static void nearly_singular_is_told(void **state)
{
    (void)state;
    const double parts[] = {1e-2, 1e-7, 0.0};
    for (int k = 0; k < 3; ++k) {
        double a[9] = {1.0, 0.5, 0.25, 0.0, 1.0, -1.0, 1.0, 1.5, -0.75 + parts[k]};
        double e[3] = {1.75, 0.0, 1.75 + parts[k]};
        double left[12];
        lay_out(3, a, left);
        bool solved = hf_linear_solve(left, 3, e, 1e-6);
        assert_int_equal(solved, k == 0);
        for (int i = 0; i < 3 && solved; ++i) {
            hf_check_near(e[i], 1.0, 1e-12, "unknown", "closed form");
        }
    }
    double infinite[4] = {HUGE_VAL}, zero[4] = {0.0}, e[1] = {1.0};
    assert_false(hf_linear_solve(infinite, 1, e, 0.0));
    assert_false(hf_linear_solve(zero, 1, e, 0.0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solutions_balance),
        cmocka_unit_test(nearly_singular_is_told),
    };
    return hf_run_tests(tests);
}
