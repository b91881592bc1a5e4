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
//
// Where normal and tangents do not couple and both tangents are alike (two spheres, a mass on a
// plane), r_T is what sticking needs, shortened to mu r_N.
#include "fc3d_internal.h"

enum { MOST_STEPS = 100 };
// Of alpha: the step after one of this size is beyond rounding.
static const double SMALL_STEP = 1e-10;
static const double UNCOUPLED = 1e-14;
// Where a tangent moves nothing but what the normal moves (the tip of a rod on a hinge), its share
// of the load is free; a little stiffness makes it the least.
static const double SINGULAR = 1e-12;

typedef struct slip {
    double mu;
    double b[2], c[2]; // c = adj A b
    double n0, n1, n2; // D r_N = n0 + n1 alpha + n2 alpha^2
} slip;

void hf_fc3d_own_prepare(const double w[9], hf_fc3d_own *own)
{
    *own = (hf_fc3d_own){.w = {w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8]}};
    if (!(w[0] > 0.0)) {
        return;
    }
    double f = own->over = 1.0 / w[0];
    own->a[0] = w[4] - w[3] * w[1] * f;
    own->a[1] = w[5] - w[3] * w[2] * f;
    own->a[2] = w[7] - w[6] * w[1] * f;
    own->a[3] = w[8] - w[6] * w[2] * f;
    double size = w[0] + w[4] + w[8], small = UNCOUPLED * size;
    if (own->a[0] * own->a[3] - own->a[1] * own->a[2] <= SINGULAR * size * size) {
        own->a[0] += SINGULAR * size;
        own->a[3] += SINGULAR * size;
    }
    own->trace = own->a[0] + own->a[3];
    own->determinant = own->a[0] * own->a[3] - own->a[1] * own->a[2];
    bool alike = fabs(w[4] - w[8]) <= small && fabs(w[5]) <= small && fabs(w[7]) <= small;
    bool coupled =
        fabs(w[1]) > small || fabs(w[2]) > small || fabs(w[3]) > small || fabs(w[6]) > small;
    own->over_tangent = alike && !coupled && w[4] > 0.0 ? 1.0 / w[4] : 0.0;
}

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
    double low = 0.0, high = HUGE_VAL, alpha = guess > 0.0 ? guess : 1.0, slope = 0.0;
    for (int k = 0; k < MOST_STEPS; ++k) {
        double h = evaluate(s, alpha, &slope);
        if (h > 0.0) {
            high = alpha;
        } else {
            low = alpha;
        }
        double next = alpha - h / slope;
        if (!(next > low && next < high && next < 16.0 * alpha)) {
            next = high < HUGE_VAL ? 0.5 * (low + high) : 2.0 * alpha;
        }
        double change = fabs(next - alpha);
        alpha = next;
        if (change <= SMALL_STEP * alpha) {
            break;
        }
    }
    return alpha;
}

static hf_regime solve_uncoupled(const hf_fc3d_own *own, const double q[3], double mu, double r[3])
{
    double most = mu * r[0];
    r[1] = -q[1] * own->over_tangent;
    r[2] = -q[2] * own->over_tangent;
    double squares = r[1] * r[1] + r[2] * r[2];
    if (squares <= most * most) {
        return HF_REGIME_STICK;
    }
    double share = most / sqrt(squares);
    r[1] *= share;
    r[2] *= share;
    return HF_REGIME_SLIP;
}

hf_regime hf_fc3d_own_solve(const hf_fc3d_own *own, const double q[3], double mu, double r[3],
                            double *root)
{
    const double *w = own->w, *a = own->a, f = own->over;
    r[0] = r[1] = r[2] = 0.0;
    // It opens, or has a normal reaction alone
    if (!(q[0] < 0.0 && f > 0.0)) {
        return HF_REGIME_OPEN;
    }
    r[0] = -q[0] * f;
    if (mu == 0.0) {
        return HF_REGIME_SLIP;
    }
    if (own->over_tangent > 0.0) {
        return solve_uncoupled(own, q, mu, r);
    }
    // Tangents without the normal's share: rational functions of alpha
    slip s = {.mu = mu, .b = {q[1] - w[3] * q[0] * f, q[2] - w[6] * q[0] * f}};
    double determinant = own->determinant;
    s.c[0] = a[3] * s.b[0] - a[1] * s.b[1];
    s.c[1] = a[0] * s.b[1] - a[2] * s.b[0];
    s.n0 = f * (-q[0] * determinant + w[1] * s.c[0] + w[2] * s.c[1]);
    s.n1 = f * (-q[0] * own->trace + w[1] * s.b[0] + w[2] * s.b[1]);
    s.n2 = -q[0] * f;
    // It sticks
    if (determinant > 0.0 && mu * s.n0 >= sqrt(s.c[0] * s.c[0] + s.c[1] * s.c[1])) {
        double d = 1.0 / determinant;
        r[0] = d * s.n0;
        r[1] = -d * s.c[0];
        r[2] = -d * s.c[1];
        return HF_REGIME_STICK;
    }
    // It slips: the alpha at which the reaction is on the cone
    double alpha = *root = find_root(&s, *root > 0.0 ? *root : own->trace);
    double x = s.c[0] + alpha * s.b[0], y = s.c[1] + alpha * s.b[1], size = sqrt(x * x + y * y);
    r[0] = (s.n0 + alpha * (s.n1 + alpha * s.n2)) / (determinant + alpha * (own->trace + alpha));
    double share = size > 0.0 ? -mu * r[0] / size : 0.0; // on the cone, to the last digit
    r[1] = share * x;
    r[2] = share * y;
    return HF_REGIME_SLIP;
}

hf_regime hf_fc3d_one_contact(const double w[9], const double q[3], double mu, double r[3],
                              double *root)
{
    hf_fc3d_own own;
    hf_fc3d_own_prepare(w, &own);
    return hf_fc3d_own_solve(&own, q, mu, r, root);
}

bool hf_fc3d_alone(hf_fc3d_run *run)
{
    run->info->method = HF_FC3D_GAUSS_SEIDEL;
    if (hf_fc3d_judge(run, run->r, run->u, &run->residual)) {
        return true;
    }
    ++run->info->of_method[HF_FC3D_GAUSS_SEIDEL];
    (void)hf_fc3d_one_contact(hf_fc3d_own_block(run, 0), run->p->q, run->p->mu[0], run->r,
                              run->s->root);
    return hf_fc3d_judge(run, run->r, run->u, &run->residual);
}
