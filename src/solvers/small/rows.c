// SPDX-License-Identifier: Apache-2.0
#include "solvers/small/rows.h"

#include <math.h>

#include "laws/batch.h"
#include "math/lanes.h"

// a.b and a += g b as math/row.h has them.
HF_BATCH_BODY double dot(const double *a, const double *b, size_t n)
{
    hf_four sum = {0.0, 0.0, 0.0, 0.0}, x, y;
    double rest = 0.0;
    size_t k = 0;
    for (; k + 4 <= n; k += 4) {
        HF_LANES_LOAD(x, a + k);
        HF_LANES_LOAD(y, b + k);
        sum += x * y;
    }
    for (; k < n; ++k) {
        rest += a[k] * b[k];
    }
    return (sum[0] + sum[2]) + (sum[1] + sum[3]) + rest;
}

HF_BATCH_BODY void add(double *a, double g, const double *b, size_t n)
{
    hf_four x, y;
    size_t k = 0;
    for (; k + 4 <= n; k += 4) {
        HF_LANES_LOAD(x, a + k);
        HF_LANES_LOAD(y, b + k);
        x += g * y;
        HF_LANES_STORE(a + k, x);
    }
    for (; k < n; ++k) {
        a[k] += g * b[k];
    }
}

HF_BATCH_BODY void times(const double *a, int count, size_t n, const double *x, double *products)
{
    for (int r = 0; r < count; ++r) {
        products[r] = dot(a + (size_t)r * n, x, n);
    }
}

HF_BATCH(hf_rows_times, times,
         (const double *a, int count, size_t n, const double *x, double *products),
         (a, count, n, x, products))

HF_BATCH_BODY void add_all(const double *a, int count, size_t n, const double *shares, double *x)
{
    for (int r = 0; r < count; ++r) {
        add(x, shares[r], a + (size_t)r * n, n);
    }
}

HF_BATCH(hf_rows_add, add_all,
         (const double *a, int count, size_t n, const double *shares, double *x),
         (a, count, n, shares, x))

// Numbers k to k + 3 of a row: += sum of left_j b_jk.
HF_BATCH_BODY void add_four(const double *left, const double *b, int count, size_t n, double *row)
{
    hf_four sum, x;
    HF_LANES_LOAD(sum, b);
    sum *= left[0];
    for (int j = 1; j < count; ++j) {
        HF_LANES_LOAD(x, b + (size_t)j * n);
        sum += left[(size_t)j * n] * x;
    }
    HF_LANES_LOAD(x, row);
    x += sum;
    HF_LANES_STORE(row, x);
}

HF_BATCH_BODY void outer(const double *left, const double *b, int count, size_t n, double *a)
{
    for (size_t i = 0; i < n; ++i) {
        double *row = a + i * n;
        size_t k = 0;
        for (; k <= i && k + 4 <= n; k += 4) {
            add_four(left + i, b + k, count, n, row + k);
        }
        for (; k <= i; ++k) {
            double sum = left[i] * b[k];
            for (int j = 1; j < count; ++j) {
                sum += left[(size_t)j * n + i] * b[(size_t)j * n + k];
            }
            row[k] += sum;
        }
    }
}

HF_BATCH(hf_rows_outer, outer,
         (const double *left, const double *b, int count, size_t n, double *a),
         (left, b, count, n, a))

HF_BATCH_BODY void remove_all(const double *q, int rank, size_t n, double *s)
{
    for (int r = 0; r < rank; ++r, q += n) {
        add(s, -dot(q, s, n), q, n);
    }
}

HF_BATCH(hf_rows_remove, remove_all, (const double *q, int rank, size_t n, double *s),
         (q, rank, n, s))

bool hf_rows_join(double *q, int rank, size_t n, double nothing)
{
    double *row = q + (size_t)rank * n, before = 0.0, after = 0.0;
    for (size_t k = 0; k < n; ++k) {
        before += row[k] * row[k];
    }
    hf_rows_remove(q, rank, n, row);
    hf_rows_remove(q, rank, n, row);
    for (size_t k = 0; k < n; ++k) {
        after += row[k] * row[k];
    }
    if (!(after > nothing * nothing * before)) {
        return false;
    }
    double scale = 1.0 / sqrt(after);
    for (size_t k = 0; k < n; ++k) {
        row[k] *= scale;
    }
    return true;
}
