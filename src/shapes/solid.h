// SPDX-License-Identifier: Apache-2.0
// A shape somewhere in space: its points farthest in a direction, and the face, line or point that
// it turns to a direction.
//
// Spheres and capsules are their core (a point, a line) and a radius around it.
#ifndef HF_SHAPES_SOLID_H
#define HF_SHAPES_SOLID_H

#include <holdfast/spec.h>

#include "shapes/mesh.h"
#include "shapes/triangles.h"

// One triangle of a surface, as a solid that is flat.
#define HF_SOLID_TRIANGLE HF_SHAPE_TYPE_COUNT
typedef struct hf_piece {
    hf_vec3 corners[3], normal;
} hf_piece;

typedef struct hf_solid {
    hf_shape_type type;
    hf_vec3 half;  // box: half edges; cylinder and capsule: z half the length; ellipsoid: radii;
                   // cone: z the height of its tip over the center, three quarters of all
    double radius; // of a cylinder or cone, or around the core of a sphere or capsule
    const hf_mesh *mesh;           // mesh, or box as one
    const hf_triangles *triangles; // a surface of them: no solid of its own
    const hf_piece *piece;         // one of them
    hf_vec3 stand; // where the first point of a rim stands (track_parts.h); zero: along x
    double reach;  // of the sphere about the center that holds it; HUGE_VAL: a plane
    // Where it is now.
    hf_mat3 rotation; // shape to world
    hf_vec3 center;   // world
} hf_solid;

// What a solid turns to a direction, around its center in world axes.
enum { HF_POLYGON = 64 };
// A rim is seen as this many points, the first one the farthest.
enum { HF_RIM = 16 };

typedef struct hf_feature {
    int count;      // 1: a point, 2: a line, else a face, counter-clockwise from outside
    hf_vec3 normal; // of a face, unit
    hf_vec3 points[HF_POLYGON];
    int ids[HF_POLYGON]; // of the vertices
} hf_feature;

// A shape at a place, as it is in the world.
hf_solid hf_solid_make(const hf_shape *shape, hf_vec3 center, hf_quat orientation);

// How much is around the core.
static inline double hf_solid_round(const hf_solid *solid)
{
    bool round = solid->type == HF_SHAPE_SPHERE || solid->type == HF_SHAPE_CAPSULE;
    return round ? solid->radius : 0.0;
}

// The core's point farthest in a direction, from the center, world axes. No plane.
hf_vec3 hf_solid_support(const hf_solid *solid, hf_vec3 direction);

// The whole solid's extent in a unit direction from its center.
static inline double hf_solid_extent(const hf_solid *solid, hf_vec3 direction)
{
    return hf_v3_dot(direction, hf_solid_support(solid, direction)) + hf_solid_round(solid);
}

// Half of its thinnest side; HUGE_VAL: it has none.
double hf_solid_thinness(const hf_solid *solid);

// The face (or line, or point) of the core that looks most into a unit direction.
void hf_solid_face(const hf_solid *solid, hf_vec3 direction, hf_feature *feature);
// The edge of a polyhedron at its farthest vertex that is most across a unit direction; of other
// cores what hf_solid_face gives. False: a point or a face, and ends say nothing.
bool hf_solid_edge(const hf_solid *solid, hf_vec3 direction, hf_vec3 ends[2]);

// The cosine between a unit direction and the normal of the face that looks most into it, but for
// rounding, where that is known at once: it is at most this. -1: there are no faces.
double hf_solid_most_aligned(const hf_solid *solid, hf_vec3 direction);

// Directions that may keep a solid apart from others near a unit direction d: normals of the faces
// around its farthest point in d, and lines of its edges there. At most HF_WAYS of each; world
// axes, unit.
enum { HF_WAYS = 16 };
typedef struct hf_ways {
    hf_vec3 normals[HF_WAYS], lines[HF_WAYS];
    int normal_count, line_count;
} hf_ways;
void hf_solid_ways(const hf_solid *solid, hf_vec3 d, hf_ways *ways);

#endif
