// SPDX-License-Identifier: Apache-2.0
// Units: what accelerates as one, and how it answers to forces.
#include <string.h>

#include "loops/loops.h"
#include "sim/sim_data.h"

void hf_unit_clear(hf_sim *sim, int unit)
{
    const hf_unit *u = &sim->model->units[unit];
    const hf_body_io *io = hf_sim_io(sim, sim->x, sim->rest);
    u->ops->clear(u->body, io);
}

void hf_unit_respond(hf_sim *sim, int unit, const double *x, double *dv)
{
    const hf_unit *u = &sim->model->units[unit];
    const hf_body_io *io = hf_sim_io(sim, x, sim->rest);
    u->ops->respond(u->body, io, dv);
}

void hf_unit_pose(hf_sim *sim, int unit, const double *q, const double *v)
{
    const hf_unit *u = &sim->model->units[unit];
    const hf_body_io *io = hf_sim_io(sim, q, v);
    u->ops->pose(u->body, 1, io);
}

// ------------------------------------------------------------------------------------------------
// Effective mass: 1/m = J M^-1 J' along one row of a coupling, at the present state.

static double rate_along(hf_sim *sim, const hf_force_place *force, int axis, const int *units,
                         int count, const double *v)
{
    for (int i = 0; i < count; ++i) {
        hf_unit_pose(sim, units[i], sim->x, v);
    }
    hf_force_psi(force, &(hf_motion){.q = sim->x,
                                     .v = v,
                                     .poses = sim->poses,
                                     .gap = sim->gap,
                                     .rate = sim->rate,
                                     .references = sim->references});
    return sim->rate[force->row + axis];
}

double hf_force_inverse_mass(hf_sim *sim, const hf_force_place *force, int axis)
{
    const hf_model *model = sim->model;
    int units[HF_COUPLING_MAX_TERMS];
    int count = hf_force_units(model, force, units);
    for (int i = 0; i < count; ++i) {
        hf_unit_clear(sim, units[i]);
    }
    memset(sim->force + force->row, 0, (size_t)force->dim * sizeof *sim->force);
    sim->force[force->row + axis] = 1.0;
    hf_force_phi(force, &(hf_actions){.force = sim->force,
                                      .poses = sim->poses,
                                      .u = sim->u,
                                      .wrenches = sim->wrenches,
                                      .references = sim->references});
    memset(sim->response, 0, (size_t)model->nv * sizeof *sim->response);
    for (int i = 0; i < count; ++i) {
        hf_unit_respond(sim, units[i], sim->x, sim->response);
    }
    hf_loops_project(sim, sim->x, units, count, sim->response, false);
    // What driven bodies do to the rate is there with and without the response.
    double with = rate_along(sim, force, axis, units, count, sim->response);
    return rate_along(sim, force, axis, units, count, sim->rest) - with;
}
