// SPDX-License-Identifier: Apache-2.0
// How exact the variance of a sandwich estimator is. A number's variance comes from
//
//   V = sum over blocks b, c of w_bc s_b s_c,    s_b = v_b' g_b,    v_b = (H - H_b)^-1 e
//
// with g_b the score of block b, w_bb = 1, and 1/2 for neighbours. Were residuals white with unit
// variance, scores at the optimum would have the covariances H_b d_bc - H_b H^-1 H_c, and so
//
//   K_bc = v_b' (H_b d_bc - H_b H^-1 H_c) v_c,    E V = tr W K,    var V = 2 tr W K W K.
//
// V then overstates the variance e' H^-1 e by E V / e' H^-1 e, and is spread as chi^2 over its
// number is, with 2 (E V)^2 / var V degrees of freedom [BellMcCaffrey2002]: few where few blocks
// determine the number, however many there are.
#include <math.h>
#include <stdlib.h>

#include "fit/fit_data.h"
#include "math/dense.h"

// v_b and H_b v_b of all blocks. False: out of memory.
static bool find_directions(const hf_fit_blocks *blocks, int unknown, double *v, double *hv)
{
    size_t u = (size_t)blocks->unknowns;
    double *rest = malloc((u * u + 1) * sizeof *rest);
    if (rest == NULL) {
        return false;
    }
    for (int b = 0; b < blocks->count; ++b) {
        const double *part = blocks->parts + (size_t)b * u * u;
        double *own = v + (size_t)b * u;
        // H without this block
        for (size_t i = 0; i < u * u; ++i) {
            rest[i] = blocks->h[i] - part[i];
        }
        bool known = hf_cholesky(rest, u);
        for (size_t i = 0; i < u; ++i) {
            own[i] = known ? (i == (size_t)unknown) : blocks->inverse[(size_t)unknown * u + i];
        }
        if (known) {
            hf_cholesky_solve(rest, u, own, 1);
        }
        // H_b v_b
        for (size_t i = 0; i < u; ++i) {
            double sum = 0.0;
            for (size_t k = 0; k < u; ++k) {
                sum += part[i * u + k] * own[k];
            }
            hv[(size_t)b * u + i] = sum;
        }
    }
    free(rest);
    return true;
}

static double product(const double *a, const double *b, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; ++i) {
        sum += a[i] * b[i];
    }
    return sum;
}

// K, row by row. `scratch` has u numbers.
static void fill_k(const hf_fit_blocks *blocks, const double *v, const double *hv, double *scratch,
                   double *k)
{
    size_t u = (size_t)blocks->unknowns, n = (size_t)blocks->count;
    for (size_t b = 0; b < n; ++b) {
        for (size_t i = 0; i < u; ++i) {
            scratch[i] = product(blocks->inverse + i * u, hv + b * u, u);
        }
        for (size_t c = 0; c < n; ++c) {
            k[b * n + c] = (b == c ? product(v + b * u, hv + b * u, u) : 0.0) -
                           product(scratch, hv + c * u, u);
        }
    }
}

// An entry of W K.
static double weighed(const hf_fit_blocks *blocks, const double *k, int row, int column)
{
    int n = blocks->count;
    double sum = k[row * n + column];
    if (blocks->follows[row]) {
        sum += HF_FIT_NEIGHBOUR * k[(row - 1) * n + column];
    }
    if (row + 1 < n && blocks->follows[row + 1]) {
        sum += HF_FIT_NEIGHBOUR * k[(row + 1) * n + column];
    }
    return sum;
}

bool hf_fit_freedom(const hf_fit_blocks *blocks, int unknown, double *freedom, double *excess)
{
    size_t u = (size_t)blocks->unknowns, n = (size_t)blocks->count;
    *freedom = INFINITY;
    *excess = 1.0;
    if (n > HF_FIT_MOST_BLOCKS) { // so many that nothing is to be corrected
        return true;
    }
    double *v = malloc((2 * n * u + u + n * n + 1) * sizeof *v);
    bool good = v != NULL && find_directions(blocks, unknown, v, v + n * u);
    if (good) {
        double *hv = v + n * u, *scratch = hv + n * u, *k = scratch + u;
        fill_k(blocks, v, hv, scratch, k);
        // tr W K, and tr W K W K
        double trace = 0.0, square = 0.0;
        for (int b = 0; b < blocks->count; ++b) {
            trace += weighed(blocks, k, b, b);
            for (int c = 0; c < blocks->count; ++c) {
                square += weighed(blocks, k, b, c) * weighed(blocks, k, c, b);
            }
        }
        double white = blocks->inverse[(size_t)unknown * u + (size_t)unknown];
        *freedom = square > 0.0 ? trace * trace / square : 0.0;
        *excess = trace > 0.0 && white > 0.0 ? trace / white : 1.0;
    }
    free(v);
    return good;
}

// Of the continued fraction: near the smallest number, and the rounding of a factor of 1.
#define TINY      1e-300
#define CONVERGED 1e-15

// Student's distribution: the probability that |t| is at most t, by the incomplete beta function's
// continued fraction [Press1992, 6.4].
static double within(double t, double freedom)
{
    double a = 0.5 * freedom, b = 0.5, x = freedom / (freedom + t * t);
    bool turned = x > (a + 1.0) / (a + b + 2.0);
    double y = turned ? 1.0 - x : x, p = turned ? b : a, q = turned ? a : b;
    // Lentz's method: what is nearly zero becomes TINY, so that nothing is divided by zero
    double c = 1.0, d = 1.0 - (p + q) * y / (p + 1.0);
    d = 1.0 / (fabs(d) < TINY ? TINY : d);
    double h = d;
    for (int m = 1; m < 500; ++m) {
        for (int odd = 0; odd < 2; ++odd) {
            double e = odd ? -(p + m) * (p + q + m) * y / ((p + 2 * m) * (p + 2 * m + 1.0))
                           : m * (q - m) * y / ((p + 2 * m - 1.0) * (p + 2 * m));
            d = 1.0 + e * d;
            c = 1.0 + e / c;
            d = 1.0 / (fabs(d) < TINY ? TINY : d);
            c = fabs(c) < TINY ? TINY : c;
            h *= d * c;
        }
        if (fabs(d * c - 1.0) < CONVERGED) {
            break;
        }
    }
    double front = exp(lgamma(p + q) - lgamma(p) - lgamma(q) + p * log(y) + q * log1p(-y)) / p;
    double beta = turned ? 1.0 - front * h : front * h; // I_x(a, b) = P(|t| > t)
    return 1.0 - beta;
}

double hf_fit_student(double freedom)
{
    static const double normal = 1.959963984540054; // the limit of many
    if (!(freedom < 1e6)) {
        return normal;
    }
    // Between the normal quantile and one beyond it, by halving
    double low = normal, high = 2.0 * normal;
    while (high < 1e6 && within(high, freedom) < 0.95) {
        high *= 2.0;
    }
    for (int i = 0; i < 80; ++i) {
        double middle = 0.5 * (low + high);
        *(within(middle, freedom) < 0.95 ? &low : &high) = middle;
    }
    return high;
}
