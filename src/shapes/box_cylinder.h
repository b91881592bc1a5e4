// SPDX-License-Identifier: Apache-2.0
// The direction that keeps a box and a cylinder farthest apart, or least deep in each other, by
// their features: no search among points of both.
#ifndef HF_SHAPES_BOX_CYLINDER_H
#define HF_SHAPES_BOX_CYLINDER_H

#include "shapes/solid.h"

typedef enum hf_box_cylinder {
    HF_BOX_CYLINDER_FOUND,
    HF_BOX_CYLINDER_APART,  // by more than the margin
    HF_BOX_CYLINDER_UNSURE, // the direction is a good one, and may not be the best
} hf_box_cylinder;

typedef struct hf_box_cylinder_way {
    hf_vec3 n;  // from the cylinder to the box, unit, world axes
    double gap; // along n
    hf_vec3 at; // the box's point there, from the cylinder's center, world axes
} hf_box_cylinder_way;

// Directions all around, unit: 0 to HF_AROUND - 1.
enum { HF_AROUND = 26 };
static inline hf_vec3 hf_direction_around(int i)
{
    int k = i < HF_AROUND / 2 ? i : i + 1; // the middle of 27 is none
    hf_vec3 v = hf_v3(k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1);
    return hf_v3_scale(1.0 / hf_v3_norm(v), v);
}

// `place`: the box's center from the cylinder's.
hf_box_cylinder hf_box_cylinder_find(const hf_solid *box, const hf_solid *cylinder, hf_vec3 place,
                                     double margin, hf_box_cylinder_way *way);

#endif
