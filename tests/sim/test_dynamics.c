// SPDX-License-Identifier: Apache-2.0
// What programs ask of a machine's dynamics: mass matrix, forward and inverse dynamics, Jacobians
// of points, each against the others or against differences of poses.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hf_test.h"
#include "loop_scenes.h"

enum { MOST = 12 };

static const char arm[] =
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  arm:\n"
    "    type: tree\n"
    "    joints:\n"
    "      base: {type: revolute, axis: [0, 0, 1], mass: 2, center: [0.1, 0, 0.2],\n"
    "             inertia: [0.1, 0.2, 0.15]}\n"
    "      ball: {type: spherical, parent: base, offset: [0.2, 0, 0.4], mass: 1,\n"
    "             center: [0, 0.1, 0], inertia: [0.02, 0.01, 0.03]}\n"
    "      slide: {type: prismatic, parent: ball, axis: [1, 2, 2], offset: [0, 0.3, 0],\n"
    "              mass: 0.5, inertia: [0.01, 0.01, 0.01]}\n"
    "      tip: {type: revolute, parent: slide, axis: [1, 0, 0], mass: 0.3, center: [0, 0, 0.1],\n"
    "            inertia: [0.01, 0.02, 0.01]}\n"
    "loops: {brake: {type: ratio, ratio: {arm.base: 1, arm.tip: -3}}}\n";

static void set_up(hf_rng *rng, hf_tree_size size, double *q, double *v)
{
    for (int i = 0; i < size.coordinates; ++i) {
        q[i] = hf_rng_uniform(rng, -1.0, 1.0);
    }
    double norm = 0.0; // of the ball's quaternion, behind the base's angle
    for (int i = 1; i < 5; ++i) {
        norm += q[i] * q[i];
    }
    for (int i = 1; i < 5; ++i) {
        q[i] /= sqrt(norm);
    }
    for (int i = 0; i < size.velocities; ++i) {
        v[i] = hf_rng_uniform(rng, -2.0, 2.0);
    }
}

// M a + b = u forth and back, with b the forces that no acceleration needs.
static void forces_and_accelerations(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(7);
    hf_sim *sim = loop_scene_start(loop_scene_parse(arm), HF_METHOD_RK4, 1e-3);
    hf_tree tree = {1};
    hf_tree_size size = hf_sim_tree_size(sim, tree);
    assert_int_equal(size.coordinates, 7);
    assert_int_equal(size.velocities, 6);
    for (int trial = 0; trial < 20; ++trial) {
        double q[MOST], v[MOST], a[MOST], u[MOST], b[MOST], back[MOST], m[MOST * MOST];
        const double zero[MOST] = {0.0};
        set_up(&rng, size, q, v);
        for (int i = 0; i < size.velocities; ++i) {
            a[i] = hf_rng_normal(&rng);
        }
        hf_sim_mass_matrix(sim, tree, q, m);
        hf_sim_inverse_dynamics(sim, tree, q, v, a, u);
        hf_sim_inverse_dynamics(sim, tree, q, v, zero, b);
        hf_sim_forward_dynamics(sim, tree, q, v, u, back);
        for (int i = 0; i < size.velocities; ++i) {
            double sum = b[i];
            for (int k = 0; k < size.velocities; ++k) {
                sum += m[i * size.velocities + k] * a[k];
                hf_check_near(m[i * size.velocities + k], m[k * size.velocities + i], 1e-13,
                              "mass matrix", "symmetric");
            }
            hf_check_near(u[i], sum, 1e-11, "inverse dynamics", "M a + b");
            hf_check_near(back[i], a[i], 1e-10, "forward dynamics", "what inverse began with");
        }
    }
    loop_scene_finish(sim);
}

static hf_vec3 point_at(hf_sim *sim, hf_body body, hf_vec3 point)
{
    hf_vec3 origin;
    hf_quat turn;
    hf_sim_pose(sim, body, &origin, &turn);
    double w = turn.w, x = turn.x, y = turn.y, z = turn.z;
    return (hf_vec3){origin.x + (1 - 2 * (y * y + z * z)) * point.x +
                         2 * (x * y - w * z) * point.y + 2 * (x * z + w * y) * point.z,
                     origin.y + 2 * (x * y + w * z) * point.x +
                         (1 - 2 * (x * x + z * z)) * point.y + 2 * (y * z - w * x) * point.z,
                     origin.z + 2 * (x * z - w * y) * point.x + 2 * (y * z + w * x) * point.y +
                         (1 - 2 * (x * x + y * y)) * point.z};
}

// J v is how fast the point moves: a free arm's, over a short step to either side.
static void points_move_as_the_jacobian_says(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(8);
    char text[2000];
    (void)snprintf(text, sizeof text, "%s", arm);
    *strstr(text, "loops:") = '\0';
    const double h = 1e-5;
    hf_sim *sim = loop_scene_start(loop_scene_parse(text), HF_METHOD_RK4, h);
    const hf_model *model = hf_sim_model(sim);
    hf_tree tree = {1};
    static const char *const links[] = {"arm.base", "arm.ball", "arm.slide", "arm.tip"};
    for (int trial = 0; trial < 12; ++trial) {
        hf_body link = hf_model_find_body(model, links[trial % 4]);
        hf_vec3 point = {hf_rng_normal(&rng), hf_rng_normal(&rng), hf_rng_normal(&rng)};
        // A motion of its own accord: three states in a row
        hf_error error = {0};
        double q[MOST], v[MOST], jacobian[6 * MOST];
        hf_tree_size size = hf_sim_tree_size(sim, tree);
        for (int i = 0; i < 40; ++i) {
            assert_int_equal(hf_sim_step(sim, &error), HF_OK);
        }
        hf_vec3 before = point_at(sim, link, point);
        assert_int_equal(hf_sim_step(sim, &error), HF_OK);
        memcpy(q, hf_sim_positions(sim), (size_t)size.coordinates * sizeof *q);
        memcpy(v, hf_sim_velocities(sim), (size_t)size.velocities * sizeof *v);
        assert_int_equal(hf_sim_step(sim, &error), HF_OK);
        hf_vec3 after = point_at(sim, link, point);
        hf_sim_point_jacobian(sim, tree, q, link, point, jacobian);
        const double moved[3] = {after.x - before.x, after.y - before.y, after.z - before.z};
        for (int k = 0; k < 3; ++k) {
            double rate = 0.0;
            for (int i = 0; i < size.velocities; ++i) {
                rate += jacobian[(3 + k) * size.velocities + i] * v[i];
            }
            hf_check_near(rate, moved[k] / (2.0 * h), 1e-6 * (1.0 + fabs(rate)), "J v",
                          "differences");
        }
    }
    loop_scene_finish(sim);
}

// A tree among others is what it is alone, to the bit: its matrices, forces and accelerations.
static void trees_do_not_know_each_other(void **state)
{
    (void)state;
    char alone[2000], among[4000];
    const char *begin = strstr(arm, "  arm:\n"), *end = strstr(arm, "loops:");
    int length = (int)(end - begin);
    (void)snprintf(alone, sizeof alone, "%.*s", (int)(end - arm), arm);
    (void)snprintf(
        among, sizeof among,
        "gravity: [0, 0, -9.81]\nbodies:\n  leg: {type: tree, joints: {hip: {type: spherical, "
        "mass: 3, inertia: [0.2, 0.3, 0.4]}, knee: {type: revolute, parent: hip, axis: [0, 1, "
        "0], mass: 1, inertia: [0.1, 0.1, 0.1]}}}\n%.*s"
        "  hand: {type: tree, joints: {turn: {type: revolute, axis: [1, 0, 0], mass: 1, inertia: "
        "[1, 1, 1]}}}\n",
        length, begin);
    hf_rng rng = hf_rng_create(91);
    hf_sim *sims[2] = {loop_scene_start(loop_scene_parse(alone), HF_METHOD_RK4, 1e-3),
                       loop_scene_start(loop_scene_parse(among), HF_METHOD_RK4, 1e-3)};
    const hf_tree trees[2] = {{1}, {2}};
    hf_tree_size size = hf_sim_tree_size(sims[0], trees[0]);
    assert_int_equal(hf_sim_tree_size(sims[1], trees[1]).velocities, size.velocities);
    for (int trial = 0; trial < 20; ++trial) {
        double q[MOST], v[MOST], a[MOST], found[2][4][6 * MOST] = {{{0.0}}};
        set_up(&rng, size, q, v);
        for (int i = 0; i < size.velocities; ++i) {
            a[i] = hf_rng_normal(&rng);
        }
        for (int k = 0; k < 2; ++k) {
            hf_body tip = hf_model_find_body(hf_sim_model(sims[k]), "arm.tip");
            hf_sim_mass_matrix(sims[k], trees[k], q, found[k][0]);
            hf_sim_inverse_dynamics(sims[k], trees[k], q, v, a, found[k][1]);
            hf_sim_forward_dynamics(sims[k], trees[k], q, v, a, found[k][2]);
            hf_sim_point_jacobian(sims[k], trees[k], q, tip, (hf_vec3){0.1, 0.2, 0.3}, found[k][3]);
        }
        assert_memory_equal(found[0], found[1], sizeof found[0]);
        assert_true(found[0][3][0] != 0.0 || found[0][3][1] != 0.0);
    }
    // Nor is memory of its neighbours written to: both go on as they would have
    hf_error error = {0};
    hf_sim *calm = loop_scene_start(loop_scene_parse(among), HF_METHOD_RK4, 1e-3);
    for (int k = 0; k < 20; ++k) {
        assert_int_equal(hf_sim_step(sims[1], &error), HF_OK);
        assert_int_equal(hf_sim_step(calm, &error), HF_OK);
    }
    for (int i = 0; i < size.velocities + 5; ++i) { // the leg has four, the hand one
        hf_check_same_bits(hf_sim_velocities(sims[1])[i], hf_sim_velocities(calm)[i], "velocity");
    }
    loop_scene_finish(calm);
    loop_scene_finish(sims[0]);
    loop_scene_finish(sims[1]);
}

// Things by their names, and what has none.
static void names(void **state)
{
    (void)state;
    hf_sim *sim = loop_scene_start(loop_scene_parse(arm), HF_METHOD_RK4, 1e-3);
    assert_int_equal(hf_model_find_loop(hf_sim_model(sim), "brake").id, 1);
    assert_int_equal(hf_model_find_loop(hf_sim_model(sim), "break").id, 0);
    loop_scene_finish(sim);
    assert_int_equal(hf_family_find("bdf"), HF_FAMILY_BDF);
    assert_int_equal(hf_family_find("erk"), HF_FAMILY_ERK);
    assert_int_equal(hf_family_find("bfd"), HF_FAMILY_COUNT);
    assert_int_equal(hf_rule_find("maximum"), HF_RULE_MAXIMUM);
    assert_int_equal(hf_rule_find("most"), HF_RULE_COUNT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_and_accelerations),
        cmocka_unit_test(points_move_as_the_jacobian_says),
        cmocka_unit_test(trees_do_not_know_each_other),
        cmocka_unit_test(names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
