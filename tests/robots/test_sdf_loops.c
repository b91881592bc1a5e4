// SPDX-License-Identifier: Apache-2.0
// SDF: what acts on the axis of a joint that closes a loop.
#include "reading.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Two cranks of 1 m that hang, a coupler between their ends; the joint `d` closes the chain. All
// turn about y; d turns against the cranks as far as they turn: x = -a for the crank's angle a.
#define BAR(name, at)                                                                              \
    "<link name='" name "'><pose>" at "</pose><inertial><mass>1</mass><inertia><ixx>0.1</ixx>"     \
    "<iyy>0.1</iyy><izz>0.1</izz></inertia></inertial></link>"
#define HINGE(name, parent, child, at, inner)                                                      \
    "<joint name='" name "' type='revolute'><pose relative_to='__model__'>" at                     \
    "</pose><parent>" parent "</parent><child>" child "</child><axis><xyz>0 1 0</xyz>" inner       \
    "</axis></joint>"
#define CRANKS                                                                                     \
    BAR("left", "0 0 -0.5 0 0 0")                                                                  \
    BAR("right", "1 0 -0.5 0 0 0")                                                                 \
    BAR("low", "0.5 0 -1 0 0 0")                                                                   \
    HINGE("a", "world", "left", "0 0 0 0 0 0", "")                                                 \
    HINGE("b", "world", "right", "1 0 0 0 0 0", "")
#define BARS CRANKS HINGE("c", "left", "low", "0 0 -1 0 0 0", "")

static const double PI = 3.14159265358979323846;
// Of both cranks and the coupler about a crank's angle; their weight's moment for each radian.
static const double INERTIA = 2 * (0.1 + 0.25) + 1.0, MOMENT = 9.81 * (2 * 0.5 + 1.0);

static hf_robot *load_bars(const char *axis)
{
    char text[2400];
    (void)snprintf(text, sizeof text,
                   "<sdf version='1.7'><model name='bars'>" BARS HINGE(
                       "d", "right", "low", "1 0 -1 0 0 0", "%s") "</model></sdf>",
                   axis);
    hf_robot *robot = hf_reading_load(text, NULL);
    assert_int_equal(hf_reading_missing(robot), 0);
    return robot;
}

// Small swings about the spring's and the weight's balance:
//   I a'' + c a' + (m + k) a = -k rest,   a(0) = a'(0) = 0
static void test_spring_and_damper(void **state)
{
    (void)state;
    double k = 3.0, c = 0.4, rest = 0.01;
    hf_robot *robot =
        load_bars("<dynamics><damping>0.4</damping><spring_stiffness>3</spring_stiffness>"
                  "<spring_reference>0.01</spring_reference></dynamics>");
    hf_reading_machine m = hf_reading_start(robot, NULL);
    double decay = c / (2.0 * INERTIA), w = sqrt((MOMENT + k) / INERTIA - decay * decay);
    double middle = -k * rest / (MOMENT + k);
    for (int i = 1; i <= 3000; ++i) {
        double t = i * 1e-3;
        hf_reading_run(&m, t);
        double a = middle * (1.0 - exp(-decay * t) * (cos(w * t) + decay / w * sin(w * t)));
        hf_check_near(hf_reading_q(&m, "bars.a", 0), a, 6e-6, "swing", "closed form");
    }
    hf_reading_end(&m);
    hf_robot_destroy(robot);
}

// Gravity to the side pulls the cranks with 2 g_x: below the level nothing moves by a bit, above it
// the difference accelerates them.
static void test_friction_holds(void **state)
{
    (void)state;
    hf_robot *robot = load_bars("<dynamics><friction>1</friction></dynamics>");
    hf_reading_machine held = hf_reading_start(robot, "gravity=[0.49, 0, -9.81]");
    hf_reading_run(&held, 2.0);
    assert_true(hf_reading_q(&held, "bars.a", 0) == 0.0);
    assert_true(hf_reading_v(&held, "bars.b", 0) == 0.0);
    hf_reading_end(&held);
    // a'' I = -(2 g_x - 1) - m a
    hf_reading_machine moved = hf_reading_start(robot, "gravity=[0.6, 0, -9.81]");
    hf_reading_run(&moved, 0.5);
    double w = sqrt(MOMENT / INERTIA), a = -0.2 / MOMENT * (1.0 - cos(w * 0.5));
    hf_check_near(hf_reading_q(&moved, "bars.a", 0), a, 1e-2 * fabs(a), "slides", "closed form");
    hf_reading_end(&moved);
    hf_robot_destroy(robot);
}

static void test_limits(void **state)
{
    (void)state;
    hf_robot *robot = load_bars("<limit><lower>-0.25</lower><upper>0.1</upper></limit>");
    // x = -a: pulled to -x the cranks turn to positive angles, and d to its lower limit
    for (int side = -1; side <= 1; side += 2) {
        hf_reading_machine m =
            hf_reading_start(robot, side < 0 ? "gravity=[-8, 0, -9.81]" : "gravity=[8, 0, -9.81]");
        hf_reading_run(&m, 4.0);
        hf_check_near(hf_reading_q(&m, "bars.a", 0), side < 0 ? 0.25 : -0.1, 1e-9, "a", "limit");
        hf_check_near(hf_reading_v(&m, "bars.a", 0), 0.0, 1e-9, "a'", "rests on its limit");
        hf_reading_end(&m);
    }
    hf_robot_destroy(robot);
    // What a turn cannot tell apart is said, not guessed: here of both joints of the coupler.
    char text[2800];
    (void)snprintf(
        text, sizeof text,
        "<sdf version='1.7'><model name='bars'>" CRANKS HINGE(
            "c", "left", "low", "0 0 -1 0 0 0", "<limit><velocity>3</velocity></limit>")
            HINGE("d", "right", "low", "1 0 -1 0 0 0",
                  "<limit><lower>-0.25</lower><velocity>2</velocity></limit>") "</model></sdf>");
    robot = hf_reading_load(text, NULL);
    assert_int_equal(hf_reading_missing(robot), 2);
    assert_non_null(strstr(hf_reading_item(robot, "lower", NULL).why, "half a turn"));
    hf_reading_lacks(robot, "type: stop");
    hf_robot_destroy(robot);
}

// Limits that coincide: the loop holds the axis there.
static void test_limits_that_coincide(void **state)
{
    (void)state;
    hf_robot *robot = load_bars("<limit><lower>-0.2</lower><upper>-0.2</upper></limit>");
    hf_reading_machine m = hf_reading_start(robot, NULL);
    hf_reading_run(&m, 0.5);
    hf_check_near(hf_reading_q(&m, "bars.a", 0), 0.2, 1e-9, "a", "held");
    hf_check_near(hf_reading_q(&m, "bars.c", 0), -0.2, 1e-9, "c", "held");
    hf_reading_end(&m);
    hf_robot_destroy(robot);
}

// Its drive: T on x is -T on the cranks.
static void test_its_drive(void **state)
{
    (void)state;
    hf_robot *robot = load_bars("<limit><effort>5</effort></limit>");
    hf_reading_has(robot, "d-2: {input: 0, range: [-5, 5]}");
    hf_reading_machine m = hf_reading_start(robot, NULL);
    hf_sim_set_input(m.sim, hf_spec_find_signal(m.spec, "d-2"), 0.02);
    double w = sqrt(MOMENT / INERTIA);
    hf_reading_run(&m, 0.4);
    hf_check_near(hf_reading_q(&m, "bars.a", 0), -0.02 / MOMENT * (1.0 - cos(w * 0.4)), 2e-6, "a",
                  "closed form");
    hf_reading_end(&m);
    hf_robot_destroy(robot);
}

// A block on a cart, both slide along x; a slide between the block and the world closes the chain,
// with friction of 3 N, a damper and limits. The block alone feels them.
static void test_a_slide(void **state)
{
    (void)state;
    hf_robot *robot = hf_reading_load(
        "<sdf version='1.7'><model name='s'>" BAR("cart", "0 0 0 0 0 0") BAR(
            "block",
            "0 0 0.2 0 0 0") "<joint name='a' type='prismatic'><parent>world</parent><child>cart"
                             "</child><axis><xyz>1 0 0</xyz></axis></joint>"
                             "<joint name='b' type='prismatic'><parent>cart</parent><child>block"
                             "</child><axis><xyz>1 0 0</xyz></axis></joint>"
                             "<joint name='c' type='prismatic'><parent>world</parent><child>block"
                             "</child><axis><xyz>1 0 0</xyz><dynamics><friction>3</friction>"
                             "<damping>0.5</damping></dynamics><limit><lower>-9</lower><upper>0.4"
                             "</upper></limit></axis></joint></model></sdf>",
        NULL);
    assert_int_equal(hf_reading_missing(robot), 0);
    // Held: below 3 N on the block, whatever the cart does
    hf_reading_machine m = hf_reading_start(robot, "gravity=[2.9, 0, 0]");
    hf_reading_run(&m, 1.0);
    hf_check_near(hf_reading_q(&m, "s.a", 0), 0.5 * 2.9, 3e-3, "cart", "g t^2/2");
    hf_check_near(hf_reading_q(&m, "s.a", 0) + hf_reading_q(&m, "s.b", 0), 0.0, 1e-12, "block",
                  "held");
    hf_reading_end(&m);
    // v' = g - 3 - v/2 for 1 kg: at first 1 N is left; at last it rests on its limit
    m = hf_reading_start(robot, "gravity=[4, 0, 0]");
    hf_reading_run(&m, 0.5);
    double x = 2.0 * (0.5 - 2.0 * (1.0 - exp(-0.25)));
    hf_check_near(hf_reading_q(&m, "s.a", 0) + hf_reading_q(&m, "s.b", 0), x, 1e-3, "block",
                  "closed form");
    hf_reading_run(&m, 2.0);
    hf_check_near(hf_reading_q(&m, "s.a", 0) + hf_reading_q(&m, "s.b", 0), 0.4, 1e-9, "block",
                  "its limit");
    hf_reading_end(&m);
    hf_robot_destroy(robot);
}

// Two robots with loops in one world, turned and moved: the same machine.
static void test_where_it_stands(void **state)
{
    (void)state;
    const char *axis = "<dynamics><friction>0.3</friction><damping>0.2</damping></dynamics>"
                       "<limit><lower>-0.1</lower><upper>0.3</upper></limit>";
    char text[4800];
    (void)snprintf(
        text, sizeof text,
        "<sdf version='1.7'><world name='w'><gravity>0 0 -9.81</gravity><model name='one'>"
        "<pose>3 -1 2 0 0.05 0.7</pose>" BARS HINGE(
            "d", "right", "low", "1 0 -1 0 0 0",
            "%s") "</model><model name='two'><pose>0 5 1 0 0.05 -2</pose>" BARS
            HINGE("d", "right", "low", "1 0 -1 0 0 0", "%s") "</model></world></sdf>",
        axis, axis);
    hf_robot *robot = hf_reading_load(text, NULL);
    assert_int_equal(hf_reading_missing(robot), 0);
    hf_reading_machine m = hf_reading_start(robot, NULL);
    double tree = 0.0, end = 0.0;
    for (int i = 1; i <= 200; ++i) {
        hf_reading_run(&m, i * 0.01);
        double one = hf_reading_q(&m, "w.a", 0), two = hf_reading_q(&m, "w.a-2", 0);
        hf_check_near(one, two, 1e-9, "crank", "of the other robot");
        tree = fmax(tree, fabs(one)), end = one;
    }
    // Weight to the side of a tilt of 0.05: it swings, and rests where friction holds it
    assert_true(tree > 0.03 && tree < 0.1);
    assert_true(fabs(MOMENT * sin(fabs(end) - 0.05)) <= 0.3 + 1e-6);
    assert_true(fabs(end) < PI);
    hf_reading_end(&m);
    hf_robot_destroy(robot);
}

// What no loop can be stays in the tree, and the joint before it closes the chain: a limit of the
// speed, one of turns beyond half a turn, a universal joint, a screw. The same swings as of cranks
// whose later joint closes it.
static void test_the_other_joint_closes(void **state)
{
    (void)state;
    const char *const kinds[] = {
        HINGE("d", "right", "low", "1 0 -1 0 0 0", "<limit><velocity>5</velocity></limit>"),
        HINGE("d", "right", "low", "1 0 -1 0 0 0",
              "<limit><lower>-1</lower><upper>4</upper></limit>"),
        "<joint name='d' type='universal'><pose relative_to='__model__'>1 0 -1 0 0 0</pose>"
        "<parent>right</parent><child>low</child><axis><xyz>0 1 0</xyz></axis>"
        "<axis2><xyz>1 0 0</xyz></axis2></joint>"};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i) {
        char text[2800];
        (void)snprintf(text, sizeof text,
                       "<sdf version='1.7'><model name='bars'>" BARS "%s</model></sdf>", kinds[i]);
        hf_robot *robot = hf_reading_load(text, NULL);
        assert_int_equal(hf_reading_missing(robot), 0);
        hf_reading_machine m = hf_reading_start(robot, "gravity=[0.3, 0, -9.81]");
        double w = sqrt(MOMENT / INERTIA);
        for (int k = 1; k <= 100; ++k) {
            hf_reading_run(&m, k * 0.01);
            double a = -2.0 * 0.3 / MOMENT * (1.0 - cos(w * k * 0.01));
            hf_check_near(hf_reading_q(&m, "bars.a", 0), a, 2e-2 * fabs(a) + 2e-5, "swing",
                          "closed form of small ones");
            hf_check_near(hf_reading_q(&m, "bars.b", 0), hf_reading_q(&m, "bars.a", 0), 1e-12,
                          "the other crank", "parallel");
        }
        hf_reading_end(&m);
        hf_robot_destroy(robot);
    }
}

// A nut on a screw beside its slide: the screw turns it by 2 pi in 0.1 m (of the file: -2 pi in it,
// as Gazebo counts), the slide to a guide that does not turn closes the chain. A force along it
// moves nut and turn together: x'' (m + J k^2) = m g.
static void test_a_screw(void **state)
{
    (void)state;
    hf_robot *robot = hf_reading_load(
        "<sdf version='1.11'><model name='s'>" BAR("guide", "0 0 0 0 0 0")
            BAR("nut",
                "0 0 0 0 0 0") "<joint name='a' type='prismatic'><parent>world</parent>"
                               "<child>guide</child><axis><xyz>0 0 1</xyz></axis></joint>"
                               "<joint name='b' type='revolute'><parent>guide</parent><child>nut"
                               "</child><axis><xyz>0 0 1</xyz></axis></joint>"
                               "<joint name='c' type='screw'><parent>world</parent><child>nut"
                               "</child><axis><xyz>0 0 1</xyz></axis>"
                               "<screw_thread_pitch>0.1</screw_thread_pitch></joint></model></sdf>",
        NULL);
    assert_int_equal(hf_reading_missing(robot), 0);
    hf_reading_machine m = hf_reading_start(robot, "gravity=[0, 0, -2]");
    hf_reading_run(&m, 1.0);
    double k = 2.0 * PI / 0.1, a = -2.0 * 2.0 / (2.0 + 0.1 * k * k);
    hf_check_near(hf_reading_q(&m, "s.a", 0), 0.5 * a, 2e-3 * fabs(a), "the guide", "x'' t^2/2");
    hf_check_near(fabs(hf_reading_q(&m, "s.c", 0)), fabs(hf_reading_q(&m, "s.a", 0)) * k, 1e-9,
                  "the turn", "2 pi x/pitch");
    hf_reading_end(&m);
    hf_robot_destroy(robot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spring_and_damper),
        cmocka_unit_test(test_friction_holds),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_limits_that_coincide),
        cmocka_unit_test(test_its_drive),
        cmocka_unit_test(test_a_slide),
        cmocka_unit_test(test_where_it_stands),
        cmocka_unit_test(test_the_other_joint_closes),
        cmocka_unit_test(test_a_screw),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
