// SPDX-License-Identifier: Apache-2.0
// LU factorization of the head of a dense matrix, row by row in memory: panels within panels, so
// that almost all work is products of tiles that stay in registers.
#include <math.h>
#include <string.h>

#include "block_lu_internal.h"
#include "laws/batch.h"
#include "math/lanes.h"

// Columns that are eliminated one by one, and columns whose product is subtracted at once.
enum { PANEL = 8, WIDE_PANEL = 48 };

// C -= A B for one tile; A: 4 x depth, B: depth x 8.
HF_BATCH_BODY void tile(double *c, const double *a, const double *b, size_t stride, int depth)
{
    hf_four l0, l1, l2, l3, r0, r1, r2, r3, left, right;
    // Four rows of eight numbers of C
    HF_LANES_LOAD(l0, c);
    HF_LANES_LOAD(r0, c + 4);
    HF_LANES_LOAD(l1, c + stride);
    HF_LANES_LOAD(r1, c + stride + 4);
    HF_LANES_LOAD(l2, c + 2 * stride);
    HF_LANES_LOAD(r2, c + 2 * stride + 4);
    HF_LANES_LOAD(l3, c + 3 * stride);
    HF_LANES_LOAD(r3, c + 3 * stride + 4);
    // less the products
    for (int k = 0; k < depth; ++k, b += stride) {
        HF_LANES_LOAD(left, b);
        HF_LANES_LOAD(right, b + 4);
        double a0 = a[k], a1 = a[stride + (size_t)k];
        double a2 = a[2 * stride + (size_t)k], a3 = a[3 * stride + (size_t)k];
        l0 -= a0 * left;
        r0 -= a0 * right;
        l1 -= a1 * left;
        r1 -= a1 * right;
        l2 -= a2 * left;
        r2 -= a2 * right;
        l3 -= a3 * left;
        r3 -= a3 * right;
    }
    // back to their places
    HF_LANES_STORE(c, l0);
    HF_LANES_STORE(c + 4, r0);
    HF_LANES_STORE(c + stride, l1);
    HF_LANES_STORE(c + stride + 4, r1);
    HF_LANES_STORE(c + 2 * stride, l2);
    HF_LANES_STORE(c + 2 * stride + 4, r2);
    HF_LANES_STORE(c + 3 * stride, l3);
    HF_LANES_STORE(c + 3 * stride + 4, r3);
}

// The same for 4 x depth and depth x 4, and for one row.
HF_BATCH_BODY void narrow_tile(double *c, const double *a, const double *b, size_t stride,
                               int depth)
{
    hf_four s0, s1, s2, s3, row;
    HF_LANES_LOAD(s0, c);
    HF_LANES_LOAD(s1, c + stride);
    HF_LANES_LOAD(s2, c + 2 * stride);
    HF_LANES_LOAD(s3, c + 3 * stride);
    for (int k = 0; k < depth; ++k, b += stride) {
        HF_LANES_LOAD(row, b);
        s0 -= a[k] * row;
        s1 -= a[stride + (size_t)k] * row;
        s2 -= a[2 * stride + (size_t)k] * row;
        s3 -= a[3 * stride + (size_t)k] * row;
    }
    HF_LANES_STORE(c, s0);
    HF_LANES_STORE(c + stride, s1);
    HF_LANES_STORE(c + 2 * stride, s2);
    HF_LANES_STORE(c + 3 * stride, s3);
}

HF_BATCH_BODY void strip(double *c, const double *a, const double *b, size_t stride, int depth)
{
    hf_four sum, row;
    HF_LANES_LOAD(sum, c);
    for (int k = 0; k < depth; ++k, b += stride) {
        HF_LANES_LOAD(row, b);
        sum -= a[k] * row;
    }
    HF_LANES_STORE(c, sum);
}

HF_BATCH_BODY void number(double *c, const double *a, const double *b, size_t stride, int depth)
{
    double sum = *c;
    for (int k = 0; k < depth; ++k, b += stride) {
        sum -= a[k] * *b;
    }
    *c = sum;
}

// C -= A B within one matrix of row length `stride`.
HF_BATCH_BODY void subtract_product(double *c, const double *a, const double *b, size_t stride,
                                    int rows, int columns, int depth)
{
    int i = 0;
    for (; i + 4 <= rows; i += 4, c += 4 * stride, a += 4 * stride) {
        int j = 0;
        for (; j + 8 <= columns; j += 8) {
            tile(c + j, a, b + j, stride, depth);
        }
        for (; j + 4 <= columns; j += 4) {
            narrow_tile(c + j, a, b + j, stride, depth);
        }
        for (; j < columns; ++j) {
            for (size_t e = 0; e < 4; ++e) {
                number(c + e * stride + j, a + e * stride, b + j, stride, depth);
            }
        }
    }
    for (; i < rows; ++i, c += stride, a += stride) {
        int j = 0;
        for (; j + 4 <= columns; j += 4) {
            strip(c + j, a, b + j, stride, depth);
        }
        for (; j < columns; ++j) {
            number(c + j, a, b + j, stride, depth);
        }
    }
}

// The largest of column k among the rows from k to `pivots` - 1 comes to row k, the whole rows
// being exchanged.
HF_BATCH_BODY int exchange(double *a, int n, int pivots, int k)
{
    size_t stride = (size_t)n;
    int best = k;
    double most = fabs(a[(size_t)k * stride + (size_t)k]);
    for (int i = k + 1; i < pivots; ++i) {
        double size = fabs(a[(size_t)i * stride + (size_t)k]);
        best = size > most ? i : best;
        most = size > most ? size : most;
    }
    double *row = a + (size_t)k * stride, *other = a + (size_t)best * stride;
    for (int j = 0; best != k && j < n; ++j) {
        double kept = row[j];
        row[j] = other[j];
        other[j] = kept;
    }
    return best;
}

// Factorizes columns first..first + width - 1 below row `first`, one by one; width <= PANEL.
HF_BATCH_BODY int panel(double *a, int n, int pivots, int first, int width, double least,
                        int *interchange)
{
    int lifted = 0;
    size_t stride = (size_t)n;
    for (int k = first; k < first + width; ++k) {
        // The pivot, lifted where it is too small
        interchange[k] = exchange(a, n, pivots, k);
        double *row = a + (size_t)k * stride;
        if (fabs(row[k]) < least) {
            row[k] = copysign(least, row[k]);
            ++lifted;
        }
        double inverse = 1.0 / row[k], masked[PANEL] = {0};
        for (int j = k + 1; j < first + width; ++j) {
            masked[j - first] = row[j];
        }
        double *below = row + stride + first;
        if (width < PANEL) {
            for (int i = k + 1; i < n; ++i, below += stride) {
                double factor = below[k - first] *= inverse;
                for (int j = k + 1 - first; j < width; ++j) {
                    below[j] -= factor * masked[j];
                }
            }
            continue;
        }
        // All columns of the panel, those before k less zero.
        hf_four left, right, x, y;
        HF_LANES_LOAD(left, masked);
        HF_LANES_LOAD(right, masked + 4);
        for (int i = k + 1; i < n; ++i, below += stride) {
            double factor = below[k - first] * inverse;
            HF_LANES_LOAD(x, below);
            HF_LANES_LOAD(y, below + 4);
            x -= factor * left;
            y -= factor * right;
            HF_LANES_STORE(below, x);
            HF_LANES_STORE(below + 4, y);
            below[k - first] = factor;
        }
    }
    return lifted;
}

// Rows first..first + width - 1 of U, in `columns` columns from `from` on: each less the ones
// above.
HF_BATCH_BODY void finish_rows(double *a, size_t stride, int first, int width, int from,
                               int columns)
{
    for (int at = 0; at < width; at += PANEL) {
        int count = width - at < PANEL ? width - at : PANEL;
        double *rows = a + (size_t)(first + at) * stride;
        if (at > 0) {
            subtract_product(rows + from, rows + first, a + (size_t)first * stride + from, stride,
                             count, columns, at);
        }
        for (int k = 1; k < count; ++k) {
            double *row = rows + (size_t)k * stride;
            subtract_product(row + from, row + first + at, rows + from, stride, 1, columns, k);
        }
    }
}

HF_BATCH_BODY void factorize(double *a, int n, int pivots, double least, int *interchange,
                             int *lifted)
{
    size_t stride = (size_t)n;
    *lifted = 0;
    for (int first = 0; first < pivots; first += WIDE_PANEL) {
        int width = pivots - first < WIDE_PANEL ? pivots - first : WIDE_PANEL;
        for (int at = first; at < first + width; at += PANEL) {
            int count = first + width - at < PANEL ? first + width - at : PANEL;
            if (at > first) { // this panel less the product of those before in the wide one
                finish_rows(a, stride, first, at - first, at, count);
                subtract_product(a + (size_t)at * stride + at, a + (size_t)at * stride + first,
                                 a + (size_t)first * stride + at, stride, n - at, count,
                                 at - first);
            }
            *lifted += panel(a, n, pivots, at, count, least, interchange);
        }
        int behind = first + width, columns = n - behind;
        finish_rows(a, stride, first, width, behind, columns);
        size_t corner = (size_t)behind * stride;
        subtract_product(a + corner + behind, a + corner + first,
                         a + (size_t)first * stride + behind, stride, columns, columns, width);
    }
}

HF_BATCH(hf_block_dense_lu, factorize,
         (double *a, int n, int pivots, double least, int *interchange, int *lifted),
         (a, n, pivots, least, interchange, lifted))
