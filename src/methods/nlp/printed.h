// SPDX-License-Identifier: Apache-2.0
// The nonlinear program of [RobotSimulation2025] for its landing point, as it is printed: (9)-(18)
// in its own unknowns, with its code's constants and its IPOPT settings.
#ifndef HF_METHODS_NLP_PRINTED_H
#define HF_METHODS_NLP_PRINTED_H

#include <holdfast/nlp.h>
#include <stdbool.h>

// Which velocity (15) has: x'_k as printed, or x'_k+1, the first half of its correction.
typedef enum hf_printed_form { HF_PRINTED_BEFORE, HF_PRINTED_AFTER } hf_printed_form;

typedef struct hf_printed_state {
    double x, z, vx, vz; // [m], [m/s]
} hf_printed_state;

typedef struct hf_printed_point {
    double mass, gravity, friction, step; // [kg], [m/s^2], [-], [s]
} hf_printed_point;

// Asked in every iteration; true: IPOPT ends.
typedef struct hf_printed_stop {
    bool (*wanted)(void *context);
    void *context;
} hf_printed_stop;

typedef struct hf_printed_result {
    bool started; // false: IPOPT could not be started
    bool stopped;
    hf_nlp_ending ending;
    int iterations;
    double fx, fz; // forces of the floor [N]
} hf_printed_result;

// One step from `state`: whatever IPOPT ends with is the next state, as in the document's code.
// stop: NULL: never. IPOPT allocates; one thread at a time.
hf_printed_result hf_printed_step(const hf_printed_point *point, hf_printed_form form,
                                  hf_printed_state *state, const hf_printed_stop *stop);

// The program at one point, for a look at its derivatives: unknowns x, z, x', z', f_x, f_z, s_1,
// s_2, lambda; constraints (10), (15), (16), (11), (17). Matrices are whole; the Hessian is of the
// Lagrangian, sum over s^2 + y' g.
enum { HF_PRINTED_UNKNOWNS = 9, HF_PRINTED_CONSTRAINTS = 8 };
typedef struct hf_printed_values {
    double f;
    double gradient[HF_PRINTED_UNKNOWNS];
    double g[HF_PRINTED_CONSTRAINTS];
    double jacobian[HF_PRINTED_CONSTRAINTS][HF_PRINTED_UNKNOWNS];
    double hessian[HF_PRINTED_UNKNOWNS][HF_PRINTED_UNKNOWNS];
} hf_printed_values;
void hf_printed_look(const hf_printed_point *point, hf_printed_form form,
                     const hf_printed_state *before, const double *x, const double *y,
                     hf_printed_values *values);

#endif
