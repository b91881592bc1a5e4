// SPDX-License-Identifier: Apache-2.0
// A slip that comes to rest under a load between its kinetic and its static level stays there. A
// step in which it would turn round stops first, whatever part of the step is left: so every
// method comes to the answer of `switch` by the first order, whatever the speed that it begins
// with.
#include <hf_machine.h>

#include <math.h>
#include <string.h>

static const char *const fixed[] = {"euler", "semi-implicit-euler", "discrete", "timestep"};
enum { FIXED = sizeof fixed / sizeof *fixed };
// Speeds at the start [m/s or rad/s]: the instant of rest falls on all parts of a step.
enum { SPEEDS = 7 };

static double speed_at(int i)
{
    return 0.7 + 0.1373 * i;
}

// The machine with %s, its method, and the speed at the start wherever it has a '@'.
static double run(const char *machine, const char *method, double step, double speed, double end,
                  const char *channel)
{
    char text[3000], number[40];
    (void)snprintf(number, sizeof number, "%.17g", speed);
    int used = snprintf(text, sizeof text, "method: {type: %s, step: %g}\n", method, step);
    for (const char *c = machine; *c != '\0'; ++c) {
        assert_true((size_t)used + sizeof number < sizeof text);
        used += snprintf(text + used, sizeof text - (size_t)used, *c == '@' ? "%s" : "%.1s",
                         *c == '@' ? number : c);
    }
    hf_model *model = model_of(text);
    hf_sim *sim = sim_from(model, NULL);
    run_until(sim, end);
    double value = value_of(sim, channel);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    return value;
}

// All methods, at all speeds and two steps, come within `constant` steps [m/s or rad/s] of
// `switch`.
static void approach(const char *machine, const char *channel, double end, double constant,
                     int first_method)
{
    for (int k = 0; k < SPEEDS; ++k) {
        double want = run(machine, "switch", 1e-2, speed_at(k), end, channel);
        for (int i = first_method; i < FIXED; ++i) {
            for (double h = 2e-3; h > 4e-4; h /= 4.0) {
                double got = run(machine, fixed[i], h, speed_at(k), end, channel);
                hf_check_near(got, want, constant * h, fixed[i], "switch, by the first order");
            }
        }
    }
}

static void one_friction(void **state)
{
    (void)state;
    static const char *const machine =
        "bodies: {block: {type: mass, dim: 1, mass: 1, velocity: @}}\n"
        "forces:\n"
        "  - {name: rope, on: block, type: force, value: -2.7}\n"
        "  - {name: floor, on: block, type: friction, law: coulomb, level: {kinetic: 2, static: "
        "3}}\n";
    approach(machine, "block.position", 1.5, 2.0, 0);
    // m v^2/2 = (2.7 + 2) x, and there it stays.
    for (int k = 0; k < SPEEDS; ++k) {
        double v = speed_at(k), got = run(machine, "switch", 1e-2, v, 1.5, "block.position");
        hf_check_near(got, v * v / 9.4, 1e-6, "place of rest", "closed form");
    }
}

// Beyond its static level it goes on the other way: v^2/(2 (L + Fk)) - (L - Fk) (t - t0)^2/2.
static void beyond_the_static_level(void **state)
{
    (void)state;
    approach("bodies: {block: {type: mass, dim: 1, mass: 1, velocity: @}}\n"
             "forces:\n"
             "  - {name: rope, on: block, type: force, value: -3.2}\n"
             "  - {name: floor, on: block, type: friction, law: coulomb,\n"
             "     level: {kinetic: 2, static: 3}}\n",
             "block.position", 1.0, 4.0, 0);
}

static void several_on_one_coordinate(void **state)
{
    (void)state;
    approach("bodies: {block: {type: mass, dim: 1, mass: 1, velocity: @}}\n"
             "forces:\n"
             "  - {name: rope, on: block, type: force, value: -2.7}\n"
             "  - {name: floor, on: block, type: friction, law: coulomb, level: {kinetic: 0.5}}\n"
             "  - {name: brake, on: block, type: friction, law: coulomb,\n"
             "     level: {kinetic: 0.9, static: 1.5}}\n"
             "  - {name: seal, on: block, type: friction, law: coulomb,\n"
             "     level: {kinetic: 0.6, static: 1.0}}\n",
             "block.position", 1.5, 2.0, 0);
}

static void planar(void **state)
{
    (void)state;
    approach("bodies: {block: {type: mass, dim: 2, mass: 1, velocity: [@, @]}}\n"
             "forces:\n"
             "  - {name: x, on: block.x, type: force, value: -1.9}\n"
             "  - {name: y, on: block.y, type: force, value: -1.9}\n"
             "  - {name: floor, on: block, type: friction, law: coulomb,\n"
             "     level: {kinetic: 2, static: 3}}\n",
             "block.position.y", 1.5, 2.0, 0);
}

static void tree(void **state)
{
    (void)state;
    approach(
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  arm:\n"
        "    type: tree\n"
        "    joints:\n"
        "      shoulder: {type: revolute, axis: [0, 1, 0], mass: 1, center: [0, 0, -0.4],\n"
        "        inertia: [0.02, 0.02, 0.02], position: 1.2, velocity: @}\n"
        "      elbow: {type: revolute, parent: shoulder, offset: [0, 0, -0.8], axis: [0, 1, 0],\n"
        "        mass: 0.2, center: [0, 0, -0.3], inertia: [0.01, 0.01, 0.01]}\n"
        "forces:\n"
        "  - {name: shoulder, on: arm.shoulder, type: friction, law: coulomb,\n"
        "     level: {kinetic: 4, static: 8}}\n"
        "  - {name: elbow, on: arm.elbow, type: friction, law: coulomb,\n"
        "     level: {kinetic: 0.4, static: 0.9}}\n",
        "arm.shoulder.position", 1.5, 4.0, 0);
}

// What drives it moves between steps: a belt that swings, and a mass on a spring.
static void belt(void **state)
{
    (void)state;
    approach("bodies:\n"
             "  belt: {type: driven, position: \"0.115*@*sin(3.99*t)\"}\n"
             "  block: {type: mass, dim: 1, mass: 1.6}\n"
             "forces:\n"
             "  - {name: spring, on: block, type: spring, stiffness: 7.7}\n"
             "  - {name: pad, on: block, to: belt, type: friction, law: coulomb,\n"
             "     level: {kinetic: 1.9, static: 3.2}}\n",
             "block.position", 3.0, 4.0, 0);
}

static void two_masses(void **state)
{
    (void)state;
    approach("bodies:\n"
             "  low: {type: mass, dim: 1, mass: 1.4, velocity: @}\n"
             "  top: {type: mass, dim: 1, mass: 0.6, velocity: 2}\n"
             "forces:\n"
             "  - {name: rope, on: low, type: force, value: -4.3}\n"
             "  - {name: hand, on: top, type: force, value: -1.2}\n"
             "  - {name: pad, on: top, to: low, type: friction, law: coulomb,\n"
             "     level: {kinetic: 1, static: 1.6}}\n"
             "  - {name: floor, on: low, type: friction, law: coulomb,\n"
             "     level: {kinetic: 4, static: 7}}\n",
             "top.position", 1.5, 6.0, 0);
}

// A contact up a slope that its static coefficient holds: v^2/(2 g (sin + mu cos)).
static void contact(void **state)
{
    (void)state;
    approach("gravity: [-4, 0, -9]\n"
             "bodies: {block: {type: mass, dim: 3, mass: 1, velocity: [@, 0, 0]}}\n"
             "forces:\n"
             "  - {name: floor, on: block, type: contact, law: rigid-contact, restitution: 0,\n"
             "     plane: {normal: [0, 0, 1]}, friction: {friction: 0.4, static_friction: 0.5}}\n",
             "block.position.x", 1.0, 2.0, 3);
}

// A level that rises within 0.04 m/s of rest: no tolerance may step over it. The time of rest is a
// quadrature, t = m int dv/F(v) from 0 to v.
static void narrow_stribeck(void **state)
{
    (void)state;
    double mass = 2.24836, start = 0.620869, kinetic = 10.435832, rise = 17.066496 - kinetic;
    double width = 0.0383423, rest = 0.0;
    enum { PIECES = 20000 };
    for (int i = 0; i <= PIECES; ++i) {
        double v = start * i / PIECES, weight = i == 0 || i == PIECES ? 1.0
                                                : i % 2 == 1          ? 4.0
                                                                      : 2.0;
        rest += weight * start / (3.0 * PIECES) * mass / (kinetic + rise * exp(-pow(v / width, 2)));
    }
    hf_check_near(rest, 0.130499550, 1e-9, "time of rest", "Simpson's rule");
    static const double tolerances[] = {1e-4, 1e-6, 1e-8};
    for (int i = 0; i < 3; ++i) {
        char text[500];
        (void)snprintf(text, sizeof text,
                       "method: {type: switch, step: 0.1, rtol: %g, atol: %g}\n"
                       "bodies: {block: {type: mass, dim: 1, mass: 2.24836, velocity: 0.620869}}\n"
                       "forces:\n"
                       "  - {name: floor, on: block, type: friction, law: coulomb,\n"
                       "     level: {kinetic: 10.435832, static: 17.066496,\n"
                       "             stribeck_velocity: 0.0383423}}\n",
                       tolerances[i], tolerances[i]);
        hf_model *model = model_of(text);
        hf_sim *sim = sim_from(model, NULL);
        hf_error error = {0};
        assert_true(hf_sim_advance(sim, 0.2, true, &error) >= 0);
        hf_check_near(hf_sim_time(sim), rest, 20.0 * tolerances[i], "time of rest", "quadrature");
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// A slider-crank whose slider and whose crank rub: what both hold is let go at one torque.
static void loop_with_two_frictions(void **state)
{
    (void)state;
    approach("bodies:\n"
             "  engine:\n"
             "    type: tree\n"
             "    joints:\n"
             "      crank: {type: revolute, axis: [0, -1, 0], position: 0.9, mass: 1,\n"
             "        center: [0.05, 0, 0], inertia: [0.0002, 0.004, 0.004]}\n"
             "      rod: {type: revolute, parent: crank, offset: [0.1, 0, 0], axis: [0, -1, 0],\n"
             "        guess: -1.2, mass: 0.5, center: [0.15, 0, 0],\n"
             "        inertia: [0.0001, 0.00375, 0.00375]}\n"
             "  rail: {type: tree, joints: {slider: {type: prismatic, axis: [1, 0, 0],\n"
             "    guess: 0.35, mass: 2}}}\n"
             "loops: {pin: {type: point, on: engine.rod, to: rail.slider, point: [0.3, 0, 0]}}\n"
             "forces:\n"
             "  - {name: drive, on: engine.crank, type: torque, value: \"@*6*t\"}\n"
             "  - {name: dry, on: rail.slider, type: friction, law: coulomb,\n"
             "     level: {kinetic: 3, static: 6}}\n"
             "  - {name: bush, on: engine.crank, type: friction, law: coulomb,\n"
             "     level: {kinetic: 0.4, static: 0.7}}\n",
             "engine.crank.position", 0.3, 20.0, 0);
}

// A belt that jumps from 1 to -1 m/s within a step: the mass on it slides back with 3 m/s^2, and is
// carried from 0.533 + 2/3 s on.
static void belt_that_jumps(void **state)
{
    (void)state;
    static const char *const machine =
        "bodies:\n"
        "  belt: {type: driven, velocity: \"t < 0.533 ? 1 : -1\"}\n"
        "  block: {type: mass, dim: 1, mass: 1, velocity: @}\n"
        "forces:\n"
        "  - {name: pad, on: block, to: belt, type: friction, law: coulomb, level: 3}\n";
    double want = 0.533 - (1.5 - 0.533 - 2.0 / 3.0);
    for (int i = 0; i < FIXED; ++i) {
        double got = run(machine, fixed[i], 1e-2, 1.0, 1.5, "block.position");
        double other = run(machine, fixed[i], 5e-3, 1.0, 1.5, "block.position");
        hf_check_near(2.0 * other - got, want, 1e-4, fixed[i], "closed form, by extrapolation");
    }
    double exact = run(machine, "switch", 1e-2, 1.0, 1.5, "block.position");
    hf_check_near(exact, want, 1e-6, "switch", "closed form");
}

// A block that slides back on a carrier stops on it, and goes on with it: its push is between the
// levels of its friction, less what the carrier's acceleration takes. The carrier slides all the
// time. In closed form: two constant accelerations.
static void block_on_a_sliding_carrier(void **state)
{
    (void)state;
    // Carrier and block: mass, velocity, kinetic and static level, push
    static const double machines[][2][5] = {
        {{2.913, 0.142, 3.952, 4.796, 4.288}, {0.529, -0.205, 3.578, 6.244, 5.998}},
        {{2.0, 0.3, 3.0, 3.5, 4.0}, {0.5, -0.2, 3.0, 6.0, 5.0}},
        {{3.0, 0.2, 2.0, 2.4, 3.0}, {0.4, -0.3, 2.5, 4.5, 3.5}},
    };
    const double end = 0.3;
    for (int k = 0; k < 3 * 8; ++k) {
        const double *a = machines[k / 8][0], *b = machines[k / 8][1];
        double start = b[1] - 0.0131 * (k % 8); // rest falls on all parts of a step
        double a0 = (a[4] - a[2] - b[2]) / a[0], b0 = (b[4] + b[2]) / b[0];
        double meet = (a[1] - start) / (b0 - a0), together = (a[4] + b[4] - a[2]) / (a[0] + b[0]);
        double want = a[1] + a0 * meet + together * (end - meet);
        // The friction between them that their motion together asks for
        assert_true(a[1] + a0 * meet > 0.0 && meet < end);
        assert_true(b[4] - b[0] * together > b[2] && b[4] - b[0] * together < b[3]);
        char text[900];
        (void)snprintf(text, sizeof text,
                       "bodies:\n"
                       "  a: {type: mass, mass: %g, velocity: [%g, 0, 0]}\n"
                       "  b: {type: mass, mass: %g, velocity: [%.17g, 0, 0]}\n"
                       "forces:\n"
                       "  - {name: f, on: a.x, type: friction, law: coulomb,\n"
                       "     level: {kinetic: %g, static: %g}}\n"
                       "  - {name: g, on: b.x, to: a.x, type: friction, law: coulomb,\n"
                       "     level: {kinetic: %g, static: %g}}\n"
                       "  - {name: p, on: a.x, type: force, value: %g}\n"
                       "  - {name: q, on: b.x, type: force, value: %g}\n",
                       a[0], a[1], b[0], start, a[2], a[3], b[2], b[3], a[4], b[4]);
        for (int i = 0; i < FIXED; ++i) {
            hf_check_near(run(text, fixed[i], 1e-3, 0.0, end, "b.velocity.x"), want, 0.02, fixed[i],
                          "they go on together");
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_friction),
        cmocka_unit_test(beyond_the_static_level),
        cmocka_unit_test(several_on_one_coordinate),
        cmocka_unit_test(planar),
        cmocka_unit_test(tree),
        cmocka_unit_test(belt),
        cmocka_unit_test(two_masses),
        cmocka_unit_test(contact),
        cmocka_unit_test(belt_that_jumps),
        cmocka_unit_test(narrow_stribeck),
        cmocka_unit_test(loop_with_two_frictions),
        cmocka_unit_test(block_on_a_sliding_carrier),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
