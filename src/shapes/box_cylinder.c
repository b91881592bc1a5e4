// SPDX-License-Identifier: Apache-2.0
// What a unit direction n keeps a box and a cylinder apart, in axes of the cylinder (z along it, c
// the box's center, e_i the box's axes, h_i its half edges, r and l the cylinder's radius and half
// length):
//
//   s(n) = n.c - sum h_i |n.e_i| - r |n_xy| - l |n_z|                                        (1)
//
// Its local maxima are known by the features that meet there:
//
//   a face of the box            n = e_i
//   an end of the cylinder       n = z
//   an edge and the barrel       n = e_i x z
//   a vertex V and the barrel    n = V_xy / |V_xy|
//   a vertex and a rim           n from the rim's nearest point to V; apart only
//   an edge and a rim            the root of s' along the circle of directions across e_i   (2)
//
// The best of the first four kinds is the start. From there the features beside the present ones
// are tried until none is better. A direction is a maximum when the features have points that lie
// opposite to each other along it, which is checked. s is concave where it is positive: then there
// is no other maximum. Of solids deep in each other all maxima are looked at (ring.h).
#include "shapes/box_cylinder.h"

#include "math/turn.h"
#include "shapes/ring.h"

enum { NEWTON = 20, UPHILL = 4 }; // steps at most; of these where s does not bend down

typedef enum meeting { FACE, END, BARREL_EDGE, BARREL_VERTEX, RIM_VERTEX, RIM_EDGE } meeting;

typedef struct work {
    hf_vec3 c, e[3];
    double h[3], r, l, size;
    int first; // axis that has faces and edges: 0: of a box, 2: of a line along its third
} work;

typedef struct way {
    meeting kind;
    int axis; // of the box: its face's normal, its edge
    hf_vec3 n;
    double s;
} way;

static double along(const work *x, hf_vec3 n)
{
    double box = x->h[0] * fabs(hf_v3_dot(n, x->e[0])) + x->h[1] * fabs(hf_v3_dot(n, x->e[1])) +
                 x->h[2] * fabs(hf_v3_dot(n, x->e[2]));
    return hf_v3_dot(n, x->c) - box - x->r * sqrt(n.x * n.x + n.y * n.y) - x->l * fabs(n.z);
}

static bool try_way(const work *x, meeting kind, int axis, hf_vec3 n, way *best)
{
    double s = along(x, n);
    if (!(s > best->s + HF_WAY_SAME_GAP * x->size)) {
        return false;
    }
    *best = (way){.kind = kind, .axis = axis, .n = n, .s = s};
    return true;
}

// A vertex on the barrel.
static bool try_vertex(const work *x, hf_vec3 v, way *best)
{
    double far = sqrt(v.x * v.x + v.y * v.y);
    return far > HF_WAY_ACROSS * x->size &&
           try_way(x, BARREL_VERTEX, 0, hf_v3(v.x / far, v.y / far, 0.0), best);
}

// Faces, ends, edges and vertices on the barrel; false: one of them keeps the two apart.
static bool begin(const work *x, double margin, way *best)
{
    *best = (way){.s = -HUGE_VAL};
    for (int i = 0; i < 3 && x->first == 0; ++i) {
        (void)try_way(x, FACE, i, hf_towards(x->e[i], x->c), best);
    }
    (void)try_way(x, END, 0, hf_v3(0.0, 0.0, x->c.z < 0.0 ? -1.0 : 1.0), best);
    for (int i = x->first; i < 3 && best->s <= margin; ++i) {
        hf_vec3 n = hf_v3(x->e[i].y, -x->e[i].x, 0.0);
        double length = hf_v3_norm(n);
        if (length > HF_WAY_PARALLEL) {
            (void)try_way(x, BARREL_EDGE, i, hf_towards(hf_v3_scale(1.0 / length, n), x->c), best);
        }
    }
    for (int k = 0; k < 8 >> x->first && best->s < 0.0; ++k) {
        hf_vec3 v = x->c;
        for (int i = x->first; i < 3; ++i) {
            v = hf_v3_axpy(v, (k >> (i - x->first) & 1) != 0 ? x->h[i] : -x->h[i], x->e[i]);
        }
        (void)try_vertex(x, v, best);
    }
    if (x->first == 2) { // along the axis all ways across it are the same
        (void)try_way(x, BARREL_VERTEX, 0, hf_v3(1.0, 0.0, 0.0), best);
    }
    return best->s <= margin;
}

// ------------------------------------------------------------------------------------------------
// Features of a direction

static hf_vec3 on_cylinder(const work *x, hf_vec3 n)
{
    return hf_on_cylinder(x->r, x->l, n);
}

// The box's vertex farthest against n; of an edge or a face, the one nearest to the cylinder's
// point.
static hf_vec3 vertex_at(const work *x, hf_vec3 n)
{
    hf_vec3 v = x->c, from = hf_v3_sub(on_cylinder(x, n), x->c);
    for (int i = 0; i < 3; ++i) {
        double cosine = hf_v3_dot(n, x->e[i]);
        double side = fabs(cosine) > HF_WAY_ACROSS ? -cosine : hf_v3_dot(from, x->e[i]);
        v = hf_v3_axpy(v, side < 0.0 ? -x->h[i] : x->h[i], x->e[i]);
    }
    return v;
}

// The rim that a vertex is nearest to.
static double rim_of(const work *x, hf_vec3 n, hf_vec3 v)
{
    double side = fabs(n.z) > HF_WAY_ACROSS ? n.z : v.z;
    return side < 0.0 ? -x->l : x->l;
}

// (2) for the edge through a vertex along e and a rim: a direction across e, what is across both,
// and where it stands.
typedef struct turning {
    hf_vec3 u, w;
    bool goes, found;
    int uphill;
} turning;

// n without its part along the edge e.
static turning turn_from(hf_vec3 e, hf_vec3 n)
{
    hf_vec3 u = hf_v3_axpy(n, -hf_v3_dot(n, e), e);
    double length = hf_v3_norm(u);
    if (!(length > HF_WAY_ACROSS)) {
        return (turning){.goes = false};
    }
    u = hf_v3_scale(1.0 / length, u);
    return (turning){.u = u, .w = hf_v3_cross(e, u), .goes = true};
}

// A step of Newton's method; g: from the rim's middle to the vertex. Ends also where it does not
// promise to be better than `least`: s is at most what the vertex and the rim keep apart.
static inline void turn_on(const work *x, hf_vec3 g, double least, turning *t)
{
    // s = n.g - r |n_xy| at n = u, its first two derivatives along n' = w
    hf_vec3 u = t->u, w = t->w;
    double across = sqrt(u.x * u.x + u.y * u.y), uw = u.x * w.x + u.y * w.y;
    t->goes = across > HF_WAY_ACROSS;
    double over = 1.0 / across, lean = uw * over;
    double first = hf_v3_dot(w, g) - x->r * lean;
    double bend = (w.x * w.x + w.y * w.y - across * across) - lean * lean;
    double ahead = hf_v3_dot(u, g), second = -ahead - x->r * bend * over;
    t->uphill += second >= 0.0 ? 1 : 0;
    if (!t->goes || t->uphill > UPHILL ||
        hf_way_is_hopeless(ahead - x->r * across, first * first, second, least)) {
        t->goes = false;
        return;
    }
    double turn = second < 0.0 ? -first / second : (first > 0.0 ? HF_WAY_LONGEST : -HF_WAY_LONGEST);
    turn = fmax(-HF_WAY_LONGEST, fmin(HF_WAY_LONGEST, turn));
    double part = 0.25 * turn * turn, whole = 1.0 / (1.0 + part);
    double cosine = (1.0 - part) * whole, sine = turn * whole;
    t->u = hf_v3_axpy(hf_v3_scale(cosine, u), sine, w);
    t->w = hf_v3_axpy(hf_v3_scale(cosine, w), -sine, u);
    t->goes = !(fabs(turn) < HF_WAY_SHORTEST);
    t->found = !t->goes;
}

// The same for all three edges through v and the rim at height z, from n on, side by side: each
// step waits for its own roots and quotients alone.
static void turn_edges(const work *x, hf_vec3 v, double z, hf_vec3 n, double least, turning t[3])
{
    const hf_vec3 g = hf_v3(v.x, v.y, v.z - z);
    for (int k = 0; k < 3; ++k) {
        t[k] = turn_from(x->e[k], n);
    }
    for (int i = 0; i < NEWTON && (t[0].goes || t[1].goes || t[2].goes); ++i) {
        for (int k = 0; k < 3; ++k) {
            if (t[k].goes) {
                turn_on(x, g, least, &t[k]);
            }
        }
    }
}

static bool try_beside(const work *x, way *best)
{
    const hf_vec3 n = best->n, v = vertex_at(x, n);
    double far = sqrt(v.x * v.x + v.y * v.y), z = rim_of(x, n, v);
    // From the rim to the vertex
    bool better = try_vertex(x, v, best);
    if (far > HF_WAY_ACROSS * x->size) {
        hf_vec3 d = hf_v3(v.x - x->r * v.x / far, v.y - x->r * v.y / far, v.z - z);
        double length = hf_v3_norm(d);
        bool outside = far > x->r && fabs(v.z) > x->l && length > 0.0;
        better =
            (outside && try_way(x, RIM_VERTEX, 0, hf_v3_scale(1.0 / length, d), best)) || better;
    }
    // From the rim to the edges
    turning t[3];
    turn_edges(x, v, z, n, best->s, t);
    for (int i = 0; i < 3; ++i) {
        // What has not come to its end in so many steps counts too
        if (t[i].found || t[i].goes) {
            hf_vec3 m = hf_v3_scale(1.0 / hf_v3_norm(t[i].u), t[i].u);
            better = try_way(x, RIM_EDGE, i, m, best) || better;
        }
    }
    return better;
}

// The best of the ways across each edge, with those that `begin` has looked at: the best of all
// where the two overlap.
static void look_across(const work *x, way *best)
{
    for (int i = x->first; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        hf_ring ring = {.c = x->c,
                        .edge = x->e[i],
                        .sides = {x->e[j], x->e[k]},
                        .half = {x->h[j], x->h[k]},
                        .radius = x->r,
                        .half_length = x->l};
        hf_vec3 n;
        if (hf_ring_best(&ring, best->s, &n)) {
            (void)try_way(x, RIM_EDGE, i, hf_v3_scale(1.0 / hf_v3_norm(n), n), best);
        }
    }
}

// ------------------------------------------------------------------------------------------------
// Whether a way is a maximum, and where

static bool is_over_face(const work *x, int axis, hf_vec3 point)
{
    hf_vec3 d = hf_v3_sub(point, x->c);
    for (int i = 0; i < 3; ++i) {
        if (i != axis && !(fabs(hf_v3_dot(d, x->e[i])) <= x->h[i] + HF_WAY_AT_END * x->size)) {
            return false;
        }
    }
    return true;
}

static bool is_on_end(const work *x, hf_vec3 p)
{
    return sqrt(p.x * p.x + p.y * p.y) <= x->r + HF_WAY_AT_END * x->size;
}

static bool is_beside_barrel(const work *x, hf_vec3 p)
{
    return fabs(p.z) <= x->l + HF_WAY_AT_END * x->size;
}

// The box's point on the edge through v nearest to the axis line, seen along n.
static hf_vec3 on_edge_over_axis(const work *x, int axis, hf_vec3 n, hf_vec3 v)
{
    // v + t e with no part across n and z
    hf_vec3 e = x->e[axis], k = hf_v3_cross(n, hf_v3(0.0, 0.0, 1.0));
    return hf_v3_axpy(v, -hf_v3_dot(k, v) / hf_v3_dot(k, e), e);
}

// at: the box's point. False: the features do not meet along the way.
static bool is_maximum(const work *x, const way *best, hf_vec3 *at)
{
    const hf_vec3 n = best->n, v = vertex_at(x, n), b = on_cylinder(x, n);
    const double across = sqrt(n.x * n.x + n.y * n.y);
    switch (best->kind) {
    case FACE: // over a point of a rim, or the middle of a line or a disc
        *at = hf_v3_axpy(b, best->s, n);
        if (across > HF_WAY_ACROSS && fabs(n.z) <= HF_WAY_ACROSS) { // a line: any of its points
            hf_vec3 top = hf_v3(b.x, b.y, x->l), bottom = hf_v3(b.x, b.y, -x->l);
            return is_over_face(x, best->axis, b) || is_over_face(x, best->axis, top) ||
                   is_over_face(x, best->axis, bottom) || is_beside_barrel(x, v);
        }
        return is_over_face(x, best->axis, b) || (across <= HF_WAY_ACROSS && is_on_end(x, v));
    case END:
        *at = v;
        return is_on_end(x, v);
    case BARREL_EDGE:
        *at = on_edge_over_axis(x, best->axis, n, v);
        return is_beside_barrel(x, *at) &&
               fabs(hf_v3_dot(hf_v3_sub(*at, x->c), x->e[best->axis])) <=
                   x->h[best->axis] + HF_WAY_AT_END * x->size;
    case BARREL_VERTEX:
        *at = v;
        return is_beside_barrel(x, v);
    case RIM_VERTEX:
        *at = v;
        return true;
    default:
        *at = hf_v3_axpy(b, best->s, n);
        return fabs(hf_v3_dot(hf_v3_sub(*at, x->c), x->e[best->axis])) <=
               x->h[best->axis] + HF_WAY_AT_END * x->size;
    }
}

static work set_up(const hf_solid *a, const hf_solid *cylinder, hf_vec3 place, int first)
{
    const hf_mat3 *frame = &cylinder->rotation;
    work x = {.c = hf_m3_tmulv(frame, place),
              .h = {a->half.x, a->half.y, a->half.z},
              .r = cylinder->radius,
              .l = cylinder->half.z,
              .size = a->reach + cylinder->reach,
              .first = first};
    for (int i = 0; i < 3; ++i) {
        x.e[i] = hf_m3_tmulv(frame, hf_m3_column(&a->rotation, i));
    }
    return x;
}

static hf_way_said say(const work *x, const way *best, const hf_solid *a, const hf_mat3 *frame,
                       hf_way *found)
{
    hf_vec3 at;
    bool sure = is_maximum(x, best, &at);
    // A face's normal is taken as the box or the cylinder has it, to the bit
    hf_vec3 n = hf_m3_mulv(frame, best->n);
    if (best->kind == FACE) {
        n = hf_towards(hf_m3_column(&a->rotation, best->axis), n);
    } else if (best->kind == END) {
        n = hf_towards(hf_m3_column(frame, 2), n);
    }
    *found = (hf_way){.n = n, .gap = best->s, .at = hf_m3_mulv(frame, at)};
    return sure ? HF_WAY_FOUND : HF_WAY_UNSURE;
}

hf_way_said hf_box_cylinder_find(const hf_solid *box, const hf_solid *cylinder, hf_vec3 place,
                                 double margin, hf_way *found)
{
    work x = set_up(box, cylinder, place, 0);
    way best;
    if (!begin(&x, margin, &best)) {
        return HF_WAY_APART;
    }
    // Deep ones: the best of all. Others: the features beside the best of the plain ways
    if (best.s < -HF_WAY_DEEP * x.size) {
        look_across(&x, &best);
    } else {
        int rounds = 0;
        while (rounds < HF_WAY_ROUNDS && best.s <= margin && try_beside(&x, &best)) {
            ++rounds;
        }
    }
    return best.s > margin ? HF_WAY_APART : say(&x, &best, box, &cylinder->rotation, found);
}

hf_way_said hf_line_cylinder_find(const hf_solid *line, const hf_solid *cylinder, hf_vec3 place,
                                  hf_way *found)
{
    work x = set_up(line, cylinder, place, 2);
    way best;
    (void)begin(&x, HUGE_VAL, &best);
    if (!(best.s < 0.0)) {
        return HF_WAY_UNSURE;
    }
    look_across(&x, &best);
    return say(&x, &best, line, &cylinder->rotation, found);
}
