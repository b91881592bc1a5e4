// SPDX-License-Identifier: Apache-2.0
// Restitution where an impact reaches bodies that rest on others (solvers/small/spread.h).
#include "solvers/small/spread.h"

#include <math.h>
#include <string.h>

#include "base/sets.h"
#include "methods/timestep/timestep.h"

// Change of a contact's normal speed by s, which impulses have changed.
static double moved(const void *bodies, int contact)
{
    const hf_timestep *ts = bodies;
    const hf_ts_contact *c = &ts->problem.contacts[contact];
    double sum = 0.0;
    for (int i = 0; i < c->side_count; ++i) {
        const hf_ts_side *side = &c->sides[i];
        const double *y = ts->problem.y + side->y, *s = ts->motion.s_way + side->s;
        for (int k = 0; k < side->count; ++k) {
            sum += y[k] * s[k];
        }
    }
    return sum;
}

static void push(void *bodies, int contact, double impulse)
{
    hf_timestep *ts = bodies;
    const hf_ts_contact *c = &ts->problem.contacts[contact];
    for (int i = 0; i < c->side_count; ++i) {
        const hf_ts_side *side = &c->sides[i];
        const double *y = ts->problem.y + side->y;
        double *s = ts->motion.s_way + side->s;
        for (int k = 0; k < side->count; ++k) {
            s[k] += y[k] * impulse;
        }
    }
}

static double weight(const void *bodies, int contact)
{
    const hf_timestep *ts = bodies;
    return hf_ts_row_product(ts, &ts->problem.contacts[contact], 0, 0);
}

static bool grounded(const void *bodies, int contact)
{
    const hf_timestep *ts = bodies;
    return ts->problem.contacts[contact].side_count < 2;
}

// Gaps of this part of the way of an impact in a step are rounding.
static const double NO_GAP = 1e-6;

// Whether a contact touches at the beginning of the step, or closes in it.
static bool takes_part(const hf_timestep *ts, int i, double h, double fastest)
{
    const hf_ts_contact *contact = &ts->problem.contacts[i];
    bool one_sided = contact->kind != HF_TS_FRICTION && !(contact->speed > 0.0);
    double free = ts->problem.q[3 * i] - contact->shift;
    double ahead = contact->point.place.gap + fmin(h * fmin(contact->before[0], free), 0.0);
    return one_sided && ahead <= fmax(ts->machine.allowed, NO_GAP * h * fastest);
}

// Contacts that touch, and the sets of bodies that they join.
static void find_sets(hf_timestep *ts, double h, hf_spread *sp)
{
    int *parent = ts->delassus.group_start;
    // The fastest impact
    for (int i = 0; i < sp->count; ++i) {
        const hf_ts_contact *contact = &ts->problem.contacts[i];
        sp->fastest = fmax(sp->fastest, contact->impact ? -contact->before[0] : 0.0);
    }
    // What touches is joined
    hf_sets_clear(parent, ts->machine.group_count);
    for (int i = 0; i < sp->count; ++i) {
        const hf_ts_contact *contact = &ts->problem.contacts[i];
        bool there = takes_part(ts, i, h, sp->fastest);
        sp->u[i] = there ? contact->before[0] : NAN;
        if (there && contact->side_count == 2) {
            hf_sets_join(parent, contact->sides[0].group, contact->sides[1].group);
        }
    }
    // Sets by their roots
    for (int i = 0; i < sp->count; ++i) {
        sp->set[i] = hf_sets_root(parent, ts->problem.contacts[i].sides[0].group);
    }
}

// Contacts that take part, and their pairs. What driven bodies are behind by half a step is no
// approach (begin.c). False: too few or too many.
static bool list(hf_timestep *ts, double theta, double h, hf_spread *sp)
{
    int count = 0, *listed = ts->delassus.group_items;
    double *bodies = ts->scratch.along; // of the listed: both groups as one number
    find_sets(ts, h, sp);
    for (int i = 0; i < sp->count && count <= HF_SPREAD_MOST; ++i) {
        const hf_ts_contact *contact = &ts->problem.contacts[i];
        sp->pair[i] = i;
        if (isnan(sp->u[i])) {
            continue;
        }
        sp->u[i] -= hf_ts_lag(contact, theta);
        int other = contact->side_count < 2 ? ts->machine.group_count : contact->sides[1].group;
        double own = (ts->machine.group_count + 1.0) * contact->sides[0].group + other;
        int k = 0;
        while (k < count && bodies[k] != own) {
            ++k;
        }
        sp->pair[i] = k < count ? sp->pair[listed[k]] : i;
        bodies[count] = own;
        listed[count++] = i;
    }
    return count > 1 && count <= HF_SPREAD_MOST;
}

void hf_ts_spread(hf_sim *sim, double h)
{
    hf_timestep *ts = hf_timestep_of(sim);
    size_t capacity = ts->problem.capacity;
    // Tables that the solution fills only later
    hf_spread sp = {.count = ts->problem.count,
                    .u = ts->scratch.left,
                    .pair = ts->part_place,
                    .set = ts->problem.pair,
                    .reached = ts->scratch.work,
                    .goal = ts->scratch.left + capacity,
                    .r = ts->scratch.left + 2 * capacity,
                    .struck = ts->delassus.cursor,
                    .bodies = ts,
                    .moved = moved,
                    .push = push,
                    .weight = weight,
                    .grounded = grounded};
    if (!list(ts, sim->core->method.theta, h, &sp)) {
        return;
    }
    memset(sp.reached, 0, (size_t)ts->machine.group_count * sizeof *sp.reached);
    memset(ts->motion.s_way, 0, (size_t)ts->machine.s_count * sizeof *ts->motion.s_way);
    if (!hf_spread_blows(&sp)) {
        return;
    }
    // What contacts part with takes the place of what they met with
    for (int i = 0; i < sp.count; ++i) {
        hf_ts_contact *contact = &ts->problem.contacts[i];
        double e = contact->point.restitution;
        if (!hf_spread_changes(&sp, i)) {
            continue;
        }
        contact->blow = 1 + sp.set[i];
        double parts = hf_spread_parts(&sp, i);
        if (!(e > 0.0) || !(parts > 0.0 || contact->impact)) {
            continue;
        }
        ts->problem.q[3 * i] -= contact->shift;
        contact->shift = -e * parts;
        contact->impact = parts > 0.0;
        ts->problem.q[3 * i] += contact->shift;
    }
}
