// SPDX-License-Identifier: Apache-2.0
// The distance of a sphere's or capsule's core, a point or a line, from a box or a cylinder.
#ifndef HF_SHAPES_LINE_DISTANCE_H
#define HF_SHAPES_LINE_DISTANCE_H

#include "shapes/gjk.h"

// Whether hf_line_distance takes the two.
bool hf_line_distance_knows(const hf_solid *line, const hf_solid *other);

// As hf_gjk of the cores with scale 1; `place` is the line's center from the other's. Where the
// distance is more than `far`, there are no points.
hf_nearest hf_line_distance(const hf_solid *line, const hf_solid *other, hf_vec3 place, double far);

#endif
