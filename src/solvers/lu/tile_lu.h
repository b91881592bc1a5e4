// SPDX-License-Identifier: Apache-2.0
// Sparse direct solution of A x = b for matrices of 6x6 tiles, one row of tiles a rigid body, whose
// pattern is symmetric. Numbers need not be.
//
// For the many small systems of Newton steps on heaps, where block_lu.h spends most of its time on
// book-keeping: tiles stay where they are, bodies are eliminated one after another in an order of
// approximate minimum degree, pivots are chosen within a body's own tile, tiny ones are lifted. The
// same bits with and without wide vectors.
#ifndef HF_SOLVERS_LU_TILE_LU_H
#define HF_SOLVERS_LU_TILE_LU_H

#include <stdbool.h>
#include <stddef.h>

#include <holdfast/base.h>

typedef struct hf_tile_lu hf_tile_lu;

enum { HF_TILE = 6, HF_TILE_SIZE = HF_TILE * HF_TILE };

// For patterns of at most `nodes` rows of tiles and `tiles` tiles. Allocates what does not depend
// on the fill. NULL when there is no memory.
hf_tile_lu *hf_tile_lu_create(int nodes, int tiles, const hf_allocator *allocator);
void hf_tile_lu_destroy(hf_tile_lu *lu);

// Orders the rows and plans the fill. column[start[i]] .. column[start[i + 1] - 1] are the columns
// of row i, ascending, the diagonal among them; a pattern equal to the last one costs a comparison.
// The memory for the fill grows only when `grow` is set. HF_ERROR_RANGE: larger than was created
// for; HF_ERROR_MEMORY: the fill needs more memory than there is.
hf_status hf_tile_lu_plan(hf_tile_lu *lu, int n, const int *start, const int *column, bool grow);
double hf_tile_lu_work(const hf_tile_lu *lu); // multiplications of one factorization

// All tiles of A: zero from here on, to be filled, row by row. That of the pattern's column k
// begins at HF_TILE_SIZE place[k].
double *hf_tile_lu_clear(hf_tile_lu *lu, const int **place);
// Factorizes what is there. False: A is not finite.
bool hf_tile_lu_factorize(hf_tile_lu *lu);
// x := A^-1 x
void hf_tile_lu_solve(hf_tile_lu *lu, double *x);

#endif
