// SPDX-License-Identifier: Apache-2.0
// The friction-contact problem of a step: q, mu and a first r (solve.c solves it).
#include <math.h>
#include <string.h>

#include "base/carve.h"
#include "base/error.h"
#include "methods/timestep/timestep.h"
#include "methods/timestep/ways.h"
#include "solvers/fc3d/fc3d_internal.h"

// ------------------------------------------------------------------------------------------------
// Sums over sides

// u := Y s of a side, added.
static inline void add_rows(const double *restrict y, int count, const double *restrict s,
                            double u[HF_TS_ROWS])
{
    double a = 0.0, b = 0.0, c = 0.0;
    for (int k = 0; k < count; ++k) {
        a += y[k] * s[k];
        b += y[count + k] * s[k];
        c += y[2 * count + k] * s[k];
    }
    u[0] += a;
    u[1] += b;
    u[2] += c;
}

// The same where only the first row has numbers.
static inline double add_row(const double *restrict y, int count, const double *restrict s)
{
    double sum = 0.0;
    for (int k = 0; k < count; ++k) {
        sum += y[k] * s[k];
    }
    return sum;
}

void hf_ts_add_motion(const hf_timestep *ts, const hf_ts_contact *contact, const double *s,
                      double u[HF_TS_ROWS])
{
    for (int i = 0; i < contact->side_count; ++i) {
        const hf_ts_side *side = &contact->sides[i];
        const double *y = ts->problem.y + side->y;
        if (side->count == 6) {
            add_rows(y, 6, s + side->s, u);
        } else if (is_way(ts, side)) {
            add_way(y, side->count, side->leaf, ts->machine.groups[side->group].above, s + side->s,
                    first_row(contact), end_row(contact), u);
        } else if (end_row(contact) == 1) {
            u[0] += add_row(y, side->count, s + side->s);
        } else {
            add_rows(y, side->count, s + side->s, u);
        }
    }
}

// s += Y' r of a side; returns |Y' r|.
static inline double add_columns(const double *restrict y, int count, const double r[HF_TS_ROWS],
                                 double *restrict s)
{
    double squares = 0.0;
    for (int k = 0; k < count; ++k) {
        double change = y[k] * r[0] + y[count + k] * r[1] + y[2 * count + k] * r[2];
        s[k] += change;
        squares += change * change;
    }
    return sqrt(squares);
}

// The same of the first row alone.
static inline double add_column(const double *restrict y, int count, double r, double *restrict s)
{
    double squares = 0.0;
    for (int k = 0; k < count; ++k) {
        double change = y[k] * r;
        s[k] += change;
        squares += change * change;
    }
    return sqrt(squares);
}

void hf_ts_apply(hf_timestep *ts, const double *r)
{
    memset(ts->motion.s_change, 0, (size_t)ts->machine.s_count * sizeof *ts->motion.s_change);
    memset(ts->motion.s_size, 0, (size_t)ts->machine.group_count * sizeof *ts->motion.s_size);
    memset(ts->motion.s_load, 0, (size_t)ts->machine.group_count * sizeof *ts->motion.s_load);
    for (int i = 0; i < ts->problem.count; ++i, r += 3) {
        const hf_ts_contact *contact = &ts->problem.contacts[i];
        if (r[0] == 0.0 && r[1] == 0.0 && r[2] == 0.0) {
            continue;
        }
        // The first number of a friction is its bound, which pushes nothing.
        double push = contact->kind == HF_TS_FRICTION ? 0.0 : r[0];
        double load = sqrt(push * push + r[1] * r[1] + r[2] * r[2]);
        for (int k = 0; k < contact->side_count; ++k) {
            const hf_ts_side *side = &contact->sides[k];
            const double *y = ts->problem.y + side->y;
            double *s = ts->motion.s_change + side->s;
            ts->motion.s_load[side->group] += load;
            ts->motion.s_size[side->group] +=
                side->count == 6        ? add_columns(y, 6, r, s)
                : is_way(ts, side)      ? add_way_columns(y, side->count, side->leaf,
                                                          ts->machine.groups[side->group].above,
                                                          first_row(contact), end_row(contact), r, s)
                : end_row(contact) == 1 ? add_column(y, side->count, r[0], s)
                                        : add_columns(y, side->count, r, s);
        }
    }
}

// ------------------------------------------------------------------------------------------------
// q, mu and r

// What friction of a stop is per normal force, on the side that the contact would slip to.
static double friction_of_stop(const hf_sim *sim, hf_ts_contact *contact,
                               const hf_force_place *force, const double *q)
{
    const hf_timestep *ts = hf_timestep_of(sim);
    const hf_coulomb_def *def = force->def;
    int told = contact->rows == 1 ? ts->loads.side[contact->friction] : 0;
    int side = contact->rows == 1 && q[1] < 0.0 ? HF_BACK : HF_FORTH;
    contact->side = told > 0 ? told - 1 : side;
    return hf_level_at(&def->level, contact->side, hypot(contact->before[1], contact->before[2]),
                       1.0, hf_ts_regime_before(sim, ts, &def->level, contact));
}

static void pose_contact(hf_sim *sim, int i, double h)
{
    hf_timestep *ts = hf_timestep_of(sim);
    hf_ts_contact *contact = &ts->problem.contacts[i];
    // Its velocity without reactions, and at the beginning
    double *q = ts->problem.q + 3 * i;
    memcpy(q, contact->drive, 3 * sizeof *q);
    hf_ts_add_motion(ts, contact, ts->motion.s_free, q);
    memcpy(contact->before, contact->drive_before, sizeof contact->before);
    hf_ts_add_motion(ts, contact, ts->motion.s_before, contact->before);
    ts->problem.mu[i] = 0.0;
    if (contact->smooth) {
        ts->problem.r[3 * i + 1] = ts->problem.r[3 * i + 2] = 0.0;
    }
    contact->stuck = contact->slid = false; // frictions: levels.c
    // A friction has a normal that is its bound
    if (contact->kind == HF_TS_FRICTION) {
        ts->problem.mu[i] = 1.0; // of a normal that is its bound
        q[0] = 0.0;
        return;
    }
    // The coefficient that holds in this step
    if (contact->friction >= 0) {
        const hf_force_place *force = &sim->model->forces[contact->friction];
        ts->problem.mu[i] = friction_of_stop(sim, contact, force, q);
    }
    if (contact->kind == HF_TS_POINT && contact->point.own && !isnan(contact->point.mu)) {
        ts->problem.mu[i] = contact->point.mu;
    } else if (contact->kind == HF_TS_POINT) {
        const hf_rigid_contact_def *def = sim->model->forces[contact->point.force].def;
        double speed = hypot(contact->before[1], contact->before[2]);
        ts->problem.mu[i] = hf_level_at(&def->friction, HF_FORTH, speed, 1.0,
                                        hf_ts_regime_before(sim, ts, &def->friction, contact));
    }
    // and what its normal velocity is to be
    hf_ts_pose_normal(sim, i, q[0], h);
    q[0] += contact->shift;
}

// Room to share out loads (share.c) among velocities of which there are `width`.
static void lay_out_share(hf_timestep *ts, size_t width, size_t capacity, hf_carver *c)
{
    hf_ts_share_room *room = &ts->scratch.share;
    size_t n = width < HF_TS_SHARE_WIDTH ? width : HF_TS_SHARE_WIDTH;
    size_t contacts = capacity < HF_TS_SHARE_CONTACTS ? capacity : HF_TS_SHARE_CONTACTS;
    room->q = hf_carve_matrix(c, n, n, sizeof(double));
    room->wanted = hf_carve(c, n, sizeof(double));
    room->d = hf_carve(c, n, sizeof(double));
    room->c = hf_carve_matrix(c, 3 * n, contacts, sizeof(double));
    room->x = hf_carve_matrix(c, 3, contacts, sizeof(double));
    room->block = hf_carve(c, contacts, sizeof *room->block);
    room->work = hf_carve(c, hf_least_cone_work((int)n, (int)contacts), sizeof(double));
    room->contact = hf_carve(c, contacts, sizeof *room->contact);
    ts->scratch.shared = hf_carve(c, contacts, sizeof *ts->scratch.shared);
}

static void lay_out(hf_timestep *ts, size_t width, size_t capacity, hf_carver *c)
{
    double **by_row[] = {&ts->problem.r,     &ts->problem.u,     &ts->problem.q,
                         &ts->scratch.found, &ts->scratch.given, &ts->problem.idle,
                         &ts->scratch.left,  &ts->scratch.along, &ts->scratch.whole};
    for (size_t i = 0; i < sizeof by_row / sizeof *by_row; ++i) {
        *by_row[i] = hf_carve_matrix(c, 3, capacity, sizeof(double));
    }
    ts->problem.mu = hf_carve(c, capacity, sizeof(double));
    ts->scratch.quick = hf_carve(c, capacity, sizeof *ts->scratch.quick);
    ts->problem.followers = hf_carve(c, capacity, sizeof *ts->problem.followers);
    ts->problem.place = hf_carve_matrix(c, 2, capacity, sizeof *ts->problem.place);
    ts->problem.pair = hf_carve_matrix(c, 2, capacity, sizeof(int));
    ts->delassus.group_items = hf_carve_matrix(c, 2, capacity, sizeof(int));
    ts->delassus.cursor = hf_carve(c, capacity, sizeof(int));
    ts->delassus.start = hf_carve(c, capacity + 1, sizeof(int));
    // One of two parts (parts.c)
    double **of_part[] = {&ts->part.r, &ts->part.u, &ts->part.q, &ts->part.idle};
    for (size_t i = 0; i < sizeof of_part / sizeof *of_part; ++i) {
        *of_part[i] = hf_carve_matrix(c, 3, capacity, sizeof(double));
    }
    ts->part.mu = hf_carve(c, capacity, sizeof(double));
    ts->part.contacts = hf_carve(c, capacity, sizeof *ts->part.contacts);
    ts->part.followers = hf_carve(c, capacity, sizeof *ts->part.followers);
    ts->part.place = hf_carve_matrix(c, 2, capacity, sizeof *ts->part.place);
    ts->part.pair = hf_carve_matrix(c, 2, capacity, sizeof(int));
    ts->part_place = hf_carve(c, capacity, sizeof(int));
    lay_out_share(ts, width, capacity, c);
}

// Tables for the contacts that were found, in one block, which begins with r. What they held is
// lost when they grow; when that fails they stay as they are.
static bool reserve(hf_sim *sim)
{
    hf_timestep *ts = hf_timestep_of(sim), counted;
    size_t count = (size_t)ts->problem.count, width = (size_t)ts->machine.s_count;
    if (count <= ts->problem.capacity) {
        return true;
    }
    size_t capacity = count > 2 * ts->problem.capacity ? count : 2 * ts->problem.capacity;
    hf_carver counter = {0};
    lay_out(&counted, width, capacity, &counter);
    const hf_allocator *allocator = &sim->allocator;
    void *block = counter.overflow ? NULL : allocator->allocate(allocator->context, counter.used);
    if (block == NULL) {
        return false;
    }
    if (ts->problem.r != NULL) {
        allocator->release(allocator->context, ts->problem.r);
    }
    lay_out(ts, width, capacity, &(hf_carver){.base = block});
    ts->problem.capacity = capacity;
    return true;
}

void hf_ts_set_bodies(hf_timestep *ts)
{
    for (int i = 0; i < ts->problem.count; ++i) {
        const hf_ts_contact *contact = &ts->problem.contacts[i];
        for (int k = 0; k < 2; ++k) {
            bool there = k < contact->side_count;
            ts->problem.pair[2 * i + k] = there ? contact->sides[k].group : -1;
            ts->problem.place[2 * i + k] = there ? contact->sides[k].y : 0;
        }
        memcpy(ts->problem.idle + 3 * i, contact->idle, sizeof contact->idle);
    }
    ts->problem.bodies = (hf_fc3d_bodies){.count = ts->machine.group_count,
                                          .first = ts->machine.first,
                                          .pair = ts->problem.pair,
                                          .map = ts->problem.y,
                                          .place = ts->problem.place,
                                          .idle = ts->problem.idle};
}

hf_status hf_ts_pose_problem(hf_sim *sim, double h, hf_error *error)
{
    hf_timestep *ts = hf_timestep_of(sim);
    if (!reserve(sim)) {
        return hf_error_at(error, HF_ERROR_MEMORY, hf_at_time(sim->core->time, NULL, NULL),
                           "out of memory for %d contacts", ts->problem.count);
    }
    hf_ts_recall(sim, h);
    ts->attempt.traits.impacts = ts->attempt.traits.lands = ts->attempt.traits.carried = false;
    for (int i = 0; i < ts->problem.count; ++i) {
        const double *drive = ts->problem.contacts[i].drive;
        pose_contact(sim, i, h);
        ts->attempt.traits.carried |= drive[0] != 0.0 || drive[1] != 0.0 || drive[2] != 0.0;
    }
    if (ts->attempt.traits.lands) {
        hf_ts_land_together(ts);
    }
    if (ts->attempt.traits.impacts) {
        hf_ts_spread(sim, h);
    }
    hf_ts_pose_levels(sim, h);
    hf_ts_set_bodies(ts);
    return HF_OK;
}
