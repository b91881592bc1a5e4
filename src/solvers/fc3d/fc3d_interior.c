// SPDX-License-Identifier: Apache-2.0
// Interior points: r and u~ stay inside their cones and follow the path on which their products
// are equal, down to zero.
//
// In the variables z = P r and s = P^-1 u~, P = diag(mu, 1, 1), both cones are { |x_T| <= x_N }.
// With the scaling Theta of fc3d_scaling.h, a step towards products of m, and towards u~ = W r + q
// + mu |u~_T| n, solves
//
//   P Theta P dr + du~ = m P z^-1 - u~ - P y,    z^-1 = J z / z'Jz                              (1)
//   du~ = S (W dr + f),   S = I + mu n t',  t = u~_T / |u~_T|,  f = W r + q + mu |u~_T| n - u~  (2)
//
// together one linear system for dr. y is what the products change by in second order, as far as a
// look ahead with m = 0 tells [Mehrotra1992]. The path is smooth where contacts are redundant or
// undecided between sticking and sliding, where other methods cycle.      [AcaryArmandNguyen2023]
//
// It may turn back where contacts slide. With a fixed shift in place of mu |u~_T|, and S = I, the
// problem is convex and the path leads to its end; where nothing slides, to that of the problem
// itself. So what is almost at rest is solved with no shift, and with that of the best point so
// far, renewed when this is done.
#include <string.h>

#include "fc3d_internal.h"
#include "fc3d_scaling.h"

static const double FRICTIONLESS = 1e-12; // mu below which a contact has no friction
static const double FRACTION = 0.95;      // of the way to the boundary
static const double LEAST_TARGET = 1e-3;  // of the products in one step
// A step shorter than the first is tried again without correction, towards this share of the
// products.
static const double TRY_AGAIN = 0.3, CAREFUL_TARGET = 0.5;
static const double FIRST_REACTION = 0.1; // in units of |q| rho
// Newton's method is tried when the residual is below the first, then again whenever it has fallen
// by the second.
static const double FINISH_FIRST = 1e-4, FINISH_AGAIN = 0.03;
static const double SHORT = 0.02; // steps of which MOST_STUCK in a row lead nowhere
// At rest: rho |mu u_T| is less than this share of |r|.
static const double AT_REST = 1e-3;
static const double PRODUCT_FALL = 1e-7; // at which a convex problem is solved
static const double ROUND_FALL = 0.5;    // of the best residual, in a round worth its steps
static const double MARK_FALL = 0.5;     // of the products, within MOST_SINCE steps
// Of what it begins with from far, and the residual below which it begins near.
static const double NEAR = 0.01, NEAR_RESIDUAL = 1e-2;
static const double FAR = 100.0; // of the tolerance
static const double WORTH = 0.1; // fall of the residual from near, with which far is not tried
enum { FINISH_STEPS = 6, MOST_STUCK = 3, MOST_SINCE = 10 };

typedef struct interior {
    hf_fc3d_run *run;
    double *u;     // [3 contacts] u~
    double *shift; // [contacts]; NULL: mu |u~_T|
    double *f;
    double *dr, *du;
} interior;

static double speed(const double u[3])
{
    return sqrt(u[1] * u[1] + u[2] * u[2]);
}

// z and s of a contact, or their changes.
static void to_cone(double mu, const double *r, const double *u, double z[3], double s[3])
{
    for (int k = 0; k < 3; ++k) {
        z[k] = k == 0 ? mu * r[0] : r[k];
        s[k] = k == 0 ? u[0] / mu : u[k];
    }
}

// diagonal = c P Theta P and left = c S, c such that rows are of one size. Without friction r_T = 0
// and only the normals are left.
static bool form_matrix(const interior *m)
{
    const hf_fc3d_problem *p = m->run->p;
    hf_fc3d_solver *s = m->run->s;
    // Blocks of each contact, with and without friction
    for (int i = 0; i < p->contacts; ++i) {
        const double *r = m->run->r + 3 * i, *u = m->u + 3 * i;
        double *l = s->left + 9 * i, *d = s->diagonal + 9 * i, *inverse = s->inverse + 9 * i;
        double mu = p->mu[i];
        memset(l, 0, 9 * sizeof *l);
        memset(d, 0, 9 * sizeof *d);
        memset(inverse, 0, 9 * sizeof *d);
        l[0] = 1.0;
        if (mu < FRICTIONLESS) {
            d[0] = u[0] / r[0];
            d[4] = d[8] = 1.0;
            inverse[0] = r[0] / u[0];
            inverse[4] = inverse[8] = 1.0;
        } else {
            double t = m->shift == NULL ? speed(u) : 0.0, z[3], x[3];
            l[1] = t > 0.0 ? mu * u[1] / t : 0.0;
            l[2] = t > 0.0 ? mu * u[2] / t : 0.0;
            l[4] = l[8] = 1.0;
            to_cone(mu, r, u, z, x);
            hf_fc3d_scaling scaling = hf_fc3d_scaling_of(z, x);
            hf_fc3d_scaling_blocks(&scaling, mu, d, inverse);
        }
        // Rows of one size
        double c = 1.0 / (1.0 + s->weight[i] * fmax(fmax(d[0], d[4]), d[8]));
        for (int k = 0; k < 9; ++k) {
            l[k] *= c;
            d[k] *= c;
            inverse[k] /= c;
        }
    }
    return hf_fc3d_factorize(m->run, true);
}

// f of (2).
static void miss(const interior *m)
{
    const hf_fc3d_problem *p = m->run->p;
    hf_fc3d_run_product(m->run, m->run->r, m->f);
    for (int i = 0; i < p->contacts; ++i) {
        double *u = m->u + 3 * i, *f = m->f + 3 * i;
        for (int k = 0; k < 3; ++k) {
            f[k] += p->q[3 * i + k] - u[k];
        }
        f[0] += m->shift == NULL ? p->mu[i] * speed(u) : m->shift[i];
    }
}

// Solves (1), (2) for the product `target`; dr and du~ are the look ahead when it is to `correct`.
static void find_direction(const interior *m, double target, bool correct)
{
    const hf_fc3d_problem *p = m->run->p;
    hf_fc3d_solver *s = m->run->s;
    // Right-hand sides, contact by contact
    for (int i = 0; i < p->contacts; ++i) {
        double mu = p->mu[i], *b = m->dr + 3 * i;
        const double *r = m->run->r + 3 * i, *u = m->u + 3 * i, *f = m->f + 3 * i;
        const double *l = s->left + 9 * i, *du = m->du + 3 * i;
        if (mu < FRICTIONLESS) {
            double product = target - (correct ? b[0] * du[0] : 0.0);
            b[0] = l[0] * (product / r[0] - u[0] - f[0]);
            b[1] = b[2] = 0.0;
            continue;
        }
        double z[3], x[3], dz[3], dx[3], y[3] = {0};
        to_cone(mu, r, u, z, x);
        if (correct) {
            to_cone(mu, b, du, dz, dx);
            hf_fc3d_scaling scaling = hf_fc3d_scaling_of(z, x);
            hf_fc3d_scaling_correct(&scaling, z, dz, dx, y);
        }
        double share = target / hf_fc3d_det(z);
        b[0] = l[0] * (mu * (share * z[0] - y[0]) - u[0] - f[0]) - l[1] * f[1] - l[2] * f[2];
        b[1] = l[4] * (-share * z[1] - y[1] - u[1] - f[1]);
        b[2] = l[8] * (-share * z[2] - y[2] - u[2] - f[2]);
    }
    // dr, and du~ from it
    hf_fc3d_solve_linear(m->run, m->dr);
    hf_fc3d_run_product(m->run, m->dr, m->du);
    for (int i = 0; i < p->contacts; ++i) {
        const double *u = m->u + 3 * i;
        double *du = m->du + 3 * i, t = m->shift == NULL ? speed(u) : 0.0;
        for (int k = 0; k < 3; ++k) {
            du[k] += m->f[3 * i + k];
        }
        du[0] += t > 0.0 ? p->mu[i] * (u[1] * du[1] + u[2] * du[2]) / t : 0.0;
    }
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
        double z[3], s[3], dz[3], ds[3];
        to_cone(mu, r, u, z, s);
        to_cone(mu, dr, du, dz, ds);
        t = fmin(t, fmin(hf_fc3d_reach(z, dz), hf_fc3d_reach(s, ds)));
    }
    return t;
}

// Mean of z's. Without friction u_T takes no part.
static double mean_product(const interior *m)
{
    double sum = 0.0;
    for (int i = 0; i < m->run->p->contacts; ++i) {
        const double *r = m->run->r + 3 * i, *u = m->u + 3 * i;
        sum += r[0] * u[0] + r[1] * u[1] + r[2] * u[2];
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
        u[0] = fmax(q[0], 0.0) + mu * speed(q) + size_u;
        u[1] = q[1];
        u[2] = q[2];
    }
}

// Begins at the best point so far, moved a little into the cones.
static void step_near(const interior *m)
{
    const hf_fc3d_problem *p = m->run->p;
    const double *best = m->run->s->best_r, *now = m->run->u;
    double size_u = NEAR * m->run->norm_q / sqrt((double)p->contacts);
    double size_r = FIRST_REACTION * m->run->rho * size_u;
    hf_fc3d_run_velocity(m->run, best, m->run->u);
    for (int i = 0; i < p->contacts; ++i) {
        double mu = p->mu[i], *r = m->run->r + 3 * i, *u = m->u + 3 * i, slip = speed(now + 3 * i);
        (void)hf_fc3d_project(best + 3 * i, mu, r);
        r[0] += size_r;
        double shift = m->shift == NULL ? mu * slip : m->shift[i];
        u[0] = fmax(now[3 * i] + shift, mu * slip) + size_u;
        u[1] = now[3 * i + 1];
        u[2] = now[3 * i + 2];
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
    // A look ahead, towards zero, says how far to go and what to correct.
    find_direction(m, 0.0, false);
    double before = mean_product(m), left = 1.0 - fmin(1.0, longest_step(m));
    double share = fmax(left * left * left, LEAST_TARGET);
    // The step itself; where it is short, one that keeps farther from the boundary
    find_direction(m, share * before, true);
    double length = fmin(1.0, FRACTION * longest_step(m));
    if (length < TRY_AGAIN) {
        double *dr = m->run->s->trial_r, *du = m->run->s->trial_u;
        memcpy(dr, m->dr, (size_t)n * sizeof *dr);
        memcpy(du, m->du, (size_t)n * sizeof *du);
        find_direction(m, fmax(share, CAREFUL_TARGET) * before, false);
        double other = fmin(1.0, FRACTION * longest_step(m));
        if (!(other > length)) {
            memcpy(m->dr, dr, (size_t)n * sizeof *dr);
            memcpy(m->du, du, (size_t)n * sizeof *du);
        } else {
            length = other;
        }
    }
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

// Follows the path, from far or from near. True: the residual is below the tolerance.
static bool follow(interior *m, bool near, int iterations)
{
    hf_fc3d_run *run = m->run;
    if (near) {
        step_near(m);
    } else {
        step_inside(m);
    }
    // How far the path is to be followed
    double next_finish = FINISH_FIRST, enough = PRODUCT_FALL * mean_product(m);
    double mark = HUGE_VAL;
    int stuck = 0, since = 0;
    bool done = false, last = false;
    // Steps until it is solved, stuck, or near enough for Newton's method to end it
    for (int k = 0; k < iterations && !last && !done; ++k) {
        double length = advance(m);
        done = hf_fc3d_judge(run, run->r, run->u, &run->residual);
        if (!(length > 0.0 && isfinite(run->residual)) || hf_fc3d_out_of_time(run)) {
            break;
        }
        stuck = length < SHORT ? stuck + 1 : 0;
        since = mean_product(m) < MARK_FALL * mark ? 0 : since + 1;
        mark = since == 0 ? mean_product(m) : mark;
        last = stuck == MOST_STUCK || (near && since == MOST_SINCE) ||
               (m->shift != NULL && mean_product(m) < enough);
        if (!done && (last || (m->shift == NULL && run->residual < next_finish))) {
            next_finish = FINISH_AGAIN * run->residual;
            done = finish(m, run->s->extra[3]);
        }
    }
    return done;
}

// shift := mu |u_T|; whether this is little beside r.
static bool renew_shift(const interior *m, const double *r, const double *u)
{
    double sum = 0.0, size = 0.0;
    for (int i = 0; i < m->run->p->contacts; ++i) {
        m->run->s->shift[i] = m->run->p->mu[i] * speed(u + 3 * i);
        sum += m->run->s->shift[i] * m->run->s->shift[i];
        size += r[3 * i] * r[3 * i] + r[3 * i + 1] * r[3 * i + 1] + r[3 * i + 2] * r[3 * i + 2];
    }
    return m->run->rho * sqrt(sum) < AT_REST * sqrt(size);
}

static int left_of(const hf_fc3d_run *run, int end)
{
    return hf_fc3d_out_of_time(run) ? 0 : end - run->info->of_method[HF_FC3D_INTERIOR];
}

// Convex problems: one without a shift, which is the problem itself where all can rest, then each
// with the shift that the best point so far has, while this leads on.
static bool follow_rounds(interior *m, bool near, int end)
{
    hf_fc3d_run *run = m->run;
    bool done = false, on = true;
    m->shift = run->s->shift;
    if (left_of(run, end) > 0) {
        memset(m->shift, 0, (size_t)run->p->contacts * sizeof *m->shift);
        done = follow(m, false, left_of(run, end));
    }
    while (on && !done && left_of(run, end) > 0) {
        double best = run->best;
        hf_fc3d_run_velocity(run, run->s->best_r, run->u);
        (void)renew_shift(m, run->s->best_r, run->u);
        done = follow(m, near, left_of(run, end));
        on = run->best <= ROUND_FALL * best;
    }
    m->shift = NULL;
    return done;
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
    int end = run->info->of_method[HF_FC3D_INTERIOR] + iterations;
    bool rest = renew_shift(&m, run->r, run->u), near = run->best < NEAR_RESIDUAL;
    done = rest && follow_rounds(&m, near, end);
    double best = run->best;
    done = done || (near && left_of(run, end) > 0 && follow(&m, true, left_of(run, end)));
    if (done || (near && run->best <= WORTH * best)) {
        return done;
    }
    // What seems to slide, far from the solution, may be what has not come to rest yet.
    bool late = !rest && run->best > FAR * run->tolerance;
    return (left_of(run, end) > 0 && follow(&m, false, left_of(run, end))) ||
           (late && follow_rounds(&m, false, end));
}
