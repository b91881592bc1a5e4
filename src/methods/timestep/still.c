// SPDX-License-Identifier: Apache-2.0
// Sets what is at rest after a solution to exactly zero, so that it does not creep.
//
// A velocity that is less than what the solution can tell from zero is zero. One group may be at
// rest by that rule and carry another that is not: a light body on a heavy one that bears much
// more. The velocity that is taken from the heavy body is less than nothing for it, but not for the
// light one, which was solved to go along and has no terms as large: it would creep for ever over
// what does not move. So a group whose contacts stick to groups at rest, or to the world, loses
// what these contacts forbid, and is judged by what is left.
#include <math.h>
#include <string.h>

#include "methods/timestep/timestep.h"
#include "methods/timestep/ways.h"
#include "solvers/fc3d/fc3d_internal.h"
#include "solvers/small/rows.h"

// Rows that follow from those before leave little: points of a face lie in its plane to what they
// overlap, and a row of that size would hold a body that tilts about two of them.
static const double NOTHING = 1e-4;

// Groups that are this much faster than what the solution tells from zero move.
static const double FASTER = 1e3;

// The root of the mass of a group is this many times another's: its momentum tells of it, where the
// velocities of both are rounding for the other.
static const double HEAVIER = 300.0;

static double size_of(const double *s, int count)
{
    double sum = 0.0;
    for (int k = 0; k < count; ++k) {
        sum += s[k] * s[k];
    }
    return sqrt(sum);
}

// Of a group as a whole: by the size of its velocity against those of the terms whose sum it is, or
// by how fast a contact would be that has all of it.
bool hf_ts_is_nothing(const hf_ts_nothing *nothing, double speed, double free, double size,
                      double load)
{
    double unknown = nothing->unknown, terms = free + size;
    // Of something light between what is heavy its terms say little: its velocity, speed size/load,
    // must be none beside the others' too
    double slow = fmax(HF_TS_ORDINARY * unknown * nothing->free, nothing->still);
    return (speed <= unknown * terms && speed * size <= slow * load) ||
           speed * size <= nothing->still * load;
}

static bool is_nothing(const hf_timestep *ts, int index, double speed, double unknown)
{
    const hf_ts_group *group = &ts->machine.groups[index];
    const hf_ts_nothing nothing = {unknown, ts->attempt.outcome.free, ts->attempt.outcome.still};
    return hf_ts_is_nothing(&nothing, speed, size_of(ts->motion.s_free + group->s, group->count),
                            ts->motion.s_size[index], ts->motion.s_load[index]);
}

// Adds a row to q; returns how many there are then.
static int add_row(const double *y, int count, double *q, int rank)
{
    memcpy(q + rank * count, y, (size_t)count * sizeof *q);
    return hf_rows_join(q, rank, (size_t)count, NOTHING) ? rank + 1 : rank;
}

// Whether contact i, of a group on its side k, sticks to what is at rest.
static bool sticks_to_rest(const hf_timestep *ts, int i, int k, double rho)
{
    const hf_ts_contact *contact = &ts->problem.contacts[i];
    const double *r = ts->problem.r + 3 * i;
    double z[3], p[3];
    if (contact->smooth || contact->yields) {
        return false;
    }
    if (contact->side_count == 2 && !ts->machine.groups[contact->sides[1 - k].group].still) {
        return false;
    }
    hf_fc3d_shift(r, ts->problem.u + 3 * i, ts->problem.mu[i], rho, z);
    return r[0] > 0.0 && hf_fc3d_project(z, ts->problem.mu[i], p) == HF_REGIME_STICK;
}

// The first row of a stuck contact that forbids motion: not the normal of one that is about to
// close a gap, whose velocity is the gap over the step.
static int first_held(const hf_timestep *ts, const hf_ts_contact *contact)
{
    bool closes =
        contact->kind != HF_TS_FRICTION && !(fabs(contact->shift) <= ts->attempt.outcome.still);
    return closes ? 1 : first_row(contact);
}

// Whether a group has no velocity but that of what it sticks to.
static bool follows(const hf_timestep *ts, int index, double unknown, double rho)
{
    const hf_ts_group *group = &ts->machine.groups[index];
    double *q = ts->scratch.matrix, s[HF_TS_QUICK_WIDTH];
    int n = group->count, rank = 0;
    memcpy(s, ts->motion.s_after + group->s, (size_t)n * sizeof *s);
    // What its contacts forbid
    for (int i = 0; i < ts->problem.count && rank < n; ++i) {
        const hf_ts_contact *contact = &ts->problem.contacts[i];
        for (int k = 0; k < contact->side_count; ++k) {
            const hf_ts_side *side = &contact->sides[k];
            if (side->group != index || !sticks_to_rest(ts, i, k, rho)) {
                continue;
            }
            for (int row = first_held(ts, contact); row < end_row(contact) && rank < n; ++row) {
                rank = add_row(ts->problem.y + side->y + row * n, n, q, rank);
            }
        }
    }
    // and what is left
    hf_rows_remove(q, rank, (size_t)n, s);
    return rank > 0 && is_nothing(ts, index, size_of(s, n), unknown);
}

// Groups at rest by those that they stick to, until there are no more. Returns how many.
static int find_followers(hf_timestep *ts, double unknown)
{
    double rho = hf_ts_rho(ts), slow = FASTER * ts->attempt.outcome.still;
    int found = 0, before;
    do {
        before = found;
        for (int i = 0; i < ts->machine.group_count; ++i) {
            hf_ts_group *group = &ts->machine.groups[i];
            double size = ts->motion.s_size[i];
            if (group->still || !(size > 0.0) || group->count > HF_TS_QUICK_WIDTH) {
                continue;
            }
            double speed = size_of(ts->motion.s_after + group->s, group->count);
            group->still =
                speed * size <= slow * ts->motion.s_load[i] && follows(ts, i, unknown, rho);
            found += group->still ? 1 : 0;
        }
    } while (found > before);
    return found;
}

// The momentum of a group, |s| times the root of its mass, which is load/size.
static double momentum(const hf_timestep *ts, int index, double s)
{
    double size = ts->motion.s_size[index];
    return size > 0.0 ? s * ts->motion.s_load[index] / size : 0.0;
}

// A light group is at rest by the size of the terms of its velocity, which are large because it is
// light; a heavy one that sticks to it and gains far more momentum in the step than these terms
// leave unknown is pushed, and takes the light one along: neither is at rest. Of frictions alone:
// in stacks of unlike bodies contacts leave more than that. Returns how many were called at rest.
static int wake_the_pushed(hf_timestep *ts, double unknown)
{
    double rho = hf_ts_rho(ts);
    int woken = 0;
    for (int i = 0; i < ts->problem.count; ++i) {
        const hf_ts_contact *contact = &ts->problem.contacts[i];
        for (int k = 0; k < contact->side_count && contact->side_count == 2; ++k) {
            int light = contact->sides[k].group, heavy = contact->sides[1 - k].group;
            hf_ts_group *one = &ts->machine.groups[light], *other = &ts->machine.groups[heavy];
            bool unlike = momentum(ts, heavy, 1.0) > HEAVIER * momentum(ts, light, 1.0);
            unlike = unlike && contact->kind == HF_TS_FRICTION;
            if (!one->still || !unlike || !sticks_to_rest(ts, i, 1 - k, rho)) {
                continue;
            }
            double terms =
                size_of(ts->motion.s_free + one->s, one->count) + ts->motion.s_size[light];
            double gains =
                momentum(ts, heavy, size_of(ts->motion.s_after + other->s, other->count));
            if (gains > HF_TS_ORDINARY * unknown * momentum(ts, light, terms)) {
                woken += other->still ? 2 : 1;
                one->still = other->still = false;
                one->pushed = other->pushed = true;
            }
        }
    }
    return woken;
}

int hf_ts_find_still(hf_timestep *ts, double unknown)
{
    int still = 0, moving = 0;
    // Each by itself
    for (int i = 0; i < ts->machine.group_count; ++i) {
        hf_ts_group *group = &ts->machine.groups[i];
        for (int k = group->s; k < group->s + group->count; ++k) {
            ts->motion.s_after[k] = ts->motion.s_free[k] + ts->motion.s_change[k];
        }
        double speed = size_of(ts->motion.s_after + group->s, group->count);
        bool touches = ts->motion.s_size[i] > 0.0;
        group->pushed = false;
        group->still = touches && is_nothing(ts, i, speed, unknown);
        still += group->still ? 1 : 0;
        moving += touches && !group->still ? 1 : 0;
    }
    // Unlike masses: by what they lie on
    if (still > 0 && moving > 0 && ts->attempt.outcome.still > 0.0) {
        moving -= find_followers(ts, unknown);
    }
    if (still > 0) {
        moving += wake_the_pushed(ts, unknown);
    }
    return moving;
}
