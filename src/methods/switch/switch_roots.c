// SPDX-License-Identifier: Apache-2.0
// Root functions: events are where one falls through zero.
#include <float.h>
#include <math.h>
#include <string.h>

#include "methods/adaptive/law_switches.h"
#include "methods/switch/features.h"
#include "methods/switch/switch.h"

// A slip that was slow and stiff is fast when it is so many times faster.
#define FASTER 2.0

// What holds exactly its level holds, whatever the last bits of its load do; of the level.
#define LEVEL_ROUNDING 1e-12
// A rate that was located at the edge of its narrow part lies inside, but for so much of it.
#define ON_EDGE 1e-6
// A Stribeck curve exp(-(v/vs)^2) has risen by 1e-7 at so many times vs, and is left beyond so
// many.
#define STEEP 4.0
#define LEFT  8.0
// Rounding of a difference of velocities, as a part of them.
#define ROUNDING (64.0 * DBL_EPSILON)
// Of forces that many points share, as a part of all of them.
#define SHARED_ROUNDING 1e-11
// Steps on it change the rate by this part of vs.
#define SEEN 0.25

// How fast an element slips, seen along its mode.
static double slip_rate(const hf_sim *sim, const hf_element *e, const double *x)
{
    return e->kind == HF_ELEMENT_FRICTION ? e->mode * hf_switch_rate(sim, e, 0, x) : e->slide;
}

// The sign of a rate of rounding size means nothing: it is the difference of two large numbers.
static double rate_rounding(const hf_sim *sim, const hf_element *e, const double *x)
{
    const double *v = x + sim->model->nq;
    return e->in_space || e->to_v < 0 ? 0.0 : ROUNDING * (fabs(v[e->on_v]) + fabs(v[e->to_v]));
}

// Where the level of a slip is steep: a multiple of its Stribeck velocity; 0: nowhere.
static double steep_below(const hf_element *e)
{
    int side = e->kind == HF_ELEMENT_FRICTION && e->mode < 0 ? HF_BACK : HF_FORTH;
    bool slips =
        e->kind == HF_ELEMENT_FRICTION ? e->mode != 0 : e->kind != HF_ELEMENT_STOP && e->mode == 1;
    const hf_level *level = e->level;
    return slips && level->table_speed.count == 0 && level->peak[side] > level->kinetic[side]
               ? STEEP * level->stribeck[side]
               : 0.0;
}

double hf_switch_watch(hf_sim *sim)
{
    hf_switch *own = hf_switch_of(sim);
    double longest = INFINITY;
    bool looked = false;
    for (int i = 0; i < own->count; ++i) {
        hf_element *e = &own->elements[i];
        e->narrow = steep_below(e);
        if (!(e->narrow > 0.0)) {
            continue;
        }
        if (!looked) {
            hf_sim_refresh(sim, 0.0);
            hf_switch_accelerate(sim, sim->core->time, HF_SIDE_RIGHT, sim->x, sim->k);
            looked = true;
        }
        double squares = 0.0;
        for (int k = e->kind == HF_ELEMENT_CONTACT ? 1 : 0; k < e->dim; ++k) {
            double a = hf_switch_acceleration(sim, e, k, sim->core->time, HF_SIDE_RIGHT, sim->k);
            squares += a * a;
        }
        e->inside = slip_rate(sim, e, sim->x) <= e->narrow * (1.0 + ON_EDGE);
        if (e->inside && squares > 0.0) {
            longest = fmin(longest, SEEN / STEEP * e->narrow / sqrt(squares));
        }
    }
    return longest;
}

void hf_switch_arm(hf_sim *sim)
{
    hf_switch *own = hf_switch_of(sim);
    hf_switch_look(sim, sim->x);
    for (int i = 0; i < own->count; ++i) {
        hf_element *e = &own->elements[i];
        int wall = 0;
        bool stop = e->kind == HF_ELEMENT_STOP;
        if (hf_element_is_friction(e) || hf_element_holds(e)) {
            continue;
        }
        double gap = stop ? hf_switch_gap(sim, e, sim->x, &wall) : sim->gap[e->row];
        e->allowance = gap + e->allowance > 0.0 ? e->allowance : own->margin - gap;
    }
}

double hf_element_room(const hf_element *e)
{
    switch (e->kind) {
    case HF_ELEMENT_PLANAR:
        return e->high - hf_length3(e->dim, e->held);
    case HF_ELEMENT_CONTACT:
        return -e->high * e->held[0] - hf_length3(2, e->held + 1);
    default:
        return fmin(e->high - e->held[0], e->held[0] - e->low);
    }
}

double hf_switch_force_margin(const hf_sim *sim, const hf_element *e)
{
    const hf_integrator *integrator = &hf_adaptive_of(sim)->integrator;
    double size = e->kind == HF_ELEMENT_FRICTION ? e->high - e->low
                  : e->kind == HF_ELEMENT_PLANAR ? 2.0 * e->high
                                                 : fabs(e->held[0]);
    return integrator->rtol * size + integrator->atol;
}

// Of a slip in a plane or in space. It falls below zero where d is 60 degrees off its aim, and
// where |r + e d0| is a third of e: an implicit integrator could go on there, at rest within its
// tolerance.
static double slip_root(const hf_sim *sim, const hf_element *e)
{
    return e->slide * (e->near - 0.5) - hf_switch_of(sim)->shift / 6.0;
}

bool hf_switch_overdue(hf_sim *sim)
{
    hf_switch *own = hf_switch_of(sim);
    int *fallen = hf_adaptive_of(sim)->integrator.fallen;
    bool found = false;
    if (!own->in_space) {
        return false;
    }
    sim->fresh = false;
    hf_sim_refresh(sim, 0.0);
    memset(fallen, 0, (size_t)hf_adaptive_of(sim)->integrator.root_count * sizeof *fallen);
    for (int i = 0; i < own->count; ++i) {
        hf_element *e = &own->elements[i];
        bool slides = e->slot && e->part == 0 && e->mode == 1 && e->mu > 0.0;
        if (slides && slip_root(sim, e) <= 0.0 && e->slide <= own->margin) {
            fallen[HF_ELEMENT_ROOTS * i + 2] = -1;
            found = true;
        } else if (slides && slip_root(sim, e) <= 0.0) { // it has turned: watched from there
            double rate = hf_length3(2, sim->rate + e->row + 1);
            e->aim[0] = sim->rate[e->row + 1] / rate;
            e->aim[1] = sim->rate[e->row + 2] / rate;
        }
    }
    return found;
}

// A function that is zero but for rounding stands still there: many points share their forces, some
// of them at their bounds or with none.
static double without_rounding(double g, double rounding)
{
    return g > rounding ? g : g >= -rounding ? rounding : g + 2.0 * rounding;
}

static void contact_roots(const hf_sim *sim, const hf_element *e, double *g)
{
    const hf_switch *own = hf_switch_of(sim);
    double gap = sim->gap[e->row], normal = -e->held[0], margin = hf_switch_force_margin(sim, e);
    // Two at one place that part, and what is open
    if (e->slot && e->point.twin) {
        g[HF_ROOT_INSIDE] = hf_point_twin_room(own, e);
        return;
    }
    if (e->mode == HF_CONTACT_OPEN) {
        g[0] = gap + e->allowance;
        g[1] = g[0] + own->margin;
        if (e->slot && hf_point_slides_in(sim, e)) {
            g[HF_ROOT_INSIDE] = -hf_point_room(own, &e->point);
        }
        return;
    }
    // What is closed: its features, its normal force and its friction
    double rounding = e->slot ? SHARED_ROUNDING * sim->normal[e->force] : 0.0;
    if (e->slot) {
        g[HF_ROOT_INSIDE] =
            without_rounding(hf_point_room(own, &e->point), SHARED_ROUNDING * own->near_margin);
        normal = without_rounding(normal, rounding);
    }
    g[0] = normal;
    g[1] = normal + margin;
    if (e->mode == 0) {
        double room = hf_element_room(e) + 2.0 * margin * hf_element_latch(e);
        room = e->slot ? without_rounding(room, rounding) : room;
        g[2] = room;
        g[3] = room + margin;
    } else if (e->mu > 0.0) {
        g[2] = slip_root(sim, e);
        g[3] = e->felt - HF_LEAST_FELT;
    }
}

// Of a friction along a line or a stop: force left while it holds, gap or velocity while it does
// not.
static void line_roots(const hf_sim *sim, const hf_element *e, const double *x, double *at)
{
    int wall = 0;
    double margin = hf_switch_of(sim)->margin;
    if (e->mode == 0) {
        bool stop = e->kind == HF_ELEMENT_STOP;
        margin = hf_switch_force_margin(sim, e);
        bool line = e->kind == HF_ELEMENT_FRICTION;
        double rounding = line ? LEVEL_ROUNDING * (e->high - e->low) : 0.0;
        at[0] = hf_element_room(e) + rounding + (stop ? 0.0 : 2.0 * margin * hf_element_latch(e));
        at[2] = stop ? e->felt - HF_LEAST_FELT : 1.0;
    } else {
        at[0] = e->kind == HF_ELEMENT_STOP
                    ? hf_switch_gap(sim, e, x, &wall) + e->allowance
                    : e->mode * hf_switch_rate(sim, e, 0, x) + rate_rounding(sim, e, x);
    }
    at[1] = at[0] + margin;
}

// g > 0 within a mode.
void hf_switch_roots(hf_sim *sim, double t, hf_side side, double *x, double *g)
{
    hf_switch *own = hf_switch_of(sim);
    if (hf_law_root_count(sim->model) > 0) {
        hf_law_roots(sim, t, side, x, g + HF_ELEMENT_ROOTS * own->count);
    }
    // Whether roots depend on forces or on driven motion, or on the state alone
    bool look = own->in_space && sim->model->drive_count > 0; // at forces, or at driven motion
    for (int i = 0; i < own->count; ++i) {
        const hf_element *e = &own->elements[i];
        look = look || hf_element_holds(e) || e->on_driven || e->to_driven ||
               e->kind == HF_ELEMENT_PLANAR;
    }
    if (look) {
        hf_sim_eval(sim, t, side, 0.0, x, own->rate);
        hf_switch_stick(sim, t, side, x, own->rate);
        sim->core->stats.evaluations -= 1;
        sim->core->stats.observations += 1;
    } else {
        hf_switch_look(sim, x);
    }
    // That no other features can be near
    g[HF_ELEMENT_ROOTS * own->count + hf_law_root_count(sim->model)] =
        hf_switch_has_points(own) ? hf_points_leeway(sim) : 1.0;
    // Roots of each element; 1 where it has none
    for (int i = 0; i < own->count; ++i) {
        const hf_element *e = &own->elements[i];
        double *at = g + HF_ELEMENT_ROOTS * i;
        for (int k = 0; k < HF_ELEMENT_ROOTS; ++k) {
            at[k] = 1.0;
        }
        const hf_element *contact = e->part == 0 ? e : &own->elements[e->island + e->load];
        if (hf_element_is_free(e, own->elements + e->island) || (e->slot && !contact->point.used)) {
            continue;
        }
        // Frictions that are slow or narrow
        if (e->slow > 0.0) {
            at[HF_ROOT_FAST] = FASTER * e->slow - e->slide;
        }
        if (e->narrow > 0.0) {
            double rate = slip_rate(sim, e, x);
            at[HF_ROOT_NARROW] = e->inside ? LEFT / STEEP * e->narrow - rate : rate - e->narrow;
        }
        if (e->kind == HF_ELEMENT_CONTACT) {
            contact_roots(sim, e, at);
        } else if (e->kind == HF_ELEMENT_PLANAR && e->mode != 0) {
            at[0] = slip_root(sim, e);
        } else {
            line_roots(sim, e, x, at);
        }
    }
}
