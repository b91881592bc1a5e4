// SPDX-License-Identifier: Apache-2.0
// Drives that combine what model files say of them, each against its closed form, under every
// method that runs it.
#include <math.h>
#include <stdio.h>

#include "hf_test.h"
#include "loop_scenes.h"

static const struct {
    hf_method_type type;
    double step, share; // allowed beside `exact`, as a share of the first order: times the step
} methods[] = {
    {HF_METHOD_SWITCH, 1e-2, 0.0},   {HF_METHOD_TIMESTEP, 1e-3, 1.0},
    {HF_METHOD_TIMESTEP, 1e-2, 1.0}, {HF_METHOD_DISCRETE, 1e-3, 1.0},
    {HF_METHOD_EULER, 1e-3, 1.0},
};
enum { METHODS = sizeof methods / sizeof *methods };

typedef struct wanted {
    const char *channel;
    double value;
    double rate; // by which the first order may be off: times the step
} wanted;

static void check(const char *text, double seconds, const wanted *list, int count)
{
    for (int i = 0; i < METHODS; ++i) {
        hf_sim *sim = loop_scene_start(loop_scene_parse(text), methods[i].type, methods[i].step);
        loop_scene_run(sim, seconds);
        for (int k = 0; k < count; ++k) {
            double allowed = 1e-5 + methods[i].share * methods[i].step * list[k].rate;
            char what[120];
            (void)snprintf(what, sizeof what, "%s by %s at %g s", list[k].channel,
                           hf_method_name(methods[i].type), methods[i].step);
            hf_check_near(loop_scene_value(sim, list[k].channel), list[k].value, allowed, what,
                          "closed form");
        }
        loop_scene_finish(sim);
    }
}

// A differential whose left side a brake holds, with a one-way clutch on the right one: all goes to
// the right, r = 2 s, with 0.1 + 4 * 0.4 kg m^2 at the shaft.
static void test_differential(void **state)
{
    (void)state;
    static const wanted list[] = {{"s.velocity", 1.0 / 1.7, 0.0},
                                  {"r.velocity", 2.0 / 1.7, 0.0},
                                  {"l.velocity", 0.0, 0.0},
                                  {"brake.mode", 0.0, 0.0},
                                  {"free.force", 0.0, 0.0}};
    check("bodies:\n"
          "  r: {type: rotor, inertia: 0.4}\n"
          "  s: {type: rotor, inertia: 0.1}\n"
          "  l: {type: rotor, inertia: 0.4}\n"
          "loops: {diff: {type: ratio, ratio: {l: 0.5, r: 0.5, s: -1}}}\n"
          "forces:\n"
          "  - {name: free, on: r, type: friction, law: coulomb, level: {coulomb: [0, 1000]}}\n"
          "  - {name: brake, on: l, type: friction, law: coulomb, level: {kinetic: 2, static: "
          "2.2}}\n"
          "  - {name: engine, on: s, type: torque, value: 't < 1 ? 3 : -2'}\n",
          2.0, list, 5);
}

// A rope over a pulley whose bearing rubs with 0.005 of what each strand turns it with: T2 - T1 -
// 0.005 (T1 + T2) = A, T1 = 2 (10 + A), T2 = 3 (10 - A).
static void test_pulley(void **state)
{
    (void)state;
    static const wanted list[] = {{"p.velocity", 10.0 * 9.75 / 5.995, 0.0},
                                  {"fa.force", -0.0005 * 2.0 * (10.0 + 9.75 / 5.995), 0.0},
                                  {"fb.force", -0.0005 * 3.0 * (10.0 - 9.75 / 5.995), 0.0}};
    check("gravity: [0, 0, -10]\n"
          "bodies:\n"
          "  a: {type: mass, axes: z, mass: 2}\n"
          "  b: {type: mass, axes: z, mass: 3}\n"
          "  p: {type: rotor, inertia: 0.01}\n"
          "loops:\n"
          "  ra: {type: ratio, ratio: {a: 1, p: -0.1}}\n"
          "  rb: {type: ratio, ratio: {b: 1, p: 0.1}}\n"
          "forces:\n"
          "  - {name: fa, on: p, type: friction, law: coulomb, level: {friction: 0.005}, normal: "
          "ra}\n"
          "  - {name: fb, on: p, type: friction, law: coulomb, level: {friction: 0.005}, normal: "
          "rb}\n",
          1.0, list, 3);
}

// A planetary gear with two brakes: on the ring for a second, then on the carrier, which slips to
// rest under 50 Nm before the ring turns back.
static void test_planetary(void **state)
{
    (void)state;
    double s = 1.0 / (0.02 + 0.1 * 0.09), c = 0.3 * s;
    double ss = 0.02 + 0.2 * 9.0 / 49.0, sc = -0.2 * 30.0 / 49.0, cc = 0.1 + 0.2 * 100.0 / 49.0;
    double det = ss * cc - sc * sc;
    double as = (cc + 50.0 * sc) / det, ac = (-50.0 * ss - sc) / det, stop = -c / ac;
    double sun = s + as * stop + (1.0 - stop) / ss;
    const wanted list[] = {{"sun.velocity", sun, 30.0},
                           {"carrier.velocity", 0.0, 0.0},
                           {"ring.velocity", -30.0 / 70.0 * sun, 30.0},
                           {"b1.force", 0.0, 0.0}};
    check("bodies:\n"
          "  sun: {type: rotor, inertia: 0.02}\n"
          "  ring: {type: rotor, inertia: 0.2}\n"
          "  carrier: {type: rotor, inertia: 0.1}\n"
          "loops: {set: {type: ratio, ratio: {sun: 30, ring: 70, carrier: -100}}}\n"
          "forces:\n"
          "  - {name: engine, on: sun, type: torque, value: 1}\n"
          "  - {name: b1, on: ring, type: friction, law: coulomb, level: {friction: 1}, normal: "
          "'t < 1 ? 50 : 0'}\n"
          "  - {name: b2, on: carrier, type: friction, law: coulomb, level: {friction: 1}, "
          "normal: 't < 1 ? 0 : 50'}\n",
          2.0, list, 4);
}

// A clutch with a normal force from a value, on a base that accelerates at 2 m/s^2: it holds 4 N
// with 6, then slips with 1 N.
static void test_clutch(void **state)
{
    (void)state;
    static const wanted list[] = {
        {"cart.velocity", 2.5, 3.0}, {"cart.position", 3.25, 6.0}, {"clutch.mode", -1.0, 0.0}};
    check("bodies:\n"
          "  base: {type: driven, position: 't^2'}\n"
          "  cart: {type: mass, dim: 1, mass: 2}\n"
          "forces:\n"
          "  - {name: clutch, on: cart, to: base, type: friction, law: coulomb, level: {friction: "
          "0.2}, normal: 't < 1 ? 30 : 5'}\n",
          2.0, list, 3);
}

// Mimic joints, b = a/2, with friction on both: 0.05 + 0.02/2 Nm at a hold until 0.3 s.
static void test_mimic(void **state)
{
    (void)state;
    static const wanted list[] = {
        {"hand.a.velocity", (0.1 * 0.91 - 0.042) / 4.375e-4, 250.0},
        {"hand.b.velocity", 0.5 * (0.1 * 0.91 - 0.042) / 4.375e-4, 125.0}};
    check("defaults: {finger: {type: revolute, mass: 0.1, center: [0.05, 0, 0], inertia: [1e-4, "
          "1e-4, 1e-4], friction: {law: coulomb, level: 0.05}}}\n"
          "bodies: {hand: {type: tree, joints: {b: {class: finger, offset: [0.1, 0, 0], friction: "
          "{level: 0.02}}, a: {class: finger}}}}\n"
          "loops: {mimic: {type: ratio, ratio: {hand.a: 1, hand.b: -2}}}\n"
          "forces: [{name: m, on: hand.a, type: torque, value: 0.2*t}]\n",
          1.0, list, 2);
}

// Two gears with losses in series: T2 = 1 + a/60, T1 = (0.01 a + 1.25 T2)/2, 1 - 0.01 a = T1/0.9.
static void test_series(void **state)
{
    (void)state;
    double a = 0.55 / (0.018 + 0.01 + 1.25 / 60.0);
    const wanted list[] = {{"m.velocity", a, 0.0}, {"o.velocity", a / 6.0, 0.0}};
    check("bodies:\n"
          "  o: {type: rotor, inertia: 0.3}\n"
          "  m: {type: rotor, inertia: 0.01}\n"
          "  i: {type: rotor, inertia: 0.02}\n"
          "loops:\n"
          "  g2: {type: ratio, ratio: {i: 1, o: -3}}\n"
          "  g1: {type: ratio, ratio: {m: 1, i: -2}}\n"
          "forces:\n"
          "  - {name: l2, on: i, type: friction, law: coulomb, level: {efficiency: [0.8, 0.7]}, "
          "normal: g2}\n"
          "  - {name: l1, on: m, type: friction, law: coulomb, level: {efficiency: [0.9, 0.85]}, "
          "normal: g1}\n"
          "  - {name: drive, on: m, type: torque, value: 1}\n"
          "  - {name: load, on: o, type: torque, value: -3}\n",
          1.0, list, 2);
}

// A screw jack that locks itself, with backlash and a sampled controller that is switched off at 2
// s: methods agree, and from there on it holds 2000 N to the bit.
static void test_jack(void **state)
{
    (void)state;
    static const char text[] =
        "gravity: [0, 0, -10]\n"
        "bodies:\n"
        "  motor: {type: rotor, inertia: 0.001}\n"
        "  screw: {type: rotor, inertia: 0.002}\n"
        "  load: {type: mass, axes: z, mass: 200}\n"
        "loops: {nut: {type: ratio, ratio: {screw: 0.001, load: -1}}}\n"
        "signals: {lift: {through: [0, 0.02], times: [0.2, 1.2], profile: quintic}}\n"
        "forces:\n"
        "  - {name: play, ratio: {motor: 1, screw: -1}, type: stop, low: -0.05, high: 0.05}\n"
        "  - {name: loss, on: screw, type: friction, law: coulomb, level: {efficiency: [0.3, "
        "-0.4], bearing: 0.1}, normal: nut}\n"
        "  - {name: pid, on: motor, type: controller, reference: lift/0.001, proportional: 20, "
        "derivative: 0.5, integral: 30, period: 1e-3, low: -30, high: 30, enable: 't < 2'}\n";
    for (int i = 0; i < 4; ++i) {
        hf_sim *sim = loop_scene_start(loop_scene_parse(text), methods[i].type, methods[i].step);
        const char *name = hf_method_name(methods[i].type);
        loop_scene_run(sim, 1.9);
        hf_check_near(loop_scene_value(sim, "screw.position"), 19.91781, 2e-3, name,
                      "switch at 1e-9");
        loop_scene_run(sim, 2.2);
        double early = loop_scene_value(sim, "load.position");
        loop_scene_run(sim, 4.0);
        hf_check_near(loop_scene_value(sim, "load.position"), early, 1e-12, name, "it locks");
        hf_check_near(loop_scene_value(sim, "loss.mode"), 0.0, 0.0, name, "stuck");
        loop_scene_finish(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_differential), cmocka_unit_test(test_pulley),
        cmocka_unit_test(test_planetary),    cmocka_unit_test(test_clutch),
        cmocka_unit_test(test_mimic),        cmocka_unit_test(test_series),
        cmocka_unit_test(test_jack),
    };
    return hf_run_tests(tests);
}
