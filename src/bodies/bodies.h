// SPDX-License-Identifier: Apache-2.0
// Masses and rigid bodies: force in, motion out.                                    000 (6), (7),
// (26) q, v, dq, dv, u are a whole machine's; each body knows its places in them.
#ifndef HF_BODIES_BODIES_H
#define HF_BODIES_BODIES_H

#include "math/vec.h"

// Point mass in 1, 2 or 3 dimensions.
typedef struct hf_mass {
    int q, v, dim;
    double mass, inverse_mass;
    double gravity[3]; // along its own coordinates [m/s^2]
} hf_mass;

// Rigid body: q is position and quaternion, v velocity and angular velocity in world axes.
typedef struct hf_rigid {
    int q, v;
    int pose;
    double mass, inverse_mass;
    hf_sym3 inertia, inverse_inertia; // body axes
} hf_rigid;

// A mass or driven body that couplings in space look at.
typedef struct hf_point_body {
    int q, v, dim;
    int axes[3]; // world axis of each coordinate
    int pose;
} hf_point_body;

void hf_masses_rate(const hf_mass *masses, int count, const double *v, const double *u, double *dq,
                    double *dv);
double hf_masses_kinetic(const hf_mass *masses, int count, const double *v);
double hf_masses_potential(const hf_mass *masses, int count, const double *q);

// Places of point bodies in space, and the way back: their wrenches as generalized forces.
void hf_points_pose(const hf_point_body *points, int count, const double *q, const double *v,
                    hf_pose *poses);
void hf_points_gather(const hf_point_body *points, int count, const hf_wrench *wrenches, double *u);

void hf_rigids_pose(const hf_rigid *rigids, int count, const double *q, const double *v,
                    hf_pose *poses);
void hf_rigids_rate(const hf_rigid *rigids, int count, const double *q, const hf_pose *poses,
                    const hf_wrench *wrenches, hf_vec3 gravity, double *dq, double *dv);
// q' alone, for methods that update velocities first.
void hf_rigids_q_rate(const hf_rigid *rigids, int count, const double *q, const double *v,
                      double *dq);
void hf_rigids_normalize(const hf_rigid *rigids, int count, double *q);
double hf_rigids_kinetic(const hf_rigid *rigids, int count, const hf_pose *poses);
double hf_rigids_potential(const hf_rigid *rigids, int count, const double *q, hf_vec3 gravity);

#endif
