// SPDX-License-Identifier: Apache-2.0
// The direction that keeps a box and a cylinder farthest apart, or least deep in each other, by
// their features: no search among points of both.
#ifndef HF_SHAPES_BOX_CYLINDER_H
#define HF_SHAPES_BOX_CYLINDER_H

#include "shapes/ways.h"

// `place`: the box's center from the cylinder's.
hf_way_said hf_box_cylinder_find(const hf_solid *box, const hf_solid *cylinder, hf_vec3 place,
                                 double margin, hf_way *way);
// The same of the core of a capsule, a line, that overlaps the cylinder; never apart.
hf_way_said hf_line_cylinder_find(const hf_solid *line, const hf_solid *cylinder, hf_vec3 place,
                                  hf_way *way);

#endif
