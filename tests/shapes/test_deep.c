// SPDX-License-Identifier: Apache-2.0
// Deep overlaps of any two solids: the shortest way out, against brute force.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "brute.h"
#include "shapes/epa.h"
#include "shapes/touch.h"

static const hf_shape_type TYPES[] = {HF_SHAPE_SPHERE, HF_SHAPE_CAPSULE, HF_SHAPE_BOX,
                                      HF_SHAPE_CYLINDER, HF_SHAPE_MESH};
enum { KINDS = 5, TRIALS = 12 };

typedef struct deep_pair {
    hf_solid a, b;
    hf_mesh *meshes[2];
    double gap; // by brute force, negative
    char what[80];
} deep_pair;

// Two solids with their centers at most `far` of the reach apart, one in the other.
static void set_up(deep_pair *p, hf_rng *rng, hf_shape_type on, hf_shape_type to, double far)
{
    p->a = brute_solid(rng, on, &p->meshes[0]);
    p->b = brute_solid(rng, to, &p->meshes[1]);
    hf_vec3 n;
    do {
        double away = far * hf_rng_uniform(rng, 0.0, 1.0) * fmin(p->a.reach, p->b.reach);
        p->a.center = hf_v3_scale(away, brute_direction(rng));
        p->gap = brute_gap(&p->a, &p->b, &n);
    } while (!(p->gap < -0.02));
    (void)snprintf(p->what, sizeof p->what, "%s in %s", hf_shape_name(on), hf_shape_name(to));
}

static void tear_down(deep_pair *p)
{
    hf_mesh_destroy(p->meshes[0]);
    hf_mesh_destroy(p->meshes[1]);
}

static bool has_volume(hf_shape_type type)
{
    return type != HF_SHAPE_SPHERE && type != HF_SHAPE_CAPSULE;
}

static void check_pair(hf_rng *rng, hf_shape_type on, hf_shape_type to, double far)
{
    deep_pair p;
    set_up(&p, rng, on, to, far);
    hf_vec3 n;
    double round = hf_solid_round(&p.a) + hf_solid_round(&p.b);
    if ((has_volume(on) || has_volume(to)) && p.gap + round < -1e-3) { // the cores overlap
        // Polyhedra are found within the polytope's own bound, curved ones within its number of
        // corners; what is round about cores adds to all directions alike.
        bool curved = on == HF_SHAPE_CYLINDER || to == HF_SHAPE_CYLINDER;
        assert_true(hf_epa(&p.a, &p.b, hf_v3_sub(p.a.center, p.b.center), &n));
        hf_check_near(hf_v3_norm(n), 1.0, 1e-14, "length of n", "a direction");
        hf_check_below(p.gap, brute_apart(&p.a, &p.b, n) + (curved ? 2e-3 : 1e-6), p.what,
                       "brute force: no way out is shorter");
    }
    hf_meeting touch;
    hf_touch_find(&p.a, &p.b, 0.01, &touch);
    assert_true(touch.count > 0);
    double least = HUGE_VAL, apart = -HUGE_VAL;
    for (int i = 0; i < touch.count; ++i) {
        least = fmin(least, touch.points[i].gap);
        apart = fmax(apart, brute_apart(&p.a, &p.b, touch.points[i].n));
    }
    // Faces that are parallel within HF_PARALLEL meet as faces, a little off the best direction.
    double off = HF_PARALLEL * (p.a.reach + p.b.reach);
    hf_check_near(least, apart, off, p.what, "what the direction gives");
    hf_check_below(p.gap, apart + off, p.what, "brute force: no way out is shorter");
    tear_down(&p);
}

static void every_pair(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(20261117);
    for (int i = 0; i < KINDS; ++i) {
        for (int j = 0; j < KINDS; ++j) {
            for (int k = 0; k < TRIALS; ++k) {
                check_pair(&rng, TYPES[i], TYPES[j], k % 2 == 0 ? 0.3 : 0.9);
            }
        }
    }
}

// Needles and discs in each other: of several ways out that are nearly as short, the shortest one.
static void the_shortest_way(void **state)
{
    (void)state;
    static const hf_shape_type kinds[3][2] = {{HF_SHAPE_BOX, HF_SHAPE_CYLINDER},
                                              {HF_SHAPE_CAPSULE, HF_SHAPE_CYLINDER},
                                              {HF_SHAPE_CAPSULE, HF_SHAPE_BOX}};
    enum { PAIRS = 500 };
    hf_rng rng = hf_rng_create(20261119);
    for (int i = 0; i < 3 * PAIRS; ++i) {
        hf_solid s[2];
        for (int k = 0; k < 2; ++k) {
            hf_shape shape = {.type = kinds[i / PAIRS][(i + k) % 2],
                              .size = {pow(10.0, hf_rng_uniform(&rng, -1.5, 0.5)),
                                       pow(10.0, hf_rng_uniform(&rng, -1.0, 0.5)),
                                       pow(10.0, hf_rng_uniform(&rng, -1.5, 0.5))}};
            s[k] = hf_solid_make(&shape, hf_v3(0, 0, 0), brute_turn(&rng));
        }
        double size = s[0].reach + s[1].reach, far = fmin(s[0].reach, s[1].reach);
        s[0].center = hf_v3_scale(far * hf_rng_uniform(&rng, 0.0, 0.5), brute_direction(&rng));
        hf_vec3 n;
        double gap = brute_gap(&s[0], &s[1], &n), apart = -HUGE_VAL;
        if (!(gap < 0.0)) {
            continue;
        }
        hf_meeting touch;
        hf_touch_find(&s[0], &s[1], 0.0, &touch);
        assert_true(touch.count > 0);
        for (int k = 0; k < touch.count; ++k) {
            apart = fmax(apart, brute_apart(&s[0], &s[1], touch.points[k].n));
        }
        // Features that are parallel within HF_PARALLEL meet along each other
        double cosine = hf_v3_dot(n, touch.points[0].n);
        double off = cosine > 1.0 - 0.5 * HF_PARALLEL * HF_PARALLEL ? HF_PARALLEL : 1e-6;
        hf_check_below(gap, apart + off * size, "the shortest way out", "brute force");
    }
}

// Centers at one place, axes aligned: ties and faces in one plane everywhere.
static void at_the_center(void **state)
{
    (void)state;
    const hf_quat upright = {1.0, 0.0, 0.0, 0.0};
    for (int i = 2; i < 4; ++i) {
        for (int j = 2; j < 4; ++j) {
            hf_shape one = {.type = TYPES[i], .size = {1.0, 1.0, 1.0}};
            hf_shape two = {.type = TYPES[j], .size = {1.0, 1.0, 1.0}};
            hf_solid a = hf_solid_make(&one, hf_v3(0, 0, 0), upright);
            hf_solid b = hf_solid_make(&two, hf_v3(0, 0, 0), upright);
            hf_vec3 n, best;
            double gap = brute_gap(&a, &b, &best);
            assert_true(hf_epa(&a, &b, hf_v3(0, 0, 0), &n));
            hf_check_near(brute_apart(&a, &b, n), gap, 1e-6, "the way out", "brute force");
        }
    }
}

int main(void)
{
    const struct CMUnitTest deep[] = {
        cmocka_unit_test(every_pair),
        cmocka_unit_test(the_shortest_way),
        cmocka_unit_test(at_the_center),
    };
    return hf_run_tests(deep);
}
