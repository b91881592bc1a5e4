// SPDX-License-Identifier: Apache-2.0
// Which elements hold, which slip and which open: at the start, at jumps of inputs, at events.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "methods/switch/switch.h"
#include "methods/switch/switch_loads.h"

// A friction that the rule for accumulations holds breaks away only beyond this part of its level.
#define LATCH 1e-6
// The level of a friction that reached its bound, less this part: it slips, however little.
#define FORCED 1e-9

// ------------------------------------------------------------------------------------------------
// One problem

hf_mixed_item hf_switch_rest_item(const hf_sim *sim, const hf_element *e)
{
    // By how much more it holds while it is latched
    double more = e->kind != HF_ELEMENT_STOP ? LATCH * hf_element_latch(e) : 0.0;
    hf_mixed_item item = {.dim = e->dim, .load = e->load};
    hf_regime regime = e->forced ? HF_REGIME_SLIP : HF_REGIME_STICK;
    double share = e->share * (e->forced ? 1.0 - FORCED : 1.0 + more);
    // By its kind: what its force may be while it rests
    switch (e->kind) {
    case HF_ELEMENT_PLANAR: {
        bool loaded = e->load >= 0;
        double normal = loaded ? 0.0 : hf_normal_for(sim, &sim->model->forces[e->force]);
        item.law = HF_MIXED_BALL;
        item.radius = share * hf_level_at(e->level, HF_FORTH, 0.0, normal, regime);
        item.rise = loaded ? share * hf_switch_rise(e->level, HF_FORTH, regime) : 0.0;
        break;
    }
    case HF_ELEMENT_CONTACT:
        item.law = e->mode == 1 ? HF_MIXED_SLIDE : HF_MIXED_CONE;
        item.mu = e->mode == 1 ? e->mu : share * hf_switch_rise(e->level, HF_FORTH, regime);
        memcpy(item.direction, e->along, 2 * sizeof *item.direction);
        break;
    default:
        item.law = HF_MIXED_BOX;
        more *= e->high - e->low;
        item.low = e->share * (e->low - more);
        item.high = e->share * (e->high + more);
        item.low_rise = e->share * e->low_rise;
        item.high_rise = e->share * e->high_rise;
        break;
    }
    return item;
}

// A friction in slip has the force that its load gives it.
static hf_mixed_item slip_item(const hf_element *e)
{
    double rise = e->mode * e->slope;
    if (e->kind == HF_ELEMENT_FRICTION) {
        return (hf_mixed_item){
            .law = HF_MIXED_BOX, .dim = 1, .low_rise = -rise, .high_rise = rise, .load = e->load};
    }
    hf_mixed_item item = {.law = HF_MIXED_DRAG, .dim = e->dim, .rise = e->slope, .load = e->load};
    memcpy(item.direction, e->along, sizeof item.direction);
    return item;
}

int hf_switch_list_candidates(hf_sim *sim, const hf_island *island, const hf_switch_place *place,
                              int *candidates)
{
    hf_switch *own = hf_switch_of(sim);
    const hf_element *elements = hf_switch_island(sim, island);
    int rows = 0;
    own->listed = 0;
    *candidates = 0;
    // Candidates, and frictions in slip that one of them loads
    for (int i = 0; i < island->force_count; ++i) {
        const hf_element *e = &elements[i];
        bool carried = !e->candidate && e->mode != 0 && e->load >= 0 && elements[e->load].candidate;
        if (!e->candidate && !carried) {
            continue;
        }
        hf_mixed_item *item = &own->items[own->listed];
        *item = carried ? slip_item(e) : hf_switch_rest_item(sim, e);
        item->row = rows;
        for (int k = 0; k < e->dim; ++k) {
            own->c[rows + k] = hf_switch_acceleration(sim, e, k, place->t, place->side, place->dx);
        }
        rows += e->dim;
        own->first[own->listed] = item->row;
        own->list[own->listed++] = i;
        *candidates += e->candidate ? 1 : 0;
    }
    // Loads by their place in this list
    for (int i = 0; i < own->listed; ++i) {
        hf_mixed_item *item = &own->items[i];
        item->load = item->load < 0 ? -1 : hf_switch_find(own, item->load);
    }
    return rows;
}

// Whether the level falls from its value at rest as soon as it moves: that may change the modes of
// others.
static bool drops(const hf_sim *sim, const hf_element *e)
{
    if (e->kind == HF_ELEMENT_STOP) {
        return false;
    }
    bool relative = e->load >= 0 || e->kind == HF_ELEMENT_CONTACT;
    double normal = relative ? 1.0 : hf_normal_for(sim, &sim->model->forces[e->force]);
    int side = e->kind == HF_ELEMENT_FRICTION && e->mode < 0 ? HF_BACK : HF_FORTH;
    return hf_level_at(e->level, side, 0.0, normal, HF_REGIME_SLIP) <
           hf_level_at(e->level, side, 0.0, normal, HF_REGIME_STICK);
}

// A friction in a plane, or that of a contact, at z = f + rho a: beyond the radius it slips that
// way. True: it broke away from the level at rest and is to be solved for with the one in motion.
static bool take_planar(const hf_sim *sim, hf_element *e, const double *z, int dim, double radius,
                        double scale)
{
    double size = hf_length3(dim, z);
    bool slips =
        e->forced || size > radius * (1.0 + HF_SWITCH_AT_BOUND) + HF_SWITCH_NOTHING * scale;
    e->mode = 0;
    if (slips) {
        hf_element_go(e, z, sim->core->time);
    }
    bool again = slips && !e->forced && drops(sim, e);
    e->forced = e->forced || again;
    // In slip a contact goes on being solved for, a friction alone has its force
    e->candidate = e->kind == HF_ELEMENT_CONTACT || !slips || again;
    return again;
}

// Whether a friction has no level now, as one that is off: it has no share in what others hold, and
// is in slip, with no force, also where they keep it at rest.
static bool holds_nothing(const hf_element *e, const hf_mixed_item *item)
{
    return e->kind == HF_ELEMENT_FRICTION && item->low == 0.0 && item->high == 0.0 &&
           item->low_rise == 0.0 && item->high_rise == 0.0;
}

// How far the force of an item is from its bounds, in the solution own->f.
static double leeway(const hf_switch *own, const hf_mixed_item *item)
{
    const double *f = own->f + item->row;
    double load = item->load < 0 ? 0.0 : fabs(own->f[own->items[item->load].row]);
    double room = 0.0;
    switch (item->law) {
    case HF_MIXED_BOX: {
        double low = item->low - item->low_rise * load, high = item->high + item->high_rise * load;
        room = fmin(high < HF_STOP_NONE ? high - f[0] : INFINITY,
                    low > -HF_STOP_NONE ? f[0] - low : INFINITY);
        break;
    }
    case HF_MIXED_CONE:
        room = fmin(-f[0], hf_switch_radius(own, item) - hf_length3(2, f + 1));
        break;
    case HF_MIXED_BALL:
        room = hf_switch_radius(own, item) - hf_length3(item->dim, f);
        break;
    default: // what slides, or is dragged, follows a normal force
        room = fabs(f[0]);
        break;
    }
    return fmin(fmax(0.0, room), HF_STOP_NONE);
}

// What the solution makes of one element; true: solve again.
// `both`: contacts and frictions on coordinates are listed.
static bool take_mode(const hf_sim *sim, hf_element *e, const hf_mixed_item *item, double scale,
                      bool both)
{
    const hf_switch *own = hf_switch_of(sim);
    const double *f = own->f + item->row, *z = own->ahead + item->row;
    // Forces to begin the next solution with
    e->leeway = leeway(own, item);
    e->tight = own->tight;
    if (item->law != HF_MIXED_BOX) {
        memcpy(e->base, f, (size_t)e->dim * sizeof *f);
    }
    // By its law: does it hold, slip, or open?
    switch (item->law) {
    case HF_MIXED_BALL:
        return take_planar(sim, e, z, e->dim, hf_switch_radius(own, item), scale);
    case HF_MIXED_CONE:
    case HF_MIXED_SLIDE:
        if (!(-f[0] > HF_SWITCH_NOTHING * scale)) {
            e->mode = HF_CONTACT_OPEN;
            e->allowance = own->margin;
            return false;
        }
        return item->law == HF_MIXED_CONE &&
               take_planar(sim, e, z + 1, 2, hf_switch_radius(own, item), scale);
    default:
        e->mode = e->kind == HF_ELEMENT_STOP ? own->side[item->row] != 0 : own->side[item->row];
        if (e->kind == HF_ELEMENT_FRICTION && hf_switch_item_rests(own, item)) {
            e->mode = 0; // at a bound, but others hold the same
        }
        if (e->mode == 0 && own->listed > 1 && holds_nothing(e, item)) {
            e->mode = 1; // alone it is at rest like any other
        }
        memset(e->base, 0, sizeof e->base);
        if (e->mode == 0 && own->redundant && both) {
            e->base[0] = f[0];
        }
        e->candidate = e->mode == 0;
        return e->mode != 0 && drops(sim, e);
    }
}

// Whether a friction that a reaction loads is among the candidates listed.
static bool loads_rest(const hf_sim *sim, const hf_element *elements)
{
    const hf_switch *own = hf_switch_of(sim);
    bool found = false;
    for (int i = 0; i < own->listed; ++i) {
        const hf_element *e = &elements[own->list[i]];
        found = found || (e->candidate && e->part == 0 && sim->model->forces[e->force].load >= 0);
    }
    return found;
}

// One complementarity problem: the candidates of an island. *again: some broke away with a lower
// level than the bound they were solved with.
static hf_status decide_island(hf_sim *sim, const hf_switch_place *place, int index, bool *again,
                               hf_error *error)
{
    hf_switch *own = hf_switch_of(sim);
    const hf_island *island = &hf_switch_of(sim)->islands[index];
    hf_element *elements = hf_switch_island(sim, island);
    int candidates = 0, rows = hf_switch_list_candidates(sim, island, place, &candidates);
    if (candidates == 0) {
        return HF_OK;
    }
    hf_switch_fill_w(sim, island, place->x);
    hf_switch_find_redundance(own, rows);
    bool solved = hf_switch_solve_rest(own, elements, rows);
    if (solved) {
        // Which of several solutions it is matters where shares change loads, and these bounds
        bool even = own->even;
        own->even = even && loads_rest(sim, elements);
        hf_switch_ease(sim, elements, rows, own->redundant && hf_switch_lists_both(own, elements),
                       false);
        solved = !own->even || hf_switch_ease_loads(sim, place, island);
        own->even = even;
    }
    if (!solved) {
        own->stalled = index;
        return hf_error_at(
            error, HF_ERROR_CONVERGENCE,
            hf_at_time(place->t, NULL, sim->model->forces[elements[own->list[0]].force].name),
            "the modes of friction '%s' and %d others could not be decided; method timestep takes "
            "redundant contacts step by step",
            sim->model->forces[elements[own->list[0]].force].name, own->listed - 1);
    }
    // The modes that follow
    double scale = hf_switch_largest_force(own, rows);
    bool both = hf_switch_lists_both(own, elements);
    for (int i = 0; i < own->listed; ++i) {
        hf_element *e = &elements[own->list[i]];
        if (e->candidate) {
            *again = take_mode(sim, e, &own->items[i], scale, both) || *again;
        }
    }
    return HF_OK;
}

// ------------------------------------------------------------------------------------------------
// All of them

// Where forces are redundant the smallest ones that give the same motion need not be those
// that the problem found: what is beyond its bound there gives the rest to the others.
static void relieve(hf_sim *sim, const hf_switch_place *place)
{
    hf_switch *own = hf_switch_of(sim);
    const hf_integrator *integrator = &hf_adaptive_of(sim)->integrator;
    // Until all that hold bear it
    for (int round = 0, changed = 1; round <= own->count && changed; ++round) {
        changed = 0;
        hf_sim_eval(sim, place->t, place->side, 0.0, place->x, place->dx);
        hf_switch_stick(sim, place->t, place->side, place->x, place->dx);
        if (round == 0 && hf_switch_even_out(sim, place)) {
            changed = 1;
            continue;
        }
        hf_switch_slide_anew(sim, place, round == 0);
        for (int i = 0; i < own->count; ++i) {
            hf_element *e = &own->elements[i];
            // A friction in one dimension beyond its level slides
            bool contact = e->kind == HF_ELEMENT_CONTACT;
            if (e->kind == HF_ELEMENT_FRICTION && e->mode == 0 && !e->latched) {
                double slack = integrator->rtol * fabs(e->held[0]) + integrator->atol;
                e->mode = e->held[0] > e->high + slack ? 1 : e->held[0] < e->low - slack ? -1 : 0;
                changed = e->mode != 0 ? 1 : changed;
            }
            if (!hf_element_holds(e) || (!contact && e->kind != HF_ELEMENT_PLANAR)) {
                continue;
            }
            // A contact that pulls opens; what is beyond its cone slides
            double normal = contact ? -e->held[0] : 0.0;
            const double *f = e->held + (contact ? 1 : 0);
            double size = hf_length3(contact ? 2 : e->dim, f);
            double slack = integrator->rtol * fmax(size, fabs(normal)) + integrator->atol;
            if (contact && normal < -slack) {
                e->mode = HF_CONTACT_OPEN;
                e->allowance = own->margin;
                changed = 1;
            } else if (e->mode == 0 && !e->latched &&
                       size > (contact ? e->high * normal : e->high) + slack) {
                hf_element_go(e, f, sim->core->time);
                changed = 1;
            }
        }
    }
}

void hf_switch_release(const hf_sim *sim, const hf_island *island)
{
    hf_element *elements = hf_switch_island(sim, island);
    for (int i = 0; i < island->force_count; ++i) {
        hf_element *e = &elements[i];
        if (hf_element_is_free(e, elements)) {
            e->candidate = e->forced = e->latched = false;
            hf_element_go(e, e->along, -INFINITY);
        }
    }
}

static void release_all(const hf_sim *sim)
{
    for (int i = 0; i < sim->model->exact.count; ++i) {
        hf_switch_release(sim, &hf_switch_of(sim)->islands[i]);
    }
}

hf_status hf_switch_decide(hf_sim *sim, const hf_switch_place *place, hf_error *error)
{
    const hf_switch_place present = {
        .t = sim->core->time, .side = HF_SIDE_RIGHT, .x = sim->x, .dx = sim->k};
    place = place == NULL ? &present : place;
    hf_switch *own = hf_switch_of(sim);
    bool again = true, broad = false;
    hf_status status = HF_OK;
    long long before = sim->core->stats.evaluations;
    hf_switch_unpin(sim);
    // Candidates begin as held
    for (int i = 0; i < own->count; ++i) {
        hf_element *e = &own->elements[i];
        bool slides = e->kind == HF_ELEMENT_CONTACT && e->mode == 1;
        e->mode = e->candidate && !slides ? 0 : e->mode;
        broad = broad ||
                (e->candidate && (e->kind == HF_ELEMENT_PLANAR || e->kind == HF_ELEMENT_CONTACT));
    }
    release_all(sim);
    // Every round but the last sets at least one friction free.
    own->stalled = -1;
    while (again && status == HF_OK) {
        again = false;
        for (int i = 0; i < own->count; ++i) { // in a plane they are solved for again
            hf_element *e = &own->elements[i];
            e->mode = e->candidate && e->forced ? 0 : e->mode;
        }
        if (sim->loads != NULL) {
            status = hf_switch_find_loads(sim, place, error);
        }
        hf_sim_eval(sim, place->t, place->side, 0.0, place->x, place->dx);
        hf_switch_accelerate(sim, place->t, place->side, place->x, place->dx);
        for (int i = 0; i < sim->model->exact.count && status == HF_OK; ++i) {
            status = decide_island(sim, place, i, &again, error);
        }
    }
    // No more candidates; those that are held too tightly are eased
    int stuck = 0;
    for (int i = 0; i < own->count; ++i) {
        own->elements[i].candidate = false;
        own->elements[i].forced = false;
        stuck += own->elements[i].kind == HF_ELEMENT_FRICTION && own->elements[i].mode == 0;
    }
    release_all(sim);
    if (status == HF_OK && (broad || stuck > 1)) {
        relieve(sim, place);
    }
    sim->core->stats.observations += sim->core->stats.evaluations - before;
    sim->core->stats.evaluations = before;
    sim->fresh = false;
    return status;
}

// ------------------------------------------------------------------------------------------------
// Candidates

// Mode of a friction, or whether it is a candidate, from its rate and its mode before.
static void sort_friction(const hf_sim *sim, hf_element *e)
{
    const hf_switch *own = hf_switch_of(sim);
    double rate = hf_switch_rate(sim, e, 0, sim->x);
    // A stuck friction follows a driven body, or anything in space, by integration: the margin is
    // for its error.
    bool follows = e->mode == 0 && (e->on_driven || e->to_driven || e->in_space);
    e->candidate = rate == 0.0 || (follows && fabs(rate) <= own->margin) ||
                   (e->in_space && fabs(rate) <= own->shift);
    if (!e->candidate) {
        e->mode = rate > 0.0 ? 1 : -1;
    }
}

// A stop is held only at rest at its limit.
static void sort_stop(const hf_sim *sim, hf_element *e)
{
    double margin = hf_switch_of(sim)->margin, rate = hf_switch_rate(sim, e, 0, sim->x);
    int wall = 0;
    bool touches = hf_switch_gap(sim, e, sim->x, &wall) <= margin;
    bool follows = e->mode == 0 && (e->on_driven || e->to_driven || e->in_space);
    bool still = rate == 0.0 || (e->in_space && fabs(rate) <= hf_switch_of(sim)->shift);
    e->wall = touches ? wall : e->wall;
    e->candidate = touches && (still || (follows && fabs(rate) <= margin));
    e->allowance = touches ? HF_SWITCH_REBOUND * margin : 0.0;
    e->mode = 1;
}

// Slip along r, or a candidate: rates below the shift are none, and below the margin those of what
// was stuck.
static void sort_planar(const hf_sim *sim, hf_element *e)
{
    const hf_switch *own = hf_switch_of(sim);
    bool contact = e->kind == HF_ELEMENT_CONTACT;
    int first = contact ? 1 : 0, dim = e->dim - first;
    double rate[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < dim; ++k) {
        rate[k] = hf_switch_rate(sim, e, first + k, sim->x);
    }
    double size = hf_length3(dim, rate);
    bool still = size <= (e->mode == 0 ? own->margin : own->shift);
    bool idle = contact && hf_level_is_zero(e->level); // no friction: it slides
    e->candidate = contact || still;
    e->mode = 0;
    if (!still || idle) {
        hf_element_go(e, rate, -INFINITY);
    }
}

// A contact is closed only at rest along its normal.
static void sort_contact(const hf_sim *sim, hf_element *e)
{
    const hf_switch *own = hf_switch_of(sim);
    double rate = fabs(hf_switch_rate(sim, e, 0, sim->x));
    bool closed = e->mode != HF_CONTACT_OPEN;
    bool touches = sim->gap[e->row] <= own->margin;
    if (touches && rate <= (closed ? own->margin : own->shift)) {
        sort_planar(sim, e);
        return;
    }
    e->candidate = false;
    e->allowance = 0.0;
    e->mode = HF_CONTACT_OPEN;
}

void hf_switch_sort(hf_sim *sim, hf_element *e)
{
    switch (e->kind) {
    case HF_ELEMENT_STOP:
        sort_stop(sim, e);
        break;
    case HF_ELEMENT_PLANAR:
        sort_planar(sim, e);
        break;
    case HF_ELEMENT_CONTACT:
        sort_contact(sim, e);
        break;
    default:
        sort_friction(sim, e);
        break;
    }
}

void hf_switch_gate(hf_sim *sim)
{
    hf_switch *own = hf_switch_of(sim);
    for (int i = 0; i < own->count; ++i) {
        hf_element *e = &own->elements[i];
        e->off = !hf_element_is_friction(e) && !hf_force_is_on(sim, &sim->model->forces[e->force]);
        if (e->off) {
            e->mode = e->kind == HF_ELEMENT_STOP ? 1 : HF_CONTACT_OPEN;
            e->latched = false;
        }
    }
}

hf_status hf_switch_decide_all(hf_sim *sim, hf_error *error)
{
    hf_switch *own = hf_switch_of(sim);
    bool running = sim->core->running;
    hf_switch_gate(sim);
    hf_switch_look(sim, sim->x);
    for (int i = 0; i < own->count; ++i) {
        hf_element *e = &own->elements[i];
        double before = sim->mode_before[e->force];
        bool contact = e->kind == HF_ELEMENT_CONTACT;
        e->mode = running ? e->mode : before == HF_MODE_OPEN && !contact ? 0 : (int)before;
        e->latched = running && e->latched;
        hf_switch_sort(sim, e);
    }
    return hf_switch_decide(sim, NULL, error);
}

double hf_switch_gap(const hf_sim *sim, const hf_element *e, const double *x, int *wall)
{
    if (e->off) {
        *wall = -1;
        return HF_GAP_OFF;
    }
    double gap = e->in_space ? sim->gap[e->row] : x[e->on_q] - (e->to_q < 0 ? 0.0 : x[e->to_q]);
    double from_low = gap - e->stop->low, to_high = e->stop->high - gap;
    *wall = from_low < to_high ? -1 : 1;
    return fmin(from_low, to_high);
}
