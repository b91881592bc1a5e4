// SPDX-License-Identifier: Apache-2.0
// What the methods cost, and that it does not depend on how a problem is written: random problems
// of several kinds under every method. Solved ones are counted, and iterations and factorizations
// together may be as many as they were, within a share: what changes the cost alone is noticed
// here.
//
// After an intended change: HF_WORK_SHOW=1 test-fc3d-work prints the table anew.
#include <hf_test.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fc3d_problems.h"

enum { SEEDS = 12, MOST = 40, KINDS = 8 };

typedef struct family {
    const char *name;
    hf_random_fc3d def;
} family;

static const family kinds[KINDS] = {
    {"few", {3, 4, 0.2, 0.5, 3, 0.3, false, 0}},
    {"more", {10, 24, 0.2, 0.6, 10, 0.3, false, 0}},
    {"redundant", {6, 16, 0.2, 0.5, 10, 0.3, true, 0}},
    {"unlike masses", {8, 16, 0.2, 0.5, 1e6, 0.3, false, 0}},
    {"rough", {5, 10, 1.0, 3.0, 10, 0.3, false, 0}},
    {"smooth", {6, 14, 0.0, 0.0, 10, 0.3, false, 0}},
    {"one body", {1, 12, 0.2, 0.5, 1, 0.3, false, 0}},
    {"open", {8, 20, 0.2, 0.6, 10, 0.9, false, 0}},
};

typedef struct work {
    int solved, iterations, factorizations, by_others;
} work;

// What it took, of auto, gauss-seidel, ... in the order of hf_fc3d_method.
static const work expected[KINDS][HF_FC3D_METHOD_COUNT] = {
    {
        {12, 127, 0, 127},
        {12, 127, 0, 0},
        {12, 127, 0, 127},
        {12, 112, 112, 20},
        {12, 127, 0, 127},
        {12, 520, 17, 0},
        {12, 340, 340, 74},
        {0, 246, 0, 0},
    },
    {
        {12, 2475, 0, 2475},
        {11, 2492, 0, 0},
        {12, 259, 20, 239},
        {12, 126, 126, 22},
        {12, 306, 67, 239},
        {11, 4775, 24, 0},
        {12, 532, 532, 170},
        {0, 6149, 0, 0},
    },
    {
        {12, 184, 0, 184},
        {12, 180, 0, 0},
        {12, 176, 5, 171},
        {12, 107, 107, 22},
        {12, 176, 10, 166},
        {12, 765, 15, 0},
        {12, 562, 557, 183},
        {0, 2527, 0, 0},
    },
    {
        {12, 2002, 0, 2002},
        {10, 5290, 0, 0},
        {12, 259, 26, 233},
        {12, 142, 142, 48},
        {12, 384, 151, 233},
        {10, 10095, 32, 0},
        {12, 850, 825, 345},
        {0, 3747, 0, 0},
    },
    {
        {12, 2947, 126, 2947},
        {8, 8263, 0, 0},
        {12, 830, 247, 583},
        {10, 247, 217, 75},
        {10, 1237, 1024, 213},
        {3, 18615, 13, 0},
        {12, 598, 553, 212},
        {0, 1586, 0, 0},
    },
    {
        {12, 126, 0, 126},
        {12, 126, 0, 0},
        {12, 126, 0, 126},
        {12, 82, 82, 12},
        {12, 126, 0, 126},
        {12, 725, 17, 0},
        {12, 218, 218, 34},
        {2, 2961, 0, 0},
    },
    {
        {12, 523, 0, 523},
        {12, 491, 0, 0},
        {12, 332, 33, 299},
        {12, 208, 158, 76},
        {12, 303, 79, 224},
        {12, 3510, 21, 0},
        {12, 860, 660, 332},
        {1, 3761, 0, 0},
    },
    {
        {12, 55, 0, 55},
        {12, 55, 0, 0},
        {12, 55, 0, 55},
        {12, 101, 101, 16},
        {12, 55, 0, 55},
        {12, 495, 33, 0},
        {12, 304, 304, 56},
        {0, 1681, 0, 0},
    },
};

static hf_fc3d_problem *problem_of(int kind, int seed)
{
    hf_random_fc3d def = kinds[kind].def;
    double r[3 * MOST], u[3 * MOST];
    def.seed = 7000 + 100 * (uint64_t)kind + (uint64_t)seed;
    hf_fc3d_problem *p = hf_random_fc3d_create(&def, r, u);
    assert_non_null(p);
    return p;
}

static hf_status solve(const hf_fc3d_problem *p, hf_fc3d_method method, hf_fc3d_measure measure,
                       double *r, hf_fc3d_info *info)
{
    hf_fc3d_def def = hf_fc3d_def_default();
    def.method = method;
    def.measure = measure;
    def.iterations = 2000;
    hf_error error = {0};
    double u[3 * MOST];
    hf_fc3d_solver *solver = hf_fc3d_solver_create(&def, p, &error);
    assert_non_null(solver);
    memset(r, 0, 3 * (size_t)p->contacts * sizeof *r);
    hf_status status = hf_fc3d_solve(solver, p, r, u, info, &error);
    hf_fc3d_solver_destroy(solver);
    return status;
}

static void near_enough(int got, int want, double share, const char *what, const char *of)
{
    hf_check_near(got, want, share * want + 6.0, what, of);
}

static void work_is_as_much_as_it_was(void **state)
{
    (void)state;
    bool show = getenv("HF_WORK_SHOW") != NULL;
    for (int k = 0; k < KINDS; ++k) {
        printf(show ? "    {\n" : "");
        for (int m = 0; m < HF_FC3D_METHOD_COUNT; ++m) {
            work sum = {0};
            char what[80];
            for (int seed = 0; seed < SEEDS; ++seed) {
                hf_fc3d_problem *p = problem_of(k, seed);
                double r[3 * MOST], u[3 * MOST];
                hf_fc3d_info info;
                hf_status status = solve(p, (hf_fc3d_method)m, HF_FC3D_STRICTER, r, &info);
                double residual = hf_fc3d_residual(p, HF_FC3D_STRICTER, r, u);
                // The residual alone says what is solved
                assert_true((status == HF_OK) == (residual <= 1e-8));
                hf_check_near(info.residual, residual, 1e-3 * residual + 1e-13, "residual",
                              kinds[k].name);
                sum.solved += status == HF_OK;
                sum.iterations += info.iterations;
                sum.factorizations += info.factorizations;
                sum.by_others += info.iterations - info.of_method[m];
                hf_fc3d_problem_destroy(p);
            }
            const work *w = &expected[k][m];
            if (show) {
                printf("        {%d, %d, %d, %d},\n", sum.solved, sum.iterations,
                       sum.factorizations, sum.by_others);
                continue;
            }
            (void)snprintf(what, sizeof what, "%s by %s", kinds[k].name,
                           hf_fc3d_method_name((hf_fc3d_method)m));
            hf_check_near(sum.solved, w->solved, 0.0, "solved", what);
            near_enough(sum.iterations, w->iterations, 0.1, "iterations", what);
            near_enough(sum.factorizations, w->factorizations, 0.1, "factorizations", what);
            near_enough(sum.by_others, w->by_others, 0.1, "iterations of other methods", what);
        }
        printf(show ? "    },\n" : "");
    }
}

// Another unit of impulse or of mass changes no digit, by powers of four: W by `w`, q by `q`.
static void units_change_nothing(void **state)
{
    (void)state;
    static const double units[][2] = {
        {4096.0, 1.0}, {1.0 / 65536.0, 1.0}, {1.0, 1024.0}, {0.0625, 1.0 / 256.0}};
    for (int k = 0; k < KINDS; ++k) {
        for (int m = 0; m < HF_FC3D_METHOD_COUNT; ++m) {
            for (size_t i = 0; i < sizeof units / sizeof *units; ++i) {
                hf_fc3d_problem *p = problem_of(k, (int)i);
                int n = p->contacts, blocks = p->start[n];
                double r[3 * MOST], other[3 * MOST], *w = malloc(9 * (size_t)blocks * sizeof *w);
                double q[3 * MOST], unit = units[i][1] / units[i][0];
                assert_non_null(w);
                for (int j = 0; j < 9 * blocks; ++j) {
                    w[j] = units[i][0] * p->w[j];
                }
                for (int j = 0; j < 3 * n; ++j) {
                    q[j] = units[i][1] * p->q[j];
                }
                hf_fc3d_problem plain = *p, scaled = *p;
                plain.bodies = scaled.bodies = NULL;
                scaled.w = w;
                scaled.q = q;
                hf_fc3d_info info, again;
                hf_status status = solve(&plain, (hf_fc3d_method)m, HF_FC3D_SCALED, r, &info);
                assert_int_equal(solve(&scaled, (hf_fc3d_method)m, HF_FC3D_SCALED, other, &again),
                                 status);
                assert_int_equal(again.iterations, info.iterations);
                assert_int_equal(again.factorizations, info.factorizations);
                // But for rounding where one digit more or less is taken of a root
                double size = 0.0;
                for (int j = 0; j < 3 * n; ++j) {
                    size = fmax(size, fabs(r[j]));
                }
                for (int j = 0; j < 3 * n; ++j) {
                    hf_check_near(other[j] / unit, r[j], 1e-14 * size, "r",
                                  hf_fc3d_method_name((hf_fc3d_method)m));
                }
                free(w);
                hf_fc3d_problem_destroy(p);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_is_as_much_as_it_was),
        cmocka_unit_test(units_change_nothing),
    };
    return hf_run_tests(tests);
}
