// SPDX-License-Identifier: Apache-2.0
// `enable` of contacts, of end stops and of penalty joints: trapdoors, latches and couplings that
// let go and catch again, against closed forms and under every method that runs them.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hf_test.h"
#include "loop_scenes.h"

static const struct {
    hf_method_type type;
    double step, allowance; // of places after half a second of fall [m]
} methods[] = {
    {HF_METHOD_TIMESTEP, 1e-3, 3e-3}, {HF_METHOD_SWITCH, 1e-3, 1e-4},
    {HF_METHOD_ADAPTIVE, 1e-3, 1e-3}, {HF_METHOD_RK4_TAU, 1e-4, 1e-3},
    {HF_METHOD_DISCRETE, 1e-4, 1e-3}, {HF_METHOD_SEMI_IMPLICIT_EULER, 1e-4, 1e-3},
    {HF_METHOD_EULER, 1e-4, 1e-3},
};
enum { METHODS = sizeof methods / sizeof *methods };

// A ball and a box lie on a door that is there for a second: then they fall, g t^2/2, and the ball
// comes to rest on the floor below.
static void test_trapdoor(void **state)
{
    (void)state;
    for (int i = 0; i < METHODS; ++i) {
        char text[1200];
        (void)snprintf(
            text, sizeof text,
            "gravity: [0, 0, -10]\n"
            "method: {type: %s, step: %g}\n"
            "bodies:\n"
            "  ball: {type: rigid, mass: 1, shape: {type: sphere, radius: 0.1}, position: [0, "
            "0, 0.1]}\n"
            "  box: {type: rigid, mass: 2, shape: {type: box, size: [0.2, 0.2, 0.2]}, "
            "position: [1, 0, 0.1]}\n"
            "signals: {closed: 't < 0.3 ? 1 : 0'}\n"
            "forces:\n"
            "  - {name: door, on: ball, type: contact, restitution: 0, enable: closed}\n"
            "  - {name: hatch, on: box, type: contact, restitution: 0, enable: closed}\n"
            "  - {name: floor, on: ball, type: contact, restitution: 0, plane: {point: [0, 0, "
            "-0.4]}}\n",
            hf_method_name(methods[i].type), methods[i].step);
        hf_sim *sim = loop_scene_start(loop_scene_parse(text), methods[i].type, methods[i].step);
        const char *name = hf_method_name(methods[i].type);
        loop_scene_run(sim, 0.25);
        hf_check_near(loop_scene_value(sim, "ball.position.z"), 0.1, 1e-3, name, "on the door");
        hf_check_near(loop_scene_value(sim, "door.normal"), 10.0, 1e-3, name, "m g");
        loop_scene_run(sim, 0.8);
        hf_check_near(loop_scene_value(sim, "box.position.z"), 0.1 - 5.0 * 0.25,
                      methods[i].allowance, name, "free fall");
        hf_check_near(loop_scene_value(sim, "ball.position.z"), -0.3, 1e-3, name, "on the floor");
        hf_check_near(loop_scene_value(sim, "door.normal"), 0.0, 0.0, name, "it is not there");
        hf_check_near(loop_scene_value(sim, "door.mode"), 2.0, 0.0, name, "open");
        hf_check_below(hf_sim_get_stats(sim).largest_penetration, 2e-2, name, "depth of impacts");
        loop_scene_finish(sim);
    }
}

// Spheres, and boxes, that lie on each other go through each other when their contact is off, and
// nothing is told of depths.
static void test_pairs(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "  - {name: pile, on: b, to: a, type: contact, restitution: 0, enable: closed}\n",
        "  - {name: pile, type: collide, among: [a, b], restitution: 0, enable: closed}\n",
    };
    static const char *const shapes[] = {"{type: sphere, radius: 0.1}",
                                         "{type: box, size: [0.2, 0.2, 0.2]}"};
    for (int k = 0; k < 2 * 2 * METHODS; ++k) {
        int i = k / 4;
        char text[1200];
        bool boxes = k % 2 != 0;
        if (boxes && methods[i].type == HF_METHOD_SWITCH) {
            continue; // pairs of shapes are for the others
        }
        (void)snprintf(text, sizeof text,
                       "gravity: [0, 0, -10]\n"
                       "method: {type: %s, step: %g}\n"
                       "bodies:\n"
                       "  a: {type: rigid, mass: 1, shape: %s, position: [0, 0, 0.1]}\n"
                       "  b: {type: rigid, mass: 1, shape: %s, position: [0, 0, 0.3]}\n"
                       "signals: {closed: 't < 0.2 ? 1 : 0'}\n"
                       "forces:\n"
                       "  - {name: fa, on: a, type: contact, restitution: 0}\n"
                       "  - {name: fb, on: b, type: contact, restitution: 0}\n"
                       "%s",
                       hf_method_name(methods[i].type), methods[i].step, shapes[boxes],
                       shapes[boxes], texts[k / 2 % 2]);
        hf_sim *sim = loop_scene_start(loop_scene_parse(text), methods[i].type, methods[i].step);
        const char *name = hf_method_name(methods[i].type);
        loop_scene_run(sim, 0.19);
        double sinks = methods[i].type == HF_METHOD_RK4_TAU ? 0.02 : 2e-3;
        hf_check_near(loop_scene_value(sim, "b.position.z"), 0.3, sinks, name, "on the other");
        loop_scene_run(sim, 0.6);
        hf_check_near(loop_scene_value(sim, "b.position.z"), 0.1, 1e-3, name, "within the other");
        hf_check_near(loop_scene_value(sim, "a.position.z"), 0.1, 1e-3, name, "as before");
        hf_check_below(hf_sim_get_stats(sim).largest_penetration, 2e-2, name, "depth of impacts");
        loop_scene_finish(sim);
    }
}

// A latch holds a mass against a spring, x = 0.2; it lets go at t = 1, and from a quarter period on
// a cage from -0.25 to 0.1 with restitution 1/2 is there: arcs of circles in x and v/w.
static void test_latch(void **state)
{
    (void)state;
    static const struct {
        hf_method_type type;
        double step, allowance;
    } runs[] = {{HF_METHOD_SWITCH, 1e-3, 2e-5},
                {HF_METHOD_TIMESTEP, 1e-4, 1e-3},
                {HF_METHOD_DISCRETE, 1e-4, 1e-3}};
    for (int i = 0; i < 3; ++i) {
        hf_sim *sim = loop_scene_start(
            loop_scene_parse("bodies: {m: {type: mass, dim: 1, mass: 1, position: 0.2}}\n"
                             "forces:\n"
                             "  - {name: k, on: m, type: spring, stiffness: 25}\n"
                             "  - {name: latch, on: m, type: stop, low: 0.2, enable: 't < 1'}\n"
                             "  - {name: cage, on: m, type: stop, low: -0.25, high: 0.1, "
                             "restitution: 0.5, enable: 't > 1 + pi/10'}\n"),
            runs[i].type, runs[i].step);
        const char *name = hf_method_name(runs[i].type);
        loop_scene_run(sim, 0.9);
        hf_check_near(loop_scene_value(sim, "m.position"), 0.2, 0.0, name, "it holds");
        hf_check_near(loop_scene_value(sim, "latch.force"), 5.0, 1e-12, name, "the spring's");
        // The first rebound at x = 0.1, then arcs of (2 pi - 2 phase)/w
        double w = 5.0, t = 1.0 + LOOP_PI / 3.0, v = w * sqrt(0.04 - 0.01), a = 0.2;
        while (t < 3.0) {
            v *= 0.5;
            a = hypot(0.1, v / w);
            double arc = 2.0 * (LOOP_PI - acos(0.1 / a)) / w;
            if (t + arc > 3.0) {
                break;
            }
            t += arc;
        }
        double phase = acos(0.1 / a) + w * (3.0 - t);
        loop_scene_run(sim, 3.0);
        hf_check_near(loop_scene_value(sim, "m.position"), a * cos(phase), runs[i].allowance, name,
                      "arcs");
        hf_check_near(loop_scene_value(sim, "m.velocity"), -a * w * sin(phase),
                      10.0 * runs[i].allowance, name, "arcs");
        loop_scene_finish(sim);
    }
}

// What is enabled where there is no room is told, at its line.
static void fails(const char *forces, hf_method_type type, double step, const char *expected)
{
    char text[800];
    hf_error error = {0};
    (void)snprintf(text, sizeof text,
                   "gravity: [0, 0, -10]\n"
                   "bodies:\n"
                   "  m: {type: mass, dim: 1, mass: 1, velocity: 1}\n"
                   "  ball: {type: rigid, mass: 1, shape: {type: sphere, radius: 0.1}}\n"
                   "forces:\n%s",
                   forces);
    hf_sim *sim = loop_scene_start(loop_scene_parse(text), type, step);
    hf_status status = HF_OK;
    while (status == HF_OK && hf_sim_time(sim) < 1.0) {
        status = hf_sim_step(sim, &error);
    }
    if (status == HF_OK || strstr(error.text, expected) == NULL) {
        fail_msg("%s: expected '%s', got '%s'", hf_method_name(type), expected, error.text);
    }
    loop_scene_finish(sim);
}

static void test_no_room(void **state)
{
    (void)state;
    const char *stop = "  - {name: s, on: m, type: stop, high: 0.2, enable: 't > 0.5'}\n";
    const char *floor = "  - {name: f, on: ball, type: contact, enable: 't > 0.5'}\n";
    fails(stop, HF_METHOD_TIMESTEP, 1e-3, "beyond its limit");
    fails(stop, HF_METHOD_SWITCH, 1e-3, "its gap is 0.3 beyond its limit");
    fails(floor, HF_METHOD_TIMESTEP, 1e-3, "it is enabled where its bodies are 1.35");
    fails(floor, HF_METHOD_RK4, 1e-4, "it is enabled where its bodies are 1.35");
    fails(floor, HF_METHOD_SWITCH, 1e-3, "it is enabled where its bodies are 1.35");
}

// A joint of springs lets a rod go at 0.2 s: from there its center falls with the speed it has.
static void test_joint(void **state)
{
    (void)state;
    hf_sim *sim = loop_scene_start(
        loop_scene_parse("gravity: [0, 0, -10]\n"
                         "bodies: {rod: {type: rigid, mass: 1, inertia: [0.02, 0.02, 0.001], "
                         "position: [0.2, 0, 0]}}\n"
                         "forces: [{name: pin, on: rod, type: joint, point: [-0.2, 0, 0], axis: "
                         "[0, 1, 0], stiffness: 1e5, damping: 100, enable: 't < 0.2'}]\n"),
        HF_METHOD_RK4, 1e-5);
    loop_scene_run(sim, 0.2);
    double z = loop_scene_value(sim, "rod.position.z"), v = loop_scene_value(sim, "rod.velocity.z");
    hf_check_below(z, -0.05, "swing", "it turns about the pin");
    loop_scene_run(sim, 0.5);
    hf_check_near(loop_scene_value(sim, "rod.position.z"), z + 0.3 * v - 5.0 * 0.09, 1e-7, "z",
                  "free fall");
    loop_scene_finish(sim);
}

// A spring is there from 0.3 to 0.7 s: what it holds then is put in, and taken out again, once. A
// step of 10 ms ends at 70 * 0.01, one rounding behind 0.7.
static void test_spring(void **state)
{
    (void)state;
    static const hf_method_type types[] = {HF_METHOD_SWITCH, HF_METHOD_ADAPTIVE, HF_METHOD_RK4};
    const double w = sqrt(50.0), gap = 0.3, rate = 1.0;
    double c = cos(w * 0.4), s = sin(w * 0.4);
    double end = gap * c + rate / w * s, v = rate * c - gap * w * s;
    for (int i = 0; i < 3; ++i) {
        hf_sim *sim = loop_scene_start(
            loop_scene_parse("bodies: {b: {type: mass, dim: 1, mass: 1, velocity: 1}}\n"
                             "forces: [{name: spring, on: b, type: spring, stiffness: 50, enable: "
                             "'t > 0.3 && t < 0.7'}]\n"),
            types[i], 1e-2);
        loop_scene_run(sim, 1.0);
        hf_check_near(loop_scene_value(sim, "b.velocity"), v, 1e-5, "velocity", "closed form");
        hf_check_near(hf_sim_energy(sim).input, 25.0 * (gap * gap - end * end), 1e-4, "input",
                      "what the spring held, less what it holds");
        hf_check_near(hf_sim_energy(sim).residual, 0.0, 1e-4, "residual", "all is accounted for");
        loop_scene_finish(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trapdoor), cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_latch),    cmocka_unit_test(test_no_room),
        cmocka_unit_test(test_joint),    cmocka_unit_test(test_spring),
    };
    return hf_run_tests(tests);
}
