// SPDX-License-Identifier: Apache-2.0
// W = Y Y' of a step's contacts: blocks where two contacts share a group.
#include <string.h>

#include "methods/timestep/timestep.h"

// w += A B' of two sides on one mover.
static inline void add_product(const double *restrict a, const double *restrict b, int count,
                               double w[9])
{
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            double sum = 0.0;
            for (int k = 0; k < count; ++k) {
                sum += a[i * count + k] * b[j * count + k];
            }
            w[3 * i + j] += sum;
        }
    }
}

// Contacts of each group, rising.
static void list_by_group(hf_timestep *ts)
{
    int *start = ts->delassus.group_start;
    memset(start, 0, ((size_t)ts->machine.group_count + 1) * sizeof *start);
    for (int i = 0; i < ts->problem.count; ++i) {
        for (int k = 0; k < ts->problem.contacts[i].side_count; ++k) {
            ++start[ts->problem.contacts[i].sides[k].group + 1];
        }
    }
    for (int i = 0; i < ts->machine.group_count; ++i) {
        start[i + 1] += start[i];
    }
    for (int i = ts->problem.count - 1; i >= 0; --i) {
        for (int k = 0; k < ts->problem.contacts[i].side_count; ++k) {
            // from the end, so that start[group + 1] becomes the beginning
            ts->delassus.group_items[--start[ts->problem.contacts[i].sides[k].group + 1]] =
                2 * i + k;
        }
    }
    memmove(start, start + 1, (size_t)ts->machine.group_count * sizeof *start);
    int total = 0;
    for (int i = 0; i < ts->problem.count; ++i) {
        total += ts->problem.contacts[i].side_count;
    }
    start[ts->machine.group_count] = total;
}

// Walks the contacts that share a mover with contact i, by rising number.
typedef struct neighbours {
    const int *at[2], *end[2];
} neighbours;

static neighbours neighbours_of(const hf_timestep *ts, const hf_ts_contact *contact)
{
    neighbours n = {{NULL, NULL}, {NULL, NULL}};
    for (int k = 0; k < contact->side_count; ++k) {
        int group = contact->sides[k].group;
        n.at[k] = ts->delassus.group_items + ts->delassus.group_start[group];
        n.end[k] = ts->delassus.group_items + ts->delassus.group_start[group + 1];
    }
    return n;
}

// The next neighbour, or -1; shared[k]: its side on the mover of side k, or -1.
static inline int next_neighbour(neighbours *n, int shared[2])
{
    int a = n->at[0] < n->end[0] ? *n->at[0] >> 1 : -1;
    int b = n->at[1] < n->end[1] ? *n->at[1] >> 1 : -1;
    int next = a < 0 ? b : (b < 0 || a <= b ? a : b);
    shared[0] = shared[1] = -1;
    if (next < 0) {
        return -1;
    }
    if (a == next) {
        shared[0] = *n->at[0]++ & 1;
    }
    if (b == next) {
        shared[1] = *n->at[1]++ & 1;
    }
    return next;
}

static long long count_blocks(const hf_timestep *ts)
{
    long long blocks = 0;
    for (int i = 0; i < ts->problem.count; ++i) {
        neighbours n = neighbours_of(ts, &ts->problem.contacts[i]);
        int shared[2];
        ts->delassus.start[i] = (int)blocks;
        while (next_neighbour(&n, shared) >= 0) {
            ++blocks;
        }
    }
    return blocks;
}

static void fill_block(const hf_timestep *ts, int i, int j, const int shared[2], double w[9])
{
    const hf_ts_contact *a = &ts->problem.contacts[i], *b = &ts->problem.contacts[j];
    memset(w, 0, 9 * sizeof *w);
    for (int k = 0; k < 2; ++k) {
        if (shared[k] < 0) {
            continue;
        }
        const double *ya = ts->problem.y + a->sides[k].y,
                     *yb = ts->problem.y + b->sides[shared[k]].y;
        if (a->sides[k].count == 6) {
            add_product(ya, yb, 6, w);
        } else {
            add_product(ya, yb, a->sides[k].count, w);
        }
    }
    for (int k = 0; k < 3 && i == j; ++k) {
        w[4 * k] += a->idle[k];
    }
}

// Row by row. Blocks below the diagonal are those above it, transposed: row j's blocks beyond the
// diagonal are met in their order.
static void fill_w(hf_timestep *ts)
{
    for (int i = 0, at = 0; i < ts->problem.count; ++i) {
        neighbours n = neighbours_of(ts, &ts->problem.contacts[i]);
        int shared[2];
        for (int j; (j = next_neighbour(&n, shared)) >= 0; ++at) {
            double *w = ts->delassus.w + 9 * (size_t)at;
            ts->delassus.column[at] = j;
            if (j >= i) {
                fill_block(ts, i, j, shared, w);
                ts->delassus.cursor[i] = j == i ? at + 1 : ts->delassus.cursor[i];
                continue;
            }
            const double *mirror = ts->delassus.w + 9 * (size_t)ts->delassus.cursor[j]++;
            for (int k = 0; k < 9; ++k) {
                w[k] = mirror[3 * (k % 3) + k / 3];
            }
        }
    }
}

hf_status hf_ts_assemble(hf_timestep *ts, const hf_allocator *allocator)
{
    list_by_group(ts);
    long long blocks = count_blocks(ts);
    if (blocks > INT32_MAX / 16) {
        return HF_ERROR_MEMORY;
    }
    size_t capacity = ts->delassus.block_capacity;
    void *grown = hf_ts_grow(allocator, ts->delassus.w, 0, (size_t)blocks, &capacity,
                             9 * sizeof *ts->delassus.w + sizeof *ts->delassus.column);
    if (grown == NULL) {
        return HF_ERROR_MEMORY;
    }
    ts->delassus.w = grown;
    ts->delassus.block_capacity = capacity;
    ts->delassus.column = (int *)(void *)(ts->delassus.w + 9 * capacity);
    ts->delassus.start[ts->problem.count] = (int)blocks;
    fill_w(ts);
    ts->delassus.assembled = true;
    return HF_OK;
}
