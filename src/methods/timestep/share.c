// SPDX-License-Identifier: Apache-2.0
// One solution among many, where contacts are redundant.
//
// A sled on four feet has one normal force too many, a table on four hinged legs several forces.
// Coulomb's law says nothing about how they share the load, and a solver ends where the order of
// its contacts or the last step leads it. The motion depends on it: friction of a foot that slides
// goes with its normal force, a bearing's with what it carries, and what carries nothing lifts off.
// Two rules choose:
//
// 1. What holds and can hold on holds on (hf_ts_hold). Before the solution: contacts that were
//    closed stay so, those that stuck stick, if forces within their cones do that.
// 2. Of all solutions with the same velocities where contacts hold, that of least forces is taken
//    (hf_ts_share). Elastic bodies come near it, and method switch begins a slide with it.
//
// Unknowns x are the forces that are free to be shared: of a point or limit that holds all rows, of
// one that slides its normal force with mu times it against the slip, of a friction that sticks its
// own. They push the velocities s by Y' G x; Q has orthonormal rows that span the rows H Y whose
// velocity the contacts prescribe. So both are the least x (solvers/small/least_cone.h) with
//   C x = d,   C = Q Y' G,   d = C x0 of the present forces,   or Q s of H (q + Y s) = 0
#include <math.h>
#include <string.h>

#include "math/row.h"
#include "methods/timestep/timestep.h"
#include "methods/timestep/ways.h"
#include "solvers/small/rows.h"

// Fewer points than the least share nothing.
enum { LEAST_POINTS = 3 };

// Rows that follow from others but for this part of their length do follow.
#define NOTHING 1e-6
// Forces balance to this part of them.
#define BALANCED 1e-9
// Forces that are shared out otherwise by less than this part are left alone.
#define WORTH 1e-9
// Velocities of contacts that are zero, in errors of the solution.
#define ERRORS 10.0

// ------------------------------------------------------------------------------------------------
// What contacts do

static bool is_line(const hf_ts_contact *c, double mu)
{
    return hf_ts_quick_tangents(c) == 0 || !(mu > 0.0);
}

// What contact i may do by its velocities u along its rows, or as it was in the last step.
static hf_ts_shared state_of(const hf_timestep *ts, int i, bool closed, bool slips, const double *u)
{
    const hf_ts_contact *c = &ts->problem.contacts[i];
    double mu = ts->problem.mu[i];
    hf_ts_shared state = {.kind = HF_BLOCK_NONE};
    if (c->kind == HF_TS_FRICTION) {
        state.kind = c->led || slips ? HF_BLOCK_NONE : HF_BLOCK_BALL;
        state.first = 1;
        state.end = state.kind == HF_BLOCK_BALL ? 1 + c->rows : 1;
    } else if (closed && is_line(c, mu)) {
        state = (hf_ts_shared){.kind = HF_BLOCK_LINE, .end = 1};
    } else if (closed && !slips && c->yields) {
        state = (hf_ts_shared){.kind = HF_BLOCK_LINE, .end = 1, .gives = true};
    } else if (closed && !slips) {
        state = (hf_ts_shared){.kind = HF_BLOCK_CONE, .end = 1 + hf_ts_quick_tangents(c)};
    } else if (closed) {
        bool two = hf_ts_quick_tangents(c) > 1;
        double speed = two ? hypot(u[1], u[2]) : fabs(u[1]);
        state = (hf_ts_shared){.kind = HF_BLOCK_LINE, .end = 1, .slides = true};
        state.along[0] = -mu * u[1] / speed;
        state.along[1] = two ? -mu * u[2] / speed : 0.0;
    }
    return state;
}

static double slip_of(const hf_ts_contact *c, const double *u)
{
    return hf_ts_quick_tangents(c) > 1 ? hypot(u[1], u[2]) : fabs(u[1]);
}

// By the present solution.
static hf_ts_shared now(const hf_sim *sim, int i, double zero)
{
    const hf_timestep *ts = hf_timestep_of(sim);
    const double *u = ts->problem.u + 3 * i;
    return state_of(ts, i, !(u[0] > zero), slip_of(&ts->problem.contacts[i], u) > zero, u);
}

// By the last step.
static hf_ts_shared before(const hf_sim *sim, int i, double zero)
{
    const hf_timestep *ts = hf_timestep_of(sim);
    const hf_ts_contact *c = &ts->problem.contacts[i];
    bool slips = c->regime == HF_REGIME_SLIP && slip_of(c, c->before) > 0.0;
    if (slips && c->memory >= 0) {
        slips = hf_v3_norm(hf_ts_kept_of(sim)->memories[c->memory].slip) > zero;
    }
    return state_of(ts, i, c->regime != HF_REGIME_OPEN, slips, c->before);
}

// The velocity that counts as zero: what the residual, which is relative to the reactions
// and to the velocities without them, leaves of it.
static double zero_of(const hf_timestep *ts, double enough, double rho)
{
    double size = sqrt(hf_row_dot(ts->problem.r, ts->problem.r, 3 * (size_t)ts->problem.count));
    return ERRORS * enough * fmax(size / rho, ts->attempt.outcome.free);
}

// ------------------------------------------------------------------------------------------------
// Islands: contacts that bodies join

static int group_of(const hf_ts_contact *c)
{
    return c->side_count > 0 ? c->sides[0].group : -1;
}

// Every group's island: the least group of it; -1 where nothing touches.
static void find_islands(hf_timestep *ts)
{
    hf_ts_group *groups = ts->machine.groups;
    bool changed = true;
    for (int g = 0; g < ts->machine.group_count; ++g) {
        groups[g].island = -1;
    }
    for (int i = 0; i < ts->problem.count; ++i) {
        const hf_ts_contact *c = &ts->problem.contacts[i];
        for (int k = 0; k < c->side_count; ++k) {
            groups[c->sides[k].group].island = c->sides[k].group;
        }
    }
    while (changed) {
        changed = false;
        for (int i = 0; i < ts->problem.count; ++i) {
            const hf_ts_contact *c = &ts->problem.contacts[i];
            hf_ts_group *a = c->side_count > 1 ? &groups[c->sides[0].group] : NULL;
            hf_ts_group *b = a != NULL ? &groups[c->sides[1].group] : NULL;
            if (a != NULL && a->island != b->island) {
                a->island = b->island = a->island < b->island ? a->island : b->island;
                changed = true;
            }
        }
    }
}

// The contacts of an island, and the places of its velocities side by side. Where all its points
// hold, nothing loads frictions and nothing slips, how it shares its load does not matter, nor
// where it is not redundant: false. So it is with islands that are too large. Points that slide
// always take the least forces; where they hold and joints turn, if rows are more than velocities.
// `rest`: asked whether it can rest, all the same.
static bool take_island(hf_sim *sim, int island, bool rest, int *width)
{
    hf_timestep *ts = hf_timestep_of(sim);
    hf_ts_share_room *room = &ts->scratch.share;
    int points = 0, sliding = 0, slipping = 0, held = 0;
    room->count = *width = 0;
    for (int i = 0; i < ts->problem.count; ++i) {
        const hf_ts_contact *c = &ts->problem.contacts[i];
        const hf_ts_shared *state = &ts->scratch.shared[i];
        if (group_of(c) < 0 || ts->machine.groups[group_of(c)].island != island) {
            continue;
        }
        room->contact[room->count++] = i;
        points += c->kind == HF_TS_POINT && state->kind != HF_BLOCK_NONE ? 1 : 0;
        sliding += c->kind == HF_TS_POINT && state->slides ? 1 : 0;
        slipping += c->kind == HF_TS_FRICTION && state->kind == HF_BLOCK_NONE ? 1 : 0;
        held += state->end - state->first;
    }
    for (int g = island; g < ts->machine.group_count && points >= LEAST_POINTS; ++g) {
        hf_ts_group *group = &ts->machine.groups[g];
        if (group->island == island) {
            group->place = *width;
            *width += group->count;
        }
    }
    return points >= LEAST_POINTS && *width <= HF_TS_SHARE_WIDTH &&
           (rest || sliding > 0 || sim->loads != NULL || (slipping > 0 && held > *width));
}

// ------------------------------------------------------------------------------------------------
// The problem of an island

void hf_ts_share_row(const hf_timestep *ts, const hf_ts_contact *c, int row, double f, double *out)
{
    for (int k = 0; k < c->side_count; ++k) {
        const hf_ts_side *side = &c->sides[k];
        const double *y = ts->problem.y + side->y + (size_t)row * (size_t)side->count;
        double *to = out + ts->machine.groups[side->group].place;
        hf_row_add(to, f, y, (size_t)end_of(ts, side));
    }
}

// Q, and Q s of H (q + Y s) = 0; returns how many rows.
static int find_rows(const hf_timestep *ts, const hf_ts_share_room *room, int width)
{
    size_t n = (size_t)width;
    double row[HF_TS_SHARE_WIDTH], along[HF_TS_SHARE_WIDTH];
    int rank = 0;
    for (int b = 0; b < room->count; ++b) {
        int i = room->contact[b];
        const hf_ts_shared *state = &ts->scratch.shared[i];
        for (int k = state->first; k < state->end && rank < width; ++k) {
            memset(row, 0, n * sizeof *row);
            hf_ts_share_row(ts, &ts->problem.contacts[i], k, 1.0, row);
            memcpy(room->q + (size_t)rank * n, row, n * sizeof *row);
            if (!hf_rows_join(room->q, rank, n, NOTHING)) {
                continue;
            }
            // row = sum along_j q_j
            hf_rows_times(room->q, rank + 1, n, row, along);
            double left = -ts->problem.q[3 * i + k] - hf_row_dot(along, room->wanted, (size_t)rank);
            room->wanted[rank] = left / along[rank];
            rank += 1;
        }
    }
    return rank;
}

// Forces of points by those of frictions that move the machine alike: the root of the ratio of the
// mean diagonals of W.
static double unit_of_frictions(const hf_timestep *ts, const hf_ts_share_room *room)
{
    double sum[2] = {0.0, 0.0};
    int count[2] = {0, 0};
    for (int b = 0; b < room->count; ++b) {
        const hf_ts_contact *c = &ts->problem.contacts[room->contact[b]];
        int kind = c->kind == HF_TS_FRICTION ? 1 : 0;
        for (int k = 0; k < c->side_count; ++k) {
            const hf_ts_side *side = &c->sides[k];
            const double *y = ts->problem.y + side->y + (size_t)kind * (size_t)side->count;
            sum[kind] += hf_row_dot(y, y, (size_t)end_of(ts, side));
        }
        count[kind] += 1;
    }
    return sum[0] > 0.0 && sum[1] > 0.0 ? sqrt(sum[0] / count[0] * count[1] / sum[1]) : 1.0;
}

// C and the sets. d: of the present forces, or (`last`) what is wanted less what is not shared.
static void fill(const hf_timestep *ts, const hf_ts_share_room *room, int width, int rank,
                 double unit, bool last)
{
    int columns = 3 * room->count;
    double push[HF_TS_SHARE_WIDTH], along[HF_TS_SHARE_WIDTH];
    memset(room->c, 0, (size_t)(rank * columns) * sizeof *room->c);
    for (int r = 0; r < rank; ++r) {
        room->d[r] = last ? room->wanted[r] : 0.0;
    }
    for (int b = 0; b < room->count; ++b) {
        int i = room->contact[b];
        const hf_ts_contact *c = &ts->problem.contacts[i];
        const hf_ts_shared *state = &ts->scratch.shared[i];
        const double *r = ts->problem.r + 3 * i;
        bool ball = state->kind == HF_BLOCK_BALL;
        double scale = ball ? unit : 1.0;
        room->block[b] = (hf_block){state->kind, ball ? r[0] / unit : ts->problem.mu[i]};
        // Each unknown, with the friction of what slides
        for (int k = state->first; k < state->end; ++k) {
            memset(push, 0, (size_t)width * sizeof *push);
            hf_ts_share_row(ts, c, k, scale, push);
            for (int m = 0; m < 2 && state->slides; ++m) {
                hf_ts_share_row(ts, c, 1 + m, state->along[m], push);
            }
            hf_rows_times(room->q, rank, (size_t)width, push, along);
            for (int row = 0; row < rank; ++row) {
                room->c[row * columns + 3 * b + k] = along[row];
                room->d[row] += last ? 0.0 : along[row] * (r[k] / scale);
            }
        }
        // Frictions that slip push with what they have
        if (last && c->kind == HF_TS_FRICTION && !ball) {
            memset(push, 0, (size_t)width * sizeof *push);
            for (int k = 1; k <= c->rows; ++k) {
                hf_ts_share_row(ts, c, k, r[k], push);
            }
            hf_rows_times(room->q, rank, (size_t)width, push, along);
            for (int row = 0; row < rank; ++row) {
                room->d[row] -= along[row];
            }
        }
    }
}

// x := the reactions of block b that were found, and those that go along with them.
static void react(const hf_timestep *ts, const hf_ts_share_room *room, int b, double unit,
                  double x[3])
{
    const hf_ts_shared *state = &ts->scratch.shared[room->contact[b]];
    const double *r = ts->problem.r + 3 * room->contact[b];
    double scale = state->kind == HF_BLOCK_BALL ? unit : 1.0;
    for (int k = 0; k < 3; ++k) {
        x[k] = state->slides && k > 0 ? state->along[k - 1] * room->x[3 * b]
                                      : scale * room->x[3 * b + k];
        x[k] = state->gives && k > 0 ? r[k] : x[k];
    }
}

// r := the forces that were found. False, and r as it is: they are those already, to WORTH.
static bool take(hf_timestep *ts, double unit)
{
    const hf_ts_share_room *room = &ts->scratch.share;
    double change = 0.0, all = 0.0, x[3];
    for (int b = 0; b < room->count; ++b) {
        const hf_ts_shared *state = &ts->scratch.shared[room->contact[b]];
        const double *r = ts->problem.r + 3 * room->contact[b];
        react(ts, room, b, unit, x);
        for (int k = state->first; k < 3 && state->kind != HF_BLOCK_NONE; ++k) {
            change += (x[k] - r[k]) * (x[k] - r[k]);
            all += r[k] * r[k];
        }
    }
    if (!(change > WORTH * WORTH * all)) {
        return false;
    }
    for (int b = 0; b < room->count; ++b) {
        const hf_ts_shared *state = &ts->scratch.shared[room->contact[b]];
        double *r = ts->problem.r + 3 * room->contact[b];
        react(ts, room, b, unit, x);
        for (int k = state->first; k < 3 && state->kind != HF_BLOCK_NONE; ++k) {
            r[k] = x[k];
        }
    }
    return true;
}

// The least forces of all islands by the states of their contacts. True: r has others now.
static bool find_least(hf_sim *sim, bool last, bool rest)
{
    hf_timestep *ts = hf_timestep_of(sim);
    hf_ts_share_room *room = &ts->scratch.share;
    bool changed = false;
    find_islands(ts);
    for (int island = 0; island < ts->machine.group_count; ++island) {
        int width;
        if (ts->machine.groups[island].island != island ||
            !take_island(sim, island, rest, &width)) {
            continue;
        }
        // Forces that are not redundant
        hf_ts_single single = hf_ts_find_single(ts, room, width, last);
        if (single != HF_TS_SEVERAL) {
            bool other = single == HF_TS_ONE && take(ts, 1.0);
            changed = changed || other;
            continue;
        }
        // The least of those that are
        double unit = unit_of_frictions(ts, room);
        int rank = find_rows(ts, room, width);
        fill(ts, room, width, rank, unit, last);
        const hf_least_cone problem = {.rows = rank,
                                       .blocks = room->count,
                                       .c = room->c,
                                       .d = room->d,
                                       .block = room->block,
                                       .x = room->x,
                                       .work = room->work};
        bool found = rank > 0 && hf_least_cone_solve(&problem, BALANCED) && take(ts, unit);
        changed = changed || found;
    }
    return changed;
}

static bool has_room(const hf_timestep *ts)
{
    return ts->problem.count >= LEAST_POINTS && ts->problem.count <= HF_TS_SHARE_CONTACTS &&
           ts->problem.follower_count == 0;
}

bool hf_ts_share(hf_sim *sim, double enough, double rho)
{
    hf_timestep *ts = hf_timestep_of(sim);
    double zero = has_room(ts) ? zero_of(ts, enough, rho) : 0.0;
    for (int i = 0; i < ts->problem.count && has_room(ts); ++i) {
        ts->scratch.shared[i] = now(sim, i, zero);
    }
    return has_room(ts) && find_least(sim, false, false);
}

bool hf_ts_hold(hf_sim *sim, double enough, double rho, bool rest)
{
    hf_timestep *ts = hf_timestep_of(sim);
    double zero = has_room(ts) ? zero_of(ts, enough, rho) : 0.0;
    for (int i = 0; i < ts->problem.count && has_room(ts); ++i) {
        const hf_ts_contact *c = &ts->problem.contacts[i];
        double *r = ts->problem.r + 3 * i, speed = slip_of(c, c->before);
        bool friction = c->kind == HF_TS_FRICTION;
        ts->scratch.shared[i] = before(sim, i, zero);
        r[0] = friction ? c->bound : r[0];
        // What is not shared: open contacts, and frictions that slip on as they did
        bool fixed = ts->scratch.shared[i].kind == HF_BLOCK_NONE && !c->led;
        r[0] = fixed && !friction ? 0.0 : r[0];
        for (int k = 1; k < 3 && fixed; ++k) {
            r[k] = friction && k <= c->rows && speed > 0.0 ? -r[0] * c->before[k] / speed : 0.0;
        }
    }
    return has_room(ts) && find_least(sim, true, rest);
}
