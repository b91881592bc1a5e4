// SPDX-License-Identifier: Apache-2.0
// What couplings in space share: points on bodies, their velocities, forces at points.
#ifndef HF_COUPLINGS_SPACE_H
#define HF_COUPLINGS_SPACE_H

#include "couplings/couplings.h"

// From the body's origin to a point of the body, world axes.
static inline hf_vec3 hf_arm(const hf_pose *pose, hf_vec3 point)
{
    return hf_m3_mulv(&pose->rotation, point);
}

static inline hf_vec3 hf_velocity_at(const hf_pose *pose, hf_vec3 arm)
{
    return hf_v3_add(pose->velocity, hf_v3_cross(pose->spin, arm));
}

// How the velocity of a point on an arm changes, when the arm itself changes by arm_rate.
static inline hf_vec3 hf_velocity_rate_at(const hf_pose *pose, const hf_pose_rate *rate,
                                          hf_vec3 arm, hf_vec3 arm_rate)
{
    return hf_v3_add(hf_v3_add(rate->velocity, hf_v3_cross(rate->spin, arm)),
                     hf_v3_cross(pose->spin, arm_rate));
}

static inline void hf_push(hf_wrench *wrench, hf_vec3 arm, hf_vec3 force)
{
    wrench->force = hf_v3_add(wrench->force, force);
    wrench->torque = hf_v3_add(wrench->torque, hf_v3_cross(arm, force));
}

static inline void hf_twist(hf_wrench *wrench, hf_vec3 torque)
{
    wrench->torque = hf_v3_add(wrench->torque, torque);
}

static inline void hf_store3(double *to, hf_vec3 v)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

static inline hf_vec3 hf_load3(const double *from)
{
    return hf_v3(from[0], from[1], from[2]);
}

static inline hf_vec3 hf_column_x(const hf_mat3 *m)
{
    return hf_v3(m->xx, m->yx, m->zx);
}

static inline hf_vec3 hf_column_y(const hf_mat3 *m)
{
    return hf_v3(m->xy, m->yy, m->zy);
}

static inline hf_vec3 hf_column_z(const hf_mat3 *m)
{
    return hf_v3(m->xz, m->yz, m->zz);
}

#endif
