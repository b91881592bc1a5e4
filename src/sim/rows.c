// SPDX-License-Identifier: Apache-2.0
// Rows: how bodies answer to forces along the rows of couplings, M^-1 J' f, and J v of the answer.
// W = J M^-1 J' is made of these column by column, wherever one is needed.
#include <float.h>
#include <math.h>
#include <string.h>

#include "loops/loops.h"
#include "sim/sim_data.h"

void hf_movers_clear(hf_sim *sim, const int *movers, int count)
{
    const hf_body_io *io = hf_sim_io(sim, sim->x, sim->rest);
    for (int i = 0; i < count; ++i) {
        const hf_mover *mover = &sim->model->movers[movers[i]];
        mover->ops->clear(mover->body, io);
    }
}

void hf_movers_pose(hf_sim *sim, const int *movers, int count, const double *q, const double *v)
{
    const hf_body_io *io = hf_sim_io(sim, q, v);
    for (int i = 0; i < count; ++i) {
        const hf_mover *mover = &sim->model->movers[movers[i]];
        if (mover->ops->pose != NULL) {
            mover->ops->pose(mover->body, 1, io);
        }
    }
}

void hf_movers_respond(hf_sim *sim, const int *movers, int count, const double *x, bool keep,
                       double *dv)
{
    const hf_body_io *io = hf_sim_io(sim, x, sim->rest);
    for (int i = 0; i < count; ++i) {
        const hf_mover *mover = &sim->model->movers[movers[i]];
        mover->ops->respond(mover->body, io, dv);
    }
    hf_loops_project(sim, x, movers, count, dv, keep);
}

void hf_force_apply(hf_sim *sim, const double *q, const hf_force_place *force)
{
    hf_force_phi(force, &(hf_actions){.force = sim->force,
                                      .q = q,
                                      .poses = sim->poses,
                                      .u = sim->u,
                                      .wrenches = sim->wrenches,
                                      .references = sim->references});
}

void hf_rows_push(hf_sim *sim, const double *q, const hf_force_place *force, int first,
                  const double *f, int count)
{
    double kept[HF_LAW_MAX_DIM], *rows = sim->force + force->row;
    size_t size = (size_t)force->dim * sizeof *rows;
    memcpy(kept, rows, size);
    memset(rows, 0, size);
    memcpy(rows + first, f, (size_t)count * sizeof *f);
    hf_force_apply(sim, q, force);
    memcpy(rows, kept, size);
}

void hf_row_answer(hf_sim *sim, const int *movers, int count, const double *x,
                   const hf_force_place *force, int row)
{
    const double one = 1.0;
    hf_movers_clear(sim, movers, count);
    hf_rows_push(sim, x, force, row, &one, 1);
    memset(sim->response, 0, (size_t)sim->model->nv * sizeof *sim->response);
    hf_movers_respond(sim, movers, count, x, false, sim->response);
}

// The rates of a force with velocities v of the movers.
static const double *rates_along(hf_sim *sim, const hf_force_place *force, const int *movers,
                                 int count, const double *v)
{
    hf_movers_pose(sim, movers, count, sim->x, v);
    hf_force_psi(force, &(hf_motion){.q = sim->x,
                                     .v = v,
                                     .poses = sim->poses,
                                     .gap = sim->gap,
                                     .rate = sim->rate,
                                     .references = sim->references});
    return sim->rate + force->row;
}

static double rate_along(hf_sim *sim, const hf_force_place *force, int row, const int *movers,
                         int count, const double *v)
{
    return rates_along(sim, force, movers, count, v)[row];
}

double hf_force_inverse_mass(hf_sim *sim, const hf_force_place *force, int row)
{
    double column[HF_LAW_MAX_DIM];
    hf_force_answers(sim, force, row, column);
    return column[row];
}

void hf_force_answers(hf_sim *sim, const hf_force_place *force, int row, double *column)
{
    int movers[HF_COUPLING_MAX_TERMS];
    int count = hf_force_movers(sim->model, force, movers);
    hf_row_answer(sim, movers, count, sim->x, force, row);
    // What driven bodies do to the rate is there with and without the response.
    double with[HF_LAW_MAX_DIM];
    memcpy(with, rates_along(sim, force, movers, count, sim->response),
           (size_t)force->dim * sizeof *with);
    const double *rest = rates_along(sim, force, movers, count, sim->rest);
    for (int k = 0; k < force->dim; ++k) {
        column[k] = rest[k] - with[k];
    }
}

double hf_force_mass_ratio(hf_sim *sim, const hf_force_place *force, int row)
{
    int movers[HF_COUPLING_MAX_TERMS];
    int count = hf_force_movers(sim->model, force, movers);
    if (count != 2) {
        return 1.0;
    }
    double both = hf_force_inverse_mass(sim, force, row);
    hf_row_answer(sim, movers, count, sim->x, force, row);
    const hf_mover *first = &sim->model->movers[movers[0]];
    memset(sim->response + first->v, 0, (size_t)first->nv * sizeof *sim->response);
    double with = rate_along(sim, force, row, movers, count, sim->response);
    double second = rate_along(sim, force, row, movers, count, sim->rest) - with;
    double low = fmin(second, both - second), high = fmax(second, both - second);
    return high > 0.0 ? high / fmax(low, DBL_MIN) : 1.0;
}
