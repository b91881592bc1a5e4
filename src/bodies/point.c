// SPDX-License-Identifier: Apache-2.0
// Coordinates along world axes, seen from couplings in space.
#include "bodies/bodies.h"

hf_point hf_point_at(const hf_body_spot *spot, int dim, const int *axes)
{
    return (hf_point){.q = spot->q,
                      .v = spot->v,
                      .dim = dim,
                      .shifts = dim,
                      .pose = spot->pose,
                      .axes = {axes[0], axes[1], axes[2]}};
}

hf_pose hf_point_pose(const hf_point *point, const double *q, const double *v)
{
    double position[3] = {0}, velocity[3] = {0};
    for (int k = 0; k < point->shifts; ++k) {
        position[point->axes[k]] = q[point->q + k];
        velocity[point->axes[k]] = v[point->v + k];
    }
    return (hf_pose){.rotation = hf_m3_identity(),
                     .position = hf_v3(position[0], position[1], position[2]),
                     .velocity = hf_v3(velocity[0], velocity[1], velocity[2])};
}

void hf_point_gather(const hf_point *point, const hf_wrench *wrenches, double *u)
{
    hf_vec3 f = wrenches[point->pose].force;
    double force[3] = {f.x, f.y, f.z};
    for (int k = 0; k < point->shifts; ++k) {
        u[point->v + k] += force[point->axes[k]];
    }
}
