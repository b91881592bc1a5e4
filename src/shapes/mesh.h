// SPDX-License-Identifier: Apache-2.0
// A convex polyhedron in one block of memory that may be copied as bytes: vertices, faces with
// their planes, edges, and the neighbours of each vertex.
#ifndef HF_SHAPES_MESH_H
#define HF_SHAPES_MESH_H

#include <stddef.h>

#include "math/vec.h"

typedef struct hf_mesh_plane {
    hf_vec3 normal; // outward, unit
    double offset;  // normal . x = offset on the face
    int first;      // of its vertices in `corners`, counter-clockwise from outside
    int count;
} hf_mesh_plane;

typedef struct hf_mesh_edge {
    int from, to;    // vertices
    int left, right; // faces: left's loop goes from -> to
} hf_mesh_edge;

typedef struct hf_mesh {
    size_t bytes; // of the block
    int vertex_count, face_count, edge_count, corner_count;
    // Offsets from the block's beginning [bytes].
    size_t vertices, faces, edges, corners, first_neighbours, neighbours, beside;
    double volume;
    hf_vec3 center;  // of mass, in the frame of the points it was made from
    hf_sym3 inertia; // per kg, about the center of mass
    hf_vec3 least, most;
    double radius;       // of the sphere about the origin that holds it
    double drawn_volume; // of the closed surface whose hull it is; 0: not known
} hf_mesh;

static inline const hf_vec3 *hf_mesh_vertices(const hf_mesh *mesh)
{
    return (const hf_vec3 *)(const void *)((const char *)mesh + mesh->vertices);
}

static inline const hf_mesh_plane *hf_mesh_faces(const hf_mesh *mesh)
{
    return (const hf_mesh_plane *)(const void *)((const char *)mesh + mesh->faces);
}

static inline const hf_mesh_edge *hf_mesh_edges(const hf_mesh *mesh)
{
    return (const hf_mesh_edge *)(const void *)((const char *)mesh + mesh->edges);
}

// Vertices around faces.
static inline const int *hf_mesh_corners(const hf_mesh *mesh)
{
    return (const int *)(const void *)((const char *)mesh + mesh->corners);
}

// Vertices beside vertex i: neighbours[first[i]] to neighbours[first[i + 1] - 1].
static inline const int *hf_mesh_first_neighbours(const hf_mesh *mesh)
{
    return (const int *)(const void *)((const char *)mesh + mesh->first_neighbours);
}

static inline const int *hf_mesh_neighbours(const hf_mesh *mesh)
{
    return (const int *)(const void *)((const char *)mesh + mesh->neighbours);
}

// By the same index: the face on the left of the way from vertex i to that neighbour. They are all
// faces around i.
static inline const int *hf_mesh_beside(const hf_mesh *mesh)
{
    return (const int *)(const void *)((const char *)mesh + mesh->beside);
}

typedef enum hf_hull_fault {
    HF_HULL_OK,
    HF_HULL_FEW,        // fewer than 4 points
    HF_HULL_MANY,       // more than HF_HULL_POINTS
    HF_HULL_NOT_FINITE, // a point is not finite
    HF_HULL_SIZE,       // too large or too small for double precision to tell volumes
    HF_HULL_FLAT,       // all points in one plane, line or point
    HF_HULL_VERTICES,   // more than HF_HULL_VERTICES_MOST on the hull
    HF_HULL_ROUNDING,   // points so near to each other that rounding decides
    HF_HULL_MEMORY
} hf_hull_fault;

enum {
    HF_HULL_POINTS = 2000000,
    HF_HULL_VERTICES_MOST = 20000 // of the hull
};

// The hull of points, to be freed; with its origin at the center of mass if `centered`, else where
// the points have it.
hf_hull_fault hf_hull_make(const hf_vec3 *points, int count, bool centered, hf_mesh **mesh);

#endif
