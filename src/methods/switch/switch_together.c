// SPDX-License-Identifier: Apache-2.0
// Frictions and contacts that reach their bounds together, or share what they hold.
#include <math.h>

#include "methods/switch/switch.h"

// How far a moment later is, as a part of max(1 s, t): loads have moved by more than rounding.
#define MOMENT 1e-6
// By what it is lengthened where forces are shared, and how often it is tried.
#define LONGER 100.0
enum { MOMENTS = 3 };

void hf_switch_propose_held(hf_switch *own)
{
    for (int i = 0; i < own->count; ++i) {
        own->elements[i].candidate = hf_element_holds(&own->elements[i]);
        own->elements[i].forced = false;
    }
}

// Modes from the complementarity problem so much later, in the motion without slip. True when that
// sets one of what was stuck free.
static bool frees_later(hf_sim *sim, double ahead)
{
    hf_switch *own = hf_switch_of(sim);
    const hf_integrator *integrator = &hf_adaptive_of(sim)->integrator;
    int free = 0;
    if (!(sim->core->time + ahead < integrator->until)) {
        return false;
    }
    hf_switch_propose_held(own);
    for (int i = 0; i < sim->model->n; ++i) {
        integrator->trial[i] = sim->x[i] + ahead * sim->k[i];
    }
    hf_sim_normalize(sim, integrator->trial);
    hf_switch_place place = {
        .t = sim->core->time + ahead, .side = HF_SIDE_AT, .x = integrator->trial, .dx = own->rate};
    hf_error unseen; // then each is met alone
    bool solved = hf_switch_decide(sim, &place, &unseen) == HF_OK;
    for (int i = 0; i < own->count; ++i) {
        free += own->elements[i].told == 0 && own->elements[i].mode != 0 ? 1 : 0;
    }
    return solved && free > 0;
}

// Several frictions at their bounds together: modes from the problem a moment later. Those that
// share their load are at their bounds all at once, and slowly rising loads tell later which of
// them go: the moment is longer where none does.
bool hf_switch_meet_together(hf_sim *sim)
{
    hf_switch *own = hf_switch_of(sim);
    double ahead = MOMENT * fmax(1.0, fabs(sim->core->time));
    int at_bound = 0, moments = 1;
    for (int i = 0; i < own->count; ++i) {
        const hf_element *e = &own->elements[i];
        bool there = e->mode == 0 && hf_element_room(e) <= hf_switch_force_margin(sim, e);
        at_bound += there ? 1 : 0;
        moments = there && e->shared ? MOMENTS : moments;
    }
    bool met = false;
    for (int k = 0; k < moments && at_bound >= 2 && !met; ++k, ahead *= LONGER) {
        met = frees_later(sim, ahead);
    }
    return met;
}

// Points between shapes that touch and are at rest may hold too, though they were left without a
// load before.
static void propose_touching(hf_sim *sim)
{
    hf_switch *own = hf_switch_of(sim);
    hf_switch_look(sim, sim->x);
    for (int i = 0; i < own->count && hf_switch_has_points(own); ++i) {
        hf_element *e = &own->elements[i];
        bool open = e->slot && e->part == 0 && e->point.used && e->mode == HF_CONTACT_OPEN;
        if (open && !e->off && sim->gap[e->row] <= own->settled &&
            hf_length3(3, sim->rate + e->row) <= own->shift) {
            e->candidate = true;
            e->mode = 0;
        }
    }
}

// Whether an element is as before a sharing out, but for points that give their load to others or
// take some.
static bool is_as_before(const hf_element *e)
{
    bool point = e->slot && e->part == 0;
    return e->mode == e->kept || (point && e->kept == 0 && e->mode == HF_CONTACT_OPEN) ||
           (point && e->kept == HF_CONTACT_OPEN && e->mode == 0);
}

// Whether the forces as they are shared out leave an element no room.
static bool is_spent(const hf_sim *sim, const hf_element *e)
{
    return hf_element_room(e) <= 2.0 * hf_switch_force_margin(sim, e);
}

// Points of a body, and frictions in a plane, that hold with nothing left to share have reached
// their bounds together with those that fell. One of them alone would be called slip while the
// others keep it at rest, and stop again, thousands of times, until the load is clearly beyond.
static void fall_spent(hf_sim *sim)
{
    hf_switch *own = hf_switch_of(sim);
    int *fallen = hf_adaptive_of(sim)->integrator.fallen;
    for (int i = 0; i < own->count; ++i) {
        const hf_element *e = &own->elements[i];
        bool contact = e->kind == HF_ELEMENT_CONTACT && !hf_level_is_zero(e->level);
        if ((contact || e->kind == HF_ELEMENT_PLANAR) && e->mode == 0 && !e->latched &&
            is_spent(sim, e)) {
            fallen[HF_ELEMENT_ROOTS * i + (contact ? 2 : 0)] = -1;
        }
    }
}

// Where forces are redundant one that reached its bound may be helped by others: all are shared out
// anew. True when that leaves everything stuck, and away from its bound.
bool hf_switch_share_out(hf_sim *sim)
{
    hf_switch *own = hf_switch_of(sim);
    hf_error unseen; // then each is met alone
    bool broad = false;
    for (int i = 0; i < own->count; ++i) {
        hf_element *e = &own->elements[i];
        e->kept = e->mode;
        broad = broad || (hf_switch_has_fallen(hf_switch_fallen(sim, i)) &&
                          (e->kind == HF_ELEMENT_PLANAR || e->kind == HF_ELEMENT_CONTACT ||
                           (e->kind == HF_ELEMENT_FRICTION && e->shared)));
    }
    if (!broad) {
        return false;
    }
    // All that hold or could
    hf_switch_propose_held(own);
    propose_touching(sim);
    bool stuck = hf_switch_decide(sim, NULL, &unseen) == HF_OK, shared = true;
    for (int i = 0; i < own->count && stuck; ++i) {
        const hf_element *e = &own->elements[i];
        stuck = is_as_before(e);
        shared = shared && (!hf_switch_has_fallen(hf_switch_fallen(sim, i)) ||
                            !hf_element_holds(e) || !is_spent(sim, e));
    }
    if (stuck && !shared) {
        fall_spent(sim);
    }
    shared = stuck && shared;
    // or as before
    for (int i = 0; i < own->count && !shared; ++i) {
        own->elements[i].mode = own->elements[i].kept;
    }
    if (!shared) { // forces and rates of before
        hf_sim_refresh(sim, 0.0);
    }
    return shared;
}
