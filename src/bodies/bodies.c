// SPDX-License-Identifier: Apache-2.0
// Dispatch over the kinds of bodies: all bodies of a kind in one call.
#include "bodies/bodies.h"

const hf_body_ops *hf_body_ops_of(hf_body_type type)
{
    static const hf_body_ops *const table[HF_BODY_TYPE_COUNT] = {
#define HF_BODY(NAME, name) [HF_BODY_##NAME] = &hf_##name##_ops,
#include <holdfast/bodies.def>
    };
    return table[type];
}

bool hf_body_inertia_number(double *mass, hf_sym3 *inertia, int k, hf_body_number *number)
{
    static const char *const parts[] = {"", "xx", "yy", "zz", "xy", "xz", "yz"};
    double *const at[] = {mass,         &inertia->xx, &inertia->yy, &inertia->zz,
                          &inertia->xy, &inertia->xz, &inertia->yz};
    if (k < 0 || k > 6) {
        return false;
    }
    number->name = k == 0 ? "mass" : "inertia";
    number->part = parts[k];
    number->unit = k == 0 ? "kg" : "kg m^2";
    number->at = at[k];
    return true;
}

void hf_bodies_pose(const hf_body_set *sets, int count, const hf_body_io *io)
{
    for (const hf_body_set *set = sets; set < sets + count; ++set) {
        if (set->posed > 0) {
            set->ops->pose(set->bodies, set->count, io);
        }
    }
}

void hf_bodies_place(const hf_body_set *sets, int count, const hf_body_io *io)
{
    for (const hf_body_set *set = sets; set < sets + count; ++set) {
        if (set->posed > 0) {
            (set->ops->place != NULL ? set->ops->place : set->ops->pose)(set->bodies, set->count,
                                                                         io);
        }
    }
}

void hf_bodies_gather(const hf_body_set *sets, int count, const hf_body_io *io)
{
    for (const hf_body_set *set = sets; set < sets + count; ++set) {
        if (set->posed > 0 && set->ops->gather != NULL) {
            set->ops->gather(set->bodies, set->count, io);
        }
    }
}

void hf_bodies_q_rate(const hf_body_set *sets, int count, const double *q, const double *v,
                      double *dq)
{
    for (const hf_body_set *set = sets; set < sets + count; ++set) {
        if (set->ops->q_rate != NULL) {
            set->ops->q_rate(set->bodies, set->count, q, v, dq);
        }
    }
}

void hf_bodies_normalize(const hf_body_set *sets, int count, double *q)
{
    for (const hf_body_set *set = sets; set < sets + count; ++set) {
        if (set->ops->normalize != NULL) {
            set->ops->normalize(set->bodies, set->count, q);
        }
    }
}

void hf_bodies_energy(const hf_body_set *sets, int count, const hf_body_io *io, double *kinetic,
                      double *potential)
{
    for (const hf_body_set *set = sets; set < sets + count; ++set) {
        if (set->ops->energy != NULL) {
            set->ops->energy(set->bodies, set->count, io, kinetic, potential);
        }
    }
}

void hf_bodies_still(const hf_body_set *sets, int count, hf_pose *poses)
{
    for (const hf_body_set *set = sets; set < sets + count; ++set) {
        if (set->ops->still != NULL) {
            set->ops->still(set->bodies, set->count, poses);
        }
    }
}

void hf_bodies_pose_rates(const hf_body_set *sets, int count, const hf_pose *poses,
                          hf_pose_rate *rates)
{
    for (const hf_body_set *set = sets; set < sets + count; ++set) {
        if (set->ops->pose_rates != NULL) {
            set->ops->pose_rates(set->bodies, set->count, poses, rates);
        }
    }
}
