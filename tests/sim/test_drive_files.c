// SPDX-License-Identifier: Apache-2.0
// What model files say shortly of drives: copies of forces and joints, waypoints, gates, and laws
// of their own, against closed forms and against the same machine written out.
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

// ------------------------------------------------------------------------------------------------
// Copies

// The lowest mode of a string of n beads between two walls: w = 2 sqrt(k/m) sin(pi/(2 (n + 1))).
static void test_string(void **state)
{
    (void)state;
    enum { BEADS = 9 };
    hf_sim *sim = loop_scene_start(
        loop_scene_parse(
            "parameters: {n: 9}\n"
            "bodies: {bead: {type: mass, dim: 1, mass: 2, repeat: {count: n}}}\n"
            "forces:\n"
            "  - {name: wall, on: bead-1, type: spring, stiffness: 50}\n"
            "  - {name: tie, repeat: 8, on: bead-$, to: bead-$+1, type: spring, stiffness: 50}\n"
            "  - {name: end, on: bead-9, type: spring, stiffness: 50}\n"
            "  - {name: air, on: bead, type: spring, stiffness: 0, damping: 0}\n"),
        HF_METHOD_RK4, 1e-3);
    hf_error error = {0};
    for (int i = 1; i <= BEADS; ++i) { // in its lowest mode
        char name[32];
        (void)snprintf(name, sizeof name, "bead-%d", i);
        double q = sin(LOOP_PI * i / (BEADS + 1.0));
        hf_body body = hf_model_find_body(hf_sim_model(sim), name);
        assert_int_equal(hf_sim_set_position(sim, body, &q, &error), HF_OK);
        (void)snprintf(name, sizeof name, "air-%d.force", i);
        (void)loop_scene_value(sim, name); // one for each copy
    }
    double w = 2.0 * sqrt(50.0 / 2.0) * sin(LOOP_PI / (2.0 * (BEADS + 1.0)));
    loop_scene_run(sim, 1.0);
    hf_check_near(loop_scene_value(sim, "bead-5.position"), cos(w), 1e-9, "bead-5", "closed form");
    hf_check_near(loop_scene_value(sim, "bead-2.position"), cos(w) * sin(0.2 * LOOP_PI), 1e-9,
                  "bead-2", "closed form");
    loop_scene_finish(sim);
}

// A chain of links is the same as the one that is written out, to the bit.
static void test_chain(void **state)
{
    (void)state;
    static const char *const joints[2] = {
        "      link: {repeat: {count: 3, first: {offset: [0, 0, 1], velocity: 2}, last: {mass: "
        "3}},\n"
        "             type: revolute, axis: [0, 1, 0], offset: [0, 0, -0.1], mass: 1,\n"
        "             center: [0, 0, -0.05], inertia: [0.01, 0.01, 0.01]}\n",
        "      link-1: {type: revolute, axis: [0, 1, 0], offset: [0, 0, 1], velocity: 2, mass: 1,\n"
        "               center: [0, 0, -0.05], inertia: [0.01, 0.01, 0.01]}\n"
        "      link-2: {type: revolute, axis: [0, 1, 0], offset: [0, 0, -0.1], mass: 1,\n"
        "               parent: link-1, center: [0, 0, -0.05], inertia: [0.01, 0.01, 0.01]}\n"
        "      link-3: {type: revolute, axis: [0, 1, 0], offset: [0, 0, -0.1], mass: 3,\n"
        "               parent: link-2, center: [0, 0, -0.05], inertia: [0.01, 0.01, 0.01]}\n"};
    double ends[2];
    for (int i = 0; i < 2; ++i) {
        char text[1400];
        (void)snprintf(text, sizeof text,
                       "gravity: [0, 0, -9.81]\n"
                       "bodies:\n"
                       "  chain:\n"
                       "    type: tree\n"
                       "    joints:\n"
                       "%s"
                       "joints: {\"chain.link-*\": {friction: {law: coulomb, level: 0.01}}}\n",
                       joints[i]);
        hf_sim *sim = loop_scene_start(loop_scene_parse(text), HF_METHOD_DISCRETE, 1e-3);
        loop_scene_run(sim, 1.0);
        ends[i] = loop_scene_value(sim, "chain.link-3.position") +
                  loop_scene_value(sim, "chain.link-3.friction.dissipated");
        loop_scene_finish(sim);
    }
    hf_check_near(ends[0], ends[1], 0.0, "chain", "written out");
}

static void test_bad_copies(void **state)
{
    (void)state;
    refused("bodies: {a: {type: mass, dim: 1, mass: 1, repeat: {count: 3}},\n"
            "         b: {type: mass, dim: 1, mass: 1, repeat: {count: 2}}}\n"
            "forces: [{name: x, on: a, to: b, type: spring, stiffness: 1}]\n",
            "m.yaml:3:31: 'a' and 'b' are repeated 3 and 2 times");
    refused("bodies: {a: {type: mass, dim: 1, mass: 1}}\n"
            "forces: [{name: x, repeat: 0, on: a, type: spring}]\n",
            "m.yaml:2:28: repeat must be a whole number from 1 to 100000");
    refused("bodies: {a: {type: mass, dim: 1, mass: 1}}\n"
            "forces: [{name: x, repeat: 3, on: a-$, type: spring, stiffness: 1}]\n",
            "unknown body 'a-1'");
}

// ------------------------------------------------------------------------------------------------
// Waypoints

static void test_waypoints(void **state)
{
    (void)state;
    hf_sim *sim = loop_scene_start(
        loop_scene_parse("bodies:\n"
                         "  a: {type: driven, position: soft}\n"
                         "  b: {type: driven, position: hard}\n"
                         "  c: {type: mass, dim: 1, mass: 1}\n"
                         "signals:\n"
                         "  soft: {through: [1, 3, 2], times: [0.5, 1.5, 2]}\n"
                         "  hard: {through: [1, 3, 2], times: [0.5, 1.5, 2], profile: trapezoid,\n"
                         "         blend: 0.25}\n"),
        HF_METHOD_RK4, 1e-3);
    // Time, position and speed of both: s = 1/4 of the first way is 53/512 of it
    static const double points[][5] = {
        {0.25, 1, 0, 1, 0},
        {0.75, 1.0 + 2.0 * 53.0 / 512.0, 2.0 * 135.0 / 128.0, 1.0 + 2.0 / 6.0, 2.0 * 4.0 / 3.0},
        {1.0, 2, 2.0 * 1.875, 2, 2.0 * 4.0 / 3.0},
        {1.5, 3, 0, 3, 0},
        {1.75, 2.5, -1.875 / 0.5, 2.5, -4.0 / 3.0 / 0.5},
        {2.5, 2, 0, 2, 0}};
    for (size_t i = 0; i < sizeof points / sizeof *points; ++i) {
        loop_scene_run(sim, points[i][0]);
        hf_check_near(loop_scene_value(sim, "a.position"), points[i][1], 1e-12, "quintic", "s");
        hf_check_near(loop_scene_value(sim, "a.velocity"), points[i][2], 1e-11, "quintic", "s'");
        hf_check_near(loop_scene_value(sim, "b.position"), points[i][3], 1e-12, "trapezoid", "s");
        hf_check_near(loop_scene_value(sim, "b.velocity"), points[i][4], 1e-9, "trapezoid", "s'");
    }
    loop_scene_finish(sim);
    refused("bodies: {a: {type: mass, dim: 1, mass: 1}}\n"
            "signals: {p: {through: [1, 2, 3], times: [0, 1]}}\n",
            "m.yaml:2:42: signal 'p': times must be as many as the points of through");
    refused("bodies: {a: {type: mass, dim: 1, mass: 1}}\n"
            "signals: {p: {through: [1, 2], times: [0, 1], profile: cubic}}\n",
            "profile must be quintic or trapezoid, got 'cubic'");
}

// ------------------------------------------------------------------------------------------------
// Gates

// Each force acts from 1 to 2 s alone: a push, a controller, a brake, a spring and an element.
static void test_gates(void **state)
{
    (void)state;
    static const hf_method_type types[] = {HF_METHOD_SEMI_IMPLICIT_EULER, HF_METHOD_DISCRETE,
                                           HF_METHOD_TIMESTEP};
    for (int i = 0; i < 3; ++i) {
        hf_sim *sim = loop_scene_start(
            loop_scene_parse(
                "bodies:\n"
                "  a: {type: mass, dim: 1, mass: 2}\n"
                "  b: {type: mass, dim: 1, mass: 2, position: 0.1}\n"
                "  c: {type: mass, dim: 1, mass: 2, velocity: 3}\n"
                "  d: {type: mass, dim: 1, mass: 2, position: 0.1}\n"
                "signals: {on: 't >= 1 && t < 2'}\n"
                "forces:\n"
                "  - {name: push, on: a, type: force, value: 4, enable: on}\n"
                "  - {name: servo, on: b, type: controller, reference: 0, proportional: 100,\n"
                "     enable: on}\n"
                "  - {name: brake, on: c, type: friction, law: coulomb, level: 4, enable: on}\n"
                "  - {name: spring, on: d, type: spring, stiffness: 100, enable: on}\n"),
            types[i], 1e-3);
        const char *name = hf_method_name(types[i]);
        loop_scene_run(sim, 3.0);
        double w = sqrt(50.0);
        hf_check_near(loop_scene_value(sim, "a.velocity"), 2.0, 1e-9, name, "push");
        hf_check_near(loop_scene_value(sim, "c.velocity"), 1.0, 1e-9, name, "brake");
        hf_check_near(loop_scene_value(sim, "b.velocity"), -0.1 * w * sin(w), 1e-2, name, "servo");
        hf_check_near(loop_scene_value(sim, "d.velocity"), -0.1 * w * sin(w), 1e-2, name, "spring");
        hf_check_below(fabs(hf_sim_energy(sim).residual), 0.03, name, "ledger");
        loop_scene_finish(sim);
    }
    refused("bodies: {a: {type: mass, dim: 1, mass: 1}}\n"
            "forces: [{name: x, on: a, type: spring, stiffness: 1, enable: a.position > 1}]\n",
            "m.yaml:2:63: force 'x': what its law has stored is taken out at a known time");
    refused("bodies: {a: {type: mass, dim: 1, mass: 1}}\n"
            "forces: [{name: x, on: a, type: stop, low: 0, enable: a.position > 1}]\n",
            "m.yaml:2:55: force 'x': what its law has stored is taken out at a known time");
}

// A one-way clutch is friction with a level on one side alone: 6 Nm drive both shafts, -3 Nm one.
static void test_freewheel(void **state)
{
    (void)state;
    static const hf_method_type types[] = {HF_METHOD_EULER, HF_METHOD_DISCRETE, HF_METHOD_SWITCH,
                                           HF_METHOD_TIMESTEP};
    for (int i = 0; i < 4; ++i) {
        hf_sim *sim = loop_scene_start(
            loop_scene_parse(
                "bodies:\n"
                "  a: {type: tree, joints: {shaft: {type: revolute, armature: 0.1}}}\n"
                "  b: {type: tree, joints: {hub: {type: revolute, armature: 0.5}}}\n"
                "forces:\n"
                "  - {name: pedal, on: a.shaft, type: torque, value: 't < 1 ? 6 : -3'}\n"
                "  - {name: clutch, on: b.hub, to: a.shaft, type: friction, law: coulomb,\n"
                "     level: {coulomb: [0, 1000]}}\n"),
            types[i], 1e-3);
        const char *name = hf_method_name(types[i]);
        loop_scene_run(sim, 0.5);
        hf_check_near(loop_scene_value(sim, "a.shaft.velocity"), 5.0, 1e-9, name, "together");
        hf_check_near(loop_scene_value(sim, "b.hub.velocity"),
                      loop_scene_value(sim, "a.shaft.velocity"), 0.0, name, "held");
        hf_check_near(loop_scene_value(sim, "pedal.power"), 30.0, 1e-6, name, "6 Nm x 5 rad/s");
        loop_scene_run(sim, 2.0);
        hf_check_near(loop_scene_value(sim, "a.shaft.velocity"), -20.0, 1e-9, name, "alone");
        hf_check_near(loop_scene_value(sim, "b.hub.velocity"), 10.0, 1e-9, name, "runs on");
        loop_scene_finish(sim);
    }
}

// ------------------------------------------------------------------------------------------------
// Laws of the file

// The element of [Xiong2013] (18), written in the file, is the library's.
static void test_element(void **state)
{
    (void)state;
    static const hf_method_type types[] = {HF_METHOD_RK4, HF_METHOD_RK4_TAU, HF_METHOD_TIMESTEP,
                                           HF_METHOD_ADAPTIVE, HF_METHOD_SWITCH};
    for (int i = 0; i < 5; ++i) {
        hf_sim *sim = loop_scene_start(
            loop_scene_parse(
                "parameters: {F: 4}\n"
                "bodies: {a: {type: mass, dim: 1, mass: 1, velocity: 1, repeat: {count: 2}}}\n"
                "forces:\n"
                "  - {name: push, on: a, type: force, value: 5*sin(3*t)}\n"
                "  - {name: own, on: a-1, type: law, parameters: {K: 1e5, B: 100},\n"
                "     force: 'sat(F, K*e + (B + tau*K)*rate)', states: {e: (force - K*e)/(B + "
                "tau*K)},\n"
                "     stored: K*e^2/2, slip: abs(K*e + (B + tau*K)*rate) > F}\n"
                "  - {name: known, on: a-2, type: friction, level: F, stiffness: 1e5, damping: "
                "100}\n"),
            types[i], 1e-4);
        const char *name = hf_method_name(types[i]);
        loop_scene_run(sim, 2.0);
        double allowance = hf_method_is_adaptive(types[i]) ? 1e-9 : 1e-13;
        hf_check_near(loop_scene_value(sim, "a-1.position"), loop_scene_value(sim, "a-2.position"),
                      allowance, name, "law stiction");
        hf_check_near(loop_scene_value(sim, "own.dissipated"),
                      loop_scene_value(sim, "known.dissipated"), 100.0 * allowance, name,
                      "law stiction");
        hf_check_near(loop_scene_value(sim, "own.mode"), loop_scene_value(sim, "known.mode"), 0.0,
                      name, "law stiction");
        hf_check_below(fabs(hf_sim_energy(sim).residual), 2e-3, name, "ledger");
        loop_scene_finish(sim);
    }
}

// One-sided contact by the procedure of [Xiong2013], (24)-(25): f = K max(0, e - beta (p +
// e)/alpha) pushes out, e' = (f/K - e)/beta. A ball comes to rest m g/K deep; `glow` is an input.
static void test_contact(void **state)
{
    (void)state;
    hf_sim *sim = loop_scene_start(
        loop_scene_parse("gravity: [0, 0, -10]\n"
                         "bodies: {ball: {type: mass, axes: z, mass: 2, position: 0.01}}\n"
                         "signals: {glow: '1 + ball.position*0'}\n"
                         "forces:\n"
                         "  - {name: floor, on: ball, type: law, inputs: {heat: glow},\n"
                         "     parameters: {K: 1e5, alpha: 1e-3, beta: 5e-3},\n"
                         "     force: -heat*K*dio(beta*(gap + e)/alpha - e), states: {e: (-force/K "
                         "- e)/beta}}\n"),
        HF_METHOD_RK4, 1e-5);
    loop_scene_run(sim, 2.0);
    hf_check_near(loop_scene_value(sim, "ball.position"), -2.0 * 10.0 / 1e5, 1e-9, "depth",
                  "m g/K");
    hf_check_near(loop_scene_value(sim, "floor.force"), 20.0, 1e-6, "force", "m g");
    loop_scene_finish(sim);
}

static void test_bad_laws(void **state)
{
    (void)state;
#define BAD(keys)                                                                                  \
    "bodies: {a: {type: mass, dim: 1, mass: 1}}\nforces: [{name: x, on: a, type: law, " keys "}]"  \
    "\n"
    refused(BAD("force: 2*force"), "m.yaml:2:47: law 'x': force: unknown name 'force'");
    refused(BAD("force: 2*gap + y"), "unknown name 'y'");
    refused(BAD("force: gap, states: {rate: 1}"), "the name 'rate' is taken in a law");
    refused(BAD("states: {y: 1}"), "force is missing");
    refused(BAD("force: gap, stord: 1"), "unknown key 'stord'; did you mean 'stored'?");
#undef BAD
}

// Patterns of `record`, channels of copies without quotes, and tables over signals that stand
// below.
static void test_names(void **state)
{
    (void)state;
    static const char text[] =
        "bodies:\n"
        "  car: {type: mass, dim: 1, mass: 1, velocity: 2, repeat: {count: 3}}\n"
        "  ball: {type: mass, mass: 1}\n"
        "signals:\n"
        "  twice: car-2.velocity*2 + car-3.velocity-1.e1\n"
        "  map: {table: {of: [car-1.velocity, slow], x: [0, 4], y: [0, 1], values: [[0, 10], [2, "
        "30]]}}\n"
        "  slow: 0.5\n"
        "record: ['car-*.position', 'ball.vel*', 'twice.*', '?ap.value']\n";
    hf_error error = {0};
    hf_model *model = hf_model_parse(text, strlen(text), "m.yaml", NULL, NULL, &error);
    if (model == NULL) {
        fail_msg("%s", error.text);
    }
    static const char *const recorded[] = {"car-1.position",  "car-2.position",  "car-3.position",
                                           "ball.velocity.x", "ball.velocity.y", "ball.velocity.z",
                                           "twice.value",     "map.value"};
    assert_int_equal(hf_model_record_count(model), 8);
    for (int i = 0; i < 8; ++i) {
        char name[80];
        hf_model_channel_name(model, hf_model_record_channel(model, i), name, sizeof name);
        assert_string_equal(name, recorded[i]);
    }
    hf_sim *sim = hf_sim_create(model, NULL, &error);
    assert_non_null(sim);
    hf_check_near(loop_scene_value(sim, "twice.value"), 4.0 + 2.0 - 10.0, 1e-15, "twice", "sum");
    hf_check_near(loop_scene_value(sim, "map.value"), 10.5, 1e-14, "map", "bilinear");
    loop_scene_finish(sim);
    refused("bodies: {a: {type: mass, dim: 1, mass: 1}}\nrecord: ['b*.position']\n",
            "m.yaml:2:10: record: no channel fits 'b*.position'");
}

// Signals of signals of the time are such signals: they drive bodies and gates, with their rates
// and accelerations, as the formula written out does.
static void test_signals_of_signals(void **state)
{
    (void)state;
    static const hf_method_type types[] = {HF_METHOD_SWITCH, HF_METHOD_TIMESTEP,
                                           HF_METHOD_DISCRETE};
    for (int i = 0; i < 3; ++i) {
        hf_sim *sim = loop_scene_start(
            loop_scene_parse(
                "bodies:\n"
                "  a: {type: driven, position: '2*w - 0.6*sin(s) + q'}\n"
                "  b: {type: driven, position: '2*(0.3*t^2) - 0.6*sin(t) + 0.5*sin(2*t)'}\n"
                "  m: {type: mass, dim: 1, mass: 1}\n"
                "  k: {type: mass, dim: 1, mass: 1}\n"
                "signals:\n"
                "  open: 'gate > 0.5 ? 1 : 0'\n"
                "  gate: 't < 1 ? 1 : 0'\n"
                "  w: 0.3*s^2\n"
                "  s: {table: {points: [[0, 0], [4, 4]]}}\n"
                "  q: {fourier: {frequency: 0.3183098861837907, sines: [0.5]}}\n"
                "forces:\n"
                "  - {name: fa, on: m, to: a, type: friction, law: coulomb, level: 3}\n"
                "  - {name: fb, on: k, to: b, type: friction, law: coulomb, level: 3}\n"
                "  - {name: sa, on: m, type: spring, stiffness: 3, enable: open}\n"
                "  - {name: sb, on: k, type: spring, stiffness: 3, enable: 't < 1 ? 1 : 0'}\n"),
            types[i], 1e-3);
        const char *name = hf_method_name(types[i]);
        loop_scene_run(sim, 2.0);
        hf_check_near(loop_scene_value(sim, "a.velocity"), loop_scene_value(sim, "b.velocity"),
                      1e-12, name, "the formula");
        hf_check_near(loop_scene_value(sim, "m.position"), loop_scene_value(sim, "k.position"),
                      1e-8, name, "the formula");
        loop_scene_finish(sim);
    }
    refused("bodies:\n  a: {type: driven, position: 2*w}\n  m: {type: mass, dim: 1, mass: 1}\n"
            "signals: {w: m.position}\n",
            "what is driven moves as a function of the time");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),      cmocka_unit_test(test_signals_of_signals),
        cmocka_unit_test(test_string),     cmocka_unit_test(test_chain),
        cmocka_unit_test(test_bad_copies), cmocka_unit_test(test_waypoints),
        cmocka_unit_test(test_gates),      cmocka_unit_test(test_freewheel),
        cmocka_unit_test(test_element),    cmocka_unit_test(test_contact),
        cmocka_unit_test(test_bad_laws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
