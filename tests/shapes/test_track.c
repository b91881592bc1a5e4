// SPDX-License-Identifier: Apache-2.0
// Features that are followed: of two solids in touch there is always a pair that is inside, with a
// gap of zero.
#include <math.h>
#include <stdio.h>

#include <hf_test.h>

#include "shapes/touch.h"
#include "shapes/track.h"

enum { ROOM = 128, KINDS = 8 };

static hf_shape shape_of(int kind)
{
    static const hf_shape shapes[KINDS] = {
        {.type = HF_SHAPE_SPHERE, .size = {0.1, 0.0, 0.0}},
        {.type = HF_SHAPE_CAPSULE, .size = {0.06, 0.0, 0.2}},
        {.type = HF_SHAPE_BOX, .size = {0.2, 0.16, 0.12}},
        {.type = HF_SHAPE_CYLINDER, .size = {0.08, 0.0, 0.2}},
        {.type = HF_SHAPE_CONE, .size = {0.1, 0.0, 0.2}},
        {.type = HF_SHAPE_ELLIPSOID, .size = {0.12, 0.09, 0.06}},
        {.type = HF_SHAPE_CYLINDER, .size = {0.15, 0.0, 0.03}},
        {.type = HF_SHAPE_CONE, .size = {0.05, 0.0, 0.3}},
    };
    return shapes[kind];
}

static hf_quat random_turn(hf_rng *rng)
{
    hf_quat q;
    double size;
    do {
        q.w = hf_rng_uniform(rng, -1.0, 1.0);
        q.x = hf_rng_uniform(rng, -1.0, 1.0);
        q.y = hf_rng_uniform(rng, -1.0, 1.0);
        q.z = hf_rng_uniform(rng, -1.0, 1.0);
        size = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    } while (size > 1.0 || size < 0.1);
    double s = 1.0 / sqrt(size);
    return (hf_quat){s * q.w, s * q.x, s * q.y, s * q.z};
}

static double touch_gap(const hf_solid *a, const hf_solid *b, double margin, hf_vec3 *n)
{
    hf_touch_point points[HF_SURFACE_POINTS];
    int count = hf_touch_points(a, b, margin, points);
    double least = INFINITY;
    for (int i = 0; i < count; ++i) {
        *n = points[i].gap < least ? points[i].n : *n;
        least = fmin(least, points[i].gap);
    }
    return least;
}

// A solid moved along a line until it is nearly in touch with the other.
static bool bring_together(hf_solid *a, const hf_solid *b, hf_vec3 way, double gap)
{
    double far = 1.5, near = 0.0;
    hf_vec3 n = {0};
    for (int i = 0; i < 60; ++i) {
        double middle = 0.5 * (near + far);
        a->center = hf_v3_scale(middle, way);
        double now = touch_gap(a, b, 2.0, &n);
        far = now > gap ? middle : far;
        near = now > gap ? near : middle;
    }
    return fabs(touch_gap(a, b, 2.0, &n) - gap) < 1e-9;
}

static void what_touches_has_a_feature(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(41);
    const double margin = 0.006;
    int tried = 0;
    for (int k = 0; k < 6000; ++k) {
        hf_shape first = shape_of(k % KINDS), second = shape_of(k / KINDS % KINDS);
        hf_vec3 apart = hf_v3(hf_rng_uniform(&rng, -0.4, 0.4), hf_rng_uniform(&rng, -0.4, 0.4),
                              hf_rng_uniform(&rng, -0.4, 0.4));
        hf_quat turn = random_turn(&rng), other = random_turn(&rng);
        const double gap = 1e-8;
        hf_vec3 way = hf_v3_scale(1.0 / hf_v3_norm(apart), apart);
        hf_solid a = hf_solid_make(&first, apart, turn);
        hf_solid b = hf_solid_make(&second, hf_v3(0.0, 0.0, 0.0), other);
        if (!bring_together(&a, &b, way, gap)) {
            continue;
        }
        hf_track tracks[ROOM];
        int count = hf_track_near(&a, &b, margin, tracks, ROOM);
        hf_spot on = {a.rotation, a.center}, to = {b.rotation, b.center};
        double least = INFINITY;
        assert_true(count >= 0 && count <= ROOM);
        for (int i = 0; i < count; ++i) {
            hf_track_place p = hf_track_find(&tracks[i], &on, &to);
            if (hf_track_inside(&tracks[i], &a, &b, &on, &to) >= -1e-7) {
                least = fabs(p.gap) < fabs(least) ? p.gap : least;
            }
        }
        char what[80];
        (void)snprintf(what, sizeof what, "gap of kinds %d and %d, case %d", k % KINDS,
                       k / KINDS % KINDS, k);
        // the collider takes what is parallel to 0.02 rad as faces: gaps to a few micrometres
        hf_check_near(least, 0.0, 5e-6, what, "in touch");
        ++tried;
    }
    assert_true(tried > 4000);
}

// A log on the floor beside a can that is as high as the log's axis: they touch at the can's rim,
// at its angle of zero, where it begins and ends. The rim is a feature there however the can is
// turned by rounding.
static void a_rim_has_no_seam(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(42);
    hf_shape can_shape = {.type = HF_SHAPE_CYLINDER, .size = {0.1, 0.0, 0.1}};
    hf_shape log_shape = {.type = HF_SHAPE_CYLINDER, .size = {0.1, 0.0, 0.3}};
    const double gap = 1e-5, half = sqrt(0.5);
    for (int k = 0; k < 300; ++k) {
        double d[4];
        for (int i = 0; i < 4; ++i) {
            d[i] = 1e-15 * hf_rng_uniform(&rng, -1.0, 1.0);
        }
        hf_solid can = hf_solid_make(&can_shape, hf_v3(0.0, 0.0, 0.05 + d[3]),
                                     (hf_quat){1.0, d[0], d[1], d[2]});
        hf_solid log =
            hf_solid_make(&log_shape, hf_v3(0.2 + gap, 0.0, 0.1), (hf_quat){half, half, 0.0, 0.0});
        hf_track tracks[ROOM];
        int count = hf_track_near(&can, &log, 0.004, tracks, ROOM), rims = 0;
        hf_spot on = {can.rotation, can.center}, to = {log.rotation, log.center};
        for (int i = 0; i < count; ++i) {
            hf_track_place p = hf_track_find(&tracks[i], &on, &to);
            rims += tracks[i].kind == HF_TRACK_RIM_EDGE && fabs(p.gap - gap) <= 1e-12 ? 1 : 0;
        }
        assert_int_equal(rims, 1);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_touches_has_a_feature),
        cmocka_unit_test(a_rim_has_no_seam),
    };
    return hf_run_tests(tests);
}
