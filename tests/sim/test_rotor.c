// SPDX-License-Identifier: Apache-2.0
// Rotors: a clutch that locks, a torsional oscillator and a gear against closed forms, under all
// methods that take them; units, parameters and what is refused.
#include <math.h>
#include <string.h>

#include <holdfast/parameter.h>

#include "hf_test.h"
#include "loop_scenes.h"

static const hf_method_type METHODS[] = {HF_METHOD_EULER,    HF_METHOD_SEMI_IMPLICIT_EULER,
                                         HF_METHOD_RK4,      HF_METHOD_RK4_TAU,
                                         HF_METHOD_DISCRETE, HF_METHOD_ADAPTIVE,
                                         HF_METHOD_SWITCH,   HF_METHOD_TIMESTEP};
enum { METHOD_COUNT = sizeof METHODS / sizeof *METHODS };

// Slips for w0 / (T (1/J1 + 1/J2)) = 10/21 s, then both turn with J1 w0 / (J1 + J2).
static const char CLUTCH[] =
    "bodies:\n"
    "  motor: {type: rotor, inertia: 0.2, velocity: 10}\n"
    "  wheel: {type: rotor, inertia: 0.5, position: 1}\n"
    "forces:\n"
    "  - {name: clutch, on: motor, to: wheel, type: friction, law: coulomb, level: {coulomb: 3}}\n";

static void test_clutch(void **state)
{
    (void)state;
    const hf_method_type methods[] = {HF_METHOD_SEMI_IMPLICIT_EULER, HF_METHOD_DISCRETE,
                                      HF_METHOD_SWITCH, HF_METHOD_TIMESTEP};
    double common = 0.2 * 10.0 / 0.7;
    for (int i = 0; i < 4; ++i) {
        const char *name = hf_method_name(methods[i]);
        hf_sim *sim = loop_scene_start(loop_scene_parse(CLUTCH), methods[i], 1e-3);
        loop_scene_run(sim, 0.2);
        hf_check_near(loop_scene_value(sim, "motor.velocity"), 10.0 - 15.0 * 0.2, 1e-9, name,
                      "w0 - T t / J1");
        hf_check_near(loop_scene_value(sim, "clutch.force"), -3.0, 1e-12, name, "its level");
        loop_scene_run(sim, 0.6);
        hf_check_near(loop_scene_value(sim, "motor.velocity"), common, 1e-8, name, "momentum");
        hf_check_same_bits(loop_scene_value(sim, "wheel.velocity"),
                           loop_scene_value(sim, "motor.velocity"), name);
        assert_true(loop_scene_value(sim, "clutch.mode") == 0.0);
        hf_energy energy = hf_sim_energy(sim);
        hf_check_near(energy.kinetic, 0.5 * 0.7 * common * common, 1e-7, name, "J w^2 / 2");
        double lost = 0.5 * 0.2 * 100.0 - 0.5 * 0.7 * common * common;
        hf_check_near(energy.dissipated, lost, 0.02, name, "lost in the clutch");
        loop_scene_finish(sim);
    }
}

// Against each other on a spring: w^2 = k (1/J1 + 1/J2).
static void test_oscillator(void **state)
{
    (void)state;
    double w = sqrt(4.0 * (1.0 / 0.2 + 1.0 / 0.5));
    for (int i = 0; i < METHOD_COUNT; ++i) {
        const char *name = hf_method_name(METHODS[i]);
        bool exact = METHODS[i] == HF_METHOD_RK4 || METHODS[i] == HF_METHOD_RK4_TAU ||
                     METHODS[i] == HF_METHOD_ADAPTIVE || METHODS[i] == HF_METHOD_SWITCH;
        hf_sim *sim = loop_scene_start(
            loop_scene_parse("bodies:\n"
                             "  a: {type: rotor, inertia: 0.2, position: 90 deg}\n"
                             "  b: {type: rotor, inertia: 0.5}\n"
                             "forces:\n"
                             "  - {name: shaft, on: a, to: b, type: spring, stiffness: 4}\n"),
            METHODS[i], 1e-3);
        loop_scene_run(sim, 1.0);
        double twist = loop_scene_value(sim, "a.position") - loop_scene_value(sim, "b.position");
        hf_check_near(twist, 0.5 * LOOP_PI * cos(w), exact ? 1e-4 : 0.05, name, "cos(w t)");
        hf_check_near(0.2 * loop_scene_value(sim, "a.velocity") +
                          0.5 * loop_scene_value(sim, "b.velocity"),
                      0.0, 1e-12, name, "no torque from outside");
        loop_scene_finish(sim);
    }
}

// A gear of 1 : -12, a rack and a tree's joint beside rotors.
static void test_gear(void **state)
{
    (void)state;
    double a = (12.0 * 0.5 - 0.1 * 20.0) / (144.0 * 0.01 + 2.0 + 0.1 + 0.3);
    for (int i = 0; i < METHOD_COUNT; ++i) {
        const char *name = hf_method_name(METHODS[i]);
        hf_sim *sim = loop_scene_start(
            loop_scene_parse(
                "bodies:\n"
                "  load: {type: mass, dim: 1, mass: 10}\n"
                "  motor: {type: rotor, inertia: 0.01}\n"
                "  drum: {type: rotor, inertia: 2}\n"
                "  far: {type: tree, joints: {shaft: {type: revolute, armature: 0.3}}}\n"
                "loops:\n"
                "  gear: {type: ratio, ratio: {motor: 1, drum: -12}}\n"
                "  rope: {type: ratio, ratio: {load: 1, drum: -0.1}}\n"
                "  belt: {type: ratio, ratio: {far.shaft: 1, drum: -1}}\n"
                "forces:\n"
                "  - {name: drive, on: motor, type: torque, value: 0.5}\n"
                "  - {name: weight, on: load, type: force, value: -20}\n"),
            METHODS[i], 1e-2);
        loop_scene_run(sim, 1.0);
        hf_check_near(loop_scene_value(sim, "drum.velocity"), a, 1e-9, name, "a t");
        hf_check_near(loop_scene_value(sim, "motor.velocity"), 12.0 * a, 1e-8, name, "12 a t");
        hf_check_near(loop_scene_value(sim, "far.shaft.velocity"), a, 1e-9, name, "a t");
        loop_scene_finish(sim);
    }
}

static void test_units(void **state)
{
    (void)state;
    hf_sim *sim = loop_scene_start(loop_scene_parse(CLUTCH), HF_METHOD_TIMESTEP, 1e-3);
    const hf_model *model = hf_sim_model(sim);
    const char *const channels[][2] = {{"motor.position", "rad"},
                                       {"motor.velocity", "rad/s"},
                                       {"clutch.force", "Nm"},
                                       {"clutch.rate", "rad/s"}};
    for (int i = 0; i < 4; ++i) {
        hf_channel channel = hf_model_find_channel(model, channels[i][0]);
        assert_true(channel.id != 0);
        assert_string_equal(hf_model_channel_unit(model, channel), channels[i][1]);
    }
    hf_body_info info = hf_model_body_info(model, hf_model_find_body(model, "wheel"));
    assert_int_equal(info.type, HF_BODY_ROTOR);
    assert_int_equal(info.joint, HF_JOINT_REVOLUTE);
    hf_check_near(info.inertia.zz, 0.5, 0, "inertia", "the file");
    hf_check_near(loop_scene_value(sim, "wheel.position"), 1.0, 0, "position", "the file");
    loop_scene_finish(sim);
}

static void test_numbers_and_refusals(void **state)
{
    (void)state;
    hf_error error = {0};
    hf_spec *spec = hf_spec_create();
    hf_rotor_def def = hf_rotor_def_default();
    def.name = "wheel";
    def.inertia = 0.0;
    assert_int_equal(hf_spec_add_rotor(spec, &def, &error).id, 0);
    assert_string_equal(error.text, "rotor 'wheel': inertia must be positive, got 0 kg m^2");
    def.inertia = 1.0;
    def.velocity = NAN;
    assert_int_equal(hf_spec_add_rotor(spec, &def, &error).id, 0);
    assert_non_null(strstr(error.text, "velocity must be finite"));
    def.velocity = 0.0;
    hf_body wheel = hf_spec_add_rotor(spec, &def, &error);
    assert_int_equal(hf_spec_body_axes(spec, wheel), 1);
    assert_int_equal(hf_spec_set_parameter(spec, "wheel.inertia", 3.0, &error), HF_OK);
    assert_true(hf_spec_set_parameter(spec, "wheel.inertia", -3.0, &error) < 0);
    assert_true(hf_spec_set_parameter(spec, "wheel.mass", 3.0, &error) < 0);
    assert_non_null(strstr(error.text, "it has inertia"));
    // It has no place in space
    hf_force_def force = hf_force_def_default();
    force.name = "push";
    force.law = HF_LAW_FORCE;
    force.coupling = hf_coupling_def_default(HF_COUPLING_POINTS);
    force.coupling.on_frame.body = wheel;
    assert_int_equal(hf_spec_add_force(spec, &force, &error).id, 0);
    assert_non_null(strstr(error.text, "wheel"));
    hf_model *model = hf_model_compile(spec, &error);
    assert_non_null(model);
    hf_check_near(hf_model_body_info(model, wheel).inertia.zz, 3.0, 0, "inertia", "what was set");
    hf_model_destroy(model);
    hf_spec_destroy(spec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clutch),
        cmocka_unit_test(test_oscillator),
        cmocka_unit_test(test_gear),
        cmocka_unit_test(test_units),
        cmocka_unit_test(test_numbers_and_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
