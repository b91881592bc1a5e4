// SPDX-License-Identifier: Apache-2.0
// Units: what accelerates as one (a mass, a rigid body, a tree), and how it answers to forces.
#include <string.h>

#include "loops/loops.h"
#include "sim/sim_data.h"

void hf_force_psi(const hf_model *model, const hf_force_place *force, const hf_motion *motion)
{
    const hf_couplings *c = &model->couplings;
    int i = force->coupling_index;
    switch (force->coupling) {
    case HF_COUPLING_COORDINATE:
        hf_coordinate_psi(&c->coordinates[i], motion);
        break;
    case HF_COUPLING_POINTS:
        hf_points_psi(&c->points[i], motion);
        break;
    case HF_COUPLING_DISTANCE:
        hf_distance_psi(&c->distances[i], motion);
        break;
    case HF_COUPLING_SPIN:
        hf_spin_psi(&c->spins[i], motion);
        break;
    case HF_COUPLING_PLANE:
        hf_plane_psi(&c->planes[i], motion);
        break;
    case HF_COUPLING_SPHERES:
        hf_spheres_psi(&c->spheres[i], motion);
        break;
    case HF_COUPLING_SWARM: // these have no rows
    case HF_COUPLING_SHAPES:
        break;
    case HF_COUPLING_FRAMES:
    case HF_COUPLING_TYPE_COUNT:
        hf_frames_psi(&c->frames[i], motion);
        break;
    }
}

void hf_force_phi(const hf_model *model, const hf_force_place *force, const hf_actions *actions)
{
    const hf_couplings *c = &model->couplings;
    int i = force->coupling_index;
    switch (force->coupling) {
    case HF_COUPLING_COORDINATE:
        hf_coordinate_phi(&c->coordinates[i], actions);
        break;
    case HF_COUPLING_POINTS:
        hf_points_phi(&c->points[i], actions);
        break;
    case HF_COUPLING_DISTANCE:
        hf_distance_phi(&c->distances[i], actions);
        break;
    case HF_COUPLING_SPIN:
        hf_spin_phi(&c->spins[i], actions);
        break;
    case HF_COUPLING_PLANE:
        hf_plane_phi(&c->planes[i], actions);
        break;
    case HF_COUPLING_SPHERES:
        hf_spheres_phi(&c->spheres[i], actions);
        break;
    case HF_COUPLING_SWARM:
    case HF_COUPLING_SHAPES:
        break;
    case HF_COUPLING_FRAMES:
    case HF_COUPLING_TYPE_COUNT:
        hf_frames_phi(&c->frames[i], actions);
        break;
    }
}

// The pose of a mass among model->points, or -1.
static const hf_point_body *point_of(const hf_model *model, const hf_mass *mass)
{
    for (int low = 0, high = model->point_count; low < high;) {
        int middle = low + (high - low) / 2;
        if (model->points[middle].q == mass->q) {
            return &model->points[middle];
        }
        if (model->points[middle].q < mass->q) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return NULL;
}

void hf_unit_clear(hf_sim *sim, hf_unit unit)
{
    const hf_model *model = sim->model;
    if (unit.type == HF_BODY_MASS) {
        const hf_mass *mass = &model->masses[unit.index];
        const hf_point_body *point = point_of(model, mass);
        memset(sim->u + mass->v, 0, (size_t)mass->dim * sizeof *sim->u);
        if (point != NULL) {
            sim->wrenches[point->pose] = (hf_wrench){0};
        }
    } else if (unit.type == HF_BODY_RIGID) {
        sim->wrenches[model->rigids[unit.index].pose] = (hf_wrench){0};
    } else {
        const hf_tree_body *tree = &model->trees[unit.index];
        memset(sim->u + tree->v, 0, (size_t)tree->tree.nv * sizeof *sim->u);
        memset(sim->wrenches + tree->pose, 0,
               (size_t)tree->tree.link_count * sizeof *sim->wrenches);
    }
}

static void respond_rigid(hf_sim *sim, const hf_rigid *rigid, double *dv)
{
    const hf_wrench *wrench = &sim->wrenches[rigid->pose];
    const hf_mat3 *rotation = &sim->poses[rigid->pose].rotation;
    hf_vec3 torque = hf_m3_tmulv(rotation, wrench->torque);
    hf_vec3 spin = hf_m3_mulv(rotation, hf_s3_mulv(&rigid->inverse_inertia, torque));
    dv[rigid->v + 0] = rigid->inverse_mass * wrench->force.x;
    dv[rigid->v + 1] = rigid->inverse_mass * wrench->force.y;
    dv[rigid->v + 2] = rigid->inverse_mass * wrench->force.z;
    dv[rigid->v + 3] = spin.x;
    dv[rigid->v + 4] = spin.y;
    dv[rigid->v + 5] = spin.z;
}

void hf_unit_respond(hf_sim *sim, hf_unit unit, const double *x, double *dv)
{
    const hf_model *model = sim->model;
    if (unit.type == HF_BODY_MASS) {
        const hf_mass *mass = &model->masses[unit.index];
        const hf_point_body *point = point_of(model, mass);
        if (point != NULL) {
            hf_points_gather(point, 1, sim->wrenches, sim->u);
        }
        for (int k = 0; k < mass->dim; ++k) {
            dv[mass->v + k] = sim->u[mass->v + k] * mass->inverse_mass;
        }
    } else if (unit.type == HF_BODY_RIGID) {
        respond_rigid(sim, &model->rigids[unit.index], dv);
    } else {
        const hf_tree_body *tree = &model->trees[unit.index];
        hf_tree_forward(&tree->tree, x + tree->q, sim->rest + tree->v, sim->u + tree->v,
                        tree->has_poses ? sim->wrenches + tree->pose : NULL, hf_v3(0.0, 0.0, 0.0),
                        sim->tree_work + tree->work, dv + tree->v);
    }
}

void hf_unit_pose(hf_sim *sim, hf_unit unit, const double *q, const double *v)
{
    const hf_model *model = sim->model;
    if (unit.type == HF_BODY_MASS) {
        const hf_point_body *point = point_of(model, &model->masses[unit.index]);
        if (point != NULL) {
            hf_points_pose(point, 1, q, v, sim->poses);
        }
    } else if (unit.type == HF_BODY_RIGID) {
        hf_rigids_pose(&model->rigids[unit.index], 1, q, v, sim->poses);
    } else {
        const hf_tree_body *tree = &model->trees[unit.index];
        if (tree->has_poses) {
            hf_tree_poses(&tree->tree, q + tree->q, v + tree->v, sim->poses + tree->pose);
        }
    }
}

// ------------------------------------------------------------------------------------------------
// Effective mass: 1/m = J M^-1 J' along one row of a coupling, at the present state.

static double rate_along(hf_sim *sim, const hf_force_place *force, int axis, const hf_unit *units,
                         int count, const double *v)
{
    for (int i = 0; i < count; ++i) {
        hf_unit_pose(sim, units[i], sim->x, v);
    }
    hf_force_psi(sim->model, force,
                 &(hf_motion){.q = sim->x,
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
    hf_unit units[2];
    int count = hf_force_units(model, force, units);
    for (int i = 0; i < count; ++i) {
        hf_unit_clear(sim, units[i]);
    }
    memset(sim->force + force->row, 0, (size_t)force->dim * sizeof *sim->force);
    sim->force[force->row + axis] = 1.0;
    hf_force_phi(model, force,
                 &(hf_actions){.force = sim->force,
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
