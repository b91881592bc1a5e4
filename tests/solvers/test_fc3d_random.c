// SPDX-License-Identifier: Apache-2.0
// Random friction-contact problems with a known solution, agreement of the methods, piles.
#include <hf_test.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fc3d_problems.h"

typedef struct answer {
    double *r, *u;
    hf_fc3d_info info;
    hf_status status;
} answer;

static answer solve_in(const hf_fc3d_problem *p, hf_fc3d_method method, double tolerance,
                       hf_fc3d_measure measure)
{
    size_t n = 3 * (size_t)p->contacts + 1;
    answer a = {.r = calloc(n, sizeof(double)), .u = calloc(n, sizeof(double))};
    hf_fc3d_def def = hf_fc3d_def_default();
    def.method = method;
    def.tolerance = tolerance;
    def.measure = measure;
    hf_error error;
    hf_fc3d_solver *solver = hf_fc3d_solver_create(&def, p, &error);
    assert_non_null(solver);
    a.status = hf_fc3d_solve(solver, p, a.r, a.u, &a.info, &error);
    hf_fc3d_solver_destroy(solver);
    return a;
}

static answer solve(const hf_fc3d_problem *p, hf_fc3d_method method, double tolerance)
{
    return solve_in(p, method, tolerance, hf_fc3d_def_default().measure);
}

static void clear(answer *a)
{
    free(a->r);
    free(a->u);
}

// Families of problems, each of many. With large mu there may be several solutions: any will do.
static void known_solutions_are_found(void **state)
{
    (void)state;
    const struct {
        hf_random_fc3d def;
        int trials;
    } families[] = {
        {{5, 8, 0.2, 0.5, 10, 0.3, false, 0}, 200},    {{10, 20, 0.0, 0.3, 1, 0.3, false, 0}, 100},
        {{10, 20, 0.2, 0.5, 1e6, 0.3, false, 0}, 100}, {{10, 20, 0.2, 0.5, 10, 0.3, true, 0}, 100},
        {{1, 30, 0.2, 0.5, 1, 0.3, false, 0}, 50},     {{20, 60, 0.2, 0.5, 10, 0.5, false, 0}, 20},
        {{10, 20, 1.0, 2.0, 10, 0.3, false, 0}, 100},  {{10, 20, 0.0, 0.0, 1e3, 0.3, false, 0}, 50},
        {{4, 6, 5.0, 10.0, 10, 0.3, false, 0}, 100},
    };
    for (size_t f = 0; f < sizeof families / sizeof *families; ++f) {
        for (int trial = 0; trial < families[f].trials; ++trial) {
            hf_random_fc3d def = families[f].def;
            def.seed = 1000 * (uint64_t)f + (uint64_t)trial;
            double r[180], u[180], now[180];
            hf_fc3d_problem *p = hf_random_fc3d_create(&def, r, u);
            assert_non_null(p);
            hf_check_below(hf_fc3d_residual(p, HF_FC3D_NATURAL, r, now), 1e-11, "residual",
                           "of the solution that was drawn");
            answer a = solve(p, HF_FC3D_AUTO, 1e-8);
            if (a.status != HF_OK) {
                fail_msg("family %zu, trial %d: residual %g", f, trial, a.info.residual);
            }
            hf_check_below(hf_fc3d_residual(p, HF_FC3D_NATURAL, a.r, now), 1e-8, "residual",
                           "tolerance");
            clear(&a);
            hf_fc3d_problem_destroy(p);
        }
    }
}

// Where friction is large most methods end at points that solve nothing. The path of solutions from
// an easy problem does not: alone it finds them all.
static void a_path_leads_to_solutions(void **state)
{
    (void)state;
    const hf_random_fc3d families[] = {{6, 12, 10.0, 10.0, 1, 0.3, false, 0},
                                       {6, 12, 5.0, 5.0, 1, 0.3, false, 0},
                                       {6, 12, 0.0, 10.0, 1e6, 0.3, true, 0}};
    for (size_t f = 0; f < sizeof families / sizeof *families; ++f) {
        for (uint64_t seed = 1; seed <= 15; ++seed) {
            hf_random_fc3d def = families[f];
            double r[36], u[36];
            def.seed = 1000 * f + seed;
            hf_fc3d_problem *p = hf_random_fc3d_create(&def, r, u);
            assert_non_null(p);
            answer path = solve(p, HF_FC3D_CONTINUATION, 1e-8);
            if (path.status != HF_OK) {
                fail_msg("family %zu, seed %d: residual %g", f, (int)def.seed, path.info.residual);
            }
            clear(&path);
            hf_fc3d_problem_destroy(p);
        }
    }
}

// Very unlike masses and large friction: all methods that begin where the last one ended stop at
// the same points, which solve nothing. From other reactions they find solutions.
static void other_starts_help(void **state)
{
    (void)state;
    const hf_random_fc3d problems[] = {{20, 60, 2.0, 2.0, 1e6, 0.3, false, 78005},
                                       {6, 30, 2.0, 2.0, 1e6, 0.1, false, 81004},
                                       {6, 30, 2.0, 2.0, 1e6, 0.1, false, 81010},
                                       {6, 30, 2.0, 2.0, 1e6, 0.1, false, 81013},
                                       // by a path alone
                                       {20, 100, 0.5, 1.0, 1e6, 0.1, false, 7007},
                                       // by points that keep all reactions small
                                       {6, 30, 2.0, 2.0, 1e6, 0.1, false, 3017},
                                       {6, 30, 2.0, 2.0, 1e6, 0.1, false, 3026},
                                       {20, 100, 0.5, 1.0, 1e6, 0.1, false, 7002},
                                       {20, 100, 0.5, 1.0, 1e6, 0.1, false, 7021}};
    for (size_t i = 0; i < sizeof problems / sizeof *problems; ++i) {
        double r[300], u[300], now[300];
        hf_fc3d_problem *p = hf_random_fc3d_create(&problems[i], r, u);
        assert_non_null(p);
        answer a = solve(p, HF_FC3D_AUTO, 1e-8);
        if (a.status != HF_OK) {
            fail_msg("problem %zu: residual %g", i, a.info.residual);
        }
        hf_check_below(hf_fc3d_residual(p, HF_FC3D_STRICTER, a.r, now), 1e-8, "residual",
                       "tolerance");
        clear(&a);
        hf_fc3d_problem_destroy(p);
    }
}

// A path that takes its whole budget: the automatic choice gives each method what it has alone.
static void what_one_method_solves_is_solved(void **state)
{
    (void)state;
    const hf_random_fc3d def = {40, 150, 2.0, 2.0, 1e6, 0.2, false, 11008};
    const hf_fc3d_method methods[] = {HF_FC3D_CONTINUATION, HF_FC3D_AUTO};
    double r[450], u[450], now[450];
    hf_fc3d_problem *p = hf_random_fc3d_create(&def, r, u);
    assert_non_null(p);
    for (int i = 0; i < 2; ++i) {
        answer a = solve_in(p, methods[i], 1e-8, HF_FC3D_NATURAL);
        hf_check_below(hf_fc3d_residual(p, HF_FC3D_NATURAL, a.r, now), 1e-8, "residual",
                       hf_fc3d_method_name(methods[i]));
        clear(&a);
    }
    hf_fc3d_problem_destroy(p);
}

// Whatever a method ends with, its reactions are numbers: where many contacts jam few bodies,
// alternating directions grow beyond all of them.
static void reactions_stay_finite(void **state)
{
    (void)state;
    const hf_random_fc3d def = {20, 60, 10.0, 10.0, 1e6, 0.3, false, 9004};
    double r[180], u[180];
    hf_fc3d_problem *p = hf_random_fc3d_create(&def, r, u);
    assert_non_null(p);
    answer a = solve(p, HF_FC3D_ADMM, 1e-8);
    assert_int_equal(a.status, HF_ERROR_CONVERGENCE);
    assert_true(a.info.residual > 1e-8);
    for (int i = 0; i < 180; ++i) {
        assert_true(isfinite(a.r[i]) && isfinite(a.u[i]));
    }
    clear(&a);
    hf_fc3d_problem_destroy(p);
}

// Solves one contact by a solver for `made_for`, and goes on with `larger`, which has to be
// reserved for where the solver has no memory yet.
static void solve_one(const hf_fc3d_problem *one, const hf_fc3d_problem *made_for,
                      const hf_fc3d_problem *larger, double r[3])
{
    hf_error error = {0};
    hf_fc3d_info info;
    double u[3], some[24] = {0.0}, some_u[24];
    hf_fc3d_solver *solver = hf_fc3d_solver_create(NULL, made_for, &error);
    assert_non_null(solver);
    memset(r, 0, 3 * sizeof *r);
    if (hf_fc3d_solve(solver, one, r, u, &info, &error) != HF_OK) {
        fail_msg("mu %g: %s", one->mu[0], error.text);
    }
    hf_check_below(hf_fc3d_residual(one, HF_FC3D_STRICTER, r, u), 1e-8, "residual", "tolerance");
    // From the solution it takes no step.
    assert_int_equal(hf_fc3d_solve(solver, one, r, u, &info, &error), HF_OK);
    assert_int_equal(info.iterations, 0);
    assert_int_equal(hf_fc3d_solve(solver, larger, some, some_u, NULL, &error),
                     made_for == one ? HF_ERROR_RANGE : HF_OK);
    assert_int_equal(hf_fc3d_solver_reserve(solver, larger, &error), HF_OK);
    assert_int_equal(hf_fc3d_solve(solver, larger, some, some_u, NULL, &error), HF_OK);
    hf_fc3d_solver_destroy(solver);
}

// One contact: by its closed form, for which a solver needs no memory, and by one that has some.
// Every third is of a mass that a rod lets move along one line only: W is singular.
static void one_contact_is_always_solved(void **state)
{
    (void)state;
    const hf_random_fc3d many = {5, 8, 0.2, 0.5, 10, 0.3, false, 1};
    const double frictions[] = {0.0, 0.3, 2.0, 30.0, 1e6};
    double some[24], some_u[24];
    hf_fc3d_problem *larger = hf_random_fc3d_create(&many, some, some_u);
    for (int trial = 0; trial < 300; ++trial) {
        double mu = frictions[trial % 5], drawn[3], drawn_u[3], r[2][3];
        hf_random_fc3d def = {1, 1, mu, mu, 1e6, 0.2, false, (uint64_t)trial};
        hf_fc3d_problem *p = hf_random_fc3d_create(&def, drawn, drawn_u);
        assert_non_null(p);
        double w[9], line[3] = {1.0, 0.1 * (trial % 7), -0.1 * (trial % 11)};
        for (int k = 0; k < 9; ++k) {
            w[k] = trial % 3 == 0 ? line[k / 3] * line[k % 3] : p->w[k];
        }
        const double q[3] = {-line[0], -line[1], -line[2]};
        hf_fc3d_problem one = {.contacts = 1,
                               .start = p->start,
                               .column = p->column,
                               .w = w,
                               .q = trial % 3 == 0 ? q : p->q,
                               .mu = p->mu};
        solve_one(&one, &one, larger, r[0]);
        solve_one(&one, larger, larger, r[1]);
        for (int k = 0; k < 3; ++k) {
            hf_check_near(r[1][k], r[0][k], 1e-12 * (1.0 + fabs(r[0][k])), "r", "both ways");
        }
        hf_fc3d_problem_destroy(p);
    }
    hf_fc3d_problem_destroy(larger);
}

// A body between walls, half of them on either side: where they approach each other nothing helps,
// and no reactions that a computer has numbers for. Where one side recedes faster, there is a
// solution.
static void closing_walls_have_no_solution(void **state)
{
    (void)state;
    enum { MOST = 8 };
    int start[MOST + 1], column[MOST * MOST], iterations[2] = {0, 0}, factorizations = 0;
    for (int n = 2; n <= MOST; n += 2) {
        double w[9 * MOST * MOST] = {0.0}, q[3 * MOST] = {0.0}, mu[MOST];
        start[n] = n * n;
        for (int i = 0; i < n; ++i) {
            start[i] = i * n;
            mu[i] = 0.5;
            q[3 * i + 1] = 0.3 * i;
            for (int j = 0; j < n; ++j) { // a mass of 1 that does not turn
                double side = i % 2 == j % 2 ? 1.0 : -1.0, *block = w + 9 * (i * n + j);
                column[i * n + j] = j;
                block[0] = block[8] = side;
                block[4] = 1.0;
            }
        }
        hf_fc3d_problem p = {
            .contacts = n, .start = start, .column = column, .w = w, .q = q, .mu = mu};
        for (int closing = 0; closing < 2; ++closing) {
            hf_error error = {0};
            hf_fc3d_info info;
            double r[3 * MOST] = {0.0}, u[3 * MOST];
            for (int i = 0; i < n; ++i) {
                q[3 * i] = closing || i % 2 == 0 ? -1.0 : 1.5;
            }
            hf_fc3d_solver *solver = hf_fc3d_solver_create(NULL, &p, &error);
            assert_non_null(solver);
            hf_status status = hf_fc3d_solve(solver, &p, r, u, &info, &error);
            hf_fc3d_solver_destroy(solver);
            assert_int_equal(status, closing ? HF_ERROR_CONVERGENCE : HF_OK);
            assert_true(!closing || strstr(error.text, "there is no solution") != NULL);
            iterations[closing] += info.iterations;
            factorizations += info.factorizations;
        }
    }
    // What it takes to be sure that there is none, and to find one that there is
    assert_in_range(iterations[0], 2, 8);
    hf_check_near(iterations[1], 60476, 600, "iterations", "as many as they were");
    hf_check_near(factorizations, 3561, 70, "factorizations", "as many as they were");
}

// Velocities are unique where friction is small, or there is none: all methods find the same.
static void methods_agree(void **state)
{
    (void)state;
    const hf_fc3d_method methods[] = {HF_FC3D_GAUSS_SEIDEL, HF_FC3D_NEWTON, HF_FC3D_INTERIOR,
                                      HF_FC3D_PROXIMAL,     HF_FC3D_ADMM,   HF_FC3D_CONTINUATION};
    for (uint64_t seed = 1; seed <= 30; ++seed) {
        hf_random_fc3d def = {8, 12, 0.05, 0.15, 5, 0.3, seed % 2 == 0, seed};
        if (seed % 3 == 0) {
            def.mu_least = def.mu_most = 0.0;
        }
        double r[36], u[36];
        hf_fc3d_problem *p = hf_random_fc3d_create(&def, r, u);
        for (size_t m = 0; m < sizeof methods / sizeof *methods; ++m) {
            answer a = solve(p, methods[m], 1e-10);
            if (a.status != HF_OK) {
                fail_msg("%s, seed %d: residual %g", hf_fc3d_method_name(methods[m]), (int)seed,
                         a.info.residual);
            }
            for (int i = 0; i < 36; ++i) {
                if (i % 3 == 0 || u[i - i % 3] <= 1e-9) {
                    hf_check_near(a.u[i], u[i], 1e-6, "u", hf_fc3d_method_name(methods[m]));
                }
            }
            clear(&a);
        }
        hf_fc3d_problem_destroy(p);
    }
}

// The same problem gives the same bits, whatever the solver did before.
static void results_repeat(void **state)
{
    (void)state;
    hf_random_fc3d def = {10, 30, 0.2, 0.6, 10, 0.3, false, 5}, other = def;
    other.seed = 6;
    double r[90], u[90], first[90];
    hf_fc3d_problem *p = hf_random_fc3d_create(&def, r, u);
    hf_fc3d_problem *between = hf_random_fc3d_create(&other, r, u);
    hf_error error;
    hf_fc3d_solver *solver = hf_fc3d_solver_create(NULL, p, &error);
    assert_int_equal(hf_fc3d_solver_reserve(solver, between, &error), HF_OK);
    for (int k = 0; k < 3; ++k) {
        memset(r, 0, sizeof r);
        assert_int_equal(hf_fc3d_solve(solver, k == 1 ? between : p, r, u, NULL, &error), HF_OK);
        if (k == 0) {
            memcpy(first, r, sizeof r);
        }
    }
    assert_memory_equal(first, r, sizeof r);
    // From the solution it takes no step at all.
    hf_fc3d_info info;
    assert_int_equal(hf_fc3d_solve(solver, p, r, u, &info, &error), HF_OK);
    assert_int_equal(info.iterations, 0);
    hf_fc3d_solver_destroy(solver);
    hf_fc3d_problem_destroy(between);
    hf_fc3d_problem_destroy(p);
}

// Spheres in a box: redundant, where Gauss-Seidel alone stalls.
static void piles_are_solved(void **state)
{
    (void)state;
    hf_pile_fc3d def = {.across = 3, .layers = 3, .steps = 150, .mu = 0.5};
    double speed = 0.0;
    hf_fc3d_problem *p = hf_pile_fc3d_create(&def, &speed);
    assert_non_null(p);
    assert_true(p->contacts > 40);
    hf_check_below(speed, 0.5, "speed of a sphere", "the pile settles");
    answer a = solve(p, HF_FC3D_AUTO, 1e-8);
    assert_int_equal(a.status, HF_OK);
    clear(&a);
    hf_fc3d_problem_destroy(p);
}

// Contacts that do not feel each other: each is what it is alone, by its closed form, and sweeps
// that solve contact by contact have all of them after the first, wherever they begin.
static void contacts_apart(void **state)
{
    (void)state;
    enum { MANY = 7 };
    hf_rng rng = hf_rng_create(91);
    hf_error error = {0};
    for (int trial = 0; trial < 100; ++trial) {
        int start[MANY + 1], column[MANY];
        double w[9 * MANY], q[3 * MANY], mu[MANY], r[3 * MANY], u[3 * MANY];
        for (int i = 0; i < MANY; ++i) {
            double a[9];
            for (int k = 0; k < 9; ++k) {
                a[k] = hf_rng_normal(&rng);
            }
            for (int k = 0; k < 9; ++k) { // A A' + 1/2
                const double *x = a + k / 3 * 3, *y = a + k % 3 * 3;
                w[9 * i + k] = x[0] * y[0] + x[1] * y[1] + x[2] * y[2] + (k % 4 == 0 ? 0.5 : 0.0);
            }
            for (int k = 0; k < 3; ++k) {
                q[3 * i + k] = hf_rng_normal(&rng);
                r[3 * i + k] = hf_rng_normal(&rng);
            }
            mu[i] = hf_rng_uniform(&rng, 0.0, 1.0);
            start[i] = column[i] = i;
        }
        start[MANY] = MANY;
        const hf_fc3d_problem all = {
            .contacts = MANY, .start = start, .column = column, .w = w, .q = q, .mu = mu};
        hf_fc3d_def def = hf_fc3d_def_default();
        def.method = HF_FC3D_GAUSS_SEIDEL;
        hf_fc3d_solver *solver = hf_fc3d_solver_create(&def, &all, &error);
        hf_fc3d_info info;
        assert_non_null(solver);
        assert_int_equal(hf_fc3d_solve(solver, &all, r, u, &info, &error), HF_OK);
        hf_fc3d_solver_destroy(solver);
        assert_int_equal(info.method, HF_FC3D_GAUSS_SEIDEL);
        assert_int_equal(info.iterations, 1);
        for (int i = 0; i < MANY; ++i) {
            hf_fc3d_problem one = all;
            one.contacts = 1;
            one.w = w + 9 * i;
            one.q = q + 3 * i;
            one.mu = mu + i;
            double alone[3] = {0.0}, alone_u[3];
            solver = hf_fc3d_solver_create(NULL, &one, &error);
            assert_non_null(solver);
            assert_int_equal(hf_fc3d_solve(solver, &one, alone, alone_u, NULL, &error), HF_OK);
            hf_fc3d_solver_destroy(solver);
            hf_check_near_array(r + 3 * i, alone, 3, 1e-6, "reaction", "of the contact alone");
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contacts_apart),
        cmocka_unit_test(known_solutions_are_found),
        cmocka_unit_test(a_path_leads_to_solutions),
        cmocka_unit_test(other_starts_help),
        cmocka_unit_test(what_one_method_solves_is_solved),
        cmocka_unit_test(reactions_stay_finite),
        cmocka_unit_test(one_contact_is_always_solved),
        cmocka_unit_test(closing_walls_have_no_solution),
        cmocka_unit_test(methods_agree),
        cmocka_unit_test(results_repeat),
        cmocka_unit_test(piles_are_solved),
    };
    return hf_run_tests(tests);
}
