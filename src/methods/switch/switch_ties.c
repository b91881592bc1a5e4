// SPDX-License-Identifier: Apache-2.0
// Ties: coordinates that stick take their motion from what they stick to.
//
// Stuck elements on coordinates are the edges of a graph, coordinates its nodes; the world and
// driven bodies are nodes whose motion is known. A forest that grows from these spans it; where a
// group of coordinates is stuck to none of them it grows from one of the group. Each edge of the
// forest is a tie,
//   q = q_to + offset,   v = v_to,   a = a_to,
// applied in the order of growth. So what sticks is at rest relative to its reference exactly,
// however long, and a chain that the world holds has no velocity of rounding size. Edges that are
// not in the forest hold what is held already.
#include <math.h>
#include <string.h>

#include "methods/switch/switch.h"

// ------------------------------------------------------------------------------------------------
// The forest

// Whether the motion of a coordinate is known before any tie: the world's or a driven body's.
static bool is_anchor(int v, bool driven)
{
    return v < 0 || driven;
}

// Adds the tie of row k of element e if it has one end in the forest and one outside.
static bool grow(hf_switch *own, int element, int k)
{
    const hf_element *e = &own->elements[element];
    int on = e->on_v + k, to = e->to_v < 0 ? -1 : e->to_v + k;
    bool on_known = is_anchor(on, e->on_driven) || own->tied[on];
    bool to_known = is_anchor(to, e->to_driven) || own->tied[to];
    if (on_known == to_known) {
        return false;
    }
    int on_q = e->on_q + k, to_q = e->to_q < 0 ? -1 : e->to_q + k;
    hf_tie tie = {.element = element, .axis = k, .turned = on_known};
    tie.q = on_known ? to_q : on_q;
    tie.v = on_known ? to : on;
    tie.to_q = on_known ? on_q : to_q;
    tie.to_v = on_known ? on : to;
    own->ties[own->tie_count++] = tie;
    own->tied[tie.v] = true;
    return true;
}

static bool grow_all(hf_switch *own)
{
    bool grown = false;
    for (int i = 0; i < own->count; ++i) {
        const hf_element *e = &own->elements[i];
        for (int k = 0; k < e->dim && e->mode == 0 && !e->in_space; ++k) {
            grown = grow(own, i, k) || grown;
        }
    }
    return grown;
}

// A group that is stuck to nothing whose motion is known grows from one of its own.
static bool plant(hf_switch *own)
{
    for (int i = 0; i < own->count; ++i) {
        const hf_element *e = &own->elements[i];
        for (int k = 0; k < e->dim && e->mode == 0 && !e->in_space; ++k) {
            int to = e->to_v < 0 ? -1 : e->to_v + k;
            if (!is_anchor(to, e->to_driven) && !e->on_driven && !own->tied[to] &&
                !own->tied[e->on_v + k]) {
                own->tied[to] = true;
                return true;
            }
        }
    }
    return false;
}

// The forest of the present modes.
static void tie_all(const hf_sim *sim)
{
    hf_switch *own = hf_switch_of(sim);
    bool same = true;
    for (int i = 0; i < own->count; ++i) {
        hf_element *e = &own->elements[i];
        bool sticks = e->mode == 0 && !e->in_space;
        same = same && e->counted == sticks;
        e->counted = sticks;
    }
    if (same) {
        return;
    }
    own->tie_count = 0;
    memset(own->tied, false, (size_t)sim->model->nv * sizeof *own->tied);
    do {
        while (grow_all(own)) {
        }
    } while (plant(own));
}

void hf_switch_untie(hf_switch *own)
{
    for (int i = 0; i < own->tie_count; ++i) {
        own->tied[own->ties[i].v] = false;
    }
    own->tie_count = 0;
    for (int i = 0; i < own->count; ++i) {
        own->elements[i].counted = false;
    }
}

// ------------------------------------------------------------------------------------------------
// What they do

void hf_switch_tie_rates(const hf_sim *sim, double t, hf_side side, double *dx)
{
    const hf_switch *own = hf_switch_of(sim);
    tie_all(sim);
    for (int i = 0; i < own->tie_count; ++i) {
        const hf_tie *tie = &own->ties[i];
        dx[sim->model->nq + tie->v] = hf_coordinate_acceleration(sim, tie->to_v, t, side, dx);
    }
}

void hf_switch_mark_ties(const hf_sim *sim)
{
    hf_switch *own = hf_switch_of(sim);
    for (int i = 0; i < own->count; ++i) {
        hf_element *e = &own->elements[i];
        bool sticks = e->mode == 0 && !e->in_space;
        for (int k = 0; k < e->dim && sticks && !e->placed; ++k) {
            double gap = sim->x[e->on_q + k] - (e->to_q < 0 ? 0.0 : sim->x[e->to_q + k]);
            bool stop = e->kind == HF_ELEMENT_STOP;
            e->place[k] = stop ? hf_element_limit(e) : gap;
        }
        e->placed = e->in_space ? e->placed : sticks;
    }
    hf_switch_tie(sim, sim->x);
}

void hf_switch_tie(const hf_sim *sim, double *x)
{
    const hf_switch *own = hf_switch_of(sim);
    double *q = x, *v = x + sim->model->nq;
    tie_all(sim);
    for (int i = 0; i < own->tie_count; ++i) {
        const hf_tie *tie = &own->ties[i];
        const hf_element *e = &own->elements[tie->element];
        double place = tie->turned ? -e->place[tie->axis] : e->place[tie->axis];
        v[tie->v] = tie->to_v < 0 ? 0.0 : v[tie->to_v];
        if (e->placed) {
            q[tie->q] = (tie->to_q < 0 ? 0.0 : q[tie->to_q]) + place;
        }
    }
}

void hf_switch_place_at(hf_sim *sim, double t, hf_side side, double *x)
{
    const hf_model *model = sim->model;
    const hf_switch *own = hf_switch_of(sim);
    tie_all(sim);
    // A body that follows a coordinate which is tied moves with it, and what is stuck to it too
    for (int pass = 0; pass < (own->follows ? 2 : 1) && own->tie_count > 0; ++pass) {
        if (model->drive_count > 0) {
            hf_signals_update(sim, t, side);
            hf_sim_drive(sim, t, side, x, x + model->nq);
        }
        hf_switch_tie(sim, x);
    }
}
