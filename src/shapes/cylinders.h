// SPDX-License-Identifier: Apache-2.0
// The direction that keeps two cylinders farthest apart, or least deep in each other, by their
// features: as box_cylinder.h of a box and a cylinder.
#ifndef HF_SHAPES_CYLINDERS_H
#define HF_SHAPES_CYLINDERS_H

#include "shapes/ways.h"

// `place`: a's center from b's; `way` has n from b to a, and a's point.
hf_way_said hf_cylinders_find(const hf_solid *a, const hf_solid *b, hf_vec3 place, double margin,
                              hf_way *way);

#endif
