// SPDX-License-Identifier: Apache-2.0
// HF_METHOD_SWITCH: pieces between events, and the events.
#include "adaptive/switch.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "solvers/box_lcp.h"
#include "solvers/least_norm.h"

// A margin of this many absolute tolerances for rates: 002 (9), above what the integrator errs.
#define RATE_MARGIN 10.0
// Accumulation: this many events of one friction within the time, which is a part of max(1 s, t),
// and it is taken as stuck for good, until its force is clearly above its level.
enum { BURST = 30 };
#define BURST_TIME 1e-7
// More events than this within the time are an error.
enum { MOST_EVENTS = 5000 };
#define EVENT_TIME 0.01
// How far a moment later is, as a part of max(1 s, t): loads have moved by more than rounding.
#define MOMENT 1e-6

// ------------------------------------------------------------------------------------------------
// Creation

static int driven_at(const hf_model *model, int v)
{
    for (int i = 0; v >= 0 && i < model->driven_count; ++i) {
        const hf_driven *d = &model->drivens[i];
        if (v >= d->v && v < d->v + d->dim) {
            return i;
        }
    }
    return -1;
}

static hf_status check_force(const hf_model *model, const hf_force_place *force, hf_error *error)
{
    hf_unit units[2];
    if (force->coupling != HF_COUPLING_COORDINATE || force->dim != 1) {
        return hf_error_set(error, HF_ERROR_UNSUPPORTED,
                            "force '%s': method switch takes law '%s' on one coordinate or on the "
                            "difference of two, not on a coupling in space or of %d dimensions; "
                            "discrete, euler and semi-implicit-euler do",
                            force->name, force->info->name, force->dim);
    }
    const hf_force_place *normal =
        force->normal_force < 0 ? NULL : &model->forces[force->normal_force];
    if (normal != NULL && normal->info != NULL && normal->info->needs_applied &&
        normal->law != HF_LAW_STOP) {
        return hf_error_set(error, HF_ERROR_UNSUPPORTED,
                            "force '%s': its normal force '%s' is a friction itself, which method "
                            "switch does not solve together; discrete does",
                            force->name, normal->name);
    }
    return hf_force_units(model, force, units) > 0
               ? HF_OK
               : hf_error_set(error, HF_ERROR_INPUT,
                              "force '%s': friction between bodies that are driven holds nothing",
                              force->name);
}

static hf_status fill_elements(hf_sim *sim, hf_switch *own, hf_error *error)
{
    const hf_model *model = sim->model;
    for (int i = 0; i < model->force_count; ++i) {
        own->by_force[i] = -1;
        if (model->forces[i].law == HF_LAW_COULOMB || model->forces[i].law == HF_LAW_STOP) {
            HF_TRY(check_force(model, &model->forces[i], error));
        }
    }
    for (int i = 0; i < own->count; ++i) {
        const hf_force_place *force = &model->forces[model->step_forces[i]];
        const hf_coordinate_coupling *c = &model->couplings.coordinates[force->coupling_index];
        own->by_force[model->step_forces[i]] = i;
        own->elements[i] = (hf_element){.force = model->step_forces[i],
                                        .row = force->row,
                                        .on_v = c->on_v,
                                        .to_v = c->to_q < 0 ? -1 : c->to_v,
                                        .on_driven = driven_at(model, c->on_v),
                                        .to_driven = c->to_q < 0 ? -1 : driven_at(model, c->to_v),
                                        .on_q = c->on_q,
                                        .to_q = c->to_q,
                                        .burst = -INFINITY};
        own->elements[i].load = -1;
        if (force->law == HF_LAW_STOP) {
            own->elements[i].stop = force->def;
        } else {
            own->elements[i].level = &((const hf_coulomb_def *)force->def)->level;
        }
    }
    return HF_OK;
}

// Which stop of the same island loads a friction.
static hf_status find_loads(hf_sim *sim, hf_switch *own, hf_error *error)
{
    const hf_model *model = sim->model;
    for (int i = 0; i < model->island_count; ++i) {
        const hf_island *island = &model->islands[i];
        for (int k = 0; k < island->force_count; ++k) {
            hf_element *e = &own->elements[island->first_force + k];
            int normal = model->forces[e->force].normal_force;
            e->island = island->first_force;
            if (e->stop != NULL || normal < 0 || model->forces[normal].law != HF_LAW_STOP) {
                continue;
            }
            e->load = own->by_force[normal] - island->first_force;
            if (e->load < 0 || e->load >= island->force_count) {
                return hf_error_set(error, HF_ERROR_UNSUPPORTED,
                                    "force '%s': the stop that loads it, '%s', acts on other "
                                    "bodies; method switch wants both on one",
                                    model->forces[e->force].name, model->forces[normal].name);
            }
        }
    }
    return HF_OK;
}

static double room_of(const hf_element *e)
{
    return fmin(e->high - e->stick, e->stick - e->low);
}

// Margin for forces in stick: what the integrator may err in them.
static double stick_margin(const hf_sim *sim, const hf_element *e)
{
    const hf_integrator *integrator = &hf_adaptive_of(sim)->integrator;
    double size = e->stop == NULL ? e->high - e->low : fabs(e->stick);
    return integrator->rtol * size + integrator->atol;
}

// Root functions: g > 0 within a mode.
static void find_roots(hf_sim *sim, double t, hf_side side, double *x, double *g)
{
    hf_switch *own = hf_switch_of(sim);
    bool look = false; // at forces, or at driven motion
    for (int i = 0; i < own->count; ++i) {
        const hf_element *e = &own->elements[i];
        look = look || e->mode == 0 || e->on_driven >= 0 || e->to_driven >= 0;
    }
    if (look) {
        hf_sim_eval(sim, t, side, 0.0, x, own->rate);
        hf_switch_stick(sim, t, side, x, own->rate);
        sim->core->stats.evaluations -= 1;
        sim->core->stats.observations += 1;
    }
    for (int i = 0; i < own->count; ++i) {
        const hf_element *e = &own->elements[i];
        double margin = own->margin, room = e->mode * hf_switch_rate(sim, e, x);
        if (e->mode == 0) {
            margin = stick_margin(sim, e);
            room = room_of(e) + (e->latched && e->stop == NULL ? 2.0 * margin : 0.0);
        } else if (e->stop != NULL) {
            int wall = 0;
            room = hf_switch_gap(sim, e, x, &wall);
        }
        g[2 * i] = room;
        g[2 * i + 1] = room + margin;
    }
}

static void *take(char **place, size_t count, size_t size)
{
    void *taken = *place;
    *place += count * size;
    return taken;
}

hf_status hf_switch_create(hf_sim *sim, hf_error *error)
{
    const hf_model *model = sim->model;
    hf_adaptive *adaptive = hf_adaptive_of(sim);
    size_t n = (size_t)model->n, forces = (size_t)model->force_count, count = 0;
    size_t rows = (size_t)model->largest_island;
    for (int i = 0; i < model->island_count; ++i) {
        count += (size_t)model->islands[i].force_count;
    }
    size_t work = hf_box_lcp_work((int)rows);
    size_t doubles = n + 2 * rows * rows + 5 * rows + work,
           integers = forces + 2 * rows + 2 * count;
    size_t size = sizeof(hf_switch) + count * sizeof(hf_element) + rows * sizeof(hf_bound) +
                  doubles * sizeof(double) + integers * sizeof(int);
    char *block = sim->allocator.allocate(sim->allocator.context, size);
    if (block == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory for a sim");
    }
    memset(block, 0, size);
    hf_switch *own = (hf_switch *)(void *)block;
    adaptive->exact = own;
    char *place = block + sizeof *own;
    own->count = (int)count;
    own->elements = take(&place, count, sizeof(hf_element));
    own->bounds = take(&place, rows, sizeof(hf_bound));
    own->rate = take(&place, n, sizeof(double));
    own->w = take(&place, rows * rows, sizeof(double));
    own->copy = take(&place, rows * rows, sizeof(double));
    own->before = take(&place, rows, sizeof(double));
    own->c = take(&place, rows, sizeof(double));
    own->low = take(&place, rows, sizeof(double));
    own->high = take(&place, rows, sizeof(double));
    own->f = take(&place, rows, sizeof(double));
    own->work = take(&place, work, sizeof(double));
    own->by_force = take(&place, forces, sizeof(int));
    own->list = take(&place, rows, sizeof(int));
    own->side = take(&place, rows, sizeof(int));
    adaptive->integrator.fallen = take(&place, 2 * count, sizeof(int));
    adaptive->integrator.root_count = (int)(2 * count);
    adaptive->integrator.roots = find_roots;
    adaptive->integrator.finish = hf_switch_stick;
    own->margin = RATE_MARGIN * sim->core->method.atol;
    HF_TRY(fill_elements(sim, own, error));
    return find_loads(sim, own, error);
}

void hf_switch_destroy(hf_sim *sim)
{
    if (hf_switch_of(sim) != NULL) {
        sim->allocator.release(sim->allocator.context, hf_switch_of(sim));
    }
}

// ------------------------------------------------------------------------------------------------
// The present state

void hf_switch_refresh(hf_sim *sim)
{
    hf_error unseen; // the next step fails in the same way, and says so
    if (!hf_adaptive_goes_on(sim) && hf_switch_decide_all(sim, &unseen) < 0) {
        sim->core->running = false;
    }
    hf_sim_eval(sim, sim->core->time, HF_SIDE_RIGHT, 0.0, sim->x, sim->k);
    hf_switch_stick(sim, sim->core->time, HF_SIDE_RIGHT, sim->x, sim->k);
}

// Tells the caller which modes are new, and remembers them.
static void tell(const hf_sim *sim, bool silent)
{
    hf_switch *own = hf_switch_of(sim);
    for (int i = 0; i < own->count; ++i) {
        hf_element *e = &own->elements[i];
        int mode = sim->mode[e->force] == HF_MODE_OPEN ? (int)HF_MODE_OPEN : e->mode;
        bool news = mode != e->told || (e->struck && mode == (int)HF_MODE_OPEN);
        e->struck = false;
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
// Events

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
               : hf_error_set(error, HF_ERROR_CONVERGENCE,
                              "t = %.9g s: friction '%s' and others had more than %d events "
                              "within %g s",
                              t, sim->model->forces[e->force].name, MOST_EVENTS, EVENT_TIME);
}

// Whether the rebound of an impact would not even rise above the margin: bounces accumulate, and
// the stop is at rest.
static bool ends_bouncing(const hf_sim *sim, const hf_element *e)
{
    int wall = 0;
    (void)hf_switch_gap(sim, e, sim->x, &wall);
    double pull = wall * hf_switch_acceleration(sim, e, sim->core->time, HF_SIDE_RIGHT, sim->k);
    double rebound = e->stop->restitution * hf_switch_rate(sim, e, sim->x);
    return e->stop->restitution > 0.0 && pull > 0.0 &&
           rebound * rebound <= 2.0 * pull * hf_switch_of(sim)->margin;
}

// What happened to one element whose root function fell. Forces in stick are those of the event.
static void meet(hf_sim *sim, hf_element *e)
{
    bool last = accumulates(e, sim->core->time);
    e->latched = false;
    if (e->stop != NULL && e->mode != 0) { // an impact, which comes when all are met
        e->latched = last || ends_bouncing(sim, e);
    } else if (e->stop != NULL) { // nothing presses: it opens
        e->candidate = false;
        e->mode = 1;
    } else if (last || e->mode != 0) {
        e->latched = last;
        e->candidate = true;
        hf_switch_stop(sim, e, sim->x);
    } else { // at its bound: it slips
        e->candidate = false;
        e->mode = e->high - e->stick < e->stick - e->low ? 1 : -1;
    }
    if (e->latched) {
        e->burst_count = 0;
        sim->core->stats.chatter_events += 1;
    }
}

// Several frictions at their bounds together: modes from the complementarity problem a moment
// later, in the motion without slip. True when that sets one of them free.
static bool meet_together(hf_sim *sim)
{
    hf_switch *own = hf_switch_of(sim);
    const hf_integrator *integrator = &hf_adaptive_of(sim)->integrator;
    double ahead = MOMENT * fmax(1.0, fabs(sim->core->time));
    int at_bound = 0, free = 0;
    for (int i = 0; i < own->count; ++i) {
        hf_element *e = &own->elements[i];
        at_bound += e->mode == 0 && room_of(e) <= stick_margin(sim, e) ? 1 : 0;
        e->candidate = e->mode == 0;
    }
    if (at_bound < 2 || !(sim->core->time + ahead < integrator->until)) {
        return false;
    }
    for (int i = 0; i < sim->model->n; ++i) {
        integrator->trial[i] = sim->x[i] + ahead * sim->k[i];
    }
    hf_switch_place place = {
        .t = sim->core->time + ahead, .side = HF_SIDE_AT, .x = integrator->trial, .dx = own->rate};
    hf_error unseen; // then each is met alone
    bool solved = hf_switch_decide(sim, &place, &unseen) == HF_OK;
    for (int i = 0; i < own->count; ++i) {
        free += own->elements[i].told == 0 && own->elements[i].mode != 0 ? 1 : 0;
    }
    return solved && free > 0;
}

// Counts what fell; true when all of it was stuck.
static hf_status count_fallen(hf_sim *sim, bool *all_stuck, hf_error *error)
{
    hf_switch *own = hf_switch_of(sim);
    const int *fallen = hf_adaptive_of(sim)->integrator.fallen;
    *all_stuck = true;
    for (int i = 0; i < own->count; ++i) {
        if (fallen[2 * i] != 0 || fallen[2 * i + 1] != 0) {
            *all_stuck = *all_stuck && own->elements[i].mode == 0;
            sim->core->stats.events += 1;
            HF_TRY(check_rate(sim, &own->elements[i], error));
        }
    }
    return HF_OK;
}

static hf_status meet_events(hf_sim *sim, hf_error *error)
{
    hf_switch *own = hf_switch_of(sim);
    const int *fallen = hf_adaptive_of(sim)->integrator.fallen;
    bool all_stuck = true;
    hf_sim_refresh(sim, 0.0); // driven motion, and forces in stick
    HF_TRY(count_fallen(sim, &all_stuck, error));
    if (!all_stuck || !meet_together(sim)) {
        for (int i = 0; i < own->count; ++i) {
            own->elements[i].candidate = own->elements[i].mode == 0;
        }
        for (int i = 0; i < own->count; ++i) {
            if (fallen[2 * i] != 0 || fallen[2 * i + 1] != 0) {
                meet(sim, &own->elements[i]);
            }
        }
        HF_TRY(hf_switch_strike(sim, error));
        HF_TRY(hf_switch_decide(sim, NULL, error));
    }
    hf_adaptive_settle(sim);
    sim->fresh = false;
    own->anew = true;
    tell(sim, false);
    return HF_OK;
}

// Begins after something that the integrator did not see.
static hf_status begin(hf_sim *sim, hf_error *error)
{
    hf_switch *own = hf_switch_of(sim);
    bool first = sim->core->step_index == 0 && sim->core->time == 0.0, known = sim->core->running;
    hf_sim_refresh(sim, 0.0); // driven motion
    for (int i = 0; i < own->count && !known; ++i) {
        own->elements[i].told = (int)sim->mode_before[own->elements[i].force];
        own->elements[i].burst = -INFINITY;
        own->window = sim->core->time;
        own->window_count = 0;
    }
    for (int i = 0; i < own->count; ++i) {
        const hf_element *e = &own->elements[i];
        int wall = 0;
        if (e->mode == 0) {
            hf_switch_stop(sim, e, sim->x);
        }
        double room = e->stop == NULL ? 0.0 : hf_switch_gap(sim, e, sim->x, &wall);
        if (room < -own->margin && !known) {
            return hf_error_set(error, HF_ERROR_RANGE,
                                "t = %.9g s: the gap of stop '%s' is %g beyond its limit",
                                sim->core->time, sim->model->forces[e->force].name, -room);
        }
    }
    HF_TRY(hf_switch_strike(sim, error));
    HF_TRY(hf_switch_decide_all(sim, error));
    hf_adaptive_settle(sim);
    own->anew = true;
    tell(sim, first);
    return HF_OK;
}

hf_status hf_switch_advance(hf_sim *sim, double end, hf_error *error)
{
    hf_switch *own = hf_switch_of(sim);
    if (!hf_adaptive_goes_on(sim)) {
        HF_TRY(begin(sim, error));
    }
    while (sim->core->time < end) {
        hf_sim_begin(sim, 0.0);
        if (own->anew) {
            HF_TRY(hf_integrator_restart(&hf_adaptive_of(sim)->integrator, error));
            own->anew = false;
        }
        hf_reach reach = hf_adaptive_reach(sim, end, error);
        if (reach == HF_REACH_FAILED) {
            return error->status;
        }
        if (reach == HF_REACH_ROOT) {
            HF_TRY(meet_events(sim, error));
        }
    }
    return HF_OK;
}
