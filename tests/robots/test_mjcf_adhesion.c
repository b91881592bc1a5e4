// SPDX-License-Identifier: Apache-2.0
// Adhesion: a force that draws a body to all that it touches, shared by its contacts. MuJoCo 2.2.2
// has the same generalized force on the first of these machines (30 N along the normal of the wall
// for an input of 3); there the cup creeps by 3 mm a second while it holds.
#include "reading.h"

#include <math.h>
#include <string.h>

static void set(hf_reading_machine *m, const char *input, double value)
{
    hf_sim_set_input(m->sim, hf_spec_find_signal(m->spec, input), value);
}

#define CUP(more)                                                                                  \
    "<mujoco><option timestep='0.001' gravity='0 0 -10'/><worldbody>" more                         \
    "</worldbody><actuator><adhesion name='suck' body='cup' gain='10' ctrlrange='0 5'/>"           \
    "</actuator></mujoco>"

// Friction 0.8 of 30 N holds 20 N, that of 20 N lets it slide with 2 m/s^2.
static void test_a_cup_on_a_wall(void **state)
{
    (void)state;
    for (int holds = 0; holds < 2; ++holds) {
        hf_robot *robot = hf_reading_load(
            CUP("<geom name='wall' type='box' size='0.5 9 9' pos='0.5 0 0' friction='0.8'/>"
                "<body name='cup' pos='-0.1 0 0'><freejoint name='f'/><geom type='box' "
                "size='0.1 0.2 0.2' mass='2' friction='0.8'/></body>"),
            NULL);
        assert_int_equal(hf_reading_missing(robot), 0);
        hf_reading_has(robot, "type: force, adhesion: {on: robot.f}, value: suck}");
        hf_reading_machine m = hf_reading_start(robot, NULL);
        set(&m, "suck", holds ? 3.0 : 2.0);
        hf_reading_run(&m, 1.0);
        double z = hf_reading_q(&m, "robot.f", 2);
        hf_check_near(hf_reading_v(&m, "robot.f", 2), holds ? 0.0 : -2.0, holds ? 0.0 : 1e-6,
                      "velocity", "g - mu F/m");
        hf_reading_run(&m, 2.0);
        if (holds) {
            hf_check_same_bits(hf_reading_q(&m, "robot.f", 2), z, "height of the cup");
        }
        hf_reading_end(&m);
        hf_robot_destroy(robot);
    }
}

// Under a ceiling: it holds what is heavier than nothing beyond its weight, and lets go below.
static void test_a_cup_lets_go(void **state)
{
    (void)state;
    hf_robot *robot =
        hf_reading_load(CUP("<geom type='box' size='9 9 0.5' pos='0 0 0.5'/><body name='cup' "
                            "pos='0 0 -0.1'><freejoint name='f'/><geom type='box' "
                            "size='0.2 0.2 0.1' mass='2'/></body>"),
                        NULL);
    hf_reading_machine m = hf_reading_start(robot, NULL);
    set(&m, "suck", 2.01);
    hf_reading_run(&m, 1.0);
    hf_check_near(hf_reading_q(&m, "robot.f", 2), -0.1, 1e-9, "height", "held");
    set(&m, "suck", 1.0);
    hf_reading_run(&m, 1.5);
    // 5 m/s^2 over the first 0.1 mm, then g
    double first = sqrt(2.0 * 1e-4 / 5.0);
    hf_check_near(hf_reading_v(&m, "robot.f", 2), -(5.0 * first + 10.0 * (0.5 - first)), 0.02,
                  "velocity", "it falls");
    hf_reading_end(&m);
    hf_robot_destroy(robot);
}

// Two loose balls in space, 1 mm apart, within the margin: 20 N draw both. They meet after
// sqrt(2 d m1 m2/((m1 + m2) F)), and momentum stays what it was.
static void test_it_reaches_as_far_as_the_margin(void **state)
{
    (void)state;
    hf_robot *robot = hf_reading_load(
        "<mujoco><option timestep='0.0001' gravity='0 0 0'/><worldbody>"
        "<body name='cup'><freejoint name='a'/><geom type='sphere' size='0.1' mass='2' "
        "margin='0.004'/></body><body pos='0.201 0 0'><freejoint name='b'/><geom type='sphere' "
        "size='0.1' mass='3'/></body></worldbody><actuator><adhesion name='suck' body='cup' "
        "ctrlrange='0 50' forcerange='0 20' gain='1'/></actuator></mujoco>",
        NULL);
    hf_reading_has(robot, "reach: 0.004");
    hf_reading_has(robot, "range: [0, 20]");
    hf_reading_machine m = hf_reading_start(robot, NULL);
    set(&m, "suck", 20.0);
    double meet = sqrt(2.0 * 0.001 / (20.0 * (1.0 / 2.0 + 1.0 / 3.0)));
    hf_reading_run(&m, 0.008);
    hf_check_near(hf_reading_v(&m, "robot.a", 0), 0.008 * 20.0 / 2.0, 1e-9, "velocity", "F t/m");
    hf_check_near(hf_reading_v(&m, "robot.b", 0), -0.008 * 20.0 / 3.0, 1e-9, "velocity", "F t/m");
    assert_true(meet > 0.0109 && meet < 0.011);
    hf_reading_run(&m, 0.02);
    hf_check_near(hf_reading_q(&m, "robot.b", 0) - hf_reading_q(&m, "robot.a", 0), 0.2, 1e-8,
                  "distance", "they touch");
    hf_check_near(2.0 * hf_reading_v(&m, "robot.a", 0) + 3.0 * hf_reading_v(&m, "robot.b", 0), 0.0,
                  1e-12, "momentum", "kept");
    hf_reading_end(&m);
    hf_robot_destroy(robot);
}

// What the account says, and what is refused.
static void test_account(void **state)
{
    (void)state;
    static const char text[] =
        "<mujoco><option timestep='0.003'/><worldbody><geom type='box' size='2 1 0.5' pos='0 0 "
        "-0.5'/><body "
        "name='cup' pos='0 0 0.1'><freejoint name='f'/><geom type='capsule' size='0.1 0.2' "
        "mass='2' "
        "margin='0.01'/></body></worldbody><actuator><adhesion name='suck' body='cup' "
        "gain='10' ctrlrange='0 5'/></actuator></mujoco>";
    hf_robot *robot = hf_reading_load(text, NULL);
    assert_int_equal(hf_reading_missing(robot), 0);
    assert_int_equal(hf_reading_item(robot, "adhesion", NULL).lot, HF_ROBOT_TAKEN);
    assert_int_equal(hf_reading_item(robot, "adhesion", "gain").lot, HF_ROBOT_TAKEN);
    assert_int_equal(hf_reading_item(robot, "geom", "margin").lot, HF_ROBOT_OTHERWISE);
    hf_robot_destroy(robot);
    assert_true(hf_reading_check_taken(text) > 8);
    // A gain of another kind is told
    robot = hf_reading_load("<mujoco><worldbody><body name='cup'><freejoint/><geom size='1'/>"
                            "</body></worldbody><actuator><general body='cup' biastype='affine' "
                            "biasprm='1 0 0'/></actuator></mujoco>",
                            NULL);
    assert_int_equal(hf_reading_item(robot, "general", NULL).lot, HF_ROBOT_MISSING);
    hf_robot_destroy(robot);
    hf_error error = {0};
    static const char wrong[] = "<mujoco><worldbody/><actuator><adhesion body='b' "
                                "ctrlrange='0 1'/></actuator></mujoco>";
    robot = hf_robot_parse(wrong, strlen(wrong), "robot.xml", NULL, NULL, &error);
    assert_null(robot);
    assert_non_null(strstr(error.text, "there is no body 'b'"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_cup_on_a_wall),
        cmocka_unit_test(test_a_cup_lets_go),
        cmocka_unit_test(test_it_reaches_as_far_as_the_margin),
        cmocka_unit_test(test_account),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
