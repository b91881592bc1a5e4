// SPDX-License-Identifier: Apache-2.0
// Friction-contact problems: checks, and the local form from other forms.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "fc3d_internal.h"

// ------------------------------------------------------------------------------------------------
// Checks

// Squares of numbers up to MOST are finite, ratios to those from LEAST on, too. More than all
// friction is a mistake: the residual would not tell what slides from what sticks.
static const double MOST = 1e100, LEAST = 1e-100, MOST_FRICTION = 1e6;

static hf_status check_numbers(const char *name, const double *values, size_t count,
                               hf_error *error)
{
    for (size_t i = 0; i < count; ++i) {
        if (!isfinite(values[i])) {
            return hf_error_set(error, HF_ERROR_NOT_FINITE,
                                "friction-contact problem: %s[%zu] is not a finite number", name,
                                i);
        }
        if (!(fabs(values[i]) <= MOST)) {
            return hf_error_set(error, HF_ERROR_RANGE,
                                "friction-contact problem: %s[%zu] is %g, expected at most %g",
                                name, i, values[i], MOST);
        }
    }
    return HF_OK;
}

// Where block (row, column) is; -1: it is not stored.
static int find_block(const hf_fc3d_problem *p, int row, int column)
{
    int low = p->start[row], high = p->start[row + 1];
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (p->column[middle] < column) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < p->start[row + 1] && p->column[low] == column ? low : -1;
}

static hf_status check_pattern(const hf_fc3d_problem *p, hf_error *error)
{
    // Rows with rising columns
    for (int i = 0; i < p->contacts; ++i) {
        if (p->start[i + 1] < p->start[i]) {
            return hf_error_set(error, HF_ERROR_INPUT,
                                "friction-contact problem: row %d of W ends before it begins", i);
        }
        for (int k = p->start[i]; k < p->start[i + 1]; ++k) {
            int j = p->column[k];
            if (j < 0 || j >= p->contacts || (k > p->start[i] && j <= p->column[k - 1])) {
                return hf_error_set(error, HF_ERROR_INPUT,
                                    "friction-contact problem: row %d of W: column %d is out of "
                                    "range or out of order",
                                    i, j);
            }
        }
    }
    // A diagonal, and blocks on both sides of it
    for (int i = 0; i < p->contacts; ++i) {
        if (find_block(p, i, i) < 0) {
            return hf_error_set(error, HF_ERROR_INPUT,
                                "friction-contact problem: W has no diagonal block for contact %d",
                                i);
        }
        for (int k = p->start[i]; k < p->start[i + 1]; ++k) {
            if (find_block(p, p->column[k], i) < 0) {
                return hf_error_set(error, HF_ERROR_INPUT,
                                    "friction-contact problem: W has block (%d, %d) but not "
                                    "(%d, %d)",
                                    i, p->column[k], p->column[k], i);
            }
        }
    }
    return HF_OK;
}

// Block (i, j) against block (j, i), transposed.
static hf_status check_symmetry(const hf_fc3d_problem *p, hf_error *error)
{
    for (int i = 0; i < p->contacts; ++i) {
        const double *own = p->w + 9 * (size_t)find_block(p, i, i);
        for (int k = p->start[i]; k < p->start[i + 1] && p->column[k] <= i; ++k) {
            int j = p->column[k];
            const double *a = p->w + 9 * (size_t)k;
            const double *b = p->w + 9 * (size_t)find_block(p, j, i);
            const double *other = p->w + 9 * (size_t)find_block(p, j, j);
            for (int m = 0; m < 9; ++m) {
                double size = sqrt(own[4 * (m / 3)] * other[4 * (m % 3)]);
                double apart = fabs(a[m] - b[3 * (m % 3) + m / 3]);
                if (!(apart <= HF_FC3D_ROUNDING * size)) {
                    return hf_error_set(error, HF_ERROR_INPUT,
                                        "friction-contact problem: W is not symmetric: block "
                                        "(%d, %d) and the transpose of block (%d, %d) differ by "
                                        "%.3g",
                                        i, j, j, i, apart);
                }
            }
        }
    }
    return HF_OK;
}

static hf_status check_matrix(const hf_fc3d_problem *p, hf_error *error)
{
    if (p->start[0] != 0) {
        return hf_error_set(error, HF_ERROR_RANGE,
                            "friction-contact problem: the first row of W begins at %d, not at 0",
                            p->start[0]);
    }
    HF_TRY(check_pattern(p, error));
    HF_TRY(check_numbers("W", p->w, 9 * (size_t)p->start[p->contacts], error));
    for (int i = 0; i < p->contacts; ++i) {
        for (int k = p->start[i]; k < p->start[i + 1]; ++k) {
            const double *w = p->w + 9 * (size_t)k;
            if (p->column[k] == i && !(w[0] >= 0.0 && w[4] >= 0.0 && w[8] >= 0.0)) {
                return hf_error_set(error, HF_ERROR_RANGE,
                                    "friction-contact problem: W has a negative diagonal at "
                                    "contact %d",
                                    i);
            }
            if (p->column[k] == i && w[0] > 0.0 && w[0] < LEAST) {
                return hf_error_set(error, HF_ERROR_RANGE,
                                    "friction-contact problem: W has %g for the normal of contact "
                                    "%d, expected 0, or %g or more",
                                    w[0], i, LEAST);
            }
            // W_NN = 0 is a row of zeros, for W is at least 0: u_N = q_N, whatever r is.
            if (p->column[k] == i && w[0] == 0.0 && p->q[3 * i] < 0.0) {
                return hf_error_set(error, HF_ERROR_INPUT,
                                    "friction-contact problem: nothing moves the normal of contact "
                                    "%d (W is 0 there), which approaches with %g: there is no "
                                    "solution",
                                    i, -p->q[3 * i]);
            }
        }
    }
    return check_symmetry(p, error);
}

static hf_status check_parts(const hf_fc3d_problem *p, size_t mass, hf_error *error)
{
    const hf_fc3d_bodies *b = p->bodies;
    size_t at = 0;
    if (b->mass != NULL) {
        HF_TRY(check_numbers("M", b->mass, mass, error));
    }
    if (b->mass != NULL && b->inverse != NULL) {
        HF_TRY(check_numbers("the inverse of M", b->inverse, mass, error));
    }
    for (int i = 0; i < 2 * p->contacts; ++i) {
        int body = b->pair[i];
        size_t count = body < 0 ? 0 : 3 * (size_t)(b->first[body + 1] - b->first[body]);
        at = b->place == NULL || body < 0 ? at : b->place[i];
        HF_TRY(check_numbers("H", b->map + at, count, error));
        at += count;
    }
    for (int i = 0; b->idle != NULL && i < 3 * p->contacts; ++i) {
        if (!(b->idle[i] >= 0.0 && isfinite(b->idle[i]))) {
            return hf_error_set(error, HF_ERROR_RANGE,
                                "friction-contact problem: C has %g at contact %d", b->idle[i],
                                i / 3);
        }
    }
    return HF_OK;
}

static hf_status check_bodies(const hf_fc3d_problem *p, hf_error *error)
{
    const hf_fc3d_bodies *b = p->bodies;
    size_t mass = 0;
    if (b->count < 0 || b->first[0] != 0) {
        return hf_error_set(error, HF_ERROR_RANGE,
                            "friction-contact problem: %d bodies, the first from freedom %d",
                            b->count, b->first[0]);
    }
    for (int i = 0; i < b->count; ++i) {
        int n = b->first[i + 1] - b->first[i];
        if (n < 0 || n > HF_FC3D_MAX_COUPLED) {
            return hf_error_set(error, HF_ERROR_RANGE,
                                "friction-contact problem: body %d has freedoms %d to %d, expected "
                                "0 to %d of them",
                                i, b->first[i], b->first[i + 1] - 1, HF_FC3D_MAX_COUPLED);
        }
        mass += (size_t)n * (size_t)n;
    }
    for (int i = 0; i < 2 * p->contacts; ++i) {
        int body = b->pair[i];
        if (body < -1 || body >= b->count || (i % 2 == 1 && body >= 0 && body == b->pair[i - 1])) {
            return hf_error_set(error, HF_ERROR_INPUT,
                                "friction-contact problem: contact %d is of body %d, expected "
                                "unlike ones from -1 to %d",
                                i / 2, body, b->count - 1);
        }
    }
    return check_parts(p, mass, error);
}

hf_status hf_fc3d_problem_check(const hf_fc3d_problem *p, hf_error *error)
{
    // Sizes
    if (p->contacts < 0 || p->contacts > INT32_MAX / 9) {
        return hf_error_set(error, HF_ERROR_RANGE, "friction-contact problem: %d contacts",
                            p->contacts);
    }
    if (p->start == NULL && p->bodies == NULL) {
        return hf_error_set(error, HF_ERROR_INPUT,
                            "friction-contact problem: it has neither W nor bodies");
    }
    // Its parts
    if (p->start != NULL) {
        HF_TRY(check_matrix(p, error));
    }
    if (p->bodies != NULL) {
        HF_TRY(check_bodies(p, error));
    }
    // Numbers
    HF_TRY(check_numbers("q", p->q, 3 * (size_t)p->contacts, error));
    HF_TRY(check_numbers("mu", p->mu, (size_t)p->contacts, error));
    for (int i = 0; i < p->contacts; ++i) {
        if (p->mu[i] < 0.0) {
            return hf_error_set(error, HF_ERROR_RANGE,
                                "friction-contact problem: mu[%d] = %g is negative", i, p->mu[i]);
        }
        if (p->mu[i] > MOST_FRICTION) {
            return hf_error_set(error, HF_ERROR_RANGE,
                                "friction-contact problem: mu[%d] = %g, expected at most %g", i,
                                p->mu[i], MOST_FRICTION);
        }
    }
    return HF_OK;
}

// ------------------------------------------------------------------------------------------------
// Building block rows

void hf_fc3d_problem_destroy(hf_fc3d_problem *problem)
{
    if (problem != NULL) {
        hf_fc3d_owned *o = (hf_fc3d_owned *)(void *)problem;
        hf_arena_free(&o->arena);
        free(o);
    }
}

static hf_fc3d_problem *no_memory(hf_fc3d_owned *o, hf_error *error)
{
    hf_fc3d_problem_destroy(o == NULL ? NULL : &o->problem);
    (void)hf_error_set(error, HF_ERROR_MEMORY, "out of memory for a friction-contact problem");
    return NULL;
}

hf_status hf_fc3d_matrix_check(const char *name, const hf_fc3d_matrix *m, hf_error *error)
{
    bool good = m->rows >= 0 && m->columns >= 0 && m->start[0] == 0;
    for (int j = 0; good && j < m->columns; ++j) {
        good = m->start[j + 1] >= m->start[j];
        for (int k = m->start[j]; good && k < m->start[j + 1]; ++k) {
            good = m->row[k] >= 0 && m->row[k] < m->rows;
        }
    }
    if (!good) {
        return hf_error_set(error, HF_ERROR_INPUT,
                            "friction-contact problem: %s: the indices are not those of a %d x %d "
                            "matrix",
                            name, m->rows, m->columns);
    }
    return check_numbers(name, m->value, (size_t)m->start[m->columns], error);
}

// Block columns touched by block row i, without repetition; returns how many. Rows and columns of
// W exchange their roles: its pattern is made symmetric.
typedef struct builder {
    int contacts;
    const hf_fc3d_matrix *w;
    int *transposed_start, *transposed_row; // block pattern of the transpose, with repetitions
    int *mark, *list;
} builder;

static int neighbours(const builder *b, int i)
{
    int count = 0;
    b->mark[i] = i;
    b->list[count++] = i;
    for (int k = b->w->start[3 * i]; k < b->w->start[3 * i + 3]; ++k) {
        int j = b->w->row[k] / 3;
        if (b->mark[j] != i) {
            b->mark[j] = i;
            b->list[count++] = j;
        }
    }
    for (int k = b->transposed_start[i]; k < b->transposed_start[i + 1]; ++k) {
        int j = b->transposed_row[k];
        if (b->mark[j] != i) {
            b->mark[j] = i;
            b->list[count++] = j;
        }
    }
    return count;
}

static int compare_ints(const void *left, const void *right)
{
    int a = *(const int *)left, b = *(const int *)right;
    return (a > b) - (a < b);
}

static bool start_builder(builder *b, hf_arena *arena)
{
    size_t n = (size_t)b->contacts, entries = (size_t)b->w->start[3 * b->contacts];
    b->transposed_start = hf_arena_alloc(arena, n + 2, sizeof(int));
    b->transposed_row = hf_arena_alloc(arena, entries + 1, sizeof(int));
    b->mark = hf_arena_alloc(arena, n + 1, sizeof(int));
    b->list = hf_arena_alloc(arena, n + 1, sizeof(int));
    if (b->transposed_start == NULL || b->transposed_row == NULL || b->mark == NULL ||
        b->list == NULL) {
        return false;
    }
    for (size_t k = 0; k < entries; ++k) {
        ++b->transposed_start[b->w->row[k] / 3 + 1];
    }
    for (size_t i = 0; i < n; ++i) {
        b->transposed_start[i + 1] += b->transposed_start[i];
        b->mark[i] = b->transposed_start[i];
    }
    for (int j = 0; j < 3 * b->contacts; ++j) {
        for (int k = b->w->start[j]; k < b->w->start[j + 1]; ++k) {
            b->transposed_row[b->mark[b->w->row[k] / 3]++] = j / 3;
        }
    }
    for (size_t i = 0; i < n; ++i) {
        b->mark[i] = -1;
    }
    return true;
}

static void add_values(const hf_fc3d_matrix *w, int contacts, const int *start, const int *column,
                       double *blocks)
{
    for (int j = 0; j < 3 * contacts; ++j) {
        for (int k = w->start[j]; k < w->start[j + 1]; ++k) {
            int i = w->row[k] / 3;
            int key = j / 3, low = start[i], high = start[i + 1] - 1;
            while (low < high) {
                int middle = low + (high - low) / 2;
                if (column[middle] < key) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            blocks[9 * (size_t)low + 3 * (size_t)(w->row[k] % 3) + (size_t)(j % 3)] += w->value[k];
        }
    }
}

hf_fc3d_problem *hf_fc3d_problem_create(const hf_fc3d_matrix *w, const double *q, const double *mu,
                                        hf_error *error)
{
    if (hf_fc3d_matrix_check("W", w, error) != HF_OK) {
        return NULL;
    }
    if (w->rows != w->columns || w->rows % 3 != 0) {
        (void)hf_error_set(error, HF_ERROR_INPUT,
                           "friction-contact problem: W is %d x %d, expected a square of three "
                           "rows a contact",
                           w->rows, w->columns);
        return NULL;
    }
    hf_arena arena = {0};
    hf_fc3d_matrix whole = *w;
    hf_fc3d_problem *problem = NULL;
    if (hf_fc3d_matrix_complete("W", &arena, &whole, error) == HF_OK) {
        problem = hf_fc3d_problem_build(&whole, q, mu, error);
    }
    hf_arena_free(&arena);
    return problem;
}

hf_fc3d_problem *hf_fc3d_problem_build(const hf_fc3d_matrix *w, const double *q, const double *mu,
                                       hf_error *error)
{
    hf_fc3d_owned *o = calloc(1, sizeof *o);
    hf_arena scratch = {0};
    builder b = {.contacts = w->columns / 3, .w = w};
    size_t n = (size_t)b.contacts;
    if (o == NULL || !start_builder(&b, &scratch)) {
        hf_arena_free(&scratch);
        return no_memory(o, error);
    }
    // How many neighbours each contact has, itself among them
    int *start = hf_arena_alloc(&o->arena, n + 1, sizeof(int));
    size_t total = 0;
    for (int i = 0; start != NULL && i < b.contacts; ++i) {
        total += (size_t)neighbours(&b, i);
        start[i + 1] = (int)total;
    }
    int *column = hf_arena_alloc(&o->arena, total, sizeof(int));
    double *blocks = hf_arena_alloc(&o->arena, total, 9 * sizeof(double));
    o->problem = (hf_fc3d_problem){.contacts = b.contacts,
                                   .start = start,
                                   .column = column,
                                   .w = blocks,
                                   .q = hf_arena_copy(&o->arena, q, 3 * n, sizeof(double)),
                                   .mu = hf_arena_copy(&o->arena, mu, n, sizeof(double))};
    bool good = start != NULL && column != NULL && blocks != NULL && o->problem.q != NULL &&
                o->problem.mu != NULL && total <= INT32_MAX;
    for (int i = 0; good && i < b.contacts; ++i) {
        b.mark[i] = -1;
    }
    // Columns in rising order, then the numbers
    for (int i = 0; good && i < b.contacts; ++i) {
        int count = neighbours(&b, i);
        memcpy(column + start[i], b.list, (size_t)count * sizeof(int));
        qsort(column + start[i], (size_t)count, sizeof(int), compare_ints);
    }
    if (good) {
        add_values(w, b.contacts, start, column, blocks);
    }
    hf_arena_free(&scratch);
    if (!good) {
        return no_memory(o, error);
    }
    if (hf_fc3d_problem_check(&o->problem, error) != HF_OK) {
        hf_fc3d_problem_destroy(&o->problem);
        return NULL;
    }
    return &o->problem;
}
