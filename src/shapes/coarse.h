// SPDX-License-Identifier: Apache-2.0
// Meshes with fewer triangles, to be looked at.
#ifndef HF_SHAPES_COARSE_H
#define HF_SHAPES_COARSE_H

#include "shapes/mesh_file.h"

// Joins vertices that lie in one cell of a grid, where the planes around them meet best, and leaves
// out triangles that become lines: the first of grids with 16384, 256, 192, 128, ... cells along
// the longest edge of the box around it that leaves at most `most` triangles. Coordinates are
// rounded to four decimal digits of that edge or better. False: out of memory, or nothing is left.
bool hf_soup_coarsen(hf_soup *soup, size_t most);

#endif
