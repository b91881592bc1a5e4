// SPDX-License-Identifier: Apache-2.0
// `parameters:`, formulas and units in numbers.
#include "models_test.h"

#include <math.h>

#define MODEL(parameters)                                                                          \
    "name: test\n"                                                                                 \
    "parameters: {" parameters "}\n"                                                               \
    "bodies:\n"                                                                                    \
    "  block: {type: mass, dim: 1, mass: m1}\n"                                                    \
    "  arm: {type: tree, joints: {elbow: {type: revolute, axis: [0, 0, 1], mass: 1,\n"             \
    "    inertia: [1, 1, 1], position: 30 deg, velocity: 3 rpm, armature: 5 kg*m^2}}}\n"           \
    "signals:\n"                                                                                   \
    "  pull: m1*t\n"                                                                               \
    "forces:\n"                                                                                    \
    "  - {name: spring, on: block, to: pull, type: spring, stiffness: 2 N/mm, rest: 3 mm}\n"       \
    "  - {name: floor, on: block, type: friction, level: {friction: 0.3}, normal: 9.81*m1}\n"      \
    "  - {name: twist, on: arm.elbow, type: spring, stiffness: 2 Nm/rad}\n"                        \
    "  - {name: rub, on: arm.elbow, type: friction, level: {coulomb: 20 Ncm}}\n"                   \
    "  - {name: push, on: block, type: force, value: 2 kN}\n"

static void numbers_are_formulas(void **state)
{
    (void)state;
    // In any order, with units, by each other
    hf_spec *spec = parse_good(MODEL("m1: rho*side^3, side: 20 cm, rho: {value: 2, unit: t/m^3}"));
    hf_check_near(((const hf_mass_def *)spec->bodies[0].def)->mass, 2000.0 * 0.2 * 0.2 * 0.2, 1e-12,
                  "mass", "formula");
    const hf_spring_def *spring = force_of(spec, "spring")->def;
    hf_check_near(spring->stiffness, 2000.0, 0, "stiffness", "N/mm");
    hf_check_near(spring->rest, 3e-3, 1e-18, "rest", "mm");
    hf_check_near(force_of(spec, "floor")->normal.value.constant, 9.81 * 16.0, 1e-12, "normal",
                  "formula");
    assert_int_equal(force_of(spec, "floor")->normal.value.signal.id, 0);
    hf_check_near(force_of(spec, "push")->values[0].constant, 2000.0, 0, "push", "kN");
    const hf_stiction_def *rub = force_of(spec, "rub")->def;
    hf_check_near(rub->level.kinetic[0], 0.2, 1e-16, "level", "Ncm");
    assert_int_equal(spec->parameter_count, 3);
    assert_string_equal(spec->parameters[1].name, "side");
    assert_string_equal(spec->parameters[1].unit, "cm");
    hf_check_near(spec->parameters[1].value, 0.2, 1e-16, "side", "cm");
    hf_spec_destroy(spec);
}

// Where the unit of an entry is not known, a parameter is its value in SI units.
static void parameters_stand_in_tables(void **state)
{
    (void)state;
    hf_spec *spec = parse_good("name: test\n"
                               "parameters: {A: 2 kN, on: 200 ms}\n"
                               "bodies: {block: {type: mass, dim: 1, mass: 1}}\n"
                               "signals: {ramp: {table: {points: [[0, 0], [on, A]]}}}\n"
                               "forces: [{name: f, on: block, type: force, value: ramp}]\n");
    hf_spec_destroy(spec);
    expect_error("name: test\n"
                 "bodies: {block: {type: mass, dim: 1, mass: 1}}\n"
                 "signals: {ramp: {table: {points: [[0, 0], [0.2, 2 kN]]}}}\n",
                 "model.yaml:3:49: signal 'ramp': points[1][1] takes no unit here");
}

static void the_model_lists_them(void **state)
{
    (void)state;
    hf_error error = {0};
    const char *text = MODEL("m1: {value: 3, unit: kg, range: [0, 5], about: the block}, mu: 0.2");
    hf_spec *spec = parse_good(text);
    hf_model *model = hf_model_compile(spec, &error);
    assert_non_null(model);
    hf_spec_destroy(spec);
    assert_int_equal(hf_model_parameter_count(model), 2);
    hf_parameter_def first = hf_model_parameter(model, 0), second = hf_model_parameter(model, 1);
    assert_string_equal(first.about, "the block");
    hf_check_near(first.high, 5.0, 0, "high", "range");
    assert_string_equal(second.unit, "");
    assert_true(isinf(second.low) && isinf(second.high));
    hf_model_destroy(model);
}

static void set_reaches_them_by_name(void **state)
{
    (void)state;
    hf_error error = {0};
    const char *text = MODEL("m1: {value: 3, unit: kg}, other: m1/2");
    const char *items[] = {"m1=4000 g", "parameters.other=7"};
    hf_overrides overrides = {.items = items, .count = 2};
    hf_spec *spec = hf_spec_parse(text, strlen(text), "model.yaml", NULL, &overrides, &error);
    if (spec == NULL) {
        fail_msg("%s", error.text);
    }
    hf_check_near(((const hf_mass_def *)spec->bodies[0].def)->mass, 4.0, 1e-15, "mass", "--set");
    hf_check_near(spec->parameters[1].value, 7.0, 0, "other", "--set");
    hf_spec_destroy(spec);
}

static void wrong_ones_are_refused_at_their_place(void **state)
{
    (void)state;
    expect_error(MODEL("m1: m2, m2: 2*m1"),
                 "model.yaml:2:14: parameter 'm1': it is defined by itself");
    expect_error(MODEL("m1: 2*mm"), "model.yaml:2:18: parameter 'm1': unknown name 'mm'");
    expect_error(MODEL("m1: 5 m/s/"), "parameter 'm1': unknown unit 'm/s/'");
    expect_error_with(MODEL("m1: 1"), "bodies.block.mass=2 stone", "unknown unit 'stone'");
    expect_error(MODEL("m1: 2, t: 3"), "parameter 't': the name 't' has a meaning");
    expect_error(MODEL("m1: 2, a-b: 3"), "parameter 'a-b': a parameter's name must be letters");
    expect_error(MODEL("m1: [2]"),
                 "expected a number, a number with a unit or a formula, got a list");
    expect_error(MODEL("m1: 1/0"), "the value is inf, not finite");
    expect_error(MODEL("m1: {value: 3, range: [4, 5]}"), "3 is outside of the parameter's range");
    expect_error(MODEL("m1: {value: 3, unit: g, range: [4, 5]}"), "range, 4 to 5 g");
    expect_error(MODEL("m1: {value: 3, range: [5, 4]}"), "low < high");
    expect_error(MODEL("m1: {value: 3, unit: stone}"), "unknown unit 'stone'");
    expect_error(MODEL("m1: {value: 3 m, unit: kg}"), "value must be in kg, got '3 m'");
    expect_error(MODEL("m1: {unit: kg}"), "value");
    expect_error(MODEL("m1: 3 N"), "mass must be in kg, got 'm1', a parameter in N");
    expect_error(MODEL("m1: 0"), "mass must be positive, got m1, which is 0");
    expect_error_with(MODEL("m1: 1"), "forces.twist.stiffness=2 Nm",
                      "stiffness must be in Nm/rad, got '2 Nm'");
    expect_error_with(MODEL("m1: 1"), "forces.spring.stiffness=2 Nm",
                      "stiffness must be in N/m, got '2 Nm'");
    expect_error_with(MODEL("m1: 1"), "forces.rub.level.coulomb=2 N", "coulomb must be in Nm");
    expect_error_with(MODEL("m1: 1"), "forces.floor.level.friction=2 N",
                      "friction must be a pure number, got '2 N'");
    expect_error_with(MODEL("m1: 1"), "bodies.block.mass=\"2\"",
                      "mass must be a number, got the text '2'");
    expect_error_with(MODEL("m1: 1"), "bodies.block.mass=2*t", "unknown name 't'");
    expect_error_with(MODEL("m1: 1"), "signals.m1=3", "the name 'm1' has a meaning");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_formulas), cmocka_unit_test(the_model_lists_them),
        cmocka_unit_test(parameters_stand_in_tables), cmocka_unit_test(set_reaches_them_by_name),
        cmocka_unit_test(wrong_ones_are_refused_at_their_place)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
