// SPDX-License-Identifier: Apache-2.0
// Factorization by tiles of 6x6; see tile_lu.h. With rows and columns in the order of elimination,
// and N_k the rows behind k that k is next to when its turn comes,
//
//   L_ik := A_ik A_kk^-1,   A_ij := A_ij - L_ik A_kj       i, j in N_k                         (1)
//
// N_k is what A has there, and what the rows before k that have k as the first of theirs leave.
#include "tile_lu.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "block_lu_internal.h"
#include "laws/batch.h"
#include "math/lanes.h"

// A pivot smaller than this share of the size of A is lifted.
static const double LEAST_PIVOT = 1e-15;

struct hf_tile_lu {
    hf_arena arena;
    int most_nodes, most_tiles, pool_size;
    // The pattern that was planned for.
    int n;
    int *start, *column;
    hf_block_graph graph;
    int *order, *place;         // the row eliminated as k-th, and its inverse
    int *first_child, *brother; // rows whose first neighbour behind them is k
    int *mark, *work[HF_BLOCK_LU_WORK], *pool;
    int *tile;   // [tiles] of the pattern
    int *behind; // [nodes + 1] where N_k begins
    int *at;     // [nodes] those of N_k that are not zero
    double *x;   // [6 nodes]
    double work_size;
    // Depends on the fill: diagonal tiles, then those of rows k and columns N_k, then the others.
    int *rows; // N_k, ascending
    size_t room;
    double *tiles;
};

hf_tile_lu *hf_tile_lu_create(int nodes, int tiles, const hf_allocator *allocator)
{
    hf_tile_lu *lu = hf_memory_take(allocator, sizeof *lu);
    if (lu == NULL) {
        return NULL;
    }
    *lu = (hf_tile_lu){.arena = {.allocator = *allocator},
                       .most_nodes = nodes,
                       .most_tiles = tiles,
                       .pool_size = tiles + 2 * nodes + 1,
                       .n = -1};
    // What depends on the counts of rows and tiles alone, in one piece
    size_t n = (size_t)nodes + 2, m = (size_t)tiles + 1;
    int *work = NULL;
    const hf_arena_want wanted[] = {{&lu->start, n, sizeof(int)},
                                    {&lu->column, m, sizeof(int)},
                                    {&lu->graph.start, n, sizeof(int)},
                                    {&lu->graph.next, m, sizeof(int)},
                                    {&lu->graph.weight, n, sizeof(int)},
                                    {&lu->order, n, sizeof(int)},
                                    {&lu->place, n, sizeof(int)},
                                    {&lu->first_child, n, sizeof(int)},
                                    {&lu->brother, n, sizeof(int)},
                                    {&lu->mark, n, sizeof(int)},
                                    {&lu->tile, m, sizeof(int)},
                                    {&lu->behind, n, sizeof(int)},
                                    {&lu->at, n, sizeof(int)},
                                    {&lu->x, HF_TILE * n, sizeof(double)},
                                    {&lu->pool, (size_t)lu->pool_size, sizeof(int)},
                                    {&work, HF_BLOCK_LU_WORK * n, sizeof(int)}};
    if (!hf_arena_take(&lu->arena, wanted, sizeof wanted / sizeof *wanted)) {
        hf_tile_lu_destroy(lu);
        return NULL;
    }
    // Room for the search of an order
    for (size_t i = 0; i < HF_BLOCK_LU_WORK; ++i) {
        lu->work[i] = work + i * n;
    }
    return lu;
}

void hf_tile_lu_destroy(hf_tile_lu *lu)
{
    if (lu == NULL) {
        return;
    }
    const hf_allocator allocator = lu->arena.allocator;
    hf_memory_give(&allocator, lu->rows);
    hf_memory_give(&allocator, lu->tiles);
    hf_arena_free(&lu->arena);
    hf_memory_give(&allocator, lu);
}

// ------------------------------------------------------------------------------------------------
// Plan

static void find_order(hf_tile_lu *lu)
{
    hf_block_graph *g = &lu->graph;
    int used = 0;
    g->groups = lu->n;
    for (int i = 0; i < lu->n; ++i) {
        g->start[i] = used;
        g->weight[i] = 1;
        for (int k = lu->start[i]; k < lu->start[i + 1]; ++k) {
            if (lu->column[k] != i) {
                g->next[used++] = lu->column[k];
            }
        }
    }
    g->start[lu->n] = used;
    hf_block_order(g, lu->order, lu->work, lu->pool, lu->pool_size);
    for (int k = 0; k < lu->n; ++k) {
        lu->place[lu->order[k]] = k;
    }
}

// Adds a row to N_k, in its place.
static void add_row(hf_tile_lu *lu, int k, int row, int *used)
{
    if (row <= k || lu->mark[row] == k) {
        return;
    }
    lu->mark[row] = k;
    int at = (*used)++;
    for (; at > lu->behind[k] && lu->rows[at - 1] > row; --at) {
        lu->rows[at] = lu->rows[at - 1];
    }
    lu->rows[at] = row;
}

// N_k of all rows; false: there is too little room.
static bool find_fill(hf_tile_lu *lu)
{
    int used = 0;
    lu->work_size = 0.0;
    for (int k = 0; k < lu->n; ++k) {
        lu->mark[k] = lu->first_child[k] = -1;
    }
    for (int k = 0; k < lu->n; ++k) {
        lu->behind[k] = used;
        if (lu->room < (size_t)used + (size_t)(lu->n - k)) {
            return false;
        }
        // What A has, and what the children leave
        int i = lu->order[k];
        for (int m = lu->start[i]; m < lu->start[i + 1]; ++m) {
            add_row(lu, k, lu->place[lu->column[m]], &used);
        }
        for (int child = lu->first_child[k]; child >= 0; child = lu->brother[child]) {
            for (int m = lu->behind[child]; m < lu->behind[child + 1]; ++m) {
                add_row(lu, k, lu->rows[m], &used);
            }
        }
        // Its work, and its parent in the tree of eliminations: the first row behind it
        lu->behind[k + 1] = used;
        double count = used - lu->behind[k];
        lu->work_size += HF_TILE_SIZE * HF_TILE * (count * count + count + 1.0);
        if (used > lu->behind[k]) {
            int parent = lu->rows[lu->behind[k]];
            lu->brother[k] = lu->first_child[parent];
            lu->first_child[parent] = k;
        }
    }
    return true;
}

// Where the tile of two rows is.
static int find_tile(const hf_tile_lu *lu, int row, int column)
{
    int low = row < column ? row : column, high = row < column ? column : row, at = lu->behind[low];
    if (row == column) {
        return row;
    }
    while (lu->rows[at] != high) {
        ++at;
    }
    return lu->n + at + (row < column ? 0 : lu->behind[lu->n]);
}

static hf_status make_room(hf_tile_lu *lu)
{
    const hf_allocator *allocator = &lu->arena.allocator;
    size_t room = 2 * lu->room + 4 * (size_t)lu->most_nodes + 16;
    hf_memory_give(allocator, lu->rows);
    hf_memory_give(allocator, lu->tiles);
    lu->rows = hf_memory_take(allocator, room * sizeof *lu->rows);
    lu->tiles = hf_memory_take(allocator, ((size_t)lu->most_nodes + 2 * room) * HF_TILE_SIZE *
                                              sizeof *lu->tiles);
    bool good = lu->rows != NULL && lu->tiles != NULL;
    lu->room = good ? room : 0;
    return good ? HF_OK : HF_ERROR_MEMORY;
}

hf_status hf_tile_lu_plan(hf_tile_lu *lu, int n, const int *start, const int *column, bool grow)
{
    if (n > lu->most_nodes || start[n] > lu->most_tiles) {
        return HF_ERROR_RANGE;
    }
    // As it was
    size_t starts = ((size_t)n + 1) * sizeof *start, columns = (size_t)start[n] * sizeof *column;
    if (lu->n == n && memcmp(lu->start, start, starts) == 0 &&
        memcmp(lu->column, column, columns) == 0) {
        return HF_OK;
    }
    // Order and fill
    memcpy(lu->start, start, starts);
    memcpy(lu->column, column, columns);
    lu->n = n;
    find_order(lu);
    while (!find_fill(lu)) {
        hf_status status = grow ? make_room(lu) : HF_ERROR_MEMORY;
        if (status != HF_OK) {
            lu->n = -1;
            return status;
        }
    }
    // Where the pattern's tiles are
    for (int i = 0; i < n; ++i) {
        for (int k = start[i]; k < start[i + 1]; ++k) {
            lu->tile[k] = find_tile(lu, lu->place[i], lu->place[column[k]]);
        }
    }
    return HF_OK;
}

double hf_tile_lu_work(const hf_tile_lu *lu)
{
    return lu->work_size;
}

static size_t count_tiles(const hf_tile_lu *lu)
{
    return (size_t)lu->n + 2 * (size_t)lu->behind[lu->n];
}

double *hf_tile_lu_clear(hf_tile_lu *lu, const int **place)
{
    memset(lu->tiles, 0, count_tiles(lu) * HF_TILE_SIZE * sizeof *lu->tiles);
    *place = lu->tile;
    return lu->tiles;
}

// ------------------------------------------------------------------------------------------------
// Numbers

// Six numbers side by side.
typedef struct six {
    hf_four head;
    hf_two tail;
} six;

HF_BATCH_BODY six load_six(const double *from)
{
    six x;
    HF_LANES_LOAD(x.head, from);
    HF_LANES_LOAD(x.tail, from + 4);
    return x;
}

HF_BATCH_BODY void store_six(double *to, const six *x)
{
    HF_LANES_STORE(to, x->head);
    HF_LANES_STORE(to + 4, x->tail);
}

// C -= A B
HF_BATCH_BODY void subtract_product(const double *a, const double *b, double *c)
{
    six r0 = load_six(b), r1 = load_six(b + 6), r2 = load_six(b + 12), r3 = load_six(b + 18),
        r4 = load_six(b + 24), r5 = load_six(b + 30);
    for (int i = 0; i < HF_TILE; ++i, a += HF_TILE, c += HF_TILE) {
        six sum = load_six(c);
        sum.head -= (a[0] * r0.head + a[1] * r1.head) + (a[2] * r2.head + a[3] * r3.head) +
                    (a[4] * r4.head + a[5] * r5.head);
        sum.tail -= (a[0] * r0.tail + a[1] * r1.tail) + (a[2] * r2.tail + a[3] * r3.tail) +
                    (a[4] * r4.tail + a[5] * r5.tail);
        store_six(c, &sum);
    }
}

// A := A B
HF_BATCH_BODY void multiply(double *a, const double *b)
{
    double left[HF_TILE_SIZE], product[HF_TILE_SIZE] = {0};
    for (int i = 0; i < HF_TILE_SIZE; ++i) {
        left[i] = -a[i];
    }
    subtract_product(left, b, product);
    memcpy(a, product, sizeof product);
}

// A := A^-1 by rows, the largest pivot of a column first. False: it is not finite.
HF_BATCH_BODY bool invert(double *a, double least)
{
    int from[HF_TILE];
    double sum = 0.0;
    for (int k = 0; k < HF_TILE; ++k) {
        // The row of the pivot comes to its place
        int best = k;
        for (int i = k + 1; i < HF_TILE; ++i) {
            best = fabs(a[HF_TILE * i + k]) > fabs(a[HF_TILE * best + k]) ? i : best;
        }
        from[k] = best;
        double *row = a + HF_TILE * k;
        six x = load_six(row), y = load_six(a + HF_TILE * best);
        store_six(a + HF_TILE * best, &x);
        store_six(row, &y);
        double pivot = a[HF_TILE * k + k];
        pivot = fabs(pivot) < least ? copysign(least, pivot) : pivot;
        // and leaves the others; column k, which becomes that of the inverse, is written last: a
        // processor waits where it reads side by side what was written one by one
        double inverse = 1.0 / pivot;
        y.head *= inverse;
        y.tail *= inverse;
        store_six(row, &y);
        row[k] = inverse;
        for (int i = 0; i < HF_TILE; ++i) {
            if (i != k) {
                double *other = a + HF_TILE * i, factor = other[k];
                x = load_six(other);
                x.head -= factor * y.head;
                x.tail -= factor * y.tail;
                store_six(other, &x);
                other[k] = -factor * inverse;
            }
        }
        sum += inverse * 0.0;
    }
    // Columns back, as rows were exchanged
    for (int k = HF_TILE - 1; k >= 0; --k) {
        for (int i = 0; i < HF_TILE && from[k] != k; ++i) {
            double kept = a[HF_TILE * i + k];
            a[HF_TILE * i + k] = a[HF_TILE * i + from[k]];
            a[HF_TILE * i + from[k]] = kept;
        }
    }
    return sum == 0.0;
}

// The root of the sum of n squares, n a multiple of four.
HF_BATCH_BODY double find_size(const double *x, size_t n)
{
    hf_four sum = {0}, next;
    for (size_t i = 0; i < n; i += 4) {
        HF_LANES_LOAD(next, x + i);
        sum += next * next;
    }
    return sqrt((sum[0] + sum[1]) + (sum[2] + sum[3]));
}

HF_BATCH_BODY bool is_zero(const double *a)
{
    hf_four_mask all = {0}, next;
    for (int i = 0; i < HF_TILE_SIZE; i += 4) {
        HF_LANES_LOAD(next, a + i);
        all |= next;
    }
    unsigned long long bits = (unsigned long long)((all[0] | all[1]) | (all[2] | all[3]));
    return bits << 1 == 0; // but for signs
}

// (1) with pivot k; where two bodies only share contacts that are open, all is zero.
HF_BATCH_BODY void eliminate(hf_tile_lu *lu, int k, double *upper, double *lower)
{
    int count = 0, *some = lu->at;
    for (int a = lu->behind[k]; a < lu->behind[k + 1]; ++a) {
        double *left = lower + HF_TILE_SIZE * (size_t)a;
        if (!is_zero(left) || !is_zero(upper + HF_TILE_SIZE * (size_t)a)) {
            multiply(left, lu->tiles + HF_TILE_SIZE * (size_t)k);
            some[count++] = a;
        }
    }
    for (int m = 0; m < count; ++m) {
        const double *left = lower + HF_TILE_SIZE * (size_t)some[m];
        const double *right = upper + HF_TILE_SIZE * (size_t)some[m];
        int i = lu->rows[some[m]], at = lu->behind[i];
        subtract_product(left, right, lu->tiles + HF_TILE_SIZE * (size_t)i);
        for (int b = m + 1; b < count; ++b) {
            while (lu->rows[at] != lu->rows[some[b]]) {
                ++at;
            }
            subtract_product(left, upper + HF_TILE_SIZE * (size_t)some[b],
                             upper + HF_TILE_SIZE * (size_t)at);
            subtract_product(lower + HF_TILE_SIZE * (size_t)some[b], right,
                             lower + HF_TILE_SIZE * (size_t)at);
        }
    }
}

HF_BATCH_BODY void factorize_all(hf_tile_lu *lu, bool *good)
{
    size_t beyond = HF_TILE_SIZE * (size_t)lu->behind[lu->n];
    double *upper = lu->tiles + HF_TILE_SIZE * (size_t)lu->n, *lower = upper + beyond;
    double least = LEAST_PIVOT * find_size(lu->tiles, count_tiles(lu) * HF_TILE_SIZE);
    *good = isfinite(least);
    for (int k = 0; k < lu->n && *good; ++k) {
        *good = invert(lu->tiles + HF_TILE_SIZE * (size_t)k, least);
        eliminate(lu, k, upper, lower);
    }
}

static void factorize(hf_tile_lu *lu, bool *good);
HF_BATCH(factorize, factorize_all, (hf_tile_lu * lu, bool *good), (lu, good))

bool hf_tile_lu_factorize(hf_tile_lu *lu)
{
    bool good = false;
    factorize(lu, &good);
    return good;
}

// y -= A x
HF_BATCH_BODY void subtract_image(const double *a, const double *x, double *y)
{
    six v = load_six(x);
    for (int i = 0; i < HF_TILE; ++i, a += HF_TILE) {
        six row = load_six(a);
        hf_four head = row.head * v.head;
        hf_two tail = row.tail * v.tail;
        y[i] -= ((head[0] + head[2]) + (head[1] + head[3])) + (tail[0] + tail[1]);
    }
}

HF_BATCH_BODY void solve_all(hf_tile_lu *lu, double *x)
{
    size_t beyond = HF_TILE_SIZE * (size_t)lu->behind[lu->n];
    const double *upper = lu->tiles + HF_TILE_SIZE * (size_t)lu->n, *lower = upper + beyond;
    double *y = lu->x;
    for (int k = 0; k < lu->n; ++k) {
        memcpy(y + HF_TILE * k, x + HF_TILE * lu->order[k], HF_TILE * sizeof *y);
    }
    for (int k = 0; k < lu->n; ++k) {
        for (int a = lu->behind[k]; a < lu->behind[k + 1]; ++a) {
            subtract_image(lower + HF_TILE_SIZE * (size_t)a, y + HF_TILE * k,
                           y + HF_TILE * lu->rows[a]);
        }
    }
    for (int k = lu->n - 1; k >= 0; --k) {
        double rest[HF_TILE], *to = x + HF_TILE * lu->order[k];
        memcpy(rest, y + HF_TILE * k, sizeof rest);
        for (int a = lu->behind[k]; a < lu->behind[k + 1]; ++a) {
            subtract_image(upper + HF_TILE_SIZE * (size_t)a, y + HF_TILE * lu->rows[a], rest);
        }
        memset(y + HF_TILE * k, 0, HF_TILE * sizeof *y);
        subtract_image(lu->tiles + HF_TILE_SIZE * (size_t)k, rest, y + HF_TILE * k);
        for (int i = 0; i < HF_TILE; ++i) {
            to[i] = y[HF_TILE * k + i] = -y[HF_TILE * k + i];
        }
    }
}

HF_BATCH(hf_tile_lu_solve, solve_all, (hf_tile_lu * lu, double *x), (lu, x))
