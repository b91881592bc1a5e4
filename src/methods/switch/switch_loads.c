// SPDX-License-Identifier: Apache-2.0
// Frictions that reactions load (sim/loads.h), where modes are decided: the bounds of the
// complementarity problem depend on reactions of the motion that its solution makes. Forces of the
// solution are continuous in its bounds, so that the loads are a fixed point of a continuous map,
// whatever modes come out; modes are taken once it is found.
#include "methods/switch/switch.h"
#include "sim/loads.h"

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
    if (!hf_switch_solve(own, rows)) {
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
    do {
        hf_sim_eval(sim, place->t, place->side, 0.0, place->x, place->dx);
        hf_switch_accelerate(sim, place->t, place->side, place->x, place->dx);
        for (int i = 0; i < sim->model->exact.count && solved; ++i) {
            solved = add_solution(sim, place, &hf_switch_of(sim)->islands[i]);
        }
    } while (solved && !hf_loads_next(sim, place->x, place->dx, NULL));
    return hf_loads_check(sim, place->t, error); // what is not solved is told where modes are taken
}
