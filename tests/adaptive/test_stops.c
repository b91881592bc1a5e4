// SPDX-License-Identifier: Apache-2.0
// End stops: impacts, rest and release, against closed forms; alone, with friction, several at
// once.
#include "adaptive_test.h"

#include <math.h>

enum { OPEN = 2 };

static hf_sim *open_sim(const hf_model *model, double tolerance, event_log *log)
{
    return sim_logged(
        model,
        (hf_method_def){
            .type = HF_METHOD_SWITCH, .step = 0.05, .rtol = tolerance, .atol = tolerance},
        log);
}

static const char BALL[] = "gravity: [0, 0, -10]\n"
                           "bodies: {ball: {type: mass, axes: z, mass: 2, position: 1.25}}\n"
                           "forces: [{name: floor, on: ball, type: stop, low: 0,\n"
                           "          restitution: 0.5}]\n";

// Falls for 0.5 s, hits at 5 m/s; flights of 0.5, 0.25, ... s; at rest from 1.5 s on.
static void bouncing_ball(void **state)
{
    (void)state;
    hf_model *model = model_of(BALL);
    event_log log = {0};
    hf_sim *sim = open_sim(model, 1e-10, &log);
    run_until(sim, 3.0);
    double t = 0.5, flight = 0.5;
    assert_true(log.count > 10);
    for (int i = 0; i < 10; ++i) {
        hf_check_near(log.events[i].time, t, 1e-8, "bounce", "closed form");
        assert_int_equal(log.events[i].from, OPEN);
        assert_int_equal(log.events[i].to, OPEN);
        t += flight;
        flight *= 0.5;
    }
    hf_check_near(log.events[log.count - 1].time, 1.5, 1e-4, "rest", "accumulation point");
    assert_int_equal(log.events[log.count - 1].to, 0);
    assert_int_equal(hf_sim_get_stats(sim).chatter_events, 1);
    hf_check_same_bits(value_of(sim, "ball.velocity"), 0.0, "velocity at rest");
    hf_check_same_bits(value_of(sim, "ball.position"), 0.0, "position at rest");
    hf_check_near(value_of(sim, "floor.force"), 20.0, 1e-12, "force of the floor", "weight");
    hf_energy energy = hf_sim_energy(sim);
    hf_check_near(energy.dissipated, 25.0, 1e-6, "heat", "all of it");
    hf_check_below(fabs(energy.residual), 1e-6, "energy residual", "rtol 1e-10");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// A ball at rest is pulled up: it leaves when the pull is its weight.
static void release(void **state)
{
    (void)state;
    hf_model *model = model_of("gravity: [0, 0, -10]\n"
                               "bodies: {ball: {type: mass, axes: z, mass: 1}}\n"
                               "signals: {pull: \"4*t\"}\n"
                               "forces:\n"
                               "  - {name: floor, on: ball, type: stop, low: 0}\n"
                               "  - {name: hand, on: ball, type: force, value: pull}\n");
    event_log log = {0};
    hf_sim *sim = open_sim(model, 1e-9, &log);
    run_until(sim, 2.0);
    hf_check_near(value_of(sim, "floor.force"), 2.0, 1e-9, "force of the floor", "what is left");
    run_until(sim, 3.5);
    assert_int_equal(log.count, 1);
    hf_check_near(log.events[0].time, 2.5, 1e-8, "release", "pull = weight");
    hf_check_near(value_of(sim, "ball.velocity"), 2.0, 1e-7, "velocity", "2 (t - 2.5)^2");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// A block slides with friction against a wall, comes back slower, and sticks.
static void friction_and_wall(void **state)
{
    (void)state;
    hf_model *model = model_of(
        "bodies: {block: {type: mass, dim: 1, mass: 1, velocity: 4}}\n"
        "forces:\n"
        "  - {name: floor, on: block, type: friction, law: coulomb, level: 1}\n"
        "  - {name: wall, on: block, type: stop, low: -100, high: 3.5, restitution: 0.5}\n");
    event_log log = {0};
    hf_sim *sim = open_sim(model, 1e-9, &log);
    run_until(sim, 4.0);
    // v^2 = 16 - 7 = 9 at the wall, t = 1; back with 1.5 for 1.5 s and 1.125 m.
    assert_int_equal(log.count, 3);
    hf_check_near(log.events[0].time, 1.0, 1e-8, "impact", "closed form");
    hf_check_near(log.events[2].time, 2.5, 1e-8, "stop", "closed form");
    hf_check_near(value_of(sim, "block.position"), 3.5 - 1.125, 1e-7, "position", "closed form");
    hf_check_same_bits(value_of(sim, "block.velocity"), 0.0, "velocity in stick");
    hf_energy energy = hf_sim_energy(sim);
    hf_check_below(fabs(energy.residual), 1e-6, "energy residual", "rtol 1e-9");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// Equal masses exchange their velocities; unequal ones keep momentum and energy.
static void elastic_impacts_between_masses(void **state)
{
    (void)state;
    for (int i = 0; i < 2; ++i) {
        char text[400];
        double m = i == 0 ? 1.0 : 3.0;
        (void)snprintf(text, sizeof text,
                       "bodies:\n"
                       "  a: {type: mass, dim: 1, mass: 1, velocity: 2}\n"
                       "  b: {type: mass, dim: 1, mass: %g, position: 1}\n"
                       "forces: [{name: bumper, on: b, to: a, type: stop, low: 0.5,\n"
                       "          restitution: 1}]\n",
                       m);
        hf_model *model = model_of(text);
        event_log log = {0};
        hf_sim *sim = open_sim(model, 1e-10, &log);
        run_until(sim, 1.0);
        assert_int_equal(log.count, 1);
        hf_check_near(log.events[0].time, 0.25, 1e-10, "impact", "closed form");
        hf_check_near(value_of(sim, "a.velocity"), 2.0 * (1.0 - m) / (1.0 + m), 1e-11,
                      "velocity of a", "momentum and energy");
        hf_check_near(value_of(sim, "b.velocity"), 4.0 / (1.0 + m), 1e-11, "velocity of b",
                      "momentum and energy");
        hf_check_near(hf_sim_energy(sim).dissipated, 0.0, 1e-11, "heat", "none");
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// Three masses in a row, two of which touch: one problem for both contacts.
static void impact_on_touching_masses(void **state)
{
    (void)state;
    hf_model *model = model_of("bodies:\n"
                               "  a: {type: mass, dim: 1, mass: 1, velocity: 3}\n"
                               "  b: {type: mass, dim: 1, mass: 1, position: 2}\n"
                               "  c: {type: mass, dim: 1, mass: 1, position: 3}\n"
                               "forces:\n"
                               "  - {name: one, on: b, to: a, type: stop, low: 1}\n"
                               "  - {name: two, on: c, to: b, type: stop, low: 1}\n");
    event_log log = {0};
    hf_sim *sim = open_sim(model, 1e-10, &log);
    run_until(sim, 2.0);
    const char *names[] = {"a.velocity", "b.velocity", "c.velocity"};
    for (int i = 0; i < 3; ++i) {
        hf_check_near(value_of(sim, names[i]), 1.0, 1e-10, names[i], "plastic: all go on together");
    }
    hf_check_near(hf_sim_energy(sim).dissipated, 3.0, 1e-9, "heat", "4.5 J - 1.5 J");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// A pendulum arm with limits in both joints falls into them and comes to rest there.
static void joint_limits(void **state)
{
    (void)state;
    hf_model *model = model_of(
        "gravity: [0, -9.81, 0]\n"
        "bodies:\n"
        "  arm:\n"
        "    type: tree\n"
        "    joints:\n"
        "      shoulder: {type: revolute, mass: 1, center: [0.2, 0, 0], inertia: [0, 0.02, 0.02]}\n"
        "      elbow: {type: revolute, parent: shoulder, offset: [0.4, 0, 0], mass: 1,\n"
        "              center: [0.2, 0, 0], inertia: [0, 0.02, 0.02]}\n"
        "forces:\n"
        "  - {name: shoulder-stop, on: arm.shoulder, type: stop, low: -1, high: 1,\n"
        "     restitution: 0.3}\n"
        "  - {name: elbow-stop, on: arm.elbow, type: stop, low: -0.2, high: 0.7,\n"
        "     restitution: 0.2}\n"
        "  - {name: grease, on: arm.elbow, type: friction, law: coulomb, level: 0.02}\n");
    event_log log = {0};
    hf_sim *sim = open_sim(model, 1e-9, &log);
    while (hf_sim_time(sim) < 6.0) {
        run_until(sim, hf_sim_time(sim) + 0.05);
        double q = value_of(sim, "arm.shoulder.position"), p = value_of(sim, "arm.elbow.position");
        hf_check_below(fabs(q), 1.0 + 1e-7, "shoulder", "its limits");
        assert_true(p > -0.2 - 1e-7 && p < 0.7 + 1e-7);
        hf_energy energy = hf_sim_energy(sim);
        hf_check_below(fabs(energy.residual), 1e-5 * (1.0 + energy.turnover), "energy residual",
                       "rtol 1e-9");
    }
    hf_check_same_bits(value_of(sim, "arm.shoulder.velocity"), 0.0, "shoulder at rest");
    hf_check_same_bits(value_of(sim, "arm.elbow.velocity"), 0.0, "elbow at rest");
    assert_true(log.count > 4);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

static void save_and_restore(void **state)
{
    (void)state;
    hf_model *model = model_of(BALL);
    const double when[] = {0.2, 0.5, 1.1, 2.0};
    for (int i = 0; i < 4; ++i) {
        event_log log = {0};
        hf_sim *first = open_sim(model, 1e-8, &log), *second = open_sim(model, 1e-8, &log);
        check_restored(first, second, when[i], 3.0);
        hf_sim_destroy(first);
        hf_sim_destroy(second);
    }
    hf_model_destroy(model);
}

// The same law over fixed steps: of first order, and never beyond the limit by more than rounding.
static void over_fixed_steps(void **state)
{
    (void)state;
    hf_model *model = model_of(BALL);
    hf_sim *sim = sim_with(model, (hf_method_def){.type = HF_METHOD_DISCRETE, .step = 1e-4});
    double lowest = 0.0;
    while (hf_sim_time(sim) < 3.0) {
        run_until(sim, hf_sim_time(sim) + 1e-4);
        lowest = fmin(lowest, value_of(sim, "ball.position"));
    }
    hf_check_near(lowest, 0.0, 1e-12, "deepest", "the limit");
    hf_check_near(value_of(sim, "ball.position"), 0.0, 1e-7, "position at rest", "g T^2");
    hf_check_near(value_of(sim, "ball.velocity"), 0.0, 1e-9, "velocity at rest", "none");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

static void bad_input(void **state)
{
    (void)state;
    hf_error error = {0};
    hf_model *model = model_of("bodies: {ball: {type: mass, dim: 1, mass: 1, position: -0.5}}\n"
                               "forces: [{name: floor, on: ball, type: stop, low: 0}]\n");
    event_log log = {0};
    hf_sim *sim = open_sim(model, 1e-8, &log);
    assert_int_equal(hf_sim_step(sim, &error), HF_ERROR_RANGE);
    assert_non_null(strstr(error.text, "the gap of stop 'floor' is 0.5 beyond its limit"));
    hf_sim_destroy(sim);
    hf_sim_def def = hf_sim_def_default(model);
    def.method.type = HF_METHOD_RK4;
    expect_refusal(model, &def, "law 'stop' is computed once a step");
    hf_model_destroy(model);
}

// ------------------------------------------------------------------------------------------------
// Friction under the force of a stop

// [RobotSimulation2025]: a point lands with a friction impulse, slides and stops. Its exact values.
static void landing_point(void **state)
{
    (void)state;
    hf_error error = {0};
    hf_model *model = hf_model_load(HF_SOURCE_DIR "/examples/point-2d-hybrid.yaml", &error);
    if (model == NULL) {
        fail_msg("%s", error.text);
    }
    event_log log = {0};
    hf_sim *sim = open_sim(model, 1e-11, &log);
    run_until(sim, 0.5);
    double since = 0.5 - 0.451523641;
    hf_check_near(value_of(sim, "point.velocity.x"), 0.557055308 - 0.981 * since, 2e-9,
                  "velocity after the landing", "Intro to Robot Simulation 2025, friction impulse");
    run_until(sim, 2.0);
    hf_check_near(log.events[log.count - 1].time, 1.019367992, 1e-9, "stop",
                  "Intro to Robot Simulation 2025");
    hf_check_near(value_of(sim, "point.position.x"), 0.609683996, 1e-9, "place of the stop",
                  "Intro to Robot Simulation 2025");
    hf_check_same_bits(value_of(sim, "point.velocity.x"), 0.0, "velocity in stick");
    hf_check_near(value_of(sim, "floor.force"), 98.1, 1e-11, "normal force", "weight");
    hf_check_below(fabs(hf_sim_energy(sim).residual), 1e-8, "energy residual", "rtol 1e-11");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// A block on the floor is pressed and pulled: it breaks away at mu times what presses it, and holds
// again when it is pressed harder.
static void pressed_block(void **state)
{
    (void)state;
    hf_model *model =
        model_of("bodies: {block: {type: mass, axes: xz, mass: 1}}\n"
                 "signals: {press: \"t < 3 ? -10 : -30\", pull: \"2*t\"}\n"
                 "forces:\n"
                 "  - {name: hand, on: block, type: force, value: [pull, press]}\n"
                 "  - {name: floor, on: block.z, type: stop, low: 0}\n"
                 "  - {name: rub, on: block.x, type: friction, law: coulomb,\n"
                 "     level: {friction: 0.4, static_friction: 0.5}, normal: floor}\n");
    event_log log = {0};
    hf_sim *sim = open_sim(model, 1e-10, &log);
    run_until(sim, 2.0);
    hf_check_near(value_of(sim, "rub.force"), -4.0, 1e-9, "friction in stick", "the pull");
    run_until(sim, 5.0);
    // Breaks away at 5 N, t = 2.5; v = (t - 2.5)(t - 1.5) to t = 3; then v' = 2 t - 12.
    hf_check_near(log.events[0].time, 2.5, 1e-8, "break-away", "0.5 x 10 N");
    double v3 = 0.5 * 1.5, stop = 6.0 - sqrt(9.0 - v3);
    hf_check_near(log.events[1].time, stop, 1e-7, "stop", "closed form");
    assert_int_equal(log.count, 2);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// A rod of two joints, whose directions are coupled, scrapes along: forces stay in the cone.
static void coupled_directions(void **state)
{
    (void)state;
    hf_model *model = model_of(
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  leg:\n"
        "    type: tree\n"
        "    joints:\n"
        "      slide: {type: prismatic, axis: [1, 0, 0], mass: 1, velocity: 2}\n"
        "      lift: {type: prismatic, parent: slide, axis: [0.6, 0, 0.8], mass: 1}\n"
        "forces:\n"
        "  - {name: floor, on: leg.lift, type: stop, low: 0}\n"
        "  - {name: rub, on: leg.slide, type: friction, law: coulomb, level: {friction: 0.3},\n"
        "     normal: floor}\n");
    event_log log = {0};
    hf_sim *sim = open_sim(model, 1e-9, &log);
    bool slid = false;
    while (hf_sim_time(sim) < 4.0) {
        run_until(sim, hf_sim_time(sim) + 0.05);
        double normal = fabs(value_of(sim, "floor.force")), rub = value_of(sim, "rub.force");
        hf_check_below(fabs(rub), 0.3 * normal * (1.0 + 1e-9) + 1e-9, "friction", "its cone");
        if (value_of(sim, "rub.mode") == 1.0) {
            slid = true;
            hf_check_near(rub, -0.3 * normal, 1e-9, "friction in slip", "at its level");
        }
        hf_check_below(fabs(hf_sim_energy(sim).residual), 1e-6, "energy residual", "rtol 1e-9");
    }
    assert_true(slid);
    hf_check_same_bits(value_of(sim, "leg.slide.velocity"), 0.0, "velocity in stick");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// A mass has bounced to rest on its floor; another, in it with play, reaches the upper end of the
// play and throws it off: equal masses share the impulse. A stop that holds because its bounces
// have died away does not hold against being pulled open.
static void thrown_off_after_bouncing(void **state)
{
    (void)state;
    hf_model *model =
        model_of("gravity: [0, 0, -10]\n"
                 "bodies:\n"
                 "  a: {type: mass, axes: z, mass: 1, position: 0.001}\n"
                 "  b: {type: mass, axes: z, mass: 1, position: 0.12, velocity: 0.2}\n"
                 "forces:\n"
                 "  - {name: floor, on: a, type: stop, low: 0, restitution: 0.4}\n"
                 "  - {name: play, on: b, to: a, type: stop, low: 0.1, high: 0.15,\n"
                 "     restitution: 0.4}\n"
                 "  - {name: up, on: b, type: force, value: 13}\n");
    event_log log = {0};
    hf_sim *sim = open_sim(model, 1e-10, &log);
    // 0.03 = 0.2 t + 1.5 t^2: strikes at (0.04 + 0.18)^(1/2) - 0.2 over 3, with 0.469042 m/s
    double strike = (sqrt(0.22) - 0.2) / 3.0;
    run_until(sim, 0.1);
    double since = 0.1 - strike, speed = 0.5 * 1.4 * sqrt(0.22);
    hf_check_near(value_of(sim, "a.velocity"), speed - 10.0 * since, 1e-6, "velocity of a",
                  "(1 + e) v/2, then falling");
    hf_check_near(value_of(sim, "a.position"), since * (speed - 5.0 * since), 1e-7, "height of a",
                  "closed form");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bouncing_ball),
        cmocka_unit_test(thrown_off_after_bouncing),
        cmocka_unit_test(release),
        cmocka_unit_test(friction_and_wall),
        cmocka_unit_test(elastic_impacts_between_masses),
        cmocka_unit_test(impact_on_touching_masses),
        cmocka_unit_test(joint_limits),
        cmocka_unit_test(save_and_restore),
        cmocka_unit_test(over_fixed_steps),
        cmocka_unit_test(bad_input),
        cmocka_unit_test(landing_point),
        cmocka_unit_test(pressed_block),
        cmocka_unit_test(coupled_directions),
    };
    return hf_run_tests(tests);
}
