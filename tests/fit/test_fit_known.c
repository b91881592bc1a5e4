// SPDX-License-Identifier: Apache-2.0
// What a fit says of what it knows: parameters that cannot be told apart, that nothing depends on,
// that end at a bound; delays; priors; the same bits for any number of threads.
#include <stdio.h>
#include <stdlib.h>

#include "fit_scene.h"

static const char slide[] =
    "method: {type: discrete, step: 5e-3}\n"
    "parameters: {m: 1.2, forth: 3, back: 3, offset: {value: 0, range: [-10, 10]}, fv: 0.8, "
    "idle: 5}\n"
    "bodies: {block: {type: mass, dim: 1, mass: m}, spare: {type: mass, dim: 1, mass: idle}}\n"
    "signals: {drive: {input: 0}}\n"
    "forces:\n"
    "  - {name: motor, on: block, type: force, value: drive}\n"
    "  - {name: bias, on: block, type: force, value: -offset}\n"
    "  - {name: pad, on: block, type: friction, law: coulomb, level: {coulomb: [forth, back], "
    "viscous: fv}}\n";

// An offset and levels that differ by direction: exactly collinear.
static void names_what_is_collinear(void **state)
{
    (void)state;
    scene s = scene_begin(slide);
    hf_rng rng = hf_rng_create(3);
    scene_free(&s, "forth", 2.5);
    scene_free(&s, "back", 3.5);
    scene_free(&s, "offset", 0.0);
    scene_free(&s, "idle", 5.0);
    const double values[] = {3.2, 2.8, 0.0, 5.0};
    s.logs[s.log_count++] =
        scene_log(s.machine, values, "block.position", 2.0, 1e-4, 0.0, 0.0, &rng);
    hf_fit *fit = scene_run(&s);
    for (int i = 0; i < 3; ++i) {
        assert_int_equal(hf_fit_get_unknown(fit, i).finding, HF_FIT_TOGETHER);
    }
    assert_int_equal(hf_fit_get_unknown(fit, 3).finding, HF_FIT_UNSEEN);
    assert_true(scene_says(fit, "cannot be told apart"));
    assert_true(scene_says(fit, "idle: no matched channel depends on it"));
    assert_true(scene_says(fit, "Doubtful"));
    // What is known: the force against motion in each direction
    double forth = hf_fit_get_unknown(fit, 0).value, back = hf_fit_get_unknown(fit, 1).value;
    double offset = hf_fit_get_unknown(fit, 2).value;
    hf_check_near(forth + offset, 3.2, 0.02, "forth + offset", "the machine of the log");
    hf_check_near(back - offset, 2.8, 0.02, "back - offset", "the machine of the log");
    hf_fit_destroy(fit);
    scene_end(&s);
}

// The same where the numbers differ in size: the large one is named too.
static void names_all_that_is_collinear(void **state)
{
    (void)state;
    scene s = scene_begin(slide);
    hf_rng rng = hf_rng_create(8);
    scene_free(&s, "forth", 4.0);
    scene_free(&s, "back", 3.0);
    scene_free(&s, "offset", 0.4);
    const double values[] = {4.0, 3.0, 0.4};
    s.logs[s.log_count++] =
        scene_log(s.machine, values, "block.position", 4.0, 1e-4, 0.0, 0.0, &rng);
    hf_fit *fit = scene_run(&s);
    for (int i = 0; i < 3; ++i) {
        assert_int_equal(hf_fit_get_unknown(fit, i).finding, HF_FIT_TOGETHER);
    }
    hf_fit_destroy(fit);
    scene_end(&s);
}

// A log with noise in which nothing ever breaks away.
static void names_what_never_moves(void **state)
{
    (void)state;
    scene s = scene_begin(slide);
    hf_rng rng = hf_rng_create(9);
    scene_free(&s, "forth", 30.0);
    scene_free(&s, "back", 30.0);
    const double values[] = {30.0, 30.0};
    s.logs[s.log_count++] =
        scene_log(s.machine, values, "block.position", 3.0, 1e-4, 0.0, 0.0, &rng);
    hf_fit *fit = scene_run(&s);
    assert_true(scene_says(fit, "block.position never moves in these logs"));
    assert_int_equal(hf_fit_get_unknown(fit, 0).finding, HF_FIT_UNSEEN);
    hf_fit_destroy(fit);
    scene_end(&s);
}

static void finds_delays_and_bounds(void **state)
{
    (void)state;
    scene s = scene_begin(slide);
    hf_rng rng = hf_rng_create(4);
    scene_free(&s, "m", 1.0);
    scene_free(&s, "fv", 0.5);
    s.parameters[1].high = 0.6;
    const double values[] = {1.2, 0.8};
    s.logs[s.log_count++] =
        scene_log(s.machine, values, "block.position", 2.0, 1e-4, 0.0, 0.0, &rng);
    // The log's times are early by 20 ms: the machine feels the input later
    hf_fit_log *log = (hf_fit_log *)(uintptr_t)s.logs[0];
    for (long long k = 0; k + 4 < log->rows; ++k) {
        log->columns[0][k] = log->columns[0][k + 4];
    }
    s.parameters[s.count++] = (hf_fit_parameter){
        .name = "delay", .unit = "s", .kind = HF_FIT_DELAY, .low = -0.1, .high = 0.1};
    hf_fit *fit = scene_run(&s);
    assert_int_equal(hf_fit_get_unknown(fit, 1).finding, HF_FIT_AT_HIGH);
    assert_true(scene_says(fit, "upper bound"));
    hf_fit_destroy(fit);
    s.parameters[1].high = INFINITY;
    fit = scene_run(&s);
    hf_check_near(hf_fit_get_unknown(fit, 2).value, 0.02, 1e-3, "delay", "the shifted column");
    hf_check_near(hf_fit_get_unknown(fit, 0).value, 1.2, 0.01, "mass", "the machine of the log");
    hf_fit_destroy(fit);
    scene_end(&s);
}

// A measured prior of equal weight halves the variance and draws the value halfway.
static void weighs_priors(void **state)
{
    (void)state;
    scene s = scene_begin(slide);
    hf_rng rng = hf_rng_create(5);
    scene_free(&s, "m", 1.0);
    const double values[] = {1.2};
    s.logs[s.log_count++] =
        scene_log(s.machine, values, "block.position", 2.0, 1e-3, 0.0, 0.0, &rng);
    s.match.deviation = 1e-3;
    hf_fit *fit = scene_run(&s);
    double alone = hf_fit_get_unknown(fit, 0).value, deviation = hf_fit_get_unknown(fit, 0).white;
    // Its profile is a parabola, which rises by s^2 k^2 at k deviations
    const double values_held[] = {alone - 20.0 * deviation, alone + 20.0 * deviation, -1.0};
    double costs[3], least = hf_fit_get_summary(fit).cost;
    hf_error error = {0};
    assert_true(hf_fit_profile(fit, 0, values_held, 3, costs, &error) == HF_OK);
    double s2 = least / (double)hf_fit_get_summary(fit).residuals;
    for (int i = 0; i < 2; ++i) {
        hf_check_near((costs[i] - least) / s2, 400.0, 150.0, "rise at 20 deviations", "parabola");
    }
    assert_true(isnan(costs[2])); // below its bound
    hf_check_same_bits(hf_fit_get_summary(fit).cost, least, "cost afterwards");
    hf_fit_destroy(fit);
    s.parameters[0].prior = alone + 4.0 * deviation;
    s.parameters[0].prior_deviation = deviation;
    fit = scene_run(&s);
    // Starts of segments that stick make the valley not quite a parabola
    hf_check_near(hf_fit_get_unknown(fit, 0).value, alone + 2.0 * deviation, 1.0 * deviation,
                  "mass", "half of the way to the prior");
    hf_check_near(hf_fit_get_unknown(fit, 0).white, deviation / sqrt(2.0), 0.2 * deviation,
                  "white deviation", "two measurements");
    hf_fit_destroy(fit);
    scene_end(&s);
}

static void threads_change_no_bit(void **state)
{
    (void)state;
    double value[2][2] = {{0.0}};
    for (int i = 0; i < 2; ++i) {
        scene s = scene_begin(slide);
        hf_rng rng = hf_rng_create(6);
        scene_free(&s, "m", 1.0);
        scene_free(&s, "fv", 0.5);
        const double values[] = {1.2, 0.8};
        for (int k = 0; k < 2; ++k) {
            s.logs[s.log_count++] =
                scene_log(s.machine, values, "block.position", 2.0, 1e-4, 0.0, 0.0, &rng);
        }
        s.def.threads = i == 0 ? 1 : 3;
        s.def.starts = 2;
        s.def.loss = HF_FIT_SOFT_L1;
        hf_fit *fit = scene_run(&s);
        value[i][0] = hf_fit_get_unknown(fit, 0).value;
        value[i][1] = hf_fit_get_unknown(fit, 1).half_width;
        hf_fit_destroy(fit);
        scene_end(&s);
    }
    hf_check_same_bits(value[1][0], value[0][0], "value");
    hf_check_same_bits(value[1][1], value[0][1], "half width");
}

// The log of a machine in steps of 0.5 ms, fitted in steps of 5 ms: the numbers are those of the
// stepped machine, and that is told with what half the step would make of them.
static void tells_what_the_step_does(void **state)
{
    (void)state;
    char fine[sizeof slide + 8];
    const char *step = strstr(slide, "5e-3");
    (void)snprintf(fine, sizeof fine, "%.*s5e-4%s", (int)(step - slide), slide, step + 4);
    hf_rng rng = hf_rng_create(9);
    const double values[] = {1.2, 0.8};
    scene s = scene_begin(slide), truth = scene_begin(slide);
    hf_fit_machine_destroy(truth.machine);
    truth.machine = scene_machine(fine);
    scene_free(&truth, "m", 1.2);
    scene_free(&truth, "fv", 0.8);
    scene_free(&s, "m", 1.0);
    scene_free(&s, "fv", 0.5);
    s.logs[s.log_count++] =
        scene_log(truth.machine, values, "block.position", 20.0, 1e-5, 0.0, 0.0, &rng);
    hf_fit *fit = scene_run(&s);
    bool told = false;
    for (int i = 0; hf_fit_message(fit, i) != NULL; ++i) {
        double then = 0.0;
        const char *what = strstr(hf_fit_message(fit, i), "would make it ");
        told = told || what != NULL;
        // Nearer to the truth than what was found, by about a half
        if (what != NULL && strncmp(hf_fit_message(fit, i), "fv", 2) == 0 &&
            sscanf(what, "would make it %lf", &then) == 1) {
            double off = fabs(hf_fit_get_unknown(fit, 1).value - 0.8);
            hf_check_below(fabs(then - 0.8), 0.7 * off, "fv with half the step", "truth");
        }
    }
    assert_true(told);
    // The truth is outside of what was told: the verdict says so, and names the number
    hf_fit_unknown fv = hf_fit_get_unknown(fit, 1);
    hf_check_below(fv.half_width, fabs(fv.value - 0.8), "half width of fv", "its error");
    assert_non_null(strstr(hf_fit_message(fit, 0), "Doubtful: the step of the method is too"));
    assert_non_null(strstr(hf_fit_message(fit, 0), "fv"));
    hf_fit_destroy(fit);
    scene_end(&s);
    scene_end(&truth);
}

// Without friction m x'' = u: with the starts held, d(x)/dm has the second differences of -x/m.
static void knows_what_a_number_does(void **state)
{
    (void)state;
    scene s = scene_begin(slide);
    hf_rng rng = hf_rng_create(7);
    hf_error error = {0};
    hf_fit_machine_destroy(s.machine);
    s.machine = scene_machine("method: {type: discrete, step: 5e-3}\n"
                              "parameters: {m: 1.2, idle: 1}\n"
                              "bodies: {block: {type: mass, dim: 1, mass: m}, "
                              "spare: {type: mass, dim: 1, mass: idle}}\n"
                              "signals: {drive: {input: 0}}\n"
                              "forces: [{name: motor, on: block, type: force, value: drive}]\n");
    const double values[] = {1.2, 1.0};
    scene_free(&s, "m", 1.0);
    scene_free(&s, "idle", 1.0);
    s.logs[s.log_count++] =
        scene_log(s.machine, values, "block.position", 2.0, 1e-5, 0.0, 0.0, &rng);
    hf_fit *fit = scene_run(&s);
    double slopes[401], other[401], largest = 0.0, worst = 0.0;
    assert_int_equal(s.logs[0]->rows, 401);
    assert_true(hf_fit_sensitivity(fit, 0, 0, 0, slopes, &error) == HF_OK);
    assert_true(hf_fit_sensitivity(fit, 0, 0, 1, other, &error) == HF_OK);
    const double *x = hf_fit_simulated(fit, 0, 0, false);
    double m = hf_fit_get_unknown(fit, 0).value;
    // Within the second of the two segments
    for (int k = 220; k < 390; ++k) {
        double bend = slopes[k + 1] - 2.0 * slopes[k] + slopes[k - 1];
        double wanted = -(x[k + 1] - 2.0 * x[k] + x[k - 1]) / m;
        largest = fmax(largest, fabs(wanted));
        worst = fmax(worst, fabs(bend - wanted));
        assert_true(other[k] == 0.0);
    }
    hf_check_below(worst, 1e-3 * largest, "second differences", "m x'' = u");
    // The same again after a profile, which moves everything on its way
    double held = 1.1 * m, cost = 0.0, again[401];
    assert_true(hf_fit_profile(fit, 0, &held, 1, &cost, &error) == HF_OK);
    assert_true(hf_fit_sensitivity(fit, 0, 0, 0, again, &error) == HF_OK);
    hf_check_same_bits(again[300], slopes[300], "derivative after a profile");
    hf_fit_destroy(fit);
    scene_end(&s);
}

// Rows are missing for 0.4 s, in which the input went on: a segment begins behind the gap.
static void begins_anew_behind_a_gap(void **state)
{
    (void)state;
    scene s = scene_begin(slide);
    hf_rng rng = hf_rng_create(10);
    const double values[] = {1.2, 0.8};
    scene_free(&s, "m", 1.0);
    scene_free(&s, "fv", 0.5);
    s.logs[s.log_count++] =
        scene_log(s.machine, values, "block.position", 6.0, 1e-4, 0.0, 0.0, &rng);
    hf_fit_log *log = (hf_fit_log *)(uintptr_t)s.logs[0];
    enum { FROM = 540, LOST = 80 };
    for (long long k = FROM; k + LOST < log->rows; ++k) {
        log->time[k] = log->time[k + LOST];
        log->columns[0][k] = log->columns[0][k + LOST];
        log->columns[1][k] = log->columns[1][k + LOST];
    }
    log->rows -= LOST;
    hf_fit *fit = scene_run(&s);
    assert_true(scene_says(fit, "scene.csv has 1 gap, of up to 0.405 s (at 2.695 s)"));
    hf_check_below(hf_fit_get_error(fit, 0, 0, false).rms, 1.2e-4, "rms", "noise of 1e-4");
    hf_check_near(hf_fit_get_unknown(fit, 0).value, 1.2, 0.01, "mass", "the machine of the log");
    hf_check_near(hf_fit_get_unknown(fit, 1).value, 0.8, 0.03, "viscous", "the same");
    hf_fit_destroy(fit);
    scene_end(&s);
}

// An input that no log gives stays as it is: that is told, beside what then is not known.
static void names_an_input_that_is_not_given(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(12);
    const double values[] = {1.2};
    scene s = scene_begin("method: {type: discrete, step: 5e-3}\n"
                          "parameters: {m: 1.2}\n"
                          "bodies: {block: {type: mass, dim: 1, mass: m}}\n"
                          "signals: {drive: {input: 0}, brake: {input: 0}}\n"
                          "forces:\n"
                          "  - {name: motor, on: block, type: force, value: drive}\n"
                          "  - {name: shoe, on: block, type: force, value: brake}\n");
    scene_free(&s, "m", 1.0);
    s.logs[s.log_count++] =
        scene_log(s.machine, values, "block.position", 2.0, 1e-4, 0.0, 0.0, &rng);
    hf_fit *fit = scene_run(&s);
    assert_true(scene_says(fit, "The input 'brake' of the model is given by no column"));
    assert_false(scene_says(fit, "The input 'drive'"));
    hf_fit_destroy(fit);
    scene_end(&s);
}

// Whether a fit goes on, and the last that it told.
typedef struct listener {
    bool on;
    hf_fit_progress last;
} listener;

static bool goes_on(void *context, const hf_fit_progress *progress)
{
    listener *l = context;
    l->last = *progress;
    return l->on;
}

// An encoder that is zeroed where the machine stands has another zero in each log. A log that only
// judges has its own, too, which is found there; that of the others would judge the zero alone.
static void finds_the_zero_of_a_log_that_judges(void **state)
{
    (void)state;
    static const double zeros[] = {0.05, -0.03, 0.2};
    const double values[] = {1.2, 0.8};
    scene s = scene_begin("method: {type: discrete, step: 2e-3}\n"
                          "parameters: {m: 1.2, fv: 0.8}\n"
                          "bodies: {block: {type: mass, dim: 1, mass: m}}\n"
                          "signals: {drive: {input: 0}}\n"
                          "forces:\n"
                          "  - {name: motor, on: block, type: force, value: drive}\n"
                          "  - {name: home, on: block, type: spring, stiffness: 30}\n"
                          "  - {name: pad, on: block, type: friction, law: coulomb, level: "
                          "{coulomb: 1, viscous: fv}}\n");
    hf_rng rng = hf_rng_create(11);
    scene_free(&s, "m", 1.0);
    scene_free(&s, "fv", 0.5);
    for (int i = 0; i < 3; ++i) {
        hf_fit_log *log = scene_log(s.machine, values, "block.position", 4.0, 1e-4, 0.0, 0.0, &rng);
        for (long long k = 0; k < log->rows; ++k) {
            log->columns[1][k] += zeros[i];
        }
        s.logs[i] = log;
    }
    s.log_count = 2;
    s.judge_count = 1;
    s.parameters[s.count++] = (hf_fit_parameter){.name = "offset",
                                                 .kind = HF_FIT_OFFSET,
                                                 .low = -INFINITY,
                                                 .high = INFINITY,
                                                 .per_log = true};
    hf_fit *fit = scene_run(&s);
    hf_check_near(hf_fit_get_unknown(fit, 0).value, 1.2, 0.01, "mass", "the machine of the logs");
    for (int i = 0; i < 2; ++i) {
        hf_check_near(hf_fit_get_unknown(fit, 2 + i).value, zeros[i], 1e-3, "zero", "of the log");
    }
    hf_check_below(hf_fit_get_error(fit, 2, 0, false).rms, 1.2e-4, "rms of what judges",
                   "noise of 1e-4");
    hf_check_below(hf_fit_get_error(fit, 2, 0, true).rms, 1e-3, "rms of the free run", "the same");
    assert_true(scene_says(fit, "only judges, but for offset"));
    assert_true(scene_says(fit, "was found there as 0.2"));
    assert_true(scene_says(fit, "Trustworthy"));
    hf_fit_destroy(fit);
    scene_end(&s);
}

// A profile that is stopped tells nothing of what it has not fitted anew. What is told on the way
// is what the fit ends with.
static void stops_a_profile(void **state)
{
    (void)state;
    scene s = scene_begin(slide);
    hf_rng rng = hf_rng_create(8);
    hf_error error = {0};
    listener l = {.on = true};
    const double values[] = {1.2, 0.8};
    scene_free(&s, "m", 1.0);
    scene_free(&s, "fv", 0.5);
    s.logs[s.log_count++] =
        scene_log(s.machine, values, "block.position", 2.0, 1e-4, 0.0, 0.0, &rng);
    s.def.progress = goes_on;
    s.def.progress_context = &l;
    hf_fit *fit = scene_run(&s);
    hf_fit_summary summary = hf_fit_get_summary(fit);
    double told = l.last.rms, rows = (double)s.logs[0]->rows;
    hf_check_near(told, sqrt(summary.cost / rows), 1e-9 * told, "rms that was told", "the cost");
    const double held[] = {1.1, 1.3};
    double costs[2] = {0.0, 0.0};
    l.on = false;
    assert_true(hf_fit_profile(fit, 0, held, 2, costs, &error) == HF_INTERRUPTED);
    assert_true(isnan(costs[0]) && isnan(costs[1]));
    l.on = true;
    assert_true(hf_fit_profile(fit, 0, held, 2, costs, &error) == HF_OK);
    assert_true(costs[0] > hf_fit_get_summary(fit).cost);
    hf_fit_destroy(fit);
    scene_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_all_that_is_collinear),
        cmocka_unit_test(names_what_never_moves),
        cmocka_unit_test(names_what_is_collinear),
        cmocka_unit_test(finds_delays_and_bounds),
        cmocka_unit_test(weighs_priors),
        cmocka_unit_test(threads_change_no_bit),
        cmocka_unit_test(tells_what_the_step_does),
        cmocka_unit_test(knows_what_a_number_does),
        cmocka_unit_test(stops_a_profile),
        cmocka_unit_test(begins_anew_behind_a_gap),
        cmocka_unit_test(finds_the_zero_of_a_log_that_judges),
        cmocka_unit_test(names_an_input_that_is_not_given),
    };
    return hf_run_tests(tests);
}
