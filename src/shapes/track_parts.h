// SPDX-License-Identifier: Apache-2.0
// Features of solids, in their own frames, for track.c: corners, edges, flat faces and rims.
//
// A capsule is a line with a radius around it, and so is the barrel of a cylinder: an edge with a
// radius, without faces beside it.
#ifndef HF_SHAPES_TRACK_PARTS_H
#define HF_SHAPES_TRACK_PARTS_H

#include "shapes/track.h"

// What lies on the wrong side of a feature by more than this is behind it: sine of the angle. Below
// it a neighbouring feature is nearer in any case.
#define HF_TRACK_BEHIND 0.1
// Edges closer to parallel than this do not cross: sine of the angle. Corners are in their place.
#define HF_TRACK_PARALLEL 1e-4
// Inside by this where there is no end [m].
#define HF_TRACK_ENDLESS 1e9
// A cap that leans by more than this touches a plane with one point of its rim: sine of the angle.
// Below it points of its own stand, and on up to so many times that.
#define HF_TRACK_TILT 1e-6
#define HF_TRACK_LEAN 10.0
// Points of a rim that stand on a plane.
enum { HF_TRACK_STANDS = 4 };

typedef struct hf_core_edge {
    hf_vec3 at, along; // where it begins; unit
    double length;
    double round;    // around it [m]
    int left, right; // faces beside it; -1: none
} hf_core_edge;

typedef struct hf_core_rim {
    hf_vec3 center;
    hf_vec3 out; // normal of its cap, outwards
    double radius;
} hf_core_rim;

hf_vec3 hf_core_corner(const hf_solid *s, int i);
// Corner k beside corner i; -1: there are no more.
int hf_core_neighbour(const hf_solid *s, int i, int k);
hf_core_edge hf_core_edge_at(const hf_solid *s, int i);
hf_vec3 hf_core_normal(const hf_solid *s, int i);
hf_vec3 hf_core_face_point(const hf_solid *s, int i);
// How far inside of the outline of a face a point over it is.
double hf_core_inside(const hf_solid *s, int i, hf_vec3 p);
// The unit direction along face i from its edge inwards.
hf_vec3 hf_core_inwards(const hf_solid *s, const hf_core_edge *edge, int i);
int hf_core_rims(const hf_solid *s);
hf_core_rim hf_core_rim_at(const hf_solid *s, int i);
// Point k of those that stand on rim i, the first one where solid->stand points.
hf_vec3 hf_core_stand(const hf_solid *s, int i, int k);

// Numbers of the corners, edges and faces that may be within reach of a point; HUGE_VAL: of a
// plane, to which edges are nothing.
enum { HF_CORE_LIST = 512 };
typedef struct hf_core_list {
    int corners[HF_CORE_LIST], edges[HF_CORE_LIST], faces[HF_CORE_LIST];
    int corner_count, edge_count, face_count;
    bool all;  // every corner and face, whose numbers are not written, and no edge
    bool full; // there are more
} hf_core_list;
static inline int hf_core_number(const hf_core_list *list, const int *numbers, int i)
{
    return list->all ? i : numbers[i];
}
void hf_core_near(const hf_solid *s, hf_vec3 center, double reach, hf_core_list *list);

// ------------------------------------------------------------------------------------------------
// Places

static inline hf_vec3 hf_spot_point(const hf_spot *spot, hf_vec3 local)
{
    return hf_v3_add(spot->center, hf_m3_mulv(&spot->rotation, local));
}

static inline hf_vec3 hf_spot_local(const hf_spot *spot, hf_vec3 world)
{
    return hf_m3_tmulv(&spot->rotation, hf_v3_sub(world, spot->center));
}

// Nearest points of two lines a + s u and b + t v, which are not parallel.
typedef struct hf_crossing {
    double s, t;
    hf_vec3 cross; // u x v
} hf_crossing;

static inline hf_crossing hf_cross_lines(hf_vec3 a, hf_vec3 u, hf_vec3 b, hf_vec3 v)
{
    hf_vec3 cross = hf_v3_cross(u, v), apart = hf_v3_sub(b, a);
    double squares = hf_v3_dot(cross, cross);
    return (hf_crossing){.s = hf_v3_dot(hf_v3_cross(apart, v), cross) / squares,
                         .t = hf_v3_dot(hf_v3_cross(apart, u), cross) / squares,
                         .cross = cross};
}

// How far the crossing of a barrel's axis, from its end on, with a line is past that end. Of lines
// that are nearly parallel it is not known: `behind`.
static inline double hf_past_end(hf_vec3 end, hf_vec3 axis, hf_vec3 at, hf_vec3 along,
                                 double behind)
{
    bool cross = hf_v3_norm(hf_v3_cross(axis, along)) > HF_TRACK_PARALLEL;
    return cross ? -hf_cross_lines(end, axis, at, along).s : behind;
}

static inline double hf_inside_edge(double s, double length)
{
    return fmin(s, length - s);
}

// Two points of cores, with the direction between them as normal.
hf_track_place hf_track_join(const hf_track *track, hf_vec3 a, hf_vec3 b);

// ------------------------------------------------------------------------------------------------
// Curved features (track_curved.c): place and inside of the kinds from HF_TRACK_RIM_FACE on, and
// their search.

hf_track_place hf_curved_find(const hf_track *track, const hf_spot *on, const hf_spot *to);
double hf_curved_inside(const hf_track *track, const hf_solid *on, const hf_solid *to,
                        const hf_spot *on_spot, const hf_spot *to_spot);
// Of rims that cross edges and rims: past the end of the face and barrel beside them.
hf_track_faces hf_curved_facing(const hf_track *track, const hf_track_place *at, const hf_solid *on,
                                const hf_solid *to, const hf_spot *on_spot, const hf_spot *to_spot);

typedef struct hf_track_search {
    const hf_solid *on, *to;
    hf_spot on_spot, to_spot;
    hf_core_list on_list, to_list;
    double margin;
    hf_track *tracks;
    int room, count;
} hf_track_search;

// Keeps a track that is near and inside.
void hf_track_keep(hf_track_search *search, const hf_track *track);
void hf_curved_search(hf_track_search *search);
// The least sine by which the faces beside an edge are in front of it, seen against a world
// direction n that points to it; HF_TRACK_ENDLESS: it has none.
double hf_foremost_edge(const hf_solid *s, const hf_spot *spot, const hf_core_edge *edge,
                        hf_vec3 n);

#endif
