// SPDX-License-Identifier: Apache-2.0
// What a tree keeps of its mass matrix and velocity products, and the dynamics by these.
#include "tree_scenes.h"

#include <math.h>
#include <string.h>

#include "bodies/bodies.h"
#include "bodies/tree_internal.h"

enum { TREES = 300 };
enum { ROOM = 4 * TREE_MAX_NV * (TREE_MAX_NV + 3) + 4000 };

// A tree as a body of a machine, with all that it reads and writes.
typedef struct kept_scene {
    tree_scene s;
    int ways[4 * TREE_MAX_NV + 1 + TREE_MAX_NV * TREE_MAX_NV];
    double places[ROOM];
    hf_pose poses[TREE_MAX_LINKS];
    hf_tree_body body;
    hf_body_io io;
} kept_scene;

static void prepare(kept_scene *k)
{
    int above[TREE_MAX_NV];
    tree_scene *s = &k->s;
    hf_tree_find_above(&s->tree, above);
    assert_true(hf_tree_ways_size(s->tree.nv, above) <= sizeof k->ways / sizeof *k->ways);
    hf_tree_find_ways(s->tree.nv, above, k->ways);
    k->body = (hf_tree_body){.tree = s->tree,
                             .has_poses = true,
                             .keeps = hf_tree_keeps(&s->tree),
                             .kept = hf_tree_places_size(&s->tree),
                             .above = k->ways};
    assert_true(k->body.kept + hf_tree_kept_size(&s->tree, k->ways) <= ROOM);
    memset(k->places, 0, sizeof k->places);
    k->io = (hf_body_io){.q = s->q,
                         .v = s->v,
                         .u = s->u,
                         .poses = k->poses,
                         .wrenches = s->external,
                         .work = s->work,
                         .places = k->places,
                         .gravity = s->gravity};
}

static double largest(const double *x, int n)
{
    double most = 0.0;
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(x[i]));
    return most;
}

// By the factor of the mass as by elimination; what is kept gives the bits of what is found anew.
static void test_forward_by_mass(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(21);
    int kept = 0;
    for (int t = 0; t < TREES; t++) {
        static kept_scene k;
        double got[TREE_MAX_NV], again[TREE_MAX_NV], want[TREE_MAX_NV], u[TREE_MAX_NV];
        tree_scene_random(&k.s, &rng, hf_rng_int(&rng, 1, TREE_MAX_LINKS), false, t % 2 == 0);
        prepare(&k);
        if (!k.body.keeps)
            continue;
        kept++;
        int n = k.s.tree.nv;
        assert_true(hf_tree_forward_by_mass(&k.body, &k.io, got));
        hf_tree_forward_general(&k.s.tree, k.s.q, k.s.v, k.s.u, k.s.external, k.s.gravity, k.s.work,
                                want);
        // Both solve the equations of motion alike well
        hf_tree_inverse(&k.s.tree, k.s.q, k.s.v, got, k.s.external, k.s.gravity, k.s.work, u);
        hf_check_near_array(u, k.s.u, n, 1e-11 * (1.0 + largest(got, n)), "u", "u given");
        hf_check_near_array(got, want, n, 1e-8 * (1.0 + largest(want, n)), "dv", "hf_tree_forward");
        assert_true(hf_tree_forward_by_mass(&k.body, &k.io, again));
        assert_memory_equal(got, again, (size_t)n * sizeof *got);
        // Other coordinates and velocities, one after the other: as if nothing were kept
        for (int step = 0; step < 3; step++) {
            *(step == 1 ? &k.s.v[n - 1] : &k.s.q[0]) += 0.25;
            assert_true(hf_tree_forward_by_mass(&k.body, &k.io, again));
            memset(k.places, 0, sizeof k.places);
            assert_true(hf_tree_forward_by_mass(&k.body, &k.io, got));
            assert_memory_equal(got, again, (size_t)n * sizeof *got);
        }
    }
    assert_true(kept > TREES / 4);
}

// A tree that falls freely at rest falls as a whole: no joint moves by a bit.
static void test_falls_as_a_whole(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(22);
    int seen = 0;
    for (int t = 0; t < TREES; t++) {
        static kept_scene k;
        double dv[TREE_MAX_NV];
        tree_scene_random(&k.s, &rng, hf_rng_int(&rng, 2, TREE_MAX_LINKS), false, true);
        memset(k.s.v, 0, sizeof k.s.v);
        memset(k.s.u, 0, sizeof k.s.u);
        memset(k.s.external, 0, sizeof k.s.external);
        prepare(&k);
        if (!k.body.keeps || k.s.links[0].type != HF_JOINT_FREE || k.s.links[0].armature > 0.0)
            continue;
        seen++;
        assert_true(hf_tree_forward_by_mass(&k.body, &k.io, dv));
        for (int i = 3; i < k.s.tree.nv; i++)
            assert_true(dv[i] == 0.0);
        hf_vec3 fall = hf_m3_tmulv(&k.s.links[0].tilt, k.s.gravity);
        const double want[3] = {fall.x, fall.y, fall.z};
        hf_check_near_array(dv, want, 3, 1e-14 * (1.0 + hf_v3_norm(fall)), "v'", "gravity");
    }
    assert_true(seen > TREES / 20);
}

// Places alone are those of poses, to the bit.
static void test_places_of_poses(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(23);
    for (int t = 0; t < TREES; t++) {
        static kept_scene k;
        hf_pose poses[TREE_MAX_LINKS];
        tree_scene_random(&k.s, &rng, hf_rng_int(&rng, 1, TREE_MAX_LINKS), false, t % 2 == 0);
        prepare(&k);
        hf_link_ops.pose(&k.body, 1, &k.io);
        memcpy(poses, k.poses, sizeof poses);
        memset(k.poses, 0, sizeof k.poses);
        hf_link_ops.place(&k.body, 1, &k.io);
        for (int i = 0; i < k.s.tree.link_count; i++) {
            assert_memory_equal(&poses[i].position, &k.poses[i].position, sizeof poses->position);
            assert_memory_equal(&poses[i].rotation, &k.poses[i].rotation, sizeof poses->rotation);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forward_by_mass),
        cmocka_unit_test(test_falls_as_a_whole),
        cmocka_unit_test(test_places_of_poses),
    };
    return hf_run_tests(tests);
}
