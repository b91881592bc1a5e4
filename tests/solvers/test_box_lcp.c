// SPDX-License-Identifier: Apache-2.0
// The complementarity problem of frictions at rest, and least-norm solutions.
#include <hf_test.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solvers/small/box_lcp.h"
#include "solvers/small/least_norm.h"

enum { MOST = 24 };

typedef struct problem {
    hf_box_lcp lcp;
    double w[MOST * MOST], c[MOST], low[MOST], high[MOST], f[MOST];
    int side[MOST];
    double work[8 * MOST * MOST];
} problem;

// W = J J' with J of n rows and `rank` columns.
static void make_problem(problem *p, hf_rng *rng, int n, int rank)
{
    double j[MOST][MOST];
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < rank; ++k) {
            j[i][k] = hf_rng_normal(rng);
        }
    }
    for (int a = 0; a < n; ++a) {
        for (int b = 0; b < n; ++b) {
            p->w[a * n + b] = 0.0;
            for (int k = 0; k < rank; ++k) {
                p->w[a * n + b] += j[a][k] * j[b][k];
            }
        }
        p->high[a] = hf_rng_log_uniform(rng, 0.01, 10.0);
        p->low[a] = -hf_rng_log_uniform(rng, 0.01, 10.0);
    }
    // In the range of J, as accelerations are.
    double drive[MOST];
    for (int k = 0; k < rank; ++k) {
        drive[k] = 5.0 * hf_rng_normal(rng);
    }
    for (int a = 0; a < n; ++a) {
        p->c[a] = 0.0;
        for (int k = 0; k < rank; ++k) {
            p->c[a] += j[a][k] * drive[k];
        }
    }
    p->lcp = (hf_box_lcp){.n = n, .w = p->w, .c = p->c, .low = p->low, .high = p->high};
}

static void random_problems(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(20);
    static problem p;
    for (int trial = 0; trial < 3000; ++trial) {
        int n = hf_rng_int(&rng, 1, MOST);
        int rank = trial % 3 == 0 ? hf_rng_int(&rng, 1, n) : n;
        make_problem(&p, &rng, n, rank);
        assert_true(hf_box_lcp_work(n) <= sizeof p.work / sizeof *p.work);
        int pivots = hf_box_lcp_solve(&p.lcp, p.f, p.side, p.work);
        assert_true(pivots >= 0);
        hf_check_below(hf_box_lcp_residual(&p.lcp, p.f), 1e-9, "residual", "conditions");
    }
}

// One friction: the three answers, and both bounds.
static void one_friction(void **state)
{
    (void)state;
    const double w = 0.5, low = -2.0, high = 3.0;
    const double c[] = {-5.0, -1.0, -0.999, 0.0, 1.499, 1.5, 7.0};
    const int side[] = {-1, 0, 0, 0, 0, 0, 1};
    for (int i = 0; i < 7; ++i) {
        hf_box_lcp lcp = {.n = 1, .w = &w, .c = &c[i], .low = &low, .high = &high};
        double f = 0.0, work[64];
        int got = 9;
        assert_true(hf_box_lcp_solve(&lcp, &f, &got, work) >= 0);
        assert_int_equal(got, side[i]);
        hf_check_near(f, fmin(fmax(c[i] / w, low), high), 1e-12, "force", "closed form");
    }
}

// Two stops that do not answer to each other, but for rounding of either sign: one is struck, the
// other rests.
static void rounding_beside_the_diagonal(void **state)
{
    (void)state;
    for (int signs = 0; signs < 16; ++signs) {
        double one = (signs & 1) != 0 ? 6.9e-17 : -1.7e-17,
               other = (signs & 2) != 0 ? 4e-17 : -5e-17;
        const double w[4] = {2.77, one, other, 1.25};
        const double low[2] = {(signs & 4) != 0 ? 0.0 : -1e300, 0.0};
        const double high[2] = {(signs & 4) != 0 ? 1e300 : 0.0, 1e300};
        const double c[2] = {0.0, (signs & 8) != 0 ? 0.0117847 : 3.1};
        hf_box_lcp lcp = {.n = 2, .w = w, .c = c, .low = low, .high = high};
        double f[2], work[256];
        int side[2];
        assert_true(hf_box_lcp_solve(&lcp, f, side, work) >= 0);
        hf_check_near(f[0], 0.0, 1e-15, "impulse of what rests", "nothing acts on it");
        hf_check_near(f[1], c[1] / 1.25, 1e-12, "impulse", "closed form");
    }
}

// Two masses joined by one friction, each on the floor: pulling the first can move it alone, or
// both. [Farhat2010]'s elimination (clamp what is violated, solve again) would clamp the floor of
// the second as well.
static void break_away_of_one_frees_the_other(void **state)
{
    (void)state;
    // Masses 1 and 1; rows: floor of 1, floor of 2, friction between.
    const double w[9] = {1, 0, 1, 0, 1, -1, 1, -1, 2};
    const double low[3] = {-1, -1, -0.4}, high[3] = {1, 1, 0.4};
    const double c[3] = {2, 0, 2}; // 2 N on the first
    hf_box_lcp lcp = {.n = 3, .w = w, .c = c, .low = low, .high = high};
    double f[3], work[256];
    int side[3];
    assert_true(hf_box_lcp_solve(&lcp, f, side, work) >= 0);
    hf_check_below(hf_box_lcp_residual(&lcp, f), 1e-12, "residual", "conditions");
    assert_int_equal(side[0], 1);
    assert_int_equal(side[1], 0);
    assert_int_equal(side[2], 1);
    hf_check_near(f[1], 0.4, 1e-12, "floor of the second", "carried over by friction");
}

// Two frictions on one coordinate share the load evenly as long as none is at its bound.
static void redundant_frictions_share(void **state)
{
    (void)state;
    const double w[4] = {1, 1, 1, 1}, c[2] = {3, 3}, low[2] = {-1, -5}, high[2] = {1, 5};
    hf_box_lcp lcp = {.n = 2, .w = w, .c = c, .low = low, .high = high};
    double f[2], work[128];
    int side[2];
    assert_true(hf_box_lcp_solve(&lcp, f, side, work) >= 0);
    hf_check_near(f[0] + f[1], 3.0, 1e-11, "sum", "acceleration is zero");
    hf_check_near(f[0], 1.0, 1e-6, "the weaker", "at its bound");
    double x[2], copy[4], even[2] = {1.0, 1.0};
    memcpy(copy, w, sizeof copy);
    assert_int_equal(hf_least_norm_solve(2, copy, even, x, work), 1);
    hf_check_near(x[0], 0.5, 1e-15, "first share", "least norm");
    hf_check_near(x[1], 0.5, 1e-15, "second share", "least norm");
}

// Where nothing answers to a friction it cannot hold: it is at its bound, against what happens.
static void unanswered_friction_slips(void **state)
{
    (void)state;
    const double w[1] = {0.0}, c[2] = {-2.0, 0.0}, low[1] = {-1.0}, high[1] = {3.0};
    const int expected[2] = {-1, 0};
    for (int i = 0; i < 2; ++i) {
        hf_box_lcp lcp = {.n = 1, .w = w, .c = c + i, .low = low, .high = high};
        double f[1], work[64];
        int side[1];
        assert_true(hf_box_lcp_solve(&lcp, f, side, work) >= 0);
        assert_int_equal(side[0], expected[i]);
        hf_check_below(hf_box_lcp_residual(&lcp, f), 1e-12, "residual", "conditions");
    }
}

static void least_norm_of_random_matrices(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(21);
    static problem p;
    for (int trial = 0; trial < 1000; ++trial) {
        int n = hf_rng_int(&rng, 1, 12), rank = hf_rng_int(&rng, 1, n);
        make_problem(&p, &rng, n, rank);
        // b = W z: the least-norm solution is the part of z in the range of W.
        double z[MOST], b[MOST], copy[MOST * MOST], x[MOST], left = 0.0, along = 0.0;
        for (int i = 0; i < n; ++i) {
            z[i] = hf_rng_normal(&rng);
        }
        for (int i = 0; i < n; ++i) {
            b[i] = 0.0;
            for (int j = 0; j < n; ++j) {
                b[i] += p.w[i * n + j] * z[j];
            }
        }
        memcpy(copy, p.w, sizeof copy);
        assert_int_equal(hf_least_norm_solve(n, copy, b, x, p.work), rank);
        for (int i = 0; i < n; ++i) {
            double sum = -b[i];
            for (int j = 0; j < n; ++j) {
                sum += p.w[i * n + j] * x[j];
            }
            left = fmax(left, fabs(sum));
            along += x[i] * (z[i] - x[i]); // x is orthogonal to what is left out
        }
        hf_check_below(left, 1e-6, "W x - b", "solution");
        hf_check_near(along, 0.0, 1e-4, "x.(z - x)", "least norm");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_problems),
        cmocka_unit_test(one_friction),
        cmocka_unit_test(rounding_beside_the_diagonal),
        cmocka_unit_test(break_away_of_one_frees_the_other),
        cmocka_unit_test(redundant_frictions_share),
        cmocka_unit_test(unanswered_friction_slips),
        cmocka_unit_test(least_norm_of_random_matrices),
    };
    return hf_run_tests(tests);
}
