// SPDX-License-Identifier: Apache-2.0
// Controllers in model files: their keys, references of every kind, and mistakes.
#include "models_test.h"

#include "spec/spec_data.h"

#define CART        "bodies: {cart: {type: mass, dim: 1, mass: 1}, other: {type: mass, dim: 1, mass: 1}}\n"
#define MOTOR(keys) CART "forces:\n  - {name: motor, type: controller, on: cart, " keys "}\n"

static void every_key(void **state)
{
    (void)state;
    hf_spec *spec =
        parse_good(MOTOR("to: other, reference: 0.5, reference_rate: 0.1, feed_forward: 2,\n"
                         "     proportional: 10, integral: 20, derivative: 3, bias: -1, low: -5,\n"
                         "     high: 6, anti_windup: 0.4, period: 0.01, differences: true"));
    const hf_force_def *force = &spec->forces[0];
    const hf_pid_def *def = force->def;
    assert_int_equal(force->law, HF_LAW_PID);
    assert_int_equal(force->coupling.to_coordinate.body.id, 2);
    assert_true(force->has_rate);
    const double inputs[] = {force->values[HF_PID_REFERENCE].constant,
                             force->values[HF_PID_REFERENCE_RATE].constant,
                             force->values[HF_PID_FEED_FORWARD].constant};
    hf_check_near_array(inputs, NUMBERS(0.5, 0.1, 2), 3, 0, "inputs", "the file");
    const double numbers[] = {def->proportional, def->integral, def->derivative,  def->bias,
                              def->low,          def->high,     def->anti_windup, def->period};
    hf_check_near_array(numbers, NUMBERS(10, 20, 3, -1, -5, 6, 0.4, 0.01), 8, 0, "numbers",
                        "the file");
    assert_true(def->differences);
    hf_spec_destroy(spec);
}

// A constant, a signal by name, an expression; rates follow.
static void references(void **state)
{
    (void)state;
    static const struct {
        const char *keys;
        double reference, force; // at t = 0, x = v = 0 with Kp = 10, Kd = 2
    } cases[] = {
        {"reference: 0.5", 0.5, 5.0},
        {"reference: path", 0.3, 3.0 + 2.0 * 0.8},
        {"reference: '0.1 + sin(3*t)'", 0.1, 1.0 + 2.0 * 3.0},
        {"reference: '0.1 + sin(3*t)', reference_rate: 'cos(t)'", 0.1, 1.0 + 2.0},
        {"reference: table", 1.0, 10.0 + 2.0 * 4.0},
        {"reference: knob, feed_forward: path", 0.7, 7.0 + 0.3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        char text[800];
        (void)snprintf(text, sizeof text,
                       CART "signals:\n"
                            "  path: {fourier: {offset: 0.2, period: 6.283185307179586,\n"
                            "    cosines: [0.1], sines: [0.8]}}\n"
                            "  table: {table: {points: [[0, 1], [1, 5]]}}\n"
                            "  knob: {input: 0.7}\n"
                            "forces:\n"
                            "  - {name: motor, type: controller, on: cart, %s,\n"
                            "     proportional: 10, derivative: 2}\n",
                       cases[i].keys);
        hf_spec *spec = parse_good(text);
        hf_error error = {0};
        hf_model *model = hf_model_compile(spec, &error);
        assert_non_null(model);
        hf_sim *sim = hf_sim_create(model, NULL, &error);
        assert_non_null(sim);
        hf_channel reference = hf_model_find_channel(model, "motor.reference");
        hf_channel force = hf_model_find_channel(model, "motor.force");
        hf_check_near(hf_sim_value(sim, reference), cases[i].reference, 1e-15, cases[i].keys,
                      "by hand");
        hf_check_near(hf_sim_value(sim, force), cases[i].force, 1e-14, cases[i].keys, "by hand");
        hf_sim_destroy(sim);
        hf_model_destroy(model);
        hf_spec_destroy(spec);
    }
}

static void channels_and_units(void **state)
{
    (void)state;
    hf_spec *spec = parse_good(
        "bodies:\n"
        "  arm: {type: tree, joints: {elbow: {type: revolute, mass: 1,\n"
        "    inertia: [0.1, 0.1, 0.1]}}}\n"
        "forces:\n"
        "  - {name: servo, type: controller, on: arm.elbow, reference: 1, proportional: 1}\n");
    hf_error error = {0};
    hf_model *model = hf_model_compile(spec, &error);
    assert_non_null(model);
    static const char *const names[][2] = {
        {"servo.force", "Nm"},    {"servo.reference", "rad"}, {"servo.error", "rad"},
        {"servo.integral", "Nm"}, {"servo.saturated", ""},    {"servo.input", "J"},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        hf_channel channel = hf_model_find_channel(model, names[i][0]);
        assert_int_not_equal(channel.id, 0);
        assert_string_equal(hf_model_channel_unit(model, channel), names[i][1]);
    }
    assert_int_equal(hf_model_find_channel(model, "servo.dissipated").id, 0);
    hf_model_destroy(model);
    hf_spec_destroy(spec);
}

static void mistakes(void **state)
{
    (void)state;
    expect_error(MOTOR("proportional: 1"), "controller 'motor': reference is missing");
    expect_error(MOTOR("reference: 0, proportional: -1"),
                 "model.yaml:3:75: controller 'motor': proportional must be zero or positive");
    expect_error(MOTOR("reference: 0, proportinal: 1"), "did you mean 'proportional'");
    expect_error(MOTOR("reference: pth"), "reference: unknown name 'pth'");
    expect_error(MOTOR("reference: [0, 1]"), "reference must be a number, a signal or an");
    expect_error(MOTOR("reference: 0, low: 1, high: 0"), "high must be above low, got 0");
    expect_error(MOTOR("reference: 0, law: spring"), "law must be pid");
    expect_error(MOTOR("reference: 0, period: 1e-8"), "period must be 0 (continuous), or at least");
    expect_error(MOTOR("reference: 0, differences: true"), "differences needs a period");
    expect_error(MOTOR("reference: 0, integral: 1, high: 1"), "anti_windup must be given");
    expect_error("bodies: {puck: {type: mass, axes: xy, mass: 1}}\n"
                 "forces:\n  - {name: motor, type: controller, on: puck, reference: 0}\n",
                 "the law pid goes on 1 to 1 coordinates, not on 2");
    expect_error_with(MOTOR("reference: 0"), "forces.motor.anti_windup=-1",
                      "anti_windup must be positive");
}

static void overrides(void **state)
{
    (void)state;
    const char *text = MOTOR("reference: 0, proportional: 10");
    static const char *const items[] = {"forces.motor.proportional=25",
                                        "forces.motor.reference='sin(t)'"};
    hf_overrides changes = {.items = items, .count = 2};
    hf_error error = {0};
    hf_spec *spec = hf_spec_parse(text, strlen(text), "model.yaml", NULL, &changes, &error);
    assert_non_null(spec);
    const hf_pid_def *def = spec->forces[0].def;
    assert_true(def->proportional == 25.0);
    assert_int_equal(spec->forces[0].values[0].signal.id, 1);
    hf_spec_destroy(spec);
}

int main(void)
{
    const struct CMUnitTest controllers[] = {
        cmocka_unit_test(every_key),          cmocka_unit_test(references),
        cmocka_unit_test(channels_and_units), cmocka_unit_test(mistakes),
        cmocka_unit_test(overrides),
    };
    return hf_run_tests(controllers);
}
