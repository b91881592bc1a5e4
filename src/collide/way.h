// SPDX-License-Identifier: Apache-2.0
// A solid on its way through a step: its body goes straight on and turns about one axis.
#ifndef HF_COLLIDE_WAY_H
#define HF_COLLIDE_WAY_H

#include <math.h>

#include "shapes/solid.h"

typedef struct hf_way {
    hf_vec3 origin, velocity, spin, arm; // of the body; its solid's center from there
    hf_mat3 rotation;                    // of the solid
} hf_way;

// The spin that makes one orientation of another in a time h: less than half a revolution.
static inline hf_vec3 hf_mean_spin(const hf_mat3 *from, const hf_mat3 *to, double h)
{
    hf_mat3 back = hf_m3_transpose(from), turn = hf_m3_mul(to, &back);
    hf_vec3 along =
        hf_v3_scale(0.5, hf_v3(turn.zy - turn.yz, turn.xz - turn.zx, turn.yx - turn.xy));
    double sine = hf_v3_norm(along), cosine = 0.5 * (turn.xx + turn.yy + turn.zz - 1.0);
    return hf_v3_scale((sine > 0.0 ? atan2(sine, cosine) / sine : 1.0) / h, along);
}

// Solid and arm after t seconds.
static inline void hf_way_put(const hf_way *body, double t, hf_solid *solid, hf_vec3 *arm)
{
    double rate = hf_v3_norm(body->spin);
    *arm = body->arm;
    solid->rotation = body->rotation;
    if (rate > 0.0) {
        hf_quat turn = hf_quat_from_axis_angle(hf_v3_scale(1.0 / rate, body->spin), rate * t);
        hf_mat3 r = hf_quat_rotation(turn);
        *arm = hf_m3_mulv(&r, body->arm);
        solid->rotation = hf_m3_mul(&r, &body->rotation);
    }
    solid->center = hf_v3_add(hf_v3_axpy(body->origin, t, body->velocity), *arm);
}

#endif
