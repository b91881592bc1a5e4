// SPDX-License-Identifier: Apache-2.0
// The nonlinear program of [RobotSimulation2025], (9)-(18), corrected, for all contacts of one
// step.
//
// The document writes it for one point on a floor, with the state at the end of the step among the
// unknowns. Here contacts are any number, and the dynamics (10) stand in their coordinates, u = W r
// + q, as all solvers of friction-contact problems take them (holdfast/fc3d.h); u_N is the normal
// velocity plus gap/T, so that u_N >= 0 says that no gap is negative at the end of the step, (12).
// Unknowns of a contact: r_N, a direction t of friction with r_T = mu r_N t, u_N, lambda, s1, s2.
//
//   minimize   sum of s1 + s2                                                              (9)
//   subject to u_N - (W r + q)_N = 0                                                      (10)
//              -lambda t - (W r + q)_T = 0                                          (10), (15)
//              s1 - r_N u_N >= 0,   u_N >= 0,   r_N >= 0,   s1 >= 0                  (11)-(14)
//              1 - t.t >= 0                                                               (16)
//              s2 - lambda (1 - t.t) >= 0,   s2 >= 0,   lambda >= 0                 (17), (18)
//
// What differs from the print:
// - (15) there is x'_k + lambda f_x/|f_x| = 0: the velocity before the step, and no direction where
//   f_x = 0, so that flight is infeasible and a point at rest chatters. Right is the velocity after
//   it, u_T + lambda t = 0, with t in the subdifferential of |r_T|: |t| <= 1, and t = r_T/|r_T|
//   where that is defined. With t as an unknown and r_T = mu r_N t the three hold together: t is
//   the friction by its level in stick, where lambda = 0, its direction in slip, where |t| = 1, and
//   minus the direction of motion in flight.
// - So there is no norm to be smoothed: (7) and (8) are not needed, and all functions are
//   polynomials of degree 2 and 3. (16) and (17) are divided by mu r_N.
// - (9) there is the sum of squares. It has the same minimum, zero; but an interior-point method of
//   tolerance e ends it with slacks of sqrt(e), and the sum with slacks of e.
//
// A contact that nothing can press (a bounded multiplier with a bound of zero: an open clutch) is
// left out: at its only point r_N = 0 every direction t would be a solution, and no start leads
// there.
//
// Unknowns are scaled: contact i by d_i = sqrt(3/trace W_ii), all by the size of q. Then W has the
// trace 3 in every contact, q is of the order one, and a tolerance is a share.
#ifndef HF_METHODS_NLP_PROGRAM_H
#define HF_METHODS_NLP_PROGRAM_H

#include <holdfast/fc3d.h>

enum {
    HF_NLP_NORMAL = 0, // r_N
    HF_NLP_T = 1,      // two of them
    HF_NLP_U = 3,      // u_N
    HF_NLP_LAMBDA = 4,
    HF_NLP_S1 = 5,
    HF_NLP_S2 = 6,
    HF_NLP_UNKNOWNS = 7
};

// Constraints of a contact with friction: (10) and (15) in three rows, (11), (16), (17); without
// it: (10), (11).
enum { HF_NLP_CONSTRAINTS = 6 };

typedef struct hf_nlp_program {
    const hf_fc3d_problem *problem;
    double *scale;         // [contacts] d; 0: nothing can press the contact, it is left out
    int *row;              // [contacts + 1] first constraint of each contact; at last: how many
    double velocity;       // the unit of d u, > 0
    int jacobian, hessian; // numbers of entries
} hf_nlp_program;

// Fills what follows from `problem`. `scale` and `row` have their room.
void hf_nlp_program_prepare(hf_nlp_program *program);

static inline int hf_nlp_program_unknowns(const hf_nlp_program *program)
{
    return HF_NLP_UNKNOWNS * program->problem->contacts;
}

static inline int hf_nlp_program_constraints(const hf_nlp_program *program)
{
    return program->row[program->problem->contacts];
}

// Whether all contacts are left out.
bool hf_nlp_program_is_empty(const hf_nlp_program *program);

// Bounds of unknowns and constraints; `infinite` stands for none.
void hf_nlp_program_bounds(const hf_nlp_program *program, double infinite, double *x_low,
                           double *x_high, double *g_low, double *g_high);
// Where to begin: reactions r in their own units, and the other unknowns as they follow from them;
// those with a lower bound at least `margin`.
void hf_nlp_program_start(const hf_nlp_program *program, const double *r, double margin, double *x);
// Reactions in their own units.
void hf_nlp_program_reactions(const hf_nlp_program *program, const double *x, double *r);

// Values and derivatives. Places (row and column) are written when `value` is NULL. The Hessian is
// that of the Lagrangian, its lower triangle; the objective has no part in it.
double hf_nlp_program_objective(const hf_nlp_program *program, const double *x);
void hf_nlp_program_gradient(const hf_nlp_program *program, double *gradient);
void hf_nlp_program_constrain(const hf_nlp_program *program, const double *x, double *g);
void hf_nlp_program_jacobian(const hf_nlp_program *program, const double *x, int *row, int *column,
                             double *value);
void hf_nlp_program_hessian(const hf_nlp_program *program, const double *x,
                            const double *multiplier, int *row, int *column, double *value);

#endif
