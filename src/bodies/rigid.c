// SPDX-License-Identifier: Apache-2.0
// Rigid bodies, 000 (26), with forces, torques and spin w in world axes and J in body axes:
//   p' = v,  v' = f/M + g,  quat' = (0, w) quat / 2,  w' = R J^-1 (R' tau - w_b x J w_b),  w_b = R'
//   w
#include "bodies/bodies.h"

static hf_quat quat_at(const double *q)
{
    return (hf_quat){q[0], q[1], q[2], q[3]};
}

static void store_quat(double *to, hf_quat q)
{
    to[0] = q.w;
    to[1] = q.x;
    to[2] = q.y;
    to[3] = q.z;
}

static void store3(double *to, hf_vec3 v)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

void hf_rigids_pose(const hf_rigid *rigids, int count, const double *q, const double *v,
                    hf_pose *poses)
{
    for (int i = 0; i < count; ++i) {
        const double *qi = q + rigids[i].q, *vi = v + rigids[i].v;
        hf_pose *pose = &poses[rigids[i].pose];
        pose->rotation = hf_quat_rotation(quat_at(qi + 3));
        pose->position = hf_v3(qi[0], qi[1], qi[2]);
        pose->velocity = hf_v3(vi[0], vi[1], vi[2]);
        pose->spin = hf_v3(vi[3], vi[4], vi[5]);
    }
}

void hf_rigids_rate(const hf_rigid *rigids, int count, const double *q, const hf_pose *poses,
                    const hf_wrench *wrenches, hf_vec3 gravity, double *dq, double *dv)
{
    for (int i = 0; i < count; ++i) {
        const hf_rigid *r = &rigids[i];
        const hf_pose *pose = &poses[r->pose];
        const hf_wrench *wrench = &wrenches[r->pose];
        store3(dq + r->q, pose->velocity);
        store_quat(dq + r->q + 3, hf_quat_rate_world(quat_at(q + r->q + 3), pose->spin));
        store3(dv + r->v, hf_v3_axpy(gravity, r->inverse_mass, wrench->force));
        hf_vec3 spin = hf_m3_tmulv(&pose->rotation, pose->spin);
        hf_vec3 torque = hf_m3_tmulv(&pose->rotation, wrench->torque);
        hf_vec3 gyro = hf_v3_cross(spin, hf_s3_mulv(&r->inertia, spin));
        hf_vec3 turn = hf_s3_mulv(&r->inverse_inertia, hf_v3_sub(torque, gyro));
        store3(dv + r->v + 3, hf_m3_mulv(&pose->rotation, turn));
    }
}

void hf_rigids_q_rate(const hf_rigid *rigids, int count, const double *q, const double *v,
                      double *dq)
{
    for (int i = 0; i < count; ++i) {
        const double *vi = v + rigids[i].v;
        store3(dq + rigids[i].q, hf_v3(vi[0], vi[1], vi[2]));
        store_quat(dq + rigids[i].q + 3,
                   hf_quat_rate_world(quat_at(q + rigids[i].q + 3), hf_v3(vi[3], vi[4], vi[5])));
    }
}

void hf_rigids_normalize(const hf_rigid *rigids, int count, double *q)
{
    for (int i = 0; i < count; ++i) {
        store_quat(q + rigids[i].q + 3, hf_quat_normalized(quat_at(q + rigids[i].q + 3)));
    }
}

double hf_rigids_kinetic(const hf_rigid *rigids, int count, const hf_pose *poses)
{
    double energy = 0.0;
    for (int i = 0; i < count; ++i) {
        const hf_pose *pose = &poses[rigids[i].pose];
        hf_vec3 spin = hf_m3_tmulv(&pose->rotation, pose->spin);
        energy += 0.5 * rigids[i].mass * hf_v3_dot(pose->velocity, pose->velocity) +
                  0.5 * hf_v3_dot(spin, hf_s3_mulv(&rigids[i].inertia, spin));
    }
    return energy;
}

double hf_rigids_potential(const hf_rigid *rigids, int count, const double *q, hf_vec3 gravity)
{
    double energy = 0.0;
    for (int i = 0; i < count; ++i) {
        const double *p = q + rigids[i].q;
        energy -= rigids[i].mass * hf_v3_dot(gravity, hf_v3(p[0], p[1], p[2]));
    }
    return energy;
}
