// SPDX-License-Identifier: Apache-2.0
// HF_METHOD_SWITCH: stops on sums of coordinates and on distances. Backlash of gears, slack ropes.
#include "adaptive_test.h"

#include <math.h>

static hf_sim *open_sim(const hf_model *model, event_log *log)
{
    return sim_logged(model, switching(HF_FAMILY_ADAMS, 1e-9, 0.05), log);
}

// A motor runs through the play of its gear, then pushes a slide that sticks: the impact keeps the
// angular momentum 1e-3 w = (1e-3 + 2 * 0.01^2) w+.
static void gear_with_play(void **state)
{
    (void)state;
    hf_model *model = model_of("bodies:\n"
                               "  motor: {type: rotor, inertia: 0.001}\n"
                               "  slide: {type: mass, dim: 1, mass: 2}\n"
                               "forces:\n"
                               "  - {name: drive, on: motor, type: torque, value: 0.2}\n"
                               "  - {name: mesh, type: stop, ratio: {motor: 0.01, slide: -1},\n"
                               "     low: -0.001, high: 0.001}\n"
                               "  - {name: way, on: slide, type: friction, law: coulomb,\n"
                               "     level: {kinetic: 10, static: 15}}\n");
    event_log log = {0};
    hf_sim *sim = open_sim(model, &log);
    run_until(sim, 3.0);
    double met = sqrt(2.0 * 0.1 / 200.0), after = 200.0 * met / 1.2;
    double w = after + 0.1 / 0.0012 * (3.0 - met);
    hf_check_near(log.events[0].time, met, 1e-9, "the play is used up", "closed form");
    hf_check_near(value_of(sim, "motor.velocity"), w, 1e-7, "speed", "closed form");
    hf_check_near(value_of(sim, "slide.velocity"), 0.01 * w, 1e-9, "speed", "the gear's");
    hf_check_near(value_of(sim, "mesh.force"), -(10.0 + 2.0 * 0.01 * 0.1 / 0.0012), 1e-9,
                  "mesh force", "friction and inertia of the slide");
    hf_check_near(value_of(sim, "mesh.gap"), 0.001, 1e-15, "gap", "its limit");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// The same machine with a difference and with twice that difference, whose limits are twice as far.
static void scaled_difference(void **state)
{
    (void)state;
    static const char *const STOPS[] = {
        "on: a, to: b, type: stop, low: -0.2, high: 0.1",
        "ratio: {a: 2, b: -2}, type: stop, low: -0.4, high: 0.2",
        "ratio: {b: -2, a: 2}, type: stop, low: -0.4, high: 0.2",
    };
    double a[3], heat[3];
    int events[3];
    for (int i = 0; i < 3; ++i) {
        char text[800];
        (void)snprintf(text, sizeof text,
                       "bodies:\n"
                       "  a: {type: mass, dim: 1, mass: 1, velocity: 1}\n"
                       "  b: {type: mass, dim: 1, mass: 3}\n"
                       "forces:\n"
                       "  - {name: play, %s, restitution: 0.6}\n"
                       "  - {name: rub, on: b, type: friction, law: coulomb,\n"
                       "     level: {kinetic: 0.4, static: 0.6}}\n"
                       "  - {name: pull, on: a, type: force, value: \"0.8*sin(3*t)\"}\n",
                       STOPS[i]);
        hf_model *model = model_of(text);
        event_log log = {0};
        hf_sim *sim = open_sim(model, &log);
        run_until(sim, 4.0);
        a[i] = value_of(sim, "a.position");
        heat[i] = hf_sim_energy(sim).dissipated;
        events[i] = log.count;
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
    for (int i = 1; i < 3; ++i) {
        hf_check_near(a[i], a[0], 1e-8, "position", "a plain difference");
        hf_check_near(heat[i], heat[0], 1e-8, "heat", "a plain difference");
        assert_int_equal(events[i], events[0]);
    }
}

// A ball falls 0.8 m on a rope that is slack, is caught at 3-4-5, and swings on: the rope takes its
// radial speed, 4/5 of it, and holds its length from then on.
static void slack_rope(void **state)
{
    (void)state;
    hf_model *model =
        model_of("gravity: [0, 0, -9.81]\n"
                 "bodies: {ball: {type: mass, mass: 1, position: [0.6, 0, 0]}}\n"
                 "forces:\n"
                 "  - {name: rope, on: ball, coupling: distance, type: stop, high: 1}\n");
    event_log log = {0};
    hf_sim *sim = open_sim(model, &log);
    run_until(sim, 3.0);
    double v = sqrt(2.0 * 9.81 * 0.8), left = 0.5 * 0.36 * v * v - 9.81 * 0.8;
    double z = value_of(sim, "ball.position.z"), x = value_of(sim, "ball.velocity.x");
    double s = value_of(sim, "ball.velocity.z");
    check_event(&log, 0, sqrt(1.6 / 9.81), 1e-8, 0, "fall of 0.8 m");
    assert_int_equal(log.count, 1);
    hf_check_near(0.5 * (x * x + s * s) + 9.81 * z, left, 1e-7, "energy",
                  "after the rope's impact");
    hf_check_near(value_of(sim, "rope.gap"), 1.0, 1e-13, "length", "the rope's");
    hf_check_near(value_of(sim, "rope.force"), -(x * x + s * s - 9.81 * z), 1e-6, "pull",
                  "m v^2/l + m g cos");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// Hung on a rope at rest from the start: nothing moves in a thousand seconds.
static void hangs_still(void **state)
{
    (void)state;
    hf_model *model =
        model_of("gravity: [0, 0, -9.81]\n"
                 "bodies:\n"
                 "  load: {type: mass, dim: 1, axes: z, mass: 3}\n"
                 "  drum: {type: rotor, inertia: 0.02}\n"
                 "forces:\n"
                 "  - {name: rope, type: stop, ratio: {load: -1, drum: 0.1}, high: 0}\n"
                 "  - {name: brake, on: drum, type: friction, law: coulomb, level: 3}\n");
    event_log log = {0};
    hf_sim *sim = open_sim(model, &log);
    run_until(sim, 1000.0);
    assert_int_equal(log.count, 0);
    hf_check_near(value_of(sim, "load.position"), 0.0, 1e-20, "load", "its place");
    hf_check_same_bits(value_of(sim, "drum.position"), 0.0, "drum");
    hf_check_near(value_of(sim, "brake.force"), 2.943, 1e-12, "brake", "weight times radius");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// Two frictions joined by a gear whose play is used up stop in the same moment, both of them, and
// share what they hold from then on.
static void joined_frictions_stop_together(void **state)
{
    (void)state;
    hf_model *model = model_of(
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  motor: {type: rotor, inertia: 0.002}\n"
        "  arm:\n"
        "    type: tree\n"
        "    joints:\n"
        "      elbow: {type: revolute, axis: [0, 1, 0], mass: 1, center: [0.2, 0, 0],\n"
        "              inertia: [0.01, 0.01, 0.01], friction: {law: coulomb, level: 0.3}}\n"
        "forces:\n"
        "  - {name: play, ratio: {motor: 0.1, arm.elbow: -1}, type: stop, low: -0.02,\n"
        "     high: 0}\n"
        "  - {name: brake, on: motor, type: friction, law: coulomb, level: 0.15}\n");
    event_log log = {0};
    hf_sim *sim = open_sim(model, &log);
    run_until(sim, 3.0);
    hf_check_same_bits(value_of(sim, "motor.velocity"), 0.0, "motor at rest");
    hf_check_same_bits(value_of(sim, "arm.elbow.velocity"), 0.0, "elbow at rest");
    hf_check_near(value_of(sim, "brake.mode"), 0.0, 0.0, "brake", "stuck");
    hf_check_near(value_of(sim, "arm.elbow.friction.mode"), 0.0, 0.0, "elbow", "stuck");
    double weight = 9.81 * 0.2 * cos(value_of(sim, "arm.elbow.position"));
    double held = -value_of(sim, "arm.elbow.friction.force") - 10.0 * value_of(sim, "brake.force");
    hf_check_near(held, weight, 1e-9, "torque that is held", "the weight's");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// A friction along the very sum that its own normal force limits: at rest nothing says which holds.
static void own_load_is_refused(void **state)
{
    (void)state;
    hf_model *model =
        model_of("bodies:\n"
                 "  a: {type: mass, dim: 1, mass: 1}\n"
                 "  b: {type: mass, dim: 1, mass: 3}\n"
                 "forces:\n"
                 "  - {name: play, ratio: {a: 2, b: -3}, type: stop, low: 0}\n"
                 "  - {name: rub, ratio: {a: -4, b: 6}, type: friction, law: coulomb,\n"
                 "     level: {friction: 0.3}, normal: play}\n");
    hf_sim_def def = def_with(model, switching(HF_FAMILY_ADAMS, 1e-9, 0.05));
    hf_error error;
    assert_null(hf_sim_create(model, &def, &error));
    assert_non_null(strstr(error.text, "the stop that loads it"));
    hf_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gear_with_play),
        cmocka_unit_test(scaled_difference),
        cmocka_unit_test(slack_rope),
        cmocka_unit_test(hangs_still),
        cmocka_unit_test(joined_frictions_stop_together),
        cmocka_unit_test(own_load_is_refused),
    };
    return hf_run_tests(tests);
}
