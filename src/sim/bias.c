// SPDX-License-Identifier: Apache-2.0
// How rates of couplings change: d/dt (J v) = J v' + what turns and bends while v stays.
#include <string.h>

#include "sim/sim_data.h"

void hf_pose_rates(const hf_sim *sim, hf_pose_rate *rates)
{
    const hf_model *model = sim->model;
    memset(rates, 0, (size_t)model->pose_count * sizeof *rates);
    hf_bodies_pose_rates(model->sets, model->set_count, sim->poses, rates);
}

void hf_force_bias(const hf_model *model, const hf_force_place *force, const hf_bias *bias)
{
    const hf_couplings *c = &model->couplings;
    int i = force->coupling_index;
    switch (force->coupling) {
    case HF_COUPLING_POINTS:
        hf_points_bias(&c->points[i], bias);
        break;
    case HF_COUPLING_DISTANCE:
        hf_distance_bias(&c->distances[i], bias);
        break;
    case HF_COUPLING_SPIN:
        hf_spin_bias(&c->spins[i], bias);
        break;
    case HF_COUPLING_PLANE:
        hf_plane_bias(&c->planes[i], bias);
        break;
    case HF_COUPLING_SPHERES:
        hf_spheres_bias(&c->spheres[i], bias);
        break;
    default: // coordinates: rates are velocities
        memset(bias->change + force->row, 0, (size_t)force->dim * sizeof *bias->change);
        break;
    }
}
