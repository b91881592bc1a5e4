// SPDX-License-Identifier: Apache-2.0
// What the searches by features share (box_cylinder.c, cylinders.c): the way two solids are kept
// apart, what is rounding, and directions to begin with.
#ifndef HF_SHAPES_WAYS_H
#define HF_SHAPES_WAYS_H

#include "shapes/solid.h"

typedef enum hf_way_said {
    HF_WAY_FOUND,
    HF_WAY_APART,  // by more than the margin
    HF_WAY_UNSURE, // the direction is a good one, and may not be the best
} hf_way_said;

typedef struct hf_way {
    hf_vec3 n;  // from the second solid to the first, unit, world axes
    double gap; // along n
    hf_vec3 at; // the first one's point there, from the second one's center, world axes
} hf_way;

// Gaps that differ by less than this part of the size are equal, but for rounding.
#define HF_WAY_SAME_GAP 1e-12
// Directions across an axis, or along it, but for rounding: cosine, sine.
#define HF_WAY_ACROSS 1e-9
// What lies beyond the end of a feature by less than this part of the size lies on it.
#define HF_WAY_AT_END 1e-9
// Lines whose directions differ by less (sine) have no direction across both.
#define HF_WAY_PARALLEL 1e-6
// Overlaps deeper than this part of the size have several ways out: more are followed.
#define HF_WAY_DEEP 0.02
// Newton's steps are no longer than this [rad].
#define HF_WAY_LONGEST 0.3
// Of a step shorter than this the next one is rounding: the error is squared [rad].
#define HF_WAY_SHORTEST 1e-7
// Directions whose cosine differs by less from 1 are one, of ways that are equally long.
#define HF_WAY_SAME_N 1e-12
// Times that the features beside the present ones are tried.
enum { HF_WAY_ROUNDS = 12 };

// Newton's step promises to raise s by slope^2 / (2 |bend|). Where several times as much would not
// be enough to be the best, the step is not taken.
static inline bool hf_way_is_hopeless(double s, double slope_squared, double bend, double least)
{
    const double times = 4.0;
    return bend < 0.0 && 2.0 * bend * (s - least) > times * slope_squared;
}

// Directions all around, unit: 0 to HF_AROUND - 1.
enum { HF_AROUND = 26 };
static inline hf_vec3 hf_direction_around(int i)
{
    static const double over_root[] = {1.0, 0.7071067811865475, 0.5773502691896258};
    int k = i < HF_AROUND / 2 ? i : i + 1; // the middle of 27 is none
    int x = k % 3 - 1, y = k / 3 % 3 - 1, z = k / 9 - 1;
    return hf_v3_scale(over_root[x * x + y * y + z * z - 1], hf_v3(x, y, z));
}

// n, or its opposite: whichever points to the side of c.
static inline hf_vec3 hf_towards(hf_vec3 n, hf_vec3 c)
{
    return hf_v3_dot(n, c) < 0.0 ? hf_v3_scale(-1.0, n) : n;
}

// The point of a cylinder along z farthest along n; of a line or a disc, the middle.
static inline hf_vec3 hf_on_cylinder(double radius, double half_length, hf_vec3 n)
{
    double across = sqrt(n.x * n.x + n.y * n.y);
    double s = across > HF_WAY_ACROSS ? radius / across : 0.0;
    double end = n.z < 0.0 ? -half_length : half_length;
    return hf_v3(s * n.x, s * n.y, fabs(n.z) > HF_WAY_ACROSS ? end : 0.0);
}

#endif
