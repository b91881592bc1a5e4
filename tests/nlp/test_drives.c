// SPDX-License-Identifier: Apache-2.0
// Drives by nonlinear programs: clutches, brakes, gears and their losses, ropes, backlash, levels
// of every kind, gates. Each step is the problem that timestep solves too, so that both agree to
// the tolerance of the programs; some quantities have a closed form besides.
#include <math.h>
#include <stdio.h>

#include "../sim/loop_scenes.h"
#include "hf_test.h"

typedef struct quantity {
    const char *channel;
    double want; // NAN: that of timestep alone
} quantity;

// Steps of 20 ms, to `seconds`. A step's impulses are within the programs' tolerance, 1e-8 N s, so
// that velocities may differ by some of that over the least inertia.
static void compare(const char *text, double seconds, double allowance, const quantity *list,
                    int count)
{
    hf_sim *sims[2];
    for (int i = 0; i < 2; ++i) {
        sims[i] = loop_scene_start(loop_scene_parse(text),
                                   i == 0 ? HF_METHOD_TIMESTEP : HF_METHOD_NLP, 2e-2);
        loop_scene_run(sims[i], seconds);
    }
    for (int k = 0; k < count; ++k) {
        double value = loop_scene_value(sims[1], list[k].channel);
        hf_check_near(value, loop_scene_value(sims[0], list[k].channel), allowance, list[k].channel,
                      "timestep");
        if (!isnan(list[k].want)) {
            hf_check_near(value, list[k].want, allowance, list[k].channel, "closed form");
        }
    }
    // Every start of IPOPT ended in one way, the second one from the other solver's solution too
    hf_sim_stats stats = hf_sim_get_stats(sims[1]);
    long long endings = 0;
    for (int k = 0; k < HF_NLP_ENDING_COUNT; ++k) {
        endings += stats.nlp_endings[k];
    }
    assert_true(stats.nlp_starts >= stats.nlp_programs && stats.nlp_programs > 0);
    assert_int_equal(endings, stats.nlp_starts);
    loop_scene_finish(sims[0]);
    loop_scene_finish(sims[1]);
}

// A one-way clutch that drives and then runs free; a clutch and a brake that values press, with a
// factor in stick.
static void test_clutches(void **state)
{
    (void)state;
    static const quantity list[] = {
        {"pedal.velocity", -20.0}, {"hub.velocity", 10.0}, {"free.mode", 1.0},
        {"engine.velocity", 18.0}, {"box.velocity", 18.0}, {"plate.mode", 0.0},
        {"stop.velocity", 0.0},    {"brake.mode", 0.0},
    };
    compare("bodies:\n"
            "  pedal: {type: rotor, inertia: 0.1}\n"
            "  hub: {type: rotor, inertia: 0.5}\n"
            "  engine: {type: rotor, inertia: 0.2, velocity: 50}\n"
            "  box: {type: rotor, inertia: 0.8}\n"
            "  stop: {type: rotor, inertia: 0.5, velocity: 6}\n"
            "forces:\n"
            "  - {name: foot, on: pedal, type: torque, value: 't < 1 ? 6 : -3'}\n"
            "  - {name: free, on: hub, to: pedal, type: friction, law: coulomb,\n"
            "     level: {coulomb: [0, 1000]}}\n"
            "  - {name: motor, on: engine, type: torque, value: 4}\n"
            "  - {name: plate, on: engine, to: box, type: friction, law: coulomb,\n"
            "     level: {friction: 0.1, peak: 1.001}, normal: '200*t'}\n"
            "  - {name: brake, on: stop, type: friction, law: coulomb,\n"
            "     level: {friction: 0.05, static_friction: 0.06}, normal: 't < 1 ? 20 : 80'}\n",
            2.0, 1e-6, list, 8);
}

// A differential with a brake, a planetary gear with another, mimic joints.
static void test_sums(void **state)
{
    (void)state;
    static const quantity list[] = {
        {"s.velocity", 1.5 / 1.7}, {"r.velocity", 3.0 / 1.7},
        {"l.velocity", 0.0},       {"sun.velocity", 0.5 / (0.02 + 0.1 * 0.09)},
        {"ring.velocity", 0.0},    {"hand.a.velocity", NAN},
        {"hand.b.velocity", NAN},
    };
    compare("bodies:\n"
            "  r: {type: rotor, inertia: 0.4}\n"
            "  s: {type: rotor, inertia: 0.1}\n"
            "  l: {type: rotor, inertia: 0.4}\n"
            "  sun: {type: rotor, inertia: 0.02}\n"
            "  ring: {type: rotor, inertia: 0.2}\n"
            "  carrier: {type: rotor, inertia: 0.1}\n"
            "  hand: {type: tree, joints: {b: {class: finger, offset: [0.1, 0, 0],\n"
            "         friction: {level: 0.02}}, a: {class: finger}}}\n"
            "defaults: {finger: {type: revolute, mass: 0.1, center: [0.05, 0, 0],\n"
            "           inertia: [1e-4, 1e-4, 1e-4], friction: {law: coulomb, level: 0.05}}}\n"
            "loops:\n"
            "  diff: {type: ratio, ratio: {l: 0.5, r: 0.5, s: -1}}\n"
            "  set: {type: ratio, ratio: {sun: 30, ring: 70, carrier: -100}}\n"
            "  mimic: {type: ratio, ratio: {hand.a: 1, hand.b: -2}}\n"
            "forces:\n"
            "  - {name: brake, on: l, type: friction, law: coulomb,\n"
            "     level: {kinetic: 2, static: 2.2}}\n"
            "  - {name: engine, on: s, type: torque, value: 3}\n"
            "  - {name: push, on: sun, type: torque, value: 1}\n"
            "  - {name: hold, on: ring, type: friction, law: coulomb, level: 50}\n"
            "  - {name: m, on: hand.a, type: torque, value: 0.2*t}\n",
            0.5, 1e-8 / 4e-4, list, 7);
}

// Gears with losses in series, and the same gear driven back and locking itself.
static void test_losses(void **state)
{
    (void)state;
    double a = 0.55 / (0.018 + 0.01 + 1.25 / 60.0);
    const quantity list[] = {{"m.velocity", 0.5 * a},
                             {"o.velocity", 0.5 * a / 6.0},
                             {"worm.velocity", 0.0},
                             {"arm.elbow.velocity", 0.5 * 0.9 / (0.02 + 0.045 / 0.8)}};
    compare("bodies:\n"
            "  o: {type: rotor, inertia: 0.3}\n"
            "  m: {type: rotor, inertia: 0.01}\n"
            "  i: {type: rotor, inertia: 0.02}\n"
            "  worm: {type: rotor, inertia: 0.01}\n"
            "  wheel: {type: rotor, inertia: 0.1}\n"
            "  arm: {type: tree, joints: {elbow: {type: revolute, mass: 0.5,\n"
            "        center: [0.3, 0, 0], armature: 0.02, efficiency: [0.8, 0.6],\n"
            "        friction: {law: coulomb, level: 0.1}}}}\n"
            "loops:\n"
            "  g2: {type: ratio, ratio: {i: 1, o: -3}}\n"
            "  g1: {type: ratio, ratio: {m: 1, i: -2}}\n"
            "  g3: {type: ratio, ratio: {worm: 1, wheel: -10}}\n"
            "forces:\n"
            "  - {name: l2, on: i, type: friction, law: coulomb,\n"
            "     level: {efficiency: [0.8, 0.7]}, normal: g2}\n"
            "  - {name: l1, on: m, type: friction, law: coulomb,\n"
            "     level: {efficiency: [0.9, 0.85]}, normal: g1}\n"
            "  - {name: l3, on: worm, type: friction, law: coulomb,\n"
            "     level: {efficiency: [0.3, -0.2]}, normal: g3}\n"
            "  - {name: drive, on: m, type: torque, value: 1}\n"
            "  - {name: load, on: o, type: torque, value: -3}\n"
            "  - {name: weight, on: wheel, type: torque, value: -30}\n"
            "  - {name: motor, on: arm.elbow, type: torque, value: 1}\n",
            0.5, 2e-6, list, 4);
}

// Bearings that joints, ropes and stops load; friction of a servo.
static void test_loads(void **state)
{
    (void)state;
    static const quantity list[] = {{"p.velocity", 5.0 * 9.75 / 5.995},
                                    {"far.pin.velocity", NAN},
                                    {"nut.x.velocity", 2.0 - 0.5 * 0.1 * 10.0},
                                    {"servo.elbow.velocity", NAN},
                                    {"block.velocity", 1.0 - 0.5 * 0.2 * 4.0}};
    compare("gravity: [0, 0, -10]\n"
            "bodies:\n"
            "  a: {type: mass, axes: z, mass: 2}\n"
            "  b: {type: mass, axes: z, mass: 3}\n"
            "  p: {type: rotor, inertia: 0.01}\n"
            "  far: {type: tree, joints: {pin: {type: revolute, axis: [0, 1, 0], mass: 1,\n"
            "        center: [0, 0, -0.2], inertia: [0.01, 0.01, 0.001], position: 1.2,\n"
            "        bearing: {radius: 20 mm, friction: 0.3}}}}\n"
            "  nut: {type: tree, joints: {x: {type: prismatic, axis: [1, 0, 0], mass: 2,\n"
            "        velocity: 2}}}\n"
            "  servo: {type: tree, joints: {elbow: {type: revolute, axis: [0, 1, 0], mass: 0.5,\n"
            "        center: [0, 0, -0.1], armature: 0.005, friction: {servo: {base: 0.02,\n"
            "        motor: 0.1, external: 0.15, rest: 0.01, motor_rest: 0.05,\n"
            "        external_rest: 0.06, stribeck_velocity: 0.2, shape: 1, viscous: 0.01}}}}}\n"
            "  pad: {type: mass, dim: 1, mass: 1}\n"
            "  block: {type: mass, dim: 1, mass: 1, velocity: 1}\n"
            "loops:\n"
            "  ra: {type: ratio, ratio: {a: 1, p: -0.1}}\n"
            "  rb: {type: ratio, ratio: {b: 1, p: 0.1}}\n"
            "forces:\n"
            "  - {name: fa, on: p, type: friction, law: coulomb, level: {friction: 0.005},\n"
            "     normal: ra}\n"
            "  - {name: fb, on: p, type: friction, law: coulomb, level: {friction: 0.005},\n"
            "     normal: rb}\n"
            "  - {name: rail, on: nut.x, type: friction, law: coulomb, level: {friction: 0.1},\n"
            "     normal: {joint: nut.x}}\n"
            "  - {name: motor, on: servo.elbow, type: torque, value: '0.6*sin(3*t)'}\n"
            "  - {name: clamp, on: pad, type: force, value: -4}\n"
            "  - {name: anvil, on: pad, type: stop, low: 0}\n"
            "  - {name: rub, on: block, type: friction, law: coulomb, level: {friction: 0.2},\n"
            "     normal: anvil}\n",
            0.5, 5e-5, list, 5);
}

// Backlash, a slack rope, levels over speed, place and temperature, gates.
static void test_others(void **state)
{
    (void)state;
    static const quantity list[] = {
        {"motor.position", NAN}, {"slide.position", NAN}, {"weight.position", NAN},
        {"c.position", NAN},     {"d.position", NAN},     {"e.velocity", NAN},
        {"f.velocity", 0.4},     {"f2.mode", 2.0},        {"g.position", 1.0}};
    compare("gravity: [0, 0, -10]\n"
            "bodies:\n"
            "  motor: {type: rotor, inertia: 1e-3}\n"
            "  slide: {type: mass, dim: 1, mass: 1}\n"
            "  weight: {type: mass, axes: z, mass: 1}\n"
            "  drum: {type: rotor, inertia: 0.02}\n"
            "  oil: {type: mass, dim: 1, mass: 1, position: 20, velocity: 60}\n"
            "  c: {type: mass, dim: 1, mass: 1, velocity: 2}\n"
            "  d: {type: mass, dim: 1, mass: 1, velocity: 2}\n"
            "  e: {type: mass, dim: 1, mass: 1, velocity: 2}\n"
            "  f: {type: mass, dim: 1, mass: 1, velocity: 1}\n"
            "  g: {type: mass, axes: z, mass: 2, position: 1}\n"
            "signals: {warm: {table: {of: oil.position, points: [[20, 1], [50, 0.4]]}}}\n"
            "forces:\n"
            "  - {name: drive, on: motor, type: torque, value: '0.02*sin(12*t)'}\n"
            "  - {name: rack, ratio: {slide: 1, motor: -20 mm}, type: stop, low: -1 mm,\n"
            "     high: 1 mm}\n"
            "  - {name: rail, on: slide, type: friction, law: coulomb, level: 0.3}\n"
            "  - {name: rope, ratio: {weight: 1, drum: -0.1}, type: stop, low: 0}\n"
            "  - {name: winch, on: drum, type: torque, value: 2}\n"
            "  - {name: fc, on: c, type: friction, law: coulomb,\n"
            "     level: {table: [[0, 1.8], [0.5, 1.2], [3, 2.5]]}}\n"
            "  - {name: fd, on: d, type: friction, law: coulomb,\n"
            "     level: {coulomb: 2, scale: 1 + 0.5*sin(7*d.position)}}\n"
            "  - {name: fe, on: e, type: friction, law: coulomb,\n"
            "     level: {friction: 0.5, scale: warm}, normal: 3 + t}\n"
            "  - {name: f1, on: f, type: friction, law: coulomb, level: {friction: 0.2,\n"
            "     cohesion: 0.8}, normal: 2}\n"
            "  - {name: f2, on: f, type: friction, law: coulomb, level: 5, enable: 't > 1'}\n"
            "  - {name: latch, on: g, type: stop, low: 1, enable: 't < 2'}\n",
            0.5, 1e-5, list, 9);
}

// A brake, a bearing and a lossy gear hold a winch that nothing pulls at: what they share between
// them is not determined, and loads that are found by the programs alone would find no balance.
static void test_idle(void **state)
{
    (void)state;
    static const quantity list[] = {{"load.velocity", -1.962}, {"drum.position", 0.0}};
    compare("gravity: [0, 0, -9.81]\n"
            "bodies:\n"
            "  motor: {type: rotor, inertia: 0.002}\n"
            "  drum: {type: rotor, inertia: 0.05}\n"
            "  load: {type: mass, axes: z, mass: 12}\n"
            "loops: {gear: {type: ratio, ratio: {motor: 1, drum: -20}}}\n"
            "forces:\n"
            "  - {name: rope, ratio: {load: 1, drum: -0.08}, type: stop, high: 0}\n"
            "  - {name: brake, on: drum, type: friction, law: coulomb, level: {friction: 0.04,\n"
            "     static_friction: 0.05}, normal: 400}\n"
            "  - {name: bearing, on: motor, type: friction, law: coulomb, level: {coulomb: 0.02,\n"
            "     viscous: 1e-4}}\n"
            "  - {name: loss, on: motor, type: friction, law: coulomb, level: {efficiency:\n"
            "     [0.8, 0.7], bearing: 0.01}, normal: gear}\n",
            0.2, 1e-6, list, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clutches), cmocka_unit_test(test_sums),
        cmocka_unit_test(test_losses),   cmocka_unit_test(test_loads),
        cmocka_unit_test(test_others),   cmocka_unit_test(test_idle),
    };
    return hf_run_tests(tests);
}
