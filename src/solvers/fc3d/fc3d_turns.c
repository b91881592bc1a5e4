// SPDX-License-Identifier: Apache-2.0
// Sweeps where bodies are known, whose velocities follow each reaction.
//
// A contact has a turn only when it needs one: when its last turn changed what matters, or its
// bodies' velocities have changed by what matters since. Where one stone of a heap still rolls, the
// others cost a comparison each.
//
// Of spheres, whose normal and tangents do not couple, and of frictions of spin and rolling, which
// only turn bodies, a turn needs a fraction of what others do.
#include "fc3d_turns.h"

#include <string.h>

#include "laws/batch.h"

static double square(const double x[3])
{
    return x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
}

// ------------------------------------------------------------------------------------------------
// Preparation

// Whether a part of H' [3][6] of what only turns: the second tangent may be idle.
static bool only_turns(const double *map)
{
    bool zero = true;
    for (int k = 0; k < 18; ++k) {
        zero = zero && ((k >= 6 && k % 6 >= 3) || map[k] == 0.0);
    }
    return zero;
}

static void find_kind(const hf_fc3d_run *run, int i, hf_fc3d_turn *turn)
{
    const hf_fc3d_own *own = &run->s->own[i];
    const double *idle = run->space->b->idle == NULL ? NULL : run->space->b->idle + 3 * i;
    bool none = idle == NULL || (idle[0] == 0.0 && idle[1] == 0.0 && idle[2] == 0.0);
    bool rigid = turn->n[0] == 6 && turn->n[1] == 6;
    bool alike = rigid && own->over_tangent > 0.0;
    turn->kind = rigid ? HF_FC3D_RIGID : HF_FC3D_ANY;
    turn->weight[0] = own->w[0];
    turn->weight[1] = own->w[4];
    turn->over[0] = own->over;
    turn->over[1] = own->over_tangent;
    if (alike && none) {
        turn->kind = HF_FC3D_ALIKE;
    }
    const double *a = turn->by.map[0], *b = turn->by.map[1];
    if (alike && !none && idle[0] > 0.0 && run->space->moves == run->space->b->map &&
        only_turns(a) && only_turns(b)) {
        turn->kind = idle[2] > 0.0 ? HF_FC3D_SPINS : HF_FC3D_ROLLS;
        double rows[2][6] = {{a[9], a[10], a[11], b[9], b[10], b[11]},
                             {a[15], a[16], a[17], b[15], b[16], b[17]}};
        memcpy(turn->by.rows, rows, sizeof rows);
    }
}

static void prepare_turn(hf_fc3d_run *run, int i)
{
    hf_fc3d_solver *s = run->s;
    const hf_fc3d_space *t = run->space;
    hf_fc3d_turn *turn = &s->turns[i];
    hf_fc3d_own_prepare(t->diagonal + 9 * (size_t)i, &s->own[i]);
    memcpy(turn->q, run->p->q + 3 * (size_t)i, sizeof turn->q);
    turn->mu = run->p->mu[i];
    turn->over_weight = 1.0 / s->weight[i];
    turn->load = NULL;
    for (int k = 0; k < 2; ++k) {
        int body = t->b->pair[2 * i + k];
        bool there = body >= 0;
        turn->n[k] = there ? t->b->first[body + 1] - t->b->first[body] : 6;
        turn->by.map[k] = there ? t->b->map + t->map_at[2 * i + k] : s->nobody + 6;
        turn->by.moves[k] = there ? t->moves + t->map_at[2 * i + k] : s->nobody + 6;
        turn->v[k] = there ? s->motion[0] + 3 * (size_t)t->row[body] : s->nobody;
        turn->path[k] = there ? &s->path[body] : s->nobody;
    }
    find_kind(run, i, turn);
}

static void prepare_followers(hf_fc3d_run *run)
{
    for (int i = 0; i < run->s->follower_count; ++i) {
        const hf_fc3d_follower *f = &run->s->followers[i];
        hf_fc3d_turn *turn = &run->s->turns[f->contact];
        turn->load = run->r + 3 * (size_t)f->owner;
        turn->unloaded = -f->weight * f->bound;
        turn->per_load = -f->weight * f->share;
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

void hf_fc3d_turns_start(hf_fc3d_run *run, double rho)
{
    hf_fc3d_solver *s = run->s;
    for (int i = 0; i < run->p->contacts; ++i) {
        s->error[i] = hf_fc3d_contact_error(run->r + 3 * i, run->u + 3 * i, run->p->mu[i], rho);
        s->seen[i] = *s->turns[i].path[0] + *s->turns[i].path[1];
    }
}

void hf_fc3d_turns_prepare(hf_fc3d_run *run, double rho)
{
    for (int i = 0; i < run->p->contacts; ++i) {
        prepare_turn(run, i);
    }
    prepare_followers(run);
    find_reach(run);
    memset(run->s->path, 0, (size_t)run->space->b->count * sizeof *run->s->path);
    memset(run->s->nobody, 0, sizeof run->s->nobody); // its path too: nothing of the last problem
    hf_fc3d_turns_start(run, rho);
}

// ------------------------------------------------------------------------------------------------
// Turns: of contact i with the reaction r, which changes by `change`.

// r_T, as it would stick, within mu r_N.
HF_BATCH_BODY void shorten(double most, double *x, double *y)
{
    double squares = *x * *x + *y * *y;
    if (squares > most * most) {
        double share = most / sqrt(squares);
        *x *= share;
        *y *= share;
    }
}

HF_BATCH_BODY void settle(const double next[3], double r[3], double change[3])
{
    for (int k = 0; k < 3; ++k) {
        change[k] = next[k] - r[k];
        r[k] = next[k];
    }
}

HF_BATCH_BODY void turn_any(hf_fc3d_run *run, int i, const hf_fc3d_turn *turn, double r[3],
                            double change[3])
{
    const hf_fc3d_own *own = &run->s->own[i];
    const double *w = own->w, *idle = run->space->b->idle;
    double u[3] = {turn->q[0], turn->q[1], turn->q[2]}, next[3];
    for (int k = 0; k < 2; ++k) {
        if (turn->kind == HF_FC3D_RIGID) {
            hf_fc3d_six_feel(turn->by.map[k], turn->v[k], u);
        } else {
            hf_fc3d_part_feel(turn->by.map[k], turn->n[k], turn->v[k], u);
        }
    }
    for (int k = 0; k < 3; ++k) { // without its own share; C has not been felt
        double felt = w[3 * k] * r[0] + w[3 * k + 1] * r[1] + w[3 * k + 2] * r[2];
        u[k] -= idle == NULL ? felt : felt - idle[3 * i + k] * r[k];
    }
    (void)hf_fc3d_own_solve(own, u, turn->mu, next, &run->s->root[i]);
    settle(next, r, change);
    for (int k = 0; k < 2; ++k) {
        if (turn->kind == HF_FC3D_RIGID) {
            hf_fc3d_six_move(turn->by.moves[k], change, turn->v[k]);
        } else {
            hf_fc3d_part_move(turn->by.moves[k], turn->n[k], change, turn->v[k]);
        }
    }
}

HF_BATCH_BODY void turn_alike(const hf_fc3d_turn *turn, double r[3], double change[3])
{
    double u[3] = {turn->q[0], turn->q[1], turn->q[2]}, next[3] = {0.0, 0.0, 0.0};
    hf_fc3d_six_feel(turn->by.map[0], turn->v[0], u);
    hf_fc3d_six_feel(turn->by.map[1], turn->v[1], u);
    double normal = u[0] - turn->weight[0] * r[0];
    if (normal < 0.0) {
        next[0] = -normal * turn->over[0];
        next[1] = (turn->weight[1] * r[1] - u[1]) * turn->over[1];
        next[2] = (turn->weight[1] * r[2] - u[2]) * turn->over[1];
        shorten(turn->mu * next[0], &next[1], &next[2]);
    }
    settle(next, r, change);
    hf_fc3d_six_move(turn->by.moves[0], change, turn->v[0]);
    hf_fc3d_six_move(turn->by.moves[1], change, turn->v[1]);
}

HF_BATCH_BODY double feel(const double row[6], const double *a, const double *b)
{
    return (row[0] * a[3] + row[3] * b[3]) + (row[1] * a[4] + row[4] * b[4]) +
           (row[2] * a[5] + row[5] * b[5]);
}

// Two numbers at a time, as they are felt: a processor waits where it reads two that were written
// one by one.
HF_BATCH_BODY void move_one(const double row[3], double change, double *v)
{
    hf_two first = {0.0, row[0]}, last = hf_two_load(row + 1);
    first = hf_two_load(v + 2) + first * change;
    last = hf_two_load(v + 4) + last * change;
    HF_LANES_STORE(v + 2, first);
    HF_LANES_STORE(v + 4, last);
}

HF_BATCH_BODY void move(const double row[6], double change, double *a, double *b)
{
    move_one(row, change, a);
    move_one(row + 3, change, b);
}

// r_N is the bound, and moves nothing.
HF_BATCH_BODY void turn_turning(const hf_fc3d_turn *turn, double r[3], double change[3])
{
    double *a = turn->v[0], *b = turn->v[1], next[3] = {-turn->q[0] * turn->over[0], 0.0, 0.0};
    if (next[0] > 0.0) {
        double u = turn->q[1] + feel(turn->by.rows[0], a, b);
        next[1] = (turn->weight[1] * r[1] - u) * turn->over[1];
        double most = turn->mu * next[0];
        if (turn->kind == HF_FC3D_ROLLS) {
            u = turn->q[2] + feel(turn->by.rows[1], a, b);
            next[2] = (turn->weight[1] * r[2] - u) * turn->over[1];
            shorten(most, &next[1], &next[2]);
        } else {
            next[1] = next[1] > most ? most : next[1] < -most ? -most : next[1];
        }
    } else {
        next[0] = 0.0;
    }
    settle(next, r, change);
    move(turn->by.rows[0], change[1], a, b);
    if (turn->kind == HF_FC3D_ROLLS) {
        move(turn->by.rows[1], change[2], a, b);
    }
}

HF_BATCH_BODY void sweep(hf_fc3d_run *run, double rho, double quiet, double *changed)
{
    hf_fc3d_turn *turn = run->s->turns;
    double *r = run->r, *seen = run->s->seen, *error = run->s->error, sum = 0.0;
    for (int i = 0, n = run->p->contacts; i < n; ++i, ++turn, r += 3) {
        // What has not moved since its turn, nor been moved, is left alone
        double moved = rho * (*turn->path[0] + *turn->path[1] - seen[i]);
        if (error[i] <= quiet && moved * moved <= quiet) {
            sum += error[i];
            continue;
        }
        double change[3];
        // Its reaction, by kind
        if (turn->load != NULL) {
            turn->q[0] = turn->unloaded + turn->per_load * fmax(*turn->load, 0.0);
        }
        if (turn->kind == HF_FC3D_ALIKE) {
            turn_alike(turn, r, change);
        } else if (turn->kind == HF_FC3D_SPINS || turn->kind == HF_FC3D_ROLLS) {
            turn_turning(turn, r, change);
        } else {
            turn_any(run, i, turn, r, change);
        }
        // How much that was, for itself and for its neighbours
        error[i] = square(change);
        sum += error[i];
        double step = (fabs(change[0]) + fabs(change[1]) + fabs(change[2])) * turn->over_weight;
        *turn->path[0] += step;
        *turn->path[1] += step;
        seen[i] = *turn->path[0] + *turn->path[1];
    }
    *changed = sum;
}

static void sweep_all(hf_fc3d_run *run, double rho, double quiet, double *changed);
HF_BATCH(sweep_all, sweep, (hf_fc3d_run * run, double rho, double quiet, double *changed),
         (run, rho, quiet, changed))

double hf_fc3d_turns_sweep(hf_fc3d_run *run, double rho, double quiet)
{
    double changed;
    sweep_all(run, rho, quiet, &changed);
    return changed;
}
