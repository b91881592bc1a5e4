// SPDX-License-Identifier: Apache-2.0
// Every friction law recovers its own parameters, from logs with noise: none is farther from the
// truth than two half widths of its 95 % interval, all intervals are narrow, and what is left is
// the noise. Of 95 % intervals one in twenty misses by construction; two half widths are some four
// standard deviations, which one number of 16,000 misses.
//
// HF_FIT_LONG=1 tries 50 seeds of all laws on logs of 8 s, HF_FIT_SEEDS so many, on HF_FIT_JOBS
// threads (scripts/docs-fit.sh; HF_FIT_LAW and HF_FIT_SEED: one of them). A build tries one on logs
// of 3 s.
#include <stdio.h>
#include <stdlib.h>

#include "base/crew.h"
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
     "{type: rk4, step: 2.5e-3}",
     "law: lugre, level: {kinetic: fc, static: fs, stribeck_velocity: 0.3}, stiffness: 3000, "
     "damping: 30, viscous: fv",
     4,
     {"m", "fc", "fs", "fv"},
     {1.2, 3.0, 4.5, 0.8}},
    {"dahl",
     "{type: rk4, step: 2.5e-3}",
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
    {"continuous",
     "{type: euler, step: 5e-3}",
     "law: continuous, level: {coulomb: fc, viscous: fv}, stiffness: 1e4, damping: 40",
     3,
     {"m", "fc", "fv"},
     {1.2, 3.0, 0.8}},
    {"compound",
     "{type: rk4-tau, step: 2.5e-3}",
     "law: compound, levels: [fc, fs], stiffnesses: [3000, 1000], dampings: [30, 30]",
     3,
     {"m", "fc", "fs"},
     {1.2, 2.0, 1.5}},
    {"maxwell-slip",
     "{type: rk4-tau, step: 2.5e-3}",
     "law: maxwell-slip, levels: [fc, fs], stiffnesses: [3000, 1000]",
     3,
     {"m", "fc", "fs"},
     {1.2, 2.0, 1.5}},
    // Its result jumps with its numbers by what one step adds to the speed, T F/M
    {"karnopp",
     "{type: discrete, step: 2.5e-4}",
     "law: karnopp, level: {coulomb: fc, viscous: fv}, threshold: 0.01",
     3,
     {"m", "fc", "fv"},
     {1.2, 3.0, 0.8}},
    {"viscous-approximation",
     "{type: rk4, step: 2.5e-3}",
     "law: viscous-approximation, level: {coulomb: fc, viscous: fv}, threshold: 0.02",
     3,
     {"m", "fc", "fv"},
     {1.2, 3.0, 0.8}},
    {"elastoplastic",
     "{type: rk4, step: 2.5e-3}",
     "law: elastoplastic, level: {kinetic: fc, static: fs, stribeck_velocity: 0.3}, "
     "stiffness: 3000, damping: 30, viscous: fv",
     4,
     {"m", "fc", "fs", "fv"},
     {1.2, 3.0, 4.5, 0.8}},
    {"leuven",
     "{type: rk4, step: 1e-3}",
     "law: leuven, level: {coulomb: fc}, levels: [2, 3], stiffnesses: [3000, 1000], "
     "damping: 30, viscous: fv",
     3,
     {"m", "fc", "fv"},
     {1.2, 3.0, 0.8}},
    {"gms",
     "{type: rk4, step: 1e-3}",
     "law: gms, level: {kinetic: fc, static: fs, stribeck_velocity: 0.3}, shares: "
     "[0.4, 0.6], stiffnesses: [3000, 1000], damping: 30, viscous: fv",
     4,
     {"m", "fc", "fs", "fv"},
     {1.2, 3.0, 4.5, 0.8}},
    {"armstrong",
     "{type: rk4, step: 1e-3}",
     "law: armstrong, level: {kinetic: fc, static: fs, stribeck_velocity: 0.3, "
     "viscous: fv}, stiffness: 3000, lag: 0.005, dwell: 0.1",
     4,
     {"m", "fc", "fs", "fv"},
     {1.2, 3.0, 4.5, 0.8}},
    {"hayward-armstrong",
     "{type: rk4, step: 2.5e-3}",
     "law: hayward-armstrong, level: {coulomb: fc}, stiffness: k",
     3,
     {"m", "fc", "k"},
     {1.2, 3.0, 800.0}},
    {"bouc-wen",
     "{type: rk4, step: 2.5e-3}",
     "law: bouc-wen, level: {coulomb: fc}, stiffness: k",
     3,
     {"m", "fc", "k"},
     {1.2, 3.0, 800.0}},
};

// What came of one law and seed.
typedef struct outcome {
    double worst;    // error of a number, in half widths of its interval
    int inside;      // numbers within their intervals
    char fault[160]; // empty: none
} outcome;

// The fit of a log, judged.
static void judge(const truth *t, const hf_fit *fit, double seconds, outcome *out)
{
    for (int i = 0; i < t->count; ++i) {
        hf_fit_unknown u = hf_fit_get_unknown(fit, i);
        double off = fabs(u.value - t->value[i]) / u.half_width;
        bool useful = u.half_width <= (seconds < 5.0 ? 0.4 : 0.15) * t->value[i];
        out->worst = fmax(out->worst, off);
        out->inside += off <= 1.0;
        if (!(off <= 2.0) || !useful || u.finding != HF_FIT_FOUND) {
            (void)snprintf(out->fault, sizeof out->fault, "%s %g +- %g, true %g: %s", u.name,
                           u.value, u.half_width, t->value[i], hf_fit_finding_text(u.finding));
        }
    }
    double rms = hf_fit_get_error(fit, 0, 0, false).rms;
    if (!hf_fit_get_summary(fit).converged || !(rms <= 1.1e-4)) {
        (void)snprintf(out->fault, sizeof out->fault, "converged: %d, rms %g where noise is 1e-4",
                       hf_fit_get_summary(fit).converged, rms);
    }
}

static void recover(const truth *t, uint64_t seed, double seconds, outcome *out)
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
    scene s = scene_begin(text);
    // First guesses beside the truth
    for (int i = 0; i < t->count; ++i) {
        scene_free(&s, t->free[i], t->value[i] * off[i % 4]);
    }
    // A log with noise, and a fit to it
    hf_rng rng = hf_rng_create(seed);
    s.logs[s.log_count++] =
        scene_log(s.machine, t->value, "block.position", seconds, 1e-4, 0.0, 0.0, &rng);
    hf_error error = {0};
    hf_fit *fit = scene_create(&s, &error);
    if (fit == NULL || hf_fit_run(fit, &error) != HF_OK) {
        (void)snprintf(out->fault, sizeof out->fault, "%.150s", error.text);
    } else {
        judge(t, fit, seconds, out);
    }
    hf_fit_destroy(fit);
    scene_end(&s);
}

typedef struct work {
    int seeds;
    double seconds;
    outcome *outcomes; // [law][seed]
} work;

// Whether this row is tried: HF_FIT_LAW names one of them.
static bool wanted_row(const truth *t)
{
    const char *only = getenv("HF_FIT_LAW");
    return (strstr(t->method, "switch") == NULL || HF_HAS_ADAPTIVE) &&
           (only == NULL || strcmp(only, t->name) == 0);
}

static bool recover_one(void *context, int worker, long long index)
{
    const work *w = context;
    const truth *t = &truths[index / w->seeds];
    (void)worker;
    const char *only = getenv("HF_FIT_SEED");
    if (wanted_row(t) && (only == NULL || atoll(only) == index % w->seeds + 1)) {
        recover(t, (uint64_t)(index % w->seeds + 1), w->seconds, &w->outcomes[index]);
    }
    return true;
}

// A row of the page's table. Returns how many seeds have a fault.
static int print_row(const truth *t, const outcome *all, int seeds)
{
    int inside = 0, faults = 0;
    double worst = 0.0;
    char names[80] = "";
    for (int i = 0; i < t->count; ++i) {
        (void)strcat(strcat(names, i == 0 ? "" : ", "), t->free[i]);
    }
    for (int i = 0; i < seeds; ++i) {
        inside += all[i].inside;
        worst = fmax(worst, all[i].worst);
        faults += all[i].fault[0] != '\0';
        if (all[i].fault[0] != '\0') {
            print_message("%s, seed %d: %s\n", t->name, i + 1, all[i].fault);
        }
    }
    // {type: rk4, step: 1e-3}: the method, and its step in ms
    char method[40] = "";
    double step = 0.0;
    assert_int_equal(sscanf(t->method, "{type: %39[^,], step: %lf}", method, &step), 2);
    print_message("| %s | %s, %g ms | %s | %d | %.1f %% | %.2f |\n", t->name, method, 1e3 * step,
                  names, seeds - faults, 100.0 * inside / (seeds * t->count), worst);
    return faults;
}

static void laws_recover_themselves(void **state)
{
    (void)state;
    const char *wanted = getenv("HF_FIT_SEEDS"), *jobs = getenv("HF_FIT_JOBS");
    int laws = (int)(sizeof truths / sizeof *truths), faults = 0;
    bool all = wanted != NULL || getenv("HF_FIT_LONG") != NULL;
    work w = {.seeds = wanted != NULL ? atoi(wanted) : all ? 50 : 1, .seconds = all ? 8.0 : 3.0};
    w.outcomes = calloc((size_t)(laws * w.seeds), sizeof *w.outcomes);
    assert_non_null(w.outcomes);
    hf_crew crew = {.count = (long long)laws * w.seeds, .work = recover_one, .context = &w};
    assert_true(hf_crew_run(&crew, jobs == NULL ? 2 : atoi(jobs)));
    print_message(
        "| law | method, step | numbers | of %d seeds recovered | numbers within their 95 %% "
        "interval | farthest, in half widths |\n|---|---|---|---|---|---|\n",
        w.seeds);
    for (int i = 0; i < laws; ++i) {
        if (wanted_row(&truths[i])) {
            faults += print_row(&truths[i], w.outcomes + (size_t)i * (size_t)w.seeds, w.seeds);
        }
    }
    free(w.outcomes);
    assert_int_equal(faults, 0);
}

// A segment whose start is in a wrong valley draws the numbers to itself: from this log viscous
// friction came out as 0.8104 +- 0.0040 where 0.8 is true, or the search ended at three times the
// noise, before such segments were left out for a while (outliers.c). From that of seed 10 the
// first segment began at -0.035 m/s in place of rest, whose inner state all segments behind it
// inherit: every one fitted a little worse and none far worse (0.8108 +- 0.0045), before those that
// pull began otherwise.
static void wrong_valleys_of_starts_are_left(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof truths / sizeof *truths; ++i) {
        if (strcmp(truths[i].name, "armstrong") == 0) {
            static const uint64_t seeds[] = {4, 10};
            for (size_t k = 0; k < sizeof seeds / sizeof *seeds; ++k) {
                outcome out = {0};
                recover(&truths[i], seeds[k], 8.0, &out);
                assert_string_equal(out.fault, "");
            }
            return;
        }
    }
    fail_msg("no row 'armstrong'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_valleys_of_starts_are_left),
        cmocka_unit_test(laws_recover_themselves),
    };
    return hf_run_tests(tests);
}
