// SPDX-License-Identifier: Apache-2.0
// Six-vectors of motion and force at a point, and the inertias that map one to the other.
//
// A motion is (angular, linear): angular velocity or acceleration, and velocity or acceleration of
// the reference point. A force is (torque about the reference point, force). Accelerations are the
// ordinary second derivatives of position, not Featherstone's spatial ones, so the velocities of
// the reference points enter no equation.
#ifndef HF_MATH_SPATIAL_H
#define HF_MATH_SPATIAL_H

#include "math/vec.h"

typedef struct hf_spatial {
    hf_vec3 angular;
    hf_vec3 linear;
} hf_spatial;

// Symmetric 6x6 inertia in three blocks, 21 numbers:
//   torque = angular alpha + cross a,   force = cross' alpha + linear a
typedef struct hf_spatial_inertia {
    hf_sym3 angular;
    hf_mat3 cross;
    hf_sym3 linear;
} hf_spatial_inertia;

// Inertia of a rigid body about its reference point.
typedef struct hf_rigid_inertia {
    double mass;     // [kg]
    hf_vec3 moment;  // mass times center of mass [kg m]
    hf_sym3 inertia; // about the reference point [kg m^2]
} hf_rigid_inertia;

// s a a' added to S
static inline hf_sym3 hf_s3_add_square(const hf_sym3 *m, double s, hf_vec3 a)
{
    hf_vec3 b = hf_v3_scale(s, a);
    return (hf_sym3){m->xx + b.x * a.x, m->yy + b.y * a.y, m->zz + b.z * a.z,
                     m->xy + b.x * a.y, m->xz + b.x * a.z, m->yz + b.y * a.z};
}

static inline hf_sym3 hf_s3_add(const hf_sym3 *a, const hf_sym3 *b)
{
    return (hf_sym3){a->xx + b->xx, a->yy + b->yy, a->zz + b->zz,
                     a->xy + b->xy, a->xz + b->xz, a->yz + b->yz};
}

// R S R'
static inline hf_sym3 hf_s3_rotated(const hf_mat3 *r, const hf_sym3 *s)
{
    hf_vec3 x = hf_s3_mulv(s, hf_v3(r->xx, r->xy, r->xz)); // rows of R S
    hf_vec3 y = hf_s3_mulv(s, hf_v3(r->yx, r->yy, r->yz));
    hf_vec3 z = hf_s3_mulv(s, hf_v3(r->zx, r->zy, r->zz));
    return (hf_sym3){.xx = r->xx * x.x + r->xy * x.y + r->xz * x.z,
                     .yy = r->yx * y.x + r->yy * y.y + r->yz * y.z,
                     .zz = r->zx * z.x + r->zy * z.y + r->zz * z.z,
                     .xy = r->yx * x.x + r->yy * x.y + r->yz * x.z,
                     .xz = r->zx * x.x + r->zy * x.y + r->zz * x.z,
                     .yz = r->zx * y.x + r->zy * y.y + r->zz * y.z};
}

// Inertia about a point of a body whose inertia about its center of mass, `center` away from that
// point, is given: J = I + m (c.c 1 - c c').
static inline hf_rigid_inertia hf_rigid_inertia_at(double mass, hf_vec3 center,
                                                   const hf_sym3 *inertia)
{
    double s = mass * hf_v3_dot(center, center);
    hf_sym3 j = hf_s3_add_square(inertia, -mass, center);
    j.xx += s;
    j.yy += s;
    j.zz += s;
    return (hf_rigid_inertia){mass, hf_v3_scale(mass, center), j};
}

// The same body about the point -r away: moment + m r, J + 2 g.r 1 - g r' - r g', g = moment + m
// r/2.
static inline hf_rigid_inertia hf_rigid_inertia_shifted(const hf_rigid_inertia *body, hf_vec3 r)
{
    hf_vec3 g = hf_v3_axpy(body->moment, 0.5 * body->mass, r);
    double s = 2.0 * hf_v3_dot(g, r);
    const hf_sym3 *j = &body->inertia;
    return (hf_rigid_inertia){body->mass, hf_v3_axpy(body->moment, body->mass, r),
                              (hf_sym3){.xx = j->xx + (s - 2.0 * g.x * r.x),
                                        .yy = j->yy + (s - 2.0 * g.y * r.y),
                                        .zz = j->zz + (s - 2.0 * g.z * r.z),
                                        .xy = j->xy - (g.x * r.y + g.y * r.x),
                                        .xz = j->xz - (g.x * r.z + g.z * r.x),
                                        .yz = j->yz - (g.y * r.z + g.z * r.y)}};
}

static inline hf_spatial hf_rigid_inertia_mulv(const hf_rigid_inertia *body, hf_spatial a)
{
    return (hf_spatial){
        hf_v3_add(hf_s3_mulv(&body->inertia, a.angular), hf_v3_cross(body->moment, a.linear)),
        hf_v3_axpy(hf_v3_cross(a.angular, body->moment), body->mass, a.linear)};
}

// What inertia alone asks of a body that turns with `spin`: (w x J w, w x (w x moment)).
static inline hf_spatial hf_rigid_inertia_bias(const hf_rigid_inertia *body, hf_vec3 spin)
{
    return (hf_spatial){hf_v3_cross(spin, hf_s3_mulv(&body->inertia, spin)),
                        hf_v3_cross(spin, hf_v3_cross(spin, body->moment))};
}

static inline hf_spatial_inertia hf_spatial_inertia_rigid(const hf_rigid_inertia *body)
{
    double m = body->mass;
    hf_vec3 h = body->moment;
    return (hf_spatial_inertia){
        body->inertia, {0.0, -h.z, h.y, h.z, 0.0, -h.x, -h.y, h.x, 0.0}, {m, m, m, 0.0, 0.0, 0.0}};
}

static inline hf_spatial hf_spatial_inertia_mulv(const hf_spatial_inertia *m, hf_spatial a)
{
    return (hf_spatial){
        hf_v3_add(hf_s3_mulv(&m->angular, a.angular), hf_m3_mulv(&m->cross, a.linear)),
        hf_v3_add(hf_m3_tmulv(&m->cross, a.angular), hf_s3_mulv(&m->linear, a.linear))};
}

// M += s u u'
static inline void hf_spatial_inertia_add_square(hf_spatial_inertia *m, double s, hf_spatial u)
{
    m->angular = hf_s3_add_square(&m->angular, s, u.angular);
    m->linear = hf_s3_add_square(&m->linear, s, u.linear);
    hf_vec3 a = hf_v3_scale(s, u.angular), b = u.linear;
    m->cross = (hf_mat3){m->cross.xx + a.x * b.x, m->cross.xy + a.x * b.y, m->cross.xz + a.x * b.z,
                         m->cross.yx + a.y * b.x, m->cross.yy + a.y * b.y, m->cross.yz + a.y * b.z,
                         m->cross.zx + a.z * b.x, m->cross.zy + a.z * b.y, m->cross.zz + a.z * b.z};
}

// The torque about a point -r away joins: (t + r x f, f).
static inline hf_spatial hf_spatial_force_shifted(hf_spatial f, hf_vec3 r)
{
    return (hf_spatial){hf_v3_add(f.angular, hf_v3_cross(r, f.linear)), f.linear};
}

// Columns of rx E' added to their transpose, where the rows of E are e_x, e_y, e_z.
static inline hf_sym3 hf_s3_cross_sum(hf_vec3 r, hf_vec3 ex, hf_vec3 ey, hf_vec3 ez)
{
    hf_vec3 x = hf_v3_cross(r, ex), y = hf_v3_cross(r, ey), z = hf_v3_cross(r, ez);
    return (hf_sym3){2.0 * x.x, 2.0 * y.y, 2.0 * z.z, x.y + y.x, x.z + z.x, y.z + z.y};
}

// `sum` += the inertia m, given at a point r away from sum's:
//   linear' = L,  cross' = C + rx L,  angular' = A + rx E' + (rx E')',  E = C + rx L/2
static inline void hf_spatial_inertia_add_shifted(hf_spatial_inertia *sum,
                                                  const hf_spatial_inertia *m, hf_vec3 r)
{
    const hf_sym3 *l = &m->linear;
    const hf_mat3 *c = &m->cross;
    // Columns of rx L.
    hf_vec3 x = hf_v3_cross(r, hf_v3(l->xx, l->xy, l->xz));
    hf_vec3 y = hf_v3_cross(r, hf_v3(l->xy, l->yy, l->yz));
    hf_vec3 z = hf_v3_cross(r, hf_v3(l->xz, l->yz, l->zz));
    hf_vec3 ex = hf_v3(c->xx + 0.5 * x.x, c->xy + 0.5 * y.x, c->xz + 0.5 * z.x);
    hf_vec3 ey = hf_v3(c->yx + 0.5 * x.y, c->yy + 0.5 * y.y, c->yz + 0.5 * z.y);
    hf_vec3 ez = hf_v3(c->zx + 0.5 * x.z, c->zy + 0.5 * y.z, c->zz + 0.5 * z.z);
    hf_sym3 turn = hf_s3_cross_sum(r, ex, ey, ez);
    hf_sym3 angular = hf_s3_add(&m->angular, &turn);
    sum->angular = hf_s3_add(&sum->angular, &angular);
    sum->linear = hf_s3_add(&sum->linear, l);
    hf_mat3 *s = &sum->cross;
    *s = (hf_mat3){s->xx + (c->xx + x.x), s->xy + (c->xy + y.x), s->xz + (c->xz + z.x),
                   s->yx + (c->yx + x.y), s->yy + (c->yy + y.y), s->yz + (c->yz + z.y),
                   s->zx + (c->zx + x.z), s->zy + (c->zy + y.z), s->zz + (c->zz + z.z)};
}

#endif
