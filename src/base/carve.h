// SPDX-License-Identifier: Apache-2.0
// One block of memory for many arrays. A layout function names the arrays in order and is called
// twice: first with an empty carver, which only counts, then with one that holds the block.
//
//   hf_carver counter = {0};
//   lay_out(&plan, &counter);
//   void *block = counter.overflow ? NULL : allocate(counter.used);
//   lay_out(made, &(hf_carver){.base = block});
#ifndef HF_BASE_CARVE_H
#define HF_BASE_CARVE_H

#include <stdbool.h>
#include <stddef.h>

// Every array begins this many bytes after the block's start, or a multiple: one line of cache, so
// that arrays share none where the block itself is so aligned.
enum { HF_CARVE_ALIGNMENT = 64 };

typedef struct hf_carver {
    char *base;    // NULL: only counting
    size_t used;   // bytes so far
    bool overflow; // what was asked for does not fit a size_t: the block must not be allocated
} hf_carver;

// Bytes from the block's start to count * size new ones. Sizes are checked before they are
// multiplied: too much sets `overflow`, and nothing is added.
size_t hf_carve_offset(hf_carver *carver, size_t count, size_t size);

// The place of the same; NULL while only counting.
void *hf_carve(hf_carver *carver, size_t count, size_t size);

// The same for a matrix of rows * columns numbers.
void *hf_carve_matrix(hf_carver *carver, size_t rows, size_t columns, size_t size);

#endif
