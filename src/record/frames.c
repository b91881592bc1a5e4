// SPDX-License-Identifier: Apache-2.0
// Reading frames off a sim.
#include <math.h>

#include "record/scene.h"

enum {
    FRAMES_WANTED = 1500,
    FRAMES_LEAST = 100,
    BYTES_MOST = 1 << 25 // of all frames of a run
};

hf_frame_plan hf_frame_plan_make(const hf_model *model, double duration)
{
    hf_model_info info = hf_model_get_info(model);
    double row = (double)sizeof(float) * ((double)info.bodies * HF_FRAME_POSE_COLUMNS +
                                          (double)info.forces * HF_FRAME_FORCE_COLUMNS) +
                 sizeof(double) * (1.0 + HF_FRAME_ENERGY_COLUMNS);
    int most = (int)fmin(FRAMES_WANTED, BYTES_MOST / row);
    return (hf_frame_plan){.wanted = most >= FRAMES_LEAST,
                           .interval = duration / most,
                           .most = most,
                           .bodies = info.bodies,
                           .forces = info.forces};
}

static float *put_vector(float *to, hf_vec3 v)
{
    to[0] = (float)v.x;
    to[1] = (float)v.y;
    to[2] = (float)v.z;
    return to + 3;
}

void hf_frame_fill(hf_sim *sim, const hf_frame_plan *plan, hf_frame_rows *rows)
{
    rows->time = hf_sim_time(sim);
    float *to = rows->poses;
    for (int id = 1; id <= plan->bodies; ++id) {
        hf_vec3 position;
        hf_quat turn;
        hf_sim_pose(sim, (hf_body){id}, &position, &turn);
        to = put_vector(to, position);
        *to++ = (float)turn.w;
        to = put_vector(to, (hf_vec3){turn.x, turn.y, turn.z});
    }
    to = rows->forces;
    for (int id = 1; id <= plan->forces; ++id) {
        hf_force_view view = hf_sim_force_view(sim, (hf_force){id});
        to = put_vector(to, view.on_point);
        to = put_vector(to, view.to_point);
        to = put_vector(to, view.force);
        *to++ = (float)view.size;
        *to++ = (float)view.gap;
        *to++ = (float)view.regime;
    }
    hf_energy e = hf_sim_energy(sim);
    const double energy[HF_FRAME_ENERGY_COLUMNS] = {e.kinetic, e.potential,  e.stored,
                                                    e.input,   e.dissipated, e.residual};
    for (int i = 0; i < HF_FRAME_ENERGY_COLUMNS; ++i) {
        rows->energy[i] = energy[i];
    }
}
