// SPDX-License-Identifier: Apache-2.0
// Where two solids touch, against brute force and exact cases.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "brute.h"
#include "shapes/touch.h"

static const hf_shape_type TYPES[] = {HF_SHAPE_SPHERE, HF_SHAPE_CAPSULE, HF_SHAPE_BOX,
                                      HF_SHAPE_CYLINDER, HF_SHAPE_MESH};
enum { KINDS = 5 };

static double least_gap(const hf_meeting *touch)
{
    double least = HUGE_VAL;
    for (int i = 0; i < touch->count; ++i) {
        least = fmin(least, touch->points[i].gap);
    }
    return least;
}

// A pair of random solids with a gap near `gap`, told by brute force.
typedef struct trial {
    hf_solid a, b;
    hf_mesh *meshes[2];
    double gap;
    hf_vec3 n;
} trial;

static void set_up(trial *t, hf_rng *rng, hf_shape_type on, hf_shape_type to, double gap)
{
    t->a = brute_solid(rng, on, &t->meshes[0]);
    t->b = brute_solid(rng, to, &t->meshes[1]);
    t->a.center = hf_v3_scale(3.0, brute_direction(rng));
    // Two times towards each other along the direction between the nearest points: to a known gap.
    for (int i = 0; i < 2; ++i) {
        t->gap = brute_gap(&t->a, &t->b, &t->n);
        t->a.center = hf_v3_axpy(t->a.center, gap - t->gap, t->n);
    }
    t->gap = brute_gap(&t->a, &t->b, &t->n);
}

static void tear_down(trial *t)
{
    hf_mesh_destroy(t->meshes[0]);
    hf_mesh_destroy(t->meshes[1]);
}

// Both ends of a point's gap belong to their solids.
static void check_place(const trial *t, const hf_touch_point *p, hf_rng *rng, double allowance)
{
    hf_vec3 middle = hf_v3_add(t->b.center, p->place);
    hf_vec3 on_a = hf_v3_axpy(middle, 0.5 * p->gap, p->n),
            on_b = hf_v3_axpy(middle, -0.5 * p->gap, p->n);
    for (int i = 0; i < 200; ++i) {
        hf_vec3 d = brute_direction(rng);
        hf_check_below(hf_v3_dot(d, on_a) - brute_reach(&t->a, d), allowance, "outside a",
                       "support");
        hf_check_below(hf_v3_dot(d, on_b) - brute_reach(&t->b, d), allowance, "outside b",
                       "support");
    }
}

static bool is_curved(hf_shape_type type)
{
    return type == HF_SHAPE_CYLINDER || type == HF_SHAPE_ELLIPSOID || type == HF_SHAPE_CONE;
}

// Two points of contact at one place would halve the load there.
static void check_distinct(const hf_meeting *touch)
{
    for (int i = 0; i < touch->count; ++i) {
        for (int k = 0; k < i; ++k) {
            hf_vec3 d = hf_v3_sub(touch->points[i].place, touch->points[k].place);
            hf_check_below(1e-9, hf_v3_norm(d), "one place", "between two points of contact");
        }
    }
}

static void check_pair(hf_rng *rng, hf_shape_type on, hf_shape_type to, double gap, double margin,
                       int *proofs)
{
    trial t;
    hf_meeting touch;
    set_up(&t, rng, on, to, gap);
    hf_touch_find(&t.a, &t.b, margin, &touch);
    char what[80];
    (void)snprintf(what, sizeof what, "%s on %s, gap %g", hf_shape_name(on), hf_shape_name(to),
                   t.gap);
    if (t.gap > margin + 1e-9) {
        assert_int_equal(touch.count, 0);
    } else if (t.gap < margin - 1e-3) {
        assert_true(touch.count > 0);
        check_distinct(&touch);
        double least = least_gap(&touch), apart = -HUGE_VAL;
        for (int i = 0; i < touch.count; ++i) {
            apart = fmax(apart, brute_apart(&t.a, &t.b, touch.points[i].n));
            hf_check_near(hf_v3_norm(touch.points[i].n), 1.0, 1e-14, "length of n", "a direction");
        }
        // A direction that keeps them as far apart as two of their points are is a proof. Only
        // faces that are nearly parallel have none: they meet as faces, a little off.
        bool curved = is_curved(on) || is_curved(to);
        bool proven = fabs(apart - least) < (curved ? 2e-6 : 1e-10);
        *proofs += proven;
        for (int i = 0; i < touch.count; ++i) {
            check_place(&t, &touch.points[i], rng, proven ? (curved ? 2e-6 : 1e-8) : 1e-3);
        }
        // Out of an overlap there are several ways: the one that is found is at most a part longer
        // than the shortest. With air between, nothing is left open.
        double longer = t.gap < 1e-6 ? 0.2 * fabs(t.gap) + (fabs(t.gap) < 1e-6 ? 1e-7 : 0.0) : 0.0;
        hf_check_below(t.gap, least + longer + (proven ? (curved ? 2e-6 : 1e-9) : 1e-4), what,
                       "brute force: no direction is better");
        // Brute force may stop below the top of a ridge; a proof needs no second witness.
        if (!proven || least < 0.0) {
            hf_check_near(least, t.gap, 5e-3, what, "brute force, roughly");
        }
    }
    tear_down(&t);
}

static void test_gaps(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(20260101);
    int proofs = 0;
    const double gaps[] = {0.05, 1e-3, 1e-7, 0.0, -1e-7, -1e-4, -0.02};
    for (int i = 0; i < KINDS; ++i) {
        for (int j = 0; j < KINDS; ++j) {
            for (int k = 0; k < 7; ++k) {
                check_pair(&rng, TYPES[i], TYPES[j], gaps[k], 0.1, &proofs);
            }
            check_pair(&rng, TYPES[i], TYPES[j], 0.2, 0.1, &proofs);
        }
    }
    printf("%d of %d proven\n", proofs, KINDS * KINDS * 7);
    assert_true(proofs >= KINDS * KINDS * 7 * 9 / 10);
}

// Ellipsoids and cones with all others, and over planes.
static void test_curved_solids(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(20261117);
    int proofs = 0, tried = 0;
    const double gaps[] = {0.05, 1e-3, 1e-7, 0.0, -1e-7, -1e-4, -0.02};
    const hf_shape_type types[] = {HF_SHAPE_ELLIPSOID, HF_SHAPE_CONE};
    for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < KINDS + 2; ++j) {
            hf_shape_type other = j < KINDS ? TYPES[j] : types[j - KINDS];
            for (int k = 0; k < 7; ++k, tried += 2) {
                check_pair(&rng, types[i], other, gaps[k], 0.1, &proofs);
                check_pair(&rng, other, types[i], gaps[k], 0.1, &proofs);
            }
        }
    }
    printf("%d of %d proven\n", proofs, tried);
    assert_true(proofs >= tried * 9 / 10);
    hf_shape flat = {.type = HF_SHAPE_PLANE};
    for (int i = 0; i < 60; ++i) {
        hf_mesh *mesh;
        hf_solid a = brute_solid(&rng, types[i % 2], &mesh);
        hf_solid plane = hf_solid_make(&flat, brute_direction(&rng), brute_turn(&rng));
        hf_vec3 n = hf_v3(plane.rotation.xz, plane.rotation.yz, plane.rotation.zz);
        double want = -brute_reach(&a, hf_v3_scale(-1.0, n)) - hf_v3_dot(n, plane.center);
        a.center = hf_v3_axpy(a.center, -1e-3 - want, n);
        hf_meeting touch;
        hf_touch_find(&a, &plane, 0.01, &touch);
        assert_true(touch.count > 0);
        check_distinct(&touch);
        hf_check_near(least_gap(&touch), -1e-3, 1e-14, "gap over a plane", "closed form");
    }
}

// ------------------------------------------------------------------------------------------------

static void check_same(const hf_meeting *x, const hf_meeting *y, hf_vec3 shift, const hf_mat3 *turn,
                       double sign, bool curved, const char *what)
{
    assert_int_equal(x->count, y->count);
    for (int i = 0; i < x->count; ++i) {
        hf_vec3 n = hf_v3_scale(sign, hf_m3_mulv(turn, x->points[i].n));
        hf_vec3 place = hf_v3_add(shift, hf_m3_mulv(turn, x->points[i].place));
        double nearest = HUGE_VAL;
        int best = 0;
        for (int j = 0; j < y->count; ++j) {
            double far = hf_v3_norm(hf_v3_sub(place, y->points[j].place));
            if (far < nearest) {
                nearest = far;
                best = j;
            }
        }
        hf_check_below(nearest, x->points[i].gap < 0.0 ? 0.02 : 1e-3, what, "the same point");
        // Deep in each other there may be two ways out, nearly as good.
        double allowance = x->points[i].gap < 0.0 ? 5e-4 : (curved ? 1e-7 : 1e-11);
        hf_check_near(x->points[i].gap, y->points[best].gap, allowance, what, "the same gap");
        if (fabs(x->points[i].gap - y->points[best].gap) > 1e-9) {
            continue; // another way
        }
        hf_check_below(hf_v3_norm(hf_v3_sub(n, y->points[best].n)), curved ? 1e-3 : 1e-9, what,
                       "the same normal");
    }
}

// Exchanging the two, and moving both together, change nothing.
static void test_symmetry(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(77);
    const hf_mat3 identity = hf_m3_identity();
    for (int round = 0; round < 2; ++round) {
        for (int i = 0; i < KINDS; ++i) {
            for (int j = 0; j < KINDS; ++j) {
                trial t;
                hf_meeting one, other;
                char what[80];
                bool curved = TYPES[i] == HF_SHAPE_CYLINDER || TYPES[j] == HF_SHAPE_CYLINDER;
                set_up(&t, &rng, TYPES[i], TYPES[j], round < 1 ? 1e-3 : -1e-3);
                hf_touch_find(&t.a, &t.b, 0.01, &one);
                hf_touch_find(&t.b, &t.a, 0.01, &other);
                check_same(&one, &other, hf_v3_sub(t.b.center, t.a.center), &identity, -1.0, curved,
                           "exchanged");
                hf_mat3 turn = hf_quat_rotation(brute_turn(&rng));
                hf_vec3 way = hf_v3_scale(5.0, brute_direction(&rng));
                hf_solid *solids[2] = {&t.a, &t.b};
                for (int k = 0; k < 2; ++k) {
                    solids[k]->rotation = hf_m3_mul(&turn, &solids[k]->rotation);
                    solids[k]->center = hf_v3_add(way, hf_m3_mulv(&turn, solids[k]->center));
                }
                hf_touch_find(&t.a, &t.b, 0.01, &other);
                (void)snprintf(what, sizeof what, "%s on %s, moved", hf_shape_name(TYPES[i]),
                               hf_shape_name(TYPES[j]));
                check_same(&one, &other, hf_v3(0, 0, 0), &turn, 1.0, curved, what);
                tear_down(&t);
            }
        }
    }
}

// ------------------------------------------------------------------------------------------------
// Exact cases

static hf_solid box_at(double x, double y, double z, hf_vec3 size, hf_quat turn)
{
    hf_shape shape = {.type = HF_SHAPE_BOX, .size = size};
    return hf_solid_make(&shape, hf_v3(x, y, z), turn);
}

// A box on another of the same size: the four corners, whatever rounding does to the poses.
static void test_box_on_box(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(5);
    const hf_vec3 cube = {0.2, 0.2, 0.2};
    for (int i = 0; i < 200; ++i) {
        hf_quat turn = brute_turn(&rng);
        hf_mat3 r = hf_quat_rotation(turn);
        hf_vec3 place = hf_v3_scale(hf_rng_uniform(&rng, 0.0, 3.0), brute_direction(&rng));
        hf_solid b = box_at(place.x, place.y, place.z, cube, turn);
        hf_vec3 up = hf_v3(0.2 * r.xz, 0.2 * r.yz, 0.2 * r.zz);
        hf_vec3 above = hf_v3_add(place, up);
        hf_solid a = box_at(above.x, above.y, above.z, cube, turn);
        hf_meeting touch;
        hf_touch_find(&a, &b, 1e-3, &touch);
        assert_int_equal(touch.count, 4);
        for (int k = 0; k < 4; ++k) {
            hf_vec3 p = hf_m3_tmulv(&r, touch.points[k].place), n = touch.points[k].n;
            hf_check_near(touch.points[k].gap, 0.0, 2e-15, "gap", "boxes side on side");
            hf_check_near(fabs(p.x), 0.1, 1e-14, "corner x", "boxes side on side");
            hf_check_near(fabs(p.y), 0.1, 1e-14, "corner y", "boxes side on side");
            hf_check_near(p.z, 0.1, 1e-14, "corner z", "boxes side on side");
            hf_check_same_bits(n.x, r.xz, "n.x of the face");
            hf_check_same_bits(n.y, r.yz, "n.y of the face");
            hf_check_same_bits(n.z, r.zz, "n.z of the face");
        }
    }
}

// The numbers of the points stay while rounding and small motions shake the poses.
static void test_numbers_stay(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(6);
    for (int i = 0; i < 200; ++i) {
        bool same = i % 2 == 0; // equal boxes, corner on corner; or any two
        hf_vec3 size = same ? hf_v3(0.2, 0.3, 0.1) : hf_v3(0.15, 0.4, 0.1);
        double yaw = same ? 0.0 : hf_rng_uniform(&rng, 0.0, 3.0);
        hf_solid b = box_at(0, 0, 0, hf_v3(0.2, 0.3, 0.1), (hf_quat){.w = 1.0});
        hf_solid a = box_at(0, 0, 0.1, size, hf_quat_from_axis_angle(hf_v3(0, 0, 1), yaw));
        hf_meeting first, then;
        hf_touch_find(&a, &b, 1e-3, &first);
        assert_true(first.count >= 3);
        for (int k = 0; k < 20; ++k) {
            double shake = k < 10 ? 1e-15 : 1e-11;
            hf_solid moved = a;
            moved.center = hf_v3_axpy(a.center, shake, brute_direction(&rng));
            hf_quat little = hf_quat_from_axis_angle(brute_direction(&rng), shake);
            hf_mat3 turn = hf_quat_rotation(little);
            moved.rotation = hf_m3_mul(&turn, &a.rotation);
            hf_touch_find(&moved, &b, 1e-3, &then);
            assert_int_equal(then.count, first.count);
            for (int p = 0; p < first.count; ++p) {
                assert_int_equal(then.points[p].feature, first.points[p].feature);
                hf_check_below(hf_v3_norm(hf_v3_sub(then.points[p].place, first.points[p].place)),
                               1e-7, "the point moved", "as the box did");
            }
        }
    }
}

static double cross2(hf_vec3 a, hf_vec3 b, hf_vec3 c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// Largest area of triangles and quadrangles with corners at the points.
static double spanned(const hf_vec3 *p, int count)
{
    double best = 0.0;
    for (int i = 0; i < count; ++i) {
        for (int j = 0; j < count; ++j) {
            double left = 0.0, right = 0.0;
            for (int k = 0; k < count; ++k) {
                left = fmax(left, cross2(p[i], p[j], p[k]));
                right = fmax(right, -cross2(p[i], p[j], p[k]));
            }
            best = fmax(best, 0.5 * (left + right));
        }
    }
    return best;
}

// A turned box on a larger or equal one: the four points span most of the area in common, which is
// found here by counting points of a grid.
static void test_area(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(8);
    for (int i = 0; i < 60; ++i) {
        hf_vec3 size = hf_v3(hf_rng_uniform(&rng, 0.5, 1.5), hf_rng_uniform(&rng, 0.5, 1.5), 0.2);
        hf_quat turn = hf_quat_from_axis_angle(hf_v3(0, 0, 1), hf_rng_uniform(&rng, 0.0, 6.0));
        hf_solid b = box_at(0, 0, 0, hf_v3(1, 1, 0.2), (hf_quat){.w = 1.0});
        hf_solid a = box_at(hf_rng_uniform(&rng, -0.5, 0.5), hf_rng_uniform(&rng, -0.5, 0.5), 0.2,
                            size, turn);
        hf_meeting touch;
        hf_touch_find(&a, &b, 1e-3, &touch);
        int inside = 0;
        enum { GRID = 100 };
        for (int k = 0; k < GRID * GRID; ++k) {
            hf_vec3 p = hf_v3((k % GRID + 0.5) / GRID - 0.5, (k / GRID + 0.5) / GRID - 0.5, 0.2);
            hf_vec3 q = hf_m3_tmulv(&a.rotation, hf_v3_sub(p, a.center));
            inside += fabs(q.x) < a.half.x && fabs(q.y) < a.half.y;
        }
        hf_vec3 points[HF_TOUCH_MOST];
        for (int k = 0; k < touch.count; ++k) {
            points[k] = touch.points[k].place;
        }
        double area = (double)inside / (GRID * GRID);
        assert_true(touch.count >= 3);
        hf_check_below(0.5 * area, spanned(points, touch.count) + 0.01, "area", "a grid");
        hf_check_below(spanned(points, touch.count), area + 0.03, "area", "a grid");
    }
}

// Over a plane all is heights.
static void test_plane(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(9);
    hf_shape flat = {.type = HF_SHAPE_PLANE};
    for (int i = 0; i < 200; ++i) {
        hf_mesh *mesh;
        hf_solid a = brute_solid(&rng, TYPES[i % KINDS], &mesh);
        hf_solid plane = hf_solid_make(&flat, brute_direction(&rng), brute_turn(&rng));
        hf_vec3 n = hf_v3(plane.rotation.xz, plane.rotation.yz, plane.rotation.zz);
        a.center = brute_direction(&rng);
        double want = -brute_reach(&a, hf_v3_scale(-1.0, n)) - hf_v3_dot(n, plane.center);
        a.center = hf_v3_axpy(a.center, -1e-3 - want, n);
        hf_meeting touch;
        hf_touch_find(&a, &plane, 0.01, &touch);
        assert_true(touch.count > 0);
        hf_check_near(least_gap(&touch), -1e-3, 1e-14, "gap over a plane", "closed form");
        // what is refused beyond the margin
        a.center = hf_v3_axpy(a.center, 0.0111, n);
        hf_touch_find(&a, &plane, 0.01, &touch);
        assert_int_equal(touch.count, 0);
        hf_mesh_destroy(mesh);
    }
}

// A sphere that was put over a point of a cylinder, along the normal there: over its barrel, its
// caps and its rim, from outside and from within, in both orders.
static void test_sphere_on_cylinder(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(20261119);
    const double gaps[] = {0.09, 1e-3, 1e-7, 0.0, -1e-7, -1e-4, -0.02, -0.3, -0.45};
    for (int i = 0; i < 900; ++i) {
        double radius = 0.4 + hf_rng_uniform(&rng, 0.0, 1.0),
               half = 0.4 + hf_rng_uniform(&rng, 0.0, 1.0);
        double round = 0.3, gap = gaps[i % 9], depth = fmin(radius, half);
        int where = i / 9 % 3; // barrel, cap, rim
        // Where a center below the surface is nearer to it than to all else; a rim has none below
        double angle = 6.283185307179586 * hf_rng_uniform(&rng, 0.0, 1.0),
               tilt = hf_rng_uniform(&rng, 0.0, 1.0);
        double inner = gap + round < 0.0 ? -(gap + round) + 0.01 : 0.0;
        double at = (half - inner) * (2.0 * tilt - 1.0), side = at < 0.0 ? -1.0 : 1.0;
        double across = where == 1 ? (radius - inner) * tilt : radius;
        hf_vec3 to = hf_v3(cos(angle), sin(angle), 0.0), up = hf_v3(0.0, 0.0, side);
        hf_vec3 n = where == 0 ? to
                    : where == 1
                        ? up
                        : hf_v3_axpy(hf_v3_scale(cos(1.5 * tilt), up), sin(1.5 * tilt), to);
        if (inner > depth - 0.02 || (where == 2 && gap + round < 1e-3)) {
            continue;
        }
        hf_vec3 surface = hf_v3_scale(across, to);
        surface.z = where == 0 ? at : side * half;
        // Turned and moved as they are
        hf_shape ball = {.type = HF_SHAPE_SPHERE, .size = {round}};
        hf_shape drum = {.type = HF_SHAPE_CYLINDER, .size = {radius, 0.0, 2.0 * half}};
        hf_solid b = hf_solid_make(&drum, brute_direction(&rng), brute_turn(&rng));
        hf_vec3 middle = hf_m3_mulv(&b.rotation, hf_v3_axpy(surface, round + gap, n));
        hf_solid a = hf_solid_make(&ball, hf_v3_add(b.center, middle), brute_turn(&rng));
        n = hf_m3_mulv(&b.rotation, n);
        for (int order = 0; order < 2; ++order) {
            hf_meeting touch;
            hf_touch_find(order == 0 ? &a : &b, order == 0 ? &b : &a, 0.1, &touch);
            assert_int_equal(touch.count, 1);
            const hf_touch_point *point = &touch.points[0];
            hf_vec3 place = hf_v3_add(point->place, order == 0 ? b.center : a.center);
            hf_vec3 want = hf_v3_axpy(a.center, -(round + 0.5 * gap), n);
            hf_vec3 off = hf_v3_axpy(point->n, order == 0 ? -1.0 : 1.0, n);
            double slack = 1e-15 / fabs(round + gap); // of a direction, by the center's rounding
            hf_check_near(point->gap, gap, 2e-15, "gap of a sphere", "where it was put");
            hf_check_below(hf_v3_norm(off), 2.0 * slack + 4e-15, "n of a sphere", "the surface's");
            hf_check_below(hf_v3_norm(hf_v3_sub(place, want)), slack + 4e-15, "place of a sphere",
                           "where it was put");
        }
    }
}

// Round and flat things that lie as they lie: capsule and cylinder on a box, on each other, on end.
static void test_lying(void **state)
{
    (void)state;
    const hf_quat along_x = hf_quat_from_axis_angle(hf_v3(0, 1, 0), 1.5707963267948966),
                  none = {.w = 1.0};
    const hf_shape capsule = {.type = HF_SHAPE_CAPSULE, .size = {0.05, 0, 0.4}},
                   cylinder = {.type = HF_SHAPE_CYLINDER, .size = {0.05, 0, 0.4}};
    hf_solid box = box_at(0, 0, -0.5, hf_v3(2, 2, 1), none);
    hf_meeting touch;
    // on a side
    for (int k = 0; k < 2; ++k) {
        hf_solid lying = hf_solid_make(k == 0 ? &capsule : &cylinder, hf_v3(0, 0, 0.05), along_x);
        hf_touch_find(&lying, &box, 1e-3, &touch);
        assert_int_equal(touch.count, 2);
        for (int i = 0; i < 2; ++i) {
            hf_check_near(touch.points[i].gap, 0.0, 1e-15, "gap", "lies on it");
            hf_check_near(fabs(touch.points[i].place.x), 0.2, 1e-14, "end", "half its length");
            hf_check_near(touch.points[i].n.z, 1.0, 0.0, "normal", "the face's");
        }
        hf_solid upper = lying;
        upper.center.z = 0.15;
        hf_touch_find(&upper, &lying, 1e-3, &touch);
        assert_int_equal(touch.count, 2);
        for (int i = 0; i < 2; ++i) {
            hf_check_near(touch.points[i].gap, 0.0, 1e-14, "gap", "lies on it");
            hf_check_near(touch.points[i].n.z, 1.0, 1e-14, "normal", "up");
        }
    }
    // on end, on a box and on another one
    hf_solid standing = hf_solid_make(&cylinder, hf_v3(0.1, 0.2, 0.2), none), above = standing;
    above.center.z = 0.6;
    const hf_solid *under[2] = {&box, &standing}, *over[2] = {&standing, &above};
    for (int k = 0; k < 2; ++k) {
        hf_touch_find(over[k], under[k], 1e-3, &touch);
        assert_int_equal(touch.count, 4);
        hf_vec3 sum = {0};
        for (int i = 0; i < 4; ++i) {
            hf_check_near(touch.points[i].gap, 0.0, 1e-15, "gap", "stands on it");
            hf_vec3 rim =
                hf_v3_sub(hf_v3_add(touch.points[i].place, under[k]->center), over[k]->center);
            hf_check_near(hypot(rim.x, rim.y), 0.05, 1e-14, "rim", "the radius");
            sum = hf_v3_add(sum, rim);
        }
        hf_check_near(hypot(sum.x, sum.y), 0.0, 1e-12, "points around the rim", "opposite");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gaps),
        cmocka_unit_test(test_curved_solids),
        cmocka_unit_test(test_symmetry),
        cmocka_unit_test(test_box_on_box),
        cmocka_unit_test(test_numbers_stay),
        cmocka_unit_test(test_area),
        cmocka_unit_test(test_plane),
        cmocka_unit_test(test_lying),
        cmocka_unit_test(test_sphere_on_cylinder),
    };
    return hf_run_tests(tests);
}
