// SPDX-License-Identifier: Apache-2.0
// Point masses: p' = v, v' = f/M + g.                                                       000 (7)
#include "bodies/bodies.h"

void hf_masses_rate(const hf_mass *masses, int count, const double *v, const double *u, double *dq,
                    double *dv)
{
    for (int i = 0; i < count; ++i) {
        const hf_mass *m = &masses[i];
        for (int k = 0; k < m->dim; ++k) {
            dq[m->q + k] = v[m->v + k];
            dv[m->v + k] = u[m->v + k] * m->inverse_mass + m->gravity[k];
        }
    }
}

double hf_masses_kinetic(const hf_mass *masses, int count, const double *v)
{
    double energy = 0.0;
    for (int i = 0; i < count; ++i) {
        const hf_mass *m = &masses[i];
        for (int k = 0; k < m->dim; ++k) {
            energy += 0.5 * m->mass * v[m->v + k] * v[m->v + k];
        }
    }
    return energy;
}

double hf_masses_potential(const hf_mass *masses, int count, const double *q)
{
    double energy = 0.0;
    for (int i = 0; i < count; ++i) {
        const hf_mass *m = &masses[i];
        for (int k = 0; k < m->dim; ++k) {
            energy -= m->mass * m->gravity[k] * q[m->q + k];
        }
    }
    return energy;
}

void hf_points_pose(const hf_point_body *points, int count, const double *q, const double *v,
                    hf_pose *poses)
{
    for (int i = 0; i < count; ++i) {
        const hf_point_body *p = &points[i];
        double position[3] = {0}, velocity[3] = {0};
        for (int k = 0; k < p->dim; ++k) {
            position[p->axes[k]] = q[p->q + k];
            velocity[p->axes[k]] = v[p->v + k];
        }
        poses[p->pose] = (hf_pose){.rotation = hf_m3_identity(),
                                   .position = hf_v3(position[0], position[1], position[2]),
                                   .velocity = hf_v3(velocity[0], velocity[1], velocity[2])};
    }
}

void hf_points_gather(const hf_point_body *points, int count, const hf_wrench *wrenches, double *u)
{
    for (int i = 0; i < count; ++i) {
        const hf_point_body *p = &points[i];
        hf_vec3 f = wrenches[p->pose].force;
        double force[3] = {f.x, f.y, f.z};
        for (int k = 0; k < p->dim; ++k) {
            u[p->v + k] += force[p->axes[k]];
        }
    }
}
