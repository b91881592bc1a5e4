// SPDX-License-Identifier: Apache-2.0
// Expressions of vectors, read one component at a time: the tokens of a text are replaced by those
// of its component along one axis, which is an expression of numbers.
//
//   x, along k             x_k
//   norm(a)                sqrt((a_0)^2 + (a_1)^2 + ...);  abs(a) where a is a number
//   dot(a, b)              ((a_0) * (b_0) + (a_1) * (b_1) + ...)
//   sat(F, a), along k     ((a_k) * min(1, (F)/norm(a))): the nearest point of a ball of radius F
//
// min(1, F/0) is 1, also where F is 0. Everything else acts on each component by itself: prox then
// gives the nearest point of a box.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "math/expression_program.h"

// Tokens of a component, at most: arguments of norm, dot and sat are written once an axis.
enum { MOST_TOKENS = 1 << 14 };

typedef struct expansion {
    hf_expression_scope scope;
    const hf_token *tokens;
    hf_token *out;
    size_t count;
    hf_expression_fault *fault;
} expansion;

// An argument, or all of a text: tokens first to end - 1.
typedef struct span {
    size_t first, end;
} span;

static hf_expression_role role_of(const hf_token *token)
{
    return token->kind == HF_TOKEN_FUNCTION ? hf_expression_functions[token->index].role
                                            : HF_ROLE_ONE;
}

static bool is_vector_name(hf_expression_scope scope, const hf_token *token)
{
    return token->kind == HF_TOKEN_VARIABLE && token->index < scope.count &&
           token->length == strlen(scope.names[token->index]) && scope.vectors[token->index];
}

// The token behind the parenthesis that closes the one at `open`; *comma: the first comma of its
// own, or the parenthesis.
static size_t behind_call(const hf_token *tokens, size_t open, size_t *comma)
{
    size_t i = open;
    *comma = 0;
    for (int depth = 0;; ++i) {
        bool opens = tokens[i].kind == HF_TOKEN_OPEN, closes = tokens[i].kind == HF_TOKEN_CLOSE;
        depth += opens ? 1 : closes ? -1 : 0;
        if (*comma == 0 && ((depth == 1 && tokens[i].kind == HF_TOKEN_COMMA) || depth == 0)) {
            *comma = i;
        }
        if (depth == 0) {
            return i + 1;
        }
    }
}

// Whether a vector stands in a span outside of norm and dot.
static bool is_vector(hf_expression_scope scope, const hf_token *tokens, span s)
{
    size_t comma;
    for (size_t i = s.first; i < s.end; ++i) {
        hf_expression_role role = role_of(&tokens[i]);
        if (role == HF_ROLE_NORM || role == HF_ROLE_DOT) {
            i = behind_call(tokens, i + 1, &comma) - 1;
        } else if (is_vector_name(scope, &tokens[i])) {
            return true;
        }
    }
    return false;
}

// ------------------------------------------------------------------------------------------------
// Writing tokens

static bool put(expansion *x, hf_token token)
{
    if (x->count == MOST_TOKENS) {
        return hf_expression_fail(
            x->fault, token.start,
            "the expression of vectors is too long; give parts of it to states "
            "or parameters");
    }
    x->out[x->count++] = token;
    return true;
}

static bool put_symbol(expansion *x, hf_token_kind kind, const char *symbol)
{
    return put(x,
               (hf_token){.kind = kind, .symbol = symbol, .index = -1, .length = strlen(symbol)});
}

static bool put_number(expansion *x, double number)
{
    return put(x, (hf_token){.kind = HF_TOKEN_NUMBER, .number = number, .index = -1});
}

static bool put_function(expansion *x, const char *name)
{
    int i = 0;
    while (strcmp(hf_expression_functions[i].name, name) != 0) {
        ++i;
    }
    return put(x, (hf_token){.kind = HF_TOKEN_FUNCTION, .index = i});
}

static bool put_span(expansion *x, span s, int axis);

static bool put_in_parentheses(expansion *x, span s, int axis)
{
    return put_symbol(x, HF_TOKEN_OPEN, "(") && put_span(x, s, axis) &&
           put_symbol(x, HF_TOKEN_CLOSE, ")");
}

// (a_0) * (b_0) + (a_1) * (b_1) + ...
static bool put_product(expansion *x, span a, span b)
{
    for (int k = 0; k < x->scope.axes; ++k) {
        if ((k > 0 && !put_symbol(x, HF_TOKEN_SIGN, "+")) || !put_in_parentheses(x, a, k) ||
            !put_symbol(x, HF_TOKEN_TIMES, "*") || !put_in_parentheses(x, b, k)) {
            return false;
        }
    }
    return true;
}

static bool put_norm(expansion *x, span a)
{
    if (!is_vector(x->scope, x->tokens, a)) {
        return put_function(x, "abs") && put_in_parentheses(x, a, -1);
    }
    return put_function(x, "sqrt") && put_symbol(x, HF_TOKEN_OPEN, "(") && put_product(x, a, a) &&
           put_symbol(x, HF_TOKEN_CLOSE, ")");
}

static bool put_dot(expansion *x, const hf_token *word, span a, span b)
{
    if (!is_vector(x->scope, x->tokens, a) || !is_vector(x->scope, x->tokens, b)) {
        return hf_expression_fail(x->fault, word->start, "dot takes two vectors");
    }
    return put_symbol(x, HF_TOKEN_OPEN, "(") && put_product(x, a, b) &&
           put_symbol(x, HF_TOKEN_CLOSE, ")");
}

static bool put_sat(expansion *x, span level, span a, int axis)
{
    return put_symbol(x, HF_TOKEN_OPEN, "(") && put_in_parentheses(x, a, axis) &&
           put_symbol(x, HF_TOKEN_TIMES, "*") && put_function(x, "min") &&
           put_symbol(x, HF_TOKEN_OPEN, "(") && put_number(x, 1.0) &&
           put_symbol(x, HF_TOKEN_COMMA, ",") && put_in_parentheses(x, level, -1) &&
           put_symbol(x, HF_TOKEN_TIMES, "/") && put_norm(x, a) &&
           put_symbol(x, HF_TOKEN_CLOSE, ")") && put_symbol(x, HF_TOKEN_CLOSE, ")");
}

static bool put_name(expansion *x, const hf_token *token, int axis)
{
    hf_token component = *token;
    if (is_vector_name(x->scope, token)) {
        const char *name = x->scope.names[token->index];
        if (axis < 0) {
            return hf_expression_fail(x->fault, token->start,
                                      "'%s' is a vector of %d axes, and a number is wanted: "
                                      "norm(%s), dot(%s, ...) or a component, %s.x",
                                      name, x->scope.axes, name, name, name);
        }
        component.index += axis;
    }
    return put(x, component);
}

// The component along `axis` of a span, or with -1 a number.
static bool put_span(expansion *x, span s, int axis)
{
    for (size_t i = s.first; i < s.end; ++i) {
        const hf_token *token = &x->tokens[i];
        hf_expression_role role = role_of(token);
        // Calls that see whole vectors
        if (role == HF_ROLE_NORM || role == HF_ROLE_DOT || role == HF_ROLE_SAT) {
            size_t comma, behind = behind_call(x->tokens, i + 1, &comma);
            span a = {i + 2, comma}, b = {comma + 1, behind - 1};
            bool whole = role != HF_ROLE_SAT || is_vector(x->scope, x->tokens, b);
            bool put_it = !whole                 ? put(x, *token)
                          : role == HF_ROLE_NORM ? put_norm(x, a)
                          : role == HF_ROLE_DOT  ? put_dot(x, token, a, b)
                          : axis >= 0            ? put_sat(x, a, b, axis)
                                                 : put_span(x, b, -1);
            if (!put_it) {
                return false;
            }
            i = whole ? behind - 1 : i;
            continue;
        }
        // The rest, as it is
        if (!put_name(x, token, axis)) {
            return false;
        }
    }
    return true;
}

// ------------------------------------------------------------------------------------------------

static span whole_text(const hf_token *tokens)
{
    size_t count = 0;
    while (tokens[count].kind != HF_TOKEN_END) {
        ++count;
    }
    return (span){0, count};
}

bool hf_expression_take_axis(hf_expression_scope scope, hf_token **tokens,
                             hf_expression_fault *fault)
{
    expansion x = {.scope = scope,
                   .tokens = *tokens,
                   .out = malloc((MOST_TOKENS + 1) * sizeof *x.out),
                   .fault = fault};
    bool good = x.out != NULL ? put_span(&x, whole_text(*tokens), scope.axis)
                              : hf_expression_no_memory(fault);
    free(*tokens);
    *tokens = NULL;
    if (!good) {
        free(x.out);
        return false;
    }
    x.out[x.count] = (hf_token){.kind = HF_TOKEN_END, .index = -1};
    *tokens = x.out;
    return true;
}

bool hf_expression_is_vector(const char *text, hf_expression_scope scope)
{
    hf_expression_fault fault;
    hf_token *tokens = NULL;
    if (scope.axes <= 1 || !hf_expression_tokens(text, scope, &tokens, &fault)) {
        return false;
    }
    bool vector = is_vector(scope, tokens, whole_text(tokens));
    free(tokens);
    return vector;
}
