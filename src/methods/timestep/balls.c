// SPDX-License-Identifier: Apache-2.0
// Frictions of ball joints that stick. Their rows are along the world's axes and no sums of
// coordinates, but what they hold is: all three velocities of the joint, which are at rest exactly
// where the relative spin is. A tree whose other joints move would leave them a rounding.
#include "bodies/bodies.h"
#include "couplings/couplings.h"
#include "methods/timestep/timestep.h"

// Where the end of a coupling is; NULL: in the world.
static const hf_body_place *place_of(const hf_model *model, const hf_frame *frame)
{
    return frame->body.id == 0 ? NULL : &model->bodies[frame->body.id - 1];
}

// Whether `to` turns as the parent of a link does: that link, or one that is fixed to it.
static bool is_parent(const hf_body_place *link, const hf_body_place *to)
{
    const hf_tree_model *tree = &((const hf_tree_body *)link->body)->tree;
    bool same = to != NULL && to->link >= 0 && to->body == link->body;
    int parent = tree->links[link->link].parent;
    while (parent >= 0 && !(same && to->link == parent) && tree->links[parent].nv == 0) {
        parent = tree->links[parent].parent;
    }
    return parent < 0 ? to == NULL || (to->mover < 0 && to->nv == 0) : same && to->link == parent;
}

int hf_ts_ball_of(const hf_model *model, const hf_force_place *force)
{
    hf_frame ends[HF_COUPLING_MAX_TERMS];
    bool spins = force->exact == HF_EXACT_FRICTION && force->ops == &hf_coupling_ops_spin;
    if (!spins || force->ops->ends(&force->coupling_def, ends) != 2) {
        return -1;
    }
    for (int k = 0; k < 2; ++k) {
        const hf_body_place *link = place_of(model, &ends[k]);
        bool ball = link != NULL && link->link >= 0 && link->joint == HF_JOINT_SPHERICAL;
        if (ball && is_parent(link, place_of(model, &ends[1 - k]))) {
            return link->v;
        }
    }
    return -1;
}

void hf_ts_stop_balls(const hf_timestep *ts, double *v)
{
    for (int i = 0; i + 1 < ts->problem.count; ++i) {
        const hf_ts_contact *contact = &ts->problem.contacts[i];
        if (contact->part != HF_TS_PLANE || contact->regime != HF_REGIME_STICK ||
            contact[1].part != HF_TS_THIRD || contact[1].regime != HF_REGIME_STICK) {
            continue;
        }
        int index = contact->friction >= 0 ? contact->friction : contact->point.force;
        int first = ts->machine.ball[index];
        for (int k = 0; k < 3 && first >= 0; ++k) {
            v[first + k] = 0.0;
        }
    }
}
