// SPDX-License-Identifier: Apache-2.0
// Sparse factorization of matrices of 3x3 blocks, against products with known solutions.
#include <hf_test.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solvers/lu/block_lu.h"

enum { MOST = 60 };

typedef struct matrix {
    int n, start[MOST + 1], column[MOST * MOST];
    double w[9 * MOST * MOST], l[9 * MOST], d[9 * MOST];
} matrix;

// A random symmetric pattern; some rows repeat the neighbours of the row before.
static void make_matrix(matrix *m, hf_rng *rng, int n, double density, bool positive)
{
    static bool full[MOST][MOST];
    memset(full, 0, sizeof full);
    for (int i = 0; i < n; ++i) {
        full[i][i] = true;
        for (int j = 0; j < i; ++j) {
            full[i][j] = full[j][i] = hf_rng_uniform(rng, 0, 1) < density;
        }
    }
    m->n = n;
    int used = 0;
    for (int i = 0; i < n; ++i) {
        m->start[i] = used;
        for (int j = 0; j < n; ++j) {
            if (full[i][j]) {
                m->column[used++] = j;
            }
        }
    }
    m->start[n] = used;
    for (int k = 0; k < 9 * used; ++k) {
        m->w[k] = hf_rng_normal(rng);
    }
    for (int k = 0; k < 9 * n; ++k) {
        m->l[k] = hf_rng_normal(rng);
        m->d[k] = (k % 9) % 4 == 0 ? (positive ? 60.0 : 8.0) : hf_rng_normal(rng);
    }
}

// y := (diag(d) + diag(l) W) x, l NULL: identity
static void multiply(const matrix *m, const double *l, const double *x, double *y)
{
    for (int i = 0; i < m->n; ++i) {
        double u[3] = {0};
        for (int k = m->start[i]; k < m->start[i + 1]; ++k) {
            for (int e = 0; e < 9; ++e) {
                u[e / 3] += m->w[9 * k + e] * x[3 * m->column[k] + e % 3];
            }
        }
        for (int a = 0; a < 3; ++a) {
            y[3 * i + a] = l == NULL ? u[a] : 0.0;
            for (int b = 0; b < 3; ++b) {
                y[3 * i + a] += m->d[9 * i + 3 * a + b] * x[3 * i + b] +
                                (l == NULL ? 0.0 : l[9 * i + 3 * a + b] * u[b]);
            }
        }
    }
}

static void random_matrices(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(31);
    static matrix m;
    hf_block_lu *lu = hf_block_lu_create(MOST, MOST * MOST, &(hf_allocator){0});
    assert_non_null(lu);
    for (int trial = 0; trial < 300; ++trial) {
        int n = hf_rng_int(&rng, 1, MOST);
        make_matrix(&m, &rng, n, hf_rng_uniform(&rng, 0.0, 0.4), true);
        hf_block_pattern pattern = {.n = n, .start = m.start, .column = m.column};
        assert_int_equal(hf_block_lu_plan(lu, &pattern, true), HF_OK);
        const double *l = trial % 3 == 0 ? NULL : m.l;
        double want[3 * MOST], x[3 * MOST];
        for (int i = 0; i < 3 * n; ++i) {
            want[i] = hf_rng_normal(&rng);
        }
        multiply(&m, l, want, x);
        assert_int_equal(hf_block_lu_factorize(lu, m.w, l, m.d), 0);
        hf_block_lu_solve(lu, x);
        hf_check_near_array(x, want, 3 * n, 1e-9, "x", "A^-1 A x");
    }
    hf_block_lu_destroy(lu);
}

// By Gaussian elimination of the whole matrix.
static int dense_sign(const matrix *m)
{
    static double a[3 * MOST][3 * MOST];
    int n = 3 * m->n, sign = 1;
    for (int j = 0; j < n; ++j) {
        double unit[3 * MOST] = {0}, column[3 * MOST];
        unit[j] = 1.0;
        multiply(m, m->l, unit, column);
        for (int i = 0; i < n; ++i) {
            a[i][j] = column[i];
        }
    }
    for (int k = 0; k < n; ++k) {
        int best = k;
        for (int i = k + 1; i < n; ++i) {
            best = fabs(a[i][k]) > fabs(a[best][k]) ? i : best;
        }
        for (int j = 0; j < n && best != k; ++j) {
            double kept = a[k][j];
            a[k][j] = a[best][j];
            a[best][j] = kept;
        }
        sign = (best != k) != (a[k][k] < 0.0) ? -sign : sign;
        for (int i = k + 1; i < n; ++i) {
            double factor = a[i][k] / a[k][k];
            for (int j = k; j < n; ++j) {
                a[i][j] -= factor * a[k][j];
            }
        }
    }
    return sign;
}

static void signs_of_determinants(void **state)
{
    (void)state;
    static matrix m;
    hf_rng rng = hf_rng_create(11);
    hf_block_lu *lu = hf_block_lu_create(MOST, MOST * MOST, &(hf_allocator){0});
    int negative = 0, trials = 60;
    for (int trial = 0; trial < trials; ++trial) {
        make_matrix(&m, &rng, 1 + trial % 30, 0.2, false);
        hf_block_pattern pattern = {.n = m.n, .start = m.start, .column = m.column};
        assert_int_equal(hf_block_lu_plan(lu, &pattern, true), HF_OK);
        assert_int_equal(hf_block_lu_factorize(lu, m.w, m.l, m.d), 0);
        assert_int_equal(hf_block_lu_sign(lu), dense_sign(&m));
        negative += hf_block_lu_sign(lu) < 0;
    }
    assert_true(negative > trials / 6 && negative < trials); // both signs were there
    hf_block_lu_destroy(lu);
}

// A chain needs no fill, and rows that share all neighbours are one group.
static void plans_have_little_fill(void **state)
{
    (void)state;
    static matrix m;
    m.n = MOST;
    int used = 0;
    for (int i = 0; i < MOST; ++i) {
        m.start[i] = used;
        for (int j = i - 1; j <= i + 1; ++j) {
            if (j >= 0 && j < MOST) {
                m.column[used++] = j;
            }
        }
    }
    m.start[MOST] = used;
    hf_block_lu *lu = hf_block_lu_create(MOST, MOST * MOST, &(hf_allocator){0});
    hf_block_pattern pattern = {.n = MOST, .start = m.start, .column = m.column};
    assert_int_equal(hf_block_lu_plan(lu, &pattern, true), HF_OK);
    hf_check_below(hf_block_lu_plan_size(lu).factor_size, 9.0 * used * 1.3, "numbers in the factor",
                   "no fill but what joined fronts store");
    used = 0;
    for (int i = 0; i < MOST; ++i) { // two cliques
        m.start[i] = used;
        for (int j = i < 20 ? 0 : 20; j < (i < 20 ? 20 : MOST); ++j) {
            m.column[used++] = j;
        }
    }
    m.start[MOST] = used;
    assert_int_equal(hf_block_lu_plan(lu, &pattern, true), HF_OK);
    hf_block_lu_size size = hf_block_lu_plan_size(lu);
    assert_int_equal(size.groups, 2);
    assert_int_equal(size.fronts, 2);
    assert_int_equal(size.largest_front, 3 * (MOST - 20));
    hf_block_lu_destroy(lu);
}

static void wrong_patterns_are_refused(void **state)
{
    (void)state;
    hf_block_lu *lu = hf_block_lu_create(3, 5, &(hf_allocator){0});
    const int start[] = {0, 2, 3}, one_sided[] = {0, 1, 1};
    hf_block_pattern pattern = {.n = 2, .start = start, .column = one_sided};
    assert_int_equal(hf_block_lu_plan(lu, &pattern, true), HF_ERROR_INPUT);
    const int no_diagonal_start[] = {0, 1, 2}, no_diagonal[] = {1, 0};
    pattern = (hf_block_pattern){.n = 2, .start = no_diagonal_start, .column = no_diagonal};
    assert_int_equal(hf_block_lu_plan(lu, &pattern, true), HF_ERROR_INPUT);
    const int large_start[] = {0, 2, 4, 6}, large[] = {0, 1, 0, 1, 1, 2};
    pattern = (hf_block_pattern){.n = 3, .start = large_start, .column = large};
    assert_int_equal(hf_block_lu_plan(lu, &pattern, true), HF_ERROR_RANGE);
    const int good_start[] = {0, 1, 2}, good[] = {0, 1};
    pattern = (hf_block_pattern){.n = 2, .start = good_start, .column = good};
    assert_int_equal(hf_block_lu_plan(lu, &pattern, false), HF_ERROR_MEMORY);
    assert_int_equal(hf_block_lu_plan(lu, &pattern, true), HF_OK);
    const double w[18] = {0}, d[18] = {NAN};
    assert_int_equal(hf_block_lu_factorize(lu, w, NULL, d), -1);
    hf_block_lu_destroy(lu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_matrices),
        cmocka_unit_test(signs_of_determinants),
        cmocka_unit_test(plans_have_little_fill),
        cmocka_unit_test(wrong_patterns_are_refused),
    };
    return hf_run_tests(tests);
}
