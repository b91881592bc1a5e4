// SPDX-License-Identifier: Apache-2.0
// Sparse factorization by tiles of 6x6, against products with known solutions.
#include <hf_test.h>

#include <math.h>
#include <string.h>

#include "solvers/lu/tile_lu.h"

enum { MOST = 40, ROWS = HF_TILE * MOST };

typedef struct matrix {
    int n, start[MOST + 1], column[MOST * MOST];
    double w[HF_TILE_SIZE * MOST * MOST];
} matrix;

// A random symmetric pattern; numbers that are not symmetric.
static void make_matrix(matrix *m, hf_rng *rng, int n, double density, double diagonal)
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
                for (int e = 0; e < HF_TILE_SIZE; ++e) {
                    m->w[HF_TILE_SIZE * used + e] =
                        hf_rng_normal(rng) + (i == j && e % (HF_TILE + 1) == 0 ? diagonal : 0.0);
                }
                m->column[used++] = j;
            }
        }
    }
    m->start[n] = used;
}

static void multiply(const matrix *m, const double *x, double *y)
{
    memset(y, 0, sizeof(double) * (size_t)(HF_TILE * m->n));
    for (int i = 0; i < m->n; ++i) {
        for (int k = m->start[i]; k < m->start[i + 1]; ++k) {
            for (int e = 0; e < HF_TILE_SIZE; ++e) {
                y[HF_TILE * i + e / HF_TILE] +=
                    m->w[HF_TILE_SIZE * k + e] * x[HF_TILE * m->column[k] + e % HF_TILE];
            }
        }
    }
}

static void fill(hf_tile_lu *lu, const matrix *m)
{
    const int *place = NULL;
    double *tiles = hf_tile_lu_clear(lu, &place);
    for (int k = 0; k < m->start[m->n]; ++k) {
        memcpy(tiles + HF_TILE_SIZE * (size_t)place[k], m->w + HF_TILE_SIZE * (size_t)k,
               HF_TILE_SIZE * sizeof *tiles);
    }
}

static void check_solution(hf_tile_lu *lu, const matrix *m, hf_rng *rng)
{
    double want[ROWS], x[ROWS];
    for (int i = 0; i < HF_TILE * m->n; ++i) {
        want[i] = hf_rng_normal(rng);
    }
    multiply(m, want, x);
    fill(lu, m);
    assert_true(hf_tile_lu_factorize(lu));
    hf_tile_lu_solve(lu, x);
    hf_check_near_array(x, want, HF_TILE * m->n, 1e-9, "x", "A^-1 A x");
}

static void random_matrices(void **state)
{
    (void)state;
    static matrix m;
    hf_rng rng = hf_rng_create(7);
    hf_tile_lu *lu = hf_tile_lu_create(MOST, MOST * MOST, &(hf_allocator){0});
    assert_non_null(lu);
    for (int trial = 0; trial < 200; ++trial) {
        int n = hf_rng_int(&rng, 1, MOST);
        make_matrix(&m, &rng, n, hf_rng_uniform(&rng, 0.0, 0.4), 60.0);
        assert_int_equal(hf_tile_lu_plan(lu, n, m.start, m.column, true), HF_OK);
        check_solution(lu, &m, &rng);
        // Other numbers in the same pattern
        for (int k = 0; k < HF_TILE_SIZE * m.start[n]; ++k) {
            m.w[k] *= 2.0;
        }
        assert_int_equal(hf_tile_lu_plan(lu, n, m.start, m.column, false), HF_OK);
        check_solution(lu, &m, &rng);
    }
    hf_tile_lu_destroy(lu);
}

// One body whose tile has zeros on its diagonal: rows are exchanged.
static void pivots(void **state)
{
    (void)state;
    static matrix m;
    hf_rng rng = hf_rng_create(3);
    hf_tile_lu *lu = hf_tile_lu_create(MOST, MOST * MOST, &(hf_allocator){0});
    for (int trial = 0; trial < 50; ++trial) {
        make_matrix(&m, &rng, 1, 0.0, 0.0);
        for (int i = 0; i < HF_TILE; ++i) {
            for (int j = 0; j < HF_TILE; ++j) { // a cycle and small numbers
                double small = 0.1 * m.w[HF_TILE * i + j];
                m.w[HF_TILE * i + j] = i == j ? 0.0 : j == (i + 1) % HF_TILE ? 3.0 : small;
            }
        }
        assert_int_equal(hf_tile_lu_plan(lu, 1, m.start, m.column, true), HF_OK);
        check_solution(lu, &m, &rng);
    }
    hf_tile_lu_destroy(lu);
}

static void what_is_refused(void **state)
{
    (void)state;
    static matrix m;
    hf_rng rng = hf_rng_create(5);
    hf_tile_lu *lu = hf_tile_lu_create(10, 100, &(hf_allocator){0});
    // More rows than it was created for; fill without memory
    make_matrix(&m, &rng, 11, 0.0, 60.0);
    assert_int_equal(hf_tile_lu_plan(lu, 11, m.start, m.column, true), HF_ERROR_RANGE);
    make_matrix(&m, &rng, 10, 0.5, 60.0);
    assert_int_equal(hf_tile_lu_plan(lu, 10, m.start, m.column, false), HF_ERROR_MEMORY);
    assert_int_equal(hf_tile_lu_plan(lu, 10, m.start, m.column, true), HF_OK);
    check_solution(lu, &m, &rng);
    // Numbers that are none
    const double bad[] = {NAN, HUGE_VAL};
    for (int k = 0; k < 2; ++k) {
        double kept = m.w[HF_TILE_SIZE * 3];
        m.w[HF_TILE_SIZE * 3] = bad[k];
        fill(lu, &m);
        assert_false(hf_tile_lu_factorize(lu));
        m.w[HF_TILE_SIZE * 3] = kept;
    }
    hf_tile_lu_destroy(lu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_matrices), cmocka_unit_test(pivots),
                                       cmocka_unit_test(what_is_refused)};
    return hf_run_tests(tests);
}
