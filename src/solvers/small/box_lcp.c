// SPDX-License-Identifier: Apache-2.0
// The linear complementarity problem of dry friction at rest, by pivoting.
#include "solvers/small/box_lcp.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "solvers/small/least_norm.h"

// Added to the diagonal, as a part of its largest entry, so that redundant rows have one solution.
#define DEFINITE 1e-13
// Violations below this part of the numbers that they come from are rounding.
#define SLACK (64.0 * DBL_EPSILON)
// An acceleration of this part of the numbers that it comes from, where there should be none, is no
// rounding: nothing answers to f (a slider at its dead center).
#define UNANSWERED 1e-6
// Blocks of pivots without fewer violations, before pivots go one by one.
enum { BLOCK_CHANCES = 5 };

size_t hf_box_lcp_work(int n)
{
    size_t count = (size_t)n;
    return count * count + 5 * count + hf_least_norm_work(n);
}

static double diagonal_shift(const hf_box_lcp *p)
{
    double largest = 0.0;
    for (int i = 0; i < p->n; ++i) {
        largest = fmax(largest, p->w[i * p->n + i]);
    }
    return DEFINITE * largest;
}

// What a is made of: the sizes of its terms, and what its rounding is measured by. An entry of W
// that should be zero is rounding of the masses that it comes from, sqrt(W_ii W_jj), with either
// sign.
typedef struct left_over {
    double *a, *size, *rounding;
} left_over;

// f of the free ones from a = 0, of the others from their bounds; then a of all. The last time
// without the shift's share: rows may answer far less than the largest does.
static void solve_free(const hf_box_lcp *p, double shift, bool last, const int *side, double *f,
                       const left_over *left, double *work)
{
    double *a = left->a, *size = left->size;
    int n = p->n, m = 0;
    double *sub = work, *b = sub + n * n, *x = b + n;
    // Bounds
    for (int i = 0; i < n; ++i) {
        f[i] = side[i] < 0 ? p->low[i] : side[i] > 0 ? p->high[i] : 0.0;
        m += side[i] == 0 ? 1 : 0;
    }
    // The free ones: W f = c less what the bounds give
    for (int i = 0, row = 0; i < n; ++i) {
        if (side[i] != 0) {
            continue;
        }
        double sum = p->c[i];
        for (int j = 0, column = 0; j < n; ++j) {
            if (side[j] == 0) {
                sub[row * m + column++] = p->w[i * n + j] + (i == j ? shift : 0.0);
            } else {
                sum -= p->w[i * n + j] * f[j];
            }
        }
        b[row++] = sum;
    }
    int rank = hf_least_norm_factorize(m, sub, x + n);
    hf_least_norm_apply(m, rank, b, x, x + n);
    if (last) { // once more, against what the shift has left
        for (int i = 0; i < m; ++i) {
            b[i] += shift * x[i];
        }
        hf_least_norm_apply(m, rank, b, x, x + n);
    }
    for (int i = 0, row = 0; i < n; ++i) {
        f[i] = side[i] == 0 ? x[row++] : f[i];
    }
    // What is left of a, and the sizes of its terms
    for (int i = 0; i < n; ++i) {
        a[i] = p->c[i] - shift * f[i];
        size[i] = left->rounding[i] = fabs(p->c[i]);
        for (int j = 0; j < n; ++j) {
            double answers = fabs(p->w[i * n + i] * p->w[j * n + j]);
            a[i] -= p->w[i * n + j] * f[j];
            size[i] += fabs(p->w[i * n + j] * f[j]);
            left->rounding[i] += fmax(fabs(p->w[i * n + j]), sqrt(answers)) * fabs(f[j]);
        }
    }
}

// Where i should stand instead, or where it stands.
static int better_side(const hf_box_lcp *p, int i, int side, double f, const left_over *left)
{
    double a = left->a[i];
    if (side == 0) {
        bool answered = fabs(a) <= fmax(UNANSWERED * left->size[i], SLACK * left->rounding[i]);
        int free = answered ? 0 : a > 0.0 ? 1 : -1;
        return f < p->low[i] - SLACK * fabs(p->low[i])     ? -1
               : f > p->high[i] + SLACK * fabs(p->high[i]) ? 1
                                                           : free;
    }
    return side * a < -SLACK * left->rounding[i] ? 0 : side;
}

static int count_wrong(const hf_box_lcp *p, const int *side, const double *f, const left_over *left)
{
    int wrong = 0;
    for (int i = 0; i < p->n; ++i) {
        wrong += better_side(p, i, side[i], f[i], left) != side[i] ? 1 : 0;
    }
    return wrong;
}

// Moves all that are wrong, or the last of them alone. Returns how many.
static int pivot(const hf_box_lcp *p, bool block, int *side, const double *f, const left_over *left)
{
    int moved = 0;
    for (int i = p->n - 1; i >= 0 && (block || moved == 0); --i) {
        int other = better_side(p, i, side[i], f[i], left);
        moved += other != side[i] ? 1 : 0;
        side[i] = other;
    }
    return moved;
}

int hf_box_lcp_solve(const hf_box_lcp *p, double *f, int *side, double *work)
{
    int n = p->n, fewest = n + 1, chances = BLOCK_CHANCES, pivots = 0;
    double shift = diagonal_shift(p);
    const left_over left = {.a = work, .size = work + n, .rounding = work + 2 * n};
    double *scratch = work + 3 * n;
    memset(side, 0, (size_t)n * sizeof *side);
    for (int round = 0; round < 200 + 50 * n; ++round) {
        solve_free(p, shift, false, side, f, &left, scratch);
        int wrong = count_wrong(p, side, f, &left);
        if (wrong == 0) {
            solve_free(p, shift, true, side, f, &left, scratch);
            for (int i = 0; i < n; ++i) {
                f[i] = fmin(fmax(f[i], p->low[i]), p->high[i]);
            }
            return pivots;
        }
        if (wrong < fewest) {
            fewest = wrong;
            chances = BLOCK_CHANCES;
        } else {
            chances = chances > 0 ? chances - 1 : 0;
        }
        pivots += pivot(p, chances > 0, side, f, &left);
    }
    return -1;
}

double hf_box_lcp_residual(const hf_box_lcp *p, const double *f)
{
    double worst = 0.0, scale = 0.0, bound = 0.0;
    for (int i = 0; i < p->n; ++i) {
        scale = fmax(scale, fabs(p->c[i]));
        bound = fmax(bound, fmax(fabs(p->low[i]), fabs(p->high[i])));
        for (int j = 0; j < p->n; ++j) {
            scale = fmax(scale, fabs(p->w[i * p->n + j] * f[j]));
        }
    }
    scale = scale > 0.0 ? scale : 1.0;
    bound = bound > 0.0 ? bound : 1.0;
    for (int i = 0; i < p->n; ++i) {
        double a = p->c[i];
        for (int j = 0; j < p->n; ++j) {
            a -= p->w[i * p->n + j] * f[j];
        }
        double outside = fmax(p->low[i] - f[i], f[i] - p->high[i]) / bound;
        // Forward acceleration needs f at high, backward at low.
        double forward = fmin(fmax(a, 0.0) / scale, (p->high[i] - f[i]) / bound);
        double backward = fmin(fmax(-a, 0.0) / scale, (f[i] - p->low[i]) / bound);
        double here = fmax(outside, fmax(forward, backward));
        worst = here > worst || here != here ? here : worst;
    }
    return worst;
}
