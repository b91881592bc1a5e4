// SPDX-License-Identifier: Apache-2.0
// Frictions, contacts and stops in one problem, judged by their conditions and by fc3d; least-norm
// solutions of square systems.
#include <hf_test.h>

#include <math.h>
#include <string.h>

#include <holdfast/fc3d.h>

#include "solvers/small/least_norm.h"
#include "solvers/small/mixed.h"

enum { MOST_ROWS = 30, MOST_ITEMS = 12 };

typedef struct problem {
    hf_mixed mixed;
    double w[MOST_ROWS * MOST_ROWS], c[MOST_ROWS], f[MOST_ROWS];
    hf_mixed_item items[MOST_ITEMS];
    double work[4 * MOST_ROWS * MOST_ROWS];
} problem;

// ------------------------------------------------------------------------------------------------
// Random problems: W = J J' with J of `rank` columns, c in its range as accelerations are.

static void fill(problem *p, hf_rng *rng, int rows, int rank)
{
    double j[MOST_ROWS][MOST_ROWS], drive[MOST_ROWS];
    for (int k = 0; k < rank; ++k) {
        drive[k] = 5.0 * hf_rng_normal(rng);
        for (int i = 0; i < rows; ++i) {
            j[i][k] = hf_rng_normal(rng);
        }
    }
    for (int a = 0; a < rows; ++a) {
        p->c[a] = 0.0;
        for (int b = 0; b < rows; ++b) {
            p->w[a * rows + b] = 0.0;
            for (int k = 0; k < rank; ++k) {
                p->w[a * rows + b] += j[a][k] * j[b][k];
            }
        }
        for (int k = 0; k < rank; ++k) {
            p->c[a] += j[a][k] * drive[k];
        }
    }
    memset(p->f, 0, sizeof p->f);
}

static hf_mixed_item random_item(hf_rng *rng, hf_mixed_law law, int row)
{
    double angle = hf_rng_uniform(rng, -3.14, 3.14);
    bool contact = law == HF_MIXED_CONE || law == HF_MIXED_SLIDE;
    return (hf_mixed_item){.law = law,
                           .row = row,
                           .dim = contact                ? 3
                                  : law == HF_MIXED_BALL ? hf_rng_int(rng, 1, 3)
                                  : law == HF_MIXED_DRAG ? 2
                                                         : 1,
                           .low = hf_rng_bool(rng) ? -hf_rng_log_uniform(rng, 0.01, 10.0) : -1e300,
                           .high = hf_rng_bool(rng) ? hf_rng_log_uniform(rng, 0.01, 10.0) : 0.0,
                           .load = -1,
                           .radius = hf_rng_log_uniform(rng, 0.01, 10.0),
                           .mu = law == HF_MIXED_SLIDE ? hf_rng_uniform(rng, 0.0, 0.3)
                                                       : hf_rng_uniform(rng, 0.0, 1.0),
                           .direction = {cos(angle), sin(angle)}};
}

// Loads half of the balls by a stop or contact, all drags, and some stops are made of boxes.
static void load(problem *p, hf_rng *rng, int count)
{
    for (int i = 0; i < count; ++i) {
        hf_mixed_item *item = &p->items[i];
        int other = hf_rng_int(rng, 0, count - 1);
        if (item->law == HF_MIXED_DRAG || (item->law == HF_MIXED_BALL && hf_rng_bool(rng))) {
            hf_mixed_law law = p->items[other].law;
            bool stop = law == HF_MIXED_BOX;
            item->rise = hf_rng_uniform(rng, 0.0, item->law == HF_MIXED_DRAG ? 0.3 : 1.0);
            item->load = stop || law == HF_MIXED_CONE || law == HF_MIXED_SLIDE ? other : -1;
            if (stop) {
                p->items[other].low = -1e300;
                p->items[other].high = 0.0;
            }
        }
    }
}

static void make(problem *p, hf_rng *rng, int most_law, bool redundant)
{
    int rows = 0, count = hf_rng_int(rng, 1, 7);
    for (int i = 0; i < count; ++i) {
        p->items[i] = random_item(rng, (hf_mixed_law)hf_rng_int(rng, 0, most_law), rows);
        rows += p->items[i].dim;
    }
    load(p, rng, count);
    // Rows that hang together but little feel each other little: no Painleve
    fill(p, rng, rows,
         redundant               ? hf_rng_int(rng, (rows + 1) / 2, rows)
         : rows + 8 <= MOST_ROWS ? rows + 8
                                 : rows);
    p->mixed = (hf_mixed){.rows = rows, .count = count, .w = p->w, .c = p->c, .items = p->items};
    assert_true(hf_mixed_work(rows) <= sizeof p->work / sizeof *p->work);
}

// ------------------------------------------------------------------------------------------------
// The conditions, written out

static double length(int n, const double *x)
{
    double squares = 0.0;
    for (int i = 0; i < n; ++i) {
        squares += x[i] * x[i];
    }
    return sqrt(squares);
}

// Friction of a ball: inside no motion, at the radius motion along f.
static double ball_fault(int dim, const double *f, const double *a, double radius, double scale)
{
    double size = length(dim, f), speed = length(dim, a), power = 0.0;
    for (int k = 0; k < dim; ++k) {
        power += f[k] * a[k];
    }
    // Largest dissipation: f.a = radius |a|
    return fmax(fmax(0.0, size - radius), (radius * speed - power) / scale);
}

static double fault_of(const problem *p)
{
    const hf_mixed *m = &p->mixed;
    double a[MOST_ROWS], worst = 0.0, scale = 1.0;
    for (int i = 0; i < m->rows; ++i) {
        a[i] = p->c[i];
        for (int j = 0; j < m->rows; ++j) {
            a[i] -= p->w[i * m->rows + j] * p->f[j];
            scale = fmax(scale, fabs(p->w[i * m->rows + j] * p->f[j]));
        }
    }
    for (int i = 0; i < m->count; ++i) {
        const hf_mixed_item *item = &m->items[i];
        const double *f = p->f + item->row, *at = a + item->row;
        double fault = 0.0, load = item->load < 0 ? 0.0 : fabs(p->f[m->items[item->load].row]);
        if (item->law == HF_MIXED_BALL) {
            fault = ball_fault(item->dim, f, at, item->radius + item->rise * load, scale);
        } else if (item->law == HF_MIXED_DRAG) {
            fault = fmax(fabs(f[0] - item->rise * load * item->direction[0]),
                         fabs(f[1] - item->rise * load * item->direction[1]));
        } else if (item->law == HF_MIXED_BOX) {
            fault = fmax(fmax(item->low - f[0], f[0] - item->high),
                         fmax(fmin(at[0], item->high - f[0]), fmin(-at[0], f[0] - item->low)));
        } else {
            double normal = -f[0];
            fault = fmax(fmax(-normal, -at[0]), fmin(normal, at[0]));
            fault = fmax(fault, item->law == HF_MIXED_CONE
                                    ? ball_fault(2, f + 1, at + 1, item->mu * normal, scale)
                                    : fmax(fabs(f[1] - item->mu * normal * item->direction[0]),
                                           fabs(f[2] - item->mu * normal * item->direction[1])));
        }
        worst = fmax(worst, fault);
    }
    return worst / scale;
}

static void random_problems(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(31);
    static problem p;
    int solved = 0, tried = 0;
    for (int trial = 0; trial < 2000; ++trial) {
        bool slides = trial % 2 == 1;
        make(&p, &rng, slides ? HF_MIXED_DRAG : HF_MIXED_CONE, trial % 3 == 0);
        double residual = hf_mixed_solve(&p.mixed, p.f, p.work);
        ++tried;
        // A slide or drag may have no solution at all.
        if (!slides && !(residual <= 1e-9)) {
            fail_msg("trial %d (seed 31): residual %g", trial, residual);
        }
        if (residual <= 1e-9) {
            ++solved;
            hf_check_below(fault_of(&p), 1e-8, "fault", "the laws, written out");
        }
    }
    hf_check_below(1.0 - (double)solved / tried, 0.05, "share not solved", "small friction");
}

// Contacts alone are fc3d's problem.
static void contacts_as_fc3d(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(32);
    static problem p;
    for (int trial = 0; trial < 200; ++trial) {
        int count = hf_rng_int(&rng, 1, 6), start[8], column[36];
        double w[36 * 9], q[18], mu[6], r[18] = {0}, u[18];
        for (int i = 0; i < count; ++i) {
            p.items[i] = random_item(&rng, HF_MIXED_CONE, 3 * i);
            mu[i] = p.items[i].mu;
        }
        fill(&p, &rng, 3 * count, 3 * count);
        p.mixed =
            (hf_mixed){.rows = 3 * count, .count = count, .w = p.w, .c = p.c, .items = p.items};
        for (int i = 0; i <= count; ++i) {
            start[i] = i * count;
        }
        for (int b = 0; b < count * count; ++b) {
            column[b] = b % count;
            for (int k = 0; k < 9; ++k) {
                w[9 * b + k] = p.w[(3 * (b / count) + k / 3) * 3 * count + 3 * (b % count) + k % 3];
            }
        }
        memcpy(q, p.c, (size_t)(3 * count) * sizeof *q);
        hf_fc3d_problem same = {
            .contacts = count, .start = start, .column = column, .w = w, .q = q, .mu = mu};
        hf_fc3d_def def = hf_fc3d_def_default();
        def.tolerance = 1e-12;
        hf_error error = {0};
        hf_fc3d_solver *solver = hf_fc3d_solver_create(&def, &same, &error);
        assert_non_null(solver);
        assert_int_equal(hf_fc3d_solve(solver, &same, r, u, NULL, &error), HF_OK);
        hf_check_below(hf_mixed_solve(&p.mixed, p.f, p.work), 1e-12, "residual", "Newton");
        // Friction-contact problems may have several solutions: both obey the laws
        hf_check_below(fault_of(&p), 1e-10, "fault", "the laws, written out");
        if (count == 1) {
            for (int k = 0; k < 3; ++k) {
                hf_check_near(-p.f[k], r[k], 1e-9 * (1.0 + fabs(r[k])), "reaction", "fc3d");
            }
        }
        hf_fc3d_solver_destroy(solver);
    }
}

// A stop and a ball of two rows that it loads are a contact: the same forces, in any order.
static void stops_and_balls_as_cones(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(34);
    static problem p, q;
    for (int trial = 0; trial < 400; ++trial) {
        int count = hf_rng_int(&rng, 1, 5), rows = 3 * count;
        for (int i = 0; i < count; ++i) {
            p.items[i] = random_item(&rng, HF_MIXED_CONE, 3 * i);
            // Stops and balls interleaved; balls first in every other trial
            int ball = trial % 2 == 0 ? 2 * i + 1 : 2 * i;
            int stop = trial % 2 == 0 ? 2 * i : 2 * i + 1;
            q.items[stop] = (hf_mixed_item){
                .law = HF_MIXED_BOX, .row = 3 * i, .dim = 1, .low = -1e300, .load = -1};
            q.items[ball] = (hf_mixed_item){.law = HF_MIXED_BALL,
                                            .row = 3 * i + 1,
                                            .dim = 2,
                                            .rise = p.items[i].mu,
                                            .load = stop};
        }
        fill(&p, &rng, rows, rows);
        memcpy(q.w, p.w, sizeof q.w);
        memcpy(q.c, p.c, sizeof q.c);
        memset(q.f, 0, sizeof q.f);
        p.mixed = (hf_mixed){.rows = rows, .count = count, .w = p.w, .c = p.c, .items = p.items};
        q.mixed =
            (hf_mixed){.rows = rows, .count = 2 * count, .w = q.w, .c = q.c, .items = q.items};
        hf_check_below(hf_mixed_solve(&p.mixed, p.f, p.work), 1e-12, "residual", "cones");
        hf_check_below(hf_mixed_solve(&q.mixed, q.f, q.work), 1e-12, "residual", "stops, balls");
        hf_check_below(fault_of(&q), 1e-10, "fault", "the laws, written out");
        double scale = 1.0 + length(rows, p.f);
        for (int i = 0; i < rows && count == 1; ++i) { // several may have several solutions
            hf_check_near(q.f[i], p.f[i], 1e-10 * scale, "force", "cone");
        }
    }
}

// A contact that slides: N (W_nn - mu W_nT d) = -c_n, until there is none (Painleve).
static void one_slide(void **state)
{
    (void)state;
    const double w[9] = {1.0, 0.8, 0.0, 0.8, 2.0, 0.0, 0.0, 0.0, 2.0}, c[3] = {-3.0, 1.0, 0.0};
    for (int i = 0; i < 2; ++i) {
        double mu = i == 0 ? 0.5 : 2.0, f[3] = {0}, work[64];
        hf_mixed_item item = {
            .law = HF_MIXED_SLIDE, .dim = 3, .load = -1, .mu = mu, .direction = {1.0, 0.0}};
        hf_mixed mixed = {.rows = 3, .count = 1, .w = w, .c = c, .items = &item};
        double residual = hf_mixed_solve(&mixed, f, work);
        if (i == 0) {
            hf_check_below(residual, 1e-14, "residual", "Newton");
            hf_check_near(f[0], -3.0 / (1.0 - 0.5 * 0.8), 1e-14, "normal force", "closed form");
            hf_check_near(f[1], -0.5 * f[0], 1e-15, "friction", "closed form");
        } else {
            assert_false(residual <= 1e-6);
        }
    }
}

// a x nearest to b, x the smallest: a'(a x - b) = 0, and x a combination of a's rows.
static void least_norm(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(33);
    enum { N = 12 };
    for (int trial = 0; trial < 400; ++trial) {
        int n = hf_rng_int(&rng, 1, N), rank = trial % 2 == 0 ? n : hf_rng_int(&rng, 1, n);
        double left[N][N] = {{0.0}}, right[N][N] = {{0.0}}, a[N * N], kept[N * N], b[N], x[N],
               work[6 * N], off[N];
        assert_true(hf_least_norm_general_work(n) <= 6 * N);
        for (int i = 0; i < n; ++i) {
            b[i] = hf_rng_normal(&rng);
            for (int k = 0; k < rank; ++k) {
                left[i][k] = hf_rng_normal(&rng);
                right[i][k] = hf_rng_normal(&rng);
            }
        }
        for (int i = 0; i < n * n; ++i) {
            a[i] = 0.0;
            for (int k = 0; k < rank; ++k) {
                a[i] += left[i / n][k] * right[i % n][k];
            }
        }
        memcpy(kept, a, sizeof a);
        assert_int_equal(hf_least_norm_general(n, a, b, x, work), rank);
        for (int i = 0; i < n; ++i) {
            off[i] = -b[i];
            for (int j = 0; j < n; ++j) {
                off[i] += kept[i * n + j] * x[j];
            }
        }
        for (int j = 0; j < n; ++j) {
            double slope = 0.0;
            for (int i = 0; i < n; ++i) {
                slope += kept[i * n + j] * off[i];
            }
            hf_check_below(fabs(slope), 1e-8 * (1.0 + length(n, x)), "a'(a x - b)",
                           "normal equations");
        }
        // x = R y, R the rows' span: x minus its projection on span(right) is zero
        double gram[N * N], product[N], y[N], again[8 * N * N];
        for (int k = 0; k < rank; ++k) {
            product[k] = 0.0;
            for (int i = 0; i < n; ++i) {
                product[k] += right[i][k] * x[i];
            }
            for (int m = 0; m < rank; ++m) {
                gram[k * rank + m] = 0.0;
                for (int i = 0; i < n; ++i) {
                    gram[k * rank + m] += right[i][k] * right[i][m];
                }
            }
        }
        (void)hf_least_norm_solve(rank, gram, product, y, again);
        for (int i = 0; i < n; ++i) {
            double sum = 0.0;
            for (int k = 0; k < rank; ++k) {
                sum += right[i][k] * y[k];
            }
            hf_check_near(x[i], sum, 1e-6 * (1.0 + length(n, x)), "x", "a combination of rows");
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_problems),
        cmocka_unit_test(contacts_as_fc3d),
        cmocka_unit_test(stops_and_balls_as_cones),
        cmocka_unit_test(one_slide),
        cmocka_unit_test(least_norm),
    };
    return hf_run_tests(tests);
}
