// SPDX-License-Identifier: Apache-2.0
// Lemke's pivoting on the problem with a pyramid for the cone            [StewartTrinkle1996]
//
//   r_T = D b, b >= 0, with the directions D of the pyramid's edges
//   0 <= r_N   orthogonal to   u_N                     >= 0
//   0 <= b     orthogonal to   D' u_T + l              >= 0
//   0 <= l     orthogonal to   mu r_N - sum b          >= 0
//
// In 2-D the two directions are exact, in 3-D the pyramid is inscribed in the cone: what comes out
// is judged by the same residual as everything else, and may serve as a start. W positive
// semidefinite makes the problem's matrix copositive, and the lexicographic rule excludes cycles.
#include <float.h>
#include <string.h>

#include "fc3d_internal.h"

static const double PI = 3.14159265358979323846;
// Numbers of a column below this share of its largest do not block.
static const double LEAST_PIVOT = 1e-11;
// What a difference leaves of its terms below this share is rounding, and zero: ties must stay
// ties.
static const double CANCELLED = 1e-13;

enum { MOST_ATTEMPTS = 3 };

typedef struct lemke {
    int n;        // unknowns
    size_t width; // of a row: 2 n + 2: w, z, the artificial variable, right-hand side
    double *table;
    int *basis; // variable of each row: 0..n-1: w, n..2n-1: z, 2n: artificial
} lemke;

size_t hf_fc3d_lemke_table(int contacts, int facets)
{
    size_t n = (size_t)contacts * (size_t)(facets + 2);
    return n * (2 * n + 2);
}

// Whether the third coordinates are idle: then two directions do.
static bool planar(const hf_fc3d_problem *p)
{
    for (int i = 0; i < p->contacts; ++i) {
        if (p->q[3 * i + 2] != 0.0) {
            return false;
        }
        for (int k = p->start[i]; k < p->start[i + 1]; ++k) {
            const double *w = p->w + 9 * (size_t)k;
            if (w[2] != 0.0 || w[5] != 0.0 || w[6] != 0.0 || w[7] != 0.0) {
                return false;
            }
        }
    }
    return true;
}

static double edge(int facets, int direction, int axis)
{
    double angle = 2.0 * PI * direction / facets;
    return axis == 0 ? cos(angle) : facets == 2 ? 0.0 : sin(angle);
}

// The share of reaction component k in unknown a of a contact: 0: r_N, 1..facets: b.
static double share(int facets, int a, int k)
{
    return a == 0 ? (k == 0 ? 1.0 : 0.0) : (k == 0 ? 0.0 : edge(facets, a - 1, k - 1));
}

// `attempt` selects the covering vector: other paths to a solution, should rounding spoil one.
static void fill(lemke *m, const hf_fc3d_problem *p, int facets, double rho, int attempt)
{
    int each = facets + 2;
    size_t n = (size_t)m->n, width = m->width;
    memset(m->table, 0, n * width * sizeof *m->table);
    for (int i = 0; i < p->contacts; ++i) {
        size_t row = (size_t)each * (size_t)i;
        // W along the facets of the cones
        for (int k = p->start[i]; k < p->start[i + 1]; ++k) {
            const double *w = p->w + 9 * (size_t)k;
            size_t column = n + (size_t)(each * p->column[k]);
            for (int a = 0; a <= facets; ++a) {
                for (int b = 0; b <= facets; ++b) {
                    double sum = 0.0;
                    for (int c = 0; c < 9; ++c) {
                        sum += share(facets, a, c / 3) * w[c] * share(facets, b, c % 3);
                    }
                    m->table[(row + (size_t)a) * width + column + (size_t)b] = -rho * sum;
                }
            }
        }
        // The cone: mu r_N bounds the sum of the facets
        size_t last = (size_t)facets + 1;
        m->table[(row + last) * width + n + row] = -p->mu[i];
        for (size_t a = 1; a <= (size_t)facets; ++a) {
            m->table[(row + a) * width + n + row + last] = -1.0;
            m->table[(row + last) * width + n + row + a] = 1.0;
        }
        for (int a = 0; a <= facets; ++a) {
            double sum = 0.0;
            for (int c = 0; c < 3; ++c) {
                sum += share(facets, a, c) * p->q[3 * i + c];
            }
            m->table[(row + (size_t)a) * width + 2 * n + 1] = rho * sum;
        }
    }
    // The identity, the covering column, the basis
    for (size_t i = 0; i < n; ++i) {
        m->table[i * width + i] = 1.0;
        m->table[i * width + 2 * n] = -1.0 - 0.1 * attempt * (double)(i * 7 % 11);
        m->basis[i] = (int)i;
    }
}

static void pivot(lemke *m, size_t row, size_t column)
{
    double *p = m->table + row * m->width, inverse = 1.0 / p[column];
    for (size_t j = 0; j < m->width; ++j) {
        p[j] *= inverse;
    }
    p[column] = 1.0;
    for (size_t i = 0; i < (size_t)m->n; ++i) {
        double *other = m->table + i * m->width, factor = other[column];
        if (i == row || factor == 0.0) {
            continue;
        }
        for (size_t j = 0; j < m->width; ++j) {
            double less = factor * p[j], rest = other[j] - less;
            other[j] = fabs(rest) > CANCELLED * fabs(less) ? rest : 0.0;
        }
        other[column] = 0.0;
    }
    m->basis[row] = (int)column;
}

// Quotients that differ by less than this part of them are equal: rounding of some hundred pivots.
static const double EQUAL = 1e-12;

// Compares (right-hand side, row of the basis' inverse) / column of two rows, lexicographically.
static bool before(const lemke *m, size_t a, size_t b, size_t column)
{
    const double *x = m->table + a * m->width, *y = m->table + b * m->width;
    double f = 1.0 / x[column], g = 1.0 / y[column];
    double left = x[m->width - 1] * f, right = y[m->width - 1] * g;
    for (size_t j = 0;; ++j) {
        double size = fabs(left) + fabs(right);
        if (fabs(left - right) > EQUAL * size) {
            return left < right;
        }
        if (j == (size_t)m->n) {
            return a < b;
        }
        left = x[j] * f;
        right = y[j] * g;
    }
}

// The row that blocks first when `column` enters; -1: none does.
static int blocking(const lemke *m, size_t column)
{
    double largest = 0.0;
    int best = -1;
    for (int i = 0; i < m->n; ++i) {
        largest = fmax(largest, fabs(m->table[(size_t)i * m->width + column]));
    }
    for (int i = 0; i < m->n; ++i) {
        if (m->table[(size_t)i * m->width + column] > LEAST_PIVOT * largest &&
            (best < 0 || before(m, (size_t)i, (size_t)best, column))) {
            best = i;
        }
    }
    return best;
}

// Runs the pivots; true when the artificial variable has left.
static bool run_pivots(lemke *m, int most, int *done)
{
    size_t n = (size_t)m->n;
    int row = 0;
    double least = 0.0;
    // The artificial variable enters where it is needed most
    for (int i = 0; i < m->n; ++i) {
        const double *line = m->table + (size_t)i * m->width;
        double ratio = line[2 * n + 1] / -line[2 * n];
        if (ratio < least) {
            least = ratio;
            row = i;
        }
    }
    if (least == 0.0) {
        return true; // r = 0
    }
    // Complementary pivots: what left, its partner enters
    size_t column = 2 * n;
    for (int k = 0; k < most && row >= 0; ++k) {
        size_t leaving = (size_t)m->basis[row];
        pivot(m, (size_t)row, column);
        ++*done;
        if (leaving == 2 * n) {
            return true;
        }
        column = leaving < n ? leaving + n : leaving - n;
        row = blocking(m, column);
    }
    return false;
}

bool hf_fc3d_lemke(hf_fc3d_run *run, int iterations)
{
    const hf_fc3d_problem *p = run->p;
    hf_fc3d_solver *s = run->s;
    // Nothing to do, or no memory for its table
    int facets = planar(p) ? 2 : s->def.facets, each = facets + 2;
    bool done = hf_fc3d_judge(run, run->r, run->u, &run->residual);
    if (done || s->table == NULL || hf_fc3d_lemke_table(p->contacts, facets) > s->table_size) {
        return done;
    }
    lemke m = {.n = each * p->contacts,
               .width = 2 * (size_t)(each * p->contacts) + 2,
               .table = s->table,
               .basis = s->basis};
    // Pivots; a perturbed problem where they cycle
    int attempt = 0;
    fill(&m, p, facets, run->rho, attempt);
    while (!run_pivots(&m, iterations, &run->info->of_method[HF_FC3D_LEMKE])) {
        if (++attempt > MOST_ATTEMPTS) {
            return false;
        }
        fill(&m, p, facets, run->rho, attempt);
    }
    // Reactions from what is in the basis
    memset(run->r, 0, 3 * (size_t)p->contacts * sizeof *run->r);
    for (int i = 0; i < m.n; ++i) {
        int variable = m.basis[i] - m.n;
        if (variable < 0 || variable >= m.n || variable % each == facets + 1) {
            continue;
        }
        double value = fmax(m.table[(size_t)i * m.width + m.width - 1], 0.0);
        for (int k = 0; k < 3; ++k) {
            run->r[3 * (variable / each) + k] += value * share(facets, variable % each, k);
        }
    }
    return hf_fc3d_judge(run, run->r, run->u, &run->residual);
}
