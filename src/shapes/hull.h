// SPDX-License-Identifier: Apache-2.0
// The hull of points as triangles, before they are joined to faces.
#ifndef HF_SHAPES_HULL_H
#define HF_SHAPES_HULL_H

#include "shapes/mesh.h"

typedef struct hf_hull_triangle {
    int corner[3]; // points, counter-clockwise from outside
    int beside[3]; // triangle beyond the edge corner[k] -> corner[k + 1]
    hf_vec3 normal;
    double offset;
    bool dead;
    int mark;  // of the search for what a point sees
    int *near; // points that may lie outside, in order; freed with the triangle
    int near_count;
} hf_hull_triangle;

typedef struct hf_hull {
    const hf_vec3 *points;
    int point_count;
    double tolerance; // points nearer to a face than this are on it [m]
    hf_hull_triangle *triangles;
    int count, capacity;
    int *stack; // of triangles, and the horizon found
    int *edges; // triples (triangle that stays, its edge, the triangle that goes)
    int stack_capacity;
    int vertices; // points on the hull so far, at most
} hf_hull;

// Triangles of the hull of hull->points. hull_free in any case.
hf_hull_fault hf_hull_triangulate(hf_hull *hull);
void hf_hull_free(hf_hull *hull);

#endif
