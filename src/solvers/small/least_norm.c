// SPDX-License-Identifier: Apache-2.0
// W x = b for a symmetric positive semidefinite W: the solution of least norm.
#include "solvers/small/least_norm.h"

#include <math.h>
#include <string.h>

#include "laws/batch.h"
#include "math/dense.h"
#include "math/row.h"
#include "solvers/small/slots.h"

// Pivots below this part of the largest are rounding: the factorization's own error is a few n eps.
#define RANK_TOLERANCE 1e-13

size_t hf_least_norm_work(int n)
{
    size_t count = (size_t)n;
    return 2 * count * count + 3 * count;
}

// L (n x r, in rows of n) of P'WP = LL'; order[k] is the row of W that became the k-th. Returns r.
// column, left: room for n numbers each.
HF_BATCH_BODY int factorize(int n, double *w, double *l, double *order, double *column,
                            double *left)
{
    double largest = 0.0;
    for (int i = 0; i < n; ++i) {
        hf_slot_set(order, i, i);
        left[i] = w[i * n + i]; // the diagonal, in this order
        largest = left[i] > largest ? left[i] : largest;
    }
    memset(l, 0, (size_t)n * (size_t)n * sizeof *l);
    memset(column, 0, (size_t)n * sizeof *column);
    for (int k = 0; k < n; ++k) {
        // The largest diagonal that is left
        int pivot = k;
        for (int i = k + 1; i < n; ++i) {
            pivot = left[i] > left[pivot] ? i : pivot;
        }
        hf_slot_swap(order, k, pivot);
        int p = hf_slot_get(order, k);
        double diagonal = left[pivot];
        left[pivot] = left[k];
        if (!(diagonal > RANK_TOLERANCE * largest)) {
            return k;
        }
        // A column of L, and what is left of W; of rows that are done the column has zeros
        double root = sqrt(diagonal);
        column[p] = 0.0;
        l[p * n + k] = root;
        for (int i = k + 1; i < n; ++i) {
            int row = hf_slot_get(order, i);
            column[row] = l[row * n + k] = w[row * n + p] / root;
        }
        for (int i = k + 1; i < n; ++i) {
            int a = hf_slot_get(order, i);
            hf_row_add(w + a * n, -column[a], column, (size_t)n);
            left[i] = w[a * n + a];
        }
    }
    return n;
}

// x = W^-1 b with W = LL', rows in `order`.
static void solve_full(int n, const double *l, const double *order, const double *b, double *x,
                       double *y)
{
    for (int k = 0; k < n; ++k) {
        int row = hf_slot_get(order, k);
        double sum = b[row];
        for (int j = 0; j < k; ++j) {
            sum -= l[row * n + j] * y[j];
        }
        y[k] = sum / l[row * n + k];
    }
    for (int k = n - 1; k >= 0; --k) {
        int row = hf_slot_get(order, k);
        double sum = y[k];
        for (int i = k + 1; i < n; ++i) {
            sum -= l[hf_slot_get(order, i) * n + k] * x[hf_slot_get(order, i)];
        }
        x[row] = sum / l[row * n + k];
    }
}

// G = L'L (r x r), factorized in place by Cholesky.
HF_BATCH_BODY void factorize_gram(int n, int r, const double *l, double *c)
{
    memset(c, 0, (size_t)r * (size_t)r * sizeof *c);
    for (int k = 0; k < n; ++k) {
        for (int i = 0; i < r; ++i) {
            hf_row_add(c + i * r, l[k * n + i], l + k * n, (size_t)i + 1);
        }
    }
    // L has full column rank by its pivots, so G is positive definite.
    (void)hf_cholesky(c, (size_t)r);
}

// x := (C C')^-1 x of n columns side by side, each as if it were alone, with C of r rows.
HF_BATCH_BODY void solve_gram(const double *c, int r, double *x, int n)
{
    for (int i = 0; i < r; ++i) {
        for (int k = 0; k < i; ++k) {
            hf_row_add(x + i * n, -c[i * r + k], x + k * n, (size_t)n);
        }
        for (int j = 0; j < n; ++j) {
            x[i * n + j] /= c[i * r + i];
        }
    }
    for (int i = r - 1; i >= 0; --i) {
        for (int k = i + 1; k < r; ++k) {
            hf_row_add(x + i * n, -c[k * r + i], x + k * n, (size_t)n);
        }
        for (int j = 0; j < n; ++j) {
            x[i * n + j] /= c[i * r + i];
        }
    }
}

// Of rank r < n: W^+ = L G^-1 G^-1 L', and L G^-1 takes the place of L.
HF_BATCH_BODY void factorize_all(int n, double *w, double *work, int *rank)
{
    double *l = work, *gram = l + n * n, *order = gram + n * n;
    int r = factorize(n, w, l, order, order + 2 * n, order + n);
    *rank = r;
    if (r == n) {
        return;
    }
    factorize_gram(n, r, l, gram);
    // All rows of L side by side, where W was
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < r; ++k) {
            w[k * n + i] = l[i * n + k];
        }
    }
    solve_gram(gram, r, w, n);
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < r; ++k) {
            l[i * n + k] = w[k * n + i];
        }
    }
}

static void run_factorize(int n, double *w, double *work, int *rank);
HF_BATCH(run_factorize, factorize_all, (int n, double *w, double *work, int *rank),
         (n, w, work, rank))

int hf_least_norm_factorize(int n, double *w, double *work)
{
    int rank;
    run_factorize(n, w, work, &rank);
    return rank;
}

// x = L G^-1 G^-1 L' b
HF_BATCH_BODY void apply_part(int n, int rank, const double *b, double *x, const double *l,
                              double *y)
{
    memset(y, 0, (size_t)rank * sizeof *y);
    for (int i = 0; i < n; ++i) {
        hf_row_add(y, b[i], l + i * n, (size_t)rank);
    }
    for (int i = 0; i < n; ++i) {
        x[i] = hf_row_dot(l + i * n, y, (size_t)rank);
    }
}

static void run_apply(int n, int rank, const double *b, double *x, const double *l, double *y);
HF_BATCH(run_apply, apply_part,
         (int n, int rank, const double *b, double *x, const double *l, double *y),
         (n, rank, b, x, l, y))

void hf_least_norm_apply(int n, int rank, const double *b, double *x, double *work)
{
    double *l = work, *order = l + 2 * n * n, *y = order + n;
    if (rank == n) {
        solve_full(n, l, order, b, x, y);
    } else {
        run_apply(n, rank, b, x, l, y);
    }
}

int hf_least_norm_solve(int n, double *w, const double *b, double *x, double *work)
{
    int rank = hf_least_norm_factorize(n, w, work);
    hf_least_norm_apply(n, rank, b, x, work);
    return rank;
}
