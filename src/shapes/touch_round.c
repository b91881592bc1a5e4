// SPDX-License-Identifier: Apache-2.0
// Spheres and capsules with each other, and spheres with boxes and cylinders, in closed form.
#include "shapes/touch.h"

// Axes whose sine is less have no direction across both.
#define PARALLEL 1e-9
// The determinant of two lines' nearest points, as a part of its terms, below which it is rounding.
#define SINGULAR 1e-14
// Parts of a core's half length that are too short to tell two points from one, and the least sine
// of axes whose nearest points are a place of their own.
#define SHORT    1e-3
#define CROSSING 1e-6

// The half axis of a core: zero for a sphere.
static hf_vec3 half_axis(const hf_solid *solid)
{
    double h = solid->type == HF_SHAPE_CAPSULE ? solid->half.z : 0.0;
    return hf_v3_scale(h, hf_v3(solid->rotation.xz, solid->rotation.yz, solid->rotation.zz));
}

static double clamp(double x)
{
    return x < -1.0 ? -1.0 : (x > 1.0 ? 1.0 : x);
}

// Parameter in [-1, 1] of the point of a core about the origin that is nearest to p.
static double nearest_on(hf_vec3 half, hf_vec3 p)
{
    double square = hf_v3_dot(half, half);
    return square > 0.0 ? clamp(hf_v3_dot(half, p) / square) : 0.0;
}

// Two lines of directions u and w: some direction across both, for axes that meet.
static hf_vec3 across_both(hf_vec3 u, hf_vec3 w)
{
    hf_vec3 n = hf_v3_cross(u, w);
    double length = hf_v3_norm(n);
    if (length > PARALLEL * hf_v3_norm(u) * hf_v3_norm(w) && length > 0.0) {
        return hf_v3_scale(1.0 / length, n);
    }
    hf_vec3 line = hf_v3_dot(u, u) >= hf_v3_dot(w, w) ? u : w;
    hf_vec3 other =
        fabs(line.z) <= 0.7 * hf_v3_norm(line) ? hf_v3(0.0, 0.0, 1.0) : hf_v3(1.0, 0.0, 0.0);
    n = hf_v3_axpy(
        other, hf_v3_dot(line, line) > 0.0 ? -hf_v3_dot(other, line) / hf_v3_dot(line, line) : 0.0,
        line);
    return hf_v3_scale(1.0 / hf_v3_norm(n), n);
}

typedef struct cores {
    hf_vec3 place, u, w; // a = place + s u, b = t w
    double a_round, b_round, margin;
} cores;

// The contact where a's core is at s and b's at t.
static void add_between(const cores *c, double s, double t, unsigned feature, hf_meeting *touch)
{
    hf_vec3 a = hf_v3_axpy(c->place, s, c->u), b = hf_v3_scale(t, c->w);
    hf_vec3 apart = hf_v3_sub(a, b);
    double distance = hf_v3_norm(apart);
    hf_vec3 n = distance > 0.0 ? hf_v3_scale(1.0 / distance, apart) : across_both(c->u, c->w);
    hf_touch_single(a, n, distance - c->a_round - c->b_round, c->a_round, c->margin, feature,
                    touch);
}

// s and t of the nearest points of two cores.
static void nearest_of(const cores *c, double *s, double *t)
{
    double uu = hf_v3_dot(c->u, c->u), ww = hf_v3_dot(c->w, c->w), uw = hf_v3_dot(c->u, c->w);
    double du = hf_v3_dot(c->place, c->u), dw = hf_v3_dot(c->place, c->w);
    double det = uu * ww - uw * uw;
    *s = det > SINGULAR * uu * ww ? clamp((uw * dw - ww * du) / det) : 0.0;
    *t = nearest_on(c->w, hf_v3_axpy(c->place, *s, c->u));
    *s = nearest_on(c->u, hf_v3_sub(hf_v3_scale(*t, c->w), c->place));
    *t = nearest_on(c->w, hf_v3_axpy(c->place, *s, c->u));
}

// Nearly parallel: both ends of the stretch where they lie beside each other, and the nearest
// points if these are well between.
static void add_beside(const cores *c, hf_meeting *touch)
{
    double uu = hf_v3_dot(c->u, c->u), uw = hf_v3_dot(c->u, c->w), du = hf_v3_dot(c->place, c->u);
    // where b's ends lie on a
    double ends[2] = {clamp((-uw - du) / uu), clamp((uw - du) / uu)};
    double s, t;
    nearest_of(c, &s, &t);
    if (fabs(ends[0] - ends[1]) <= SHORT) {
        add_between(c, s, t, 1, touch);
        return;
    }
    for (int k = 0; k < 2; ++k) {
        hf_vec3 a = hf_v3_axpy(c->place, ends[k], c->u);
        add_between(c, ends[k], nearest_on(c->w, a), 2 + (unsigned)k, touch);
    }
    double sine = hf_v3_norm(hf_v3_cross(c->u, c->w)) / (hf_v3_norm(c->u) * hf_v3_norm(c->w));
    if (sine > CROSSING && fabs(s - ends[0]) > SHORT && fabs(s - ends[1]) > SHORT) {
        add_between(c, s, t, 1, touch);
    }
}

void hf_touch_round(const hf_solid *a, const hf_solid *b, hf_vec3 place, double margin,
                    hf_meeting *touch)
{
    cores c = {.place = place,
               .u = half_axis(a),
               .w = half_axis(b),
               .a_round = a->radius,
               .b_round = b->radius,
               .margin = margin};
    if (hf_v3_norm(place) - a->reach - b->reach > margin) {
        return;
    }
    double sizes = hf_v3_norm(c.u) * hf_v3_norm(c.w);
    if (sizes > 0.0 && hf_v3_norm(hf_v3_cross(c.u, c.w)) < HF_PARALLEL * sizes) {
        add_beside(&c, touch);
        return;
    }
    double s, t;
    nearest_of(&c, &s, &t);
    add_between(&c, s, t, 1, touch);
}

// ------------------------------------------------------------------------------------------------

// The way out of a box from an inner point: through the nearest face.
static hf_vec3 way_out(hf_vec3 half, hf_vec3 p, double *depth)
{
    double x = half.x - fabs(p.x), y = half.y - fabs(p.y), z = half.z - fabs(p.z);
    if (x <= y && x <= z) {
        *depth = x;
        return hf_v3(p.x < 0.0 ? -1.0 : 1.0, 0.0, 0.0);
    }
    if (y <= z) {
        *depth = y;
        return hf_v3(0.0, p.y < 0.0 ? -1.0 : 1.0, 0.0);
    }
    *depth = z;
    return hf_v3(0.0, 0.0, p.z < 0.0 ? -1.0 : 1.0);
}

static double into(double x, double half)
{
    return x < -half ? -half : (x > half ? half : x);
}

void hf_touch_sphere_box(const hf_solid *sphere, const hf_solid *box, hf_vec3 place, double margin,
                         hf_meeting *touch)
{
    hf_vec3 p = hf_m3_tmulv(&box->rotation, place);
    hf_vec3 nearest = hf_v3(into(p.x, box->half.x), into(p.y, box->half.y), into(p.z, box->half.z));
    hf_vec3 apart = hf_v3_sub(p, nearest), n;
    double distance = hf_v3_norm(apart);
    if (distance > 0.0) {
        n = hf_v3_scale(1.0 / distance, apart);
    } else {
        n = way_out(box->half, p, &distance);
        distance = -distance;
    }
    hf_touch_single(place, hf_m3_mulv(&box->rotation, n), distance - sphere->radius, sphere->radius,
                    margin, 1, touch);
}

// In the half plane of the axis and the center: radius and height from the cylinder's middle.
void hf_touch_sphere_cylinder(const hf_solid *sphere, const hf_solid *cylinder, hf_vec3 place,
                              double margin, hf_meeting *touch)
{
    hf_vec3 p = hf_m3_tmulv(&cylinder->rotation, place);
    double radius = sqrt(p.x * p.x + p.y * p.y), height = fabs(p.z);
    double beside = radius - cylinder->radius, above = height - cylinder->half.z, distance, n_z;
    double out = fmax(beside, 0.0), up = fmax(above, 0.0);
    // From the nearest point, or out through barrel or cap, whichever is nearer
    if (out > 0.0 || up > 0.0) {
        distance = out > 0.0 && up > 0.0 ? hypot(out, up) : out + up;
        n_z = up / distance;
        out /= distance;
    } else {
        distance = fmax(beside, above);
        n_z = above >= beside ? 1.0 : 0.0;
        out = 1.0 - n_z;
    }
    hf_vec3 axial = hf_v3(0.0, 0.0, p.z < 0.0 ? -n_z : n_z);
    hf_vec3 across = radius > 0.0 ? hf_v3(p.x / radius, p.y / radius, 0.0) : hf_v3(1.0, 0.0, 0.0);
    hf_vec3 n = hf_m3_mulv(&cylinder->rotation, hf_v3_axpy(axial, out, across));
    hf_touch_single(place, n, distance - sphere->radius, sphere->radius, margin, 1, touch);
}
