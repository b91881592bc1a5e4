// SPDX-License-Identifier: Apache-2.0
// Several rows at once: products are those of one row to the bit, whatever their number and length;
// what is left of a vector is orthogonal to all of them.
#include <hf_test.h>

#include <math.h>
#include <string.h>

#include "math/row.h"
#include "solvers/small/rows.h"

enum { MOST_ROWS = 11, MOST_WIDTH = 33 };

static void fill(hf_rng *rng, double *x, size_t count)
{
    for (size_t k = 0; k < count; ++k) {
        x[k] = hf_rng_uniform(rng, -1.0, 1.0);
    }
}

static void products_are_those_of_single_rows(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(81);
    double a[MOST_ROWS * MOST_WIDTH], x[MOST_WIDTH], products[MOST_ROWS + 1];
    for (size_t n = 1; n <= MOST_WIDTH; ++n) {
        for (int count = 0; count <= MOST_ROWS; ++count) {
            fill(&rng, a, MOST_ROWS * n);
            fill(&rng, x, n);
            products[count] = 17.0;
            hf_rows_times(a, count, n, x, products);
            for (int r = 0; r < count; ++r) {
                double want = hf_row_dot(a + (size_t)r * n, x, n);
                assert_memory_equal(&products[r], &want, sizeof want);
            }
            assert_true(products[count] == 17.0);
        }
    }
}

static void what_is_left_is_orthogonal(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(82);
    double q[MOST_ROWS * MOST_WIDTH], s[MOST_WIDTH], before[MOST_WIDTH];
    for (size_t n = MOST_ROWS + 1; n <= MOST_WIDTH; ++n) {
        // Orthonormal rows
        fill(&rng, q, MOST_ROWS * n);
        for (int r = 0; r < MOST_ROWS; ++r) {
            assert_true(hf_rows_join(q, r, n, 1e-6));
        }
        for (int rank = 0; rank <= MOST_ROWS; ++rank) {
            fill(&rng, s, n);
            memcpy(before, s, n * sizeof *s);
            hf_rows_remove(q, rank, n, s);
            for (int r = 0; r < MOST_ROWS; ++r) {
                const double *row = q + (size_t)r * n;
                hf_check_near(hf_row_dot(row, row, n), 1.0, 1e-14, "length of a row", "one");
                double want = r < rank ? 0.0 : hf_row_dot(row, before, n);
                hf_check_near(hf_row_dot(row, s, n), want, 1e-14, "part along a row",
                              r < rank ? "removed" : "as it was");
            }
        }
    }
}

// Also of rows that differ from those before by little: what is left of them is orthogonal to
// these.
static void little_is_left(void **state)
{
    (void)state;
    enum { WIDTH = 12, ROWS = 6 };
    hf_rng rng = hf_rng_create(83);
    double q[ROWS * WIDTH], own[WIDTH], products[ROWS];
    for (int exponent = 0; exponent <= 8; ++exponent) {
        for (int r = 0; r < ROWS; ++r) {
            double *row = q + r * WIDTH;
            fill(&rng, row, WIDTH);
            fill(&rng, own, WIDTH);
            for (int k = 0; k < WIDTH && r > 0; ++k) { // nearly the row before
                row[k] = row[k - WIDTH] + pow(10.0, -exponent) * own[k];
            }
            assert_true(hf_rows_join(q, r, WIDTH, 1e-12));
            hf_rows_times(q, r + 1, WIDTH, row, products);
            for (int i = 0; i <= r; ++i) {
                hf_check_near(products[i], i == r ? 1.0 : 0.0, 2e-15, "product of two rows",
                              "orthonormal");
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_are_those_of_single_rows),
        cmocka_unit_test(what_is_left_is_orthogonal),
        cmocka_unit_test(little_is_left),
    };
    return hf_run_tests(tests);
}
