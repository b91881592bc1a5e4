// SPDX-License-Identifier: Apache-2.0
// Closing with matrices of a state nearby contracts by a constant part a correction. What it learns
// on the way makes it faster: Broyden's method, written by its steps alone,
//
//   z <- -B_0^-1 phi,   z <- z + s_(j+1) (s_j, z)/(s_j, s_j)  for j < n - 1
//   s_n = z/(1 - (s_(n-1), z)/(s_(n-1), s_(n-1)))
//
// with the products of the mass metric. Corrections are s = -M^-1 J' mu, so that multipliers mu and
// w = W mu tell all: (s_a, s_b) = mu_a . w_b, and of z they are W^+ phi and phi. What held
// frictions change of a correction is not in there: with them it is not used.
#include <math.h>
#include <string.h>

#include "loops/loops.h"

// A correction is made longer, or shorter, by no more than this part.
#define MOST_CHANGE 0.5

static double dot(const double *a, const double *b, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; ++i) {
        sum += a[i] * b[i];
    }
    return sum;
}

static void add(double *a, double g, const double *b, int count)
{
    for (int i = 0; i < count; ++i) {
        a[i] += g * b[i];
    }
}

void hf_loops_secant(struct hf_loops_state *loops, int rows, int steps, double *mu)
{
    size_t size = (size_t)rows * sizeof *mu;
    if (steps >= HF_LOOP_SECANTS) {
        return;
    }
    // What earlier corrections say of this one
    double *w = loops->secant_w + steps * rows;
    memcpy(w, loops->part, size);
    for (int j = 0; j < steps; ++j) {
        const double *s = loops->secant + j * rows, *ws = loops->secant_w + j * rows;
        double size_of_it = dot(s, ws, rows);
        double share = size_of_it > 0.0 ? dot(s, w, rows) / size_of_it : 0.0;
        if (!(fabs(share) <= MOST_CHANGE)) {
            break;
        }
        if (j < steps - 1) {
            add(mu, share, s + rows, rows);
            add(w, share, ws + rows, rows);
        } else {
            add(mu, share / (1.0 - share), mu, rows);
            add(w, share / (1.0 - share), w, rows);
        }
    }
    memcpy(loops->secant + steps * rows, mu, size);
}
