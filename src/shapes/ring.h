// SPDX-License-Identifier: Apache-2.0
// Directions across a line: the best one of them by which a cylinder leaves what has that line as
// an edge, of two that overlap.
#ifndef HF_SHAPES_RING_H
#define HF_SHAPES_RING_H

#include "shapes/ways.h"

// In axes of the cylinder, z along it: a prism around the point c, with half lengths along two
// directions across its edges.
typedef struct hf_ring {
    hf_vec3 c, edge;            // unit
    hf_vec3 sides[2];           // unit, across the edge and each other
    double half[2];             // [m] zero: the prism is a line
    double radius, half_length; // of the cylinder [m]
} hf_ring;

// A direction across the edge, from the cylinder to the prism, along which a rim meets an edge and
// that keeps the two farther apart than `least` < 0. `least` is at least what the sides keep apart,
// and what is across both the edge and the cylinder's axis. False: there is none.
bool hf_ring_best(const hf_ring *ring, double least, hf_vec3 *n);

#endif
