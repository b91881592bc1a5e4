// SPDX-License-Identifier: Apache-2.0
// IPOPT on the program of one step.
#ifndef HF_METHODS_NLP_SOLVE_H
#define HF_METHODS_NLP_SOLVE_H

#include <holdfast/fc3d.h>
#include <holdfast/nlp.h>
#include <holdfast/sim.h>

// A problem is solved when its residual, HF_FC3D_SCALED, is at most `tolerance`.
typedef struct hf_nlp_settings {
    double tolerance; // > 0
    int iterations;   // of IPOPT from one start, at most; 0: HF_NLP_ITERATIONS
    // Asked in every iteration; true: HF_ERROR_STOPPED. NULL: never.
    bool (*stop_wanted)(void *context);
    void *stop_context;
} hf_nlp_settings;

#define HF_NLP_ITERATIONS 300

typedef struct hf_nlp_info {
    int starts;                       // that were made
    int iterations;                   // of all of them
    int endings[HF_NLP_ENDING_COUNT]; // how they ended
    double residual;                  // of the best
} hf_nlp_info;

typedef struct hf_nlp_solver hf_nlp_solver;

// IPOPT's linear solver is used by one thread at a time.
void hf_nlp_lock(void);
void hf_nlp_unlock(void);
// Of IPOPT's ApplicationReturnStatus.
hf_nlp_ending hf_nlp_ending_of(int status);

// NULL: out of memory.
hf_nlp_solver *hf_nlp_solver_create(const hf_nlp_settings *settings, const hf_allocator *allocator);
void hf_nlp_solver_destroy(hf_nlp_solver *solver); // NULL is allowed

// Where IPOPT begins: at r and then at up to seven other points; at r and up to three others; at r
// alone, which is a solution.
typedef enum hf_nlp_from { HF_NLP_FROM_ALL, HF_NLP_FROM_FEW, HF_NLP_FROM_SOLUTION } hf_nlp_from;

// Solves. On return r and u are the best that was found. Allocates, as IPOPT does in every
// solution. HF_ERROR_CONVERGENCE: its residual is above the tolerance. HF_ERROR_MEMORY.
// HF_ERROR_STOPPED.
HF_NODISCARD hf_status hf_nlp_solve(hf_nlp_solver *solver, const hf_fc3d_problem *problem,
                                    double *r, double *u, hf_nlp_from from, hf_nlp_info *info,
                                    hf_error *error);

#endif
