// SPDX-License-Identifier: Apache-2.0
// Block Gauss-Seidel: contact by contact, each solved exactly with the newest reactions of the
// others. Convergence is linear, and stalls where contacts are redundant.
//
// The residual of a sweep is estimated on the way, from each contact before its turn; the full one,
// which costs as much as a sweep, is computed when the estimate promises success.
//
// Where bodies are known, a contact has a turn only when it needs one: when its own residual
// matters, or its bodies' velocities have changed by what matters since its last turn. Where one
// stone of a heap still rolls, the others cost a comparison each.
#include <string.h>

#include "fc3d_internal.h"

enum { CHECK_EVERY = 20 };
static const double QUIET_SHARE = 0.1;

// |r - P_K(r - rho u~)|^2 of one contact
static double contact_error(const double r[3], const double u[3], double mu, double rho)
{
    double z[3], now[3];
    hf_fc3d_shift(r, u, mu, rho, z);
    (void)hf_fc3d_project(z, mu, now);
    double a = r[0] - now[0], b = r[1] - now[1], c = r[2] - now[2];
    return a * a + b * b + c * c;
}

// One contact's turn, u being its velocity now; change := what its reaction changes by.
static void relax(hf_fc3d_run *run, int i, const double *w, const double u[3], double change[3])
{
    double *r = run->r + 3 * i, q[3];
    for (int k = 0; k < 3; ++k) {
        q[k] = u[k] - (w[3 * k] * r[0] + w[3 * k + 1] * r[1] + w[3 * k + 2] * r[2]);
        change[k] = -r[k];
    }
    (void)hf_fc3d_one_contact(w, q, run->p->mu[i], r, &run->s->root[i]);
    for (int k = 0; k < 3; ++k) {
        change[k] += r[k];
    }
}

// One sweep; returns the sum of the squared residuals met on the way.
static double sweep(hf_fc3d_run *run, double rho)
{
    const hf_fc3d_problem *p = run->p;
    double sum = 0.0;
    for (int i = 0; i < p->contacts; ++i) {
        double u[3], change[3];
        hf_fc3d_row(p, i, run->r, u);
        for (int k = 0; k < 3; ++k) {
            u[k] += p->q[3 * i + k];
        }
        sum += contact_error(run->r + 3 * i, u, p->mu[i], rho);
        relax(run, i, p->w + 9 * (size_t)run->s->flag[i], u, change);
    }
    return sum;
}

// u of contact i from the bodies' velocities v; their freedoms and velocities.
typedef struct sides {
    int n[2];
    double *v[2];
} sides;

static sides look(const hf_fc3d_run *run, int i, double *v, double u[3])
{
    const hf_fc3d_space *t = run->space;
    sides s;
    for (int k = 0; k < 3; ++k) {
        double idle = t->b->idle == NULL ? 0.0 : t->b->idle[3 * i + k] * run->r[3 * i + k];
        u[k] = run->p->q[3 * i + k] + idle;
    }
    for (int k = 0; k < 2; ++k) {
        int body = t->b->pair[2 * i + k];
        const double *map = t->b->map + t->map_at[2 * i + k];
        s.n[k] = body < 0 ? 0 : t->b->first[body + 1] - t->b->first[body];
        s.v[k] = v + (body < 0 ? 0 : 3 * (size_t)t->row[body]);
        if (s.n[k] == 6) {
            hf_fc3d_part_feel(map, 6, s.v[k], u);
        } else {
            hf_fc3d_part_feel(map, s.n[k], s.v[k], u);
        }
    }
    return s;
}

// How far a contact's bodies have come.
static double path_of(const hf_fc3d_run *run, int i)
{
    const int *pair = run->space->b->pair + 2 * i;
    return (pair[0] < 0 ? 0.0 : run->s->path[pair[0]]) +
           (pair[1] < 0 ? 0.0 : run->s->path[pair[1]]);
}

// The same where bodies are known, whose velocities follow each reaction. Back and forth: what is
// above and what is below feel each other alike. `quiet`: reactions that do not matter, squared.
static double sweep_bodies(hf_fc3d_run *run, double rho, double quiet, bool back)
{
    const hf_fc3d_problem *p = run->p;
    const hf_fc3d_space *t = run->space;
    hf_fc3d_solver *s = run->s;
    double sum = 0.0;
    for (int m = 0; m < p->contacts; ++m) {
        int i = back ? p->contacts - 1 - m : m;
        double moved = rho * (path_of(run, i) - s->seen[i]);
        if (s->error[i] <= quiet && moved * moved <= quiet) {
            sum += s->error[i];
            continue;
        }
        double u[3], change[3];
        sides two = look(run, i, s->motion[0], u);
        s->error[i] = contact_error(run->r + 3 * i, u, p->mu[i], rho);
        sum += s->error[i];
        relax(run, i, t->diagonal + 9 * (size_t)i, u, change);
        double step = sqrt(change[0] * change[0] + change[1] * change[1] + change[2] * change[2]) /
                      s->weight[i];
        for (int k = 0; k < 2; ++k) {
            const double *map = t->moves + t->map_at[2 * i + k];
            if (two.n[k] == 6) {
                hf_fc3d_part_move(map, 6, change, two.v[k]);
            } else {
                hf_fc3d_part_move(map, two.n[k], change, two.v[k]);
            }
            if (two.n[k] > 0) {
                s->path[t->b->pair[2 * i + k]] += step;
            }
        }
        s->seen[i] = path_of(run, i);
    }
    return sum;
}

// Residuals of the contacts as they are, from u; nobody has moved yet.
static void start_bodies(hf_fc3d_run *run, double rho)
{
    hf_fc3d_solver *s = run->s;
    memset(s->path, 0, (size_t)run->space->b->count * sizeof *s->path);
    for (int i = 0; i < run->p->contacts; ++i) {
        s->error[i] = contact_error(run->r + 3 * i, run->u + 3 * i, run->p->mu[i], rho);
        s->seen[i] = 0.0;
    }
}

static int diagonal_block(const hf_fc3d_problem *p, int i)
{
    int k = p->start[i];
    while (p->column[k] != i) {
        ++k;
    }
    return k;
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
    double all = QUIET_SHARE * run->tolerance * size;
    return all * all / (run->p->contacts + 1);
}

bool hf_fc3d_gauss_seidel(hf_fc3d_run *run, int iterations)
{
    double rho = run->s->def.measure == HF_FC3D_SCALED ? run->rho : 1.0, quiet = 0.0;
    bool done = hf_fc3d_judge(run, run->r, run->u, &run->residual);
    for (int i = 0; !done && run->space == NULL && i < run->p->contacts; ++i) {
        run->s->flag[i] = diagonal_block(run->p, i);
    }
    if (!done && run->space != NULL) {
        hf_fc3d_set_weights(run);
        start_bodies(run, rho);
        quiet = quiet_level(run, rho);
    }
    int since = 0;
    for (int k = 0; k < iterations && !done; ++k) {
        double estimate =
            sqrt(run->space == NULL ? sweep(run, rho) : sweep_bodies(run, rho, quiet, k % 2 == 1));
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
