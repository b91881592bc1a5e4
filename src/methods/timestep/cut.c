// SPDX-License-Identifier: Apache-2.0
// Steps that lead bodies through each other are cut. Reactions hold the gaps of the beginning to
// first order; what is much faster than its size by the step, or turns far, leaves them (pass.c).
#include <math.h>
#include <string.h>

#include "methods/timestep/timestep.h"

// Velocities of coordinates that move nothing by more than this part of the thinnest side, within
// the step and on levers of up to 1 m, need no look.
static const double SLOW = 0.01;

static bool is_slow(const hf_sim *sim, double h, double thin)
{
    const double *v = sim->stage + sim->model->nq;
    double fastest = 0.0;
    for (int i = 0; i < sim->model->nv; ++i) {
        fastest = fmax(fastest, fabs(v[i]));
    }
    return !(h * fastest > SLOW * fmin(1.0, thin));
}

bool hf_ts_goes_through(hf_sim *sim, double h)
{
    const hf_model *model = sim->model;
    hf_timestep *ts = hf_timestep_of(sim);
    if (ts->machine.collider == NULL || !hf_collider_has_near(ts->machine.collider) ||
        is_slow(sim, h, hf_collider_thinness(ts->machine.collider))) {
        return false;
    }
    // Poses of the end, from orientations of unit length; all is put back
    size_t q_size = (size_t)model->nq * sizeof *sim->stage;
    size_t pose_size = (size_t)model->pose_count * sizeof *sim->poses;
    int ends[2];
    memcpy(ts->scratch.spare, sim->stage, q_size);
    memcpy(ts->motion.pose_begin, sim->poses, pose_size);
    hf_sim_normalize(sim, sim->stage);
    hf_bodies_place(model->sets, model->set_count,
                    hf_sim_io(sim, sim->stage, sim->stage + model->nq));
    bool through =
        hf_collider_passes(ts->machine.collider, ts->motion.pose_begin, sim->poses, h, ends);
    memcpy(sim->poses, ts->motion.pose_begin, pose_size);
    memcpy(sim->stage, ts->scratch.spare, q_size);
    return through;
}
