// SPDX-License-Identifier: Apache-2.0
// Interior points: r and u~ stay inside their cones and follow the path on which their products
// are equal, down to zero.
//
// In the variables z = P r and s = P^-1 u~, P = diag(mu, 1, 1), both cones are { |x_T| <= x_N }.
// With J = diag(1, -1, -1), the scaling of Nesterov and Todd, Theta z = s, is
//
//   Theta = b (2 w w' - J),  b = sqrt(s'Js / z'Jz),  w = (s* + J z*) / sqrt(2 (1 + s*'z*)),     (1)
//   s* = s / sqrt(s'Js),  z* = z / sqrt(z'Jz),
//
// and a step towards products of m, and towards u~ = W r + q + mu |u~_T| n, solves
//
//   P Theta P dr + du~ = m P z^-1 - u~,          z^-1 = J z / z'Jz                              (2)
//   du~ = S (W dr + f),   S = I + mu n t',  t = u~_T / |u~_T|,  f = W r + q + mu |u~_T| n - u~  (3)
//
// together one linear system for dr. The path is smooth where contacts are redundant or undecided
// between sticking and sliding, where other methods cycle.             [AcaryArmandNguyen2023]
#include <string.h>

#include "fc3d_internal.h"

static const double FRICTIONLESS = 1e-12; // mu below which a contact has no friction
static const double FRACTION = 0.95;      // of the way to the boundary
static const double LEAST_TARGET = 0.2;   // of the products in one step
static const double FIRST_REACTION = 0.1; // in units of |q| rho
// Newton's method is tried when the residual is below the first, then again whenever it has fallen
// by the second.
static const double FINISH_FIRST = 1e-4, FINISH_AGAIN = 0.03;
static const double SHORT = 0.05; // steps of which MOST_STUCK in a row lead nowhere
enum { FINISH_STEPS = 6, MOST_STUCK = 3 };

typedef struct interior {
    hf_fc3d_run *run;
    double *u; // [3 contacts] u~
    double *f;
    double *dr, *du;
} interior;

static double speed(const double u[3])
{
    return sqrt(u[1] * u[1] + u[2] * u[2]);
}

// x'Jx, without cancellation
static double det(const double x[3])
{
    double t = sqrt(x[1] * x[1] + x[2] * x[2]);
    return (x[0] - t) * (x[0] + t);
}

// (1) of one contact: d = P Theta P.
static void scale(double mu, const double *r, const double *u, double *d)
{
    double z[3] = {mu * r[0], r[1], r[2]}, s[3] = {u[0] / mu, u[1], u[2]}, w[3];
    double size_z = sqrt(det(z)), size_s = sqrt(det(s)), b = size_s / size_z;
    double dot = (s[0] * z[0] + s[1] * z[1] + s[2] * z[2]) / (size_z * size_s);
    double f = 1.0 / sqrt(2.0 * (1.0 + dot));
    for (int k = 0; k < 3; ++k) {
        w[k] = f * (s[k] / size_s + (k == 0 ? z[k] : -z[k]) / size_z);
    }
    for (int k = 0; k < 9; ++k) {
        int i = k / 3, j = k % 3;
        double p = (i == 0 ? mu : 1.0) * (j == 0 ? mu : 1.0);
        d[k] = p * b * (2.0 * w[i] * w[j] - (i != j ? 0.0 : i == 0 ? 1.0 : -1.0));
    }
}

// diagonal = c P Theta P and left = c S, c such that rows are of one size. Without friction r_T = 0
// and only the normals are left.
static bool form_matrix(const interior *m)
{
    const hf_fc3d_problem *p = m->run->p;
    hf_fc3d_solver *s = m->run->s;
    for (int i = 0; i < p->contacts; ++i) {
        const double *r = m->run->r + 3 * i, *u = m->u + 3 * i;
        double *l = s->left + 9 * i, *d = s->diagonal + 9 * i, mu = p->mu[i];
        memset(l, 0, 9 * sizeof *l);
        memset(d, 0, 9 * sizeof *d);
        l[0] = 1.0;
        if (mu < FRICTIONLESS) {
            d[0] = u[0] / r[0];
            d[4] = d[8] = 1.0;
        } else {
            double t = speed(u);
            l[1] = t > 0.0 ? mu * u[1] / t : 0.0;
            l[2] = t > 0.0 ? mu * u[2] / t : 0.0;
            l[4] = l[8] = 1.0;
            scale(mu, r, u, d);
        }
        double c = 1.0 / (1.0 + s->weight[i] * fmax(fmax(d[0], d[4]), d[8]));
        for (int k = 0; k < 9; ++k) {
            l[k] *= c;
            d[k] *= c;
        }
    }
    ++m->run->info->factorizations;
    return hf_block_lu_factorize(s->lu, p->w, s->left, s->diagonal) >= 0;
}

// f of (3).
static void miss(const interior *m)
{
    const hf_fc3d_problem *p = m->run->p;
    for (int i = 0; i < p->contacts; ++i) {
        double *u = m->u + 3 * i, *f = m->f + 3 * i;
        hf_fc3d_row(p, i, m->run->r, f);
        for (int k = 0; k < 3; ++k) {
            f[k] += p->q[3 * i + k] - u[k];
        }
        f[0] += p->mu[i] * speed(u);
    }
}

// Solves (2), (3) for the product `target`.
static void find_direction(const interior *m, double target)
{
    const hf_fc3d_problem *p = m->run->p;
    hf_fc3d_solver *s = m->run->s;
    for (int i = 0; i < p->contacts; ++i) {
        double mu = p->mu[i], *b = m->dr + 3 * i;
        const double *r = m->run->r + 3 * i, *u = m->u + 3 * i, *f = m->f + 3 * i;
        const double *l = s->left + 9 * i;
        if (mu < FRICTIONLESS) {
            b[0] = l[0] * (target / r[0] - u[0] - f[0]);
            b[1] = b[2] = 0.0;
            continue;
        }
        double z[3] = {mu * r[0], r[1], r[2]}, share = target / det(z);
        b[0] = l[0] * (share * mu * z[0] - u[0] - f[0]) - l[1] * f[1] - l[2] * f[2];
        b[1] = l[4] * (-share * z[1] - u[1] - f[1]);
        b[2] = l[8] * (-share * z[2] - u[2] - f[2]);
    }
    hf_block_lu_solve(s->lu, m->dr);
    for (int i = 0; i < p->contacts; ++i) {
        const double *u = m->u + 3 * i;
        double *du = m->du + 3 * i, t = speed(u);
        hf_fc3d_row(p, i, m->dr, du);
        for (int k = 0; k < 3; ++k) {
            du[k] += m->f[3 * i + k];
        }
        du[0] += t > 0.0 ? p->mu[i] * (u[1] * du[1] + u[2] * du[2]) / t : 0.0;
    }
}

// The largest step from x along d within { |x_T| <= x_N }: the first zero of
// det(x + t d) = c + 2 b t + a t^2, c > 0.
static double reach(const double x[3], const double d[3])
{
    double a = det(d), b = x[0] * d[0] - x[1] * d[1] - x[2] * d[2], c = det(x);
    double inside = b * b - a * c, t = HUGE_VAL;
    if (a < 0.0 || (b < 0.0 && inside > 0.0)) {
        double root = sqrt(fmax(inside, 0.0));
        t = b <= 0.0 ? c / (root - b) : -(b + root) / a;
    }
    return d[0] < 0.0 ? fmin(t, -x[0] / d[0]) : t;
}

static double longest_step(const interior *m)
{
    const hf_fc3d_problem *p = m->run->p;
    double t = HUGE_VAL;
    for (int i = 0; i < p->contacts; ++i) {
        double mu = p->mu[i];
        const double *r = m->run->r + 3 * i, *u = m->u + 3 * i;
        const double *dr = m->dr + 3 * i, *du = m->du + 3 * i;
        if (mu < FRICTIONLESS) {
            t = dr[0] < 0.0 ? fmin(t, -r[0] / dr[0]) : t;
            t = du[0] < 0.0 ? fmin(t, -u[0] / du[0]) : t;
            continue;
        }
        double z[3] = {mu * r[0], r[1], r[2]}, dz[3] = {mu * dr[0], dr[1], dr[2]};
        double s[3] = {u[0] / mu, u[1], u[2]}, ds[3] = {du[0] / mu, du[1], du[2]};
        t = fmin(t, fmin(reach(z, dz), reach(s, ds)));
    }
    return t;
}

// Mean of z's after a step of length t. Without friction u_T takes no part.
static double mean_product(const interior *m, double t)
{
    double sum = 0.0;
    for (int i = 0; i < 3 * m->run->p->contacts; ++i) {
        sum += (m->run->r[i] + t * m->dr[i]) * (m->u[i] + t * m->du[i]);
    }
    return sum / m->run->p->contacts;
}

// Begins well inside both cones. Where r has led so far is of little use, being on the boundary.
static void step_inside(const interior *m)
{
    const hf_fc3d_problem *p = m->run->p;
    double size_u = m->run->norm_q / sqrt((double)p->contacts);
    double size_r = FIRST_REACTION * m->run->rho * size_u;
    for (int i = 0; i < p->contacts; ++i) {
        double mu = p->mu[i], *r = m->run->r + 3 * i, *u = m->u + 3 * i;
        const double *q = p->q + 3 * i;
        r[0] = size_r;
        r[1] = r[2] = 0.0;
        u[0] = fmax(q[0], 0.0) + mu * sqrt(q[1] * q[1] + q[2] * q[2]) + size_u;
        u[1] = q[1];
        u[2] = q[2];
    }
}

// One step; returns its length, 0 when it cannot be computed.
static double advance(const interior *m)
{
    int n = 3 * m->run->p->contacts;
    ++m->run->info->of_method[HF_FC3D_INTERIOR];
    miss(m);
    if (!form_matrix(m)) {
        return 0.0;
    }
    // A look ahead, towards zero, says how far to go [Mehrotra1992].
    find_direction(m, 0.0);
    double ahead = mean_product(m, fmin(1.0, longest_step(m)));
    double before = mean_product(m, 0.0);
    double share = fmin(fmax(ahead / before, 0.0), 1.0);
    share = fmax(share * sqrt(share), LEAST_TARGET);
    find_direction(m, share * before);
    double length = fmin(1.0, FRACTION * longest_step(m));
    for (int i = 0; i < n; ++i) {
        m->run->r[i] += length * m->dr[i];
        m->u[i] += length * m->du[i];
    }
    return length;
}

// The last digits by Newton's method, which needs a few steps once every contact is decided. On
// failure r is left as it was.
static bool finish(const interior *m, double *kept)
{
    hf_fc3d_run *run = m->run;
    size_t size = 3 * (size_t)run->p->contacts * sizeof *run->r;
    memcpy(kept, run->r, size);
    if (hf_fc3d_newton(run, FINISH_STEPS, 0)) {
        return true;
    }
    memcpy(run->r, kept, size);
    return false;
}

bool hf_fc3d_interior(hf_fc3d_run *run, int iterations)
{
    hf_fc3d_solver *s = run->s;
    interior m = {.run = run, .u = s->extra[1], .f = s->extra[2], .dr = s->step, .du = s->change};
    bool done = hf_fc3d_judge(run, run->r, run->u, &run->residual);
    if (done || !(run->norm_q > 0.0)) {
        return done;
    }
    hf_fc3d_set_weights(run);
    step_inside(&m);
    double next_finish = FINISH_FIRST;
    int stuck = 0;
    for (int k = 0; k < iterations && stuck < MOST_STUCK && !done; ++k) {
        double length = advance(&m);
        done = hf_fc3d_judge(run, run->r, run->u, &run->residual);
        if (!(length > 0.0 && isfinite(run->residual)) || hf_fc3d_out_of_time(run)) {
            break;
        }
        stuck = length < SHORT ? stuck + 1 : 0;
        if (!done && (run->residual < next_finish || stuck == MOST_STUCK)) {
            next_finish = FINISH_AGAIN * run->residual;
            done = finish(&m, s->extra[3]);
        }
    }
    return done;
}
