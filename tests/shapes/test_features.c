// SPDX-License-Identifier: Apache-2.0
// Pairs that are found by their features, box or cylinder and cylinder, line and box or cylinder:
// against the search among points (GJK) where they are apart, against brute force where they
// overlap.
#include <math.h>
#include <stdio.h>

#include "brute.h"
#include "shapes/box_cylinder.h"
#include "shapes/cylinders.h"
#include "shapes/gjk.h"
#include "shapes/line_distance.h"

enum { TRIALS = 400 };

static void place_near(hf_rng *rng, hf_solid *a, const hf_solid *b, double least, double most)
{
    hf_vec3 n = brute_direction(rng);
    double extent = hf_solid_extent(a, hf_v3_scale(-1.0, n)) + hf_solid_extent(b, n);
    a->center = hf_v3_axpy(b->center, extent * hf_rng_uniform(rng, least, most), n);
}

typedef hf_way_said (*finder)(const hf_solid *a, const hf_solid *b, hf_vec3 place, double margin,
                              hf_way *way);
static const struct {
    hf_shape_type type;
    finder find;
} CASES[] = {{HF_SHAPE_BOX, hf_box_cylinder_find}, {HF_SHAPE_CYLINDER, hf_cylinders_find}};

static void apart(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(31);
    int found[2] = {0, 0}, all[2] = {0, 0};
    for (int i = 0; i < TRIALS; ++i) {
        hf_mesh *none = NULL;
        finder find = CASES[i % 2].find;
        hf_solid a = brute_solid(&rng, CASES[i % 2].type, &none);
        hf_solid b = brute_solid(&rng, HF_SHAPE_CYLINDER, &none);
        place_near(&rng, &a, &b, 0.9, 1.2);
        hf_vec3 place = hf_v3_sub(a.center, b.center);
        hf_nearest nearest = hf_gjk(&a, &b, place, 1.0, HUGE_VAL);
        hf_way way;
        hf_way_said said = find(&a, &b, place, HUGE_VAL, &way);
        all[i % 2] += nearest.apart;
        if (!nearest.apart || said != HF_WAY_FOUND) {
            continue;
        }
        // Distance, direction and the first one's point
        ++found[i % 2];
        hf_check_near(way.gap, nearest.distance, 1e-8, "distance", "GJK");
        hf_check_near(way.gap, brute_apart(&a, &b, way.n), 1e-12, "gap", "along n");
        hf_vec3 on_a = hf_v3_sub(way.at, place);
        hf_check_near(hf_v3_dot(way.n, on_a), -hf_solid_extent(&a, hf_v3_scale(-1.0, way.n)), 1e-9,
                      "the first one's point", "on its surface");
        // Asked for less, it says that they are apart
        said = find(&a, &b, place, 0.9 * nearest.distance, &way);
        assert_int_equal(said, HF_WAY_APART);
    }
    // Hardly any pair is left to the general search, which takes several times as long
    printf("apart: %d of %d, %d of %d\n", found[0], all[0], found[1], all[1]);
    for (int k = 0; k < 2; ++k) {
        hf_check_below(0.97 * all[k], found[k], "pairs that are apart", "found by their features");
    }
}

static void overlapping(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(32);
    int found[2] = {0, 0}, all[2] = {0, 0};
    for (int i = 0; i < TRIALS / 8; ++i) {
        hf_mesh *none = NULL;
        hf_solid a = brute_solid(&rng, CASES[i % 2].type, &none);
        hf_solid b = brute_solid(&rng, HF_SHAPE_CYLINDER, &none);
        place_near(&rng, &a, &b, 0.8, 0.999);
        hf_vec3 n;
        double gap = brute_gap(&a, &b, &n);
        hf_way way;
        hf_way_said said = CASES[i % 2].find(&a, &b, hf_v3_sub(a.center, b.center), HUGE_VAL, &way);
        all[i % 2] += gap < 0.0;
        if (said != HF_WAY_FOUND || gap >= 0.0) {
            continue;
        }
        ++found[i % 2];
        hf_check_near(way.gap, brute_apart(&a, &b, way.n), 1e-12, "gap", "along n");
        hf_check_below(gap, way.gap + 0.02 * (a.reach + b.reach), "depth",
                       "brute force: hardly a shorter way");
        // No direction beside it is better
        for (int k = 0; k < 100; ++k) {
            hf_vec3 m = hf_v3_axpy(way.n, 1e-4, brute_direction(&rng));
            m = hf_v3_scale(1.0 / hf_v3_norm(m), m);
            hf_check_below(brute_apart(&a, &b, m), way.gap + 1e-12, "beside", "maximum");
        }
    }
    printf("overlapping: %d of %d, %d of %d\n", found[0], all[0], found[1], all[1]);
    for (int k = 0; k < 2; ++k) {
        hf_check_below(0.97 * all[k], found[k], "pairs that overlap", "found by their features");
    }
}

static void lines_near(void **state)
{
    (void)state;
    static const hf_shape_type lines[] = {HF_SHAPE_SPHERE, HF_SHAPE_CAPSULE};
    static const hf_shape_type others[] = {HF_SHAPE_BOX, HF_SHAPE_CYLINDER};
    hf_rng rng = hf_rng_create(33);
    for (int i = 0; i < TRIALS; ++i) {
        hf_mesh *none = NULL;
        hf_solid line = brute_solid(&rng, lines[i % 2], &none);
        hf_solid other = brute_solid(&rng, others[i / 2 % 2], &none);
        assert_true(hf_line_distance_knows(&line, &other));
        place_near(&rng, &line, &other, 0.3, 1.2);
        hf_vec3 place = hf_v3_sub(line.center, other.center);
        hf_nearest nearest = hf_gjk(&line, &other, place, 1.0, HUGE_VAL);
        hf_nearest here = hf_line_distance(&line, &other, place, HUGE_VAL);
        assert_int_equal(here.apart, nearest.apart);
        if (here.apart) {
            hf_check_near(here.distance, nearest.distance, 1e-10, "distance", "GJK");
            hf_check_near(hf_v3_norm(hf_v3_sub(here.a, here.b)), here.distance, 1e-14, "points",
                          "as far as told");
        }
    }
}

// Round solids beside an edge of a triangle, at a known distance. Corners of the search come
// so near to each other there that rounding decides between which of them it goes on; it must not
// end with solids that touch.
static void beside_an_edge(void **state)
{
    (void)state;
    static const hf_shape_type types[] = {HF_SHAPE_CYLINDER, HF_SHAPE_CONE, HF_SHAPE_ELLIPSOID};
    hf_rng rng = hf_rng_create(34);
    const hf_piece piece = {.corners = {{-1.0, -1.0, 0.0}, {2.0, -1.0, 0.0}, {-1.0, 2.0, 0.0}},
                            .normal = {0.0, 0.0, 1.0}};
    for (int i = 0; i < 200 * TRIALS; ++i) {
        double size = hf_rng_log_uniform(&rng, 0.03, 1.0);
        const hf_shape shape = {.type = types[i % 3],
                                .size = {size * hf_rng_log_uniform(&rng, 0.2, 1.0),
                                         size * hf_rng_log_uniform(&rng, 0.2, 1.0),
                                         size * hf_rng_log_uniform(&rng, 0.2, 1.5)}};
        hf_solid a = hf_solid_make(&shape, hf_v3(0, 0, 0), brute_turn(&rng));
        const hf_solid b = {.type = HF_SOLID_TRIANGLE,
                            .piece = &piece,
                            .reach = 3.0,
                            .rotation = hf_quat_rotation(brute_turn(&rng))};
        double angle = hf_rng_uniform(&rng, 0.0, 1.5);
        hf_vec3 local = hf_v3(0.0, -sin(angle), cos(angle)), n = hf_m3_mulv(&b.rotation, local);
        hf_vec3 low = hf_solid_support(&a, hf_v3_scale(-1.0, n));
        double gap = size * hf_rng_uniform(&rng, 0.01, 0.2);
        hf_vec3 over = hf_v3_axpy(hf_v3(hf_rng_uniform(&rng, -0.9, 1.9), -1.0, 0.0), gap, local);
        hf_nearest nearest =
            hf_gjk(&a, &b, hf_v3_sub(hf_m3_mulv(&b.rotation, over), low), 1.0, HUGE_VAL);
        assert_true(nearest.apart);
        hf_check_near(nearest.distance, gap, 1e-6, "distance", "as it was placed");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(apart),
        cmocka_unit_test(overlapping),
        cmocka_unit_test(lines_near),
        cmocka_unit_test(beside_an_edge),
    };
    return hf_run_tests(tests);
}
