// SPDX-License-Identifier: Apache-2.0
// Rigid bodies, [Kikuuwe2008] (26), with forces, torques and spin w in world axes and J in body
// axes:
//   p' = v,  v' = f/M + g,  quat' = (0, w) quat / 2,  w' = R J^-1 (R' tau - w_b x J w_b)
// where w_b = R' w.
#include <math.h>

#include "base/error.h"
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

// L of M = L L', the lower triangle row by row.
static void factor_inertia(const hf_sym3 *m, double l[6])
{
    l[0] = sqrt(m->xx);
    l[1] = m->xy / l[0];
    l[2] = sqrt(m->yy - l[1] * l[1]);
    l[3] = m->xz / l[0];
    l[4] = (m->yz - l[3] * l[1]) / l[2];
    l[5] = sqrt(m->zz - l[3] * l[3] - l[4] * l[4]);
}

hf_rigid_def hf_rigid_def_default(void)
{
    hf_shape sphere = {.type = HF_SHAPE_SPHERE, .size = {.x = 0.1}};
    return (hf_rigid_def){.mass = 1.0,
                          .inertia = hf_shape_inertia(sphere, 1.0),
                          .orientation = {.w = 1.0},
                          .shape = sphere};
}

hf_body hf_spec_add_rigid(hf_spec *spec, const hf_rigid_def *def, hf_error *error)
{
    return hf_spec_put_body(spec, HF_BODY_RIGID, def, def->name, error);
}

static hf_status rigid_check(const hf_spec *spec, const void *def, const char *name,
                             hf_error *error)
{
    static const char what[] = "rigid body";
    const hf_rigid_def *d = def;
    (void)spec;
    HF_TRY(hf_check_mass(d->mass, false, what, name, error));
    HF_TRY(hf_check_moving_shape(&d->shape, what, name, error));
    HF_TRY(hf_check_inertia(&d->inertia, true, false, what, name, error));
    HF_TRY(hf_check_numbers(&d->position.x, 3, what, name, "position", error));
    HF_TRY(hf_check_unit_quat(&d->orientation.w, what, name, "orientation", error));
    HF_TRY(hf_check_numbers(&d->velocity.x, 3, what, name, "velocity", error));
    return hf_check_numbers(&d->spin.x, 3, what, name, "angular velocity", error);
}

static bool rigid_keep(hf_arena *arena, void *def)
{
    return hf_shape_keep(arena, &((hf_rigid_def *)def)->shape);
}

static bool rigid_number(void *def, int k, hf_body_number *number)
{
    hf_rigid_def *d = def;
    return hf_body_inertia_number(&d->mass, &d->inertia, k, number);
}

static void rigid_size(const void *def, int *nq, int *nv)
{
    *nq = ((const hf_rigid_def *)def)->counts_turns ? HF_RIGID_TURNS + 3 : HF_RIGID_TURNS;
    *nv = 6;
}

static bool rigid_lay(const void *def, const hf_body_spot *spot, void *body)
{
    const hf_rigid_def *d = def;
    hf_rigid *rigid = body;
    *rigid = (hf_rigid){.q = spot->q,
                        .v = spot->v,
                        .pose = spot->pose,
                        .mass = d->mass,
                        .inverse_mass = 1.0 / d->mass,
                        .inertia = d->inertia,
                        .inverse_inertia = hf_s3_inverse(&d->inertia),
                        .root = sqrt(d->mass),
                        .counts = d->counts_turns};
    rigid->inverse_root = 1.0 / rigid->root;
    factor_inertia(&rigid->inertia, rigid->lower); // positive definite, as the spec has checked
    return true;
}

static void rigid_start(const void *def, double *q, double *v)
{
    const hf_rigid_def *d = def;
    store3(q, d->position);
    store_quat(q + 3, hf_quat_normalized(d->orientation));
    store3(v, d->velocity);
    store3(v + 3, d->spin);
}

static void rigid_info(const void *def, hf_body_info *info)
{
    const hf_rigid_def *d = def;
    info->mass = d->mass;
    info->inertia = d->inertia;
    info->shape = d->shape;
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
        if (r->counts) {
            store3(dq + r->q + HF_RIGID_TURNS, spin);
        }
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
        hf_quat turn = quat_at(q + rigids[i].q + 3);
        hf_vec3 spin = hf_v3(vi[3], vi[4], vi[5]);
        store_quat(dq + rigids[i].q + 3, hf_quat_rate_world(turn, spin));
        if (rigids[i].counts) {
            hf_mat3 rotation = hf_quat_rotation(turn);
            store3(dq + rigids[i].q + HF_RIGID_TURNS, hf_m3_tmulv(&rotation, spin));
        }
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

static void rigid_load(const void *body, const hf_body_io *io, double *f)
{
    const hf_wrench *wrench = &io->wrenches[((const hf_rigid *)body)->pose];
    store3(f, wrench->force);
    store3(f + 3, wrench->torque);
}

static hf_vec3 lower_solve(const double l[6], hf_vec3 b)
{
    double x = b.x / l[0], y = (b.y - l[1] * x) / l[2];
    return hf_v3(x, y, (b.z - l[3] * x - l[4] * y) / l[5]);
}

static void rigid_count_turns(void *def)
{
    ((hf_rigid_def *)def)->counts_turns = true;
}

static bool rigid_counts_turns(const void *body)
{
    return ((const hf_rigid *)body)->counts;
}

static size_t rigid_factor_size(const void *body)
{
    (void)body;
    return sizeof(hf_mat3) / sizeof(double);
}

// What changes is L^-1 R' of the turns.
static bool rigid_factor(const void *body, const hf_body_io *io, double *l)
{
    const hf_rigid *rigid = body;
    const hf_mat3 *r = &io->poses[rigid->pose].rotation;
    hf_vec3 a = lower_solve(rigid->lower, hf_v3(r->xx, r->xy, r->xz));
    hf_vec3 b = lower_solve(rigid->lower, hf_v3(r->yx, r->yy, r->yz));
    hf_vec3 c = lower_solve(rigid->lower, hf_v3(r->zx, r->zy, r->zz));
    *(hf_mat3 *)(void *)l = (hf_mat3){a.x, b.x, c.x, a.y, b.y, c.y, a.z, b.z, c.z};
    return true;
}

static void rigid_half(const void *body, const double *l, const double *j, double *y)
{
    const hf_rigid *rigid = body;
    hf_vec3 turn = hf_m3_mulv((const hf_mat3 *)(const void *)l, hf_v3(j[3], j[4], j[5]));
    for (int k = 0; k < 3; ++k) {
        y[k] = rigid->inverse_root * j[k];
    }
    store3(y + 3, turn);
}

static void rigid_weigh(const void *body, const hf_body_io *io, const double *l, const double *v,
                        double *s)
{
    const hf_rigid *rigid = body;
    (void)l;
    for (int k = 0; k < 3; ++k) {
        s[k] = rigid->root * v[k];
    }
    hf_vec3 w = hf_m3_tmulv(&io->poses[rigid->pose].rotation, hf_v3(v[3], v[4], v[5]));
    const double *lower = rigid->lower;
    s[3] = lower[0] * w.x + lower[1] * w.y + lower[3] * w.z;
    s[4] = lower[2] * w.y + lower[4] * w.z;
    s[5] = lower[5] * w.z;
}

static void rigid_unweigh(const void *body, const double *l, const double *s, double *v)
{
    const hf_rigid *rigid = body;
    for (int k = 0; k < 3; ++k) {
        v[k] += rigid->inverse_root * s[k];
    }
    hf_vec3 w = hf_m3_tmulv((const hf_mat3 *)(const void *)l, hf_v3(s[3], s[4], s[5]));
    v[3] += w.x;
    v[4] += w.y;
    v[5] += w.z;
}

static void add3(double *to, double scale, hf_vec3 v)
{
    to[0] += scale * v.x;
    to[1] += scale * v.y;
    to[2] += scale * v.z;
}

// Forces at a point as J L'^-1: the bulk of a pile's rows. The body has one pose, so there is
// nothing to add to.
static void half_rows(const hf_rigid *rigid, const hf_body_push *push, const hf_mat3 *half,
                      double *rows, size_t stride)
{
    double sign = push->sign, scale = sign * rigid->inverse_root;
    hf_vec3 arm = push->arm;
    for (int r = 0; r < push->count; ++r, rows += stride) {
        hf_vec3 turn = hf_m3_mulv(half, hf_v3_cross(arm, push->force[r]));
        store3(rows, hf_v3_scale(scale, push->force[r]));
        store3(rows + 3, hf_v3_scale(sign, turn));
    }
}

static void rigid_rows(const void *body, const hf_body_io *io, const hf_body_push *push,
                       const double *l, double *rows, size_t stride, double *scratch)
{
    const hf_rigid *rigid = body;
    const hf_mat3 *half = (const hf_mat3 *)(const void *)l;
    (void)io, (void)scratch;
    if (half != NULL && push->torque == NULL) {
        half_rows(rigid, push, half, rows, stride);
        return;
    }
    for (int r = 0; r < push->count; ++r, rows += stride) {
        hf_vec3 torque = push->torque[r];
        if (push->force != NULL) {
            double scale = half == NULL ? push->sign : push->sign * rigid->inverse_root;
            torque = hf_v3_add(hf_v3_cross(push->arm, push->force[r]), torque);
            add3(rows, scale, push->force[r]);
        }
        add3(rows + 3, push->sign, half == NULL ? torque : hf_m3_mulv(half, torque));
    }
}

static hf_pose rigid_look(const void *body, int link, const hf_body_io *io)
{
    (void)link;
    return io->poses[((const hf_rigid *)body)->pose];
}

const hf_body_ops hf_rigid_ops = {.type = HF_BODY_RIGID,
                                  .name = "rigid",
                                  .bytes = sizeof(hf_rigid),
                                  .accelerates = true,
                                  .turns = true,
                                  .shifts = 3,
                                  .always_posed = true,
                                  .shaped = true,
                                  .floats = true,
                                  .placed = HF_RIGID_TURNS,
                                  .def_size = sizeof(hf_rigid_def),
                                  .check = rigid_check,
                                  .keep = rigid_keep,
                                  .number = rigid_number,
                                  .size = rigid_size,
                                  .lay = rigid_lay,
                                  .start = rigid_start,
                                  .info = rigid_info,
                                  .count_turns = rigid_count_turns,
                                  .counts_turns = rigid_counts_turns,
                                  .pose = rigid_pose,
                                  .rate = rigid_rate,
                                  .q_rate = rigid_q_rate,
                                  .normalize = rigid_normalize,
                                  .energy = rigid_energy,
                                  .clear = rigid_clear,
                                  .respond = rigid_respond,
                                  .answer = rigid_answer,
                                  .spin = hf_rigid_spin,
                                  .load = rigid_load,
                                  .factor_size = rigid_factor_size,
                                  .factor = rigid_factor,
                                  .half = rigid_half,
                                  .weigh = rigid_weigh,
                                  .unweigh = rigid_unweigh,
                                  .rows = rigid_rows,
                                  .look = rigid_look};
