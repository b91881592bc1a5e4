// SPDX-License-Identifier: Apache-2.0
// Trees and random states that the tests of the tree share.
#ifndef HF_TESTS_TREE_SCENES_H
#define HF_TESTS_TREE_SCENES_H

#include <holdfast/spec.h>

#include "bodies/tree.h"
#include "hf_test.h"

enum { TREE_MAX_LINKS = 12, TREE_MAX_NV = 6 * TREE_MAX_LINKS, TREE_MAX_NQ = 7 * TREE_MAX_LINKS };

// A tree, its state and its scratch.
typedef struct tree_scene {
    hf_tree_link links[TREE_MAX_LINKS];
    hf_tree_model tree;
    double q[TREE_MAX_NQ];
    double v[TREE_MAX_NV];
    double u[TREE_MAX_NV];
    hf_wrench external[TREE_MAX_LINKS];
    hf_vec3 gravity;
    double work[TREE_MAX_LINKS * 128];
} tree_scene;

// Prepares the tree and checks that the scratch suffices.
void tree_scene_prepare(tree_scene *scene, int count);

// A tree of random shape (one in two a chain) and joints; planar: with all its motion in one random
// plane, one in two with turns only. State, forces and wrenches are random too. free_base: link 0
// floats and is the only one on the world.
void tree_scene_random(tree_scene *scene, hf_rng *rng, int count, bool planar, bool free_base);

// Two uniform rods of 0.5 kg and 0.3 m, joints about z.           NUMBERS.md, section [Kikuuwe2008]
void tree_scene_arm(tree_scene *scene);

// One classical Runge-Kutta step with constant u and no wrenches.
void tree_scene_rk4(tree_scene *scene, double step);

// Momentum of all links, (angular about the world's origin, linear).
hf_spatial tree_scene_momentum(tree_scene *scene);

hf_vec3 random_vector(hf_rng *rng);
hf_quat random_turn(hf_rng *rng);

#endif
