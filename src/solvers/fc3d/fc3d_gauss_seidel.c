// SPDX-License-Identifier: Apache-2.0
// Block Gauss-Seidel: contact by contact, each solved exactly with the newest reactions of the
// others. Alone it converges linearly, and slowly in heaps; so sweeps are mixed (fc3d_mix.c), which
// needs a tenth of them.
//
// The residual of a sweep is estimated on the way, from what each contact changed by; the full one,
// which costs as much as a sweep, is computed when the estimate promises success.
// Where bodies are known, sweeps are those of fc3d_turns.c.
#include <string.h>

#include "fc3d_turns.h"

enum { CHECK_EVERY = 10 };
static const double QUIET_SHARE = 0.1; // of the tolerance

static double square(const double x[3])
{
    return x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
}

// change := what the reaction r changes by, u being the contact's velocity now.
static inline void relax(const hf_fc3d_own *own, const double *w, const double u[3], double mu,
                         double *r, double *root, double change[3])
{
    double before[3] = {r[0], r[1], r[2]};
    double q[3] = {u[0] - (w[0] * r[0] + w[1] * r[1] + w[2] * r[2]),
                   u[1] - (w[3] * r[0] + w[4] * r[1] + w[5] * r[2]),
                   u[2] - (w[6] * r[0] + w[7] * r[1] + w[8] * r[2])};
    (void)hf_fc3d_own_solve(own, q, mu, r, root);
    change[0] = r[0] - before[0];
    change[1] = r[1] - before[1];
    change[2] = r[2] - before[2];
}

// One sweep; returns the sum of the squared changes.
static double sweep(hf_fc3d_run *run)
{
    const hf_fc3d_problem *p = run->p;
    const hf_fc3d_own *own = run->s->own;
    double sum = 0.0;
    for (int i = 0; i < p->contacts; ++i) {
        double u[3], change[3];
        hf_fc3d_row(p, i, run->r, u);
        for (int k = 0; k < 3; ++k) {
            u[k] += p->q[3 * i + k];
        }
        relax(&own[i], own[i].w, u, p->mu[i], run->r + 3 * i, &run->s->root[i], change);
        sum += square(change);
    }
    return sum;
}

// Mixes the sweep with those before it: r, and the bodies' velocities with it.
static void mix_sweep(hf_fc3d_run *run, double quiet)
{
    hf_fc3d_solver *s = run->s;
    const hf_fc3d_space *t = run->space;
    double *dr = s->change, *dv = s->motion[1];
    int rows = t == NULL ? 0 : t->rows;
    if (!hf_fc3d_mix_sweep(&s->mix, run->p->mu, run->r, run->p->contacts,
                           t == NULL ? NULL : s->motion[0], rows, dr, dv)) {
        return;
    }
    // What each contact feels of that; a product in place of a branch that nothing foresees
    hf_fc3d_mix_take_away(dr, 3 * run->p->contacts, run->r);
    for (int i = 0; i < run->p->contacts; ++i) {
        double squares = square(dr + 3 * i), felt = squares * (double)(squares > quiet);
        s->error[i] = felt > s->error[i] ? felt : s->error[i];
    }
    // and how far it moves each body
    hf_fc3d_mix_take_away(dv, 3 * rows, s->motion[0]);
    for (int b = 0; t != NULL && b < t->b->count; ++b) {
        double sum = 0.0;
        for (int k = 3 * t->row[b]; k < 3 * t->row[b + 1]; k += 3) {
            sum += dv[k] * dv[k];
            sum += dv[k + 1] * dv[k + 1];
            sum += dv[k + 2] * dv[k + 2];
        }
        s->path[b] += s->reach[b] * sqrt(sum);
    }
}

static void prepare(hf_fc3d_run *run, double rho)
{
    hf_fc3d_set_weights(run);
    if (run->space != NULL) {
        hf_fc3d_turns_prepare(run, rho);
    }
    for (int i = 0; run->space == NULL && i < run->p->contacts; ++i) {
        hf_fc3d_own_prepare(hf_fc3d_own_block(run, i), &run->s->own[i]);
    }
    hf_fc3d_mix_start(&run->s->mix, run->s->weight, run->r, run->p->contacts);
}

// What of one contact's residual, squared, does not matter: a small share of the tolerance.
static double quiet_level(const hf_fc3d_run *run, double rho)
{
    double rr = 0.0, uu = 0.0;
    for (int i = 0; i < 3 * run->p->contacts; ++i) {
        rr += run->r[i] * run->r[i];
        uu += run->u[i] * run->u[i];
    }
    double size = fmax(sqrt(rr), rho * fmax(run->norm_q, sqrt(uu)));
    bool solved = run->residual <= run->tolerance;
    double all = QUIET_SHARE * (solved ? hf_fc3d_polished(run->tolerance) : run->tolerance) * size;
    return all * all / (run->p->contacts + 1);
}

// Solved, and swept as often as is asked for.
static bool judge(hf_fc3d_run *run)
{
    hf_fc3d_follow(run);
    return hf_fc3d_judge(run, run->r, run->u, &run->residual) &&
           (run->info->of_method[HF_FC3D_GAUSS_SEIDEL] >= run->s->def.least ||
            run->residual <= hf_fc3d_polished(run->tolerance));
}

bool hf_fc3d_gauss_seidel(hf_fc3d_run *run, int iterations)
{
    // Where both measures count: motion by the one that feels it more, sizes by the smaller.
    hf_fc3d_measure measure = run->s->def.measure;
    bool both = measure == HF_FC3D_STRICTER;
    double rho = measure == HF_FC3D_SCALED ? run->rho : both ? fmax(run->rho, 1.0) : 1.0;
    double quiet = 0.0;
    size_t size = 3 * (size_t)run->p->contacts * sizeof *run->r;
    bool done = judge(run);
    if (!done) {
        prepare(run, rho);
        quiet = quiet_level(run, both ? fmin(run->rho, 1.0) : rho);
    }
    int since = 0;
    // Sweeps; the true residual is looked at where the sweeps' own estimate promises it
    for (int k = 0; k < iterations && !done; ++k) {
        memcpy(run->s->mix.before, run->r, size);
        if (run->space != NULL) {
            size_t moving = 3 * (size_t)run->space->rows * sizeof(double);
            memcpy(run->s->mix.start, run->s->motion[0], moving);
        }
        double sum = run->space == NULL ? sweep(run) : hf_fc3d_turns_sweep(run, rho, quiet);
        double estimate = sqrt(sum);
        ++run->info->of_method[HF_FC3D_GAUSS_SEIDEL];
        ++since;
        bool promising = run->sweep_ratio * estimate <= run->tolerance &&
                         run->info->of_method[HF_FC3D_GAUSS_SEIDEL] >= run->s->def.least;
        bool last = k + 1 == iterations;
        if (promising || since >= CHECK_EVERY || last) {
            done = judge(run);
            run->sweep_ratio = estimate > 0.0 ? run->residual / estimate : 0.0;
            since = 0;
            if (!isfinite(run->residual) || hf_fc3d_out_of_time(run)) {
                break;
            }
            if (!done && run->space != NULL) {
                hf_fc3d_turns_start(run, rho);
            }
        }
        // Mixed with the sweeps before
        if (!done && !last) {
            mix_sweep(run, quiet);
        }
    }
    return done;
}
