// SPDX-License-Identifier: Apache-2.0
// The syntax of expressions: tokens, and a walk over them with a stack of what is open.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "math/expression_program.h"

bool hf_expression_fail(hf_expression_fault *fault, size_t position, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(fault->text, sizeof fault->text, format, arguments);
    va_end(arguments);
    fault->position = position;
    return false;
}

bool hf_expression_no_memory(hf_expression_fault *fault)
{
    fault->memory = true;
    return hf_expression_fail(fault, 0, "out of memory");
}

// ------------------------------------------------------------------------------------------------
// Words

const hf_expression_scope hf_expression_time = {.names = (const char *const[]){"t"}, .count = 1};

static bool is_word(const char *name, const char *word, size_t length)
{
    return strncmp(name, word, length) == 0 && name[length] == '\0';
}

static int find_function(const char *word, size_t length)
{
    for (int i = 0; i < hf_expression_function_count; ++i) {
        if (is_word(hf_expression_functions[i].name, word, length)) {
            return i;
        }
    }
    return -1;
}

static int find_constant(const char *word, size_t length)
{
    for (int i = 0; i < hf_expression_constant_count; ++i) {
        if (is_word(hf_expression_constants[i].name, word, length)) {
            return i;
        }
    }
    return -1;
}

static int find_variable(hf_expression_scope scope, const char *word, size_t length)
{
    for (int i = 0; i < scope.count; ++i) {
        if (is_word(scope.names[i], word, length)) {
            return i;
        }
    }
    return -1;
}

static int find_named_number(hf_expression_scope scope, const char *word, size_t length)
{
    for (int i = 0; i < scope.constant_count; ++i) {
        if (is_word(scope.constants[i], word, length)) {
            return i;
        }
    }
    return -1;
}

bool hf_expression_knows(hf_expression_scope scope, const char *word)
{
    // These came later than the signals that may be called so.
    static const char *const later[] = {"sat", "prox", "dio", "norm", "dot"};
    size_t length = strlen(word);
    bool function = find_function(word, length) >= 0;
    for (size_t i = 0; i < sizeof later / sizeof *later; ++i) {
        function = function && strcmp(word, later[i]) != 0;
    }
    return find_variable(scope, word, length) >= 0 || find_named_number(scope, word, length) >= 0 ||
           find_constant(word, length) >= 0 || function;
}

static bool unknown_word(hf_expression_scope scope, const char *word, size_t length, size_t at,
                         hf_expression_fault *fault)
{
    enum { MOST = 256 };
    const char *known[MOST];
    int count = 0;
    // Of equally near names the first is taken: the model's own come first.
    for (int i = 0; i < scope.constant_count && count < MOST / 2; ++i) {
        known[count++] = scope.constants[i];
    }
    for (int i = 0; i < hf_expression_constant_count && count < MOST; ++i) {
        known[count++] = hf_expression_constants[i].name;
    }
    for (int i = 0; i < hf_expression_function_count && count < MOST; ++i) {
        known[count++] = hf_expression_functions[i].name;
    }
    for (int i = 0; i < scope.count && count < MOST; ++i) {
        known[count++] = scope.names[i];
    }
    char copy[64];
    (void)snprintf(copy, sizeof copy, "%.*s", (int)(length < 60 ? length : 60), word);
    const char *nearest = hf_nearest_name(copy, known, count);
    if (nearest == NULL || length == 1) { // one letter is near to every other
        return hf_expression_fail(
            fault, at, "unknown name '%s'; an expression knows %s%s, pi, e and functions", copy,
            scope.count > 0 ? scope.names[0] : "numbers", scope.count > 1 ? ", other values" : "");
    }
    return hf_expression_fail(fault, at, "unknown name '%s'; did you mean '%s'?", copy, nearest);
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

// A name that the caller of the scope finds.
static bool take_found(hf_expression_scope scope, const char *word, size_t length, hf_token *token,
                       hf_expression_fault *fault)
{
    int slot = scope.find(scope.context, word, length);
    if (slot == -1) {
        return unknown_word(scope, word, length, token->start, fault);
    }
    if (slot < 0 || slot >= HF_EXPRESSION_MAX_SLOTS) {
        return hf_expression_fail(fault, token->start, "an expression of too many values");
    }
    token->kind = HF_TOKEN_VARIABLE;
    token->index = slot;
    return true;
}

static bool take_quoted(const char *text, hf_expression_scope scope, hf_token *token,
                        hf_expression_fault *fault)
{
    const char *word = text + token->start + 1, *end = strchr(word, '\'');
    if (end == NULL || end == word) {
        return hf_expression_fail(fault, token->start, "expected a name in '...'");
    }
    token->length = (size_t)(end - word) + 2;
    return take_found(scope, word, (size_t)(end - word), token, fault);
}

// The number of a copy behind its name, and the point of its channel: "-2-1." of
// brick-2-1.position. No number is written so, but for 1.e3. Returns its length; 0: there is none.
static size_t copy_number(const char *text)
{
    size_t i = 0;
    while (text[i] == '-' && is_digit(text[i + 1])) {
        ++i;
        while (is_digit(text[i])) {
            ++i;
        }
    }
    const char *next = text + i + 1;
    if (i == 0 || text[i] != '.' || !is_letter(*next)) {
        return 0;
    }
    size_t sign = next[1] == '+' || next[1] == '-' ? 2 : 1;
    bool exponent = (*next == 'e' || *next == 'E') && is_digit(next[sign]);
    return exponent ? 0 : i;
}

static bool take_word(const char *text, hf_expression_scope scope, hf_token *token,
                      hf_expression_fault *fault)
{
    const char *word = text + token->start;
    size_t length = 0;
    bool dotted = false;
    // The whole word; where channels can be named, with points and numbers of copies in it
    while (is_letter(word[length]) || is_digit(word[length]) ||
           (scope.find != NULL && word[length] == '.' &&
            (is_letter(word[length + 1]) || is_digit(word[length + 1])))) {
        dotted = dotted || word[length] == '.';
        ++length;
        length += scope.find == NULL || dotted ? 0 : copy_number(word + length);
    }
    token->length = length;
    if (dotted) {
        return take_found(scope, word, length, token, fault);
    }
    // What has this name: variables first, then numbers of the caller, constants and functions
    int variable = find_variable(scope, word, length), constant = find_constant(word, length);
    int named = find_named_number(scope, word, length);
    int function = find_function(word, length);
    if (variable >= 0) {
        token->kind = HF_TOKEN_VARIABLE;
        token->index = variable;
    } else if (named >= 0) {
        token->kind = HF_TOKEN_NUMBER;
        token->number = scope.constant_values[named];
    } else if (constant >= 0) {
        token->kind = HF_TOKEN_NUMBER;
        token->number = hf_expression_constants[constant].value;
    } else if (function >= 0) {
        token->kind = HF_TOKEN_FUNCTION;
        token->index = function;
    } else {
        return scope.find != NULL ? take_found(scope, word, length, token, fault)
                                  : unknown_word(scope, word, length, token->start, fault);
    }
    return true;
}

static bool take_number(const char *text, hf_token *token, hf_expression_fault *fault)
{
    const char *s = text + token->start;
    size_t i = 0;
    // Digits, a point, and more digits
    while (is_digit(s[i])) {
        ++i;
    }
    if (s[i] == '.') {
        ++i;
        while (is_digit(s[i])) {
            ++i;
        }
    }
    // An exponent
    if (s[i] == 'e' || s[i] == 'E') {
        size_t exponent = i + 1;
        exponent += s[exponent] == '+' || s[exponent] == '-';
        if (!is_digit(s[exponent])) {
            return hf_expression_fail(fault, token->start, "a number's exponent has no digits");
        }
        i = exponent;
        while (is_digit(s[i])) {
            ++i;
        }
    }
    // Nothing may follow that looks like a part of it
    if (is_letter(s[i]) || s[i] == '.') {
        return hf_expression_fail(fault, token->start + i, "expected an operator after the number");
    }
    token->kind = HF_TOKEN_NUMBER;
    token->length = i;
    token->number = strtod(s, NULL);
    if (!isfinite(token->number)) {
        return hf_expression_fail(fault, token->start, "the number is too large");
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
    // The first that fits; longer ones stand before their beginnings
    const char *s = text + token->start;
    for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; ++i) {
        size_t length = strlen(symbols[i].symbol);
        if (strncmp(s, symbols[i].symbol, length) == 0) {
            token->kind = symbols[i].kind;
            token->symbol = symbols[i].symbol;
            token->length = length;
            return true;
        }
    }
    // What else it may have been meant for
    if (*s == '=') {
        return hf_expression_fail(fault, token->start,
                                  "'=' assigns, which expressions cannot; use '=='");
    }
    if (*s > 0x20 && *s < 0x7F) {
        return hf_expression_fail(fault, token->start, "unexpected '%c'", *s);
    }
    return hf_expression_fail(fault, token->start, "unexpected character");
}

static bool split(const char *text, hf_expression_scope scope, size_t length, hf_token *tokens,
                  hf_expression_fault *fault)
{
    size_t count = 0, at = 0;
    for (;;) {
        at += strspn(text + at, " \t\r\n");
        hf_token *token = &tokens[count++];
        *token = (hf_token){.kind = HF_TOKEN_END, .index = -1, .start = at};
        if (at >= length) {
            return true;
        }
        char c = text[at];
        bool number = is_digit(c) || (c == '.' && is_digit(text[at + 1]));
        bool quoted = c == '\'' && scope.find != NULL;
        bool taken = number         ? take_number(text, token, fault)
                     : is_letter(c) ? take_word(text, scope, token, fault)
                     : quoted       ? take_quoted(text, scope, token, fault)
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
        return hf_expression_fail(w->fault, token->start, "nested deeper than %d levels",
                                  HF_EXPRESSION_MAX_DEPTH);
    }
    w->open[w->depth++] = (open_part){kind, token->index, 1, token->start};
    return true;
}

static bool question_is_open(const walk *w)
{
    return w->depth > 0 && w->open[w->depth - 1].kind == HF_TOKEN_QUESTION;
}

static bool close_call(walk *w, const open_part *part)
{
    const hf_expression_function *f = &hf_expression_functions[part->function];
    int wanted = hf_expression_arguments(f);
    if (wanted == 0 ? part->arguments >= 2 : part->arguments == wanted) {
        return true;
    }
    return hf_expression_fail(w->fault, part->start, "%s takes %d argument%s%s, got %d", f->name,
                              wanted == 0 ? 2 : wanted, wanted == 1 ? "" : "s",
                              wanted == 0 ? " or more" : "", part->arguments);
}

// A token where a value has ended. Returns false on a fault; *operand: a value must follow.
static bool after_value(walk *w, const hf_token *token, bool *operand)
{
    open_part *top = w->depth > 0 ? &w->open[w->depth - 1] : NULL;
    *operand = true;
    // Operators want another value
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
            return hf_expression_fail(w->fault, token->start, "':' without '?'");
        }
        w->depth -= 1;
        return true;
    case HF_TOKEN_COMMA:
    case HF_TOKEN_CLOSE:
    case HF_TOKEN_END:
        break;
    default:
        return hf_expression_fail(w->fault, token->start, "expected an operator");
    }
    // A comma, a closing parenthesis or the end closes what is open
    if (question_is_open(w)) {
        return hf_expression_fail(w->fault, top->start, "'?' without ':'");
    }
    if (token->kind == HF_TOKEN_END) {
        return top == NULL ||
               hf_expression_fail(w->fault, top->start, "a parenthesis is not closed");
    }
    if (top == NULL || (token->kind == HF_TOKEN_COMMA && top->kind != HF_TOKEN_FUNCTION)) {
        return hf_expression_fail(w->fault, token->start, "unexpected '%c'",
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
    case HF_TOKEN_VARIABLE:
        return true;
    case HF_TOKEN_SIGN:
        *operand = true;
        if (tokens[*index + 1].kind == HF_TOKEN_SIGN) {
            return hf_expression_fail(w->fault, tokens[*index + 1].start,
                                      "more than one sign in a row");
        }
        return true;
    case HF_TOKEN_OPEN:
        *operand = true;
        return push(w, HF_TOKEN_OPEN, token);
    case HF_TOKEN_FUNCTION:
        if (tokens[*index + 1].kind != HF_TOKEN_OPEN) {
            return hf_expression_fail(w->fault, token->start,
                                      "the function %s needs its argument in ( )",
                                      hf_expression_functions[token->index].name);
        }
        *operand = true;
        *index += 1;
        return push(w, HF_TOKEN_FUNCTION, token);
    case HF_TOKEN_END:
        return hf_expression_fail(w->fault, token->start,
                                  *index == 0 ? "the expression is empty"
                                              : "the expression ends where a value is expected");
    default:
        return hf_expression_fail(w->fault, token->start, "expected a value");
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

bool hf_expression_tokens(const char *text, hf_expression_scope scope, hf_token **tokens,
                          hf_expression_fault *fault)
{
    *tokens = NULL;
    size_t length = strlen(text);
    if (length > HF_EXPRESSION_MAX_LENGTH) {
        return hf_expression_fail(fault, 0, "the expression is longer than %d KiB",
                                  HF_EXPRESSION_MAX_LENGTH / 1024);
    }
    hf_token *found = calloc(length + 1, sizeof *found);
    if (found == NULL) {
        return hf_expression_no_memory(fault);
    }
    if (!split(text, scope, length, found, fault) || !check_grammar(found, fault)) {
        free(found);
        return false;
    }
    *tokens = found;
    return true;
}
