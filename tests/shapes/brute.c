// SPDX-License-Identifier: Apache-2.0
// Distances between convex solids by trying directions: slow, simple, independent.
#include "brute.h"

#include <math.h>

double brute_reach(const hf_solid *s, hf_vec3 n)
{
    hf_vec3 d = hf_m3_tmulv(&s->rotation, n);
    double at = hf_v3_dot(s->center, n), length = hf_v3_norm(n);
    switch (s->type) {
    case HF_SHAPE_SPHERE:
        return at + s->radius * length;
    case HF_SHAPE_CAPSULE:
        return at + s->half.z * fabs(d.z) + s->radius * length;
    case HF_SHAPE_CYLINDER:
        return at + s->half.z * fabs(d.z) + s->radius * hypot(d.x, d.y);
    case HF_SHAPE_ELLIPSOID:
        return at + hf_v3_norm(hf_v3(s->half.x * d.x, s->half.y * d.y, s->half.z * d.z));
    case HF_SHAPE_CONE: // a tip, and the rim of its base
        return at + fmax(s->half.z * d.z, s->radius * hypot(d.x, d.y) - s->half.z / 3.0 * d.z);
    case HF_SHAPE_BOX:
        return at + s->half.x * fabs(d.x) + s->half.y * fabs(d.y) + s->half.z * fabs(d.z);
    default: {
        double most = -HUGE_VAL;
        for (int i = 0; i < s->mesh->vertex_count; ++i) {
            most = fmax(most, hf_v3_dot(hf_mesh_vertices(s->mesh)[i], d));
        }
        return at + most;
    }
    }
}

double brute_apart(const hf_solid *a, const hf_solid *b, hf_vec3 n)
{
    return -brute_reach(a, hf_v3_scale(-1.0, n)) - brute_reach(b, n);
}

static hf_vec3 unit(hf_vec3 v)
{
    return hf_v3_scale(1.0 / hf_v3_norm(v), v);
}

// Uphill by a compass that turns, and whose needle shortens when it has found nothing for a while:
// so ridges are followed.
static double climb(const hf_solid *a, const hf_solid *b, hf_vec3 *n, double best)
{
    enum { WAYS = 8, TRIES = 6 };
    double turn = 0.0;
    int failed = 0;
    for (double step = 0.1; step > 1e-9;) {
        hf_vec3 x = fabs(n->x) < 0.7 ? hf_v3(1, 0, 0) : hf_v3(0, 1, 0);
        hf_vec3 u = unit(hf_v3_cross(*n, x)), w = hf_v3_cross(*n, u), found = *n;
        turn += 0.61803398875;
        bool up = false;
        for (int k = 0; k < WAYS; ++k) {
            double angle = turn + 6.283185307179586 * k / WAYS;
            hf_vec3 to =
                unit(hf_v3_axpy(hf_v3_axpy(*n, step * cos(angle), u), step * sin(angle), w));
            double apart = brute_apart(a, b, to);
            if (apart > best + 1e-13) { // above rounding
                best = apart;
                found = to;
                up = true;
            }
        }
        *n = found;
        failed = up ? 0 : failed + 1;
        if (failed == TRIES) {
            step *= 0.6;
            failed = 0;
        }
    }
    return best;
}

double brute_gap(const hf_solid *a, const hf_solid *b, hf_vec3 *n)
{
    enum { TRIED = 600, CLIMBED = 3 };
    static hf_vec3 tops[CLIMBED];
    double heights[CLIMBED];
    int count = 0;
    for (int i = 0; i < TRIED; ++i) { // Fibonacci's sphere
        double z = 1.0 - (2.0 * i + 1.0) / TRIED, across = sqrt(1.0 - z * z),
               angle = 2.399963229728653 * i;
        hf_vec3 d = hf_v3(across * cos(angle), across * sin(angle), z);
        double apart = brute_apart(a, b, d);
        int at = count < CLIMBED ? count++ : CLIMBED - 1;
        if (at == CLIMBED - 1 && count == CLIMBED && i >= CLIMBED && !(apart > heights[at])) {
            continue;
        }
        for (; at > 0 && heights[at - 1] < apart; --at) {
            heights[at] = heights[at - 1];
            tops[at] = tops[at - 1];
        }
        heights[at] = apart;
        tops[at] = d;
    }
    double best = -HUGE_VAL;
    for (int i = 0; i < count; ++i) {
        double top = climb(a, b, &tops[i], heights[i]);
        if (top > best) {
            best = top;
            *n = tops[i];
        }
    }
    return best;
}

hf_vec3 brute_direction(hf_rng *rng)
{
    return unit(hf_v3(hf_rng_normal(rng), hf_rng_normal(rng), hf_rng_normal(rng)));
}

hf_quat brute_turn(hf_rng *rng)
{
    return hf_quat_normalized(
        (hf_quat){hf_rng_normal(rng), hf_rng_normal(rng), hf_rng_normal(rng), hf_rng_normal(rng)});
}

hf_solid brute_solid(hf_rng *rng, hf_shape_type type, hf_mesh **mesh)
{
    hf_shape shape = {.type = type,
                      .size = {hf_rng_uniform(rng, 0.3, 1.0), hf_rng_uniform(rng, 0.3, 1.0),
                               hf_rng_uniform(rng, 0.3, 1.5)}};
    *mesh = NULL;
    if (type == HF_SHAPE_MESH) {
        hf_vec3 points[40];
        int count = hf_rng_int(rng, 4, 40);
        for (int i = 0; i < count; ++i) {
            points[i] = hf_v3_scale(hf_rng_uniform(rng, 0.3, 0.8), brute_direction(rng));
        }
        assert_int_equal(hf_hull_make(points, count, true, mesh), HF_HULL_OK);
        shape.mesh = *mesh;
    }
    return hf_solid_make(&shape, hf_v3(0, 0, 0), brute_turn(rng));
}
