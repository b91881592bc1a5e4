// SPDX-License-Identifier: Apache-2.0
// Anything over a plane: heights of its points, exact to rounding.
#include "shapes/touch.h"

// A vertex is below a face where it is so by more than this part of the solid's reach: rounding.
#define BELOW 1e-12

void hf_touch_plane(const hf_solid *a, const hf_solid *plane, hf_vec3 place, double margin,
                    hf_meeting *touch)
{
    hf_vec3 n = hf_v3(plane->rotation.xz, plane->rotation.yz, plane->rotation.zz);
    hf_vec3 down = hf_v3_scale(-1.0, n), zero = {0};
    if (hf_v3_dot(n, place) - a->reach > margin) {
        return;
    }
    hf_feature feature;
    hf_solid_face(a, down, &feature);
    double lowest = HUGE_VAL;
    for (int i = 0; i < feature.count; ++i) {
        feature.points[i] = hf_v3_add(feature.points[i], place);
        lowest = fmin(lowest, hf_v3_dot(n, feature.points[i]));
    }
    // The lowest vertex of a polyhedron may belong to another face than the one that looks down.
    hf_vec3 under = hf_v3_add(place, hf_solid_support(a, down));
    if (a->type == HF_SHAPE_MESH && hf_v3_dot(n, under) < lowest - BELOW * a->reach &&
        feature.count < HF_POLYGON) {
        feature.ids[feature.count] = 0x3fffffff;
        feature.points[feature.count++] = under;
    }
    hf_touch_over_plane(&feature, place, n, zero, hf_solid_round(a), margin, touch);
}
