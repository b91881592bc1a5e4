// SPDX-License-Identifier: Apache-2.0
// Evaluating expressions with muParser's C interface. Its error texts pass through one static
// buffer, so they are never asked for: several sims may open formulas at once.
#include <math.h>
#include <muParserDLL.h>
#include <stdlib.h>
#include <string.h>

#include "models/signals/derivative.h"

static double sign_of(double x)
{
    return x > 0 ? 1.0 : x < 0 ? -1.0 : 0.0;
}

// The remainder with the sign of b, so that mod(t, b) is periodic for negative t too.
static double modulo(double a, double b)
{
    return a - b * floor(a / b);
}

static double least(const double *values, int count)
{
    double found = values[0];
    for (int i = 1; i < count; ++i) {
        found = values[i] < found ? values[i] : found;
    }
    return found;
}

static double largest(const double *values, int count)
{
    double found = values[0];
    for (int i = 1; i < count; ++i) {
        found = values[i] > found ? values[i] : found;
    }
    return found;
}

// Derivatives
static double sin_slope(double x)
{
    return cos(x);
}

static double cos_slope(double x)
{
    return -sin(x);
}

static double tan_slope(double x)
{
    return 1.0 / (cos(x) * cos(x));
}

static double asin_slope(double x)
{
    return 1.0 / sqrt((1.0 - x) * (1.0 + x));
}

static double acos_slope(double x)
{
    return -asin_slope(x);
}

static double atan_slope(double x)
{
    return 1.0 / (1.0 + x * x);
}

static double sinh_slope(double x)
{
    return cosh(x);
}

static double cosh_slope(double x)
{
    return sinh(x);
}

static double tanh_slope(double x)
{
    return 1.0 / (cosh(x) * cosh(x));
}

static double exp_slope(double x)
{
    return exp(x);
}

static double ln_slope(double x)
{
    return 1.0 / x;
}

static double log10_slope(double x)
{
    return 0.43429448190325182765 / x; // log10(e)
}

static double sqrt_slope(double x)
{
    return 0.5 / sqrt(x);
}

static double abs_slope(double x)
{
    return sign_of(x);
}

const hf_expression_function hf_expression_functions[] = {
    {.name = "sin", .arguments = 1, .one = sin, .slope = sin_slope},
    {.name = "cos", .arguments = 1, .one = cos, .slope = cos_slope},
    {.name = "tan", .arguments = 1, .one = tan, .slope = tan_slope},
    {.name = "asin", .arguments = 1, .one = asin, .slope = asin_slope},
    {.name = "acos", .arguments = 1, .one = acos, .slope = acos_slope},
    {.name = "atan", .arguments = 1, .one = atan, .slope = atan_slope},
    {.name = "atan2", .arguments = 2, .two = atan2},
    {.name = "sinh", .arguments = 1, .one = sinh, .slope = sinh_slope},
    {.name = "cosh", .arguments = 1, .one = cosh, .slope = cosh_slope},
    {.name = "tanh", .arguments = 1, .one = tanh, .slope = tanh_slope},
    {.name = "exp", .arguments = 1, .one = exp, .slope = exp_slope},
    {.name = "ln", .arguments = 1, .one = log, .slope = ln_slope},
    {.name = "log10", .arguments = 1, .one = log10, .slope = log10_slope},
    {.name = "sqrt", .arguments = 1, .one = sqrt, .slope = sqrt_slope},
    {.name = "abs", .arguments = 1, .one = fabs, .slope = abs_slope},
    {.name = "sign", .arguments = 1, .one = sign_of},
    {.name = "floor", .arguments = 1, .one = floor},
    {.name = "ceil", .arguments = 1, .one = ceil},
    {.name = "mod", .arguments = 2, .two = modulo},
    {.name = "pow", .arguments = 2, .two = pow},
    {.name = "min", .many = least},
    {.name = "max", .many = largest},
};
const int hf_expression_function_count =
    (int)(sizeof hf_expression_functions / sizeof hf_expression_functions[0]);

const hf_expression_constant hf_expression_constants[] = {
    {"pi", 3.14159265358979323846},
    {"e", 2.71828182845904523536},
};
const int hf_expression_constant_count =
    (int)(sizeof hf_expression_constants / sizeof hf_expression_constants[0]);

struct hf_formula {
    char *text;
    hf_derivative *derivative;
};

typedef struct instance {
    muParserHandle_t parser;
    double t;
    const hf_derivative *derivative;
    hf_dual *stack;
} instance;

hf_formula *hf_formula_create(const char *text, const hf_token *tokens)
{
    hf_formula *formula = malloc(sizeof *formula);
    if (formula == NULL) {
        return NULL;
    }
    size_t size = strlen(text) + 1;
    *formula = (hf_formula){.text = malloc(size)};
    if (tokens != NULL) {
        formula->derivative = hf_derivative_create(text, tokens);
    }
    if (formula->text == NULL || (tokens != NULL && formula->derivative == NULL)) {
        hf_formula_release(formula);
        return NULL;
    }
    memcpy(formula->text, text, size);
    return formula;
}

void hf_formula_release(void *context)
{
    hf_formula *formula = context;
    if (formula != NULL) {
        free(formula->text);
        hf_derivative_destroy(formula->derivative);
        free(formula);
    }
}

static void define_words(instance *it)
{
    mupClearFun(it->parser);
    mupClearConst(it->parser);
    for (int i = 0; i < hf_expression_function_count; ++i) {
        const hf_expression_function *f = &hf_expression_functions[i];
        if (f->one != NULL) {
            mupDefineFun1(it->parser, f->name, f->one, 1);
        } else if (f->two != NULL) {
            mupDefineFun2(it->parser, f->name, f->two, 1);
        } else {
            mupDefineMultFun(it->parser, f->name, f->many, 1);
        }
    }
    for (int i = 0; i < hf_expression_constant_count; ++i) {
        mupDefineConst(it->parser, hf_expression_constants[i].name,
                       hf_expression_constants[i].value);
    }
    mupDefineVar(it->parser, "t", &it->t);
}

void *hf_formula_open(void *context)
{
    const hf_formula *formula = context;
    instance *it = calloc(1, sizeof *it);
    if (it == NULL) {
        return NULL;
    }
    it->derivative = formula->derivative;
    it->stack = it->derivative == NULL
                    ? NULL
                    : calloc(hf_derivative_depth(it->derivative), sizeof *it->stack);
    it->parser = mupCreate(muBASETYPE_FLOAT);
    if (it->parser == NULL || (it->derivative != NULL && it->stack == NULL)) {
        hf_formula_close(it);
        return NULL;
    }
    define_words(it);
    mupSetExpr(it->parser, formula->text);
    // The first evaluation compiles, and takes all the memory that later ones use.
    (void)mupEval(it->parser);
    (void)mupEval(it->parser);
    if (mupError(it->parser)) {
        hf_formula_close(it);
        return NULL;
    }
    return it;
}

void hf_formula_close(void *opened)
{
    instance *it = opened;
    if (it != NULL) {
        if (it->parser != NULL) {
            mupRelease(it->parser);
        }
        free(it->stack);
        free(it);
    }
}

double hf_formula_value(void *opened, double t)
{
    instance *it = opened;
    it->t = t;
    return mupEval(it->parser);
}

double hf_formula_rate(void *opened, double t)
{
    instance *it = opened;
    return hf_derivative_at(it->derivative, t, it->stack).rate;
}

// ------------------------------------------------------------------------------------------------
// Jumps

// Where a comparison's operand ends: at whatever binds more weakly than arithmetic.
static bool ends_operand(hf_token_kind kind)
{
    return kind == HF_TOKEN_COMPARE || kind == HF_TOKEN_LOGIC || kind == HF_TOKEN_QUESTION ||
           kind == HF_TOKEN_COLON || kind == HF_TOKEN_COMMA || kind == HF_TOKEN_END;
}

// The first token of the operand before tokens[at].
static size_t operand_start(const hf_token *tokens, size_t at)
{
    int depth = 0;
    while (at > 0) {
        hf_token_kind kind = tokens[at - 1].kind;
        depth += kind == HF_TOKEN_CLOSE ? 1 : kind == HF_TOKEN_OPEN ? -1 : 0;
        if (depth < 0 || (depth == 0 && ends_operand(kind))) {
            break;
        }
        --at;
    }
    return at;
}

// One behind the last token of the operand that begins at tokens[at].
static size_t operand_end(const hf_token *tokens, size_t at)
{
    int depth = 0;
    for (;; ++at) {
        hf_token_kind kind = tokens[at].kind;
        depth += kind == HF_TOKEN_OPEN ? 1 : kind == HF_TOKEN_CLOSE ? -1 : 0;
        if (depth < 0 || (depth == 0 && ends_operand(kind))) {
            return at;
        }
    }
}

// Value of the tokens [first, end) when they do not contain t.
static bool constant_value(const char *text, const hf_token *tokens, size_t first, size_t end,
                           double *value)
{
    for (size_t i = first; i < end; ++i) {
        if (tokens[i].kind == HF_TOKEN_TIME) {
            return false;
        }
    }
    size_t start = tokens[first].start;
    if (end == first + 1 && tokens[first].kind == HF_TOKEN_NUMBER) {
        *value = strtod(text + start, NULL);
        return true;
    }
    size_t length = tokens[end - 1].start + tokens[end - 1].length - start;
    char *part = malloc(length + 1);
    if (part == NULL) {
        return false;
    }
    memcpy(part, text + start, length);
    part[length] = '\0';
    hf_formula formula = {.text = part};
    void *opened = hf_formula_open(&formula);
    if (opened != NULL) {
        *value = hf_formula_value(opened, 0.0);
        hf_formula_close(opened);
    }
    free(part);
    return opened != NULL;
}

static bool is_time(const hf_token *tokens, size_t first, size_t end)
{
    return end == first + 1 && tokens[first].kind == HF_TOKEN_TIME;
}

static int by_value(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return a < b ? -1 : a > b;
}

bool hf_expression_jumps(const char *text, const hf_token *tokens, double **times, int *count)
{
    size_t comparisons = 0;
    for (const hf_token *token = tokens; token->kind != HF_TOKEN_END; ++token) {
        comparisons += token->kind == HF_TOKEN_COMPARE;
    }
    *count = 0;
    *times = malloc((comparisons + 1) * sizeof **times);
    if (*times == NULL) {
        return false;
    }
    for (size_t i = 0; tokens[i].kind != HF_TOKEN_END; ++i) {
        if (tokens[i].kind != HF_TOKEN_COMPARE) {
            continue;
        }
        size_t left = operand_start(tokens, i), right = operand_end(tokens, i + 1);
        double time = 0;
        bool found =
            (is_time(tokens, left, i) && constant_value(text, tokens, i + 1, right, &time)) ||
            (is_time(tokens, i + 1, right) && constant_value(text, tokens, left, i, &time));
        if (found && isfinite(time) && time > 0) {
            (*times)[(*count)++] = time;
        }
    }
    qsort(*times, (size_t)*count, sizeof **times, by_value);
    int kept = 0;
    for (int i = 0; i < *count; ++i) {
        if (kept == 0 || (*times)[i] > (*times)[kept - 1]) {
            (*times)[kept++] = (*times)[i];
        }
    }
    *count = kept;
    return true;
}
