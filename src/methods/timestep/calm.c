// SPDX-License-Identifier: Apache-2.0
// Islands of calm bodies (sleep.c) that the last step's reactions hold: judged one by one, each by
// the measure that a machine of this island alone would have (solve.c, still.c).
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/sets.h"
#include "methods/timestep/timestep.h"
#include "methods/timestep/ways.h"
#include "solvers/fc3d/fc3d_internal.h"

// Contacts that what an island does not tell from zero is for: its bodies came to rest as parts of
// a larger machine, perhaps, and what is zero there is zero here.
enum { MANY = 100 };

static bool is_calm(const hf_timestep *ts, const hf_ts_contact *contact)
{
    return ts->machine.groups[contact->sides[0].group].calm;
}

static hf_ts_island *island_of(const hf_timestep *ts, const hf_ts_contact *contact)
{
    return &ts->sleep.islands[hf_sets_root(ts->sleep.joined, contact->sides[0].group)];
}

// Whether a contact can be one of an island at rest: it does not strike, nothing carries it, and it
// is not too deep.
static bool can_rest(const hf_timestep *ts, const hf_ts_contact *contact)
{
    bool driven = false;
    for (int k = 0; k < HF_TS_ROWS; ++k) {
        driven = driven || contact->drive[k] != 0.0 || contact->drive_before[k] != 0.0;
    }
    return !driven && !contact->impact && !contact->lands && contact->blow == 0 &&
           contact->turn == HF_TURN_NONE &&
           (contact->kind == HF_TS_FRICTION || -contact->point.place.gap <= ts->machine.allowed);
}

// r of all contacts, with the bounds that it loads. False in an island: beyond a bound.
static void take_reactions(hf_timestep *ts, double *r)
{
    memcpy(r, ts->problem.r, 3 * (size_t)ts->problem.count * sizeof *r);
    for (int i = 0; i < ts->problem.count; ++i) {
        const hf_ts_contact *contact = &ts->problem.contacts[i];
        if (is_calm(ts, contact) && contact->kind == HF_TS_FRICTION) {
            double bound = contact->bound + contact->share * fmax(r[3 * contact->owner], 0.0);
            hf_ts_island *island = island_of(ts, contact);
            island->rests = island->rests && hypot(r[3 * i + 1], r[3 * i + 2]) <= bound;
            r[3 * i] = bound;
        }
    }
}

// Islands of calm bodies, and what their residuals are measured by.
static void find_islands(hf_timestep *ts)
{
    // Bodies that contacts join
    hf_sets_clear(ts->sleep.joined, ts->machine.group_count);
    memset(ts->sleep.islands, 0, (size_t)ts->machine.group_count * sizeof *ts->sleep.islands);
    for (int i = 0; i < ts->machine.group_count; ++i) {
        ts->sleep.islands[i].rests = true;
    }
    for (int i = 0; i < ts->problem.count; ++i) {
        const hf_ts_contact *contact = &ts->problem.contacts[i];
        if (is_calm(ts, contact) && contact->side_count == 2) {
            hf_sets_join(ts->sleep.joined, contact->sides[0].group, contact->sides[1].group);
        }
    }
    // Traces of their W, and whether their contacts can rest
    for (int i = 0; i < ts->problem.count; ++i) {
        const hf_ts_contact *contact = &ts->problem.contacts[i];
        if (!is_calm(ts, contact)) {
            continue;
        }
        hf_ts_island *island = island_of(ts, contact);
        island->count += 1;
        island->rests = island->rests && can_rest(ts, contact);
        for (int k = 0; k < contact->side_count; ++k) {
            const hf_ts_side *side = &contact->sides[k];
            const double *y = ts->problem.y + side->y;
            for (int m = 0; m < 3 * side->count; ++m) {
                island->trace += y[m] * y[m];
            }
        }
        island->trace += contact->idle[0] + contact->idle[1] + contact->idle[2];
    }
}

// Sums of a contact's island with the reactions r; u := its velocity.
static void add_contact(hf_timestep *ts, int i, const double *r, double *u)
{
    const hf_ts_contact *contact = &ts->problem.contacts[i];
    hf_ts_island *island = island_of(ts, contact);
    double rho = island->trace > 0.0 ? 3.0 * island->count / island->trace : 1.0;
    for (int k = 0; k < HF_TS_ROWS; ++k) {
        bool bound = contact->kind == HF_TS_FRICTION && k == 0;
        double q = bound ? -contact->idle[0] * r[0] : ts->problem.q[3 * i + k];
        u[k] = q + contact->idle[k] * r[k];
        island->q += q * q;
        island->r += r[k] * r[k];
        island->free += bound ? 0.0 : q * q;
    }
    hf_ts_add_motion(ts, contact, ts->motion.s_change, u);
    for (int k = 0; k < HF_TS_ROWS; ++k) {
        island->u += u[k] * u[k];
    }
    island->errors += hf_fc3d_contact_error(r, u, ts->problem.mu[i], rho);
    island->rho = rho;
}

// The residual of an island, and what it does not tell from zero.
static void judge(const hf_sim *sim, hf_ts_island *island)
{
    double tolerance = sim->core->method.tolerance, size = sqrt(island->r);
    double scale = fmax(island->rho * fmax(sqrt(island->q), sqrt(island->u)), size);
    double residual = island->errors == 0.0 ? 0.0 : sqrt(island->errors) / scale;
    double enough = hf_ts_tolerance_of(tolerance, island->rho, sqrt(island->free), size);
    island->rests = island->rests && isfinite(island->r) && residual <= enough;
    island->residual = residual;
    island->nothing = (hf_ts_nothing){
        .unknown = hf_ts_unknown_of(tolerance, residual, true, MANY),
        .free = sqrt(island->free),
        .still = enough < tolerance ? enough * size / island->rho * hf_ts_root(MANY) : 0.0};
}

// Bodies whose island does not rest, or that move by more than it tells from zero, stir with all
// that is near them. Returns whether others are left.
static bool drop_restless(hf_sim *sim)
{
    hf_timestep *ts = hf_timestep_of(sim);
    hf_ts_sleep *sleep = &ts->sleep;
    bool *restless = sleep->restless, some = false;
    // Sets of near bodies of which one does not rest
    memset(restless, 0, (size_t)sim->model->pose_count * sizeof *restless);
    for (int i = 1; i < sim->model->pose_count; ++i) {
        int mover = ts->machine.pose_mover[i];
        if (mover < 0 || sleep->state[i] != HF_TS_CALM) {
            continue;
        }
        int g = ts->machine.movers[mover].group;
        const hf_ts_group *group = &ts->machine.groups[g];
        const hf_ts_island *island = &sleep->islands[hf_sets_root(sleep->joined, g)];
        const double *s = ts->motion.s_free + group->s, *change = ts->motion.s_change + group->s;
        double free = 0.0, speed = 0.0;
        for (int k = 0; k < group->count; ++k) {
            free += s[k] * s[k];
            speed += (s[k] + change[k]) * (s[k] + change[k]);
        }
        bool rests = island->rests && ts->motion.s_size[g] > 0.0 &&
                     hf_ts_is_nothing(&island->nothing, sqrt(speed), sqrt(free),
                                      ts->motion.s_size[g], ts->motion.s_load[g]);
        sleep->residual[i] = island->residual;
        restless[hf_sets_root(sleep->near, i)] |= !rests;
    }
    // are calm no more
    for (int i = 1; i < sim->model->pose_count; ++i) {
        int mover = ts->machine.pose_mover[i];
        if (mover >= 0 && sleep->state[i] == HF_TS_CALM) {
            bool calm = !restless[hf_sets_root(sleep->near, i)];
            ts->machine.groups[ts->machine.movers[mover].group].calm = calm;
            some = some || calm;
        }
    }
    return some;
}

hf_status hf_ts_settle_calm(hf_sim *sim, double h, hf_error *error)
{
    hf_timestep *ts = hf_timestep_of(sim);
    hf_ts_sleep *sleep = &ts->sleep;
    bool some = false;
    if (!sleep->possible || !sleep->used || sleep->judged) {
        return HF_OK;
    }
    sleep->judged = true;
    for (int i = 0; i < ts->problem.count && !some; ++i) {
        some = is_calm(ts, &ts->problem.contacts[i]);
    }
    if (!some) {
        return HF_OK;
    }
    // Each island by itself
    double *r = ts->scratch.given;
    find_islands(ts);
    take_reactions(ts, r);
    hf_ts_apply(ts, r);
    for (int i = 0; i < ts->problem.count; ++i) {
        if (is_calm(ts, &ts->problem.contacts[i])) {
            add_contact(ts, i, r + 3 * i, ts->problem.u + 3 * i);
        }
    }
    for (int i = 0; i < ts->machine.group_count; ++i) {
        if (sleep->islands[i].count > 0) {
            judge(sim, &sleep->islands[i]);
        }
    }
    if (!drop_restless(sim)) {
        return HF_OK;
    }
    // Where contacts at rest stand, by the projection of the residual: they do not slip
    for (int i = 0; i < ts->problem.count; ++i) {
        hf_ts_contact *contact = &ts->problem.contacts[i];
        double z[3], p[3];
        if (is_calm(ts, contact)) {
            double mu = ts->problem.mu[i];
            hf_fc3d_shift(r + 3 * i, ts->problem.u + 3 * i, mu, island_of(ts, contact)->rho, z);
            bool open = hf_fc3d_project(z, mu, p) == HF_REGIME_OPEN;
            contact->regime = open ? HF_REGIME_OPEN : HF_REGIME_STICK;
        }
    }
    if (hf_ts_fall_asleep(sim) != HF_OK) {
        return hf_error_at(error, HF_ERROR_MEMORY, hf_at_time(sim->core->time, NULL, NULL),
                           "out of memory for contacts");
    }
    return hf_ts_pose_problem(sim, h, error);
}
