// SPDX-License-Identifier: Apache-2.0
// Frictions that reactions load (sim/loads.h), where modes are decided: the bounds of the
// complementarity problem depend on reactions of the motion that its solution makes. Forces of the
// solution are continuous in its bounds, so that the loads are a fixed point of a continuous map,
// whatever modes come out; modes are taken once it is found.
//
// In an impact the reactions are impulses P, and so is what frictions bear of them: the part of the
// level that grows with the load, lim F(k P)/k for large k.
#include <math.h>
#include <string.h>

#include "loops/loops.h"
#include "methods/switch/switch.h"
#include "methods/switch/switch_loads.h"
#include "sim/loads.h"

// k: what a level has besides its part in proportion to the load is lost in rounding.
#define LARGE 1e12

// Adds the forces of an island's candidates, with the bounds of the present loads, and what they
// move. False: the problem was not solved.
static bool add_solution(hf_sim *sim, const hf_switch_place *place, const hf_island *island)
{
    const hf_model *model = sim->model;
    hf_switch *own = hf_switch_of(sim);
    const hf_element *elements = hf_switch_island(sim, island);
    int candidates = 0, rows = hf_switch_list_candidates(sim, island, place, &candidates);
    if (candidates == 0) {
        return true;
    }
    hf_switch_fill_w(sim, island, place->x);
    if (!hf_switch_solve_forces(own, rows)) {
        return false;
    }
    hf_switch_respond(sim, island, place->x, NULL, true);
    for (int i = 0; i < model->nv; ++i) {
        place->dx[model->nq + i] += sim->response[i];
    }
    for (int at = 0; at < own->listed; ++at) {
        const hf_element *e = &elements[own->list[at]];
        for (int k = 0; k < e->dim; ++k) {
            sim->force[e->row + k] += own->f[own->first[at] + k];
        }
    }
    return true;
}

hf_status hf_switch_find_loads(hf_sim *sim, const hf_switch_place *place, hf_error *error)
{
    bool solved = true;
    hf_loads_begin(sim);
    if (hf_switch_of(sim)->even) {
        hf_loads_are_rough(sim);
    }
    do {
        hf_sim_eval(sim, place->t, place->side, 0.0, place->x, place->dx);
        hf_switch_accelerate(sim, place->t, place->side, place->x, place->dx);
        for (int i = 0; i < sim->model->exact.count && solved; ++i) {
            solved = add_solution(sim, place, &hf_switch_of(sim)->islands[i]);
        }
    } while (solved && !hf_loads_next(sim, place->x, place->dx, hf_points_push));
    return hf_loads_check(sim, place->t,
                          error); // what is not solved is reported where modes are taken
}

// ------------------------------------------------------------------------------------------------
// Impacts

static bool is_borne(const hf_sim *sim, const hf_element *e)
{
    return e->part == 0 && sim->model->forces[e->force].load >= 0;
}

int hf_switch_list_borne(hf_sim *sim, const hf_island *island, int rows)
{
    hf_switch *own = hf_switch_of(sim);
    const hf_element *elements = hf_switch_island(sim, island);
    for (int i = 0; sim->loads != NULL && i < island->force_count; ++i) {
        const hf_element *e = &elements[i];
        if (!is_borne(sim, e)) {
            continue;
        }
        own->items[own->listed] =
            (hf_mixed_item){.law = e->kind == HF_ELEMENT_PLANAR ? HF_MIXED_BALL : HF_MIXED_BOX,
                            .row = rows,
                            .dim = e->dim,
                            .load = -1};
        own->first[own->listed] = rows;
        own->list[own->listed++] = i;
        rows += e->dim;
    }
    if (sim->loads != NULL) {
        hf_loads_begin_impact(sim);
    }
    return rows;
}

static double level_of_impulse(const hf_level *level, int side, double impulse)
{
    double large = hf_level_at(level, side, 0.0, LARGE * impulse, HF_REGIME_SLIP);
    return fmax(0.0, large - hf_level_at(level, side, 0.0, 0.0, HF_REGIME_SLIP)) / LARGE;
}

void hf_switch_bear(hf_sim *sim, const hf_island *island)
{
    hf_switch *own = hf_switch_of(sim);
    const hf_element *elements = hf_switch_island(sim, island);
    for (int at = 0; sim->loads != NULL && at < own->listed; ++at) {
        const hf_element *e = &elements[own->list[at]];
        hf_mixed_item *item = &own->items[at];
        if (is_borne(sim, e)) {
            double impulse = hf_load_of(sim, sim->model->forces[e->force].load);
            item->high = item->radius = level_of_impulse(e->level, HF_FORTH, impulse);
            item->low = -level_of_impulse(e->level, HF_BACK, impulse);
        }
    }
}

bool hf_switch_is_borne(hf_sim *sim, const hf_island *island)
{
    const hf_model *model = sim->model;
    hf_switch *own = hf_switch_of(sim);
    const hf_element *elements = hf_switch_island(sim, island);
    if (sim->loads == NULL) {
        return true;
    }
    // Impulses, and what loops hold against them, in the places of forces
    if (model->loop_row_count > 0) {
        memset(sim->loops->lambda, 0, (size_t)model->loop_row_count * sizeof *sim->loops->lambda);
    }
    hf_switch_respond(sim, island, sim->x, NULL, true);
    memcpy(own->rate + model->nq, sim->response, (size_t)model->nv * sizeof *own->rate);
    memset(sim->force, 0, (size_t)(model->row_count + own->slot_rows) * sizeof *sim->force);
    for (int at = 0; at < own->listed; ++at) {
        const hf_element *e = &elements[own->list[at]];
        memcpy(sim->force + e->row, own->f + own->first[at], (size_t)e->dim * sizeof *own->f);
    }
    sim->fresh = false;
    return hf_loads_next(sim, sim->x, own->rate, hf_points_push);
}
