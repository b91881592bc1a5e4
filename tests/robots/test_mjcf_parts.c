// SPDX-License-Identifier: Apache-2.0
// MJCF beyond the usual: pairs of geoms, height fields, copies, polynomials, actuators with states,
// joints of several velocities. Each against a closed form.
#define _XOPEN_SOURCE 700 // mkdtemp
#include "reading.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double G = 9.81;

static void set(hf_reading_machine *m, const char *input, double value)
{
    hf_sim_set_input(m->sim, hf_spec_find_signal(m->spec, input), value);
}

// Elements of default classes that something uses are taken, and those of the others only seen.
static void test_defaults_are_taken(void **state)
{
    (void)state;
    hf_robot *robot = hf_reading_load(
        "<mujoco><default><site rgba='1 0 0 1'/><default class='c'><joint damping='0.5'/></default>"
        "<default class='unused'><tendon stiffness='3'/></default></default><worldbody><body>"
        "<joint name='j' class='c'/><geom size='0.1'/></body></worldbody></mujoco>",
        NULL);
    // The class's own joint comes first in the file
    assert_int_equal(hf_reading_item(robot, "joint", NULL).lot, HF_ROBOT_TAKEN);
    assert_int_equal(hf_reading_item(robot, "joint", "damping").lot, HF_ROBOT_TAKEN);
    assert_int_equal(hf_reading_item(robot, "tendon", NULL).lot, HF_ROBOT_SEEN);
    hf_reading_has(robot, "damping: 0.5");
    hf_robot_destroy(robot);
}

// A slope of 0.3 rad (tan 0.309): a box of friction 1 whose pair says 0.2 slides with
// g (sin - 0.2 cos); its twin, of which no pair speaks, holds.
static void test_a_pair_has_its_own_friction(void **state)
{
    (void)state;
    hf_robot *robot = hf_reading_load(
        "<mujoco><compiler angle='radian'/><option timestep='0.001'/><worldbody>"
        "<geom name='slope' type='plane' size='1 1 1' euler='0 0.3 0'/>"
        "<body name='a' euler='0 0.3 0'><freejoint name='a'/><geom name='ga' type='box' "
        "size='.1 .1 .1' pos='0 0 0.1'/></body>"
        "<body name='b' pos='0 1 0' euler='0 0.3 0'><freejoint name='b'/><geom type='box' "
        "size='.1 .1 .1' pos='0 0 0.1'/></body></worldbody>"
        "<contact><pair geom1='slope' geom2='ga' friction='0.2 0.2 0 0 0'/></contact></mujoco>",
        NULL);
    assert_int_equal(hf_reading_missing(robot), 0);
    hf_reading_machine m = hf_reading_start(robot, NULL);
    double before = hf_reading_q(&m, "robot.b", 0);
    hf_reading_run(&m, 1.0);
    double a = G * (sin(0.3) - 0.2 * cos(0.3));
    hf_check_near(hypot(hf_reading_v(&m, "robot.a", 0), hf_reading_v(&m, "robot.a", 2)), a, 1e-6,
                  "speed after 1 s", "g (sin - mu cos) t");
    hf_check_near(hf_reading_q(&m, "robot.b", 0), before, 1e-9, "the other", "it holds");
    hf_reading_end(&m);
    hf_robot_destroy(robot);
}

// Geoms of no group touch where a pair says so: parent and child too. Other geoms of the same two
// bodies do not.
static void test_a_pair_of_parent_and_child(void **state)
{
    (void)state;
    hf_robot *robot = hf_reading_load(
        "<mujoco><option gravity='0 0 0'/><worldbody><body name='p'><joint type='slide' "
        "axis='1 0 0'/><geom name='stop' type='box' size='.1 .1 .1' contype='0' conaffinity='0' "
        "mass='1'/><geom type='box' size='3 .1 .1' pos='0 0 0' mass='1'/><body name='c' "
        "pos='1 0 0'><joint name='s' type='slide' axis='1 0 0'/><geom name='ball' size='.1' "
        "contype='0' conaffinity='0' mass='1'/><geom size='.05' mass='1'/></body></body>"
        "</worldbody><contact><pair geom1='stop' geom2='ball' condim='1'/></contact>"
        "<actuator><motor name='push' joint='s' gear='-1'/></actuator></mujoco>",
        NULL);
    hf_reading_has(robot, "touch: never}");
    hf_reading_has(robot, "touch: always}");
    hf_reading_machine m = hf_reading_start(robot, NULL);
    set(&m, "push", 1.0);
    hf_reading_run(&m, 5.0);
    hf_check_near(hf_reading_q(&m, "robot.s", 0), -0.8, 1e-6, "where the ball stops",
                  "the stop's face and its own radius");
    hf_reading_end(&m);
    hf_robot_destroy(robot);
}

// A field that rises from 0 to 1 m over 2 m along y: a ramp of slope 0.5 that is higher at larger
// y. In the element its first row is that of the largest y, in a file that of the smallest.
static void check_ramp(hf_robot *robot)
{
    hf_reading_has(robot, "heights: [[0, 0, 0],");
    hf_reading_has(robot, "[1, 1, 1]]");
    hf_reading_machine m = hf_reading_start(robot, NULL);
    hf_reading_run(&m, 0.5);
    // A box without friction slides down, to smaller y, with g sin along the slope.
    double slope = atan(0.5);
    hf_check_near(hf_reading_v(&m, "robot.f", 1), -0.5 * G * sin(slope) * cos(slope), 1e-6,
                  "speed along y", "g sin cos t");
    hf_check_near(hf_reading_v(&m, "robot.f", 0), 0.0, 1e-9, "speed along x", "symmetry");
    hf_reading_end(&m);
    hf_robot_destroy(robot);
}

#define RAMP(field)                                                                                \
    "<mujoco><compiler angle='radian'/><asset>" field "</asset><worldbody><geom type='hfield' "    \
    "hfield='h' condim='1'/><body name='b' pos='0 0.1 0.55' euler='0.4636476090008061 0 0'>"       \
    "<freejoint name='f'/><geom type='box' size='.1 .1 .1' pos='0 0 0.1' condim='1'/></body>"      \
    "</worldbody></mujoco>"

static void test_height_fields(void **state)
{
    (void)state;
    check_ramp(hf_reading_load(RAMP("<hfield name='h' nrow='2' ncol='3' size='1 1 1 0.1' "
                                    "elevation='5 5 5 3 3 3'/>"),
                               NULL));
    char folder[] = "/tmp/hf-heights-XXXXXX", path[64], field[64];
    assert_non_null(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/r.xml", folder);
    (void)snprintf(field, sizeof field, "%s/h.bin", folder);
    FILE *f = fopen(field, "wb"), *x = fopen(path, "wb");
    assert_true(f != NULL && x != NULL);
    const int32_t head[2] = {2, 3};
    const float heights[6] = {-1, -1, -1, 7, 7, 7};
    assert_int_equal(fwrite(head, sizeof head, 1, f) + fwrite(heights, sizeof heights, 1, f), 2);
    (void)fputs(RAMP("<hfield name='h' file='h.bin' size='1 1 1 0.1'/>"), x);
    (void)fclose(f);
    (void)fclose(x);
    check_ramp(hf_reading_load_file(path, NULL));
    (void)remove(path);
    (void)remove(field);
    (void)rmdir(folder);
}

// What the compiler makes of masses and inertias: least ones, then balance, then the total; and
// geoms of some groups alone.
static void test_masses_of_the_compiler(void **state)
{
    (void)state;
    static const struct {
        const char *compiler, *inertial, *made;
    } cases[] = {
        {"", "mass='1' diaginertia='0.5 0.25 0.5'", "mass: 1, inertia: [0.5, 0.25, 0.5]"},
        {"boundmass='2'", "mass='1' diaginertia='0.5 0.25 0.5'",
         "mass: 2, inertia: [0.5, 0.25, 0.5]"},
        {"boundmass='0.5'", "mass='1' diaginertia='0.5 0.25 0.5'",
         "mass: 1, inertia: [0.5, 0.25, 0.5]"},
        {"boundinertia='0.375'", "mass='1' diaginertia='0.5 0.25 0.5'",
         "mass: 1, inertia: [0.5, 0.375, 0.5]"},
        // Within the triangle's rule it stays as it is
        {"balanceinertia='true'", "mass='1' diaginertia='0.5 0.25 0.5'",
         "mass: 1, inertia: [0.5, 0.25, 0.5]"},
        {"balanceinertia='true'", "mass='1' diaginertia='0.25 0.25 1'",
         "mass: 1, inertia: [0.5, 0.5, 0.5]"},
        // Bounded first: (0.375 + 0.375 + 1.5)/3, not (0.25 + 0.25 + 1.5)/3
        {"balanceinertia='true' boundinertia='0.375'", "mass='1' diaginertia='0.25 0.25 1.5'",
         "mass: 1, inertia: [0.75, 0.75, 0.75]"},
        {"settotalmass='4'", "mass='1' fullinertia='0.5 0.25 0.5 0.125 0 0.0625'",
         "mass: 4, inertia: [2, 1, 2, 0.5, 0, 0.25]"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char text[600];
        (void)snprintf(text, sizeof text,
                       "<mujoco><compiler %s/><worldbody><body><joint name='j'/><inertial "
                       "pos='0 0 0' %s/></body></worldbody></mujoco>",
                       cases[i].compiler, cases[i].inertial);
        hf_robot *robot = hf_reading_load(text, NULL);
        assert_int_equal(hf_reading_missing(robot), 0);
        hf_reading_has(robot, cases[i].made);
        hf_robot_destroy(robot);
    }
    // Two boxes of 1 kg and 3 kg, of groups 1 and 3
    for (int most = 2; most < 4; ++most) {
        char text[600];
        (void)snprintf(text, sizeof text,
                       "<mujoco><compiler inertiagrouprange='1 %d'/><worldbody><body><joint "
                       "name='j'/><geom type='box' size='1 1 1' mass='1' group='1'/><geom "
                       "type='box' size='1 1 1' mass='3' group='3'/></body></worldbody></mujoco>",
                       most);
        hf_robot *robot = hf_reading_load(text, NULL);
        hf_reading_has(robot, most == 2 ? "mass: 1," : "mass: 4,");
        hf_robot_destroy(robot);
    }
}

// Six pendulums around a circle: copies of copies, each with its name, place and direction.
static void test_copies(void **state)
{
    (void)state;
    hf_robot *robot = hf_reading_load(
        "<mujoco><worldbody><replicate count='3' euler='0 0 120' sep='-'><replicate count='2' "
        "offset='0 0 1'><body name='p' pos='2 0 0'><joint name='j' axis='0 1 0'/><inertial "
        "mass='1' pos='0 0 -1' diaginertia='1 1 1'/></body></replicate></replicate></worldbody>"
        "<actuator><motor name='m' joint='j1-2'/></actuator></mujoco>",
        NULL);
    assert_int_equal(hf_reading_missing(robot), 0);
    hf_reading_machine m = hf_reading_start(robot, NULL);
    hf_body last = hf_spec_find_body(m.spec, "robot.j1-2");
    assert_int_not_equal(last.id, 0);
    hf_vec3 at;
    hf_quat turn;
    hf_sim_pose(m.sim, last, &at, &turn);
    hf_check_near(at.x, 2 * cos(4 * acos(-1.0) / 3), 1e-12, "x", "third of the circle");
    hf_check_near(at.y, 2 * sin(4 * acos(-1.0) / 3), 1e-12, "y", "third of the circle");
    hf_check_near(at.z, 1.0, 1e-12, "z", "second of two");
    set(&m, "m", 3.0);
    hf_reading_run(&m, 0.001);
    // 3 Nm on 1 + 1 kg m^2
    hf_check_near(hf_reading_v(&m, "robot.j1-2", 0), 0.0015, 1e-6, "driven", "M t/I");
    hf_check_near(hf_reading_v(&m, "robot.j0-2", 0), 0.0, 1e-15, "not driven", "at rest");
    hf_reading_end(&m);
    hf_robot_destroy(robot);
}

#define SLIDER(more)                                                                               \
    "<mujoco><option gravity='0 0 0' timestep='0.0005'/><worldbody><body><inertial mass='2' "      \
    "pos='0 0 0' diaginertia='1 1 1'/><joint name='s' type='slide' axis='1 0 0' " more "/></body>" \
    "</worldbody>"

// Damping b v|v| alone: v = v0/(1 + b v0 t/m). Spring c x^3: energy.
static void test_polynomials(void **state)
{
    (void)state;
    hf_robot *robot =
        hf_reading_load(SLIDER("damping='0 0.5 0' stiffness='0 0 8'") "</mujoco>", NULL);
    assert_int_equal(hf_reading_missing(robot), 0);
    hf_reading_has(robot, "k3: 8");
    hf_robot_destroy(robot);
    robot = hf_reading_load(SLIDER("damping='0 0.5 0'") "</mujoco>", NULL);
    hf_reading_machine m = hf_reading_start(robot, "bodies.robot.joints.s.velocity=4");
    hf_reading_run(&m, 2.0);
    hf_check_near(hf_reading_v(&m, "robot.s", 0), 4.0 / (1.0 + 0.5 * 4.0 * 2.0 / 2.0), 2e-3, "v",
                  "b v|v|");
    hf_reading_end(&m);
    hf_robot_destroy(robot);
}

// An integrated velocity holds its state at the end of actrange, the joint follows; a filter's
// force after a step is 1 - exp(-t/T) of the input; a damper of input u: v0 exp(-kv u t/m).
static void test_actuators_with_states(void **state)
{
    (void)state;
    hf_robot *robot = hf_reading_load(
        SLIDER("") "<actuator><intvelocity name='a' joint='s' kp='200' kv='40' gear='2' "
                   "actrange='-1 0.6'/></actuator></mujoco>",
        NULL);
    assert_int_equal(hf_reading_missing(robot), 0);
    hf_reading_machine m = hf_reading_start(robot, NULL);
    set(&m, "a", 0.5);
    hf_reading_run(&m, 5.0);
    hf_check_near(hf_reading_q(&m, "robot.s", 0), 0.3, 1e-3, "joint", "actrange/gear");
    hf_reading_end(&m);
    hf_robot_destroy(robot);
    robot =
        hf_reading_load(SLIDER("") "<actuator><general name='a' joint='s' dyntype='filterexact' "
                                   "dynprm='0.4' gainprm='3'/></actuator></mujoco>",
                        NULL);
    m = hf_reading_start(robot, NULL);
    set(&m, "a", 2.0);
    hf_reading_run(&m, 1.0);
    // v = F/m (t - T (1 - exp(-t/T)))
    hf_check_near(hf_reading_v(&m, "robot.s", 0), 3.0 * (1.0 - 0.4 * (1.0 - exp(-2.5))), 2e-3,
                  "speed", "integral of the filter");
    hf_reading_end(&m);
    hf_robot_destroy(robot);
    robot = hf_reading_load(SLIDER("") "<actuator><damper name='a' joint='s' kv='3' "
                                       "ctrlrange='0 1'/></actuator></mujoco>",
                            NULL);
    m = hf_reading_start(robot, "bodies.robot.joints.s.velocity=1");
    set(&m, "a", 0.5);
    hf_reading_run(&m, 1.0);
    hf_check_near(hf_reading_v(&m, "robot.s", 0), exp(-0.75), 1e-3, "speed", "exp(-kv u t/m)");
    hf_reading_end(&m);
    hf_robot_destroy(robot);
}

// A free body of 2 kg with armature 1: 3 kg to a force, 2 kg to gravity; friction 30 N holds it,
// 6 N lets it slide.
static void test_joints_of_several_velocities(void **state)
{
    (void)state;
    static const struct {
        const char *joint;
        double speed;
    } cases[] = {{"armature='1'", -2 * 9.81 / 3},
                 {"armature='1' frictionloss='30'", 0},
                 {"frictionloss='6'", -9.81 + 3.0},
                 {"damping='4'", -9.81 / 2.0 * (1.0 - 0.1353352832366127)}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char text[600];
        (void)snprintf(text, sizeof text,
                       "<mujoco><option timestep='0.0005'/><worldbody><body><joint name='f' "
                       "type='free' %s/><inertial mass='2' pos='0 0 0' diaginertia='1 1 1'/>"
                       "</body></worldbody></mujoco>",
                       cases[i].joint);
        hf_robot *robot = hf_reading_load(text, NULL);
        assert_int_equal(hf_reading_missing(robot), 0);
        hf_reading_machine m = hf_reading_start(robot, NULL);
        hf_reading_run(&m, 1.0);
        hf_check_near(hf_reading_v(&m, "robot.f", 2), cases[i].speed, 2e-3, cases[i].joint,
                      "closed form");
        hf_reading_end(&m);
        hf_robot_destroy(robot);
    }
    // A ball with armature: torque of gravity m g l over I + m l^2 + armature.
    hf_robot *robot = hf_reading_load("<mujoco><worldbody><body><joint name='b' type='ball' "
                                      "armature='0.5'/><inertial mass='2' pos='1 0 0' "
                                      "diaginertia='1 1 1'/></body></worldbody></mujoco>",
                                      NULL);
    hf_reading_machine m = hf_reading_start(robot, NULL);
    hf_reading_run(&m, 0.001);
    hf_check_near(hf_reading_v(&m, "robot.b", 1), 2 * G / 3.5 * 0.001, 1e-6, "turning", "M t/I");
    hf_reading_run(&m, 3.0);
    hf_energy energy = hf_sim_energy(m.sim);
    hf_check_near(energy.residual, 0.0, 1e-2 * energy.turnover, "energy [J]", "ledger");
    hf_reading_end(&m);
    hf_robot_destroy(robot);
}

static void test_errors_have_places(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"<mujoco><contact><pair geom1='x' geom2='y'/></contact></mujoco>",
         "robot.xml:1:24: there is no geom 'x'"},
        {"<mujoco><worldbody><geom type='hfield' hfield='h'/></worldbody></mujoco>",
         "robot.xml:1:20: there is no height field 'h'"},
        {"<mujoco><asset><hfield name='h' nrow='1' ncol='2' size='1 1 1 1'/></asset><worldbody>"
         "<geom type='hfield' hfield='h'/></worldbody></mujoco>",
         "robot.xml:1:16: a height field has 2 rows"},
        {"<mujoco><worldbody><replicate count='0'/></worldbody></mujoco>",
         "robot.xml:1:20: replicate makes 1 copy"},
        {"<mujoco><worldbody><replicate count='99999'><replicate count='99999'/></replicate>"
         "</worldbody></mujoco>",
         "robot.xml:1:45: replicate makes 1 copy"},
        {"<mujoco>"
         "<worldbody><body><joint name='j'/></body></worldbody><actuator><cylinder "
         "joint='j' timeconst='0'/></actuator></mujoco>",
         "robot.xml:1:"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        hf_error error = {0};
        assert_null(
            hf_robot_parse(cases[i].text, strlen(cases[i].text), "robot.xml", NULL, NULL, &error));
        if (strncmp(error.text, cases[i].message, strlen(cases[i].message)) != 0) {
            fail_msg("got '%s', want '%s...'", error.text, cases[i].message);
        }
    }
}

// Two bodies held together at sites hang as one: the free end of a double pendulum at a site of the
// world. Welded, the second link stands along the site's x.
static void test_sites_hold_together(void **state)
{
    (void)state;
    static const char *const kinds[] = {"connect", "weld"};
    for (int i = 0; i < 2; ++i) {
        char text[900];
        (void)snprintf(
            text, sizeof text,
            "<mujoco><compiler angle='radian'/><worldbody><site name='hook' pos='1 0 -1' "
            "euler='0 0.3 0'/><body pos='0.2 0 0'><joint name='x' type='slide' axis='1 0 "
            "0'/><joint "
            "name='z' type='slide' axis='0 0 1'/><joint name='turn' axis='0 1 0'/><geom type='box' "
            "size='0.2 0.01 0.01' mass='1'/><frame pos='0.1 0 0'><site name='tip' pos='0.1 0 0'/>"
            "</frame></body></worldbody><equality><%s site1='tip' site2='hook'/></equality>"
            "</mujoco>",
            kinds[i]);
        hf_robot *robot = hf_reading_load(text, NULL);
        assert_int_equal(hf_reading_missing(robot), 0);
        hf_reading_machine m = hf_reading_start(robot, NULL);
        hf_reading_run(&m, 0.5);
        double t = hf_reading_q(&m, "robot.turn", 0);
        double x = 0.2 + hf_reading_q(&m, "robot.x", 0), z = hf_reading_q(&m, "robot.z", 0);
        hf_check_near(x + 0.2 * cos(t), 1.0, 1e-9, "x of the tip", "the hook");
        hf_check_near(z - 0.2 * sin(t), -1.0, 1e-9, "z of the tip", "the hook");
        if (i == 1) {
            hf_check_near(t, 0.3, 1e-9, "angle", "that of the hook");
        }
        hf_reading_end(&m);
        hf_robot_destroy(robot);
    }
}

// Switches: hints are only seen, gravity and contacts can be off, the rest is told.
static void test_flags(void **state)
{
    (void)state;
    hf_robot *robot = hf_reading_load(
        "<mujoco><option><flag gravity='disable' contact='disable' energy='enable' "
        "limit='enable' override='disable'/></option><worldbody><geom type='plane' size='1 1 1'/>"
        "<body pos='0 0 1'><freejoint/><geom size='0.1'/></body></worldbody></mujoco>",
        NULL);
    assert_int_equal(hf_reading_missing(robot), 0);
    assert_int_equal(hf_reading_item(robot, "flag", "energy").lot, HF_ROBOT_SEEN);
    assert_int_equal(hf_reading_item(robot, "flag", "limit").lot, HF_ROBOT_SEEN);
    hf_reading_has(robot, "gravity: [0, 0, 0]");
    hf_reading_lacks(robot, "type: collide");
    hf_robot_destroy(robot);
    robot =
        hf_reading_load("<mujoco><option><flag frictionloss='disable'/></option></mujoco>", NULL);
    assert_int_equal(hf_reading_item(robot, "flag", "frictionloss").lot, HF_ROBOT_MISSING);
    hf_robot_destroy(robot);
}

// A tendon's spring that is slack from 0.2 to 0.5: pushed by 3 N it gives way to 0.5 + 3/k, pulled
// by 3 N to 0.2 - 3/k. With coefficients of 1 and 2.
static void test_a_slack_tendon(void **state)
{
    (void)state;
    for (int i = 0; i < 2; ++i) {
        for (int sign = -1; sign <= 1; sign += 2) {
            char text[900];
            (void)snprintf(text, sizeof text,
                           SLIDER("damping='20'") "<tendon><fixed name='t' stiffness='10' "
                                                  "springlength='0.2 0.5'><joint joint='s' "
                                                  "coef='%d'/></fixed></tendon><actuator><motor "
                                                  "name='m' tendon='t'/></actuator></mujoco>",
                           i + 1);
            hf_robot *robot = hf_reading_load(text, NULL);
            assert_int_equal(hf_reading_missing(robot), 0);
            hf_reading_machine m = hf_reading_start(robot, NULL);
            set(&m, "m", 3.0 * sign);
            hf_reading_run(&m, 40.0);
            double length = (i + 1) * hf_reading_q(&m, "robot.s", 0);
            hf_check_near(length, sign > 0 ? 0.5 + 0.3 : 0.2 - 0.3, 1e-6, "length", "slack + F/k");
            hf_reading_end(&m);
            hf_robot_destroy(robot);
        }
    }
}

// Two of one robot, one on the other, on a table that is shaken: the arms are held by friction of
// 2 Nm against 0.1 Nm, and move by no bit, also where penetration is taken back.
static void test_held_arms_of_shaken_robots(void **state)
{
    (void)state;
    char folder[] = "/tmp/hf-shaken-XXXXXX", robot[64], path[64];
    assert_non_null(mkdtemp(folder));
    (void)snprintf(robot, sizeof robot, "%s/a.xml", folder);
    (void)snprintf(path, sizeof path, "%s/m.yaml", folder);
    FILE *x = fopen(robot, "wb"), *y = fopen(path, "wb");
    assert_true(x != NULL && y != NULL);
    (void)fputs("<mujoco><worldbody><body><freejoint/><geom type='box' size='.1 .1 .1' "
                "pos='0 0 .1' mass='1'/><body pos='0.1 0 0.1'><joint name='j' axis='0 1 0' "
                "frictionloss='2'/><geom type='capsule' fromto='0.02 0 0 0.2 0 0' size='.01' "
                "mass='0.1'/></body></body></worldbody></mujoco>",
                x);
    (void)fputs("gravity: [0, 0, -9.81]\nmethod: {type: timestep, step: 1e-3}\nbodies:\n"
                "  table: {type: driven, axes: xyz, position: [\"0.05*sin(3*t)\", 0, 0], shape: "
                "{type: box, size: [2, 2, 0.1]}}\n"
                "  one: {type: robot, file: a.xml, position: [0, 0, 0.05]}\n"
                "  two: {type: robot, file: a.xml, position: [0, 0, 0.25]}\n",
                y);
    (void)fclose(x);
    (void)fclose(y);
    hf_error error = {0};
    hf_reading_machine m = {.spec = hf_spec_load(path, NULL, &error)};
    m.model = m.spec == NULL ? NULL : hf_model_compile(m.spec, &error);
    m.sim = m.model == NULL ? NULL : hf_sim_create(m.model, NULL, &error);
    if (m.sim == NULL) {
        fail_msg("%s", error.text);
    }
    hf_reading_run(&m, 0.7);
    hf_check_near(hf_reading_q(&m, "one.j", 0), 0.0, 0.0, "lower arm", "held");
    hf_check_near(hf_reading_q(&m, "two.j", 0), 0.0, 0.0, "upper arm", "held");
    hf_reading_end(&m);
    (void)remove(robot);
    (void)remove(path);
    (void)rmdir(folder);
}

// Torque motors of ball and free joints: w = torque t/I. What has no wrench on a link is told.
static void test_motors_of_ball_and_free_joints(void **state)
{
    (void)state;
    hf_robot *robot = hf_reading_load(
        "<mujoco><option gravity='0 0 0'/><worldbody>"
        "<body name='a'><joint name='ball' type='ball'/><inertial mass='1' pos='0 0 0' "
        "diaginertia='2 2 2'/><body name='c'><joint name='inner' type='ball'/><inertial mass='1' "
        "pos='0 0 0' diaginertia='1 1 1'/></body></body>"
        "<body name='b'><freejoint name='free'/><inertial mass='1' pos='0 0 0' "
        "diaginertia='4 4 4'/></body></worldbody><actuator>"
        "<motor name='turn' joint='free' gear='0 0 0 0 3 0'/>"
        "<motor name='twist' joint='ball' gear='0 0 2'/>"
        "<motor name='push' joint='free' gear='1 0 0 0 0 0'/>"
        "<motor name='between' joint='inner' gear='1 0 0'/>"
        "<position name='servo' joint='ball' gear='1 0 0' kp='5'/></actuator></mujoco>",
        NULL);
    // The push along the world's axes, with its attributes
    assert_int_equal(hf_reading_missing(robot), 4);
    hf_reading_machine m = hf_reading_start(robot, NULL);
    hf_sim_set_input(m.sim, hf_spec_find_signal(m.spec, "turn"), 1.0);
    hf_sim_set_input(m.sim, hf_spec_find_signal(m.spec, "twist"), 1.0);
    hf_reading_run(&m, 0.5);
    hf_check_near(hf_reading_v(&m, "robot.free", 4), 0.5 * 3.0 / 4.0, 1e-9, "turn", "3 t/4");
    hf_check_near(hf_reading_v(&m, "robot.ball", 2), 0.5 * 2.0 / 2.0, 1e-9, "twist", "2 t/2");
    hf_reading_end(&m);
    hf_robot_destroy(robot);
}

// What the account calls taken changes the model when it is deleted.
static void test_what_is_taken_acts(void **state)
{
    (void)state;
    int tried = hf_reading_check_taken(
        "<mujoco model='m'><compiler angle='radian'/><option timestep='0.003' gravity='0 1 -9'/>\n"
        "<asset><hfield name='h' nrow='2' ncol='3' size='2 3 0.5 0.1' elevation='0 1 2 3 4 5'/>\n"
        "</asset><default><pair friction='0.2 0.2 0.01 0.002 0.002' condim='6'/></default>\n"
        "<worldbody><geom name='ground' type='hfield' hfield='h' pos='0 0 -1' friction='0.7'/>\n"
        "<replicate count='2' sep='_' euler='0 0 0.5' offset='1 2 3'><body name='b' "
        "pos='0.1 0 1' quat='1 1 0 0'><joint name='j' type='slide' axis='1 0 0' pos='0 0 0' "
        "stiffness='1 2 3' damping='0.1 0.2 0.3' armature='0.01' springref='0.2'/>"
        "<geom name='g' size='0.1' mass='2' contype='2' conaffinity='4'/></body></replicate>\n"
        "<body name='c' pos='0 0 3'><joint name='f' type='free' damping='0.3' armature='0.2' "
        "frictionloss='0.4'/><geom name='k' size='0.2' contype='0' conaffinity='0'/></body>\n"
        "</worldbody><contact><pair geom1='ground' geom2='k' condim='4'/><pair geom1='g_0' "
        "geom2='k'/></contact>\n"
        "<actuator><intvelocity name='a' joint='j_0' kp='3' kv='2' actrange='-1 2' gear='1.5' "
        "ctrlrange='-2 2' forcerange='-5 6'/>"
        "<general name='d' joint='j_1' dyntype='filter' dynprm='0.3' gaintype='affine' "
        "gainprm='1 2 3' biastype='affine' biasprm='0.1 -0.2 -0.3'/>"
        "<damper name='e' joint='j_0' kv='2' ctrlrange='0 3'/>"
        "<cylinder name='z' joint='j_1' timeconst='0.2' area='0.5' bias='1 -2 -3'/></actuator>"
        "</mujoco>");
    assert_true(tried > 50);
}

// Every two of a file's bodies, the world among them, can be kept from touching.
static void test_exclusions(void **state)
{
    (void)state;
    static const char *const names[] = {"world", "first", "second", "third"};
    static const char *const written[] = {"ground", "r.first", "r.second", "r.third"};
    for (int k = 0; k < 12; ++k) {
        int one = k / 3, two = (one + 1 + k % 3) % 4;
        int low = one < two ? one : two, high = one < two ? two : one;
        char text[1200], words[80];
        (void)snprintf(text, sizeof text,
                       "<mujoco model='r'><worldbody><geom type='plane' size='1 1 1'/>"
                       "<body name='first' pos='0 0 1'><freejoint/><geom size='0.1'/></body>"
                       "<body name='second' pos='0 0 2'><freejoint/><geom size='0.1'/></body>"
                       "<body name='third' pos='0 0 3'><freejoint/><geom size='0.1'/></body>"
                       "</worldbody><contact><exclude body1='%s' body2='%s'/></contact></mujoco>",
                       names[one], names[two]);
        hf_robot *robot = hf_reading_load(text, NULL);
        // The ground is written behind the bodies
        (void)snprintf(words, sizeof words, "except: [[%s, %s]]", written[low == 0 ? high : low],
                       written[low == 0 ? low : high]);
        hf_reading_has(robot, words);
        hf_robot_destroy(robot);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults_are_taken),
        cmocka_unit_test(test_a_pair_has_its_own_friction),
        cmocka_unit_test(test_a_pair_of_parent_and_child),
        cmocka_unit_test(test_height_fields),
        cmocka_unit_test(test_masses_of_the_compiler),
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_polynomials),
        cmocka_unit_test(test_actuators_with_states),
        cmocka_unit_test(test_joints_of_several_velocities),
        cmocka_unit_test(test_sites_hold_together),
        cmocka_unit_test(test_flags),
        cmocka_unit_test(test_a_slack_tendon),
        cmocka_unit_test(test_held_arms_of_shaken_robots),
        cmocka_unit_test(test_what_is_taken_acts),
        cmocka_unit_test(test_motors_of_ball_and_free_joints),
        cmocka_unit_test(test_errors_have_places),
        cmocka_unit_test(test_exclusions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
