// SPDX-License-Identifier: Apache-2.0
// Another way to distances between convex solids, slow and simple: the direction that keeps them
// farthest apart, s(n) = min over A of n.x - max over B of n.x, by trying directions all around and
// walking uphill from the best.
#ifndef HF_TESTS_BRUTE_H
#define HF_TESTS_BRUTE_H

#include "hf_test.h"
#include "shapes/solid.h"

// max over a solid of n.x, from its definition; the world's origin is zero.
double brute_reach(const hf_solid *solid, hf_vec3 n);
double brute_apart(const hf_solid *a, const hf_solid *b, hf_vec3 n);
// The largest s, and its direction.
double brute_gap(const hf_solid *a, const hf_solid *b, hf_vec3 *n);

hf_quat brute_turn(hf_rng *rng);
hf_vec3 brute_direction(hf_rng *rng);
// A random solid of a type, about 1 in size. `mesh` is for meshes, to be freed.
hf_solid brute_solid(hf_rng *rng, hf_shape_type type, hf_mesh **mesh);

#endif
