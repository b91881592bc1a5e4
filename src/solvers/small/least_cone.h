// SPDX-License-Identifier: Apache-2.0
// The least forces among all that balance and are within their cones:
//   minimize |x|^2/2   over   C x = d,   x in K = K_1 x K_2 x ...
// in blocks of three numbers, a block to a contact.
#ifndef HF_SOLVERS_SMALL_LEAST_CONE_H
#define HF_SOLVERS_SMALL_LEAST_CONE_H

#include <stdbool.h>
#include <stddef.h>

typedef enum hf_block_kind {
    HF_BLOCK_NONE, // x = 0
    HF_BLOCK_LINE, // x_0 >= 0, the others 0: a normal force, with what goes along with it in C
    HF_BLOCK_CONE, // |(x_1, x_2)| <= size x_0: a contact that sticks
    HF_BLOCK_BALL, // x_0 = 0, |(x_1, x_2)| <= size: a friction that sticks
} hf_block_kind;

typedef struct hf_block {
    hf_block_kind kind;
    double size; // coefficient of a cone, radius of a ball
} hf_block;

// x := the point of a block's set next to z; g [3 x 3] := its slope by z.
void hf_block_project(const hf_block *block, const double *z, double *x, double *g);

typedef struct hf_least_cone {
    int rows, blocks;
    const double *c; // [rows x 3 blocks], of full rank
    const double *d; // [rows]
    const hf_block *block;
    double *x;    // [3 blocks] the solution
    double *work; // [hf_least_cone_work]
} hf_least_cone;

// Doubles of scratch.
size_t hf_least_cone_work(int rows, int blocks);

// False: C x = d is not met to `tolerance` of |d|, as a rule because nothing in K meets it.
bool hf_least_cone_solve(const hf_least_cone *problem, double tolerance);

#endif
