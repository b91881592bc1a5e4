// SPDX-License-Identifier: Apache-2.0
// How a contact begins a step: stuck or slipping, open or closed, with an impact or without.
#include <math.h>

#include "methods/timestep/timestep.h"

// Size of the terms of a contact's tangential velocity before the step, whose sum it is.
static double tangent_terms(const hf_timestep *ts, const hf_ts_contact *contact)
{
    double sum = fabs(contact->drive_before[1]) + fabs(contact->drive_before[2]);
    for (int i = 0; i < contact->side_count; ++i) {
        const hf_ts_side *side = &contact->sides[i];
        const double *y = ts->problem.y + side->y, *s = ts->motion.s_before + side->s;
        for (int k = 0; k < side->count; ++k) {
            sum += (fabs(y[side->count + k]) + fabs(y[2 * side->count + k])) * fabs(s[k]);
        }
    }
    return sum;
}

// The force whose friction slides in a contact; -1: it turns.
static int sliding_force(const hf_ts_contact *contact)
{
    bool turns = contact->part == HF_TS_SPIN || contact->part == HF_TS_ROLL;
    return turns ? -1 : contact->friction >= 0 ? contact->friction : contact->point.force;
}

// Whether what it stuck to jumped to another velocity, or it let go in this step.
static bool is_jolted(const hf_sim *sim, const hf_ts_contact *contact)
{
    int force = sliding_force(contact);
    return force >= 0 && sim->tallies[force].jolted;
}

static hf_regime regime_before(const hf_sim *sim, const hf_timestep *ts,
                               const hf_ts_contact *contact)
{
    const double rounding = 1e-12; // of a sum of products, with room
    const hf_ts_contact *third = contact->part == HF_TS_PLANE ? contact + 1 : NULL;
    if (contact->regime == HF_REGIME_STICK && is_jolted(sim, contact)) {
        return HF_REGIME_SLIP;
    }
    if (contact->regime != HF_REGIME_OPEN) {
        return contact->regime;
    }
    double speed = hypot(contact->before[1], contact->before[2]), size = tangent_terms(ts, contact);
    if (third != NULL) {
        speed = hypot(speed, third->before[1]);
        size += tangent_terms(ts, third);
    }
    return speed <= rounding * size ? HF_REGIME_STICK : HF_REGIME_SLIP;
}

hf_regime hf_ts_regime_before(const hf_sim *sim, const hf_timestep *ts, const hf_level *level,
                              hf_ts_contact *contact)
{
    hf_regime regime = regime_before(sim, ts, contact);
    contact->slid = regime == HF_REGIME_SLIP && hf_level_falls(level);
    return contact->turn == HF_TURN_STOPS ? HF_REGIME_STICK : regime;
}

double hf_ts_row_product(const hf_timestep *ts, const hf_ts_contact *contact, int a, int b)
{
    double sum = 0.0;
    for (int i = 0; i < contact->side_count; ++i) {
        const hf_ts_side *side = &contact->sides[i];
        const double *y = ts->problem.y + side->y;
        for (int k = 0; k < side->count; ++k) {
            sum += y[a * side->count + k] * y[b * side->count + k];
        }
    }
    return sum;
}

// Whether a contact is faster at the end of the step than its friction could have stopped: it was
// thrown, by an impact or by a load beyond all bounds. Others let go in the step after.
static bool is_thrown(const hf_timestep *ts, int i, double speed)
{
    const double *r = ts->problem.r + 3 * i;
    return speed > hypot(r[1], r[2]) * hf_ts_row_product(ts, &ts->problem.contacts[i], 1, 1);
}

// One after the other, the fastest first: what it pulls at may hold against less.
bool hf_ts_let_go(hf_sim *sim)
{
    const hf_timestep *ts = hf_timestep_of(sim);
    int found = -1;
    double fastest = 0.0;
    for (int i = 0; i < ts->problem.count && ts->problem.count > 1; ++i) {
        const hf_ts_contact *contact = &ts->problem.contacts[i];
        int force = sliding_force(contact);
        double speed = hypot(ts->problem.u[3 * i + 1], ts->problem.u[3 * i + 2]);
        if (contact->stuck && contact->regime == HF_REGIME_SLIP && force >= 0 && speed > fastest &&
            sim->model->forces[force].item != NULL && !sim->tallies[force].jolted &&
            is_thrown(ts, i, speed)) {
            fastest = speed;
            found = force;
        }
    }
    if (found >= 0) {
        sim->tallies[found].jolted = true;
    }
    return found >= 0;
}

// Of points, spin and rolling in world axes, of a plane and its third in the coupling's, as the
// memory of reactions.
hf_vec3 hf_ts_slip_of(const hf_ts_contact *contact, const double *u, const double *third)
{
    const hf_contact_place *place = &contact->point.place;
    double across = contact->point.grained ? u[2] / hf_v3_dot(place->y, place->y) : u[2];
    switch (contact->part) {
    case HF_TS_SPIN:
        return hf_v3_scale(u[1], place->n);
    case HF_TS_PLANE:
        return hf_from_axes(place, (const double[3]){u[1], u[2], third[1] / contact[1].row_scale});
    default:
        return contact->kind == HF_TS_POINT || contact->part == HF_TS_ROLL
                   ? hf_from_axes(place, (const double[3]){0.0, u[1], across})
                   : hf_v3(u[1], u[2], 0.0);
    }
}

// Whether a slip, as it was at the end of the last step, turns round in this one; *squares: its
// speed at the end.
static bool turns_round(hf_sim *sim, int i, double *squares)
{
    const hf_timestep *ts = hf_timestep_of(sim);
    const hf_ts_contact *contact = &ts->problem.contacts[i];
    const hf_ts_memory *memory = &hf_ts_kept_of(sim)->memories[contact->memory];
    const double *next = contact->part == HF_TS_PLANE ? contact[1].before : NULL;
    hf_vec3 last = memory->regime == HF_REGIME_SLIP ? memory->slip
                                                    : hf_ts_slip_of(contact, contact->before, next);
    hf_vec3 now = hf_ts_slip_of(contact, ts->problem.u + 3 * i, ts->problem.u + 3 * i + 3);
    const double before[3] = {last.x, last.y, last.z}, after[3] = {now.x, now.y, now.z};
    *squares = hf_v3_dot(now, now);
    return hf_turns_round(before, after, 3);
}

// Of slips that would turn round in this step: they stop first, all of them at once, with their
// static levels. Of those that these do not hold the fastest goes on, by its kinetic level.
bool hf_ts_turn_round(hf_sim *sim)
{
    const hf_timestep *ts = hf_timestep_of(sim);
    hf_ts_memory *memories = hf_ts_kept_of(sim)->memories;
    int goes = -1;
    bool stops = false;
    double fastest = 0.0;
    for (int i = 0; i < ts->problem.count; ++i) {
        const hf_ts_contact *contact = &ts->problem.contacts[i];
        if (!contact->slid || contact->memory < 0 || contact->regime != HF_REGIME_SLIP ||
            contact->part == HF_TS_THIRD) {
            continue;
        }
        double squares;
        bool turns = turns_round(sim, i, &squares);
        if (contact->turn == HF_TURN_STOPS && squares >= fastest) {
            fastest = squares;
            goes = contact->memory;
        } else if (contact->turn == HF_TURN_NONE && turns) {
            memories[contact->memory].turn = HF_TURN_STOPS;
            stops = true;
        }
    }
    if (!stops && goes >= 0) {
        memories[goes].turn = HF_TURN_GOES;
    }
    return stops || goes >= 0;
}

// Whether slip can reverse during an impact: a normal impulse moves the tangents more than the
// friction that it bears can hold, along d = W_TN/|W_TN|: |W_TN| > mu d.W_TT d.
static bool can_reverse(const hf_timestep *ts, const hf_ts_contact *contact, double mu)
{
    int rows = contact->kind == HF_TS_STOP ? contact->rows : 2;
    double x = rows > 0 ? hf_ts_row_product(ts, contact, 0, 1) : 0.0;
    double y = rows > 1 ? hf_ts_row_product(ts, contact, 0, 2) : 0.0, size = hypot(x, y);
    if (!(mu > 0.0) || !(size > 0.0)) {
        return false;
    }
    double dx = x / size, dy = y / size, held = dx * dx * hf_ts_row_product(ts, contact, 1, 1);
    if (rows > 1) {
        held += 2.0 * dx * dy * hf_ts_row_product(ts, contact, 1, 2);
        held += dy * dy * hf_ts_row_product(ts, contact, 2, 2);
    }
    return size > mu * held;
}

// Speeds of this share of what the forces of a step give the two sides of a contact are what the
// solution of the last step left. Tolerances are far below it.
static const double LEFT_OVER = 1e-6;

// Speed that the forces of the step give the sides of a contact along its normal, each by itself:
// bodies that fall together have it too.
static double stirred(const hf_timestep *ts, const hf_ts_contact *contact)
{
    double sum = 0.0;
    for (int i = 0; i < contact->side_count; ++i) {
        const hf_ts_side *side = &contact->sides[i];
        const double *y = ts->problem.y + side->y;
        const double *before = ts->motion.s_before + side->s, *free = ts->motion.s_free + side->s;
        double gained = 0.0;
        for (int k = 0; k < side->count; ++k) {
            gained += y[k] * (free[k] - before[k]);
        }
        sum += fabs(gained);
    }
    return sum;
}

// What is nearer than this part of the allowed penetration is closed; of what carried in the last
// step this part. But not what is farther away than these parts of what the contact moves in a
// step, and of what the forces of the step would move it.
#define CLOSED  1e-3
#define CARRIES 0.1
#define MOVES   1e-4
#define STIRS   1e-2

// Whether a contact had a normal force in the last step.
static bool carried(const hf_sim *sim, const hf_ts_contact *contact)
{
    const hf_ts_memory *memories = hf_ts_kept_of(sim)->memories;
    return contact->memory >= 0 && memories[contact->memory].normal > 0.0;
}

// How far errors of the solutions of earlier steps may have moved a contact: each of them is the
// tolerance times what it moves in a step. Motion that is meant, as of the ends of a rod that spins
// and rolls, opens a contact by more. There the gap has to be closed again; else it grows step by
// step, until the body falls.
static double closed_below(const hf_sim *sim, const hf_ts_contact *contact, double h)
{
    const hf_timestep *ts = hf_timestep_of(sim);
    double speed = 0.0;
    for (int k = 0; k < 3; ++k) {
        speed += fabs(contact->before[k]);
    }
    double near = carried(sim, contact) ? CARRIES : CLOSED;
    double errors = h * (MOVES * speed + STIRS * stirred(ts, contact));
    return fmin(near * ts->machine.allowed, errors);
}

// The velocity that r_N complements is u_N + shift:
//   closed, or open with room to go     u_N + max(gap + (1 - theta) h u_N-, 0)/(theta h) >= 0
//   an impact with restitution          u_N + e u_N- >= 0
// What is closed but for the errors of earlier steps is closed. The corners of a box that slides
// are so far apart as its solution was off in the steps before, 1e-11 m or so; of those that the
// box does not rest on to the bit none would carry anything, and which ones these are would decide
// how a spin is braked. An impact is a contact that closes, with more than the approach that the
// forces of this very step have made: so a bouncing ball comes to rest. Of two bodies that fall
// alike these forces make no approach; there it must be more than what is left over of the last
// step. An impact without restitution may be divided over two steps, the first of which ends at the
// surface, the second without approach: its parts add up to the one impulse. They do not where slip
// can reverse; there it lands: u_N >= 0 at once, and its position follows to the surface
// (correct.c).
//
// What is driven moves with its mean velocity over a step, and so does what it pushes: at the end
// of a step that is half a step's acceleration behind the driven velocity of that moment. This lag
// is no approach. With it, a wall that gains speed would strike what lies on it in every other
// step.
void hf_ts_pose_normal(hf_sim *sim, int i, double free, double h)
{
    hf_timestep *ts = hf_timestep_of(sim);
    hf_ts_contact *contact = &ts->problem.contacts[i];
    double theta = sim->core->method.theta, before = contact->before[0];
    double gap = contact->point.place.gap;
    double ahead = gap + (1.0 - theta) * h * before;
    double approach = before - hf_ts_lag(contact, theta);
    bool strikes = ahead + theta * h * free < 0.0 && approach < 0.0 && approach < free - approach &&
                   approach < -LEFT_OVER * stirred(ts, contact);
    contact->impact = contact->point.restitution > 0.0 && strikes;
    contact->closes = !contact->impact && strikes && gap > 0.0;
    contact->lands = contact->closes && can_reverse(ts, contact, ts->problem.mu[i]);
    contact->lowered = false;
    contact->blow = 0;
    if (contact->speed > 0.0) { // u_N + speed >= 0
        contact->impact = contact->closes = contact->lands = false;
        contact->rest = contact->shift = contact->speed;
        return;
    }
    bool closed = contact->kind == HF_TS_POINT && ahead < closed_below(sim, contact, h);
    contact->rest = contact->lands || closed ? 0.0 : fmax(ahead, 0.0) / (theta * h);
    contact->shift = contact->impact ? contact->point.restitution * approach : contact->rest;
    ts->attempt.traits.impacts |= contact->impact;
    ts->attempt.traits.lands |= contact->lands;
}

// Whether all that a contact moves has a contact that lands.
static bool lands_beside(const hf_timestep *ts, const hf_ts_contact *contact)
{
    bool all = contact->side_count > 0;
    for (int k = 0; k < contact->side_count; ++k) {
        all = all && ts->machine.groups[contact->sides[k].group].lands;
    }
    return all;
}

// Where one point of a face that closes flat lands, and another one ends at its surface a moment
// later, the body would turn about the first. All of them land.
void hf_ts_land_together(hf_timestep *ts)
{
    for (int g = 0; g < ts->machine.group_count; ++g) {
        ts->machine.groups[g].lands = false;
    }
    for (int i = 0; i < ts->problem.count; ++i) {
        const hf_ts_contact *contact = &ts->problem.contacts[i];
        for (int k = 0; k < contact->side_count && contact->lands; ++k) {
            ts->machine.groups[contact->sides[k].group].lands = true;
        }
    }
    for (int i = 0; i < ts->problem.count; ++i) {
        hf_ts_contact *contact = &ts->problem.contacts[i];
        if (contact->closes && !contact->lands && lands_beside(ts, contact)) {
            contact->lands = true;
            ts->problem.q[3 * i] -= contact->shift;
            contact->rest = contact->shift = 0.0;
        }
    }
}
