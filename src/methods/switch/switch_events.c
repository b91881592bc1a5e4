// SPDX-License-Identifier: Apache-2.0
// Events: what happens where a root function falls, and the rules against too many of them.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "methods/adaptive/law_switches.h"
#include "methods/adaptive/resume.h"
#include "methods/switch/features.h"
#include "methods/switch/switch.h"

// Accumulation: this many events of one friction within the time, which is a part of max(1 s, t),
// and it is taken as stuck for good, until its force is clearly above its level.
enum { BURST = 30 };
#define BURST_TIME 1e-7
// More events than this within the time are an error.
enum { MOST_EVENTS = 5000 };
#define EVENT_TIME 0.01

// ------------------------------------------------------------------------------------------------
// Counting

// Counts an event; true when it is one too many of an accumulation.
static bool accumulates(hf_element *e, double t)
{
    if (!(t - e->burst <= BURST_TIME * fmax(1.0, fabs(t)))) {
        e->burst = t;
        e->burst_count = 0;
    }
    e->burst_count += 1;
    return e->burst_count > BURST;
}

static hf_status check_rate(hf_sim *sim, const hf_element *e, hf_error *error)
{
    hf_switch *own = hf_switch_of(sim);
    double t = sim->core->time;
    if (!(t - own->window <= EVENT_TIME)) {
        own->window = t;
        own->window_count = 0;
    }
    own->window_count += 1;
    return own->window_count <= MOST_EVENTS
               ? HF_OK
               : hf_error_at(error, HF_ERROR_CONVERGENCE,
                             hf_at_time(t, NULL, sim->model->forces[e->force].name),
                             "'%s' and others had more than %d events within %g s",
                             sim->model->forces[e->force].name, MOST_EVENTS, EVENT_TIME);
}

// A slip that has turned without stopping: its direction is watched from there. True: that is all
// that happened to the element. The integrator may go on, unless it has seen the slip go on through
// zero.
static bool only_turns(hf_sim *sim, hf_element *e, const int *fallen)
{
    bool contact = e->kind == HF_ELEMENT_CONTACT;
    bool slips = (contact || e->kind == HF_ELEMENT_PLANAR) && e->mode == 1;
    if (!slips || fallen[contact ? 2 : 0] == 0 || e->slide <= hf_switch_of(sim)->margin) {
        return false;
    }
    memcpy(e->aim, e->along, sizeof e->aim);
    hf_resume_note_turn(sim, (int)(e - hf_switch_of(sim)->elements));
    hf_switch_of(sim)->anew = hf_switch_of(sim)->anew || e->beyond;
    e->beyond = false;
    return !contact || (fallen[0] == 0 && fallen[1] == 0 && fallen[3] == 0);
}

static bool all_turn(hf_sim *sim)
{
    hf_switch *own = hf_switch_of(sim);
    bool all = true;
    for (int i = 0; i < own->count; ++i) {
        own->anew = own->anew || hf_switch_fallen(sim, i)[HF_ROOT_FAST] != 0 ||
                    hf_switch_fallen(sim, i)[HF_ROOT_NARROW] != 0;
        if (hf_switch_has_fallen(hf_switch_fallen(sim, i)) &&
            only_turns(sim, &own->elements[i], hf_switch_fallen(sim, i))) {
            memset(hf_adaptive_of(sim)->integrator.fallen + HF_ELEMENT_ROOTS * i, 0,
                   HF_ELEMENT_ROOTS * sizeof(int));
        }
        all = all && !hf_switch_has_fallen(hf_switch_fallen(sim, i));
    }
    return all;
}

// Looks at the elements whose root functions fell; *all_stuck: all of them were stuck.
static hf_status check_fallen(hf_sim *sim, bool *all_stuck, hf_error *error)
{
    hf_switch *own = hf_switch_of(sim);
    *all_stuck = true;
    for (int i = 0; i < own->count; ++i) {
        if (hf_switch_has_fallen(hf_switch_fallen(sim, i))) {
            *all_stuck = *all_stuck && own->elements[i].mode == 0;
            HF_TRY(check_rate(sim, &own->elements[i], error));
        }
    }
    return HF_OK;
}

// A mode as events report it.
static int public_mode(const hf_sim *sim, const hf_element *e)
{
    bool open = e->kind == HF_ELEMENT_STOP      ? e->mode != 0
                : e->kind == HF_ELEMENT_CONTACT ? e->mode == HF_CONTACT_OPEN
                                                : sim->mode[e->force] == HF_MODE_OPEN;
    return open ? (int)HF_MODE_OPEN : e->mode;
}

void hf_switch_tell(const hf_sim *sim, bool silent)
{
    hf_switch *own = hf_switch_of(sim);
    for (int i = 0; i < own->count; ++i) {
        hf_element *e = &own->elements[i];
        int mode = public_mode(sim, e);
        bool news = e->part == 0 && (mode != e->told || (e->struck && mode == (int)HF_MODE_OPEN));
        e->struck = false;
        sim->core->stats.events += news && !silent ? 1 : 0;
        if (news && !silent && sim->on_event != NULL) {
            hf_event event = {.time = sim->core->time,
                              .force = {sim->model->forces[e->force].id + 1},
                              .from = e->told,
                              .to = mode};
            sim->on_event(sim->event_context, &event);
        }
        e->told = mode;
    }
}

// ------------------------------------------------------------------------------------------------
// What happens

// Whether the rebound of an impact would not even rise above the margin: bounces accumulate, and
// the stop or contact is at rest. Then it does not rebound at all: the impulse that is left out,
// and its friction, come with the force at rest, m g for the time that the bounces would have
// taken.
static bool ends_bouncing(const hf_sim *sim, const hf_element *e)
{
    int wall = -1;
    if (e->kind == HF_ELEMENT_STOP) {
        (void)hf_switch_gap(sim, e, sim->x, &wall);
    }
    double pull = wall * hf_switch_acceleration(sim, e, 0, sim->core->time, HF_SIDE_RIGHT, sim->k);
    double rebound = e->restitution * hf_switch_rate(sim, e, 0, sim->x);
    return e->restitution > 0.0 && pull > 0.0 &&
           rebound * rebound <= 2.0 * pull * hf_switch_of(sim)->margin;
}

static void meet_stop(const hf_sim *sim, hf_element *e, const int *fallen, bool last)
{
    double margin = hf_switch_of(sim)->margin;
    if (e->mode != 0) {
        int wall = 0;
        double gap = hf_switch_gap(sim, e, sim->x, &wall);
        if (wall * hf_switch_rate(sim, e, 0, sim->x) >= 0.0) { // an impact, when all are met
            e->latched = last || ends_bouncing(sim, e);
        } else { // left just now, and beyond by the integrator's error: watched from there
            e->allowance = margin - fmin(gap, 0.0);
        }
    } else if (fallen[0] != 0 || fallen[1] != 0) { // nothing presses: it opens
        e->candidate = false;
        e->mode = 1;
    } else { // friction leaves the normal nothing to answer with
        hf_switch_of(sim)->stalled = e->island;
    }
}

static void meet_friction(const hf_sim *sim, hf_element *e, bool last)
{
    if (last || e->mode != 0) {
        e->latched = last;
        e->candidate = true;
        e->mode = 0;
        hf_switch_stop(sim, e, sim->x);
    } else { // at its bound: it slips
        e->candidate = false;
        e->mode = e->high - e->held[0] < e->held[0] - e->low ? 1 : -1;
    }
}

// One that slips stops. One that is at its bound slips; in which direction is solved for.
static void meet_planar(const hf_sim *sim, hf_element *e, bool last)
{
    e->candidate = true;
    e->forced = e->mode == 0 && !last;
    e->latched = last;
    e->mode = 0;
    hf_switch_stop(sim, e, sim->x);
}

static void meet_contact(const hf_sim *sim, hf_element *e, const int *fallen, bool last)
{
    bool lets_go = fallen[0] != 0 || fallen[1] != 0;
    if (e->mode == HF_CONTACT_OPEN) { // an impact, which comes when all are met
        e->latched = last;
        e->settles = ends_bouncing(sim, e);
        if (sim->rate[e->row] > 0.0) {
            e->allowance = hf_switch_of(sim)->margin - fmin(sim->gap[e->row], 0.0);
        }
    } else if (lets_go) {
        e->mode = HF_CONTACT_OPEN;
        e->allowance = hf_switch_of(sim)->margin;
        e->candidate = false;
    } else if (e->mode == 0 || fallen[2] != 0) {
        meet_planar(sim, e, last);
    } else { // friction leaves the normal nothing to answer with
        hf_switch_of(sim)->stalled = e->island;
    }
}

// What happened to one element whose root function fell. Forces are those of the event.
static void meet(hf_sim *sim, hf_element *e, const int *fallen)
{
    bool last = accumulates(e, sim->core->time);
    e->latched = false;
    switch (e->kind) {
    case HF_ELEMENT_STOP:
        meet_stop(sim, e, fallen, last);
        break;
    case HF_ELEMENT_PLANAR:
        meet_planar(sim, e, last);
        break;
    case HF_ELEMENT_CONTACT:
        meet_contact(sim, e, fallen, last);
        break;
    default:
        meet_friction(sim, e, last);
        break;
    }
    if (last) {
        bool again = sim->core->time - e->latched_at <= EVENT_TIME;
        e->latches = again ? e->latches + 1 : 0;
        e->latched_at = sim->core->time;
    }
    if (e->latched || e->settles) {
        e->burst_count = 0;
        sim->core->stats.chatter_events += 1;
    }
}

// Slips that are about to end as well: several points of one body stop together.
static void stop_others(hf_sim *sim)
{
    hf_switch *own = hf_switch_of(sim);
    for (int i = 0; i < own->count; ++i) {
        hf_element *e = &own->elements[i];
        bool planar = e->kind == HF_ELEMENT_PLANAR ||
                      (e->kind == HF_ELEMENT_CONTACT && !hf_level_is_zero(e->level));
        if (planar && e->mode == 1 && e->slide <= own->margin) {
            meet_planar(sim, e, false);
        }
    }
}

// Whether a friction in one dimension comes to rest in the same moment: its rate, which goes to
// zero, is within rounding of it. So do those that a gear, a rope or a wheel joins to one that
// stops; what has just broken away gains speed.
static bool ends_too(const hf_sim *sim, const hf_element *e)
{
    double t = sim->core->time;
    return e->kind == HF_ELEMENT_FRICTION && e->mode != 0 && !e->candidate &&
           e->mode * hf_switch_rate(sim, e, 0, sim->x) <= hf_switch_of(sim)->shift &&
           e->mode * hf_switch_acceleration(sim, e, 0, t, HF_SIDE_RIGHT, sim->k) < 0.0;
}

// Frictions in the island of one that stops, which begins at `island`.
static void stop_joined(hf_sim *sim, int island)
{
    hf_switch *own = hf_switch_of(sim);
    for (int i = 0; i < own->count; ++i) {
        hf_element *e = &own->elements[i];
        if (e->island == island && ends_too(sim, e)) {
            meet_friction(sim, e, false);
        }
    }
}

static void settle_all(hf_sim *sim)
{
    for (int i = 0; i < sim->model->exact.count; ++i) {
        (void)hf_switch_settle(sim, &hf_switch_of(sim)->islands[i]);
    }
    hf_switch_close(sim);
}

// The island where a jam was noted, by its first element.
static int island_at(const hf_sim *sim, int first)
{
    int i = 0;
    while (i < sim->model->exact.count && hf_switch_of(sim)->islands[i].first_force != first) {
        ++i;
    }
    return i;
}

// Modes after an event. Where accelerations have no solution, contacts jam: an impact without
// collision, and modes again.
static hf_status decide_or_jam(hf_sim *sim, bool jam, hf_error *error)
{
    hf_switch *own = hf_switch_of(sim);
    if (!jam && hf_switch_decide(sim, NULL, error) == HF_OK) {
        return HF_OK;
    }
    int island = jam ? island_at(sim, own->stalled) : own->stalled;
    if (island < 0) {
        return error->status;
    }
    HF_TRY(hf_switch_jam(sim, island, jam, error));
    return hf_switch_decide(sim, NULL, error);
}

// Frictions that share with one which reached its bound have reached theirs, if they are there to
// what forces are known.
static void fall_together(hf_sim *sim)
{
    hf_switch *own = hf_switch_of(sim);
    int *fallen = hf_adaptive_of(sim)->integrator.fallen;
    int island = -1;
    for (int i = 0; i < own->count; ++i) {
        const hf_element *e = &own->elements[i];
        bool reached = e->kind == HF_ELEMENT_FRICTION && e->shared && e->mode == 0;
        island = reached && hf_switch_has_fallen(hf_switch_fallen(sim, i)) ? e->island : island;
    }
    for (int i = 0; i < own->count && island >= 0; ++i) {
        const hf_element *e = &own->elements[i];
        bool shares = e->kind == HF_ELEMENT_FRICTION && e->shared && e->mode == 0;
        if (shares && e->island == island && hf_element_room(e) <= hf_switch_force_margin(sim, e)) {
            fallen[HF_ELEMENT_ROOTS * i] = -1;
        }
    }
}

// Settling and impacts may leave a slip without a rate: whether it goes on is to be found, with the
// others.
static void stop_still(hf_sim *sim)
{
    hf_switch *own = hf_switch_of(sim);
    hf_switch_look(sim, sim->x);
    for (int i = 0; i < own->count; ++i) {
        hf_element *e = &own->elements[i];
        bool contact = e->kind == HF_ELEMENT_CONTACT && !hf_level_is_zero(e->level);
        bool planar = e->kind == HF_ELEMENT_PLANAR && e->load < 0;
        if (!e->in_space || e->mode != 1 || !(contact || planar) || (contact && !e->candidate)) {
            continue;
        }
        if (hf_length3(contact ? 2 : e->dim, sim->rate + e->row + (contact ? 1 : 0)) <=
            own->shift) {
            e->candidate = true;
            e->mode = 0;
        }
    }
}

static hf_status meet_each(hf_sim *sim, hf_error *error)
{
    hf_switch *own = hf_switch_of(sim);
    bool stops = false, locks = false;
    int joined = -1; // the island of a friction that stops
    hf_switch_propose_held(own);
    own->stalled = -1;
    hf_switch_accelerate(sim, sim->core->time, HF_SIDE_RIGHT, sim->x, sim->k);
    fall_together(sim);
    // What fell, and what comes to rest with it
    for (int i = 0; i < own->count; ++i) {
        hf_element *e = &own->elements[i];
        if (hf_switch_has_fallen(hf_switch_fallen(sim, i))) {
            int before = e->mode;
            meet(sim, e, hf_switch_fallen(sim, i));
            stops = stops || (before == 1 && e->mode == 0 && e->kind != HF_ELEMENT_FRICTION);
            joined = before != 0 && e->mode == 0 ? e->island : joined;
            locks = locks || (before != 0 && e->mode == 0 && e->kind == HF_ELEMENT_FRICTION);
        }
    }
    if (joined >= 0) {
        stop_joined(sim, joined);
    }
    if (stops) {
        stop_others(sim);
    }
    // Impacts, and the modes after them
    bool jam = own->stalled >= 0;
    settle_all(sim);
    HF_TRY(hf_switch_strike(sim, error));
    stop_still(sim);
    HF_TRY(decide_or_jam(sim, jam, error));
    if (!locks || !hf_switch_end_hops(sim)) {
        return HF_OK;
    }
    hf_switch_propose_held(own);
    return decide_or_jam(sim, false, error);
}

void hf_switch_stop_fallen(hf_sim *sim)
{
    hf_switch *own = hf_switch_of(sim);
    for (int i = 0; i < own->count; ++i) {
        const hf_element *e = &own->elements[i];
        bool slips = e->kind == HF_ELEMENT_FRICTION && e->mode != 0 && !e->in_space;
        if (slips && hf_switch_has_fallen(hf_switch_fallen(sim, i)) &&
            fabs(hf_switch_rate(sim, e, 0, sim->x)) <= own->margin) {
            hf_switch_stop(sim, e, sim->x);
        }
    }
    sim->fresh = false;
}

// Features that come inside of each other while they are deep in each other have not touched there:
// others of the same solids have, at the same time.
static void pass_by(hf_sim *sim)
{
    hf_switch *own = hf_switch_of(sim);
    for (int i = 0; i < own->count && hf_switch_has_points(own); ++i) {
        hf_element *e = &own->elements[i];
        if (e->slot && e->part == 0 && e->mode == HF_CONTACT_OPEN &&
            hf_switch_has_fallen(hf_switch_fallen(sim, i)) &&
            own->places[e->at].gap < -hf_point_deep(own, &e->point)) {
            e->point.passed = own->anew = true;
            memset(hf_adaptive_of(sim)->integrator.fallen + HF_ELEMENT_ROOTS * i, 0,
                   HF_ELEMENT_ROOTS * sizeof(int));
            sim->fresh = false;
        }
    }
}

// Modes of everything at the present state, with the points that touch there.
static hf_status decide_anew(hf_sim *sim, hf_error *error)
{
    settle_all(sim);
    HF_TRY(hf_switch_strike(sim, error));
    if (hf_switch_decide_all(sim, error) == HF_OK) {
        return HF_OK;
    }
    int island = hf_switch_of(sim)->stalled;
    if (island < 0) {
        return error->status;
    }
    HF_TRY(hf_switch_jam(sim, island, false, error));
    return hf_switch_decide(sim, NULL, error);
}

// Where features may be others, or a closed point has left its own: they are listed anew. *met:
// modes are decided; else what else fell is still to be met.
static hf_status meet_features(hf_sim *sim, bool *met, hf_error *error)
{
    hf_switch *own = hf_switch_of(sim);
    const int *all = hf_adaptive_of(sim)->integrator.fallen;
    int look = HF_ELEMENT_ROOTS * own->count + hf_law_root_count(sim->model);
    bool asked = hf_switch_has_points(own) && all[look] != 0, changed = false, left = false;
    bool came = false;
    // Whether some left or came, or others may be near
    for (int i = 0; i < own->count && hf_switch_has_points(own); ++i) {
        if (hf_switch_fallen(sim, i)[HF_ROOT_INSIDE] != 0) {
            HF_TRY(check_rate(sim, &own->elements[i], error));
            came = came || own->elements[i].mode == HF_CONTACT_OPEN;
            asked = true;
        }
    }
    if (hf_switch_has_points(own) && hf_points_align(sim, all)) {
        HF_TRY(check_rate(sim, &own->elements[0], error));
        asked = true;
    }
    *met = false;
    if (!asked) {
        return HF_OK;
    }
    // Those that are there now
    hf_switch_unpin(sim);
    hf_update_poses(sim, sim->x, sim->x + sim->model->nq);
    HF_TRY(hf_points_list(sim, &changed, &left, error));
    own->anew = own->anew || changed || left || came;
    sim->fresh = false;
    hf_sim_refresh(sim, 0.0);
    *met = left || came;
    return *met ? decide_anew(sim, error) : HF_OK;
}

hf_status hf_switch_meet(hf_sim *sim, hf_error *error)
{
    hf_switch *own = hf_switch_of(sim);
    bool all_stuck = true, met = false;
    hf_sim_refresh(sim, 0.0); // driven motion, and forces in stick
    // Features that have changed
    pass_by(sim);
    HF_TRY(meet_features(sim, &met, error));
    if (met) {
        hf_switch_mark(sim);
        hf_adaptive_settle(sim);
        sim->fresh = false;
        own->anew = true;
        hf_switch_tell(sim, false);
        return HF_OK;
    }
    // Modes of what fell
    if (all_turn(sim)) {
        return HF_OK;
    }
    HF_TRY(check_fallen(sim, &all_stuck, error));
    hf_switch_unpin(sim);
    bool shared = all_stuck && hf_switch_share_out(sim);
    if (!shared && !(all_stuck && hf_switch_meet_together(sim))) {
        HF_TRY(meet_each(sim, error));
    }
    hf_switch_mark(sim);
    hf_adaptive_settle(sim);
    sim->fresh = false;
    own->anew = true;
    hf_switch_tell(sim, false);
    return HF_OK;
}
