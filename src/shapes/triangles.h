// SPDX-License-Identifier: Apache-2.0
// A surface of triangles as it is, convex or not, in one block of memory that may be copied as
// bytes: vertices that triangles share, neighbours beyond edges, and a tree of boxes.
#ifndef HF_SHAPES_TRIANGLES_H
#define HF_SHAPES_TRIANGLES_H

#include <stddef.h>

#include <holdfast/shape.h>

#include "math/vec.h"

// What lies beyond an edge.
typedef enum hf_rim {
    HF_RIM_FLAT,   // a neighbour in the same plane: no normal belongs to such an edge
    HF_RIM_HOLLOW, // one that rises: none either
    HF_RIM_CONVEX, // one that falls away
    HF_RIM_FREE    // nothing
} hf_rim;

typedef struct hf_facet {
    int corner[3]; // vertices, counter-clockwise from outside
    int beside[3]; // the triangle beyond corner[k] -> corner[k + 1]; -1: none
    hf_rim rim[3];
    hf_vec3 normal; // outward, unit
} hf_facet;

// A box around some triangles: a leaf has those from `first` on, others two nodes.
typedef struct hf_facet_node {
    hf_vec3 least, most;
    int first; // triangle, or node: the second one follows it
    int count; // of triangles; 0: two nodes
} hf_facet_node;

typedef struct hf_triangles {
    size_t bytes; // of the block
    int vertex_count, facet_count, node_count, neighbour_count;
    // Offsets from the block's beginning [bytes].
    size_t vertices, facets, nodes, first_neighbours, neighbours;
    bool closed;     // every edge has two triangles, and the volume is positive
    double volume;   // zero: not closed
    hf_vec3 center;  // of mass; zero: not closed
    hf_sym3 inertia; // per kg, about the center of mass
    hf_vec3 least, most;
    double radius; // of the sphere about the origin that holds it
} hf_triangles;

static inline const hf_vec3 *hf_triangles_vertices(const hf_triangles *t)
{
    return (const hf_vec3 *)(const void *)((const char *)t + t->vertices);
}

static inline const hf_facet *hf_triangles_facets(const hf_triangles *t)
{
    return (const hf_facet *)(const void *)((const char *)t + t->facets);
}

static inline const hf_facet_node *hf_triangles_nodes(const hf_triangles *t)
{
    return (const hf_facet_node *)(const void *)((const char *)t + t->nodes);
}

// Vertices that an edge joins with vertex i: neighbours[first[i]] to neighbours[first[i + 1] - 1].
static inline const int *hf_triangles_first(const hf_triangles *t)
{
    return (const int *)(const void *)((const char *)t + t->first_neighbours);
}

static inline const int *hf_triangles_neighbours(const hf_triangles *t)
{
    return (const int *)(const void *)((const char *)t + t->neighbours);
}

#endif
