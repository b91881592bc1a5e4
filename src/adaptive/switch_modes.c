// SPDX-License-Identifier: Apache-2.0
// Which frictions hold and which slip: at the start, at jumps of inputs, at events.
#include <math.h>
#include <string.h>

#include "adaptive/switch.h"
#include "base/error.h"
#include "solvers/box_lcp.h"

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

// The bounds of an element that is solved for, in the problem's place k.
static void set_bounds(hf_switch *own, const hf_element *e, int k)
{
    double more = e->latched && e->stop == NULL ? LATCH * (e->high - e->low) : 0.0;
    own->low[k] = e->low - more;
    own->high[k] = e->high + more;
}

// Whether the level falls from its value at rest as soon as it moves: others may feel that.
static bool drops(const hf_sim *sim, const hf_element *e)
{
    if (e->stop != NULL) {
        return false;
    }
    double normal = hf_normal_for(sim, &sim->model->forces[e->force]);
    int side = e->mode > 0 ? HF_FORTH : HF_BACK;
    return hf_level_at(e->level, side, 0.0, normal, HF_REGIME_SLIP) <
           (e->mode > 0 ? e->high : -e->low);
}

// One complementarity problem: the candidates of an island. *again: some broke away with a lower
// level than the bound they were solved with.
static hf_status decide_island(hf_sim *sim, const hf_switch_place *place, const hf_island *island,
                               bool *again, hf_error *error)
{
    hf_switch *own = hf_switch_of(sim);
    hf_element *elements = hf_switch_island(sim, island);
    int n = 0;
    for (int i = 0; i < island->force_count; ++i) {
        if (elements[i].candidate) {
            set_bounds(own, &elements[i], n);
            own->c[n] = hf_switch_acceleration(sim, &elements[i], place->t, place->side, place->dx);
            own->list[n++] = i;
        }
    }
    if (n == 0) {
        return HF_OK;
    }
    hf_switch_fill_w(sim, elements, own->list, n, place->x, own->w);
    hf_box_lcp problem = {.n = n, .w = own->w, .c = own->c, .low = own->low, .high = own->high};
    if (hf_box_lcp_solve(&problem, own->f, own->side, own->work) < 0) {
        return hf_error_set(error, HF_ERROR_CONVERGENCE,
                            "t = %.9g s: the modes of friction '%s' and %d others could not be "
                            "decided",
                            place->t, sim->model->forces[elements[own->list[0]].force].name, n - 1);
    }
    for (int i = 0; i < n; ++i) {
        hf_element *e = &elements[own->list[i]];
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

static hf_status strike_island(hf_sim *sim, const hf_island *island, hf_error *error)
{
    const hf_model *model = sim->model;
    hf_switch *own = hf_switch_of(sim);
    hf_element *elements = hf_switch_island(sim, island);
    double *work = sim->x + model->nq + model->nv + model->ny, fastest = 0.0;
    int n = 0;
    for (int i = 0; i < island->force_count; ++i) {
        hf_element *e = &elements[i];
        if (!is_struck(sim, e)) {
            continue;
        }
        double rate = hf_switch_rate(sim, e, sim->x);
        e->struck = e->wall * rate > 0.0;
        place_at_limit(sim, e);
        fastest = fmax(fastest, fabs(rate));
        own->c[n] = (e->latched ? 1.0 : 1.0 + e->stop->restitution) * rate;
        own->low[n] = e->wall < 0 ? -HF_STOP_NONE : 0.0;
        own->high[n] = e->wall < 0 ? 0.0 : HF_STOP_NONE;
        own->list[n++] = i;
    }
    if (!(fastest > 0.0)) {
        return HF_OK;
    }
    hf_switch_fill_w(sim, elements, own->list, n, sim->x, own->w);
    hf_box_lcp problem = {.n = n, .w = own->w, .c = own->c, .low = own->low, .high = own->high};
    if (hf_box_lcp_solve(&problem, own->f, own->side, own->work) < 0) {
        return hf_error_set(error, HF_ERROR_CONVERGENCE,
                            "t = %.9g s: the impact at stop '%s' and %d others could not be solved",
                            sim->core->time, model->forces[elements[own->list[0]].force].name,
                            n - 1);
    }
    // Each impulse turns p (r- + r+)/2 into heat
    for (int i = 0; i < n; ++i) {
        const hf_element *e = &elements[own->list[i]];
        work[e->force] += 0.5 * own->f[i] * hf_switch_rate(sim, e, sim->x);
    }
    apply_impulses(sim, island, n);
    for (int i = 0; i < n; ++i) {
        const hf_element *e = &elements[own->list[i]];
        work[e->force] += 0.5 * own->f[i] * hf_switch_rate(sim, e, sim->x);
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
