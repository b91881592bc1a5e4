// SPDX-License-Identifier: Apache-2.0
// A box of twelve triangles is a box: its gaps with all solids, and their directions.
#include "brute.h"

#include <math.h>
#include <stdio.h>

#include "shapes/touch.h"

static hf_triangles *box_of_triangles(hf_vec3 half)
{
    static const int faces[6][4] = {{1, 3, 7, 5}, {0, 4, 6, 2}, {2, 6, 7, 3},
                                    {0, 1, 5, 4}, {4, 5, 7, 6}, {0, 2, 3, 1}};
    hf_vec3 points[36];
    int corners[36], n = 0;
    for (int f = 0; f < 6; ++f) {
        const int loop[6] = {faces[f][0], faces[f][1], faces[f][2],
                             faces[f][0], faces[f][2], faces[f][3]};
        for (int i = 0; i < 6; ++i, ++n) { // as in STL files, corners are not shared
            points[n] = hf_v3(loop[i] & 1 ? half.x : -half.x, loop[i] & 2 ? half.y : -half.y,
                              loop[i] & 4 ? half.z : -half.z);
            corners[n] = n;
        }
    }
    hf_error error;
    hf_triangles *made = hf_triangles_create(points, 36, corners, 12, &error);
    assert_non_null(made);
    return made;
}

static double least_of(const hf_touch_point *points, int count, int *which)
{
    double least = HUGE_VAL;
    for (int i = 0; i < count; ++i) {
        if (points[i].gap < least) {
            least = points[i].gap;
            *which = i;
        }
    }
    return least;
}

static void triangles_of_a_box_are_a_box(void **state)
{
    (void)state;
    const hf_shape_type types[] = {HF_SHAPE_SPHERE,   HF_SHAPE_BOX,  HF_SHAPE_CAPSULE,
                                   HF_SHAPE_CYLINDER, HF_SHAPE_CONE, HF_SHAPE_MESH,
                                   HF_SHAPE_ELLIPSOID};
    hf_rng rng = hf_rng_create(20261118);
    for (int i = 0; i < 420; ++i) {
        hf_mesh *mesh;
        hf_shape shape = {.type = HF_SHAPE_BOX, .size = {0.8, 1.1, 1.4}};
        hf_triangles *triangles = box_of_triangles(hf_v3_scale(0.5, shape.size));
        hf_shape facets = {.type = HF_SHAPE_TRIANGLES, .triangles = triangles};
        hf_quat turn = brute_turn(&rng);
        hf_solid a = brute_solid(&rng, types[i % 7], &mesh),
                 b = hf_solid_make(&shape, hf_v3(0.3, 0.1, -0.2), turn),
                 t = hf_solid_make(&facets, hf_v3(0.3, 0.1, -0.2), turn);
        // placed along a random direction, at a given gap of the two
        hf_vec3 d = brute_direction(&rng), n;
        double want = i % 3 == 0 ? 0.02 : i % 3 == 1 ? 1e-4 : -1e-5, low = 0.0, high = 5.0;
        for (int k = 0; k < 60; ++k) {
            double middle = 0.5 * (low + high);
            a.center = hf_v3_axpy(b.center, middle, d);
            hf_touch_point points[HF_SURFACE_POINTS];
            int which = 0, count = hf_touch_points(&a, &b, 0.05, points);
            double gap = count == 0 ? HUGE_VAL : least_of(points, count, &which);
            *(gap > want ? &high : &low) = middle;
        }
        a.center = hf_v3_axpy(b.center, high, d);
        hf_touch_point solid[HF_SURFACE_POINTS], facet[HF_SURFACE_POINTS];
        int at = 0, other = 0, count = hf_touch_points(&a, &b, 0.05, solid);
        double gap = least_of(solid, count, &at);
        int found = hf_touch_points(&t, &a, 0.05, facet); // and the other way round
        char what[80];
        (void)snprintf(what, sizeof what, "%s on facets, trial %d", hf_shape_name(types[i % 7]), i);
        hf_check_near(least_of(facet, found, &other), gap, 2e-6, what, "the box itself");
        n = hf_v3_scale(-1.0, facet[other].n);
        // Faces that are nearly parallel have two normals.
        hf_check_below(hf_v3_norm(hf_v3_sub(n, solid[at].n)), want > 1e-3 ? 2e-2 : 0.06, what,
                       "its direction");
        hf_mesh_destroy(mesh);
        hf_triangles_destroy(triangles);
    }
}

// Rims of a rough surface: an edge is hollow where the corner beyond it lies above the triangle, by
// the sign of the volume of the four corners; both triangles say the same; the border is free.
static void rims_of_a_rough_surface(void **state)
{
    (void)state;
    enum { SIDE = 6, POINTS = (SIDE + 1) * (SIDE + 1), TRIANGLES = 2 * SIDE * SIDE };
    hf_rng rng = hf_rng_create(91);
    for (int trial = 0; trial < 20; ++trial) {
        hf_vec3 points[POINTS];
        int corners[3 * TRIANGLES], n = 0, seen[4] = {0};
        for (int i = 0; i < POINTS; ++i) { // one in four is level
            points[i] = hf_v3(i % (SIDE + 1), i / (SIDE + 1),
                              hf_rng_bool(&rng) && hf_rng_bool(&rng) ? 0.0 : hf_rng_normal(&rng));
        }
        for (int i = 0; i < SIDE * SIDE; ++i) {
            int a = i / SIDE * (SIDE + 1) + i % SIDE, b = a + 1, c = a + SIDE + 1, d = c + 1;
            bool other = hf_rng_bool(&rng);
            const int two[6] = {a, b, other ? c : d, other ? b : a, d, c};
            for (int k = 0; k < 6; ++k) {
                corners[n++] = two[k];
            }
        }
        hf_error error = {0};
        hf_triangles *made = hf_triangles_create(points, POINTS, corners, TRIANGLES, &error);
        assert_non_null(made);
        const hf_vec3 *v = hf_triangles_vertices(made);
        const hf_facet *facets = hf_triangles_facets(made);
        for (int f = 0; f < TRIANGLES; ++f) {
            const int *at = facets[f].corner;
            for (int k = 0; k < 3; ++k) {
                int beside = facets[f].beside[k];
                hf_rim rim = facets[f].rim[k];
                ++seen[rim];
                assert_int_equal(rim == HF_RIM_FREE, beside < 0);
                if (beside < 0) {
                    continue;
                }
                const hf_facet *g = &facets[beside];
                int apex = -1, back = -1;
                for (int j = 0; j < 3; ++j) {
                    bool shared = g->corner[j] == at[k] || g->corner[j] == at[(k + 1) % 3];
                    apex = shared ? apex : g->corner[j];
                    back = g->beside[j] == f ? j : back;
                }
                assert_true(apex >= 0 && back >= 0);
                assert_int_equal(g->rim[back], rim);
                hf_vec3 x = hf_v3_sub(v[at[1]], v[at[0]]), y = hf_v3_sub(v[at[2]], v[at[0]]),
                        z = hf_v3_sub(v[apex], v[at[0]]);
                double volume = hf_v3_dot(hf_v3_cross(x, y), z);
                assert_int_equal(rim, fabs(volume) < 1e-9 ? HF_RIM_FLAT
                                      : volume > 0.0      ? HF_RIM_HOLLOW
                                                          : HF_RIM_CONVEX);
            }
        }
        assert_true(seen[HF_RIM_HOLLOW] > 10 && seen[HF_RIM_CONVEX] > 10);
        assert_int_equal(seen[HF_RIM_FREE], 4 * SIDE);
        hf_triangles_destroy(made);
    }
}

// A solid that has come into a rough surface from above does not lose it on the way down.
static void nothing_falls_through(void **state)
{
    (void)state;
    enum { ACROSS = 9, FIELDS = 120, STEPS = 6 };
    const hf_shape_type types[] = {HF_SHAPE_CYLINDER, HF_SHAPE_MESH, HF_SHAPE_BOX, HF_SHAPE_CONE};
    hf_rng rng = hf_rng_create(20261120);
    for (int f = 0; f < FIELDS; ++f) {
        double heights[ACROSS * ACROSS], steep = hf_rng_log_uniform(&rng, 0.1, 1.0);
        for (int i = 0; i < ACROSS * ACROSS; ++i) {
            heights[i] = hf_rng_uniform(&rng, 0.0, steep);
        }
        hf_error error;
        hf_triangles *triangles =
            hf_triangles_from_heights(heights, ACROSS, ACROSS, hf_v3(8.0, 8.0, 0.0), &error);
        assert_non_null(triangles);
        hf_shape shape = {.type = HF_SHAPE_TRIANGLES, .triangles = triangles};
        const hf_solid b = hf_solid_make(&shape, hf_v3(0, 0, 0), (hf_quat){.w = 1.0});
        for (int i = 0; i < 20; ++i) {
            hf_mesh *mesh;
            hf_solid a = brute_solid(&rng, types[i % 4], &mesh);
            hf_touch_point points[HF_SURFACE_POINTS];
            double thin = hf_solid_thinness(&a);
            a.center = hf_v3(hf_rng_uniform(&rng, -1.5, 1.5), hf_rng_uniform(&rng, -1.5, 1.5),
                             steep + a.reach);
            // down to where it meets something, and on by a part of its thickness
            while (hf_touch_triangles(&a, &b, 0.0, points, HF_SURFACE_POINTS) == 0) {
                a.center.z -= 0.01 * thin;
                assert_true(a.center.z > -a.reach);
            }
            for (int k = 0; k < STEPS; ++k) {
                a.center.z -= 0.01 * thin;
                int count = hf_touch_triangles(&a, &b, 0.0, points, HF_SURFACE_POINTS);
                if (count == 0) {
                    fail_msg("field %d, solid %d, step %d: no contact", f, i, k);
                }
            }
            hf_mesh_destroy(mesh);
        }
        hf_triangles_destroy(triangles);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rims_of_a_rough_surface),
                                       cmocka_unit_test(nothing_falls_through),
                                       cmocka_unit_test(triangles_of_a_box_are_a_box)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
