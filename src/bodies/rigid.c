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

static void rigid_pose(const void *bodies, int count, const hf_body_io *io)
{
    const hf_rigid *rigids = bodies;
    for (int i = 0; i < count; ++i) {
        const double *qi = io->q + rigids[i].q, *vi = io->v + rigids[i].v;
        hf_pose *pose = &io->poses[rigids[i].pose];
        pose->rotation = hf_quat_rotation(quat_at(qi + 3));
        pose->position = hf_v3(qi[0], qi[1], qi[2]);
        pose->velocity = hf_v3(vi[0], vi[1], vi[2]);
        pose->spin = hf_v3(vi[3], vi[4], vi[5]);
    }
}

static void rigid_rate(const void *bodies, int count, const hf_body_io *io, double *dq, double *dv)
{
    const hf_rigid *rigids = bodies;
    const double *q = io->q;
    for (int i = 0; i < count; ++i) {
        const hf_rigid *r = &rigids[i];
        const hf_pose *pose = &io->poses[r->pose];
        const hf_wrench *wrench = &io->wrenches[r->pose];
        store3(dq + r->q, pose->velocity);
        store_quat(dq + r->q + 3, hf_quat_rate_world(quat_at(q + r->q + 3), pose->spin));
        store3(dv + r->v, hf_v3_axpy(io->gravity, r->inverse_mass, wrench->force));
        hf_vec3 spin = hf_m3_tmulv(&pose->rotation, pose->spin);
        hf_vec3 torque = hf_m3_tmulv(&pose->rotation, wrench->torque);
        hf_vec3 gyro = hf_v3_cross(spin, hf_s3_mulv(&r->inertia, spin));
        hf_vec3 turn = hf_s3_mulv(&r->inverse_inertia, hf_v3_sub(torque, gyro));
        store3(dv + r->v + 3, hf_m3_mulv(&pose->rotation, turn));
    }
}

static void rigid_q_rate(const void *bodies, int count, const double *q, const double *v,
                         double *dq)
{
    const hf_rigid *rigids = bodies;
    for (int i = 0; i < count; ++i) {
        const double *vi = v + rigids[i].v;
        store3(dq + rigids[i].q, hf_v3(vi[0], vi[1], vi[2]));
        store_quat(dq + rigids[i].q + 3,
                   hf_quat_rate_world(quat_at(q + rigids[i].q + 3), hf_v3(vi[3], vi[4], vi[5])));
    }
}

static void rigid_normalize(const void *bodies, int count, double *q)
{
    const hf_rigid *rigids = bodies;
    for (int i = 0; i < count; ++i) {
        store_quat(q + rigids[i].q + 3, hf_quat_normalized(quat_at(q + rigids[i].q + 3)));
    }
}

static void rigid_energy(const void *bodies, int count, const hf_body_io *io, double *kinetic,
                         double *potential)
{
    const hf_rigid *rigids = bodies;
    double moving = 0.0, high = 0.0;
    for (int i = 0; i < count; ++i) {
        const hf_pose *pose = &io->poses[rigids[i].pose];
        const double *p = io->q + rigids[i].q;
        hf_vec3 spin = hf_m3_tmulv(&pose->rotation, pose->spin);
        moving += 0.5 * rigids[i].mass * hf_v3_dot(pose->velocity, pose->velocity) +
                  0.5 * hf_v3_dot(spin, hf_s3_mulv(&rigids[i].inertia, spin));
        high -= rigids[i].mass * hf_v3_dot(io->gravity, hf_v3(p[0], p[1], p[2]));
    }
    *kinetic += moving;
    *potential += high;
}

static void rigid_clear(const void *body, const hf_body_io *io)
{
    io->wrenches[((const hf_rigid *)body)->pose] = (hf_wrench){0};
}

static hf_vec3 turn_by(const hf_rigid *rigid, const hf_mat3 *rotation, hf_vec3 torque)
{
    torque = hf_m3_tmulv(rotation, torque);
    return hf_m3_mulv(rotation, hf_s3_mulv(&rigid->inverse_inertia, torque));
}

static void rigid_respond(const void *body, const hf_body_io *io, double *dv)
{
    const hf_rigid *rigid = body;
    const hf_wrench *wrench = &io->wrenches[rigid->pose];
    store3(dv + rigid->v, hf_v3_scale(rigid->inverse_mass, wrench->force));
    store3(dv + rigid->v + 3, turn_by(rigid, &io->poses[rigid->pose].rotation, wrench->torque));
}

static void rigid_answer(const void *body, const hf_body_io *io, const double *f, double *a)
{
    const hf_rigid *rigid = body;
    hf_mat3 rotation = hf_quat_rotation(quat_at(io->q + rigid->q + 3));
    hf_vec3 spin = turn_by(rigid, &rotation, hf_v3(f[3], f[4], f[5]));
    for (int k = 0; k < 3; ++k) {
        a[k] = f[k] * rigid->inverse_mass;
    }
    store3(a + 3, spin);
}

static hf_pose rigid_look(const void *body, int link, const hf_body_io *io)
{
    (void)link;
    return io->poses[((const hf_rigid *)body)->pose];
}

const hf_body_ops hf_rigid_ops = {.type = HF_BODY_RIGID,
                                  .name = "rigid",
                                  .size = sizeof(hf_rigid),
                                  .accelerates = true,
                                  .always_posed = true,
                                  .pose = rigid_pose,
                                  .rate = rigid_rate,
                                  .q_rate = rigid_q_rate,
                                  .normalize = rigid_normalize,
                                  .energy = rigid_energy,
                                  .clear = rigid_clear,
                                  .respond = rigid_respond,
                                  .answer = rigid_answer,
                                  .look = rigid_look};
