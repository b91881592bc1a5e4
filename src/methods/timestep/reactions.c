// SPDX-License-Identifier: Apache-2.0
// Frictions that reactions load (sim/loads.h): the step is solved again with other loads until the
// reactions that it finds are these.
#include <string.h>

#include "loops/loops.h"
#include "methods/timestep/timestep.h"
#include "sim/loads.h"

static void push(hf_sim *sim)
{
    hf_ts_push_points(sim, hf_timestep_of(sim)->loads.step);
}

// dv := mean accelerations over the step that was solved.
static void find_accelerations(hf_sim *sim, double h, double *dv)
{
    hf_timestep *ts = hf_timestep_of(sim);
    const double *change = hf_ts_plain(ts, ts->motion.s_change), *before = sim->x + sim->model->nq;
    memcpy(dv, ts->motion.free_v, (size_t)sim->model->nv * sizeof *dv);
    for (int i = 0; i < ts->machine.mover_count; ++i) {
        hf_ts_add_velocity(&ts->machine.movers[i], change, dv);
    }
    for (int i = 0; i < sim->model->nv; ++i) {
        dv[i] = (dv[i] - before[i]) / h;
    }
}

bool hf_ts_loads_found(hf_sim *sim, double h)
{
    hf_timestep *ts = hf_timestep_of(sim);
    if (sim->loads == NULL) {
        return true;
    }
    // Forces, and what loops hold, as if this were the step; then all is as the evaluation left it
    size_t size = (size_t)sim->model->loop_row_count * sizeof *ts->loads.lambda;
    if (size > 0) {
        memcpy(ts->loads.lambda, sim->loops->lambda, size);
    }
    ts->loads.step = h;
    hf_ts_show_forces(sim, h);
    hf_ts_show_terms(sim);
    hf_ts_show_loops(sim, h);
    find_accelerations(sim, h, sim->stage + sim->model->nq);
    bool found = hf_loads_next(sim, sim->x, sim->stage, push);
    if (size > 0) {
        memcpy(sim->loops->lambda, ts->loads.lambda, size);
    }
    if (!found) {
        hf_ts_remember_round(ts);
    }
    sim->fresh = sim->fresh && found;
    return found;
}

bool hf_ts_loads_create(hf_sim *sim)
{
    hf_timestep *ts = hf_timestep_of(sim);
    size_t size = (size_t)ts->machine.kept_capacity * sizeof *ts->loads.round;
    ts->loads.round_count = ts->loads.solver = -1;
    if (sim->loads != NULL && size > 0) {
        ts->loads.round = sim->allocator.allocate(sim->allocator.context, size);
    }
    return sim->loads == NULL || size == 0 || ts->loads.round != NULL;
}
