// SPDX-License-Identifier: Apache-2.0
// The points of contact of the last step, for callers that show or record them.
#include "methods/timestep/timestep.h"

int hf_ts_views(hf_sim *sim, hf_contact_view *views, int room)
{
    const hf_timestep *ts = hf_timestep_of(sim);
    double h = ((const hf_ts_kept *)sim->kept)->step;
    int count = 0;
    for (int i = 0; i < ts->problem.count; ++i) {
        const hf_ts_contact *contact = &ts->problem.contacts[i];
        const hf_contact_point *p = &contact->point;
        if (contact->kind != HF_TS_POINT) {
            continue;
        }
        if (count < room) {
            // Where it is now: a step's turn of its arm is left out.
            views[count] = (hf_contact_view){
                .force = {sim->model->forces[p->force].id + 1},
                .on = {ts->machine.pose_body[p->on]},
                .to = {p->scenery > 0 ? p->scenery : ts->machine.pose_body[p->to]},
                .point = hf_v3_add(sim->poses[p->on].position, p->place.on_arm),
                .normal = p->place.n,
                .push = hf_v3_scale(1.0 / h, hf_from_axes(&p->place, ts->problem.r + 3 * i)),
                .gap = p->place.gap,
                .regime = contact->regime};
        }
        ++count;
    }
    return count;
}

// From the origin of a side's body to the point: the arms of scenery begin at the world's origin.
static hf_vec3 arm_of(const hf_sim *sim, const hf_contact_point *p, bool to)
{
    if (!to) {
        return p->place.on_arm;
    }
    hf_vec3 origin = {0};
    if (p->scenery > 0) {
        origin = sim->poses[sim->model->bodies[p->scenery - 1].pose].position;
    }
    return hf_v3_sub(p->place.to_arm, origin);
}

hf_wrench hf_ts_contact_wrench(const hf_sim *sim, int body, int other)
{
    const hf_timestep *ts = hf_timestep_of(sim);
    double h = ((const hf_ts_kept *)sim->kept)->step;
    hf_wrench sum = {0};
    for (int i = 0; i < ts->problem.count; ++i) {
        const hf_ts_contact *contact = &ts->problem.contacts[i];
        const hf_contact_point *p = &contact->point;
        bool point = contact->kind == HF_TS_POINT, turns = !point && contact->owner >= 0;
        int on = ts->machine.pose_body[p->on];
        int to = p->scenery > 0 ? p->scenery : ts->machine.pose_body[p->to];
        bool mine = (on == body && (other == 0 || to == other)) ||
                    (to == body && (other == 0 || on == other));
        if (!mine || !(point || turns)) {
            continue;
        }
        double share = (on == body ? 1.0 : -1.0) / h;
        const double *r = ts->problem.r + 3 * i;
        if (turns) {
            hf_twist(&sum, hf_v3_scale(share, hf_ts_turn_of(contact, r)));
        } else {
            hf_push(&sum, arm_of(sim, p, on != body),
                    hf_v3_scale(share, hf_from_axes(&p->place, r)));
        }
    }
    return sum;
}
