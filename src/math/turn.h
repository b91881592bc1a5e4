// SPDX-License-Identifier: Apache-2.0
// Turns and their axes: what few files need beside vec.h.
#ifndef HF_MATH_TURN_H
#define HF_MATH_TURN_H

#include "math/vec.h"

// A quaternion of a file that is shorter than this is taken for zero: someone forgot it.
#define HF_QUAT_LEAST 1e-6

// The shortest turn that takes the z axis to a direction, which is not zero.
static inline hf_quat hf_quat_from_z(hf_vec3 direction)
{
    const double opposite = -1.0 + 1e-12; // z, but for rounding: any axis across will do
    hf_vec3 n = hf_v3_scale(1.0 / hf_v3_norm(direction), direction);
    if (n.z < opposite) {
        return (hf_quat){.x = 1.0};
    }
    return hf_quat_normalized((hf_quat){1.0 + n.z, -n.y, n.x, 0.0});
}

// The axis k (0 to 2) of a turned frame: a column of its rotation.
static inline hf_vec3 hf_m3_column(const hf_mat3 *m, int k)
{
    return k == 0   ? hf_v3(m->xx, m->yx, m->zx)
           : k == 1 ? hf_v3(m->xy, m->yy, m->zy)
                    : hf_v3(m->xz, m->yz, m->zz);
}

#endif
