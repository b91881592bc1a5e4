// SPDX-License-Identifier: Apache-2.0
// Reactions as loads in whole drives: two gears with losses in series, an impact that a bearing
// feels, a brake on the carrier of a planetary gear, and a bearing that jams.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <holdfast/laws/servo.h>

#include "hf_test.h"
#include "loop_scenes.h"

// Two gears with losses, driven forth: each passes on what its efficiency leaves. With i = i1 i2
// and T the load behind both, torques in front of the losses are tau2 = (T + Jl a/i)/(eta2 i2) and
// tau1 = (tau2 + Jc a/i1)/(eta1 i1), and Jm a = tau - tau1.
static void test_series(void **state)
{
    (void)state;
    static const struct {
        hf_method_type type;
        double step, allowance;
    } runs[] = {{HF_METHOD_SWITCH, 1e-2, 1e-6},
                {HF_METHOD_TIMESTEP, 1e-3, 1e-6},
                {HF_METHOD_DISCRETE, 1e-3, 1e-9},
                {HF_METHOD_EULER, 1e-3, 1e-9}};
    double i1 = 3.0, i2 = 4.0, eta1 = 0.8, eta2 = 0.6, tau = 4.0, load = 5.0;
    double inertia = 0.01 + (0.02 / i1 + 0.5 / (i1 * i2 * i2 * eta2)) / (eta1 * i1);
    double a = (tau - load / (eta2 * i2 * eta1 * i1)) / inertia;
    for (int k = 0; k < 4; ++k) {
        hf_sim *sim = loop_scene_start(
            loop_scene_parse("bodies:\n"
                             "  m: {type: rotor, inertia: 0.01}\n"
                             "  c: {type: rotor, inertia: 0.02}\n"
                             "  l: {type: rotor, inertia: 0.5}\n"
                             "loops:\n"
                             "  g1: {type: ratio, ratio: {m: 1, c: -3}}\n"
                             "  g2: {type: ratio, ratio: {c: 1, l: -4}}\n"
                             "forces:\n"
                             "  - {name: front, on: m, type: torque, value: 4}\n"
                             "  - {name: back, on: l, type: torque, value: -5}\n"
                             "  - {name: loss1, on: m, type: friction, law: coulomb,\n"
                             "     level: {efficiency: [0.8, 0.7]}, normal: g1}\n"
                             "  - {name: loss2, on: c, type: friction, law: coulomb,\n"
                             "     level: {efficiency: [0.6, 0.4]}, normal: g2}\n"),
            runs[k].type, runs[k].step);
        loop_scene_run(sim, 0.5);
        hf_check_near(loop_scene_value(sim, "m.velocity"), 0.5 * a, runs[k].allowance * a,
                      hf_method_name(runs[k].type), "closed form");
        loop_scene_finish(sim);
    }
}

// A cam lifts a valve by c q^2: its friction is loaded by the torque 2 c q N of the place where it
// is, not by N. From rest, with k = 2 c q (1 - mu): a = -k m g/(J + 2 c q k m); 10 ms change q by
// 0.2 %.
static void test_cam(void **state)
{
    (void)state;
    static const hf_method_type types[] = {HF_METHOD_SWITCH, HF_METHOD_TIMESTEP,
                                           HF_METHOD_DISCRETE};
    double slope = 2.0 * 0.05 * 0.5, k = slope * (1.0 - 0.2);
    double a = -k * 9.81 / (0.02 + slope * k);
    for (int i = 0; i < 3; ++i) {
        hf_sim *sim = loop_scene_start(
            loop_scene_parse("gravity: [0, 0, -9.81]\n"
                             "bodies:\n"
                             "  valve: {type: mass, axes: z, mass: 1, position: 0.0125}\n"
                             "  shaft: {type: rotor, inertia: 0.02, position: 0.5}\n"
                             "loops:\n"
                             "  cam: {type: ratio, ratio: {valve: 1, shaft: [0, -0.05]}}\n"
                             "forces:\n"
                             "  - {name: rub, on: shaft, type: friction, law: coulomb,\n"
                             "     level: {friction: 0.2}, normal: cam}\n"),
            types[i], 1e-3);
        loop_scene_run(sim, 0.01);
        hf_check_near(loop_scene_value(sim, "shaft.velocity"), 0.01 * a, 5e-5 * fabs(a),
                      hf_method_name(types[i]), "closed form");
        loop_scene_finish(sim);
    }
}

// An arm strikes a pendulum, which it then pushes. The blow is an impulse in the pendulum's bearing
// too: Ja w0 = (Ja + I + mu r m L) w.
static void test_blow(void **state)
{
    (void)state;
    static const hf_method_type types[] = {HF_METHOD_SWITCH, HF_METHOD_TIMESTEP};
    for (int k = 0; k < 2; ++k) {
        hf_sim *sim = loop_scene_start(
            loop_scene_parse(
                "bodies:\n"
                "  a: {type: tree, joints: {pin: {type: revolute, armature: 0.1, velocity: 5,\n"
                "      position: -1}}}\n"
                "  b: {type: tree, joints: {pin: {type: revolute, mass: 2, center: [0.3, 0, 0],\n"
                "      inertia: [0.01, 0.01, 0.01]}}}\n"
                "forces:\n"
                "  - {name: touch, on: b.pin, to: a.pin, type: stop, low: 0}\n"
                "  - {name: bearing, on: b.pin, type: friction, law: coulomb,\n"
                "     level: {friction: 0.1}, normal: {joint: b.pin}}\n"),
            types[k], 1e-4);
        loop_scene_run(sim, 0.2001);
        hf_check_near(loop_scene_value(sim, "b.pin.velocity"), 0.5 / (0.29 + 0.1 * 2.0 * 0.3), 1e-4,
                      hf_method_name(types[k]), "momentum");
        hf_check_below(fabs(hf_sim_energy(sim).residual), 1e-8, hf_method_name(types[k]), "ledger");
        loop_scene_finish(sim);
    }
}

// A brake on the carrier holds it to the bit while sun and ring go on turning.
static void test_carrier(void **state)
{
    (void)state;
    static const hf_method_type types[] = {HF_METHOD_SWITCH, HF_METHOD_TIMESTEP, HF_METHOD_DISCRETE,
                                           HF_METHOD_EULER};
    for (int k = 0; k < 4; ++k) {
        hf_sim *sim = loop_scene_start(
            loop_scene_parse(
                "bodies:\n"
                "  sun: {type: rotor, inertia: 0.01, velocity: 30}\n"
                "  ring: {type: rotor, inertia: 0.1}\n"
                "  carrier: {type: rotor, inertia: 0.05, velocity: 10}\n"
                "loops:\n"
                "  gear: {type: ratio, ratio: {sun: 1, ring: 2, carrier: -3}}\n"
                "forces:\n"
                "  - {name: drive, on: sun, type: torque, value: 0.5}\n"
                "  - {name: load, on: ring, type: friction, law: coulomb, level: 0.4}\n"
                "  - {name: mesh, on: sun, type: friction, law: coulomb,\n"
                "     level: {friction: 0.02}, normal: gear}\n"
                "  - {name: brake, on: carrier, type: friction, law: coulomb,\n"
                "     level: 4}\n"),
            types[k], 1e-3);
        loop_scene_run(sim, 0.6);
        double place = loop_scene_value(sim, "carrier.position");
        hf_check_same_bits(loop_scene_value(sim, "carrier.velocity"), 0.0, "brake");
        loop_scene_run(sim, 1.5);
        hf_check_same_bits(loop_scene_value(sim, "carrier.position"), place,
                           hf_method_name(types[k]));
        hf_check_below(-fabs(loop_scene_value(sim, "ring.velocity")), -1.0, "ring", "it turns");
        loop_scene_finish(sim);
    }
}

// kappa = mu r m L/I above 1: no motion on with the bearing's own friction. Said where it stands.
static void test_jam(void **state)
{
    (void)state;
    hf_sim *sim = loop_scene_start(
        loop_scene_parse("bodies:\n"
                         "  a: {type: tree, joints: {pin: {type: revolute, mass: 1, velocity: 20,\n"
                         "      center: [0.2, 0, 0], inertia: [0.01, 0.01, 0.01]}}}\n"
                         "forces:\n"
                         "  - {name: bearing, on: a.pin, type: friction, law: coulomb,\n"
                         "     level: {friction: 0.4}, normal: {joint: a.pin}}\n"),
        HF_METHOD_SWITCH, 1e-3);
    hf_error error = {0};
    assert_int_equal(hf_sim_step(sim, &error), HF_ERROR_CONVERGENCE);
    assert_int_equal(error.line, 5);
    assert_non_null(strstr(error.text, "it jams"));
    assert_non_null(strstr(error.text, "or take timestep or discrete"));
    assert_string_equal(error.component, "bearing");
    loop_scene_finish(sim);
    // as an element too; and steps bring it to rest, as the message says
    static const char text[] =
        "bodies:\n"
        "  a: {type: tree, joints: {pin: {type: revolute, mass: 1, velocity: 20,\n"
        "      center: [0.2, 0, 0], inertia: [0.01, 0.01, 0.01]}}}\n"
        "forces:\n"
        "  - {name: bearing, on: a.pin, type: friction, level: {friction: 0.4},\n"
        "     normal: {joint: a.pin}, law: %s}\n";
    static const hf_method_type types[] = {HF_METHOD_RK4, HF_METHOD_TIMESTEP, HF_METHOD_DISCRETE};
    for (int k = 0; k < 3; ++k) {
        char whole[600];
        (void)snprintf(whole, sizeof whole, text, k == 0 ? "stiction" : "coulomb");
        sim = loop_scene_start(loop_scene_parse(whole), types[k], 1e-3);
        hf_status status = hf_sim_step(sim, &error);
        if (k == 0) {
            assert_int_equal(status, HF_ERROR_CONVERGENCE);
            assert_non_null(strstr(error.text, "or take law: coulomb and timestep or discrete"));
        } else {
            assert_int_equal(status, HF_OK);
            hf_check_same_bits(loop_scene_value(sim, "a.pin.velocity"), 0.0,
                               hf_method_name(types[k]));
        }
        loop_scene_finish(sim);
    }
}

// Friction of a servo on a pendulum (laws/servo.h) in a file, beside the law alone in a loop of its
// own: timestep takes the same steps.
static void test_servo(void **state)
{
    (void)state;
    static const char text[] =
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  arm: {type: tree, joints: {elbow: {type: revolute, axis: [0, 1, 0], mass: 0.5,\n"
        "        center: [0, 0, -0.1], armature: 0.005, friction: {servo: {base: 0.02,\n"
        "        motor: 0.1, external: 0.15, rest: 0.01, motor_rest: 0.05, external_rest: 0.06,\n"
        "        motor_square: 0.3, external_square: 0.5, stribeck_velocity: 0.2, shape: 1,\n"
        "        viscous: 0.01}}}}}\n"
        "forces:\n"
        "  - {name: motor, on: arm.elbow, type: torque, value: '0.6*sin(3*t)'}\n";
    hf_servo servo = {0.02, 0.1, 0.15, 0.01, 0.05, 0.06, 0.3, 0.5, 0.2, 1.0, 0.01};
    double q = 0.0, w = 0.0, h = 1e-3, inertia = 0.5 * 0.01 + 0.005;
    hf_sim *sim = loop_scene_start(loop_scene_parse(text), HF_METHOD_TIMESTEP, h);
    for (int k = 0; k < 2000; ++k) {
        double tm = 0.6 * sin(3.0 * (h * k)), te = -0.5 * 9.81 * 0.1 * sin(q);
        w += h / inertia * (tm + te + hf_servo_step(&servo, inertia, tm, te, w, h));
        q += h * w;
    }
    loop_scene_run(sim, 2.0);
    // Stribeck's curve is implicit in the step there, explicit here: 1e-4
    hf_check_near(loop_scene_value(sim, "arm.elbow.position"), q, 1e-4, "angle", "hf_servo_step");
    loop_scene_finish(sim);
    // and to its limit
    for (int k = 0; k < 2; ++k) {
        sim =
            loop_scene_start(loop_scene_parse(text), k == 0 ? HF_METHOD_SWITCH : HF_METHOD_DISCRETE,
                             k == 0 ? 1e-2 : 1e-4);
        loop_scene_run(sim, 2.0);
        hf_check_near(loop_scene_value(sim, "arm.elbow.position"), -13.35216, k == 0 ? 5e-4 : 3e-3,
                      k == 0 ? "switch" : "discrete", "steps of 1e-5 s");
        loop_scene_finish(sim);
    }
}

// efficiency: of joints, given by a pattern, with friction by another: (Ja + Jl/eta) a = tau - c; a
// load that drives feels eta2, and none below eta2 of it is held.
static void test_efficiency(void **state)
{
    (void)state;
    static const hf_method_type types[] = {HF_METHOD_SWITCH, HF_METHOD_TIMESTEP, HF_METHOD_DISCRETE,
                                           HF_METHOD_EULER};
    for (int k = 0; k < 4; ++k) {
        hf_sim *sim = loop_scene_start(
            loop_scene_parse("bodies:\n"
                             "  arm: {type: tree, joints: {elbow: {type: revolute, mass: 0.5,\n"
                             "        center: [0.3, 0, 0], armature: 0.02}}}\n"
                             "joints: {'arm.*': {efficiency: [0.8, 0.6]}}\n"
                             "friction: {'arm.el*': {law: coulomb, level: 0.1}}\n"
                             "forces:\n"
                             "  - {name: motor, on: arm.elbow, type: torque, value: 1}\n"),
            types[k], 1e-3);
        loop_scene_run(sim, 1.0);
        hf_check_near(loop_scene_value(sim, "arm.elbow.velocity"), 0.9 / (0.02 + 0.045 / 0.8), 1e-6,
                      hf_method_name(types[k]), "closed form");
        loop_scene_finish(sim);
    }
}

// A latch, an end stop with an enable, that lets go at 0.5 s; enabled again beyond its limit it is
// refused at its line.
static void test_latch(void **state)
{
    (void)state;
    static const hf_method_type types[] = {HF_METHOD_TIMESTEP, HF_METHOD_DISCRETE, HF_METHOD_EULER};
    for (int k = 0; k < 4; ++k) {
        bool again = k == 3;
        char text[400];
        (void)snprintf(text, sizeof text,
                       "gravity: [0, 0, -9.81]\n"
                       "bodies: {b: {type: mass, axes: z, mass: 2, position: 1}}\n"
                       "forces:\n"
                       "  - {name: latch, on: b, type: stop, low: 1, enable: 't < 0.5%s'}\n",
                       again ? " || t > 0.7" : "");
        hf_sim *sim = loop_scene_start(loop_scene_parse(text), types[k % 3], 1e-3);
        loop_scene_run(sim, 0.499);
        hf_check_same_bits(loop_scene_value(sim, "b.position"), 1.0, "held");
        loop_scene_run(sim, 0.699);
        hf_check_near(loop_scene_value(sim, "b.position"), 1.0 - 0.5 * 9.81 * 0.199 * 0.199, 2e-3,
                      hf_method_name(types[k % 3]), "free fall");
        hf_error error = {0};
        hf_status status = hf_sim_step(sim, &error);
        assert_int_equal(status, again ? HF_ERROR_RANGE : HF_OK);
        assert_int_equal(error.line, again ? 4 : 0);
        loop_scene_finish(sim);
    }
}

// Elements that reactions load, under timestep: a pendulum whose bearing is loaded by the force
// that it carries, and a gear with losses, against the same under rk4, by the first order; and a
// pendulum within its friction does not creep.
static void test_elements(void **state)
{
    (void)state;
    static const char text[] =
        "gravity: [0, 0, -9.81]\n"
        "defaults: {arm: {type: revolute, axis: [0, 1, 0], mass: 1, center: [0, 0, -0.2], inertia: "
        "[0.01, 0.01, 0.001]}}\n"
        "bodies:\n"
        "  p: {type: tree, joints: {pin: {class: arm, position: 1.2}}}\n"
        "  still: {type: tree, joints: {pin: {class: arm, position: 0.028}}}\n"
        "  motor: {type: rotor, inertia: 0.02}\n"
        "  wheel: {type: rotor, inertia: 0.5}\n"
        "loops: {worm: {type: ratio, ratio: {motor: 1, wheel: -10}}}\n"
        "forces:\n"
        "  - {name: s, on: p.pin, type: friction, stiffness: 1e3, damping: 10, level: {friction: "
        "6e-3}, normal: {joint: p.pin}}\n"
        "  - {name: r, on: still.pin, type: friction, stiffness: 1e3, damping: 10, level: "
        "{friction: 6e-3}, normal: {joint: still.pin}}\n"
        "  - {name: m, on: motor, type: torque, value: 't < 0.5 ? 0.5 : 0'}\n"
        "  - {name: load, on: wheel, type: torque, value: -2}\n"
        "  - {name: loss, on: motor, type: friction, stiffness: 1e3, damping: 2, level: "
        "{efficiency: [0.6, 0.4], bearing: 0.02}, normal: worm}\n";
    hf_sim *fine = loop_scene_start(loop_scene_parse(text), HF_METHOD_RK4, 1e-4);
    loop_scene_run(fine, 1.0);
    static const struct {
        const char *channel;
        double slope; // of the error, by the step
    } shown[] = {{"p.pin.position", 2.5}, {"motor.position", 2.0}, {"still.pin.position", 0.05}};
    for (double h = 4e-3; h > 4e-4; h *= 0.5) {
        hf_sim *sim = loop_scene_start(loop_scene_parse(text), HF_METHOD_TIMESTEP, h);
        loop_scene_run(sim, 1.0);
        for (int i = 0; i < 3; ++i) {
            hf_check_near(loop_scene_value(sim, shown[i].channel),
                          loop_scene_value(fine, shown[i].channel), shown[i].slope * h,
                          shown[i].channel, "rk4");
        }
        double early = loop_scene_value(sim, "still.pin.position");
        loop_scene_run(sim, 3.0);
        hf_check_near(loop_scene_value(sim, "still.pin.position"), early, 1e-12, "still", "holds");
        loop_scene_finish(sim);
    }
    loop_scene_finish(fine);
}

// Levels that differ by direction, where what pushes is a reaction: without it the friction would
// slip the other way. A block that 20 N pull back is pushed forth by another with 40 N: (40 - 20 -
// 2)/2 m/s^2 with 2 N forth, 8 N back. A one-way clutch that 20 N would let go holds what pushes it
// back; and the friction that a stop loads takes the side that it slips to.
static void test_sides(void **state)
{
    (void)state;
    static const hf_method_type types[] = {HF_METHOD_SWITCH, HF_METHOD_TIMESTEP, HF_METHOD_DISCRETE,
                                           HF_METHOD_EULER};
    for (int k = 0; k < 4; ++k) {
        hf_sim *sim = loop_scene_start(
            loop_scene_parse(
                "bodies:\n"
                "  a: {type: mass, dim: 1, mass: 1, velocity: 0.01}\n"
                "  b: {type: mass, dim: 1, mass: 1, velocity: 0.01}\n"
                "  c: {type: mass, dim: 1, mass: 1}\n"
                "  d: {type: mass, dim: 1, mass: 1}\n"
                "forces:\n"
                "  - {name: pull, on: a, type: force, value: -20}\n"
                "  - {name: push, on: b, type: force, value: 40}\n"
                "  - {name: touch, on: a, to: b, type: stop, low: 0}\n"
                "  - {name: rub, on: a, type: friction, law: coulomb, level: {coulomb: [2, 8]}}\n"
                "  - {name: away, on: c, type: force, value: 20}\n"
                "  - {name: back, on: d, type: force, value: -40}\n"
                "  - {name: meet, on: c, to: d, type: stop, high: 0}\n"
                "  - {name: clutch, on: c, type: friction, law: coulomb, level: {coulomb: [0, "
                "1000]}}\n"),
            types[k], 1e-3);
        const char *name = hf_method_name(types[k]);
        loop_scene_run(sim, 0.01);
        hf_check_near(loop_scene_value(sim, "a.velocity"), 0.1, 1e-9, name, "(40 - 20 - 2)/2 t");
        hf_check_near(loop_scene_value(sim, "rub.force"), -2.0, 1e-9, name, "forth");
        loop_scene_run(sim, 0.5);
        hf_check_near(loop_scene_value(sim, "c.position"), 0.0, 1e-12, name, "the clutch holds");
        hf_check_near(loop_scene_value(sim, "clutch.force"), 20.0, 1e-6, name, "40 - 20");
        loop_scene_finish(sim);
    }
}

// A table stands on four hinged legs with flat feet: more contacts than it needs, whose reactions
// are no function of the loads. A round that looks for loads begins with the reactions of the one
// before, so that a few suffice in each step.
static void test_redundant(void **state)
{
    (void)state;
    static const char *const places[] = {"0.3, 0.2", "-0.3, 0.2", "0.3, -0.2", "-0.3, -0.2"};
    char text[3000];
    size_t used = (size_t)snprintf(
        text, sizeof text,
        "gravity: [0, 0, -9.81]\n"
        "defaults:\n"
        "  leg: {type: revolute, parent: top, axis: [0, 1, 0], mass: 0.5, center: [0, 0, -0.15],\n"
        "        inertia: [0.004, 0.004, 0.001], shape: {type: box, size: [0.06, 0.06, 0.04]},\n"
        "        shape_center: [0, 0, -0.281], friction: {law: coulomb, level: 0.2},\n"
        "        bearing: {radius: 0.02, friction: 0.1},\n"
        "        servo: {kp: 60, kd: 2, reference: '0.1*sin(20*t)'}}\n"
        "forces:\n"
        "  - {name: feet, type: collide, among: all, friction: 0.8, restitution: 0}\n"
        "bodies:\n"
        "  floor: {type: static, shape: {type: plane}}\n"
        "  table:\n"
        "    type: tree\n"
        "    joints:\n"
        "      top: {type: free, mass: 6, inertia: [0.1, 0.1, 0.2], position: [0, 0, 0.3]}\n");
    for (int i = 0; i < 4; ++i) {
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 "      leg%d: {class: leg, offset: [%s, 0]}\n", i, places[i]);
    }
    hf_sim *sim = loop_scene_start(loop_scene_parse(text), HF_METHOD_TIMESTEP, 2e-3);
    loop_scene_run(sim, 0.05);
    hf_check_below((double)hf_sim_get_stats(sim).evaluations, 25.0 * 10.0, "evaluations",
                   "some rounds in each of 25 steps");
    loop_scene_finish(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_elements), cmocka_unit_test(test_sides),
        cmocka_unit_test(test_series),   cmocka_unit_test(test_blow),
        cmocka_unit_test(test_carrier),  cmocka_unit_test(test_jam),
        cmocka_unit_test(test_servo),    cmocka_unit_test(test_efficiency),
        cmocka_unit_test(test_latch),    cmocka_unit_test(test_redundant),
        cmocka_unit_test(test_cam),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
