// SPDX-License-Identifier: Apache-2.0
#ifndef HF_SOLVERS_LU_BLOCK_LU_INTERNAL_H
#define HF_SOLVERS_LU_BLOCK_LU_INTERNAL_H

#include "base/arena.h"
#include "block_lu.h"

// The parts of the sparse block factorization: its order of elimination and its dense pieces.

enum { HF_BLOCK_LU_WORK = 11 };

// The graph of groups: block rows with the same neighbours, themselves included.
typedef struct hf_block_graph {
    int groups;
    int *start;  // [groups + 1]
    int *next;   // neighbours, without the group itself
    int *weight; // [groups] block rows in it
} hf_block_graph;

// A dense matrix: its pivots are the groups first..last, its other rows the groups in `rows`.
typedef struct hf_block_front {
    int first, last;     // groups, in the order of elimination
    int rows, row_count; // in lu->rows: groups behind `last` in ascending order
    int pivots, others;  // scalar rows
    int parent;          // the front that takes its remainder; -1: none
    int children;        // fronts whose remainders it takes: the last ones on the stack
    size_t factor;       // where its pivots' rows and the columns below them are kept
} hf_block_front;

struct hf_block_lu {
    hf_arena arena;
    int most_rows, most_blocks;

    // The pattern that was planned for; -1: none.
    int n;
    bool planned;
    int *start, *column;
    int *transposed; // [blocks] where the block of the exchanged row and column is

    hf_block_graph graph;
    int *group;        // [n] of a block row
    int *order;        // [groups] the group eliminated as k-th
    int *place;        // [groups] its inverse
    int *member_start; // [groups + 1] by place
    int *members;      // block rows by place of their group
    int *offset;       // [groups + 1] first scalar row of a place
    int *scalar;       // [n] first scalar row of a block row

    int *parent;                 // [groups] elimination tree
    int *count;                  // [groups] scalar rows below the diagonal
    int *count_groups;           // the same in groups
    int *work[HF_BLOCK_LU_WORK]; // [rows + 1] each
    int *pool;                   // of the ordering
    int pool_size;

    hf_block_front *fronts;
    int front_count;
    hf_block_lu_size size;

    // Depends on the fill; grows. In units of its items.
    int *rows;
    size_t rows_capacity;
    double *factor, *stack, *front;
    size_t factor_capacity, stack_capacity, front_capacity;
    size_t factor_needed, stack_needed, front_needed, rows_needed;

    int *interchange; // [3 n] row exchanged with a pivot's
    int *local;       // [groups] scalar row within the front at hand
    double *x;        // [3 n]
    double *gathered; // [3 n]
};

// block_lu_order.c: an order of little fill, by approximate minimum degree.
void hf_block_order(const hf_block_graph *graph, int *order, int *const work[HF_BLOCK_LU_WORK],
                    int *pool, int pool_size);
// block_lu_dense.c: factorizes the first `pivots` columns of the n x n matrix `a`, row by row, and
// subtracts their product from the rest. interchange[k]: the row exchanged with row k, both among
// the first `pivots`. Pivots smaller than `least` are lifted to it and counted.
void hf_block_dense_lu(double *a, int n, int pivots, double least, int *interchange, int *lifted);

#endif
