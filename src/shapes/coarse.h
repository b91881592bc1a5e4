// SPDX-License-Identifier: Apache-2.0
// Meshes with fewer triangles, to be looked at.
#ifndef HF_SHAPES_COARSE_H
#define HF_SHAPES_COARSE_H

#include "shapes/mesh_file.h"

// Moves vertices that lie in one cell of a grid to their mean, and leaves out triangles that become
// lines: grids with 16384, 256, 192, 128, ... cells along the longest edge of the box around it,
// one after the other, until at most `most` triangles are left. Coordinates are rounded to four
// decimal digits of that edge or better. False: out of memory, or nothing is left.
bool hf_soup_coarsen(hf_soup *soup, size_t most);

#endif
