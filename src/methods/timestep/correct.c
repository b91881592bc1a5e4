// SPDX-License-Identifier: Apache-2.0
// Positions are moved out of penetration, velocities are not. Among all small motions that bring
// the gaps of a step's contacts up to where they are allowed to be,
//   gap + Y_N d >= -allowed,                    d mass-weighted
// and half of it where they are deeper, the least |d| is taken, by Gauss-Seidel on the multipliers
// of the gaps. Where something light is squeezed by what is heavy, sweeps push it to and fro and
// hardly move the heavy: it would shake for ever, and all that it bears. Which of the motions is
// least is a matter of taste, not of dynamics: there all groups are taken to be equally heavy. Only
// normals act: what is held by friction stays where it is. Frictions of coordinates that stick do
// not give way either: their rows are held from both sides, and what is left of them is made
// exactly zero.
//
// Twice: at the beginning of a step, for drift; and at its end, where theta < 1 lets an impact go
// through, because its mean velocity has some of that before the impact; and where an impact that
// lands has stopped above the surface. The latter are brought to it from either side; of two bodies
// that meet in several points, up to where the lowest one touches: a body that lands tilted does
// not turn by it.
#include <math.h>
#include <string.h>

#include "math/row.h"
#include "methods/timestep/timestep.h"

// Penetration that is left alone: of the thinnest shape, within limits, and where nothing has a
// shape [m or rad]. Half of it is left of a deeper one.
static const double ALLOWED = 1e-4, LEAST = 1e-9, MOST = 1e-5, OF_POINTS = 1e-7;
static const double LEFT = 0.5;
// Rotations beyond this in one step would be too far from linear [rad]. Motions below SMALL change
// nothing but the gaps [m or rad].
static const double LARGEST_TURN = 0.1, SMALL = 1e-4;
// Sweeps out of penetration; to the surface, where what is left would be an approach again.
enum { SWEEPS = 20, LANDING_SWEEPS = 200, EVEN_SWEEPS = 100 };
// Depth at the start that is told, of the thinnest shape: a mistake in the machine, not a rounding.
static const double TOLD_SHARE = 1e-3;
// Answers to a push that differ by more are of unlike masses.
static const double UNLIKE = 100.0;

double hf_ts_allowed(const hf_sim *sim)
{
    const hf_model *model = sim->model;
    const hf_timestep *ts = hf_timestep_of(sim);
    double given = sim->core->method.penetration;
    double thin =
        ts->machine.collider == NULL ? HUGE_VAL : hf_collider_thinness(ts->machine.collider);
    for (int i = 0; i < model->swarm_count; ++i) {
        thin = fmin(thin, model->swarms[i].smallest);
    }
    return given > 0.0      ? given
           : isfinite(thin) ? fmin(fmax(ALLOWED * thin, LEAST), MOST)
                            : OF_POINTS;
}

// Frictions and limits of rates have none.
static bool has_gap(const hf_ts_contact *contact)
{
    return contact->kind != HF_TS_FRICTION && contact->speed == 0.0;
}

// Gaps after `h` seconds with the mean velocities of the step; now, for h = 0. Returns the deepest.
static double find_gaps(const hf_timestep *ts, double h, double theta, double *gaps)
{
    double depth = 0.0;
    for (int i = 0; i < ts->problem.count; ++i) {
        const hf_ts_contact *contact = &ts->problem.contacts[i];
        gaps[i] = 0.0;
        if (has_gap(contact)) {
            double way = h * (theta * ts->problem.u[3 * i] + (1.0 - theta) * contact->before[0]);
            gaps[i] = contact->point.place.gap + (h > 0.0 ? way : 0.0);
            depth = fmax(depth, -gaps[i]);
        }
    }
    return depth;
}

// Takes the motion along one row of a contact back. Returns how far it went.
static double hold_row(hf_timestep *ts, const hf_ts_contact *contact, int row)
{
    double along = 0.0, weight = 0.0;
    for (int k = 0; k < contact->side_count; ++k) {
        const hf_ts_side *side = &contact->sides[k];
        const double *y = ts->problem.y + side->y + (size_t)row * (size_t)side->count;
        double ease = ts->scratch.work[side->group];
        for (int m = 0; m < side->count; ++m) {
            along += y[m] * ts->motion.s_change[side->s + m];
            weight += ease * y[m] * y[m];
        }
    }
    if (!(weight > 0.0) || along == 0.0) {
        return 0.0;
    }
    for (int k = 0; k < contact->side_count; ++k) {
        const hf_ts_side *side = &contact->sides[k];
        const double *y = ts->problem.y + side->y + (size_t)row * (size_t)side->count;
        double ease = ts->scratch.work[side->group];
        for (int m = 0; m < side->count; ++m) {
            ts->motion.s_change[side->s + m] -= ease * y[m] * along / weight;
        }
    }
    return fabs(along);
}

// By how much a contact that lands is above the lowest one of its two bodies: it remains so.
static double above_lowest(const hf_timestep *ts, const double *gaps, int contact)
{
    const hf_ts_contact *contacts = ts->problem.contacts;
    const hf_contact_point *point = &contacts[contact].point;
    double lowest = gaps[contact];
    for (int way = -1; way <= 1; way += 2) {
        for (int i = contact + way; i >= 0 && i < ts->problem.count; i += way) {
            const hf_contact_point *other = &contacts[i].point;
            if (other->force != point->force || other->on != point->on || other->to != point->to) {
                break;
            }
            lowest = has_gap(&contacts[i]) ? fmin(lowest, gaps[i]) : lowest;
        }
    }
    return gaps[contact] - lowest;
}

// One sweep over the normals, and over what sticks. multiplier: by contact. landing: at the end of
// the step, where what has landed is to touch. Returns the largest change of a gap.
static double sweep(hf_sim *sim, const double *gaps, bool landing, double *multiplier)
{
    hf_timestep *ts = hf_timestep_of(sim);
    double largest = 0.0;
    for (int i = 0; i < ts->problem.count; ++i) {
        const hf_ts_contact *contact = &ts->problem.contacts[i];
        bool sticks = hf_ts_stuck_friction(sim, contact) != NULL;
        for (int row = 1; row <= contact->rows && sticks; ++row) {
            largest = fmax(largest, hold_row(ts, contact, row));
        }
        if (!has_gap(contact)) {
            continue;
        }
        bool lands = landing && contact->lands && ts->problem.r[3 * i] > 0.0;
        double room = (gaps[i] < -ts->machine.allowed ? LEFT : 1.0) * ts->machine.allowed;
        room = lands ? -above_lowest(ts, gaps, i) : room;
        // The gap now, and what answers to a push
        double gap = gaps[i] + room, weight = 0.0;
        for (int k = 0; k < contact->side_count; ++k) {
            const hf_ts_side *side = &contact->sides[k];
            const double *y = ts->problem.y + side->y;
            double ease = ts->scratch.work[side->group];
            for (int m = 0; m < side->count; ++m) {
                gap += y[m] * ts->motion.s_change[side->s + m];
                weight += ease * y[m] * y[m];
            }
        }
        // A push, never a pull but where it lands
        double next = multiplier[i] - gap / weight;
        next = lands ? next : fmax(0.0, next);
        double change = next - multiplier[i];
        if (!(weight > 0.0) || change == 0.0) {
            continue;
        }
        multiplier[i] = next;
        largest = fmax(largest, fabs(change) * weight);
        // What that does to the bodies
        for (int k = 0; k < contact->side_count; ++k) {
            const hf_ts_side *side = &contact->sides[k];
            const double *y = ts->problem.y + side->y;
            double ease = ts->scratch.work[side->group];
            for (int m = 0; m < side->count; ++m) {
                ts->motion.s_change[side->s + m] += ease * y[m] * change;
            }
        }
    }
    return largest;
}

// Moves the machine by d, shortened where it turns too far; returns how far it went.
static double move(hf_sim *sim)
{
    const hf_model *model = sim->model;
    hf_timestep *ts = hf_timestep_of(sim);
    double *v = sim->stage + model->nq, turn = 0.0, largest = 0.0;
    // Velocities that make d in unit time, and how far they turn
    memcpy(sim->stage, sim->x, (size_t)model->nq * sizeof *sim->x);
    memset(v, 0, (size_t)model->nv * sizeof *v);
    const double *change = hf_ts_plain(ts, ts->motion.s_change);
    for (int i = 0; i < ts->machine.mover_count; ++i) {
        const hf_ts_mover *mover = &ts->machine.movers[i];
        hf_ts_add_velocity(mover, change, v);
        for (int k = mover->v; k < mover->v + mover->count; ++k) {
            bool turns = k - mover->v >= mover->ops->shifts;
            *(turns ? &turn : &largest) = fmax(turns ? turn : largest, fabs(v[k]));
        }
    }
    hf_ts_stop_coordinates(sim, v);
    // Shortened; what is left is for the next sweep
    double share = turn > LARGEST_TURN ? LARGEST_TURN / turn : 1.0;
    hf_sim_q_rate(sim, sim->stage, sim->slope);
    for (int i = 0; i < model->nq; ++i) {
        sim->x[i] += share * sim->slope[i];
    }
    hf_sim_normalize(sim, sim->x);
    for (int i = 0; i < ts->machine.s_count; ++i) {
        ts->motion.s_change[i] *= share;
    }
    double moved = share * fmax(largest, turn);
    sim->core->stats.largest_correction = fmax(sim->core->stats.largest_correction, moved);
    return moved;
}

// Gaps after the motion.
static void follow(hf_timestep *ts)
{
    for (int i = 0; i < ts->problem.count; ++i) {
        hf_ts_contact *contact = &ts->problem.contacts[i];
        for (int k = 0; k < contact->side_count && contact->kind != HF_TS_FRICTION; ++k) {
            const hf_ts_side *side = &contact->sides[k];
            const double *y = ts->problem.y + side->y;
            for (int m = 0; m < side->count; ++m) {
                contact->point.place.gap += y[m] * ts->motion.s_change[side->s + m];
            }
        }
    }
}

// How easily each group gives way, beside its mass: all of them alike.
static void ease_none(const hf_timestep *ts)
{
    for (int i = 0; i < ts->machine.group_count; ++i) {
        ts->scratch.work[i] = 1.0;
    }
}

// In the inverse proportion of their answers to pushes, so that all are equally heavy. False: they
// nearly are.
static bool ease_heavy(const hf_timestep *ts)
{
    double *answer = ts->scratch.work, least = HUGE_VAL, most = 0.0;
    memset(answer, 0, (size_t)ts->machine.group_count * sizeof *answer);
    for (int i = 0; i < ts->problem.count; ++i) {
        const hf_ts_contact *contact = &ts->problem.contacts[i];
        for (int k = 0; k < contact->side_count && has_gap(contact); ++k) {
            const hf_ts_side *side = &contact->sides[k];
            double w =
                hf_row_dot(ts->problem.y + side->y, ts->problem.y + side->y, (size_t)side->count);
            answer[side->group] = fmax(answer[side->group], w);
        }
    }
    for (int i = 0; i < ts->machine.group_count; ++i) {
        if (answer[i] > 0.0) {
            least = fmin(least, answer[i]);
            most = fmax(most, answer[i]);
        }
        answer[i] = answer[i] > 0.0 ? 1.0 / answer[i] : 1.0;
    }
    return most > UNLIKE * least;
}

// s_change := the motion out of gaps, which are `depth` deep at most. What it leaves is for the
// next step.
static void push_out(hf_sim *sim, const double *gaps, double depth, bool landing,
                     double *multiplier)
{
    hf_timestep *ts = hf_timestep_of(sim);
    double enough = fmax(0.1 * LEFT * ts->machine.allowed, 0.01 * depth);
    int sweeps = landing && ts->attempt.traits.lands ? LANDING_SWEEPS : SWEEPS;
    ease_none(ts);
    for (bool last = false;; last = true) {
        bool done = false;
        memset(multiplier, 0, (size_t)ts->problem.count * sizeof *multiplier);
        memset(ts->motion.s_change, 0, (size_t)ts->machine.s_count * sizeof *ts->motion.s_change);
        for (int i = 0; i < sweeps && !done; ++i) {
            done = sweep(sim, gaps, landing, multiplier) <= enough;
        }
        if (done || last || !ease_heavy(ts)) {
            return;
        }
        sweeps = EVEN_SWEEPS;
    }
}

void hf_ts_land(hf_sim *sim, double h, double *v)
{
    hf_timestep *ts = hf_timestep_of(sim);
    if (ts->problem.count == 0) {
        return;
    }
    double *gaps = ts->scratch.found, *multiplier = ts->scratch.found + ts->problem.count;
    double depth = find_gaps(ts, h, sim->core->method.theta, gaps);
    if (depth <= ts->machine.allowed && !ts->attempt.traits.lands) {
        return;
    }
    push_out(sim, gaps, depth, true, multiplier);
    for (int i = 0; i < ts->machine.s_count; ++i) {
        ts->motion.s_change[i] /= h;
    }
    const double *change = hf_ts_plain(ts, ts->motion.s_change);
    for (int i = 0; i < ts->machine.mover_count; ++i) {
        hf_ts_add_velocity(&ts->machine.movers[i], change, v);
    }
}

// Bodies that the machine sets into each other, or beyond a limit, are elsewhere after the first
// step.
static void note_start(hf_sim *sim, const double *gaps, double depth)
{
    const hf_timestep *ts = hf_timestep_of(sim);
    if (sim->core->time > 0.0 || ts->machine.collider == NULL ||
        !(depth > TOLD_SHARE * hf_collider_thinness(ts->machine.collider)) ||
        !(depth > sim->core->start_depth)) {
        return;
    }
    sim->core->start_depth = depth;
    sim->core->start_limit = 0;
    for (int i = 0; i < ts->problem.count; ++i) {
        const hf_ts_contact *contact = &ts->problem.contacts[i];
        if (contact->kind == HF_TS_STOP && -gaps[i] >= depth) {
            sim->core->start_limit = contact->point.force + 1;
        }
    }
}

hf_ts_correction hf_ts_correct(hf_sim *sim)
{
    hf_timestep *ts = hf_timestep_of(sim);
    if (ts->problem.count == 0) {
        return HF_TS_NONE;
    }
    double *gaps = ts->scratch.found, *multiplier = ts->scratch.found + ts->problem.count;
    double depth = find_gaps(ts, 0.0, 1.0, gaps);
    if (depth <= ts->machine.allowed) {
        return HF_TS_NONE;
    }
    hf_sim_stats *stats = &sim->core->stats;
    stats->largest_penetration = fmax(stats->largest_penetration, depth);
    note_start(sim, gaps, depth);
    push_out(sim, gaps, depth, false, multiplier);
    if (move(sim) > SMALL) {
        return HF_TS_LARGE;
    }
    follow(ts);
    return HF_TS_SMALL;
}
