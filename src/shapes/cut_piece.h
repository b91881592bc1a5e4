// SPDX-License-Identifier: Apache-2.0
// A convex cell of space and what a drawn surface does in it: polygons that planes cut in two.
#ifndef HF_SHAPES_CUT_PIECE_H
#define HF_SHAPES_CUT_PIECE_H

#include <stddef.h>

#include "math/vec.h"

typedef struct hf_cut_plane {
    hf_vec3 normal; // unit
    double offset;  // normal . x = offset
} hf_cut_plane;

// A convex polygon: of the surface, with its outward normal, or a wall of the cell.
typedef struct hf_cut_polygon {
    hf_cut_plane plane;
    int first, count; // corners in `corners`
    bool wall;
} hf_cut_polygon;

typedef struct hf_cut_piece {
    hf_vec3 *corners;
    int corner_count, corner_room;
    hf_cut_polygon *polygons;
    int polygon_count, polygon_room;
} hf_cut_piece;

void hf_cut_piece_free(hf_cut_piece *piece);

// One more polygon. False: out of memory.
bool hf_cut_add(hf_cut_piece *piece, const hf_vec3 *corners, int count, hf_cut_plane plane,
                bool wall);

// The walls of a box. False: out of memory.
bool hf_cut_add_box(hf_cut_piece *piece, hf_vec3 least, hf_vec3 most);

// Into what lies before the plane and what lies behind it; both get a wall there. Corners within
// `near` of the plane are on it. A polygon of the surface that lies on the plane belongs to the
// side of its solid. Both are empty where the plane does not cut the cell. False: out of memory.
bool hf_cut_in_two(const hf_cut_piece *piece, hf_cut_plane plane, double near, hf_cut_piece *front,
                   hf_cut_piece *back);

#endif
