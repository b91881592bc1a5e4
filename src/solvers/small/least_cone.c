// SPDX-License-Identifier: Apache-2.0
// By its dual. With multipliers y of C x = d and z = C'y
//   x = P_K(z),   F(y) = C P_K(C'y) - d = 0                                              (1)
// and F is the gradient of the convex phi(y) = z.x - |x|^2/2 - d.y, so that Newton's method
//   (C P'(z) C' + e) step = -F                                                           (2)
// with a search along each step finds the root wherever K has x that balance: P_K is piecewise
// smooth, and the last steps are of second order [QiSun1993].
#include "solvers/small/least_cone.h"

#include <math.h>
#include <string.h>

#include "math/dense.h"
#include "solvers/small/rows.h"

enum { MOST_STEPS = 60, MOST_HALVES = 8 };

// e of (2), as a part of the mean diagonal of C C': with the rest, by more where a step was of no
// use, and rounding.
#define DAMPED  1e-4
#define MORE    30.0
#define ROUNDED 1e-15
// Of what a step promises phi must fall by this part; rounding of phi.
#define ARMIJO 1e-4
#define NOISE  1e-14

typedef struct scratch {
    double *a;                // [rows x rows]
    double *y, *trial, *step; // [rows]
    double *f;                // [rows] of y, then of the trial
    double *z;                // [3 blocks]
    double *slope;            // [9 blocks] P'(z)
    double *columns;          // [3 blocks x rows] C by its columns
    double *turned;           // [3 x rows] columns of a block times P'(z)
} scratch;

size_t hf_least_cone_work(int rows, int blocks)
{
    size_t n = (size_t)rows, m = (size_t)blocks;
    return n * n + 7 * n + 12 * m + 3 * m * n;
}

static scratch scratch_of(const hf_least_cone *p)
{
    size_t n = (size_t)p->rows, m = (size_t)p->blocks;
    scratch s = {.a = p->work};
    s.y = s.a + n * n;
    s.trial = s.y + n;
    s.step = s.trial + n;
    s.f = s.step + n;
    s.z = s.f + n;
    s.slope = s.z + 3 * m;
    s.columns = s.slope + 9 * m;
    s.turned = s.columns + 3 * m * n;
    return s;
}

static double size_of(const double *x, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; ++i) {
        sum += x[i] * x[i];
    }
    return sqrt(sum);
}

// ------------------------------------------------------------------------------------------------
// Projection of a block and its derivative

// g += f a a'
static void add_outer(double f, const double a[3], double *g)
{
    for (int i = 0; i < 9; ++i) {
        g[i] += f * a[i / 3] * a[i % 3];
    }
}

static void project_ball(double radius, const double *z, double *x, double *g)
{
    double size = hypot(z[1], z[2]), part = size > radius ? radius / size : 1.0;
    x[1] = part * z[1];
    x[2] = part * z[2];
    if (size > radius) {
        add_outer(part, (const double[3]){0.0, -z[2] / size, z[1] / size}, g);
    } else {
        g[4] = g[8] = 1.0;
    }
}

// On the edge x = p a with a along the edge, p = z.a; a turns with z across it.
static void project_cone(double mu, const double *z, double *x, double *g)
{
    double size = hypot(z[1], z[2]);
    if (size <= mu * z[0]) {
        memcpy(x, z, 3 * sizeof *x);
        g[0] = g[4] = g[8] = 1.0;
    } else if (mu * size > -z[0]) {
        double root = sqrt(1.0 + mu * mu), p = (z[0] + mu * size) / root;
        double dx = z[1] / size, dy = z[2] / size;
        const double a[3] = {1.0 / root, mu / root * dx, mu / root * dy};
        for (int k = 0; k < 3; ++k) {
            x[k] = p * a[k];
        }
        add_outer(1.0, a, g);
        add_outer(p * mu / (root * size), (const double[3]){0.0, -dy, dx}, g);
    }
}

void hf_block_project(const hf_block *block, const double *z, double *x, double *g)
{
    memset(x, 0, 3 * sizeof *x);
    memset(g, 0, 9 * sizeof *g);
    switch (block->kind) {
    case HF_BLOCK_NONE:
        break;
    case HF_BLOCK_LINE:
        x[0] = fmax(z[0], 0.0);
        g[0] = z[0] > 0.0 ? 1.0 : 0.0;
        break;
    case HF_BLOCK_CONE:
        project_cone(block->size, z, x, g);
        break;
    case HF_BLOCK_BALL:
        project_ball(block->size, z, x, g);
        break;
    }
}

// ------------------------------------------------------------------------------------------------
// Newton's method

// x, P', F and phi at y.
static double evaluate(const hf_least_cone *p, const scratch *s, const double *y)
{
    int m = 3 * p->blocks;
    double value = 0.0;
    // z, and its projection
    memset(s->z, 0, (size_t)m * sizeof *s->z);
    hf_rows_add(p->c, p->rows, (size_t)m, y, s->z);
    for (int b = 0; b < p->blocks; ++b) {
        hf_block_project(&p->block[b], s->z + 3 * b, p->x + 3 * b, s->slope + 9 * b);
    }
    // phi and F
    for (int r = 0; r < p->rows; ++r) {
        value -= p->d[r] * y[r];
        s->f[r] = -p->d[r];
    }
    for (int i = 0; i < m; ++i) {
        value += p->x[i] * (s->z[i] - 0.5 * p->x[i]);
    }
    hf_rows_add(s->columns, m, (size_t)p->rows, p->x, s->f);
    return value;
}

// The lower half of C P' C'; `whole`: of C C'.
static void fill(const hf_least_cone *p, const scratch *s, bool whole)
{
    int n = p->rows;
    memset(s->a, 0, (size_t)(n * n) * sizeof *s->a);
    for (int b = 0; b < p->blocks; ++b) {
        const double *g = s->slope + 9 * b, *c = s->columns + 3 * b * n;
        hf_block_kind kind = p->block[b].kind;
        // The columns that a block has
        int first = kind == HF_BLOCK_BALL ? 1 : 0, end = kind == HF_BLOCK_LINE ? 1 : 3;
        if (kind == HF_BLOCK_NONE) {
            continue;
        }
        for (int k = first; k < end && !whole; ++k) {
            for (int i = 0; i < n; ++i) {
                s->turned[k * n + i] =
                    g[3 * k] * c[i] + g[3 * k + 1] * c[n + i] + g[3 * k + 2] * c[2 * n + i];
            }
        }
        const double *left = (whole ? c : s->turned) + first * n;
        hf_rows_outer(left, c + first * n, end - first, (size_t)n, s->a);
    }
}

// From y along the step as far as phi falls, to *value. F and x are those of the new y. False: phi
// does not fall, and y is as before.
static bool search(const hf_least_cone *p, const scratch *s, double *value)
{
    double slope = 0.0, way = 1.0;
    for (int r = 0; r < p->rows; ++r) {
        slope += s->f[r] * s->step[r];
    }
    for (int k = 0; k < MOST_HALVES; ++k, way *= 0.5) {
        for (int r = 0; r < p->rows; ++r) {
            s->trial[r] = s->y[r] + way * s->step[r];
        }
        double next = evaluate(p, s, s->trial);
        if (next <= *value + ARMIJO * way * slope + NOISE * fabs(*value)) {
            memcpy(s->y, s->trial, (size_t)p->rows * sizeof *s->y);
            *value = next;
            return true;
        }
    }
    *value = evaluate(p, s, s->y);
    return false;
}

bool hf_least_cone_solve(const hf_least_cone *p, double tolerance)
{
    scratch s = scratch_of(p);
    int n = p->rows;
    for (int i = 0; i < n * 3 * p->blocks; ++i) {
        s.columns[i] = p->c[i % n * (3 * p->blocks) + i / n];
    }
    // From y = 0, the first step as if nothing were bounded
    memset(s.y, 0, (size_t)n * sizeof *s.y);
    double value = evaluate(p, &s, s.y), size = size_of(p->d, n), rest = size_of(s.f, n);
    double mean = 0.0, damped = DAMPED;
    for (int i = 0; i < 3 * n * p->blocks; ++i) {
        mean += p->c[i] * p->c[i] / n;
    }
    // Step by step, damped more where one is of no use
    for (int k = 0; k < MOST_STEPS && rest > ROUNDED * size; ++k) {
        double before = rest, e = ROUNDED + (k > 0 ? damped * rest / size : 0.0);
        fill(p, &s, k == 0);
        for (int r = 0; r < n; ++r) {
            s.a[r * n + r] += e * mean;
            s.step[r] = -s.f[r];
        }
        if (!hf_cholesky(s.a, (size_t)n)) {
            break;
        }
        hf_cholesky_solve(s.a, (size_t)n, s.step, 1);
        bool falls = search(p, &s, &value);
        damped = falls ? fmax(damped / MORE, DAMPED) : damped * MORE;
        rest = size_of(s.f, n);
        if (falls && rest <= tolerance * size && !(rest < 0.5 * before)) {
            break; // it is solved, and rounding is what is left
        }
    }
    return rest <= tolerance * size;
}
