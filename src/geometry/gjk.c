// SPDX-License-Identifier: Apache-2.0
// The Minkowski difference A - B is searched for its point nearest to the origin: a simplex of its
// points is replaced by the part of it that carries the nearest point, plus the farthest point in
// the direction opposite to that, until there is none farther.
#include "geometry/gjk.h"

#include <float.h>

enum { ITERATIONS = 128 };

typedef struct corner {
    hf_vec3 w, a, b; // a - b, from b's center
    double weight;
} corner;

typedef struct simplex {
    corner c[4];
    int count;
} simplex;

// ------------------------------------------------------------------------------------------------
// Nearest points of simplices, as weights of their corners

static void keep(simplex *s, int count, const int *which, const double *weights)
{
    corner kept[4];
    for (int i = 0; i < count; ++i) {
        kept[i] = s->c[which[i]];
        kept[i].weight = weights[i];
    }
    for (int i = 0; i < count; ++i) {
        s->c[i] = kept[i];
    }
    s->count = count;
}

static hf_vec3 nearest_of(const simplex *s)
{
    hf_vec3 v = {0};
    for (int i = 0; i < s->count; ++i) {
        v = hf_v3_axpy(v, s->c[i].weight, s->c[i].w);
    }
    return v;
}

static void reduce_segment(simplex *s)
{
    hf_vec3 a = s->c[0].w, ab = hf_v3_sub(s->c[1].w, a);
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
static void reduce_triangle(simplex *s)
{
    hf_vec3 a = s->c[0].w, b = s->c[1].w, c = s->c[2].w;
    hf_vec3 ab = hf_v3_sub(b, a), ac = hf_v3_sub(c, a);
    double d1 = -hf_v3_dot(ab, a), d2 = -hf_v3_dot(ac, a);
    double d3 = -hf_v3_dot(ab, b), d4 = -hf_v3_dot(ac, b);
    double d5 = -hf_v3_dot(ab, c), d6 = -hf_v3_dot(ac, c);
    double vc = d1 * d4 - d3 * d2, vb = d5 * d2 - d1 * d6, va = d3 * d6 - d5 * d4;
    double sum = va + vb + vc;
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
        s->c[0].weight = s->c[1].weight = s->c[2].weight = 1.0 / 3.0;
    }
}

// False: the origin is inside.
static bool reduce_tetrahedron(simplex *s)
{
    static const int faces[4][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 3, 2, 0}};
    simplex best = {0};
    double least = HUGE_VAL;
    for (int f = 0; f < 4; ++f) {
        const int *k = faces[f];
        hf_vec3 a = s->c[k[0]].w;
        hf_vec3 n = hf_v3_cross(hf_v3_sub(s->c[k[1]].w, a), hf_v3_sub(s->c[k[2]].w, a));
        double origin = -hf_v3_dot(n, a), opposite = hf_v3_dot(n, hf_v3_sub(s->c[k[3]].w, a));
        // A flat tetrahedron has no inside.
        double flat = 1e-13 * hf_v3_norm(n) * hf_v3_norm(hf_v3_sub(s->c[k[3]].w, a));
        if (origin * opposite >= 0.0 && fabs(opposite) > flat) {
            continue;
        }
        simplex part = {.c = {s->c[k[0]], s->c[k[1]], s->c[k[2]]}, .count = 3};
        reduce_triangle(&part);
        hf_vec3 v = nearest_of(&part);
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

static bool reduce(simplex *s)
{
    switch (s->count) {
    case 1:
        s->c[0].weight = 1.0;
        return true;
    case 2:
        reduce_segment(s);
        return true;
    case 3:
        reduce_triangle(s);
        return true;
    default:
        return reduce_tetrahedron(s);
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
    c.weight = 1.0;
    return c;
}

static bool is_known(const simplex *s, hf_vec3 w)
{
    for (int i = 0; i < s->count; ++i) {
        hf_vec3 k = s->c[i].w;
        if (k.x == w.x && k.y == w.y && k.z == w.z) {
            return true;
        }
    }
    return false;
}

hf_nearest hf_gjk(const hf_solid *a, const hf_solid *b, hf_vec3 place, double scale, double far)
{
    hf_vec3 v = hf_v3_dot(place, place) > 0.0 ? place : hf_v3(1.0, 0.0, 0.0);
    double size = a->reach + b->reach + hf_v3_norm(place);
    simplex s = {.count = 0}, last = s;
    double square = HUGE_VAL;
    for (int i = 0; i < ITERATIONS; ++i) {
        corner c = farthest(a, b, place, scale, v);
        // All of A - B lies beyond the plane across v through w.
        double vv = hf_v3_dot(v, v), length = sqrt(vv), beyond = hf_v3_dot(v, c.w);
        if (beyond > (far + 1e-9 * size) * length) {
            return (hf_nearest){.apart = true, .distance = beyond / length};
        }
        bool no_farther = s.count > 0 && vv - beyond <= 4.0 * DBL_EPSILON * length * size;
        if (no_farther || is_known(&s, c.w)) {
            break;
        }
        last = s;
        s.c[s.count++] = c;
        if (!reduce(&s)) {
            return (hf_nearest){.apart = false};
        }
        hf_vec3 next = nearest_of(&s);
        double found = hf_v3_dot(next, next);
        if (!(found < square)) { // rounding has the last word
            s = last.count > 0 ? last : s;
            break;
        }
        square = found;
        v = next;
        if (!(found > 1e-24 * size * size)) {
            return (hf_nearest){.apart = false};
        }
    }
    hf_nearest result = {.apart = true};
    for (int i = 0; i < s.count; ++i) {
        result.a = hf_v3_axpy(result.a, s.c[i].weight, s.c[i].a);
        result.b = hf_v3_axpy(result.b, s.c[i].weight, s.c[i].b);
    }
    result.distance = hf_v3_norm(hf_v3_sub(result.a, result.b));
    return result;
}
