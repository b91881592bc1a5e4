// SPDX-License-Identifier: Apache-2.0
// Laws that are written in the model file: what their reader (read_own_law.c) puts into a
// definition, and the law that runs it (own_law.c).
#ifndef HF_MODELS_OWN_LAW_H
#define HF_MODELS_OWN_LAW_H

#include <holdfast/law.h>

enum {
    HF_OWN_MAX_AXES = 3,
    HF_OWN_MAX_STATES = 8, // by name; each has a number, or one an axis
    HF_OWN_MAX_NUMBERS = HF_OWN_MAX_STATES * HF_OWN_MAX_AXES,
    HF_OWN_MAX_OPS = 512, // operations of an expression
    HF_OWN_OP_NUMBERS = 4 // code, index, a, b
};

// Slots of the variables, in this order: gap, rate and force by axis, normal, tau, states, inputs.
typedef struct hf_own_slots {
    int gap, rate, force, normal, tau, states, inputs, count;
} hf_own_slots;
hf_own_slots hf_own_slots_of(int axes, int states);
enum { HF_OWN_MAX_SLOTS = 3 * HF_OWN_MAX_AXES + 2 + HF_OWN_MAX_NUMBERS + HF_LAW_MAX_INPUTS };

// The numbers of a program: how many axes and states, 1 with `stored`, 1 with `slip`, 1 when
// force or rates jump at a condition; the states' start; then force by axis, rates of the states,
// stored and slip, each as its number of operations and these.
enum { HF_OWN_AXES, HF_OWN_STATES, HF_OWN_STORED, HF_OWN_SLIP, HF_OWN_LEAPS, HF_OWN_HEAD };

typedef struct hf_own_def {
    hf_list program;
} hf_own_def;

// The law of a kind: with regimes, driving, or neither. `looks_ahead`: its force takes tau, so that
// it is the same over a step as at its end.
const hf_law_info *hf_own_law(bool slips, bool drives, bool looks_ahead);

#endif
