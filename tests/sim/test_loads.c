// SPDX-License-Identifier: Apache-2.0
// Frictions that reactions load, against closed forms: a rotor in a plain bearing, a pendulum that
// stops in one, a gear with losses in its four quadrants, a worm that locks itself, and the curves
// of the Modelica library's gears where these are at hand.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hf_test.h"
#include "loop_scenes.h"

// ------------------------------------------------------------------------------------------------
// Bearings

// Torque mu r |F|, F = m L (w^2, w') on a pin: I w' = -mu r m L sqrt(w^4 + w'^2), so that with
// kappa = mu r m L/I and c = kappa/sqrt(1 - kappa^2): w = w0/(1 + c w0 t).
static void rotor(const char *law, hf_method_type type, double step, double allowance)
{
    char text[700];
    (void)snprintf(
        text, sizeof text,
        "bodies:\n"
        "  rotor: {type: tree, joints: {pin: {type: revolute, axis: [0, 1, 0], mass: 1,\n"
        "          center: [0.2, 0, 0], inertia: [0.01, 0.01, 0.01], velocity: 20}}}\n"
        "forces:\n"
        "  - {name: bearing, on: rotor.pin, type: friction, %s,\n"
        "     level: {friction: 0.006}, normal: {joint: rotor.pin}}\n",
        law);
    hf_sim *sim = loop_scene_start(loop_scene_parse(text), type, step);
    loop_scene_run(sim, 10.0);
    double kappa = 0.3 * 0.02 * 1.0 * 0.2 / 0.05, c = kappa / sqrt(1.0 - kappa * kappa);
    const char *name = hf_method_name(type);
    hf_check_near(loop_scene_value(sim, "rotor.pin.velocity"), 20.0 / (1.0 + c * 200.0), allowance,
                  name, "closed form");
    hf_check_near(loop_scene_value(sim, "rotor.pin.position"), log1p(c * 200.0) / c,
                  40.0 * allowance, name, "closed form");
    hf_check_below(fabs(hf_sim_energy(sim).residual), fmax(1e-5, 20.0 * allowance), name, "ledger");
    loop_scene_finish(sim);
}

static void test_rotor(void **state)
{
    (void)state;
    static const char element[] = "law: stiction, stiffness: 1e4, damping: 10";
    rotor(element, HF_METHOD_RK4, 1e-3, 1e-9);
    rotor(element, HF_METHOD_RK4_TAU, 1e-3, 1e-3);
    rotor(element, HF_METHOD_ADAPTIVE, 1e-2, 1e-4);
    rotor("law: coulomb", HF_METHOD_EULER, 1e-3, 1e-3);
    rotor("law: coulomb", HF_METHOD_SEMI_IMPLICIT_EULER, 1e-3, 1e-3);
    rotor("law: coulomb", HF_METHOD_DISCRETE, 1e-3, 1e-3);
    rotor("law: coulomb", HF_METHOD_TIMESTEP, 1e-3, 1e-3);
    rotor("law: coulomb", HF_METHOD_SWITCH, 1e-2, 5e-4);
    rotor(element, HF_METHOD_SWITCH, 1e-2, 5e-4);
}

// A pendulum on a plain bearing is held up to sin(a) = mu r/L, whatever its mass, and not beyond.
static void test_pendulum(void **state)
{
    (void)state;
    static const hf_method_type types[] = {HF_METHOD_EULER, HF_METHOD_SEMI_IMPLICIT_EULER,
                                           HF_METHOD_DISCRETE, HF_METHOD_TIMESTEP,
                                           HF_METHOD_SWITCH};
    double limit = asin(0.3 * 0.02 / 0.2);
    for (int i = 0; i < 5; ++i) {
        for (int beyond = 0; beyond < 2; ++beyond) {
            char text[700];
            double start = limit * (beyond == 0 ? 0.9999 : 1.0001);
            (void)snprintf(
                text, sizeof text,
                "gravity: [0, 0, -9.81]\n"
                "bodies:\n"
                "  bob: {type: tree, joints: {pin: {type: revolute, axis: [0, 1, 0], mass: 7,\n"
                "        center: [0, 0, -0.2], inertia: [0.01, 0.01, 0.01], position: %.17g}}}\n"
                "forces:\n"
                "  - {name: bearing, on: bob.pin, type: friction, law: coulomb,\n"
                "     level: {friction: 0.006}, normal: {joint: bob.pin, reaction: radial}}\n",
                start);
            hf_sim *sim = loop_scene_start(loop_scene_parse(text), types[i], 1e-3);
            loop_scene_run(sim, 2.0);
            double angle = loop_scene_value(sim, "bob.pin.position");
            if (beyond == 0) {
                hf_check_same_bits(angle, start, hf_method_name(types[i]));
            } else {
                hf_check_below(angle, start - 1e-6, hf_method_name(types[i]), "it moves");
            }
            loop_scene_finish(sim);
        }
    }
}

// Channels of what joints carry: m L w^2 of a rotor, the weight of a pendulum and of what hangs
// below, and the torque of a motor that holds.
static void test_reactions(void **state)
{
    (void)state;
    static const hf_method_type types[] = {HF_METHOD_RK4, HF_METHOD_DISCRETE, HF_METHOD_ADAPTIVE,
                                           HF_METHOD_TIMESTEP};
    for (int i = 0; i < 4; ++i) {
        hf_sim *sim = loop_scene_start(
            loop_scene_parse(
                "gravity: [0, 0, -10]\n"
                "bodies:\n"
                "  arm:\n"
                "    type: tree\n"
                "    joints:\n"
                "      spin: {type: revolute, axis: [0, 0, 1], mass: 2, center: [0.5, 0, 0],\n"
                "             inertia: [0.01, 0.01, 0.01], velocity: 4}\n"
                "      hold: {type: revolute, axis: [0, 1, 0], offset: [0, 0, -1], mass: 3,\n"
                "             center: [0.2, 0, 0], inertia: [0.01, 0.01, 0.01]}\n"
                "forces:\n"
                "  - {name: motor, on: arm.hold, type: torque, value: -6}\n"
                "record: [arm.spin.reaction_force, arm.hold.reaction_torque]\n"),
            types[i], 1e-4);
        const char *name = hf_method_name(types[i]);
        loop_scene_run(sim, 0.1);
        double a = loop_scene_value(sim, "arm.spin.position"), f = 2.0 * 0.5 * 16.0;
        hf_check_near(loop_scene_value(sim, "arm.spin.reaction_force.x"), -f * cos(a), 2e-2, name,
                      "m L w^2");
        hf_check_near(loop_scene_value(sim, "arm.spin.reaction_force.z"), 20.0, 1e-6, name, "m g");
        hf_check_near(loop_scene_value(sim, "arm.hold.reaction_torque.y"), -6.0, 1e-6, name,
                      "motor");
        loop_scene_finish(sim);
    }
}

// A slider that a loop presses: a bob on a massless rod under it. At rest straight down the rail
// carries (M + m) g, and a push F is held up to mu of that; the loop, not a coupling, brings m g.
static void test_pressed_slider(void **state)
{
    (void)state;
    static const hf_method_type types[] = {HF_METHOD_DISCRETE, HF_METHOD_TIMESTEP,
                                           HF_METHOD_SWITCH};
    for (int i = 0; i < 6; ++i) {
        bool beyond = i % 2 == 1;
        char text[900];
        (void)snprintf(text, sizeof text,
                       "gravity: [0, 0, -10]\n"
                       "bodies:\n"
                       "  rail: {type: tree, joints: {cart: {type: prismatic, axis: [1, 0, 0],\n"
                       "         mass: 2}}}\n"
                       "  bob: {type: mass, dim: 2, axes: xz, mass: 3, position: [0, -0.5]}\n"
                       "loops:\n"
                       "  rod: {type: distance, on: bob, to: rail.cart, length: 0.5}\n"
                       "forces:\n"
                       "  - {name: push, on: rail.cart, type: force, value: %g}\n"
                       "  - {name: dry, on: rail.cart, type: friction, law: coulomb,\n"
                       "     level: {friction: 0.2}, normal: {joint: rail.cart}}\n",
                       beyond ? 10.01 : 9.99);
        hf_sim *sim = loop_scene_start(loop_scene_parse(text), types[i / 2], 1e-3);
        loop_scene_run(sim, 0.5);
        double x = loop_scene_value(sim, "rail.cart.position");
        if (beyond) {
            hf_check_below(-x, -1e-5, "cart", "it moves");
        } else {
            hf_check_same_bits(x, 0.0, "cart");
            hf_check_near(loop_scene_value(sim, "dry.force"), -9.99, 1e-9, "friction", "push");
        }
        loop_scene_finish(sim);
    }
}

// ------------------------------------------------------------------------------------------------
// Gears

static const char GEAR[] =
    "bodies:\n"
    "  a: {type: tree, joints: {shaft: {type: revolute, armature: 0.3, velocity: %g}}}\n"
    "  b: {type: tree, joints: {shaft: {type: revolute, armature: 2, velocity: %g}}}\n"
    "loops:\n"
    "  mesh: {type: ratio, ratio: {a.shaft: 1, b.shaft: -4}}\n"
    "forces:\n"
    "  - {name: front, on: a.shaft, type: torque, value: %g}\n"
    "  - {name: back, on: b.shaft, type: torque, value: %g}\n"
    "  - {name: loss, on: a.shaft, type: friction, law: coulomb,\n"
    "     level: {efficiency: [%g, %g], bearing: [%g, %g]}, normal: mesh}\n";

// The acceleration of a in slip, from the law for the torque before the loss: each of the two cases
// is a line, and the right one is that whose own condition holds (Pelchen, Schweiger, Otter 2002).
static double acceleration(double sign, double front, double back, const double p[4])
{
    double eta1 = p[0], eta2 = p[1], b1 = p[2], b2 = p[3];
    double switching = eta1 * eta2 < 1.0 ? (b1 - b2) / (eta1 - 1.0 / eta2) : 0.0, found = NAN;
    for (int k = 0; k < 2; ++k) {
        // 0.3 a = front - tau,  2 a/4 = 4 (tau - f) + back,  f = slope tau + offset
        bool driving = k == 0;
        double slope = driving ? 1.0 - eta1 : 1.0 - 1.0 / eta2;
        double offset = sign * (driving ? b1 : b2);
        double tau = (0.5 * front / 0.3 - back + 4.0 * offset) / (4.0 * (1.0 - slope) + 0.5 / 0.3);
        bool above = sign * tau - switching > 0.0;
        if (above == driving || eta1 * eta2 >= 1.0) {
            found = (front - tau) / 0.3;
        }
    }
    return found;
}

static hf_sim *start_gear(hf_method_type type, double step, double speed, double front, double back,
                          const double p[4])
{
    char text[900];
    (void)snprintf(text, sizeof text, GEAR, speed, 0.25 * speed, front, back, p[0], p[1], p[2],
                   p[3]);
    return loop_scene_start(loop_scene_parse(text), type, step);
}

static void test_quadrants(void **state)
{
    (void)state;
    static const hf_method_type types[] = {HF_METHOD_EULER, HF_METHOD_TIMESTEP,
                                           HF_METHOD_SEMI_IMPLICIT_EULER, HF_METHOD_DISCRETE,
                                           HF_METHOD_SWITCH};
    static const double gears[][4] = {
        {0.8, 0.6, 0.0, 0.0}, {0.5, 0.5, 0.2, 0.4}, {0.3, 0.2, 0.1, 0.1}, {1.0, 1.0, 0.3, 0.3}};
    static const double loads[][2] = {{5.0, 2.0}, {-5.0, 2.0}, {3.0, -9.0}, {-1.0, 30.0}};
    for (int g = 0; g < 4; ++g) {
        for (int l = 0; l < 4; ++l) {
            for (int s = -1; s <= 1; s += 2) {
                double a = acceleration(s, loads[l][0], loads[l][1], gears[g]);
                for (int k = 0; k < 2; ++k) { // switch takes them all
                    hf_method_type type = types[k == 0 ? (g + l) % 4 : 4];
                    hf_sim *sim =
                        start_gear(type, 1e-3, 100.0 * s, loads[l][0], loads[l][1], gears[g]);
                    loop_scene_run(sim, 0.1);
                    hf_check_near(loop_scene_value(sim, "a.shaft.velocity"), 100.0 * s + 0.1 * a,
                                  1e-8, hf_method_name(type), "quadrant");
                    loop_scene_finish(sim);
                }
            }
        }
    }
}

// Without bearings a load L behind the gear is held by torques from eta2 L to L/eta1, to the bit.
static void test_hold(void **state)
{
    (void)state;
    static const double worm[4] = {0.4, 0.25, 0.0, 0.0};
    double load = 3.0; // at a; 12 Nm at b
    static const double parts[] = {0.2499, 0.2501, 1.0, 2.4999, 2.5001};
    static const bool holds[] = {false, true, true, true, false};
    static const hf_method_type types[] = {HF_METHOD_DISCRETE, HF_METHOD_TIMESTEP,
                                           HF_METHOD_SWITCH};
    for (int k = 0; k < 15; ++k) {
        int i = k % 5;
        hf_method_type type = types[k / 5];
        hf_sim *sim = start_gear(type, 1e-3, 0.0, parts[i] * load, -4.0 * load, worm);
        loop_scene_run(sim, 1.0);
        double angle = loop_scene_value(sim, "b.shaft.position");
        if (holds[i]) {
            hf_check_same_bits(angle, 0.0, "angle");
        } else {
            hf_check_below(parts[i] < 1.0 ? angle : -angle, -1e-6, "angle", "it moves");
        }
        loop_scene_finish(sim);
    }
    // driven efficiency zero or less: nothing behind moves it
    static const double locking[4] = {0.3, -0.2, 0.0, 0.0};
    for (int k = 0; k < 3; ++k) {
        hf_sim *sim = start_gear(types[k], 1e-3, 0.0, 0.0, -500.0, locking);
        loop_scene_run(sim, 1.0);
        hf_check_same_bits(loop_scene_value(sim, "b.shaft.position"), 0.0, "self-locking");
        loop_scene_finish(sim);
    }
}

// Efficiencies that fall with speed: along w' = a(w) against an integration of its own.
static void test_speed_table(void **state)
{
    (void)state;
    hf_sim *sim = loop_scene_start(
        loop_scene_parse(
            "bodies:\n"
            "  a: {type: tree, joints: {shaft: {type: revolute, armature: 0.3, velocity: 1}}}\n"
            "  b: {type: tree, joints: {shaft: {type: revolute, armature: 2, velocity: 0.25}}}\n"
            "loops:\n"
            "  mesh: {type: ratio, ratio: {a.shaft: 1, b.shaft: -4}}\n"
            "forces:\n"
            "  - {name: front, on: a.shaft, type: torque, value: 5}\n"
            "  - {name: loss, on: a.shaft, type: friction, law: coulomb, normal: mesh,\n"
            "     level: {gear: [[0, 0.9, 0.8, 0.1, 0.1], [20, 0.5, 0.4, 1, 1]]}}\n"),
        HF_METHOD_DISCRETE, 1e-4);
    loop_scene_run(sim, 1.0);
    double w = 1.0;
    for (int i = 0; i < 100000; ++i) { // midpoint rule
        double half = w;
        for (int k = 0; k < 2; ++k) {
            double part = fmin(half / 20.0, 1.0);
            double p[4] = {0.9 - 0.4 * part, 0.8 - 0.4 * part, 0.1 + 0.9 * part, 0.1 + 0.9 * part};
            double rate = acceleration(1.0, 5.0, 0.0, p);
            half = w + (k == 0 ? 0.5e-5 : 1e-5) * rate;
        }
        w = half;
    }
    hf_check_near(loop_scene_value(sim, "a.shaft.velocity"), w, 2e-4 * w, "speed", "midpoint rule");
    loop_scene_finish(sim);
}

// A servo's friction, Kc + Kl |tau| + (Ks + Kls |tau|) exp(-(w/ws)^2), as two frictions of one
// joint: tau breaks away at (Kc + Ks)/(1 - Kl - Kls), and is opposed by Kc + Kl tau in fast slip.
static void test_servo_friction(void **state)
{
    (void)state;
    static const hf_method_type types[] = {HF_METHOD_DISCRETE, HF_METHOD_TIMESTEP,
                                           HF_METHOD_SWITCH};
    for (int i = 0; i < 6; ++i) {
        hf_method_type type = types[i / 2];
        double limit = (0.3 + 0.2) / (1.0 - 0.1 - 0.15), torque = limit * (i % 2 ? 1.001 : 0.999);
        char text[900];
        (void)snprintf(
            text, sizeof text,
            "bodies:\n"
            "  arm: {type: tree, joints: {elbow: {type: revolute, armature: 0.01}}}\n"
            "forces:\n"
            "  - {name: motor, on: arm.elbow, type: torque, value: %.17g}\n"
            "  - {name: dry, on: arm.elbow, type: friction, law: coulomb,\n"
            "     level: {kinetic: 0.3, static: 0.5, stribeck_velocity: 0.1}}\n"
            "  - {name: load, on: arm.elbow, type: friction, law: coulomb,\n"
            "     level: {friction: 0.1, static_friction: 0.25, stribeck_velocity: 0.1},\n"
            "     normal: {joint: arm.elbow, reaction: actuator}}\n",
            torque);
        hf_sim *sim = loop_scene_start(loop_scene_parse(text), type, 1e-3);
        loop_scene_run(sim, 2.0);
        double before = loop_scene_value(sim, "arm.elbow.velocity");
        loop_scene_run(sim, 2.5);
        double rate = (loop_scene_value(sim, "arm.elbow.velocity") - before) / 0.5;
        if (i % 2 == 0) {
            hf_check_same_bits(before, 0.0, "held");
        } else {
            hf_check_near(rate, (torque - 0.3 - 0.1 * torque) / 0.01, 1e-6, hf_method_name(type),
                          "closed form");
        }
        loop_scene_finish(sim);
    }
}

// ------------------------------------------------------------------------------------------------
// Levels

static void test_levels(void **state)
{
    (void)state;
    // c + mu N, held to the bit below and not above; a factor in stick
    static const char *const levels[] = {"{friction: 0.5, cohesion: 2}",
                                         "{coulomb: 4, peak: 1.75}"};
    for (int i = 0; i < 2; ++i) {
        for (int beyond = 0; beyond < 2; ++beyond) {
            char text[500];
            (void)snprintf(
                text, sizeof text,
                "bodies: {block: {type: mass, dim: 1, mass: 2}}\n"
                "forces:\n"
                "  - {name: push, on: block, type: force, value: %g}\n"
                "  - {name: floor, on: block, type: friction, law: coulomb, level: %s%s}\n",
                beyond ? 7.001 : 6.999, levels[i], i == 0 ? ", normal: 10" : "");
            hf_sim *sim = loop_scene_start(loop_scene_parse(text), HF_METHOD_DISCRETE, 1e-3);
            loop_scene_run(sim, 1.0);
            double v = loop_scene_value(sim, "block.velocity");
            double slip = i == 0 ? 0.0005 : 1.5005; // (F - level)/m
            hf_check_near(v, beyond ? slip : 0.0, beyond ? 5e-3 : 0.0, levels[i], "closed form");
            loop_scene_finish(sim);
        }
    }
}

// Friction by what a rod carries: a weight hangs from it, at rest, so that it carries m g.
static void test_rod(void **state)
{
    (void)state;
    static const hf_method_type types[] = {HF_METHOD_DISCRETE, HF_METHOD_SWITCH,
                                           HF_METHOD_TIMESTEP};
    for (int i = 0; i < 3; ++i) {
        hf_sim *sim = loop_scene_start(
            loop_scene_parse(
                "gravity: [0, 0, -9.81]\n"
                "bodies:\n"
                "  weight: {type: rigid, mass: 2, inertia: [0.1, 0.1, 0.1], position: [0, 0, -1]}\n"
                "  block: {type: mass, dim: 1, mass: 1, velocity: 1}\n"
                "loops: {rod: {type: distance, on: weight, to: world, length: 1}}\n"
                "forces:\n"
                "  - {name: rub, on: block, type: friction, law: coulomb, level: {friction: 0.3},\n"
                "     normal: {loop: rod}}\n"),
            types[i], 1e-3);
        loop_scene_run(sim, 0.1);
        hf_check_near(loop_scene_value(sim, "block.velocity"), 1.0 - 0.3 * 2.0 * 9.81 * 0.1, 1e-9,
                      hf_method_name(types[i]), "1 - mu m g t");
        loop_scene_run(sim, 0.3);
        hf_check_near(loop_scene_value(sim, "block.velocity"), 0.0, 0.0, hf_method_name(types[i]),
                      "it stopped");
        loop_scene_finish(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rotor),          cmocka_unit_test(test_pendulum),
        cmocka_unit_test(test_pressed_slider), cmocka_unit_test(test_quadrants),
        cmocka_unit_test(test_hold),           cmocka_unit_test(test_speed_table),
        cmocka_unit_test(test_levels),         cmocka_unit_test(test_servo_friction),
        cmocka_unit_test(test_reactions),      cmocka_unit_test(test_rod),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
