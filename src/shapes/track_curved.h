// SPDX-License-Identifier: Apache-2.0
// What the search for curved features (track_curved_list.c) shares with their places.
#ifndef HF_SHAPES_TRACK_CURVED_H
#define HF_SHAPES_TRACK_CURVED_H

#include <math.h>

#include "shapes/track_parts.h"

// A feature in the world.
typedef struct hf_part {
    hf_track_part type;
    hf_vec3 at, along;
    double size, length, round;
    const hf_mat3 *rotation;
    hf_vec3 radii;
} hf_part;

// The first and the second of a pair.
typedef struct hf_parts {
    hf_part a, b;
} hf_parts;

hf_parts hf_parts_of(const hf_track *track, const hf_spot *a, const hf_spot *b);
// Feature `number` of a solid, in the solid's frame.
void hf_part_put(const hf_solid *solid, hf_track_part type, int number, hf_part *part);
// Two features as a track of kind HF_TRACK_SMOOTH without a guess: a is of `on` or, turned, of
// `to`.
hf_track hf_curved_track(const hf_solid *on, const hf_solid *to, bool turned, hf_track_part a_type,
                         int a, hf_track_part b_type, int b);

static inline hf_vec3 hf_across(hf_vec3 v, hf_vec3 along)
{
    return hf_v3_axpy(v, -hf_v3_dot(v, along), along);
}

static inline hf_vec3 hf_unit(hf_vec3 v)
{
    return hf_v3_scale(1.0 / hf_v3_norm(v), v);
}

static inline hf_vec3 hf_any_across(hf_vec3 n)
{
    hf_vec3 axis = fabs(n.x) < 0.6 ? hf_v3(1.0, 0.0, 0.0) : hf_v3(0.0, 1.0, 0.0);
    return hf_unit(hf_across(axis, n));
}

// ------------------------------------------------------------------------------------------------
// Rims

// A point of a rim.
typedef struct hf_rim_point {
    hf_vec3 p, t, back; // tangent, and its change: towards the middle
} hf_rim_point;

// At an angle from the direction e1.
static inline hf_rim_point hf_on_rim(const hf_part *rim, hf_vec3 e1, double w)
{
    hf_vec3 e2 = hf_v3_cross(rim->along, e1);
    hf_vec3 out = hf_v3_axpy(hf_v3_scale(cos(w), e1), sin(w), e2);
    return (hf_rim_point){hf_v3_axpy(rim->at, rim->size, out),
                          hf_v3_axpy(hf_v3_scale(-sin(w), e1), cos(w), e2), hf_v3_scale(-1.0, out)};
}

// From a point of a rim along the side: of a cylinder along its axis, of a cone to its tip, which
// is `length` above.
static inline hf_vec3 hf_rim_inwards(const hf_part *rim, hf_vec3 p)
{
    hf_vec3 tip = hf_v3_axpy(rim->at, -rim->length, rim->along);
    return rim->length > 0.0 ? hf_unit(hf_v3_sub(tip, p)) : hf_v3_scale(-1.0, rim->along);
}

// By how much its cap and its side are in front of a point of it, seen against a direction n that
// points to it: the sine, where n is of length 1.
static inline double hf_foremost_rim(const hf_part *rim, hf_vec3 p, hf_vec3 n)
{
    hf_vec3 out = hf_v3_scale(1.0 / rim->size, hf_v3_sub(p, rim->at));
    return fmin(hf_v3_dot(n, hf_rim_inwards(rim, p)), -hf_v3_dot(n, out));
}

// t.m of a point of a rim and a line, and its slope over the angle. m: to the point, across the
// line.
double hf_rim_to_line(const hf_part *line, const hf_rim_point *q, hf_vec3 *m, double *slope,
                      double radius);
// Where it is zero near e1, and of two rims.
hf_rim_point hf_rim_at_line(const hf_part *rim, const hf_part *line, hf_vec3 e1, hf_vec3 *m);
void hf_rims_nearest(const hf_parts *f, hf_vec3 e1, hf_vec3 e2, hf_rim_point *p, hf_rim_point *q);
// The sine of the angle between a rim's axis and a direction, of length 1, and its farthest point
// there.
double hf_rim_support(const hf_part *rim, hf_vec3 d, hf_vec3 *p);

// ------------------------------------------------------------------------------------------------
// Largest separations

// Directions n with n.axis = level.
typedef struct hf_ring {
    hf_vec3 axis;
    double level;
} hf_ring;

double hf_separation(const hf_parts *f, hf_vec3 n);
int hf_rings_of(const hf_parts *f, hf_ring rings[2]);
hf_vec3 hf_on_ring(const hf_ring *ring, hf_vec3 e1, double w);
// The largest separation near a direction: over a ring, and over all directions.
hf_vec3 hf_along_ring(const hf_parts *f, const hf_ring *ring, hf_vec3 guess);
hf_vec3 hf_over_sphere(const hf_parts *f, hf_vec3 n);
// n with n.a = s and n.b = t: two of them, by sign. False: there is none.
bool hf_at_rings(const hf_ring *a, const hf_ring *b, double sign, hf_vec3 *n);

#endif
