// SPDX-License-Identifier: Apache-2.0
// The program of an expression, between its parts: tokens, builder and stack machine.
#ifndef HF_MATH_EXPRESSION_PROGRAM_H
#define HF_MATH_EXPRESSION_PROGRAM_H

#include <holdfast/base.h>

#include "math/expression.h"

// ------------------------------------------------------------------------------------------------
// Words (expression_functions.c)

typedef enum hf_expression_role {
    HF_ROLE_ONE,   // one argument: value and slopes below
    HF_ROLE_STEP,  // one argument: no slope, a jump wherever sin(pi a) = 0
    HF_ROLE_ATAN2, // two arguments
    HF_ROLE_MOD,
    HF_ROLE_POW,
    HF_ROLE_MIN, // two arguments or more
    HF_ROLE_MAX,
    HF_ROLE_SAT,  // two: sat(F, x), x brought into [-F, F]; of a vector, to a length of at most F
    HF_ROLE_PROX, // three: prox(x, low, high) = min(max(x, low), high)
    HF_ROLE_NORM, // one: the length of a vector, |x| of a number
    HF_ROLE_DOT   // two: the product of two vectors, or of two numbers
} hf_expression_role;

typedef struct hf_expression_function {
    const char *name;
    hf_expression_role role;
    double (*value)(double x); // one argument
    // First and second derivative at x, where the value is y. NULL: zero but for jumps.
    void (*slopes)(double x, double y, double *first, double *second);
    bool switches; // one argument: has a kink or a jump where it is zero
} hf_expression_function;

extern const hf_expression_function hf_expression_functions[];
extern const int hf_expression_function_count;

// Number of arguments; 0: any number from 2 on.
int hf_expression_arguments(const hf_expression_function *function);

typedef struct hf_expression_constant {
    const char *name;
    double value;
} hf_expression_constant;
extern const hf_expression_constant hf_expression_constants[];
extern const int hf_expression_constant_count;

// The remainder with the sign of b, so that mod(t, b) is periodic for negative t too.
double hf_expression_modulo(double a, double b);

// ------------------------------------------------------------------------------------------------
// Tokens (expression_parse.c)

typedef enum hf_token_kind {
    HF_TOKEN_NUMBER, // constants too
    HF_TOKEN_VARIABLE,
    HF_TOKEN_FUNCTION,
    HF_TOKEN_SIGN,    // + -
    HF_TOKEN_TIMES,   // * / ^
    HF_TOKEN_COMPARE, // < <= > >= == !=
    HF_TOKEN_LOGIC,   // && ||
    HF_TOKEN_QUESTION,
    HF_TOKEN_COLON,
    HF_TOKEN_OPEN,
    HF_TOKEN_CLOSE,
    HF_TOKEN_COMMA,
    HF_TOKEN_END
} hf_token_kind;

typedef struct hf_token {
    hf_token_kind kind;
    int index;          // of the function, or slot of the variable
    double number;      // HF_TOKEN_NUMBER
    const char *symbol; // of operators: "<="
    size_t start, length;
} hf_token;

// Splits and checks a text. On success *tokens ends with HF_TOKEN_END and is the caller's to free.
// False with *fault filled otherwise (*tokens is NULL).
bool hf_expression_tokens(const char *text, hf_expression_scope scope, hf_token **tokens,
                          hf_expression_fault *fault);

// expression_vectors.c: replaces the tokens of an expression of vectors by those of its component
// along scope.axis. On failure *tokens is freed and NULL.
bool hf_expression_take_axis(hf_expression_scope scope, hf_token **tokens,
                             hf_expression_fault *fault);

// Fills *fault; returns false.
bool hf_expression_fail(hf_expression_fault *fault, size_t position, const char *format, ...)
    HF_PRINTF(3, 4);
bool hf_expression_no_memory(hf_expression_fault *fault);

// ------------------------------------------------------------------------------------------------
// Program

enum {
    // Numbers on the stack. 200 levels with one operand kept at each of seven precedences need
    // 1400;
    // only powers of powers of powers can ask for more.
    HF_EXPRESSION_STACK = 2048,
    // With both branches of every '?' at once (hf_expression_switches)
    HF_EXPRESSION_WIDE_STACK = 8192
};

typedef enum hf_op_code {
    HF_OP_NUMBER,   // a
    HF_OP_VARIABLE, // x[index]
    HF_OP_LINEAR,   // a x[index] + b
    HF_OP_NEGATE,
    HF_OP_CALL, // function `index` of one argument
    HF_OP_ADD,  // from here on, of two
    HF_OP_SUBTRACT,
    HF_OP_MULTIPLY,
    HF_OP_DIVIDE,
    HF_OP_POWER,
    HF_OP_ATAN2,
    HF_OP_MOD,
    HF_OP_SAT,
    HF_OP_MIN,
    HF_OP_MAX,
    HF_OP_LESS,
    HF_OP_LESS_EQUAL,
    HF_OP_GREATER,
    HF_OP_GREATER_EQUAL,
    HF_OP_EQUAL,
    HF_OP_NOT_EQUAL,
    HF_OP_AND,
    HF_OP_OR,
    // a ? b : c is:  a  BRANCH(to c)  b  SKIP(behind JOIN)  c  JOIN
    HF_OP_BRANCH,
    HF_OP_SKIP,
    HF_OP_JOIN,
    // Only while it is built: what stays open.
    HF_OP_CALL_OPEN,
    HF_OP_OPEN,
    HF_OP_QUESTION,
    HF_OP_SELECT
} hf_op_code;

typedef struct hf_op {
    hf_op_code code;
    int index;       // slot, function, or where a jump goes
    int switches[2]; // switching functions of the operands or of their difference; -1: none
    int arguments;   // while it is built: of a call
    double a, b;
} hf_op;

struct hf_expression {
    hf_op *program;
    double *times;
    size_t count;
    int slots, switch_count, time_count;
};

// What an operator makes of two numbers.
double hf_expression_combine(hf_op_code code, double a, double b);

#endif
