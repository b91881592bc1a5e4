// SPDX-License-Identifier: Apache-2.0
// URDF and SDF: small robots whose numbers are known, and what is refused.
#include "damage.h"
#include "reading.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static hf_robot *parse(const char *text, const hf_robot_options *options, hf_error *error)
{
    hf_damage_try(text);
    return hf_robot_parse(text, strlen(text), "robot.xml", NULL, options, error);
}

static hf_robot *read_with(const char *text, const hf_robot_options *options)
{
    hf_error error = {0};
    hf_robot *robot = hf_reading_load(text, options);
    // What it becomes is a model.
    const char *model = hf_robot_model(robot);
    hf_spec *spec = hf_spec_parse(model, strlen(model), "r", NULL, NULL, &error);
    if (spec == NULL) {
        fail_msg("%s\n%s", error.text, model);
    }
    hf_spec_destroy(spec);
    return robot;
}

#define LINK(name)                                                                                 \
    "<link name='" name "'><inertial><origin xyz='0 0 0.5' rpy='0 0 1.5707963267948966'/>"         \
    "<mass value='2'/><inertia ixx='1' iyy='2' izz='2.5' ixy='0' ixz='0' iyz='0'/></inertial>"     \
    "<collision><geometry><box size='1 2 3'/></geometry></collision></link>"

static const char URDF[] = "<robot name='arm'>" LINK("base") LINK("upper") LINK(
    "lower") "<joint name='a' type='revolute'>"
             "<parent link='base'/><child link='upper'/><origin xyz='1 0 0' rpy='0 0 0'/>"
             "<axis xyz='0 1 0'/><limit lower='-1' upper='2' effort='3' velocity='4'/>"
             "<dynamics damping='0.1' friction='5'/></joint><joint name='b' type='continuous'>"
             "<parent link='upper'/><child link='lower'/><mimic joint='a' multiplier='-2' "
             "offset='0.3'/>"
             "</joint><gazebo reference='upper'><mu1>0.4</mu1><mu2>0.6</mu2><kp>1e6</kp></gazebo>"
             "<transmission name='t'><joint name='a'/><actuator name='m'>"
             "<drake:rotor_inertia value='0.01'/><drake:gear_ratio "
             "value='10'/></actuator></transmission>"
             "</robot>";

static void test_urdf(void **state)
{
    (void)state;
    hf_robot_options options = hf_robot_options_default();
    options.base = HF_ROBOT_BASE_FREE;
    hf_robot *robot = read_with(URDF, &options);
    assert_string_equal(hf_robot_format(robot), "URDF");
    hf_reading_has(robot, "base: {type: free, mass: 2");
    hf_reading_has(robot,
                   "a: {type: revolute, parent: base, offset: [1, 0, 0], axis: [0, 1, 0], mass: 2");
    hf_reading_has(robot, "armature: 1, friction: {law: coulomb, level: 5}, damping: 0.1");
    hf_reading_has(robot, "limits: {low: -1, high: 2, speed: 4}");
    hf_reading_has(robot, "a: {input: 0, range: [-3, 3]}");
    hf_reading_has(robot, "b-mimic: {type: ratio, ratio: {arm.b: 1, arm.a: 2}, value: 0.3}");
    hf_reading_has(robot, "friction: 0.4");
    hf_reading_has(robot, "friction_rule: minimum");
    assert_int_equal(hf_reading_item(robot, "limit", "velocity").lot, HF_ROBOT_OTHERWISE);
    assert_int_equal(hf_reading_item(robot, "limit", "effort").lot, HF_ROBOT_OTHERWISE);
    assert_int_equal(hf_reading_item(robot, "dynamics", "friction").lot,
                     HF_ROBOT_OTHERWISE); // above effort
    assert_int_equal(hf_reading_item(robot, "mu2", NULL).lot, HF_ROBOT_OTHERWISE);
    assert_int_equal(hf_reading_item(robot, "kp", NULL).lot, HF_ROBOT_OTHERWISE);
    // It starts as it is drawn: at the origin, not turned
    hf_reading_machine m = hf_reading_start(robot, NULL);
    const double start[] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0};
    for (int i = 0; i < 7; ++i) {
        hf_check_near(hf_reading_q(&m, "arm.base", i), start[i], 0.0, "base at t = 0", "the file");
    }
    hf_reading_end(&m);
    hf_robot_destroy(robot);
}

static const char SDF[] =
    "<sdf version='1.7'><model name='m'><pose>0 0 1 0 0 0</pose>"
    "<link name='base'/><link name='arm'><pose relative_to='base'>1 0 0 0 0 "
    "1.5707963267948966</pose>"
    "<gravity>0</gravity><inertial><mass>3</mass></inertial><collision name='c'><geometry>"
    "<sphere><radius>0.2</radius></sphere></geometry><surface><friction><ode><mu>0.7</mu>"
    "<mu2>0.7</mu2></ode></friction></surface></collision></link>"
    "<joint name='j' type='revolute'><parent>base</parent><child>arm</child>"
    "<pose>0.5 0 0 0 0 0</pose><axis><xyz expressed_in='__model__'>1 0 0</xyz><dynamics>"
    "<friction>0.5</friction><spring_reference>-0.25</spring_reference>"
    "<spring_stiffness>7</spring_stiffness></dynamics></axis></joint></model></sdf>";

static void test_sdf(void **state)
{
    (void)state;
    hf_robot *robot = read_with(SDF, NULL);
    assert_string_equal(hf_robot_format(robot), "SDF");
    // No inertial: 1 kg, 1 kg m^2; the base is free, at the model's pose.
    hf_reading_has(
        robot, "base: {type: free, mass: 1, inertia: [1, 1, 1], position: [0, 0, 1, 1, 0, 0, 0]");
    // The joint sits half a meter along the arm's x, which is the model's y.
    hf_reading_has(robot, "j: {type: revolute, parent: base, offset: [1, 0.5,");
    hf_reading_has(robot, "center: [-0.5, ");
    hf_reading_has(robot,
                   "friction: {law: coulomb, level: 0.5}, spring: {stiffness: 7, rest: -0.25}");
    hf_reading_has(robot, "lift-j, type: force, on: m.j, coupling: points, point: [-0.5, ");
    hf_reading_has(robot, "value: [0, 0, 29.43]}");
    hf_reading_has(robot, "surface: {friction: 0.7");
    assert_int_equal(hf_robot_count(robot).lots[HF_ROBOT_MISSING], 0);
    hf_robot_destroy(robot);
}

// Principal moments 1, 1, 5: kept, balanced or refused.
static void test_inertias_that_no_body_has(void **state)
{
    (void)state;
    static const char text[] = "<robot name='r'><link name='a'><inertial><mass value='1'/>"
                               "<inertia ixx='1' iyy='1' izz='5'/></inertial></link></robot>";
    hf_error error = {0};
    hf_robot_options options = hf_robot_options_default();
    options.base = HF_ROBOT_BASE_FREE;
    hf_robot *robot = read_with(text, &options);
    hf_reading_has(robot, "inertia: [1, 1, 5], keep_inertia: true");
    assert_int_equal(hf_reading_item(robot, "link", NULL).lot, HF_ROBOT_OTHERWISE);
    hf_robot_destroy(robot);
    options.inertia = HF_ROBOT_INERTIA_BALANCE;
    robot = read_with(text, &options);
    hf_reading_has(robot, "inertia: [2.3333333333333335, 2.3333333333333335, 2.3333333333333335]");
    hf_robot_destroy(robot);
    options.inertia = HF_ROBOT_INERTIA_REFUSE;
    assert_null(parse(text, &options, &error));
    assert_non_null(strstr(error.text, "robot.xml:1:17: 'a' has an inertia that no body can have"));
}

static void test_errors_have_places(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"<robot>\n<xacro:macro/></robot>", "robot.xml:2:1: this is xacro"},
        {"<robot><link/></robot>", "robot.xml:1:8: link needs name"},
        {"<robot><link name='a'/><link name='a'/></robot>", "robot.xml:1:30: there are two links"},
        {"<robot><link name='a'/>\n<joint name='j' type='hinge'><parent link='a'/><child link='a'/>"
         "</joint></robot>",
         "robot.xml:2:17: unknown type"},
        {"<robot><link name='a'/><link name='b'/><joint name='j' type='fixed'><parent link='a'/>"
         "<child link='b'/></joint><joint name='k' type='fixed'><parent link='b'/><child "
         "link='a'/></joint></robot>",
         "robot.xml:1:40: joint 'j' is part of a cycle"},
        {"<sdf version='1.6'/>", "robot.xml:1:1: there is no model"},
        {"<sdf><model name='m'><link name='a'><pose>1 2</pose></link></model></sdf>",
         "robot.xml:1:37: pose must be 6 numbers"},
        {"<sdf><model name='m'><link name='a'><pose relative_to='a'/></link></model></sdf>",
         "robot.xml:1:43: frame 'a' stands in itself"},
        {"<sdf><model name='m'><link name='a'/><joint name='j' type='ball'><parent>x</parent>"
         "<child>a</child></joint></model></sdf>",
         "robot.xml:1:66: there is no link 'x'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        hf_error error = {0};
        assert_null(parse(cases[i].text, NULL, &error));
        if (strncmp(error.text, cases[i].message, strlen(cases[i].message)) != 0) {
            fail_msg("got '%s', want '%s...'", error.text, cases[i].message);
        }
    }
}

// A drive of 1 Nm on 0.1 kg m^2 would turn at 50 rad/s after 5 s: its limit is 2.
static void test_a_joint_keeps_to_its_speed(void **state)
{
    (void)state;
    static const char text[] =
        "<robot name=\"r\"><link name=\"base\"/><link name=\"arm\"><inertial><mass value=\"1\"/>"
        "<inertia ixx=\"0.1\" iyy=\"0.1\" izz=\"0.1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>"
        "</link><joint name=\"turn\" type=\"continuous\"><parent link=\"base\"/><child "
        "link=\"arm\"/>"
        "<limit effort=\"1\" velocity=\"2\"/></joint></robot>";
    hf_error error = {0};
    const char *const items[] = {"signals.turn.input=1"};
    hf_overrides overrides = {.items = items, .count = 1};
    hf_spec *spec = hf_spec_parse(text, strlen(text), "r.urdf", NULL, &overrides, &error);
    hf_model *model = spec == NULL ? NULL : hf_model_compile(spec, &error);
    hf_sim *sim = model == NULL ? NULL : hf_sim_create(model, NULL, &error);
    if (sim == NULL) {
        fail_msg("%s", error.text);
    }
    hf_coordinate turn = {hf_spec_find_body(spec, "r.turn"), 0};
    assert_int_equal(hf_sim_advance(sim, 0.1, false, &error), HF_OK);
    hf_check_near(hf_sim_v(sim, turn), 1.0, 1e-9, "below the limit", "t M/I");
    assert_int_equal(hf_sim_advance(sim, 5.0, false, &error), HF_OK);
    hf_check_near(hf_sim_v(sim, turn), 2.0, 1e-9, "speed [rad/s]", "its limit");
    hf_energy energy = hf_sim_energy(sim);
    hf_check_near(energy.residual, 0.0, 1e-3 * energy.turnover, "energy [J]", "ledger");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    hf_spec_destroy(spec);
}

// A rotor on a plain bearing, given by a pattern: w = w0/(1 + c w0 t), c = kappa/sqrt(1 - kappa^2),
// kappa = mu r m L/I = 0.024.
static void test_a_bearing_is_given_by_a_pattern(void **state)
{
    (void)state;
    static const char text[] =
        "method: {type: timestep, step: 1e-3}\n"
        "bodies: {r: {type: tree, joints: {pin: {type: revolute, axis: [0, 0, 1], mass: 1,\n"
        "  center: [0.2, 0, 0], inertia: [0.01, 0.01, 0.01], velocity: 20}}}}\n"
        "joints: {\"r.*\": {bearing: {radius: 0.02, friction: 0.3}}}\n";
    hf_error error = {0};
    hf_spec *spec = hf_spec_parse(text, strlen(text), "r.yaml", NULL, NULL, &error);
    hf_model *model = spec == NULL ? NULL : hf_model_compile(spec, &error);
    hf_sim *sim = model == NULL ? NULL : hf_sim_create(model, NULL, &error);
    if (sim == NULL) {
        fail_msg("%s", error.text);
    }
    assert_int_equal(hf_sim_advance(sim, 10.0, false, &error), HF_OK);
    hf_coordinate pin = {hf_spec_find_body(spec, "r.pin"), 0};
    hf_check_near(hf_sim_v(sim, pin), 3.447453824144, 1e-3, "speed after 10 s", "closed form");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    hf_spec_destroy(spec);
    static const char wrong[] = "bodies: {r: {type: tree, joints: {pin: {type: revolute, mass: 1, "
                                "inertia: [1, 1, 1], bearing: {radius: -1, friction: 2}}}}}\n";
    assert_null(hf_spec_parse(wrong, strlen(wrong), "r.yaml", NULL, NULL, &error));
    assert_non_null(strstr(error.text, "r.yaml:1:"));
    assert_non_null(strstr(error.text, "bearing must be {radius: [m], friction: [-]}"));
}

// What a format gives a joint that has no limits, and numbers that mean "not known", do nothing:
// they are only seen. Whatever is called taken changes the model.
static void test_limits_without_effect(void **state)
{
    (void)state;
    static const char urdf[] =
        "<robot name='u'><link name='world'/><link name='a'><inertial><mass value='1'/>"
        "<inertia ixx='0.1' iyy='0.1' izz='0.1' ixy='0' ixz='0' iyz='0'/></inertial></link>"
        "<joint name='j' type='continuous'><parent link='world'/><child link='a'/>"
        "<axis xyz='0 1 0'/><limit lower='-1' upper='1' effort='0' velocity='0'/></joint></robot>";
    static const char sdf[] =
        "<sdf version='1.9'><model name='m'><link name='a'><inertial><mass>2</mass></inertial>"
        "</link><joint name='j' type='continuous'><parent>world</parent><child>a</child><axis>"
        "<xyz>0 1 0</xyz><limit><lower>-1</lower><upper>1</upper></limit></axis></joint>"
        "</model></sdf>";
    static const char *const unused[] = {"lower", "upper", "effort", "velocity"};
    hf_robot *robot = hf_reading_load(urdf, NULL);
    for (size_t i = 0; i < sizeof unused / sizeof *unused; ++i) {
        assert_int_equal(hf_reading_item(robot, "limit", unused[i]).lot, HF_ROBOT_SEEN);
    }
    assert_int_equal(hf_reading_missing(robot), 0);
    hf_reading_lacks(robot, "limits");
    hf_robot_destroy(robot);
    robot = hf_reading_load(sdf, NULL);
    for (size_t i = 0; i < 2; ++i) {
        assert_int_equal(hf_reading_item(robot, unused[i], NULL).lot, HF_ROBOT_SEEN);
    }
    assert_int_equal(hf_reading_missing(robot), 0);
    hf_reading_lacks(robot, "limits");
    hf_robot_destroy(robot);
}

// A joint that follows another begins where that puts it, also by way of a third; the leader stays.
// What nobody knows of a transmission is told.
static void test_followers_at_the_start(void **state)
{
    (void)state;
    static const char link[] = "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' "
                               "ixy='0' ixz='0' iyz='0'/></inertial></link>";
    static const char joint[] = "' type='continuous'><parent link='world'/><axis xyz='0 0 1'/>";
    char text[3000];
    (void)snprintf(text, sizeof text,
                   "<robot name='u'><link name='world'/><link name='a'>%s<link name='b'>%s"
                   "<link name='c'>%s<joint name='k%s<child link='c'/>"
                   "<mimic joint='j' multiplier='-2' offset='0.1'/></joint>"
                   "<joint name='j%s<child link='b'/><mimic joint='i' multiplier='3' "
                   "offset='0.2'/></joint><joint name='i%s<child link='a'/></joint>"
                   "<transmission name='t'><type>simple</type><joint name='i'/><actuator name='m'>"
                   "<mechanicalReduction>50</mechanicalReduction><motorInertia>1</motorInertia>"
                   "</actuator></transmission></robot>",
                   link, link, link, joint, joint, joint);
    hf_robot *robot = hf_reading_load(text, NULL);
    assert_int_equal(hf_reading_missing(robot), 1);
    assert_int_equal(hf_reading_item(robot, "motorInertia", NULL).lot, HF_ROBOT_MISSING);
    hf_reading_machine m = hf_reading_start(robot, NULL);
    hf_check_near(hf_reading_q(&m, "u.i", 0), 0.0, 1e-15, "the leader", "its zero");
    hf_check_near(hf_reading_q(&m, "u.j", 0), 0.2, 1e-15, "its follower", "the offset");
    hf_check_near(hf_reading_q(&m, "u.k", 0), -0.3, 1e-15, "who follows that", "-2 0.2 + 0.1");
    hf_reading_end(&m);
    hf_robot_destroy(robot);
}

// Gazebo's weightless link on its spring, 2 kg at 0.3 m: q = r (1 - cos w t), w^2 = K/(I + m l^2);
// with its weight back it falls.
static void test_springs_and_weights_of_gazebo(void **state)
{
    (void)state;
    static const struct {
        const char *weight;
        bool weightless;
    } cases[] = {{"<turnGravityOff>true</turnGravityOff>", true},
                 {"<gravity>false</gravity>", true},
                 {"<turnGravityOff>0</turnGravityOff>", false},
                 {"<gravity>1</gravity>", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char text[900];
        (void)snprintf(
            text, sizeof text,
            "<robot name='r'><link name='a'/><link name='b'><inertial><origin xyz='0.3 0 0'/><mass "
            "value='2'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>"
            "</link><joint name='j' type='continuous'><parent link='a'/><child link='b'/><axis "
            "xyz='0 1 0'/></joint><gazebo reference='j'><springStiffness>7</springStiffness>"
            "<springReference>0.25</springReference></gazebo><gazebo reference='b'>%s</gazebo>"
            "</robot>",
            cases[i].weight);
        hf_robot *robot = hf_reading_load(text, NULL);
        assert_int_equal(hf_reading_missing(robot), 0);
        hf_reading_machine m = hf_reading_start(robot, NULL);
        hf_reading_run(&m, 0.5);
        double w = sqrt(7.0 / (1.0 + 2.0 * 0.09)), q = hf_reading_q(&m, "r.j", 0);
        if (cases[i].weightless) {
            hf_check_near(q, 0.25 * (1.0 - cos(0.5 * w)), 1e-3, "angle", "closed form");
        } else {
            assert_true(q > 0.5); // m g l = 5.9 Nm beside 1.75 Nm of the spring
        }
        hf_reading_end(&m);
        hf_robot_destroy(robot);
    }
}

// A disc under even pressure resists spin with 3 pi/16 c R N; masks, and solids of all kinds.
static void test_surfaces_of_an_sdf(void **state)
{
    (void)state;
#define BALL(radius)                                                                               \
    "<sdf version='1.7'><model name='m'><link name='a'><collision name='c'><geometry><sphere>"     \
    "<radius>0.2</radius></sphere></geometry><surface><contact><collide_bitmask>6"                 \
    "</collide_bitmask></contact><friction><torsional><coefficient>0.4</coefficient>" radius       \
    "</torsional></friction></surface></collision><collision name='e'><geometry><ellipsoid>"       \
    "<radii>0.1 0.2 0.3</radii></ellipsoid></geometry></collision><collision name='p'>"            \
    "<geometry><capsule><radius>0.1</radius><length>0.4</length></capsule></geometry>"             \
    "</collision></link></model></sdf>"
    hf_robot *robot = read_with(
        BALL("<use_patch_radius>true</use_patch_radius><patch_radius>0.05</patch_radius>"), NULL);
    char want[60];
    (void)snprintf(want, sizeof want, "spin_friction: %.15g",
                   3.0 * 3.14159265358979323846 / 16.0 * 0.4 * 0.05);
    want[strlen(want) - 2] = '\0'; // the last digits may round otherwise
    hf_reading_has(robot, want);
    hf_reading_has(robot, "{type: sphere, radius: 0.2, material: surface, group: 6, touches: 6}");
    hf_reading_has(robot, "{type: ellipsoid, radii: [0.1, 0.2, 0.3]");
    hf_reading_has(robot, "{type: capsule, radius: 0.1, length: 0.4");
    assert_int_equal(hf_reading_item(robot, "torsional", NULL).lot, HF_ROBOT_TAKEN);
    hf_robot_destroy(robot);
    // Without its radius it is not represented, and said so
    robot = read_with(BALL(""), NULL);
    hf_reading_has(robot, "spin_friction: 0,");
    assert_int_equal(hf_reading_item(robot, "torsional", NULL).lot, HF_ROBOT_MISSING);
    hf_robot_destroy(robot);
#undef BALL
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_limits_without_effect),
        cmocka_unit_test(test_followers_at_the_start),
        cmocka_unit_test(test_urdf),
        cmocka_unit_test(test_sdf),
        cmocka_unit_test(test_inertias_that_no_body_has),
        cmocka_unit_test(test_errors_have_places),
        cmocka_unit_test(test_a_joint_keeps_to_its_speed),
        cmocka_unit_test(test_a_bearing_is_given_by_a_pattern),
        cmocka_unit_test(test_springs_and_weights_of_gazebo),
        cmocka_unit_test(test_surfaces_of_an_sdf),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
