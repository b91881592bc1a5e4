// SPDX-License-Identifier: Apache-2.0
// Block Gauss-Seidel: contact by contact, each solved exactly with the newest reactions of the
// others. Convergence is linear, and stalls where contacts are redundant.
//
// The residual of a sweep is estimated on the way, from each contact before its turn; the full one,
// which costs as much as a sweep, is computed when the estimate promises success.
#include "fc3d_internal.h"

enum { CHECK_EVERY = 20 };

static int diagonal_block(const hf_fc3d_problem *p, int i)
{
    int k = p->start[i];
    while (p->column[k] != i) {
        ++k;
    }
    return k;
}

// One sweep; returns the sum of the squared residuals met on the way.
static double sweep(hf_fc3d_run *run, double rho)
{
    const hf_fc3d_problem *p = run->p;
    double sum = 0.0;
    for (int i = 0; i < p->contacts; ++i) {
        double *r = run->r + 3 * i, u[3], z[3], now[3], q[3];
        const double *w = p->w + 9 * (size_t)run->s->flag[i];
        hf_fc3d_row(p, i, run->r, u);
        for (int k = 0; k < 3; ++k) {
            u[k] += p->q[3 * i + k];
            q[k] = u[k] - (w[3 * k] * r[0] + w[3 * k + 1] * r[1] + w[3 * k + 2] * r[2]);
        }
        hf_fc3d_shift(r, u, p->mu[i], rho, z);
        (void)hf_fc3d_project(z, p->mu[i], now);
        for (int k = 0; k < 3; ++k) {
            sum += (r[k] - now[k]) * (r[k] - now[k]);
        }
        (void)hf_fc3d_one_contact(w, q, p->mu[i], r, &run->s->root[i]);
    }
    return sum;
}

bool hf_fc3d_gauss_seidel(hf_fc3d_run *run, int iterations)
{
    for (int i = 0; i < run->p->contacts; ++i) {
        run->s->flag[i] = diagonal_block(run->p, i);
    }
    double rho = run->s->def.measure == HF_FC3D_SCALED ? run->rho : 1.0;
    bool done = hf_fc3d_judge(run, run->r, run->u, &run->residual);
    int since = 0;
    for (int k = 0; k < iterations && !done; ++k) {
        double estimate = sqrt(sweep(run, rho));
        ++run->info->of_method[HF_FC3D_GAUSS_SEIDEL];
        ++since;
        bool promising = run->sweep_ratio * estimate <= run->tolerance;
        if (promising || since >= CHECK_EVERY || k + 1 == iterations) {
            done = hf_fc3d_judge(run, run->r, run->u, &run->residual);
            run->sweep_ratio = estimate > 0.0 ? run->residual / estimate : 0.0;
            since = 0;
            if (!isfinite(run->residual) || hf_fc3d_out_of_time(run)) {
                break;
            }
        }
    }
    return done;
}
