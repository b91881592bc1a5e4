// SPDX-License-Identifier: Apache-2.0
// Nonsmooth Newton on the natural map of [JeanMoreau1987], with a generalized derivative as in
// [AlartCurnier1991], alone and within proximal points:
//
//   v = W r + q + e (r - a)                                                                   (1)
//   F_i(r) = r_i - P_K(z_i),   z_i = r_i - rho_i (v_i + mu_i |v_iT| n)                         (2)
//   (I - J_i + delta) d_i + rho_i J_i (I + mu_i n t_i') ((W + e) d)_i = -F_i,
//                                                                       t_i = v_iT / |v_iT|    (3)
//
// with J_i a derivative of P_K at z_i. A step along d is halved until the merit, the sum of
// |F_i|^2 / rho_i, falls. delta makes (3) regular where contacts are redundant and W is singular:
// of all steps that serve, a small one is taken.
//
// Newton's method itself has e = 0. It cycles where the guess of which contacts open, stick and
// slip keeps changing; then some sweeps of Gauss-Seidel settle the guess, delta grows, and rho
// changes, which weighs u against r in the guess.
//
// The proximal points solve (2) for e > 0, an easier problem, and take what they find as the next
// anchor a. e falls while this goes well and grows when it does not: slow but hard to stop.
#include <string.h>

#include "fc3d_internal.h"

// delta: relative to the diagonal of W. The least keeps eight digits of a step.
static const double DELTA_LEAST = 1e-8, DELTA_MOST = 0.1, DELTA_FACTOR = 100.0;
static const double MERIT_FALL = 1e-3; // share of the merit that a whole step must take away
enum { MOST_HALVINGS = 5, SWEEPS_FIRST = 5, SWEEPS_MOST = 40 };
// rho_i in units of 3 / trace W_ii: the first until a failure, then each for three of them. Where a
// light body is between heavy ones, what it answers to a reaction hides what these do, which is
// smaller by the ratio of the masses: a large rho weighs it.
static const double LEVELS[2][3] = {{10.0, 100.0, 1.0}, {1e4, 1e2, 1e6}};

// e: relative to the diagonal of W; a point is found when the merit has fallen by POINT_FALL.
static const double EASE_FIRST = 0.1, EASE_LEAST = 1e-8, EASE_FALL = 0.3, EASE_RISE = 5.0;
static const double POINT_FALL = 1e-4, POINT_LEVEL = 5.0;
enum { POINT_STEPS = 12, POINT_EASY = 6 };

typedef struct newton {
    hf_fc3d_run *run;
    double *f;            // [3 contacts] F
    double *v, *trial_v;  // [3 contacts] (1)
    const double *anchor; // [3 contacts] a
    double ease;          // e_i = ease / weight_i
    double merit;         // of run->r
    double level;         // rho_i / weight_i
    double delta;
    int failures, sweeps;
    bool heavy; // which levels
} newton;

void hf_fc3d_set_weights(const hf_fc3d_run *run)
{
    const hf_fc3d_problem *p = run->p;
    for (int i = 0; i < p->contacts; ++i) {
        const double *w = hf_fc3d_own_block(run, i);
        double trace = w[0] + w[4] + w[8];
        run->s->weight[i] = trace > 0.0 ? 3.0 / trace : run->rho;
    }
}

// (1) and (2) at r with u = W r + q; returns the merit.
static double natural_map(const newton *m, const double *r, const double *u, double *v, double *f)
{
    const hf_fc3d_problem *p = m->run->p;
    double merit = 0.0;
    for (int i = 0; i < p->contacts; ++i) {
        double weight = m->run->s->weight[i], rho = m->level * weight;
        double z[3], projected[3], sum = 0.0;
        for (int k = 3 * i; k < 3 * i + 3; ++k) {
            v[k] = m->ease > 0.0 ? u[k] + m->ease / weight * (r[k] - m->anchor[k]) : u[k];
        }
        hf_fc3d_shift(r + 3 * i, v + 3 * i, p->mu[i], rho, z);
        (void)hf_fc3d_project(z, p->mu[i], projected);
        for (int k = 0; k < 3; ++k) {
            f[3 * i + k] = r[3 * i + k] - projected[k];
            sum += f[3 * i + k] * f[3 * i + k];
        }
        merit += sum / rho;
    }
    return merit;
}

// (3): left_i = rho_i J_i (I + mu n t'), diagonal_i = I - J_i + delta + e_i left_i.
static void form_matrix(const newton *m)
{
    const hf_fc3d_problem *p = m->run->p;
    for (int i = 0; i < p->contacts; ++i) {
        double weight = m->run->s->weight[i], rho = m->level * weight, e = m->ease / weight;
        double z[3], j[9], mu = p->mu[i];
        double *left = m->run->s->left + 9 * i, *diagonal = m->run->s->diagonal + 9 * i;
        const double *v = m->v + 3 * i;
        hf_fc3d_shift(m->run->r + 3 * i, v, mu, rho, z);
        hf_fc3d_project_derivative(z, mu, j);
        double speed = sqrt(v[1] * v[1] + v[2] * v[2]);
        double a = speed > 0.0 ? mu * v[1] / speed : 0.0;
        double b = speed > 0.0 ? mu * v[2] / speed : 0.0;
        for (int k = 0; k < 9; k += 3) {
            left[k] = rho * j[k];
            left[k + 1] = rho * (j[k + 1] + j[k] * a);
            left[k + 2] = rho * (j[k + 2] + j[k] * b);
        }
        for (int k = 0; k < 9; ++k) {
            diagonal[k] = (k % 4 == 0 ? 1.0 + m->delta : 0.0) - j[k] + e * left[k];
        }
    }
}

static bool find_step(newton *m, hf_fc3d_method method)
{
    hf_fc3d_solver *s = m->run->s;
    form_matrix(m);
    ++m->run->info->of_method[method];
    if (!hf_fc3d_factorize(m->run, false)) {
        return false;
    }
    for (int i = 0; i < 3 * m->run->p->contacts; ++i) {
        s->step[i] = -m->f[i];
    }
    hf_fc3d_solve_linear(m->run, s->step);
    return true;
}

// Halves the step until the merit falls; takes it then, and says how long it was. 0: it never fell.
static double take_step(newton *m, bool *done)
{
    hf_fc3d_run *run = m->run;
    hf_fc3d_solver *s = run->s;
    size_t n = 3 * (size_t)run->p->contacts;
    double length = 1.0;
    for (int k = 0; k < MOST_HALVINGS; ++k) {
        double residual = 0.0;
        for (size_t i = 0; i < n; ++i) {
            s->trial_r[i] = run->r[i] + length * s->step[i];
        }
        *done = hf_fc3d_judge(run, s->trial_r, s->trial_u, &residual);
        double merit = natural_map(m, s->trial_r, s->trial_u, m->trial_v, s->extra[0]);
        if (*done || merit <= (1.0 - MERIT_FALL * length) * m->merit) {
            memcpy(run->r, s->trial_r, n * sizeof *run->r);
            memcpy(run->u, s->trial_u, n * sizeof *run->u);
            memcpy(m->v, m->trial_v, n * sizeof *m->v);
            memcpy(m->f, s->extra[0], n * sizeof *m->f);
            run->residual = residual;
            m->merit = merit;
            return length;
        }
        length *= 0.5;
    }
    return 0.0;
}

static newton start(hf_fc3d_run *run, double level)
{
    hf_fc3d_set_weights(run);
    return (newton){.run = run,
                    .f = run->s->change,
                    .v = run->s->felt,
                    .trial_v = run->s->trial_felt,
                    .level = level,
                    .delta = DELTA_LEAST,
                    .sweeps = SWEEPS_FIRST};
}

// ------------------------------------------------------------------------------------------------
// Newton

// After a step that led nowhere.
static bool start_anew(newton *m)
{
    hf_fc3d_run *run = m->run;
    m->delta = fmin(DELTA_FACTOR * m->delta, DELTA_MOST);
    m->level = LEVELS[m->heavy][(m->failures / 3 + 1) % 3];
    ++m->failures;
    bool done = hf_fc3d_gauss_seidel(run, hf_fc3d_left(run, m->sweeps));
    m->sweeps = m->sweeps < SWEEPS_MOST ? 2 * m->sweeps : SWEEPS_MOST;
    m->merit = natural_map(m, run->r, run->u, m->v, m->f);
    return done;
}

static bool solve(hf_fc3d_run *run, int iterations, int failures, bool heavy)
{
    newton m = start(run, LEVELS[heavy][0]);
    m.heavy = heavy;
    bool done = hf_fc3d_judge(run, run->r, run->u, &run->residual);
    m.merit = natural_map(&m, run->r, run->u, m.v, m.f);
    for (int k = 0; k < iterations && !done; ++k) {
        if (m.failures > failures || !isfinite(m.merit) || hf_fc3d_out_of_time(run) ||
            !find_step(&m, HF_FC3D_NEWTON)) {
            return false;
        }
        double length = take_step(&m, &done);
        if (length == 0.0) {
            done = start_anew(&m);
        } else if (length == 1.0) {
            m.delta = fmax(m.delta / DELTA_FACTOR, DELTA_LEAST);
            m.sweeps = SWEEPS_FIRST;
        }
    }
    return done;
}

bool hf_fc3d_newton(hf_fc3d_run *run, int iterations, int failures)
{
    return solve(run, iterations, failures, false);
}

bool hf_fc3d_newton_heavy(hf_fc3d_run *run, int iterations)
{
    return solve(run, iterations, iterations, true);
}

// ------------------------------------------------------------------------------------------------
// Proximal points

// The steps that the next point took; 0: it was not found.
static int find_point(newton *m, bool *done)
{
    m->merit = natural_map(m, m->run->r, m->run->u, m->v, m->f);
    double enough = POINT_FALL * m->merit;
    for (int k = 1; k <= POINT_STEPS; ++k) {
        if (!find_step(m, HF_FC3D_PROXIMAL) || take_step(m, done) == 0.0) {
            return 0;
        }
        if (*done || m->merit <= enough) {
            return k;
        }
    }
    return 0;
}

bool hf_fc3d_proximal(hf_fc3d_run *run, int iterations)
{
    hf_fc3d_solver *s = run->s;
    size_t size = 3 * (size_t)run->p->contacts * sizeof *run->r;
    newton m = start(run, POINT_LEVEL);
    m.anchor = s->extra[1];
    m.ease = EASE_FIRST;
    bool done = hf_fc3d_judge(run, run->r, run->u, &run->residual);
    int before = run->info->of_method[HF_FC3D_PROXIMAL];
    while (!done && run->info->of_method[HF_FC3D_PROXIMAL] - before < iterations) {
        memcpy(s->extra[1], run->r, size);
        int steps = find_point(&m, &done);
        if (!isfinite(m.merit) || hf_fc3d_out_of_time(run)) {
            break;
        }
        if (!done && steps == 0) {
            memcpy(run->r, s->extra[1], size);
            done = hf_fc3d_judge(run, run->r, run->u, &run->residual);
            m.ease *= EASE_RISE;
        } else if (steps <= POINT_EASY) {
            m.ease = fmax(EASE_FALL * m.ease, EASE_LEAST);
        }
    }
    return done;
}
