// SPDX-License-Identifier: Apache-2.0
// From tokens to a program: operators by precedence (Dijkstra's shunting yard) to postfix.
//
// Folded on the way: operations on numbers; x + c, c x and c x / d to a x + b, as long as this adds
// no rounding where x + c is zero: c (x + d) stays. Beside each value the builder keeps its form
// (constant, linear in one variable, logical), which tells the switching functions.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "math/expression_program.h"

// A sign binds less than a power, -2^2 = -4.
static int precedence(hf_op_code code)
{
    switch (code) {
    case HF_OP_SELECT:
        return 0;
    case HF_OP_OR:
        return 1;
    case HF_OP_AND:
        return 2;
    case HF_OP_LESS:
    case HF_OP_LESS_EQUAL:
    case HF_OP_GREATER:
    case HF_OP_GREATER_EQUAL:
    case HF_OP_EQUAL:
    case HF_OP_NOT_EQUAL:
        return 3;
    case HF_OP_ADD:
    case HF_OP_SUBTRACT:
        return 4;
    case HF_OP_MULTIPLY:
    case HF_OP_DIVIDE:
    case HF_OP_NEGATE:
        return 5;
    case HF_OP_POWER:
        return 6;
    default:
        return -1; // calls, parentheses and '?' end what is inside them
    }
}

// What is known of a value: a x[slot] + b, a number (slot < 0, a = 0), or neither.
typedef enum form_kind { FORM_OTHER, FORM_LINEAR, FORM_LOGICAL } form_kind;
typedef struct form {
    form_kind kind;
    int slot;
    double a, b;
} form;

typedef struct builder {
    hf_op *program, *open;
    form *forms; // of the values on the stack
    double *times;
    size_t count, open_count, form_count;
    int time, switch_count, time_count;
} builder;

// ------------------------------------------------------------------------------------------------
// Forms

static bool is_number(const form *f)
{
    return f->kind == FORM_LINEAR && f->slot < 0;
}

// p + s q. Not linear when both vary, with unlike variables.
static form sum_of(form p, double s, form q)
{
    if (p.kind != FORM_LINEAR || q.kind != FORM_LINEAR ||
        (p.slot >= 0 && q.slot >= 0 && p.slot != q.slot)) {
        return (form){.kind = FORM_OTHER};
    }
    return (form){FORM_LINEAR, p.slot >= 0 ? p.slot : q.slot, p.a + s * q.a, p.b + s * q.b};
}

static form scaled(form p, double factor)
{
    return p.kind == FORM_LINEAR ? (form){FORM_LINEAR, p.slot, factor * p.a, factor * p.b}
                                 : (form){.kind = FORM_OTHER};
}

static form form_of(hf_op_code code, form p, form q)
{
    switch (code) {
    case HF_OP_ADD:
    case HF_OP_SUBTRACT:
        return sum_of(p, code == HF_OP_ADD ? 1.0 : -1.0, q);
    case HF_OP_MULTIPLY:
        return is_number(&p) ? scaled(q, p.b) : is_number(&q) ? scaled(p, q.b) : (form){0};
    case HF_OP_DIVIDE:
        return is_number(&q) ? scaled(p, 1.0 / q.b) : (form){0};
    default:
        return (form){.kind = code >= HF_OP_LESS && code <= HF_OP_OR ? FORM_LOGICAL : FORM_OTHER};
    }
}

// A switching function of this form: its index, or -1 when it has no root or a known time.
static int add_switch(builder *b, form f)
{
    if (f.kind == FORM_LOGICAL || is_number(&f) || (f.kind == FORM_LINEAR && f.a == 0.0)) {
        return -1;
    }
    if (f.kind == FORM_LINEAR && f.slot == b->time) {
        double root = -f.b / f.a;
        if (isfinite(root)) {
            b->times[b->time_count++] = root;
        }
        return -1;
    }
    return b->switch_count++;
}

// ------------------------------------------------------------------------------------------------
// Emitting

static hf_op *append(builder *b, hf_op op)
{
    op.switches[0] = op.switches[1] = -1;
    b->program[b->count] = op;
    return &b->program[b->count++];
}

static void emit_leaf(builder *b, hf_op op)
{
    (void)append(b, op);
    b->forms[b->form_count++] = op.code == HF_OP_NUMBER ? (form){FORM_LINEAR, -1, 0.0, op.a}
                                                        : (form){FORM_LINEAR, op.index, 1.0, 0.0};
}

// The last instruction, if it is one of a x + b, with its a and b.
static bool is_linear(const hf_op *o, double *a, double *b)
{
    *a = o->code == HF_OP_VARIABLE ? 1.0 : o->a;
    *b = o->code == HF_OP_VARIABLE ? 0.0 : o->b;
    return o->code == HF_OP_VARIABLE || o->code == HF_OP_LINEAR;
}

static void make_linear(hf_op *o, int slot, double a, double b)
{
    *o = (hf_op){.code = HF_OP_LINEAR, .index = slot, .switches = {-1, -1}, .a = a, .b = b};
}

static void emit_negate(builder *b)
{
    hf_op *last = &b->program[b->count - 1];
    form *f = &b->forms[b->form_count - 1];
    double slope, offset;
    *f = scaled(*f, -1.0);
    if (last->code == HF_OP_NUMBER) {
        last->a = -last->a;
    } else if (is_linear(last, &slope, &offset)) {
        make_linear(last, last->index, -slope, -offset);
    } else {
        (void)append(b, (hf_op){.code = HF_OP_NEGATE});
    }
}

static void emit_call(builder *b, int function)
{
    hf_op *last = &b->program[b->count - 1];
    form *f = &b->forms[b->form_count - 1];
    const hf_expression_function *called = &hf_expression_functions[function];
    if (last->code == HF_OP_NUMBER) {
        last->a = called->value(last->a);
        f->b = last->a;
        return;
    }
    hf_op *call = append(b, (hf_op){.code = HF_OP_CALL, .index = function});
    if (called->switches) {
        form argument = called->role == HF_ROLE_STEP ? (form){.kind = FORM_OTHER} : *f;
        call->switches[0] = add_switch(b, argument);
    }
    *f = (form){.kind = FORM_OTHER};
}

// Folds the operation on the last two instructions if both are leaves and one is a number.
static bool fold(builder *b, hf_op_code code)
{
    hf_op *x = &b->program[b->count - 2], *y = &b->program[b->count - 1];
    double slope, offset;
    if (x->code == HF_OP_NUMBER && y->code == HF_OP_NUMBER) {
        // Two numbers
        x->a = hf_expression_combine(code, x->a, y->a);
    } else if (x->code == HF_OP_NUMBER && is_linear(y, &slope, &offset)) {
        // A number and a term that is linear in a variable
        double c = x->a, sign = code == HF_OP_SUBTRACT ? -1.0 : 1.0;
        if (code == HF_OP_ADD || code == HF_OP_SUBTRACT) {
            make_linear(x, y->index, sign * slope, c + sign * offset);
        } else if (code == HF_OP_MULTIPLY && offset == 0.0) {
            make_linear(x, y->index, slope * c, 0.0);
        } else {
            return false;
        }
    } else if (is_linear(x, &slope, &offset) && y->code == HF_OP_NUMBER) {
        // The same the other way round
        double c = y->a;
        if (code == HF_OP_ADD || code == HF_OP_SUBTRACT) {
            make_linear(x, x->index, slope, code == HF_OP_ADD ? offset + c : offset - c);
        } else if (code == HF_OP_MULTIPLY && offset == 0.0) {
            make_linear(x, x->index, slope * c, 0.0);
        } else if (code == HF_OP_DIVIDE && x->code == HF_OP_LINEAR && offset == 0.0 && c != 0.0) {
            make_linear(x, x->index, slope / c, 0.0);
        } else {
            return false;
        }
    } else {
        return false;
    }
    b->count -= 1;
    return true;
}

// The switching functions of an operation on values of the forms p and q.
static void add_switches(builder *b, hf_op *op, form p, form q)
{
    if (op->code == HF_OP_AND || op->code == HF_OP_OR) {
        op->switches[0] = add_switch(b, p);
        op->switches[1] = add_switch(b, q);
    } else if (op->code == HF_OP_MOD || op->code == HF_OP_SAT) {
        op->switches[0] = add_switch(b, (form){.kind = FORM_OTHER});
    } else if (op->code == HF_OP_ATAN2) {
        op->switches[0] = add_switch(b, p);
    } else if (op->code >= HF_OP_MIN) {
        // A logical value against another, or a number, does change where those do.
        op->switches[0] =
            (p.kind == FORM_LOGICAL || is_number(&p)) && (q.kind == FORM_LOGICAL || is_number(&q))
                ? -1
                : add_switch(b, sum_of(p, -1.0, q));
    }
}

static void emit_binary(builder *b, hf_op_code code)
{
    form p = b->forms[b->form_count - 2], q = b->forms[b->form_count - 1];
    b->form_count -= 1;
    b->forms[b->form_count - 1] = form_of(code, p, q);
    if (fold(b, code)) {
        const hf_op *last = &b->program[b->count - 1];
        if (last->code == HF_OP_NUMBER) {
            b->forms[b->form_count - 1] = (form){FORM_LINEAR, -1, 0.0, last->a};
        }
        return;
    }
    add_switches(b, append(b, (hf_op){.code = code}), p, q);
}

// ------------------------------------------------------------------------------------------------
// Operators that wait

static void emit_open(builder *b, const hf_op *op)
{
    if (op->code == HF_OP_SELECT) {
        (void)append(b, (hf_op){.code = HF_OP_JOIN});
        b->program[op->index].index = (int)b->count;
        b->form_count -= 1; // of the two branches
        b->forms[b->form_count - 1] = (form){.kind = FORM_OTHER};
    } else if (op->code == HF_OP_NEGATE) {
        emit_negate(b);
    } else {
        emit_binary(b, op->code);
    }
}

// Moves what binds at least as strongly as `least` to the program.
static void settle(builder *b, int least)
{
    while (b->open_count > 0 && precedence(b->open[b->open_count - 1].code) >= least) {
        hf_op op = b->open[--b->open_count];
        emit_open(b, &op);
    }
}

static void begin_branch(builder *b)
{
    settle(b, precedence(HF_OP_OR));
    form condition = b->forms[--b->form_count];
    hf_op *branch = append(b, (hf_op){.code = HF_OP_BRANCH});
    branch->switches[0] = add_switch(b, condition);
    b->open[b->open_count++] = (hf_op){.code = HF_OP_QUESTION, .index = (int)b->count - 1};
}

static void begin_other_branch(builder *b)
{
    settle(b, precedence(HF_OP_SELECT));
    hf_op *question = &b->open[b->open_count - 1];
    (void)append(b, (hf_op){.code = HF_OP_SKIP});
    b->program[question->index].index = (int)b->count;
    *question = (hf_op){.code = HF_OP_SELECT, .index = (int)b->count - 1};
}

static hf_op_code code_of_call(int function, int arguments)
{
    switch (hf_expression_functions[function].role) {
    case HF_ROLE_SAT:
        return HF_OP_SAT;
    case HF_ROLE_PROX:
        return arguments < 3 ? HF_OP_MAX : HF_OP_MIN;
    case HF_ROLE_ATAN2:
        return HF_OP_ATAN2;
    case HF_ROLE_MOD:
        return HF_OP_MOD;
    case HF_ROLE_POW:
        return HF_OP_POWER;
    case HF_ROLE_DOT:
        return HF_OP_MULTIPLY;
    case HF_ROLE_MIN:
        return HF_OP_MIN;
    case HF_ROLE_MAX:
        return HF_OP_MAX;
    default:
        return HF_OP_CALL;
    }
}

// An argument of a call has ended: from the second on it is combined with those before.
static void end_argument(builder *b, const hf_op *call)
{
    hf_op_code code = code_of_call(call->index, call->arguments);
    if (code == HF_OP_CALL) {
        emit_call(b, call->index);
    } else if (call->arguments > 1) {
        emit_binary(b, code);
    }
}

static hf_op_code operator_of(const char *symbol)
{
    bool equal = symbol[1] == '=';
    switch (symbol[0]) {
    case '+':
        return HF_OP_ADD;
    case '-':
        return HF_OP_SUBTRACT;
    case '*':
        return HF_OP_MULTIPLY;
    case '/':
        return HF_OP_DIVIDE;
    case '^':
        return HF_OP_POWER;
    case '<':
        return equal ? HF_OP_LESS_EQUAL : HF_OP_LESS;
    case '>':
        return equal ? HF_OP_GREATER_EQUAL : HF_OP_GREATER;
    case '=':
        return HF_OP_EQUAL;
    case '!':
        return HF_OP_NOT_EQUAL;
    case '&':
        return HF_OP_AND;
    default:
        return HF_OP_OR;
    }
}

// A token where a value begins; false while none has ended yet.
static bool take_value(builder *b, const hf_token *token, size_t *skip)
{
    *skip = 0;
    switch (token->kind) {
    case HF_TOKEN_NUMBER:
        emit_leaf(b, (hf_op){.code = HF_OP_NUMBER, .a = token->number});
        return true;
    case HF_TOKEN_VARIABLE:
        emit_leaf(b, (hf_op){.code = HF_OP_VARIABLE, .index = token->index});
        return true;
    case HF_TOKEN_SIGN:
        if (token->symbol[0] == '-') {
            b->open[b->open_count++] = (hf_op){.code = HF_OP_NEGATE};
        }
        return false;
    case HF_TOKEN_FUNCTION:
        b->open[b->open_count++] =
            (hf_op){.code = HF_OP_CALL_OPEN, .index = token->index, .arguments = 1};
        *skip = 1; // its parenthesis
        return false;
    default:
        b->open[b->open_count++] = (hf_op){.code = HF_OP_OPEN};
        return false;
    }
}

// A token behind a value; true while no new value is wanted.
static bool take_operator(builder *b, const hf_token *token)
{
    hf_op top;
    // What closes or divides what is open around it
    switch (token->kind) {
    case HF_TOKEN_QUESTION:
        begin_branch(b);
        return false;
    case HF_TOKEN_COLON:
        begin_other_branch(b);
        return false;
    case HF_TOKEN_COMMA:
        settle(b, precedence(HF_OP_SELECT));
        end_argument(b, &b->open[b->open_count - 1]);
        b->open[b->open_count - 1].arguments += 1;
        return false;
    case HF_TOKEN_CLOSE:
        settle(b, precedence(HF_OP_SELECT));
        top = b->open[--b->open_count];
        if (top.code == HF_OP_CALL_OPEN) {
            end_argument(b, &top);
        }
        return true;
    default:
        break;
    }
    hf_op next = {.code = operator_of(token->symbol)};
    // Powers from the right: 2^3^2 = 2^9
    settle(b, precedence(next.code) + (next.code == HF_OP_POWER ? 1 : 0));
    b->open[b->open_count++] = next;
    return false;
}

// ------------------------------------------------------------------------------------------------
// The whole

// The most numbers on the stack, when branches are jumped over and when both are evaluated.
static void measure(const builder *b, size_t *narrow, size_t *wide)
{
    size_t depth = 0, both = 0;
    *narrow = *wide = 0;
    for (size_t i = 0; i < b->count; ++i) {
        switch (b->program[i].code) {
        case HF_OP_NUMBER:
        case HF_OP_VARIABLE:
        case HF_OP_LINEAR:
            depth += 1;
            both += 1;
            break;
        case HF_OP_NEGATE:
        case HF_OP_CALL:
            break;
        case HF_OP_BRANCH:
        case HF_OP_SKIP: // the other branch begins without this one's value
            depth -= 1;
            break;
        case HF_OP_JOIN:
            both -= 2;
            break;
        default:
            depth -= 1;
            both -= 1;
            break;
        }
        *narrow = depth > *narrow ? depth : *narrow;
        *wide = both > *wide ? both : *wide;
    }
    HF_ASSERT(depth == 1 && both == 1);
}

static int by_value(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return a < b ? -1 : a > b;
}

static void build(builder *b, const hf_token *tokens)
{
    bool ended = false; // a value has
    size_t skip = 0;
    for (size_t i = 0; tokens[i].kind != HF_TOKEN_END; ++i) {
        ended = ended ? take_operator(b, &tokens[i]) : take_value(b, &tokens[i], &skip);
        i += skip;
        skip = 0;
    }
    settle(b, precedence(HF_OP_SELECT));
    // The known times, each once
    qsort(b->times, (size_t)b->time_count, sizeof *b->times, by_value);
    int kept = 0;
    for (int i = 0; i < b->time_count; ++i) {
        if (kept == 0 || b->times[i] > b->times[kept - 1]) {
            b->times[kept++] = b->times[i];
        }
    }
    b->time_count = kept;
}

// The expression, with its own arrays of the length that is needed.
static hf_expression *finish(const builder *b, hf_expression_scope scope)
{
    hf_expression *expression = malloc(sizeof *expression);
    hf_op *program = malloc(b->count * sizeof *program);
    double *times = malloc(((size_t)b->time_count + 1) * sizeof *times);
    if (expression == NULL || program == NULL || times == NULL) {
        free(expression);
        free(program);
        free(times);
        return NULL;
    }
    memcpy(program, b->program, b->count * sizeof *program);
    memcpy(times, b->times, (size_t)b->time_count * sizeof *times);
    *expression = (hf_expression){.program = program,
                                  .times = times,
                                  .count = b->count,
                                  .slots = scope.count,
                                  .switch_count = b->switch_count,
                                  .time_count = b->time_count};
    return expression;
}

hf_expression *hf_expression_create(const char *text, hf_expression_scope scope,
                                    hf_expression_fault *fault)
{
    HF_ASSERT(scope.count <= HF_EXPRESSION_MAX_SLOTS);
    hf_token *tokens = NULL;
    if (!hf_expression_tokens(text, scope, &tokens, fault) ||
        (scope.axes > 1 && !hf_expression_take_axis(scope, &tokens, fault))) {
        return NULL;
    }
    // At most one instruction a token, and a JOIN beside each ':'
    size_t most = 2, narrow = 0, wide = 0;
    for (const hf_token *token = tokens; token->kind != HF_TOKEN_END; ++token) {
        most += token->kind == HF_TOKEN_COLON ? 2 : 1;
        bool found = token->kind == HF_TOKEN_VARIABLE && token->index >= scope.count;
        scope.count = found ? token->index + 1 : scope.count;
    }
    // A program of at most so many instructions, and how deep its stack is
    builder b = {.time = scope.time,
                 .program = calloc(most, sizeof *b.program),
                 .open = calloc(most, sizeof *b.open),
                 .forms = calloc(most, sizeof *b.forms),
                 .times = calloc(2 * most, sizeof *b.times)};
    hf_expression *expression = NULL;
    bool memory = b.program != NULL && b.open != NULL && b.forms != NULL && b.times != NULL;
    if (memory) {
        build(&b, tokens);
        measure(&b, &narrow, &wide);
    }
    // Too deep a stack, no memory, or the finished expression
    if (narrow > HF_EXPRESSION_STACK || wide > HF_EXPRESSION_WIDE_STACK) {
        (void)hf_expression_fail(fault, 0, "more than %d values wait for operators",
                                 HF_EXPRESSION_STACK);
    } else if (!memory || (expression = finish(&b, scope)) == NULL) {
        (void)hf_expression_no_memory(fault);
    }
    free(tokens);
    free(b.program);
    free(b.open);
    free(b.forms);
    free(b.times);
    return expression;
}

void hf_expression_destroy(hf_expression *expression)
{
    if (expression != NULL) {
        free(expression->program);
        free(expression->times);
        free(expression);
    }
}
