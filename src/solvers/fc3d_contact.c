// SPDX-License-Identifier: Apache-2.0
// One contact, exactly.
//
//   open      q_N >= 0:   r = 0
//   stick     r = -W^-1 q in K
//   slip      u_N = 0, u_T = -alpha r_T with alpha > 0, |r_T| = mu r_N.
// With r_N eliminated by u_N = 0,
//   A = W_TT - w_TN w_NT / W_NN,  b = q_T - w_TN q_N / W_NN,
//   r_T(alpha) = -(A + alpha)^-1 b = -(adj A b + alpha b) / D,   D = alpha^2 + alpha tr A + det A,
//   D r_N(alpha) = (-q_N D + w_NT (adj A b + alpha b)) / W_NN.
// alpha is a root of h(alpha) = mu D r_N - |D r_T|, whose square is a quartic: h(0) <= 0 where
// sticking is not possible, and h > 0 for large alpha because q_N < 0. So for every mu there is a
// root between; Newton's method within a shrinking bracket finds it.
#include <float.h>

#include "fc3d_internal.h"

enum { MOST_STEPS = 100 };

typedef struct slip {
    double mu, trace, determinant;
    double b[2], c[2]; // c = adj A b
    double n0, n1, n2; // D r_N = n0 + n1 alpha + n2 alpha^2
} slip;

static double evaluate(const slip *s, double alpha, double *slope)
{
    double x = s->c[0] + alpha * s->b[0], y = s->c[1] + alpha * s->b[1];
    double size = sqrt(x * x + y * y);
    *slope = s->mu * (s->n1 + 2.0 * s->n2 * alpha) -
             (size > 0.0 ? (x * s->b[0] + y * s->b[1]) / size : 0.0);
    return s->mu * (s->n0 + alpha * (s->n1 + alpha * s->n2)) - size;
}

static double find_root(const slip *s, double guess)
{
    double low = 0.0, high = guess > 0.0 ? guess : s->trace, slope = 0.0;
    high = high > 0.0 ? high : 1.0;
    double alpha = high, h = evaluate(s, high, &slope);
    for (int k = 0; k < MOST_STEPS && !(h > 0.0); ++k) {
        low = high;
        double next = slope > 0.0 ? high - h / slope : HUGE_VAL;
        high = next > 2.0 * high && next < 16.0 * high ? next : 2.0 * high;
        alpha = high;
        h = evaluate(s, high, &slope);
    }
    for (int k = 0; k < MOST_STEPS; ++k) {
        if (h > 0.0) {
            high = alpha;
        } else {
            low = alpha;
        }
        double next = alpha - h / slope;
        if (!(next > low && next < high)) {
            next = 0.5 * (low + high);
        }
        double change = fabs(next - alpha);
        alpha = next;
        if (change <= 2.0 * DBL_EPSILON * alpha) {
            break;
        }
        h = evaluate(s, alpha, &slope);
    }
    return alpha;
}

hf_regime hf_fc3d_one_contact(const double w[9], const double q[3], double mu, double r[3],
                              double *root)
{
    r[0] = r[1] = r[2] = 0.0;
    if (!(q[0] < 0.0 && w[0] > 0.0)) {
        return HF_REGIME_OPEN;
    }
    double f = 1.0 / w[0];
    r[0] = -q[0] * f;
    if (mu == 0.0) {
        return HF_REGIME_SLIP;
    }
    double a00 = w[4] - w[3] * w[1] * f, a01 = w[5] - w[3] * w[2] * f;
    double a10 = w[7] - w[6] * w[1] * f, a11 = w[8] - w[6] * w[2] * f;
    slip s = {.mu = mu,
              .trace = a00 + a11,
              .determinant = a00 * a11 - a01 * a10,
              .b = {q[1] - w[3] * q[0] * f, q[2] - w[6] * q[0] * f}};
    s.c[0] = a11 * s.b[0] - a01 * s.b[1];
    s.c[1] = a00 * s.b[1] - a10 * s.b[0];
    s.n0 = f * (-q[0] * s.determinant + w[1] * s.c[0] + w[2] * s.c[1]);
    s.n1 = f * (-q[0] * s.trace + w[1] * s.b[0] + w[2] * s.b[1]);
    s.n2 = -q[0] * f;
    if (s.determinant > 0.0 && mu * s.n0 >= sqrt(s.c[0] * s.c[0] + s.c[1] * s.c[1])) {
        r[0] = s.n0 / s.determinant;
        r[1] = -s.c[0] / s.determinant;
        r[2] = -s.c[1] / s.determinant;
        return HF_REGIME_STICK;
    }
    double alpha = *root = find_root(&s, *root);
    double d = 1.0 / (s.determinant + alpha * (s.trace + alpha));
    r[0] = d * (s.n0 + alpha * (s.n1 + alpha * s.n2));
    r[1] = -d * (s.c[0] + alpha * s.b[0]);
    r[2] = -d * (s.c[1] + alpha * s.b[1]);
    return HF_REGIME_SLIP;
}
