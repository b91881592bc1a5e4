// SPDX-License-Identifier: Apache-2.0
// Symmetric matrices as others store them: whole, or one triangle and the diagonal.
//
// W and M are symmetric, so a matrix with entries on one side of its diagonal alone is a triangle,
// and the other one is its mirror image. What is neither symmetric nor a triangle is refused.
#include <stdint.h>

#include "base/error.h"
#include "fc3d_internal.h"

// The columns of `to` are the rows of m, with rising row numbers.
static bool transpose(const hf_fc3d_matrix *m, hf_arena *arena, hf_fc3d_matrix *to)
{
    size_t count = (size_t)m->start[m->columns];
    int *start = hf_arena_alloc(arena, (size_t)m->rows + 2, sizeof(int));
    int *row = hf_arena_alloc(arena, count + 1, sizeof(int));
    double *value = hf_arena_alloc(arena, count + 1, sizeof(double));
    if (start == NULL || row == NULL || value == NULL) {
        return false;
    }
    for (size_t k = 0; k < count; ++k) {
        ++start[m->row[k] + 2];
    }
    for (int i = 0; i < m->rows; ++i) {
        start[i + 2] += start[i + 1];
    }
    for (int j = 0; j < m->columns; ++j) {
        for (int k = m->start[j]; k < m->start[j + 1]; ++k) {
            int at = start[m->row[k] + 1]++; // in the end, where the next row begins
            row[at] = j;
            value[at] = m->value[k];
        }
    }
    *to = (hf_fc3d_matrix){m->columns, m->rows, start, row, value};
    return true;
}

// Entries and row sums of both triangles, walked together.
typedef struct walk {
    const hf_fc3d_matrix *m;
    int at, end;
} walk;

static walk walk_column(const hf_fc3d_matrix *m, int column)
{
    return (walk){m, m->start[column], m->start[column + 1]};
}

static int walk_row(const walk *w, int none)
{
    return w->at < w->end ? w->m->row[w->at] : none;
}

// The sum of the entries in `row`, which are next, or 0.
static double walk_take(walk *w, int row)
{
    double sum = 0.0;
    while (w->at < w->end && w->m->row[w->at] == row) {
        sum += w->m->value[w->at++];
    }
    return sum;
}

// What a matrix is: entries beside the diagonal on either side, and the worst difference of two
// that should be equal, as a share of the diagonal.
typedef struct shape {
    bool lower, upper;
    double worst;
    int row, column; // of it
} shape;

static void look_at(shape *s, int i, int j, double below, double above, double size)
{
    double apart = fabs(below - above);
    s->lower = s->lower || below != 0.0;
    s->upper = s->upper || above != 0.0;
    if (apart > 0.0 && apart > s->worst * size) {
        s->worst = size > 0.0 ? apart / size : HUGE_VAL;
        s->row = i;
        s->column = j;
    }
}

// `a` and its transpose `b`, both with sorted rows.
static shape find_shape(const hf_fc3d_matrix *a, const hf_fc3d_matrix *b, double *diagonal)
{
    shape s = {0};
    for (int j = 0; j < a->columns; ++j) {
        walk w = walk_column(a, j);
        for (int i; (i = walk_row(&w, a->rows)) < a->rows;) {
            double value = walk_take(&w, i);
            diagonal[j] = i == j ? value : diagonal[j];
        }
    }
    for (int j = 0; j < a->columns; ++j) {
        walk below = walk_column(a, j), above = walk_column(b, j);
        for (;;) {
            int i = walk_row(&below, a->rows), other = walk_row(&above, a->rows);
            i = other < i ? other : i;
            if (i >= a->rows) {
                break;
            }
            double low = walk_take(&below, i), up = walk_take(&above, i);
            if (i > j) {
                look_at(&s, i, j, low, up, sqrt(fabs(diagonal[i] * diagonal[j])));
            }
        }
    }
    return s;
}

// Column j: what is stored, and what is beside the diagonal in the transpose.
static bool add_mirror(const hf_fc3d_matrix *a, const hf_fc3d_matrix *b, hf_arena *arena,
                       hf_fc3d_matrix *whole)
{
    size_t count = (size_t)a->start[a->columns];
    int *start = hf_arena_alloc(arena, (size_t)a->columns + 1, sizeof(int));
    int *row = hf_arena_alloc(arena, 2 * count + 1, sizeof(int));
    double *value = hf_arena_alloc(arena, 2 * count + 1, sizeof(double));
    if (start == NULL || row == NULL || value == NULL) {
        return false;
    }
    for (int j = 0, used = 0; j < a->columns; ++j) {
        for (int k = a->start[j]; k < a->start[j + 1]; ++k, ++used) {
            row[used] = a->row[k];
            value[used] = a->value[k];
        }
        for (int k = b->start[j]; k < b->start[j + 1]; ++k) {
            if (b->row[k] != j) {
                row[used] = b->row[k];
                value[used++] = b->value[k];
            }
        }
        start[j + 1] = used;
    }
    *whole = (hf_fc3d_matrix){a->rows, a->columns, start, row, value};
    return true;
}

hf_status hf_fc3d_matrix_complete(const char *name, hf_arena *arena, hf_fc3d_matrix *m,
                                  hf_error *error)
{
    hf_fc3d_matrix mirror, sorted;
    double *diagonal = hf_arena_alloc(arena, (size_t)m->columns + 1, sizeof *diagonal);
    bool room = diagonal != NULL && 2LL * m->start[m->columns] < INT32_MAX &&
                transpose(m, arena, &mirror) && transpose(&mirror, arena, &sorted);
    shape s = room ? find_shape(&sorted, &mirror, diagonal) : (shape){0};
    if (room && s.lower != s.upper) {
        room = add_mirror(&sorted, &mirror, arena, m);
    } else if (!(s.worst <= HF_FC3D_ROUNDING)) {
        return hf_error_set(error, HF_ERROR_INPUT,
                            "friction-contact problem: %s is neither symmetric nor one triangle of "
                            "a symmetric matrix: entries (%d, %d) and (%d, %d) differ by %.3g of "
                            "the diagonal",
                            name, s.row, s.column, s.column, s.row, s.worst);
    }
    return room ? HF_OK
                : hf_error_set(error, HF_ERROR_MEMORY,
                               "out of memory for a friction-contact problem");
}
