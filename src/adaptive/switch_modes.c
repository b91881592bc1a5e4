// SPDX-License-Identifier: Apache-2.0
// Which frictions hold and which slip: at the start, at jumps of inputs, at events.
#include <math.h>

#include "adaptive/switch.h"
#include "base/error.h"
#include "solvers/box_lcp.h"

// A friction that the rule for accumulations holds breaks away only beyond this part of its level.
#define LATCH 1e-6

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
    double more = e->latched ? LATCH * (e->high - e->low) : 0.0;
    own->low[k] = e->low - more;
    own->high[k] = e->high + more;
}

// Whether the level falls from its value at rest as soon as it moves: others may feel that.
static bool drops(const hf_sim *sim, const hf_element *e)
{
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
        e->mode = own->side[i];
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

hf_status hf_switch_decide_all(hf_sim *sim, hf_error *error)
{
    hf_switch *own = hf_switch_of(sim);
    bool running = sim->core->running;
    for (int i = 0; i < own->count; ++i) {
        hf_element *e = &own->elements[i];
        double before = sim->mode_before[e->force];
        e->mode = running ? e->mode : before == HF_MODE_OPEN ? 0 : (int)before;
        e->latched = running && e->latched;
        double rate = hf_switch_rate(sim, e, sim->x);
        // A stuck friction follows a driven body by integration: the margin is for its error.
        bool follows = e->mode == 0 && (e->on_driven >= 0 || e->to_driven >= 0);
        e->candidate = rate == 0.0 || (follows && fabs(rate) <= own->margin);
        if (!e->candidate) {
            e->mode = rate > 0.0 ? 1 : -1;
        }
    }
    return hf_switch_decide(sim, NULL, error);
}
