// SPDX-License-Identifier: Apache-2.0
// Bodies whose motion is given, over a step.
#include <string.h>

#include "collide/way.h"
#include "loops/loops.h"
#include "methods/timestep/timestep.h"

// A body's pose in space, with coordinates q and velocities v.
static hf_pose pose_of(hf_sim *sim, const hf_body_place *place, const double *q, const double *v)
{
    return place->ops->look(place->body, place->link, hf_sim_io(sim, q, v));
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
            ts->drive.spin[pose] = hf_mean_spin(&before.rotation, &there.rotation, h);
            ts->drive.spin_before[pose] = before.spin;
        }
    }
}

// Mass-weighted velocities with which loops follow the driven bodies that they hold to, into
// s_driven: any that do, as what loops forbid is the same for all of them.
static void follow_drives(hf_sim *sim)
{
    hf_timestep *ts = hf_timestep_of(sim);
    double *v = sim->response;
    memset(v, 0, (size_t)sim->model->nv * sizeof *v);
    hf_loops_follow(sim, sim->x, ts->drive.v_end, v);
    for (int i = 0; i < ts->machine.mover_count; ++i) {
        hf_ts_weigh(sim, &ts->machine.movers[i], v, ts->motion.s_driven);
    }
    for (int i = 0; i < ts->machine.group_count; ++i) {
        const hf_ts_group *group = &ts->machine.groups[i];
        if (group->stiff) {
            hf_ts_envelope_weigh(ts, group, ts->motion.s_driven + group->s);
        }
    }
}

void hf_ts_close_loops(hf_sim *sim)
{
    hf_timestep *ts = hf_timestep_of(sim);
    if (sim->model->cluster_count == 0) {
        return;
    }
    bool driven = sim->model->cluster_driver_count > 0;
    if (driven) {
        follow_drives(sim);
    }
    // What loops forbid is taken out of them, apart from what follows driven bodies
    memcpy(ts->motion.s_change, ts->motion.s_free,
           (size_t)ts->machine.s_count * sizeof *ts->motion.s_free);
    for (int i = 0; i < ts->machine.s_count && driven; ++i) {
        ts->motion.s_free[i] -= ts->motion.s_driven[i];
    }
    for (int i = 0; i < ts->machine.group_count; ++i) {
        if (ts->machine.groups[i].rank > 0) {
            hf_ts_keep_loops(ts, &ts->machine.groups[i],
                             ts->motion.s_free + ts->machine.groups[i].s);
        }
    }
    for (int i = 0; i < ts->machine.s_count && driven; ++i) {
        ts->motion.s_free[i] += ts->motion.s_driven[i];
    }
    // and so of plain velocities
    for (int i = 0; i < ts->machine.s_count; ++i) {
        ts->motion.s_change[i] = ts->motion.s_free[i] - ts->motion.s_change[i];
    }
    const double *change = hf_ts_plain(ts, ts->motion.s_change);
    for (int i = 0; i < ts->machine.mover_count; ++i) {
        if (ts->machine.groups[ts->machine.movers[i].group].rank > 0) {
            hf_ts_add_velocity(&ts->machine.movers[i], change, ts->motion.free_v);
        }
    }
}
