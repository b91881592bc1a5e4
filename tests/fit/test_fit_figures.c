// SPDX-License-Identifier: Apache-2.0
// What a fit tells of its errors, by their definitions; profiles leave the fit as it was; numbers
// that are not there are told with the nearest name.
#include <stdlib.h>

#include "fit_scene.h"

enum { ROWS = 201 };
static const double STEP = 5e-3;
static const char MACHINE[] =
    "method: {type: discrete, step: 1e-3}\n"
    "parameters: {first: 2, stiff: 90}\n"
    "bodies: {block: {type: mass, dim: 1, mass: first}}\n"
    "signals: {drive: {input: 0}}\n"
    "forces:\n"
    "  - {name: motor, on: block, type: force, value: drive}\n"
    "  - {name: spring, on: block, type: spring, stiffness: stiff, damping: 1}\n";

static scene stage;

// A fit of the stiffness to a motion with a slow error of 1 mm.
static hf_fit *make_fit(void)
{
    static const char *const names[] = {"u", "y"};
    hf_fit_log *log = hf_fit_log_create("run", ROWS, names, 2);
    assert_non_null(log);
    for (int k = 0; k < ROWS; ++k) {
        double t = STEP * k;
        log->time[k] = t;
        log->columns[0][k] = 9.0 * sin(7.0 * t);
        log->columns[1][k] = 0.1 * sin(7.0 * t) + 1e-3 * sin(40.0 * t);
    }
    stage = scene_begin(MACHINE);
    scene_free(&stage, "stiff", 80.0);
    stage.logs[stage.log_count++] = log;
    return scene_run(&stage);
}

static void end_fit(hf_fit *fit)
{
    hf_fit_destroy(fit);
    scene_end(&stage);
}

static void errors_by_definition(void **state)
{
    (void)state;
    hf_fit *fit = make_fit();
    for (int whole = 0; whole < 2; ++whole) {
        hf_fit_error told = hf_fit_get_error(fit, 0, 0, whole == 1);
        const double *y = hf_fit_measured(fit, 0, 0), *s = hf_fit_simulated(fit, 0, 0, whole == 1);
        double squares = 0.0, power = 0.0, absolute = 0.0, largest = 0.0, mean = 0.0,
               variance = 0.0;
        double low = y[0], high = y[0];
        for (int k = 0; k < ROWS; ++k) {
            double e = y[k] - s[k];
            squares += e * e;
            power += y[k] * y[k];
            absolute += fabs(e) / ROWS;
            largest = fmax(largest, fabs(e));
            mean += y[k] / ROWS;
            low = fmin(low, y[k]);
            high = fmax(high, y[k]);
        }
        // Where the sum of products falls below a part 1/e of the sum of squares
        int lag = 0;
        double product = squares;
        while (lag < ROWS / 2 && product > exp(-1.0) * squares) {
            ++lag;
            product = 0.0;
            for (int k = 0; k + lag < ROWS; ++k) {
                product += (y[k] - s[k]) * (y[k + lag] - s[k + lag]);
            }
        }
        for (int k = 0; k < ROWS; ++k) {
            variance += (y[k] - mean) * (y[k] - mean);
        }
        double rms = sqrt(squares / ROWS);
        hf_check_near(told.rms, rms, 1e-12 * rms, "rms", "definition");
        hf_check_near(told.mean_absolute, absolute, 1e-12 * absolute, "mean", "definition");
        hf_check_near(told.largest, largest, 1e-12 * largest, "largest", "definition");
        hf_check_near(told.relative, sqrt(squares / power), 1e-12, "relative", "definition");
        hf_check_near(told.normalized, rms / (high - low), 1e-12, "normalized", "definition");
        hf_check_near(told.r2, 1.0 - squares / variance, 1e-12, "R2", "definition");
        hf_check_near(told.correlation_time, lag * STEP, 1e-12, "memory", "definition");
        assert_true(lag > 2); // there is some
    }
    end_fit(fit);
}

// A profile moves the number and everything else; afterwards all is as before, and the same profile
// gives the same bits.
static void profiles_put_back(void **state)
{
    (void)state;
    hf_fit *fit = make_fit();
    hf_error error = {0};
    hf_fit_unknown before = hf_fit_get_unknown(fit, 0);
    double simulated[ROWS], first[2], again[2];
    memcpy(simulated, hf_fit_simulated(fit, 0, 0, false), sizeof simulated);
    const double held[2] = {before.value * 0.9, before.value * 1.2};
    assert_int_equal(hf_fit_profile(fit, 0, held, 2, first, &error), HF_OK);
    double cost = hf_fit_get_summary(fit).cost;
    assert_true(first[0] > cost && first[1] > cost);
    hf_check_same_bits(hf_fit_get_unknown(fit, 0).value, before.value, "value after a profile");
    for (int k = 0; k < ROWS; ++k) {
        hf_check_same_bits(hf_fit_simulated(fit, 0, 0, false)[k], simulated[k], "simulated");
    }
    assert_int_equal(hf_fit_profile(fit, 0, held, 2, again, &error), HF_OK);
    hf_check_same_bits(again[0], first[0], "profile");
    hf_check_same_bits(again[1], first[1], "profile");
    end_fit(fit);
}

static void nearest_names(void **state)
{
    (void)state;
    static const char *const cases[][2] = {{"frist", "did you mean 'first'"},
                                           {"stif", "did you mean 'stiff'"},
                                           {"spring.dampng", "did you mean 'spring.damping'"},
                                           {"bodies", "is a map"},
                                           {"zzzzzzzz", "has no number 'zzzzzzzz';"}};
    hf_error error = {0};
    stage = scene_begin(MACHINE);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        hf_fit_parameter parameter;
        assert_int_equal(hf_fit_machine_free(stage.machine, cases[i][0], &parameter, 1, &error), 0);
        if (strstr(error.text, cases[i][1]) == NULL) {
            fail_msg("'%s': %s", cases[i][0], error.text);
        }
    }
    scene_end(&stage);
    hf_fit_machine_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(errors_by_definition),
                                       cmocka_unit_test(profiles_put_back),
                                       cmocka_unit_test(nearest_names)};
    return hf_run_tests(tests);
}
