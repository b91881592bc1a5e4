// SPDX-License-Identifier: Apache-2.0
// Sensitivity of functions whose indices are known.
#include <math.h>

#include "sweep_files.h"

static const double PI = 3.14159265358979323846;

// Ishigami's function, f = sin x1 + a sin^2 x2 + b x3^4 sin x1, x uniform in (-pi, pi).
static const char ishigami[] = "method: {type: euler, step: 1}\n"
                               "duration: 1\n"
                               "parameters: {x1: 0, x2: 0, x3: 0}\n"
                               "bodies: {m: {type: mass, dim: 1, mass: 1}}\n"
                               "signals: {f: \"0*t + sin(x1) + 7*sin(x2)^2 + 0.1*x3^4*sin(x1)\"}\n"
                               "forces:\n  - {name: push, on: m, type: force, value: f}\n";

static hf_sweep_def ishigami_def(const char **vary)
{
    static const char *const of[] = {"f.value"};
    hf_sweep_def def = hf_sweep_def_default();
    vary[0] = "x1=uniform:-3.141592653589793:3.141592653589793";
    vary[1] = "x2=uniform:-3.141592653589793:3.141592653589793";
    vary[2] = "x3=uniform:-3.141592653589793:3.141592653589793";
    def.text = ishigami;
    def.length = strlen(ishigami);
    def.vary = vary;
    def.vary_count = 3;
    def.of = of;
    def.of_count = 1;
    return def;
}

// [Ishigami1990]: V = a^2/8 + b pi^4/5 + b^2 pi^8/18 + 1/2, and its parts.
static void test_sobol(void **state)
{
    (void)state;
    const char *vary[3];
    hf_sweep_def def = ishigami_def(vary);
    def.indices = HF_SWEEP_SOBOL_INDICES;
    def.design = HF_SWEEP_SOBOL;
    def.samples = 4096;
    hf_table *t = hf_sweep_rows(&def);
    assert_int_equal(t->rows, 5 * 4096);
    hf_sweep_index s[3];
    hf_error error = {0};
    assert_int_equal(hf_sweep_table_indices(t, hf_table_find(t, "f.value"), s, 3, &error), 3);
    double a = 7.0, b = 0.1, p4 = pow(PI, 4), p8 = p4 * p4;
    double v1 = 0.5 * (1 + b * p4 / 5) * (1 + b * p4 / 5), v2 = a * a / 8,
           v13 = 8 * b * b * p8 / 225;
    double v = v1 + v2 + v13;
    const double first[] = {v1 / v, v2 / v, 0.0};
    const double total[] = {(v1 + v13) / v, v2 / v, v13 / v};
    for (int i = 0; i < 3; ++i) {
        hf_check_near(s[i].first, first[i], 0.02, "first order", "closed form");
        hf_check_near(s[i].total, total[i], 0.02, "total", "closed form");
        hf_check_below(fabs(s[i].first - first[i]), 4.0 * s[i].first_error, "error",
                       "its estimate");
        assert_int_equal(s[i].used, 4096);
    }
    hf_table_destroy(t);
}

// Cases that fail leave out the triples (a, b, mixed) they belong to, and no others: indices by
// Saltelli's and Jansen's sums over what the table has.
static void test_failed_cases(void **state)
{
    (void)state;
    enum { SAMPLES = 64 };
    static const char text[] = "method: {type: euler, step: 1}\n"
                               "duration: 1\n"
                               "parameters: {x1: 0, x2: 0, x3: 0}\n"
                               "bodies: {m: {type: mass, dim: 1, mass: \"2.5 - x3\"}}\n"
                               "signals: {f: \"0*t + sin(x1) + 7*sin(x2)^2 + 0.1*x3^4*sin(x1)\"}\n"
                               "forces:\n  - {name: push, on: m, type: force, value: f}\n";
    const char *vary[3];
    hf_sweep_def def = ishigami_def(vary);
    def.text = text; // no mass beyond x3 = 2.5
    def.length = strlen(text);
    def.indices = HF_SWEEP_SOBOL_INDICES;
    def.design = HF_SWEEP_SOBOL;
    def.samples = SAMPLES;
    hf_table *t = hf_sweep_rows(&def);
    assert_int_equal(t->rows, 5 * SAMPLES);
    const double *f = t->columns[hf_table_find(t, "f.value")].numbers;
    hf_sweep_index s[3];
    hf_error error = {0};
    assert_int_equal(hf_sweep_table_indices(t, hf_table_find(t, "f.value"), s, 3, &error), 3);
    double sum = 0.0, squares = 0.0, all = 0.0;
    for (int k = 0; k < 2 * SAMPLES; ++k) {
        if (isfinite(f[k])) {
            sum += f[k];
            squares += f[k] * f[k];
            all += 1.0;
        }
    }
    double mean = sum / all, variance = squares / all - mean * mean;
    for (int i = 0; i < 3; ++i) {
        double first = 0.0, total = 0.0;
        int used = 0;
        for (int k = 0; k < SAMPLES; ++k) {
            double a = f[k], b = f[SAMPLES + k], mixed = f[(2 + i) * SAMPLES + k];
            if (isfinite(a + b + mixed)) {
                first += (b - mean) * (mixed - a);
                total += 0.5 * (a - mixed) * (a - mixed);
                used += 1;
            }
        }
        assert_in_range(used, SAMPLES / 3, SAMPLES - 4);
        assert_int_equal(s[i].used, used);
        // The variance may be over n or n - 1 values
        hf_check_near(s[i].first, first / used / variance, 0.02, "first order", "Saltelli's sum");
        hf_check_near(s[i].total, total / used / variance, 0.02, "total", "Jansen's sum");
    }
    hf_table_destroy(t);
}

// Morris's effects of Ishigami's function on four levels, -pi, -pi/3, pi/3, pi, where a step is 2/3
// of the axis. |sin| is 0 at the ends and s = sqrt(3)/2 between, so that every step changes sin x1
// by s and sin^2 x2 by s^2; the factor 1 + b x3^4 is one of two numbers, with equal chances; x3
// counts where sin x1 does, in half of the walks. A linear function has its slopes as means, and no
// spread; of a normal distribution, the slopes of its quantiles from 0.005 to 0.995.
static void test_morris(void **state)
{
    (void)state;
    const char *vary[3];
    hf_sweep_def def = ishigami_def(vary);
    hf_sweep_index s[3];
    hf_error error = {0};
    def.indices = HF_SWEEP_MORRIS;
    def.samples = 400;
    hf_table *t = hf_sweep_rows(&def);
    assert_int_equal(t->rows, 1600);
    assert_int_equal(hf_sweep_table_indices(t, hf_table_find(t, "f.value"), s, 3, &error), 3);
    const double sine = sqrt(3.0) / 2.0, high = 0.1 * pow(PI, 4), low = high / 81.0;
    const double sizes[] = {1.5 * sine * (1.0 + (high + low) / 2.0), 1.5 * 7.0 * sine * sine,
                            1.5 * sine / 2.0 * (high - low)};
    // Means of 400 sizes that are one of two numbers, within four of their deviations
    const double allowed[] = {1.5 * sine * (high - low) / 10.0, 1e-9,
                              1.5 * sine * (high - low) / 10.0};
    // Effects of x1 are never below zero, those of the others are as often
    const double means[] = {sizes[0], 0.0, 0.0};
    const double spreads[] = {1.5 * sine * (high - low) / 2.0, sizes[1],
                              1.5 * sine * (high - low) / sqrt(2.0)};
    for (int i = 0; i < 3; ++i) {
        assert_int_equal(s[i].used, 400);
        hf_check_near(s[i].total, sizes[i], allowed[i], "mean size", "closed form");
        hf_check_near(s[i].first, means[i], spreads[i] / 5.0, "mean", "closed form");
        hf_check_near(s[i].spread, spreads[i], 0.1 * spreads[i], "spread", "closed form");
    }
    hf_table_destroy(t);
    static const char linear[] = "method: {type: euler, step: 1}\nduration: 1\n"
                                 "parameters: {x1: 0, x2: 0, x3: 0}\n"
                                 "bodies: {m: {type: mass, dim: 1, mass: 1}}\n"
                                 "signals: {f: \"0*t + 3*x1 - 2*x2\"}\n"
                                 "forces:\n  - {name: push, on: m, type: force, value: f}\n";
    vary[0] = "x1=uniform:0:1";
    vary[1] = "x2=uniform:0:1";
    vary[2] = "x3=uniform:0:1";
    def.text = linear;
    def.length = strlen(linear);
    t = hf_sweep_rows(&def);
    assert_int_equal(hf_sweep_table_indices(t, hf_table_find(t, "f.value"), s, 3, &error), 3);
    const double slopes[] = {3.0, -2.0, 0.0};
    for (int i = 0; i < 3; ++i) {
        hf_check_near(s[i].first, slopes[i], 1e-12, "mean effect", "slope");
        hf_check_near(s[i].total, fabs(slopes[i]), 1e-12, "mean size", "slope");
        hf_check_near(s[i].spread, 0.0, 1e-6, "spread", "linear");
    }
    hf_table_destroy(t);
    vary[0] = "x1=normal:0:1";
    t = hf_sweep_rows(&def);
    assert_int_equal(hf_sweep_table_indices(t, hf_table_find(t, "f.value"), s, 3, &error), 3);
    double slope = 3.0 * (0.42614800784127827 + 2.5758293035489) / 0.66;
    hf_check_near(s[0].first, slope, 1e-8, "mean effect", "quantiles");
    hf_check_near(s[1].first, -2.0, 1e-9, "mean effect", "slope");
    hf_table_destroy(t);
}

// A table that was not planned for indices has none.
static void test_refusals(void **state)
{
    (void)state;
    const char *vary[3];
    hf_sweep_def def = ishigami_def(vary);
    hf_error error = {0};
    hf_sweep_index s[3];
    def.samples = 4;
    hf_table *t = hf_sweep_rows(&def);
    assert_true(hf_sweep_table_indices(t, hf_table_find(t, "f.value"), s, 3, &error) < 0);
    assert_non_null(strstr(error.text, "not planned"));
    hf_table_destroy(t);
    vary[2] = "x3=1:2:3";
    def.indices = HF_SWEEP_SOBOL_INDICES;
    def.output = "/tmp/never.h5";
    assert_null(hf_sweep_create(&def, &error));
    assert_non_null(strstr(error.text, "random axes"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sobol),
        cmocka_unit_test(test_failed_cases),
        cmocka_unit_test(test_morris),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
