// SPDX-License-Identifier: Apache-2.0
// Laws on ratios with spins of rigid bodies: friction, springs and backlash between a motor and a
// free wheel, against the same machine of two rotors and against closed forms.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hf_test.h"
#include "loop_scenes.h"

static const struct {
    hf_method_type type;
    double step;
} RUNS[] = {{HF_METHOD_SWITCH, 1e-2},
            {HF_METHOD_TIMESTEP, 1e-3},
            {HF_METHOD_DISCRETE, 1e-3},
            {HF_METHOD_SEMI_IMPLICIT_EULER, 1e-3},
            {HF_METHOD_EULER, 1e-3}};
enum { RUN_COUNT = sizeof RUNS / sizeof *RUNS };

// A wheel that lies askew, about its own y axis; or a rotor in its place.
#define ASKEW                                                                                      \
    "  wheel: {type: rigid, mass: 2, inertia: [0.03, 0.05, 0.03],\n"                               \
    "    orientation: [0.8, 0.36, 0.48, 0]}\n"
#define ROTOR "  wheel: {type: rotor, inertia: 0.05}\n"

static hf_sim *start(const char *wheel, const char *place, const char *law, int run)
{
    char text[2000];
    (void)snprintf(text, sizeof text,
                   "bodies:\n"
                   "  motor: {type: rotor, inertia: 0.01}\n"
                   "%s"
                   "forces:\n"
                   "  - {name: drive, on: motor, type: torque, value: '0.5*cos(3*t)'}\n"
                   "  - {name: tie, ratio: {motor: 1, %s: -3}, %s}\n",
                   wheel, place, law);
    return loop_scene_start(loop_scene_parse(text), RUNS[run].type, RUNS[run].step);
}

// About its own y axis, which stays where it is.
static double spin_of(hf_sim *sim)
{
    double x = loop_scene_value(sim, "wheel.angular_velocity.x");
    double y = loop_scene_value(sim, "wheel.angular_velocity.y");
    double z = loop_scene_value(sim, "wheel.angular_velocity.z");
    // R e_y of the quaternion (0.8, 0.36, 0.48, 0)
    double along = 0.3456 * x + 0.7408 * y + 0.576 * z;
    hf_check_near(hypot(hypot(x, y), z), fabs(along), 1e-9, "spin", "along its axis alone");
    return along;
}

static void compare(const char *law, double steps)
{
    for (int i = 0; i < RUN_COUNT; ++i) {
        double allowance = RUNS[i].type == HF_METHOD_SWITCH ? fmax(steps, 1e-3) : steps;
        hf_sim *sim = start(ASKEW, "wheel.spin.y", law, i);
        hf_sim *like = start(ROTOR, "wheel", law, i);
        const char *name = hf_method_name(RUNS[i].type);
        for (int k = 1; k <= 10; ++k) {
            loop_scene_run(sim, 0.2 * k);
            loop_scene_run(like, 0.2 * k);
            hf_check_near(loop_scene_value(sim, "motor.velocity"),
                          loop_scene_value(like, "motor.velocity"), allowance, name, "two rotors");
            hf_check_near(spin_of(sim), loop_scene_value(like, "wheel.velocity"), allowance, name,
                          "two rotors");
        }
        hf_energy e = hf_sim_energy(sim), other = hf_sim_energy(like);
        hf_check_near(e.dissipated, other.dissipated, allowance, name, "two rotors");
        hf_check_near(e.residual, other.residual, allowance, name, "two rotors");
        loop_scene_finish(sim);
        loop_scene_finish(like);
    }
}

// Sticks: 0.5 Nm turn motor and wheel as one, w_motor = 3 w_wheel; slips at 0.2 Nm.
static void test_friction(void **state)
{
    (void)state;
    compare("type: friction, law: coulomb, level: 2", 1e-6);
    compare("type: friction, law: coulomb, level: 0.2", 1e-3);
}

static void test_stuck(void **state)
{
    (void)state;
    for (int i = 0; i < RUN_COUNT; ++i) {
        hf_sim *sim = start(ASKEW, "wheel.spin.y", "type: friction, law: coulomb, level: 2", i);
        loop_scene_run(sim, 1.0);
        // (J_m + J_w/9) w' = tau
        double w = 0.5 * sin(3.0) / 3.0 / (0.01 + 0.05 / 9.0);
        hf_check_near(loop_scene_value(sim, "motor.velocity"), w, 0.05,
                      hf_method_name(RUNS[i].type), "as one");
        hf_check_near(loop_scene_value(sim, "motor.velocity") - 3.0 * spin_of(sim), 0.0, 1e-9,
                      hf_method_name(RUNS[i].type), "no slip");
        hf_check_near(loop_scene_value(sim, "tie.mode"), 0.0, 0.0, hf_method_name(RUNS[i].type),
                      "stuck");
        loop_scene_finish(sim);
    }
}

static void test_spring(void **state)
{
    (void)state;
    compare("type: spring, stiffness: 20, damping: 0.01", 1e-6);
}

static void test_backlash(void **state)
{
    (void)state;
    compare("type: stop, low: -0.05, high: 0.05", 2e-2);
}

// What is refused says why.
static void test_refused(void **state)
{
    (void)state;
    static const char text[] =
        "bodies:\n"
        "  arm: {type: tree, joints: {a: {type: revolute, axis: [0, 1, 0], mass: 1}}}\n"
        "  motor: {type: rotor, inertia: 1}\n"
        "forces:\n"
        "  - {name: f, ratio: {motor: 1, arm.a.spin.y: -1}, type: spring, stiffness: 5}\n";
    hf_error error;
    hf_spec *spec = hf_spec_parse(text, strlen(text), "m.yaml", NULL, NULL, &error);
    assert_null(spec);
    if (strstr(error.text, "m.yaml:5:") == NULL || strstr(error.text, "name the joint") == NULL) {
        fail_msg("says '%s'", error.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_friction), cmocka_unit_test(test_stuck),
        cmocka_unit_test(test_spring),   cmocka_unit_test(test_backlash),
        cmocka_unit_test(test_refused),
    };
    return hf_run_tests(tests);
}
