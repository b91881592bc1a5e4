// SPDX-License-Identifier: Apache-2.0
// Multifrontal factorization and solution; see block_lu.h.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "block_lu_internal.h"

// A pivot smaller than this share of the largest number of A is lifted.
static const double LEAST_PIVOT = 1e-15;

hf_block_lu *hf_block_lu_create(int rows, int blocks, const hf_allocator *allocator)
{
    // The factorization, with sizes
    hf_block_lu *lu = hf_memory_take(allocator, sizeof *lu);
    if (lu == NULL) {
        return NULL;
    }
    *lu = (hf_block_lu){.arena = {.allocator = *allocator}};
    lu->most_rows = rows;
    lu->most_blocks = blocks;
    lu->n = -1;
    lu->pool_size = blocks + 2 * rows + 1;
    // Arrays by rows and by blocks
    size_t r = (size_t)rows + 2, b = (size_t)blocks + 1;
    int *work = NULL;
    const hf_arena_want wanted[] = {{&lu->start, r, sizeof(int)},
                                    {&lu->column, b, sizeof(int)},
                                    {&lu->transposed, b, sizeof(int)},
                                    {&lu->graph.start, r, sizeof(int)},
                                    {&lu->graph.next, b, sizeof(int)},
                                    {&lu->graph.weight, r, sizeof(int)},
                                    {&lu->group, r, sizeof(int)},
                                    {&lu->order, r, sizeof(int)},
                                    {&lu->place, r, sizeof(int)},
                                    {&lu->member_start, r, sizeof(int)},
                                    {&lu->members, r, sizeof(int)},
                                    {&lu->offset, r, sizeof(int)},
                                    {&lu->scalar, r, sizeof(int)},
                                    {&lu->parent, r, sizeof(int)},
                                    {&lu->count, r, sizeof(int)},
                                    {&lu->count_groups, r, sizeof(int)},
                                    {&lu->pool, (size_t)lu->pool_size, sizeof(int)},
                                    {&lu->fronts, r, sizeof(hf_block_front)},
                                    {&lu->interchange, 3 * r, sizeof(int)},
                                    {&lu->local, r, sizeof(int)},
                                    {&lu->x, 3 * r, sizeof(double)},
                                    {&lu->gathered, 3 * r, sizeof(double)},
                                    {&work, HF_BLOCK_LU_WORK * r, sizeof(int)}};
    bool good = hf_arena_take(&lu->arena, wanted, sizeof wanted / sizeof *wanted);
    for (size_t i = 0; good && i < HF_BLOCK_LU_WORK; ++i) {
        lu->work[i] = work + i * r;
    }
    if (!good) {
        hf_block_lu_destroy(lu);
        return NULL;
    }
    return lu;
}

void hf_block_lu_destroy(hf_block_lu *lu)
{
    if (lu == NULL) {
        return;
    }
    const hf_allocator allocator = lu->arena.allocator;
    hf_memory_give(&allocator, lu->rows);
    hf_memory_give(&allocator, lu->factor);
    hf_memory_give(&allocator, lu->stack);
    hf_memory_give(&allocator, lu->front);
    hf_arena_free(&lu->arena);
    hf_memory_give(&allocator, lu);
}

// ------------------------------------------------------------------------------------------------
// Assembly

// out := L W + D, or W + D; D NULL: none.
static void form_block(double *out, size_t stride, const double *l, const double *w,
                       const double *d)
{
    if (l == NULL && d == NULL) {
        memcpy(out, w, 3 * sizeof *w);
        memcpy(out + stride, w + 3, 3 * sizeof *w);
        memcpy(out + 2 * stride, w + 6, 3 * sizeof *w);
        return;
    }
    for (size_t i = 0; i < 3; ++i) {
        for (size_t j = 0; j < 3; ++j) {
            double sum = l == NULL
                             ? w[3 * i + j]
                             : l[3 * i] * w[j] + l[3 * i + 1] * w[3 + j] + l[3 * i + 2] * w[6 + j];
            out[i * stride + j] = d == NULL ? sum : sum + d[3 * i + j];
        }
    }
}

// Rows and columns of A that belong to a front's pivots.
static void assemble(hf_block_lu *lu, const hf_block_front *front, const double *w, const double *l,
                     const double *d)
{
    size_t stride = (size_t)front->pivots + (size_t)front->others;
    for (int m = lu->member_start[front->first]; m < lu->member_start[front->last + 1]; ++m) {
        int i = lu->members[m];
        size_t at = (size_t)(3 * m - lu->offset[front->first]);
        const double *li = l == NULL ? NULL : l + 9 * i;
        for (int k = lu->start[i]; k < lu->start[i + 1]; ++k) {
            int j = lu->column[k], place = lu->place[lu->group[j]];
            if (place < front->first) {
                continue; // went to an earlier front, with its transpose
            }
            size_t column = (size_t)(lu->local[place] + lu->scalar[j] - lu->offset[place]);
            form_block(lu->front + at * stride + column, stride, li, w + 9 * k,
                       i == j && d != NULL ? d + 9 * i : NULL);
            if (place > front->last) {
                const double *lj = l == NULL ? NULL : l + 9 * j;
                form_block(lu->front + column * stride + at, stride, lj, w + 9 * lu->transposed[k],
                           NULL);
            }
        }
    }
}

// Adds a child's remainder.
static void extend(hf_block_lu *lu, const hf_block_front *front, const hf_block_front *child,
                   const double *remainder)
{
    size_t stride = (size_t)front->pivots + (size_t)front->others, width = (size_t)child->others;
    const int *rows = lu->rows + child->rows;
    for (int a = 0; a < child->row_count; ++a) {
        int count = lu->offset[rows[a] + 1] - lu->offset[rows[a]];
        for (int i = 0; i < count; ++i, remainder += width) {
            double *to = lu->front + (size_t)(lu->local[rows[a]] + i) * stride;
            const double *from = remainder;
            for (int b = 0; b < child->row_count; ++b) {
                int columns = lu->offset[rows[b] + 1] - lu->offset[rows[b]];
                double *out = to + lu->local[rows[b]];
                for (int j = 0; j < columns; ++j) {
                    out[j] += from[j];
                }
                from += columns;
            }
        }
    }
}

// ------------------------------------------------------------------------------------------------
// Factorization

static void place_front(hf_block_lu *lu, const hf_block_front *front)
{
    for (int k = front->first; k <= front->last; ++k) {
        lu->local[k] = lu->offset[k] - lu->offset[front->first];
    }
    int at = front->pivots;
    for (int k = 0; k < front->row_count; ++k) {
        int group = lu->rows[front->rows + k];
        lu->local[group] = at;
        at += lu->offset[group + 1] - lu->offset[group];
    }
}

// Keeps the pivots' rows [L11\U11 U12] and the columns L21 below them.
static void keep(hf_block_lu *lu, const hf_block_front *front)
{
    size_t p = (size_t)front->pivots, m = (size_t)front->others, n = p + m;
    double *to = lu->factor + front->factor;
    memcpy(to, lu->front, p * n * sizeof *to);
    to += p * n;
    for (size_t i = 0; i < m; ++i) {
        memcpy(to + i * p, lu->front + (p + i) * n, p * sizeof *to);
    }
}

static double largest_entry(const hf_block_lu *lu, const double *w, const double *l,
                            const double *d)
{
    double largest = 0.0;
    // The matrix as it is
    if (l == NULL && d == NULL) {
        for (size_t k = 0; k < 9 * (size_t)lu->start[lu->n]; ++k) {
            if (!(fabs(w[k]) <= largest)) {
                largest = fabs(w[k]);
            }
            if (isnan(largest)) {
                break;
            }
        }
        return largest;
    }
    // or the blocks of L W + D
    for (int i = 0; i < lu->n; ++i) {
        for (int k = lu->start[i]; k < lu->start[i + 1]; ++k) {
            double block[9];
            form_block(block, 3, l == NULL ? NULL : l + 9 * i, w + 9 * k,
                       lu->column[k] == i && d != NULL ? d + 9 * i : NULL);
            for (int e = 0; e < 9; ++e) {
                largest = fabs(block[e]) > largest || isnan(block[e]) ? fabs(block[e]) : largest;
            }
            if (isnan(largest)) {
                return largest;
            }
        }
    }
    return largest;
}

int hf_block_lu_factorize(hf_block_lu *lu, const double *w, const double *l, const double *d)
{
    // Pivots below this are lifted
    double least = LEAST_PIVOT * largest_entry(lu, w, l, d);
    if (!isfinite(least)) {
        return -1;
    }
    least = least > 0.0 ? least : DBL_MIN;
    int lifted = 0, *left = lu->work[1], left_count = 0;
    size_t top = 0;
    // Front by front: its own entries, what its children left, its elimination
    for (int f = 0; f < lu->front_count; ++f) {
        const hf_block_front *front = &lu->fronts[f];
        size_t p = (size_t)front->pivots, m = (size_t)front->others, n = p + m;
        memset(lu->front, 0, n * n * sizeof *lu->front);
        place_front(lu, front);
        assemble(lu, front, w, l, d);
        for (int c = 0; c < front->children; ++c) {
            const hf_block_front *child = &lu->fronts[left[--left_count]];
            top -= (size_t)child->others * (size_t)child->others;
            extend(lu, front, child, lu->stack + top);
        }
        int more = 0;
        hf_block_dense_lu(lu->front, front->pivots + front->others, front->pivots, least,
                          lu->interchange + lu->offset[front->first], &more);
        lifted += more;
        // Its factors are kept; what it leaves for its parent lies on a stack
        keep(lu, front);
        if (front->parent >= 0) {
            for (size_t i = 0; i < m; ++i) {
                memcpy(lu->stack + top + i * m, lu->front + (p + i) * n + p, m * sizeof *lu->stack);
            }
            top += m * m;
            left[left_count++] = f;
        }
    }
    return lifted;
}

// Rows and columns are ordered alike, which leaves the determinant; rows that were exchanged within
// a front turn its sign.
int hf_block_lu_sign(const hf_block_lu *lu)
{
    int sign = 1;
    for (int f = 0; f < lu->front_count; ++f) {
        const hf_block_front *front = &lu->fronts[f];
        const int *interchange = lu->interchange + lu->offset[front->first];
        size_t n = (size_t)front->pivots + (size_t)front->others;
        for (int k = 0; k < front->pivots; ++k) {
            double pivot = lu->factor[front->factor + (size_t)k * (n + 1)];
            sign = (pivot < 0.0) != (interchange[k] != k) ? -sign : sign;
        }
    }
    return sign;
}

// ------------------------------------------------------------------------------------------------
// Solution

// The numbers of a front's other rows, one after another.
static void gather(const hf_block_lu *lu, const hf_block_front *front, double *to)
{
    for (int k = 0; k < front->row_count; ++k) {
        int group = lu->rows[front->rows + k];
        int count = lu->offset[group + 1] - lu->offset[group];
        memcpy(to, lu->x + lu->offset[group], (size_t)count * sizeof *to);
        to += count;
    }
}

static void scatter(hf_block_lu *lu, const hf_block_front *front, const double *from)
{
    for (int k = 0; k < front->row_count; ++k) {
        int group = lu->rows[front->rows + k];
        int count = lu->offset[group + 1] - lu->offset[group];
        memcpy(lu->x + lu->offset[group], from, (size_t)count * sizeof *from);
        from += count;
    }
}

static double dot(const double *a, const double *b, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i) {
        sum += a[i] * b[i];
    }
    return sum;
}

static void forward(hf_block_lu *lu, const hf_block_front *front)
{
    int p = front->pivots, m = front->others, n = p + m;
    const double *head = lu->factor + front->factor, *below = head + (size_t)p * (size_t)n;
    double *x = lu->x + lu->offset[front->first];
    const int *interchange = lu->interchange + lu->offset[front->first];
    for (int k = 0; k < p; ++k) {
        double kept = x[k];
        x[k] = x[interchange[k]];
        x[interchange[k]] = kept;
    }
    for (int k = 1; k < p; ++k) {
        x[k] -= dot(head + (size_t)k * (size_t)n, x, k);
    }
    gather(lu, front, lu->gathered);
    for (int i = 0; i < m; ++i) {
        lu->gathered[i] -= dot(below + (size_t)i * (size_t)p, x, p);
    }
    scatter(lu, front, lu->gathered);
}

static void backward(hf_block_lu *lu, const hf_block_front *front)
{
    int p = front->pivots, m = front->others, n = p + m;
    const double *head = lu->factor + front->factor;
    double *x = lu->x + lu->offset[front->first];
    gather(lu, front, lu->gathered);
    for (int k = p - 1; k >= 0; --k) {
        const double *row = head + (size_t)k * (size_t)n;
        double sum = x[k] - dot(row + p, lu->gathered, m) - dot(row + k + 1, x + k + 1, p - k - 1);
        x[k] = sum / row[k];
    }
}

void hf_block_lu_solve(hf_block_lu *lu, double *x)
{
    for (int i = 0; i < lu->n; ++i) {
        memcpy(lu->x + lu->scalar[i], x + 3 * i, 3 * sizeof *x);
    }
    for (int f = 0; f < lu->front_count; ++f) {
        forward(lu, &lu->fronts[f]);
    }
    for (int f = lu->front_count - 1; f >= 0; --f) {
        backward(lu, &lu->fronts[f]);
    }
    for (int i = 0; i < lu->n; ++i) {
        memcpy(x + 3 * i, lu->x + lu->scalar[i], 3 * sizeof *x);
    }
}
