// SPDX-License-Identifier: Apache-2.0
// Rows of elements: their rates and accelerations, and how they answer to forces.
#include <math.h>
#include <string.h>

#include "compile/slots.h"
#include "loops/loops.h"
#include "methods/switch/switch.h"

static const hf_force_place *force_of(const hf_sim *sim, const hf_element *e)
{
    return &sim->model->forces[e->force];
}

// Psi of an element's rows.
static void look_along(const hf_sim *sim, const hf_element *e, const hf_motion *motion)
{
    if (e->slot) {
        hf_point_psi(sim, e, motion);
    } else {
        hf_force_psi(force_of(sim, e), motion);
    }
}

static hf_motion motion_at(hf_sim *sim, const double *x, const double *v, double *gap, double *rate)
{
    return (hf_motion){.q = x,
                       .v = v,
                       .poses = sim->poses,
                       .gap = gap,
                       .rate = rate,
                       .references = sim->references};
}

void hf_switch_look(hf_sim *sim, const double *x)
{
    hf_switch *own = hf_switch_of(sim);
    const double *v = x + sim->model->nq;
    if (!own->in_space) {
        return;
    }
    hf_motion motion = motion_at(sim, x, v, sim->gap, sim->rate);
    hf_update_poses(sim, x, v);
    hf_points_locate(sim);
    for (int i = 0; i < own->count; ++i) {
        look_along(sim, &own->elements[i], &motion);
    }
    hf_points_drive(sim, -1, sim->rate);
    hf_contacts_gate(sim, sim->gap);
}

double hf_switch_rate(const hf_sim *sim, const hf_element *e, int k, const double *x)
{
    const double *v = x + sim->model->nq;
    return e->in_space ? sim->rate[e->row + k]
                       : v[e->on_v + k] - (e->to_v < 0 ? 0.0 : v[e->to_v + k]);
}

void hf_switch_stop(const hf_sim *sim, const hf_element *e, double *x)
{
    double *v = x + sim->model->nq;
    for (int k = 0; k < e->dim && !e->in_space; ++k) {
        if (e->on_driven) {
            v[e->to_v + k] = v[e->on_v + k];
        } else {
            v[e->on_v + k] = e->to_v < 0 ? 0.0 : v[e->to_v + k];
        }
    }
}

// ------------------------------------------------------------------------------------------------
// Accelerations

double hf_coordinate_acceleration(const hf_sim *sim, int v, double t, hf_side side,
                                  const double *dx)
{
    const hf_model *model = sim->model;
    int drive = v < 0 ? -1 : model->drive_at[v];
    return v < 0        ? 0.0
           : drive >= 0 ? hf_drive_acceleration(sim, &model->drives[drive], t, side, dx + model->nq)
                        : dx[model->nq + v];
}

// d/dt (J v) = J v' + J' v: the first from poses that move with v', the second by bias.c.
void hf_switch_accelerate(hf_sim *sim, double t, hf_side side, const double *x, const double *dx)
{
    const hf_model *model = sim->model;
    hf_switch *own = hf_switch_of(sim);
    double *a = own->accelerations;
    if (!own->in_space) {
        return;
    }
    // Accelerations, those of driven bodies too
    memcpy(a, dx + model->nq, (size_t)model->nv * sizeof *a);
    for (int i = 0; i < model->drive_count; ++i) {
        a[model->drives[i].v] =
            hf_drive_acceleration(sim, &model->drives[i], t, side, dx + model->nq);
    }
    hf_motion motion = motion_at(sim, x, a, own->gap_scratch, own->rate_scratch);
    hf_bias bias = {.q = x,
                    .v = x + model->nq,
                    .poses = sim->poses,
                    .rates = own->pose_rates,
                    .references = sim->references,
                    .change = own->change};
    // J v', by poses that move with them
    hf_update_poses(sim, x, a);
    hf_points_locate(sim);
    for (int i = 0; i < own->count; ++i) {
        look_along(sim, &own->elements[i], &motion);
    }
    hf_points_drive_faster(sim, own->rate_scratch);
    // and what J' v adds in space
    hf_update_poses(sim, x, x + model->nq);
    hf_pose_rates(sim, own->pose_rates);
    for (int i = 0; i < own->count; ++i) {
        const hf_element *e = &own->elements[i];
        const hf_force_place *force = force_of(sim, e);
        if (e->slot && e->part == 0) {
            int dim = hf_force_slot_rows(model, force);
            memcpy(own->change + e->row, own->rate_scratch + e->row,
                   (size_t)dim * sizeof *own->change);
            hf_point_bias(sim, e);
        } else if (e->in_space && e->part == 0) {
            hf_force_bias(force, &bias);
            for (int k = 0; k < force->dim; ++k) {
                own->change[force->row + k] += own->rate_scratch[force->row + k];
            }
        }
    }
}

double hf_switch_acceleration(const hf_sim *sim, const hf_element *e, int k, double t, hf_side side,
                              const double *dx)
{
    return e->in_space
               ? hf_switch_of(sim)->change[e->row + k]
               : hf_coordinate_acceleration(sim, e->on_v + k, t, side, dx) -
                     hf_coordinate_acceleration(sim, e->to_v < 0 ? -1 : e->to_v + k, t, side, dx);
}

// ------------------------------------------------------------------------------------------------
// Answers to forces

int hf_switch_count_rows(hf_switch *own, const hf_element *island)
{
    int rows = 0;
    for (int i = 0; i < own->listed; ++i) {
        own->first[i] = rows;
        rows += island[own->list[i]].dim;
    }
    return rows;
}

// Forces f of an element act, those of the same coupling's other rows do not.
static void push(hf_sim *sim, const double *x, const hf_element *e, const double *f)
{
    const hf_force_place *force = force_of(sim, e);
    if (e->slot) {
        hf_point_push(sim, e, f);
    } else {
        hf_rows_push(sim, x, force, e->row - force->row, f, e->dim);
    }
}

static void clear_movers(hf_sim *sim, const hf_island *island)
{
    hf_movers_clear(sim, sim->model->exact.movers + island->first_mover, island->mover_count);
}

// M^-1 of what acts on the movers, to sim->response. `keep`: the forces are there to stay, and so
// are those of loops that go with them.
static void respond_movers(hf_sim *sim, const hf_island *island, const double *x, bool keep)
{
    const int *movers = sim->model->exact.movers + island->first_mover;
    memset(sim->response, 0, (size_t)sim->model->nv * sizeof *sim->response);
    hf_movers_respond(sim, movers, island->mover_count, x, keep, sim->response);
    for (int i = 0; i < sim->model->drive_count; ++i) {
        const hf_drive *d = &sim->model->drives[i];
        if (d->follow_v >= 0) {
            sim->response[d->v] = sim->response[d->follow_v];
        }
    }
}

static void pose_movers(hf_sim *sim, const hf_island *island, const double *x, const double *v)
{
    if (sim->model->couplings.in_space) {
        hf_movers_pose(sim, sim->model->exact.movers + island->first_mover, island->mover_count, x,
                       v);
    }
}

// One column: the response to a unit force along row k of element e.
static void fill_column(hf_sim *sim, const hf_island *island, const double *x, const hf_element *e,
                        int k, int column, int rows)
{
    hf_switch *own = hf_switch_of(sim);
    const hf_element *elements = hf_switch_island(sim, island);
    hf_motion motion = motion_at(sim, x, sim->response, own->gap_scratch, own->rate_scratch);
    double unit[3] = {k == 0, k == 1, k == 2};
    clear_movers(sim, island);
    push(sim, x, e, unit);
    respond_movers(sim, island, x, false);
    if (own->follows && own->in_space) {
        hf_update_poses(sim, x, sim->response);
    } else {
        pose_movers(sim, island, x, sim->response);
    }
    for (int i = 0; i < own->listed; ++i) {
        const hf_element *other = &elements[own->list[i]];
        look_along(sim, other, &motion);
        for (int row = 0; row < other->dim; ++row) { // Phi applies -f
            own->w[(own->first[i] + row) * rows + column] =
                0.0 - own->rate_scratch[other->row + row];
        }
    }
}

void hf_switch_fill_w(hf_sim *sim, const hf_island *island, const double *x)
{
    hf_switch *own = hf_switch_of(sim);
    const hf_element *elements = hf_switch_island(sim, island);
    int rows = hf_switch_count_rows(own, elements);
    // Nothing else moves
    if (own->in_space) {
        hf_update_poses(sim, x, sim->rest);
        hf_points_locate(sim);
    }
    for (int i = 0; i < own->listed; ++i) {
        for (int k = 0; k < elements[own->list[i]].dim; ++k) {
            fill_column(sim, island, x, &elements[own->list[i]], k, own->first[i] + k, rows);
        }
    }
    if (own->in_space) {
        hf_update_poses(sim, x, x + sim->model->nq);
    }
}

double hf_switch_answer(hf_sim *sim, const hf_element *e)
{
    hf_switch *own = hf_switch_of(sim);
    const hf_island *island = own->islands;
    double most = 0.0;
    while (island->first_force != e->island) {
        ++island;
    }
    own->listed = 1;
    own->list[0] = (int)(e - own->elements) - e->island;
    hf_switch_fill_w(sim, island, sim->x);
    for (int k = e->kind == HF_ELEMENT_CONTACT ? 1 : 0; k < e->dim; ++k) {
        most = fmax(most, own->w[k * e->dim + k]);
    }
    return most;
}

// What acts on driven bodies in space and at coordinates, and their power.
static double driven_power(hf_sim *sim, const double *x)
{
    const hf_model *model = sim->model;
    const hf_body_io *io = hf_sim_io(sim, x, x + model->nq);
    double power = 0.0;
    for (int i = 0; i < model->driven_body_count; ++i) {
        const hf_body_place *place = &model->bodies[model->driven_bodies[i]];
        if (place->pose >= 0) {
            place->ops->gather(place->body, 1, io);
        }
        for (int k = place->v; k < place->v + place->nv; ++k) {
            power -= sim->u[k] * io->v[k];
        }
    }
    return power;
}

static void clear_drivens(hf_sim *sim)
{
    const hf_model *model = sim->model;
    const hf_body_io *io = hf_sim_io(sim, sim->x, sim->rest);
    for (int i = 0; i < model->driven_body_count; ++i) {
        const hf_body_place *place = &model->bodies[model->driven_bodies[i]];
        place->ops->clear(place->body, io);
    }
}

void hf_switch_respond(hf_sim *sim, const hf_island *island, const double *x, double *input,
                       bool keep)
{
    hf_switch *own = hf_switch_of(sim);
    const hf_element *elements = hf_switch_island(sim, island);
    clear_drivens(sim);
    clear_movers(sim, island);
    for (int i = 0; i < own->listed; ++i) {
        push(sim, x, &elements[own->list[i]], own->f + own->first[i]);
    }
    if (input != NULL && sim->model->drive_count > 0) {
        *input += driven_power(sim, x);
    }
    respond_movers(sim, island, x, keep);
    if (input != NULL && sim->model->cluster_driver_count > 0) {
        *input += sim->loops->power;
    }
    // An impulse does its work at the mean of the velocities before and after
    for (int i = 0; input != NULL && !keep && i < sim->model->drive_count; ++i) {
        int k = sim->model->drives[i].v;
        *input -= 0.5 * sim->u[k] * sim->response[k];
    }
}
