// SPDX-License-Identifier: Apache-2.0
// Which points a solid has, and what it hides: against its support function, and tiles of a floor.
#include <math.h>

#include "brute.h"
#include "shapes/exposed.h"

enum { KINDS = 7, TRIALS = 400 };
static const hf_shape_type TYPES[KINDS] = {HF_SHAPE_SPHERE,   HF_SHAPE_CAPSULE,   HF_SHAPE_BOX,
                                           HF_SHAPE_CYLINDER, HF_SHAPE_ELLIPSOID, HF_SHAPE_CONE,
                                           HF_SHAPE_MESH};

// How far a point is outside of a convex solid: max over n of n.p - h(n); negative inside. By the
// distance to a sphere of no size.
static double far_outside(const hf_solid *s, hf_vec3 p)
{
    hf_shape point = {.type = HF_SHAPE_SPHERE, .size = {1e-12, 0.0, 0.0}};
    hf_solid dot = hf_solid_make(&point, p, (hf_quat){1.0, 0.0, 0.0, 0.0});
    hf_vec3 n;
    return brute_gap(&dot, s, &n);
}

// Points well inside and well outside of every kind of solid.
static void solids_have_their_points(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(9);
    for (int kind = 0; kind < KINDS; ++kind) {
        int within = 0, without = 0;
        for (int k = 0; k < TRIALS / 10; ++k) {
            hf_mesh *mesh;
            hf_solid s = brute_solid(&rng, TYPES[kind], &mesh);
            s.center = hf_v3(hf_rng_uniform(&rng, -1.0, 1.0), 0.3, -0.2);
            for (int i = 0; i < 10; ++i) {
                hf_vec3 p = hf_v3_axpy(s.center, s.reach * hf_rng_uniform(&rng, 0.0, 1.2),
                                       brute_direction(&rng));
                double far = far_outside(&s, p), near = hf_rng_uniform(&rng, 1e-6, 1e-3);
                if (fabs(far) > 0.02) {
                    assert_true(hf_solid_has(&s, p, near) == (far < 0.0));
                    within += far < 0.0;
                    without += far > 0.0;
                }
            }
            // Of its surface, to the nearness
            hf_vec3 d = brute_direction(&rng);
            hf_vec3 p =
                hf_v3_add(s.center, hf_v3_axpy(hf_solid_support(&s, d), hf_solid_round(&s), d));
            assert_true(hf_solid_has(&s, p, 1e-6));
            assert_false(hf_solid_has(&s, hf_v3_axpy(p, 1e-2, d), 1e-4));
            assert_false(hf_solid_is_before(&s, p, d, 1e-6));
            assert_true(hf_solid_is_before(&s, p, hf_v3_scale(-1.0, d), 1e-6));
            hf_mesh_destroy(mesh);
        }
        assert_true(within > 20 && without > 20);
    }
}

// Two tiles: flush, the edge between them has no normal; of a step the upper one's has.
static void tiles_hide_their_edges(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(10);
    const hf_shape tile = {.type = HF_SHAPE_BOX, .size = {1.0, 1.0, 0.2}};
    for (int k = 0; k < 200; ++k) {
        hf_mat3 turn = hf_quat_rotation(brute_turn(&rng));
        hf_quat q = hf_quat_from_rotation(&turn);
        hf_vec3 x = hf_m3_mulv(&turn, hf_v3(1.0, 0.0, 0.0)), z = hf_m3_mulv(&turn, hf_v3(0, 0, 1));
        hf_vec3 y = hf_m3_mulv(&turn, hf_v3(0.0, 1.0, 0.0));
        double step = k % 2 == 0 ? 0.0 : hf_rng_uniform(&rng, 0.01, 0.1);
        hf_solid a = hf_solid_make(&tile, hf_v3(0.0, 0.0, 0.0), q);
        hf_solid b = hf_solid_make(&tile, hf_v3_axpy(x, step, z), q);
        // On the seam, a's upper edge; its normals there lean towards b
        double along = hf_rng_uniform(&rng, -0.3, 0.3), lean = hf_rng_uniform(&rng, 0.1, 1.4);
        hf_vec3 p = hf_v3_axpy(hf_v3_axpy(hf_v3_scale(0.5, x), 0.1, z), along, y);
        hf_vec3 n = hf_v3_add(hf_v3_scale(cos(lean), z), hf_v3_scale(sin(lean), x));
        assert_true(hf_solid_hides(&b, &a, p, n, 1e-6));
        // The lower tile's edge is hidden by a step up, not by one of the same height or down
        assert_true(hf_solid_is_before(&b, p, z, 1e-6) == (step > 0.0));
        hf_solid low = hf_solid_make(&tile, hf_v3_axpy(x, -0.05, z), q);
        assert_false(hf_solid_is_before(&low, p, z, 1e-6));
        assert_false(hf_solid_hides(&low, &a, p, z, 1e-6));
        // What is somewhere else hides nothing
        hf_solid away = hf_solid_make(&tile, hf_v3_scale(3.0, x), q);
        assert_false(hf_solid_has(&away, p, 1e-6));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(solids_have_their_points),
                                       cmocka_unit_test(tiles_hide_their_edges)};
    return hf_run_tests(tests);
}
