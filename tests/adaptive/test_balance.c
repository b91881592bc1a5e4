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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stuck_behind_a_stop),
        cmocka_unit_test(every_method),
    };
    return hf_run_tests(tests);
}
