// SPDX-License-Identifier: Apache-2.0
// The derivative of an expression in t, exact: the expression as a program for a stack machine that
// carries each value with its derivative (forward differentiation).
#ifndef HF_MODELS_SIGNALS_DERIVATIVE_H
#define HF_MODELS_SIGNALS_DERIVATIVE_H

#include "models/signals/expression.h"

// A number and its derivative.
typedef struct hf_dual {
    double value, rate;
} hf_dual;

typedef struct hf_derivative hf_derivative;

// Of a checked expression and its tokens. NULL when out of memory. Immutable, shared by threads.
hf_derivative *hf_derivative_create(const char *text, const hf_token *tokens);
void hf_derivative_destroy(hf_derivative *derivative);
// Numbers on the stack that an evaluation needs.
size_t hf_derivative_depth(const hf_derivative *derivative);
// At time t. Jumps count as constant pieces: floor, sign, comparisons have no rate.
hf_dual hf_derivative_at(const hf_derivative *derivative, double t, hf_dual *stack);

#endif
