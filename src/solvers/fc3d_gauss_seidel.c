// SPDX-License-Identifier: Apache-2.0
// Block Gauss-Seidel: contact by contact, each solved exactly with the newest reactions of the
// others. Alone it converges linearly, and slowly in heaps; so sweeps are mixed (fc3d_mix.c), which
// needs a tenth of them.
//
// The residual of a sweep is estimated on the way, from what each contact changed by; the full one,
// which costs as much as a sweep, is computed when the estimate promises success.
//
// Where bodies are known, a contact has a turn only when it needs one: when its last turn changed
// what matters, or its bodies' velocities have changed by what matters since. Where one stone of a
// heap still rolls, the others cost a comparison each.
#include <string.h>

#include "fc3d_internal.h"

enum { CHECK_EVERY = 10 };
static const double QUIET_SHARE = 0.1; // of the tolerance

static double square(const double x[3])
{
    return x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
}

// |r - P_K(r - rho u~)|^2 of one contact
static double contact_error(const double r[3], const double u[3], double mu, double rho)
{
    double z[3], now[3];
    hf_fc3d_shift(r, u, mu, rho, z);
    (void)hf_fc3d_project(z, mu, now);
    double off[3] = {r[0] - now[0], r[1] - now[1], r[2] - now[2]};
    return square(off);
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

// ------------------------------------------------------------------------------------------------
// Turns of bodies

static void prepare_turn(hf_fc3d_run *run, int i)
{
    hf_fc3d_solver *s = run->s;
    const hf_fc3d_space *t = run->space;
    const double *w = t->diagonal + 9 * (size_t)i, *q = run->p->q + 3 * i;
    hf_fc3d_turn *turn = &s->turns[i];
    hf_fc3d_own_prepare(w, &turn->own);
    memcpy(turn->felt, w, sizeof turn->felt);
    for (int k = 0; k < 3; ++k) {
        turn->felt[4 * k] -= t->b->idle == NULL ? 0.0 : t->b->idle[3 * i + k];
        turn->q[k] = q[k];
    }
    turn->mu = run->p->mu[i];
    turn->root = s->root[i];
    turn->over_weight = 1.0 / s->weight[i];
    turn->rigid = true;
    for (int k = 0; k < 2; ++k) {
        int body = t->b->pair[2 * i + k];
        bool there = body >= 0;
        turn->n[k] = there ? t->b->first[body + 1] - t->b->first[body] : 6;
        turn->map[k] = there ? t->b->map + t->map_at[2 * i + k] : s->nobody + 6;
        turn->moves[k] = there ? t->moves + t->map_at[2 * i + k] : s->nobody + 6;
        turn->v[k] = there ? s->motion[0] + 3 * (size_t)t->row[body] : s->nobody;
        turn->path[k] = there ? &s->path[body] : s->nobody;
        turn->rigid = turn->rigid && turn->n[k] == 6;
    }
}

static inline void look(const hf_fc3d_turn *turn, double u[3])
{
    memcpy(u, turn->q, sizeof turn->q);
    if (turn->rigid) {
        hf_fc3d_six_feel(turn->map[0], turn->v[0], u);
        hf_fc3d_six_feel(turn->map[1], turn->v[1], u);
        return;
    }
    hf_fc3d_part_feel(turn->map[0], turn->n[0], turn->v[0], u);
    hf_fc3d_part_feel(turn->map[1], turn->n[1], turn->v[1], u);
}

static inline void push(const hf_fc3d_turn *turn, const double change[3])
{
    if (turn->rigid) {
        hf_fc3d_six_move(turn->moves[0], change, turn->v[0]);
        hf_fc3d_six_move(turn->moves[1], change, turn->v[1]);
        return;
    }
    hf_fc3d_part_move(turn->moves[0], turn->n[0], change, turn->v[0]);
    hf_fc3d_part_move(turn->moves[1], turn->n[1], change, turn->v[1]);
}

// A sweep where bodies are known, whose velocities follow each reaction. `quiet`: changes of
// reactions that do not matter, squared.
static double sweep_bodies(hf_fc3d_run *run, double rho, double quiet)
{
    hf_fc3d_turn *turn = run->s->turns;
    double *r = run->r, *seen = run->s->seen, *error = run->s->error, sum = 0.0;
    for (int i = 0, n = run->p->contacts; i < n; ++i, ++turn, r += 3) {
        double moved = rho * (*turn->path[0] + *turn->path[1] - seen[i]);
        if (error[i] <= quiet && moved * moved <= quiet) {
            sum += error[i];
            continue;
        }
        double u[3], change[3];
        look(turn, u);
        relax(&turn->own, turn->felt, u, turn->mu, r, &turn->root, change);
        push(turn, change);
        error[i] = square(change);
        sum += error[i];
        double step = (fabs(change[0]) + fabs(change[1]) + fabs(change[2])) * turn->over_weight;
        *turn->path[0] += step;
        *turn->path[1] += step;
        seen[i] = *turn->path[0] + *turn->path[1];
    }
    return sum;
}

// Residuals of the contacts as they are, from u; as if nobody had moved yet.
static void start_bodies(hf_fc3d_run *run, double rho)
{
    hf_fc3d_solver *s = run->s;
    for (int i = 0; i < run->p->contacts; ++i) {
        s->error[i] = contact_error(run->r + 3 * i, run->u + 3 * i, run->p->mu[i], rho);
        s->seen[i] = *s->turns[i].path[0] + *s->turns[i].path[1];
    }
}

// The largest part of H' for each body: what its contacts feel of a motion.
static void find_reach(hf_fc3d_run *run)
{
    const hf_fc3d_bodies *b = run->space->b;
    double *reach = run->s->reach;
    memset(reach, 0, (size_t)b->count * sizeof *reach);
    for (int i = 0; i < 2 * run->p->contacts; ++i) {
        int body = b->pair[i];
        double sum = 0.0;
        for (int k = 0; body >= 0 && k < 3 * (b->first[body + 1] - b->first[body]); ++k) {
            double h = b->map[run->space->map_at[i] + (size_t)k];
            sum += h * h;
        }
        if (body >= 0) {
            reach[body] = fmax(reach[body], sum);
        }
    }
    for (int i = 0; i < b->count; ++i) {
        reach[i] = sqrt(reach[i]);
    }
}

// Mixes the sweep with those before it: r, and the bodies' velocities with it.
static void mix_sweep(hf_fc3d_run *run, double quiet)
{
    hf_fc3d_solver *s = run->s;
    const hf_fc3d_space *t = run->space;
    double *dr = s->change, *dv = s->motion[1];
    int rows = t == NULL ? 0 : t->rows;
    if (hf_fc3d_mix_sweep(&s->mix, run->r, run->p->contacts, t == NULL ? NULL : s->motion[0],
                          rows) == 0) {
        return;
    }
    hf_fc3d_mix_add_up(s->mix.dr, s->mix.share, 3 * run->p->contacts, dr);
    for (int i = 0; i < run->p->contacts; ++i) {
        for (int k = 3 * i; k < 3 * i + 3; ++k) {
            run->r[k] -= dr[k];
        }
        double squares = square(dr + 3 * i);
        s->error[i] = squares > quiet && squares > s->error[i] ? squares : s->error[i];
    }
    hf_fc3d_mix_add_up(s->mix.dv, s->mix.share, 3 * rows, dv);
    for (int b = 0; t != NULL && b < t->b->count; ++b) {
        double sum = 0.0;
        for (int k = 3 * t->row[b]; k < 3 * t->row[b + 1]; ++k) {
            s->motion[0][k] -= dv[k];
            sum += dv[k] * dv[k];
        }
        s->path[b] += s->reach[b] * sqrt(sum);
    }
}

static void prepare(hf_fc3d_run *run, double rho)
{
    hf_fc3d_set_weights(run);
    for (int i = 0; i < run->p->contacts; ++i) {
        if (run->space != NULL) {
            prepare_turn(run, i);
        } else {
            hf_fc3d_own_prepare(hf_fc3d_own_block(run, i), &run->s->own[i]);
        }
    }
    if (run->space != NULL) {
        find_reach(run);
        memset(run->s->path, 0, (size_t)run->space->b->count * sizeof *run->s->path);
        start_bodies(run, rho);
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
    return hf_fc3d_judge(run, run->r, run->u, &run->residual) &&
           (run->info->of_method[HF_FC3D_GAUSS_SEIDEL] >= run->s->def.least ||
            run->residual <= hf_fc3d_polished(run->tolerance));
}

bool hf_fc3d_gauss_seidel(hf_fc3d_run *run, int iterations)
{
    double rho = run->s->def.measure == HF_FC3D_SCALED ? run->rho : 1.0, quiet = 0.0;
    size_t size = 3 * (size_t)run->p->contacts * sizeof *run->r;
    bool done = judge(run);
    if (!done) {
        prepare(run, rho);
        quiet = quiet_level(run, rho);
    }
    int since = 0;
    for (int k = 0; k < iterations && !done; ++k) {
        memcpy(run->s->mix.before, run->r, size);
        double sum = run->space == NULL ? sweep(run) : sweep_bodies(run, rho, quiet);
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
                start_bodies(run, rho);
            }
        }
        if (!done && !last) {
            mix_sweep(run, quiet);
        }
    }
    return done;
}
