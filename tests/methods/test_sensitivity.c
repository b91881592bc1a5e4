// SPDX-License-Identifier: Apache-2.0
// Derivatives of runs: against closed forms, the matrix exponential and differences of whole runs.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sensitivity_runs.h"

// ------------------------------------------------------------------------------------------------

static const char forced[] =
    "method: {type: switch, rtol: 1e-12, atol: 1e-12, step: 0.01}\n"
    "bodies:\n"
    "  block: {type: mass, dim: 1, mass: 1}\n"
    "  belt: {type: driven, velocity: 0.5}\n"
    "signals: {shake: \"0.3*sin(0.7*t)\"}\n"
    "forces:\n"
    "  - {name: spring, on: block, type: spring, stiffness: 1}\n"
    "  - {name: hand, on: block, type: force, value: shake}\n"
    "  - {name: friction, on: block, to: belt, type: friction, law: coulomb,\n"
    "     level: {coulomb: 0.5, static: 1}}\n";

// Through more than a hundred stops and break-aways.
static void test_stick_slip(void **state)
{
    (void)state;
    const check checks[] = {{forced,
                             "forces.friction.level.coulomb",
                             0.5,
                             620.0,
                             3e-5,
                             1e-6,
                             {"block.position", "block.velocity", "friction.force"},
                             100},
                            {forced,
                             "bodies.block.mass",
                             1.0,
                             620.0,
                             3e-5,
                             1e-6,
                             {"block.position", "block.velocity"},
                             100}};
    for (size_t i = 0; i < sizeof checks / sizeof *checks; ++i) {
        compare(&checks[i]);
    }
}

// The known case: a method of fixed steps would say 1.001 here.
static void test_known_case(void **state)
{
    (void)state;
    const hf_sensitivity_term term = {.name = "friction.level.kinetic"};
    run r = begin(forced, &term, 1);
    double at = 0.0;
    go(&r, 120.0);
    derivatives(&r, "block.position", &at);
    hf_check_near(at, 22.1291174, 1e-6, "derivative", "differences of runs");
    finish(&r);
}

// ------------------------------------------------------------------------------------------------
// A ball that bounces, and its closed form

static double ball(double height, double gravity, double e, double t)
{
    double speed = sqrt(2.0 * gravity * height), landed = speed / gravity;
    if (t < landed) {
        return height - 0.5 * gravity * t * t;
    }
    for (;;) {
        speed *= e;
        double flight = 2.0 * speed / gravity;
        if (t < landed + flight) {
            double since = t - landed;
            return speed * since - 0.5 * gravity * since * since;
        }
        landed += flight;
    }
}

static void test_bouncing_ball(void **state)
{
    (void)state;
    static const char text[] =
        "method: {type: switch, rtol: 1e-11, atol: 1e-12, step: 0.01}\n"
        "gravity: [0, 0, 0]\n"
        "bodies: {ball: {type: mass, dim: 1, mass: 2, position: 1}}\n"
        "signals: {weight: {input: -19.62}}\n"
        "forces:\n"
        "  - {name: gravity, on: ball, type: force, value: weight}\n"
        "  - {name: ground, on: ball, type: stop, low: 0, high: 100, restitution: 0.8}\n";
    const double height = 1.0, g = 9.81, e = 0.8, h = 1e-4;
    run r = begin(text, NULL, 0);
    hf_error error = {0};
    const hf_sensitivity_term terms[] = {
        {.kind = HF_BY_POSITION, .coordinate = hf_model_find_coordinate(r.model, "ball")},
        {.kind = HF_BY_INPUT, .input = hf_model_find_signal(r.model, "weight")},
        {.name = "ground.restitution"}};
    r.sensitivity = hf_sensitivity_create(r.sim, terms, 3, &error);
    assert_non_null(r.sensitivity);
    for (int k = 1; k <= 20; ++k) {
        double t = 0.17 * k, at[3];
        go(&r, t);
        derivatives(&r, "ball.position", at);
        // Of order four: to 1e-11 of the closed form
#define SLOPE(f, d)  ((8.0 * (f(d) - f(-(d))) - (f(2.0 * (d)) - f(-2.0 * (d)))) / (12.0 * (d)))
#define BY_HEIGHT(d) ball(height + (d), g, e, t)
#define BY_WEIGHT(d) ball(height, g - (d) / 2.0, e, t)
#define BY_E(d)      ball(height, g, e + (d), t)
        hf_check_near(at[0], SLOPE(BY_HEIGHT, h), 2e-8, "derivative", "closed form");
        hf_check_near(at[1], SLOPE(BY_WEIGHT, h), 2e-8, "derivative", "closed form");
        hf_check_near(at[2], SLOPE(BY_E, h), 2e-7, "derivative", "closed form");
    }
    assert_true(hf_sim_get_stats(r.sim).events >= 5);
    finish(&r);
}

// ------------------------------------------------------------------------------------------------
// A linear machine: x' = A x, S = d exp(A t) x0

static void test_linear(void **state)
{
    (void)state;
    static const char *methods[] = {"adaptive, rtol: 1e-10, atol: 1e-12",
                                    "switch, rtol: 1e-10, atol: 1e-12", "rk4",
                                    "timestep, theta: 0.5"};
    const double m = 2.0, k = 50.0, x0 = 0.3, t = 1.5;
    for (int i = 0; i < 4; ++i) {
        char text[500];
        (void)snprintf(text, sizeof text,
                       "method: {type: %s, step: 1e-3}\n"
                       "bodies: {a: {type: mass, dim: 1, mass: 2, position: 0.3}}\n"
                       "forces:\n"
                       "  - {name: spring, on: a, type: spring, stiffness: 50}\n",
                       methods[i]);
        run r = begin(text, NULL, 0);
        hf_error error = {0};
        const hf_sensitivity_term terms[] = {
            {.name = "spring.stiffness"},
            {.kind = HF_BY_POSITION, .coordinate = hf_model_find_coordinate(r.model, "a")},
            {.kind = HF_BY_VELOCITY, .coordinate = hf_model_find_coordinate(r.model, "a")}};
        r.sensitivity = hf_sensitivity_create(r.sim, terms, 3, &error);
        if (r.sensitivity == NULL) {
            fail_msg("%s", error.text);
        }
        double at[3], w = sqrt(k / m);
        go(&r, t);
        derivatives(&r, "a.position", at);
        double allowed = i < 2 ? 1e-9 : i == 2 ? 1e-7 : 2e-5;
        hf_check_near(at[0], -x0 * t * sin(w * t) * w / (2.0 * k), allowed, "derivative",
                      "closed form");
        hf_check_near(at[1], cos(w * t), allowed, "derivative", "closed form");
        hf_check_near(at[2], sin(w * t) / w, allowed, "derivative", "closed form");
        finish(&r);
    }
}

// ------------------------------------------------------------------------------------------------
// Other machines

static const char puck[] =
    "method: {type: switch, rtol: 1e-11, atol: 1e-12, step: 0.01}\n"
    "bodies: {puck: {type: mass, axes: xy, mass: 1, position: [10, 0], velocity: [0, 30]}}\n"
    "forces:\n"
    "  - {name: spring, on: puck, type: spring, stiffness: 3}\n"
    "  - {name: plane, on: puck, type: friction, law: coulomb, level: 10}\n";

// Lands, slides by the load of its stop, and comes to rest.
static const char landing[] =
    "gravity: [0, 0, -9.81]\n"
    "method: {type: switch, rtol: 1e-11, atol: 1e-12, step: 0.01}\n"
    "bodies: {point: {type: mass, axes: xz, mass: 10, position: [0, 1], velocity: [1, 0]}}\n"
    "forces:\n"
    "  - {name: floor, on: point.z, type: stop, low: 0, restitution: 0.3}\n"
    "  - {name: rub, on: point.x, type: friction, law: coulomb, level: {friction: 0.1}, "
    "normal: floor}\n";

// A controller that takes samples, against stiction, with a reference that jumps.
static const char sampled[] =
    "method: {type: switch, rtol: 1e-11, atol: 1e-12, step: 0.01}\n"
    "bodies: {slide: {type: mass, dim: 1, mass: 2}}\n"
    "signals: {target: \"t < 0.5 ? 0 : 0.1\"}\n"
    "forces:\n"
    "  - {name: servo, on: slide, type: controller, reference: target, proportional: 200,\n"
    "     integral: 300, derivative: 15, period: 0.02}\n"
    "  - {name: guide, on: slide, type: friction, law: coulomb, level: {coulomb: 2, static: 3}}\n";

static const char bristles[] =
    "method: {type: adaptive, rtol: 1e-11, atol: 1e-12, step: 0.01}\n"
    "bodies: {block: {type: mass, dim: 1, mass: 1}, belt: {type: driven, velocity: 0.2}}\n"
    "forces:\n"
    "  - {name: spring, on: block, type: spring, stiffness: 20}\n"
    "  - {name: pad, on: block, to: belt, type: friction, law: lugre, stiffness: 1000,\n"
    "     damping: 30, level: {coulomb: 1, static: 1.5, stribeck_velocity: 0.05}}\n";

// Two blocks, one on the other, on a table that shakes: each sticks and slips by itself.
static const char stacked[] =
    "method: {type: switch, rtol: 1e-11, atol: 1e-12, step: 0.01}\n"
    "bodies:\n"
    "  upper: {type: mass, dim: 1, mass: 1}\n"
    "  lower: {type: mass, dim: 1, mass: 3}\n"
    "  table: {type: driven, position: \"0.05*sin(6*t) + 0.02*sin(11*t)\"}\n"
    "forces:\n"
    "  - {name: top, on: upper, to: lower, type: friction, law: coulomb, level: 1.1}\n"
    "  - {name: bottom, on: lower, to: table, type: friction, law: coulomb, level: 4.7}\n";

// A parameter that enters by formulas, and one that says when an input jumps.
static const char brake[] =
    "parameters: {apply: 0.3, mu: 0.2}\n"
    "method: {type: switch, rtol: 1e-11, atol: 1e-12, step: 0.01}\n"
    "bodies: {drum: {type: mass, dim: 1, mass: 3.6, velocity: 2}}\n"
    "signals: {band: \"t < apply ? 5*t : 100*(exp(4*mu) - 1)*(1 + t)\"}\n"
    "forces:\n"
    "  - {name: weight, type: force, on: drum, value: 30}\n"
    "  - {name: brake, type: friction, law: coulomb, on: drum, level: {friction: 1}, "
    "normal: band}\n";

static void test_machines(void **state)
{
    (void)state;
    const check checks[] = {
        {puck,
         "forces.plane.level",
         10,
         3.0,
         1e-3,
         2e-6,
         {"puck.position.x", "puck.velocity.y"},
         0},
        {landing,
         "forces.rub.level.friction",
         0.1,
         1.2,
         1e-5,
         1e-6,
         {"point.position.x", "point.position.z"},
         3},
        {landing,
         "forces.floor.restitution",
         0.3,
         1.2,
         1e-5,
         1e-6,
         {"point.position.x", "point.position.z"},
         3},
        {sampled,
         "forces.servo.proportional",
         200,
         2.0,
         1e-3,
         1e-6,
         {"slide.position", "servo.force"},
         3},
        {sampled,
         "forces.guide.level.coulomb",
         2,
         2.0,
         1e-4,
         1e-6,
         {"slide.position", "servo.force"},
         3},
        {bristles,
         "forces.pad.level.coulomb",
         1,
         4.0,
         1e-4,
         2e-6,
         {"block.position", "pad.force"},
         0},
        {bristles, "forces.pad.stiffness", 1000, 4.0, 1e-1, 2e-6, {"block.position"}, 0},
        {stacked,
         "forces.top.level",
         1.1,
         3.0,
         1e-5,
         1e-6,
         {"upper.position", "lower.velocity"},
         6},
        {stacked, "bodies.upper.mass", 1, 3.0, 1e-5, 1e-6, {"upper.position", "lower.velocity"}, 6},
        {brake, "apply", 0.3, 0.5, 3e-5, 1e-6, {"drum.position", "brake.force"}, 0},
        {brake, "mu", 0.2, 0.5, 3e-5, 1e-6, {"drum.position", "brake.force"}, 0},
    };
    for (size_t i = 0; i < sizeof checks / sizeof *checks; ++i) {
        compare(&checks[i]);
    }
}

// Under timestep: the derivative of the steps, of first order to the machine's.
static void test_timestep(void **state)
{
    (void)state;
    static const char text[] =
        "method: {type: timestep, step: %g}\n"
        "bodies: {block: {type: mass, dim: 1, mass: 2, velocity: 3}}\n"
        "forces:\n"
        "  - {name: floor, on: block, type: friction, law: coulomb, level: 4}\n";
    // It stops after m v/F = 1.5 s at m v^2/(2 F): d/dF = -m v^2/(2 F^2), d/dv = m v/F
    for (int i = 0; i < 2; ++i) {
        double step = i == 0 ? 1e-2 : 1e-3;
        char at_step[300];
        (void)snprintf(at_step, sizeof at_step, text, step);
        run r = begin(at_step, NULL, 0);
        hf_error error = {0};
        hf_model *below = parse_with(at_step, "forces.floor.level", 4.0 - 4e-6);
        hf_model *above = parse_with(at_step, "forces.floor.level", 4.0 + 4e-6);
        const hf_sensitivity_term terms[] = {
            {.kind = HF_BY_MODEL, .below = below, .above = above, .step = 4e-6},
            {.kind = HF_BY_VELOCITY, .coordinate = hf_model_find_coordinate(r.model, "block")}};
        r.sensitivity = hf_sensitivity_create(r.sim, terms, 2, &error);
        assert_non_null(r.sensitivity);
        double at[2];
        go(&r, 2.0);
        derivatives(&r, "block.position", at);
        hf_check_near(at[0], -2.0 * 9.0 / 32.0, 1.0 * step, "d/dF", "closed form");
        hf_check_near(at[1], 1.5, 2.0 * step, "d/dv", "closed form");
        finish(&r);
        hf_model_destroy(below);
        hf_model_destroy(above);
    }
}

// ------------------------------------------------------------------------------------------------
// What has no derivative

static void expect_refusal(const char *text, const hf_sensitivity_term *term, hf_status status,
                           const char *part)
{
    hf_error error = {0};
    hf_model *model = parse(text);
    hf_sim *sim = hf_sim_create(model, NULL, &error);
    assert_non_null(sim);
    assert_null(hf_sensitivity_create(sim, term, 1, &error));
    assert_int_equal(error.status, status);
    if (strstr(error.text, part) == NULL) {
        fail_msg("'%s' does not say '%s'", error.text, part);
    }
    assert_int_equal(hf_sim_step(sim, &error), HF_OK); // as if it had not been asked for
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

static void expect_end(const char *text, const hf_sensitivity_term *term, double until,
                       const char *part)
{
    hf_error error = {0};
    double value = 0.0;
    run r = begin(text, term, 1);
    go(&r, until);
    assert_int_equal(hf_sim_sensitivity(r.sim, &(hf_channel){1}, 1, &value, &error),
                     HF_ERROR_STATE);
    if (strstr(error.text, part) == NULL) {
        fail_msg("'%s' does not say '%s'", error.text, part);
    }
    finish(&r);
}

static void test_refusals(void **state)
{
    (void)state;
    static const char *const methods[] = {"euler", "discrete", "timestep"};
    char text[700];
    const hf_sensitivity_term level = {.name = "friction.level.kinetic"};
    for (int i = 0; i < 3; ++i) {
        (void)snprintf(text, sizeof text, "method: {type: %s, step: 0.01}\n%s", methods[i],
                       strstr(forced, "bodies:"));
        expect_refusal(text, &level, HF_ERROR_UNSUPPORTED, "static level above");
    }
    expect_refusal(forced, &(hf_sensitivity_term){.name = "nothing"}, HF_ERROR_NAME, "nothing");
    // At once: two equal blocks, of which one is changed
    static const char twins[] =
        "method: {type: switch, step: 0.01}\n"
        "bodies: {a: {type: mass, dim: 1, mass: 1}, b: {type: mass, dim: 1, mass: 1}}\n"
        "signals: {pull: \"2*t\"}\n"
        "forces:\n"
        "  - {name: one, on: a, type: force, value: pull}\n"
        "  - {name: two, on: b, type: force, value: pull}\n"
        "  - {name: under-a, on: a, type: friction, law: coulomb, level: {coulomb: 1, static: 2}}\n"
        "  - {name: under-b, on: b, type: friction, law: coulomb, level: {coulomb: 1, static: "
        "2}}\n";
    expect_end(twins, &(hf_sensitivity_term){.name = "under-a.level.static"}, 1.5, "at once");
    // At rest, and pushed: sliding or not by the sign of the change
    static const char still[] =
        "method: {type: switch, step: 0.01}\n"
        "bodies: {a: {type: mass, dim: 1, mass: 1}}\n"
        "forces:\n"
        "  - {name: floor, on: a, type: friction, law: coulomb, level: {coulomb: 1}}\n";
    hf_model *model = parse(still);
    const hf_sensitivity_term push = {.kind = HF_BY_VELOCITY,
                                      .coordinate = hf_model_find_coordinate(model, "a")};
    expect_end(still, &push, 0.1, "goes another way");
    hf_model_destroy(model);
    // Struck, in steps of a fixed length
    static const char drop[] = "gravity: [0, 0, -9.81]\n"
                               "method: {type: timestep, step: 0.001}\n"
                               "bodies: {a: {type: mass, axes: z, mass: 1, position: 1}}\n"
                               "forces:\n"
                               "  - {name: floor, on: a, type: stop, low: 0, restitution: 0.5}\n";
    expect_end(drop, &(hf_sensitivity_term){.name = "floor.restitution"}, 0.6, "struck");
}

static hf_status idle(void *context, hf_sim *sim, hf_error *error)
{
    (void)context, (void)sim, (void)error;
    return HF_OK;
}

// Machines and moments at which none can begin.
static void test_beginnings(void **state)
{
    (void)state;
    const hf_sensitivity_term mass = {.name = "a.mass"};
    expect_refusal("method: {type: rk4, step: 1e-3}\n"
                   "bodies: {a: {type: rigid, mass: 1, shape: {type: sphere, radius: 1}},\n"
                   "         b: {type: rigid, mass: 1, shape: {type: sphere, radius: 1},\n"
                   "             position: [3, 0, 0]}}\n"
                   "forces: [{name: heap, type: collide, among: all}]\n",
                   &mass, HF_ERROR_UNSUPPORTED, "no derivatives");
    expect_refusal("method: {type: adaptive, step: 0.1}\n"
                   "bodies: {a: {type: mass, dim: 1, mass: 1}}\n"
                   "forces: [{name: rub, on: a, type: friction, law: gms, level: 1}]\n",
                   &mass, HF_ERROR_UNSUPPORTED, "has a memory that switches");
    static const char plain[] = "bodies: {a: {type: mass, dim: 1, mass: 1, velocity: 1}}\n"
                                "forces: [{name: s, on: a, type: spring, stiffness: 9}]\n";
    // Twice, and late
    hf_error error = {0};
    run r = begin(plain, &mass, 1);
    assert_null(hf_sensitivity_create(r.sim, &mass, 1, &error));
    assert_non_null(strstr(error.text, "has a sensitivity already"));
    finish(&r);
    r = begin(plain, NULL, 0);
    assert_int_equal(hf_sim_step(r.sim, &error), HF_OK);
    assert_null(hf_sensitivity_create(r.sim, &mass, 1, &error));
    assert_non_null(strstr(error.text, "begin with the run"));
    finish(&r);
    // Beside a controller of the program
    r.model = parse(plain);
    hf_sim_def def = hf_sim_def_default(r.model);
    const hf_controller_def controller = {.update = idle, .period = 0.01};
    def.controllers = &controller;
    def.controller_count = 1;
    r.sim = hf_sim_create(r.model, &def, &error);
    assert_non_null(r.sim);
    assert_null(hf_sensitivity_create(r.sim, &mass, 1, &error));
    assert_non_null(strstr(error.text, "controllers of the program"));
    r.sensitivity = NULL;
    finish(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stick_slip),    cmocka_unit_test(test_known_case),
        cmocka_unit_test(test_bouncing_ball), cmocka_unit_test(test_linear),
        cmocka_unit_test(test_machines),      cmocka_unit_test(test_timestep),
        cmocka_unit_test(test_refusals),      cmocka_unit_test(test_beginnings),
    };
    return hf_run_tests(tests);
}
