// SPDX-License-Identifier: Apache-2.0
// Sweep and prune: bounds in the order of their lower ends along the axis on which they are spread
// most; those that overlap there are compared on the other two, four at a time.
#include <math.h>

#include "collide/collide.h"
#include "laws/batch.h"
#include "math/lanes.h"

// ------------------------------------------------------------------------------------------------
// Sorting, without memory of its own

typedef struct by_least {
    const hf_bounds *bounds;
    int axis;
} by_least;

static bool is_before(const by_least *by, int a, int b)
{
    double x = by->bounds[a].least[by->axis], y = by->bounds[b].least[by->axis];
    return x != y ? x < y : a < b;
}

static void sift(const by_least *by, int *order, int root, int count)
{
    for (int child = 2 * root + 1; child < count; root = child, child = 2 * root + 1) {
        child += child + 1 < count && is_before(by, order[child], order[child + 1]);
        if (!is_before(by, order[root], order[child])) {
            return;
        }
        int moved = order[root];
        order[root] = order[child];
        order[child] = moved;
    }
}

static void heap_sort(const by_least *by, int *order, int count)
{
    for (int i = count / 2 - 1; i >= 0; --i) {
        sift(by, order, i, count);
    }
    for (int i = count - 1; i > 0; --i) {
        int last = order[0];
        order[0] = order[i];
        order[i] = last;
        sift(by, order, 0, i);
    }
}

// Insertion, which is fast for what is nearly sorted; when it is not, a heap.
static void sort(const by_least *by, int *order, int count)
{
    long long moves = 0, most = 16LL * count;
    for (int i = 1; i < count; ++i) {
        int moved = order[i], at = i;
        for (; at > 0 && is_before(by, moved, order[at - 1]); --at) {
            order[at] = order[at - 1];
            ++moves;
        }
        order[at] = moved;
        if (moves > most) {
            heap_sort(by, order, count);
            return;
        }
    }
}

// ------------------------------------------------------------------------------------------------

// Variance of the middles, of bounds that are finite.
static int widest_axis(const hf_sweep *sweep)
{
    double best = -1.0;
    int widest = 0;
    for (int axis = 0; axis < 3; ++axis) {
        double sum = 0.0, squares = 0.0;
        int count = 0;
        for (int i = 0; i < sweep->count; ++i) {
            double middle = sweep->bounds[i].least[axis] + sweep->bounds[i].most[axis];
            if (isfinite(middle)) {
                sum += middle;
                squares += middle * middle;
                ++count;
            }
        }
        double variance = count > 0 ? squares - sum * sum / count : 0.0;
        if (variance > best) {
            best = variance;
            widest = axis;
        }
    }
    return widest;
}

// Bounds in their order, side by side; behind them some that overlap none.
static void line_up(hf_sweep *sweep, int axis)
{
    for (int k = 0; k < 3; ++k) {
        double *least = sweep->lanes + (size_t)(2 * k) * (size_t)sweep->lane;
        double *most = least + sweep->lane;
        int along = (axis + k) % 3;
        for (int i = 0; i < sweep->count; ++i) {
            least[i] = sweep->bounds[sweep->order[i]].least[along];
            most[i] = sweep->bounds[sweep->order[i]].most[along];
        }
        for (int i = sweep->count; i < sweep->lane; ++i) {
            least[i] = most[i] = NAN;
        }
    }
}

// near := places after i whose bounds overlap those at i; *count: how many.
HF_BATCH_BODY void look_ahead(const double *lanes, int lane, int i, int *near, int *count)
{
    const double *least[3], *most[3];
    hf_four low[3], high[3], x, y;
    int found = 0;
    for (int k = 0; k < 3; ++k) {
        least[k] = lanes + (size_t)(2 * k) * (size_t)lane;
        most[k] = least[k] + lane;
        low[k] = least[k][i] + (hf_four){0};
        high[k] = most[k][i] + (hf_four){0};
    }
    for (int j = i + 1; j + 4 <= lane && least[0][j] <= most[0][i]; j += 4) {
        HF_LANES_LOAD(x, least[0] + j);
        hf_four_mask hit = x <= high[0];
        for (int k = 1; k < 3; ++k) {
            HF_LANES_LOAD(x, least[k] + j);
            HF_LANES_LOAD(y, most[k] + j);
            hit &= (x <= high[k]) & (y >= low[k]);
        }
        if ((hit[0] | hit[1] | hit[2] | hit[3]) != 0) {
            for (int k = 0; k < 4; ++k) {
                near[found] = j + k;
                found += hit[k] != 0 ? 1 : 0;
            }
        }
    }
    *count = found;
}

static void hf_sweep_look_ahead(const double *lanes, int lane, int i, int *near, int *count);

HF_BATCH(hf_sweep_look_ahead, look_ahead,
         (const double *lanes, int lane, int i, int *near, int *count),
         (lanes, lane, i, near, count))

// By a, then by b: counted into places, then each a's are put in order.
static void sort_pairs(hf_sweep *sweep, int count)
{
    int *starts = sweep->starts;
    for (int i = 0; i <= sweep->count; ++i) {
        starts[i] = 0;
    }
    for (int i = 0; i < count; ++i) {
        ++starts[sweep->pairs[i].a + 1];
    }
    for (int i = 0; i < sweep->count; ++i) {
        starts[i + 1] += starts[i];
    }
    for (int i = 0; i < count; ++i) {
        sweep->sorted[starts[sweep->pairs[i].a]++] = sweep->pairs[i];
    }
    for (int i = 0; i < count; ++i) {
        hf_near_pair moved = sweep->sorted[i];
        int at = i;
        for (; at > 0 && sweep->pairs[at - 1].a == moved.a && sweep->pairs[at - 1].b > moved.b;
             --at) {
            sweep->pairs[at] = sweep->pairs[at - 1];
        }
        sweep->pairs[at] = moved;
    }
}

int hf_sweep_pairs(hf_sweep *sweep, bool (*wanted)(const void *context, int a, int b),
                   const void *context)
{
    by_least by = {.bounds = sweep->bounds, .axis = widest_axis(sweep)};
    int found = 0, count = 0;
    sort(&by, sweep->order, sweep->count);
    line_up(sweep, by.axis);
    for (int i = 0; i < sweep->count; ++i) {
        int a = sweep->order[i];
        hf_sweep_look_ahead(sweep->lanes, sweep->lane, i, sweep->near, &count);
        for (int k = 0; k < count; ++k) {
            int b = sweep->order[sweep->near[k]], low = a < b ? a : b, high = a < b ? b : a;
            if (!wanted(context, low, high)) {
                continue;
            }
            if (found == sweep->capacity) {
                return -1;
            }
            sweep->pairs[found++] = (hf_near_pair){low, high};
        }
    }
    sort_pairs(sweep, found);
    return found;
}
