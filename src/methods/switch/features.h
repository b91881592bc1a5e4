// SPDX-License-Identifier: Apache-2.0
// Points of contact between shapes: what roots ask of them (switch_features.c), and what lies
// beside their solids (switch_beside.c).
#ifndef HF_METHODS_SWITCH_FEATURES_H
#define HF_METHODS_SWITCH_FEATURES_H

#include "methods/switch/switch.h"

// hf_sim_pushes of all points (switch_points.c).
void hf_points_tell(const hf_sim *sim, hf_push_taker *take, void *context);

// How far bodies may still go before other features could touch, as a part of the gaps up to which
// they are listed.
double hf_points_leeway(const hf_sim *sim);
// How far two points at one place may still part before both are points [m].
double hf_point_twin_room(const hf_switch *own, const hf_element *twin);
// Whether an open point touches as soon as it is inside: it slides onto a face at its own height.
bool hf_point_slides_in(const hf_sim *sim, const hf_element *e);

// Where a solid is with its body at a pose.
static inline hf_spot hf_points_spot(const hf_solid_place *place, const hf_pose *pose)
{
    hf_vec3 arm = hf_m3_mulv(&pose->rotation, place->center);
    return (hf_spot){.rotation =
                         place->turned ? hf_m3_mul(&pose->rotation, &place->turn) : pose->rotation,
                     .center = hf_v3_add(pose->position, arm)};
}
// Lists what is beside each solid (switch_beside.c).
HF_NODISCARD hf_status hf_points_list_beside(hf_sim *sim, hf_error *error);
// Open features in each other by more than this have not touched, but passed by each other [m]:
// what comes over a face from its end is at its height, or touches something else.
double hf_point_deep(const hf_switch *own, const hf_switch_point *point);
// Whether solids beside one of a point's two cover the feature that it is on.
bool hf_point_is_covered(const hf_sim *sim, const hf_switch_point *point);
// Whether two solids are one surface to a third one, at a place where both are: the same friction,
// restitution and speed by the same force (switch_surfaces.c).
bool hf_points_have_one_surface(const hf_sim *sim, int a, int b, int other, hf_vec3 place);

#endif
