// SPDX-License-Identifier: Apache-2.0
// HF_METHOD_SWITCH: events against closed forms, sticking that is exact, many frictions at once.
#include "adaptive_test.h"

#include <math.h>

static const hf_method_family FAMILIES[] = {HF_FAMILY_ADAMS, HF_FAMILY_BDF};

static const double PI = 3.14159265358979323846;

// ------------------------------------------------------------------------------------------------

static const char OSCILLATOR[] =
    "bodies: {block: {type: mass, dim: 1, mass: 1, position: 2.75}}\n"
    "forces:\n"
    "  - {name: spring, on: block, type: spring, stiffness: 1}\n"
    "  - {name: floor, on: block, type: friction, law: coulomb, level: 1}\n";

// [Farhat2010] (10). Evaluations of CVODE Adams with roots: 60, 98, 178, 356, and 20 % more are
// allowed.
static void oscillator(void **state)
{
    (void)state;
    const double tolerance[] = {1e-6, 1e-8, 1e-10, 1e-12}, allowed[] = {72, 117, 213, 427};
    hf_model *model = model_of(OSCILLATOR);
    for (int i = 0; i < 4; ++i) {
        event_log log = {0};
        hf_sim *sim = sim_logged(model, switching(HF_FAMILY_ADAMS, tolerance[i], 0.5), &log);
        run_until(sim, 10.0);
        hf_check_near(value_of(sim, "block.position"), -0.75, 10.0 * tolerance[i], "x",
                      "closed form, 10 rtol");
        hf_check_same_bits(value_of(sim, "block.velocity"), 0.0, "velocity in stick");
        hf_check_near(value_of(sim, "floor.force"), -0.75, 10.0 * tolerance[i], "friction",
                      "balances the spring");
        hf_check_below((double)hf_sim_get_stats(sim).evaluations, allowed[i], "evaluations",
                       "Farhat et al. 2010 with CVODE, and 20 %");
        assert_int_equal(log.count, 1);
        check_event(&log, 0, PI, 10.0 * tolerance[i], 0, "closed form");
        hf_force_stats stats = hf_sim_force_stats(sim, (hf_force){2});
        hf_check_near(stats.stick_seconds, 10.0 - PI, 10.0 * tolerance[i], "time stuck",
                      "closed form");
        hf_check_near(stats.dissipated, 3.5, 20.0 * tolerance[i], "heat", "closed form");
        assert_int_equal(stats.transitions, 1);
        hf_sim_destroy(sim);
    }
    hf_model_destroy(model);
}

// Friction with a viscous part, other forth than back: m v' = -(F + D v).
static void asymmetric_levels(void **state)
{
    (void)state;
    for (int way = 0; way < 2; ++way) {
        char text[400];
        (void)snprintf(text, sizeof text,
                       "bodies: {block: {type: mass, dim: 1, mass: 2, velocity: %d}}\n"
                       "forces:\n"
                       "  - {name: floor, on: block, type: friction, law: coulomb,\n"
                       "     level: {coulomb: [3, 1], viscous: [0.5, 0.25]}}\n",
                       way == 0 ? 4 : -4);
        hf_model *model = model_of(text);
        double level = way == 0 ? 3.0 : 1.0, viscous = way == 0 ? 0.5 : 0.25;
        for (int f = 0; f < 2; ++f) {
            event_log log = {0};
            hf_sim *sim = sim_logged(model, switching(FAMILIES[f], 1e-9, 1.0), &log);
            run_until(sim, 10.0);
            assert_int_equal(log.count, 1);
            check_event(&log, 0, 2.0 / viscous * log1p(viscous * 4.0 / level), 1e-6, 0,
                        "closed form");
            hf_check_same_bits(value_of(sim, "block.velocity"), 0.0, "velocity in stick");
            hf_sim_destroy(sim);
        }
        hf_model_destroy(model);
    }
}

// A block on a spring and a belt, static level above the kinetic one: after the first slip the
// cycle repeats: stuck for 2 d/v, slipping for 2 pi - 2 atan(d/v), d the difference of the levels.
static void limit_cycle_on_a_belt(void **state)
{
    (void)state;
    hf_model *model = model_of("bodies:\n"
                               "  block: {type: mass, dim: 1, mass: 1, velocity: 0.5}\n"
                               "  belt: {type: driven, velocity: 0.5}\n"
                               "forces:\n"
                               "  - {name: spring, on: block, type: spring, stiffness: 1}\n"
                               "  - {name: grip, on: block, to: belt, type: friction,\n"
                               "     law: coulomb, level: {coulomb: 0.6, static: 1}}\n");
    double stuck = 2.0 * 0.4 / 0.5, slipping = 2.0 * PI - 2.0 * atan(0.4 / 0.5), t = 2.0;
    for (int f = 0; f < 2; ++f) {
        event_log log = {0};
        hf_sim *sim = sim_logged(model, switching(FAMILIES[f], 1e-9, 0.1), &log);
        run_until(sim, 40.0);
        assert_true(log.count >= 10);
        t = 2.0; // from x = 0 at the belt's speed to x = 1
        for (int i = 0; i < log.count; ++i) {
            check_event(&log, i, t, 1e-6, i % 2 == 0 ? -1 : 0, "closed form");
            t += i % 2 == 0 ? slipping : stuck;
        }
        hf_energy energy = hf_sim_energy(sim);
        hf_check_below(fabs(energy.residual), 1e-6, "energy residual", "rtol 1e-9");
        hf_sim_destroy(sim);
    }
    hf_model_destroy(model);
}

// A block on a belt that shakes: it follows exactly, until the friction cannot accelerate it.
static void carried_by_a_shaking_belt(void **state)
{
    (void)state;
    hf_model *model = model_of("bodies:\n"
                               "  block: {type: mass, dim: 1, mass: 2}\n"
                               "  belt: {type: driven, velocity: \"0.1*t*t\"}\n"
                               "forces:\n"
                               "  - {name: grip, on: block, to: belt, type: friction,\n"
                               "     law: coulomb, level: 1}\n");
    event_log log = {0};
    hf_sim *sim = sim_logged(model, switching(HF_FAMILY_ADAMS, 1e-9, 0.1), &log);
    run_until(sim, 2.0);
    hf_check_near(value_of(sim, "block.velocity"), 0.4, 1e-8, "velocity", "the belt's");
    hf_check_near(value_of(sim, "grip.force"), 0.8, 1e-6, "force", "mass times acceleration");
    run_until(sim, 4.0);
    check_event(&log, 0, 2.5, 1e-6, -1, "2 kg 0.2 t = 1 N");
    hf_check_near(value_of(sim, "block.velocity"), 0.625 + 0.5 * 1.5, 1e-6, "velocity",
                  "constant force");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// ------------------------------------------------------------------------------------------------
// Several frictions

// The upper of two blocks is pulled by a force that grows: first both stick, then the lower one
// slips with the upper one on it, then the upper one slips on it too.
static void stacked_blocks(void **state)
{
    (void)state;
    hf_model *model =
        model_of("bodies:\n"
                 "  lower: {type: mass, dim: 1, mass: 3}\n"
                 "  upper: {type: mass, dim: 1, mass: 1}\n"
                 "signals: {pull: \"t\"}\n"
                 "forces:\n"
                 "  - {name: hand, on: upper, type: force, value: pull}\n"
                 "  - {name: floor, on: lower, type: friction, law: coulomb, level: 1}\n"
                 "  - {name: between, on: upper, to: lower, type: friction,\n"
                 "     law: coulomb, level: 2}\n");
    event_log log = {0};
    hf_sim *sim = sim_logged(model, switching(HF_FAMILY_ADAMS, 1e-10, 0.05), &log);
    run_until(sim, 1.5);
    hf_check_same_bits(value_of(sim, "upper.velocity"), value_of(sim, "lower.velocity"),
                       "velocity of the upper block");
    run_until(sim, 4.0);
    assert_int_equal(log.count, 2);
    check_event(&log, 0, 1.0, 1e-8, 1, "floor: pull = 1 N");
    // Common acceleration (t - 1)/4; between carries t - (t - 1)/4 = 2 N.
    check_event(&log, 1, 7.0 / 3.0, 1e-8, 1, "between: 2 N");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// Two frictions on one coordinate: they share what there is to hold, and slip together.
static void redundant_frictions(void **state)
{
    (void)state;
    hf_model *model =
        model_of("bodies: {block: {type: mass, dim: 1, mass: 1}}\n"
                 "signals: {pull: \"t\"}\n"
                 "forces:\n"
                 "  - {name: hand, on: block, type: force, value: pull}\n"
                 "  - {name: one, on: block, type: friction, law: coulomb, level: 2}\n"
                 "  - {name: two, on: block, type: friction, law: coulomb, level: 2}\n");
    event_log log = {0};
    hf_sim *sim = sim_logged(model, switching(HF_FAMILY_ADAMS, 1e-9, 0.25), &log);
    run_until(sim, 2.0);
    hf_check_near(value_of(sim, "one.force"), -1.0, 1e-12, "share of one", "least norm");
    hf_check_near(value_of(sim, "two.force"), -1.0, 1e-12, "share of two", "least norm");
    run_until(sim, 5.0);
    assert_int_equal(log.count, 2);
    check_event(&log, 0, 4.0, 1e-7, 1, "4 N");
    check_event(&log, 1, 4.0, 1e-7, 1, "4 N");
    hf_check_near(value_of(sim, "block.velocity"), 0.5, 1e-7, "velocity", "closed form");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// A weak friction beside a strong one: at its bound it gives the rest to the other, which holds.
static void unequal_redundant_frictions(void **state)
{
    (void)state;
    hf_model *model =
        model_of("bodies: {block: {type: mass, dim: 1, mass: 1}}\n"
                 "signals: {pull: \"t\"}\n"
                 "forces:\n"
                 "  - {name: hand, on: block, type: force, value: pull}\n"
                 "  - {name: one, on: block, type: friction, law: coulomb, level: 1}\n"
                 "  - {name: two, on: block, type: friction, law: coulomb, level: 3}\n");
    event_log log = {0};
    hf_sim *sim = sim_logged(model, switching(HF_FAMILY_ADAMS, 1e-9, 0.25), &log);
    run_until(sim, 3.5);
    hf_check_same_bits(value_of(sim, "block.velocity"), 0.0, "velocity in stick");
    hf_check_near(value_of(sim, "one.force") + value_of(sim, "two.force"), -3.5, 1e-9, "sum",
                  "balance");
    run_until(sim, 5.0);
    hf_check_near(value_of(sim, "block.velocity"), 0.5, 1e-6, "velocity", "breaks away at 4 N");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// Simulation II of [Kikuuwe2008] with exact friction: both joints reach their level together; the
// elbow goes and relieves the shoulder. Times converged with rtol to 1e-10 s.
static void two_link_arm(void **state)
{
    (void)state;
    hf_error error = {0};
    hf_model *model = hf_model_load(HF_SOURCE_DIR "/examples/two-link-arm-exact.yaml", &error);
    if (model == NULL) {
        fail_msg("%s", error.text);
    }
    const double time[4] = {5.0 / 3.0, 2.6897948226, 4.0644319005, 4.4283506051};
    const int to[4] = {1, 1, 0, 0};
    const double tolerance[3] = {1e-8, 1e-10, 1e-12}, allowed[3] = {1e-6, 1e-8, 1e-9};
    for (int i = 0; i < 3; ++i) {
        event_log log = {0};
        hf_sim *sim = sim_logged(model, switching(HF_FAMILY_ADAMS, tolerance[i], 0.01), &log);
        run_until(sim, 10.0);
        assert_int_equal(log.count, 4);
        for (int k = 0; k < 4; ++k) {
            check_event(&log, k, time[k], allowed[i], to[k], "limit of small tolerances");
        }
        hf_check_same_bits(value_of(sim, "arm.shoulder.velocity"), 0.0, "velocity in stick");
        hf_check_same_bits(value_of(sim, "arm.elbow.velocity"), 0.0, "velocity in stick");
        hf_sim_destroy(sim);
    }
    hf_model_destroy(model);
}

// A chain of masses, springs and frictions, shaken: forces within their levels, energy accounted
// for, dissipation never negative, at every recorded time.
static void random_chains(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(40);
    for (int trial = 0; trial < 8; ++trial) {
        char text[4000];
        int length = 0, count = hf_rng_int(&rng, 2, 6);
        double level[8];
        length += snprintf(text + length, sizeof text - (size_t)length, "bodies:\n");
        for (int i = 0; i < count; ++i) {
            length += snprintf(text + length, sizeof text - (size_t)length,
                               "  m%d: {type: mass, dim: 1, mass: %.3f, velocity: %.3f}\n", i,
                               hf_rng_log_uniform(&rng, 0.3, 3.0), hf_rng_uniform(&rng, -1.0, 1.0));
        }
        length += snprintf(text + length, sizeof text - (size_t)length,
                           "signals: {shake: \"3*sin(%.3f*t) + sin(5*t)\"}\nforces:\n"
                           "  - {name: hand, on: m0, type: force, value: shake}\n",
                           hf_rng_uniform(&rng, 0.5, 3.0));
        for (int i = 0; i < count; ++i) {
            level[i] = hf_rng_log_uniform(&rng, 0.1, 2.0);
            bool joined = i > 0 && hf_rng_bool(&rng);
            length += snprintf(text + length, sizeof text - (size_t)length,
                               "  - {name: f%d, on: m%d, %s type: friction, law: coulomb,\n"
                               "     level: {coulomb: %.3f, static: %.3f}}\n",
                               i, i, joined ? "to: m0," : "", level[i], 1.2 * level[i]);
            if (i > 0) {
                length += snprintf(text + length, sizeof text - (size_t)length,
                                   "  - {name: s%d, on: m%d, to: m%d, type: spring,\n"
                                   "     stiffness: %.3f}\n",
                                   i, i, i - 1, hf_rng_log_uniform(&rng, 0.5, 20.0));
            }
        }
        hf_model *model = model_of(text);
        hf_sim *sim = sim_with(model, switching(FAMILIES[trial % 2], 1e-8, 0.05));
        double heat = 0.0;
        while (hf_sim_time(sim) < 10.0) {
            run_until(sim, hf_sim_time(sim) + 0.05);
            hf_energy energy = hf_sim_energy(sim);
            hf_check_below(fabs(energy.residual), 1e-4 * energy.turnover, "energy residual",
                           "rtol 1e-8");
            hf_check_below(heat, energy.dissipated + 1e-9, "heat so far", "never falls");
            heat = energy.dissipated;
            for (int i = 0; i < count; ++i) {
                char name[32];
                (void)snprintf(name, sizeof name, "f%d.force", i);
                double most = level[i] * 1.2 * (1.0 + 1e-6) + 6e-4;
                hf_check_below(fabs(value_of(sim, name)), most, name, "static level");
            }
        }
        assert_true(hf_sim_get_stats(sim).events > 5);
        assert_int_equal(hf_sim_get_stats(sim).chatter_events, 0);
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// ------------------------------------------------------------------------------------------------
// Jumps, saving, recording

static void jumps_break_loose(void **state)
{
    (void)state;
    hf_model *model =
        model_of("bodies: {block: {type: mass, dim: 1, mass: 1}}\n"
                 "signals: {push: \"t < 1 ? 0.5 : t < 2 ? 3 : 0\"}\n"
                 "forces:\n"
                 "  - {name: hand, on: block, type: force, value: push}\n"
                 "  - {name: floor, on: block, type: friction, law: coulomb, level: 1}\n");
    event_log log = {0};
    hf_sim *sim = sim_logged(model, switching(HF_FAMILY_ADAMS, 1e-9, 0.3), &log);
    run_until(sim, 6.0);
    assert_int_equal(log.count, 2);
    check_event(&log, 0, 1.0, 1e-15, 1, "the jump");
    check_event(&log, 1, 4.0, 1e-7, 0, "v = 2 at t = 2, then -1");
    hf_check_near(value_of(sim, "block.position"), 3.0, 1e-7, "x", "closed form");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

static void recording_changes_nothing(void **state)
{
    (void)state;
    hf_error error = {0};
    hf_model *model = hf_model_load(HF_SOURCE_DIR "/examples/oscillator-forced.yaml", &error);
    if (model == NULL) {
        fail_msg("%s", error.text);
    }
    hf_sim *fine = sim_with(model, switching(HF_FAMILY_ADAMS, 1e-8, 0.03125));
    hf_sim *coarse = sim_with(model, switching(HF_FAMILY_ADAMS, 1e-8, 1.0));
    for (int i = 0; i < 30; ++i) {
        run_until(fine, i + 1.0);
        run_until(coarse, i + 1.0);
        (void)value_of(fine, "friction.force"); // looking has no influence either
        for (int k = 0; k < model->nq + model->nv; ++k) {
            hf_check_near(fine->x[k], coarse->x[k], 1e-11, "state",
                          "recorded less often; events within 100 roundings");
        }
    }
    assert_int_equal(hf_sim_get_stats(fine).evaluations, hf_sim_get_stats(coarse).evaluations);
    assert_int_equal(hf_sim_get_stats(fine).events, hf_sim_get_stats(coarse).events);
    hf_sim_destroy(fine);
    hf_sim_destroy(coarse);
    hf_model_destroy(model);
}

static void save_and_restore(void **state)
{
    (void)state;
    hf_error error = {0};
    hf_model *model = hf_model_load(HF_SOURCE_DIR "/examples/two-link-arm-exact.yaml", &error);
    assert_non_null(model);
    // In stick, in slip, at the jump, after the stops.
    const double when[] = {1.0, 1.8, 3.0, 4.0, 4.2, 5.0};
    for (int i = 0; i < 6; ++i) {
        hf_sim *first = sim_with(model, switching(HF_FAMILY_ADAMS, 1e-8, 0.1));
        hf_sim *second = sim_with(model, switching(HF_FAMILY_ADAMS, 1e-8, 0.1));
        run_until(second, 2.0);
        check_restored(first, second, when[i], 6.0);
        hf_sim_destroy(first);
        hf_sim_destroy(second);
    }
    hf_model_destroy(model);
}

static void steps_do_not_allocate(void **state)
{
    (void)state;
    hf_error error = {0};
    hf_model *model = hf_model_load(HF_SOURCE_DIR "/examples/oscillator-forced.yaml", &error);
    assert_non_null(model);
    for (int f = 0; f < 2; ++f) {
        hf_sim *sim = sim_with(model, switching(FAMILIES[f], 1e-6, 0.1));
        run_until(sim, 0.5); // the first evaluation of an expression compiles it
        long long before = hf_test_allocations();
        for (int i = 0; i < 200; ++i) {
            assert_int_equal(hf_sim_step(sim, &error), HF_OK);
        }
        assert_int_equal(hf_test_allocations() - before, 0);
        assert_true(hf_sim_get_stats(sim).events > 2);
        hf_sim_destroy(sim);
    }
    hf_model_destroy(model);
}

// ------------------------------------------------------------------------------------------------

static void refusals(void **state)
{
    (void)state;
    hf_model *model = model_of("method: {type: discrete, step: 1e-3}\n"
                               "bodies: {puck: {type: mass, dim: 2, mass: 1}}\n"
                               "forces:\n"
                               "  - {name: ice, on: puck, type: friction, law: coulomb, level: 1}\n"
                               "  - {name: rub, on: puck.x, type: friction, law: coulomb,\n"
                               "     level: {friction: 0.5}, normal: ice}\n");
    hf_sim_def def = hf_sim_def_default(model);
    def.methods[0] = hf_adaptive_methods();
    def.method = switching(HF_FAMILY_ADAMS, 1e-6, 0.1);
    expect_refusal(
        model, &def,
        "force 'rub' is not admitted by method switch: its normal force is that of friction 'ice'");
    def.method.family = HF_FAMILY_ERK;
    expect_refusal(model, &def, "integrator of switch is one of bdf, adams");
    hf_model_destroy(model);
}

// A friction that is shaken at 1e7 rad/s: the run ends with its name, not never.
static void too_many_events(void **state)
{
    (void)state;
    hf_error error = {0};
    hf_model *model =
        model_of("bodies: {block: {type: mass, dim: 1, mass: 1, position: 1}}\n"
                 "forces:\n"
                 "  - {name: spring, on: block, type: spring, stiffness: 1e14}\n"
                 "  - {name: floor, on: block, type: friction, law: coulomb, level: 1}\n");
    hf_sim *sim = sim_with(model, switching(HF_FAMILY_ADAMS, 1e-4, 1.0));
    assert_int_equal(hf_sim_step(sim, &error), HF_ERROR_CONVERGENCE);
    assert_non_null(strstr(error.text, "'floor' and others had more than 5000 events"));
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(oscillator),
        cmocka_unit_test(asymmetric_levels),
        cmocka_unit_test(limit_cycle_on_a_belt),
        cmocka_unit_test(carried_by_a_shaking_belt),
        cmocka_unit_test(stacked_blocks),
        cmocka_unit_test(redundant_frictions),
        cmocka_unit_test(unequal_redundant_frictions),
        cmocka_unit_test(two_link_arm),
        cmocka_unit_test(random_chains),
        cmocka_unit_test(jumps_break_loose),
        cmocka_unit_test(recording_changes_nothing),
        cmocka_unit_test(save_and_restore),
        cmocka_unit_test(steps_do_not_allocate),
        cmocka_unit_test(refusals),
        cmocka_unit_test(too_many_events),
    };
    return hf_run_tests(tests);
}
