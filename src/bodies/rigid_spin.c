// SPDX-License-Identifier: Apache-2.0
// How rigid bodies turn over a step by their own spin. The torque w x I w does no work; taken at
// one state, as a force is, it would: a body that tumbles gains (h w)^2 of its energy in a step.
//
// In body axes the midpoint rule
//   I (x - w) + h m x (I m) = 0,   m = (x + w)/2
// keeps both w.I w and |I w|: multiply by m and by I m. The world's axes see x turned with the
// body, by C, the very rotation that positions make of the mean velocity theta x + (1 - theta) w.
// With theta = 1 its axis is x, which stays.
#include <math.h>

#include "bodies/bodies.h"

// The largest angle of one midpoint step [rad], and how many of them a step may take.
static const double most_angle = 0.5;
enum { MOST_PARTS = 64, MOST_ITERATIONS = 12 };
// A correction of this part of the spin is its last bits: the iteration has converged.
#define LAST_BITS 1e-15

static bool is_round(const hf_sym3 *s)
{
    return s->xx == s->yy && s->xx == s->zz && s->xy == 0.0 && s->xz == 0.0 && s->yz == 0.0;
}

// Columns a, b, c: the solution of (a b c) x = d.
static hf_vec3 solve3(hf_vec3 a, hf_vec3 b, hf_vec3 c, hf_vec3 d)
{
    hf_vec3 bc = hf_v3_cross(b, c);
    double scale = 1.0 / hf_v3_dot(a, bc);
    return hf_v3(scale * hf_v3_dot(d, bc), scale * hf_v3_dot(a, hf_v3_cross(d, c)),
                 scale * hf_v3_dot(a, hf_v3_cross(b, d)));
}

// A column of the derivative: I e + h/2 (m x I e + e x I m).
static hf_vec3 column(const hf_sym3 *inertia, hf_vec3 e, hf_vec3 m, hf_vec3 momentum, double h)
{
    hf_vec3 ie = hf_s3_mulv(inertia, e);
    return hf_v3_axpy(ie, 0.5 * h, hf_v3_add(hf_v3_cross(m, ie), hf_v3_cross(e, momentum)));
}

// One midpoint step by Newton's method; what it leaves of the energy is put right by the length.
static hf_vec3 midpoint(const hf_sym3 *inertia, hf_vec3 w, double h)
{
    hf_vec3 x = w;
    for (int i = 0; i < MOST_ITERATIONS; ++i) {
        hf_vec3 m = hf_v3_scale(0.5, hf_v3_add(x, w)), momentum = hf_s3_mulv(inertia, m);
        hf_vec3 g = hf_v3_axpy(hf_s3_mulv(inertia, hf_v3_sub(x, w)), h, hf_v3_cross(m, momentum));
        hf_vec3 d = solve3(column(inertia, hf_v3(1.0, 0.0, 0.0), m, momentum, h),
                           column(inertia, hf_v3(0.0, 1.0, 0.0), m, momentum, h),
                           column(inertia, hf_v3(0.0, 0.0, 1.0), m, momentum, h), g);
        x = hf_v3_sub(x, d);
        if (hf_v3_norm(d) <= LAST_BITS * hf_v3_norm(w)) {
            break;
        }
    }
    double before = hf_v3_dot(w, hf_s3_mulv(inertia, w));
    double after = hf_v3_dot(x, hf_s3_mulv(inertia, x));
    return after > 0.0 && isfinite(after) ? hf_v3_scale(sqrt(before / after), x) : w;
}

// The spin in body axes after h seconds without torque.
static hf_vec3 spin_after(const hf_sym3 *inertia, hf_vec3 w, double h)
{
    double parts = ceil(h * hf_v3_norm(w) / most_angle);
    if (!(parts <= MOST_PARTS)) {
        return w; // it blurs: the axes cannot be distinguished
    }
    int count = parts < 1.0 ? 1 : (int)parts;
    for (int i = 0; i < count; ++i) {
        w = midpoint(inertia, w, h / count);
    }
    return w;
}

// C x: a fixed point, as C turns about the mean of w and C x itself.
static hf_vec3 turned(hf_vec3 w, hf_vec3 x, double theta, double h)
{
    hf_vec3 found = x;
    for (int i = 0; i < MOST_ITERATIONS && theta < 1.0; ++i) {
        hf_vec3 mean = hf_v3_axpy(hf_v3_scale(theta, found), 1.0 - theta, w);
        mean = hf_v3_scale(0.5 * h, mean);
        hf_mat3 turn = hf_quat_rotation((hf_quat){1.0, mean.x, mean.y, mean.z});
        found = hf_m3_mulv(&turn, x);
    }
    return found;
}

static hf_vec3 load3(const double *from)
{
    return hf_v3(from[0], from[1], from[2]);
}

static hf_mat3 rotation_at(const double *q)
{
    return hf_quat_rotation((hf_quat){q[0], q[1], q[2], q[3]});
}

void hf_rigid_spin(const void *bodies, int count, const hf_body_turn *turn)
{
    double h = turn->h, theta = turn->theta;
    for (int i = 0; i < count; ++i) {
        const hf_rigid *body = &((const hf_rigid *)bodies)[i];
        double *after = turn->free_v + body->v + 3;
        hf_vec3 w = load3(turn->v + body->v + 3), w_there = load3(turn->there_v + body->v + 3);
        hf_vec3 change = hf_v3_sub(load3(after), w);
        if (is_round(&body->inertia) || (hf_v3_norm(w) == 0.0 && hf_v3_norm(change) == 0.0)) {
            continue;
        }
        // What other torques do, without w x I w as the evaluation had it
        hf_mat3 r = rotation_at(turn->there_q + body->q + 3);
        hf_vec3 spin = hf_m3_tmulv(&r, w_there);
        hf_vec3 gyro = hf_v3_cross(spin, hf_s3_mulv(&body->inertia, spin));
        change = hf_v3_axpy(change, h, hf_m3_mulv(&r, hf_s3_mulv(&body->inverse_inertia, gyro)));
        // (1 - theta) of it comes before the turn, theta after it
        r = rotation_at(turn->q + body->q + 3);
        w = hf_v3_axpy(w, 1.0 - theta, change);
        hf_vec3 x = hf_m3_mulv(&r, spin_after(&body->inertia, hf_m3_tmulv(&r, w), h));
        x = hf_v3_axpy(turned(w, x, theta, h), theta, change);
        after[0] = x.x, after[1] = x.y, after[2] = x.z;
    }
}
