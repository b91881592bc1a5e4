// SPDX-License-Identifier: Apache-2.0
// Driven bodies: their motion is given, and forces do not change it. The sim writes it into the
// state before each evaluation; only positions of bodies driven by velocity are integrated.
#include "bodies/bodies.h"

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

static hf_pose driven_look(const void *body, int link, const hf_body_io *io)
{
    (void)link;
    return hf_point_pose(&((const hf_driven *)body)->point, io->q, io->v);
}

const hf_body_ops hf_driven_ops = {.type = HF_BODY_DRIVEN,
                                   .name = "driven",
                                   .size = sizeof(hf_driven),
                                   .pose = driven_pose,
                                   .gather = driven_gather,
                                   .rate = driven_rate,
                                   .q_rate = driven_q_rate,
                                   .look = driven_look};
