// SPDX-License-Identifier: Apache-2.0
// Surfaces that give way (slip of hf_shape_def). Below the bound of friction a contact with the
// tangential force f slips with the velocity
//
//   u_T = -slip f,   f = r_T/h:   u_T + (slip/h) r_T = 0 in place of u_T = 0
//
// so that slip/h stands on W's diagonal, and all that solves for contacts finds it. At the bound
// Coulomb's law holds as ever. The force is that between two solids: where they touch in several
// points each has its part of it, and n points that share it alike slip n times as much for each
// newton of theirs.
#include "methods/timestep/timestep.h"

static bool gives_way(const hf_ts_contact *contact)
{
    return contact->kind == HF_TS_POINT && !contact->smooth &&
           (contact->point.slip[0] > 0.0 || contact->point.slip[1] > 0.0);
}

// Points of two solids, from contact `first` on, that touch; *end: behind the last of them.
static int count_touching(const hf_timestep *ts, int first, int *end)
{
    const hf_ts_contact *contacts = ts->problem.contacts;
    uint64_t pair = hf_collider_pair(ts->machine.collider, &contacts[first].point);
    int count = 0, i = first;
    for (; i < ts->problem.count; ++i) {
        const hf_ts_contact *contact = &contacts[i];
        if (contact->kind == HF_TS_POINT) {
            if (hf_collider_pair(ts->machine.collider, &contact->point) != pair) {
                break;
            }
            count += contact->point.place.gap <= ts->machine.allowed ? 1 : 0;
        }
    }
    *end = i;
    return count > 0 ? count : 1;
}

void hf_ts_give_way(hf_sim *sim, double h)
{
    hf_timestep *ts = hf_timestep_of(sim);
    if (!sim->model->surfaces_slip) {
        return;
    }
    for (int i = 0, end; i < ts->problem.count; i = end) {
        end = i + 1;
        if (!gives_way(&ts->problem.contacts[i])) {
            continue;
        }
        int touching = count_touching(ts, i, &end);
        for (int k = i; k < end; ++k) {
            hf_ts_contact *contact = &ts->problem.contacts[k];
            if (gives_way(contact)) {
                contact->yields = ts->attempt.traits.yields = true;
                contact->idle[1] = touching * contact->point.slip[0] / h;
                contact->idle[2] = touching * contact->point.slip[1] / h;
            }
        }
    }
}
