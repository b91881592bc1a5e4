// SPDX-License-Identifier: Apache-2.0
// Evaluating expressions with muParser's C interface. Its error texts pass through one static
// buffer, so they are never asked for: several sims may open formulas at once.
#include <math.h>
#include <muParserDLL.h>
#include <stdlib.h>
#include <string.h>

#include "models/expression.h"

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

const hf_expression_function hf_expression_functions[] = {
    {.name = "sin", .arguments = 1, .one = sin},
    {.name = "cos", .arguments = 1, .one = cos},
    {.name = "tan", .arguments = 1, .one = tan},
    {.name = "asin", .arguments = 1, .one = asin},
    {.name = "acos", .arguments = 1, .one = acos},
    {.name = "atan", .arguments = 1, .one = atan},
    {.name = "atan2", .arguments = 2, .two = atan2},
    {.name = "sinh", .arguments = 1, .one = sinh},
    {.name = "cosh", .arguments = 1, .one = cosh},
    {.name = "tanh", .arguments = 1, .one = tanh},
    {.name = "exp", .arguments = 1, .one = exp},
    {.name = "ln", .arguments = 1, .one = log},
    {.name = "log10", .arguments = 1, .one = log10},
    {.name = "sqrt", .arguments = 1, .one = sqrt},
    {.name = "abs", .arguments = 1, .one = fabs},
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
};

typedef struct instance {
    muParserHandle_t parser;
    double t;
} instance;

hf_formula *hf_formula_create(const char *text)
{
    hf_formula *formula = malloc(sizeof *formula);
    if (formula == NULL) {
        return NULL;
    }
    size_t size = strlen(text) + 1;
    formula->text = malloc(size);
    if (formula->text == NULL) {
        free(formula);
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
    it->parser = mupCreate(muBASETYPE_FLOAT);
    if (it->parser == NULL) {
        free(it);
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
        mupRelease(it->parser);
        free(it);
    }
}

double hf_formula_value(void *opened, double t)
{
    instance *it = opened;
    it->t = t;
    return mupEval(it->parser);
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
