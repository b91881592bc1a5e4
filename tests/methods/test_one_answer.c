// SPDX-License-Identifier: Apache-2.0
// Machines on which one method once went its own way, silently: each comes to one answer under
// every method named, and under `switch` at every tolerance.
#include <hf_machine.h>

#include <math.h>
#include <string.h>

// The channel at the end, under a method: its keys as in a model file.
static double run(const char *machine, const char *method, double end, const char *channel)
{
    char text[3000];
    int used = snprintf(text, sizeof text, "method: {%s}\n%s", method, machine);
    assert_true(used > 0 && (size_t)used < sizeof text);
    hf_model *model = model_of(text);
    hf_sim *sim = sim_from(model, NULL);
    run_until(sim, end);
    assert_true(hf_sim_verdict(sim).trustworthy);
    double value = value_of(sim, channel);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    return value;
}

// The tip of an arm on a taut rope: the shoulder turns round at its dead center, where its rate is
// zero for an instant while the elbow goes on at 9 rad/s. Stopping the shoulder there is no reason
// to stop the elbow, whatever is left of the rates by the integrator.
static void dead_center_on_a_rope(void **state)
{
    (void)state;
    static const char *const machine =
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  arm:\n"
        "    type: tree\n"
        "    joints:\n"
        "      s: {type: revolute, axis: [0, 1, 0], mass: 1, center: [0.2, 0, 0], inertia: [0.001, "
        "0.02, 0.02], bearing: {radius: 0.02, friction: 0.3}}\n"
        "      e: {type: revolute, axis: [0, 1, 0], parent: s, offset: [0.4, 0, 0], mass: 0.6, "
        "center: [0.15, 0, 0], inertia: [0.001, 0.01, 0.01], position: 0.5, friction: {law: "
        "coulomb, level: {kinetic: 0.4, static: 0.6}}}\n"
        "forces:\n"
        "  - {name: tie, coupling: distance, on: arm.e, point: [0.3, 0, 0], to: world, to_point: "
        "[0.6, 0, 0], type: stop, high: 0.35, restitution: 0.2}\n";
    double want = run(machine, "type: timestep, step: 2e-5", 0.5, "arm.e.position");
    for (int k = 5; k < 10; ++k) {
        char method[80];
        (void)snprintf(method, sizeof method, "type: switch, step: 1e-2, rtol: 1e-%d, atol: 1e-9",
                       k);
        double got = run(machine, method, 0.5, "arm.e.position");
        hf_check_near(got, want, 2e-3, method, "timestep at 20 us");
    }
}

// A differential whose lock is off: what has no level has no share in what the others hold, and a
// slow rise of the load is no event. It breaks away at the sum of the static levels, at 0.5 s.
static void friction_that_is_off_among_others(void **state)
{
    (void)state;
    static const char *const machine =
        "bodies:\n"
        "  s: {type: rotor, inertia: 0.1}\n"
        "  l: {type: rotor, inertia: 0.3}\n"
        "  r: {type: rotor, inertia: 0.3}\n"
        "loops: {d: {type: ratio, ratio: {l: 0.5, r: 0.5, s: -1}}}\n"
        "forces:\n"
        "  - {name: in, on: s, type: torque, value: \"3.6*t\"}\n"
        "  - {name: fl, on: l, type: friction, law: coulomb, level: {kinetic: 0.5, static: 0.8}}\n"
        "  - {name: fr, on: r, type: friction, law: coulomb, level: {kinetic: 0.7, static: 0.8}}\n"
        "  - {name: fs, on: s, type: friction, law: coulomb, level: {kinetic: 0.1, static: 0.2}}\n"
        "  - {name: lock, on: l, to: r, type: friction, law: coulomb, level: 0.3, enable: \"t > "
        "0.6 "
        "? 1 : 0\"}\n";
    assert_true(run(machine, "type: switch, step: 1e-2", 0.49, "s.position") == 0.0);
    double want =
        run(machine, "type: switch, step: 1e-2, rtol: 1e-8, atol: 1e-10", 1.0, "r.position");
    assert_true(want > 0.1);
    static const char *const fixed[] = {"timestep", "discrete", "semi-implicit-euler", "euler"};
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; ++i) {
        char method[80];
        (void)snprintf(method, sizeof method, "type: %s, step: 2.5e-4", fixed[i]);
        double got = run(machine, method, 1.0, "r.position");
        hf_check_near(got, want, 2e-3 * want, fixed[i], "switch");
    }
}

// An oblique impact takes mu times the normal's impulse along the surface, however dull it is: the
// friction of a contact that takes its impact at once must come up as fast.
static void friction_of_dull_impacts(void **state)
{
    (void)state;
    static const double wishes[] = {0.0, 0.03, 0.05, 0.1, 0.2};
    for (int i = 0; i < 10; ++i) {
        double mu = i % 2 == 0 ? 0.3 : 0.7, e = wishes[i / 2];
        char machine[400];
        (void)snprintf(machine, sizeof machine,
                       "bodies: {p: {type: mass, mass: 1, position: [0, 0, 0.02], velocity: [1, 0, "
                       "-1]}}\n"
                       "forces:\n"
                       "  - {name: c, on: p, type: contact, law: rigid-contact, friction: %g, "
                       "restitution: %g}\n",
                       mu, e);
        static const char *const methods[] = {"type: adaptive, step: 1e-3", "type: switch, step: "
                                                                            "1e-3"};
        for (int k = 0; k < 2; ++k) {
            double along = run(machine, methods[k], 0.1, "p.velocity.x");
            double up = run(machine, methods[k], 0.1, "p.velocity.z");
            hf_check_near(1.0 - along, mu * (1.0 + up), 1e-3, methods[k], "mu times the impulse");
        }
    }
}

// A block that sticks to an accelerating belt while two brakes drag at it, and a step is cut short
// by the kink of another motion: the belt's velocity of the end is what sticks to it has there.
// With that of the beginning the block lagged by a step's acceleration, which a step cut short made
// a force of eleven times the needed one, and the belt lost it.
static void accelerating_belt_and_a_step_cut_short(void **state)
{
    (void)state;
    static const char *const machine =
        "bodies:\n"
        "  other: {type: driven, position: \"0.1577*abs(t - 0.07292)\"}\n"
        "  belt: {type: driven, velocity: \"-0.3322*min(t, 0.1434)\"}\n"
        "  block: {type: mass, dim: 1, mass: 1.762}\n"
        "forces:\n"
        "  - {name: spring, on: block, type: spring, stiffness: 182.3, damping: 1.824}\n"
        "  - {name: brake, on: block, type: friction, law: coulomb, level: {coulomb: 0.4974, "
        "static: 0.5811}}\n"
        "  - {name: drag, on: block, type: friction, law: coulomb, level: 1.541}\n"
        "  - {name: grip, on: block, to: belt, type: friction, law: coulomb, level: {coulomb: "
        "2.574, static: 3.444}}\n";
    double want = -0.3322 * (0.1434 * 0.2 - 0.5 * 0.1434 * 0.1434);
    static const char *const methods[] = {"switch", "timestep", "discrete", "semi-implicit-euler",
                                          "euler"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; ++i) {
        char method[80];
        (void)snprintf(method, sizeof method, "type: %s, step: 1e-3", methods[i]);
        hf_check_near(run(machine, method, 0.2, "block.position"), want, 3e-5, methods[i],
                      "the belt's way");
        // What sticks goes with the belt, also between steps
        hf_check_near(run(machine, method, 0.2, "block.position"),
                      run(machine, method, 0.2, "belt.position"), 1e-12, methods[i], "the belt");
    }
}

// discrete moves driven bodies first: a stiff spring to one that moves at the start is stretched by
// a step's way at once, which jolts an arm out of its static level. Told, with the step that would
// do, at which it is right; the same machine that begins at rest has no jolt.
static void stiff_spring_to_what_moves_first(void **state)
{
    (void)state;
    static const char *const machine =
        "method: {type: discrete, step: %s}\n"
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  table: {type: driven, position: \"%s\"}\n"
        "  rig:\n"
        "    type: tree\n"
        "    joints:\n"
        "      base: {type: prismatic, axis: [1, 0, 0], mass: 2, velocity: %g}\n"
        "      arm: {type: revolute, parent: base, axis: [0, 1, 0], mass: 1, center: [0, 0, -0.3], "
        "inertia: [0.01, 0.01, 0.01], position: 0.4, friction: {law: coulomb, level: {kinetic: "
        "0.8, static: 1.4}}}\n"
        "forces:\n"
        "  - {name: ride, on: rig.base, to: table, type: spring, stiffness: 1e6, damping: 2e3}\n";
    static const char *const steps[] = {"2.5e-4", "1e-4", "2e-5", "2.5e-4"};
    static const bool trusted[] = {false, false, true, true};
    for (int i = 0; i < 4; ++i) {
        char text[1500];
        bool moves = i < 3;
        (void)snprintf(text, sizeof text, machine, steps[i],
                       moves ? "0.02*sin(12*t)" : "0.02*(1 - cos(12*t))", moves ? 0.24 : 0.0);
        hf_model *model = model_of(text);
        hf_sim *sim = sim_from(model, NULL);
        run_until(sim, 1.0);
        hf_verdict verdict = hf_sim_verdict(sim);
        assert_true(verdict.trustworthy == trusted[i]);
        assert_true(trusted[i] || strstr(verdict.why, "'ride' began with a jolt") != NULL);
        if (trusted[i]) { // switch comes to 0.03076
            hf_check_near(value_of(sim, "rig.arm.position"), 0.03076, 3e-4, steps[i], "switch");
        }
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// A pull on a box that rises to the static level of its contact, 0.5, or jumps to just below it.
static const char *const box_on_floor =
    "gravity: [0, 0, -9.81]\n"
    "signals: {p: \"%s\"}\n"
    "bodies:\n"
    "  box: {type: mass, dim: 3, mass: 1}\n"
    "forces:\n"
    "  - {name: pull, on: box, type: force, value: [p, 0, 0]}\n"
    "  - {name: floor, on: box, type: contact, law: rigid-contact, friction: {friction: 0.3, "
    "static_friction: 0.5}}\n";

// The static level is left where it is reached, whatever is recorded: adaptive and switch had it
// until the second sample after that.
static void break_away_does_not_wait_for_a_sample(void **state)
{
    (void)state;
    char contact[800];
    (void)snprintf(contact, sizeof contact, box_on_floor, "max(0, 8*(t - 0.2))");
    double slid = 0.8 - 0.5 * 9.81 / 8.0; // at 2 + 8 t m/s^2
    double want = 0.5 * 0.2 * 9.81 * slid * slid + 8.0 / 6.0 * slid * slid * slid;
    static const char *const element =
        "bodies:\n"
        "  b: {type: mass, dim: 1, mass: 1}\n"
        "  h: {type: driven, velocity: 0.1}\n"
        "forces:\n"
        "  - {name: s, on: b, to: h, type: spring, stiffness: 100, damping: 1}\n"
        "  - {name: f, on: b, type: friction, law: stiction, level: {kinetic: 2, static: 4}, "
        "stiffness: 1e5, damping: 300}\n";
    double element_wants = run(element, "type: rk4, step: 2e-5", 2.0, "b.position");
    static const char *const steps[] = {"1e-3", "1e-2", "5e-2"};
    for (int i = 0; i < 3; ++i) {
        char adaptive[80], exact[80];
        (void)snprintf(adaptive, sizeof adaptive, "type: adaptive, step: %s", steps[i]);
        (void)snprintf(exact, sizeof exact, "type: switch, step: %s", steps[i]);
        hf_check_near(run(contact, adaptive, 1.0, "box.position.x"), want, 2e-5, adaptive,
                      "closed form");
        hf_check_near(run(element, adaptive, 2.0, "b.position"), element_wants, 1e-4, adaptive,
                      "rk4 at 20 us");
        hf_check_near(run(element, exact, 2.0, "b.position"), element_wants, 1e-4, exact,
                      "rk4 at 20 us");
    }
}

// A pull that jumps to 4.4 N of the 4.9 N that the static level holds: contacts that are forces
// swing into it, by more than that, and let go. They say so; where the jump is beyond the level
// they slide as they must, and say nothing.
static void swing_into_a_load_is_told(void **state)
{
    (void)state;
    static const char *const methods[] = {
        "rk4", "rk4-tau", "verlet", "euler", "semi-implicit-euler", "discrete", "adaptive"};
    for (size_t i = 0; i < 2 * sizeof methods / sizeof *methods; ++i) {
        char machine[800], text[900];
        bool holds = i % 2 == 0;
        (void)snprintf(machine, sizeof machine, box_on_floor,
                       holds ? "t < 0.3 ? 0 : 4.4" : "t < 0.3 ? 0 : 5.2");
        (void)snprintf(text, sizeof text, "method: {type: %s, step: 1e-3}\n%s", methods[i / 2],
                       machine);
        hf_model *model = model_of(text);
        hf_sim *sim = sim_from(model, NULL);
        run_until(sim, 1.0);
        hf_verdict verdict = hf_sim_verdict(sim);
        double x = value_of(sim, "box.position.x");
        if (holds) {
            assert_true(fabs(x) < 1e-3 || strstr(verdict.why, "'floor' let go while") != NULL);
        } else {
            assert_true(verdict.trustworthy);
            hf_check_near(x, 0.553, 5e-3, methods[i / 2], "closed form");
        }
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// A table whose acceleration is that which the static level of friction holds, to the bit: rest at
// the bound is rest, whatever the last bits of the load do. Switch broke away after 0.3 ms.
static void rest_at_the_bound_on_a_moving_table(void **state)
{
    (void)state;
    static const char *const machine =
        "signals:\n"
        "  pos: {table: {points: [[0, 0], [0.1, 0.01], [0.2, -0.01], [0.3, 0.02], [0.5, 0]], "
        "interpolation: smooth}}\n"
        "bodies:\n"
        "  tbl: {type: driven, position: pos}\n"
        "  a: {type: mass, dim: 1, mass: 1}\n"
        "forces:\n"
        "  - {name: f, on: a, to: tbl, type: friction, law: coulomb, level: {kinetic: [2, 1], "
        "static: [3, 1.5]}}\n";
    double want = run(machine, "type: timestep, step: 5e-5", 0.09, "a.position");
    static const char *const methods[] = {"switch", "discrete", "semi-implicit-euler", "euler"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; ++i) {
        char method[80];
        (void)snprintf(method, sizeof method, "type: %s, step: 2.5e-4", methods[i]);
        hf_check_near(run(machine, method, 0.09, "a.position"), want, 2e-5, methods[i],
                      "timestep at 50 us");
    }
}

// Two blocks on a shaken belt, one before the other: the belt may hold both, and the stop between
// them only pushes. The first one breaks away where the belt's acceleration is F0/m0, at 0.2059 s.
static void a_stop_between_stuck_blocks_does_not_pull(void **state)
{
    (void)state;
    static const char *const machine =
        "bodies:\n"
        "  belt: {type: driven, dim: 1, position: \"0.027304*sin(17.13*t)\"}\n"
        "  first: {type: mass, dim: 1, mass: 1.74}\n"
        "  second: {type: mass, dim: 1, mass: 2.429, position: 0.1}\n"
        "forces:\n"
        "  - {name: f0, on: first, to: belt, type: friction, law: coulomb, level: 5.242}\n"
        "  - {name: f1, on: second, to: belt, type: friction, law: coulomb, level: {kinetic: "
        "15.403, static: 18.484}}\n"
        "  - {name: between, on: second, to: first, type: stop, low: 0.1, restitution: 0}\n"
        "  - {name: wall, on: second, type: stop, high: 0.1, restitution: 0}\n";
    const double leaves = (acos(-1.0) + asin(5.242 / 1.74 / (0.027304 * 17.13 * 17.13))) / 17.13;
    const char *exact = "type: switch, step: 1e-4, rtol: 1e-9, atol: 1e-10";
    double before = run(machine, exact, leaves - 3e-4, "f0.mode");
    double after = run(machine, exact, leaves + 3e-4, "f0.mode");
    hf_check_near(before, 0.0, 0.0, "mode before", "F0/m0");
    hf_check_near(after, -1.0, 0.0, "mode after", "F0/m0");
    static const char *const methods[] = {"timestep", "discrete", "semi-implicit-euler", "euler"};
    double want = run(machine, exact, 0.6, "first.position");
    for (size_t i = 0; i < sizeof methods / sizeof *methods; ++i) {
        char method[80];
        (void)snprintf(method, sizeof method, "type: %s, step: 2e-4", methods[i]);
        hf_check_near(run(machine, method, 0.6, "first.position"), want, 3e-4, methods[i],
                      "switch");
    }
}

// A stop that is met before the first step ends, or just after a step that an input's jump cut
// short: what comes off it has restitution times its speed, wherever in the step that is.
static void a_stop_met_too_late_to_be_seen_ahead(void **state)
{
    (void)state;
    static const char *const methods[] = {"timestep", "discrete", "semi-implicit-euler", "euler"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; ++i) {
        for (int k = 0; k < 12; ++k) {
            char machine[600], method[80];
            (void)snprintf(machine, sizeof machine,
                           "signals: {other: \"t < 0.01005 ? 0 : 1\"}\n"
                           "bodies:\n"
                           "  a: {type: mass, dim: 1, mass: 1.3, position: %.17g, velocity: -0.4}\n"
                           "  b: {type: mass, dim: 1, mass: 1}\n"
                           "forces:\n"
                           "  - {name: jump, on: b, type: force, value: other}\n"
                           "  - {name: s, on: a, type: stop, low: 0.1, restitution: 0.3}\n",
                           0.1 + (k < 6 ? 0.0 : 0.4 * 0.01) + 7e-6 * k);
            (void)snprintf(method, sizeof method, "type: %s, step: 1e-4", methods[i]);
            hf_check_near(run(machine, method, 0.02, "a.velocity"), 0.12, 1e-12, methods[i],
                          "restitution times speed");
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(dead_center_on_a_rope),
                                       cmocka_unit_test(friction_that_is_off_among_others),
                                       cmocka_unit_test(friction_of_dull_impacts),
                                       cmocka_unit_test(accelerating_belt_and_a_step_cut_short),
                                       cmocka_unit_test(stiff_spring_to_what_moves_first),
                                       cmocka_unit_test(break_away_does_not_wait_for_a_sample),
                                       cmocka_unit_test(swing_into_a_load_is_told),
                                       cmocka_unit_test(rest_at_the_bound_on_a_moving_table),
                                       cmocka_unit_test(a_stop_between_stuck_blocks_does_not_pull),
                                       cmocka_unit_test(a_stop_met_too_late_to_be_seen_ahead)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
