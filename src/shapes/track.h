// SPDX-License-Identifier: Apache-2.0
// Contacts of features as functions of where two solids are, for methods that follow them by
// events: a corner over a face, two edges that cross, around spheres, capsules and barrels a corner
// at an edge or at a corner, rims, sides of cones and ellipsoids. Each is smooth, and its force
// along the gradient of its gap does no work, as long as the point of contact stays inside of its
// features.
//
// Solids are cores, a point, a line, a polyhedron or a surface of triangles, with a radius around
// them, or curved (track_curved.c). Whatever two of them do, they touch first where such a pair of
// features has a gap of zero and is inside: a feature that is inside has points of both solids at
// its ends, and is never nearer than they are.
#ifndef HF_SHAPES_TRACK_H
#define HF_SHAPES_TRACK_H

#include "shapes/solid.h"

typedef enum hf_track_kind {
    HF_TRACK_CORNER_FACE, // a corner of `on`, a face of `to`
    HF_TRACK_FACE_CORNER,
    HF_TRACK_EDGES,
    HF_TRACK_CORNER_EDGE, // around cores
    HF_TRACK_EDGE_CORNER,
    HF_TRACK_CORNERS,
    // Curved: a first feature and a second one, the first of `on` or, `turned`, of `to`
    HF_TRACK_RIM_FACE,
    HF_TRACK_RIM_EDGE,
    HF_TRACK_RIM_CORNER,
    HF_TRACK_RIMS,
    HF_TRACK_SMOOTH // an ellipsoid or the side of a cone, and anything
} hf_track_kind;

// What a feature of a curved pair is.
typedef enum hf_track_part {
    HF_PART_CORNER,
    HF_PART_EDGE,
    HF_PART_FACE,
    HF_PART_RIM,
    HF_PART_SIDE,
    HF_PART_ELLIPSOID
} hf_track_part;

// Features of `on` and `to`, by number, in the frames of their solids: a corner; where an edge
// begins and its direction; a point of a face and its normal; the middle of a rim and its axis; the
// tip of a cone and its axis; the middle of an ellipsoid. Of curved pairs on_... is of the first
// one, to_... of the second. Of a corner that is a point of a rim `along` is the axis there.
typedef struct hf_track {
    hf_track_kind kind;
    int on, to;
    hf_vec3 on_at, on_along, to_at, to_along;
    double on_length, to_length; // of edges [m]
    double round;                // both radii [m]
    double on_round;             // of them that of `on` [m]
    double sign;                 // of edges: n = sign on_along x to_along
    // Of curved pairs
    bool turned; // the first is of `to`
    hf_track_part on_part, to_part;
    double on_size, to_size; // radius of a rim, also of a corner that is a point of it [m]; of the
                             // side of a cone the part of its normals along the axis
    hf_vec3 on_radii, to_radii; // of ellipsoids [m]
    hf_vec3 on_guess, to_guess; // where on a rim; of others the normal, in the frame of each
} hf_track;

// Where a solid is.
typedef struct hf_spot {
    hf_mat3 rotation; // shape to world
    hf_vec3 center;   // world [m]
} hf_spot;

typedef struct hf_track_place {
    hf_vec3 n;      // from `to` to `on`
    hf_vec3 on, to; // points of both surfaces, world [m]
    double gap;     // [m]
} hf_track_place;

hf_track_place hf_track_find(const hf_track *track, const hf_spot *on, const hf_spot *to);

// How far inside of both features the point of contact is; negative: outside [m].
double hf_track_inside(const hf_track *track, const hf_solid *on, const hf_solid *to,
                       const hf_spot *on_spot, const hf_spot *to_spot);

// How far a crossing of rims and edges is from where a smooth feature beside them is nearer, as a
// distance along that [m]: what rolls over a face towards its edge has its rim over the edge
// already, but the face is nearer. `at`: its place. Of other kinds without limit.
typedef struct hf_track_faces {
    double face; // past the end of a flat face, over which the other solid is round
    double lax;  // past the end of a barrel or cap: what lies flat there is at the end of both
} hf_track_faces;
hf_track_faces hf_track_facing(const hf_track *track, const hf_track_place *at, const hf_solid *on,
                               const hf_solid *to, const hf_spot *on_spot, const hf_spot *to_spot);

// Of a corner at a face: whether its solid reaches over the face, past the ends of it that the
// corner is within `near` of. One that lies beside it does not: what slides over two flush tiles
// has its corners at the ends of the second one's side.
bool hf_track_is_over(const hf_track *track, const hf_solid *on, const hf_solid *to,
                      const hf_spot *on_spot, const hf_spot *to_spot, double near);

// Whether two tracks of the same features are the same one where solids are now: a rim may cross an
// edge twice.
bool hf_track_is_same(const hf_track *a, const hf_track *b, const hf_spot *on, const hf_spot *to);
// How much faster its point of contact may turn than the solids do: that of a rim which hardly
// leans.
double hf_track_pace(const hf_track *track, const hf_spot *on, const hf_spot *to);

// All features of two solids where they are now whose gaps are at most `margin` in size and which
// are outside by no more than that, in the order of kinds and numbers. A plane only as `to`.
// Returns how many there are; the first `room` of them are written. -1: more than can be searched.
int hf_track_near(const hf_solid *on, const hf_solid *to, double margin, hf_track *tracks,
                  int room);

// What a contact that was found otherwise follows while the solids move on (track_at.c).
typedef enum hf_follows {
    HF_FOLLOWS_NONE,    // nothing is known: a point of each solid and the normal of `to`
    HF_FOLLOWS_ON_FACE, // a face of `on`, and a point of `to`
    HF_FOLLOWS_TO_FACE,
    HF_FOLLOWS_TRACK
} hf_follows;
// n: from `to` to `on`; both points are of the surfaces, world [m].
hf_follows hf_track_at(const hf_solid *on, const hf_solid *to, hf_vec3 n, hf_vec3 on_point,
                       hf_vec3 to_point, hf_track *track);

#endif
