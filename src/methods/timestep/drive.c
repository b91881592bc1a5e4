// SPDX-License-Identifier: Apache-2.0
// Bodies whose motion is given, over a step.
#include <math.h>
#include <string.h>

#include "methods/timestep/timestep.h"

// A body's pose in space, with coordinates q and velocities v.
static hf_pose pose_of(hf_sim *sim, const hf_body_place *place, const double *q, const double *v)
{
    return place->ops->look(place->body, place->link, hf_sim_io(sim, q, v));
}

// The spin that makes one orientation of another in a time h: less than half a revolution.
static hf_vec3 mean_spin(const hf_mat3 *from, const hf_mat3 *to, double h)
{
    hf_mat3 back = hf_m3_transpose(from), turn = hf_m3_mul(to, &back);
    hf_vec3 along =
        hf_v3_scale(0.5, hf_v3(turn.zy - turn.yz, turn.xz - turn.zx, turn.yx - turn.xy));
    double sine = hf_v3_norm(along), cosine = 0.5 * (turn.xx + turn.yy + turn.zz - 1.0);
    return hf_v3_scale((sine > 0.0 ? atan2(sine, cosine) / sine : 1.0) / h, along);
}

// How driven bodies move over the step: by the mean velocity of those with a given position, at the
// end's of those with a given velocity.
void hf_ts_move_driven(hf_sim *sim, double h, double end)
{
    const hf_model *model = sim->model;
    hf_timestep *ts = hf_timestep_of(sim);
    double *q = sim->stage, *v = sim->stage + model->nq;
    if (model->drive_count == 0) {
        return;
    }
    memcpy(sim->stage, sim->x, (size_t)(model->nq + model->nv) * sizeof *sim->x);
    hf_signals_update(sim, end, HF_SIDE_LEFT);
    hf_sim_drive(sim, end, HF_SIDE_LEFT, q, v);
    hf_signals_update(sim, sim->core->time, HF_SIDE_RIGHT);
    // Coordinates
    for (int i = 0; i < model->drive_count; ++i) {
        const hf_drive *d = &model->drives[i];
        bool placed = !d->by_velocity && d->follow_q < 0;
        ts->drive.v_before[d->v] = sim->x[model->nq + d->v];
        ts->drive.v_end[d->v] = v[d->v];
        ts->drive.v[d->v] = placed ? (q[d->q] - sim->x[d->q]) / h : v[d->v];
    }
    // What couplings in space see of them
    for (int i = 0; i < model->driven_body_count; ++i) {
        const hf_body_place *place = &model->bodies[model->driven_bodies[i]];
        int pose = place->pose;
        if (pose >= 0) {
            hf_pose before = pose_of(sim, place, sim->x, ts->drive.v_before);
            hf_pose there = pose_of(sim, place, q, ts->drive.v);
            ts->drive.pose[pose] = there.velocity;
            ts->drive.pose_before[pose] = before.velocity;
            ts->drive.spin[pose] = mean_spin(&before.rotation, &there.rotation, h);
            ts->drive.spin_before[pose] = before.spin;
        }
    }
}
