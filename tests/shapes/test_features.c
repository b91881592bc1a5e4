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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(apart),
        cmocka_unit_test(overlapping),
        cmocka_unit_test(lines_near),
    };
    return hf_run_tests(tests);
}
