// SPDX-License-Identifier: Apache-2.0
// Operators by precedence (Dijkstra's shunting yard) to postfix, and its evaluation with rates.
#include "models/signals/derivative.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

typedef enum op_code {
    OP_NUMBER,
    OP_TIME,
    OP_NEGATE,
    OP_ADD,
    OP_SUBTRACT,
    OP_MULTIPLY,
    OP_DIVIDE,
    OP_POWER,
    OP_LESS,
    OP_LESS_EQUAL,
    OP_GREATER,
    OP_GREATER_EQUAL,
    OP_EQUAL,
    OP_NOT_EQUAL,
    OP_AND,
    OP_OR,
    OP_SELECT, // a ? b : c
    OP_CALL,
    // Only while it is built: what stays open.
    OP_OPEN,
    OP_QUESTION
} op_code;

typedef struct op {
    op_code code;
    int function, arguments; // OP_CALL
    double number;           // OP_NUMBER
} op;

struct hf_derivative {
    op *program;
    size_t count, depth;
};

// ------------------------------------------------------------------------------------------------
// Building

// As muParser has it: a sign binds less than a power, -2^2 = -4.
static int precedence(op_code code)
{
    switch (code) {
    case OP_SELECT:
        return 0;
    case OP_OR:
        return 1;
    case OP_AND:
        return 2;
    case OP_LESS:
    case OP_LESS_EQUAL:
    case OP_GREATER:
    case OP_GREATER_EQUAL:
    case OP_EQUAL:
    case OP_NOT_EQUAL:
        return 3;
    case OP_ADD:
    case OP_SUBTRACT:
        return 4;
    case OP_MULTIPLY:
    case OP_DIVIDE:
    case OP_NEGATE:
        return 5;
    case OP_POWER:
        return 6;
    default:
        return -1; // calls, parentheses and '?' end what is inside them
    }
}

typedef struct builder {
    const char *text;
    op *program, *open;
    size_t count, open_count;
} builder;

// Moves what binds at least as strongly as `least` to the program.
static void settle(builder *b, int least)
{
    while (b->open_count > 0 && precedence(b->open[b->open_count - 1].code) >= least) {
        b->program[b->count++] = b->open[--b->open_count];
    }
}

static op_code operator_of(const char *symbol, const hf_token *token)
{
    bool equal = token->length == 2 && symbol[1] == '=';
    switch (symbol[0]) {
    case '+':
        return OP_ADD;
    case '-':
        return OP_SUBTRACT;
    case '*':
        return OP_MULTIPLY;
    case '/':
        return OP_DIVIDE;
    case '^':
        return OP_POWER;
    case '<':
        return equal ? OP_LESS_EQUAL : OP_LESS;
    case '>':
        return equal ? OP_GREATER_EQUAL : OP_GREATER;
    case '=':
        return OP_EQUAL;
    case '!':
        return OP_NOT_EQUAL;
    case '&':
        return OP_AND;
    default:
        return OP_OR;
    }
}

static double constant_of(const char *word, size_t length)
{
    for (int i = 0; i < hf_expression_constant_count; ++i) {
        const char *name = hf_expression_constants[i].name;
        if (strlen(name) == length && strncmp(name, word, length) == 0) {
            return hf_expression_constants[i].value;
        }
    }
    return 0.0;
}

// A token where a value begins; false while none has ended yet.
static bool take_value(builder *b, const hf_token *token, size_t *skip)
{
    const char *word = b->text + token->start;
    *skip = 0;
    switch (token->kind) {
    case HF_TOKEN_NUMBER:
        b->program[b->count++] = (op){.code = OP_NUMBER, .number = strtod(word, NULL)};
        return true;
    case HF_TOKEN_CONSTANT:
        b->program[b->count++] =
            (op){.code = OP_NUMBER, .number = constant_of(word, token->length)};
        return true;
    case HF_TOKEN_TIME:
        b->program[b->count++] = (op){.code = OP_TIME};
        return true;
    case HF_TOKEN_SIGN:
        if (word[0] == '-') {
            b->open[b->open_count++] = (op){.code = OP_NEGATE};
        }
        return false;
    case HF_TOKEN_FUNCTION:
        b->open[b->open_count++] =
            (op){.code = OP_CALL, .function = token->function, .arguments = 1};
        *skip = 1; // its parenthesis
        return false;
    default:
        b->open[b->open_count++] = (op){.code = OP_OPEN};
        return false;
    }
}

// A token behind a value; true while no new value is wanted.
static bool take_operator(builder *b, const hf_token *token)
{
    op *top;
    switch (token->kind) {
    case HF_TOKEN_QUESTION:
        settle(b, precedence(OP_OR));
        b->open[b->open_count++] = (op){.code = OP_QUESTION};
        return false;
    case HF_TOKEN_COLON:
        settle(b, precedence(OP_SELECT));
        b->open[b->open_count - 1].code = OP_SELECT;
        return false;
    case HF_TOKEN_COMMA:
        settle(b, precedence(OP_SELECT));
        b->open[b->open_count - 1].arguments += 1;
        return false;
    case HF_TOKEN_CLOSE:
        settle(b, precedence(OP_SELECT));
        top = &b->open[--b->open_count];
        if (top->code == OP_CALL) {
            b->program[b->count++] = *top;
        }
        return true;
    default:
        break;
    }
    op next = {.code = operator_of(b->text + token->start, token)};
    // Powers from the right: 2^3^2 = 2^9
    settle(b, precedence(next.code) + (next.code == OP_POWER ? 1 : 0));
    b->open[b->open_count++] = next;
    return false;
}

static int operands(const op *o)
{
    switch (o->code) {
    case OP_NUMBER:
    case OP_TIME:
        return 0;
    case OP_NEGATE:
        return 1;
    case OP_SELECT:
        return 3;
    case OP_CALL:
        return o->arguments;
    default:
        return 2;
    }
}

static size_t depth_of(const op *program, size_t count)
{
    size_t depth = 0, most = 0;
    for (size_t i = 0; i < count; ++i) {
        depth += 1 - (size_t)operands(&program[i]);
        most = depth > most ? depth : most;
    }
    HF_ASSERT(depth == 1);
    return most;
}

hf_derivative *hf_derivative_create(const char *text, const hf_token *tokens)
{
    size_t tokens_count = 0;
    while (tokens[tokens_count].kind != HF_TOKEN_END) {
        ++tokens_count;
    }
    hf_derivative *derivative = malloc(sizeof *derivative);
    builder b = {.text = text,
                 .program = calloc(tokens_count + 1, sizeof *b.program),
                 .open = calloc(tokens_count + 1, sizeof *b.open)};
    if (derivative == NULL || b.program == NULL || b.open == NULL) {
        free(derivative);
        free(b.program);
        free(b.open);
        return NULL;
    }
    bool ended = false; // a value has
    size_t skip = 0;
    for (size_t i = 0; i < tokens_count; ++i) {
        ended = ended ? take_operator(&b, &tokens[i]) : take_value(&b, &tokens[i], &skip);
        i += skip;
        skip = 0;
    }
    settle(&b, precedence(OP_SELECT));
    free(b.open);
    *derivative = (hf_derivative){
        .program = b.program, .count = b.count, .depth = depth_of(b.program, b.count)};
    return derivative;
}

void hf_derivative_destroy(hf_derivative *derivative)
{
    if (derivative != NULL) {
        free(derivative->program);
        free(derivative);
    }
}

size_t hf_derivative_depth(const hf_derivative *derivative)
{
    return derivative->depth;
}

// ------------------------------------------------------------------------------------------------
// Evaluating

// slope * rate, where what does not move stays at rest beside an infinite slope (sqrt at 0).
static double chain(double slope, double rate)
{
    return rate == 0.0 ? 0.0 : slope * rate;
}

// (a^b)' = b a^(b-1) a' + a^b ln(a) b'
static hf_dual power(hf_dual a, hf_dual b)
{
    double value = pow(a.value, b.value);
    double rate = chain(b.value * pow(a.value, b.value - 1.0), a.rate);
    return (hf_dual){value, rate + chain(value == 0.0 ? 0.0 : value * log(a.value), b.rate)};
}

static hf_dual call(const op *o, const hf_dual *arguments)
{
    const hf_expression_function *f = &hf_expression_functions[o->function];
    hf_dual a = arguments[0];
    if (f->one != NULL) {
        return (hf_dual){f->one(a.value),
                         f->slope == NULL ? 0.0 : chain(f->slope(a.value), a.rate)};
    }
    if (f->two == NULL) { // the argument that min or max takes
        hf_dual taken = a;
        for (int i = 1; i < o->arguments; ++i) {
            double both[2] = {taken.value, arguments[i].value};
            taken = f->many(both, 2) == taken.value ? taken : arguments[i];
        }
        return taken;
    }
    hf_dual b = arguments[1];
    if (f->two == pow) {
        return power(a, b);
    }
    if (f->two == atan2) {
        double square = a.value * a.value + b.value * b.value;
        return (hf_dual){atan2(a.value, b.value),
                         chain(b.value / square, a.rate) - chain(a.value / square, b.rate)};
    }
    // mod(a, b) = a - b floor(a/b)
    return (hf_dual){f->two(a.value, b.value), a.rate - chain(floor(a.value / b.value), b.rate)};
}

static double compare(op_code code, double a, double b)
{
    switch (code) {
    case OP_LESS:
        return a < b;
    case OP_LESS_EQUAL:
        return a <= b;
    case OP_GREATER:
        return a > b;
    case OP_GREATER_EQUAL:
        return a >= b;
    case OP_EQUAL:
        return a == b;
    case OP_NOT_EQUAL:
        return a != b;
    case OP_AND:
        return a != 0.0 && b != 0.0;
    default:
        return a != 0.0 || b != 0.0;
    }
}

static hf_dual combine(op_code code, hf_dual a, hf_dual b)
{
    switch (code) {
    case OP_ADD:
        return (hf_dual){a.value + b.value, a.rate + b.rate};
    case OP_SUBTRACT:
        return (hf_dual){a.value - b.value, a.rate - b.rate};
    case OP_MULTIPLY:
        return (hf_dual){a.value * b.value, chain(b.value, a.rate) + chain(a.value, b.rate)};
    case OP_DIVIDE: {
        double ratio = a.value / b.value;
        return (hf_dual){ratio, chain(1.0 / b.value, a.rate) - chain(ratio / b.value, b.rate)};
    }
    case OP_POWER:
        return power(a, b);
    default:
        return (hf_dual){compare(code, a.value, b.value), 0.0};
    }
}

hf_dual hf_derivative_at(const hf_derivative *derivative, double t, hf_dual *stack)
{
    size_t top = 0;
    for (size_t i = 0; i < derivative->count; ++i) {
        const op *o = &derivative->program[i];
        top -= (size_t)operands(o);
        hf_dual *a = &stack[top++];
        switch (o->code) {
        case OP_NUMBER:
            *a = (hf_dual){o->number, 0.0};
            break;
        case OP_TIME:
            *a = (hf_dual){t, 1.0};
            break;
        case OP_NEGATE:
            *a = (hf_dual){-a->value, -a->rate};
            break;
        case OP_SELECT:
            *a = a->value != 0.0 ? a[1] : a[2];
            break;
        case OP_CALL:
            *a = call(o, a);
            break;
        default:
            *a = combine(o->code, a[0], a[1]);
            break;
        }
    }
    return stack[0];
}
