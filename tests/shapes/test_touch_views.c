// SPDX-License-Identifier: Apache-2.0
// The same two solids looked at from elsewhere touch in the same points: turned and moved, in a
// mirror, larger or smaller, the second one first. Placed at random, and flush with each other.
#include <math.h>
#include <stdlib.h>

#include "brute.h"
#include "shapes/touch.h"

#define DEGREE 0.017453292519943295 // in rad

enum { KINDS = 7, TRIALS = 40 };
static const hf_shape_type TYPES[KINDS] = {HF_SHAPE_SPHERE,   HF_SHAPE_CAPSULE,   HF_SHAPE_BOX,
                                           HF_SHAPE_CYLINDER, HF_SHAPE_ELLIPSOID, HF_SHAPE_CONE,
                                           HF_SHAPE_MESH};

static bool is_smooth(hf_shape_type type)
{
    return type == HF_SHAPE_CYLINDER || type == HF_SHAPE_ELLIPSOID || type == HF_SHAPE_CONE;
}

static bool has_cap(hf_shape_type type)
{
    return type == HF_SHAPE_CYLINDER || type == HF_SHAPE_CONE;
}

typedef struct pair {
    hf_solid a, b;
    hf_mesh *meshes[2];
    double margin;
} pair;

static hf_vec3 random_vector(hf_rng *rng, double size)
{
    double x = hf_rng_uniform(rng, -size, size), y = hf_rng_uniform(rng, -size, size);
    return hf_v3(x, y, hf_rng_uniform(rng, -size, size));
}

// Near each other, from a little apart to a little in each other; flush: with axes along the
// world's, one above the other.
static pair any_pair(hf_rng *rng, hf_shape_type a, hf_shape_type b, bool flush)
{
    pair p = {.a = brute_solid(rng, a, &p.meshes[0]), .b = brute_solid(rng, b, &p.meshes[1])};
    hf_vec3 n = hf_v3(0.0, 0.0, 1.0);
    p.margin = 0.05;
    p.b.center = random_vector(rng, 1.0);
    if (flush) {
        hf_quat turn = hf_quat_from_axis_angle(n, hf_rng_uniform(rng, -3.0, 3.0));
        p.a.rotation = hf_quat_rotation(turn);
        p.b.rotation = hf_m3_identity();
        hf_vec3 aside = hf_v3(hf_rng_uniform(rng, -0.2, 0.2), hf_rng_uniform(rng, -0.2, 0.2), 0.0);
        p.a.center = hf_v3_add(p.b.center, aside);
    } else {
        p.a.center = hf_v3_axpy(p.b.center, 3.0, brute_direction(rng));
        (void)brute_gap(&p.a, &p.b, &n);
    }
    double gap = hf_rng_uniform(rng, -0.02, 0.04), now = brute_apart(&p.a, &p.b, n);
    p.a.center = hf_v3_axpy(p.a.center, gap - now, n);
    return p;
}

static void drop(pair *p)
{
    hf_mesh_destroy(p->meshes[0]);
    hf_mesh_destroy(p->meshes[1]);
}

static hf_vec3 turned(const hf_mat3 *turn, hf_vec3 v)
{
    return hf_m3_mulv(turn, v);
}

// How far the points of one meeting are from those of another that are nearest to them, and how
// much their gaps and normals differ.
static double unlike(const hf_touch_point *got, const hf_touch_point *want, int count)
{
    double worst = 0.0;
    for (int i = 0; i < count; ++i) {
        double best = HUGE_VAL;
        for (int k = 0; k < count; ++k) {
            double far = hf_v3_norm(hf_v3_sub(got[i].place, want[k].place));
            far = fmax(far, fabs(got[i].gap - want[k].gap));
            best = fmin(best, fmax(far, hf_v3_norm(hf_v3_sub(got[i].n, want[k].n))));
        }
        worst = fmax(worst, best);
    }
    return worst;
}

// Whether a body whose center is over `over` stands on points that face up: it is over the outline
// that they span.
static bool carries(const hf_touch_point *points, int count, hf_vec3 over)
{
    // Outside of the outline there is a direction in which no point is as far as the center
    for (int k = 0; k < 720; ++k) {
        double x = cos(k * 0.5 * DEGREE), y = sin(k * 0.5 * DEGREE), most = -HUGE_VAL;
        for (int i = 0; i < count; ++i) {
            most = fmax(most, x * points[i].place.x + y * points[i].place.y);
        }
        if (x * over.x + y * over.y > most + 1e-9) {
            return false;
        }
    }
    return true;
}

// Caps on caps: which of the many corners of what they share are points may depend on where it is
// looked at from. Where they face, how far they are apart and whether they carry a center does not.
static bool caps_unlike(const pair *p, const hf_touch_point *got, int got_count,
                        const hf_touch_point *want, int want_count)
{
    bool unlike = (got_count > 2) != (want_count > 2);
    for (int i = 0; i < got_count && want_count > 0; ++i) {
        unlike = unlike || fabs(got[i].gap - want[0].gap) > 1e-8 ||
                 hf_v3_norm(hf_v3_sub(got[i].n, want[0].n)) > 1e-8;
    }
    hf_vec3 a = hf_v3_sub(p->a.center, p->b.center), b = hf_v3(0.0, 0.0, 0.0);
    return unlike || carries(got, got_count, a) != carries(want, want_count, a) ||
           carries(got, got_count, b) != carries(want, want_count, b);
}

// Of all pairs of two types: how many there were, and how many were unlike.
typedef struct tally {
    int all, unlike;
} tally;

typedef void view_of(const pair *p, hf_rng *rng, hf_touch_point *points, int *count);

// In other axes, with the points turned back.
static void turned_view(const pair *p, hf_rng *rng, hf_touch_point *points, int *count)
{
    hf_mat3 turn = hf_quat_rotation(brute_turn(rng)), back = hf_m3_transpose(&turn);
    hf_vec3 shift = random_vector(rng, 5.0);
    hf_solid a = p->a, b = p->b;
    a.rotation = hf_m3_mul(&turn, &p->a.rotation);
    b.rotation = hf_m3_mul(&turn, &p->b.rotation);
    a.center = hf_v3_add(shift, turned(&turn, p->a.center));
    b.center = hf_v3_add(shift, turned(&turn, p->b.center));
    *count = hf_touch_points(&a, &b, p->margin, points);
    for (int i = 0; i < *count; ++i) {
        points[i].place = turned(&back, points[i].place);
        points[i].n = turned(&back, points[i].n);
    }
}

// In the mirror y = 0, which solids of these types do not notice, but for meshes.
static void mirrored_view(const pair *p, hf_rng *rng, hf_touch_point *points, int *count)
{
    (void)rng;
    hf_solid solids[2] = {p->a, p->b};
    for (int k = 0; k < 2; ++k) {
        hf_mat3 *r = &solids[k].rotation;
        r->xy = -r->xy;
        r->yx = -r->yx;
        r->yz = -r->yz;
        r->zy = -r->zy;
        solids[k].center.y = -solids[k].center.y;
    }
    *count = hf_touch_points(&solids[0], &solids[1], p->margin, points);
    for (int i = 0; i < *count; ++i) {
        points[i].place.y = -points[i].place.y;
        points[i].n.y = -points[i].n.y;
    }
}

// The second one first: places are from the other center then, and normals the other way round.
static void swapped_view(const pair *p, hf_rng *rng, hf_touch_point *points, int *count)
{
    (void)rng;
    *count = hf_touch_points(&p->b, &p->a, p->margin, points);
    hf_vec3 apart = hf_v3_sub(p->a.center, p->b.center);
    for (int i = 0; i < *count; ++i) {
        points[i].place = hf_v3_add(points[i].place, apart);
        points[i].n = hf_v3_scale(-1.0, points[i].n);
    }
}

static tally look(view_of *view, hf_shape_type a, hf_shape_type b, bool flush, double allowed)
{
    hf_rng rng = hf_rng_create(500 + 16 * (uint64_t)a + (uint64_t)b);
    tally t = {0};
    for (int k = 0; k < TRIALS; ++k) {
        pair p = any_pair(&rng, a, b, flush);
        hf_touch_point want[HF_SURFACE_POINTS], got[HF_SURFACE_POINTS];
        int count = hf_touch_points(&p.a, &p.b, p.margin, want), seen = 0;
        view(&p, &rng, got, &seen);
        ++t.all;
        if (flush && has_cap(a) && has_cap(b)) {
            t.unlike += caps_unlike(&p, got, seen, want, count);
        } else {
            t.unlike += seen != count || unlike(got, want, count) > allowed ||
                        unlike(want, got, count) > allowed;
        }
        assert_true((seen > 0) == (count > 0));
        drop(&p);
    }
    return t;
}

static void check(view_of *view, const char *name, bool flush, int share)
{
    for (int a = 0; a < KINDS; ++a) {
        for (int b = 0; b < KINDS; ++b) {
            bool smooth = is_smooth(TYPES[a]) || is_smooth(TYPES[b]);
            bool mesh = TYPES[a] == HF_SHAPE_MESH || TYPES[b] == HF_SHAPE_MESH;
            if (mesh && view == mirrored_view) {
                continue;
            }
            tally t = look(view, TYPES[a], TYPES[b], flush, smooth ? 1e-4 : 1e-8);
            if (t.unlike > t.all / share) {
                fail_msg("%s, %s, %d and %d: %d of %d are unlike", name, flush ? "flush" : "any",
                         (int)TYPES[a], (int)TYPES[b], t.unlike, t.all);
            }
        }
    }
}

static void other_axes(void **state)
{
    (void)state;
    check(turned_view, "turned", false, 20);
    check(turned_view, "turned", true, 20);
}

static void a_mirror(void **state)
{
    (void)state;
    check(mirrored_view, "mirrored", false, 20);
    check(mirrored_view, "mirrored", true, 3); // which four of many corners
}

static void the_other_one_first(void **state)
{
    (void)state;
    check(swapped_view, "swapped", false, 20);
    check(swapped_view, "swapped", true, 3);
}

// Larger by powers of four: not a bit of any direction is another one, nor a digit of any length.
static void other_sizes(void **state)
{
    (void)state;
    static const double sizes[] = {4.0, 1.0 / 1024.0, 4096.0};
    hf_rng rng = hf_rng_create(700);
    for (int k = 0; k < 3 * KINDS * KINDS; ++k) {
        hf_shape_type a = TYPES[k % KINDS], b = TYPES[k / KINDS % KINDS];
        pair p = any_pair(&rng, a, b, k % 2 == 0);
        if (a != HF_SHAPE_MESH && b != HF_SHAPE_MESH) {
            hf_touch_point want[HF_SURFACE_POINTS], got[HF_SURFACE_POINTS];
            int count = hf_touch_points(&p.a, &p.b, p.margin, want);
            double size = sizes[k % 3];
            hf_solid solids[2] = {p.a, p.b};
            for (int i = 0; i < 2; ++i) {
                hf_solid *s = &solids[i];
                s->half = hf_v3_scale(size, s->half);
                s->center = hf_v3_scale(size, s->center);
                s->radius *= size;
                s->reach *= size;
            }
            int seen = hf_touch_points(&solids[0], &solids[1], size * p.margin, got);
            assert_int_equal(seen, count);
            for (int i = 0; i < count; ++i) {
                hf_check_same_bits(got[i].gap, size * want[i].gap, "gap");
                hf_check_same_bits(got[i].place.x, size * want[i].place.x, "place");
                hf_check_same_bits(got[i].n.z, want[i].n.z, "normal");
                assert_int_equal(got[i].feature, want[i].feature);
            }
        }
        drop(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(other_axes), cmocka_unit_test(a_mirror),
                                       cmocka_unit_test(the_other_one_first),
                                       cmocka_unit_test(other_sizes)};
    return hf_run_tests(tests);
}
