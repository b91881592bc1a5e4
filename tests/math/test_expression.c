// SPDX-License-Identifier: Apache-2.0
// Expressions: values, known times, faults, limits, and evaluation without allocation.
#include <hf_test.h>

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "math/expression.h"

static hf_expression *good(const char *text)
{
    hf_expression_fault fault = {0};
    hf_expression *expression = hf_expression_create(text, hf_expression_time, &fault);
    if (expression == NULL) {
        fail_msg("'%s' was refused: %s", text, fault.text);
    }
    return expression;
}

static double value_of(const char *text, double t)
{
    hf_expression *expression = good(text);
    double value = hf_expression_value(expression, &t);
    hf_expression_destroy(expression);
    return value;
}

static void values(void **state)
{
    (void)state;
    const double t = 0.75;
    const struct {
        const char *text;
        double want;
    } cases[] = {
        {"1e-4", 1e-4},
        {"1E+2", 100},
        {".5", 0.5},
        {"5.", 5},
        {"t", t},
        {"pi", acos(-1)},
        {"e", exp(1)},
        {"2e0*e", 2 * exp(1)},
        {"-2^2", -4},
        {"2^3^2", 512},
        {"2^-1", 0.5},
        {"+3 - -4", 7},
        {"2+3*4-6/3", 12},
        {"(2+3)*4", 20},
        {"sin(t)+cos(t)+tan(t)", sin(t) + cos(t) + tan(t)},
        {"asin(t)+acos(t)+atan(t)", asin(t) + acos(t) + atan(t)},
        {"atan2(t, -1)", atan2(t, -1)},
        {"sinh(t)+cosh(t)+tanh(t)", sinh(t) + cosh(t) + tanh(t)},
        {"exp(t)+ln(t)+log10(t)+sqrt(t)", exp(t) + log(t) + log10(t) + sqrt(t)},
        {"abs(-t)", t},
        {"prox(5, 1, 3) + 10*prox(-5, 1, 3) + 100*prox(2, 1, 3)", 213},
        {"sat(2, 5) + 10*sat(2, -5) + 100*sat(2, 1)", 82},
        {"dio(-3) + 10*dio(3)", 3},
        {"sign(-t) + 10*sign(0) + 100*sign(t)", 99},
        {"floor(t) + 10*ceil(t)", 10},
        {"mod(7, 4) + 10*mod(-1, 4)", 33},
        {"pow(t, 3)", t * t * t},
        {"min(3, 1, 2) + 10*max(3, 1, 2)", 31},
        // Numbers beside terms that are linear in t become one
        {"3*(t + 1)", 5.25},
        {"(t + 1)*3", 5.25},
        {"(1 + t)/4", 0.4375},
        {"3*(2*t - 1)", 1.5},
        {"2 - (t + 1)", 0.25},
        {"(t + 1) - 2", -0.25},
        {"1 + (2 - 4*t)", 0},
        {"(t*2)*3 + 1", 5.5},
        {"(2*t)/4", 0.375},
        {"5*(3*t)", 11.25},
        {"6/(t + 0.75)", 4},
        {"t < 1", 1},
        {"t <= 0.75 && t >= 0.75", 1},
        {"t > 1 || t != 0.75", 0},
        {"t == 0.75", 1},
        {"t < 1 ? 2 : 3", 2},
        {"t < 0.5 ? 1 : t < 0.8 ? 2 : 3", 2},
        {"(t < 0.5 ? 1 : 2) + (1 > 0 ? t : 0)", 2 + t},
        {"t < 1 ? t < 0.7 ? 1 : 2 : 3", 2},
        {" \t 1\n + 2 ", 3},
        {"t < 4 ? min(0.52, 0.3*t) : 0.336 + 0.144*sin(100*t)", 0.225},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        double got = value_of(cases[i].text, t);
        hf_check_near(got, cases[i].want, 1e-14 * (1 + fabs(cases[i].want)), cases[i].text, "libm");
    }
    assert_true(isnan(value_of("sqrt(-t)", t)));
    assert_true(isinf(value_of("1/0*t", t)));
}

static void faults(void **state)
{
    (void)state;
    const struct {
        const char *text;
        size_t position;
        const char *message;
    } cases[] = {
        {"", 0, "empty"},
        {"   ", 3, "empty"},
        {"2*", 2, "ends where a value is expected"},
        {"2 t", 2, "expected an operator"},
        {"2t", 1, "expected an operator after the number"},
        {"1.2.3", 3, "expected an operator after the number"},
        {"0x10", 1, "expected an operator after the number"},
        {"t (2)", 2, "expected an operator"},
        {"sin t", 0, "needs its argument in ( )"},
        {"sin", 0, "needs its argument in ( )"},
        {"sin()", 4, "expected a value"},
        {"sin(1, 2)", 0, "sin takes 1 argument, got 2"},
        {"2 + atan2(1)", 4, "atan2 takes 2 arguments, got 1"},
        {"max(1)", 0, "max takes 2 arguments or more, got 1"},
        {"(1, 2)", 2, "unexpected ','"},
        {"1, 2", 1, "unexpected ','"},
        {"(1", 0, "a parenthesis is not closed"},
        {"1)", 1, "unexpected ')'"},
        {"()", 1, "expected a value"},
        {"1 ? 2", 2, "'?' without ':'"},
        {"(1 ? 2)", 3, "'?' without ':'"},
        {"1 : 2", 2, "':' without '?'"},
        {"? 1 : 2", 0, "expected a value"},
        {"1 ? : 2", 4, "expected a value"},
        {"t = 3", 2, "'=' assigns"},
        {"t += 3", 3, "'=' assigns"},
        {"--3", 1, "more than one sign"},
        {"2 ** 3", 3, "expected a value"},
        {"!t", 0, "unexpected '!'"},
        {"t & t", 2, "unexpected '&'"},
        {"\"text\"", 0, "unexpected '\"'"},
        {"t $ 2", 2, "unexpected '$'"},
        {"t \xc3\x97 2", 2, "unexpected character"},
        {"x", 0, "unknown name 'x'"},
        {"2*time", 2, "unknown name 'time'"},
        {"sine(t)", 0, "unknown name 'sine'; did you mean 'sin'?"},
        {"logg10(t)", 0, "did you mean 'log10'?"},
        {"sum(1, 2)", 0, "unknown name 'sum'"},
        {"1e", 0, "exponent has no digits"},
        {"1e+", 0, "exponent has no digits"},
        {"1e999", 0, "too large"},
        {".", 0, "unexpected '.'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        hf_expression_fault fault = {0};
        if (hf_expression_create(cases[i].text, hf_expression_time, &fault) != NULL) {
            fail_msg("'%s' was accepted", cases[i].text);
        }
        if (strstr(fault.text, cases[i].message) == NULL || fault.position != cases[i].position) {
            fail_msg("'%s': got %zu: %s; want %zu: %s", cases[i].text, fault.position, fault.text,
                     cases[i].position, cases[i].message);
        }
    }
}

static char *filled(char letter, size_t count, const char *tail)
{
    char *text = malloc(count + strlen(tail) + 1);
    assert_non_null(text);
    memset(text, letter, count);
    memcpy(text + count, tail, strlen(tail) + 1);
    return text;
}

static void limits(void **state)
{
    (void)state;
    hf_expression_fault fault = {0};
    char *text = filled('(', 201, "t");
    assert_null(hf_expression_create(text, hf_expression_time, &fault));
    assert_non_null(strstr(fault.text, "nested deeper than 200 levels"));
    assert_int_equal(fault.position, 200);
    free(text);
    text = filled('1', HF_EXPRESSION_MAX_LENGTH + 1, "");
    assert_null(hf_expression_create(text, hf_expression_time, &fault));
    assert_non_null(strstr(fault.text, "longer than 16 KiB"));
    free(text);
    // 200 levels, and a sum of 8,000 terms, do work.
    text = filled('(', 200, "t");
    char *whole = malloc(1000);
    assert_non_null(whole);
    (void)snprintf(
        whole, 1000, "%s%.*s", text, 200,
        "))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))"
        "))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))"
        "))))))))))))))))))))))))))))))))))))))))");
    hf_check_near(value_of(whole, 3), 3, 0, "200 levels", "t");
    free(whole);
    free(text);
    text = filled(' ', 15999, "");
    for (int i = 0; i < 15999; ++i) {
        text[i] = i % 2 == 0 ? 't' : '+';
    }
    hf_check_near(value_of(text, 1), 8000, 0, "8000 terms", "t");
    // Powers of powers wait for each other; too many are refused, not overrun.
    for (int i = 1; i < 15999; i += 2) {
        text[i] = '^';
    }
    assert_null(hf_expression_create(text, hf_expression_time, &fault));
    assert_non_null(strstr(fault.text, "more than 2048 values wait"));
    text[4001] = '\0';
    hf_check_near(value_of(text, 1), 1, 0, "2000 powers", "1^1");
    free(text);
}

// A long chain of conditions needs room for one branch only, but for all in the switching
// functions.
static void long_chains(void **state)
{
    (void)state;
    enum { PIECES = 1200 };
    char text[HF_EXPRESSION_MAX_LENGTH];
    size_t used = 0;
    for (int i = 1; i <= PIECES; ++i) {
        used += (size_t)snprintf(text + used, sizeof text - used, "t*t<%d?%d:", i, i);
    }
    (void)snprintf(text + used, sizeof text - used, "0");
    hf_expression *expression = good(text);
    double t = sqrt(777.5), values[PIECES];
    hf_check_near(hf_expression_value(expression, &t), 778, 0, "the piece", "by hand");
    assert_int_equal(hf_expression_switch_count(expression), PIECES);
    hf_expression_switches(expression, &t, values);
    for (int i = 0; i < PIECES; ++i) {
        hf_check_near(values[i], t * t - (i + 1), 1e-12, "switching function", "t^2 - i");
    }
    hf_expression_destroy(expression);
}

// Times at which a condition or an argument that is linear in t changes.
static void known_times(void **state)
{
    (void)state;
    const struct {
        const char *text;
        int count, switches;
        double times[4];
    } cases[] = {
        {"t < 4 ? 1 : 2", 1, 0, {4}},
        {"2.5 <= t", 1, 0, {2.5}},
        {"t < 1 ? 1 : t < 2 ? 2 : t < 3 ? 3 : 4", 3, 0, {1, 2, 3}},
        {"(3 > t) * (t >= 1) + (1 < t && t < 3)", 2, 0, {1, 3}},
        {"t < 2*pi/4", 1, 0, {1.5707963267948966}},
        {"t > 1e-3", 1, 0, {1e-3}},
        {"max((t < 2)*1, 0)", 1, 1, {2}},
        {"t < (1 + 1) ? 0 : 1", 1, 0, {2}},
        {"2*t < 4", 1, 0, {2}},
        {"t + 1 < 4 - t/2", 1, 0, {2}},
        {"1000*(t - 4) > 0 ? 1 : 0", 1, 0, {4}},
        {"min(t, 0.53) + abs(2*t - 3) + sign(7 - t)", 3, 0, {0.53, 1.5, 7}},
        {"max(0, t - 1, 3 - t)", 1, 1, {1}},
        {"t - 1 ? 2 : 3", 1, 0, {1}},
        {"t < -1", 1, 0, {-1}},
        {"t^2 > 4", 0, 1, {0}},
        {"t < t", 0, 0, {0}},
        {"t < 1/0", 0, 0, {0}},
        {"sin(t) > 0", 0, 1, {0}},
        {"1 < 2 && 3 < 4 ? sin(t) : abs(-2)", 0, 0, {0}},
        {"floor(2*t) + ceil(t) + mod(t, 3)", 0, 3, {0}},
        {"t != 5", 1, 0, {5}},
        {"sin(t) && cos(t) || t < 2", 1, 2, {2}},
        {"sin(t) ? 1 : abs(cos(t))", 0, 2, {0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        hf_expression *expression = good(cases[i].text);
        const double *times;
        int count = hf_expression_times(expression, &times);
        int switches = hf_expression_switch_count(expression);
        if (count != cases[i].count || switches != cases[i].switches) {
            fail_msg("'%s': %d times and %d switches, want %d and %d", cases[i].text, count,
                     switches, cases[i].count, cases[i].switches);
        }
        hf_check_near_array(times, cases[i].times, count, 1e-15, cases[i].text, "by hand");
        hf_expression_destroy(expression);
    }
}

static void evaluation_does_not_allocate(void **state)
{
    (void)state;
    hf_expression *expression = good(
        "t < 4 ? min(0.52, 0.3*t, 7) : 0.336 + 0.144*sin(100*t) + atan2(t, 2)^2 - (t^2 > 5 ? 1 : "
        "floor(t))");
    double sum = 0.0, values[8] = {0}, gradient[1];
    assert_int_equal(hf_expression_switch_count(expression), 3);
    long long before = hf_test_allocations();
    for (int i = 0; i < 1000; ++i) {
        double t = 0.01 * i;
        hf_jet jet = hf_expression_jet(expression, &(hf_jet){t, 1.0, 0.0});
        hf_expression_switches(expression, &t, values);
        hf_expression_gradient(expression, &t, gradient);
        sum += fabs(hf_expression_value(expression, &t) - jet.value) + fabs(gradient[0] - jet.rate);
    }
    assert_int_equal(hf_test_allocations() - before, 0);
    hf_check_same_bits(sum, 0.0, "values and rates by two ways");
    hf_expression_destroy(expression);
}

static void *evaluate(void *expression)
{
    double sum = 0.0;
    for (int i = 0; i < 3000; ++i) {
        double t = 0.001 * i;
        sum += hf_expression_value(expression, &t);
    }
    double *result = malloc(sizeof *result);
    if (result != NULL) {
        *result = sum;
    }
    return result;
}

// Several threads evaluate one expression.
static void several_threads(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    hf_expression *expression = good("t < 1 ? sin(t) : max(t, 2, 1e-3*exp(t))");
    pthread_t threads[THREADS];
    double sums[THREADS];
    for (int i = 0; i < THREADS; ++i) {
        assert_int_equal(pthread_create(&threads[i], NULL, evaluate, expression), 0);
    }
    for (int i = 0; i < THREADS; ++i) {
        void *result = NULL;
        assert_int_equal(pthread_join(threads[i], &result), 0);
        assert_non_null(result);
        sums[i] = *(double *)result;
        free(result);
    }
    assert_true(isfinite(sums[0]));
    for (int i = 1; i < THREADS; ++i) {
        hf_check_same_bits(sums[i], sums[0], "sum of a thread");
    }
    hf_expression_destroy(expression);
}

// Several variables, in slots.
static void variables(void **state)
{
    (void)state;
    static const char *const names[] = {"gap", "t", "speed"};
    const hf_expression_scope scope = {.names = names, .count = 3, .time = 1};
    hf_expression_fault fault = {0};
    hf_expression *expression = hf_expression_create(
        "max(gap, 0)^2*speed + min(t, 3)*sin(speed) - (gap < 1)", scope, &fault);
    assert_non_null(expression);
    const double x[] = {2.0, 5.0, 0.3}, *times;
    double gradient[3], values[2];
    hf_check_near(hf_expression_value(expression, x), 4 * 0.3 + 3 * sin(0.3), 1e-15, "value",
                  "libm");
    hf_expression_gradient(expression, x, gradient);
    const double want[] = {2 * 2 * 0.3, 0.0, 4 + 3 * cos(0.3)};
    hf_check_near_array(gradient, want, 3, 1e-15, "gradient", "by hand");
    // Linear in the time: known. Linear in another variable: not.
    assert_int_equal(hf_expression_times(expression, &times), 1);
    hf_check_near(times[0], 3, 0, "known time", "min(t, 3)");
    assert_int_equal(hf_expression_switch_count(expression), 2);
    hf_expression_switches(expression, x, values);
    hf_check_near(values[0], 2.0, 0, "switch of max(gap, 0)", "gap");
    hf_check_near(values[1], 1.0, 0, "switch of gap < 1", "gap - 1");
    hf_expression_destroy(expression);
    assert_null(hf_expression_create("2*sped", scope, &fault));
    assert_non_null(strstr(fault.text, "did you mean 'speed'?"));
    assert_null(hf_expression_create("2*gaps", scope, &fault));
    assert_non_null(strstr(fault.text, "did you mean 'gap'?"));
    assert_true(hf_expression_knows(scope, "gap") &&
                !hf_expression_knows(hf_expression_time, "gap"));
}

// Everything that can be asked of an expression that was accepted.
static void exercise(const hf_expression *expression, double t)
{
    static double values[HF_EXPRESSION_MAX_LENGTH];
    double value = hf_expression_value(expression, &t);
    hf_jet jet = hf_expression_jet(expression, &(hf_jet){t, 1.0, 0.0});
    const double *times;
    hf_check_same_bits(jet.value, value, "value of the jet");
    hf_expression_switches(expression, &t, values);
    int count = hf_expression_times(expression, &times);
    for (int i = 0; i < count; ++i) {
        assert_true(isfinite(times[i]) && (i == 0 || times[i] > times[i - 1]));
    }
}

// Texts of random pieces, of random bytes, and good texts with a byte changed: each is read and
// evaluated, or refused with a message and a place.
static void hostile_texts(void **state)
{
    (void)state;
    static const char *const pieces[] = {
        "t",    "1",    "2.5",    "1e3",    "pi", "e",  "+", "-", "*",    "/",     "^",
        "<",    "<=",   "==",     "&&",     "||", "?",  ":", "(", ")",    ",",     "sin",
        "sin(", "min(", "max(1,", "atan2(", " ",  "(t", ")", "t", "mod(", "1e308", "floor("};
    static const char sample[] =
        "t < 4 ? min(0.52, 0.3*t) : -(0.336 + 1e3)*sin(mod(t, 2)) ^ 2 && t";
    int count = (int)(sizeof pieces / sizeof pieces[0]), accepted = 0;
    hf_rng rng = hf_rng_create(20240611);
    for (int i = 0; i < 90000; ++i) {
        char text[256] = "";
        if (i % 3 == 0) {
            for (int k = hf_rng_int(&rng, 1, 12); k > 0; --k) {
                strcat(text, pieces[hf_rng_int(&rng, 0, count - 1)]);
            }
        } else if (i % 3 == 1) {
            for (int k = 0, length = hf_rng_int(&rng, 0, 20); k < length; ++k) {
                text[k] = (char)hf_rng_int(&rng, 1, 255);
            }
        } else {
            memcpy(text, sample, sizeof sample);
            for (int k = 0; k < 2; ++k) {
                text[hf_rng_int(&rng, 0, (int)sizeof sample - 2)] = (char)hf_rng_int(&rng, 32, 126);
            }
        }
        hf_expression_fault fault = {0};
        hf_expression *expression = hf_expression_create(text, hf_expression_time, &fault);
        if (expression == NULL) {
            assert_true(fault.text[0] != '\0' && fault.position <= strlen(text));
            continue;
        }
        exercise(expression, hf_rng_uniform(&rng, -2.0, 5.0));
        hf_expression_destroy(expression);
        ++accepted;
    }
    assert_true(accepted > 1000);
}

int main(void)
{
    const struct CMUnitTest expression[] = {
        cmocka_unit_test(values),          cmocka_unit_test(faults),
        cmocka_unit_test(limits),          cmocka_unit_test(long_chains),
        cmocka_unit_test(known_times),     cmocka_unit_test(evaluation_does_not_allocate),
        cmocka_unit_test(several_threads), cmocka_unit_test(variables),
        cmocka_unit_test(hostile_texts),
    };
    return hf_run_tests(expression);
}
