// SPDX-License-Identifier: Apache-2.0
// Of a point p the nearest point N(p) of a box or a cylinder has a closed form, and the distance of
// p(t) = m + t u, -1 <= t <= 1, is convex in t. So the nearest point of a line is where
//
//   g(t) = u.(p(t) - N(p(t)))                                                              (1)
//
// changes its sign, which it does once: the derivative of half the squared distance. g is linear
// in pieces for boxes and smooth in pieces for cylinders. Its root is found by the secant within a
// bracket that halves where the secant is slow (Illinois).
#include "shapes/line_distance.h"

enum { STEPS = 100 };

// A distance below this part of the size is rounding: the two touch.
#define TOUCHING 1e-12
// g that is this part of |u| times the size is zero, but for rounding; brackets this short [-] have
// a root in them.
#define ZERO  1e-16
#define SHORT 1e-15

typedef struct work {
    const hf_solid *other;
    hf_vec3 m, u; // axes of the other
} work;

bool hf_line_distance_knows(const hf_solid *line, const hf_solid *other)
{
    return (line->type == HF_SHAPE_SPHERE || line->type == HF_SHAPE_CAPSULE) &&
           (other->type == HF_SHAPE_BOX || other->type == HF_SHAPE_CYLINDER);
}

static double into(double x, double half)
{
    return x < -half ? -half : (x > half ? half : x);
}

static hf_vec3 nearest_in(const hf_solid *s, hf_vec3 p)
{
    double z = into(p.z, s->half.z);
    if (s->type == HF_SHAPE_BOX) {
        return hf_v3(into(p.x, s->half.x), into(p.y, s->half.y), z);
    }
    double square = p.x * p.x + p.y * p.y;
    double part = square > s->radius * s->radius ? s->radius / sqrt(square) : 1.0;
    return hf_v3(part * p.x, part * p.y, z);
}

static double slope(const work *x, double t)
{
    hf_vec3 p = hf_v3_axpy(x->m, t, x->u);
    return hf_v3_dot(x->u, hf_v3_sub(p, nearest_in(x->other, p)));
}

static double nearest_on_line(const work *x, double size)
{
    double low = -1.0, high = 1.0, at_low = slope(x, low), at_high = slope(x, high);
    // The nearest point is an end
    double zero = ZERO * size * hf_v3_norm(x->u);
    if (at_low >= -zero) {
        return low;
    }
    if (at_high <= zero) {
        return high;
    }
    // Between the ends: regula falsi, by Illinois's rule
    int side = 0;
    for (int i = 0; i < STEPS && high - low > SHORT; ++i) {
        double t = low - at_low * (high - low) / (at_high - at_low);
        t = t > low && t < high ? t : 0.5 * (low + high);
        double now = slope(x, t);
        if (fabs(now) <= zero) {
            return t;
        }
        // The end that stays twice counts half
        if (now < 0.0) {
            low = t;
            at_low = now;
            at_high = side < 0 ? 0.5 * at_high : at_high;
            side = -1;
        } else {
            high = t;
            at_high = now;
            at_low = side > 0 ? 0.5 * at_low : at_low;
            side = 1;
        }
    }
    return 0.5 * (low + high);
}

hf_nearest hf_line_distance(const hf_solid *line, const hf_solid *other, hf_vec3 place, double far)
{
    const hf_mat3 *frame = &other->rotation;
    work x = {.other = other, .m = hf_m3_tmulv(frame, place)};
    double size = line->reach + other->reach, t = 0.0;
    if (line->type == HF_SHAPE_CAPSULE) {
        const hf_mat3 *r = &line->rotation;
        x.u = hf_m3_tmulv(frame, hf_v3_scale(line->half.z, hf_v3(r->xz, r->yz, r->zz)));
        t = nearest_on_line(&x, size);
    }
    hf_vec3 p = hf_v3_axpy(x.m, t, x.u), b = nearest_in(other, p);
    double distance = hf_v3_norm(hf_v3_sub(p, b));
    if (!(distance > TOUCHING * size)) {
        return (hf_nearest){.apart = false};
    }
    if (distance > far) {
        return (hf_nearest){.apart = true, .distance = distance};
    }
    return (hf_nearest){
        .apart = true, .distance = distance, .a = hf_m3_mulv(frame, p), .b = hf_m3_mulv(frame, b)};
}
