// SPDX-License-Identifier: Apache-2.0
// What bounces in SDF, limits that are infinite, and where errors of the made model are told.
#include "reading.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define BOUNCE(coefficient, threshold)                                                             \
    "<surface><bounce><restitution_coefficient>" coefficient                                       \
    "</restitution_coefficient>" threshold "</bounce></surface>"

// A ball dropped by 1 m on a floor: how fast it is after 0.6 s, 0.1485 s after it has touched.
static double speed_after(const char *floor, const char *ball)
{
    char text[2000];
    (void)snprintf(
        text, sizeof text,
        "<sdf version='1.9'><world name='w'><model name='f'><static>1</static><link name='l'>"
        "<collision name='c'><geometry><plane/></geometry>%s</collision></link></model>"
        "<model name='b'><pose>0 0 1.1 0 0 0</pose><link "
        "name='k'><inertial><mass>1</mass></inertial>"
        "<collision name='c'><geometry><sphere><radius>0.1</radius></sphere></geometry>%s"
        "</collision></link></model></world></sdf>",
        floor, ball);
    hf_robot *robot = hf_reading_load(text, NULL);
    assert_int_equal(hf_reading_missing(robot), 0);
    hf_reading_machine m = hf_reading_start(robot, NULL);
    hf_reading_run(&m, 0.6);
    double v = hf_reading_v(&m, "w.k", 2);
    hf_reading_end(&m);
    hf_robot_destroy(robot);
    return v;
}

// The smaller coefficient, above the smaller threshold. Without thresholds nothing bounces: the
// format's default is 100 km/s.
static void test_bounces(void **state)
{
    (void)state;
    static const struct {
        const char *floor, *ball;
        double factor;
    } cases[] = {
        {BOUNCE("0.8", "<threshold>0</threshold>"), BOUNCE("0.5", "<threshold>0</threshold>"), 0.5},
        {BOUNCE("0.8", ""), BOUNCE("0.5", "<threshold>0</threshold>"), 0.5},
        {BOUNCE("0.5", "<threshold>0.01</threshold>"), BOUNCE("0.8", ""), 0.5},
        {"", BOUNCE("0.5", "<threshold>0</threshold>"), 0.0},
        {BOUNCE("0.8", ""), BOUNCE("0.5", ""), 0.0},
        {BOUNCE("0.8", "<threshold>1e6</threshold>"), BOUNCE("0.8", ""), 0.0},
    };
    double t = sqrt(2.0 / 9.81), down = 9.81 * t;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        double want = cases[i].factor > 0.0 ? cases[i].factor * down - 9.81 * (0.6 - t) : 0.0;
        hf_check_near(speed_after(cases[i].floor, cases[i].ball), want, 0.02, cases[i].floor,
                      "e v - g t");
    }
}

// Two that do not bounce at speeds that occur, beside a third that does: each pair by itself.
static void test_pairs_of_thresholds(void **state)
{
    (void)state;
    hf_robot *robot = hf_reading_load(
        "<sdf version='1.9'><model name='m'><link name='a'><collision name='a'><geometry><sphere>"
        "<radius>1</radius></sphere></geometry>" BOUNCE(
            "0.8", "") "</collision></link><link "
                       "name='b'><pose>3 0 0 0 0 0</pose><collision "
                       "name='b'><geometry><sphere><radius>1</radius>"
                       "</sphere></geometry>" BOUNCE(
                           "0.5", "<threshold>0.1</threshold>") "</collision></link>"
                                                                "</model></sdf>",
        NULL);
    hf_reading_has(robot, "restitution_rule: minimum");
    hf_reading_has(robot, "pairs:\n  - {between: [surface, surface], restitution: 0}\n");
    hf_robot_item item = hf_reading_item(robot, "restitution_coefficient", NULL);
    assert_int_equal(item.lot, HF_ROBOT_OTHERWISE);
    assert_int_equal(hf_reading_item(robot, "threshold", NULL).lot, HF_ROBOT_OTHERWISE);
    hf_robot_destroy(robot);
}

// The format's own word for "none", as its tools write it.
static void test_infinite_limits(void **state)
{
    (void)state;
    static const char sdf[] =
        "<sdf version='1.9'><model name='m'><link name='a'/><joint name='j' type='revolute'>"
        "<parent>world</parent><child>a</child><axis><xyz>0 0 1</xyz><limit><lower>-inf</lower>"
        "<upper> %s </upper><effort>Inf</effort><velocity>+Infinity</velocity></limit></axis>"
        "</joint></model></sdf>";
    static const char urdf[] =
        "<robot name='m'><link name='world'/><link name='a'><inertial><mass value='1'/><inertia "
        "ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link><joint name='j' "
        "type='revolute'><parent link='world'/><child link='a'/><limit lower='-inf' upper='%s' "
        "effort='inf' velocity='INF'/></joint></robot>";
    for (int i = 0; i < 4; ++i) {
        char text[900];
        (void)snprintf(text, sizeof text, i < 2 ? sdf : urdf, i % 2 == 0 ? "inf" : "2");
        hf_robot *robot = hf_reading_load(text, NULL);
        assert_int_equal(hf_reading_missing(robot), 0);
        hf_reading_lacks(robot, "speed");
        hf_reading_lacks(robot, "signals");
        (i % 2 == 0 ? hf_reading_lacks : hf_reading_has)(robot, "limits: {high: 2}");
        const char *element = i < 2 ? "effort" : "limit", *attribute = i < 2 ? NULL : "effort";
        assert_int_equal(hf_reading_item(robot, element, attribute).lot, HF_ROBOT_SEEN);
        hf_robot_destroy(robot);
    }
}

// What is wrong with the machine alone has its place in the model file that was made.
static void test_errors_of_the_made_model(void **state)
{
    (void)state;
    static const char text[] =
        "<robot name='r'><link name='world'/><link name='a'/><joint name='j' type='continuous'>"
        "<parent link='world'/><child link='a'/></joint></robot>";
    hf_error error = {0};
    assert_null(hf_model_parse(text, strlen(text), "r.urdf", NULL, NULL, &error));
    if (strncmp(error.text, "r.urdf, as a model file:", 24) != 0) {
        fail_msg("%s", error.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bounces),
        cmocka_unit_test(test_pairs_of_thresholds),
        cmocka_unit_test(test_infinite_limits),
        cmocka_unit_test(test_errors_of_the_made_model),
    };
    return hf_run_tests(tests);
}
