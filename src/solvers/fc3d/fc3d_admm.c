// SPDX-License-Identifier: Apache-2.0
// Alternating directions with over-relaxation and a changing penalty              [Boyd2011]
//
//   r   := (W + R)^-1 (R (z - y) - q - s)        one factorization for each R
//   x   := a r + (1 - a) z
//   z   := P_K(x + y),  y := y + x - z
//   s   := mu |v_T| n,  v = W r + q + s = R (z - y - r)   of the step before
//
// R = sigma / rho_i in each contact; sigma keeps |r - z| and |R (z - z_before)| of one size. z is
// in K throughout, and W may be singular. For fixed s the problem is convex and the method
// converges; s follows on the way.
#include <string.h>

#include "fc3d_internal.h"

static const double RELAXATION = 1.7;
static const double IMBALANCE = 5.0; // of the two residuals, that changes sigma
enum { FIRST_CHANGE = 10, JUDGE_EVERY = 5 };

typedef struct admm {
    hf_fc3d_run *run;
    double *z, *y, *s, *x;
    double sigma;
} admm;

static bool factorize(admm *m)
{
    hf_fc3d_solver *solver = m->run->s;
    for (int i = 0; i < m->run->p->contacts; ++i) {
        double penalty = m->sigma / solver->weight[i];
        for (int k = 0; k < 9; ++k) {
            solver->diagonal[9 * i + k] = k % 4 == 0 ? penalty : 0.0;
        }
    }
    for (int i = 0; i < m->run->p->contacts; ++i) {
        for (int k = 0; k < 9; ++k) {
            solver->left[9 * i + k] = k % 4 == 0 ? 1.0 : 0.0;
        }
    }
    return hf_fc3d_factorize(m->run, false);
}

// One alternation; *primal = |r - z|^2 and *dual = |sigma (z - before)|^2, each contact weighted so
// that both are energies.
static void alternate(admm *m, double *primal, double *dual)
{
    const hf_fc3d_problem *p = m->run->p;
    const double *weight = m->run->s->weight;
    *primal = *dual = 0.0;
    // r from the linear system
    for (int i = 0; i < p->contacts; ++i) {
        double penalty = m->sigma / weight[i];
        for (int k = 3 * i; k < 3 * i + 3; ++k) {
            m->x[k] = penalty * (m->z[k] - m->y[k]) - p->q[k];
        }
        m->x[3 * i] -= m->s[i];
    }
    hf_fc3d_solve_linear(m->run, m->x);
    // z on the cone, y what r and z disagree by, s what slip adds to the normal velocity
    for (int i = 0; i < p->contacts; ++i) {
        double penalty = m->sigma / weight[i], v[3], sum[3], before[3];
        double *r = m->x + 3 * i, *z = m->z + 3 * i, *y = m->y + 3 * i;
        for (int k = 0; k < 3; ++k) {
            v[k] = penalty * (z[k] - y[k] - r[k]);
            before[k] = z[k];
            r[k] = RELAXATION * r[k] + (1.0 - RELAXATION) * z[k];
            sum[k] = r[k] + y[k];
        }
        (void)hf_fc3d_project(sum, p->mu[i], z);
        for (int k = 0; k < 3; ++k) {
            y[k] = sum[k] - z[k];
            *primal += (r[k] - z[k]) * (r[k] - z[k]) / weight[i];
            *dual += m->sigma * m->sigma * (z[k] - before[k]) * (z[k] - before[k]) / weight[i];
        }
        m->s[i] = p->mu[i] * sqrt(v[1] * v[1] + v[2] * v[2]);
    }
}

static bool rebalance(admm *m, double primal, double dual)
{
    double ratio = sqrt(primal / dual);
    if (!(ratio > IMBALANCE || ratio < 1.0 / IMBALANCE) || !isfinite(ratio) || ratio == 0.0) {
        return true;
    }
    double factor = fmin(fmax(sqrt(ratio), 0.05), 20.0);
    m->sigma *= factor;
    for (int i = 0; i < 3 * m->run->p->contacts; ++i) {
        m->y[i] /= factor;
    }
    return factorize(m);
}

bool hf_fc3d_admm(hf_fc3d_run *run, int iterations)
{
    hf_fc3d_solver *s = run->s;
    const hf_fc3d_problem *p = run->p;
    size_t n = 3 * (size_t)p->contacts;
    admm m = {.run = run,
              .z = s->trial_r,
              .y = s->extra[0],
              .s = s->extra[1],
              .x = s->step,
              .sigma = 1.0};
    // Begin with what the present reactions and velocities say
    hf_fc3d_set_weights(run);
    bool done = hf_fc3d_judge(run, run->r, run->u, &run->residual);
    for (int i = 0; i < p->contacts; ++i) {
        double *z = m.z + 3 * i;
        (void)hf_fc3d_project(run->r + 3 * i, p->mu[i], z);
        double t = hypot(run->u[3 * i + 1], run->u[3 * i + 2]);
        m.s[i] = p->mu[i] * t;
        for (int k = 0; k < 3; ++k) {
            double v = run->u[3 * i + k] + (k == 0 ? m.s[i] : 0.0);
            m.y[3 * i + k] = -v * s->weight[i] / m.sigma;
        }
    }
    if (done || !factorize(&m)) {
        return done;
    }
    // Alternate; every few rounds compare and balance the two residuals
    int change = FIRST_CHANGE;
    for (int k = 0; k < iterations && !done; ++k) {
        double primal = 0.0, dual = 0.0;
        alternate(&m, &primal, &dual);
        ++run->info->of_method[HF_FC3D_ADMM];
        if ((k + 1) % JUDGE_EVERY == 0 || k + 1 == iterations) {
            done = hf_fc3d_judge(run, m.z, run->u, &run->residual);
            if (!isfinite(run->residual) || hf_fc3d_out_of_time(run)) {
                break;
            }
        }
        if (!done && k + 1 == change) {
            change += change / 2;
            if (!rebalance(&m, primal, dual)) {
                break;
            }
        }
    }
    memcpy(run->r, m.z, n * sizeof *run->r);
    return done;
}
