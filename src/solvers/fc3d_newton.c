// SPDX-License-Identifier: Apache-2.0
// Nonsmooth Newton on the natural map, with the projection on the cone of         [JeanMoreau1987]
// and a generalized derivative as in [AlartCurnier1991]:
//
//   F_i(r) = r_i - P_K(z_i),   z_i = r_i - rho_i (u_i + mu_i |u_iT| n),   u = W r + q          (1)
//   (I - J_i + delta) d_i + rho_i J_i (I + mu_i n t_i') (W d)_i = -F_i,  t_i = u_iT / |u_iT|  (2)
//
// with J_i a derivative of P_K at z_i. A step along d is halved until the merit, the sum of
// |F_i|^2 / rho_i, falls. delta makes (2) regular where contacts are redundant and W is singular:
// of all steps that serve, a small one is taken.
//
// Newton's method cycles where the guess of which contacts open, stick and slip keeps changing.
// Then some sweeps of Gauss-Seidel settle the guess, delta grows, and rho changes: it weighs u
// against r in the guess.
#include <string.h>

#include "fc3d_internal.h"

// delta: relative to the diagonal of W. The least keeps eight digits of a step.
static const double DELTA_LEAST = 1e-8, DELTA_MOST = 0.1, DELTA_FACTOR = 100.0;
static const double MERIT_FALL = 1e-3; // share of the merit that a whole step must take away
enum { MOST_HALVINGS = 5, SWEEPS_FIRST = 5, SWEEPS_MOST = 40 };
// rho_i in units of 3 / trace W_ii: the first until a failure, then each for three of them.
static const double LEVELS[] = {10.0, 100.0, 1.0};

typedef struct newton {
    hf_fc3d_run *run;
    double *f;    // [3 contacts] F
    double merit; // of run->r
    double level; // rho_i / weight_i
    double delta;
    int failures, sweeps;
} newton;

void hf_fc3d_set_weights(const hf_fc3d_run *run)
{
    const hf_fc3d_problem *p = run->p;
    for (int i = 0; i < p->contacts; ++i) {
        int k = p->start[i];
        while (p->column[k] != i) {
            ++k;
        }
        const double *w = p->w + 9 * (size_t)k;
        double trace = w[0] + w[4] + w[8];
        run->s->weight[i] = trace > 0.0 ? 3.0 / trace : run->rho;
    }
}

// (1) at r with u = W r + q; returns the merit.
static double natural_map(const newton *m, const double *r, const double *u, double *f)
{
    const hf_fc3d_problem *p = m->run->p;
    double merit = 0.0;
    for (int i = 0; i < p->contacts; ++i) {
        double z[3], projected[3], sum = 0.0, rho = m->level * m->run->s->weight[i];
        hf_fc3d_shift(r + 3 * i, u + 3 * i, p->mu[i], rho, z);
        (void)hf_fc3d_project(z, p->mu[i], projected);
        for (int k = 0; k < 3; ++k) {
            f[3 * i + k] = r[3 * i + k] - projected[k];
            sum += f[3 * i + k] * f[3 * i + k];
        }
        merit += sum / rho;
    }
    return merit;
}

// (2): left_i = rho_i J_i (I + mu n t'), diagonal_i = I - J_i + delta.
static void form_matrix(const newton *m)
{
    const hf_fc3d_problem *p = m->run->p;
    for (int i = 0; i < p->contacts; ++i) {
        double z[3], j[9], mu = p->mu[i], rho = m->level * m->run->s->weight[i];
        double *left = m->run->s->left + 9 * i, *diagonal = m->run->s->diagonal + 9 * i;
        const double *u = m->run->u + 3 * i;
        hf_fc3d_shift(m->run->r + 3 * i, u, mu, rho, z);
        hf_fc3d_project_derivative(z, mu, j);
        double speed = sqrt(u[1] * u[1] + u[2] * u[2]);
        double a = speed > 0.0 ? mu * u[1] / speed : 0.0;
        double b = speed > 0.0 ? mu * u[2] / speed : 0.0;
        for (int k = 0; k < 9; k += 3) {
            left[k] = rho * j[k];
            left[k + 1] = rho * (j[k + 1] + j[k] * a);
            left[k + 2] = rho * (j[k + 2] + j[k] * b);
        }
        for (int k = 0; k < 9; ++k) {
            diagonal[k] = (k % 4 == 0 ? 1.0 + m->delta : 0.0) - j[k];
        }
    }
}

static bool find_step(newton *m)
{
    hf_fc3d_solver *s = m->run->s;
    form_matrix(m);
    ++m->run->info->factorizations;
    ++m->run->info->of_method[HF_FC3D_NEWTON];
    if (hf_block_lu_factorize(s->lu, m->run->p->w, s->left, s->diagonal) < 0) {
        return false;
    }
    for (int i = 0; i < 3 * m->run->p->contacts; ++i) {
        s->step[i] = -m->f[i];
    }
    hf_block_lu_solve(s->lu, s->step);
    return true;
}

// Halves the step until the merit falls; takes it then, and says how long it was. 0: it never fell.
static double take_step(newton *m, bool *done)
{
    hf_fc3d_run *run = m->run;
    hf_fc3d_solver *s = run->s;
    size_t n = 3 * (size_t)run->p->contacts;
    double length = 1.0;
    for (int k = 0; k < MOST_HALVINGS; ++k, length *= 0.5) {
        double residual = 0.0;
        for (size_t i = 0; i < n; ++i) {
            s->trial_r[i] = run->r[i] + length * s->step[i];
        }
        *done = hf_fc3d_judge(run, s->trial_r, s->trial_u, &residual);
        double merit = natural_map(m, s->trial_r, s->trial_u, s->extra[0]);
        if (*done || merit <= (1.0 - MERIT_FALL * length) * m->merit) {
            memcpy(run->r, s->trial_r, n * sizeof *run->r);
            memcpy(run->u, s->trial_u, n * sizeof *run->u);
            memcpy(m->f, s->extra[0], n * sizeof *m->f);
            run->residual = residual;
            m->merit = merit;
            return length;
        }
    }
    return 0.0;
}

// After a step that led nowhere.
static bool start_anew(newton *m)
{
    hf_fc3d_run *run = m->run;
    m->delta = fmin(DELTA_FACTOR * m->delta, DELTA_MOST);
    m->level = LEVELS[(m->failures / 3 + 1) % 3];
    ++m->failures;
    bool done = hf_fc3d_gauss_seidel(run, m->sweeps);
    m->sweeps = m->sweeps < SWEEPS_MOST ? 2 * m->sweeps : SWEEPS_MOST;
    m->merit = natural_map(m, run->r, run->u, m->f);
    return done;
}

bool hf_fc3d_newton(hf_fc3d_run *run, int iterations, int failures)
{
    newton m = {.run = run,
                .f = run->s->change,
                .level = LEVELS[0],
                .delta = DELTA_LEAST,
                .sweeps = SWEEPS_FIRST};
    hf_fc3d_set_weights(run);
    bool done = hf_fc3d_judge(run, run->r, run->u, &run->residual);
    m.merit = natural_map(&m, run->r, run->u, m.f);
    for (int k = 0; k < iterations && !done; ++k) {
        if (m.failures > failures || !isfinite(m.merit) || hf_fc3d_out_of_time(run) ||
            !find_step(&m)) {
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
