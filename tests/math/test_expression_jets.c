// SPDX-License-Identifier: Apache-2.0
// Derivatives and switching functions of expressions, against complex steps in long double on
// random trees that are written as text with as few parentheses as the grammar needs.
#include <hf_test.h>

#include <complex.h>
#include <math.h>
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

static hf_jet jet_of(const char *text, double t)
{
    hf_expression *expression = good(text);
    hf_jet jet = hf_expression_jet(expression, &(hf_jet){t, 1.0, 0.0});
    hf_expression_destroy(expression);
    return jet;
}

static void known_rates(void **state)
{
    (void)state;
    const double t = 0.7, w = 2 * acos(-1) / 2.56;
    const struct {
        const char *text;
        double rate;
    } cases[] = {
        {"3", 0},
        {"-2*t + 5", -2},
        {"-t^2", -2 * t},
        {"2^-t", -log(2) * pow(2, -t)},
        {"t^3^2", 9 * pow(t, 8)},
        {"t^t", pow(t, t) * (log(t) + 1)},
        {"(t-0.7)^2", 0},
        {"0.65 + 0.05*sin(2*pi*t/2.56 - 0.4)", 0.05 * w * cos(w * t - 0.4)},
        {"tan(t) + asin(t) - acos(t) + atan(t)",
         1 / (cos(t) * cos(t)) + 2 / sqrt(1 - t * t) + 1 / (1 + t * t)},
        {"atan2(t, 2)", 2 / (4 + t * t)},
        {"atan2(1, t)", -1 / (1 + t * t)},
        {"sinh(t)*cosh(t)", cosh(2 * t)},
        {"tanh(3*t)", 3 / (cosh(3 * t) * cosh(3 * t))},
        {"exp(-t)/t", -exp(-t) * (1 / t + 1 / (t * t))},
        {"ln(t) + log10(t)", (1 + 1 / log(10)) / t},
        {"sqrt(t) + sqrt(0)", 0.5 / sqrt(t)},
        {"abs(0.5 - t)", 1},
        {"sign(t) + floor(t) + ceil(t)", 0},
        {"mod(3*t, 0.4)", 3},
        {"mod(5, t)", -7},
        {"pow(t, 2)", 2 * t},
        {"min(t, 2*t, 0.1*t^2) + max(t, 1)", 0.2 * t},
        {"t < 0.5 ? t^2 : 3*t", 3},
        {"t < 0.5 ? t : t < 0.6 ? 2*t : t < 0.9 ? 4*t : 5", 4},
        {"1 + (t > 0.5 ? -t : t)*2", -2},
        {"(t < 1 && t > 0) + (t == 2 || t != 3) + (t >= 1) + (t <= 1)", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        hf_check_near(jet_of(cases[i].text, t).rate, cases[i].rate,
                      1e-14 * fmax(1, fabs(cases[i].rate)), cases[i].text, "by hand");
    }
}

static void known_seconds(void **state)
{
    (void)state;
    const double t = 0.7;
    const struct {
        const char *text;
        double second;
    } cases[] = {
        {"-2*t + 5", 0},
        {"-t^2 + t^3 + t^4 + t^5", -2 + 6 * t + 12 * t * t + 20 * t * t * t},
        {"(t - 0.7)^2", 2},
        {"2^-t", log(2) * log(2) * pow(2, -t)},
        {"t^t", pow(t, t) * ((log(t) + 1) * (log(t) + 1) + 1 / t)},
        {"0.01*sin(10*t)", -sin(7.0)},
        {"tan(t)", 2 * tan(t) / (cos(t) * cos(t))},
        {"asin(t)", t / pow(1 - t * t, 1.5)},
        {"acos(t)", -t / pow(1 - t * t, 1.5)},
        {"atan(t)", -2 * t / ((1 + t * t) * (1 + t * t))},
        {"atan2(t, 2)", -4 * t / ((4 + t * t) * (4 + t * t))},
        {"atan2(1, t)", 2 * t / ((1 + t * t) * (1 + t * t))},
        {"sinh(t)*cosh(t)", 2 * sinh(2 * t)},
        {"tanh(t)", -2 * tanh(t) / (cosh(t) * cosh(t))},
        {"exp(2*t)/3", 4 * exp(2 * t) / 3},
        {"1/t", 2 / (t * t * t)},
        {"ln(t) + log10(t)", -(1 + 1 / log(10)) / (t * t)},
        {"sqrt(t) + sqrt(0)", -0.25 / pow(t, 1.5)},
        {"abs(t^2 - 1)", -2},
        {"mod(3*t^2, 0.4)", 6},
        {"min(t, t^3) + max(t^2, 1)", 6 * t},
        {"t < 0.5 ? t^2 : 3*t^3", 18 * t},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        hf_check_near(jet_of(cases[i].text, t).second, cases[i].second,
                      4e-14 * fmax(1, fabs(cases[i].second)), cases[i].text, "by hand");
    }
    // sqrt and powers at zero, where nothing moves
    hf_check_near(jet_of("sqrt(0*t) + pow(0*t, 0.5)", t).second, 0, 0, "sqrt(0)", "at rest");
    hf_check_near(jet_of("(t - 0.7)^1 + (t - 0.7)^3", 0.7).second, 0, 1e-15, "power 3 at 0",
                  "by hand");
}

// ------------------------------------------------------------------------------------------------
// Random trees

typedef enum kind { LEAF, NUMBER, ADD, SUB, MUL, DIV, POW, NEG, ONE, TWO, CHOICE } kind;

typedef struct tree {
    kind kind;
    int function;
    double number;
    struct tree *part[4];
} tree;

static const char *const ones[] = {"sin", "cos",   "atan", "tanh", "exp",
                                   "abs", "floor", "sqrt", "ln",   "cosh"};
static const char *const twos[] = {"min", "max", "atan2", "mod"};
enum { ONES = sizeof ones / sizeof ones[0], TWOS = sizeof twos / sizeof twos[0], MOST = 512 };

typedef struct forest {
    tree all[MOST];
    int count;
} forest;

static tree *grow(forest *f, hf_rng *rng, int depth)
{
    tree *it = &f->all[f->count++];
    *it = (tree){.kind = depth <= 0 ? (hf_rng_bool(rng) ? LEAF : NUMBER)
                                    : (kind)hf_rng_int(rng, LEAF, CHOICE)};
    it->number = (double)hf_rng_int(rng, 1, 40) / 8.0; // exact in the text
    it->function = hf_rng_int(rng, 0, it->kind == ONE ? ONES - 1 : TWOS - 1);
    int parts = it->kind <= NUMBER                   ? 0
                : it->kind == NEG || it->kind == ONE ? 1
                : it->kind == CHOICE                 ? 4
                                                     : 2;
    for (int i = 0; i < parts; ++i) {
        it->part[i] = grow(f, rng, depth - 1);
    }
    if (it->kind == POW) { // a whole power of anything
        it->part[1]->kind = NUMBER;
        it->part[1]->number = hf_rng_int(rng, 1, 5);
    }
    return it;
}

static int binding(kind k)
{
    return k == CHOICE                        ? 0
           : k == ADD || k == SUB             ? 4
           : k == MUL || k == DIV || k == NEG ? 5
           : k == POW                         ? 6
                                              : 9;
}

// Writes a tree; parentheses where it binds less than `least`.
static void put(char *text, const tree *it, int least)
{
    static const char *const symbols[] = {
        [ADD] = "+", [SUB] = " - ", [MUL] = "*", [DIV] = "/", [POW] = "^"};
    bool wrap = binding(it->kind) < least;
    strcat(text, wrap ? "(" : "");
    size_t length = strlen(text);
    switch (it->kind) {
    case LEAF:
        strcat(text, "t");
        break;
    case NUMBER:
        (void)sprintf(text + length, "%.17g", it->number);
        break;
    case NEG: // two signs in a row are refused
        strcat(text, "-");
        put(text, it->part[0], 6);
        break;
    case ONE:
    case TWO:
        (void)sprintf(text + length, "%s(", (it->kind == ONE ? ones : twos)[it->function]);
        put(text, it->part[0], 0);
        if (it->kind == TWO) {
            strcat(text, ", ");
            put(text, it->part[1], 0);
        }
        strcat(text, ")");
        break;
    case CHOICE:
        put(text, it->part[0], 4);
        strcat(text, " < ");
        put(text, it->part[1], 4);
        strcat(text, " ? ");
        put(text, it->part[2], 0);
        strcat(text, " : ");
        put(text, it->part[3], 0);
        break;
    default: // left to right, but powers from the right
        put(text, it->part[0], it->kind == POW ? 7 : it->kind == SUB || it->kind == ADD ? 4 : 5);
        strcat(text, symbols[it->kind]);
        // behind an operator a sign would bind what follows it: -a*b
        put(text, it->part[1],
            it->part[1]->kind == NEG             ? 9
            : it->kind == POW                    ? 6
            : it->kind == ADD || it->kind == SUB ? 5
                                                 : 6);
        break;
    }
    strcat(text, wrap ? ")" : "");
}

typedef long double complex number;

typedef struct oracle {
    long double largest; // intermediate value, and 1/distance from a kink or a pole
} oracle;

static number seen(oracle *o, number y, long double distance)
{
    o->largest = fmaxl(o->largest, fmaxl(fabsl(creall(y)), 1e-3L / fabsl(distance)));
    o->largest = isnan(creall(y)) || isnan(cimagl(y)) ? INFINITY : o->largest;
    return y;
}

static long double to_whole(long double x)
{
    return x - roundl(x);
}

static number call_one(oracle *o, const char *name, number a)
{
    long double x = creall(a);
    switch (name[0]) {
    case 's':
        return name[1] == 'i' ? csinl(a) : seen(o, csqrtl(a), x > 0 ? x : 0);
    case 'c':
        return name[2] == 's' && name[3] == 'h' ? ccoshl(a) : ccosl(a);
    case 't':
        return ctanhl(a);
    case 'e':
        return cexpl(a);
    case 'f':
        return seen(o, floorl(x), to_whole(x));
    case 'l':
        return seen(o, clogl(a), x > 0 ? x : 0);
    default: // atan, abs
        return name[1] == 't' ? catanl(a) : seen(o, x < 0 ? -a : a, x);
    }
}

static number call_two(oracle *o, const char *name, number a, number b)
{
    long double x = creall(a), y = creall(b);
    switch (name[1]) {
    case 'i':
        return seen(o, y < x ? b : a, x - y);
    case 'a':
        return seen(o, y > x ? b : a, x - y);
    case 't': { // atan2: the angle of the real parts, and the slope along the imaginary ones
        long double square = x * x + y * y;
        return seen(o, atan2l(x, y) + I * (y * cimagl(a) - x * cimagl(b)) / square, x);
    }
    default:
        (void)seen(o, x / y, y);
        return seen(o, a - b * floorl(x / y), to_whole(x / y));
    }
}

// The tree at a complex time: its imaginary part over that of t is the derivative.
static number eval(oracle *o, const tree *it, number t)
{
    number p[4] = {0};
    for (int i = 0; i < 4 && it->part[i] != NULL; ++i) {
        p[i] = eval(o, it->part[i], t);
    }
    switch (it->kind) {
    case LEAF:
        return t;
    case NUMBER:
        return it->number;
    case NEG:
        return -p[0];
    case ADD:
        return seen(o, p[0] + p[1], 1);
    case SUB:
        return seen(o, p[0] - p[1], 1);
    case MUL:
        return seen(o, p[0] * p[1], 1);
    case DIV:
        return seen(o, p[0] / p[1], creall(p[1]));
    case POW: {
        number y = 1;
        for (int i = 0; i < (int)it->part[1]->number; ++i) {
            y *= p[0];
        }
        return seen(o, y, 1);
    }
    case ONE:
        return seen(o, call_one(o, ones[it->function], p[0]), 1);
    case TWO:
        return seen(o, call_two(o, twos[it->function], p[0], p[1]), 1);
    default:
        return seen(o, creall(p[0]) < creall(p[1]) ? p[2] : p[3], creall(p[0]) - creall(p[1]));
    }
}

static long double rate_of(oracle *o, const tree *it, long double t)
{
    const long double h = 1e-40L;
    return cimagl(eval(o, it, t + I * h)) / h;
}

static void random_trees(void **state)
{
    (void)state;
    static forest f;
    static char text[1 << 16];
    hf_rng rng = hf_rng_create(20261116);
    int compared = 0, tried = 0;
    for (; tried < 20000; ++tried) {
        f.count = 0;
        tree *top = grow(&f, &rng, hf_rng_int(&rng, 1, 4));
        text[0] = '\0';
        put(text, top, 0);
        double t = hf_rng_uniform(&rng, 0.1, 3.0);
        // Value, rate, and a difference of rates, as long as all is moderate and far from kinks
        const long double d = 1e-6L;
        oracle o = {0};
        long double value = creall(eval(&o, top, t)), rate = rate_of(&o, top, t);
        long double second = (rate_of(&o, top, t + d) - rate_of(&o, top, t - d)) / (2 * d);
        hf_expression *expression = good(text);
        hf_jet jet = hf_expression_jet(expression, &(hf_jet){t, 1.0, 0.0});
        hf_check_same_bits(hf_expression_value(expression, &t), jet.value, text);
        hf_expression_destroy(expression);
        if (!(o.largest < 100) || !(fabsl(rate) < 1e3L) || !(fabsl(second) < 1e4L)) {
            continue;
        }
        hf_check_near(jet.value, (double)value, 1e-11, text, "long double");
        hf_check_near(jet.rate, (double)rate, 1e-9 * (1 + fabs((double)rate)), text,
                      "complex step");
        hf_check_near(jet.second, (double)second, 1e-4 * (1 + fabs((double)second)), text,
                      "difference of complex steps");
        ++compared;
    }
    assert_true(compared > tried / 4);
}

// ------------------------------------------------------------------------------------------------
// Switching functions

// Whether a known time, or a switching function that changes its sign, is between t and end. Two
// changes may be near to each other.
static bool is_told(const hf_expression *expression, double t, double end)
{
    static double before[MOST], after[MOST];
    enum { PARTS = 64 };
    const double *times;
    int count = hf_expression_switch_count(expression);
    int known = hf_expression_times(expression, &times);
    assert_true(count <= MOST);
    for (int k = 0; k < known; ++k) {
        if (times[k] >= t - 1e-12 && times[k] <= end + 1e-12) {
            return true;
        }
    }
    hf_expression_switches(expression, &t, before);
    for (int i = 1; i <= PARTS; ++i) {
        double next = i == PARTS ? end : t + (end - t) * i / PARTS;
        hf_expression_switches(expression, &next, after);
        for (int k = 0; k < count; ++k) {
            if (!(before[k] * after[k] > 0.0)) {
                return true;
            }
        }
    }
    return false;
}

// dio(x) = max(0, -x): slope -1 below zero, none above, and no bend anywhere.
static void slopes_of_dio(void **state)
{
    (void)state;
    hf_expression *expression = good("dio(3*t - 2)");
    static const double cases[][3] = {
        {-1.0, 5.0, -3.0}, {0.5, 0.5, -3.0}, {0.7, 0.0, 0.0}, {0.9, 0.0, 0.0}, {4.0, 0.0, 0.0}};
    for (int i = 0; i < 5; ++i) {
        hf_jet jet = hf_expression_jet(expression, &(hf_jet){cases[i][0], 1.0, 0.0});
        hf_check_near(jet.value, cases[i][1], 1e-15, "dio", "closed form");
        hf_check_near(jet.rate, cases[i][2], 0.0, "its rate", "closed form");
        hf_check_near(jet.second, 0.0, 0.0, "its second derivative", "closed form");
    }
    hf_expression_destroy(expression);
}

// Where no switching function and no known time changes its sign, a random expression is smooth:
// the values at three near times lie on a parabola. Jumps and kinks are all announced.
static void every_kink_is_announced(void **state)
{
    (void)state;
    static forest f;
    static char text[1 << 16];
    hf_rng rng = hf_rng_create(7);
    int kinks = 0;
    for (int i = 0; i < 4000; ++i) {
        f.count = 0;
        tree *top = grow(&f, &rng, 3);
        text[0] = '\0';
        put(text, top, 0);
        hf_expression *expression = good(text);
        const double h = 1e-3;
        for (double t = 0.1; t < 3.0; t += h) {
            double end = t + h;
            hf_jet left = hf_expression_jet(expression, &(hf_jet){t, 1.0, 0.0});
            hf_jet right = hf_expression_jet(expression, &(hf_jet){end, 1.0, 0.0});
            // What a smooth function does within h: its second derivatives bound it
            double bend = fmax(fabs(left.second), fabs(right.second));
            if (!(fabs(left.rate) < 100 && fabs(right.rate) < 100 && bend < 100)) {
                continue;
            }
            bool jumps = fabs(right.value - left.value) > 100 * h + 1e-9;
            bool kink = fabs(right.rate - left.rate) > 10 * (bend * h + 1e-6) + 0.5;
            if (!jumps && !kink) {
                continue;
            }
            if (!is_told(expression, t, end)) {
                fail_msg("'%s' has a kink in [%.17g, %.17g] that is not announced", text, t, end);
            }
            ++kinks;
        }
        hf_expression_destroy(expression);
    }
    assert_true(kinks > 100);
}

static void nested_switches(void **state)
{
    (void)state;
    hf_expression *expression =
        good("sin(t) > 0 ? abs(cos(3*t)) : min(t^2, max(exp(t), 2*t), 7)*floor(t/2)");
    double t = 1.3, values[6];
    assert_int_equal(hf_expression_switch_count(expression), 6);
    hf_expression_switches(expression, &t, values);
    // In the order of evaluation, the branch that is not taken too
    const double want[] = {sin(t),         cos(3 * t), exp(t) - 2 * t,
                           t * t - exp(t), t * t - 7,  sin(acos(-1) * t / 2)};
    hf_check_near_array(values, want, 6, 1e-15, "switching functions", "by hand");
    // Whole numbers are exact roots, however large
    t = 2e9 + 2;
    hf_expression_switches(expression, &t, values);
    hf_check_near(values[5], 0, 0, "sin(pi n)", "0");
    hf_expression_destroy(expression);
}

int main(void)
{
    const struct CMUnitTest expression_jets[] = {
        cmocka_unit_test(known_rates),   cmocka_unit_test(known_seconds),
        cmocka_unit_test(random_trees),  cmocka_unit_test(every_kink_is_announced),
        cmocka_unit_test(slopes_of_dio), cmocka_unit_test(nested_switches),
    };
    return hf_run_tests(expression_jets);
}
