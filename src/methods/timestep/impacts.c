// SPDX-License-Identifier: Apache-2.0
// Newton's restitution, u_N+ >= -e u_N, says nothing of energy. With friction, or with several
// contacts of unlike restitution, the impulses that it asks for may do work on bodies: Kane's
// paradox. Without restitution they cannot (docs/methods/timestep.md). The work of a step's
// impulses,
//   r.(u_free + u+)/2,      u_free: without reactions
// is looked at for all bodies that they join; where it is positive, the restitution of their
// impacts is halved until it is not, and at last zero.
#include <math.h>

#include "base/sets.h"
#include "methods/timestep/timestep.h"

enum { HALVINGS = 6 };

// Work below this share of its terms is rounding, or the solver's tolerance.
static const double NOTHING = 1e-7;

// Work of the reactions, and the sum of its terms by their size, by the root of the groups that
// reactions join.
static void find_work(hf_timestep *ts)
{
    int *parent = ts->delassus.group_start; // not in use now
    double *work = ts->scratch.work, *size = ts->scratch.work + ts->machine.group_count;
    hf_sets_clear(parent, ts->machine.group_count);
    for (int i = 0; i < ts->machine.group_count; ++i) {
        work[i] = size[i] = 0.0;
    }
    for (int i = 0; i < ts->problem.count; ++i) {
        const hf_ts_contact *contact = &ts->problem.contacts[i];
        const double *r = ts->problem.r + 3 * i;
        if (contact->side_count == 2 && (r[0] != 0.0 || r[1] != 0.0 || r[2] != 0.0)) {
            hf_sets_join(parent, contact->sides[0].group, contact->sides[1].group);
        }
    }
    for (int i = 0; i < ts->problem.count; ++i) {
        const hf_ts_contact *contact = &ts->problem.contacts[i];
        int root = hf_sets_root(parent, contact->sides[0].group);
        for (int k = contact->kind == HF_TS_FRICTION ? 1 : 0; k < HF_TS_ROWS; ++k) {
            double r = ts->problem.r[3 * i + k], q = ts->problem.q[3 * i + k];
            double change = ts->problem.u[3 * i + k] - q - contact->idle[k] * r;
            double free = k == 0 ? q - contact->shift : q;
            work[root] += r * (free + 0.5 * change);
            size[root] += fabs(r) * (fabs(free) + fabs(change));
        }
    }
}

// Less restitution where impulses did work. False: nowhere.
static bool lower(hf_timestep *ts, int halvings)
{
    bool lowered = false;
    find_work(ts);
    for (int i = 0; i < ts->problem.count; ++i) {
        hf_ts_contact *contact = &ts->problem.contacts[i];
        int root = hf_sets_root(ts->delassus.group_start, contact->sides[0].group);
        if (!contact->impact || !(ts->scratch.work[root] >
                                  NOTHING * ts->scratch.work[ts->machine.group_count + root])) {
            continue;
        }
        ts->problem.q[3 * i] -= contact->shift;
        contact->shift = halvings < HALVINGS ? 0.5 * contact->shift : contact->rest;
        contact->impact = halvings < HALVINGS;
        ts->problem.q[3 * i] += contact->shift;
        contact->lowered = true;
        lowered = true;
    }
    return lowered;
}

hf_status hf_ts_solve_impacts(hf_sim *sim, hf_error *error)
{
    hf_timestep *ts = hf_timestep_of(sim);
    hf_status status = hf_ts_solve_levels(sim, error);
    int used = ts->attempt.outcome.info.iterations;
    bool first = ts->attempt.outcome.warm;
    ts->attempt.outcome.lowered = 0;
    for (int i = 0; status == HF_OK && ts->attempt.traits.impacts && lower(ts, i); ++i) {
        ts->delassus.assembled = false;
        status = hf_ts_solve_levels(sim, error);
        used += ts->attempt.outcome.info.iterations;
        first = first && ts->attempt.outcome.warm;
    }
    for (int i = 0; i < ts->problem.count; ++i) {
        ts->attempt.outcome.lowered += ts->problem.contacts[i].lowered ? 1 : 0;
    }
    ts->attempt.outcome.info.iterations = used;
    ts->attempt.outcome.warm = first;
    return status;
}
