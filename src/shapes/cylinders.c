// SPDX-License-Identifier: Apache-2.0
// What a unit direction n keeps two cylinders apart, in axes of the second (z along it), with the
// center c and the axis a of the first, radii r_a, r_b and half lengths l_a, l_b:
//
//   s(n) = n.c - r_a |P n| - l_a |n.a| - r_b |n_xy| - l_b |n_z|,    P n = n - (n.a) a           (1)
//
// Its local maxima by the features that meet there: an end (n = a or z), both barrels (n = a x z),
// a rim and a barrel (a root along the circle of directions across the barrel's axis), two rims (a
// stationary point on the sphere). Where the signs of n.a and n_z are those of a rim each, (1) is
//
//   f(n) = n.g - r_a |P n| - r_b |n_xy|,    g = c - l_a sign(n.a) a - l_b sign(n_z) z           (2)
//
// whose gradient and Hessian are known; it is maximized by Newton's method on the sphere, or on a
// circle of it.
#include "shapes/cylinders.h"

// Points of two rims that lie on one line along n: off it by less than this part of the size.
#define ON_LINE 1e-7

enum { NEWTON = 24 };

typedef enum meeting { END_A, END_B, BARRELS, RIM_A, RIM_B, RIMS } meeting;

typedef struct work {
    hf_vec3 c, a;
    double ra, la, rb, lb, size;
} work;

typedef struct way {
    meeting kind; // RIM_A: the first one's rim on the second one's barrel
    hf_vec3 n;
    double s;
} way;

static hf_vec3 beside(hf_vec3 n, hf_vec3 axis)
{
    return hf_v3_axpy(n, -hf_v3_dot(n, axis), axis);
}

static double along(const work *x, hf_vec3 n)
{
    return hf_v3_dot(n, x->c) - x->ra * hf_v3_norm(beside(n, x->a)) -
           x->la * fabs(hf_v3_dot(n, x->a)) - x->rb * sqrt(n.x * n.x + n.y * n.y) -
           x->lb * fabs(n.z);
}

static bool try_way(const work *x, meeting kind, hf_vec3 n, way *best)
{
    double s = along(x, n);
    if (!(s > best->s + HF_WAY_SAME_GAP * x->size)) {
        return false;
    }
    *best = (way){.kind = kind, .n = n, .s = s};
    return true;
}

static hf_vec3 unit(hf_vec3 v)
{
    return hf_v3_scale(1.0 / hf_v3_norm(v), v);
}

// Ends and barrels.
static void begin(const work *x, way *best)
{
    hf_vec3 z = hf_v3(0.0, 0.0, 1.0), across = hf_v3_cross(x->a, z);
    *best = (way){.s = -HUGE_VAL};
    (void)try_way(x, END_A, hf_towards(x->a, x->c), best);
    (void)try_way(x, END_B, hf_towards(z, x->c), best);
    if (hf_v3_norm(across) > HF_WAY_PARALLEL) {
        (void)try_way(x, BARRELS, hf_towards(unit(across), x->c), best);
    }
}

// ------------------------------------------------------------------------------------------------
// (2)

typedef struct local {
    double first[2], second[3]; // along u, w; along uu, uw, ww
    double value;               // of (2) itself
} local;

// Derivatives of (2) on the sphere at n, along unit u and w across it. False: n is along an axis.
static bool derive(const work *x, hf_vec3 g, hf_vec3 n, hf_vec3 u, hf_vec3 w, local *d)
{
    const hf_vec3 axes[2] = {x->a, {0.0, 0.0, 1.0}};
    const double radii[2] = {x->ra, x->rb};
    hf_vec3 gradient = g;
    *d = (local){0};
    for (int i = 0; i < 2; ++i) {
        hf_vec3 p = beside(n, axes[i]);
        double length = hf_v3_norm(p);
        if (!(length > HF_WAY_ACROSS)) {
            return false;
        }
        // -r (P - m m')/|P n| with m = P n/|P n|, which is k k' of k across both
        hf_vec3 k = hf_v3_scale(1.0 / length, hf_v3_cross(axes[i], n));
        double ku = hf_v3_dot(k, u), kw = hf_v3_dot(k, w), part = radii[i] / length;
        gradient = hf_v3_axpy(gradient, -part, p);
        d->second[0] -= part * ku * ku;
        d->second[1] -= part * ku * kw;
        d->second[2] -= part * kw * kw;
    }
    double value = hf_v3_dot(n, gradient);
    d->first[0] = hf_v3_dot(u, gradient);
    d->first[1] = hf_v3_dot(w, gradient);
    d->second[0] -= value;
    d->second[2] -= value;
    d->value = value;
    return true;
}

// n turned by x along u and y along w, as far as HF_WAY_LONGEST.
static hf_vec3 turned(hf_vec3 n, hf_vec3 u, double x, hf_vec3 w, double y, double *far)
{
    double length = sqrt(x * x + y * y),
           part = length > HF_WAY_LONGEST ? HF_WAY_LONGEST / length : 1.0;
    *far = part * length;
    return unit(hf_v3_axpy(hf_v3_axpy(n, part * x, u), part * y, w));
}

// The maximum of (2) on the sphere, or across `fixed`; from n on. False also where it does not
// promise to be better than `least`: (1) is at most (2).
static bool maximize(const work *x, hf_vec3 g, const hf_vec3 *fixed, hf_vec3 n, double least,
                     hf_vec3 *found)
{
    // A start across what is fixed
    if (fixed != NULL) {
        n = beside(n, *fixed);
        if (!(hf_v3_norm(n) > HF_WAY_ACROSS)) {
            return false;
        }
        n = unit(n);
    }
    // Steps along u, and along w where nothing is fixed
    for (int i = 0; i < NEWTON; ++i) {
        hf_vec3 other = fabs(n.x) < 0.6 ? hf_v3(1.0, 0.0, 0.0) : hf_v3(0.0, 1.0, 0.0);
        hf_vec3 u = unit(hf_v3_cross(fixed != NULL ? *fixed : other, n)), w = hf_v3_cross(n, u);
        local d;
        if (!derive(x, g, n, u, w, &d)) {
            return false;
        }
        // Newton's step where (2) bends down, else uphill
        double a = d.second[0], b = fixed != NULL ? 0.0 : d.second[1];
        double c = fixed != NULL ? -1.0 : d.second[2], gu = d.first[0];
        double gw = fixed != NULL ? 0.0 : d.first[1], det = a * c - b * b, far;
        bool down = a < 0.0 && det > 0.0;
        double steep = sqrt(gu * gu + gw * gw), scale = steep > 0.0 ? HF_WAY_LONGEST / steep : 0.0;
        double dx = down ? (b * gw - c * gu) / det : scale * gu;
        double dy = down ? (b * gu - a * gw) / det : scale * gw;
        // Half of g . step is what the step promises
        if (down && hf_way_is_hopeless(d.value, gu * dx + gw * dy, -1.0, least)) {
            return false;
        }
        n = turned(n, u, dx, w, dy, &far);
        if (far < HF_WAY_SHORTEST) {
            break;
        }
    }
    *found = n;
    return true;
}

static double sign_or(double value, double other)
{
    return (fabs(value) > HF_WAY_ACROSS ? value : other) < 0.0 ? -1.0 : 1.0;
}

// g of the rims that face each other along n; of a barrel the middle.
static hf_vec3 between(const work *x, hf_vec3 n, bool rim_a, bool rim_b)
{
    // Which end of a line is nearer to the other cylinder
    double side_a = sign_or(hf_v3_dot(n, x->a), hf_v3_dot(x->a, x->c));
    double side_b = sign_or(n.z, x->c.z);
    hf_vec3 g = rim_a ? hf_v3_axpy(x->c, -x->la * side_a, x->a) : x->c;
    g.z -= rim_b ? x->lb * side_b : 0.0;
    return g;
}

static bool try_beside(const work *x, way *best)
{
    const hf_vec3 n = best->n, z = hf_v3(0.0, 0.0, 1.0);
    hf_vec3 across = hf_v3_cross(x->a, z), m;
    bool better = false;
    // From an axis any way leads down: a little beside it, to the other's center
    bool on_axis =
        hf_v3_norm(beside(n, x->a)) < HF_WAY_ACROSS || hf_v3_norm(beside(n, z)) < HF_WAY_ACROSS;
    hf_vec3 from = on_axis ? hf_v3_axpy(n, 0.1 / x->size, x->c) : n;
    from = unit(from);
    better = (maximize(x, between(x, from, true, true), NULL, from, best->s, &m) &&
              try_way(x, RIMS, m, best)) ||
             better;
    better = (maximize(x, between(x, from, true, false), &z, from, best->s, &m) &&
              try_way(x, RIM_A, m, best)) ||
             better;
    better = (maximize(x, between(x, from, false, true), &x->a, from, best->s, &m) &&
              try_way(x, RIM_B, m, best)) ||
             better;
    if (hf_v3_norm(across) > HF_WAY_PARALLEL) {
        better = try_way(x, BARRELS, hf_towards(unit(across), n), best) || better;
    }
    better = try_way(x, END_A, hf_towards(x->a, n), best) || better;
    return try_way(x, END_B, hf_towards(z, n), best) || better;
}

// The best of directions all around: no maximum, but near one.
static way look_around(const work *x)
{
    way best = {.s = -HUGE_VAL};
    for (int i = 0; i < HF_AROUND / 2; ++i) { // and never away from the other
        (void)try_way(x, END_A, hf_towards(hf_direction_around(i), x->c), &best);
    }
    return best;
}

static bool is_same(const work *x, const way *a, const way *b)
{
    return fabs(a->s - b->s) <= HF_WAY_SAME_GAP * x->size &&
           hf_v3_dot(a->n, b->n) > 1.0 - HF_WAY_SAME_N;
}

// known: a way from which no other leads on; NULL: none is known.
static void climb(const work *x, double margin, const way *known, way *best)
{
    for (int i = 0; i < HF_WAY_ROUNDS && best->s <= margin && try_beside(x, best); ++i) {
        if (known != NULL && is_same(x, best, known)) {
            return;
        }
    }
}

// ------------------------------------------------------------------------------------------------
// Whether a way is a maximum, and where

// The first one's farthest point against n; of a line or a disc, the middle.
static hf_vec3 on_a(const work *x, hf_vec3 n)
{
    hf_vec3 p = beside(n, x->a), at = x->c;
    double across = hf_v3_norm(p), axial = hf_v3_dot(n, x->a);
    at = across > HF_WAY_ACROSS ? hf_v3_axpy(at, -x->ra / across, p) : at;
    return fabs(axial) > HF_WAY_ACROSS ? hf_v3_axpy(at, axial < 0.0 ? x->la : -x->la, x->a) : at;
}

// Whether a line or a point lies over a disc: centers' distance across the axis, what it spans.
static bool reaches(hf_vec3 from, hf_vec3 axis, double most)
{
    return hf_v3_norm(beside(from, axis)) <= most;
}

// at: the first one's point. False: the features do not meet along the way, or lie on each other
// and it is not known where.
static bool is_maximum(const work *x, const way *best, hf_vec3 *at)
{
    const hf_vec3 n = best->n, z = hf_v3(0.0, 0.0, 1.0), a = on_a(x, n),
                  b = hf_on_cylinder(x->rb, x->lb, n);
    double end = HF_WAY_AT_END * x->size;
    bool discs = hf_v3_norm(beside(x->a, z)) <= HF_WAY_ACROSS;
    switch (best->kind) {
    case END_A: // the other's rim, or its disc, over this one's end
        *at = hf_v3_axpy(b, best->s, n);
        return fabs(n.z) > HF_WAY_ACROSS &&
               reaches(hf_v3_sub(b, x->c), x->a, x->ra + (discs ? x->rb : 0.0) + end);
    case END_B:
        *at = a;
        return fabs(hf_v3_dot(n, x->a)) > HF_WAY_ACROSS &&
               reaches(a, z, x->rb + (discs ? x->ra : 0.0) + end);
    case BARRELS: { // where the axes cross, seen along n
        hf_vec3 k = hf_v3_cross(n, z), m = hf_v3_cross(n, x->a);
        double t = -hf_v3_dot(k, x->c) / hf_v3_dot(k, x->a), w = hf_v3_dot(m, x->c) / m.z;
        *at = hf_v3_axpy(hf_v3_axpy(x->c, t, x->a), -x->ra, n);
        return fabs(t) <= x->la + end && fabs(w) <= x->lb + end;
    }
    case RIM_A:
        *at = a;
        return fabs(hf_v3_dot(n, x->a)) > HF_WAY_ACROSS && fabs(a.z) <= x->lb + end;
    case RIM_B:
        *at = hf_v3_axpy(b, best->s, n);
        return fabs(n.z) > HF_WAY_ACROSS &&
               fabs(hf_v3_dot(hf_v3_sub(b, x->c), x->a)) <= x->la + end;
    default:
        *at = a;
        return hf_v3_norm(beside(hf_v3_sub(a, b), n)) <= ON_LINE * x->size;
    }
}

hf_way_said hf_cylinders_find(const hf_solid *a, const hf_solid *b, hf_vec3 place, double margin,
                              hf_way *found)
{
    const hf_mat3 *frame = &b->rotation, *other = &a->rotation;
    const hf_vec3 axis_a = {other->xz, other->yz, other->zz},
                  axis_b = {frame->xz, frame->yz, frame->zz};
    work x = {.c = hf_m3_tmulv(frame, place),
              .a = hf_m3_tmulv(frame, axis_a),
              .ra = a->radius,
              .la = a->half.z,
              .rb = b->radius,
              .lb = b->half.z,
              .size = a->reach + b->reach};
    way best;
    hf_vec3 at = {0};
    begin(&x, &best);
    climb(&x, margin, NULL, &best);
    // Deep ones: also from the line of the centers, what of it is across each axis, and the best of
    // directions all around
    const hf_vec3 starts[] = {x.c, beside(x.c, x.a), hf_v3(x.c.x, x.c.y, 0.0)};
    for (int i = 0; i < 4 && best.s < -HF_WAY_DEEP * x.size; ++i) {
        hf_vec3 start = i < 3 ? starts[i] : look_around(&x).n;
        double far = hf_v3_norm(start);
        way next = {.n = hf_v3_scale(1.0 / far, start), .s = -HUGE_VAL};
        if (far > HF_WAY_ACROSS * x.size) {
            climb(&x, margin, &best, &next);
            best = next.s > best.s + HF_WAY_SAME_GAP * x.size ? next : best;
        }
    }
    if (best.s > margin) {
        return HF_WAY_APART;
    }
    bool sure = is_maximum(&x, &best, &at);
    // An end's normal is as the cylinder has it, to the bit
    hf_vec3 n = hf_m3_mulv(frame, best.n);
    n = best.kind == END_A ? hf_towards(axis_a, n) : best.kind == END_B ? hf_towards(axis_b, n) : n;
    *found = (hf_way){.n = n, .gap = best.s, .at = hf_m3_mulv(frame, at)};
    return sure ? HF_WAY_FOUND : HF_WAY_UNSURE;
}
