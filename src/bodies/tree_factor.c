// SPDX-License-Identifier: Apache-2.0
// The factor of a tree's mass matrix, along its branches.
//
// H couples two velocities only when one is on the way from the other to the world. Eliminated from
// the leaves to the root it fills nowhere: H = L'L with L lower, row k of which has numbers at k
// and at the velocities above it alone.                                [Featherstone2008, 6.5]
// The factor of hf_body_ops, M = R R', is R = L'.
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

bool hf_tree_factor(int n, const int *above, double *h)
{
    size_t width = (size_t)n;
    for (int k = n - 1; k >= 0; k--) {
        double *row = h + (size_t)k * width;
        if (!(row[k] > 0.0) || !isfinite(row[k]))
            return false;
        row[k] = sqrt(row[k]);
        double over = 1.0 / row[k];
        for (int i = above[k]; i >= 0; i = above[i])
            row[i] *= over;
        for (int i = above[k]; i >= 0; i = above[i]) {
            double *other = h + (size_t)i * width, share = row[i];
            for (int j = i; j >= 0; j = above[j])
                other[j] -= share * row[j];
        }
    }
    return true;
}

// Row k of the triangular solve: y_k, and its part in the rows above.
static inline void eliminate(int k, int n, const int *above, const double *l, double *y)
{
    const double *row = l + (size_t)k * (size_t)n;
    if (y[k] == 0.0)
        return;
    double own = y[k] / row[k];
    y[k] = own;
    for (int i = above[k]; i >= 0; i = above[i])
        y[i] -= row[i] * own;
}

void hf_tree_factor_half(int n, const int *above, const double *l, const double *j, double *y)
{
    if (y != j)
        memcpy(y, j, (size_t)n * sizeof *y);
    for (int k = n - 1; k >= 0; k--)
        eliminate(k, n, above, l, y);
}

void hf_tree_factor_half_from(int leaf, int n, const int *above, const double *l, double *y)
{
    for (int k = leaf; k >= 0; k = above[k])
        eliminate(k, n, above, l, y);
}

void hf_tree_factor_weigh(int n, const int *above, const double *l, const double *v, double *s)
{
    for (int k = n - 1; k >= 0; k--) { // s may be v
        const double *row = l + (size_t)k * (size_t)n;
        double sum = 0.0;
        for (int i = k; i >= 0; i = above[i])
            sum += row[i] * v[i];
        s[k] = sum;
    }
}

void hf_tree_factor_back(int n, const int *above, const double *l, const double *s, double *x)
{
    for (int k = 0; k < n; k++) {
        const double *row = l + (size_t)k * (size_t)n;
        double sum = s[k];
        for (int i = above[k]; i >= 0; i = above[i])
            sum -= row[i] * x[i];
        x[k] = sum / row[k];
    }
}

// ------------------------------------------------------------------------------------------------
// Many rows side by side

// Velocity k of `count` rows, a multiple of four: y[k count ...]. Each row as above.
HF_BATCH_BODY void answer(int n, const int *above, const double *l, int count, double *y, double *x)
{
    size_t width = (size_t)count;
    hf_four own, other;
    // y := L'^-1 y
    for (int k = n - 1; k >= 0; k--) {
        const double *row = l + (size_t)k * (size_t)n;
        for (size_t c = 0; c < width; c += 4) {
            double *at = y + (size_t)k * width + c;
            HF_LANES_LOAD(own, at);
            if (own[0] == 0.0 && own[1] == 0.0 && own[2] == 0.0 && own[3] == 0.0)
                continue;
            own /= row[k];
            HF_LANES_STORE(at, own);
            for (int i = above[k]; i >= 0; i = above[i]) {
                HF_LANES_LOAD(other, y + (size_t)i * width + c);
                other -= row[i] * own;
                HF_LANES_STORE(y + (size_t)i * width + c, other);
            }
        }
    }
    // x := L^-1 y
    for (int k = 0; k < n; k++) {
        const double *row = l + (size_t)k * (size_t)n;
        for (size_t c = 0; c < width; c += 4) {
            HF_LANES_LOAD(own, y + (size_t)k * width + c);
            for (int i = above[k]; i >= 0; i = above[i]) {
                HF_LANES_LOAD(other, x + (size_t)i * width + c);
                own -= row[i] * other;
            }
            own /= row[k];
            HF_LANES_STORE(x + (size_t)k * width + c, own);
        }
    }
}

HF_BATCH(hf_tree_factor_answer, answer,
         (int n, const int *above, const double *l, int count, double *y, double *x),
         (n, above, l, count, y, x))
