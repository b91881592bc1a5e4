// SPDX-License-Identifier: Apache-2.0
// Which normals of a solid B belong to what it forms together with a solid A beside it.
//
// Let p be a point of the surface of B, and n a normal of B there. Where the convex A has p too, n
// is a normal of both together only where A is nowhere in front of the plane:
//
//   h_A(n) <= n.p,   h_A(n) = max n.y over all y of A
//
// Of an edge or a corner of B, n must also be within the normals that are left: where one a little
// beside n is B's, but not one of both, a face of A begins, and has n as well. So the edge between
// two tiles that are flush has no normal. Where their surfaces differ, each ends at that edge with
// the face's normal: what reaches over both touches each up to there.
//
// At a hollow, such as the foot of a wall, B's face keeps its normal: it is the limit of normals at
// points beside p. So n is covered at p only if it is at points of the same face, or edge, near p.
#ifndef HF_SHAPES_EXPOSED_H
#define HF_SHAPES_EXPOSED_H

#include "shapes/solid.h"

// Whether p is a point of a solid, within `near`.
bool hf_solid_has(const hf_solid *solid, hf_vec3 p, double near);
// Whether a solid that has p, within `near`, is in front of the plane through p across n.
bool hf_solid_is_before(const hf_solid *solid, hf_vec3 p, hf_vec3 n, double near);
// Whether a's normal n at p, of a face, an edge or a corner, is none beside b: one of them is in
// front. n may also be beyond the end of a's own normals, where tracks are followed.
bool hf_solid_hides(const hf_solid *b, const hf_solid *a, hf_vec3 p, hf_vec3 n, double near);
// Whether some that lean from it a little are a's, but none beside b.
bool hf_solid_ends(const hf_solid *b, const hf_solid *a, hf_vec3 p, hf_vec3 n, double near);

#endif
