// SPDX-License-Identifier: Apache-2.0
// The functions and constants of expressions, with first and second derivatives.
#include <math.h>

#include "math/expression_program.h"

static double sign_of(double x)
{
    return x > 0 ? 1.0 : x < 0 ? -1.0 : 0.0;
}

double hf_expression_modulo(double a, double b)
{
    return a - b * floor(a / b);
}

// Derivatives at x of the function whose value there is y.

static void sin_slopes(double x, double y, double *first, double *second)
{
    *first = cos(x);
    *second = -y;
}

static void cos_slopes(double x, double y, double *first, double *second)
{
    *first = -sin(x);
    *second = -y;
}

static void tan_slopes(double x, double y, double *first, double *second)
{
    double c = cos(x);
    *first = 1.0 / (c * c);
    *second = 2.0 * y * *first;
}

static void asin_slopes(double x, double y, double *first, double *second)
{
    (void)y;
    double square = (1.0 - x) * (1.0 + x);
    *first = 1.0 / sqrt(square);
    *second = x * *first / square;
}

static void acos_slopes(double x, double y, double *first, double *second)
{
    asin_slopes(x, y, first, second);
    *first = -*first;
    *second = -*second;
}

static void atan_slopes(double x, double y, double *first, double *second)
{
    (void)y;
    *first = 1.0 / (1.0 + x * x);
    *second = -2.0 * x * *first * *first;
}

static void sinh_slopes(double x, double y, double *first, double *second)
{
    *first = cosh(x);
    *second = y;
}

static void cosh_slopes(double x, double y, double *first, double *second)
{
    *first = sinh(x);
    *second = y;
}

static void tanh_slopes(double x, double y, double *first, double *second)
{
    double c = cosh(x);
    *first = 1.0 / (c * c);
    *second = -2.0 * y * *first;
}

static void exp_slopes(double x, double y, double *first, double *second)
{
    (void)x;
    *first = *second = y;
}

static void ln_slopes(double x, double y, double *first, double *second)
{
    (void)y;
    *first = 1.0 / x;
    *second = -*first / x;
}

static void log10_slopes(double x, double y, double *first, double *second)
{
    (void)y;
    *first = 0.43429448190325182765 / x; // log10(e)
    *second = -*first / x;
}

static void sqrt_slopes(double x, double y, double *first, double *second)
{
    *first = 0.5 / y;
    *second = -0.5 * *first / x;
}

static void abs_slopes(double x, double y, double *first, double *second)
{
    (void)y;
    *first = sign_of(x);
    *second = 0.0;
}

// The force of a one-sided contact: y in dio(x + y)                              [Xiong2013] (6)
static double dio_of(double x)
{
    return x < 0.0 ? -x : 0.0;
}

static void dio_slopes(double x, double y, double *first, double *second)
{
    (void)y;
    *first = x < 0.0 ? -1.0 : 0.0;
    *second = 0.0;
}

const hf_expression_function hf_expression_functions[] = {
    {"sin", HF_ROLE_ONE, sin, sin_slopes, false},
    {"cos", HF_ROLE_ONE, cos, cos_slopes, false},
    {"tan", HF_ROLE_ONE, tan, tan_slopes, false},
    {"asin", HF_ROLE_ONE, asin, asin_slopes, false},
    {"acos", HF_ROLE_ONE, acos, acos_slopes, false},
    {"atan", HF_ROLE_ONE, atan, atan_slopes, false},
    {"atan2", HF_ROLE_ATAN2, NULL, NULL, true},
    {"sinh", HF_ROLE_ONE, sinh, sinh_slopes, false},
    {"cosh", HF_ROLE_ONE, cosh, cosh_slopes, false},
    {"tanh", HF_ROLE_ONE, tanh, tanh_slopes, false},
    {"exp", HF_ROLE_ONE, exp, exp_slopes, false},
    {"ln", HF_ROLE_ONE, log, ln_slopes, false},
    {"log10", HF_ROLE_ONE, log10, log10_slopes, false},
    {"sqrt", HF_ROLE_ONE, sqrt, sqrt_slopes, false},
    {"abs", HF_ROLE_ONE, fabs, abs_slopes, true},
    {"sign", HF_ROLE_ONE, sign_of, NULL, true},
    {"floor", HF_ROLE_STEP, floor, NULL, true},
    {"ceil", HF_ROLE_STEP, ceil, NULL, true},
    {"mod", HF_ROLE_MOD, NULL, NULL, true},
    {"pow", HF_ROLE_POW, NULL, NULL, false},
    {"min", HF_ROLE_MIN, NULL, NULL, true},
    {"max", HF_ROLE_MAX, NULL, NULL, true},
    {"sat", HF_ROLE_SAT, NULL, NULL, true},
    {"prox", HF_ROLE_PROX, NULL, NULL, true},
    {"dio", HF_ROLE_ONE, dio_of, dio_slopes, true},
    {"norm", HF_ROLE_NORM, fabs, abs_slopes, true},
    {"dot", HF_ROLE_DOT, NULL, NULL, false},
};
const int hf_expression_function_count =
    (int)(sizeof hf_expression_functions / sizeof hf_expression_functions[0]);

int hf_expression_arguments(const hf_expression_function *function)
{
    switch (function->role) {
    case HF_ROLE_ONE:
    case HF_ROLE_STEP:
    case HF_ROLE_NORM:
        return 1;
    case HF_ROLE_MIN:
    case HF_ROLE_MAX:
        return 0;
    case HF_ROLE_PROX:
        return 3;
    default:
        return 2;
    }
}

const hf_expression_constant hf_expression_constants[] = {
    {"pi", 3.14159265358979323846},
    {"e", 2.71828182845904523536},
};
const int hf_expression_constant_count =
    (int)(sizeof hf_expression_constants / sizeof hf_expression_constants[0]);
