// SPDX-License-Identifier: Apache-2.0
// Friction-contact problems with answers in closed form, and what the interface promises.
#include <hf_test.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <holdfast/fc3d.h>

#include "solvers/fc3d/fc3d_internal.h"

// ------------------------------------------------------------------------------------------------
// One contact of a particle

static const int START_ONE[] = {0, 1}, COLUMN_ONE[] = {0};

static hf_fc3d_problem one(const double *w, const double *q, const double *mu)
{
    return (hf_fc3d_problem){
        .contacts = 1, .start = START_ONE, .column = COLUMN_ONE, .w = w, .q = q, .mu = mu};
}

// Solves by a method from zero and checks the residual by hand.
static hf_fc3d_info solve(const hf_fc3d_problem *p, hf_fc3d_method method, double *r, double *u)
{
    hf_fc3d_def def = hf_fc3d_def_default();
    def.method = method;
    def.tolerance = 1e-10;
    hf_error error = {0};
    hf_fc3d_solver *solver = hf_fc3d_solver_create(&def, p, &error);
    assert_non_null(solver);
    memset(r, 0, 3 * (size_t)p->contacts * sizeof *r);
    hf_fc3d_info info;
    hf_status status = hf_fc3d_solve(solver, p, r, u, &info, &error);
    if (status != HF_OK) {
        fail_msg("%s: %s", hf_fc3d_method_name(method), error.text);
    }
    hf_check_below(hf_fc3d_residual(p, HF_FC3D_NATURAL, r, u), 1e-10, "residual", "fc3d.h");
    hf_fc3d_solver_destroy(solver);
    return info;
}

static const hf_fc3d_method ITERATIVE[] = {HF_FC3D_AUTO,     HF_FC3D_GAUSS_SEIDEL, HF_FC3D_NEWTON,
                                           HF_FC3D_INTERIOR, HF_FC3D_PROXIMAL,     HF_FC3D_ADMM};
enum { ITERATIVE_COUNT = sizeof ITERATIVE / sizeof *ITERATIVE };

// A mass of 2 kg arrives with 3 m/s downwards and `along` sideways.
static void particle(void **state)
{
    (void)state;
    const double w[9] = {0.5, 0, 0, 0, 0.5, 0, 0, 0, 0.5};
    const struct {
        double q[3], mu, r[3], u[3];
        const char *what;
    } cases[] = {
        {{-3, 1, 0}, 0.5, {6, -2, 0}, {0, 0, 0}, "sticks: 2 <= 0.5 * 6"},
        {{-3, 4, 0}, 0.5, {6, -3, 0}, {0, 2.5, 0}, "slides with mu r_N = 3"},
        {{-3, 3, 4}, 0.5, {6, -1.8, -2.4}, {0, 2.1, 2.8}, "slides along (3, 4)"},
        {{1, 4, 0}, 0.5, {0, 0, 0}, {1, 4, 0}, "opens"},
        {{-3, 4, 1}, 0.0, {6, 0, 0}, {0, 4, 1}, "no friction"},
        {{-3, 40, 0}, 10.0, {6, -60, 0}, {0, 10, 0}, "mu = 10, slides"},
        {{-3, 29, 0}, 10.0, {6, -58, 0}, {0, 0, 0}, "mu = 10, sticks"},
        {{0, 0, 0}, 0.5, {0, 0, 0}, {0, 0, 0}, "nothing happens"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
        hf_fc3d_problem p = one(w, cases[c].q, &cases[c].mu);
        // A flat side of the residual: with mu = 10 it falls by 1 / (1 + mu^2) only.
        double allowed = cases[c].mu > 1.0 ? 1e-5 : 1e-7;
        for (int m = 0; m < ITERATIVE_COUNT; ++m) {
            double r[3], u[3];
            (void)solve(&p, ITERATIVE[m], r, u);
            hf_check_near_array(r, cases[c].r, 3, allowed, "r", cases[c].what);
            hf_check_near_array(u, cases[c].u, 3, allowed, "u", cases[c].what);
        }
    }
}

// Normal and tangent are coupled: a rod's end; or not. The conditions themselves are the reference.
static void one_contact_always_has_an_answer(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(32);
    for (int trial = 0; trial < 20000; ++trial) {
        double h[3][3], w[9] = {0}, q[3], r[3], u[3], root = 0.0;
        double mu = trial % 4 == 0 ? 0.0 : hf_rng_log_uniform(&rng, 1e-3, 10.0);
        for (int i = 0; i < 9; ++i) {
            h[i / 3][i % 3] = hf_rng_normal(&rng);
        }
        for (int i = 0; i < 9; ++i) {
            for (int k = 0; k < 3; ++k) {
                w[i] += h[i / 3][k] * h[i % 3][k];
            }
            q[i % 3] = hf_rng_normal(&rng);
        }
        if (trial % 5 == 0) { // two spheres: nothing couples
            w[1] = w[2] = w[3] = w[5] = w[6] = w[7] = 0.0;
            w[8] = w[4];
        }
        hf_regime regime = hf_fc3d_one_contact(w, q, mu, r, &root);
        hf_fc3d_problem p = one(w, q, &mu);
        hf_check_below(hf_fc3d_residual(&p, HF_FC3D_NATURAL, r, u), 1e-9, "residual", "fc3d.h");
        double size = hypot(r[1], r[2]);
        if (regime == HF_REGIME_OPEN) {
            assert_true(q[0] >= 0.0 && r[0] == 0.0 && size == 0.0);
        } else {
            assert_true(q[0] < 0.0);
            hf_check_below(size, mu * r[0] * (1 + 1e-9) + 1e-12, "|r_T|", "mu r_N");
        }
        // From its own root the answer is found again.
        double again[3];
        (void)hf_fc3d_one_contact(w, q, mu, again, &root);
        hf_check_near_array(again, r, 3, 1e-7 * (1.0 + fabs(r[0])), "r", "warm start");
    }
}

// A column of masses under gravity: each contact carries what is above it, exactly. Sweeps alone
// take some 0.2 n^2 ln(1/tolerance) rounds to hand a weight down; mixed ones a multiple of n.
static void a_column_is_swept_in_few_rounds(void **state)
{
    (void)state;
    enum { N = 60 };
    int start[N + 1] = {0}, column[3 * N], used = 0;
    double w[27 * N] = {0}, q[3 * N] = {0}, mu[N] = {0}, r[3 * N] = {0}, u[3 * N];
    const double mass = 0.7, fall = 0.02;
    for (int i = 0; i < N; ++i) {
        for (int j = i > 0 ? i - 1 : 0; j <= (i < N - 1 ? i + 1 : i); ++j) {
            w[9 * used] = (j != i ? -1.0 : i == 0 ? 1.0 : 2.0) / mass;
            w[9 * used + 4] = w[9 * used + 8] = j == i ? 1.0 : 0.0;
            column[used++] = j;
        }
        start[i + 1] = used;
    }
    q[0] = -fall;
    hf_fc3d_problem p = {.contacts = N, .start = start, .column = column, .w = w, .q = q, .mu = mu};
    hf_fc3d_def def = hf_fc3d_def_default();
    def.method = HF_FC3D_GAUSS_SEIDEL;
    def.measure = HF_FC3D_SCALED;
    hf_error error;
    hf_fc3d_info info;
    hf_fc3d_solver *solver = hf_fc3d_solver_create(&def, &p, &error);
    assert_non_null(solver);
    assert_int_equal(hf_fc3d_solve(solver, &p, r, u, &info, &error), HF_OK);
    for (int i = 0; i < N; ++i) {
        hf_check_near(r[3 * i], (N - i) * mass * fall, 1e-4 * N * mass * fall, "r_N",
                      "weight above");
    }
    hf_check_below(info.iterations, 20.0 * N, "sweeps", "mixed");
    // What is solved is swept further when asked, and better from time to time.
    double before = info.residual;
    hf_fc3d_solver_destroy(solver);
    def.least = 40;
    solver = hf_fc3d_solver_create(&def, &p, &error);
    assert_non_null(solver);
    assert_int_equal(hf_fc3d_solve(solver, &p, r, u, &info, &error), HF_OK);
    assert_true(info.iterations > 0 && info.iterations <= 40);
    hf_check_below(info.residual, before, "residual", "that to begin with");
    hf_fc3d_solver_destroy(solver);
}

// ------------------------------------------------------------------------------------------------
// Residual

// Zero for a solution, and not for its neighbours; with other units the scaled one stays.
static void residual_knows_solutions(void **state)
{
    (void)state;
    const double w[9] = {0.5, 0.1, 0, 0.1, 0.4, 0, 0, 0, 0.6}, q[3] = {-3, 4, 1}, mu = 0.4;
    hf_fc3d_problem p = one(w, q, &mu);
    double r[3], u[3];
    (void)solve(&p, HF_FC3D_AUTO, r, u);
    for (int k = 0; k < 6; ++k) {
        double off[3] = {r[0], r[1], r[2]}, v[3];
        off[k / 2] += k % 2 == 0 ? 1e-3 : -1e-3;
        double natural = hf_fc3d_residual(&p, HF_FC3D_NATURAL, off, v);
        double scaled = hf_fc3d_residual(&p, HF_FC3D_SCALED, off, v);
        assert_true(natural > 1e-6 && scaled > 1e-6);
        // Millinewton seconds for newton seconds, centimetres for metres.
        double w2[9], q2[3], r2[3];
        for (int i = 0; i < 9; ++i) {
            w2[i] = w[i] * 100.0 / 1000.0;
            q2[i % 3] = q[i % 3] * 100.0;
            r2[i % 3] = off[i % 3] * 1000.0;
        }
        hf_fc3d_problem other = one(w2, q2, &mu);
        hf_check_near(hf_fc3d_residual(&other, HF_FC3D_SCALED, r2, v), scaled, 1e-14,
                      "scaled residual", "in other units");
        assert_true(fabs(hf_fc3d_residual(&other, HF_FC3D_NATURAL, r2, v) / natural - 1.0) > 1e-3);
    }
    // r = 0 is no solution of a contact that closes, and is one of a contact that opens.
    double none[3] = {0}, v[3];
    assert_true(hf_fc3d_residual(&p, HF_FC3D_NATURAL, none, v) > 0.1);
    const double away[3] = {1, 4, 1};
    hf_fc3d_problem opening = one(w, away, &mu);
    assert_true(hf_fc3d_residual(&opening, HF_FC3D_NATURAL, none, v) == 0.0);
    double bad[3] = {NAN, 0, 0};
    assert_true(isnan(hf_fc3d_residual(&p, HF_FC3D_NATURAL, bad, v)));
}

// A hundred tons at 1 m/s: reactions that are wrong by 1 % are 1e-7 in the natural measure, as
// velocities are small numbers beside impulses. The default takes the larger measure.
static void both_measures_judge(void **state)
{
    (void)state;
    const double w[9] = {1e-5, 0, 0, 0, 1e-5, 0, 0, 0, 1e-5}, q[3] = {-1, 0.1, 0}, mu = 0.4;
    hf_fc3d_problem p = one(w, q, &mu);
    double off[3] = {0.99e5, -0.99e4, 0.0}, r[3] = {0}, v[3], u[3];
    double natural = hf_fc3d_residual(&p, HF_FC3D_NATURAL, off, v);
    double scaled = hf_fc3d_residual(&p, HF_FC3D_SCALED, off, v);
    hf_check_near(natural, 1e-7, 2e-8, "natural residual", "0.01 m/s of 1e5 N s");
    hf_check_near(scaled, 1e-2, 2e-3, "scaled residual", "the share that is wrong");
    assert_true(hf_fc3d_residual(&p, HF_FC3D_STRICTER, off, v) == scaled);
    assert_true(hf_fc3d_def_default().measure == HF_FC3D_STRICTER);
    // r to begin with is solved by one measure, and not by both.
    for (int m = HF_FC3D_NATURAL; m <= HF_FC3D_STRICTER; ++m) {
        hf_fc3d_def def = hf_fc3d_def_default();
        def.measure = (hf_fc3d_measure)m;
        def.tolerance = 1e-6;
        hf_error error;
        hf_fc3d_info info;
        hf_fc3d_solver *solver = hf_fc3d_solver_create(&def, &p, &error);
        memcpy(r, off, sizeof r);
        assert_int_equal(hf_fc3d_solve(solver, &p, r, u, &info, &error), HF_OK);
        assert_int_equal(info.iterations > 0, m != HF_FC3D_NATURAL);
        hf_fc3d_solver_destroy(solver);
    }
    // Numbers that overflow are not below any tolerance.
    double bad[3] = {NAN, 0, 0};
    assert_true(isnan(hf_fc3d_residual(&p, HF_FC3D_STRICTER, bad, v)));
}

// ------------------------------------------------------------------------------------------------
// A block on four corners: W has rank 6 of 12

typedef struct table {
    int start[9], column[64];
    double w[64 * 9], q[24], mu[8];
    hf_fc3d_problem p;
} table;

// Corners at (+-1, +-1) 0.5 m below the centre of a cube of mass 1, inertia 2/3; `repeat` doubles
// each contact. The block is pushed by `push` sideways and gravity g dt = 1 downwards.
static void make_table(table *t, double push, double mu, int repeat)
{
    double h[24][6];
    int n = 4 * repeat;
    for (int c = 0; c < n; ++c) {
        double x = c % 4 < 2 ? 1 : -1, y = c % 2 == 0 ? 1 : -1, z = -0.5;
        // rows: normal z, tangents x and y; velocity of the corner is v + w x (x, y, z)
        const double rows[3][6] = {{0, 0, 1, y, -x, 0}, {1, 0, 0, 0, z, -y}, {0, 1, 0, -z, 0, x}};
        memcpy(h[3 * c], rows, sizeof rows);
        t->mu[c] = mu;
        t->q[3 * c] = -1.0;
        t->q[3 * c + 1] = push;
        t->q[3 * c + 2] = 0.0;
    }
    for (int i = 0, used = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j, ++used) {
            t->column[used] = j;
            for (int e = 0; e < 9; ++e) {
                double sum = 0.0;
                for (int k = 0; k < 6; ++k) {
                    sum += h[3 * i + e / 3][k] * h[3 * j + e % 3][k] / (k < 3 ? 1.0 : 2.0 / 3.0);
                }
                t->w[9 * used + e] = sum;
            }
        }
        t->start[i + 1] = used;
    }
    t->start[0] = 0;
    t->p = (hf_fc3d_problem){
        .contacts = n, .start = t->start, .column = t->column, .w = t->w, .q = t->q, .mu = t->mu};
}

static void redundant_contacts(void **state)
{
    (void)state;
    static table t;
    for (int repeat = 1; repeat <= 2; ++repeat) {
        for (int m = 0; m < ITERATIVE_COUNT; ++m) {
            double r[24], u[24], sum[3] = {0};
            // Below the limit it holds: the sum of forces is the weight and the push.
            make_table(&t, 0.3, 0.5, repeat);
            hf_fc3d_info info = solve(&t.p, ITERATIVE[m], r, u);
            for (int i = 0; i < 3 * t.p.contacts; ++i) {
                sum[i % 3] += r[i];
                hf_check_near(u[i], 0.0, 1e-8, "u", "it holds");
            }
            hf_check_near(sum[0], 1.0, 1e-8, "sum of normal forces", "weight");
            hf_check_near(sum[1], -0.3, 1e-8, "sum of frictions", "push");
            assert_int_equal(info.open, 0);
            // Above it slides with mu g, and the corners behind carry less.
            make_table(&t, 0.8, 0.5, repeat);
            (void)solve(&t.p, ITERATIVE[m], r, u);
            for (int c = 0; c < t.p.contacts; ++c) {
                hf_check_near(u[3 * c + 1], 0.3, 1e-8, "u", "push - mu weight");
            }
            assert_true(r[0] > r[6] + 0.01);
        }
    }
}

// ------------------------------------------------------------------------------------------------
// Two dimensions: Lemke is exact

static void lemke_is_exact_in_two_dimensions(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(33);
    for (int trial = 0; trial < 300; ++trial) {
        enum { MOST = 6, FREEDOMS = 9 };
        int n = hf_rng_int(&rng, 1, MOST), start[MOST + 1] = {0}, column[MOST * MOST];
        double h[3 * MOST][FREEDOMS] = {{0}}, w[9 * MOST * MOST] = {0}, q[3 * MOST] = {0};
        double mu[MOST], drive[FREEDOMS];
        for (int k = 0; k < FREEDOMS; ++k) {
            drive[k] = hf_rng_normal(&rng);
        }
        for (int i = 0; i < n; ++i) {
            mu[i] = hf_rng_uniform(&rng, 0.0, 0.6);
            for (int a = 0; a < 2; ++a) {
                for (int k = 0; k < FREEDOMS; ++k) {
                    h[3 * i + a][k] = hf_rng_normal(&rng);
                    q[3 * i + a] += h[3 * i + a][k] * drive[k];
                }
            }
        }
        for (int i = 0, used = 0; i < n; ++i) {
            for (int j = 0; j < n; ++j, ++used) {
                column[used] = j;
                for (int e = 0; e < 9; ++e) {
                    for (int k = 0; k < FREEDOMS; ++k) {
                        w[9 * used + e] += h[3 * i + e / 3][k] * h[3 * j + e % 3][k];
                    }
                }
                w[9 * used + 8] = i == j ? 1.0 : 0.0; // idle
            }
            start[i + 1] = used;
        }
        hf_fc3d_problem p = {
            .contacts = n, .start = start, .column = column, .w = w, .q = q, .mu = mu};
        double r[3 * MOST], u[3 * MOST];
        (void)solve(&p, HF_FC3D_LEMKE, r, u);
        for (int i = 0; i < n; ++i) {
            assert_true(r[3 * i + 2] == 0.0);
        }
    }
}

// A pyramid of more edges is nearer to the cone.
static void lemke_approaches_the_cone(void **state)
{
    (void)state;
    static table t;
    make_table(&t, 0.8, 0.5, 1);
    for (int i = 0; i < 4; ++i) {
        t.q[3 * i + 2] = 0.37;
    }
    double before = 1.0;
    for (int facets = 4; facets <= 64; facets *= 4) {
        hf_fc3d_def def = hf_fc3d_def_default();
        def.method = HF_FC3D_LEMKE;
        def.facets = facets;
        def.tolerance = 1e-12;
        hf_fc3d_solver *solver = hf_fc3d_solver_create(&def, &t.p, NULL);
        double r[12] = {0}, u[12];
        hf_fc3d_info info;
        hf_error error;
        assert_int_equal(hf_fc3d_solve(solver, &t.p, r, u, &info, &error), HF_ERROR_CONVERGENCE);
        assert_true(info.natural < 0.5 * before);
        before = info.natural;
        hf_fc3d_solver_destroy(solver);
    }
    hf_check_below(before, 5e-3, "residual with 64 edges", "a tenth of the angle between edges");
}

// ------------------------------------------------------------------------------------------------
// Interface

static void wrong_problems_are_refused(void **state)
{
    (void)state;
    hf_error error;
    const double w[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[3] = {-1, 0, 0}, mu = 0.5;
    hf_fc3d_problem good = one(w, q, &mu), p = good;
    assert_int_equal(hf_fc3d_problem_check(&p, &error), HF_OK);
    const double bad_mu = -0.1, no_mu = NAN, bad_q[3] = {0, INFINITY, 0};
    p.mu = &bad_mu;
    assert_int_equal(hf_fc3d_problem_check(&p, &error), HF_ERROR_RANGE);
    p.mu = &no_mu;
    assert_int_equal(hf_fc3d_problem_check(&p, &error), HF_ERROR_NOT_FINITE);
    p = good;
    p.q = bad_q;
    assert_int_equal(hf_fc3d_problem_check(&p, &error), HF_ERROR_NOT_FINITE);
    const double bad_w[9] = {-1, 0, 0, 0, 1, 0, 0, 0, 1};
    p = good;
    p.w = bad_w;
    assert_int_equal(hf_fc3d_problem_check(&p, &error), HF_ERROR_RANGE);
    const int outside[] = {1};
    p = good;
    p.column = outside;
    assert_int_equal(hf_fc3d_problem_check(&p, &error), HF_ERROR_INPUT);
    assert_null(hf_fc3d_solver_create(NULL, &p, &error));
    hf_fc3d_def def = hf_fc3d_def_default();
    def.tolerance = 0.0;
    assert_int_equal(hf_fc3d_def_check(&def, &error), HF_ERROR_RANGE);
    def = hf_fc3d_def_default();
    def.facets = 5;
    assert_null(hf_fc3d_solver_create(&def, &good, &error));
    assert_int_equal(hf_fc3d_method_find("newtn"), HF_FC3D_METHOD_COUNT);
    for (int m = 0; m < HF_FC3D_METHOD_COUNT; ++m) {
        assert_int_equal(hf_fc3d_method_find(hf_fc3d_method_name((hf_fc3d_method)m)), m);
    }
}

// What does not fit is refused until room is made; what is not finite does not pass for solved.
static void solvers_keep_to_their_memory(void **state)
{
    (void)state;
    static table t;
    hf_error error;
    const double w[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[3] = {-1, 0, 0}, mu = 0.5;
    hf_fc3d_problem small = one(w, q, &mu);
    hf_fc3d_solver *solver = hf_fc3d_solver_create(NULL, &small, &error);
    make_table(&t, 0.3, 0.5, 1);
    double r[12] = {0}, u[12];
    assert_int_equal(hf_fc3d_solve(solver, &t.p, r, u, NULL, &error), HF_ERROR_RANGE);
    assert_int_equal(hf_fc3d_solver_reserve(solver, &t.p, &error), HF_OK);
    assert_int_equal(hf_fc3d_solve(solver, &t.p, r, u, NULL, &error), HF_OK);
    memset(r, 0, sizeof r);
    assert_int_equal(hf_fc3d_solve(solver, &small, r, u, NULL, &error), HF_OK);
    r[0] = NAN;
    assert_int_equal(hf_fc3d_solve(solver, &small, r, u, NULL, &error), HF_ERROR_NOT_FINITE);
    r[0] = 0.0;
    const double bad[3] = {-1, NAN, 0};
    hf_fc3d_info info;
    small.q = bad;
    assert_int_equal(hf_fc3d_solve(solver, &small, r, u, &info, &error), HF_ERROR_NOT_FINITE);
    assert_false(info.residual <= 1.0);
    hf_fc3d_problem none = {.contacts = 0, .start = START_ONE, .column = COLUMN_ONE, .w = w};
    assert_int_equal(hf_fc3d_solve(solver, &none, r, u, &info, &error), HF_OK);
    hf_fc3d_solver_destroy(solver);
}

static void solving_allocates_nothing(void **state)
{
    (void)state;
    static table t;
    make_table(&t, 0.8, 0.5, 2);
    for (int m = 0; m < HF_FC3D_METHOD_COUNT; ++m) {
        hf_fc3d_def def = hf_fc3d_def_default();
        def.method = (hf_fc3d_method)m;
        hf_fc3d_solver *solver = hf_fc3d_solver_create(&def, &t.p, NULL);
        double r[24] = {0}, u[24];
        long long before = hf_test_allocations();
        hf_status status = hf_fc3d_solve(solver, &t.p, r, u, NULL, NULL);
        assert_int_equal(hf_test_allocations() - before, 0);
        assert_true(status == HF_OK || m == HF_FC3D_LEMKE);
        hf_fc3d_solver_destroy(solver);
    }
}

// Sweeps that change a reaction by the same amount until, after a thousand of them, a contact
// opens: what comes then is found in a few dozen. The velocities of bodies go along with reactions.
static void sweeps_that_drift_go_ahead(void **state)
{
    (void)state;
    hf_fc3d_mix mix = {0};
    hf_arena arena = {.allocator = hf_fc3d_def_default().allocator};
    const double weight[2] = {1.0, 4.0}, mu[2] = {1.0, 1.0};
    const double away = 0.001, answer[6] = {1.0, 0.0, 0.0, 0.3, 0.1, 0.0};
    double r[6] = {0}, v[3] = {0}, dr[7], dv[4], left = 1.0;
    int sweeps = 0;
    assert_true(hf_fc3d_mix_allocate(&mix, &arena, 2, 1));
    mix.last = 0.0;
    hf_fc3d_mix_start(&mix, weight, r, 2);
    for (; sweeps < 2000 && left > 1e-9; ++sweeps) {
        memcpy(mix.before, r, sizeof r);
        memcpy(mix.start, v, sizeof v);
        double moves = r[0] < answer[0] ? away : 0.5 * (answer[0] - r[0]);
        r[0] += moves;
        for (int k = 1; k < 6; ++k) {
            r[k] += 0.6 * (answer[k] - r[k]);
        }
        for (int k = 0; k < 3; ++k) {
            v[k] = 2.0 * r[0] - r[3] + k * r[4];
        }
        left = 0.0;
        for (int k = 0; k < 6; ++k) {
            left = fmax(left, fabs(answer[k] - r[k]));
        }
        left = r[0] < answer[0] ? 1.0 : left;
        if (hf_fc3d_mix_sweep(&mix, mu, r, 2, v, 1, dr, dv)) {
            for (int k = 0; k < 6; ++k) {
                r[k] -= dr[k];
            }
            for (int k = 0; k < 3; ++k) {
                hf_check_near(v[k] - dv[k], 2.0 * r[0] - r[3] + k * r[4], 1e-12, "v", "of r");
                v[k] -= dv[k];
            }
        }
    }
    hf_check_below(sweeps, 150.0, "sweeps", "a thousand without going ahead");
    hf_arena_free(&arena);
}

// Where reactions change by the same `f` in every sweep, the next begins where the first contact
// leaves its regime: the second one of two, of which the first would go on for ten times as long.
static void goes_ahead_to_the_event(const double f[3], double reaction[3])
{
    hf_fc3d_mix mix = {.near = true};
    hf_arena arena = {.allocator = hf_fc3d_def_default().allocator};
    const double weight[2] = {1.0, 4.0}, mu[2] = {0.5, 0.5};
    double r[6] = {10.0, 0.0, 0.0, 1.0, 0.0, 0.0}, dr[7], dv[1];
    bool ahead = false;
    assert_true(hf_fc3d_mix_allocate(&mix, &arena, 2, 0));
    hf_fc3d_mix_start(&mix, weight, r, 2);
    for (int sweeps = 0; sweeps < 10 && !ahead; ++sweeps) {
        memcpy(mix.before, r, sizeof r);
        for (int k = 0; k < 6; ++k) {
            r[k] += f[k % 3];
        }
        ahead = hf_fc3d_mix_sweep(&mix, mu, r, 2, NULL, 0, dr, dv) && mix.kept == 0;
    }
    assert_true(ahead);
    for (int k = 0; k < 3; ++k) {
        reaction[k] = r[3 + k] - dr[3 + k];
    }
    hf_arena_free(&arena);
}

static void drifting_sweeps_go_to_the_event(void **state)
{
    (void)state;
    double r[3];
    // It opens after 200 sweeps
    goes_ahead_to_the_event((const double[3]){-0.005, 0.0, 0.0}, r);
    hf_check_near(r[0], 0.0, 1e-12, "r_N", "1 - 200 * 0.005");
    // It slides: 0.005 n = 0.5 (1 + 0.001 n)
    goes_ahead_to_the_event((const double[3]){0.001, 0.003, 0.004}, r);
    hf_check_near(hypot(r[1], r[2]), 0.5 * r[0], 1e-12, "r_T", "the edge of the cone");
    hf_check_near(r[0], 1.0 + 1.0 / 9.0, 1e-12, "r_N", "n = 1/0.009");
    // The normal falls faster than the cone allows: 0.002 n = 0.5 (1 - 0.004 n)
    goes_ahead_to_the_event((const double[3]){-0.004, 0.0, 0.002}, r);
    hf_check_near(r[2], 0.25, 1e-12, "r_T", "n = 125");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(particle),
        cmocka_unit_test(one_contact_always_has_an_answer),
        cmocka_unit_test(a_column_is_swept_in_few_rounds),
        cmocka_unit_test(sweeps_that_drift_go_ahead),
        cmocka_unit_test(drifting_sweeps_go_to_the_event),
        cmocka_unit_test(residual_knows_solutions),
        cmocka_unit_test(both_measures_judge),
        cmocka_unit_test(redundant_contacts),
        cmocka_unit_test(lemke_is_exact_in_two_dimensions),
        cmocka_unit_test(lemke_approaches_the_cone),
        cmocka_unit_test(wrong_problems_are_refused),
        cmocka_unit_test(solvers_keep_to_their_memory),
        cmocka_unit_test(solving_allocates_nothing),
    };
    return hf_run_tests(tests);
}
