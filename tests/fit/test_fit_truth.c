// SPDX-License-Identifier: Apache-2.0
// Every kind of friction law recovers its own parameters, from logs with noise, within the
// intervals that are told. HF_FIT_SEEDS=50 tries so many seeds on logs of 8 s; a build tries one on
// logs of 2.2 s.
#include <stdio.h>
#include <stdlib.h>

#include "fit_scene.h"

enum { MOST = 8 };

// A law with the numbers that are free, in the order of `free`.
typedef struct truth {
    const char *name;
    const char *method;
    const char *friction; // keys of the force
    int count;
    const char *free[MOST];
    double value[MOST];
} truth;

static const truth truths[] = {
    {"coulomb",
     "{type: discrete, step: 5e-3}",
     "law: coulomb, level: {coulomb: fc, viscous: fv}",
     3,
     {"m", "fc", "fv"},
     {1.2, 3.0, 0.8}},
    {"coulomb, switch",
     "{type: switch, step: 5e-3}",
     "law: coulomb, level: {coulomb: fc, viscous: fv}",
     3,
     {"m", "fc", "fv"},
     {1.2, 3.0, 0.8}},
    {"coulomb, unlike directions",
     "{type: discrete, step: 5e-3}",
     "law: coulomb, level: {coulomb: [fc, fs], viscous: fv}",
     4,
     {"m", "fc", "fs", "fv"},
     {1.2, 3.0, 4.0, 0.8}},
    {"stiction",
     "{type: rk4-tau, step: 2.5e-3}",
     "law: stiction, level: {coulomb: fc, viscous: fv}, stiffness: 1e4, damping: 40",
     3,
     {"m", "fc", "fv"},
     {1.2, 3.0, 0.8}},
    {"lugre",
     "{type: rk4, step: 1e-3}",
     "law: lugre, level: {kinetic: fc, static: fs, stribeck_velocity: 0.3}, stiffness: 3000, "
     "damping: 30, viscous: fv",
     4,
     {"m", "fc", "fs", "fv"},
     {1.2, 3.0, 4.5, 0.8}},
    {"dahl",
     "{type: rk4, step: 1e-3}",
     "law: dahl, level: {coulomb: fc}, stiffness: k",
     3,
     {"m", "fc", "k"},
     {1.2, 3.0, 800.0}},
    {"stribeck",
     "{type: rk4-tau, step: 2.5e-3}",
     "law: stiction, level: {kinetic: fc, static: fs, stribeck_velocity: 0.3, viscous: fv}, "
     "stiffness: 1e4, damping: 40",
     4,
     {"m", "fc", "fs", "fv"},
     {1.2, 3.0, 4.5, 0.8}},
    {"quinn",
     "{type: discrete, step: 5e-3}",
     "law: quinn, level: {coulomb: fc, viscous: fv}",
     3,
     {"m", "fc", "fv"},
     {1.2, 3.0, 0.8}},
};

static void recover(const truth *t, uint64_t seed, double seconds)
{
    static const double off[] = {1.25, 0.8, 1.2, 0.7};
    char text[1024];
    (void)snprintf(text, sizeof text,
                   "method: %s\n"
                   "parameters: {m: 1, fc: 2, fs: 2.5, fv: 1, k: 1000}\n"
                   "bodies: {block: {type: mass, dim: 1, mass: m}}\n"
                   "signals: {drive: {input: 0}}\n"
                   "forces:\n"
                   "  - {name: motor, on: block, type: force, value: drive}\n"
                   "  - {name: pad, on: block, type: friction, %s}\n",
                   t->method, t->friction);
    hf_fit_machine *machine = scene_machine(text);
    hf_fit_parameter parameters[MOST];
    hf_error error = {0};
    for (int i = 0; i < t->count; ++i) {
        if (hf_fit_machine_free(machine, t->free[i], &parameters[i], 1, &error) != 1) {
            fail_msg("%s: %s", t->name, error.text);
        }
        parameters[i].start = t->value[i] * off[i % 4];
    }
    hf_rng rng = hf_rng_create(seed);
    hf_fit_log *log = scene_log(machine, t->value, "block.position", seconds, 1e-4, 0.0, 0.0, &rng);
    const hf_fit_log *logs[] = {log};
    const hf_fit_input input = {.signal = "drive", .expression = "u"};
    const hf_fit_match match = {.channel = "block.position", .expression = "y"};
    hf_fit_def def = hf_fit_def_default();
    def.make = hf_fit_machine_make;
    def.context = machine;
    def.logs = logs;
    def.log_count = 1;
    def.inputs = &input;
    def.input_count = 1;
    def.matches = &match;
    def.match_count = 1;
    def.parameters = parameters;
    def.parameter_count = t->count;
    def.threads = 2;
    hf_fit *fit = hf_fit_create(&def, &error);
    if (fit == NULL || hf_fit_run(fit, &error) != HF_OK) {
        fail_msg("%s: %s", t->name, error.text);
    }
    if (!hf_fit_get_summary(fit).converged) {
        fail_msg("%s: not converged", t->name);
    }
    hf_check_below(hf_fit_get_error(fit, 0, 0, false).rms, 1.1e-4, t->name, "noise of 1e-4");
    for (int i = 0; i < t->count; ++i) {
        hf_fit_unknown u = hf_fit_get_unknown(fit, i);
        char what[120];
        (void)snprintf(what, sizeof what, "%s: %s", t->name, u.name);
        // Four standard deviations: of 50 seeds and 27 numbers none is outside by chance
        hf_check_near(u.value, t->value[i], 2.0 * u.half_width, what, "the machine of the log");
        hf_check_below(u.half_width, (seconds < 5.0 ? 0.3 : 0.1) * t->value[i], what,
                       "a useful interval");
        if (u.finding != HF_FIT_FOUND) {
            fail_msg("%s: %s %g +- %g: %s", t->name, u.name, u.value, u.half_width,
                     hf_fit_finding_text(u.finding));
        }
    }
    print_message("%s: %lld simulations\n", t->name, hf_fit_get_summary(fit).simulations);
    hf_fit_destroy(fit);
    hf_fit_log_destroy(log);
    hf_fit_machine_destroy(machine);
}

static void laws_recover_themselves(void **state)
{
    (void)state;
    const char *wanted = getenv("HF_FIT_SEEDS");
    int seeds = wanted == NULL ? 1 : atoi(wanted);
    for (size_t i = 0; i < sizeof truths / sizeof *truths; ++i) {
        if (strstr(truths[i].method, "switch") != NULL && !HF_HAS_ADAPTIVE) {
            continue;
        }
        for (int seed = 1; seed <= seeds; ++seed) {
            recover(&truths[i], (uint64_t)seed, wanted == NULL ? 2.2 : 8.0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(laws_recover_themselves),
    };
    return hf_run_tests(tests);
}
