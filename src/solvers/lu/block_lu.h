// SPDX-License-Identifier: Apache-2.0
// Sparse direct solution of A x = b for matrices of 3x3 blocks whose pattern is symmetric, such as
// those of contacts: A = diag(D) + diag(L) W.
//
// Multifrontal LU factorization. Block rows with the same neighbours (the contacts between two
// bodies) are eliminated together; groups are ordered by approximate minimum degree
// [AmestoyDavisDuff1996], fronts follow the elimination tree. Pivots are chosen within a front's
// own rows, tiny ones are lifted and counted. The arithmetic does not depend on the processor: the
// same bits with and without wide vectors.
#ifndef HF_SOLVERS_LU_BLOCK_LU_H
#define HF_SOLVERS_LU_BLOCK_LU_H

#include <stdbool.h>

#include <holdfast/base.h>

// Block rows: column[start[i]] .. column[start[i + 1] - 1] are the columns of row i, ascending,
// the diagonal among them.
typedef struct hf_block_pattern {
    int n;
    const int *start;
    const int *column;
} hf_block_pattern;

typedef struct hf_block_lu hf_block_lu;

// What a plan amounts to.
typedef struct hf_block_lu_size {
    int groups;         // of block rows that are eliminated together
    int fronts;         // dense matrices that are factorized
    int largest_front;  // rows
    double factor_size; // numbers in L and U
    double factor_work; // multiplications of one factorization
} hf_block_lu_size;

// For patterns of at most `rows` block rows and `blocks` blocks. Allocates what does not depend on
// the fill. All memory is the allocator's. NULL when there is none.
hf_block_lu *hf_block_lu_create(int rows, int blocks, const hf_allocator *allocator);
void hf_block_lu_destroy(hf_block_lu *lu);

// Orders the rows and plans the fronts; a pattern equal to the last one costs a comparison. The
// memory for the factors grows only when `grow` is set. HF_ERROR_INPUT: the pattern is not
// symmetric or a diagonal block is missing; HF_ERROR_RANGE: larger than was created for;
// HF_ERROR_MEMORY: the factors need more memory than there is.
hf_status hf_block_lu_plan(hf_block_lu *lu, const hf_block_pattern *pattern, bool grow);
hf_block_lu_size hf_block_lu_plan_size(const hf_block_lu *lu);

// Factorizes A = diag(D) + diag(L) W. w: the blocks of the pattern, each row by row; l, d: n blocks
// each; l NULL: identity, d NULL: zero. Returns the number of lifted pivots, or -1 when A is not
// finite.
int hf_block_lu_factorize(hf_block_lu *lu, const double *w, const double *l, const double *d);

// Of the determinant of A as factorized last: 1 or -1.
int hf_block_lu_sign(const hf_block_lu *lu);

// x := A^-1 x
void hf_block_lu_solve(hf_block_lu *lu, double *x);

#endif
