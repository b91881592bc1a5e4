// SPDX-License-Identifier: Apache-2.0
// Which frictions hold and which slip: at the start, at jumps of inputs, at events.
#include <math.h>
#include <string.h>

#include "adaptive/switch.h"
#include "base/error.h"

// A friction that the rule for accumulations holds breaks away only beyond this part of its level.
#define LATCH 1e-6
// Rates after an impact below this part of the fastest before it are rounding, and what box_lcp.c
// adds to a diagonal (1e-13).
#define IMPACT_ROUNDING 1e-11

double hf_switch_rate(const hf_sim *sim, const hf_element *e, const double *x)
{
    const double *v = x + sim->model->nq;
    return v[e->on_v] - (e->to_v < 0 ? 0.0 : v[e->to_v]);
}

void hf_switch_stop(const hf_sim *sim, const hf_element *e, double *x)
{
    double *v = x + sim->model->nq;
    if (e->on_driven >= 0) {
        v[e->to_v] = v[e->on_v];
    } else {
        v[e->on_v] = e->to_v < 0 ? 0.0 : v[e->to_v];
    }
}

// The bounds of an element whose mode is looked for. Its load is found when all are listed.
static hf_bound rest_bound(const hf_element *e)
{
    double more = e->latched && e->stop == NULL ? LATCH * (e->high - e->low) : 0.0;
    return (hf_bound){.low = e->low - more,
                      .high = e->high + more,
                      .low_rise = e->low_rise,
                      .high_rise = e->high_rise,
                      .load = e->load};
}

// A friction in slip has the force that its load gives it.
static hf_bound slip_bound(const hf_element *e)
{
    double rise = e->mode * e->slope;
    return (hf_bound){.low_rise = -rise, .high_rise = rise, .load = e->load};
}

// From elements to places in the list.
static void find_loads(hf_switch *own, int n)
{
    for (int i = 0; i < n; ++i) {
        hf_bound *b = &own->bounds[i];
        b->load = b->load < 0 ? -1 : hf_switch_listed(own, n, b->load);
    }
}

// Whether the level falls from its value at rest as soon as it moves: others may feel that.
static bool drops(const hf_sim *sim, const hf_element *e)
{
    if (e->stop != NULL) {
        return false;
    }
    double normal = e->load >= 0 ? 1.0 : hf_normal_for(sim, &sim->model->forces[e->force]);
    int side = e->mode > 0 ? HF_FORTH : HF_BACK;
    return hf_level_at(e->level, side, 0.0, normal, HF_REGIME_SLIP) <
           hf_level_at(e->level, side, 0.0, normal, HF_REGIME_STICK);
}

// One complementarity problem: the candidates of an island. *again: some broke away with a lower
// level than the bound they were solved with.
static hf_status decide_island(hf_sim *sim, const hf_switch_place *place, const hf_island *island,
                               bool *again, hf_error *error)
{
    hf_switch *own = hf_switch_of(sim);
    hf_element *elements = hf_switch_island(sim, island);
    int n = 0, candidates = 0;
    for (int i = 0; i < island->force_count; ++i) {
        const hf_element *e = &elements[i];
        bool carried = !e->candidate && e->mode != 0 && e->load >= 0 && elements[e->load].candidate;
        if (e->candidate || carried) {
            own->bounds[n] = carried ? slip_bound(e) : rest_bound(e);
            own->c[n] = hf_switch_acceleration(sim, e, place->t, place->side, place->dx);
            own->list[n++] = i;
            candidates += e->candidate ? 1 : 0;
        }
    }
    if (candidates == 0) {
        return HF_OK;
    }
    find_loads(own, n);
    hf_switch_fill_w(sim, elements, own->list, n, place->x, own->w);
    if (!hf_switch_solve(own, n)) {
        return hf_error_set(error, HF_ERROR_CONVERGENCE,
                            "t = %.9g s: the modes of friction '%s' and %d others could not be "
                            "decided",
                            place->t, sim->model->forces[elements[own->list[0]].force].name, n - 1);
    }
    for (int i = 0; i < n; ++i) {
        hf_element *e = &elements[own->list[i]];
        if (!e->candidate) {
            continue;
        }
        e->mode = e->stop != NULL ? own->side[i] != 0 : own->side[i];
        if (e->mode != 0) {
            e->candidate = false;
            *again = *again || drops(sim, e);
        }
    }
    return HF_OK;
}

hf_status hf_switch_decide(hf_sim *sim, const hf_switch_place *place, hf_error *error)
{
    const hf_switch_place present = {
        .t = sim->core->time, .side = HF_SIDE_RIGHT, .x = sim->x, .dx = sim->k};
    place = place == NULL ? &present : place;
    const hf_model *model = sim->model;
    hf_switch *own = hf_switch_of(sim);
    bool again = true;
    hf_status status = HF_OK;
    long long before = sim->core->stats.evaluations;
    for (int i = 0; i < own->count; ++i) {
        own->elements[i].mode = own->elements[i].candidate ? 0 : own->elements[i].mode;
    }
    // Every round but the last sets at least one friction free.
    while (again && status == HF_OK) {
        again = false;
        hf_sim_eval(sim, place->t, place->side, 0.0, place->x, place->dx);
        for (int i = 0; i < model->island_count && status == HF_OK; ++i) {
            status = decide_island(sim, place, &model->islands[i], &again, error);
        }
    }
    for (int i = 0; i < own->count; ++i) {
        own->elements[i].candidate = false;
    }
    sim->core->stats.observations += sim->core->stats.evaluations - before;
    sim->core->stats.evaluations = before;
    sim->fresh = false;
    return status;
}

// Mode of a friction, or whether it is a candidate, from its rate and its mode before.
static void sort_friction(const hf_sim *sim, hf_element *e)
{
    double rate = hf_switch_rate(sim, e, sim->x);
    // A stuck friction follows a driven body by integration: the margin is for its error.
    bool follows = e->mode == 0 && (e->on_driven >= 0 || e->to_driven >= 0);
    e->candidate = rate == 0.0 || (follows && fabs(rate) <= hf_switch_of(sim)->margin);
    if (!e->candidate) {
        e->mode = rate > 0.0 ? 1 : -1;
    }
}

// A stop is held only at rest at its limit.
static void sort_stop(const hf_sim *sim, hf_element *e)
{
    double margin = hf_switch_of(sim)->margin, rate = hf_switch_rate(sim, e, sim->x);
    int wall = 0;
    bool touches = hf_switch_gap(sim, e, sim->x, &wall) <= margin;
    bool follows = e->mode == 0 && (e->on_driven >= 0 || e->to_driven >= 0);
    e->wall = touches ? wall : e->wall;
    e->candidate = touches && (rate == 0.0 || (follows && fabs(rate) <= margin));
    e->mode = 1;
}

hf_status hf_switch_decide_all(hf_sim *sim, hf_error *error)
{
    hf_switch *own = hf_switch_of(sim);
    bool running = sim->core->running;
    for (int i = 0; i < own->count; ++i) {
        hf_element *e = &own->elements[i];
        double before = sim->mode_before[e->force];
        e->mode = running ? e->mode : before == HF_MODE_OPEN ? 0 : (int)before;
        e->latched = running && e->latched;
        if (e->stop != NULL) {
            sort_stop(sim, e);
        } else {
            sort_friction(sim, e);
        }
    }
    return hf_switch_decide(sim, NULL, error);
}

// ------------------------------------------------------------------------------------------------
// Impacts

double hf_switch_gap(const hf_sim *sim, const hf_element *e, const double *x, int *wall)
{
    (void)sim;
    double gap = x[e->on_q] - (e->to_q < 0 ? 0.0 : x[e->to_q]);
    double from_low = gap - e->stop->low, to_high = e->stop->high - gap;
    *wall = from_low < to_high ? -1 : 1;
    return fmin(from_low, to_high);
}

// Puts the gap of a struck stop exactly at its limit, so that it does not creep beyond.
static void place_at_limit(const hf_sim *sim, const hf_element *e)
{
    double limit = e->wall < 0 ? e->stop->low : e->stop->high;
    if (e->on_driven < 0) {
        sim->x[e->on_q] = limit + (e->to_q < 0 ? 0.0 : sim->x[e->to_q]);
    }
}

// Whether a stop takes part in an impact: it is at a limit, and does not leave it.
static bool is_struck(const hf_sim *sim, hf_element *e)
{
    int wall = 0;
    if (e->stop == NULL || !(hf_switch_gap(sim, e, sim->x, &wall) <= hf_switch_of(sim)->margin)) {
        return false;
    }
    e->wall = wall;
    return wall * hf_switch_rate(sim, e, sim->x) >= 0.0;
}

// v+ = v- - M^-1 J' p of the stops in own->list, which are those of one island.
static void apply_impulses(hf_sim *sim, const hf_island *island, int n)
{
    const hf_model *model = sim->model;
    hf_switch *own = hf_switch_of(sim);
    const hf_element *elements = hf_switch_island(sim, island);
    hf_actions actions = {
        .force = sim->force, .poses = sim->poses, .u = sim->u, .wrenches = sim->wrenches};
    for (int i = 0; i < island->unit_count; ++i) {
        hf_unit_clear(sim, model->units[island->first_unit + i]);
    }
    for (int i = 0; i < n; ++i) {
        const hf_element *e = &elements[own->list[i]];
        sim->force[e->row] = own->f[i];
        hf_force_phi(model, &model->forces[e->force], &actions);
    }
    memset(sim->response, 0, (size_t)model->nv * sizeof *sim->response);
    for (int i = 0; i < island->unit_count; ++i) {
        hf_unit_respond(sim, model->units[island->first_unit + i], sim->x, sim->response);
    }
    for (int i = 0; i < model->nv; ++i) {
        sim->x[model->nq + i] += sim->response[i];
    }
}

// Rates that an impact left within rounding of zero are zero; the others have their signs.
static void sort_after(hf_sim *sim, const hf_island *island, double fastest)
{
    hf_element *elements = hf_switch_island(sim, island);
    for (int i = 0; i < island->force_count; ++i) {
        hf_element *e = &elements[i];
        double rate = hf_switch_rate(sim, e, sim->x);
        if (fabs(rate) <= IMPACT_ROUNDING * fastest) {
            hf_switch_stop(sim, e, sim->x);
        }
        if (e->stop == NULL) {
            sort_friction(sim, e);
        } else {
            sort_stop(sim, e);
        }
    }
}

// Lists the stops of an island that are struck, then the frictions that they load. Returns how
// many; *fastest: the largest rate of approach.
static int list_struck(hf_sim *sim, const hf_island *island, double *fastest)
{
    hf_switch *own = hf_switch_of(sim);
    hf_element *elements = hf_switch_island(sim, island);
    int n = 0;
    *fastest = 0.0;
    for (int i = 0; i < island->force_count; ++i) {
        hf_element *e = &elements[i];
        if (!is_struck(sim, e)) {
            continue;
        }
        double rate = hf_switch_rate(sim, e, sim->x);
        e->struck = e->wall * rate > 0.0;
        place_at_limit(sim, e);
        *fastest = fmax(*fastest, fabs(rate));
        own->c[n] = (e->latched ? 1.0 : 1.0 + e->stop->restitution) * rate;
        own->bounds[n] = (hf_bound){.low = e->wall < 0 ? -HF_STOP_NONE : 0.0,
                                    .high = e->wall < 0 ? 0.0 : HF_STOP_NONE,
                                    .load = -1};
        own->list[n++] = i;
    }
    for (int i = 0, stops = n; i < island->force_count; ++i) {
        const hf_element *e = &elements[i];
        if (e->load < 0 || hf_switch_listed(own, stops, e->load) < 0) {
            continue;
        }
        own->c[n] = hf_switch_rate(sim, e, sim->x);
        own->bounds[n] = (hf_bound){.low_rise = hf_switch_rise(e->level, HF_BACK, HF_REGIME_SLIP),
                                    .high_rise = hf_switch_rise(e->level, HF_FORTH, HF_REGIME_SLIP),
                                    .load = e->load};
        own->list[n++] = i;
    }
    find_loads(own, n);
    return n;
}

static hf_status strike_island(hf_sim *sim, const hf_island *island, hf_error *error)
{
    const hf_model *model = sim->model;
    hf_switch *own = hf_switch_of(sim);
    hf_element *elements = hf_switch_island(sim, island);
    double *work = sim->x + model->nq + model->nv + model->ny, fastest = 0.0;
    int n = list_struck(sim, island, &fastest);
    if (!(fastest > 0.0)) {
        return HF_OK;
    }
    hf_switch_fill_w(sim, elements, own->list, n, sim->x, own->w);
    if (!hf_switch_solve(own, n)) {
        return hf_error_set(error, HF_ERROR_CONVERGENCE,
                            "t = %.9g s: the impact at stop '%s' and %d others could not be solved",
                            sim->core->time, model->forces[elements[own->list[0]].force].name,
                            n - 1);
    }
    // Each impulse turns p (r- + r+)/2 into heat
    for (int half = 0; half < 2; ++half) {
        for (int i = 0; i < n; ++i) {
            const hf_element *e = &elements[own->list[i]];
            fastest = fmax(fastest, fabs(hf_switch_rate(sim, e, sim->x)));
            work[e->force] += 0.5 * own->f[i] * hf_switch_rate(sim, e, sim->x);
        }
        if (half == 0) {
            apply_impulses(sim, island, n);
        }
    }
    sort_after(sim, island, fastest);
    return HF_OK;
}

hf_status hf_switch_strike(hf_sim *sim, hf_error *error)
{
    for (int i = 0; i < sim->model->island_count; ++i) {
        HF_TRY(strike_island(sim, &sim->model->islands[i], error));
    }
    return HF_OK;
}
