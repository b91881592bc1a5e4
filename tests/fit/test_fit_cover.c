// SPDX-License-Identifier: Apache-2.0
// Nominal 95 % intervals cover the truth in 90 to 99 % of repetitions, with a disturbance of the
// force that has a memory; those of the usual formula, as if residuals were white, do not. A build
// makes a few repetitions on short logs; HF_FIT_REPEATS=200 as many on logs of 10 s, on HF_FIT_JOBS
// threads (scripts/docs-fit.sh).
//
// Also the parts: Student's quantiles, and degrees of freedom where they are known.
#include <stdio.h>
#include <stdlib.h>

#include "base/crew.h"
#include "fit/fit_data.h"
#include "fit_scene.h"

static const char slide[] =
    "method: {type: discrete, step: 5e-3}\n"
    "parameters: {m: 1.2, forth: 3, back: 3, fv: 0.8}\n"
    "bodies: {block: {type: mass, dim: 1, mass: m}}\n"
    "signals: {drive: {input: 0}}\n"
    "forces:\n"
    "  - {name: motor, on: block, type: force, value: drive}\n"
    "  - {name: pad, on: block, type: friction, law: coulomb, level: {coulomb: [forth, back], "
    "viscous: fv}}\n";

enum { NUMBERS = 4, LOGS = 2 };
static const char *const names[NUMBERS] = {"m", "forth", "back", "fv"};
static const double starts[NUMBERS] = {1.0, 2.5, 3.5, 0.5}, truth[NUMBERS] = {1.2, 3.0, 3.0, 0.8};

// What came of one repetition, by number.
typedef struct outcome {
    double off[NUMBERS], width[NUMBERS], white_width[NUMBERS];
} outcome;

// Two logs whose force was disturbed by 0.3 N with a memory of 0.1 s, and a fit.
static void repeat(outcome *out, uint64_t seed, double seconds)
{
    hf_rng rng = hf_rng_create(seed);
    scene s = scene_begin(slide);
    for (int p = 0; p < NUMBERS; ++p) {
        scene_free(&s, names[p], starts[p]);
    }
    while (s.log_count < LOGS) {
        s.logs[s.log_count++] =
            scene_log(s.machine, truth, "block.position", seconds, 1e-4, 0.3, 0.95, &rng);
    }
    hf_fit *fit = scene_run(&s);
    for (int p = 0; p < NUMBERS; ++p) {
        hf_fit_unknown u = hf_fit_get_unknown(fit, p);
        out->off[p] = u.value - truth[p];
        out->width[p] = u.half_width;
        out->white_width[p] = 1.96 * u.white;
    }
    hf_fit_destroy(fit);
    scene_end(&s);
}

// Repetitions, by whoever is free.
typedef struct work {
    outcome *outcomes;
    double seconds;
} work;

static bool repeat_one(void *context, int worker, long long index)
{
    const work *w = context;
    (void)worker;
    repeat(&w->outcomes[index], (uint64_t)(100 + index), w->seconds);
    return true;
}

// The table of the page, and the part of all intervals that cover.
static void print_table(const outcome *all, int repeats, double *told, double *white)
{
    double n = repeats;
    *told = *white = 0.0;
    print_message(
        "| number | truth | mean error | scatter | half width reported | covers | white half "
        "width | covers |\n|---|---|---|---|---|---|---|---|\n");
    for (int p = 0; p < NUMBERS; ++p) {
        double mean = 0.0, square = 0.0, width = 0.0, narrow = 0.0, by_told = 0.0, by_white = 0.0;
        for (int i = 0; i < repeats; ++i) {
            const outcome *o = &all[i];
            mean += o->off[p] / n;
            square += o->off[p] * o->off[p] / n;
            width += o->width[p] / n;
            narrow += o->white_width[p] / n;
            by_told += (fabs(o->off[p]) <= o->width[p]) / n;
            by_white += (fabs(o->off[p]) <= o->white_width[p]) / n;
        }
        print_message("| %s | %g | %.4f | %.4f | %.4f | %.1f %% | %.4f | %.1f %% |\n", names[p],
                      truth[p], mean, sqrt(square - mean * mean), width, 100.0 * by_told, narrow,
                      100.0 * by_white);
        *told += by_told / NUMBERS;
        *white += by_white / NUMBERS;
    }
    print_message("| all %d | | | | | **%.1f %%** | | %.1f %% |\n", repeats * NUMBERS,
                  100.0 * *told, 100.0 * *white);
}

static void intervals_cover(void **state)
{
    (void)state;
    const char *wanted = getenv("HF_FIT_REPEATS"), *jobs = getenv("HF_FIT_JOBS");
    int repeats = wanted == NULL ? 6 : atoi(wanted);
    work w = {.outcomes = calloc((size_t)repeats, sizeof *w.outcomes),
              .seconds = wanted == NULL ? 4.0 : 10.0};
    assert_non_null(w.outcomes);
    hf_crew crew = {.count = repeats, .work = repeat_one, .context = &w};
    assert_true(hf_crew_run(&crew, jobs == NULL ? 2 : atoi(jobs)));
    double told = 0.0, white = 0.0;
    print_table(w.outcomes, repeats, &told, &white);
    free(w.outcomes);
    // Of 24 intervals that cover by 95 % fewer than 20 do in one case of 170
    hf_check_below(wanted == NULL ? 0.82 : 0.90, told, "coverage", "95 % intervals");
    hf_check_below(white, 0.5, "coverage of white intervals", "known to be low");
    if (wanted != NULL) {
        hf_check_below(told, 0.99, "coverage", "95 % intervals");
    }
}

// Tables of the distribution.
static void students_quantiles(void **state)
{
    (void)state;
    static const double known[][2] = {{1.0, 12.7062047364},  {2.0, 4.30265272991},
                                      {5.0, 2.57058183564},  {10.0, 2.22813885196},
                                      {30.0, 2.04227245630}, {1000.0, 1.96233908082}};
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
        hf_check_near(hf_fit_student(known[i][0]), known[i][1], 1e-8, "quantile", "tables");
    }
    hf_check_near(hf_fit_student(INFINITY), 1.959963984540054, 1e-14, "quantile", "normal");
}

// The mean of n numbers, each a block of its log: V is their variance over n, and has n - 1 degrees
// of freedom. One block that has most of the weight leaves hardly any.
static void freedom_of_a_mean(void **state)
{
    (void)state;
    enum { N = 8 };
    double parts[N], h = N, inverse = 1.0 / N, freedom = 0.0, excess = 0.0;
    bool follows[N] = {false};
    for (int i = 0; i < N; ++i) {
        parts[i] = 1.0;
    }
    hf_fit_blocks blocks = {.unknowns = 1,
                            .count = N,
                            .h = &h,
                            .inverse = &inverse,
                            .parts = parts,
                            .follows = follows};
    assert_true(hf_fit_freedom(&blocks, 0, &freedom, &excess));
    hf_check_near(freedom, N - 1.0, 1e-12, "degrees of freedom", "variance of a sample");
    // The jackknife without (n - 1)/n
    hf_check_near(excess, N / (N - 1.0), 1e-12, "excess", "jackknife");
    for (int i = 0; i < N; ++i) {
        follows[i] = i > 0;
    }
    assert_true(hf_fit_freedom(&blocks, 0, &freedom, &excess));
    hf_check_below(freedom, 0.75 * (N - 1.0), "degrees of freedom", "neighbours count too");
    memset(follows, 0, sizeof follows);
    parts[0] = 20.0;
    h = N - 1.0 + parts[0];
    inverse = 1.0 / h;
    assert_true(hf_fit_freedom(&blocks, 0, &freedom, &excess));
    hf_check_below(freedom, 2.0, "degrees of freedom", "one block tells nearly all");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(students_quantiles),
        cmocka_unit_test(freedom_of_a_mean),
        cmocka_unit_test(intervals_cover),
    };
    return hf_run_tests(tests);
}
