// SPDX-License-Identifier: Apache-2.0
// Method timestep: steps that Newton's method solves (quick.c, quick_rows.c, parts.c) are those of
// sweeps that go on to rounding.
#include "contact_test.h"

#include <math.h>
#include <string.h>

// Two arms of one tree that strike each other, with friction, limits, and a loose wheel of the same
// tree that rolls and spins against friction on the floor; beside it a ball and a second robot.
static const char TREE[] =
    "gravity: [0, 0, -9.81]\n"
    "materials: {hand: {friction: 0.6}, tyre: {friction: 0.5, spin_friction: 0.01, "
    "rolling_friction: 0.003}}\n"
    "bodies:\n"
    "  floor: {type: static, shape: {type: plane}}\n"
    "%s"
    "  robot:\n"
    "    type: tree\n"
    "    joints:\n"
    "      base: {type: fixed, offset: [0, 0, 1]}\n"
    "      left: {type: revolute, parent: base, offset: [-0.1, 0, 0], axis: [0, 1, 0], mass: 1,\n"
    "        center: [0, 0, -0.2], inertia: [0.01, 0.01, 0.002], position: 0.9,\n"
    "        friction: {law: coulomb, level: 0.05}, limits: [-1, 1]}\n"
    "      wrist: {type: revolute, parent: left, offset: [0, 0, -0.4], axis: [0, 1, 0], mass: "
    "0.4,\n"
    "        center: [0, 0, -0.1], inertia: [2e-3, 2e-3, 5e-4],\n"
    "        shapes: [{type: sphere, radius: 0.05, position: [0, 0, -0.2], material: hand}],\n"
    "        friction: {law: coulomb, level: 0.3}, limits: [-0.5, 0.5]}\n"
    "      right: {type: revolute, parent: base, offset: [0.1, 0.01, 0], axis: [0, 1, 0], mass: "
    "1,\n"
    "        center: [0, 0, -0.3], inertia: [0.01, 0.01, 0.002], position: -0.7,\n"
    "        shapes: [{type: sphere, radius: 0.06, position: [0, 0, -0.55], material: hand}],\n"
    "        friction: {law: coulomb, level: 0.02}}\n"
    "      wheel: {type: free, mass: 0.5, inertia: [5e-4, 5e-4, 5e-4],\n"
    "        position: [0.5, 1, 0.0501, 1, 0, 0, 0], velocity: [0.4, 0, 0, 0, 2, 6],\n"
    "        shapes: [{type: sphere, radius: 0.05, material: tyre}]}\n"
    "forces:\n"
    "  - {name: touch, type: collide, among: all, friction: 0.5, restitution: 0}\n";

// Two four-bar linkages of one tree with friction in a joint, one of which strikes the floor with
// one point, so that its motion is unique.
static const char LOOPS[] =
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  floor: {type: static, shape: {type: plane}}\n"
    "%s"
    "  robot:\n"
    "    type: tree\n"
    "    joints:\n"
    "      trunk: {type: free, mass: 3, inertia: [0.05, 0.06, 0.04], position: [0, 0, 0.62, 1, 0, "
    "0, 0],\n"
    "        velocity: [0.3, 0.1, 0, 0, 0, 0]}\n"
    "      a1: {type: revolute, parent: trunk, offset: [-0.2, 0.2, 0], axis: [0, 1, 0], mass: "
    "0.3,\n"
    "        center: [0, 0, -0.15], inertia: [3e-3, 3e-3, 2e-4], friction: {law: coulomb, level: "
    "0.2}}\n"
    "      b1: {type: revolute, parent: a1, offset: [0, 0, -0.3], axis: [0, 1, 0], mass: 0.5,\n"
    "        center: [0.2, 0, 0], inertia: [3e-4, 6e-3, 6e-3],\n"
    "        shapes: [{type: sphere, radius: 0.03, position: [0.15, 0, -0.28]}]}\n"
    "      c1: {type: revolute, parent: trunk, offset: [0.2, 0.2, 0], axis: [0, 1, 0], mass: 0.3,\n"
    "        center: [0, 0, -0.15], inertia: [3e-3, 3e-3, 2e-4], limits: [-0.6, 0.6]}\n"
    "      a2: {type: revolute, parent: trunk, offset: [-0.2, -0.2, 0], axis: [0, 1, 0], mass: "
    "0.3,\n"
    "        center: [0, 0, -0.15], inertia: [3e-3, 3e-3, 2e-4], friction: {law: coulomb, level: "
    "0.1}}\n"
    "      b2: {type: revolute, parent: a2, offset: [0, 0, -0.3], axis: [0, 1, 0], mass: 0.5,\n"
    "        center: [0.2, 0, 0], inertia: [3e-4, 6e-3, 6e-3]}\n"
    "      c2: {type: revolute, parent: trunk, offset: [0.2, -0.2, 0], axis: [0, 1, 0], mass: "
    "0.3,\n"
    "        center: [0, 0, -0.15], inertia: [3e-3, 3e-3, 2e-4]}\n"
    "loops:\n"
    "  one: {type: point, on: robot.b1, to: robot.c1, point: [0.4, 0, 0], to_point: [0, 0, -0.3]}\n"
    "  two: {type: point, on: robot.b2, to: robot.c2, point: [0.4, 0, 0], to_point: [0, 0, -0.3]}\n"
    "forces:\n"
    "  - {name: touch, type: collide, among: all, friction: 0.7, restitution: 0}\n";

static const char BALL[] = "  ball: {type: rigid, mass: 0.2, inertia: [1e-4, 1e-4, 1e-4],\n"
                           "    position: [-1, 1, 0.05], velocity: [0.5, 0, 0],\n"
                           "    shape: {type: sphere, radius: 0.05}}\n";

static void run_by(const char *text, hf_fc3d_method solver, double end, double *q, int *count,
                   long *newton)
{
    hf_model *model = model_of(text);
    hf_method_def method = timestep(1e-3);
    method.solver = solver;
    method.tolerance = 1e-12;
    hf_sim *sim = sim_with(model, method);
    run_until(sim, end);
    *count = hf_model_get_info(model).coordinates;
    memcpy(q, hf_sim_positions(sim), (size_t)*count * sizeof *q);
    hf_sim_stats stats = hf_sim_get_stats(sim);
    *newton = (long)stats.solved_by[HF_FC3D_NEWTON];
    assert_int_equal(stats.unsolved_steps, 0);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// Newton's method and sweeps agree; `least` steps are Newton's.
static void agree(const char *machine, bool ball, double end, long least)
{
    char text[6000];
    double a[64], b[64];
    int count, other;
    long newton, sweeps;
    (void)snprintf(text, sizeof text, machine, ball ? BALL : "");
    run_by(text, HF_FC3D_AUTO, end, a, &count, &newton);
    run_by(text, HF_FC3D_GAUSS_SEIDEL, end, b, &other, &sweeps);
    assert_int_equal(count, other);
    for (int i = 0; i < count; ++i) {
        hf_check_near(a[i], b[i], 2e-8, "coordinate", "sweeps to rounding");
    }
    assert_true(newton >= least);
}

static void branches_that_touch(void **state)
{
    (void)state;
    agree(TREE, false, 0.6, 400);
}

static void beside_a_loose_ball(void **state)
{
    (void)state;
    agree(TREE, true, 0.6, 0);
}

static void loops_by_rows(void **state)
{
    (void)state;
    agree(LOOPS, false, 0.5, 50);
    agree(LOOPS, true, 0.5, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(branches_that_touch),
                                       cmocka_unit_test(beside_a_loose_ball),
                                       cmocka_unit_test(loops_by_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
