// SPDX-License-Identifier: Apache-2.0
// Surfaces of points of contact as forces: friction, restitution, direction and velocity that
// shapes, materials and pairs have of their own.
#ifndef HF_COLLIDE_POINT_SURFACE_H
#define HF_COLLIDE_POINT_SURFACE_H

#include "collide/collider.h"
#include "swarm/swarm.h"

// Numbers of the law for a restitution that is not the force's.
typedef struct hf_design {
    int force;
    double restitution; // 0 to 1 [-]
    hf_rigid_contact_def round, flat;
} hf_design;

// All that a machine has needed so far. There is room for every one that its surfaces can make.
typedef struct hf_designs {
    hf_design *items;
    int count, capacity;
} hf_designs;

HF_NODISCARD hf_status hf_designs_create(hf_designs *designs, const hf_collider *collider,
                                         hf_error *error);
void hf_designs_destroy(hf_designs *designs, const hf_collider *collider);

// The surface of a point that the collider found at these poses.
hf_point_surface hf_point_surface_of(const hf_collider *collider, hf_designs *designs,
                                     const hf_contact_point *found, const hf_pose *poses);

#endif
