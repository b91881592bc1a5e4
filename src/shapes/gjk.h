// SPDX-License-Identifier: Apache-2.0
// The distance between two convex cores (Gilbert, Johnson, Keerthi).
#ifndef HF_SHAPES_GJK_H
#define HF_SHAPES_GJK_H

#include "shapes/solid.h"

typedef struct hf_nearest {
    bool apart;      // false: the cores overlap, or touch within rounding
    double distance; // [m]
    hf_vec3 a, b;    // nearest points, from b's center, world axes
} hf_nearest;

// Cores of a and b with a's center at `place` from b's, both made smaller about their centers by
// the factor `scale` (1: as they are). Where they are known to be farther apart than `far`, the
// distance is a bound of that kind, and there are no points.
hf_nearest hf_gjk(const hf_solid *a, const hf_solid *b, hf_vec3 place, double scale, double far);

#endif
