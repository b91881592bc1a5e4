// SPDX-License-Identifier: Apache-2.0
// Driven bodies: their motion is given, and forces do not change it. The sim writes it into the
// state before each evaluation; only positions of bodies driven by velocity are integrated.
#include <string.h>

#include "bodies/bodies.h"

static void driven_size(const void *def, int *nq, int *nv)
{
    *nq = *nv = ((const hf_driven_def *)def)->dim;
}

static hf_input input_of(hf_value value)
{
    return (hf_input){.constant = value.constant, .signal = value.signal.id - 1};
}

static bool driven_lay(const void *def, const hf_body_spot *spot, void *body)
{
    const hf_driven_def *d = def;
    hf_driven *driven = body;
    *driven =
        (hf_driven){.point = hf_point_at(spot, d->dim, d->axes), .by_velocity = d->by_velocity};
    return true;
}

static void driven_drive(const void *def, int k, hf_drive *drive)
{
    const hf_driven_def *d = def;
    drive->motion = input_of(d->motion[k]);
    drive->rate = input_of(d->rate[k]);
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

static void driven_pose(const void *bodies, int count, const hf_body_io *io)
{
    const hf_driven *drivens = bodies;
    for (int i = 0; i < count; ++i) {
        if (drivens[i].point.pose >= 0) {
            io->poses[drivens[i].point.pose] = hf_point_pose(&drivens[i].point, io->q, io->v);
        }
    }
}

static void driven_gather(const void *bodies, int count, const hf_body_io *io)
{
    const hf_driven *drivens = bodies;
    for (int i = 0; i < count; ++i) {
        if (drivens[i].point.pose >= 0) {
            hf_point_gather(&drivens[i].point, io->wrenches, io->u);
        }
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
    return hf_point_pose(&((const hf_driven *)body)->point, io->q, io->v);
}

const hf_body_ops hf_driven_ops = {.type = HF_BODY_DRIVEN,
                                   .name = "driven",
                                   .bytes = sizeof(hf_driven),
                                   .in_axes = true,
                                   .coordinates = true,
                                   .size = driven_size,
                                   .lay = driven_lay,
                                   .start = driven_start,
                                   .info = driven_info,
                                   .drive = driven_drive,
                                   .pose = driven_pose,
                                   .gather = driven_gather,
                                   .rate = driven_rate,
                                   .q_rate = driven_q_rate,
                                   .clear = driven_clear,
                                   .look = driven_look};
