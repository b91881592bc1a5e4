// SPDX-License-Identifier: Apache-2.0
// Any two convex solids: first the direction that keeps them farthest apart (or least deep in each
// other), then the features that they turn to each other along it.
//
//   s(n) = min over A of n.x - max over B of n.x      what a unit direction n keeps them apart
//
// Cores that are apart have the direction of their nearest points (GJK). Where they touch or
// overlap, s is maximized by proximal steps from a first guess:
//
//   n <- argmax s(m) + t m.n      over unit vectors m
//
// which is the direction of the nearest points once A is moved away by t n: each step is a distance
// problem far from contact, where rounding is harmless, and s never falls. Sharp maxima (a vertex
// on a face) are found in one step; smooth ones (a rim on an edge) with the rate t/(t + size). The
// first guess is that of slightly smaller cores, or of the expanding polytope when even these
// overlap: the best of all ways out, where proximal steps would find the next one.
#include <float.h>

#include "shapes/box_cylinder.h"
#include "shapes/cylinders.h"
#include "shapes/epa.h"
#include "shapes/gjk.h"
#include "shapes/line_box.h"
#include "shapes/line_distance.h"
#include "shapes/touch.h"

// Distances below this part of the size have no direction that rounding would not turn.
#define NEAR 1e-9
// How far A is moved away, as a part of the smaller solid's size.
#define AWAY 0.02
// Lines nearer to across the direction than this settle it: sine of the angle.
#define NEARLY_ACROSS 1e-3
// Gaps that features may have more than the nearest points, as a part of the size.
#define MISSED 1e-5
// A face that looks along the direction but for rounding: cosine of the angle.
#define EXACTLY (1.0 - 1e-11)
// Smaller cores of the first guess.
#define SHRUNK 0.95

// Gaps that differ by less than this part of the size are equal, but for rounding.
#define SAME_GAP 1e-12
// Lines whose directions differ by less (sine) have no direction across both.
#define PARALLEL_LINES 1e-6
// Faces that look along the direction equally well, but for rounding: A's is taken (cosine).
#define SAME_COSINE 1e-9
// Lines that lie beside each other on less than this part of the smaller solid touch in one point.
#define SHORT 1e-3

enum { STEPS = 30, SINGLE = 1, ENDS = 2 };
// Numbers of corners that caps have besides those of their polygons.
enum { FIRST_END = 2 * HF_RIM };

typedef struct pair {
    const hf_solid *a, *b;
    hf_vec3 place;
    double margin;
    double size, smaller; // both solids, the smaller one
} pair;

typedef struct found {
    hf_vec3 n;
    double gap;   // of the cores along n
    hf_vec3 a, b; // their points there
} found;

// ------------------------------------------------------------------------------------------------
// The direction

static double apart_along(const pair *p, hf_vec3 n)
{
    hf_vec3 a = hf_solid_support(p->a, hf_v3_scale(-1.0, n)), b = hf_solid_support(p->b, n);
    return hf_v3_dot(n, hf_v3_add(p->place, hf_v3_sub(a, b)));
}

// A direction out of a deep overlap.
static hf_vec3 guess_deep(const pair *p)
{
    hf_vec3 n;
    if (hf_epa(p->a, p->b, p->place, &n)) {
        return n;
    }
    double far = hf_v3_norm(p->place);
    return far > 0.0 ? hf_v3_scale(1.0 / far, p->place) : hf_v3(0.0, 0.0, 1.0);
}

static hf_vec3 first_guess(const pair *p)
{
    hf_nearest smaller = hf_gjk(p->a, p->b, p->place, SHRUNK, HUGE_VAL);
    if (smaller.apart && smaller.distance > NEAR * p->size) {
        return hf_v3_scale(1.0 / smaller.distance, hf_v3_sub(smaller.a, smaller.b));
    }
    return guess_deep(p);
}

// Proximal steps from n. The distance that a step finds, less the way that A was moved, is what it
// knows of max s: to second order in what n is off, where s(n) itself would be off to first order.
static found climb(const pair *p, hf_vec3 n)
{
    found best = {.n = n, .gap = apart_along(p, n)};
    double away = AWAY * p->smaller + 1.5 * fmax(0.0, -best.gap);
    bool first = true;
    hf_gjk_memory memory = {.count = 1,
                            .a = {hf_solid_support(p->a, hf_v3_scale(-1.0, n))},
                            .b = {hf_solid_support(p->b, n)}};
    best.a = hf_v3_add(p->place, memory.a[0]);
    best.b = memory.b[0];
    for (int i = 0; i < STEPS; ++i) {
        hf_nearest moved = hf_gjk_again(p->a, p->b, hf_v3_axpy(p->place, away, best.n), &memory);
        if (!moved.apart || !(moved.distance > NEAR * p->size)) {
            away *= 2.0;
            continue;
        }
        double gap = moved.distance - away, more = gap - best.gap;
        best = (found){hf_v3_scale(1.0 / moved.distance, hf_v3_sub(moved.a, moved.b)), gap,
                       hf_v3_axpy(moved.a, -away, best.n), moved.b};
        if (!first && more <= 4.0 * DBL_EPSILON * p->size) {
            break;
        }
        first = false;
        away = AWAY * p->smaller + 1.5 * fmax(0.0, -gap);
    }
    return best;
}

static bool try_direction(const pair *p, hf_vec3 n, found *best)
{
    double gap = apart_along(p, n);
    if (!(gap > best->gap + SAME_GAP * p->size)) {
        return false;
    }
    *best = (found){n, gap, hf_v3_add(p->place, hf_solid_support(p->a, hf_v3_scale(-1.0, n))),
                    hf_solid_support(p->b, n)};
    return true;
}

// The sharp maxima of s are normals of faces and crosses of edges: those beside the present one.
static found try_neighbours(const pair *p, found best)
{
    hf_ways a, b;
    for (int round = 0; round < STEPS; ++round) {
        bool better = false;
        hf_vec3 n = best.n;
        // What lies beside n: faces of one against the other
        hf_solid_ways(p->a, hf_v3_scale(-1.0, n), &a);
        hf_solid_ways(p->b, n, &b);
        for (int i = 0; i < a.normal_count; ++i) {
            better = try_direction(p, hf_v3_scale(-1.0, a.normals[i]), &best) || better;
        }
        for (int i = 0; i < b.normal_count; ++i) {
            better = try_direction(p, b.normals[i], &best) || better;
        }
        // and edges of both
        for (int i = 0; i < a.line_count; ++i) {
            for (int j = 0; j < b.line_count; ++j) {
                hf_vec3 m = hf_v3_cross(a.lines[i], b.lines[j]);
                double length = hf_v3_norm(m);
                if (length > PARALLEL_LINES) {
                    m = hf_v3_scale((hf_v3_dot(m, n) < 0.0 ? -1.0 : 1.0) / length, m);
                    better = try_direction(p, m, &best) || better;
                }
            }
        }
        if (!better) {
            break;
        }
    }
    return best;
}

static bool is_curved(const hf_solid *s)
{
    return s->type == HF_SHAPE_CYLINDER || s->type == HF_SHAPE_ELLIPSOID ||
           s->type == HF_SHAPE_CONE;
}

// Of a box or cylinder and a cylinder. False: the search has to go on from f->n.
static bool find_by_features(const pair *p, found *f, bool *near)
{
    hf_way way;
    hf_way_said said = p->a->type == HF_SHAPE_BOX
                           ? hf_box_cylinder_find(p->a, p->b, p->place, p->margin, &way)
                           : hf_cylinders_find(p->a, p->b, p->place, p->margin, &way);
    *near = said != HF_WAY_APART;
    if (*near) {
        *f = (found){way.n, way.gap, way.at, hf_v3_axpy(way.at, -way.gap, way.n)};
    }
    return said != HF_WAY_UNSURE;
}

// Of a capsule whose core overlaps a box or a cylinder. False: the search has to go on.
static bool find_core(const pair *p, found *f)
{
    hf_way way;
    hf_way_said said = p->b->type == HF_SHAPE_BOX ? hf_line_box_find(p->a, p->b, p->place, &way)
                       : p->b->type == HF_SHAPE_CYLINDER
                           ? hf_line_cylinder_find(p->a, p->b, p->place, &way)
                           : HF_WAY_UNSURE;
    if (said != HF_WAY_FOUND) {
        return false;
    }
    *f = (found){way.n, way.gap, way.at, hf_v3_axpy(way.at, -way.gap, way.n)};
    return true;
}

// False: farther apart than the margin, along f->n where that is not zero.
static bool find_direction(const pair *p, found *f)
{
    double round = hf_solid_round(p->a) + hf_solid_round(p->b);
    bool near;
    if ((p->a->type == HF_SHAPE_BOX || p->a->type == HF_SHAPE_CYLINDER) &&
        p->b->type == HF_SHAPE_CYLINDER && find_by_features(p, f, &near)) {
        return near;
    }
    hf_nearest nearest = hf_line_distance_knows(p->a, p->b)
                             ? hf_line_distance(p->a, p->b, p->place, p->margin + round)
                             : hf_gjk(p->a, p->b, p->place, 1.0, p->margin + round);
    if (nearest.apart && nearest.distance - round > p->margin) {
        f->n = nearest.way;
        return false;
    }
    if (nearest.apart && nearest.distance > NEAR * p->size) {
        *f = (found){hf_v3_scale(1.0 / nearest.distance, hf_v3_sub(nearest.a, nearest.b)),
                     nearest.distance, nearest.a, nearest.b};
        // Between curved surfaces a small distance is found well, and its direction badly.
        if ((is_curved(p->a) || is_curved(p->b)) && nearest.distance < AWAY * p->smaller) {
            found better = climb(p, f->n);
            *f = better.gap > f->gap - SAME_GAP * p->size ? better : *f;
        }
        return true;
    }
    if (p->a->type == HF_SHAPE_CAPSULE && find_core(p, f)) {
        return true;
    }
    *f = climb(p, first_guess(p));
    found sharp = try_neighbours(p, *f);
    if (sharp.gap > f->gap + SAME_GAP * p->size) {
        found smooth = climb(p, sharp.n);
        if (!(smooth.gap > sharp.gap - SAME_GAP * p->size)) {
            // smooth's points are those of another direction
            double away = AWAY * p->smaller + 1.5 * fmax(0.0, -sharp.gap);
            hf_nearest moved =
                hf_gjk(p->a, p->b, hf_v3_axpy(p->place, away, sharp.n), 1.0, HUGE_VAL);
            sharp.a = moved.apart ? hf_v3_axpy(moved.a, -away, sharp.n) : sharp.a;
            smooth = sharp;
        }
        *f = smooth;
    }
    return f->gap - round <= p->margin;
}

// ------------------------------------------------------------------------------------------------
// Features along it

// How much a face looks along a direction: 1: exactly; a line or point does not.
static double alignment(const hf_feature *f, hf_vec3 direction)
{
    return f->count >= 3 ? hf_v3_dot(f->normal, direction) : -1.0;
}

// Whether a feature is nearly parallel to a plane.
static bool lies_flat(const hf_feature *f, hf_vec3 normal)
{
    if (f->count >= 3) {
        return -hf_v3_dot(f->normal, normal) > 1.0 - 2.0 * HF_PARALLEL * HF_PARALLEL;
    }
    hf_vec3 u = hf_v3_sub(f->points[f->count - 1], f->points[0]);
    return f->count == 2 && fabs(hf_v3_dot(u, normal)) < 2.0 * HF_PARALLEL * hf_v3_norm(u);
}

// Whether a feature is the cap of a cylinder or cone, seen as a polygon.
static bool is_cap(const hf_solid *s, const hf_feature *f)
{
    return (s->type == HF_SHAPE_CYLINDER || s->type == HF_SHAPE_CONE) && f->count == HF_RIM;
}

// Adds the cap's point in a unit direction across its normal to the corners of its polygon.
static void add_corner(hf_feature *cap, hf_vec3 to, int id)
{
    // Quarters of the rim are exact: its middle lies between opposite corners
    hf_vec3 middle = hf_v3_scale(0.5, hf_v3_add(cap->points[0], cap->points[HF_RIM / 2]));
    double radius = hf_v3_norm(hf_v3_sub(cap->points[0], middle));
    hf_vec3 point = hf_v3_axpy(middle, radius, to);
    for (int i = 0; i < cap->count; ++i) {
        hf_vec3 here = hf_v3_sub(cap->points[i], middle);
        hf_vec3 next = hf_v3_sub(cap->points[(i + 1) % cap->count], middle);
        if (hf_v3_norm(hf_v3_sub(cap->points[i], point)) < NEAR * radius) {
            return;
        }
        if (hf_v3_dot(hf_v3_cross(here, to), cap->normal) > 0.0 &&
            hf_v3_dot(hf_v3_cross(to, next), cap->normal) > 0.0) {
            for (int k = cap->count; k > i + 1; --k) {
                cap->points[k] = cap->points[k - 1];
                cap->ids[k] = cap->ids[k - 1];
            }
            cap->points[i + 1] = point;
            cap->ids[i + 1] = id;
            cap->count += 1;
            return;
        }
    }
}

// Two caps have a lens in common, whose ends are on the line between their middles: the points that
// one tips over.
static void add_ends(const pair *p, hf_feature *a, hf_feature *b)
{
    hf_feature *caps[2] = {a, b};
    for (int k = 0; k < 2; ++k) {
        hf_vec3 across =
            hf_v3_axpy(p->place, -hf_v3_dot(p->place, caps[k]->normal), caps[k]->normal);
        double length = hf_v3_norm(across);
        if (length > SHORT * p->smaller) {
            add_corner(caps[k], hf_v3_scale(1.0 / length, across), FIRST_END);
            add_corner(caps[k], hf_v3_scale(-1.0 / length, across), FIRST_END + 1);
        }
    }
}

static bool add_faces(const pair *p, const found *f, hf_meeting *touch)
{
    hf_feature a, b;
    hf_vec3 back = hf_v3_scale(-1.0, f->n);
    // Which of the two is the face: the one that is better aligned
    double known = fmax(hf_solid_most_aligned(p->a, back), hf_solid_most_aligned(p->b, f->n));
    if (known < 1.0 - 0.5 * HF_PARALLEL * HF_PARALLEL - SAME_COSINE) {
        return false;
    }
    hf_solid_face(p->a, back, &a);
    hf_solid_face(p->b, f->n, &b);
    double of_a = alignment(&a, back), of_b = alignment(&b, f->n);
    bool face_is_a = of_a >= of_b - SAME_COSINE;
    if ((face_is_a ? of_a : of_b) < 1.0 - 0.5 * HF_PARALLEL * HF_PARALLEL) {
        return false;
    }
    // What the other turns to the face itself
    hf_vec3 normal = face_is_a ? a.normal : b.normal;
    hf_feature *other = face_is_a ? &b : &a;
    hf_solid_face(face_is_a ? p->b : p->a, hf_v3_scale(-1.0, normal), other);
    if ((face_is_a ? of_a : of_b) < EXACTLY && !lies_flat(other, normal)) {
        return false;
    }
    if (is_cap(p->a, &a) && is_cap(p->b, &b)) {
        add_ends(p, &a, &b);
    }
    for (int i = 0; i < a.count; ++i) {
        a.points[i] = hf_v3_add(a.points[i], p->place);
    }
    hf_overlap overlap = {.face = face_is_a ? &a : &b,
                          .other = face_is_a ? &b : &a,
                          .normal = normal,
                          .round = hf_solid_round(p->a) + hf_solid_round(p->b),
                          .margin = p->margin,
                          .face_is_a = face_is_a};
    overlap.center_count = hf_touch_centers(p->a, p->b, p->place, overlap.centers);
    return hf_touch_faces(&overlap, touch);
}

// Both ends of the stretch that two parallel lines share; the lines are from b's center.
static bool add_beside(const pair *p, hf_vec3 n, const hf_vec3 a[2], const hf_vec3 b[2],
                       hf_meeting *touch)
{
    hf_vec3 u = hf_v3_sub(a[1], a[0]), w = hf_v3_sub(b[1], b[0]);
    double uu = hf_v3_dot(u, u), ww = hf_v3_dot(w, w), t[2];
    for (int k = 0; k < 2; ++k) { // b's ends along a's line, from 0 to 1
        double along = hf_v3_dot(u, hf_v3_sub(b[k], a[0])) / uu;
        t[k] = along < 0.0 ? 0.0 : (along > 1.0 ? 1.0 : along);
    }
    if (fabs(t[0] - t[1]) * sqrt(uu) < SHORT * p->smaller) {
        return false;
    }
    double a_round = hf_solid_round(p->a), round = a_round + hf_solid_round(p->b);
    for (int k = 0; k < 2; ++k) {
        hf_vec3 on_a = hf_v3_axpy(a[0], t[k], u);
        double along = hf_v3_dot(w, hf_v3_sub(on_a, b[0])) / ww;
        hf_vec3 on_b = hf_v3_axpy(b[0], along, w);
        double gap = hf_v3_dot(n, hf_v3_sub(on_a, on_b)) - round;
        hf_touch_single(on_a, n, gap, a_round, p->margin, ENDS + (unsigned)k, touch);
    }
    return true;
}

// The lines that the two turn to each other along n, from b's center. False: not both have one
// across n.
static bool lines_along(const pair *p, hf_vec3 n, double across, hf_vec3 a[2], hf_vec3 b[2])
{
    if (!hf_solid_edge(p->a, hf_v3_scale(-1.0, n), a) || !hf_solid_edge(p->b, n, b)) {
        return false;
    }
    hf_vec3 u = hf_v3_sub(a[1], a[0]), w = hf_v3_sub(b[1], b[0]);
    a[0] = hf_v3_add(a[0], p->place);
    a[1] = hf_v3_add(a[1], p->place);
    return fabs(hf_v3_dot(u, n)) < across * hf_v3_norm(u) &&
           fabs(hf_v3_dot(w, n)) < across * hf_v3_norm(w);
}

// Two lines that cross: the direction across both is the exact one.
static bool add_crossing(const pair *p, const found *f, hf_meeting *touch)
{
    hf_vec3 a[2], b[2];
    if (!lines_along(p, f->n, NEARLY_ACROSS, a, b)) {
        return false;
    }
    hf_vec3 n = hf_v3_cross(hf_v3_sub(a[1], a[0]), hf_v3_sub(b[1], b[0]));
    n = hf_v3_scale((hf_v3_dot(n, f->n) < 0.0 ? -1.0 : 1.0) / hf_v3_norm(n), n);
    if (!(hf_v3_dot(n, f->n) > 1.0 - NEARLY_ACROSS * NEARLY_ACROSS) ||
        !lines_along(p, n, NEARLY_ACROSS, a, b)) {
        return false;
    }
    hf_vec3 u = hf_v3_sub(a[1], a[0]), w = hf_v3_sub(b[1], b[0]), from = hf_v3_sub(a[0], b[0]);
    double uu = hf_v3_dot(u, u), ww = hf_v3_dot(w, w), uw = hf_v3_dot(u, w);
    double fu = hf_v3_dot(from, u), fw = hf_v3_dot(from, w), det = uu * ww - uw * uw;
    double s = (uw * fw - ww * fu) / det, t = (uu * fw - uw * fu) / det;
    double gap = hf_v3_dot(n, from);
    bool inside = s >= 0.0 && s <= 1.0 && t >= 0.0 && t <= 1.0;
    if (!inside || !(fabs(gap - f->gap) < MISSED * p->size)) {
        return false;
    }
    double a_round = hf_solid_round(p->a);
    hf_touch_single(hf_v3_axpy(a[0], s, u), n, gap - a_round - hf_solid_round(p->b), a_round,
                    p->margin, SINGLE, touch);
    return true;
}

static bool add_lines(const pair *p, const found *f, hf_meeting *touch)
{
    hf_vec3 a[2], b[2];
    if (!lines_along(p, f->n, HF_PARALLEL, a, b)) {
        return false;
    }
    hf_vec3 u = hf_v3_sub(a[1], a[0]), w = hf_v3_sub(b[1], b[0]);
    bool parallel = hf_v3_norm(hf_v3_cross(u, w)) < HF_PARALLEL * hf_v3_norm(u) * hf_v3_norm(w);
    return parallel ? add_beside(p, f->n, a, b, touch) : add_crossing(p, f, touch);
}

bool hf_touch_apart(const hf_solid *a, const hf_solid *b, hf_vec3 way, double margin)
{
    return hf_gjk_apart(a, b, hf_v3_sub(a->center, b->center), way,
                        margin + hf_solid_round(a) + hf_solid_round(b));
}

void hf_touch_convex(const hf_solid *a, const hf_solid *b, hf_vec3 place, double margin,
                     hf_meeting *touch)
{
    double smaller = fmin(a->reach, b->reach);
    pair p = {.a = a,
              .b = b,
              .place = place,
              .margin = margin,
              .size = a->reach + b->reach,
              .smaller = smaller};
    found f = {.gap = 0.0};
    if (hf_v3_norm(place) - a->reach - b->reach > margin || !find_direction(&p, &f)) {
        touch->way = f.n;
        return;
    }
    double a_round = hf_solid_round(a), gap = f.gap - a_round - hf_solid_round(b);
    bool met = (add_faces(&p, &f, touch) && touch->count > 0) ||
               (add_lines(&p, &f, touch) && touch->count > 0);
    // Features may miss what is nearest, an edge beside the face: it is one of the points then.
    double least = HUGE_VAL;
    for (int i = 0; i < touch->count; ++i) {
        least = fmin(least, touch->points[i].gap);
    }
    if (!met || least > gap + MISSED * p.size) {
        bool full = touch->count == HF_TOUCH_POINTS || touch->count == HF_TOUCH_MOST;
        touch->count -= full ? 1 : 0;
        hf_touch_single(f.a, f.n, gap, a_round, margin, SINGLE, touch);
    }
}
