// SPDX-License-Identifier: Apache-2.0
// The points of contact of the last step, for who wants to see them.
#include "methods/timestep/timestep.h"

int hf_ts_views(hf_sim *sim, hf_contact_view *views, int room)
{
    const hf_timestep *ts = hf_timestep_of(sim);
    double h = ((const hf_ts_kept *)sim->kept)->step;
    int count = 0;
    for (int i = 0; i < ts->count; ++i) {
        const hf_ts_contact *contact = &ts->contacts[i];
        const hf_contact_point *p = &contact->point;
        if (contact->kind != HF_TS_POINT) {
            continue;
        }
        if (count < room) {
            // Where it is now: a step's turn of its arm is left out.
            views[count] = (hf_contact_view){
                .force = {sim->model->forces[p->force].id + 1},
                .on = {ts->pose_body[p->on]},
                .to = {p->scenery > 0 ? p->scenery : ts->pose_body[p->to]},
                .point = hf_v3_add(sim->poses[p->on].position, p->place.on_arm),
                .normal = p->place.n,
                .push = hf_v3_scale(1.0 / h, hf_from_axes(&p->place, ts->r + 3 * i)),
                .gap = p->place.gap,
                .regime = contact->regime};
        }
        ++count;
    }
    return count;
}
