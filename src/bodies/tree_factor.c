// SPDX-License-Identifier: Apache-2.0
// The factor of a tree's mass matrix, along its branches.
//
// H couples two velocities only when one is on the way from the other to the world. Eliminated from
// the leaves to the root it fills nowhere: H = L'L with L lower, row k of which has numbers at k
// and at the velocities above it alone.                                [Featherstone2008, 6.5]
// The factor of hf_body_ops, M = R R', is R = L'.
//
// Row k is stored packed: the numbers of its way from the world to k, one behind the other, in
// whole fours. The way of a velocity above k is the beginning of the way of k, so that what the
// elimination of k does to a row above it is one sum of two arrays. What pads a row is of no use.
#include <math.h>
#include <string.h>

#include "bodies/tree.h"
#include "laws/batch.h"
#include "math/lanes.h"

void hf_tree_find_above(const hf_tree_model *tree, int *above)
{
    for (int i = 0; i < tree->link_count; i++) {
        const hf_tree_link *link = &tree->links[i];
        int parent = link->parent;
        while (parent >= 0 && tree->links[parent].nv == 0)
            parent = tree->links[parent].parent;
        int last = parent < 0 ? -1 : tree->links[parent].v + tree->links[parent].nv - 1;
        for (int k = 0; k < link->nv; k++)
            above[link->v + k] = k == 0 ? last : link->v + k - 1;
    }
}

// How many velocities are before k on its way.
static int depth_of(const int *above, int k)
{
    int depth = 0;
    for (int i = above[k]; i >= 0; i = above[i])
        depth++;
    return depth;
}

static bool is_leaf(int n, const int *above, int k)
{
    int i = k + 1;
    while (i < n && above[i] != k)
        i++;
    return i == n;
}

size_t hf_tree_ways_size(int n, const int *above)
{
    size_t size = 4 * (size_t)n + 1;
    for (int k = 0; k < n; k++)
        size += is_leaf(n, above, k) ? (size_t)depth_of(above, k) + 1 : 0;
    return size;
}

void hf_tree_find_ways(int n, const int *above, int *ways)
{
    int *depth = ways + n, *start = depth + n, *from = start + n + 1, at = 4 * n + 1;
    memmove(ways, above, (size_t)n * sizeof *ways);
    start[0] = 0;
    for (int k = 0; k < n; k++) {
        depth[k] = depth_of(ways, k);
        start[k + 1] = start[k] + (depth[k] + 4) / 4 * 4;
    }
    // Lists of the leaves; those of others are their beginnings
    for (int k = 0; k < n; k++) {
        if (!is_leaf(n, ways, k))
            continue;
        for (int i = k; i >= 0; i = ways[i]) {
            from[i] = at;
            ways[at + depth[i]] = i;
        }
        at += depth[k] + 1;
    }
}

// y -= g x of the first `count` numbers, in whole fours.
HF_BATCH_BODY void subtract(double *y, double g, const double *x, int count)
{
    hf_four a, b;
    for (int j = 0; j < count; j += 4) {
        HF_LANES_LOAD(a, y + j);
        HF_LANES_LOAD(b, x + j);
        a -= g * b;
        HF_LANES_STORE(y + j, a);
    }
}

HF_BATCH_BODY void factorize(int n, const int *ways, double *h, bool *good)
{
    *good = true;
    for (int k = n - 1; k >= 0; k--) {
        double *row = hf_tree_row(n, ways, h, k);
        const int *way = hf_tree_way(n, ways, k);
        int depth = hf_tree_depth(n, ways, k);
        double own = row[depth];
        if (!(own > 0.0) || !isfinite(own)) {
            *good = false;
            return;
        }
        double root = sqrt(own), over = 1.0 / root;
        for (int p = 0; p < depth; p++)
            row[p] *= over;
        row[depth] = root;
        for (int p = depth - 1; p >= 0; p--)
            subtract(hf_tree_row(n, ways, h, way[p]), row[p], row, p + 1);
    }
}

static void run_factorize(int n, const int *ways, double *h, bool *good);
HF_BATCH(run_factorize, factorize, (int n, const int *ways, double *h, bool *good),
         (n, ways, h, good))

bool hf_tree_factor(int n, const int *ways, double *h)
{
    bool good;
    run_factorize(n, ways, h, &good);
    return good;
}

// Row k of the triangular solve: y_k, and its part in the rows above.
static inline void eliminate(int k, int n, const int *ways, const double *l, double *y)
{
    if (y[k] == 0.0)
        return;
    const double *row = hf_tree_row(n, ways, (double *)l, k);
    const int *way = hf_tree_way(n, ways, k);
    int depth = hf_tree_depth(n, ways, k);
    double own = y[k] / row[depth];
    y[k] = own;
    for (int p = 0; p < depth; p++)
        y[way[p]] -= row[p] * own;
}

void hf_tree_factor_half(int n, const int *ways, const double *l, const double *j, double *y)
{
    if (y != j)
        memcpy(y, j, (size_t)n * sizeof *y);
    for (int k = n - 1; k >= 0; k--)
        eliminate(k, n, ways, l, y);
}

void hf_tree_factor_half_from(int leaf, int n, const int *ways, const double *l, double *y)
{
    for (int k = leaf; k >= 0; k = ways[k])
        eliminate(k, n, ways, l, y);
}

// The sum of the first `count` products of a row with the numbers of its way, in two parts, of
// which neither waits for the other.
static inline double along(const double *row, const int *way, int count, const double *x)
{
    double even = 0.0, odd = 0.0;
    int p = 0;
    for (; p + 1 < count; p += 2) {
        even += row[p] * x[way[p]];
        odd += row[p + 1] * x[way[p + 1]];
    }
    even += p < count ? row[p] * x[way[p]] : 0.0;
    return even + odd;
}

void hf_tree_factor_weigh(int n, const int *ways, const double *l, const double *v, double *s)
{
    for (int k = n - 1; k >= 0; k--) // s may be v
        s[k] = along(hf_tree_row(n, ways, (double *)l, k), hf_tree_way(n, ways, k),
                     hf_tree_depth(n, ways, k) + 1, v);
}

void hf_tree_factor_back(int n, const int *ways, const double *l, const double *s, double *x)
{
    for (int k = 0; k < n; k++) {
        const double *row = hf_tree_row(n, ways, (double *)l, k);
        int depth = hf_tree_depth(n, ways, k);
        x[k] = (s[k] - along(row, hf_tree_way(n, ways, k), depth, x)) / row[depth];
    }
}

void hf_tree_multiply(int n, const int *ways, const double *m, const double *v, double *p)
{
    for (int k = 0; k < n; k++) {
        const double *row = hf_tree_row(n, ways, (double *)m, k);
        const int *way = hf_tree_way(n, ways, k);
        int depth = hf_tree_depth(n, ways, k);
        double sum = row[depth] * v[k];
        for (int i = 0; i < depth; i++) {
            sum += row[i] * v[way[i]];
            p[way[i]] += row[i] * v[k];
        }
        p[k] = sum; // those above k come before it
    }
}

// ------------------------------------------------------------------------------------------------
// Many rows side by side

// Velocity k of `count` rows, a multiple of four: y[k count ...]. Each row as above.

// y := L'^-1 y
HF_BATCH_BODY void half_rows(int n, const int *ways, const double *l, int count, double *y)
{
    size_t width = (size_t)count;
    hf_four own, other;
    for (int k = n - 1; k >= 0; k--) {
        const double *row = hf_tree_row(n, ways, (double *)l, k);
        const int *way = hf_tree_way(n, ways, k);
        int depth = hf_tree_depth(n, ways, k);
        for (size_t c = 0; c < width; c += 4) {
            double *at = y + (size_t)k * width + c;
            HF_LANES_LOAD(own, at);
            if (own[0] == 0.0 && own[1] == 0.0 && own[2] == 0.0 && own[3] == 0.0)
                continue;
            own /= row[depth];
            HF_LANES_STORE(at, own);
            for (int p = 0; p < depth; p++) {
                double *to = y + (size_t)way[p] * width + c;
                HF_LANES_LOAD(other, to);
                other -= row[p] * own;
                HF_LANES_STORE(to, other);
            }
        }
    }
}

HF_BATCH(hf_tree_factor_half_rows, half_rows,
         (int n, const int *ways, const double *l, int count, double *y), (n, ways, l, count, y))

HF_BATCH_BODY void answer(int n, const int *ways, const double *l, int count, double *y, double *x)
{
    size_t width = (size_t)count;
    hf_four own, even, odd, other;
    half_rows(n, ways, l, count, y);
    // x := L^-1 y, with the sums of `along`
    for (int k = 0; k < n; k++) {
        const double *row = hf_tree_row(n, ways, (double *)l, k);
        const int *way = hf_tree_way(n, ways, k);
        int depth = hf_tree_depth(n, ways, k);
        for (size_t c = 0; c < width; c += 4) {
            even = odd = (hf_four){0.0, 0.0, 0.0, 0.0};
            for (int p = 0; p + 1 < depth; p += 2) {
                HF_LANES_LOAD(other, x + (size_t)way[p] * width + c);
                even += row[p] * other;
                HF_LANES_LOAD(other, x + (size_t)way[p + 1] * width + c);
                odd += row[p + 1] * other;
            }
            if (depth % 2 != 0) {
                HF_LANES_LOAD(other, x + (size_t)way[depth - 1] * width + c);
                even += row[depth - 1] * other;
            }
            HF_LANES_LOAD(own, y + (size_t)k * width + c);
            own = (own - (even + odd)) / row[depth];
            HF_LANES_STORE(x + (size_t)k * width + c, own);
        }
    }
}

HF_BATCH(hf_tree_factor_answer, answer,
         (int n, const int *ways, const double *l, int count, double *y, double *x),
         (n, ways, l, count, y, x))
