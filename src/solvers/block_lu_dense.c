// SPDX-License-Identifier: Apache-2.0
// Blocked LU factorization of the head of a dense matrix, row by row in memory.
#include <math.h>

#include "block_lu_internal.h"
#include "laws/batch.h"

enum { PANEL = 24, TILE_ROWS = 4, TILE_COLUMNS = 8 };

// C -= A B for one tile; A: TILE_ROWS x depth, B: depth x TILE_COLUMNS.
HF_BATCH_BODY void tile(double *c, const double *a, const double *b, int stride, int depth)
{
    double sum[TILE_ROWS][TILE_COLUMNS];
    for (int i = 0; i < TILE_ROWS; ++i) {
        for (int j = 0; j < TILE_COLUMNS; ++j) {
            sum[i][j] = c[(size_t)i * (size_t)stride + (size_t)j];
        }
    }
    for (int k = 0; k < depth; ++k) {
        const double *row = b + (size_t)k * (size_t)stride;
        for (int i = 0; i < TILE_ROWS; ++i) {
            double factor = a[(size_t)i * (size_t)stride + (size_t)k];
            for (int j = 0; j < TILE_COLUMNS; ++j) {
                sum[i][j] -= factor * row[j];
            }
        }
    }
    for (int i = 0; i < TILE_ROWS; ++i) {
        for (int j = 0; j < TILE_COLUMNS; ++j) {
            c[(size_t)i * (size_t)stride + (size_t)j] = sum[i][j];
        }
    }
}

// The same for edges that a tile does not fill.
HF_BATCH_BODY void edge(double *c, const double *a, const double *b, int stride, int depth,
                        int rows, int columns)
{
    for (int i = 0; i < rows; ++i) {
        double *out = c + (size_t)i * (size_t)stride;
        for (int k = 0; k < depth; ++k) {
            double factor = a[(size_t)i * (size_t)stride + (size_t)k];
            const double *row = b + (size_t)k * (size_t)stride;
            for (int j = 0; j < columns; ++j) {
                out[j] -= factor * row[j];
            }
        }
    }
}

// C -= A B within one matrix of row length `stride`.
HF_BATCH_BODY void subtract_product(double *c, const double *a, const double *b, int stride,
                                    int rows, int columns, int depth)
{
    int whole = columns - columns % TILE_COLUMNS, i = 0;
    for (; i + TILE_ROWS <= rows; i += TILE_ROWS) {
        size_t at = (size_t)i * (size_t)stride;
        for (int j = 0; j < whole; j += TILE_COLUMNS) {
            tile(c + at + j, a + at, b + j, stride, depth);
        }
        edge(c + at + whole, a + at, b + whole, stride, depth, TILE_ROWS, columns - whole);
    }
    size_t at = (size_t)i * (size_t)stride;
    edge(c + at, a + at, b, stride, depth, rows - i, columns);
}

// Factorizes columns first..first + width - 1 below row `first`; exchanges rows among `pivots`.
HF_BATCH_BODY int panel(double *a, int n, int pivots, int first, int width, double least,
                        int *interchange)
{
    int lifted = 0;
    size_t stride = (size_t)n;
    for (int k = first; k < first + width; ++k) {
        int best = k;
        for (int i = k + 1; i < pivots; ++i) {
            if (fabs(a[(size_t)i * stride + (size_t)k]) >
                fabs(a[(size_t)best * stride + (size_t)k])) {
                best = i;
            }
        }
        interchange[k] = best;
        double *row = a + (size_t)k * stride, *other = a + (size_t)best * stride;
        for (int j = 0; best != k && j < n; ++j) {
            double kept = row[j];
            row[j] = other[j];
            other[j] = kept;
        }
        if (fabs(row[k]) < least) {
            row[k] = copysign(least, row[k]);
            ++lifted;
        }
        double inverse = 1.0 / row[k];
        for (int i = k + 1; i < n; ++i) {
            double *below = a + (size_t)i * stride;
            double factor = below[k] *= inverse;
            for (int j = k + 1; j < first + width; ++j) {
                below[j] -= factor * row[j];
            }
        }
    }
    return lifted;
}

HF_BATCH_BODY void factorize(double *a, int n, int pivots, double least, int *interchange,
                             int *lifted)
{
    size_t stride = (size_t)n;
    *lifted = 0;
    for (int first = 0; first < pivots; first += PANEL) {
        int width = pivots - first < PANEL ? pivots - first : PANEL;
        *lifted += panel(a, n, pivots, first, width, least, interchange);
        int behind = first + width, columns = n - behind;
        // U to the right of the panel
        for (int k = first; k < behind; ++k) {
            for (int i = k + 1; i < behind; ++i) {
                double factor = a[(size_t)i * stride + (size_t)k];
                double *out = a + (size_t)i * stride + behind;
                const double *row = a + (size_t)k * stride + behind;
                for (int j = 0; j < columns; ++j) {
                    out[j] -= factor * row[j];
                }
            }
        }
        size_t corner = (size_t)behind * stride;
        subtract_product(a + corner + behind, a + corner + first,
                         a + (size_t)first * stride + behind, n, columns, columns, width);
    }
}

HF_BATCH(hf_block_dense_lu, factorize,
         (double *a, int n, int pivots, double least, int *interchange, int *lifted),
         (a, n, pivots, least, interchange, lifted))
