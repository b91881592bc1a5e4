// SPDX-License-Identifier: Apache-2.0
// HF_METHOD_ADAPTIVE: tolerance, dense output, jumps, stiff contact, interventions, saving,
// refusals, failures, memory.
#include "adaptive_test.h"

#include <math.h>

#include "scenes.h"
#include "sim/sim_data.h"

static const hf_method_family FAMILIES[] = {HF_FAMILY_BDF, HF_FAMILY_ADAMS, HF_FAMILY_ERK};

// x'' = -x from x = 1: x = cos t.
static const char OSCILLATOR[] = "name: oscillator\n"
                                 "bodies:\n"
                                 "  block: {type: mass, dim: 1, mass: 1, position: 1}\n"
                                 "forces:\n"
                                 "  - {name: spring, on: block, type: spring, stiffness: 1}\n";

// Largest error of position and velocity at the recorded times, which lie inside internal steps.
static double oscillator_error(const hf_model *model, hf_method_def method, double end)
{
    hf_sim *sim = sim_with(model, method);
    double worst = 0.0;
    while (hf_sim_time(sim) < end * (1.0 - 1e-12)) {
        run_until(sim, hf_sim_time(sim) + method.step);
        double t = hf_sim_time(sim);
        worst = fmax(worst, fabs(value_of(sim, "block.position") - cos(t)));
        worst = fmax(worst, fabs(value_of(sim, "block.velocity") + sin(t)));
    }
    hf_sim_destroy(sim);
    return worst;
}

static void error_follows_tolerance(void **state)
{
    (void)state;
    hf_model *model = model_of(OSCILLATOR);
    for (int f = 0; f < 3; ++f) {
        double before = INFINITY;
        for (double tolerance = 1e-3; tolerance > 1e-11; tolerance *= 1e-2) {
            double error =
                oscillator_error(model, adaptive(FAMILIES[f], tolerance, 0.037), 20.0 * 0.037);
            hf_check_below(error, 30.0 * tolerance, hf_family_name(FAMILIES[f]), "30 rtol");
            hf_check_below(error, 0.5 * before, hf_family_name(FAMILIES[f]), "half the one before");
            before = error;
        }
    }
    hf_model_destroy(model);
}

// Recorded states are read off the integrator's own interpolation: how often has no influence.
static void recording_changes_nothing(void **state)
{
    (void)state;
    hf_model *model = model_of(OSCILLATOR);
    for (int f = 0; f < 3; ++f) {
        hf_sim *fine = sim_with(model, adaptive(FAMILIES[f], 1e-6, 0.015625));
        hf_sim *coarse = sim_with(model, adaptive(FAMILIES[f], 1e-6, 1.0));
        run_until(fine, 10.0);
        run_until(coarse, 10.0);
        hf_check_same_bits(value_of(fine, "block.position"), value_of(coarse, "block.position"),
                           "block.position");
        hf_sim_stats a = hf_sim_get_stats(fine), b = hf_sim_get_stats(coarse);
        assert_int_equal(a.internal_steps, b.internal_steps);
        assert_int_equal(a.error_failures, b.error_failures);
        assert_int_equal(a.restarts, 1);
        assert_true(a.internal_steps > 10);
        assert_true(FAMILIES[f] == HF_FAMILY_ERK || a.evaluations == b.evaluations);
        assert_int_equal(a.steps, 640);
        hf_sim_destroy(fine);
        hf_sim_destroy(coarse);
    }
    hf_model_destroy(model);
}

static void agrees_with_fixed_steps(void **state)
{
    (void)state;
    hf_model *model = hf_scene_two_link_arm(HF_ARM_STICTION, true);
    hf_sim *fixed = sim_with(model, (hf_method_def){.type = HF_METHOD_RK4, .step = 1e-5});
    run_until(fixed, 1.5);
    for (int f = 0; f < 3; ++f) {
        hf_sim *sim = sim_with(model, adaptive(FAMILIES[f], 1e-9, 0.05));
        run_until(sim, 1.5);
        for (int i = 0; i < model->nq + model->nv; ++i) {
            hf_check_near(sim->x[i], fixed->x[i], 2e-6, hf_family_name(FAMILIES[f]),
                          "rk4 at 1e-5 s");
        }
        hf_sim_destroy(sim);
    }
    hf_sim_destroy(fixed);
    hf_model_destroy(model);
}

// A force that jumps: parabolas, which every family integrates exactly, if it stops at the jumps.
static void jumps_are_met(void **state)
{
    (void)state;
    hf_model *model = model_of(
        "bodies: {block: {type: mass, dim: 1, mass: 2}}\n"
        "signals: {push: {table: {points: [[0, 2], [1, -4], [2.5, 6]], interpolation: hold}}}\n"
        "forces: [{name: hand, on: block, type: force, value: push}]\n");
    for (int f = 0; f < 3; ++f) {
        hf_sim *sim = sim_with(model, adaptive(FAMILIES[f], 1e-6, 0.4));
        run_until(sim, 4.0);
        // Acceleration 1 to t = 1, -2 to t = 2.5, then 3.
        hf_check_near(value_of(sim, "block.velocity"), 1.0 - 3.0 + 4.5, 1e-5,
                      hf_family_name(FAMILIES[f]), "closed form");
        hf_check_near(value_of(sim, "block.position"),
                      0.5 + (1.5 - 2.25) + (-2.0 * 1.5 + 1.5 * 2.25), 1e-5,
                      hf_family_name(FAMILIES[f]), "closed form");
        assert_int_equal(hf_sim_get_stats(sim).restarts, 3);
        hf_check_below((double)hf_sim_get_stats(sim).error_failures, 3.0, "failed error tests",
                       "none at the jumps");
        hf_sim_destroy(sim);
    }
    hf_model_destroy(model);
}

// [Kikuuwe2008] Simulation I, two landings with slip and stick. Fixed steps must be below 2.8e-6 s.
static void stiff_contact(void **state)
{
    (void)state;
    hf_model *model = hf_scene_rolling_sphere();
    hf_sim *fixed = sim_with(model, (hf_method_def){.type = HF_METHOD_RK4, .step = 1e-6});
    hf_sim *sim = sim_with(model, adaptive(HF_FAMILY_BDF, 1e-9, 0.01));
    run_until(fixed, 0.1);
    run_until(sim, 0.1);
    for (int i = 0; i < model->nq + model->nv; ++i) {
        hf_check_near(sim->x[i], fixed->x[i], 1e-5, "state", "rk4 at 1e-6 s");
    }
    hf_check_below((double)hf_sim_get_stats(sim).evaluations,
                   0.02 * (double)hf_sim_get_stats(fixed).evaluations, "evaluations",
                   "2 % of those at fixed steps");
    hf_energy energy = hf_sim_energy(sim);
    hf_check_below(fabs(energy.residual), 1e-6 * energy.turnover, "energy residual", "rtol 1e-9");
    const double *q = hf_sim_position(sim, hf_model_find_body(model, "sphere"));
    hf_check_near(q[3] * q[3] + q[4] * q[4] + q[5] * q[5] + q[6] * q[6], 1.0, 1e-14,
                  "square of the quaternion", "unit");
    hf_sim_destroy(fixed);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// What the caller changes is seen from then on, and only then.
static void interventions(void **state)
{
    (void)state;
    hf_error error = {0};
    hf_model *model = model_of("bodies: {block: {type: mass, dim: 1, mass: 1}}\n"
                               "signals: {push: {input: 1}}\n"
                               "forces: [{name: hand, on: block, type: force, value: push}]\n");
    hf_signal push = hf_model_find_signal(model, "push");
    hf_body block = hf_model_find_body(model, "block");
    for (int f = 0; f < 3; ++f) {
        hf_sim *sim = sim_with(model, adaptive(FAMILIES[f], 1e-8, 0.25));
        run_until(sim, 1.0);
        hf_sim_set_input(sim, push, -1.0);
        run_until(sim, 2.0);
        hf_check_near(value_of(sim, "block.position"), 0.5 + 1.0 - 0.5, 1e-7, "position",
                      "closed form");
        assert_int_equal(hf_sim_get_stats(sim).restarts, 2);
        assert_int_equal(hf_sim_set_velocity(sim, block, (const double[]){5.0}, &error), HF_OK);
        run_until(sim, 3.0);
        hf_check_near(value_of(sim, "block.position"), 1.0 + 5.0 - 0.5, 1e-7, "position",
                      "closed form");
        assert_int_equal(hf_sim_get_stats(sim).restarts, 3);
        hf_sim_destroy(sim);
    }
    hf_model_destroy(model);
}

// A run that is saved goes on as every run restored from it, bit by bit.
static void save_and_restore(void **state)
{
    (void)state;
    hf_error error = {0};
    hf_model *model = hf_scene_two_link_arm(HF_ARM_STICTION, true);
    for (int f = 0; f < 3; ++f) {
        hf_sim *first = sim_with(model, adaptive(FAMILIES[f], 1e-6, 0.01));
        hf_sim *second = sim_with(model, adaptive(FAMILIES[f], 1e-6, 0.01));
        size_t size = hf_sim_save_size(first);
        void *memory = malloc(size);
        assert_non_null(memory);
        run_until(first, 0.5);
        run_until(second, 0.2);
        hf_sim_save(first, memory);
        assert_int_equal(hf_sim_restore(second, memory, size, &error), HF_OK);
        run_until(first, 1.0);
        run_until(second, 1.0);
        for (int i = 0; i < model->n; ++i) {
            hf_check_same_bits(second->x[i], first->x[i], "state");
        }
        assert_int_equal(hf_sim_get_stats(first).evaluations, hf_sim_get_stats(second).evaluations);
        hf_sim_destroy(second);
        second = sim_with(model, adaptive(FAMILIES[f], 1e-7, 0.01));
        assert_int_equal(hf_sim_restore(second, memory, size, &error), HF_ERROR_STATE);
        free(memory);
        hf_sim_destroy(first);
        hf_sim_destroy(second);
    }
    hf_model_destroy(model);
}

static void resetting_repeats(void **state)
{
    (void)state;
    hf_model *model = hf_scene_two_link_arm(HF_ARM_STICTION, true);
    hf_sim *sim = sim_with(model, adaptive(HF_FAMILY_BDF, 1e-6, 0.01));
    run_until(sim, 0.5);
    double first[2] = {sim->x[0], sim->x[1]};
    hf_sim_reset(sim);
    run_until(sim, 0.5);
    hf_check_same_bits(sim->x[0], first[0], "q0");
    hf_check_same_bits(sim->x[1], first[1], "q1");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// A static level above the kinetic one: the integrator begins anew where the level changes.
static void held_levels(void **state)
{
    (void)state;
    hf_model *model =
        model_of("bodies: {block: {type: mass, dim: 1, mass: 1}}\n"
                 "signals: {push: \"t\"}\n"
                 "forces:\n"
                 "  - {name: hand, on: block, type: force, value: push}\n"
                 "  - {name: floor, on: block, type: friction, law: stiction, stiffness: 1e5,\n"
                 "     damping: 300, level: {coulomb: 1, static: 1.5}}\n");
    hf_sim *sim = sim_with(model, adaptive(HF_FAMILY_BDF, 1e-8, 1e-3));
    run_until(sim, 2.0);
    // Breaks away near t = 1.5 and accelerates by t - 1.
    hf_check_near(value_of(sim, "block.velocity"), 0.5 * (1.0 - 0.25), 5e-3, "velocity",
                  "break-away at the static level");
    assert_int_equal(hf_sim_get_stats(sim).restarts, 2);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

static void driven_bodies(void **state)
{
    (void)state;
    hf_model *model =
        model_of("bodies:\n"
                 "  block: {type: mass, dim: 1, mass: 1}\n"
                 "  hand: {type: driven, dim: 1, position: \"sin(2*t)\", rate: \"2*cos(2*t)\"}\n"
                 "forces: [{name: spring, on: block, to: hand, type: spring, stiffness: 1}]\n");
    for (int f = 0; f < 3; ++f) {
        hf_sim *sim = sim_with(model, adaptive(FAMILIES[f], 1e-9, 0.1));
        run_until(sim, 3.0);
        // x'' + x = sin 2t from rest.
        hf_check_near(value_of(sim, "block.position"), (2.0 * sin(3.0) - sin(6.0)) / 3.0, 1e-7,
                      "position", "closed form");
        hf_check_below(fabs(hf_sim_energy(sim).residual), 1e-6, "energy residual", "rtol 1e-9");
        assert_int_equal(hf_sim_get_stats(sim).restarts, 1);
        hf_sim_destroy(sim);
    }
    hf_model_destroy(model);
}

// ------------------------------------------------------------------------------------------------

static void refusals(void **state)
{
    (void)state;
    hf_model *model = model_of(OSCILLATOR);
    hf_sim_def def = hf_sim_def_default(model);
    def.method = adaptive(HF_FAMILY_BDF, 1e-6, 0.1);
    def.methods[0] = hf_adaptive_methods();
    def.method.rtol = 0.5;
    expect_refusal(model, &def, "rtol must be from 1e-14 to 0.1, got 0.5");
    def.method.rtol = -1.0;
    expect_refusal(model, &def, "rtol must be from");
    def.method.rtol = (double)NAN;
    expect_refusal(model, &def, "rtol must be from");
    def.method.rtol = 0.0;
    def.method.atol = (double)INFINITY;
    expect_refusal(model, &def, "atol must be positive");
    def.method = (hf_method_def){.type = HF_METHOD_RK4, .step = 0.1, .rtol = 1e-6};
    expect_refusal(model, &def, "rtol is for adaptive and switch, not for rk4");
    hf_model_destroy(model);

    model =
        model_of("method: {type: euler, step: 1e-3}\n"
                 "bodies: {block: {type: mass, dim: 1, mass: 1}}\n"
                 "forces: [{name: floor, on: block, type: friction, law: coulomb, level: 1}]\n");
    def = hf_sim_def_default(model);
    def.method = adaptive(HF_FAMILY_BDF, 1e-6, 0.1);
    def.methods[0] = hf_adaptive_methods();
    expect_refusal(model, &def, "discrete, switch, timestep and nlp run this machine");
    hf_model_destroy(model);
}

static double breaks(void *instance, double t)
{
    (void)instance;
    return t < 0.5 ? 1.0 : (double)NAN;
}

static void failures_name_time_and_component(void **state)
{
    (void)state;
    hf_error error = {0};
    hf_spec *spec = hf_spec_create();
    hf_mass_def mass = hf_mass_def_default();
    mass.name = "block";
    mass.dim = 1;
    hf_body block = hf_spec_add_mass(spec, &mass, &error);
    hf_signal_def signal = hf_signal_def_default();
    signal.name = "push";
    signal.type = HF_SIGNAL_FUNCTION;
    signal.function = breaks;
    hf_force_def force = hf_force_def_default();
    force.name = "hand";
    force.law = HF_LAW_FORCE;
    force.coupling.on_coordinate.body = block;
    force.values[0].signal = hf_spec_add_signal(spec, &signal, &error);
    assert_true(hf_spec_add_force(spec, &force, &error).id > 0);
    hf_model *model = hf_model_compile(spec, &error);
    assert_non_null(model);
    for (int f = 0; f < 3; ++f) {
        hf_sim *sim = sim_with(model, adaptive(FAMILIES[f], 1e-6, 0.1));
        hf_status status = HF_OK;
        while (status == HF_OK) {
            status = hf_sim_step(sim, &error);
        }
        if (status != HF_ERROR_NOT_FINITE) {
            fail_msg("%s", error.text);
        }
        assert_non_null(strstr(error.text, "t = 0."));
        assert_non_null(strstr(error.text, "'block'"));
        assert_true(isfinite(sim->x[0]));
        hf_sim_destroy(sim);
    }
    hf_model_destroy(model);
    hf_spec_destroy(spec);
}

// Three balls that meet in the air and on the floor.
static const char BALLS[] = "gravity: [0, 0, -9.81]\n"
                            "method: {type: rk4, step: 2e-5}\n"
                            "bodies:\n"
                            "  a: {type: rigid, mass: 1, shape: {type: sphere, radius: 0.05},"
                            " position: [0, 0, 0.3], velocity: [1, 0, 0]}\n"
                            "  b: {type: rigid, mass: 0.5, shape: {type: sphere, radius: 0.04},"
                            " position: [0.5, 0.02, 0.3], velocity: [-1, 0, 0]}\n"
                            "  c: {type: rigid, mass: 0.7, shape: {type: sphere, radius: 0.04},"
                            " position: [0.1, 0.05, 0.6], angular_velocity: [0, 5, 5]}\n"
                            "forces:\n"
                            "  - {name: balls, type: collide, among: all, stiffness: 2e4,"
                            " damping_time: 4e-3, filter_time: 2e-3}\n"
                            "  - {name: fa, on: a, type: contact, stiffness: 2e4,"
                            " damping_time: 4e-3, filter_time: 2e-3}\n"
                            "  - {name: fb, on: b, type: contact, stiffness: 2e4,"
                            " damping_time: 4e-3, filter_time: 2e-3}\n"
                            "  - {name: fc, on: c, type: contact, stiffness: 2e4,"
                            " damping_time: 4e-3, filter_time: 2e-3}\n";

// Places and velocities of the three at t = 0.5 s.
static void fly(const hf_model *model, hf_method_def method, double *x)
{
    hf_error error = {0};
    hf_sim *sim = sim_with(model, method);
    while (hf_sim_time(sim) < 0.5 - 0.5 * method.step) {
        if (hf_sim_step(sim, &error) != HF_OK) {
            fail_msg("%s", error.text);
        }
    }
    assert_true(hf_sim_force_stats(sim, hf_model_find_force(model, "balls")).dissipated > 0.05);
    memcpy(x, sim->x, (size_t)(model->nq + model->nv) * sizeof *x);
    hf_sim_destroy(sim);
}

// A swarm: pairs come near between records, and none is missed by an internal step that began
// before; the result is that of small fixed steps, the nearer the tighter the tolerance.
static void swarms(void **state)
{
    (void)state;
    enum { NUMBERS = 3 * 13 };
    hf_model *model = model_of(BALLS);
    double want[NUMBERS], got[NUMBERS];
    assert_int_equal(model->nq + model->nv, NUMBERS);
    fly(model, hf_model_method(model), want);
    for (int f = 0; f < 3; ++f) {
        const double records[] = {0.05, 0.002};
        for (int r = 0; r < 2; ++r) {
            double off[2] = {0.0, 0.0};
            for (int t = 0; t < 2; ++t) {
                fly(model, adaptive(FAMILIES[f], t == 0 ? 1e-5 : 1e-9, records[r]), got);
                for (int i = 0; i < NUMBERS; ++i) {
                    off[t] = fmax(off[t], fabs(got[i] - want[i]));
                }
            }
            hf_check_below(off[0], 1e-1, "off at rtol 1e-5", "rk4, 20 us");
            hf_check_below(off[1], 5e-4, "off at rtol 1e-9", "rk4, 20 us");
        }
    }
    hf_error error = {0};
    hf_sim_def def = hf_sim_def_default(model);
    def.method = adaptive(HF_FAMILY_BDF, 1e-6, 0.01);
    def.method.type = HF_METHOD_SWITCH;
    def.methods[0] = hf_adaptive_methods();
    assert_null(hf_sim_create(model, &def, &error));
    assert_non_null(strstr(error.text, "'balls'"));
    hf_model_destroy(model);
}

static void steps_do_not_allocate(void **state)
{
    (void)state;
    hf_error error = {0};
    hf_model *model = hf_scene_two_link_arm(HF_ARM_STICTION, true);
    for (int f = 0; f < 3; ++f) {
        hf_sim *sim = sim_with(model, adaptive(FAMILIES[f], 1e-6, 0.01));
        long long before = hf_test_allocations();
        for (int i = 0; i < 50; ++i) {
            assert_int_equal(hf_sim_step(sim, &error), HF_OK);
        }
        assert_int_equal(hf_test_allocations() - before, 0);
        hf_sim_destroy(sim);
    }
    hf_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(error_follows_tolerance),
        cmocka_unit_test(recording_changes_nothing),
        cmocka_unit_test(agrees_with_fixed_steps),
        cmocka_unit_test(jumps_are_met),
        cmocka_unit_test(stiff_contact),
        cmocka_unit_test(interventions),
        cmocka_unit_test(save_and_restore),
        cmocka_unit_test(resetting_repeats),
        cmocka_unit_test(held_levels),
        cmocka_unit_test(driven_bodies),
        cmocka_unit_test(refusals),
        cmocka_unit_test(failures_name_time_and_component),
        cmocka_unit_test(swarms),
        cmocka_unit_test(steps_do_not_allocate),
    };
    return hf_run_tests(tests);
}
