// SPDX-License-Identifier: Apache-2.0
// The points of contact of the last step, for callers that show or record them.
#include "methods/timestep/timestep.h"

bool hf_ts_next(const hf_timestep *ts, hf_ts_cursor *at)
{
    // Contacts of the step and those that sleep are in the order of keys
    const hf_ts_contact *stirs =
        at->stirs < ts->problem.count ? &ts->problem.contacts[at->stirs] : NULL;
    const hf_ts_contact *sleeps =
        at->sleeps < ts->sleep.count ? &ts->sleep.contacts[at->sleeps] : NULL;
    if (sleeps != NULL && (stirs == NULL || sleeps->point.key < stirs->point.key)) {
        at->contact = sleeps;
        at->r = ts->sleep.r + 3 * at->sleeps++;
        return true;
    }
    at->contact = stirs;
    at->r = ts->problem.r + 3 * (size_t)at->stirs++;
    return stirs != NULL;
}

int hf_ts_views(hf_sim *sim, hf_contact_view *views, int room)
{
    const hf_timestep *ts = hf_timestep_of(sim);
    double h = ((const hf_ts_kept *)sim->kept)->step;
    int count = 0;
    for (hf_ts_cursor at = {0}; hf_ts_next(ts, &at);) {
        const hf_contact_point *p = &at.contact->point;
        if (at.contact->kind != HF_TS_POINT) {
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
                .push = hf_v3_scale(1.0 / h, hf_from_axes(&p->place, at.r)),
                .gap = p->place.gap,
                .regime = at.contact->regime};
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
    for (hf_ts_cursor at = {0}; hf_ts_next(ts, &at);) {
        const hf_ts_contact *contact = at.contact;
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
        const double *r = at.r;
        if (turns) {
            hf_twist(&sum, hf_v3_scale(share, hf_ts_turn_of(contact, r)));
        } else {
            hf_push(&sum, arm_of(sim, p, on != body),
                    hf_v3_scale(share, hf_from_axes(&p->place, r)));
        }
    }
    return sum;
}
