// SPDX-License-Identifier: Apache-2.0
// Loops and ratios to driven bodies: a pendulum on a shaken pivot against an independent
// integration, a four-bar with a told crank against its geometry, a rack against a closed form, an
// arm on a shaken table that holds to the bit, and velocities that jump against momentum by hand.
#include <math.h>
#include <string.h>

#include "hf_test.h"
#include "loop_scenes.h"

typedef struct method_run {
    hf_method_type type;
    double step, allowance; // [s], of positions
    double ledger;          // what is left over, of the energy turned over
} method_run;

static const method_run RUNS[] = {
    {HF_METHOD_RK4, 1e-4, 1e-7, 1e-9},
    {HF_METHOD_RK4_TAU, 1e-4, 1e-7, 1e-9},
    {HF_METHOD_VERLET, 1e-4, 2e-4, 1e-5},
    {HF_METHOD_ADAPTIVE, 1e-2, 2e-4, 1e-4},
    {HF_METHOD_SWITCH, 1e-2, 2e-4, 1e-5},
    {HF_METHOD_EULER, 1e-4, 5e-3, 1e-3},
    {HF_METHOD_SEMI_IMPLICIT_EULER, 1e-4, 5e-3, 1e-3},
    {HF_METHOD_DISCRETE, 1e-4, 5e-3, 1e-3},
    {HF_METHOD_TIMESTEP, 1e-4, 5e-3, 1e-3},
};
enum { RUN_COUNT = sizeof RUNS / sizeof *RUNS };

static double left_over(hf_sim *sim)
{
    hf_energy e = hf_sim_energy(sim);
    return fabs(e.residual) / fmax(e.turnover, 1e-300);
}

// ------------------------------------------------------------------------------------------------
// A pendulum stands on a pivot that is shaken (Kapitza)

static const char KAPITZA[] =
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  pivot: {type: driven, axes: z, position: '0.02*cos(200*t)'}\n"
    "  rod: {type: rigid, mass: 1.5, inertia: [0.05, 0.05, 0.02],\n"
    "    position: [0, 0, 0.32], velocity: [0.06, 0, 0], angular_velocity: [0, 0.2, 0]}\n"
    "loops:\n"
    "  pin: {type: revolute, on: rod, to: pivot, point: [0, 0, -0.3], axis: [0, 1, 0],\n"
    "    to_axis: [0, 1, 0]}\n";

// J a'' = m l (g + s'') sin a, by the classical Runge-Kutta method with a short step.
static double lean(double t, double angle)
{
    const double m = 1.5, l = 0.3;
    return m * l * (9.81 - 0.02 * 200.0 * 200.0 * cos(200.0 * t)) * sin(angle) / (0.05 + m * l * l);
}

static double angle_at(double end)
{
    const int steps = 200000;
    double h = end / steps, a = 0.0, w = 0.2;
    for (int i = 0; i < steps; ++i) {
        double t = i * h, k1 = w, l1 = lean(t, a);
        double k2 = w + 0.5 * h * l1, l2 = lean(t + 0.5 * h, a + 0.5 * h * k1);
        double k3 = w + 0.5 * h * l2, l3 = lean(t + 0.5 * h, a + 0.5 * h * k2);
        double k4 = w + h * l3, l4 = lean(t + h, a + h * k3);
        a += h / 6.0 * (k1 + 2.0 * (k2 + k3) + k4);
        w += h / 6.0 * (l1 + 2.0 * (l2 + l3) + l4);
    }
    return a;
}

static void test_kapitza(void **state)
{
    (void)state;
    double angle = angle_at(1.0), z = 0.02 * cos(200.0) + 0.3 * cos(angle);
    for (int i = 0; i < RUN_COUNT; ++i) {
        hf_sim *sim = loop_scene_start(loop_scene_parse(KAPITZA), RUNS[i].type, RUNS[i].step);
        loop_scene_run(sim, 1.0);
        const char *name = hf_method_name(RUNS[i].type);
        hf_check_near(loop_scene_value(sim, "rod.position.x"), 0.3 * sin(angle), RUNS[i].allowance,
                      name, "integrated by hand");
        hf_check_near(loop_scene_value(sim, "rod.position.z"), z, RUNS[i].allowance, name,
                      "integrated by hand");
        hf_check_below(loop_scene_value(sim, "pin.error"), 1e-13, name, "rounding");
        hf_check_below(left_over(sim), RUNS[i].ledger, name, "the ledger");
        assert_int_equal(hf_model_get_info(hf_sim_model(sim)).freedoms, 1);
        loop_scene_finish(sim);
    }
}

// ------------------------------------------------------------------------------------------------
// A four-bar whose crank is told leaves nothing free: friction takes its whole level, and the crank
// puts in what it turns into heat

static const char FOUR_BAR[] =
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  crank: {type: driven, dim: 3, position: [0, 0, 0], angle: '2*t', axis: [0, 1, 0]}\n"
    "  chain:\n"
    "    type: tree\n"
    "    joints:\n"
    "      rocker: {type: revolute, axis: [0, 1, 0], offset: [0.4, 0, 0], mass: 1,\n"
    "        center: [0, 0, 0.15], inertia: [0.01, 0.01, 0.001], guess: 0.2}\n"
    "      coupler: {type: revolute, parent: rocker, axis: [0, 1, 0], offset: [0, 0, 0.3],\n"
    "        mass: 0.7, center: [-0.2, 0, 0], inertia: [0.001, 0.02, 0.02], guess: 0.1}\n"
    "loops:\n"
    "  pin: {type: point, on: chain.coupler, to: crank, point: [-0.4, 0, 0],\n"
    "    to_point: [0.1, 0, 0]}\n"
    "forces:\n"
    "  - {name: bearing, on: chain.rocker, type: friction, law: coulomb, level: 0.5}\n";

// The rocker's angle: its tip is 0.3 m from (0.4, 0) and 0.4 m from the crank's pin.
static double rocker_at(double t)
{
    double x = 0.1 * cos(2.0 * t) - 0.4, z = -0.1 * sin(2.0 * t), d = hypot(x, z);
    double inner = acos((0.09 + d * d - 0.16) / (0.6 * d));
    return atan2(x, z) + inner;
}

static void test_four_bar(void **state)
{
    (void)state;
    static const method_run runs[] = {{HF_METHOD_SWITCH, 1e-2, 1e-12, 1e-5},
                                      {HF_METHOD_TIMESTEP, 1e-3, 1e-12, 1e-3},
                                      {HF_METHOD_DISCRETE, 1e-3, 1e-12, 2e-3},
                                      {HF_METHOD_SEMI_IMPLICIT_EULER, 1e-3, 1e-12, 2e-3},
                                      {HF_METHOD_EULER, 1e-3, 1e-12, 2e-3}};
    // Heat: 0.5 Nm along the way of the rocker
    double way = 0.0, before = rocker_at(0.0);
    for (int i = 1; i <= 30000; ++i) {
        double now = rocker_at(1e-4 * i);
        way += fabs(now - before);
        before = now;
    }
    for (int i = 0; i < 5; ++i) {
        hf_sim *sim = loop_scene_start(loop_scene_parse(FOUR_BAR), runs[i].type, runs[i].step);
        loop_scene_run(sim, 3.0);
        const char *name = hf_method_name(runs[i].type);
        hf_check_near(loop_scene_value(sim, "chain.rocker.position"), before, runs[i].allowance,
                      name, "geometry");
        hf_check_near(hf_sim_energy(sim).dissipated, 0.5 * way, 1e-3, name, "0.5 Nm x its way");
        hf_check_below(left_over(sim), runs[i].ledger, name, "the ledger");
        loop_scene_finish(sim);
    }
}

// ------------------------------------------------------------------------------------------------
// A rack that is told, a pinion on it

static void test_rack(void **state)
{
    (void)state;
    static const char text[] = "bodies:\n"
                               "  rack: {type: driven, position: '0.1*sin(3*t)'}\n"
                               "  pinion: {type: rotor, inertia: 0.02}\n"
                               "loops:\n"
                               "  mesh: {type: ratio, ratio: {pinion: 0.05, rack: -1}}\n";
    for (int i = 0; i < RUN_COUNT; ++i) {
        hf_sim *sim = loop_scene_start(loop_scene_parse(text), RUNS[i].type, 1e-3);
        loop_scene_run(sim, 1.0);
        const char *name = hf_method_name(RUNS[i].type);
        double speed = 20.0 * 0.3 * cos(3.0), turning = -20.0 * 0.9 * sin(3.0);
        hf_check_near(loop_scene_value(sim, "pinion.position"), 2.0 * sin(3.0), 1e-12, name,
                      "20 x");
        hf_check_near(loop_scene_value(sim, "pinion.velocity"), speed, 1e-12, name, "20 v");
        hf_check_near(loop_scene_value(sim, "mesh.force"), 0.02 * turning / 0.05, 0.05, name,
                      "J a / r");
        // From 20 v at the start: it is in motion then
        double put_in = 0.01 * (speed * speed - 36.0);
        hf_check_near(hf_sim_energy(sim).input, put_in, 2e-3, name, "kinetic energy");
        loop_scene_finish(sim);
    }
}

// ------------------------------------------------------------------------------------------------
// An arm welded to a table that sways and tilts holds its joints to the bit

static const char TABLE[] =
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  table: {type: driven, dim: 3, position: ['0.05*sin(9*t)', 0, '0.02*sin(13*t)'],\n"
    "    angle: '0.1*sin(5*t)', axis: [0, 1, 0]}\n"
    "  arm:\n"
    "    type: tree\n"
    "    joints:\n"
    "      base: {type: free, mass: 2, inertia: [0.02, 0.02, 0.02],\n"
    "        position: [0, 0, 0.1, 1, 0, 0, 0]}\n"
    "      shoulder: {type: revolute, parent: base, axis: [0, 1, 0], offset: [0, 0, 0.1],\n"
    "        mass: 1, center: [0.2, 0, 0], inertia: [0.01, 0.01, 0.01], position: 0.3}\n"
    "      elbow: {type: revolute, parent: shoulder, axis: [0, 1, 0], offset: [0.4, 0, 0],\n"
    "        mass: 0.5, center: [0.1, 0, 0], inertia: [0.004, 0.004, 0.004], position: -0.5}\n"
    "loops:\n"
    "  weld: {type: fixed, on: arm.base, to: table, to_point: [0, 0, 0.1]}\n"
    "forces:\n"
    "  - {name: fs, on: arm.shoulder, type: friction, law: coulomb, level: 15}\n"
    "  - {name: fe, on: arm.elbow, type: friction, law: coulomb, level: 1.0}\n";

static void test_table(void **state)
{
    (void)state;
    static const hf_method_type types[] = {HF_METHOD_SWITCH, HF_METHOD_TIMESTEP, HF_METHOD_DISCRETE,
                                           HF_METHOD_SEMI_IMPLICIT_EULER, HF_METHOD_EULER};
    double torque = 0.0;
    for (int i = 0; i < 5; ++i) {
        hf_sim *sim = loop_scene_start(loop_scene_parse(TABLE), types[i], 1e-3);
        loop_scene_run(sim, 2.0);
        const char *name = hf_method_name(types[i]);
        hf_check_near(loop_scene_value(sim, "arm.shoulder.position"), 0.3, 0.0, name, "to the bit");
        hf_check_near(loop_scene_value(sim, "arm.elbow.position"), -0.5, 0.0, name, "to the bit");
        hf_check_near(loop_scene_value(sim, "arm.base.position.x"),
                      0.05 * sin(18.0) + 0.1 * sin(0.1 * sin(10.0)), 1e-12, name, "the table");
        torque = i == 0 ? loop_scene_value(sim, "fs.force") : torque;
        hf_check_near(loop_scene_value(sim, "fs.force"), torque, 0.05, name, "as by switch");
        hf_check_below(left_over(sim), 1e-3, name, "the ledger");
        loop_scene_finish(sim);
    }
}

// ------------------------------------------------------------------------------------------------
// A velocity that jumps strikes: the rod on a cart that is jerked keeps its momentum about the
// pivot

static void test_jerk(void **state)
{
    (void)state;
    static const char text[] = "bodies:\n"
                               "  hook: {type: driven, velocity: 't < 0.5037 ? 0 : 1'}\n"
                               "  pend:\n"
                               "    type: tree\n"
                               "    joints:\n"
                               "      cart: {type: prismatic, axis: [1, 0, 0], mass: 2}\n"
                               "      rod: {type: revolute, parent: cart, axis: [0, 1, 0], mass: "
                               "1, center: [0, 0, -0.5],\n"
                               "        inertia: [0.01, 0.01, 0.01]}\n"
                               "loops:\n"
                               "  tow: {type: ratio, ratio: {pend.cart: 1, hook: -1}}\n";
    // (J + m l^2) w = m l v; the hook puts in all of the energy
    double w = 0.5 / 0.26, energy = 0.5 * 3.0 + 0.5 * 0.26 * w * w - w * 0.5;
    for (int i = 0; i < RUN_COUNT; ++i) {
        hf_sim *sim = loop_scene_start(loop_scene_parse(text), RUNS[i].type, 1e-3);
        loop_scene_run(sim, 0.51);
        const char *name = hf_method_name(RUNS[i].type);
        hf_check_near(loop_scene_value(sim, "pend.cart.position"), 0.51 - 0.5037, 1e-9, name,
                      "v t");
        hf_check_near(fabs(loop_scene_value(sim, "pend.rod.velocity")), w, 2e-3, name, "m l v / J");
        hf_check_near(hf_sim_energy(sim).input, energy, 5e-3, name, "kinetic energy");
        loop_scene_finish(sim);
    }
}

// A position that jumps tears the loop: told, with the names of both.
static void test_torn(void **state)
{
    (void)state;
    for (int i = 0; i < RUN_COUNT; ++i) {
        hf_sim *sim = loop_scene_start(
            loop_scene_parse("bodies:\n"
                             "  rack: {type: driven, position: 't < 0.0105 ? 0 : 0.1'}\n"
                             "  pinion: {type: rotor, inertia: 0.02}\n"
                             "loops:\n"
                             "  mesh: {type: ratio, ratio: {pinion: 0.05, rack: -1}}\n"),
            RUNS[i].type, 1e-3);
        hf_error error = {0};
        hf_status status = HF_OK;
        for (int k = 0; k < 30 && status >= 0; ++k) {
            status = hf_sim_step(sim, &error);
        }
        assert_int_equal(status, HF_ERROR_INPUT);
        assert_non_null(strstr(error.text, "loop 'mesh': torn open by 0.1"));
        assert_non_null(strstr(error.text, "the position of 'rack' jumps"));
        loop_scene_finish(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kapitza), cmocka_unit_test(test_four_bar),
        cmocka_unit_test(test_rack),    cmocka_unit_test(test_table),
        cmocka_unit_test(test_jerk),    cmocka_unit_test(test_torn),
    };
    return hf_run_tests(tests);
}
