// SPDX-License-Identifier: Apache-2.0
// The shortest way out of a box for the core of a capsule, a line, that overlaps it.
#ifndef HF_SHAPES_LINE_BOX_H
#define HF_SHAPES_LINE_BOX_H

#include "shapes/ways.h"

// `place`: the line's center from the box's; `way` has n from the box to the line, and the line's
// point. Never apart.
hf_way_said hf_line_box_find(const hf_solid *line, const hf_solid *box, hf_vec3 place, hf_way *way);

#endif
