// SPDX-License-Identifier: Apache-2.0
// Sweep and prune: bounds in the order of their lower ends along the axis on which they are spread
// most; those that overlap there are compared on the other two.
#include <math.h>

#include "geometry/collide.h"

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

static bool overlap(const hf_bounds *a, const hf_bounds *b, int axis)
{
    return a->least[axis] <= b->most[axis] && b->least[axis] <= a->most[axis];
}

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
    sort(&by, sweep->order, sweep->count);
    int found = 0, second = (by.axis + 1) % 3, third = (by.axis + 2) % 3;
    for (int i = 0; i < sweep->count; ++i) {
        int a = sweep->order[i];
        const hf_bounds *box = &sweep->bounds[a];
        for (int j = i + 1; j < sweep->count; ++j) {
            int b = sweep->order[j];
            const hf_bounds *other = &sweep->bounds[b];
            if (other->least[by.axis] > box->most[by.axis]) {
                break;
            }
            int low = a < b ? a : b, high = a < b ? b : a;
            if (!overlap(box, other, second) || !overlap(box, other, third) ||
                !wanted(context, low, high)) {
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
