// SPDX-License-Identifier: Apache-2.0
// Coordinates of masses and joints, alone or as differences; and the loops over all couplings.
#include "couplings/couplings.h"

void hf_coordinate_psi(const hf_coordinate_coupling *c, const hf_motion *m)
{
    for (int i = 0; i < c->dim; ++i) {
        m->gap[c->row + i] = m->q[c->on_q + i] - (c->to_q < 0 ? 0.0 : m->q[c->to_q + i]);
        m->rate[c->row + i] = m->v[c->on_v + i] - (c->to_v < 0 ? 0.0 : m->v[c->to_v + i]);
    }
}

void hf_coordinate_phi(const hf_coordinate_coupling *c, const hf_actions *a)
{
    for (int i = 0; i < c->dim; ++i) {
        a->u[c->on_v + i] -= a->force[c->row + i];
        if (c->to_v >= 0) {
            a->u[c->to_v + i] += a->force[c->row + i];
        }
    }
}

// One coordinate, alone or against another: the commonest coupling, inline.
static inline void scalar_psi(const hf_coordinate_coupling *c, const double *q, const double *v,
                              double *gap, double *rate)
{
    bool alone = c->to_q < 0;
    gap[c->row] = alone ? q[c->on_q] : q[c->on_q] - q[c->to_q];
    rate[c->row] = alone ? v[c->on_v] : v[c->on_v] - v[c->to_v];
}

static inline void scalar_phi(const hf_coordinate_coupling *c, const double *force, double *u)
{
    u[c->on_v] -= force[c->row];
    if (c->to_v >= 0) {
        u[c->to_v] += force[c->row];
    }
}

void hf_couplings_psi(const hf_couplings *couplings, const hf_motion *motion)
{
    for (int i = 0; i < couplings->coordinate_count; ++i) {
        const hf_coordinate_coupling *c = &couplings->coordinates[i];
        if (c->dim == 1) {
            scalar_psi(c, motion->q, motion->v, motion->gap, motion->rate);
        } else {
            hf_coordinate_psi(c, motion);
        }
    }
    if (!couplings->in_space) {
        return;
    }
    for (int i = 0; i < couplings->point_count; ++i) {
        hf_points_psi(&couplings->points[i], motion);
    }
    for (int i = 0; i < couplings->distance_count; ++i) {
        hf_distance_psi(&couplings->distances[i], motion);
    }
    for (int i = 0; i < couplings->spin_count; ++i) {
        hf_spin_psi(&couplings->spins[i], motion);
    }
    for (int i = 0; i < couplings->plane_count; ++i) {
        hf_plane_psi(&couplings->planes[i], motion);
    }
    for (int i = 0; i < couplings->frame_count; ++i) {
        hf_frames_psi(&couplings->frames[i], motion);
    }
    for (int i = 0; i < couplings->sphere_count; ++i) {
        hf_spheres_psi(&couplings->spheres[i], motion);
    }
}

void hf_couplings_phi(const hf_couplings *couplings, const hf_actions *actions)
{
    for (int i = 0; i < couplings->coordinate_count; ++i) {
        const hf_coordinate_coupling *c = &couplings->coordinates[i];
        if (c->dim == 1) {
            scalar_phi(c, actions->force, actions->u);
        } else {
            hf_coordinate_phi(c, actions);
        }
    }
    if (!couplings->in_space) {
        return;
    }
    for (int i = 0; i < couplings->point_count; ++i) {
        hf_points_phi(&couplings->points[i], actions);
    }
    for (int i = 0; i < couplings->distance_count; ++i) {
        hf_distance_phi(&couplings->distances[i], actions);
    }
    for (int i = 0; i < couplings->spin_count; ++i) {
        hf_spin_phi(&couplings->spins[i], actions);
    }
    for (int i = 0; i < couplings->plane_count; ++i) {
        hf_plane_phi(&couplings->planes[i], actions);
    }
    for (int i = 0; i < couplings->frame_count; ++i) {
        hf_frames_phi(&couplings->frames[i], actions);
    }
    for (int i = 0; i < couplings->sphere_count; ++i) {
        hf_spheres_phi(&couplings->spheres[i], actions);
    }
}
