// SPDX-License-Identifier: Apache-2.0
// The nonlinear program of [RobotSimulation2025] for its landing point, as it is printed: (9)-(18)
// in its own unknowns, with its code's constants and its IPOPT settings.
#ifndef HF_BENCH_NLP_PRINTED_H
#define HF_BENCH_NLP_PRINTED_H

#include <stdbool.h>

// Which velocity (15) has: x'_k as printed, or x'_k+1, the first half of its correction.
typedef enum hf_printed_form { HF_PRINTED_BEFORE, HF_PRINTED_AFTER } hf_printed_form;

typedef enum hf_printed_ending {
    HF_PRINTED_SOLVED,
    HF_PRINTED_ACCEPTABLE, // to IPOPT's looser tolerance
    HF_PRINTED_INFEASIBLE,
    HF_PRINTED_ITERATIONS,
    HF_PRINTED_OTHER,
    HF_PRINTED_ENDINGS
} hf_printed_ending;

typedef struct hf_printed_state {
    double x, z, vx, vz; // [m], [m/s]
} hf_printed_state;

typedef struct hf_printed_point {
    double mass, gravity, friction, step; // [kg], [m/s^2], [-], [s]
} hf_printed_point;

extern const hf_printed_point hf_printed_constants;
extern const hf_printed_state hf_printed_start;

// One step from `state`: whatever IPOPT ends with is the next state, as in the document's
// code. False: IPOPT could not be started.
bool hf_printed_step(hf_printed_form form, hf_printed_state *state, hf_printed_ending *ending);

#endif
