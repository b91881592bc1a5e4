// SPDX-License-Identifier: Apache-2.0
// Expressions: a text is read once into a program for a stack machine, which is then evaluated with
// exact derivatives (forward differentiation) and tells where it has kinks and jumps.
//
//   numbers  variables  pi  e  + - * / ^  < <= > >= == !=  && ||  a ? b : c  ( )  and functions:
//   sin cos tan asin acos atan atan2 sinh cosh tanh exp ln log10 sqrt abs sign floor ceil mod pow
//   min max  sat(F, x): x within [-F, F]  prox(x, low, high)  dio(x): max(0, -x)
//   norm(x)  dot(x, y): of vectors, where the scope has some; else |x| and x y
//
// Variables are slots: the caller names them when the text is read, and gives an array of their
// values at each evaluation. A program is immutable: threads share it. Evaluating allocates nothing
// and needs no scratch of the caller's.
#ifndef HF_MATH_EXPRESSION_H
#define HF_MATH_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>

enum {
    HF_EXPRESSION_MAX_LENGTH = 16 * 1024, // letters
    HF_EXPRESSION_MAX_DEPTH = 200         // of parentheses, calls and open '?'
};

typedef struct hf_expression hf_expression;

// What is wrong with a text, and where.
typedef struct hf_expression_fault {
    size_t position; // of the letter, from 0
    char text[200];
    bool memory; // there was none: nothing is wrong with the text
} hf_expression_fault;

// The names of the variables: slot i is names[i]. They hide constants and functions of the same
// name; see hf_expression_knows.
typedef struct hf_expression_scope {
    const char *const *names;
    int count;
    int time; // the slot that is the time, which only rises; -1: none is
    // Names that stand for numbers, such as a model's parameters: they cost nothing to evaluate.
    const char *const *constants;
    const double *constant_values;
    int constant_count;
    // Other names: words with dots (car.velocity), words that are nothing else here, and whatever
    // stands in single quotes ('car-1.velocity'). Returns the slot, above those of `names`; -1: the
    // name is unknown, -2: there are too many. NULL: there are none.
    int (*find)(void *context, const char *word, size_t length);
    void *context;
    // Vectors of `axes` > 1 components: slot i is the first of one where vectors[i], the next slots
    // are the others. An expression is then read for one component, `axis`, or with -1 for a number
    // in which vectors stand only in norm(x) and dot(x, y), or by component. Operators and
    // functions act on each component; sat(F, x) shortens x to the length F.
    int axes, axis;
    const bool *vectors;
} hf_expression_scope;

// The scope of signals: the time `t` in slot 0.
extern const hf_expression_scope hf_expression_time;

// Whether a word means something in expressions of this scope, so that nothing else can be called
// so.
bool hf_expression_knows(hf_expression_scope scope, const char *word);

// Whether a text of this scope is a vector: one stands in it outside of norm and dot. False for
// texts that are wrong.
bool hf_expression_is_vector(const char *text, hf_expression_scope scope);

// Reads a text. NULL with *fault filled when it is wrong, or when memory is out. The caller
// destroys what it gets.
hf_expression *hf_expression_create(const char *text, hf_expression_scope scope,
                                    hf_expression_fault *fault);
void hf_expression_destroy(hf_expression *expression); // NULL is allowed

// ------------------------------------------------------------------------------------------------
// Evaluating

// A number with its first and second derivative in some parameter, usually the time.
typedef struct hf_jet {
    double value, rate, second;
} hf_jet;

// The value; variables[i] is that of slot i.
double hf_expression_value(const hf_expression *expression, const double *variables);

// Value, first and second derivative, given those of the variables: {t, 1, 0} for the time itself.
// Exact up to rounding. Jumps count as constant pieces: floor, sign and comparisons have no rate.
// Where both sides of a kink meet it is the derivative on one of them. A part that does not move
// has no rate, also where its slope is infinite: sqrt(0)' = 0.
hf_jet hf_expression_jet(const hf_expression *expression, const hf_jet *variables);

// Partial derivatives in the variables, one a slot. At most HF_EXPRESSION_MAX_SLOTS slots.
enum { HF_EXPRESSION_MAX_SLOTS = 256 };
void hf_expression_gradient(const hf_expression *expression, const double *variables,
                            double *gradient);

// ------------------------------------------------------------------------------------------------
// Switching functions: the expression is smooth (where its functions are) as long as none of them
// changes its sign.
//
//   a < b, and the other comparisons     a - b
//   a ? b : c,  a && b,  a || b          a (and b), where they are not comparisons themselves
//   min(a, b), max(a, b)                 a - b; of several, the best of those before and the next
//   abs(a), sign(a)                      a
//   floor(a), ceil(a); mod(a, b)         sin(pi a); sin(pi a / b)
//   atan2(y, x)                          y (it jumps where y = 0 and x < 0)
//
// Those inside of a branch that is not taken have values too, so that they change continuously.
// Functions of constants have none. Edges of domains (sqrt at 0, poles) are no switches.
//
// A function that is linear in the time alone (t < 4, min(t, 0.5), abs(2*t - 1)) needs no search:
// its root is among the known times, and it is not among the functions.

int hf_expression_switch_count(const hf_expression *expression);
// Whether the expression may jump where one of them changes its sign: comparisons, conditions,
// sign, floor, ceil, mod and atan2 do, min, max, abs, sat, prox and dio bend.
bool hf_expression_leaps(const hf_expression *expression);
// Their values, hf_expression_switch_count numbers.
void hf_expression_switches(const hf_expression *expression, const double *variables,
                            double *values);
// The known times, each once and rising, of any sign. Owned by the expression.
int hf_expression_times(const hf_expression *expression, const double **times);

#endif
