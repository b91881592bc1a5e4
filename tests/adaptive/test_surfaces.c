// SPDX-License-Identifier: Apache-2.0
// Surfaces of shapes under switch: belts and turntables, materials and pairs, friction that depends
// on direction, friction of spin and rolling of single shapes.
#include <math.h>

#include <holdfast/contact.h>

#include "adaptive_test.h"

#define TIGHT "method: {type: switch, step: 0.01, rtol: 1e-9, atol: 1e-10}\n"
#define RUN   "forces:\n  - {name: touch, type: collide, among: all, friction: 0.2, restitution: 0}\n"

static hf_sim *begin(const char *machine, hf_model **model)
{
    *model = model_of(machine);
    return sim_from(*model, NULL);
}

static void finish(hf_model *model, hf_sim *sim)
{
    hf_verdict verdict = hf_sim_verdict(sim);
    hf_check_below(verdict.ledger, 1e-6, "ledger", "closed");
    assert_string_equal(verdict.why, "");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// A box that is laid on a belt of 1 m/s slips for v/(mu g) = 0.5 s. The belt puts in twice what the
// box gets, the other half is heat; four points carry it, a quarter of its weight each.
static void belt_takes_a_box_along(void **state)
{
    (void)state;
    hf_model *model;
    hf_sim *sim =
        begin("gravity: [0, 0, -10]\n" TIGHT "bodies:\n"
              "  belt: {type: static, position: [0, 0, -0.1],\n"
              "    shapes: {top: {type: box, size: [4, 1, 0.2], surface_velocity: [1, 0, 0]}}}\n"
              "  box: {type: rigid, mass: 2, shape: {type: box, size: [0.2, 0.2, 0.02]},\n"
              "    position: [0, 0, 0.01]}\n" RUN,
              &model);
    run_until(sim, 0.25);
    hf_check_near(value_of(sim, "box.velocity.x"), 0.5, 1e-7, "velocity in slip", "mu g t");
    run_until(sim, 1.0);
    hf_check_near(value_of(sim, "box.position.x"), 0.75, 1e-7, "place", "v t - v^2/(2 mu g)");
    hf_check_near(value_of(sim, "box.velocity.x"), 1.0, 1e-12, "velocity", "the belt's");
    hf_check_near(hf_sim_energy(sim).input, 2.0, 1e-6, "input", "m v^2");
    hf_check_near(hf_sim_energy(sim).dissipated, 1.0, 1e-6, "heat", "m v^2/2");
    hf_force_stats stats = hf_sim_force_stats(sim, (hf_force){1});
    hf_check_near(stats.largest_force, 5.0 * sqrt(1.04), 0.2, "force of a point", "a quarter");
    finish(model, sim);
}

// What lies on a turntable stays on its circle.
static void turntable_carries_a_box(void **state)
{
    (void)state;
    hf_model *model;
    hf_sim *sim = begin(
        "gravity: [0, 0, -10]\n" TIGHT "bodies:\n"
        "  table: {type: static, position: [0, 0, -0.1],\n"
        "    shapes: {top: {type: box, size: [2, 2, 0.2], surface_spin: [0, 0, 1.2]}}}\n"
        "  box: {type: rigid, mass: 2, shape: {type: box, size: [0.1, 0.1, 0.02]},\n"
        "    position: [0.5, 0, 0.01], velocity: [0, 0.6, 0], angular_velocity: [0, 0, 1.2]}\n" RUN,
        &model);
    run_until(sim, 3.0);
    hf_check_near(value_of(sim, "box.position.x"), 0.5 * cos(3.6), 1e-7, "x", "circle");
    hf_check_near(value_of(sim, "box.position.y"), 0.5 * sin(3.6), 1e-7, "y", "circle");
    hf_check_near(value_of(sim, "touch.mode"), 0.0, 0.0, "mode", "0.72 of the 2 m/s^2 that hold");
    finish(model, sim);
}

// Beyond mu g the same box leaves it: first order of timestep leads there.
static void turntable_loses_a_box(void **state)
{
    (void)state;
    static const char text[] =
        "gravity: [0, 0, -10]\nmethod: {%s}\nbodies:\n"
        "  table: {type: static, position: [0, 0, -0.1],\n"
        "    shapes: {top: {type: box, size: [9, 9, 0.2], surface_spin: [0, 0, 2.5]}}}\n"
        "  ball: {type: rigid, mass: 2, shape: {type: box, size: [0.1, 0.1, 0.02]},\n"
        "    position: [0.5, 0, 0.01], velocity: [0, 1.25, 0], angular_velocity: [0, 0, "
        "2.5]}\n" RUN;
    static const char *const methods[] = {"type: switch, step: 0.01, rtol: 1e-8, atol: 1e-9",
                                          "type: timestep, step: 2e-3",
                                          "type: timestep, step: 1e-3"};
    double x[3];
    for (int i = 0; i < 3; ++i) {
        char machine[900];
        hf_model *model;
        (void)snprintf(machine, sizeof machine, text, methods[i]);
        hf_sim *sim = begin(machine, &model);
        run_until(sim, 0.5);
        x[i] = value_of(sim, "ball.position.x");
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
    hf_check_near(2.0 * x[2] - x[1], x[0], 2e-4, "x of timestep, extrapolated", "switch");
    hf_check_below(fabs(x[2] - x[0]), 0.6 * fabs(x[1] - x[0]), "error", "half at half the step");
}

// A driven table whose velocity turns from 1 to -1 m/s: the box on it slips for 2/(mu g) = 1 s.
static void belt_that_reverses(void **state)
{
    (void)state;
    hf_model *model;
    hf_sim *sim =
        begin("gravity: [0, 0, -10]\n" TIGHT "bodies:\n"
              "  belt: {type: driven, axes: xyz, position: [\"min(t, 0.5) - max(t - 0.5, 0)\", 0, "
              "-0.1],\n"
              "    shape: {type: box, size: [40, 1, 0.2]}}\n"
              "  box: {type: rigid, mass: 2, shape: {type: box, size: [0.2, 0.2, 0.02]},\n"
              "    position: [0, 0, 0.01], velocity: [1, 0, 0]}\n" RUN,
              &model);
    run_until(sim, 0.5);
    hf_check_near(value_of(sim, "box.position.x"), 0.5, 1e-8, "place", "carried along");
    run_until(sim, 1.0);
    hf_check_near(value_of(sim, "box.velocity.x"), 0.0, 1e-7, "velocity", "1 - mu g t");
    run_until(sim, 2.0);
    hf_check_near(value_of(sim, "box.velocity.x"), -1.0, 1e-12, "velocity", "the belt's");
    hf_check_near(value_of(sim, "box.position.x"), 0.0, 1e-7, "place", "0.5 + 0 - 0.5");
    finish(model, sim);
}

// Friction by materials: the geometric mean, and a pair's own. Restitution of one of them.
static void materials_have_their_friction(void **state)
{
    (void)state;
    hf_model *model;
    hf_sim *sim = begin(
        "gravity: [5, 0, -8]\nfriction_rule: geometric\n" TIGHT "materials:\n"
        "  steel: {friction: 0.36}\n"
        "  wood: {friction: 0.49}\n"
        "  rubber: {friction: 1.21}\n"
        "pairs:\n  - {between: [steel, rubber], friction: 0.5}\n"
        "bodies:\n"
        "  floor:\n    type: static\n    shapes:\n"
        "      plank: {type: box, size: [40, 1, 0.2], material: wood, position: [0, 0, -0.1]}\n"
        "      mat: {type: box, size: [40, 1, 0.2], material: rubber, position: [0, 2, -0.1]}\n"
        "  first: {type: rigid, mass: 2, position: [0, 0, 0.01],\n"
        "    shapes: {s: {type: box, size: [0.2, 0.2, 0.02], material: steel}}}\n"
        "  second: {type: rigid, mass: 2, position: [0, 2, 0.01],\n"
        "    shapes: {s: {type: box, size: [0.2, 0.2, 0.02], material: steel}}}\n"
        "  third: {type: rigid, mass: 2, position: [2, 2, 0.01],\n"
        "    shapes: {s: {type: box, size: [0.2, 0.2, 0.02], material: rubber}}}\n"
        "  none: {type: rigid, mass: 2, position: [2, 0, 0.01],\n"
        "    shape: {type: box, size: [0.2, 0.2, 0.02]}}\n" RUN,
        &model);
    run_until(sim, 0.5);
    const char *why = "g_x - mu g_z";
    hf_check_near(value_of(sim, "first.velocity.x"), 0.5 * (5.0 - 0.42 * 8.0), 1e-7, "steel", why);
    hf_check_near(value_of(sim, "second.velocity.x"), 0.5 * (5.0 - 0.5 * 8.0), 1e-7, "pair", why);
    hf_check_near(value_of(sim, "third.velocity.x"), 0.0, 1e-15, "rubber on rubber", "holds");
    hf_check_near(value_of(sim, "none.velocity.x"), 0.5 * (5.0 - sqrt(0.2 * 0.49) * 8.0), 1e-7,
                  "the force's number and the plank's", why);
    finish(model, sim);
}

static void shapes_have_their_restitution(void **state)
{
    (void)state;
    hf_model *model;
    hf_sim *sim = begin("gravity: [0, 0, -10]\nrestitution_rule: maximum\n" TIGHT "bodies:\n"
                        "  floor: {type: static, shape: {type: plane}}\n"
                        "  ball: {type: rigid, mass: 2, position: [0, 0, 0.3],\n"
                        "    shapes: {s: {type: sphere, radius: 0.1, restitution: 0.5}}}\n" RUN,
                        &model);
    run_until(sim, 0.3);
    double fall = sqrt(2.0 * 0.2 / 10.0), up = 0.5 * 10.0 * fall, since = 0.3 - fall;
    hf_check_near(value_of(sim, "ball.position.z"), 0.1 + up * since - 5.0 * since * since, 1e-7,
                  "height", "e = 0.5");
    finish(model, sim);
}

// Friction along a direction and across it: straight along each, and by timestep in between.
static void grain_of_a_floor(void **state)
{
    (void)state;
    static const char text[] =
        "gravity: [%g, %g, -10]\nmethod: {%s}\nbodies:\n"
        "  floor: {type: static, position: [0, 0, -0.1], shapes: {top: {type: box,\n"
        "    size: [40, 40, 0.2], friction: 0.3, friction_across: %g, friction_direction: [1, 0, "
        "0]}}}\n"
        "  box: {type: rigid, mass: 2, shape: {type: box, size: [0.2, 0.2, 0.02]},\n"
        "    position: [0, 0, 0.01]}\n"
        "forces:\n  - {name: touch, type: collide, among: all, friction: 0, restitution: 0}\n";
    static const char tight[] = "type: switch, step: 0.01, rtol: 1e-9, atol: 1e-10";
    for (int i = 0; i < 4; ++i) {
        char machine[900];
        hf_model *model;
        double across = i < 2 ? 0.1 : 0.6, pull = 8.0, mu = i % 2 == 0 ? 0.3 : across;
        (void)snprintf(machine, sizeof machine, text, i % 2 == 0 ? pull : 0.0,
                       i % 2 == 0 ? 0.0 : pull, tight, across);
        hf_sim *sim = begin(machine, &model);
        run_until(sim, 0.5);
        hf_check_near(value_of(sim, i % 2 == 0 ? "box.velocity.x" : "box.velocity.y"),
                      0.5 * (pull - 10.0 * mu), 1e-7, "velocity", "that way's friction");
        finish(model, sim);
    }
    double x[3], y[3];
    for (int i = 0; i < 3; ++i) {
        char machine[900], method[60];
        hf_model *model;
        (void)snprintf(method, sizeof method, "type: timestep, step: %g", i == 1 ? 2e-3 : 1e-3);
        (void)snprintf(machine, sizeof machine, text, 4.0, 3.0, i == 0 ? tight : method, 0.1);
        hf_sim *sim = begin(machine, &model);
        run_until(sim, 0.5);
        x[i] = value_of(sim, "box.position.x");
        y[i] = value_of(sim, "box.position.y");
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
    hf_check_near(2.0 * x[2] - x[1], x[0], 1e-6, "x of timestep, extrapolated", "switch");
    hf_check_near(2.0 * y[2] - y[1], y[0], 1e-6, "y of timestep, extrapolated", "switch");
}

// Rolling friction of the floor's own, and of the law: a sphere rolls v^2/(2 a) far with
// a = rho g/(r (1 + 2/5)), its spin ends at w I/(c m g). Both stop and stay.
static void rolling_and_spin_end(void **state)
{
    (void)state;
    for (int i = 0; i < 2; ++i) {
        char machine[900];
        hf_model *model;
        (void)snprintf(machine, sizeof machine,
                       "gravity: [0, 0, -10]\n" TIGHT "bodies:\n"
                       "  floor: {type: static, shapes: {top: {type: box, size: [40, 40, 0.2],\n"
                       "    position: [0, 0, -0.1]%s}}}\n"
                       "  ball: {type: rigid, mass: 2, shape: {type: sphere, radius: 0.1},\n"
                       "    position: [0, 0, 0.1], velocity: [1, 0, 0],\n"
                       "    angular_velocity: [0, 10, 20]}\n"
                       "forces:\n  - {name: touch, type: collide, among: all, friction: 0.2, "
                       "restitution: 0%s}\n",
                       i == 0 ? ", rolling_friction: 0.01, spin_friction: 0.02" : "",
                       i == 1 ? ", rolling_friction: 0.01, spin_friction: 0.02" : "");
        hf_sim *sim = begin(machine, &model);
        run_until(sim, 0.2);
        hf_check_near(value_of(sim, "ball.angular_velocity.z"), 10.0, 1e-6, "spin", "20 - 50 t");
        run_until(sim, 2.0);
        hf_check_near(value_of(sim, "ball.angular_velocity.z"), 0.0, 1e-12, "spin", "ended");
        hf_check_near(value_of(sim, "ball.position.x"), 0.7, 1e-6, "way", "v^2/(2 a)");
        hf_check_near(value_of(sim, "ball.velocity.x"), 0.0, 1e-12, "velocity", "ended");
        finish(model, sim);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(belt_takes_a_box_along),
        cmocka_unit_test(turntable_carries_a_box),
        cmocka_unit_test(turntable_loses_a_box),
        cmocka_unit_test(belt_that_reverses),
        cmocka_unit_test(materials_have_their_friction),
        cmocka_unit_test(shapes_have_their_restitution),
        cmocka_unit_test(grain_of_a_floor),
        cmocka_unit_test(rolling_and_spin_end),
    };
    return hf_run_tests(tests);
}
