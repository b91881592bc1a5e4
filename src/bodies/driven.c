// SPDX-License-Identifier: Apache-2.0
// Driven bodies: their motion is given, and forces do not change it. The sim writes it into the
// state before each evaluation; only positions of bodies driven by velocity are integrated.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "bodies/bodies.h"

hf_driven_def hf_driven_def_default(void)
{
    return (hf_driven_def){
        .dim = 1, .axes = {0, 1, 2}, .axis = {0.0, 0.0, 1.0}, .orientation = {.w = 1.0}};
}

hf_body hf_spec_add_driven(hf_spec *spec, const hf_driven_def *def, hf_error *error)
{
    return hf_spec_put_body(spec, HF_BODY_DRIVEN, def, def->name, error);
}

static const char WHAT[] = "driven body";

static hf_status check_follow(const hf_spec *spec, const hf_driven_def *def, const char *name,
                              hf_error *error)
{
    if (def->by_velocity) {
        return hf_error_at(error, HF_ERROR_INPUT, hf_at(WHAT, name),
                           "it can follow, or be driven by velocity, not both");
    }
    HF_TRY(hf_check_coordinate(spec, def->follow, def->dim, WHAT, name, "follow", error));
    if (hf_body_ops_of(hf_spec_body_type(spec, def->follow.body))->drive != NULL) {
        return hf_error_at(error, HF_ERROR_INPUT, hf_at_member(WHAT, name, "follow"),
                           "it cannot follow a driven body; use its signals");
    }
    return HF_OK;
}

static hf_status check_turns(const hf_spec *spec, const hf_driven_def *def, const char *name,
                             hf_error *error)
{
    int count = def->angle_count;
    if (count != 0 && count != 1 && count != 3) {
        return hf_error_at(error, HF_ERROR_RANGE, hf_at_member(WHAT, name, "angles"),
                           "it has one angle or three, not %d", count);
    }
    if (count > 0 && (def->by_velocity || def->has_rate || def->follow.body.id != 0)) {
        return hf_error_at(error, HF_ERROR_UNSUPPORTED, hf_at_member(WHAT, name, "angles"),
                           "angles go with position alone, not with velocity, rate or follow");
    }
    if (count == 1 && !(hf_v3_norm(def->axis) > 0.0 && isfinite(hf_v3_norm(def->axis)))) {
        return hf_error_at(error, HF_ERROR_RANGE, hf_at_member(WHAT, name, "axis"),
                           "it must be a direction");
    }
    for (int i = 0; i < count; ++i) {
        HF_TRY(hf_check_value(spec, def->angles[i], WHAT, name, "angles", error));
    }
    return hf_check_unit_quat(&def->orientation.w, WHAT, name, "orientation", error);
}

static hf_status driven_check(const hf_spec *spec, const void *def, const char *name,
                              hf_error *error)
{
    const hf_driven_def *d = def;
    HF_TRY(hf_check_axes(d->dim, d->axes, WHAT, name, error));
    HF_TRY(hf_check_numbers(d->start, d->dim, WHAT, name, "start", error));
    for (int i = 0; i < d->dim; ++i) {
        HF_TRY(hf_check_value(spec, d->motion[i], WHAT, name, "motion", error));
        HF_TRY(hf_check_value(spec, d->rate[i], WHAT, name, "rate", error));
    }
    HF_TRY(check_turns(spec, d, name, error));
    return d->follow.body.id != 0 ? check_follow(spec, d, name, error) : HF_OK;
}

static void driven_size(const void *def, int *nq, int *nv)
{
    const hf_driven_def *d = def;
    *nq = *nv = d->dim + d->angle_count;
}

static hf_input input_of(hf_value value)
{
    return (hf_input){.constant = value.constant, .signal = value.signal.id - 1};
}

static bool driven_lay(const void *def, const hf_body_spot *spot, void *body)
{
    static const hf_vec3 xyz[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    const hf_driven_def *d = def;
    hf_driven *driven = body;
    *driven = (hf_driven){.point = hf_point_at(spot, d->dim, d->axes),
                          .by_velocity = d->by_velocity,
                          .angles = d->angle_count,
                          .base = hf_quat_rotation(d->orientation)};
    for (int k = 0; k < d->angle_count; ++k) {
        double length = hf_v3_norm(d->axis);
        driven->turn_axes[k] = d->angle_count == 1 ? hf_v3_scale(1.0 / length, d->axis) : xyz[k];
    }
    driven->point.dim += d->angle_count;
    return true;
}

static void driven_drive(const void *def, int k, hf_drive *drive)
{
    const hf_driven_def *d = def;
    bool turns = k >= d->dim;
    drive->motion = input_of(turns ? d->angles[k - d->dim] : d->motion[k]);
    drive->rate = turns ? drive->motion : input_of(d->rate[k]);
    drive->by_velocity = d->by_velocity;
    drive->has_rate = d->has_rate;
    drive->leader = d->follow;
    drive->leader.axis += k;
}

static void driven_start(const void *def, double *q, double *v)
{
    const hf_driven_def *d = def;
    (void)v;
    memcpy(q, d->start, (size_t)d->dim * sizeof *q);
}

static void driven_info(const void *def, hf_body_info *info)
{
    const hf_driven_def *d = def;
    info->dim = d->dim;
    memcpy(info->axes, d->axes, sizeof info->axes);
}

// ------------------------------------------------------------------------------------------------
// Turns: R = R_2 R_1 R_0 base, each R_k about its own axis, so that w = sum of angle_k' e_k with
// e_k = R_2 .. R_(k+1) axis_k.

// e: the axes as they stand. Returns R.
static hf_mat3 turn(const hf_driven *d, const double *angles, hf_vec3 *e)
{
    hf_mat3 so_far = hf_m3_identity();
    for (int k = d->angles - 1; k >= 0; --k) {
        e[k] = hf_m3_mulv(&so_far, d->turn_axes[k]);
        hf_mat3 one = hf_quat_rotation(hf_quat_from_axis_angle(d->turn_axes[k], angles[k]));
        so_far = hf_m3_mul(&so_far, &one);
    }
    return hf_m3_mul(&so_far, &d->base);
}

static hf_pose pose_of(const hf_driven *d, const double *q, const double *v)
{
    hf_vec3 e[3];
    hf_pose pose = hf_point_pose(&d->point, q, v);
    pose.rotation = turn(d, q + d->point.q + d->point.shifts, e);
    for (int k = 0; k < d->angles; ++k) {
        pose.spin = hf_v3_axpy(pose.spin, v[d->point.v + d->point.shifts + k], e[k]);
    }
    return pose;
}

static void driven_pose(const void *bodies, int count, const hf_body_io *io)
{
    const hf_driven *drivens = bodies;
    for (int i = 0; i < count; ++i) {
        if (drivens[i].point.pose >= 0) {
            io->poses[drivens[i].point.pose] = pose_of(&drivens[i], io->q, io->v);
        }
    }
}

static void gather(const hf_driven *d, const double *q, const hf_wrench *wrenches, double *u)
{
    const hf_point *point = &d->point;
    hf_vec3 e[3];
    hf_point_gather(point, wrenches, u);
    if (d->angles > 0) {
        (void)turn(d, q + point->q + point->shifts, e);
    }
    for (int k = 0; k < d->angles; ++k) {
        u[point->v + point->shifts + k] += hf_v3_dot(wrenches[point->pose].torque, e[k]);
    }
}

static void driven_gather(const void *bodies, int count, const hf_body_io *io)
{
    const hf_driven *drivens = bodies;
    for (int i = 0; i < count; ++i) {
        if (drivens[i].point.pose >= 0) {
            gather(&drivens[i], io->q, io->wrenches, io->u);
        }
    }
}

// w' while the angles' rates do not change: none about one axis. About three, roll r, pitch p and
// yaw y, w' = y' e_2 x p' e_1 + (y' e_2 + p' e_1) x r' e_0. The axes and rates follow from the pose
// but where the pitch is a right angle, and the rates of roll and yaw cannot be told apart.
static void driven_pose_rates(const void *bodies, int count, const hf_pose *poses,
                              hf_pose_rate *rates)
{
    const hf_driven *drivens = bodies;
    for (int i = 0; i < count; ++i) {
        int at = drivens[i].point.pose;
        if (at < 0 || drivens[i].angles < 3) {
            continue;
        }
        hf_mat3 back = hf_m3_transpose(&drivens[i].base);
        hf_mat3 turned = hf_m3_mul(&poses[at].rotation, &back);
        hf_vec3 e0 = hf_v3(turned.xx, turned.yx, turned.zx), e2 = hf_v3(0.0, 0.0, 1.0);
        hf_vec3 w = poses[at].spin, e1 = hf_v3_cross(e2, e0);
        double along = e0.z, across = hf_v3_norm(e1);
        if (!(across > 0.0)) {
            continue;
        }
        e1 = hf_v3_scale(1.0 / across, e1);
        double roll = (hf_v3_dot(w, e0) - along * w.z) / (across * across);
        hf_vec3 yaw = hf_v3_scale(w.z - along * roll, e2);
        hf_vec3 pitch = hf_v3_scale(hf_v3_dot(w, e1), e1);
        hf_vec3 both = hf_v3_cross(hf_v3_add(yaw, pitch), hf_v3_scale(roll, e0));
        rates[at].spin = hf_v3_add(rates[at].spin, hf_v3_add(hf_v3_cross(yaw, pitch), both));
    }
}

static void driven_q_rate(const void *bodies, int count, const double *q, const double *v,
                          double *dq)
{
    const hf_driven *drivens = bodies;
    (void)q;
    for (int i = 0; i < count; ++i) {
        const hf_point *point = &drivens[i].point;
        for (int k = 0; k < point->dim; ++k) {
            dq[point->q + k] = drivens[i].by_velocity ? v[point->v + k] : 0.0;
        }
    }
}

static void driven_rate(const void *bodies, int count, const hf_body_io *io, double *dq, double *dv)
{
    const hf_driven *drivens = bodies;
    driven_q_rate(bodies, count, io->q, io->v, dq);
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < drivens[i].point.dim; ++k) {
            dv[drivens[i].point.v + k] = 0.0;
        }
    }
}

// J of a push in its own coordinates: shifts along their axes, turns about e_k.
static void driven_rows(const void *body, const hf_body_io *io, const hf_body_push *push,
                        const double *l, double *rows, size_t stride, double *scratch)
{
    const hf_driven *d = body;
    hf_vec3 e[3];
    (void)l, (void)scratch;
    (void)turn(d, io->q + d->point.q + d->point.shifts, e);
    for (int r = 0; r < push->count; ++r, rows += stride) {
        hf_vec3 force = push->force != NULL ? push->force[r] : hf_v3(0.0, 0.0, 0.0);
        hf_vec3 torque = hf_v3_add(hf_v3_cross(push->arm, force), push->torque[r]);
        const double along[3] = {force.x, force.y, force.z};
        for (int k = 0; k < d->point.shifts; ++k) {
            rows[k] += push->sign * along[d->point.axes[k]];
        }
        for (int k = 0; k < d->angles; ++k) {
            rows[d->point.shifts + k] += push->sign * hf_v3_dot(torque, e[k]);
        }
    }
}

static void driven_clear(const void *body, const hf_body_io *io)
{
    const hf_point *point = &((const hf_driven *)body)->point;
    memset(io->u + point->v, 0, (size_t)point->dim * sizeof *io->u);
    if (point->pose >= 0) {
        io->wrenches[point->pose] = (hf_wrench){0};
    }
}

static hf_pose driven_look(const void *body, int link, const hf_body_io *io)
{
    (void)link;
    return pose_of(body, io->q, io->v);
}

static const char *driven_axis(const void *body, int axis)
{
    static const char *const names[] = {"roll", "pitch", "yaw"}, *const xyz[] = {"x", "y", "z"};
    const hf_driven *d = body;
    int angle = axis - d->point.shifts;
    return angle < 0 ? xyz[d->point.axes[axis]] : d->angles == 1 ? "angle" : names[angle];
}

static const char *driven_unit(const void *body, int axis, bool rate)
{
    bool turns = axis >= ((const hf_driven *)body)->point.shifts;
    return turns ? (rate ? "rad/s" : "rad") : (rate ? "m/s" : "m");
}

const hf_body_ops hf_driven_ops = {.type = HF_BODY_DRIVEN,
                                   .name = "driven",
                                   .bytes = sizeof(hf_driven),
                                   .in_axes = true,
                                   .coordinates = true,
                                   .shaped = true,
                                   .def_size = sizeof(hf_driven_def),
                                   .check = driven_check,
                                   .size = driven_size,
                                   .lay = driven_lay,
                                   .start = driven_start,
                                   .info = driven_info,
                                   .drive = driven_drive,
                                   .axis = driven_axis,
                                   .unit = driven_unit,
                                   .pose = driven_pose,
                                   .gather = driven_gather,
                                   .rate = driven_rate,
                                   .q_rate = driven_q_rate,
                                   .clear = driven_clear,
                                   .pose_rates = driven_pose_rates,
                                   .rows = driven_rows,
                                   .look = driven_look};
