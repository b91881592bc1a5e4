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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(dead_center_on_a_rope),
                                       cmocka_unit_test(friction_that_is_off_among_others),
                                       cmocka_unit_test(friction_of_dull_impacts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
