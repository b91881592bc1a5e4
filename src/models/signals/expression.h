// SPDX-License-Identifier: Apache-2.0
// Expressions in t: the syntax, checked before muParser sees it, and the formula that muParser
// evaluates.
//
//   numbers  t  pi  e  + - * / ^  < <= > >= == !=  && ||  a ? b : c  ( )  and the functions below
#ifndef HF_MODELS_SIGNALS_EXPRESSION_H
#define HF_MODELS_SIGNALS_EXPRESSION_H

#include <holdfast/spec.h>

enum {
    HF_EXPRESSION_MAX_LENGTH = 16 * 1024, // muParser's own limit is 20,000
    HF_EXPRESSION_MAX_DEPTH = 200         // of parentheses, calls and open '?'
};

// The functions, by number of arguments; two or more where the number is open.
typedef struct hf_expression_function {
    const char *name;
    int arguments; // 0: any number from 2 on
    double (*one)(double);
    double (*two)(double, double);
    double (*many)(const double *, int);
    double (*slope)(double); // derivative of `one`; NULL: zero but for jumps
} hf_expression_function;
extern const hf_expression_function hf_expression_functions[];
extern const int hf_expression_function_count;

// The constants.
typedef struct hf_expression_constant {
    const char *name;
    double value;
} hf_expression_constant;
extern const hf_expression_constant hf_expression_constants[];
extern const int hf_expression_constant_count;

// Whether a word means something in expressions, so that no signal can have this name.
bool hf_expression_knows(const char *word);

// What is wrong with an expression, and where.
typedef struct hf_expression_fault {
    size_t position; // from 0
    char text[200];
} hf_expression_fault;

typedef enum hf_token_kind {
    HF_TOKEN_NUMBER,
    HF_TOKEN_TIME,
    HF_TOKEN_CONSTANT,
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
    int function; // index, for HF_TOKEN_FUNCTION
    size_t start, length;
} hf_token;

// Splits and checks an expression. On success *tokens ends with HF_TOKEN_END and is the caller's to
// free. False with *fault filled otherwise (*tokens is NULL).
bool hf_expression_check(const char *text, hf_token **tokens, hf_expression_fault *fault);

// A checked expression, ready to be evaluated: the context, open, close, function and release of an
// hf_signal_def, with its derivative as the rate. One instance (a parser of its own) per sim;
// evaluating does not allocate.
typedef struct hf_formula hf_formula;
// Without tokens it has no rate. NULL when out of memory.
hf_formula *hf_formula_create(const char *text, const hf_token *tokens);
void hf_formula_release(void *formula);
void *hf_formula_open(void *formula); // NULL when muParser refuses it
void hf_formula_close(void *instance);
double hf_formula_value(void *instance, double t);
double hf_formula_rate(void *instance, double t);

// Times > 0 at which the expression may jump: those that t is compared with, rising. The caller
// frees *times. False when out of memory.
bool hf_expression_jumps(const char *text, const hf_token *tokens, double **times, int *count);

#endif
