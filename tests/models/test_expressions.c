// SPDX-License-Identifier: Apache-2.0
// Expressions in t: values, jumps, faults, and evaluation without allocation.
#include "models_test.h"

#include <math.h>
#include <pthread.h>

#include "models/signals/expression.h"

static double value_of(const char *text, double t)
{
    hf_expression_fault fault = {0};
    hf_token *tokens = NULL;
    if (!hf_expression_check(text, &tokens, &fault)) {
        fail_msg("'%s' was refused: %s", text, fault.text);
    }
    free(tokens);
    hf_formula *formula = hf_formula_create(text, NULL);
    assert_non_null(formula);
    void *instance = hf_formula_open(formula);
    if (instance == NULL) {
        fail_msg("'%s' was refused by muParser", text);
    }
    double value = hf_formula_value(instance, t);
    hf_formula_close(instance);
    hf_formula_release(formula);
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
        {"sign(-t) + 10*sign(0) + 100*sign(t)", 99},
        {"floor(t) + 10*ceil(t)", 10},
        {"mod(7, 4) + 10*mod(-1, 4)", 33},
        {"pow(t, 3)", t * t * t},
        {"min(3, 1, 2) + 10*max(3, 1, 2)", 31},
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
        hf_token *tokens = NULL;
        if (hf_expression_check(cases[i].text, &tokens, &fault)) {
            fail_msg("'%s' was accepted", cases[i].text);
        }
        assert_null(tokens);
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
    hf_token *tokens = NULL;
    char *text = filled('(', 201, "t");
    assert_false(hf_expression_check(text, &tokens, &fault));
    assert_non_null(strstr(fault.text, "nested deeper than 200 levels"));
    assert_int_equal(fault.position, 200);
    free(text);
    text = filled('1', HF_EXPRESSION_MAX_LENGTH + 1, "");
    assert_false(hf_expression_check(text, &tokens, &fault));
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
    free(text);
}

static void jumps(void **state)
{
    (void)state;
    const struct {
        const char *text;
        int count;
        double times[4];
    } cases[] = {
        {"t < 4 ? 1 : 2", 1, {4}},
        {"2.5 <= t", 1, {2.5}},
        {"t < 1 ? 1 : t < 2 ? 2 : t < 3 ? 3 : 4", 3, {1, 2, 3}},
        {"(3 > t) * (t >= 1) + (1 < t && t < 3)", 2, {1, 3}},
        {"t < 2*pi/4", 1, {1.5707963267948966}},
        {"t > 1e-3", 1, {1e-3}},
        {"max(t < 2, 0)", 1, {2}},
        {"t < (1 + 1) ? 0 : 1", 1, {2}},
        {"2*t < 4", 0, {0}}, // not a comparison of t itself
        {"t + 1 < 4", 0, {0}},
        {"t^2 > 4", 0, {0}},
        {"t < t", 0, {0}},
        {"t < -1", 0, {0}}, // never reached
        {"t > 0", 0, {0}},
        {"t < 1/0", 0, {0}},
        {"sin(t) > 0", 0, {0}},
        {"1 < 2", 0, {0}},
        {"t != 5", 1, {5}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        hf_expression_fault fault = {0};
        hf_token *tokens = NULL;
        double *times = NULL;
        int count = -1;
        assert_true(hf_expression_check(cases[i].text, &tokens, &fault));
        assert_true(hf_expression_jumps(cases[i].text, tokens, &times, &count));
        if (count != cases[i].count) {
            fail_msg("'%s': %d jumps, want %d", cases[i].text, count, cases[i].count);
        }
        hf_check_near_array(times, cases[i].times, count, 1e-15, cases[i].text, "by hand");
        free(times);
        free(tokens);
    }
}

static void evaluation_does_not_allocate(void **state)
{
    (void)state;
    hf_formula *formula = hf_formula_create(
        "t < 4 ? min(0.52, 0.3*t, 7) : 0.336 + 0.144*sin(100*t) + atan2(t, 2)^2 - (t > 5 ? 1 : 0)",
        NULL);
    void *one = hf_formula_open(formula), *two = hf_formula_open(formula);
    assert_non_null(one);
    assert_non_null(two);
    double sum = 0;
    long long before = hf_test_allocations();
    for (int i = 0; i < 1000; ++i) {
        sum += hf_formula_value(one, 0.01 * i) - hf_formula_value(two, 0.01 * i);
    }
    assert_int_equal(hf_test_allocations() - before, 0);
    hf_check_same_bits(sum, 0.0, "difference of two instances");
    hf_formula_close(two);
    hf_formula_close(one);
    hf_formula_release(formula);
}

static void *open_and_evaluate(void *formula)
{
    double sum = 0;
    for (int i = 0; i < 300; ++i) {
        void *instance = hf_formula_open(formula);
        sum += instance == NULL ? NAN : hf_formula_value(instance, 0.01 * i);
        hf_formula_close(instance);
    }
    double *result = malloc(sizeof *result);
    if (result != NULL) {
        *result = sum;
    }
    return result;
}

// Sims of several threads open and evaluate the same formula.
static void several_threads(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    hf_formula *formula = hf_formula_create("t < 1 ? sin(t) : max(t, 2, 1e-3*exp(t))", NULL);
    pthread_t threads[THREADS];
    double sums[THREADS];
    for (int i = 0; i < THREADS; ++i) {
        assert_int_equal(pthread_create(&threads[i], NULL, open_and_evaluate, formula), 0);
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
    hf_formula_release(formula);
}

// A sim steps over a model with expressions without allocating.
static void steps_do_not_allocate(void **state)
{
    (void)state;
    hf_spec *spec =
        parse_good("bodies: {block: {type: mass, dim: 1, mass: 1}}\n"
                   "forces:\n"
                   "  - {name: pull, on: block, type: force, value: 't<1 ? sin(t) : 1'}\n"
                   "  - {name: s, on: block, type: spring, to: 'cos(3*t)'}\n");
    hf_error error = {0};
    hf_model *model = hf_model_compile(spec, &error);
    hf_spec_destroy(spec); // the formulas live on in the model
    assert_non_null(model);
    hf_sim *sim = hf_sim_create(model, NULL, &error), *other = hf_sim_create(model, NULL, &error);
    assert_non_null(sim);
    assert_non_null(other);
    long long before = hf_test_allocations();
    for (int i = 0; i < 2000; ++i) {
        assert_int_equal(hf_sim_step(sim, &error), HF_OK);
    }
    assert_int_equal(hf_test_allocations() - before, 0);
    hf_sim_destroy(sim);
    hf_sim_destroy(other);
    hf_model_destroy(model);
}

// Random texts of tokens: whatever the check accepts, muParser accepts and evaluates.
static void random_texts(void **state)
{
    (void)state;
    static const char *const pieces[] = {
        "t",    "1",    "2.5",    "1e3",    "pi", "e",  "+", "-", "*",   "/", "^",
        "<",    "<=",   "==",     "&&",     "||", "?",  ":", "(", ")",   ",", "sin",
        "sin(", "min(", "max(1,", "atan2(", " ",  "(t", ")", "t", "mod("};
    int count = (int)(sizeof pieces / sizeof pieces[0]);
    hf_rng rng = hf_rng_create(20240611);
    int accepted = 0;
    for (int i = 0; i < 60000; ++i) {
        char text[256] = "";
        int length = hf_rng_int(&rng, 1, 12);
        for (int k = 0; k < length; ++k) {
            strcat(text, pieces[hf_rng_int(&rng, 0, count - 1)]);
        }
        hf_expression_fault fault = {0};
        hf_token *tokens = NULL;
        if (!hf_expression_check(text, &tokens, &fault)) {
            assert_true(fault.text[0] != '\0' && fault.position <= strlen(text));
            continue;
        }
        double *times = NULL;
        int found = 0;
        assert_true(hf_expression_jumps(text, tokens, &times, &found));
        free(times);
        free(tokens);
        (void)value_of(text, 0.5);
        ++accepted;
    }
    assert_true(accepted > 500);
}

int main(void)
{
    const struct CMUnitTest expressions[] = {
        cmocka_unit_test(values),
        cmocka_unit_test(faults),
        cmocka_unit_test(limits),
        cmocka_unit_test(jumps),
        cmocka_unit_test(evaluation_does_not_allocate),
        cmocka_unit_test(steps_do_not_allocate),
        cmocka_unit_test(several_threads),
        cmocka_unit_test(random_texts),
    };
    return hf_run_tests(expressions);
}
