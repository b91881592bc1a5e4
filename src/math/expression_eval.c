// SPDX-License-Identifier: Apache-2.0
// The stack machine of expressions: values, jets (value, first and second derivative) and switching
// functions.
//
// With y = f(a, b), where a and b move with the rates a', b':
//   y'  = f_a a' + f_b b'                                                                       (1)
//   y'' = f_aa a'^2 + 2 f_ab a' b' + f_bb b'^2 + f_a a'' + f_b b''                              (2)
#include <math.h>

#include "base/error.h"
#include "math/expression_program.h"

// Small whole powers by products.
static double power(double a, double b)
{
    if (b == 2.0) {
        return a * a;
    }
    return b == 3.0 ? a * a * a : b == 4.0 ? a * a * a * a : pow(a, b);
}

double hf_expression_combine(hf_op_code code, double a, double b)
{
    // Comparisons and logic give 0 or 1
    switch (code) {
    case HF_OP_ADD:
        return a + b;
    case HF_OP_SUBTRACT:
        return a - b;
    case HF_OP_MULTIPLY:
        return a * b;
    case HF_OP_DIVIDE:
        return a / b;
    case HF_OP_POWER:
        return power(a, b);
    case HF_OP_ATAN2:
        return atan2(a, b);
    case HF_OP_MOD:
        return hf_expression_modulo(a, b);
    case HF_OP_SAT:
        return b > a ? a : b < -a ? -a : b;
    case HF_OP_MIN:
        return b < a ? b : a;
    case HF_OP_MAX:
        return b > a ? b : a;
    case HF_OP_LESS:
        return a < b;
    case HF_OP_LESS_EQUAL:
        return a <= b;
    case HF_OP_GREATER:
        return a > b;
    case HF_OP_GREATER_EQUAL:
        return a >= b;
    case HF_OP_EQUAL:
        return a == b;
    case HF_OP_NOT_EQUAL:
        return a != b;
    case HF_OP_AND:
        return a != 0.0 && b != 0.0;
    default:
        HF_ASSERT(code == HF_OP_OR);
        return a != 0.0 || b != 0.0;
    }
}

// ------------------------------------------------------------------------------------------------
// Switching functions

// sin(pi x), zero at whole numbers; x is brought to [-1, 1] first, without rounding.
static double sine_of_turns(double x)
{
    double r = remainder(x, 2.0);
    return r == floor(r) ? 0.0 : sin(3.14159265358979323846 * r);
}

// The switching functions of an operation on a, or on a and b.
static void note_switches(const hf_op *o, double a, double b, double *values)
{
    double first = a - b, second = b;
    switch (o->code) {
    case HF_OP_CALL:
        first = hf_expression_functions[o->index].role == HF_ROLE_STEP ? sine_of_turns(a) : a;
        break;
    case HF_OP_BRANCH:
    case HF_OP_ATAN2:
    case HF_OP_AND:
    case HF_OP_OR:
        first = a;
        break;
    case HF_OP_MOD:
        first = sine_of_turns(a / b);
        break;
    case HF_OP_SAT:
        first = a - fabs(b);
        break;
    default:
        break;
    }
    if (o->switches[0] >= 0) {
        values[o->switches[0]] = first;
    }
    if (o->switches[1] >= 0) {
        values[o->switches[1]] = second;
    }
}

// ------------------------------------------------------------------------------------------------
// Values

// Runs the program. With `switches`, both branches of every '?' are evaluated, and the JOIN behind
// them selects; without, it jumps over the one that is not taken.
static double run(const hf_expression *expression, const double *x, double *stack, double *switches)
{
    const hf_op *program = expression->program;
    size_t n = 0;
    // A machine with a stack. With `switches` both ways of a branch are run, and HF_OP_JOIN
    // chooses.
    for (size_t i = 0; i < expression->count; ++i) {
        const hf_op *o = &program[i];
        switch (o->code) {
        case HF_OP_NUMBER:
            stack[n++] = o->a;
            break;
        case HF_OP_VARIABLE:
            stack[n++] = x[o->index];
            break;
        case HF_OP_LINEAR:
            stack[n++] = o->a * x[o->index] + o->b;
            break;
        case HF_OP_NEGATE:
            stack[n - 1] = -stack[n - 1];
            break;
        case HF_OP_CALL:
            if (switches != NULL) {
                note_switches(o, stack[n - 1], 0.0, switches);
            }
            stack[n - 1] = hf_expression_functions[o->index].value(stack[n - 1]);
            break;
        case HF_OP_BRANCH:
            if (switches != NULL) {
                note_switches(o, stack[n - 1], 0.0, switches);
            } else if (stack[--n] == 0.0) {
                i = (size_t)o->index - 1;
            }
            break;
        case HF_OP_SKIP:
            i = switches == NULL ? (size_t)o->index - 1 : i;
            break;
        case HF_OP_JOIN:
            if (switches != NULL) {
                n -= 2;
                stack[n - 1] = stack[n - 1] != 0.0 ? stack[n] : stack[n + 1];
            }
            break;
        default:
            n -= 1;
            if (switches != NULL) {
                note_switches(o, stack[n - 1], stack[n], switches);
            }
            stack[n - 1] = hf_expression_combine(o->code, stack[n - 1], stack[n]);
            break;
        }
    }
    return stack[0];
}

double hf_expression_value(const hf_expression *expression, const double *variables)
{
    double stack[HF_EXPRESSION_STACK];
    const hf_op *first = expression->program;
    // The shortest need no machine: x, and f(x)
    if (first->code == HF_OP_VARIABLE && expression->count == 1) {
        return variables[first->index];
    }
    if (first->code == HF_OP_VARIABLE && expression->count == 2 && first[1].code == HF_OP_CALL) {
        return hf_expression_functions[first[1].index].value(variables[first->index]);
    }
    return run(expression, variables, stack, NULL);
}

int hf_expression_switch_count(const hf_expression *expression)
{
    return expression->switch_count;
}

bool hf_expression_leaps(const hf_expression *expression)
{
    for (size_t i = 0; i < expression->count; ++i) {
        const hf_op *op = &expression->program[i];
        bool bends = op->code == HF_OP_SAT || op->code == HF_OP_MIN || op->code == HF_OP_MAX ||
                     (op->code == HF_OP_CALL && hf_expression_functions[op->index].slopes != NULL);
        if (!bends && (op->switches[0] >= 0 || op->switches[1] >= 0)) {
            return true;
        }
    }
    return false;
}

void hf_expression_switches(const hf_expression *expression, const double *variables,
                            double *values)
{
    double stack[HF_EXPRESSION_WIDE_STACK];
    if (expression->switch_count > 0) {
        (void)run(expression, variables, stack, values);
    }
}

int hf_expression_times(const hf_expression *expression, const double **times)
{
    *times = expression->times;
    return expression->time_count;
}

// ------------------------------------------------------------------------------------------------
// Jets

// slope * rate, where what does not move stays at rest beside an infinite slope (sqrt at 0).
static double chain(double slope, double rate)
{
    return rate == 0.0 ? 0.0 : slope * rate;
}

typedef struct partials {
    double a, b, aa, ab, bb;
} partials;

// (1) and (2)
static hf_jet through(double value, partials f, hf_jet a, hf_jet b)
{
    return (hf_jet){value, chain(f.a, a.rate) + chain(f.b, b.rate),
                    chain(f.aa, a.rate * a.rate) + 2.0 * chain(f.ab, a.rate * b.rate) +
                        chain(f.bb, b.rate * b.rate) + chain(f.a, a.second) + chain(f.b, b.second)};
}

// a^b: f_a = b a^(b-1), f_b = a^b ln a, and so on; the factor 0 of a power wins over ln 0.
static hf_jet power_jet(hf_jet a, hf_jet b)
{
    double value = power(a.value, b.value), e = b.value;
    double lower = power(a.value, e - 1.0), lowest = power(a.value, e - 2.0);
    partials f = {.a = e == 0.0 ? 0.0 : e * lower,
                  .aa = e == 0.0 || e == 1.0 ? 0.0 : e * (e - 1.0) * lowest};
    if (b.rate != 0.0 || b.second != 0.0) {
        double ln = log(a.value);
        f.b = value == 0.0 ? 0.0 : value * ln;
        f.bb = value == 0.0 ? 0.0 : value * ln * ln;
        f.ab = lower == 0.0 ? 0.0 : lower * (1.0 + e * ln);
    }
    return through(value, f, a, b);
}

static hf_jet atan2_jet(hf_jet y, hf_jet x)
{
    double square = y.value * y.value + x.value * x.value;
    double along = x.value / square, across = y.value / square;
    partials f = {.a = along,
                  .b = -across,
                  .aa = -2.0 * along * across,
                  .ab = across * across - along * along,
                  .bb = 2.0 * along * across};
    return through(atan2(y.value, x.value), f, y, x);
}

static hf_jet combine_jets(hf_op_code code, hf_jet a, hf_jet b)
{
    double value = hf_expression_combine(code, a.value, b.value);
    switch (code) {
    case HF_OP_ADD:
        return (hf_jet){value, a.rate + b.rate, a.second + b.second};
    case HF_OP_SUBTRACT:
        return (hf_jet){value, a.rate - b.rate, a.second - b.second};
    case HF_OP_MULTIPLY:
        return through(value, (partials){.a = b.value, .b = a.value, .ab = 1.0}, a, b);
    case HF_OP_DIVIDE: {
        double inverse = 1.0 / b.value, down = -value / b.value;
        return through(
            value,
            (partials){
                .a = inverse, .b = down, .ab = -inverse / b.value, .bb = -2.0 * down / b.value},
            a, b);
    }
    case HF_OP_POWER:
        return power_jet(a, b);
    case HF_OP_ATAN2:
        return atan2_jet(a, b);
    case HF_OP_MOD: // a - b floor(a/b)
        return through(value, (partials){.a = 1.0, .b = -floor(a.value / b.value)}, a, b);
    case HF_OP_SAT:
        return b.value > a.value    ? a
               : b.value < -a.value ? (hf_jet){-a.value, -a.rate, -a.second}
                                    : b;
    case HF_OP_MIN:
        return b.value < a.value ? b : a;
    case HF_OP_MAX:
        return b.value > a.value ? b : a;
    default:
        return (hf_jet){.value = value};
    }
}

static hf_jet call_jet(const hf_op *o, hf_jet a)
{
    const hf_expression_function *f = &hf_expression_functions[o->index];
    double value = f->value(a.value);
    partials p = {0};
    if (f->slopes != NULL && (a.rate != 0.0 || a.second != 0.0)) {
        f->slopes(a.value, value, &p.a, &p.aa);
    }
    return through(value, p, a, (hf_jet){0});
}

hf_jet hf_expression_jet(const hf_expression *expression, const hf_jet *x)
{
    hf_jet stack[HF_EXPRESSION_STACK];
    size_t n = 0;
    // A machine with a stack of values with their first and second derivatives by time
    for (size_t i = 0; i < expression->count; ++i) {
        const hf_op *o = &expression->program[i];
        hf_jet *top = n > 0 ? &stack[n - 1] : stack;
        switch (o->code) {
        case HF_OP_NUMBER:
            stack[n++] = (hf_jet){.value = o->a};
            break;
        case HF_OP_VARIABLE:
            stack[n++] = x[o->index];
            break;
        case HF_OP_LINEAR: {
            const hf_jet *v = &x[o->index];
            stack[n++] = (hf_jet){o->a * v->value + o->b, o->a * v->rate, o->a * v->second};
            break;
        }
        case HF_OP_NEGATE:
            *top = (hf_jet){-top->value, -top->rate, -top->second};
            break;
        case HF_OP_CALL:
            *top = call_jet(o, *top);
            break;
        case HF_OP_BRANCH:
            n -= 1;
            i = top->value == 0.0 ? (size_t)o->index - 1 : i;
            break;
        case HF_OP_SKIP:
            i = (size_t)o->index - 1;
            break;
        case HF_OP_JOIN:
            break;
        default:
            n -= 1;
            stack[n - 1] = combine_jets(o->code, stack[n - 1], stack[n]);
            break;
        }
    }
    return stack[0];
}

void hf_expression_gradient(const hf_expression *expression, const double *variables,
                            double *gradient)
{
    hf_jet x[HF_EXPRESSION_MAX_SLOTS];
    HF_ASSERT(expression->slots <= HF_EXPRESSION_MAX_SLOTS);
    for (int i = 0; i < expression->slots; ++i) {
        x[i] = (hf_jet){.value = variables[i]};
    }
    for (int i = 0; i < expression->slots; ++i) {
        x[i].rate = 1.0;
        gradient[i] = hf_expression_jet(expression, x).rate;
        x[i].rate = 0.0;
    }
}
