// SPDX-License-Identifier: Apache-2.0
// Derivatives under timestep: what sticks, slides or is open differs from step to step, and neither
// rounding nor the tolerance of the steps is to be seen in them.
#include "sensitivity_runs.h"

// Sticks, slides and turns: two joints with friction, gravity and a swinging torque.
static const char stepped_arm[] =
    "method: {type: timestep, step: 2e-3, tolerance: %s}\n"
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  arm:\n"
    "    type: tree\n"
    "    joints:\n"
    "      shoulder: {type: revolute, axis: [0, 1, 0], mass: 1, center: [0, 0, -0.2]}\n"
    "      elbow: {type: revolute, parent: shoulder, offset: [0, 0, -0.4], axis: [0, 1, 0], "
    "mass: 0.5, center: [0, 0, -0.1]}\n"
    "signals: {swing: \"2*sin(4*t)\"}\n"
    "forces:\n"
    "  - {name: drive, on: arm.shoulder, type: torque, value: swing}\n"
    "  - {name: shoulder, on: arm.shoulder, type: friction, law: coulomb, level: 0.7}\n"
    "  - {name: elbow, on: arm.elbow, type: friction, law: coulomb, level: 0.15}\n";

// A load lies on a floor and is pushed to and fro; a wall beside it stays open.
static const char stepped_load[] =
    "method: {type: timestep, step: 2e-3, tolerance: %s}\n"
    "gravity: [0, 0, -9.81]\n"
    "bodies: {load: {type: mass, axes: xz, mass: 2}}\n"
    "signals: {push: \"9*sin(3*t)\"}\n"
    "forces:\n"
    "  - {name: drive, on: load.x, type: force, value: push}\n"
    "  - {name: spring, on: load.x, type: spring, stiffness: 20, damping: 1}\n"
    "  - {name: wall, on: load.x, type: stop, high: 5}\n"
    "  - {name: floor, on: load.z, type: stop, low: 0}\n"
    "  - {name: rub, on: load.x, type: friction, law: coulomb, level: {friction: 0.3}, normal: "
    "floor}\n";

// A puck on a floor, pushed round: slip in two directions, and stick.
static const char stepped_puck[] =
    "method: {type: timestep, step: 2e-3, tolerance: %s}\n"
    "gravity: [0, 0, -9.81]\n"
    "bodies: {puck: {type: mass, dim: 3, mass: 2}}\n"
    "signals: {east: \"9*sin(3*t)\", north: \"7*cos(4*t)\"}\n"
    "forces:\n"
    "  - {name: push, on: puck.x, type: force, value: east}\n"
    "  - {name: draw, on: puck.y, type: force, value: north}\n"
    "  - {name: spring, on: puck.x, type: spring, stiffness: 20, damping: 1}\n"
    "  - {name: floor, on: puck, type: contact, law: rigid-contact, friction: 0.3, restitution: "
    "0}\n";

// A motor, a stiff shaft and a load: an implicit spring, and a friction at either end, one of them
// with unlike directions.
static const char stepped_shaft[] =
    "method: {type: timestep, step: 2e-3, tolerance: %s}\n"
    "parameters: {k: 4e4, level: 2}\n"
    "bodies: {motor: {type: mass, dim: 1, mass: 0.5}, load: {type: mass, dim: 1, mass: 3}}\n"
    "signals: {torque: \"8*sin(5*t)\"}\n"
    "forces:\n"
    "  - {name: drive, on: motor, type: force, value: torque}\n"
    "  - {name: shaft, on: motor, to: load, type: spring, stiffness: k, damping: 20}\n"
    "  - {name: brush, on: motor, type: friction, law: coulomb, level: {coulomb: [1, 1.5]}}\n"
    "  - {name: seal, on: load, type: friction, law: coulomb, level: {coulomb: level, viscous: "
    "0.5}}\n"
    "  - {name: end, on: load, type: stop, high: 50}\n";

// A run with the tolerance that steps have unless it is given, against differences of whole runs
// whose steps are solved to rounding.
static void test_runs(void **state)
{
    (void)state;
    const struct {
        const char *text, *name;
        double value;
        const char *channels[MOST_CHANNELS];
    } machines[] = {
        {stepped_arm, "forces.elbow.level", 0.15, {"arm.shoulder.position", "arm.elbow.position"}},
        {stepped_arm,
         "forces.shoulder.level",
         0.7,
         {"arm.shoulder.position", "arm.elbow.position"}},
        {stepped_load,
         "forces.rub.level.friction",
         0.3,
         {"load.position.x", "load.velocity.x", "rub.force"}},
        {stepped_load, "bodies.load.mass", 2.0, {"load.position.x", "floor.force"}},
        {stepped_puck, "forces.floor.friction", 0.3, {"puck.position.x", "puck.position.y"}},
        {stepped_puck, "bodies.puck.mass", 2.0, {"puck.position.x", "puck.velocity.y"}},
        {stepped_shaft, "parameters.level", 2.0, {"motor.position", "load.position"}},
        {stepped_shaft, "parameters.k", 4e4, {"motor.position", "load.velocity"}},
    };
    for (size_t i = 0; i < sizeof machines / sizeof *machines; ++i) {
        char text[1500], fine[1500];
        (void)snprintf(text, sizeof text, machines[i].text, "1e-8");
        (void)snprintf(fine, sizeof fine, machines[i].text, "1e-14");
        check c = {.text = text,
                   .name = machines[i].name,
                   .value = machines[i].value,
                   .until = 3.0,
                   .h = 1e-5 * machines[i].value,
                   .allowed = 1e-6};
        memcpy((void *)c.channels, (const void *)machines[i].channels, sizeof c.channels);
        compare_with(&c, fine);
    }
}

// A mass under Coulomb friction F and a force of two frequencies, by hand: over a step of h
//   v+ = v + h (u - f)/m,  |f| <= F,  x+ = x + h v+
// and the derivatives of what each step does, slip or stick, by the level and by the mass. Hundreds
// of stops and break-aways. The level is looked at from 1 % on both sides, where the machines would
// stop and break away in other steps: they go the way of the one between, on which all is linear
// in it.
static void test_by_hand(void **state)
{
    (void)state;
    static const char text[] =
        "method: {type: timestep, step: 1e-3}\n"
        "bodies: {block: {type: mass, dim: 1, mass: 2}}\n"
        "signals: {push: {input: 0}}\n"
        "forces:\n"
        "  - {name: drive, on: block, type: force, value: push}\n"
        "  - {name: pad, on: block, type: friction, law: coulomb, level: 3}\n";
    const double h = 1e-3, m = 2.0, level = 3.0;
    const hf_sensitivity_term terms[] = {
        {.kind = HF_BY_PARAMETER, .name = "pad.level", .step = 0.03},
        {.kind = HF_BY_PARAMETER, .name = "block.mass"},
    };
    run r = begin(text, terms, 2);
    hf_signal push = hf_model_find_signal(r.model, "push");
    double v = 0.0, dv[2] = {0.0, 0.0}, dx[2] = {0.0, 0.0}, got[2];
    int changes = 0;
    bool stuck = true;
    for (int k = 0; k < 40000; ++k) {
        double t = h * k, u = 4.0 * sin(20.0 * t) + 2.0 * sin(33.1 * t);
        hf_sim_set_input(r.sim, push, u);
        go(&r, h * (k + 1));
        // The same step
        double free = v + h * u / m, rest = h * level / m, way = free > 0.0 ? 1.0 : -1.0;
        bool sticks = fabs(free) <= rest;
        v = sticks ? 0.0 : free - way * rest;
        dv[0] = sticks ? 0.0 : dv[0] - way * h / m;
        dv[1] = sticks ? 0.0 : dv[1] - h * (u - way * level) / (m * m);
        changes += sticks != stuck;
        stuck = sticks;
        for (int i = 0; i < 2; ++i) {
            dx[i] += h * dv[i];
        }
    }
    derivatives(&r, "block.position", got);
    print_message("%d stops and break-aways\n", changes);
    assert_true(changes > 300);
    assert_int_equal(hf_sensitivity_loose_steps(r.sensitivity), 0);
    for (int i = 0; i < 2; ++i) {
        hf_check_near(got[i], dx[i], 1e-8 * fabs(dx[i]), terms[i].name, "derivatives by hand");
    }
    finish(&r);
}

// A friction that a stop loads is not held: that is told.
static void test_loose_steps(void **state)
{
    (void)state;
    char text[1500];
    const hf_sensitivity_term term = {.kind = HF_BY_PARAMETER, .name = "load.mass"};
    (void)snprintf(text, sizeof text, stepped_load, "1e-8");
    char *normal = strstr(text, "{friction: 0.3}, normal: floor");
    assert_non_null(normal);
    run r = begin(text, &term, 1);
    go(&r, 0.1);
    long long partnered = hf_sensitivity_loose_steps(r.sensitivity);
    finish(&r);
    // One contact with its stop: held. With a viscous part it is a bound of its own
    assert_int_equal(partnered, 0);
    (void)strcpy(normal, "{friction: 0.3, viscous: 0.1}, normal: floor}\n");
    r = begin(text, &term, 1);
    go(&r, 0.1);
    assert_int_equal(hf_sensitivity_loose_steps(r.sensitivity), 50);
    finish(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_runs),
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_loose_steps),
    };
    return hf_run_tests(tests);
}
