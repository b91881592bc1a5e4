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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_runs),
    };
    return hf_run_tests(tests);
}
