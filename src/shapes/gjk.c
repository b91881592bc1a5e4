// SPDX-License-Identifier: Apache-2.0
// The Minkowski difference A - B is searched for its point nearest to the origin: a simplex of its
// points is replaced by the part of it that carries the nearest point, plus the farthest point in
// the direction opposite to that, until there is none farther.
#include "shapes/gjk.h"

#include <float.h>

enum { ITERATIONS = 128, CORNERS = 8 };
// A tetrahedron is flat where a corner's height is this part of the way to it: rounding of a triple
// product, and some more.
#define FLAT 1e-13
// Pairs are left out when they are this part of their size farther apart than asked for, so that
// rounding leaves out none at the limit.
#define BEYOND 1e-9
// A distance below 1e-12 of the size is rounding: the solids touch. Squared.
#define TOUCHING 1e-24

// Points of A - B that were found, of which the simplices name some.
typedef struct corner {
    hf_vec3 w, a, b; // a - b, from b's center
} corner;

typedef struct simplex {
    int count;
    int at[4];
    double weight[4];
} simplex;

// ------------------------------------------------------------------------------------------------
// Nearest points of simplices, as weights of their corners

static void keep(simplex *s, int count, const int *which, const double *weights)
{
    int at[4];
    for (int i = 0; i < count; ++i) {
        at[i] = s->at[which[i]];
    }
    for (int i = 0; i < count; ++i) {
        s->at[i] = at[i];
        s->weight[i] = weights[i];
    }
    s->count = count;
}

static hf_vec3 nearest_of(const corner *c, const simplex *s)
{
    hf_vec3 v = {0};
    for (int i = 0; i < s->count; ++i) {
        v = hf_v3_axpy(v, s->weight[i], c[s->at[i]].w);
    }
    return v;
}

static void reduce_segment(const corner *corners, simplex *s)
{
    hf_vec3 a = corners[s->at[0]].w, ab = hf_v3_sub(corners[s->at[1]].w, a);
    double along = -hf_v3_dot(a, ab), length = hf_v3_dot(ab, ab);
    if (!(along > 0.0)) {
        keep(s, 1, (const int[]){0}, (const double[]){1.0});
    } else if (along >= length) {
        keep(s, 1, (const int[]){1}, (const double[]){1.0});
    } else {
        double t = along / length;
        keep(s, 2, (const int[]){0, 1}, (const double[]){1.0 - t, t});
    }
}

// Voronoi regions of a triangle, seen from the origin.
static void reduce_triangle(const corner *corners, simplex *s)
{
    // The origin's place along the edges, by products
    hf_vec3 a = corners[s->at[0]].w, b = corners[s->at[1]].w, c = corners[s->at[2]].w;
    hf_vec3 ab = hf_v3_sub(b, a), ac = hf_v3_sub(c, a);
    double d1 = -hf_v3_dot(ab, a), d2 = -hf_v3_dot(ac, a);
    double d3 = -hf_v3_dot(ab, b), d4 = -hf_v3_dot(ac, b);
    double d5 = -hf_v3_dot(ab, c), d6 = -hf_v3_dot(ac, c);
    double vc = d1 * d4 - d3 * d2, vb = d5 * d2 - d1 * d6, va = d3 * d6 - d5 * d4;
    double sum = va + vb + vc;
    // A corner, an edge, or the inside is nearest
    if (d1 <= 0.0 && d2 <= 0.0) {
        keep(s, 1, (const int[]){0}, (const double[]){1.0});
    } else if (d3 >= 0.0 && d4 <= d3) {
        keep(s, 1, (const int[]){1}, (const double[]){1.0});
    } else if (d6 >= 0.0 && d5 <= d6) {
        keep(s, 1, (const int[]){2}, (const double[]){1.0});
    } else if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) {
        double t = d1 / (d1 - d3);
        keep(s, 2, (const int[]){0, 1}, (const double[]){1.0 - t, t});
    } else if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) {
        double t = d2 / (d2 - d6);
        keep(s, 2, (const int[]){0, 2}, (const double[]){1.0 - t, t});
    } else if (va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0) {
        double t = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        keep(s, 2, (const int[]){1, 2}, (const double[]){1.0 - t, t});
    } else if (sum > 0.0) {
        keep(s, 3, (const int[]){0, 1, 2}, (const double[]){va / sum, vb / sum, vc / sum});
    } else {
        s->weight[0] = s->weight[1] = s->weight[2] = 1.0 / 3.0;
    }
}

// False: the origin is inside, unless it is known to be outside: where corners are nearer to each
// other than to the origin, rounding decides on which side of their face it lies. The last corner
// is nearer to the origin than all of the triangle of the others, so what carries the nearest point
// has it.
static bool reduce_tetrahedron(const corner *c, simplex *s, bool outside)
{
    static const int faces[3][4] = {{0, 2, 3, 1}, {0, 3, 1, 2}, {1, 3, 2, 0}};
    simplex best = {0};
    double least = HUGE_VAL;
    // Faces with the last corner that the origin lies in front of: the one that is nearest
    for (int f = 0; f < 3; ++f) {
        const int *k = faces[f];
        hf_vec3 a = c[s->at[k[0]]].w, to_last = hf_v3_sub(c[s->at[k[3]]].w, a);
        hf_vec3 n = hf_v3_cross(hf_v3_sub(c[s->at[k[1]]].w, a), hf_v3_sub(c[s->at[k[2]]].w, a));
        double origin = -hf_v3_dot(n, a), opposite = hf_v3_dot(n, to_last);
        // A flat tetrahedron has no inside.
        double flat = FLAT * hf_v3_norm(n) * hf_v3_norm(to_last);
        if (!outside && origin * opposite >= 0.0 && fabs(opposite) > flat) {
            continue;
        }
        simplex part = {.at = {s->at[k[0]], s->at[k[1]], s->at[k[2]]}, .count = 3};
        reduce_triangle(c, &part);
        hf_vec3 v = nearest_of(c, &part);
        double far = hf_v3_dot(v, v);
        if (far < least) {
            least = far;
            best = part;
        }
    }
    if (best.count == 0) {
        return false;
    }
    *s = best;
    return true;
}

static bool reduce(const corner *corners, simplex *s, bool outside)
{
    switch (s->count) {
    case 1:
        s->weight[0] = 1.0;
        return true;
    case 2:
        reduce_segment(corners, s);
        return true;
    case 3:
        reduce_triangle(corners, s);
        return true;
    default:
        return reduce_tetrahedron(corners, s, outside);
    }
}

// ------------------------------------------------------------------------------------------------
// The search

static corner farthest(const hf_solid *a, const hf_solid *b, hf_vec3 place, double scale, hf_vec3 v)
{
    corner c;
    c.a = hf_v3_axpy(place, scale, hf_solid_support(a, hf_v3_scale(-1.0, v)));
    c.b = hf_v3_scale(scale, hf_solid_support(b, v));
    c.w = hf_v3_sub(c.a, c.b);
    return c;
}

static bool is_known(const corner *corners, const simplex *s, hf_vec3 w)
{
    for (int i = 0; i < s->count; ++i) {
        hf_vec3 k = corners[s->at[i]].w;
        if (k.x == w.x && k.y == w.y && k.z == w.z) {
            return true;
        }
    }
    return false;
}

// A corner that neither of two simplices names: they have three each at the most.
static int free_corner(const simplex *a, const simplex *b)
{
    unsigned used = 0;
    for (int i = 0; i < a->count; ++i) {
        used |= 1U << (unsigned)a->at[i];
    }
    for (int i = 0; i < b->count; ++i) {
        used |= 1U << (unsigned)b->at[i];
    }
    int found = 0;
    while (found < CORNERS - 1 && (used >> (unsigned)found & 1U) != 0) {
        ++found;
    }
    return found;
}

typedef struct search {
    const hf_solid *a, *b;
    hf_vec3 place;
    double scale, far;
    double size;
    corner corners[CORNERS];
    simplex s;
    hf_vec3 v;     // the nearest point of s so far, or where to look first
    double square; // of its distance
} search;

static hf_nearest result_of(const search *x)
{
    hf_nearest result = {.apart = true};
    for (int i = 0; i < x->s.count; ++i) {
        result.a = hf_v3_axpy(result.a, x->s.weight[i], x->corners[x->s.at[i]].a);
        result.b = hf_v3_axpy(result.b, x->s.weight[i], x->corners[x->s.at[i]].b);
    }
    result.distance = hf_v3_norm(hf_v3_sub(result.a, result.b));
    return result;
}

static hf_nearest run(search *x)
{
    const hf_nearest together = {.apart = false};
    simplex last = {.count = 0};
    double apart = 0.0; // at least, by the planes seen so far
    for (int i = 0; i < ITERATIONS; ++i) {
        corner c = farthest(x->a, x->b, x->place, x->scale, x->v);
        // All of A - B lies beyond the plane across v through w.
        double vv = hf_v3_dot(x->v, x->v), length = sqrt(vv), beyond = hf_v3_dot(x->v, c.w);
        if (beyond > (x->far + BEYOND * x->size) * length) {
            return (hf_nearest){.apart = true, .distance = beyond / length, .way = x->v};
        }
        apart = beyond > apart * length ? beyond / length : apart;
        bool no_farther = x->s.count > 0 && vv - beyond <= 4.0 * DBL_EPSILON * length * x->size;
        if (no_farther || is_known(x->corners, &x->s, c.w)) {
            break;
        }
        // The simplex with this corner, and what of it carries its nearest point
        last = x->s;
        int slot = free_corner(&x->s, &last);
        x->corners[slot] = c;
        x->s.at[x->s.count++] = slot;
        if (!reduce(x->corners, &x->s, false)) {
            if (!(apart * apart > TOUCHING * x->size * x->size)) {
                return together;
            }
            (void)reduce(x->corners, &x->s, true);
        }
        hf_vec3 next = nearest_of(x->corners, &x->s);
        double found = hf_v3_dot(next, next);
        if (!(found < x->square)) { // rounding has the last word
            x->s = last.count > 0 ? last : x->s;
            break;
        }
        x->square = found;
        x->v = next;
        if (!(found > TOUCHING * x->size * x->size)) {
            return together;
        }
    }
    return result_of(x);
}

static double size_of(const hf_solid *a, const hf_solid *b, hf_vec3 place)
{
    return a->reach + b->reach + hf_v3_norm(place);
}

bool hf_gjk_apart(const hf_solid *a, const hf_solid *b, hf_vec3 place, hf_vec3 way, double far)
{
    double beyond = hf_v3_dot(way, farthest(a, b, place, 1.0, way).w);
    return beyond > (far + BEYOND * size_of(a, b, place)) * hf_v3_norm(way);
}

static search search_of(const hf_solid *a, const hf_solid *b, hf_vec3 place)
{
    search x;
    x.a = a;
    x.b = b;
    x.place = place;
    x.scale = 1.0;
    x.far = x.square = HUGE_VAL;
    x.size = size_of(a, b, place);
    x.s.count = 0;
    x.v = hf_v3_dot(place, place) > 0.0 ? place : hf_v3(1.0, 0.0, 0.0);
    return x;
}

hf_nearest hf_gjk(const hf_solid *a, const hf_solid *b, hf_vec3 place, double scale, double far)
{
    search x = search_of(a, b, place);
    x.scale = scale;
    x.far = far;
    return run(&x);
}

hf_nearest hf_gjk_again(const hf_solid *a, const hf_solid *b, hf_vec3 place, hf_gjk_memory *memory)
{
    search x = search_of(a, b, place);
    // What is remembered, where the solids are now
    for (int i = 0; i < memory->count; ++i) {
        corner *c = &x.corners[i];
        *c = (corner){.a = hf_v3_add(place, memory->a[i]), .b = memory->b[i]};
        c->w = hf_v3_sub(c->a, c->b);
        x.s.at[x.s.count++] = i;
    }
    if (x.s.count > 0) {
        (void)reduce(x.corners, &x.s, false);
        x.v = nearest_of(x.corners, &x.s);
        x.square = hf_v3_dot(x.v, x.v);
        if (!(x.square > TOUCHING * x.size * x.size)) {
            x = search_of(a, b, place);
        }
    }
    hf_nearest result = run(&x);
    memory->count = result.apart ? x.s.count : 0;
    for (int i = 0; i < memory->count; ++i) {
        memory->a[i] = hf_v3_sub(x.corners[x.s.at[i]].a, place);
        memory->b[i] = x.corners[x.s.at[i]].b;
    }
    return result;
}
