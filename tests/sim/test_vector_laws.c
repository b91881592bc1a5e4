// SPDX-License-Identifier: Apache-2.0
// Laws of the file on couplings of several axes, against the library's elements on the same motion
// and against closed forms.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hf_test.h"
#include "loop_scenes.h"

static void refused(const char *text, const char *expected)
{
    hf_error error = {0};
    hf_model *model = hf_model_parse(text, strlen(text), "m.yaml", NULL, NULL, &error);
    if (model != NULL || strstr(error.text, expected) == NULL) {
        fail_msg("expected '%s', got '%s'", expected, model != NULL ? "no error" : error.text);
    }
}

static const struct {
    hf_method_type type;
    double step, allowance;
} methods[] = {
    {HF_METHOD_EULER, 1e-3, 1e-13},    {HF_METHOD_SEMI_IMPLICIT_EULER, 1e-3, 1e-13},
    {HF_METHOD_DISCRETE, 1e-3, 1e-13}, {HF_METHOD_RK4, 1e-4, 1e-13},
    {HF_METHOD_RK4_TAU, 1e-3, 1e-13},  {HF_METHOD_TIMESTEP, 1e-3, 1e-13},
    {HF_METHOD_TIMESTEP, 1e-2, 1e-13}, {HF_METHOD_ADAPTIVE, 1e-3, 1e-9},
    {HF_METHOD_SWITCH, 1e-3, 1e-9},
};
enum { METHODS = sizeof methods / sizeof *methods };

// The element of [Xiong2013] (18) on vectors, as the file writes it.
#define ELEMENT                                                                                    \
    "type: law, force: 'sat(F, K*e + (B + tau*K)*rate)', states: {e: (force - K*e)/(B + tau*K)}, " \
    "stored: 'K*dot(e, e)/2', slip: norm(K*e + (B + tau*K)*rate) > F}\n"
#define KNOWN "type: friction, level: F, stiffness: K, damping: B}\n"

// Runs a machine whose law `own` does what `known` does to its twin, under every method.
static void same(const char *text, double seconds, const char *const *channels,
                 const char *const *twins, int count)
{
    for (int i = 0; i < METHODS; ++i) {
        hf_sim *sim = loop_scene_start(loop_scene_parse(text), methods[i].type, methods[i].step);
        const char *name = hf_method_name(methods[i].type);
        double allowance = methods[i].allowance;
        loop_scene_run(sim, seconds);
        for (int k = 0; k < count; ++k) {
            hf_check_near(loop_scene_value(sim, channels[k]), loop_scene_value(sim, twins[k]),
                          allowance, channels[k], name);
        }
        hf_check_near(loop_scene_value(sim, "own.dissipated"),
                      loop_scene_value(sim, "known.dissipated"), 100.0 * allowance, "heat", name);
        hf_check_near(loop_scene_value(sim, "own.mode"), loop_scene_value(sim, "known.mode"), 0.0,
                      "mode", name);
        loop_scene_finish(sim);
    }
}

// Slides, turns and sticks in a plane whose axes are x and z.
static void test_plane(void **state)
{
    (void)state;
    static const char *const own[] = {"a-1.position.x", "a-1.position.z", "own.force.x"};
    static const char *const known[] = {"a-2.position.x", "a-2.position.z", "known.force.x"};
    same("parameters: {F: 4, K: 1e5, B: 100}\n"
         "bodies: {a: {type: mass, axes: xz, mass: 1, velocity: [1, 0.5], repeat: {count: 2}}}\n"
         "forces:\n"
         "  - {name: push, on: a, type: force, value: [5*sin(3*t), 4*cos(2*t)]}\n"
         "  - {name: own, on: a-1, " ELEMENT "  - {name: known, on: a-2, " KNOWN,
         2.0, own, known, 3);
}

// In space, between a point of a body that turns and a carriage that is shaken.
static void test_space(void **state)
{
    (void)state;
    static const char *const own[] = {"a.position.x", "a.position.z", "a.angular_velocity.y"};
    static const char *const known[] = {"b.position.x", "b.position.z", "b.angular_velocity.y"};
    same("parameters: {F: 6, K: 1e4, B: 60}\n"
         "gravity: [0, 0, -3]\n"
         "bodies:\n"
         "  a: {type: rigid, mass: 1, inertia: [0.1, 0.2, 0.15], velocity: [0.4, -0.2, 0]}\n"
         "  b: {type: rigid, mass: 1, inertia: [0.1, 0.2, 0.15], velocity: [0.4, -0.2, 0]}\n"
         "  cart: {type: driven, axes: xyz, position: ['0.02*sin(9*t)', '0.01*sin(7*t)', 0]}\n"
         "forces:\n"
         "  - {name: own, on: a, point: [0.1, 0, 0.2], to: cart, " ELEMENT
         "  - {name: known, on: b, point: [0.1, 0, 0.2], to: cart, " KNOWN,
         1.0, own, known, 3);
}

// About the axes of a body that turns: a coupling without a gap.
static void test_spin(void **state)
{
    (void)state;
    static const char *const own[] = {"a.angular_velocity.x", "a.angular_velocity.z"};
    static const char *const known[] = {"b.angular_velocity.x", "b.angular_velocity.z"};
    same("parameters: {F: 0.2, K: 500, B: 2}\n"
         "bodies:\n"
         "  a: {type: rigid, mass: 1, inertia: [0.1, 0.2, 0.15], angular_velocity: [2, 1, 3]}\n"
         "  b: {type: rigid, mass: 1, inertia: [0.1, 0.2, 0.15], angular_velocity: [2, 1, 3]}\n"
         "forces:\n"
         "  - {name: own, on: a, coupling: spin, " ELEMENT
         "  - {name: known, on: b, coupling: spin, " KNOWN,
         3.0, own, known, 2);
}

// Two coordinates of a planar joint in a tree.
static void test_tree(void **state)
{
    (void)state;
    static const char *const own[] = {"a.puck.position.x", "a.puck.position.y"};
    static const char *const known[] = {"b.puck.position.x", "b.puck.position.y"};
#define PUCK                                                                                       \
    "{type: tree, joints: {puck: {type: planar, mass: 2, inertia: [0.1, 0.1, 0.1], velocity: [1, " \
    "0.3, 2]}, arm: {type: revolute, parent: puck, mass: 0.5, center: [0.2, 0, 0], inertia: "      \
    "[0.01, 0.01, 0.01], position: 0.4}}}\n"
    same("parameters: {F: 5, K: 1e5, B: 200}\n"
         "bodies:\n  a: " PUCK "  b: " PUCK "forces:\n"
         "  - {name: own, on: a.puck.xy, " ELEMENT "  - {name: known, on: b.puck.xy, " KNOWN,
         1.0, own, known, 2);
#undef PUCK
}

// prox of a vector is the nearest point of a box: as two elements, each on its own axis.
static void test_box(void **state)
{
    (void)state;
    for (int i = 0; i < METHODS; ++i) {
        hf_sim *sim = loop_scene_start(
            loop_scene_parse(
                "parameters: {F: 3, K: 1e5, B: 100}\n"
                "bodies: {a: {type: mass, axes: xy, mass: 1, velocity: [1, -0.7], repeat: {count: "
                "2}}}\n"
                "forces:\n"
                "  - {name: push, on: a, type: force, value: [4*sin(3*t), 3.5*cos(2*t)]}\n"
                "  - {name: own, on: a-1, type: law, force: 'prox(K*e + (B + tau*K)*rate, -F, F)',"
                " states: {e: (force - K*e)/(B + tau*K)}, stored: 'K*dot(e, e)/2', slip: "
                "'max(abs(K*e.x + (B + tau*K)*rate.x), abs(K*e.y + (B + tau*K)*rate.y)) > F'}\n"
                "  - {name: x, on: a-2.x, " KNOWN "  - {name: y, on: a-2.y, " KNOWN),
            methods[i].type, methods[i].step);
        const char *name = hf_method_name(methods[i].type);
        loop_scene_run(sim, 1.0);
        hf_check_near(loop_scene_value(sim, "a-1.position.x"),
                      loop_scene_value(sim, "a-2.position.x"), methods[i].allowance, name, "x");
        hf_check_near(loop_scene_value(sim, "a-1.position.y"),
                      loop_scene_value(sim, "a-2.position.y"), methods[i].allowance, name, "y");
        loop_scene_finish(sim);
    }
}

// Below the level it holds, on a base that shakes, with zero drift over ten thousand steps; and the
// ledger closes.
static void test_hold(void **state)
{
    (void)state;
    hf_sim *sim = loop_scene_start(
        loop_scene_parse("parameters: {F: 10, K: 1e5, B: 200}\n"
                         "bodies:\n"
                         "  a: {type: mass, axes: xy, mass: 1}\n"
                         "  base: {type: driven, axes: xy, position: ['0.1*(1 - cos(2*t))', 0]}\n"
                         "forces:\n"
                         "  - {name: push, on: a, type: force, value: [0, 6]}\n"
                         "  - {name: own, on: a, to: base, " ELEMENT),
        HF_METHOD_TIMESTEP, 1e-3);
    loop_scene_run(sim, 2.0);
    double early = loop_scene_value(sim, "own.gap.y");
    loop_scene_run(sim, 12.0);
    hf_check_near(loop_scene_value(sim, "own.gap.y"), early, 1e-12, "gap", "it holds");
    hf_check_near(early, 6.0 / 1e5, 1e-12, "gap", "the load over K");
    hf_check_below(fabs(hf_sim_energy(sim).residual), 1e-3, "ledger", "J");
    loop_scene_finish(sim);
}

// A level that fades with the heat of the pad: a number beside vectors. In straight sliding
// m v' = -F exp(-w/W), w' = F exp(-w/W) v: m v^2/2 + w is constant, and with u = exp(w/W)
// the pad has taken in w = m (v0^2 - v^2)/2 at every speed.
static void test_fading(void **state)
{
    (void)state;
    hf_sim *sim = loop_scene_start(
        loop_scene_parse("bodies: {a: {type: mass, axes: xy, mass: 2, velocity: [3, 4]}}\n"
                         "forces:\n"
                         "  - {name: pad, on: a, type: law, parameters: {F: 5, W: 20, D: 1e4},\n"
                         "     force: 'sat(F*exp(-w/W), D*rate)',\n"
                         "     states: {w: {rate: 'dot(force, rate)', start: 2, scalar: true}},\n"
                         "     slip: 'D*norm(rate) > F*exp(-w/W)'}\n"),
        HF_METHOD_RK4, 1e-4);
    loop_scene_run(sim, 1.0);
    double vx = loop_scene_value(sim, "a.velocity.x"), vy = loop_scene_value(sim, "a.velocity.y");
    double heat = 0.5 * 2.0 * (25.0 - vx * vx - vy * vy);
    hf_check_near(loop_scene_value(sim, "pad.state.0"), 2.0 + heat, 1e-9, "w", "energy");
    hf_check_near(loop_scene_value(sim, "pad.dissipated"), heat, 1e-9, "heat", "energy");
    hf_check_near(vy / vx, 4.0 / 3.0, 1e-12, "direction", "straight on");
    double force = 5.0 * exp(-loop_scene_value(sim, "pad.state.0") / 20.0);
    hf_check_near(hypot(loop_scene_value(sim, "pad.force.x"), loop_scene_value(sim, "pad.force.y")),
                  force, 1e-9, "force", "the level");
    loop_scene_finish(sim);
}

// A spring whose axes are coupled, as a list: f = K gap with K = [[3, 1], [1, 2]], stored gap.K
// gap/2. Its frequencies are those of the matrix.
static void test_list(void **state)
{
    (void)state;
    hf_sim *sim = loop_scene_start(
        loop_scene_parse("bodies: {a: {type: mass, axes: yz, mass: 1, position: [0.1, 0]}}\n"
                         "forces:\n"
                         "  - {name: k, on: a, type: law, force: [3*gap.y + gap.z, gap.y + "
                         "2*gap.z],\n"
                         "     stored: (3*gap.y^2 + 2*gap.y*gap.z + 2*gap.z^2)/2}\n"),
        HF_METHOD_RK4, 1e-3);
    loop_scene_run(sim, 2.0);
    double root = sqrt(5.0) / 2.0, high = 2.5 + root, low = 2.5 - root;
    // Modes (1, high - 3) and (1, low - 3); the start is their sum with these shares
    double share = 0.1 * (3.0 - low) / (high - low), rest = 0.1 - share, t = 2.0;
    double y = share * cos(sqrt(high) * t) + rest * cos(sqrt(low) * t);
    double z = share * (high - 3.0) * cos(sqrt(high) * t) + rest * (low - 3.0) * cos(sqrt(low) * t);
    hf_check_near(loop_scene_value(sim, "a.position.y"), y, 1e-10, "y", "modes");
    hf_check_near(loop_scene_value(sim, "a.position.z"), z, 1e-10, "z", "modes");
    hf_check_below(fabs(hf_sim_energy(sim).residual), 1e-12, "ledger", "J");
    loop_scene_finish(sim);
}

static void test_bad_laws(void **state)
{
    (void)state;
#define BAD(keys)                                                                                  \
    "bodies: {a: {type: mass, axes: xz, mass: 1}, r: {type: rigid, mass: 1, inertia: [1, 1, "      \
    "1]}}\n"                                                                                       \
    "forces: [{name: x, on: a, type: law, " keys "}]\n"
    refused(BAD("force: 5*norm(rate)"), "m.yaml:2:45: law 'x': the force is one number");
    refused(BAD("force: gap, slip: abs(rate) > 1"),
            "slip: 'rate' is a vector of 2 axes, and a number is wanted: norm(rate)");
    refused(BAD("force: 'sat(gap, rate)'"), "'gap' is a vector of 2 axes");
    refused(BAD("force: gap, stored: 'sat(1, gap)'"), "'gap' is a vector of 2 axes");
    refused(BAD("force: 'rate*dot(gap, 3)'"), "dot takes two vectors");
    refused(BAD("force: rate*gap.y"), "unknown name 'gap.y'");
    refused(BAD("force: [rate.x]"), "expected 2 expressions, one an axis, got 1");
    refused(BAD("force: [rate, rate]"), "'rate' is a vector");
    refused(BAD("force: force.x*rate"), "unknown name 'force.x'");
    refused(BAD("force: rate, states: {s: {rate: rate, scalar: true}}"), "'rate' is a vector");
    refused(BAD("force: rate, states: {s: {rate: rate, start: [1, 2, 3]}}"),
            "start must have 2 numbers, has 3");
    refused("bodies: {r: {type: rigid, mass: 1, inertia: [1, 1, 1]}}\n"
            "forces: [{name: x, on: r, coupling: spin, type: law, force: gap}]\n",
            "law 'x': force: a spin coupling has no gap, only a rate");
#undef BAD
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plane),    cmocka_unit_test(test_space),
        cmocka_unit_test(test_spin),     cmocka_unit_test(test_tree),
        cmocka_unit_test(test_box),      cmocka_unit_test(test_hold),
        cmocka_unit_test(test_fading),   cmocka_unit_test(test_list),
        cmocka_unit_test(test_bad_laws),
    };
    return hf_run_tests(tests);
}
