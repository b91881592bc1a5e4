// SPDX-License-Identifier: Apache-2.0
// Ratios that are held exactly: against closed forms of gears, an independent integration of a bead
// on a parabola, conservation of energy, and friction that sticks behind a gear, under all methods.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hf_test.h"
#include "loop_scenes.h"
#include "loops/loops.h"
#include "sim/sim_data.h"

static const hf_method_type METHODS[] = {HF_METHOD_EULER,    HF_METHOD_SEMI_IMPLICIT_EULER,
                                         HF_METHOD_RK4,      HF_METHOD_RK4_TAU,
                                         HF_METHOD_DISCRETE, HF_METHOD_ADAPTIVE,
                                         HF_METHOD_SWITCH,   HF_METHOD_TIMESTEP};
enum { METHOD_COUNT = sizeof METHODS / sizeof *METHODS };

#define SHAFT(name, inertia)                                                                       \
    "  " name ": {type: tree, joints: {shaft: {type: revolute, armature: " inertia "}}}\n"

// ------------------------------------------------------------------------------------------------
// Gear, rack, planetary set: constant accelerations

static const char GEAR[] = "bodies:\n" SHAFT("motor", "0.01") SHAFT("drum", "2")
    // clang-format off
    "  load: {type: mass, dim: 1, mass: 10}\n"
    "loops:\n"
    "  gear: {type: ratio, ratio: {motor.shaft: 1, drum.shaft: -12}}\n"
    "  rope: {type: ratio, ratio: {load: 1, drum.shaft: -0.1}}\n"
    "forces:\n"
    "  - {name: drive, on: motor.shaft, type: torque, value: 0.5}\n"
    "  - {name: weight, on: load, type: force, value: -20}\n";
// clang-format on

static void test_gear(void **state)
{
    (void)state;
    // the drum feels 144 J_motor + J_drum + 0.01 m; 12 tau - 0.1 F drive it
    double a = (12.0 * 0.5 - 0.1 * 20.0) / (144.0 * 0.01 + 2.0 + 0.1);
    for (int i = 0; i < METHOD_COUNT; ++i) {
        hf_sim *sim = loop_scene_start(loop_scene_parse(GEAR), METHODS[i], 1e-2);
        loop_scene_run(sim, 1.0);
        const char *name = hf_method_name(METHODS[i]);
        hf_check_near(loop_scene_value(sim, "drum.shaft.velocity"), a, 1e-9, name, "a t");
        hf_check_near(loop_scene_value(sim, "motor.shaft.velocity"), 12.0 * a, 1e-8, name, "12 a");
        hf_check_near(loop_scene_value(sim, "load.velocity"), 0.1 * a, 1e-10, name, "0.1 a");
        // the gear takes from the motor what does not accelerate it; the rope carries the load
        hf_check_near(loop_scene_value(sim, "gear.force"), 0.01 * 12.0 * a - 0.5, 1e-9, name,
                      "J a - tau");
        hf_check_near(loop_scene_value(sim, "rope.force"), 10.0 * 0.1 * a + 20.0, 1e-9, name,
                      "m a + F");
        hf_check_below(hf_sim_get_stats(sim).largest_opening_angle, 1e-13, name, "rounding");
        assert_int_equal(hf_model_get_info(hf_sim_model(sim)).freedoms, 1);
        loop_scene_finish(sim);
    }
}

// Willis: 30 w_sun + 60 w_ring = 90 w_carrier. Lagrange's multiplier by hand.
static void test_planetary(void **state)
{
    (void)state;
    const double j[3] = {0.02, 0.3, 0.5}, c[3] = {1.0, 2.0, -3.0}, tau[3] = {4.0, -1.0, 2.0};
    double top = 0.0, bottom = 0.0;
    for (int i = 0; i < 3; ++i) {
        top += c[i] * tau[i] / j[i];
        bottom += c[i] * c[i] / j[i];
    }
    hf_sim *sim = loop_scene_start(
        loop_scene_parse("bodies:\n" SHAFT("sun", "0.02") SHAFT("ring", "0.3") SHAFT(
            "carrier",
            "0.5") "loops:\n"
                   "  set: {type: ratio, ratio: {sun.shaft: 1, ring.shaft: 2, carrier.shaft: -3}}\n"
                   "forces:\n"
                   "  - {name: a, on: sun.shaft, type: torque, value: 4}\n"
                   "  - {name: b, on: ring.shaft, type: torque, value: -1}\n"
                   "  - {name: c, on: carrier.shaft, type: torque, value: 2}\n"),
        HF_METHOD_RK4, 1e-2);
    loop_scene_run(sim, 0.5);
    const char *names[] = {"sun.shaft.velocity", "ring.shaft.velocity", "carrier.shaft.velocity"};
    for (int i = 0; i < 3; ++i) {
        hf_check_near(loop_scene_value(sim, names[i]), 0.5 * (tau[i] - c[i] * top / bottom) / j[i],
                      1e-11, names[i], "multiplier");
    }
    hf_check_near(loop_scene_value(sim, "set.force"), -top / bottom, 1e-11, "force", "multiplier");
    assert_int_equal(hf_model_get_info(hf_sim_model(sim)).freedoms, 2);
    loop_scene_finish(sim);
}

// A ball's spin about its own axis drives a rack: a = F/(m + I/r^2), whatever way the ball is
// turned.
static void test_spin(void **state)
{
    (void)state;
    for (int i = 0; i < METHOD_COUNT; ++i) {
        hf_sim *sim = loop_scene_start(
            loop_scene_parse("bodies:\n"
                             "  rack: {type: mass, dim: 1, mass: 2}\n"
                             "  ball: {type: rigid, mass: 1, inertia: [0.03, 0.03, 0.03],\n"
                             "         orientation: {axis: [1, 2, 3], angle: 0.7}}\n"
                             "loops:\n"
                             "  mesh: {type: ratio, ratio: {rack: 1, ball.spin.y: -0.1}}\n"
                             "forces:\n"
                             "  - {name: push, on: rack, type: force, value: 6}\n"),
            METHODS[i], 1e-3);
        const char *name = hf_method_name(METHODS[i]);
        loop_scene_run(sim, 1.0);
        hf_check_near(loop_scene_value(sim, "rack.velocity"), 6.0 / (2.0 + 3.0), 1e-9, name,
                      "F/(m + I/r^2)");
        double w[3] = {loop_scene_value(sim, "ball.angular_velocity.x"),
                       loop_scene_value(sim, "ball.angular_velocity.y"),
                       loop_scene_value(sim, "ball.angular_velocity.z")};
        hf_check_near(sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]), 12.0, 1e-8, name, "v/r");
        loop_scene_finish(sim);
    }
}

// ------------------------------------------------------------------------------------------------
// Polynomials

// A bead on the wire z = x^2/2 - x^3/10: by x alone, with s = z', x'' (1 + s^2) = -s (g + s' x'^2).
static void bead_rate(const double y[2], double rate[2])
{
    double s = y[0] - 0.3 * y[0] * y[0], ds = 1.0 - 0.6 * y[0];
    rate[0] = y[1];
    rate[1] = -s * (9.81 + ds * y[1] * y[1]) / (1.0 + s * s);
}

static void bead_run(double y[2], double seconds)
{
    int steps = (int)lround(seconds / 1e-4);
    for (int i = 0; i < steps; ++i) {
        double k[4][2], at[2];
        for (int s = 0; s < 4; ++s) {
            double h = s == 3 ? 1e-4 : 0.5e-4;
            at[0] = y[0] + (s == 0 ? 0.0 : h * k[s - 1][0]);
            at[1] = y[1] + (s == 0 ? 0.0 : h * k[s - 1][1]);
            bead_rate(at, k[s]);
        }
        for (int c = 0; c < 2; ++c) {
            y[c] += 1e-4 / 6.0 * (k[0][c] + 2.0 * k[1][c] + 2.0 * k[2][c] + k[3][c]);
        }
    }
}

static const char BEAD[] =
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  bead: {type: mass, dim: 2, axes: xz, mass: 0.7, position: [0.8, 0.2688]}\n"
    "loops:\n"
    "  wire: {type: ratio, ratio: {bead.z: 1, bead.x: [0, -0.5, 0.1]}, value: 0}\n";

static double bead_error(hf_method_type type, double step, const double exact[2])
{
    hf_sim *sim = loop_scene_start(loop_scene_parse(BEAD), type, step);
    loop_scene_run(sim, 2.0);
    double x = loop_scene_value(sim, "bead.position.x"),
           z = loop_scene_value(sim, "bead.position.z");
    hf_check_near(z, 0.5 * x * x - 0.1 * x * x * x, 1e-14, "height", "wire");
    hf_check_below(hf_sim_get_stats(sim).largest_opening, 1e-14, "opening", "rounding");
    double error = fabs(x - exact[0]);
    loop_scene_finish(sim);
    return error;
}

static void test_bead(void **state)
{
    (void)state;
    double exact[2] = {0.8, 0.0};
    bead_run(exact, 2.0);
    double coarse = bead_error(HF_METHOD_RK4, 2e-2, exact);
    double fine = bead_error(HF_METHOD_RK4, 1e-2, exact);
    hf_check_near(log2(coarse / fine), 4.0, 0.4, "order", "Runge and Kutta");
    hf_check_below(bead_error(HF_METHOD_SWITCH, 1e-2, exact), 1e-4, "switch", "x alone");
    hf_check_below(bead_error(HF_METHOD_ADAPTIVE, 1e-2, exact), 1e-4, "adaptive", "x alone");
    hf_check_below(bead_error(HF_METHOD_TIMESTEP, 1e-4, exact), 2e-3, "timestep", "x alone");
    hf_check_below(bead_error(HF_METHOD_SEMI_IMPLICIT_EULER, 1e-4, exact), 2e-3, "euler",
                   "x alone");
}

// ------------------------------------------------------------------------------------------------
// Friction behind a gear, and starts

// 1 Nm at the motor holds 12 Nm at the drum to the bit, and not more.
static void test_stick(void **state)
{
    (void)state;
    static const hf_method_type exact[] = {HF_METHOD_EULER, HF_METHOD_SEMI_IMPLICIT_EULER,
                                           HF_METHOD_DISCRETE, HF_METHOD_SWITCH,
                                           HF_METHOD_TIMESTEP};
    for (int i = 0; i < 5; ++i) {
        hf_sim *sim = loop_scene_start(
            loop_scene_parse("bodies:\n" SHAFT("motor", "0.01") SHAFT(
                "drum", "2") "loops:\n"
                             "  gear: {type: ratio, ratio: {motor.shaft: 1, drum.shaft: -12}}\n"
                             "forces:\n"
                             "  - {name: pull, on: drum.shaft, type: torque, value: \"6*t\"}\n"
                             "  - {name: brake, on: motor.shaft, type: friction, law: coulomb, "
                             "level: 1}\n"),
            exact[i], 1e-3);
        const char *name = hf_method_name(exact[i]);
        loop_scene_run(sim, 1.99);
        assert_true(loop_scene_value(sim, "drum.shaft.position") == 0.0);
        assert_true(loop_scene_value(sim, "motor.shaft.velocity") == 0.0);
        hf_check_near(loop_scene_value(sim, "brake.force"), -1.99 / 2.0, 1e-3, name, "6 t/12");
        loop_scene_run(sim, 3.0);
        // from 2 s on: J w' = 6 t - 12
        hf_check_near(loop_scene_value(sim, "drum.shaft.velocity"), 3.0 / (2.0 + 1.44), 2e-3, name,
                      "3 (t - 2)^2/J");
        hf_check_below(fabs(hf_sim_energy(sim).residual), 0.01, name, "ledger");
        loop_scene_finish(sim);
    }
}

// A mimic joint: what is kept stays, the other follows; q2 = 0.5 q1 + 0.2.
static void test_start(void **state)
{
    (void)state;
    hf_sim *sim = loop_scene_start(
        loop_scene_parse("bodies:\n"
                         "  hand:\n"
                         "    type: tree\n"
                         "    joints:\n"
                         "      a: {type: revolute, armature: 0.01, position: 0.6, velocity: 2}\n"
                         "      b: {type: revolute, armature: 0.01}\n"
                         "loops:\n"
                         "  mimic: {type: ratio, ratio: {hand.b: 1, hand.a: -0.5}, value: 0.2}\n"),
        HF_METHOD_RK4, 1e-3);
    hf_check_near(loop_scene_value(sim, "hand.a.position"), 0.6, 0.0, "a", "kept");
    hf_check_near(loop_scene_value(sim, "hand.b.position"), 0.5, 1e-15, "b", "mimic");
    hf_check_near(loop_scene_value(sim, "hand.b.velocity"), 1.0, 1e-15, "b", "mimic");
    loop_scene_finish(sim);
}

// A coordinate against its reference: (q1 - 0.3) = 2 (q2 - 0.1) + 4 (q2 - 0.1)^3.
static void test_reference(void **state)
{
    (void)state;
    hf_sim *sim = loop_scene_start(
        loop_scene_parse("bodies:\n" SHAFT(
            "one", "0.1") "  two: {type: tree, joints: {shaft: {type: revolute, armature: 0.1, "
                          "position: 0.6}}}\n"
                          "loops:\n"
                          "  cam: {type: ratio, value: 0, ratio: {one.shaft: {coefficients: 1, "
                          "reference: 0.3},\n"
                          "        two.shaft: {coefficients: [-2, 0, -4], reference: 0.1}}}\n"),
        HF_METHOD_RK4, 1e-3);
    hf_check_near(loop_scene_value(sim, "one.shaft.position"), 0.3 + 1.0 + 0.5, 1e-14, "one",
                  "polynomial");
    loop_scene_finish(sim);
}

// How fast its factors change does not depend on the size in which they are written.
static void test_turning(void **state)
{
    (void)state;
    double turning[2];
    for (int i = 0; i < 2; ++i) {
        char text[700];
        (void)snprintf(text, sizeof text,
                       "bodies:\n" SHAFT("one", "0.1") SHAFT("two", "0.2") //
                       "loops:\n"
                       "  cam: {type: ratio, ratio: {one.shaft: %d, two.shaft: [%d, %d]}}\n",
                       i == 0 ? 1 : 8, i == 0 ? -2 : -16, i == 0 ? -3 : -24);
        hf_sim *sim = loop_scene_start(loop_scene_parse(text), HF_METHOD_RK4, 1e-3);
        const hf_model *model = hf_sim_model(sim);
        double x[8] = {0};
        assert_true(model->n <= 8);
        memcpy(x, sim->x, (size_t)model->n * sizeof *x);
        hf_coordinate two = hf_model_find_coordinate(model, "two.shaft");
        int place = two.body.id == 2 ? 1 : 0;
        x[place] = 0.3;
        x[model->nq + place] = 0.7;
        turning[i] = hf_loop_turning(sim, &model->loops[0], x);
        loop_scene_finish(sim);
    }
    // p = -2 q - 3 q^2: p' = -3.8, p'' v = -4.2 at q = 0.3, v = 0.7; and 1 of the other
    hf_check_near(turning[0], 4.2 * 4.2 / (1.0 + 3.8 * 3.8), 1e-12, "turning", "closed form");
    hf_check_near(turning[1], turning[0], 1e-14, "turning", "of factors eight times as large");
}

// ------------------------------------------------------------------------------------------------
// What is refused

static void expect(const char *loops, const char *text)
{
    char model[1000];
    hf_error error = {0};
    (void)snprintf(model, sizeof model,
                   "bodies:\n" SHAFT("a", "1") SHAFT("b", "1") SHAFT("c", "1") "loops:\n%s", loops);
    hf_model *compiled = hf_model_parse(model, strlen(model), "m.yaml", ".", NULL, &error);
    if (compiled != NULL) {
        hf_model_destroy(compiled);
        fail_msg("accepted:\n%s", loops);
    }
    if (strstr(error.text, text) == NULL) {
        fail_msg("says\n  %s\nexpected\n  %s", error.text, text);
    }
}

static void test_refusals(void **state)
{
    (void)state;
#define AB "  x: {type: ratio, ratio: {a.shaft: 1, b.shaft: -2}}\n"
#define BC "  y: {type: ratio, ratio: {b.shaft: 1, c.shaft: -3}}\n"
    expect(AB BC "  z: {type: ratio, ratio: {a.shaft: 1, c.shaft: -6}}\n",
           "m.yaml:8:27: loop 'z': it follows from the ratios before it");
    expect(AB BC "  z: {type: ratio, ratio: {a.shaft: 1, c.shaft: -5}}\n",
           "m.yaml:8:27: loop 'z': it closes the ratios before it");
    expect(AB BC "  z: {type: ratio, ratio: {a.shaft: 1, c.shaft: -6}, value: 1}\n",
           "loop 'z': it contradicts the ratios before it");
    expect("  x: {type: ratio, ratio: {a.shaft: 1}}\n  y: {type: ratio, ratio: {a.shaft: 2}}\n",
           "loop 'y': it follows from");
    expect("  x: {type: ratio, ratio: {a.shaft: 0}}\n", "m.yaml:6:37: loop 'x': ratio: the factor");
    expect("  x: {type: ratio, ratio: {a.shaft: 1, d.shaft: 2}}\n", "unknown body 'd.shaft'");
    expect("  x: {type: ratio, ratio: {a.shaft: [1, 2, 3, 4, 5, 6]}}\n", "1 to 5 coefficients");
    expect("  x: {type: ratio, ratio: {a.spin.y: 1}}\n", "is no spin");
    expect("  x: {type: ratio, ratio: {a.shaft: 1}, on: a}\n", "unknown key 'on'");
    expect("  x: {type: ratio}\n", "ratio is missing");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gear),      cmocka_unit_test(test_planetary),
        cmocka_unit_test(test_spin),      cmocka_unit_test(test_bead),
        cmocka_unit_test(test_stick),     cmocka_unit_test(test_start),
        cmocka_unit_test(test_reference), cmocka_unit_test(test_turning),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
