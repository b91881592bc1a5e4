// SPDX-License-Identifier: Apache-2.0
// Method switch where numbers change while it runs, where machines begin as they cannot, and where
// several things come to rest at once: against exact solutions.
#include <math.h>
#include <string.h>

#include "adaptive_test.h"

#define HEAD                                                                                       \
    "gravity: [0, 0, -10]\nmethod: {type: switch, step: 0.01, rtol: 1e-9, atol: 1e-10}\n"          \
    "bodies:\n"

static hf_sim *begin(const char *machine, hf_model **model)
{
    *model = model_of(machine);
    return sim_from(*model, NULL);
}

static void finish(hf_model *model, hf_sim *sim)
{
    hf_check_below(hf_sim_verdict(sim).ledger, 1e-6, "ledger", "closed");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// Friction between shapes that is changed on the way: what slides is braked by the new one from
// then on, whether the force has it or one of the surfaces tells more of the pair.
static void friction_changes_on_the_way(void **state)
{
    (void)state;
    static const char *const surfaces[] = {"", ", rolling_friction: 1e-3", ", restitution: 0.1"};
    for (int i = 0; i < 3; ++i) {
        char text[800];
        hf_error error = {0};
        hf_model *model;
        (void)snprintf(text, sizeof text,
                       HEAD "  floor: {type: static, position: [0, 0, -0.5], shape: {type: box, "
                            "size: [9, 9, 1]%s}}\n"
                            "  box: {type: rigid, mass: 2, position: [0, 0, 0.05], velocity: [2, "
                            "0, 0], shape: {type: box, size: [0.4, 0.4, 0.1]}}\n"
                            "forces:\n  - {name: touch, type: collide, among: all, friction: 0.2, "
                            "restitution: 0}\n",
                       surfaces[i]);
        hf_sim *sim = begin(text, &model);
        run_until(sim, 0.2);
        hf_check_near(value_of(sim, "box.velocity.x"), 1.6, 1e-7, "velocity", "v - mu g t");
        assert_int_equal(hf_sim_set_parameter(sim, "touch.friction", 0.5, &error), HF_OK);
        run_until(sim, 0.4);
        hf_check_near(value_of(sim, "box.velocity.x"), 0.6, 1e-7, "velocity", "with the new one");
        run_until(sim, 0.6);
        hf_check_near(value_of(sim, "box.velocity.x"), 0.0, 1e-12, "velocity", "at rest");
        hf_check_near(value_of(sim, "box.position.x"), 0.36 + 1.6 * 1.6 / 10.0, 1e-7, "place",
                      "v^2/(2 mu g) from where it changed");
        finish(model, sim);
    }
}

// Shapes that begin far inside of each other are refused, in words that name both.
static void deep_starts_are_refused(void **state)
{
    (void)state;
    hf_error error = {0};
    hf_model *model = model_of(
        HEAD
        "  floor: {type: static, position: [0, 0, -0.5], shape: {type: box, size: [9, 9, 1]}}\n"
        "  box: {type: rigid, mass: 2, position: [0, 0, 0.02], shape: {type: box, size: [0.4, "
        "0.4, 0.1]}}\n"
        "forces:\n  - {name: touch, type: collide, among: all}\n");
    hf_sim_def def = hf_sim_def_default(model);
    hf_sim *sim = hf_sim_create(model, &def, &error);
    if (sim != NULL) {
        assert_int_not_equal(hf_sim_step(sim, &error), HF_OK);
    }
    assert_non_null(strstr(error.text, "box"));
    assert_non_null(strstr(error.text, "floor"));
    assert_non_null(strstr(error.text, "0.03 m"));
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// Two slides that a gear joins, and a third one alone, slide and stop: the joined ones in the same
// moment, each with one change of mode. m = 1 + 2/4, level 1 + 2/2: 4/3 m/s^2.
static void joined_ones_stop_together(void **state)
{
    (void)state;
    for (int order = 0; order < 2; ++order) {
        hf_model *model;
        char text[1000];
        (void)snprintf(text, sizeof text,
                       HEAD "  %s: {type: mass, dim: 1, mass: 1, velocity: 2}\n"
                            "  m: {type: mass, dim: 1, mass: 2, velocity: -1}\n"
                            "  %s: {type: mass, dim: 1, mass: 1, velocity: 2}\n"
                            "loops:\n  gear: {type: ratio, ratio: {%s: 1, m: 2}}\n"
                            "forces:\n"
                            "  - {name: f%s, on: %s, type: friction, law: coulomb, level: 1}\n"
                            "  - {name: fm, on: m, type: friction, law: coulomb, level: 2}\n"
                            "  - {name: f%s, on: %s, type: friction, law: coulomb, level: 1}\n",
                       order == 0 ? "a" : "z", order == 0 ? "z" : "a", order == 0 ? "a" : "z",
                       order == 0 ? "a" : "z", order == 0 ? "a" : "z", order == 0 ? "z" : "a",
                       order == 0 ? "z" : "a");
        hf_sim *sim = begin(text, &model);
        const char *joined = order == 0 ? "a.velocity" : "z.velocity";
        const char *alone = order == 0 ? "z.velocity" : "a.velocity";
        run_until(sim, 1.2);
        hf_check_near(value_of(sim, joined), 2.0 - 1.2 * 4.0 / 3.0, 1e-8, "velocity", "v - a t");
        hf_check_near(value_of(sim, "m.velocity"), -1.0 + 1.2 * 2.0 / 3.0, 1e-8, "velocity",
                      "half of it");
        run_until(sim, 1.8);
        hf_check_near(value_of(sim, joined), 0.0, 0.0, "velocity", "at rest");
        hf_check_near(value_of(sim, "m.velocity"), 0.0, 0.0, "velocity", "at rest");
        hf_check_near(value_of(sim, alone), 0.2, 1e-8, "velocity", "v - t");
        run_until(sim, 3.0);
        for (int k = 1; k <= 3; ++k) {
            hf_force_stats stats = hf_sim_force_stats(sim, (hf_force){k});
            bool lone =
                strstr(hf_model_force_name(model, (hf_force){k}), order == 0 ? "fz" : "fa") != NULL;
            assert_int_equal(stats.transitions, 1);
            hf_check_near(stats.slip_seconds, lone ? 2.0 : 1.5, 0.011, "time in slip", "v/a");
        }
        hf_check_near(hf_sim_energy(sim).dissipated, 5.0, 1e-7, "heat", "all that moved");
        finish(model, sim);
    }
}

// Two bodies that rest on each other under switch, pulled by a force that grows: friction lets go
// in the moment it reaches its level, of two machines side by side each at its own.
static void each_breaks_away_alone(void **state)
{
    (void)state;
    hf_model *model;
    hf_sim *sim =
        begin(HEAD "  a: {type: mass, dim: 2, mass: 1}\n  b: {type: mass, dim: 2, mass: 2}\n"
                   "signals: {pull: \"3*t\"}\n"
                   "forces:\n"
                   "  - {name: pa, on: a.x, type: force, value: pull}\n"
                   "  - {name: qa, on: a.y, type: force, value: \"4*t\"}\n"
                   "  - {name: pb, on: b.x, type: force, value: pull}\n"
                   "  - {name: fa, on: a, type: friction, law: coulomb, level: 2}\n"
                   "  - {name: fb, on: b, type: friction, law: coulomb, level: 4.5}\n",
              &model);
    // 5 t = 2 at 0.4 s; 3 t = 4.5 at 1.5 s
    run_until(sim, 0.39);
    hf_check_near(value_of(sim, "a.velocity.x"), 0.0, 0.0, "velocity", "at rest");
    run_until(sim, 1.4);
    // along (0.6, 0.8): integral of 5 t - 2
    hf_check_near(value_of(sim, "a.velocity.x"), 0.6 * 2.5, 1e-7, "velocity", "5 (t - 0.4)^2/2");
    hf_check_near(value_of(sim, "a.velocity.y"), 0.8 * 2.5, 1e-7, "velocity", "5 (t - 0.4)^2/2");
    hf_check_near(value_of(sim, "b.velocity.x"), 0.0, 0.0, "velocity", "at rest");
    run_until(sim, 2.5);
    hf_check_near(value_of(sim, "b.velocity.x"), 0.75, 1e-7, "velocity", "3 (t - 1.5)^2/4");
    finish(model, sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(friction_changes_on_the_way),
        cmocka_unit_test(deep_starts_are_refused),
        cmocka_unit_test(joined_ones_stop_together),
        cmocka_unit_test(each_breaks_away_alone),
    };
    return hf_run_tests(tests);
}
