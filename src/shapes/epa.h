// SPDX-License-Identifier: Apache-2.0
// The shortest way out of a deep overlap of two convex cores (expanding polytope).
#ifndef HF_SHAPES_EPA_H
#define HF_SHAPES_EPA_H

#include "shapes/solid.h"

// The unit direction n along which a core A with its center at `place` from B's has to be moved by
// the least amount to leave B: the best of those that were tried, near the best of all. At least
// one of the cores must have a volume. False: none was found, because A - B is flat but for
// rounding.
bool hf_epa(const hf_solid *a, const hf_solid *b, hf_vec3 place, hf_vec3 *n);

#endif
