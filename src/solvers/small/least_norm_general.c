// SPDX-License-Identifier: Apache-2.0
// Least-norm solutions of square systems: A P = Q R by Householder reflections with the column of
// the largest rest as pivot, then the rows of R that count by reflections from the other side.
#include <math.h>
#include <string.h>

#include "solvers/small/least_norm.h"
#include "solvers/small/slots.h"

// Columns whose rest is below this part of the largest are rounding.
#define RANK_TOLERANCE 1e-12

size_t hf_least_norm_general_work(int n)
{
    size_t count = (size_t)n;
    return 6 * count;
}

// A reflection that makes a[k + 1 .. rows - 1] of a column zero, `step` apart: the vector goes
// where the column was, its first entry to *head, and 2/|vector|^2 is returned. The column becomes
// *length in its first place.
static double reflect(double *column, int first, int rows, int step, double *head, double *length)
{
    double squares = 0.0;
    for (int i = first; i < rows; ++i) {
        squares += column[i * step] * column[i * step];
    }
    double size = sqrt(squares), start = column[first * step];
    *length = start > 0.0 ? -size : size;
    *head = start - *length;
    double norm = squares - start * start + *head * *head;
    return norm > 0.0 ? 2.0 / norm : 0.0;
}

// (1 - scale h h') of a vector, h as reflect left it.
static void apply(const double *column, int first, int rows, int step, double head, double scale,
                  double *vector, int vector_step)
{
    double sum = head * vector[first * vector_step];
    for (int i = first + 1; i < rows; ++i) {
        sum += column[i * step] * vector[i * vector_step];
    }
    sum *= scale;
    vector[first * vector_step] -= sum * head;
    for (int i = first + 1; i < rows; ++i) {
        vector[i * vector_step] -= sum * column[i * step];
    }
}

static double rest_of(const double *a, int n, int column, int first)
{
    double squares = 0.0;
    for (int i = first; i < n; ++i) {
        squares += a[i * n + column] * a[i * n + column];
    }
    return squares;
}

static void swap_columns(double *a, int n, int one, int other)
{
    for (int i = 0; i < n && one != other; ++i) {
        double kept = a[i * n + one];
        a[i * n + one] = a[i * n + other];
        a[i * n + other] = kept;
    }
}

// R in a (its diagonal in `diagonal`), Q'b in y, the columns' places in `order`. Returns the rank.
static int triangularize(int n, double *a, double *y, double *diagonal, double *order)
{
    double largest = 0.0;
    for (int k = 0; k < n; ++k) {
        hf_slot_set(order, k, k);
    }
    for (int k = 0; k < n; ++k) {
        // The column with the largest rest; the rank ends where nothing is left
        int pivot = k;
        double most = rest_of(a, n, k, k);
        for (int j = k + 1; j < n; ++j) {
            double rest = rest_of(a, n, j, k);
            pivot = rest > most ? j : pivot;
            most = rest > most ? rest : most;
        }
        largest = k == 0 ? sqrt(most) : largest;
        if (!(sqrt(most) > RANK_TOLERANCE * largest)) {
            return k;
        }
        // Reflected onto its first entry, with all columns behind it and b
        swap_columns(a, n, k, pivot);
        double head = 0.0;
        hf_slot_swap(order, k, pivot);
        double scale = reflect(a + k, k, n, n, &head, &diagonal[k]);
        for (int j = k + 1; j < n; ++j) {
            apply(a + k, k, n, n, head, scale, a + j, n);
        }
        apply(a + k, k, n, n, head, scale, y, 1);
    }
    return n;
}

// z of R z = y with the first `rank` rows, the smallest: R' = V T, T' u = y, z = V u.
static void solve_rows(int n, int rank, double *a, const double *diagonal, const double *y,
                       double *z, double *work)
{
    double *heads = work, *scales = heads + n;
    // Row k of R, with its diagonal, is column k of R'.
    for (int k = 0; k < rank; ++k) {
        for (int j = 0; j < k; ++j) {
            a[k * n + j] = 0.0;
        }
        a[k * n + k] = diagonal[k];
    }
    for (int k = 0; k < rank; ++k) {
        double length = 0.0;
        scales[k] = reflect(a + k * n, k, n, 1, &heads[k], &length);
        for (int j = k + 1; j < rank; ++j) {
            apply(a + k * n, k, n, 1, heads[k], scales[k], a + j * n, 1);
        }
        a[k * n + k] = length;
    }
    memset(z, 0, (size_t)n * sizeof *z);
    for (int k = 0; k < rank; ++k) { // T' is lower triangular: its entry (k, j) is a[k][j]
        double sum = y[k];
        for (int j = 0; j < k; ++j) {
            sum -= a[k * n + j] * z[j];
        }
        z[k] = sum / a[k * n + k];
    }
    for (int k = rank - 1; k >= 0; --k) {
        apply(a + k * n, k, n, 1, heads[k], scales[k], z, 1);
    }
}

int hf_least_norm_general(int n, double *a, const double *b, double *x, double *work)
{
    double *y = work, *diagonal = y + n, *order = diagonal + n, *z = order + n, *rest = z + n;
    memcpy(y, b, (size_t)n * sizeof *y);
    int rank = triangularize(n, a, y, diagonal, order);
    if (rank == n) {
        for (int k = n - 1; k >= 0; --k) {
            double sum = y[k];
            for (int j = k + 1; j < n; ++j) {
                sum -= a[k * n + j] * z[j];
            }
            z[k] = sum / diagonal[k];
        }
    } else {
        solve_rows(n, rank, a, diagonal, y, z, rest);
    }
    for (int k = 0; k < n; ++k) {
        x[hf_slot_get(order, k)] = z[k];
    }
    return rank;
}
