// SPDX-License-Identifier: Apache-2.0
// What can be held is held.
//
// Redundant contacts leave their normal forces open, and with them what friction holds: the problem
// of modes (solvers/small/mixed.h) then has solutions in which the machine rests and others in
// which it moves. Whether it can rest is a convex question with one answer,
//   W f = c,   f within all cones and levels,
// and the machine breaks away where there is none. Asked with a part of all bounds it tells how
// far forces can be from them (switch_share.c).
#include <math.h>
#include <string.h>

#include "math/row.h"
#include "methods/switch/switch.h"
#include "solvers/small/least_cone.h"
#include "solvers/small/rows.h"

// Rows of W that follow from others but for this part of their length do follow.
#define FOLLOWS 1e-9
// Forces balance to this part of what they are for.
#define BALANCED 1e-10
// Larger machines take the solution that was found.
enum { MOST_ITEMS = 64, MOST_RANK = 48 };

size_t hf_switch_hold_work(int rows)
{
    size_t blocks = (size_t)(rows < MOST_ITEMS ? rows : MOST_ITEMS);
    size_t rank = (size_t)(rows < MOST_RANK ? rows : MOST_RANK);
    // Q in rows of W, C and x in blocks of three
    return rank * (size_t)rows + 3 * rank * blocks + 3 * blocks + rank +
           hf_least_cone_work((int)rank, (int)blocks);
}

// The set that an item's force at rest is in. False: none that is a block.
static bool take_block(const hf_mixed_item *item, hf_block *block)
{
    bool box = item->law == HF_MIXED_BOX;
    bool pushes = box && item->low <= -HF_STOP_NONE && item->high == 0.0;
    bool pulls = box && item->high >= HF_STOP_NONE && item->low == 0.0;
    bool friction = box && item->low == -item->high && item->high < HF_STOP_NONE;
    bool loaded = item->load >= 0;
    *block = (hf_block){HF_BLOCK_NONE, 0.0};
    if (item->law == HF_MIXED_CONE) {
        *block =
            item->mu > 0.0 ? (hf_block){HF_BLOCK_CONE, item->mu} : (hf_block){HF_BLOCK_LINE, 0};
    } else if (pushes || pulls) {
        block->kind = HF_BLOCK_LINE;
    } else if (friction || (item->law == HF_MIXED_BALL && item->dim <= 2)) {
        *block = (hf_block){HF_BLOCK_BALL, friction ? item->high : item->radius};
    }
    return block->kind != HF_BLOCK_NONE && !loaded;
}

// The number of a block that row k of an item is, and its sign: pushing forces are positive there.
static int place_of(const hf_mixed_item *item, const hf_block *block, int k, double *sign)
{
    bool normal = k == 0 && (item->law == HF_MIXED_CONE || item->high == 0.0);
    *sign = normal && block->kind != HF_BLOCK_BALL ? -1.0 : 1.0;
    return block->kind == HF_BLOCK_BALL ? 1 + k : k;
}

// Rows of an item whose motion it holds: of a contact without friction that of its normal.
static int rows_of(const hf_mixed_item *item)
{
    return item->law == HF_MIXED_CONE && !(item->mu > 0.0) ? 1 : item->dim;
}

// The least push of a contact that is asked for.
static double lift_of(const hf_switch *own, const hf_mixed_item *item)
{
    return item->law == HF_MIXED_CONE ? own->lift : 0.0;
}

// Q: orthonormal rows that span those of W that items hold; d of Q f = d. Returns how many rows.
static int span(const hf_switch *own, int rows, double *q, double *d)
{
    size_t n = (size_t)rows;
    int rank = 0;
    double along[MOST_RANK];
    for (int i = 0; i < own->listed; ++i) {
        const hf_mixed_item *item = &own->items[i];
        for (int row = item->row; row < item->row + rows_of(item) && rank < MOST_RANK; ++row) {
            const double *line = own->w + (size_t)row * n;
            memcpy(q + (size_t)rank * n, line, n * sizeof *q);
            if (hf_rows_join(q, rank, n, FOLLOWS)) {
                hf_rows_times(q, rank + 1, n, line, along);
                d[rank] = (own->c[row] - hf_row_dot(along, d, (size_t)rank)) / along[rank];
                rank += 1;
            }
        }
    }
    return rank;
}

// Whether forces f leave nothing in motion.
static bool holds(const hf_switch *own, int rows, const double *f)
{
    bool held = true;
    for (int i = 0; i < own->listed; ++i) {
        const hf_mixed_item *item = &own->items[i];
        for (int row = item->row; row < item->row + rows_of(item) && held; ++row) {
            const double *line = own->w + (size_t)row * (size_t)rows;
            double a = own->c[row], size = fabs(a);
            for (int j = 0; j < rows; ++j) {
                a -= line[j] * f[j];
                size += fabs(line[j] * f[j]);
            }
            held = fabs(a) <= HF_SWITCH_AT_BOUND * size;
        }
    }
    return held;
}

// Forces within all bounds that hold all that is listed, the least of them. False: there are none,
// or bounds are not of that kind; own->f is as before.
static bool find_hold(hf_switch *own, int rows)
{
    hf_block block[MOST_ITEMS];
    int count = own->listed, columns = 3 * count;
    if (count > MOST_ITEMS || own->follows) {
        return false;
    }
    for (int i = 0; i < count; ++i) {
        if (!take_block(&own->items[i], &block[i])) {
            return false;
        }
    }
    // C x = d in blocks of three
    double *q = own->hold, *d = q + (size_t)(rows < MOST_RANK ? rows : MOST_RANK) * (size_t)rows;
    int rank = span(own, rows, q, d);
    double *c = d + rank, *x = c + (size_t)rank * (size_t)columns, sign;
    memset(c, 0, (size_t)rank * (size_t)columns * sizeof *c);
    for (int i = 0; i < count; ++i) {
        const hf_mixed_item *item = &own->items[i];
        for (int k = 0; k < rows_of(item); ++k) {
            int at = 3 * i + place_of(item, &block[i], k, &sign);
            for (int r = 0; r < rank; ++r) {
                c[r * columns + at] = sign * q[(size_t)r * (size_t)rows + (size_t)(item->row + k)];
                d[r] -= k == 0 ? lift_of(own, item) * c[r * columns + at] : 0.0;
            }
        }
    }
    const hf_least_cone problem = {
        .rows = rank, .blocks = count, .c = c, .d = d, .block = block, .x = x, .work = x + columns};
    if (!hf_least_cone_solve(&problem, BALANCED)) {
        return false;
    }
    // Forces of the rows
    double *f = own->copy;
    for (int i = 0; i < count; ++i) {
        const hf_mixed_item *item = &own->items[i];
        memset(f + item->row, 0, (size_t)item->dim * sizeof *f);
        for (int k = 0; k < rows_of(item); ++k) {
            int at = 3 * i + place_of(item, &block[i], k, &sign);
            f[item->row + k] = sign * (x[at] + (k == 0 ? lift_of(own, item) : 0.0));
        }
    }
    if (!holds(own, rows, f)) {
        return false;
    }
    memcpy(own->f, f, (size_t)rows * sizeof *f);
    memcpy(own->ahead, f, (size_t)rows * sizeof *f);
    memset(own->side, 0, (size_t)rows * sizeof *own->side);
    return true;
}

bool hf_switch_solve_rest(hf_switch *own, const hf_element *elements, int rows)
{
    bool contacts = false, slips = false;
    for (int i = 0; i < own->listed; ++i) {
        contacts = contacts || own->items[i].law == HF_MIXED_CONE;
        slips = slips || elements[own->list[i]].forced;
    }
    bool solved = hf_switch_solve(own, rows);
    own->tight = false;
    if (own->redundant && contacts && !slips && !own->even &&
        !(solved && holds(own, rows, own->f))) {
        own->tight = find_hold(own, rows);
        solved = own->tight || solved;
    }
    return solved;
}
