// SPDX-License-Identifier: Apache-2.0
// Drives under every method: the same modes, levels that are scaled and pressed at once, and units
// of what stands on ratios and in bearings.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hf_test.h"
#include "loop_scenes.h"

static const struct {
    hf_method_type type;
    double step;
    bool element; // law stiction in place of coulomb
} runs[] = {
    {HF_METHOD_SWITCH, 1e-2, false},   {HF_METHOD_TIMESTEP, 1e-3, false},
    {HF_METHOD_DISCRETE, 1e-3, false}, {HF_METHOD_SEMI_IMPLICIT_EULER, 1e-3, false},
    {HF_METHOD_EULER, 1e-3, false},    {HF_METHOD_ADAPTIVE, 1e-2, true},
    {HF_METHOD_RK4, 1e-5, true},       {HF_METHOD_RK4_TAU, 1e-4, true},
    {HF_METHOD_TIMESTEP, 1e-3, true},  {HF_METHOD_DISCRETE, 1e-4, true},
};
enum { RUNS = sizeof runs / sizeof *runs };

// The machine with `LAW` replaced.
static hf_sim *start(const char *text, int run)
{
    char whole[4000];
    size_t used = 0;
    for (const char *at = text; *at != '\0' && used < sizeof whole - 80;) {
        if (strncmp(at, "LAW", 3) == 0) {
            used += (size_t)snprintf(whole + used, sizeof whole - used, "law: %s",
                                     runs[run].element ? "stiction, stiffness: 1e5, damping: 100"
                                                       : "coulomb");
            at += 3;
        } else {
            whole[used++] = *at++;
        }
    }
    whole[used] = '\0';
    return loop_scene_start(loop_scene_parse(whole), runs[run].type, runs[run].step);
}

// Modes of what has no force: open without a normal force or while it is off, else the way it
// goes, whatever the method.
static void test_modes(void **state)
{
    (void)state;
    static const char text[] =
        "bodies:\n"
        "  a: {type: mass, dim: 1, mass: 1, velocity: -1}\n"
        "  b: {type: mass, dim: 1, mass: 1, velocity: -1}\n"
        "  c: {type: mass, dim: 1, mass: 1}\n"
        "  d: {type: mass, dim: 1, mass: 1, velocity: -1}\n"
        "  e: {type: mass, axes: xy, mass: 1, velocity: [-1, 0]}\n"
        "  f: {type: mass, axes: xyz, mass: 1, velocity: [-1, 0, 0]}\n"
        "  g: {type: mass, dim: 1, mass: 1, velocity: -1}\n"
        "  h: {type: mass, dim: 1, mass: 1, velocity: -1}\n"
        "forces:\n"
        "  - {name: fa, on: a, type: friction, LAW, level: {friction: 0.3}, normal: 0}\n"
        "  - {name: fb, on: b, type: friction, LAW, level: 0}\n"
        "  - {name: fc, on: c, type: friction, LAW, level: 0}\n"
        "  - {name: fd, on: d, type: friction, LAW, level: 1, enable: 0}\n"
        "  - {name: fe, on: e, type: friction, LAW, level: {friction: 0.3}, normal: 't < 0.05'}\n"
        "  - {name: ff, on: f, type: friction, LAW, level: 0}\n"
        "  - {name: fg, on: g, type: friction, LAW, level: {friction: 0.3, cohesion: 0.5},\n"
        "     normal: 't < 0.05'}\n"
        "  - {name: fh, on: h, type: friction, LAW, level: {coulomb: [2, 0]}}\n";
    static const struct {
        const char *channel;
        double mode;
    } wanted[] = {{"fa.mode", 2}, {"fb.mode", -1}, {"fc.mode", 0},  {"fd.mode", 2},
                  {"fe.mode", 2}, {"ff.mode", 1},  {"fg.mode", -1}, {"fh.mode", -1}};
    for (int i = 0; i < RUNS; ++i) {
        hf_sim *sim = start(text, i);
        loop_scene_run(sim, 0.1);
        for (int k = 0; k < 8; ++k) {
            char what[80];
            (void)snprintf(what, sizeof what, "%s by %s%s", wanted[k].channel,
                           hf_method_name(runs[i].type), runs[i].element ? ", element" : "");
            hf_check_near(loop_scene_value(sim, wanted[k].channel), wanted[k].mode, 0.0, what,
                          "mode");
        }
        loop_scene_finish(sim);
    }
}

// An element that is switched on at rest holds with its static level, though it was open before.
static void test_switched_on(void **state)
{
    (void)state;
    for (int i = 0; i < RUNS; ++i) {
        hf_sim *sim =
            start("bodies: {a: {type: mass, dim: 1, mass: 1}}\n"
                  "forces:\n"
                  "  - {name: push, on: a, type: force, value: 'max(0, min(3, 40*(t - 0.1)))'}\n"
                  "  - {name: rub, on: a, type: friction, LAW, enable: 't > 0.05',\n"
                  "     level: {kinetic: 2, static: 4}}\n",
                  i);
        loop_scene_run(sim, 0.3);
        hf_check_near(loop_scene_value(sim, "a.position"), 0.0, runs[i].element ? 1e-4 : 0.0,
                      hf_method_name(runs[i].type), "it holds 3 of 4 N");
        loop_scene_finish(sim);
    }
}

// A coefficient that falls with the temperature under a load that rises: a brake that fades. It
// warms by 20 degrees a second: v = v0 - int 0.5 (1 - 0.4 t)(3 + t) dt.
static void test_fade(void **state)
{
    (void)state;
    double t = 0.5, v = 2.0 - 0.5 * (3.0 * t + 0.5 * (1.0 - 1.2) * t * t - 0.4 * t * t * t / 3.0);
    for (int i = 0; i < RUNS; ++i) {
        hf_sim *sim =
            start("bodies:\n"
                  "  oil: {type: mass, dim: 1, mass: 1, position: 20, velocity: 20}\n"
                  "  e: {type: mass, dim: 1, mass: 1, velocity: 2}\n"
                  "  one: {type: mass, axes: xy, mass: 1, velocity: [2, 0]}\n"
                  "signals: {warm: {table: {of: oil.position, points: [[20, 1], [70, 0]]}}}\n"
                  "forces:\n"
                  "  - {name: fe, on: e, type: friction, LAW,\n"
                  "     level: {friction: 0.5, scale: warm}, normal: 3 + t}\n"
                  "  - {name: fo, on: one, type: friction, LAW, normal: 2,\n"
                  "     level: {table: [[0, 0.5], [1, 0.5]], per_normal: true, scale: 0.5}}\n",
                  i);
        loop_scene_run(sim, t);
        double allowed = 2e-4 + runs[i].step * (hf_method_is_adaptive(runs[i].type) ? 0.0 : 1.0);
        hf_check_near(loop_scene_value(sim, "e.velocity"), v, allowed, hf_method_name(runs[i].type),
                      "closed form");
        hf_check_near(loop_scene_value(sim, "one.velocity.x"), 2.0 - 0.5 * t, 2e-4,
                      hf_method_name(runs[i].type), "0.5 * 0.5 * 2 N");
        loop_scene_finish(sim);
    }
}

static void refused(const char *forces, const char *expected)
{
    hf_error error = {0};
    char text[1500];
    (void)snprintf(text, sizeof text,
                   "bodies:\n"
                   "  m: {type: rotor, inertia: 20 kg*cm^2}\n"
                   "  s: {type: mass, dim: 1, mass: 5}\n"
                   "  arm: {type: tree, joints: {p: {type: planar, mass: 1, inertia: [1, 1, 1]},\n"
                   "        e: {type: revolute, armature: 1e-3%s}}}\n"
                   "%s",
                   forces[0] == ',' ? forces : "", forces[0] == ',' ? "" : forces);
    hf_model *model = hf_model_parse(text, strlen(text), "m.yaml", NULL, NULL, &error);
    if (expected == NULL) {
        if (model == NULL) {
            fail_msg("%s: %s", forces, error.text);
        }
        hf_model_destroy(model);
    } else if (model != NULL || strstr(error.text, expected) == NULL) {
        fail_msg("expected '%s', got '%s'", expected, model != NULL ? "no error" : error.text);
    }
}

// A sum is a length where one of its coordinates is; then the factors of angles are radii.
static void test_units(void **state)
{
    (void)state;
    refused("forces: [{name: r, ratio: {s: 1, m: -12 mm}, type: stop, low: -1 mm, high: 1e-3}]\n",
            NULL);
    refused("forces: [{name: r, ratio: {m: 1, arm.e: -12}, type: friction, level: 3 Nm,\n"
            "         stiffness: 2 kNm/rad, damping: 3 mNms/rad}]\n",
            NULL);
    refused("loops: {g: {type: ratio, ratio: {m: 12 mm, arm.p.x: 1}, value: 1 cm},\n"
            "        h: {type: ratio, value: 10 deg,\n"
            "            ratio: {m: {coefficients: [1], reference: 5 deg}, arm.e: -3}}}\n",
            NULL);
    refused("forces: [{name: r, on: arm.p.angle, type: friction, level: 3 Ncm}]\n", NULL);
    refused("forces: [{name: r, on: m, type: friction, level: {friction: 6 mm}, normal: 20 N}]\n",
            NULL);
    refused(", bearing: {radius: 12 mm, friction: 0.1}, servo: {kp: 4 Nm/rad, rate: 1 kHz,\n"
            "        reference: 10 deg, limit: .5 Nm}, friction: 30 mNm, damping: 3 mNms/rad",
            NULL);
    refused("forces: [{name: r, ratio: {s: 1, m: -12 deg}, type: stop, low: 0}]\n",
            "m.yaml:6:37: stop 'r': m must be in m, got '-12 deg'");
    refused("forces: [{name: r, ratio: {m: 1, arm.e: -12 mm}, type: stop, low: 0}]\n",
            "arm.e must be a pure number, got '-12 mm'");
    refused("forces: [{name: r, ratio: {s: 1, m: -1}, type: stop, low: -1 deg}]\n",
            "low must be in m, got '-1 deg'");
    refused("forces: [{name: r, on: arm.p.x, type: friction, level: 3 Ncm}]\n",
            "level must be in N, got '3 Ncm'");
    refused("forces: [{name: r, on: s, type: friction, level: {friction: 6 mm}, normal: 2}]\n",
            "friction must be a pure number");
    refused(", bearing: {radius: 12 N, friction: 0.1}", "radius must be in m, got '12 N'");
    refused(", servo: {kp: 4, reference: 0, rate: 1 mm}", "rate must be in Hz, got '1 mm'");
    refused("forces:\n"
            "  - {name: k, on: m, type: spring, stiffness: 10}\n"
            "  - {name: r, on: s, type: friction, level: {friction: 0.1, scale: 2}, normal: k}\n",
            "m.yaml:8:61: friction 'r': scale goes with a normal force that is a value");
    refused("forces: [{name: r, on: s, type: friction, normal: 3,\n"
            "         level: {friction: 0.1, scale: 2, cohesion: 1}}]\n",
            "a level cannot have both scale and cohesion");
}

// Parameters in a bearing: mu r of a rotor without gravity, by its closed form.
static void test_bearing_parameters(void **state)
{
    (void)state;
    double kappa = 0.3 * 0.02 * 1.0 * 0.2 / 0.05, c = kappa / sqrt(1.0 - kappa * kappa);
    hf_sim *sim = loop_scene_start(
        loop_scene_parse("parameters: {r: 40 mm, mu: 0.3}\n"
                         "bodies:\n"
                         "  rotor: {type: tree, joints: {pin: {type: revolute, axis: [0, 1, 0],\n"
                         "          mass: 1, center: [0.2, 0, 0], inertia: [0.01, 0.01, 0.01],\n"
                         "          velocity: 20, bearing: {radius: r/2, friction: mu}}}}\n"),
        HF_METHOD_TIMESTEP, 1e-3);
    loop_scene_run(sim, 2.0);
    hf_check_near(loop_scene_value(sim, "rotor.pin.velocity"), 20.0 / (1.0 + c * 40.0), 2e-3,
                  "speed", "closed form");
    loop_scene_finish(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_modes),
        cmocka_unit_test(test_switched_on),
        cmocka_unit_test(test_fade),
        cmocka_unit_test(test_units),
        cmocka_unit_test(test_bearing_parameters),
    };
    return hf_run_tests(tests);
}
