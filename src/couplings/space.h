// SPDX-License-Identifier: Apache-2.0
// What couplings in space share: points on bodies, their velocities, forces at points.
#ifndef HF_COUPLINGS_SPACE_H
#define HF_COUPLINGS_SPACE_H

#include "couplings/couplings.h"

// Two places on bodies.
typedef struct hf_space_coupling {
    int on, to; // poses
    int row;
    int dim;    // rows: of contacts 3, or 6 with the spins
    int memory; // of spheres: which reference
    double radius, to_radius;
    hf_vec3 on_point, to_point;
    hf_mat3 on_turn, to_turn; // frame to body
} hf_space_coupling;

// Parts of their tables (space.c): points of two different bodies, or frames of bodies that can
// turn; frames on_frame and to_frame; rows along the world's axes, of which those from the fourth
// on are turns; the force along `axes`. An item that begins with an hf_space_coupling is placed by
// hf_space_place, and adds what else it has.
hf_status hf_space_check_points(const hf_spec *spec, const hf_coupling_def *def, const char *name,
                                hf_error *error);
hf_status hf_space_check_frames(const hf_spec *spec, const hf_coupling_def *def, const char *name,
                                hf_error *error);
int hf_space_ends(const hf_coupling_def *def, hf_frame *list);
// Those of couplings that act on one frame and against the world.
int hf_space_end_and_world(const hf_coupling_def *def, hf_frame *list);
void hf_space_place(const hf_coupling_def *def, const hf_body_site *sites, hf_coupling_slot slot,
                    void *item);
hf_vec3 hf_space_sight(const hf_coupling_sight *sight);
const char *hf_space_row_name(const hf_coupling_def *def, const hf_body_site *sites,
                              hf_coupling_quantity quantity, int row);
bool hf_space_row_turns(const hf_coupling_def *def, const hf_body_site *sites, int row);

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

// Acceleration of a point of `on` against one of `to`, both fixed in their bodies, while v stays.
static inline hf_vec3 hf_points_change(const hf_space_coupling *c, const hf_bias *bias, hf_vec3 a,
                                       hf_vec3 b)
{
    const hf_pose *on = &bias->poses[c->on], *to = &bias->poses[c->to];
    return hf_v3_sub(hf_velocity_rate_at(on, &bias->rates[c->on], a, hf_v3_cross(on->spin, a)),
                     hf_velocity_rate_at(to, &bias->rates[c->to], b, hf_v3_cross(to->spin, b)));
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
