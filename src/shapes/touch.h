// SPDX-License-Identifier: Apache-2.0
// Where two solids touch, or nearly do: up to four points, each with its normal, its gap, and a
// number by which it is found again in the next step. Faces over faces may have four more, below
// the centers of the solids.
//
// Gaps between faces are exact: a point's gap is its height over the other solid's face, and the
// normal is that face's. Where two faces are nearly parallel (FACES_PARALLEL) they meet as faces.
#ifndef HF_SHAPES_TOUCH_H
#define HF_SHAPES_TOUCH_H

#include "shapes/solid.h"

enum { HF_TOUCH_POINTS = 4, HF_TOUCH_MOST = 8 };

// Room for the points of so many pairs: of many pairs few have more than HF_TOUCH_POINTS at a time.
enum { HF_TOUCH_FULL = 16 };
static inline int hf_touch_room(int pairs)
{
    int full = pairs < HF_TOUCH_FULL ? pairs : HF_TOUCH_FULL;
    return HF_TOUCH_POINTS * pairs + (HF_TOUCH_MOST - HF_TOUCH_POINTS) * full;
}

typedef struct hf_touch_point {
    hf_vec3 place; // in the middle of the gap, from b's center, world axes
    hf_vec3 n;     // from b to a
    double gap;    // < 0: as deep [m]
    unsigned feature;
} hf_touch_point;

typedef struct hf_meeting {
    hf_touch_point points[HF_TOUCH_MOST];
    int count;
    hf_vec3 way; // without points: along it, from b to a, they are apart; zero: none is known
} hf_meeting;

// Two features closer to parallel than this meet along each other: sine of the angle.
#define HF_PARALLEL 0.02

// Points of contact with gaps of at most `margin` >= 0. `place` is a's center from b's. Planes only
// as b.
void hf_touch_find(const hf_solid *a, const hf_solid *b, double margin, hf_meeting *touch);
// Whether two convex solids, no planes, are farther apart than the margin along `way`, from b to a:
// then they have no points.
bool hf_touch_apart(const hf_solid *a, const hf_solid *b, hf_vec3 way, double margin);

// The same of a convex solid and a surface of triangles, of a surface and a plane: up to
// HF_SURFACE_POINTS of them, deepest first. Places are from b's center, normals from b to a.
enum { HF_SURFACE_POINTS = 16 };
int hf_touch_triangles(const hf_solid *a, const hf_solid *surface, double margin,
                       hf_touch_point *points, int room);
int hf_touch_triangles_plane(const hf_solid *surface, const hf_solid *plane, double margin,
                             hf_touch_point *points, int room);
// Any pair, in any order; surfaces too.
int hf_touch_points(const hf_solid *a, const hf_solid *b, double margin, hf_touch_point *points);

// ------------------------------------------------------------------------------------------------
// Kinds of pairs, for hf_touch_find and tests. All take `place`, a's center from b's.

void hf_touch_plane(const hf_solid *a, const hf_solid *plane, hf_vec3 place, double margin,
                    hf_meeting *touch);
// Spheres and capsules.
void hf_touch_round(const hf_solid *a, const hf_solid *b, hf_vec3 place, double margin,
                    hf_meeting *touch);
void hf_touch_sphere_box(const hf_solid *sphere, const hf_solid *box, hf_vec3 place, double margin,
                         hf_meeting *touch);
void hf_touch_sphere_cylinder(const hf_solid *sphere, const hf_solid *cylinder, hf_vec3 place,
                              double margin, hf_meeting *touch);
void hf_touch_boxes(const hf_solid *a, const hf_solid *b, hf_vec3 place, double margin,
                    hf_meeting *touch);
// Any two but planes.
void hf_touch_convex(const hf_solid *a, const hf_solid *b, hf_vec3 place, double margin,
                     hf_meeting *touch);

// ------------------------------------------------------------------------------------------------
// What they share

// A face and what lies over it: points of the other's feature within the face's outline. `normal`
// points from `face` to `other`; heights are from the face's plane, less `round`. Points of both
// are from the same origin. HF_TOUCH_POINTS, as far apart as they can be, the deepest among them;
// and where one of the `centers` lies beside these, both ends of the side of the whole outline that
// is nearest to it: there a body tips over. `face_is_a`: the face belongs to a. False: nothing lies
// over it.
typedef struct hf_overlap {
    const hf_feature *face, *other;
    hf_vec3 normal;
    double round, margin;
    bool face_is_a;
    hf_vec3 centers[2];
    int center_count;
} hf_overlap;
// Centers of a, which is at `place`, and of b: not that of a floor, which does not tip over what
// stands on it.
static inline int hf_touch_centers(const hf_solid *a, const hf_solid *b, hf_vec3 place,
                                   hf_vec3 centers[2])
{
    const double most = 4.0; // times the other one's size
    int count = 0;
    if (a->reach <= most * b->reach) {
        centers[count++] = place;
    }
    if (b->reach <= most * a->reach) {
        centers[count++] = hf_v3(0.0, 0.0, 0.0);
    }
    return count;
}
bool hf_touch_faces(const hf_overlap *overlap, hf_meeting *touch);

// The same for a half space: all points of `other`, whose center is given, lie over it.
void hf_touch_over_plane(const hf_feature *other, hf_vec3 center, hf_vec3 normal, hf_vec3 on_plane,
                         double round, double margin, hf_meeting *touch);

// The point of contact below the point `a` of a core with `a_round` around it.
static inline void hf_touch_single(hf_vec3 a, hf_vec3 n, double gap, double a_round, double margin,
                                   unsigned feature, hf_meeting *touch)
{
    if (gap <= margin) {
        touch->points[touch->count++] =
            (hf_touch_point){.place = hf_v3_axpy(a, -(a_round + 0.5 * gap), n),
                             .n = n,
                             .gap = gap,
                             .feature = feature};
    }
}

#endif
