// SPDX-License-Identifier: Apache-2.0
// The distance between two convex cores (Gilbert, Johnson, Keerthi).
#ifndef HF_SHAPES_GJK_H
#define HF_SHAPES_GJK_H

#include "shapes/solid.h"

typedef struct hf_nearest {
    bool apart;      // false: the cores overlap, or touch within rounding
    double distance; // [m]
    hf_vec3 a, b;    // nearest points, from b's center, world axes
    hf_vec3 way;     // where there are none: along it, from b to a, they are as far apart
} hf_nearest;

// Cores of a and b with a's center at `place` from b's, both made smaller about their centers by
// the factor `scale` (1: as they are). Where they are known to be farther apart than `far`, the
// distance is a bound of that kind, and there are no points.
hf_nearest hf_gjk(const hf_solid *a, const hf_solid *b, hf_vec3 place, double scale, double far);
// Whether they are farther apart than `far` along a direction, of any length: then a search says so
// too.
bool hf_gjk_apart(const hf_solid *a, const hf_solid *b, hf_vec3 place, hf_vec3 way, double far);

// Points of the two cores, each from its own center, between which the nearest points of a search
// lay: the next search of the same two, at a place nearby, begins with them.
typedef struct hf_gjk_memory {
    int count; // 0: none
    hf_vec3 a[3], b[3];
} hf_gjk_memory;

// The same for scale 1 and no limit, from and into `memory`.
hf_nearest hf_gjk_again(const hf_solid *a, const hf_solid *b, hf_vec3 place, hf_gjk_memory *memory);

#endif
