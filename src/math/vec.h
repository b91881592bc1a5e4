// SPDX-License-Identifier: Apache-2.0
// Three-vectors, rotations and quaternions. Header only: every call inlines.
#ifndef HF_MATH_VEC_H
#define HF_MATH_VEC_H

#include <float.h>
#include <math.h>

#include <holdfast/base.h>

static inline hf_vec3 hf_v3(double x, double y, double z)
{
    return (hf_vec3){x, y, z};
}

static inline hf_vec3 hf_v3_add(hf_vec3 a, hf_vec3 b)
{
    return hf_v3(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline hf_vec3 hf_v3_sub(hf_vec3 a, hf_vec3 b)
{
    return hf_v3(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline hf_vec3 hf_v3_scale(double s, hf_vec3 a)
{
    return hf_v3(s * a.x, s * a.y, s * a.z);
}

// a + s b
static inline hf_vec3 hf_v3_axpy(hf_vec3 a, double s, hf_vec3 b)
{
    return hf_v3(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

static inline double hf_v3_dot(hf_vec3 a, hf_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline hf_vec3 hf_v3_cross(hf_vec3 a, hf_vec3 b)
{
    return hf_v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline double hf_v3_norm(hf_vec3 a)
{
    return sqrt(hf_v3_dot(a, a));
}

static inline hf_mat3 hf_m3_identity(void)
{
    return (hf_mat3){1, 0, 0, 0, 1, 0, 0, 0, 1};
}

// A b
static inline hf_vec3 hf_m3_mulv(const hf_mat3 *a, hf_vec3 b)
{
    return hf_v3(a->xx * b.x + a->xy * b.y + a->xz * b.z, a->yx * b.x + a->yy * b.y + a->yz * b.z,
                 a->zx * b.x + a->zy * b.y + a->zz * b.z);
}

// A' b
static inline hf_vec3 hf_m3_tmulv(const hf_mat3 *a, hf_vec3 b)
{
    return hf_v3(a->xx * b.x + a->yx * b.y + a->zx * b.z, a->xy * b.x + a->yy * b.y + a->zy * b.z,
                 a->xz * b.x + a->yz * b.y + a->zz * b.z);
}

// A B
static inline hf_mat3 hf_m3_mul(const hf_mat3 *a, const hf_mat3 *b)
{
    return (hf_mat3){a->xx * b->xx + a->xy * b->yx + a->xz * b->zx,
                     a->xx * b->xy + a->xy * b->yy + a->xz * b->zy,
                     a->xx * b->xz + a->xy * b->yz + a->xz * b->zz,
                     a->yx * b->xx + a->yy * b->yx + a->yz * b->zx,
                     a->yx * b->xy + a->yy * b->yy + a->yz * b->zy,
                     a->yx * b->xz + a->yy * b->yz + a->yz * b->zz,
                     a->zx * b->xx + a->zy * b->yx + a->zz * b->zx,
                     a->zx * b->xy + a->zy * b->yy + a->zz * b->zy,
                     a->zx * b->xz + a->zy * b->yz + a->zz * b->zz};
}

static inline hf_mat3 hf_m3_transpose(const hf_mat3 *a)
{
    return (hf_mat3){a->xx, a->yx, a->zx, a->xy, a->yy, a->zy, a->xz, a->yz, a->zz};
}

// S b for a symmetric S
static inline hf_vec3 hf_s3_mulv(const hf_sym3 *s, hf_vec3 b)
{
    return hf_v3(s->xx * b.x + s->xy * b.y + s->xz * b.z, s->xy * b.x + s->yy * b.y + s->yz * b.z,
                 s->xz * b.x + s->yz * b.y + s->zz * b.z);
}

static inline double hf_s3_determinant(const hf_sym3 *s)
{
    return s->xx * (s->yy * s->zz - s->yz * s->yz) - s->xy * (s->xy * s->zz - s->yz * s->xz) +
           s->xz * (s->xy * s->yz - s->yy * s->xz);
}

// S^-1; S must be positive definite.
static inline hf_sym3 hf_s3_inverse(const hf_sym3 *s)
{
    double d = 1.0 / hf_s3_determinant(s);
    return (hf_sym3){.xx = d * (s->yy * s->zz - s->yz * s->yz),
                     .yy = d * (s->xx * s->zz - s->xz * s->xz),
                     .zz = d * (s->xx * s->yy - s->xy * s->xy),
                     .xy = d * (s->xz * s->yz - s->xy * s->zz),
                     .xz = d * (s->xy * s->yz - s->xz * s->yy),
                     .yz = d * (s->xy * s->xz - s->xx * s->yz)};
}

static inline double hf_quat_norm(hf_quat q)
{
    return sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
}

// What is a unit quaternion but for rounding stays as it is, so that normalizing what is normalized
// changes no bit: a division leaves |q|^2 within 14 roundings of 1, and they would go on for ever.
// Not a number if |q|^2 is zero or not finite: no direction is left of it.
static inline hf_quat hf_quat_normalized(hf_quat q)
{
    double square = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    if (fabs(square - 1.0) <= 8.0 * DBL_EPSILON) {
        return q;
    }
    double s = square <= DBL_MAX ? 1.0 / sqrt(square) : (double)NAN;
    return (hf_quat){s * q.w, s * q.x, s * q.y, s * q.z};
}

static inline hf_quat hf_quat_mul(hf_quat a, hf_quat b)
{
    return (hf_quat){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
                     a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                     a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                     a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

static inline hf_quat hf_quat_from_axis_angle(hf_vec3 axis, double angle)
{
    double s = sin(0.5 * angle) / hf_v3_norm(axis);
    return (hf_quat){cos(0.5 * angle), s * axis.x, s * axis.y, s * axis.z};
}

// The rotation of q/|q|: exact for a quaternion that an integrator's stage left unnormalized.
static inline hf_mat3 hf_quat_rotation(hf_quat q)
{
    double s = 2.0 / (q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    double wx = s * q.w * q.x, wy = s * q.w * q.y, wz = s * q.w * q.z;
    double xx = s * q.x * q.x, xy = s * q.x * q.y, xz = s * q.x * q.z;
    double yy = s * q.y * q.y, yz = s * q.y * q.z, zz = s * q.z * q.z;
    return (hf_mat3){1.0 - yy - zz, xy - wz, xz + wy, xy + wz,      1.0 - xx - zz,
                     yz - wx,       xz - wy, yz + wx, 1.0 - xx - yy};
}

// The unit quaternion of a rotation, with w >= 0. The largest of the four squares is divided by.
static inline hf_quat hf_quat_from_rotation(const hf_mat3 *r)
{
    double trace = r->xx + r->yy + r->zz;
    hf_quat q;
    if (trace > 0.0) {
        q = (hf_quat){1.0 + trace, r->zy - r->yz, r->xz - r->zx, r->yx - r->xy};
    } else if (r->xx >= r->yy && r->xx >= r->zz) {
        q = (hf_quat){r->zy - r->yz, 1.0 + r->xx - r->yy - r->zz, r->xy + r->yx, r->xz + r->zx};
    } else if (r->yy >= r->zz) {
        q = (hf_quat){r->xz - r->zx, r->xy + r->yx, 1.0 + r->yy - r->xx - r->zz, r->yz + r->zy};
    } else {
        q = (hf_quat){r->yx - r->xy, r->xz + r->zx, r->yz + r->zy, 1.0 + r->zz - r->xx - r->yy};
    }
    q = hf_quat_normalized(q);
    return q.w < 0.0 ? (hf_quat){-q.w, -q.x, -q.y, -q.z} : q;
}

// q' = 1/2 (0, w) q for an angular velocity w in the world's frame.     [Kikuuwe2008] (26), Q(w, q)
static inline hf_quat hf_quat_rate_world(hf_quat q, hf_vec3 w)
{
    return (hf_quat){
        -0.5 * (w.x * q.x + w.y * q.y + w.z * q.z), 0.5 * (w.x * q.w + w.y * q.z - w.z * q.y),
        0.5 * (w.y * q.w + w.z * q.x - w.x * q.z), 0.5 * (w.z * q.w + w.x * q.y - w.y * q.x)};
}

// q' = 1/2 q (0, w) for an angular velocity w in the body's frame.
static inline hf_quat hf_quat_rate_body(hf_quat q, hf_vec3 w)
{
    return (hf_quat){
        -0.5 * (w.x * q.x + w.y * q.y + w.z * q.z), 0.5 * (q.w * w.x + q.y * w.z - q.z * w.y),
        0.5 * (q.w * w.y + q.z * w.x - q.x * w.z), 0.5 * (q.w * w.z + q.x * w.y - q.y * w.x)};
}

#endif
