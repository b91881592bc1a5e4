// SPDX-License-Identifier: Apache-2.0
// HF_METHOD_SWITCH: the pieces between events.
#include "methods/switch/switch.h"
#include "loops/loops.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "methods/adaptive/law_switches.h"
#include "methods/adaptive/resume.h"
#include "methods/switch/variation.h"

// What holds in space may drift by this many times what an integrator errs in a step before it
// begins anew; that is looked at after so many internal steps.
#define DRIFT 10.0
enum { STEPS_BETWEEN_LOOKS = 20 };
// So many looks within this time, as a part of max(1 s, t), are no headway.
enum { MOST_LOOKS = 300 };
#define HEADWAY 1e-6
// So many events, pauses and beginnings within this time, as a part of max(1 s, t), are none.
enum { MOST_PASSES = 2000 };
#define PASS_TIME 1e-8
// A slip in a plane that friction would stop within this time is stiff [s].
#define SLOW_TIME 1e-3

// ------------------------------------------------------------------------------------------------
// The present state

// The largest force of one point of contact between shapes, of each force.
static void tally_points(hf_sim *sim)
{
    const hf_switch *own = hf_switch_of(sim);
    for (int i = 0; i < own->count && hf_switch_has_points(own); ++i) {
        const hf_element *e = &own->elements[i];
        double size = e->slot && e->part == 0 ? hf_length3(3, sim->force + e->row) : 0.0;
        double *largest = &sim->tallies[e->force].largest_squared;
        *largest = fmax(*largest, e->slot ? size * size : 0.0);
    }
}

void hf_switch_refresh(hf_sim *sim)
{
    hf_error unseen; // the next step fails in the same way, and says so
    bool goes_on = hf_adaptive_goes_on(sim), changed = false, left = false;
    if (!goes_on) { // margins by how fast it is
        hf_integrator_scale(&hf_adaptive_of(sim)->integrator, false);
        hf_switch_scale(sim);
    }
    if (!goes_on && hf_switch_has_points(hf_switch_of(sim))) {
        hf_update_poses(sim, sim->x, sim->x + sim->model->nq);
        sim->core->running =
            hf_points_list(sim, &changed, &left, &unseen) == HF_OK && sim->core->running;
    }
    if (!goes_on && hf_switch_decide_all(sim, &unseen) < 0) {
        sim->core->running = false;
    }
    hf_sim_eval(sim, sim->core->time, HF_SIDE_RIGHT, 0.0, sim->x, sim->k);
    hf_switch_stick(sim, sim->core->time, HF_SIDE_RIGHT, sim->x, sim->k);
    tally_points(sim);
}

// The error that the integrator may make in a rate within one step [m/s or rad/s].
static double rate_error(const hf_sim *sim)
{
    const hf_integrator *integrator = &hf_adaptive_of(sim)->integrator;
    double fastest = 0.0;
    for (int i = 0; i < sim->model->nv; ++i) {
        fastest = fmax(fastest, fabs(sim->x[sim->model->nq + i]));
    }
    return integrator->rtol * fastest + integrator->atol;
}

// Makes what holds in space hold exactly. Where an input jumps driven bodies move as after the jump
// already: modes are to be decided first.
double hf_switch_keep(hf_sim *sim)
{
    hf_switch *own = hf_switch_of(sim);
    double drift = 0.0;
    bool jump = hf_integrator_at_jump(&hf_adaptive_of(sim)->integrator, sim->core->time);
    for (int i = 0; own->in_space && !jump && i < sim->model->exact.count; ++i) {
        drift = fmax(drift, hf_switch_settle(sim, &hf_switch_of(sim)->islands[i]));
    }
    if (!jump) { // to driven motion as it is shown
        hf_switch_tie(sim, sim->x);
        hf_adaptive_settle(sim);
    }
    if (drift > 0.0) {
        hf_switch_close(sim);
        sim->fresh = false;
        hf_adaptive_settle(sim);
    }
    return drift;
}

// Whether something holds in space.
static bool holds_in_space(const hf_switch *own)
{
    bool holds = false;
    for (int i = 0; i < own->count; ++i) {
        holds = holds || (own->elements[i].in_space && hf_element_holds(&own->elements[i]));
    }
    return holds;
}

// ------------------------------------------------------------------------------------------------
// Beginning and going on

static hf_status check_gap(const hf_sim *sim, const hf_element *e, hf_error *error)
{
    int wall = 0;
    double room = e->kind == HF_ELEMENT_STOP      ? hf_switch_gap(sim, e, sim->x, &wall)
                  : e->kind == HF_ELEMENT_CONTACT ? sim->gap[e->row]
                                                  : 0.0;
    if (room >= -hf_switch_of(sim)->margin) {
        return HF_OK;
    }
    const char *name = sim->model->forces[e->force].name;
    return e->kind == HF_ELEMENT_STOP
               ? hf_error_at(error, HF_ERROR_RANGE, hf_at_time(sim->core->time, NULL, name),
                             "the gap of stop '%s' is %g beyond its limit", name, -room)
               : hf_error_at(error, HF_ERROR_RANGE, hf_at_time(sim->core->time, NULL, name),
                             "the bodies of contact '%s' are %g m in each other; method switch "
                             "needs them apart or touching",
                             name, -room);
}

// Velocities of an island's movers are what its stiffness is in.
static void need_island(hf_sim *sim, int first_force)
{
    const hf_model *model = sim->model;
    bool *needed = hf_adaptive_of(sim)->integrator.needed + model->nq;
    for (int i = 0; i < model->exact.count; ++i) {
        const hf_island *island = &hf_switch_of(sim)->islands[i];
        for (int k = 0; island->first_force == first_force && k < island->mover_count; ++k) {
            const hf_mover *mover = &model->movers[model->exact.movers[island->first_mover + k]];
            memset(needed + mover->v, true, (size_t)mover->nv * sizeof *needed);
        }
    }
}

// Whether some slip in a plane is slow: friction stops it within SLOW_TIME. Its direction is then
// held fast, which is stiff.
static bool is_stiff(hf_sim *sim)
{
    hf_switch *own = hf_switch_of(sim);
    bool stiff = false;
    memset(hf_adaptive_of(sim)->integrator.needed, false, (size_t)sim->model->n * sizeof(bool));
    for (int i = 0; i < own->count; ++i) {
        hf_element *e = &own->elements[i];
        const hf_force_place *force = &sim->model->forces[e->force];
        bool contact = e->kind == HF_ELEMENT_CONTACT;
        e->slow = 0.0;
        // Only what slips in a plane or at a contact
        if ((!contact && e->kind != HF_ELEMENT_PLANAR) || e->mode != 1) {
            continue;
        }
        // How fast friction would stop it: its level times what the bodies answer with
        double level = contact ? -e->mu * e->held[0] : hf_length3(e->dim, sim->force + e->row);
        double answer = 0.0, slide = e->slide;
        for (int k = contact ? 1 : 0; k < e->dim && !e->slot; ++k) {
            answer = fmax(answer, hf_force_inverse_mass(sim, force, e->row - force->row + k));
        }
        answer = e->slot ? hf_switch_answer(sim, e) : answer;
        double slow = SLOW_TIME * level * answer;
        e->slow = slide < slow ? slow : 0.0;
        stiff = stiff || e->slow > 0.0;
        if (e->slow > 0.0) {
            need_island(sim, e->island);
        }
        sim->fresh = false;
        hf_sim_refresh(sim, 0.0);
    }
    return stiff;
}

// Stops and contacts that act from now on must find room.
static hf_status check_gates(hf_sim *sim, hf_error *error)
{
    hf_switch *own = hf_switch_of(sim);
    hf_switch_gate(sim);
    hf_switch_look(sim, sim->x);
    for (int i = 0; i < own->count; ++i) {
        hf_element *e = &own->elements[i];
        bool opens = e->was_off && !e->off;
        e->was_off = e->off;
        if (opens) {
            HF_TRY(check_gap(sim, e, error));
        }
    }
    return HF_OK;
}

// Points of contact between shapes at the present state.
static hf_status list_points(hf_sim *sim, bool known, hf_error *error)
{
    bool changed = false, left = false;
    if (!hf_switch_has_points(hf_switch_of(sim))) {
        return HF_OK;
    }
    hf_update_poses(sim, sim->x, sim->x + sim->model->nq);
    if (!known) {
        HF_TRY(hf_points_check(sim, error));
    }
    sim->fresh = false;
    return hf_points_list(sim, &changed, &left, error);
}

// Begins after something that the integrator did not see.
hf_status hf_switch_begin(hf_sim *sim, hf_error *error)
{
    hf_switch *own = hf_switch_of(sim);
    bool first = sim->core->step_index == 0 && sim->core->time == 0.0, known = sim->core->running;
    // Driven motion, margins by the speed of the machine, and points of contact there
    hf_sim_refresh(sim, 0.0);
    hf_integrator_scale(&hf_adaptive_of(sim)->integrator, true);
    hf_switch_scale(sim);
    HF_TRY(list_points(sim, known, error));
    hf_switch_unpin(sim);
    // What is known of the elements after the state was changed from outside
    HF_TRY(check_gates(sim, error));
    for (int i = 0; i < own->count && !known; ++i) {
        own->elements[i].told = own->elements[i].slot
                                    ? own->elements[i].told
                                    : (int)sim->mode_before[own->elements[i].force];
        own->elements[i].burst = -INFINITY;
        own->elements[i].placed = false;
        own->window = sim->core->time;
        own->window_count = 0;
    }
    // What sticks is at rest exactly
    hf_switch_look(sim, sim->x);
    for (int i = 0; i < own->count; ++i) {
        const hf_element *e = &own->elements[i];
        if (e->mode == 0) {
            hf_switch_stop(sim, e, sim->x);
        }
        if (!known) {
            HF_TRY(check_gap(sim, e, error));
        }
    }
    for (int i = 0; i < sim->model->exact.count && own->in_space; ++i) {
        (void)hf_switch_settle(sim, &hf_switch_of(sim)->islands[i]);
    }
    // Impacts, then the modes of all elements
    hf_switch_close(sim);
    HF_TRY(hf_switch_strike(sim, error));
    if (hf_switch_decide_all(sim, error) < 0) {
        if (own->stalled < 0) {
            return error->status;
        }
        HF_TRY(hf_switch_jam(sim, own->stalled, false, error));
        HF_TRY(hf_switch_decide(sim, NULL, error));
    }
    // From here the integrator goes on
    hf_switch_mark(sim);
    hf_adaptive_settle(sim);
    own->anew = true;
    hf_switch_tell(sim, first);
    return HF_OK;
}

// The force of what slips slowest of all that slip in a plane, in space or at a contact; of the
// first element where none does.
static const char *slipping(const hf_sim *sim)
{
    const hf_switch *own = hf_switch_of(sim);
    const hf_element *slowest = NULL;
    for (int i = 0; i < own->count; ++i) {
        const hf_element *e = &own->elements[i];
        bool slips = (e->kind == HF_ELEMENT_PLANAR || e->kind == HF_ELEMENT_CONTACT) &&
                     e->mode == 1 && e->part == 0;
        slowest = slips && (slowest == NULL || e->slide < slowest->slide) ? e : slowest;
    }
    slowest = slowest == NULL ? own->elements : slowest;
    return sim->model->forces[slowest->force].name;
}

// A run whose time does not go on is an error, whatever it is that comes again and again.
static hf_status stands(const hf_sim *sim, hf_error *error)
{
    double t = sim->core->time;
    const char *name = slipping(sim);
    return hf_error_at(error, HF_ERROR_CONVERGENCE, hf_at_time(t, NULL, name),
                       "'%s' and others leave method switch no headway at %.17g s: thousands of "
                       "events or internal steps within %g s",
                       name, t, PASS_TIME * fmax(1.0, fabs(t)));
}

static hf_status check_passes(hf_sim *sim, hf_error *error)
{
    hf_switch *own = hf_switch_of(sim);
    double t = sim->core->time;
    if (!(fabs(t - own->passed) <= PASS_TIME * fmax(1.0, fabs(t)))) {
        own->passed = t;
        own->passes = 0;
    }
    own->passes += 1;
    return own->passes <= MOST_PASSES ? HF_OK : stands(sim, error);
}

// With points between shapes a run that hardly goes on is an error: many of them may slip, turn and
// stop again and again.
static hf_status check_headway(hf_sim *sim, hf_error *error)
{
    hf_switch *own = hf_switch_of(sim);
    double t = sim->core->time;
    if (!(t - own->headway <= HEADWAY * fmax(1.0, fabs(t)))) {
        own->headway = t;
        own->pauses = 0;
    }
    own->pauses += 1;
    if (!hf_switch_has_points(own) || own->pauses <= MOST_LOOKS) {
        return HF_OK;
    }
    const char *name = slipping(sim);
    return hf_error_at(error, HF_ERROR_CONVERGENCE, hf_at_time(t, NULL, name),
                       "the slips of '%s' leave method switch no headway: %d internal steps within "
                       "%g s; timestep runs this machine",
                       name, MOST_LOOKS * STEPS_BETWEEN_LOOKS, HEADWAY * fmax(1.0, fabs(t)));
}

// Begins the integrator anew with the roots and settings of the present modes.
static hf_status restart(hf_sim *sim, hf_error *error)
{
    hf_switch *own = hf_switch_of(sim);
    hf_integrator *integrator = &hf_adaptive_of(sim)->integrator;
    integrator->stiff = is_stiff(sim);
    for (int i = 0; i < own->count; ++i) {
        own->elements[i].beyond = false;
    }
    hf_switch_arm(sim);
    integrator->longest = hf_switch_watch(sim);
    integrator->pause_every = holds_in_space(own) ? STEPS_BETWEEN_LOOKS : 0;
    HF_TRY(hf_integrator_restart(integrator, error));
    hf_switch_scale(sim);
    own->anew = false;
    hf_resume_begin(sim);
    return HF_OK;
}

hf_status hf_switch_advance(hf_sim *sim, double end, hf_error *error)
{
    hf_switch *own = hf_switch_of(sim);
    const long long told = sim->core->stats.events;
    while (sim->core->time < end && !(sim->stop_at_event && sim->core->stats.events != told)) {
        HF_TRY(check_passes(sim, error));
        HF_TRY(hf_loops_meet(sim, error));
        if (!hf_adaptive_goes_on(sim)) {
            hf_variation_before(sim);
            HF_TRY(hf_switch_begin(sim, error));
            hf_variation_begun(sim);
            if (sim->stop_at_event && sim->core->stats.events != told) {
                break;
            }
        }
        // Roots and settings of the present modes
        hf_sim_begin(sim, 0.0);
        if (own->anew || hf_integrator_is_due(&hf_adaptive_of(sim)->integrator)) {
            bool changed = false; // laws by what moved the machine
            HF_TRY(hf_law_switches_begin(sim, &changed, error));
            if (changed) {
                continue;
            }
            if (hf_switch_has_points(own) && hf_switch_overdue(sim)) {
                HF_TRY(hf_switch_meet(sim, error));
                continue;
            }
            HF_TRY(restart(sim, error));
        }
        // To the next root, jump or pause, and what it means
        hf_reach reach = hf_adaptive_reach(sim, end, error);
        if (reach == HF_REACH_FAILED) {
            bool still = hf_adaptive_of(sim)->integrator.stands;
            return still ? stands(sim, error) : error->status;
        }
        bool jump = hf_integrator_at_jump(&hf_adaptive_of(sim)->integrator, sim->core->time);
        hf_variation_reached(sim, reach == HF_REACH_ROOT && !jump);
        if (reach == HF_REACH_ROOT && jump) { // modes are those after the jump
            hf_switch_stop_fallen(sim);
        } else if (reach == HF_REACH_ROOT) {
            HF_TRY(hf_switch_meet(sim, error));
            HF_TRY(hf_law_switches_meet(
                sim, hf_adaptive_of(sim)->integrator.fallen + HF_ELEMENT_ROOTS * own->count,
                error));
            hf_variation_met(sim);
        } else if (reach == HF_REACH_PAUSE) { // the integrator's own state drifted, or is stiff
            HF_TRY(check_headway(sim, error));
            bool drifted = hf_switch_keep(sim) > DRIFT * rate_error(sim);
            own->anew = hf_adaptive_of(sim)->integrator.wants_stiff && is_stiff(sim);
            own->anew = own->anew || drifted;
        } else { // shown as it holds; the integrator goes on with its own state
            (void)hf_switch_keep(sim);
        }
        hf_adaptive_cross(sim, end);
    }
    return HF_OK;
}
