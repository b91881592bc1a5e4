// SPDX-License-Identifier: Apache-2.0
// hf_sim: looking at the state and changing it; energy; what happened to each force.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "sim/sim_data.h"
#include "swarm/swarm.h"

// A quaternion that is shorter gives no direction.
static const double LEAST_QUATERNION = 1e-9;

static const hf_body_place *place_of(const hf_sim *sim, hf_body body)
{
    HF_ASSERT(body.id >= 1 && body.id <= sim->model->body_count);
    return &sim->model->bodies[body.id - 1];
}

// Refresh as the next step will need it.
static void refresh(hf_sim *sim)
{
    hf_sim_refresh(sim, hf_method_first_tau(sim->core->method.type, sim->core->method.step));
}

// The state, with everything that an evaluation gives.
static double *present(hf_sim *sim)
{
    refresh(sim);
    return sim->x;
}

static double mechanical(hf_sim *sim)
{
    hf_energy energy = hf_sim_energy(sim);
    return energy.kinetic + energy.potential + energy.stored;
}

double hf_sim_signal(const hf_sim *sim, hf_signal signal)
{
    HF_ASSERT(signal.id >= 1 && signal.id <= sim->model->signal_count);
    return hf_signal_value(sim, signal.id - 1, sim->core->time, HF_SIDE_RIGHT);
}

void hf_sim_set_input(hf_sim *sim, hf_signal input, double value)
{
    HF_ASSERT(input.id >= 1 && input.id <= sim->model->signal_count);
    // An input that moves a body stretches springs at once: the ledger counts that as put in.
    bool moves = sim->model->signals[input.id - 1].moves;
    double before = moves ? mechanical(sim) : 0.0;
    hf_signals_put(sim, input.id - 1, value);
    hf_sim_prescribe(sim);
    if (moves) {
        sim->x[sim->model->n - 1] += mechanical(sim) - before;
        sim->fresh = false;
    }
}

double hf_sim_q(const hf_sim *sim, hf_coordinate coordinate)
{
    return sim->x[place_of(sim, coordinate.body)->q + coordinate.axis];
}

double hf_sim_v(const hf_sim *sim, hf_coordinate coordinate)
{
    return sim->x[sim->model->nq + place_of(sim, coordinate.body)->v + coordinate.axis];
}

const double *hf_sim_position(const hf_sim *sim, hf_body body)
{
    return sim->x + place_of(sim, body)->q;
}

const double *hf_sim_velocity(const hf_sim *sim, hf_body body)
{
    return sim->x + sim->model->nq + place_of(sim, body)->v;
}

// What the caller adds to or takes from the machine moves the ledger's start, not its residual.
static hf_status overwrite(hf_sim *sim, hf_body body, const double *numbers, int first, int count,
                           hf_error *error)
{
    if (place_of(sim, body)->ops->drive != NULL) {
        return hf_error_at(error, HF_ERROR_INPUT, hf_at(NULL, sim->model->body_names[body.id - 1]),
                           "body '%s' is driven: its signals move it",
                           sim->model->body_names[body.id - 1]);
    }
    for (int i = 0; i < count; ++i) {
        if (!isfinite(numbers[i])) {
            return hf_error_at(error, HF_ERROR_RANGE,
                               hf_at("body", sim->model->body_names[body.id - 1]),
                               "the state must be finite, got %g", numbers[i]);
        }
    }
    double before = mechanical(sim);
    memcpy(sim->x + first, numbers, (size_t)count * sizeof *numbers);
    hf_sim_normalize(sim, sim->x);
    sim->fresh = false;
    sim->core->opened = sim->model->loop_count > 0;
    sim->core->touched = true;
    sim->core->start_energy += mechanical(sim) - before;
    return HF_OK;
}

// Where a body's quaternion is in its position, or -1.
static int quat_of(const hf_body_place *place)
{
    return place->nq == place->nv ? -1 : place->nq - 4;
}

hf_status hf_sim_set_position(hf_sim *sim, hf_body body, const double *position, hf_error *error)
{
    const hf_body_place *place = place_of(sim, body);
    int quat = quat_of(place);
    if (quat >= 0) {
        const double *p = position + quat;
        double norm = hf_quat_norm((hf_quat){p[0], p[1], p[2], p[3]});
        // Shorter, or so long that its square is not finite: no direction is left of it.
        if (!(norm > LEAST_QUATERNION) || !isfinite(norm)) {
            return hf_error_at(error, HF_ERROR_RANGE,
                               hf_at("body", sim->model->body_names[body.id - 1]),
                               "its quaternion has the length %g and gives no orientation", norm);
        }
    }
    return overwrite(sim, body, position, place->q, place->nq, error);
}

hf_status hf_sim_set_velocity(hf_sim *sim, hf_body body, const double *velocity, hf_error *error)
{
    const hf_body_place *place = place_of(sim, body);
    return overwrite(sim, body, velocity, sim->model->nq + place->v, place->nv, error);
}

static hf_pose pose_of(hf_sim *sim, hf_body body)
{
    if (body.id == 0) {
        return (hf_pose){.rotation = hf_m3_identity()};
    }
    const hf_body_place *place = place_of(sim, body);
    const double *q = present(sim), *v = q + sim->model->nq;
    const hf_body_io *io = hf_sim_io(sim, q, v);
    return place->ops->look(place->body, place->link, io);
}

hf_vec3 hf_sim_point(hf_sim *sim, hf_frame frame)
{
    hf_pose pose = pose_of(sim, frame.body);
    return hf_v3_add(pose.position, hf_m3_mulv(&pose.rotation, frame.point));
}

void hf_sim_pose(hf_sim *sim, hf_body body, hf_vec3 *position, hf_quat *orientation)
{
    hf_pose pose = pose_of(sim, body);
    *position = pose.position;
    *orientation = hf_quat_from_rotation(&pose.rotation);
}

// World axes of a coupling's first three rows of force.
hf_mat3 hf_force_axes(const hf_sim *sim, const hf_force_place *place)
{
    return place->ops->axes == NULL ? hf_m3_identity()
                                    : place->ops->axes(place->item, sim->poses, sim->references);
}

// Force on its first end in world axes.
static hf_vec3 world_force(const hf_sim *sim, const hf_force_place *place, hf_vec3 apart)
{
    if (place->ops->sight == NULL) {
        return hf_v3(0.0, 0.0, 0.0);
    }
    return place->ops->sight(&(hf_coupling_sight){.def = &place->coupling_def,
                                                  .item = place->item,
                                                  .sites = sim->model->sites,
                                                  .poses = sim->poses,
                                                  .references = sim->references,
                                                  .force = hf_sim_forces_now(sim) + place->row,
                                                  .apart = apart});
}

hf_force_view hf_sim_force_view(hf_sim *sim, hf_force force)
{
    HF_ASSERT(force.id >= 1 && force.id <= sim->model->force_count);
    refresh(sim);
    int index = sim->model->force_order[force.id - 1];
    const hf_force_place *place = &sim->model->forces[index];
    const hf_coupling_def *def = &place->coupling_def;
    hf_frame ends[HF_COUPLING_MAX_TERMS] = {{.body = {0}}, {.body = {0}}};
    (void)place->ops->ends(def, ends);
    hf_force_view view = {.on_point = hf_sim_point(sim, ends[0]),
                          .to_point = hf_sim_point(sim, ends[1]),
                          .gap = sim->gap[place->row],
                          .regime = hf_mode_regime(hf_sim_mode_now(sim, index))};
    if (place->ops->contact) {
        hf_mat3 axes = hf_force_axes(sim, place);
        view.on_point = hf_v3_axpy(view.on_point, -def->radius, hf_v3(axes.xx, axes.yx, axes.zx));
    }
    view.force = world_force(sim, place, hf_v3_sub(view.on_point, view.to_point));
    const double *f = hf_sim_forces_now(sim) + place->row;
    double squares = 0.0;
    for (int k = 0; k < place->dim; ++k) {
        squares += f[k] * f[k];
    }
    view.size = sqrt(squares);
    return view;
}

int hf_sim_contacts(hf_sim *sim, hf_contact_view *views, int room)
{
    if (sim->plugged == NULL || sim->plugged->contacts == NULL || !sim->core->running) {
        return 0;
    }
    refresh(sim);
    return sim->plugged->contacts(sim, views, room);
}

// ------------------------------------------------------------------------------------------------
// Energy

hf_energy hf_sim_energy(hf_sim *sim)
{
    const hf_model *model = sim->model;
    const double *q = present(sim), *v = q + model->nq, *w = v + model->nv + model->ny;
    hf_energy energy = {.start = sim->core->start_energy};
    const hf_body_io *io = hf_sim_io(sim, q, v);
    hf_bodies_energy(model->sets, model->set_count, io, &energy.kinetic, &energy.potential);
    double moved = fmax(fabs(w[model->force_count]), sim->core->driven_work);
    energy.input = w[model->force_count];
    for (int i = 0; i < model->force_count; ++i) {
        if (hf_force_is_active(&model->forces[i])) {
            energy.input += w[i];
        } else {
            energy.stored += sim->stored[i];
            energy.dissipated += w[i];
        }
        moved += fmax(fabs(w[i]), sim->tallies[i].work);
    }
    energy.residual = energy.kinetic + energy.potential + energy.stored - energy.start -
                      energy.input + energy.dissipated;
    energy.turnover = moved + energy.kinetic + energy.stored +
                      fabs(energy.potential - sim->core->start_potential);
    return energy;
}

hf_sim_stats hf_sim_get_stats(const hf_sim *sim)
{
    hf_sim_stats stats = sim->core->stats;
    stats.room_used = (long long)sim->pool.used;
    stats.room_missed = sim->pool.outside;
    return stats;
}

long long hf_sim_pieces(const hf_sim *sim)
{
    return sim->pieces;
}

hf_force_stats hf_sim_force_stats(const hf_sim *sim, hf_force force)
{
    const hf_model *model = sim->model;
    HF_ASSERT(force.id >= 1 && force.id <= model->force_count);
    int index = model->force_order[force.id - 1];
    const hf_force_place *place = &model->forces[index];
    const hf_force_tally *tally = &sim->tallies[index];
    double work = sim->x[model->nq + model->nv + model->ny + index];
    bool active = hf_force_is_active(place);
    int pairs = tally->pairs, touching = tally->touching;
    if (place->swarm >= 0 && !(place->ops->needs_collider && sim->shapes == NULL)) {
        hf_swarm_count(&sim->swarms[place->swarm], &pairs, &touching);
    }
    return (hf_force_stats){
        .friction = place->info != NULL && place->info->friction,
        .stick_seconds = tally->seconds[HF_REGIME_STICK],
        .slip_seconds = tally->seconds[HF_REGIME_SLIP],
        .open_seconds = tally->seconds[HF_REGIME_OPEN],
        .transitions = tally->transitions,
        .dissipated = active ? 0.0 : work,
        .input = active ? work : 0.0,
        .largest_force = sqrt(tally->largest_squared),
        .pairs = pairs,
        .touching = touching,
    };
}

// ------------------------------------------------------------------------------------------------
// Dynamics of a tree

static const hf_tree_body *tree_of(const hf_sim *sim, hf_tree tree)
{
    HF_ASSERT(tree.id >= 1 && tree.id <= sim->model->tree_count);
    return &sim->model->trees[sim->model->tree_order[tree.id - 1]];
}

hf_tree_size hf_sim_tree_size(const hf_sim *sim, hf_tree tree)
{
    const hf_tree_model *t = &tree_of(sim, tree)->tree;
    return (hf_tree_size){.links = t->link_count, .coordinates = t->nq, .velocities = t->nv};
}

static const double *given_q(const hf_sim *sim, const hf_tree_body *tree, const double *q)
{
    return q == NULL ? sim->x + tree->q : q;
}

static const double *given_v(const hf_sim *sim, const hf_tree_body *tree, const double *v)
{
    return v == NULL ? sim->x + sim->model->nq + tree->v : v;
}

void hf_sim_forward_dynamics(hf_sim *sim, hf_tree tree, const double *q, const double *v,
                             const double *u, double *dv)
{
    const hf_tree_body *t = tree_of(sim, tree);
    hf_tree_forward(&t->tree, given_q(sim, t, q), given_v(sim, t, v), u, NULL, sim->model->gravity,
                    sim->tree_work + t->work, dv);
}

void hf_sim_inverse_dynamics(hf_sim *sim, hf_tree tree, const double *q, const double *v,
                             const double *dv, double *u)
{
    const hf_tree_body *t = tree_of(sim, tree);
    hf_tree_inverse(&t->tree, given_q(sim, t, q), given_v(sim, t, v), dv, NULL, sim->model->gravity,
                    sim->tree_work + t->work, u);
}

void hf_sim_mass_matrix(hf_sim *sim, hf_tree tree, const double *q, double *matrix)
{
    const hf_tree_body *t = tree_of(sim, tree);
    hf_tree_mass_matrix(&t->tree, given_q(sim, t, q), sim->tree_work + t->work, matrix);
}

void hf_sim_point_jacobian(hf_sim *sim, hf_tree tree, const double *q, hf_body link, hf_vec3 point,
                           double *jacobian)
{
    const hf_tree_body *t = tree_of(sim, tree);
    const hf_body_place *place = place_of(sim, link);
    HF_ASSERT(place->body == t);
    hf_tree_point_jacobian(&t->tree, given_q(sim, t, q), place->link, point,
                           sim->tree_work + t->work, jacobian);
}
