// SPDX-License-Identifier: Apache-2.0
// The syntax of expressions: tokens, and a walk over them with a stack of what is open.
#include "models/signals/expression.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"

static bool fault_at(hf_expression_fault *fault, size_t position, const char *format, ...)
    HF_PRINTF(3, 4);

static bool fault_at(hf_expression_fault *fault, size_t position, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(fault->text, sizeof fault->text, format, arguments);
    va_end(arguments);
    fault->position = position;
    return false;
}

// ------------------------------------------------------------------------------------------------
// Words

static int find_function(const char *word, size_t length)
{
    for (int i = 0; i < hf_expression_function_count; ++i) {
        const char *name = hf_expression_functions[i].name;
        if (strncmp(name, word, length) == 0 && name[length] == '\0') {
            return i;
        }
    }
    return -1;
}

static bool is_constant(const char *word, size_t length)
{
    for (int i = 0; i < hf_expression_constant_count; ++i) {
        const char *name = hf_expression_constants[i].name;
        if (strncmp(name, word, length) == 0 && name[length] == '\0') {
            return true;
        }
    }
    return false;
}

bool hf_expression_knows(const char *word)
{
    size_t length = strlen(word);
    return strcmp(word, "t") == 0 || is_constant(word, length) || find_function(word, length) >= 0;
}

static bool unknown_word(const char *word, size_t length, size_t at, hf_expression_fault *fault)
{
    enum { MOST = 64 };
    const char *known[MOST];
    int count = 0;
    known[count++] = "t";
    for (int i = 0; i < hf_expression_constant_count && count < MOST; ++i) {
        known[count++] = hf_expression_constants[i].name;
    }
    for (int i = 0; i < hf_expression_function_count && count < MOST; ++i) {
        known[count++] = hf_expression_functions[i].name;
    }
    char copy[64];
    (void)snprintf(copy, sizeof copy, "%.*s", (int)(length < 60 ? length : 60), word);
    const char *nearest = hf_nearest_name(copy, known, count);
    if (nearest == NULL || length == 1) { // one letter is near to every other
        return fault_at(fault, at, "unknown name '%s'; an expression knows t, pi, e and functions",
                        copy);
    }
    return fault_at(fault, at, "unknown name '%s'; did you mean '%s'?", copy, nearest);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// ------------------------------------------------------------------------------------------------
// Tokens

static bool take_word(const char *text, hf_token *token, hf_expression_fault *fault)
{
    const char *word = text + token->start;
    size_t length = 0;
    while (is_letter(word[length]) || is_digit(word[length])) {
        ++length;
    }
    token->length = length;
    token->function = find_function(word, length);
    if (length == 1 && word[0] == 't') {
        token->kind = HF_TOKEN_TIME;
    } else if (is_constant(word, length)) {
        token->kind = HF_TOKEN_CONSTANT;
    } else if (token->function >= 0) {
        token->kind = HF_TOKEN_FUNCTION;
    } else {
        return unknown_word(word, length, token->start, fault);
    }
    return true;
}

static bool take_number(const char *text, hf_token *token, hf_expression_fault *fault)
{
    const char *s = text + token->start;
    size_t i = 0;
    while (is_digit(s[i])) {
        ++i;
    }
    if (s[i] == '.') {
        ++i;
        while (is_digit(s[i])) {
            ++i;
        }
    }
    if (s[i] == 'e' || s[i] == 'E') {
        size_t exponent = i + 1;
        exponent += s[exponent] == '+' || s[exponent] == '-';
        if (!is_digit(s[exponent])) {
            return fault_at(fault, token->start, "a number's exponent has no digits");
        }
        i = exponent;
        while (is_digit(s[i])) {
            ++i;
        }
    }
    if (is_letter(s[i]) || s[i] == '.') {
        return fault_at(fault, token->start + i, "expected an operator after the number");
    }
    token->kind = HF_TOKEN_NUMBER;
    token->length = i;
    if (!isfinite(strtod(s, NULL))) {
        return fault_at(fault, token->start, "the number is too large");
    }
    return true;
}

static bool take_symbol(const char *text, hf_token *token, hf_expression_fault *fault)
{
    static const struct {
        const char *symbol;
        hf_token_kind kind;
    } symbols[] = {{"<=", HF_TOKEN_COMPARE}, {">=", HF_TOKEN_COMPARE}, {"==", HF_TOKEN_COMPARE},
                   {"!=", HF_TOKEN_COMPARE}, {"&&", HF_TOKEN_LOGIC},   {"||", HF_TOKEN_LOGIC},
                   {"<", HF_TOKEN_COMPARE},  {">", HF_TOKEN_COMPARE},  {"+", HF_TOKEN_SIGN},
                   {"-", HF_TOKEN_SIGN},     {"*", HF_TOKEN_TIMES},    {"/", HF_TOKEN_TIMES},
                   {"^", HF_TOKEN_TIMES},    {"?", HF_TOKEN_QUESTION}, {":", HF_TOKEN_COLON},
                   {"(", HF_TOKEN_OPEN},     {")", HF_TOKEN_CLOSE},    {",", HF_TOKEN_COMMA}};
    const char *s = text + token->start;
    for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; ++i) {
        size_t length = strlen(symbols[i].symbol);
        if (strncmp(s, symbols[i].symbol, length) == 0) {
            token->kind = symbols[i].kind;
            token->length = length;
            return true;
        }
    }
    if (*s == '=') {
        return fault_at(fault, token->start, "'=' assigns, which expressions cannot; use '=='");
    }
    if (*s > 0x20 && *s < 0x7F) {
        return fault_at(fault, token->start, "unexpected '%c'", *s);
    }
    return fault_at(fault, token->start, "unexpected character");
}

static bool split(const char *text, size_t length, hf_token *tokens, hf_expression_fault *fault)
{
    size_t count = 0, at = 0;
    for (;;) {
        at += strspn(text + at, " \t\r\n");
        hf_token *token = &tokens[count++];
        *token = (hf_token){.kind = HF_TOKEN_END, .function = -1, .start = at};
        if (at >= length) {
            return true;
        }
        char c = text[at];
        bool number = is_digit(c) || (c == '.' && is_digit(text[at + 1]));
        bool taken = number         ? take_number(text, token, fault)
                     : is_letter(c) ? take_word(text, token, fault)
                                    : take_symbol(text, token, fault);
        if (!taken) {
            return false;
        }
        at += token->length;
    }
}

// ------------------------------------------------------------------------------------------------
// Grammar

typedef struct open_part {
    hf_token_kind kind; // HF_TOKEN_OPEN, HF_TOKEN_FUNCTION or HF_TOKEN_QUESTION
    int function;
    int arguments;
    size_t start;
} open_part;

typedef struct walk {
    open_part open[HF_EXPRESSION_MAX_DEPTH];
    int depth;
    hf_expression_fault *fault;
} walk;

static bool push(walk *w, hf_token_kind kind, const hf_token *token)
{
    if (w->depth >= HF_EXPRESSION_MAX_DEPTH) {
        return fault_at(w->fault, token->start, "nested deeper than %d levels",
                        HF_EXPRESSION_MAX_DEPTH);
    }
    w->open[w->depth++] = (open_part){kind, token->function, 1, token->start};
    return true;
}

static bool question_is_open(const walk *w)
{
    return w->depth > 0 && w->open[w->depth - 1].kind == HF_TOKEN_QUESTION;
}

static bool close_call(walk *w, const open_part *part)
{
    const hf_expression_function *f = &hf_expression_functions[part->function];
    bool right = f->arguments == 0 ? part->arguments >= 2 : part->arguments == f->arguments;
    if (right) {
        return true;
    }
    return fault_at(w->fault, part->start, "%s takes %d argument%s%s, got %d", f->name,
                    f->arguments == 0 ? 2 : f->arguments, f->arguments == 1 ? "" : "s",
                    f->arguments == 0 ? " or more" : "", part->arguments);
}

// A token where a value has ended. Returns false on a fault; *operand: a value must follow.
static bool after_value(walk *w, const hf_token *token, bool *operand)
{
    open_part *top = w->depth > 0 ? &w->open[w->depth - 1] : NULL;
    *operand = true;
    switch (token->kind) {
    case HF_TOKEN_SIGN:
    case HF_TOKEN_TIMES:
    case HF_TOKEN_COMPARE:
    case HF_TOKEN_LOGIC:
        return true;
    case HF_TOKEN_QUESTION:
        return push(w, HF_TOKEN_QUESTION, token);
    case HF_TOKEN_COLON:
        if (!question_is_open(w)) {
            return fault_at(w->fault, token->start, "':' without '?'");
        }
        w->depth -= 1;
        return true;
    case HF_TOKEN_COMMA:
    case HF_TOKEN_CLOSE:
    case HF_TOKEN_END:
        break;
    default:
        return fault_at(w->fault, token->start, "expected an operator");
    }
    if (question_is_open(w)) {
        return fault_at(w->fault, top->start, "'?' without ':'");
    }
    if (token->kind == HF_TOKEN_END) {
        return top == NULL || fault_at(w->fault, top->start, "a parenthesis is not closed");
    }
    if (top == NULL || (token->kind == HF_TOKEN_COMMA && top->kind != HF_TOKEN_FUNCTION)) {
        return fault_at(w->fault, token->start, "unexpected '%c'",
                        token->kind == HF_TOKEN_COMMA ? ',' : ')');
    }
    if (token->kind == HF_TOKEN_COMMA) {
        top->arguments += 1;
        return true;
    }
    *operand = false;
    w->depth -= 1;
    return top->kind != HF_TOKEN_FUNCTION || close_call(w, top);
}

// A token where a value must begin. *index moves past what was taken.
static bool at_value(walk *w, const hf_token *tokens, size_t *index, bool *operand)
{
    const hf_token *token = &tokens[*index];
    *operand = false;
    switch (token->kind) {
    case HF_TOKEN_NUMBER:
    case HF_TOKEN_TIME:
    case HF_TOKEN_CONSTANT:
        return true;
    case HF_TOKEN_SIGN:
        *operand = true;
        if (tokens[*index + 1].kind == HF_TOKEN_SIGN) {
            return fault_at(w->fault, tokens[*index + 1].start, "more than one sign in a row");
        }
        return true;
    case HF_TOKEN_OPEN:
        *operand = true;
        return push(w, HF_TOKEN_OPEN, token);
    case HF_TOKEN_FUNCTION:
        if (tokens[*index + 1].kind != HF_TOKEN_OPEN) {
            return fault_at(w->fault, token->start, "the function %s needs its argument in ( )",
                            hf_expression_functions[token->function].name);
        }
        *operand = true;
        *index += 1;
        return push(w, HF_TOKEN_FUNCTION, token);
    case HF_TOKEN_END:
        return fault_at(w->fault, token->start,
                        *index == 0 ? "the expression is empty"
                                    : "the expression ends where a value is expected");
    default:
        return fault_at(w->fault, token->start, "expected a value");
    }
}

static bool check_grammar(const hf_token *tokens, hf_expression_fault *fault)
{
    walk w = {.fault = fault};
    bool operand = true;
    for (size_t i = 0;; ++i) {
        bool good =
            operand ? at_value(&w, tokens, &i, &operand) : after_value(&w, &tokens[i], &operand);
        if (!good) {
            return false;
        }
        if (tokens[i].kind == HF_TOKEN_END) {
            return true;
        }
    }
}

bool hf_expression_check(const char *text, hf_token **tokens, hf_expression_fault *fault)
{
    *tokens = NULL;
    size_t length = strlen(text);
    if (length > HF_EXPRESSION_MAX_LENGTH) {
        return fault_at(fault, 0, "the expression is longer than %d KiB",
                        HF_EXPRESSION_MAX_LENGTH / 1024);
    }
    hf_token *found = calloc(length + 1, sizeof *found);
    if (found == NULL) {
        return fault_at(fault, 0, "out of memory");
    }
    if (!split(text, length, found, fault) || !check_grammar(found, fault)) {
        free(found);
        return false;
    }
    *tokens = found;
    return true;
}
