// SPDX-License-Identifier: Apache-2.0
// Seams: where shapes lie beside each other with their faces in one plane.
//
// A solid X that lies on C a little deep in it meets the side of the next solid B as soon as it
// reaches over the seam, and the shortest way out of B, or the first one into it, is along the
// floor: a side that C covers would hold it back. A contact of X and B with the normal n, from B
// to X, is no contact where at all its points, with m the normal of X on C,
//
//   C is in front of the side of B:            p + e n - 2 e m  lies in C (a C for each point),
//   B does not stand out over the face of C:   p - e n + 2 e u  does not lie in B,
//
// with e the depth of X in C and a little more, and u the direction of m along the side of B: a
// ramp goes on there, whatever its angle. X goes on, and has B's own face below it when it is
// farther in B across the seam than it is deep. An edge that stands out by more than 2 e stops it,
// as it must.
#include <math.h>

#include "collide/collider.h"

// Least e, as a part of the thinnest side.
#define LEAST_DEPTH 1e-5
// What closes beside the seam is no face below X: cosine of the angle of n and m.
#define ACROSS 0.9

typedef struct side {
    const hf_collider *collider;
    const hf_pose *poses;
    const hf_contact_point *points;
    int first, count; // points of X and B
    bool on;          // X is what they are on
    int x, b;         // solids
} side;

// Whether a place is in a solid, or within `near` of it.
static bool lies_in(hf_vec3 place, const hf_solid *solid, double near)
{
    const hf_solid point = {.type = HF_SHAPE_SPHERE, .rotation = hf_m3_identity(), .center = place};
    hf_touch_point found[HF_SURFACE_POINTS];
    int count = hf_touch_points(&point, solid, near, found);
    bool inside = false;
    for (int i = 0; i < count; ++i) {
        inside = inside || found[i].gap < near;
    }
    return inside;
}

// The normal of a point from the other solid to X, and its place on the other's surface.
static hf_vec3 normal_to(const hf_contact_point *p, bool on)
{
    return on ? p->place.n : hf_v3_scale(-1.0, p->place.n);
}

static hf_vec3 place_of(const hf_contact_point *p, const hf_pose *poses, bool on)
{
    hf_vec3 middle = on ? hf_v3_add(poses[p->to].position, p->place.to_arm)
                        : hf_v3_add(poses[p->on].position, p->place.on_arm);
    return hf_v3_axpy(middle, -0.5 * p->place.gap, normal_to(p, on));
}

// Whether solid c, on which X lies with the normal m, covers a point of a side: a point below it,
// outside of b, lies in c, and one above it along the side, inside of b's face, is not b's. The
// side of a ramp that rises from c goes on there. A point at the corner of four tiles is at the
// edge of c.
static bool covers(const side *s, const hf_contact_point *p, int c, hf_vec3 m, double e)
{
    const hf_solid *solids = s->collider->solids;
    hf_vec3 n = normal_to(p, s->on), at = place_of(p, s->poses, s->on);
    hf_vec3 up = hf_v3_axpy(m, -hf_v3_dot(n, m), n); // along the side
    hf_vec3 below = hf_v3_axpy(hf_v3_scale(e, n), -2.0 * e, m);
    hf_vec3 above = hf_v3_axpy(hf_v3_scale(-e, n), 2.0 * e / hf_v3_norm(up), up);
    return hf_v3_dot(n, m) < ACROSS && lies_in(hf_v3_add(at, below), &solids[c], 0.5 * e) &&
           !lies_in(hf_v3_add(at, above), &solids[s->b], 0.0);
}

// ------------------------------------------------------------------------------------------------
// Which solids touch which

size_t hf_seams_room(const hf_collider *c)
{
    size_t points = (size_t)hf_collider_capacity(c);
    return 7 * points + 1 + (size_t)c->first[c->owner_count];
}

// Points of the same two solids stand together. Entry 2 g + k of `next` is the list of what
// touches end k of group g.
typedef struct groups {
    int *start, *ends, *next, *heads; // [groups + 1], [2 groups], [2 groups], [solids]
    int *seen, *level;                // [points] of even_out
    int count;
} groups;

static groups find_groups(const hf_collider *c, const hf_contact_point *points, int count,
                          int *room)
{
    int capacity = hf_collider_capacity(c), solids = c->first[c->owner_count];
    groups g = {.start = room,
                .ends = room + capacity + 1,
                .next = room + 3 * capacity + 1,
                .seen = room + 5 * capacity + 1,
                .level = room + 6 * capacity + 1,
                .heads = room + 7 * capacity + 1};
    for (int i = 0; i < solids; ++i) {
        g.heads[i] = -1;
    }
    for (int i = 0; i < count; ++i) {
        int ends[2], *last = g.ends + 2 * (g.count - 1);
        hf_collider_ends(c, &points[i], ends);
        if (i > 0 && last[0] == ends[0] && last[1] == ends[1] &&
            points[i].force == points[i - 1].force) {
            continue;
        }
        g.start[g.count] = i;
        for (int k = 0; k < 2; ++k) {
            g.ends[2 * g.count + k] = ends[k];
            g.next[2 * g.count + k] = g.heads[ends[k]];
            g.heads[ends[k]] = 2 * g.count + k;
        }
        g.count += 1;
    }
    g.start[g.count] = count;
    return g;
}

// Whether something else that X touches covers a point of a side.
static bool is_point_covered(const side *s, const groups *g, const hf_contact_point *p,
                             double least)
{
    for (int at = g->heads[s->x]; at >= 0; at = g->next[at]) {
        int group = at / 2, other = g->ends[at ^ 1];
        double deep = least;
        for (int k = g->start[group]; k < g->start[group + 1]; ++k) {
            deep = fmax(deep, -s->points[k].place.gap);
        }
        hf_vec3 m = normal_to(&s->points[g->start[group]], at % 2 == 0);
        if (other != s->b && covers(s, p, other, m, deep)) {
            return true;
        }
    }
    return false;
}

// All of its points, by one or by several: X may lie on two tiles before it comes to the next ones.
static bool is_covered(const side *s, const groups *g)
{
    double thin = hf_collider_thinness(s->collider);
    double least = LEAST_DEPTH * (isfinite(thin) ? thin : 0.0);
    bool all = true;
    for (int i = s->first; i < s->first + s->count && all; ++i) {
        all = is_point_covered(s, g, &s->points[i], least);
    }
    return all;
}

// ------------------------------------------------------------------------------------------------
// Floors of many shapes

// Points are level where they lie in one plane of scenery, or of shapes of one body, with one
// surface: of floors of tiles, of what lies on many equal supports. Such a plane has at most this
// many, like a single one; the law's stiffness is chosen for them, and more would make it stiffer
// and its impacts duller.
enum { LEVEL_POINTS = 4 };
// Planes that are one but for rounding, by the sine of the angle and by the reach of X.
#define ONE_PLANE 1e-9
// Points are on one line within this part of its length.
#define ONE_LINE 1e-6
// A turn of X that brings a point down to others, for choosing which to keep [rad].
#define TURN 0.1

static bool same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static bool is_vector(hf_vec3 a, hf_vec3 b)
{
    return hf_v3_norm(hf_v3_sub(a, b)) <= ONE_PLANE * hf_v3_norm(a);
}

// Whether the surfaces at two points move as one: belts of one velocity, or one turntable.
static bool moves_alike(const hf_contact_point *p, const hf_contact_point *q)
{
    if (!p->driven || !q->driven) {
        return p->driven == q->driven;
    }
    bool same = p->belt_side == q->belt_side && p->belt_drives[0] == q->belt_drives[0] &&
                p->belt_drives[1] == q->belt_drives[1];
    return same &&
           (p->belt_side != 0
                ? is_vector(p->belt_spin, q->belt_spin) && is_vector(p->belt_middle, q->belt_middle)
                : is_vector(p->belts[0], q->belts[0]) && is_vector(p->belts[1], q->belts[1]));
}

static bool is_level(const hf_contact_point *p, const hf_contact_point *q, double reach)
{
    bool plain = moves_alike(p, q) && !p->grained && !q->grained;
    bool same = p->force == q->force && p->own == q->own && p->restitution == q->restitution;
    if (p->own) {
        same = same && same_number(p->mu, q->mu) && same_number(p->spin, q->spin) &&
               same_number(p->rolling, q->rolling);
    }
    hf_vec3 n = p->place.n, m = q->place.n;
    hf_vec3 on_p = hf_v3_axpy(p->place.to_arm, -0.5 * p->place.gap, n);
    hf_vec3 on_q = hf_v3_axpy(q->place.to_arm, -0.5 * q->place.gap, m);
    return plain && same && hf_v3_dot(n, m) > 0.0 && hf_v3_norm(hf_v3_cross(n, m)) < ONE_PLANE &&
           fabs(hf_v3_dot(n, hf_v3_sub(on_p, on_q))) < ONE_PLANE * reach;
}

// How far p is to the left of the line from a to b, in a plane with the normal n.
static double beside(hf_vec3 p, hf_vec3 a, hf_vec3 b, hf_vec3 n)
{
    hf_vec3 way = hf_v3_sub(b, a);
    return hf_v3_dot(n, hf_v3_cross(way, hf_v3_sub(p, a))) / hf_v3_norm(way);
}

// Keeps those of level points that carry X: one at the edge, the farthest from it, and what is
// farthest on either side of the line through both. All others are passed.
static void keep_corners(hf_contact_point *points, const int *level, int count)
{
    // The middle and the deepest of all, which are passed unless they are chosen
    hf_vec3 n = points[level[0]].place.n, arms[LEVEL_POINTS] = {0};
    double least = HUGE_VAL;
    for (int i = 0; i < count; ++i) {
        arms[0] = hf_v3_axpy(arms[0], 1.0 / count, points[level[i]].place.on_arm);
        least = fmin(least, points[level[i]].place.gap);
        points[level[i]].passed = true;
    }
    // One after the other; what is higher counts less
    for (int k = 0; k < LEVEL_POINTS; ++k) {
        double most = k < 2 ? -HUGE_VAL : 0.0;
        int best = -1;
        for (int i = 0; i < count; ++i) {
            const hf_contact_place *p = &points[level[i]].place;
            double far = k < 2 ? hf_v3_norm(hf_v3_sub(p->on_arm, arms[0]))
                               : beside(p->on_arm, arms[0], arms[1], n);
            far = (k == 3 ? -far : far) - (p->gap - least) / TURN;
            if (points[level[i]].passed && far > most) {
                most = far;
                best = level[i];
            }
        }
        if (best >= 0) {
            points[best].passed = false;
            arms[k] = points[best].place.on_arm;
        }
    }
}

// Points on one line: the two at its ends carry what lies along it, a cylinder or a capsule, as on
// a single plane. Whether they are, and all others are passed.
static bool keep_ends(hf_contact_point *points, const int *level, int count)
{
    // The ends: the farthest from the first point, and the farthest from that
    int ends[2] = {level[0], level[0]};
    for (int k = 0; k < 2; ++k) {
        hf_vec3 from = points[ends[k == 0 ? 1 : 0]].place.on_arm;
        double most = -1.0;
        for (int i = 0; i < count; ++i) {
            double far = hf_v3_norm(hf_v3_sub(points[level[i]].place.on_arm, from));
            if (far > most) {
                most = far;
                ends[k] = level[i];
            }
        }
    }
    hf_vec3 a = points[ends[0]].place.on_arm, b = points[ends[1]].place.on_arm;
    hf_vec3 n = points[ends[0]].place.n;
    double span = hf_v3_norm(hf_v3_sub(b, a));
    bool on_line = span > 0.0;
    for (int i = 0; i < count && on_line; ++i) {
        on_line = fabs(beside(points[level[i]].place.on_arm, a, b, n)) < ONE_LINE * span;
    }
    for (int i = 0; i < count && on_line; ++i) {
        points[level[i]].passed = level[i] != ends[0] && level[i] != ends[1];
    }
    return on_line;
}

// Points with a level plane below X: of scenery, or of shapes of one body.
static bool is_below(const hf_contact_point *p, const hf_contact_point *q)
{
    return (p->scenery != 0) == (q->scenery != 0) && p->on == q->on && p->to == q->to;
}

// All points that are level with point i, among those of solid x at this end of its pairs, in
// g->level; returns how many. *several: there are more solids under it than one.
static int gather_level(const hf_contact_point *points, int i, int end, int x, double reach,
                        groups *g, bool *several)
{
    int level = 0, first = -1;
    *several = false;
    for (int at = g->heads[x]; at >= 0; at = g->next[at]) {
        for (int k = g->start[at / 2]; at % 2 == end && k < g->start[at / 2 + 1]; ++k) {
            bool here = !g->seen[k] && !points[k].passed && is_below(&points[i], &points[k]);
            if (here && is_level(&points[i], &points[k], reach)) {
                g->seen[k] = 1;
                g->level[level++] = k;
                first = first < 0 ? at / 2 : first;
                *several = *several || at / 2 != first;
            }
        }
    }
    return level;
}

// Of each set of level points of one solid X, at this end of its pairs, those that carry it.
static void even_out_end(const hf_collider *c, hf_contact_point *points, int count, int end,
                         groups *g)
{
    int ends[2];
    for (int i = 0; i < count; ++i) {
        g->seen[i] = 0;
    }
    // Each point that is in no set yet begins one; scenery is at the other end always
    for (int i = 0; i < count; ++i) {
        bool scenery = points[i].scenery != 0;
        if (g->seen[i] || points[i].passed || (scenery && end == 1)) {
            continue;
        }
        hf_collider_ends(c, &points[i], ends);
        bool several; // of one pair they have been chosen
        int x = ends[end];
        int level = gather_level(points, i, end, x, c->solids[x].reach, g, &several);
        bool on_line = level > 2 && (several || scenery) && keep_ends(points, g->level, level);
        if (!on_line && several && level > LEVEL_POINTS) {
            keep_corners(points, g->level, level);
        }
    }
}

static void even_out(const hf_collider *c, hf_contact_point *points, int count, groups *g)
{
    even_out_end(c, points, count, 0, g);
    even_out_end(c, points, count, 1, g);
}

// Keeps the points that were not passed, in order. Returns how many.
static int keep_others(hf_contact_point *points, int count)
{
    int kept = 0;
    for (int i = 0; i < count; ++i) {
        if (!points[i].passed) {
            points[kept++] = points[i];
        }
    }
    return kept;
}

int hf_collider_even_out(const hf_collider *c, hf_contact_point *points, int count, int *room)
{
    if (count < 3) {
        return count;
    }
    groups g = find_groups(c, points, count, room);
    for (int i = 0; i < count; ++i) {
        points[i].passed = false;
    }
    even_out(c, points, count, &g);
    return keep_others(points, count);
}

int hf_collider_pass_seams(const hf_collider *c, const hf_pose *poses, hf_contact_point *points,
                           int count, int *room)
{
    groups g = find_groups(c, points, count, room);
    // Sides that are covered, each compared with all that touches
    for (int i = 0; i < g.count; ++i) {
        bool covered = false;
        for (int k = 0; k < 2 && !covered; ++k) { // either may be what slides
            side s = {.collider = c,
                      .poses = poses,
                      .points = points,
                      .first = g.start[i],
                      .count = g.start[i + 1] - g.start[i],
                      .on = k == 0,
                      .x = g.ends[2 * i + k],
                      .b = g.ends[2 * i + 1 - k]};
            covered = !c->places[s.x].led && is_covered(&s, &g);
        }
        for (int k = g.start[i]; k < g.start[i + 1]; ++k) {
            points[k].passed = covered;
        }
    }
    even_out(c, points, count, &g);
    return keep_others(points, count);
}
