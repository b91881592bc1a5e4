// SPDX-License-Identifier: Apache-2.0
// Friction-contact problems that are extreme, without a solution, or not problems at all: a stated
// outcome, and numbers that are finite.
#include <hf_test.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fc3d_problems.h"

static hf_status solve(const hf_fc3d_problem *p, hf_fc3d_method method, double *r, double *u,
                       hf_fc3d_info *info)
{
    hf_fc3d_def def = hf_fc3d_def_default();
    hf_error error;
    def.method = method;
    hf_fc3d_solver *solver = hf_fc3d_solver_create(&def, p, &error);
    assert_non_null(solver);
    hf_status status = hf_fc3d_solve(solver, p, r, u, info, &error);
    hf_fc3d_solver_destroy(solver);
    return status;
}

static void check_finite(const double *x, int count)
{
    for (int i = 0; i < count; ++i) {
        assert_true(isfinite(x[i]));
    }
}

// mu = 0, mu = 10, every contact twice, masses of 1 and 1e6, and all of that together: each has a
// solution, and is solved.
static void extremes(void **state)
{
    (void)state;
    const hf_random_fc3d families[] = {
        {6, 12, 0.0, 0.0, 1, 0.3, false, 0},     {6, 12, 0.0, 0.0, 1e6, 0.3, true, 0},
        {6, 12, 0.3, 0.7, 1e6, 0.3, true, 0},    {6, 12, 10.0, 10.0, 1, 0.3, false, 0},
        {6, 12, 10.0, 10.0, 1, 0.3, true, 0},    {6, 12, 0.0, 10.0, 1e6, 0.3, true, 0},
        {6, 12, 10.0, 10.0, 1e6, 0.3, false, 0}, {6, 12, 5.0, 5.0, 1, 0.3, false, 0},
        {6, 12, 2.0, 2.0, 1e6, 0.3, true, 0},
    };
    for (size_t f = 0; f < sizeof families / sizeof *families; ++f) {
        for (uint64_t seed = 1; seed <= 40; ++seed) {
            hf_random_fc3d def = families[f];
            double r[36], u[36], now[36];
            def.seed = 100 * f + seed;
            hf_fc3d_problem *p = hf_random_fc3d_create(&def, r, u);
            hf_fc3d_info info;
            memset(r, 0, sizeof r);
            if (solve(p, HF_FC3D_AUTO, r, u, &info) != HF_OK) {
                fail_msg("family %zu, seed %d: residual %g", f, (int)def.seed, info.residual);
            }
            hf_check_below(hf_fc3d_residual(p, HF_FC3D_NATURAL, r, now), 1e-8, "residual",
                           "tolerance");
            check_finite(r, 36);
            check_finite(u, 36);
            hf_fc3d_problem_destroy(p);
        }
    }
}

// A body between two walls that approach each other: u_1 = s - 1, u_2 = -s - 1 cannot both be
// positive, so there is no solution. Every method says so.
static void walls_that_close(void **state)
{
    (void)state;
    const int start[] = {0, 2, 4}, column[] = {0, 1, 0, 1};
    const double w[36] = {1,  0, 0, 0, 1, 0, 0, 0, 1, -1, 0, 0, 0, 1, 0, 0, 0, 1,
                          -1, 0, 0, 0, 1, 0, 0, 0, 1, 1,  0, 0, 0, 1, 0, 0, 0, 1};
    const double q[6] = {-1, 0.1, 0, -1, 0.1, 0}, mu[2] = {0.5, 0.5};
    const hf_fc3d_problem p = {2, start, column, w, q, mu, NULL};
    for (int method = 0; method < HF_FC3D_METHOD_COUNT; ++method) {
        double r[6] = {0}, u[6];
        hf_fc3d_info info;
        assert_int_equal(solve(&p, (hf_fc3d_method)method, r, u, &info), HF_ERROR_CONVERGENCE);
        assert_true(isfinite(info.residual));
        check_finite(r, 6);
        check_finite(u, 6);
    }
}

// A heavy rod that slides on its tip: Painleve's paradox in the accelerations, which with
// mu > W_NN / W_TN has no solution that slides. In impulses it sticks or jumps: there is one.
static void painleve(void **state)
{
    (void)state;
    const int start[] = {0, 1}, column[] = {0};
    const double w[9] = {1, 0.9, 0, 0.9, 1, 0, 0, 0, 1}, mu[1] = {2.0};
    for (int k = -10; k <= 10; ++k) {
        const double q[3] = {-0.1, 0.2 * k, 0};
        const hf_fc3d_problem p = {1, start, column, w, q, mu, NULL};
        double r[3] = {0}, u[3];
        hf_fc3d_info info;
        assert_int_equal(solve(&p, HF_FC3D_AUTO, r, u, &info), HF_OK);
        check_finite(r, 3);
    }
}

static void refused(const hf_fc3d_problem *p, const char *words)
{
    hf_error error;
    assert_null(hf_fc3d_solver_create(NULL, p, &error));
    if (strstr(error.text, words) == NULL) {
        fail_msg("'%s' does not say '%s'", error.text, words);
    }
}

// What is not a problem is refused with its reason.
static void not_problems(void **state)
{
    (void)state;
    const int first[] = {0, 6}, pair[] = {0, -1}, twice[] = {0, 0}, none[] = {0, 1};
    double mass[36] = {0}, map[18] = {0}, bad[36] = {0}, q[3] = {0}, mu[1] = {0.5}, less[1] = {-1};
    const double idle[3] = {0, -1, 0};
    for (int k = 0; k < 6; ++k) {
        mass[7 * k] = 1.0;
    }
    bad[0] = NAN;
    hf_fc3d_bodies b = {1, first, mass, NULL, pair, map, NULL, NULL};
    hf_fc3d_problem p = {1, NULL, NULL, NULL, q, mu, &b};
    p.bodies = NULL;
    refused(&p, "neither W nor bodies");
    const int start[] = {0, 1}, column[] = {0};
    const double skew[9] = {1, 0.5, 0, 0, 1, 0, 0, 0, 1};
    refused(&(hf_fc3d_problem){1, start, column, skew, q, mu, NULL}, "W is not symmetric");
    p.bodies = &b;
    p.mu = less;
    refused(&p, "mu[0] = -1 is negative");
    p.mu = mu;
    b.pair = twice;
    refused(&p, "contact 0 is of body 0");
    b.pair = none;
    refused(&p, "contact 0 is of body 1");
    b.pair = pair;
    b.mass = bad;
    refused(&p, "M[0] is not a finite number");
    memset(bad, 0, sizeof bad);
    refused(&p, "M is not positive definite");
    b.mass = mass;
    b.idle = idle;
    refused(&p, "C has -1 at contact 0");
    b.idle = NULL;
    map[3] = INFINITY;
    refused(&p, "H[3] is not a finite number");
    // Of several contacts the last is looked at too
    const int pairs[] = {0, -1, 0, -1, 0, -1};
    double maps[54] = {0}, more_q[9] = {0}, more_mu[3] = {0.5, 0.5, 0.5};
    maps[50] = NAN;
    b.pair = pairs;
    b.map = maps;
    refused(&(hf_fc3d_problem){3, NULL, NULL, NULL, more_q, more_mu, &b}, "is not a finite number");
}

// A single contact by its W, diag(w, 1, 1).
static hf_fc3d_problem single(double *w, const double *q, const double *mu)
{
    static const int start[] = {0, 1}, column[] = {0};
    w[4] = w[8] = 1.0;
    return (hf_fc3d_problem){
        .contacts = 1, .start = start, .column = column, .w = w, .q = q, .mu = mu};
}

static void sizes(void **state)
{
    (void)state;
    double w[9] = {0}, q[3] = {-1.0, 0.0, 0.0}, mu = 0.5;
    hf_fc3d_problem p = single(w, q, &mu);
    refused(&p, "nothing moves the normal of contact 0 (W is 0 there)");
    w[0] = 1e-300;
    refused(&p, "W has 1e-300 for the normal of contact 0");
    w[0] = 1e300;
    refused(&p, "W[0] is 1e+300, expected at most 1e+100");
    w[0] = 1.0;
    mu = 1e7;
    refused(&p, "mu[0] = 1e+07, expected at most 1e+06");
    // What nothing moves, and does not approach, is open.
    mu = 0.5;
    w[0] = 0.0;
    q[0] = 1.0;
    double r[3] = {0.0}, u[3];
    hf_fc3d_info info = {0};
    hf_error error = {0};
    hf_fc3d_solver *solver = hf_fc3d_solver_create(NULL, &p, &error);
    assert_non_null(solver);
    assert_int_equal(hf_fc3d_solve(solver, &p, r, u, &info, &error), HF_OK);
    hf_check_same_bits(r[0], 0.0, "reaction");
    hf_check_same_bits(u[0], 1.0, "velocity");
    hf_fc3d_solver_destroy(solver);
}

// No contact at all is solved.
static void no_contacts(void **state)
{
    (void)state;
    const int start[] = {0};
    const double none[3] = {0.0};
    double r[3] = {0.0}, u[3] = {0.0};
    hf_fc3d_problem p = {.start = start, .column = start, .w = none, .q = none, .mu = none};
    hf_fc3d_info info = {0};
    hf_error error = {0};
    hf_fc3d_solver *solver = hf_fc3d_solver_create(NULL, &p, &error);
    assert_non_null(solver);
    assert_int_equal(hf_fc3d_solve(solver, &p, r, u, &info, &error), HF_OK);
    hf_fc3d_solver_destroy(solver);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(extremes), cmocka_unit_test(walls_that_close),
        cmocka_unit_test(painleve), cmocka_unit_test(not_problems),
        cmocka_unit_test(sizes),    cmocka_unit_test(no_contacts),
    };
    return hf_run_tests(tests);
}
