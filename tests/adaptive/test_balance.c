// SPDX-License-Identifier: Apache-2.0
// Forces balance at every recorded sample, under every method: stuck behind stops, on belts, under
// inputs that jump and controllers that sample.
#include <hf_balance.h>
#include <holdfast/contact.h>
#include <holdfast/holdfast.h>

#include "adaptive_test.h"

static const char PUSHED_STOP[] =
    "bodies:\n"
    "  a: {type: mass, dim: 1, mass: 1, position: 0}\n"
    "  b: {type: mass, dim: 1, mass: 1, position: 0.1}\n"
    "signals: {push: \"t < 0.15 ? 2 : t < 0.2 ? 3 : t < 0.3 ? 4 : 5\"}\n"
    "forces:\n"
    "  - {name: pusher, on: a, type: force, value: push}\n"
    "  - {name: touch, on: b, to: a, type: stop, low: 0.1}\n"
    "  - {name: floor, on: b, type: friction, law: coulomb, level: {coulomb: 10}}\n";

// Masses that push each other through stops, the last one stuck: nothing moves, no event is told,
// and every sample shows the forces of the push.
static void stuck_behind_a_stop(void **state)
{
    (void)state;
    for (int family = 0; family < 2; ++family) {
        event_log log = {0};
        hf_model *model = model_of(PUSHED_STOP);
        hf_sim *sim = sim_logged(
            model, switching(family == 0 ? HF_FAMILY_ADAMS : HF_FAMILY_BDF, 1e-8, 0.05), &log);
        hf_balance balance = hf_balance_of(sim);
        while (hf_sim_time(sim) < 0.49) {
            step(sim);
            hf_balance_sample(&balance);
            double t = hf_sim_time(sim), push = t < 0.149   ? 2.0
                                                : t < 0.199 ? 3.0
                                                : t < 0.299 ? 4.0
                                                            : 5.0;
            hf_check_near(value_of(sim, "floor.force"), -push, 1e-12, "friction", "the push");
            hf_check_near(value_of(sim, "touch.force"), push, 1e-12, "stop", "the push");
            hf_check_same_bits(value_of(sim, "a.velocity"), 0.0, "velocity");
            hf_check_same_bits(value_of(sim, "floor.mode"), 0.0, "mode");
        }
        assert_int_equal(log.count, 0);
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// A screw that a sampled controller turns, a nut with backlash between stops, friction on both.
static const char SCREW[] =
    "bodies:\n"
    "  motor: {type: mass, dim: 1, mass: 2, position: 0}\n"
    "  table: {type: mass, dim: 1, mass: 5, position: 0}\n"
    "signals: {wanted: \"0.1*sin(2*t)\"}\n"
    "forces:\n"
    "  - {name: drive, on: motor, type: controller, reference: wanted, proportional: 2000,\n"
    "     derivative: 120, integral: 900, period: 0.004, low: -60, high: 60}\n"
    "  - {name: nut, on: table, to: motor, type: stop, low: -0.004, high: 0.004}\n"
    "  - {name: bearing, on: motor, type: friction, law: coulomb, level: {coulomb: 4, static: 6}}\n"
    "  - {name: slide, on: table, type: friction, law: coulomb, level: {coulomb: 9, static: 12}}\n";

// Two blocks on a belt that runs, stops and turns, one pulled by a spring.
static const char BELT[] =
    "bodies:\n"
    "  belt: {type: driven, dim: 1, velocity: \"t < 0.53 ? 1 : t < 1.2 ? 0 : -1\"}\n"
    "  near: {type: mass, dim: 1, mass: 1, velocity: 1}\n"
    "  far: {type: mass, dim: 1, mass: 2, velocity: 1}\n"
    "forces:\n"
    "  - {name: rub, on: near, to: belt, type: friction, law: coulomb, level: {coulomb: 3}}\n"
    "  - {name: drag, on: far, to: belt, type: friction, law: coulomb,\n"
    "     level: {coulomb: 4, static: 5}}\n"
    "  - {name: band, on: far, to: near, type: spring, stiffness: 40, damping: 1}\n";

static const struct {
    const char *text;
    bool impacts;
} MACHINES[] = {{PUSHED_STOP, true}, {SCREW, true}, {BELT, false}};

static void every_method(void **state)
{
    (void)state;
    const hf_method_def methods[] = {switching(HF_FAMILY_ADAMS, 1e-8, 1e-3),
                                     switching(HF_FAMILY_BDF, 1e-8, 1e-3),
                                     {.type = HF_METHOD_DISCRETE, .step = 1e-3},
                                     {.type = HF_METHOD_SEMI_IMPLICIT_EULER, .step = 1e-3},
                                     {.type = HF_METHOD_EULER, .step = 1e-3},
                                     {.type = HF_METHOD_TIMESTEP, .step = 1e-3}};
    for (size_t m = 0; m < sizeof MACHINES / sizeof *MACHINES; ++m) {
        hf_model *model = model_of(MACHINES[m].text);
        for (size_t k = 0; k < sizeof methods / sizeof *methods; ++k) {
            hf_sim_def def = def_with(model, methods[k]);
            def.methods[1] = hf_contact_methods();
            hf_sim *sim = sim_from(model, &def);
            hf_balance balance = hf_balance_of(sim);
            balance.impacts = MACHINES[m].impacts;
            balance.ahead = methods[k].type != HF_METHOD_SWITCH;
            balance.least_heat =
                methods[k].type == HF_METHOD_SWITCH ? 1e-7 : 1e-4; // 4 N 1 m/s^2 h^2
            while (hf_sim_time(sim) < 2.0) {
                step(sim);
                hf_balance_sample(&balance);
            }
            hf_sim_destroy(sim);
        }
        hf_model_destroy(model);
    }
}

// ------------------------------------------------------------------------------------------------
// A crank at rest, which five frictions hold: two at the crank and two at the slide of given
// levels, and a bearing that the crank's reaction loads. At rest all forces balance with reactions
// of zero,
//   torque = crank + bearing - r slide,   |bearing| <= mu radius |R|,
// and with others: the shares of the five are free, and R with them.

// A crank and a slide: their frictions, bearing, places and forces.
static const char CRANK[] =
    "gravity: [0, 0, %g]\n"
    "method: {type: switch, step: 1e-3, rtol: 1e-7, atol: 1e-9}\n"
    "signals: {turn: \"%s\", pull: \"%s\"}\n"
    "bodies:\n"
    "  b0:\n    type: tree\n    joints:\n"
    "      j0: {type: revolute, axis: [0, -1, 0], position: %g, mass: 1, center: [0.05, 0, 0],\n"
    "        inertia: [0.0002, 0.004, 0.004], bearing: {radius: 0.01, friction: %g}}\n"
    "      j1: {type: revolute, parent: j0, offset: [0.1, 0, 0], axis: [0, -1, 0], guess: %g,\n"
    "        mass: 0.5, center: [0.15, 0, 0], inertia: [0.0001, 0.00375, 0.00375]}\n"
    "  b1: {type: tree, joints: {j0: {type: prismatic, axis: [1, 0, 0], guess: %g, mass: 1.2}}}\n"
    "forces:\n"
    "  - {name: f1, on: b0.j0, type: torque, value: turn}\n"
    "  - {name: f2, on: b1.j0, type: force, value: pull}\n"
    "  - {name: f3, on: b1.j0, to: world, type: friction, law: coulomb, level: {coulomb: %g}}\n"
    "  - {name: f4, on: b1.j0, to: world, type: friction, law: coulomb, level: {coulomb: %g}}\n"
    "  - {name: f5, on: b0.j0, to: world, type: friction, law: coulomb, level: {coulomb: %g}}\n"
    "  - {name: f6, on: b0.j0, to: world, type: friction, law: coulomb, level: {coulomb: %g}}\n"
    "loops: {l0: {type: point, on: b0.j1, to: b1.j0, point: [0.3, 0, 0]}}\n";

static void redundant_beside_a_bearing(void **state)
{
    (void)state;
    char text[2500];
    // Pulled by less than the crank's own frictions hold
    (void)snprintf(text, sizeof text, CRANK, 0.0, "1.069*max(sin(36.42*t), 0.2)",
                   "8.207*sin(35.74*t)", 0.49509, 0.219, -0.65413, 0.38421, 1.555, 3.306, 0.1798,
                   0.188);
    hf_model *model = model_of(text);
    hf_sim *sim = sim_from(model, NULL);
    run_until(sim, 0.01);
    hf_check_near(value_of(sim, "b0.j0.position"), 0.49509, 0.0, "crank", "held within all levels");
    hf_check_near(value_of(sim, "b1.j0.velocity"), 0.0, 0.0, "slide", "held within all levels");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    // By weights too, which the levels hold until the torque has grown
    (void)snprintf(text, sizeof text, CRANK, -9.81, "1.154*min(t, 0.1367)/0.1",
                   "7.833*sign(sin(17.66*t + 0.3))", 2.4407, 0.075, -2.6573, 0.21656, 3.978, 3.75,
                   0.1068, 0.1332);
    model = model_of(text);
    double at[2];
    for (int i = 0; i < 2; ++i) {
        hf_sim_def def = hf_sim_def_default(model);
        def.methods[0] = hf_adaptive_methods();
        def.methods[1] = hf_contact_methods();
        def.method = i == 0 ? switching(HF_FAMILY_ADAMS, 1e-8, 1e-3)
                            : (hf_method_def){.type = HF_METHOD_TIMESTEP, .step = 2e-5};
        sim = sim_from(model, &def);
        run_until(sim, 0.06);
        at[i] = value_of(sim, "b0.j0.position");
        hf_sim_destroy(sim);
    }
    hf_check_near(at[0], at[1], 1e-6, "crank that breaks away", "timestep at 20 us");
    assert_true(at[0] > 2.441);
    hf_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stuck_behind_a_stop),
        cmocka_unit_test(every_method),
        cmocka_unit_test(redundant_beside_a_bearing),
    };
    return hf_run_tests(tests);
}
