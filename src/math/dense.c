// SPDX-License-Identifier: Apache-2.0
// Small dense matrices: factorizations and solves in a fixed order of operations.
#include "math/dense.h"

#include <string.h>

#include "math/row.h"

bool hf_cholesky(double *a, size_t n)
{
    bool definite = true;
    for (size_t i = 0; i < n; ++i) {
        double *row = a + i * n;
        for (size_t j = 0; j <= i; ++j) {
            const double *other = a + j * n;
            double sum = row[j];
            for (size_t k = 0; k < j; ++k) {
                sum -= row[k] * other[k];
            }
            definite = definite && (i != j || sum > 0.0);
            row[j] = i == j ? sqrt(sum) : sum / other[j];
        }
    }
    return definite;
}

void hf_cholesky_lower(const double *l, size_t n, const double *b, double *x)
{
    for (size_t i = 0; i < n; ++i) {
        double sum = b[i];
        for (size_t k = 0; k < i; ++k) {
            sum -= l[i * n + k] * x[k];
        }
        x[i] = sum / l[i * n + i];
    }
}

void hf_cholesky_upper(const double *l, size_t n, const double *b, double *x)
{
    for (size_t i = n; i-- > 0;) {
        double sum = b[i];
        for (size_t k = i + 1; k < n; ++k) {
            sum -= l[k * n + i] * x[k];
        }
        x[i] = sum / l[i * n + i];
    }
}

void hf_cholesky_weigh(const double *l, size_t n, const double *v, double *s)
{
    for (size_t k = 0; k < n; ++k) {
        s[k] = 0.0;
        for (size_t i = k; i < n; ++i) {
            s[k] += l[i * n + k] * v[i];
        }
    }
}

// Columns side by side: each is as if it were alone.
void hf_cholesky_solve(const double *l, size_t n, double *x, size_t columns)
{
    if (columns == 1) {
        hf_cholesky_lower(l, n, x, x);
        hf_cholesky_upper(l, n, x, x);
        return;
    }
    for (size_t i = 0; i < n; ++i) {
        double *own = x + i * columns;
        for (size_t k = 0; k < i; ++k) {
            hf_row_add(own, -l[i * n + k], x + k * columns, columns);
        }
        for (size_t c = 0; c < columns; ++c) {
            own[c] /= l[i * n + i];
        }
    }
    for (size_t i = n; i-- > 0;) {
        double *own = x + i * columns;
        for (size_t k = i + 1; k < n; ++k) {
            hf_row_add(own, -l[k * n + i], x + k * columns, columns);
        }
        for (size_t c = 0; c < columns; ++c) {
            own[c] /= l[i * n + i];
        }
    }
}

bool hf_dense_invert(const double *a, size_t n, double *out)
{
    memcpy(out, a, n * n * sizeof *out);
    for (size_t k = 0; k < n; ++k) {
        double pivot = out[k * n + k];
        if (!(pivot > 0.0)) {
            return false;
        }
        // The row of the pivot, divided by it
        double inverse = 1.0 / pivot;
        out[k * n + k] = 1.0;
        for (size_t j = 0; j < n; ++j) {
            out[k * n + j] *= inverse;
        }
        // taken from the others as often as they have it.
        for (size_t i = 0; i < n; ++i) {
            double factor = out[i * n + k];
            if (i == k || factor == 0.0) {
                continue;
            }
            out[i * n + k] = 0.0;
            for (size_t j = 0; j < n; ++j) {
                out[i * n + j] -= factor * out[k * n + j];
            }
        }
    }
    return true;
}
