// SPDX-License-Identifier: Apache-2.0
// Units: factors, dimensions, and what is no unit.
#include <hf_test.h>

#include <string.h>

#include "base/measure.h"

static hf_measure good(const char *text, bool turning)
{
    hf_measure measure;
    size_t position = 0;
    if (!hf_measure_parse(text, turning, &measure, &position)) {
        fail_msg("'%s' was refused at letter %zu", text, position);
    }
    return measure;
}

static void factors_are_those_of_si(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double factor;
        int power[HF_MEASURE_BASES];
    } cases[] = {
        {"", 1.0, {0, 0, 0, 0}},
        {"mm", 1e-3, {0, 1, 0, 0}},
        {"rpm", 0.10471975511965977, {0, 0, -1, 1}},
        {"deg", 0.017453292519943295, {0, 0, 0, 1}},
        {"N/mm", 1e3, {1, 0, -2, 0}},
        {"N / mm", 1e3, {1, 0, -2, 0}},
        {"N*m", 1.0, {1, 2, -2, 0}},
        {"Nms/rad", 1.0, {1, 2, -1, -1}},
        {"mNm s/rad", 1e-3, {1, 2, -1, -1}},
        {"kg*m^2", 1.0, {1, 2, 0, 0}},
        {"g cm^2", 1e-7, {1, 2, 0, 0}},
        {"m s^-2", 1.0, {0, 1, -2, 0}},
        {"1/s", 1.0, {0, 0, -1, 0}},
        {"%", 1e-2, {0, 0, 0, 0}},
        {"km/h", 1.0 / 3.6, {0, 1, -1, 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        hf_measure m = good(cases[i].text, false);
        hf_check_near(m.factor, cases[i].factor, 1e-15 * cases[i].factor, cases[i].text, "SI");
        assert_memory_equal(m.power, cases[i].power, sizeof m.power);
    }
}

static void turning_units_are_those_about_an_axis(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {{"N", "Nm"},      {"N/m", "Nm/rad"}, {"Ns/m", "Nms/rad"},
                                           {"kg", "kg*m^2"}, {"m/s", "rad/s"},  {"s", "s"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; ++i) {
        hf_measure turned = good(pairs[i][0], true), plain = good(pairs[i][1], false);
        assert_true(hf_measure_same(&turned, &plain));
    }
    // A torque is no stiffness: the angle is a dimension.
    hf_measure torque = good("Nm", false), stiffness = good("Nm/rad", false);
    assert_false(hf_measure_same(&torque, &stiffness));
}

static void what_is_no_unit_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {"foo",  "N/",  "/m", "N//m", "m^",  "m^0", "m^-",
                                      "m^22", "N,m", "*",  "2",    "m 2", "Mm^x"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        hf_measure measure;
        size_t position = 99;
        if (hf_measure_parse(bad[i], false, &measure, &position)) {
            fail_msg("'%s' was taken for a unit", bad[i]);
        }
        assert_true(position <= strlen(bad[i]));
    }
    char buffer[HF_MEASURE_SHOWN];
    hf_measure m = good("N/m", false);
    assert_string_equal(hf_measure_show(&m, buffer), "kg/s^2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(factors_are_those_of_si),
                                       cmocka_unit_test(turning_units_are_those_about_an_axis),
                                       cmocka_unit_test(what_is_no_unit_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
