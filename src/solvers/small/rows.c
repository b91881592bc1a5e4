// SPDX-License-Identifier: Apache-2.0
// Products with several rows at a time, and what is orthonormal to them.
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

// The lanes of a sum, and what was left over, as above.
HF_BATCH_BODY double gather(const hf_four *sum, double rest)
{
    return ((*sum)[0] + (*sum)[2]) + ((*sum)[1] + (*sum)[3]) + rest;
}

// The products of x with four rows: each the sum above; the processor can overlap them.
HF_BATCH_BODY void dot_four(const double *a, size_t n, const double *x, double *products)
{
    const double *b = a + n, *c = b + n, *d = c + n;
    hf_four of_a = {0.0}, of_b = {0.0}, of_c = {0.0}, of_d = {0.0}, p, q, r, s, y;
    double rest[4] = {0.0, 0.0, 0.0, 0.0};
    size_t k = 0;
    for (; k + 4 <= n; k += 4) {
        HF_LANES_LOAD(y, x + k);
        HF_LANES_LOAD(p, a + k);
        HF_LANES_LOAD(q, b + k);
        HF_LANES_LOAD(r, c + k);
        HF_LANES_LOAD(s, d + k);
        of_a += p * y;
        of_b += q * y;
        of_c += r * y;
        of_d += s * y;
    }
    for (; k < n; ++k) {
        rest[0] += a[k] * x[k];
        rest[1] += b[k] * x[k];
        rest[2] += c[k] * x[k];
        rest[3] += d[k] * x[k];
    }
    products[0] = gather(&of_a, rest[0]);
    products[1] = gather(&of_b, rest[1]);
    products[2] = gather(&of_c, rest[2]);
    products[3] = gather(&of_d, rest[3]);
}

HF_BATCH_BODY void times(const double *a, int count, size_t n, const double *x, double *products)
{
    int r = 0;
    for (; r + 4 <= count; r += 4) {
        dot_four(a + (size_t)r * n, n, x, products + r);
    }
    for (; r < count; ++r) {
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

// s less its parts along four rows, which were found before.
HF_BATCH_BODY void remove_four(const double *a, size_t n, const double *parts, double *s)
{
    const double *b = a + n, *c = b + n, *d = c + n;
    double of_a = parts[0], of_b = parts[1], of_c = parts[2], of_d = parts[3];
    hf_four p, q, r, t, x;
    size_t k = 0;
    for (; k + 4 <= n; k += 4) {
        HF_LANES_LOAD(x, s + k);
        HF_LANES_LOAD(p, a + k);
        HF_LANES_LOAD(q, b + k);
        HF_LANES_LOAD(r, c + k);
        HF_LANES_LOAD(t, d + k);
        x = (((x - of_a * p) - of_b * q) - of_c * r) - of_d * t;
        HF_LANES_STORE(s + k, x);
    }
    for (; k < n; ++k) {
        s[k] = (((s[k] - of_a * a[k]) - of_b * b[k]) - of_c * c[k]) - of_d * d[k];
    }
}

// Four rows at a time, as they are orthonormal: one after the other each would wait for the last.
HF_BATCH_BODY void remove_all(const double *q, int rank, size_t n, double *s)
{
    double parts[4];
    int r = 0;
    for (; r + 4 <= rank; r += 4, q += 4 * n) {
        dot_four(q, n, s, parts);
        remove_four(q, n, parts, s);
    }
    for (; r < rank; ++r, q += n) {
        add(s, -dot(q, s, n), q, n);
    }
}

HF_BATCH(hf_rows_remove, remove_all, (const double *q, int rank, size_t n, double *s),
         (q, rank, n, s))

// Of a row that keeps half of its square, what is removed once has left nothing but rounding.
HF_BATCH_BODY void join(double *q, int rank, size_t n, double nothing, bool *joined)
{
    double *row = q + (size_t)rank * n, before = dot(row, row, n), after = before;
    if (rank > 0) {
        remove_all(q, rank, n, row);
        after = dot(row, row, n);
    }
    if (!(after > 0.5 * before)) {
        remove_all(q, rank, n, row);
        after = dot(row, row, n);
    }
    *joined = after > nothing * nothing * before;
    double scale = *joined ? 1.0 / sqrt(after) : 1.0;
    for (size_t k = 0; k < n; ++k) {
        row[k] *= scale;
    }
}

static void run_join(double *q, int rank, size_t n, double nothing, bool *joined);
HF_BATCH(run_join, join, (double *q, int rank, size_t n, double nothing, bool *joined),
         (q, rank, n, nothing, joined))

bool hf_rows_join(double *q, int rank, size_t n, double nothing)
{
    bool joined;
    run_join(q, rank, n, nothing, &joined);
    return joined;
}
