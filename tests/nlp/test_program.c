// SPDX-License-Identifier: Apache-2.0
// The program of [RobotSimulation2025]: its derivatives, and that solutions of friction-contact
// problems are its minima.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../solvers/fc3d_problems.h"
#include "hf_test.h"
#include "methods/nlp/program.h"

enum { MOST = 12 };

typedef struct scene {
    hf_fc3d_problem *problem;
    hf_nlp_program program;
    double r[3 * MOST], u[3 * MOST], mu[MOST], scale[MOST];
    int row[MOST + 1];
    int unknowns, constraints;
} scene;

static void open_scene(scene *s, uint64_t seed, int smooth_contacts)
{
    const hf_random_fc3d def = {.bodies = 1 + (int)(seed % 3),
                                .contacts = 1 + (int)(seed % MOST),
                                .mu_least = 0.1,
                                .mu_most = 1.0,
                                .mass_ratio = 10.0,
                                .share_open = 0.3,
                                .seed = seed};
    s->problem = hf_random_fc3d_create(&def, s->r, s->u);
    assert_non_null(s->problem);
    memcpy(s->mu, s->problem->mu, (size_t)s->problem->contacts * sizeof *s->mu);
    for (int i = 0; i < smooth_contacts && i < s->problem->contacts; i += 2) {
        s->mu[i] = 0.0;
    }
    s->problem->mu = s->mu;
    s->program = (hf_nlp_program){.problem = s->problem, .scale = s->scale, .row = s->row};
    hf_nlp_program_prepare(&s->program);
    s->unknowns = hf_nlp_program_unknowns(&s->program);
    s->constraints = hf_nlp_program_constraints(&s->program);
}

// Random unknowns of the order one.
static void draw(const scene *s, hf_rng *rng, double *x)
{
    for (int i = 0; i < s->unknowns; ++i) {
        int k = i % HF_NLP_UNKNOWNS;
        bool direction = k == HF_NLP_T || k == HF_NLP_T + 1;
        bool fixed = s->mu[i / HF_NLP_UNKNOWNS] == 0.0 &&
                     (direction || k == HF_NLP_LAMBDA || k == HF_NLP_S2);
        x[i] = fixed ? 0.0 : hf_rng_uniform(rng, direction ? -1.0 : 0.01, 1.0);
    }
}

static double sum_of(const scene *s, const double *x, const double *y)
{
    double g[HF_NLP_CONSTRAINTS * MOST], sum = 0.0;
    hf_nlp_program_constrain(&s->program, x, g);
    for (int i = 0; i < s->constraints; ++i) {
        sum += y[i] * g[i];
    }
    return sum;
}

// Constraints are polynomials of degree 3: central differences leave h^2 and roundings.
static void derivatives(void **state)
{
    (void)state;
    enum { X = HF_NLP_UNKNOWNS * MOST, G = HF_NLP_CONSTRAINTS * MOST, ENTRIES = X * G };
    static int row[ENTRIES], column[ENTRIES];
    static double value[ENTRIES], dense[G][X], second[X][X];
    hf_rng rng = hf_rng_create(91);
    const double h = 1e-4;
    for (uint64_t seed = 1; seed <= 24; ++seed) {
        scene s;
        double x[X], y[G], low[G], high[G], gradient[X];
        open_scene(&s, seed, seed % 3 == 0 ? MOST : 0);
        draw(&s, &rng, x);
        memset(dense, 0, sizeof dense);
        memset(second, 0, sizeof second);
        hf_nlp_program_jacobian(&s.program, NULL, row, column, NULL);
        hf_nlp_program_jacobian(&s.program, x, NULL, NULL, value);
        for (int i = 0; i < s.program.jacobian; ++i) {
            assert_in_range(row[i], 0, s.constraints - 1);
            assert_in_range(column[i], 0, s.unknowns - 1);
            dense[row[i]][column[i]] += value[i];
        }
        for (int i = 0; i < s.constraints; ++i) {
            y[i] = hf_rng_normal(&rng);
        }
        hf_nlp_program_hessian(&s.program, NULL, NULL, row, column, NULL);
        hf_nlp_program_hessian(&s.program, x, y, NULL, NULL, value);
        for (int i = 0; i < s.program.hessian; ++i) {
            assert_true(row[i] >= column[i]);
            second[row[i]][column[i]] += value[i];
        }
        hf_nlp_program_gradient(&s.program, gradient);
        for (int j = 0; j < s.unknowns; ++j) {
            double kept = x[j];
            x[j] = kept + h;
            hf_nlp_program_constrain(&s.program, x, high);
            double above = hf_nlp_program_objective(&s.program, x);
            x[j] = kept - h;
            hf_nlp_program_constrain(&s.program, x, low);
            double below = hf_nlp_program_objective(&s.program, x);
            x[j] = kept;
            hf_check_near((above - below) / (2.0 * h), gradient[j], 1e-9, "gradient", "difference");
            for (int i = 0; i < s.constraints; ++i) {
                hf_check_near(dense[i][j], (high[i] - low[i]) / (2.0 * h), 1e-7, "Jacobian",
                              "difference");
            }
            for (int k = 0; k <= j; ++k) {
                double corner[4], kept_k = x[k];
                for (int c = 0; c < 4; ++c) {
                    x[j] = kept;
                    x[k] = kept_k;
                    x[j] += c & 1 ? h : -h;
                    x[k] += c & 2 ? h : -h;
                    corner[c] = sum_of(&s, x, y);
                }
                x[j] = kept;
                x[k] = kept_k;
                double bent = (corner[3] - corner[2] - corner[1] + corner[0]) / (4.0 * h * h);
                hf_check_near(second[j][k], bent, 1e-5, "Hessian", "difference");
            }
        }
        hf_fc3d_problem_destroy(s.problem);
    }
}

// The known solution of a problem fulfils all constraints with s1 = s2 = 0: the least there is.
static void solutions_are_minima(void **state)
{
    (void)state;
    int slipping = 0, sticking = 0, flying = 0;
    for (uint64_t seed = 1; seed <= 60; ++seed) {
        scene s;
        double x[HF_NLP_UNKNOWNS * MOST], g[HF_NLP_CONSTRAINTS * MOST], r[3 * MOST];
        open_scene(&s, seed, 0);
        for (int i = 0; i < s.problem->contacts; ++i) {
            double *c = x + HF_NLP_UNKNOWNS * i, d = s.scale[i], v = s.program.velocity;
            const double *ri = s.r + 3 * i, *ui = s.u + 3 * i;
            double speed = hypot(ui[1], ui[2]);
            memset(c, 0, HF_NLP_UNKNOWNS * sizeof *c);
            c[HF_NLP_NORMAL] = ri[0] / (d * v);
            c[HF_NLP_U] = ui[0] * d / v;
            c[HF_NLP_LAMBDA] = speed * d / v;
            for (int k = 0; k < 2; ++k) {
                c[HF_NLP_T + k] = ri[0] > 0.0   ? ri[1 + k] / (s.mu[i] * ri[0])
                                  : speed > 0.0 ? -ui[1 + k] / speed
                                                : 0.0;
            }
            flying += ri[0] == 0.0;
            slipping += ri[0] > 0.0 && speed > 0.0;
            sticking += ri[0] > 0.0 && speed == 0.0;
        }
        hf_nlp_program_constrain(&s.program, x, g);
        for (int i = 0; i < s.problem->contacts; ++i) {
            for (int k = 0; k < HF_NLP_CONSTRAINTS; ++k) {
                double least = k == 4 ? -1e-12 : fabs(g[s.row[i] + k]); // (16) may be slack
                hf_check_below(k == 4 ? -g[s.row[i] + k] : least, 1e-11, "violation", "(10)-(17)");
            }
        }
        hf_nlp_program_reactions(&s.program, x, r);
        hf_check_near_array(r, s.r, 3 * s.problem->contacts, 1e-12, "r", "the solution");
        hf_fc3d_problem_destroy(s.problem);
    }
    assert_true(slipping > 20 && sticking > 20 && flying > 20);
}

// Where IPOPT begins: inside all bounds, with reactions as given where they are inside too.
static void starts_are_inside(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 40; ++seed) {
        scene s;
        double x[HF_NLP_UNKNOWNS * MOST], low[HF_NLP_UNKNOWNS * MOST], high[HF_NLP_UNKNOWNS * MOST];
        double g_low[HF_NLP_CONSTRAINTS * MOST], g_high[HF_NLP_CONSTRAINTS * MOST];
        double zeros[3 * MOST] = {0.0};
        open_scene(&s, seed, seed % 4 == 0 ? MOST : 0);
        hf_nlp_program_bounds(&s.program, 1e20, low, high, g_low, g_high);
        for (int warm = 0; warm < 2; ++warm) {
            hf_nlp_program_start(&s.program, warm ? s.r : zeros, 1e-3, x);
            for (int i = 0; i < s.unknowns; ++i) {
                bool fixed = low[i] == high[i], bounded = low[i] == 0.0 && !fixed;
                assert_true(fixed ? x[i] == 0.0 : !bounded || x[i] >= 1e-3);
            }
        }
        double r[3 * MOST];
        hf_nlp_program_reactions(&s.program, x, r);
        for (int i = 0; i < s.problem->contacts; ++i) {
            const double *want = s.r + 3 * i, *got = r + 3 * i;
            if (!(x[HF_NLP_UNKNOWNS * i + HF_NLP_NORMAL] > 1.001e-3)) {
                continue; // no reaction to speak of
            }
            double cone = 0.9 * s.mu[i] * want[0], size = hypot(want[1], want[2]);
            double part = size > cone ? cone / size : 1.0;
            hf_check_near(got[0], want[0], 1e-12 * want[0], "normal reaction", "as given");
            for (int k = 1; k < 3 && size > 0.0; ++k) {
                hf_check_near(got[k], part * want[k], 1e-12 * want[0], "tangential reaction",
                              "as given, within 0.9 of the cone");
            }
        }
        hf_fc3d_problem_destroy(s.problem);
    }
}

// The program is one of numbers: with all velocities eight times as large it is the same.
static void scales_do_not_matter(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        scene s;
        double x[HF_NLP_UNKNOWNS * MOST], y[HF_NLP_UNKNOWNS * MOST], q[3 * MOST], r[3 * MOST];
        open_scene(&s, seed, 0);
        hf_nlp_program_start(&s.program, s.r, 1e-3, x);
        double before = s.program.velocity;
        for (int i = 0; i < 3 * s.problem->contacts; ++i) {
            q[i] = 8.0 * s.problem->q[i];
            r[i] = 8.0 * s.r[i];
        }
        s.problem->q = q;
        hf_nlp_program_prepare(&s.program);
        hf_check_near(s.program.velocity, 8.0 * before, 1e-14 * before, "velocity", "scaled");
        hf_nlp_program_start(&s.program, r, 1e-3, y);
        hf_check_near_array(y, x, s.unknowns, 1e-13, "unknowns", "scaled");
        hf_fc3d_problem_destroy(s.problem);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives),
        cmocka_unit_test(solutions_are_minima),
        cmocka_unit_test(starts_are_inside),
        cmocka_unit_test(scales_do_not_matter),
    };
    return hf_run_tests(tests);
}
