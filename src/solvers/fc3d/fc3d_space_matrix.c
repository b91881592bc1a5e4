// SPDX-License-Identifier: Apache-2.0
// M + H G H': its pattern, and its factorization.
#include <string.h>

#include "base/error.h"
#include "fc3d_space.h"

static int rows_of(const hf_fc3d_space *t, int body)
{
    return t->row[body + 1] - t->row[body];
}

// ------------------------------------------------------------------------------------------------
// Pattern

static void find_touching(hf_fc3d_space *t)
{
    int bodies = t->b->count;
    const int *pair = t->b->pair;
    memset(t->touch_start, 0, (size_t)(bodies + 2) * sizeof(int));
    for (int i = 0; i < 2 * t->contacts; ++i) {
        if (pair[i] >= 0) {
            ++t->touch_start[pair[i] + 2];
        }
    }
    for (int b = 0; b < bodies; ++b) {
        t->touch_start[b + 2] += t->touch_start[b + 1];
    }
    for (int i = 0; i < 2 * t->contacts; ++i) {
        if (pair[i] >= 0) {
            t->touch[t->touch_start[pair[i] + 1]++] = i;
        }
    }
}

// Neighbours of every body, itself among them, in ascending order.
static void find_near(hf_fc3d_space *t)
{
    int used = 0, *mark = t->place;
    for (int b = 0; b < t->b->count; ++b) {
        mark[b] = -1;
    }
    for (int b = 0; b < t->b->count; ++b) {
        int first = used;
        t->near_start[b] = first;
        if (rows_of(t, b) == 0) {
            continue;
        }
        t->near[used++] = b;
        mark[b] = b;
        for (int k = t->touch_start[b]; k < t->touch_start[b + 1]; ++k) {
            int other = t->b->pair[t->touch[k] ^ 1];
            if (other >= 0 && mark[other] != b) {
                mark[other] = b;
                int at = used++;
                for (; at > first && t->near[at - 1] > other; --at) {
                    t->near[at] = t->near[at - 1];
                }
                t->near[at] = other;
            }
        }
    }
    t->near_start[t->b->count] = used;
}

static void make_pattern(hf_fc3d_space *t)
{
    int used = 0;
    size_t tiles = 0;
    t->start[0] = 0;
    for (int b = 0; b < t->b->count; ++b) {
        int n = t->b->first[b + 1] - t->b->first[b];
        // Where each near body's tile begins
        for (int k = t->near_start[b]; k < t->near_start[b + 1]; ++k) {
            int other = t->near[k];
            t->place[other] = k;
            t->tile_at[k] = tiles;
            tiles += (size_t)n * (size_t)(t->b->first[other + 1] - t->b->first[other]);
        }
        t->own[b] = t->place[b];
        // Which tile a contact adds to
        for (int k = t->touch_start[b]; k < t->touch_start[b + 1]; ++k) {
            int side = t->touch[k], other = t->b->pair[side ^ 1];
            t->offset[side] = other < 0 ? 0 : t->place[other];
        }
        // Columns of its block rows
        for (int i = t->row[b]; i < t->row[b + 1]; ++i) {
            for (int k = t->near_start[b]; k < t->near_start[b + 1]; ++k) {
                for (int j = t->row[t->near[k]]; j < t->row[t->near[k] + 1]; ++j) {
                    t->column[used++] = j;
                }
            }
            t->start[i + 1] = used;
        }
    }
    t->tile_at[t->near_start[t->b->count]] = tiles;
}

void hf_fc3d_space_find_near(hf_fc3d_space *t)
{
    if (!t->near_known) {
        find_touching(t);
        find_near(t);
        make_pattern(t);
        t->near_known = true;
    }
}

hf_status hf_fc3d_space_plan(hf_fc3d_space *t, bool grow)
{
    hf_fc3d_space_find_near(t);
    if (!t->planned) {
        hf_block_pattern pattern = {.n = t->rows, .start = t->start, .column = t->column};
        HF_TRY(hf_block_lu_plan(t->lu, &pattern, grow));
        t->planned = true;
    }
    return HF_OK;
}

// ------------------------------------------------------------------------------------------------
// Numbers

// out += A'C of A [3][n] and C [3][m]
static inline void add_product(const double *a, int n, const double *c, int m, double *out)
{
    for (int i = 0; i < n; ++i) {
        double x = a[i], y = a[n + i], z = a[2 * n + i];
        for (int j = 0; j < m; ++j) {
            out[i * m + j] += x * c[j] + y * c[m + j] + z * c[2 * m + j];
        }
    }
}

// c := G A of A [3][n]
static inline void stiffen(const double *g, const double *a, int n, double *c)
{
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < n; ++j) {
            c[i * n + j] = g[3 * i] * a[j] + g[3 * i + 1] * a[n + j] + g[3 * i + 2] * a[2 * n + j];
        }
    }
}

// The tile of body b and its k-th neighbour is [freedoms of b][freedoms of the neighbour].
static double *tile_of(const hf_fc3d_space *t, int side, bool own)
{
    int body = t->b->pair[side];
    return t->tiles + t->tile_at[own ? t->own[body] : t->offset[side]];
}

// A contact's H G H': with each body's rows and columns.
static void add_contact(hf_fc3d_space *t, int contact, const double *g)
{
    for (int k = 0; k < 2; ++k) {
        int column = 2 * contact + k, body = t->b->pair[column];
        if (body < 0 || rows_of(t, body) == 0) {
            continue;
        }
        // G H' of one body
        const double *map = t->b->map + t->map_at[column];
        int m = t->b->first[body + 1] - t->b->first[body];
        double *c = t->stiffened;
        if (m == 6) {
            stiffen(g, map, 6, c);
        } else {
            stiffen(g, map, m, c);
        }
        // and H times it, into the rows of both
        for (int e = 0; e < 2; ++e) {
            int row = 2 * contact + e, other = t->b->pair[row];
            if (other < 0 || rows_of(t, other) == 0) {
                continue;
            }
            const double *a = t->b->map + t->map_at[row];
            int n = t->b->first[other + 1] - t->b->first[other];
            double *out = tile_of(t, row, e == k);
            if (n == 6 && m == 6) {
                add_product(a, 6, c, 6, out);
            } else {
                add_product(a, n, c, m, out);
            }
        }
    }
}

// The tiles of a body as blocks of three rows and columns, idle freedoms among them.
static void cut_tiles(hf_fc3d_space *t, int body)
{
    int n = t->b->first[body + 1] - t->b->first[body];
    for (int i = 0; i < rows_of(t, body); ++i) {
        double *out = t->blocks + 9 * (size_t)t->start[t->row[body] + i];
        for (int k = t->near_start[body]; k < t->near_start[body + 1]; ++k) {
            int other = t->near[k], m = t->b->first[other + 1] - t->b->first[other];
            const double *tile = t->tiles + t->tile_at[k];
            for (int j = 0; j < rows_of(t, other); ++j, out += 9) {
                for (int e = 0; e < 9; ++e) {
                    int row = 3 * i + e / 3, column = 3 * j + e % 3;
                    bool idle = row >= n || column >= m;
                    out[e] =
                        idle ? (double)(other == body && row == column) : tile[row * m + column];
                }
            }
        }
    }
}

bool hf_fc3d_space_factorize(hf_fc3d_space *t, const double *g)
{
    // M of each body
    memset(t->tiles, 0, t->tile_at[t->near_start[t->b->count]] * sizeof *t->tiles);
    for (int b = 0; b < t->b->count; ++b) {
        if (rows_of(t, b) == 0) {
            continue;
        }
        double *tile = t->tiles + t->tile_at[t->own[b]];
        size_t n = (size_t)(t->b->first[b + 1] - t->b->first[b]);
        if (t->b->mass != NULL) {
            memcpy(tile, t->b->mass + t->mass_at[b], n * n * sizeof *tile);
        }
        for (size_t k = 0; t->b->mass == NULL && k < n; ++k) {
            tile[k * n + k] = 1.0;
        }
    }
    // and what contacts add
    for (int i = 0; i < t->contacts; ++i) {
        const double *gi = g + 9 * (size_t)i;
        bool some = false;
        for (int k = 0; k < 9; ++k) {
            some = some || gi[k] != 0.0;
        }
        if (some) {
            add_contact(t, i, gi);
        }
    }
    // as blocks of 3 x 3
    for (int b = 0; b < t->b->count; ++b) {
        cut_tiles(t, b);
    }
    return hf_block_lu_factorize(t->lu, t->blocks, NULL, NULL) >= 0;
}
