// SPDX-License-Identifier: Apache-2.0
// Closed chains under fixed steps: against joints of trees, closed forms of planar mechanisms, and
// conservation laws.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hf_test.h"
#include "loop_scenes.h"

// ------------------------------------------------------------------------------------------------
// A physical pendulum: a rod as a link of a tree, and as a rigid body on a loop

static double pendulum_angle(hf_sim *sim, hf_body rod)
{
    const double *q = hf_sim_position(sim, rod); // of the center, rod along -z at rest
    return atan2(q[0], -q[2]);
}

static double run_pendulum(bool loop, hf_loop_type type, double step, double seconds)
{
    hf_error error;
    hf_spec *spec = hf_spec_create();
    hf_body rod;
    assert_int_equal(hf_spec_set_gravity(spec, (hf_vec3){0.0, 0.0, -9.81}, &error), HF_OK);
    if (loop) {
        rod = loop_scene_rod(spec, "rod", 1.5, 0.8, 1.0);
        hf_loop_def def = hf_loop_def_default();
        def.name = "pin";
        def.type = type;
        def.on_frame = (hf_frame){rod, {0.0, 0.0, 0.4}, loop_scene_turn(-0.5 * LOOP_PI, 0)};
        def.to_frame = (hf_frame){{0}, {0.0, 0.0, 0.0}, loop_scene_turn(-0.5 * LOOP_PI, 0)};
        assert_int_not_equal(hf_spec_add_loop(spec, &def, &error).id, 0);
    } else {
        hf_tree tree = hf_spec_add_tree(spec, "tree", &error);
        hf_joint_def def = hf_joint_def_default(HF_JOINT_REVOLUTE);
        def.name = "rod";
        def.axis = (hf_vec3){0.0, -1.0, 0.0};
        def.mass = 1.5;
        def.center = (hf_vec3){0.0, 0.0, -0.4};
        def.inertia = loop_scene_rod_inertia(1.5, 0.8);
        def.position[0] = 1.0;
        rod = hf_spec_add_joint(spec, tree, &def, &error);
    }
    hf_sim *sim = loop_scene_start(spec, HF_METHOD_RK4, step);
    loop_scene_run(sim, seconds);
    double angle = loop ? pendulum_angle(sim, rod) : hf_sim_q(sim, (hf_coordinate){rod, 0});
    if (loop) {
        hf_check_below(hf_sim_get_stats(sim).largest_opening, 1e-14, "opening", "rounding");
        assert_int_equal(hf_model_get_info(hf_sim_model(sim)).freedoms,
                         type == HF_LOOP_REVOLUTE ? 1 : 3);
    }
    loop_scene_finish(sim);
    return angle;
}

static void test_pendulum(void **state)
{
    (void)state;
    double exact = run_pendulum(false, HF_LOOP_POINT, 1e-4, 1.0);
    const hf_loop_type types[] = {HF_LOOP_REVOLUTE, HF_LOOP_POINT};
    for (int i = 0; i < 2; ++i) {
        double coarse = fabs(run_pendulum(true, types[i], 1e-2, 1.0) - exact);
        double fine = fabs(run_pendulum(true, types[i], 5e-3, 1.0) - exact);
        hf_check_near(log2(coarse / fine), 4.0, 0.25, "order", "Runge and Kutta");
        hf_check_near(run_pendulum(true, types[i], 1e-3, 1.0), exact, 1e-10, "angle",
                      "joint of a tree");
    }
}

// ------------------------------------------------------------------------------------------------
// Four-bar

// The angle of the rocker and coupler for a crank angle, from the triangle of diagonal and bars.
static void four_bar_closed(double crank, double ground, double a, double b, double c,
                            double *coupler, double *rocker)
{
    double x = ground - a * cos(crank), y = -a * sin(crank);
    double diagonal = hypot(x, y), direction = atan2(y, x);
    *coupler = direction + acos((b * b + diagonal * diagonal - c * c) / (2.0 * b * diagonal));
    double ex = a * cos(crank) + b * cos(*coupler) - ground;
    double ey = a * sin(crank) + b * sin(*coupler);
    *rocker = atan2(ey, ex);
}

static void test_four_bar(void **state)
{
    (void)state;
    const double ground = 1.0, a = 0.3, b = 0.9, c = 0.7;
    loop_four_bar bar = loop_scene_four_bar(ground, a, b, c, 0.4, 6.0, HF_LOOP_REVOLUTE);
    hf_sim *sim = loop_scene_start(bar.spec, HF_METHOD_RK4, 1e-3);
    hf_model_info info = hf_model_get_info(hf_sim_model(sim));
    assert_int_equal(info.loop_rows, 5);
    assert_int_equal(info.loop_rank, 2);
    assert_int_equal(info.freedoms, 1);
    assert_int_equal(hf_model_loop_info(hf_sim_model(sim), (hf_loop){1}).redundant, 3);
    double energy = hf_sim_energy(sim).kinetic + hf_sim_energy(sim).potential;
    for (int i = 0; i < 30; ++i) {
        double coupler, rocker, crank = hf_sim_q(sim, bar.crank);
        four_bar_closed(crank, ground, a, b, c, &coupler, &rocker);
        hf_check_near(crank + hf_sim_q(sim, bar.coupler), coupler, 1e-12, "coupler", "triangle");
        hf_check_near(hf_sim_q(sim, bar.rocker), rocker, 1e-12, "rocker", "triangle");
        loop_scene_run(sim, hf_sim_time(sim) + 0.05);
    }
    hf_energy now = hf_sim_energy(sim);
    hf_check_near(now.kinetic + now.potential, energy, 1e-6 * energy, "energy", "conservation");
    hf_check_below(hf_sim_get_stats(sim).largest_opening, 1e-14, "opening", "rounding");
    loop_scene_finish(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pendulum),
                                       cmocka_unit_test(test_four_bar)};
    return hf_run_tests(tests);
}
