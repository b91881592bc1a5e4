// SPDX-License-Identifier: Apache-2.0
// Small machines with an answer in closed form, on each of which a method once was silently wrong.
// A table: the machine, the channel at its end, the answer, and what methods of fixed steps may err
// at 1 ms; `switch` has the answer to 1e-5.
#include <hf_machine.h>

#include <math.h>

#define BELT(start, motion)                                                                        \
    "bodies:\n"                                                                                    \
    "  m: {type: mass, dim: 1, mass: 1, velocity: " start "}\n"                                    \
    "  belt: {type: driven, dim: 1, " motion "}\n"                                                 \
    "forces:\n"                                                                                    \
    "  - {name: f, on: m, to: belt, type: friction, law: coulomb, level: 3}\n"

#define PUSHED                                                                                     \
    "bodies:\n"                                                                                    \
    "  a: {type: mass, dim: 1, mass: 1}\n"                                                         \
    "  b: {type: mass, dim: 1, mass: 1, position: 0.1}\n"                                          \
    "forces:\n"                                                                                    \
    "  - {name: push, on: a, type: force, value: \"t < 0.15 ? 2 : t < 0.2 ? 3 : t < 0.3 ? 4 : "    \
    "5\"}\n"                                                                                       \
    "  - {name: touch, on: b, to: a, type: stop, low: 0.1}\n"                                      \
    "  - {name: f, on: b, type: friction, law: coulomb, level: 10}\n"

#define SHARED                                                                                     \
    "bodies: {m: {type: mass, dim: 1, mass: 1}}\n"                                                 \
    "forces:\n"                                                                                    \
    "  - {name: f, on: m, type: friction, law: coulomb, level: 10}\n"                              \
    "  - {name: bearing, on: m, type: friction, law: coulomb, level: {kinetic: 1, static: 2}}\n"   \
    "  - {name: pull, on: m, type: force, value: t}\n"

static const hf_closed_form literals[] = {
    // Two frictions on one coordinate hold to the sum of their static levels, 12 N
    {"holds until 12 s", 11.99, 0.0, 0.0, "m.position", SHARED},
    {"both are stuck", 4.0, 0.0, 0.0, "bearing.mode", SHARED},
    {"breaks away at 12 s: v = (t - 11)^2/2 - 1/2", 12.5, 0.625, 3e-3, "m.velocity", SHARED},
    // Jumps of a push through a stop, below what holds
    {"the floor's force after jumps", 0.25, -4.0, 1e-9, "f.force", PUSHED},
    {"the stop's force after jumps", 0.5, 5.0, 1e-9, "touch.force", PUSHED},
    {"the floor sticks", 0.2, 0.0, 0.0, "f.mode", PUSHED},
    // Exactly the level, at rest
    {"rest at the bound is stick", 1.0, 0.0, 0.0, "f.mode",
     "bodies: {m: {type: mass, dim: 1, mass: 1}}\n"
     "forces:\n"
     "  - {name: f, on: m, type: friction, law: coulomb, level: 3}\n"
     "  - {name: pull, on: m, type: force, value: 3}\n"},
    // Belts that jump, stop, reverse and kink
    {"a belt turns back at 0.53 s", 1.0, 0.66865, 2e-3, "m.position",
     BELT("1", "velocity: \"t < 0.53 ? 1 : -1\"")},
    {"a belt stops at 0.53 s: 0.53 + 1/6", 1.0, 0.53 + 1.0 / 6.0, 1e-3, "m.position",
     BELT("1", "position: \"min(t, 0.53)\"")},
    {"a belt reverses at pi/5: 6 pi/5 - 3", 1.0, 0.76991118430775, 4e-3, "m.velocity",
     BELT("0", "velocity: \"2*sign(sin(5*t))\"")},
    {"a belt kinks: caught, then carried", 1.0, 0.21875, 1e-3, "m.position",
     BELT("0", "velocity: \"abs(t - 0.5)\"")},
    // Stuck on a table, for long
    {"still on a shaking table after 200 s", 200.0, 0.01 * 0.930039504416137, 2e-4, "m.position",
     BELT("0.1", "position: \"0.01*sin(10*t)\"")},
    // and no heat of what sticks; where the shaking grows as (2.7 + 0.1 t) sin(10 t), by an
    // integration of its own in steps of 0.1 us: it slips from 3.285 s on
    {"no heat on a shaking table", 2.0, 0.0, 1e-6, "f.dissipated",
     BELT("0.1", "position: \"0.01*sin(10*t)\"")},
    {"no heat on a shaking table", 2.0, 0.0, 1e-6, "f.dissipated",
     BELT("0.1", "velocity: \"0.1*cos(10*t)\"")},
    {"heat of a shaking that grows", 6.0, 0.0117675, 2e-4, "f.dissipated",
     BELT("-0.27", "velocity: \"-(2.7 + 0.1*t)*cos(10*t)/10 + 1e-3*sin(10*t)\"")},
    // 2 + 5 N under 8 sin(3t) N: at asin(7/8)/3 = 0.3548 s
    {"two frictions hold 7 N", 0.35, 0.0, 0.0, "m.position",
     "bodies: {m: {type: mass, dim: 1, mass: 1}}\n"
     "forces:\n"
     "  - {name: f, on: m, type: friction, law: coulomb, level: 2}\n"
     "  - {name: g, on: m, type: friction, law: coulomb, level: 5}\n"
     "  - {name: pull, on: m, type: force, value: \"8*sin(3*t)\"}\n"},
    // A slope that needs 0.445 of a static coefficient of 0.5
    {"a contact that begins at rest sticks", 0.5, 0.0, 0.0, "m.position.x",
     "gravity: [4.0, 0, -8.98876]\n"
     "bodies: {m: {type: mass, dim: 3, mass: 1}}\n"
     "forces:\n"
     "  - {name: f, on: m, type: contact, law: rigid-contact, restitution: 0, friction: {friction: "
     "0.3, static_friction: 0.5}}\n"},
    // Two spheres that must not pass through each other
    {"a ball hands its speed on", 1.0, 1.0, 1e-9, "b.velocity.x",
     "bodies:\n"
     "  a: {type: rigid, mass: 1, velocity: [1, 0, 0], shape: {type: sphere, radius: 0.01}}\n"
     "  b: {type: rigid, mass: 1, position: [0.5, 0, 0], shape: {type: sphere, radius: 0.01}}\n"
     "forces: [{name: c, type: collide, among: all, friction: 0, restitution: 1}]\n"},
};

static void machines_with_closed_forms(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof literals / sizeof *literals; ++i) {
        const hf_closed_form *literal = &literals[i];
        static const char *const fixed[] = {"type: timestep, step: 1e-3",
                                            "type: discrete, step: 1e-3",
                                            "type: semi-implicit-euler, step: 1e-3"};
        bool touches = strstr(literal->machine, "rigid") != NULL; // as forces: other tests
        check_closed_form(literal, "type: switch, step: 0.01", fmin(literal->allowed, 1e-5));
        for (int k = 0; k < (touches ? 1 : 3); ++k) {
            check_closed_form(literal, fixed[k], literal->allowed);
        }
    }
}

// The stop of a block under a narrow Stribeck curve, by quadrature at 0.130499550 s: the way of the
// whole stop, 0.0414470163 m, at every tolerance.
static void narrow_rise_near_rest(void **state)
{
    (void)state;
    static const hf_closed_form narrow = {
        "way to rest",
        0.2,
        0.04144702,
        2e-7,
        "m.position",
        "bodies: {m: {type: mass, dim: 1, mass: 2.24836, velocity: 0.620869}}\n"
        "forces:\n"
        "  - {name: f, on: m, type: friction, law: coulomb, level: {coulomb: 10.435832, static: "
        "17.066496, stribeck_velocity: 0.0383423}}\n"};
    check_closed_form(&narrow, "type: switch, step: 0.01", 2e-7);
    check_closed_form(&narrow, "type: switch, step: 0.01, rtol: 1e-4", 1e-5);
    check_closed_form(&narrow, "type: switch, step: 0.01, rtol: 1e-10, atol: 1e-12", 1e-8);
    check_closed_form(&narrow, "type: timestep, step: 1e-5", 5e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(machines_with_closed_forms),
        cmocka_unit_test(narrow_rise_near_rest),
    };
    return hf_run_tests(tests);
}
