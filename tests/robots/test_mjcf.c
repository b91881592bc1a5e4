// SPDX-License-Identifier: Apache-2.0
// MJCF: small robots whose numbers are known.
#include "damage.h"
#include "reading.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static hf_robot *parse(const char *text, hf_error *error)
{
    hf_damage_try(text);
    return hf_robot_parse(text, strlen(text), "robot.xml", NULL, NULL, error);
}

// Angles in degrees, classes within classes, childclass, an orientation that replaces another.
static void test_classes_and_units(void **state)
{
    (void)state;
    hf_robot *robot =
        hf_reading_load("<mujoco model='a b'><default><joint damping='2' armature='0.1'/>"
                        "<default class='arm'><joint axis='1 0 0' range='-90 180' damping='3'/>"
                        "<default class='wrist'><joint frictionloss='0.5'/></default></default>"
                        "</default><worldbody><body name='b' childclass='arm' euler='90 0 0'>"
                        "<inertial mass='2' pos='0 0 1' diaginertia='1 2 2.5'/>"
                        "<joint name='j/1' class='wrist' ref='30' springref='60' stiffness='7'/>"
                        "</body></worldbody></mujoco>",
                        NULL);
    hf_reading_has(robot, "name: \"a b\"");
    hf_reading_has(robot, "  a_b:\n");
    hf_reading_has(robot,
                   "j_1: {type: revolute, orientation: [0.7071067811865476, 0.7071067811865475");
    hf_reading_has(robot, "axis: [1, 0, 0]");
    hf_reading_has(robot, "damping: 3,");
    hf_reading_has(robot, "friction: {law: coulomb, level: 0.5}");
    hf_reading_has(robot, "armature: 0.1");
    hf_reading_has(robot, "rest: 0.523598775598298"); // 60 - 30 degrees
    hf_reading_has(robot, "low: -2.09439510239319");  // -90 - 30
    hf_reading_has(robot, "high: 2.61799387799149");  // 180 - 30
    assert_int_equal(hf_reading_item(robot, "joint", "frictionloss").lot, HF_ROBOT_OTHERWISE);
    assert_int_equal(hf_reading_missing(robot), 0);
    hf_robot_destroy(robot);
}

// A class copies what stands around it when it is read: a later top default does not change it,
// though it does what has no class (MuJoCo 2.2.2: stiffness 0 and 5).
static void test_a_later_default_leaves_classes(void **state)
{
    (void)state;
    hf_robot *robot = hf_reading_load(
        "<mujoco><default><joint damping='2'/><default class='arm'><joint armature='0.1'/>"
        "</default></default><default><joint damping='4' stiffness='5'/></default><worldbody>"
        "<body><inertial mass='2' pos='0 0 0' diaginertia='1 1 1'/><joint name='a' class='arm'/>"
        "<body><inertial mass='2' pos='0 0 0' diaginertia='1 1 1'/><joint name='b'/></body>"
        "</body></worldbody></mujoco>",
        NULL);
    const char *text = hf_robot_model(robot), *a = strstr(text, "a: {"), *b = strstr(text, "b: {");
    assert_true(a != NULL && b != NULL && a < b);
    const char *soft = strstr(text, "stiffness: 5"), *damped = strstr(text, "damping: 2");
    assert_true(soft != NULL && soft > b); // of b alone
    assert_null(strstr(soft + 1, "stiffness: 5"));
    assert_true(damped != NULL && damped > a && damped < b);
    assert_non_null(strstr(b, "damping: 4"));
    assert_int_equal(hf_reading_missing(robot), 0);
    hf_robot_destroy(robot);
}

// A misspelled attribute, and one that is not understood, are on the third list with their place.
static void test_the_third_list(void **state)
{
    (void)state;
    hf_robot *robot = hf_reading_load("<mujoco>\n<worldbody><body><joint dampin='1'/>\n"
                                      "<geom size='0.1' rgba='1 0 0 1'/></body></worldbody>\n"
                                      "<option density='1.2' wind='1 0 0' windy='1'/></mujoco>",
                                      NULL);
    hf_robot_item i = hf_reading_item(robot, "joint", "dampin");
    assert_int_equal(i.lot, HF_ROBOT_MISSING);
    assert_int_equal(i.line, 2);
    assert_int_equal(i.column, 25);
    assert_int_equal(hf_reading_item(robot, "option", "wind").lot, HF_ROBOT_TAKEN);
    assert_int_equal(hf_reading_item(robot, "option", "windy").lot, HF_ROBOT_MISSING);
    assert_int_equal(hf_reading_item(robot, "geom", "rgba").lot, HF_ROBOT_SEEN);
    hf_robot_destroy(robot);
}

// Two boxes, one of density 1000 and one by mass, put together: a closed form.
static void test_inertia_from_geoms(void **state)
{
    (void)state;
    hf_robot *robot =
        hf_reading_load("<mujoco><worldbody><body><freejoint/>"
                        "<geom type='box' size='0.5 0.1 0.1' pos='1 0 0'/>" // 1 x 0.2 x 0.2: 40 kg
                        "<geom type='box' size='0.1 0.1 0.1' pos='-1 0 0' mass='40'/>" // a cube
                        "</body></worldbody></mujoco>",
                        NULL);
    hf_reading_has(robot, "mass: 80");
    // about the center: 40 (0.04 + 0.04)/12 twice; 40 (1 + 0.04)/12 + 40 (0.08)/12 + 80
    hf_error error = {0};
    hf_spec *spec = hf_spec_parse(hf_robot_model(robot), strlen(hf_robot_model(robot)), "r", NULL,
                                  NULL, &error);
    assert_non_null(spec);
    hf_model *model = hf_model_compile(spec, &error);
    hf_sim *sim = hf_sim_create(model, NULL, &error);
    assert_non_null(sim);
    double m[36];
    hf_sim_mass_matrix(sim, hf_spec_find_tree(spec, "robot"), NULL, m);
    hf_check_near(m[0], 80.0, 1e-12, "mass", "closed form");
    hf_check_near(m[3 * 6 + 3], 2 * 40 * 0.08 / 12, 1e-12, "I_xx", "closed form");
    hf_check_near(m[4 * 6 + 4], 40 * 1.04 / 12 + 40 * 0.08 / 12 + 80, 1e-12, "I_yy", "closed form");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    hf_spec_destroy(spec);
    hf_robot_destroy(robot);
}

// x, y and angle in one body: each joint rides on the ones before.
static void test_several_joints_in_a_body(void **state)
{
    (void)state;
    hf_robot *robot =
        hf_reading_load("<mujoco><worldbody><body name='b' pos='0 0 1'>"
                        "<inertial mass='1' pos='0 0 0' diaginertia='1 1 1'/>"
                        "<joint name='x' type='slide' axis='1 0 0'/>"
                        "<joint name='y' type='slide' axis='0 1 0'/>"
                        "<joint name='turn' pos='0.5 0 0'/></body></worldbody></mujoco>",
                        NULL);
    hf_reading_has(robot, "x: {type: prismatic, offset: [0, 0, 1], axis: [1, 0, 0]}");
    hf_reading_has(robot, "y: {type: prismatic, parent: x, axis: [0, 1, 0]}");
    hf_reading_has(
        robot, "turn: {type: revolute, parent: y, offset: [0.5, 0, 0], axis: [0, 0, 1], mass: 1, "
               "center: [-0.5, 0, 0]");
    hf_robot_destroy(robot);
}

#define ARM                                                                                        \
    "<worldbody><body pos='0 0 1'><inertial mass='2' pos='0 0 0' diaginertia='1 1 0.1'/>"          \
    "<joint name='one' axis='0 0 1' ref='20'/></body><body pos='1 0 0'>"                           \
    "<inertial mass='2' pos='0 0 0' diaginertia='1 1 0.2'/><joint name='two'/></body></worldbody>"

// A servo of gear 2 on a joint with ref: kp (ctrl - 2 q) vanishes; the input has a range.
static void test_a_servo_with_gear_and_ref(void **state)
{
    (void)state;
    hf_robot *robot =
        hf_reading_load("<mujoco>" ARM "<actuator><position name='a' joint='one' gear='2' kp='8' "
                        "kv='4' ctrlrange='-1 1'/><motor name='m' joint='two' gear='3' "
                        "forcerange='-0.5 0.5'/></actuator></mujoco>",
                        NULL);
    hf_reading_machine m = hf_reading_start(robot, NULL);
    hf_sim_set_input(m.sim, hf_spec_find_signal(m.spec, "a"), 5.0); // 1 after its range
    hf_sim_set_input(m.sim, hf_spec_find_signal(m.spec, "m"), 2.0); // 0.5 after its range
    hf_reading_run(&m, 20.0);
    hf_check_near(hf_reading_q(&m, "robot.one", 0), 0.5 - 20 * 3.14159265358979323846 / 180, 1e-9,
                  "angle from ref", "ctrl/gear - ref");
    // 3 * 0.5 Nm on 0.2 kg m^2
    hf_check_near(hf_reading_v(&m, "robot.two", 0), 1.5 / 0.2 * 20.0, 1e-9, "speed", "torque t/I");
    hf_reading_end(&m);
    hf_robot_destroy(robot);
}

// q1 - 20 deg = 0.1 + 0.5 q2 + 0.25 q2^2, and a tendon's spring on q1 + 2 q2 in the file's
// coordinates.
static void test_couplings_and_tendons(void **state)
{
    (void)state;
    hf_robot *robot = hf_reading_load(
        "<mujoco>" ARM
        "<equality><joint joint1='one' joint2='two' polycoef='0.1 0.5 0.25'/></equality>"
        "<tendon><fixed name='t' stiffness='10' damping='20' springlength='0.7'>"
        "<joint joint='one' coef='1'/><joint joint='two' coef='2'/></fixed></tendon>"
        "</mujoco>",
        NULL);
    hf_reading_machine m = hf_reading_start(robot, NULL);
    hf_reading_run(&m, 30.0);
    double one = hf_reading_q(&m, "robot.one", 0), two = hf_reading_q(&m, "robot.two", 0);
    double ref = 20 * 3.14159265358979323846 / 180;
    hf_check_near(one, 0.1 + 0.5 * two + 0.25 * two * two, 1e-12, "q1", "its polynomial");
    hf_check_near(one + ref + 2 * two, 0.7, 1e-6, "length", "springlength");
    hf_reading_end(&m);
    hf_robot_destroy(robot);
}

// A ball (priority 1, condim 6) on a floor, and a box of condim 1 whose friction counts beside 3.
static void test_friction_of_pairs(void **state)
{
    (void)state;
    hf_robot *robot = hf_reading_load(
        "<mujoco><worldbody><geom name='floor' type='plane' size='1 1 1' "
        "friction='0.9'/><body name='b'><freejoint/><geom size='0.1' priority='1' condim='6' "
        "friction='0.3 0.02 0.01'/></body><body name='c' pos='2 0 0.1'><freejoint/>"
        "<geom type='box' size='.1 .1 .1' condim='1' friction='1.2' contype='2' "
        "conaffinity='4'/></body></worldbody></mujoco>",
        NULL);
    hf_reading_has(
        robot, "surface: {friction: 0.9, spin_friction: 0, rolling_friction: 0, restitution: 0}");
    hf_reading_has(robot,
                   "surface-2: {friction: 0.3, spin_friction: 0.02, rolling_friction: 0.01,");
    hf_reading_has(robot, "surface-3: {friction: 0, ");
    hf_reading_has(robot, "friction_rule: maximum");
    hf_reading_has(robot, "{between: [surface, surface-2], friction: 0.3, spin_friction: 0.02, "
                          "rolling_friction: 0.01}");
    hf_reading_has(robot,
                   "{between: [surface, surface-3], friction: 1.2, spin_friction: 0, rolling");
    hf_reading_has(robot, "group: 2, touches: 4");
    hf_reading_has(robot, "floor: {type: static, shapes: [{type: plane, material: surface}]}");
    hf_robot_destroy(robot);
}

// Actuators whose names mean something in expressions: the model has others, and runs.
static void test_names_of_expressions(void **state)
{
    (void)state;
    hf_robot *robot = hf_reading_load("<mujoco>" ARM "<actuator><motor name='e' joint='one'/>"
                                      "<motor name='pi' joint='two'/></actuator></mujoco>",
                                      NULL);
    hf_reading_has(robot, "e-2: {input: 0}");
    hf_reading_has(robot, "pi-2: {input: 0}");
    hf_reading_machine m = hf_reading_start(robot, NULL);
    hf_reading_run(&m, 0.01);
    hf_reading_end(&m);
    hf_robot_destroy(robot);
}

// Two of them in one machine, in C.
static void test_robots_are_added_to_a_spec(void **state)
{
    (void)state;
    char path[] = "/tmp/hf-robot-XXXXXX";
    int file = mkstemp(path);
    static const char text[] =
        "<mujoco>" ARM "<actuator><motor name='m' joint='one'/></actuator></mujoco>";
    assert_true(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
    (void)close(file);
    hf_error error = {0};
    hf_spec *spec = hf_spec_create();
    hf_robot_options options = hf_robot_options_default();
    for (int i = 0; i < 2; ++i) {
        options.name = i == 0 ? "left" : "right";
        hf_tree tree = hf_spec_add_robot(spec, path, &options, &error);
        if (tree.id == 0) {
            fail_msg("%s", error.text);
        }
    }
    hf_model *model = hf_model_compile(spec, &error);
    assert_non_null(model);
    assert_int_not_equal(hf_spec_find_body(spec, "right.two").id, 0);
    assert_int_not_equal(hf_spec_find_signal(spec, "left-m").id, 0);
    assert_int_equal(hf_model_input_count(model), 2);
    hf_model_destroy(model);
    hf_spec_destroy(spec);
    (void)remove(path);
}

static void test_errors_have_places(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"<mujoco><worldbody><body>\n<joint class='x'/></body></worldbody></mujoco>",
         "robot.xml:2:1: there is no default class 'x'"},
        {"<mujoco><worldbody><body>\n<joint damping='a'/></body></worldbody></mujoco>",
         "robot.xml:2:8: damping must be"},
        {"<mujoco><worldbody><body>\n<joint range='1 0'/></body></worldbody></mujoco>",
         "robot.xml:2:8: range must rise"},
        {"<mujoco><worldbody><body quat='0 0 0 0'/></worldbody></mujoco>",
         "robot.xml:1:26: quat gives no direction"},
        {"<mujoco><include file='../x.xml'/></mujoco>", "robot.xml:1:18: file '../x.xml' cannot"},
        {"<house/>", "robot.xml:1:1: a robot's root element is"},
        {"<mujoco><equality><joint joint1='x'/></equality></mujoco>",
         "robot.xml:1:26: there is no joint 'x'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        hf_error error = {0};
        assert_null(parse(cases[i].text, &error));
        if (strncmp(error.text, cases[i].message, strlen(cases[i].message)) != 0) {
            fail_msg("got '%s', want '%s...'", error.text, cases[i].message);
        }
    }
}

static double derivative_of(const hf_robot *robot, const char *force)
{
    static const char key[] = "derivative: ";
    const char *at = strstr(hf_robot_model(robot), force);
    at = at == NULL ? NULL : strstr(at, key);
    assert_non_null(at);
    return strtod(at + sizeof key - 1, NULL);
}

// dampratio: kv = 2 ratio sqrt(kp M_jj) with M at the zero of all joints, over gear^2; of a tendon
// the sum over its joints. Two point-like masses of 1 kg at 1 m and 2 m from the first hinge, the
// second hinge between them: M_11 = 1 + 4, M_22 = 1, and 0.4 m^2 kg each of the two balls' own.
static void test_damping_ratios(void **state)
{
    (void)state;
    hf_robot *robot = hf_reading_load(
        "<mujoco><worldbody><body><joint name='a' axis='0 1 0'/><inertial pos='1 0 0' mass='1' "
        "diaginertia='0.4 0.4 0.4'/><body pos='1 0 0'><joint name='b' axis='0 1 0'/><inertial "
        "pos='1 0 0' mass='1' diaginertia='0.4 0.4 0.4'/></body></body></worldbody>"
        "<tendon><fixed name='t'><joint joint='a' coef='1'/><joint joint='b' coef='2'/></fixed>"
        "</tendon><actuator><position name='p' joint='a' kp='100' dampratio='0.5'/>"
        "<general name='g' joint='b' gear='3' gainprm='100' biastype='affine' biasprm='0 -100 1'/>"
        "<position name='s' tendon='t' kp='100' dampratio='1' gear='2'/></actuator></mujoco>",
        NULL);
    assert_int_equal(hf_reading_missing(robot), 0);
    const double first = 5.8, second = 1.4; // M_11, M_22
    hf_check_near(derivative_of(robot, "p-force"), 2.0 * 0.5 * sqrt(100.0 * first), 1e-13, "p",
                  "2 ratio sqrt(kp M_11)");
    hf_check_near(derivative_of(robot, "g-force"), 9.0 * 2.0 * sqrt(100.0 * second / 9.0), 1e-13,
                  "g", "on the joint gear^2 times");
    hf_check_near(derivative_of(robot, "s-force"),
                  2.0 * sqrt(100.0 * (first / 4.0 + second / 16.0)), 1e-13, "s",
                  "the sum over its joints");
    hf_robot_destroy(robot);
}

// What is read and has no effect is only seen: limits that are off, the rest of a spring that is
// not there.
static void test_what_has_no_effect_is_seen(void **state)
{
    (void)state;
    hf_robot *robot = hf_reading_load(
        "<mujoco><worldbody><body><joint name='j' range='-1 1' limited='false' springref='3'/>"
        "<geom size='1'/></body></worldbody><actuator><motor joint='j' ctrlrange='-1 1' "
        "ctrllimited='false'/></actuator></mujoco>",
        NULL);
    assert_int_equal(hf_reading_item(robot, "joint", "range").lot, HF_ROBOT_SEEN);
    assert_int_equal(hf_reading_item(robot, "joint", "springref").lot, HF_ROBOT_SEEN);
    assert_int_equal(hf_reading_item(robot, "joint", "limited").lot, HF_ROBOT_TAKEN);
    assert_int_equal(hf_reading_item(robot, "motor", "ctrlrange").lot, HF_ROBOT_SEEN);
    assert_int_equal(hf_reading_item(robot, "motor", "ctrllimited").lot, HF_ROBOT_TAKEN);
    hf_robot_destroy(robot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_classes_and_units),
        cmocka_unit_test(test_a_later_default_leaves_classes),
        cmocka_unit_test(test_the_third_list),
        cmocka_unit_test(test_damping_ratios),
        cmocka_unit_test(test_inertia_from_geoms),
        cmocka_unit_test(test_several_joints_in_a_body),
        cmocka_unit_test(test_a_servo_with_gear_and_ref),
        cmocka_unit_test(test_couplings_and_tendons),
        cmocka_unit_test(test_friction_of_pairs),
        cmocka_unit_test(test_names_of_expressions),
        cmocka_unit_test(test_robots_are_added_to_a_spec),
        cmocka_unit_test(test_errors_have_places),
        cmocka_unit_test(test_what_has_no_effect_is_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
