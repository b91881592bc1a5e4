// SPDX-License-Identifier: Apache-2.0
// Expressions and tables of channels, against closed forms, under every method; what they may not
// depend on.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hf_test.h"
#include "loop_scenes.h"

static const hf_method_type ALL[] = {HF_METHOD_EULER,    HF_METHOD_SEMI_IMPLICIT_EULER,
                                     HF_METHOD_RK4,      HF_METHOD_RK4_TAU,
                                     HF_METHOD_DISCRETE, HF_METHOD_ADAPTIVE,
                                     HF_METHOD_SWITCH,   HF_METHOD_TIMESTEP};
enum { ALL_COUNT = sizeof ALL / sizeof *ALL };

// m v' = -c v |v|: v = v0/(1 + c v0 t/m). The speed is a signal of its own, declared below its use.
static void test_drag(void **state)
{
    (void)state;
    for (int i = 0; i < ALL_COUNT; ++i) {
        hf_sim *sim = loop_scene_start(
            loop_scene_parse("parameters: {c: 0.3}\n"
                             "bodies: {car: {type: mass, dim: 1, mass: 2, velocity: 10}}\n"
                             "signals: {drag: '-c*speed*car.velocity', speed: abs(car.velocity)}\n"
                             "forces: [{name: air, on: car, type: force, value: drag}]\n"),
            ALL[i], 1e-3);
        loop_scene_run(sim, 2.0);
        bool exact = ALL[i] == HF_METHOD_RK4 || ALL[i] == HF_METHOD_RK4_TAU;
        double allowance = exact ? 1e-9 : hf_method_is_adaptive(ALL[i]) ? 1e-4 : 2e-3;
        const char *name = hf_method_name(ALL[i]);
        hf_check_near(loop_scene_value(sim, "car.velocity"), 2.5, allowance, name, "closed form");
        hf_check_near(loop_scene_value(sim, "speed.value"), loop_scene_value(sim, "car.velocity"),
                      0.0, name, "|v|");
        hf_check_below(fabs(hf_sim_energy(sim).residual), exact ? 1e-9 : 0.1, name, "ledger");
        loop_scene_finish(sim);
    }
}

// Stiff feedback at steps a thousand times too long for explicit ones: no growth, and the ledger
// of the implicit method is closed.
static void test_stiff(void **state)
{
    (void)state;
    hf_sim *sim = loop_scene_start(
        loop_scene_parse(
            "bodies:\n"
            "  a: {type: mass, dim: 1, mass: 1, position: 0.1}\n"
            "  b: {type: mass, dim: 1, mass: 2, velocity: 1}\n"
            "  ball: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], velocity: [3, 0, 0]}\n"
            "  arm: {type: tree, joints: {s: {type: revolute, armature: 0.1, velocity: 3}}}\n"
            "forces:\n"
            "  - {name: tie, on: a, to: b, type: force,\n"
            "     value: '-1e6*(a.position - b.position - 0.1) - 1e4*(a.velocity - b.velocity)'}\n"
            "  - {name: air, on: ball, type: force, value: ['-1e3*ball.velocity.x', 0, 0]}\n"
            "  - {name: oil, on: arm.s, type: torque, value: '-500*arm.s.velocity'}\n"),
        HF_METHOD_TIMESTEP, 1e-2);
    loop_scene_run(sim, 1.0);
    hf_check_near(loop_scene_value(sim, "a.velocity"), 2.0 / 3.0, 1e-9, "a", "momentum");
    hf_check_near(loop_scene_value(sim, "b.velocity"), 2.0 / 3.0, 1e-9, "b", "momentum");
    hf_check_below(fabs(loop_scene_value(sim, "ball.velocity.x")), 1e-9, "ball", "at rest");
    hf_check_below(fabs(loop_scene_value(sim, "arm.s.velocity")), 1e-9, "arm", "at rest");
    hf_check_below(fabs(hf_sim_energy(sim).residual), 1e-9, "residual", "ledger");
    loop_scene_finish(sim);
}

// Tables over one channel and two, at a place between their points; a soft spring as an expression
// keeps its energy under timestep (it stays symplectic).
static void test_tables(void **state)
{
    (void)state;
    hf_sim *sim = loop_scene_start(
        loop_scene_parse(
            "bodies:\n"
            "  car: {type: mass, dim: 1, mass: 2, velocity: 4, position: 1.5}\n"
            "  block: {type: mass, dim: 1, mass: 1, position: 1}\n"
            "signals:\n"
            "  line: {table: {points: [[0, 1], [2, 5], [3, 9]], of: car.position}}\n"
            "  steps: {table: {points: [[0, 1], [2, 5]], of: car.velocity, interpolation: hold}}\n"
            "  map: {table: {of: [car.velocity, \"2*car.position\"], x: [0, 10], y: [0, 2, 4],\n"
            "        values: [[0, 1, 2], [10, 21, 32]]}}\n"
            "forces:\n"
            "  - {name: soft, on: block, type: force, value: '-100*block.position'}\n"),
        HF_METHOD_TIMESTEP, 1e-3);
    hf_check_near(loop_scene_value(sim, "line.value"), 4.0, 1e-15, "line", "by hand");
    hf_check_near(loop_scene_value(sim, "steps.value"), 5.0, 0.0, "steps", "by hand");
    // Rows at y = 3: 1.5 and 26.5; 0.4 of the way
    hf_check_near(loop_scene_value(sim, "map.value"), 11.5, 1e-14, "map", "by hand");
    loop_scene_run(sim, 6.283185307179586);
    double q = loop_scene_value(sim, "block.position"), v = loop_scene_value(sim, "block.velocity");
    hf_check_near(0.5 * v * v + 50.0 * q * q, 50.0, 0.3, "energy of the oscillation", "50 J");
    loop_scene_finish(sim);
}

// A level over the place: a block is pulled over ground whose friction rises from 0 to 10 N in 1 m.
// 1/2 m v^2 = F x - 5 x^2: it stops at x = F/5, and sticks there exactly, as 10 x > F.
static void test_level(void **state)
{
    (void)state;
    static const hf_method_type types[] = {HF_METHOD_DISCRETE, HF_METHOD_SWITCH,
                                           HF_METHOD_TIMESTEP};
    for (int i = 0; i < 3; ++i) {
        hf_sim *sim = loop_scene_start(
            loop_scene_parse("bodies: {block: {type: mass, dim: 1, mass: 2, position: 1e-3}}\n"
                             "forces:\n"
                             "  - {name: pull, on: block, type: force, value: 3}\n"
                             "  - {name: ground, on: block, type: friction, law: coulomb,\n"
                             "     level: {coulomb: 10, scale: 'max(0, block.position)'}}\n"),
            types[i], 1e-4);
        loop_scene_run(sim, 3.0);
        const char *name = hf_method_name(types[i]);
        double at = loop_scene_value(sim, "block.position");
        hf_check_near(at, 0.6, 2e-3, name, "closed form");
        hf_check_near(loop_scene_value(sim, "block.velocity"), 0.0, 0.0, name, "stick");
        loop_scene_run(sim, 4.0);
        hf_check_near(loop_scene_value(sim, "block.position"), at, 0.0, name, "no creep");
        loop_scene_finish(sim);
    }
}

// A controller follows another body: its reference is a channel, and so is the reference's rate.
static void test_reference(void **state)
{
    (void)state;
    hf_sim *sim = loop_scene_start(
        loop_scene_parse(
            "bodies:\n"
            "  first: {type: mass, dim: 1, mass: 1, velocity: 1}\n"
            "  second: {type: mass, dim: 1, mass: 1, velocity: 2, position: 0}\n"
            "forces:\n"
            "  - {name: follow, on: second, type: controller, reference: '2*first.position',\n"
            "     proportional: 100, derivative: 20}\n"),
        HF_METHOD_RK4, 1e-3);
    loop_scene_run(sim, 1.0);
    hf_check_near(loop_scene_value(sim, "second.position"), 2.0, 1e-12, "second", "as 2 x first");
    loop_scene_finish(sim);
}

static void refused(const char *signals, const char *force, const char *expected)
{
    char text[600];
    hf_error error = {0};
    (void)snprintf(text, sizeof text,
                   "bodies: {car: {type: mass, dim: 1, mass: 2}}\n"
                   "signals: {%s}\n"
                   "forces:\n"
                   "  - {name: air, on: car, type: force, value: %s}\n",
                   signals, force);
    hf_model *model = hf_model_parse(text, strlen(text), "m.yaml", NULL, NULL, &error);
    if (model != NULL || strstr(error.text, expected) == NULL) {
        fail_msg("expected '%s', got '%s'", expected, model != NULL ? "no error" : error.text);
    }
}

// What is hidden behind an item is blamed where it is written, on whatever line.
static void test_places(void **state)
{
    (void)state;
    static const struct {
        const char *entry, *place;
    } cases[] = {
        {"type: friction\n    level:\n      coulomb: 1\n      scale: no.position\n",
         "m.yaml:8:14: "},
        {"type: friction\n    level: {friction: 1}\n    normal: no.position\n", "m.yaml:7:13: "},
        {"type: law\n    force: u\n    inputs:\n      u: no.position\n", "m.yaml:8:10: "},
        {"type: force\n    value:\n      - 1\n      - no.position\n", "m.yaml:8:9: "},
        {"type: spring\n    stiffness: 1\n    to:\n      - no.position\n      - 1\n",
         "m.yaml:8:9: "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char text[600];
        hf_error error = {0};
        (void)snprintf(text, sizeof text,
                       "bodies: {car: {type: mass, dim: %d, mass: 1}}\n"
                       "forces:\n"
                       "  - name: f\n"
                       "    on: car\n"
                       "    %s",
                       i < 3 ? 1 : 2, cases[i].entry);
        hf_model *model = hf_model_parse(text, strlen(text), "m.yaml", NULL, NULL, &error);
        if (model != NULL || strncmp(error.text, cases[i].place, strlen(cases[i].place)) != 0) {
            fail_msg("expected '%s', got '%s'", cases[i].place, error.text);
        }
    }
}

static void test_refusals(void **state)
{
    (void)state;
    refused("a: 1", "'2*car.velocty'",
            "m.yaml:4:46: signal 'air.value': unknown channel 'car.velocty'; did you mean "
            "'car.velocity'?");
    refused(
        "a: 1", "2*car.acceleration",
        "m.yaml:4:46: signal 'air.value': 'car.acceleration' is known only when all forces are");
    refused("a: '2*b', b: '3*a'", "a",
            "m.yaml:2:21: signal 'b': an algebraic loop: 'b' depends "
            "on 'a', and that on it");
    refused("a: 'a + car.velocity'", "a", "an algebraic loop: 'a' depends on 'a'");
    refused("a: air.force", "a", "'air.force' is known only when all forces are: an algebraic");
    refused("a: 2*car", "a", "m.yaml:2:16: signal 'a': unknown name 'car'");
    refused("a: {table: {points: [[0, 1]], of: 3}}", "a", "of must be a channel, a signal or an");
    refused("a: {table: {of: [t, car.position], x: [0], y: [0, 0], values: [[1, 2]]}}", "a",
            "y must rise, got 0 after 0");
    refused("a: {table: {of: [t, car.position], x: [0, 1], y: [0], values: [[1]]}}", "a",
            "values must have one row for each x, got 1 rows and 2 x");
}

// Rates of tables along the motion, as the derivative action of a controller sees them.
static void test_rates(void **state)
{
    (void)state;
    hf_sim *sim = loop_scene_start(
        loop_scene_parse(
            "bodies:\n"
            "  car: {type: mass, dim: 1, mass: 2, velocity: 4, position: 1.5}\n"
            "  one: {type: mass, dim: 1, mass: 1}\n"
            "  two: {type: mass, dim: 1, mass: 1, velocity: 2}\n"
            "signals:\n"
            "  line: {table: {points: [[0, 1], [2, 5], [3, 9]], of: car.position}}\n"
            "  map: {table: {of: [car.position, \"2*car.position\"], x: [0, 10], y: [0, 2, 4],\n"
            "        values: [[0, 1, 2], [10, 21, 32]]}}\n"
            "forces:\n"
            "  - {name: first, on: one, type: controller, reference: line, derivative: 3}\n"
            "  - {name: second, on: two, type: controller, reference: map, derivative: 3}\n"),
        HF_METHOD_RK4, 1e-3);
    // 2 a metre at 4 m/s; 2.5 a metre of q, and 1.25 a metre of 2 q, which moves at 8 m/s
    hf_check_near(fabs(loop_scene_value(sim, "first.force")), 3.0 * 8.0, 1e-12, "first", "by hand");
    hf_check_near(fabs(loop_scene_value(sim, "second.force")), 3.0 * (20.0 - 2.0), 1e-12, "second",
                  "by hand");
    loop_scene_finish(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_drag),      cmocka_unit_test(test_stiff),
        cmocka_unit_test(test_tables),    cmocka_unit_test(test_level),
        cmocka_unit_test(test_reference), cmocka_unit_test(test_places),
        cmocka_unit_test(test_refusals),  cmocka_unit_test(test_rates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
