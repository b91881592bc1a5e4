// SPDX-License-Identifier: Apache-2.0
// How rates of couplings change: d/dt (J v) = J v' + what turns and bends while v stays.
#include <string.h>

#include "sim/sim_data.h"

void hf_pose_rates(const hf_sim *sim, hf_pose_rate *rates)
{
    const hf_model *model = sim->model;
    memset(rates, 0, (size_t)model->pose_count * sizeof *rates);
    hf_bodies_pose_rates(model->sets, model->set_count, sim->poses, rates);
}

void hf_force_bias(const hf_force_place *force, const hf_bias *bias)
{
    if (force->ops->bias != NULL) {
        force->ops->bias(force->item, bias);
    } else {
        memset(bias->change + force->row, 0, (size_t)force->dim * sizeof *bias->change);
    }
}
