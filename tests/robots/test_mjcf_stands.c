// SPDX-License-Identifier: Apache-2.0
// MJCF: how a robot stands and holds: ball joints with friction, key frames with open loops.
#include "reading.h"

#include <math.h>

// A ball joint that friction holds moves by no bit, with another arm that swings in the same tree
// and on a forearm of its own; one below its load, 0.4 g 0.15 Nm = 0.59 Nm, moves.
static void test_a_ball_holds_beside_what_swings(void **state)
{
    (void)state;
    hf_robot *robot = hf_reading_load(
        "<mujoco><option timestep='0.001'/><worldbody>"
        "<body name='a'><joint name='a' type='ball' frictionloss='2'/>"
        "<geom type='capsule' fromto='0 0 0 0.3 0.1 0.05' size='0.03' mass='0.4'/>"
        "<body name='c' pos='0.3 0.1 0.05'><joint name='c' axis='0 1 0'/>"
        "<geom size='0.02' pos='0.1 0 0' mass='0.05'/></body></body>"
        "<body name='b' pos='0 1 0'><joint name='b' type='ball' frictionloss='0.3'/>"
        "<geom type='capsule' fromto='0 0 0 0.3 0.1 0.05' size='0.03' mass='0.4'/></body>"
        "</worldbody></mujoco>",
        NULL);
    assert_int_equal(hf_reading_missing(robot), 0);
    hf_reading_machine m = hf_reading_start(robot, NULL);
    double start[4], swing = 0.0;
    for (int i = 1; i <= 200; ++i) {
        hf_reading_run(&m, 0.01 * i);
        for (int k = 0; k < 4; ++k) {
            start[k] = i == 1 ? hf_reading_q(&m, "robot.a", k) : start[k];
            assert_true(hf_reading_q(&m, "robot.a", k) == start[k]);
            assert_true(k == 3 || hf_reading_v(&m, "robot.a", k) == 0.0);
        }
        swing = fmax(swing, fabs(hf_reading_q(&m, "robot.c", 0)));
    }
    assert_true(start[0] == 1.0);
    assert_true(swing > 2.0);
    assert_true(fabs(hf_reading_q(&m, "robot.b", 0)) < 0.95);
    hf_reading_end(&m);
    hf_robot_destroy(robot);
}

// A free robot with a four-bar leg, whose key frame leaves the loop open by centimeters and the
// foot of the coupler in the floor: closed first and lifted then, it begins on the floor, not in
// it.
static void test_loops_are_closed_before_it_stands(void **state)
{
    (void)state;
    hf_robot_options options = hf_robot_options_default();
    options.name = "robot";
    options.start = "bent";
    hf_robot *robot = hf_reading_load(
        "<mujoco><compiler angle='radian'/><option timestep='0.001'/><worldbody>"
        "<geom type='plane' size='1 1 1'/>"
        "<body name='trunk' pos='0 0 0.4'><freejoint/>"
        "<geom type='box' size='.2 .1 .02' mass='2'/>"
        "<body pos='-.1 0 0'><joint name='a' axis='0 1 0'/><geom type='capsule' fromto='0 0 0 0 0 "
        "-.2' size='.01' contype='0' conaffinity='0'/><body name='low' pos='0 0 -.2'>"
        "<joint name='c' axis='0 1 0'/><geom size='.03' pos='.15 0 -.1'/></body></body>"
        "<body name='r' pos='.1 0 0'><joint name='b' axis='0 1 0'/><geom type='capsule' fromto='0 "
        "0 0 0 0 -.2' size='.01' contype='0' conaffinity='0'/></body></body></worldbody>"
        "<equality><connect body1='r' body2='low' anchor='0 0 -.2'/></equality>"
        "<keyframe><key name='bent' qpos='0 0 .25 1 0 0 0 .3 -.2 .25'/></keyframe></mujoco>",
        &options);
    assert_int_equal(hf_reading_missing(robot), 0);
    hf_reading_machine m = hf_reading_start(robot, NULL);
    double a = hf_reading_q(&m, "robot.a", 0), t = a + hf_reading_q(&m, "robot.c", 0);
    double b = hf_reading_q(&m, "robot.b", 0), z = hf_reading_q(&m, "robot.trunk", 2);
    hf_check_near(-0.1 - 0.2 * sin(a) + 0.2 * cos(t), 0.1 - 0.2 * sin(b), 1e-12, "x", "closed");
    hf_check_near(-0.2 * cos(a) - 0.2 * sin(t), -0.2 * cos(b), 1e-12, "z", "closed");
    double foot = z - 0.2 * cos(a) - 0.15 * sin(t) - 0.1 * cos(t) - 0.03;
    hf_check_near(foot, 0.0, 1e-12, "the foot", "it begins on the floor");
    hf_check_near(a, 0.27, 0.08, "the key frame", "nearly");
    hf_reading_run(&m, 0.01);
    assert_true(hf_sim_get_stats(m.sim).largest_penetration < 1e-5);
    hf_reading_end(&m);
    hf_robot_destroy(robot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_ball_holds_beside_what_swings),
        cmocka_unit_test(test_loops_are_closed_before_it_stands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
