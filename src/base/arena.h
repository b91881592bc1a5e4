// SPDX-License-Identifier: Apache-2.0
// Memory that is allocated piece by piece and freed all at once.
#ifndef HF_BASE_ARENA_H
#define HF_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

#include <holdfast/base.h>

struct hf_arena_block;

typedef struct hf_arena {
    struct hf_arena_block *last;
    hf_allocator allocator; // zero: malloc and free
} hf_arena;

// Memory of an allocator, of malloc where it names no functions; NULL when there is none.
void *hf_memory_take(const hf_allocator *allocator, size_t size);
// Gives it back. NULL is allowed.
void hf_memory_give(const hf_allocator *allocator, void *memory);

// count * size zeroed bytes, aligned for any object. NULL when out of memory or when the product
// overflows. A count of zero gives a valid pointer.
void *hf_arena_alloc(hf_arena *arena, size_t count, size_t size);

// A copy of a string; NULL when out of memory.
char *hf_arena_string(hf_arena *arena, const char *text);

// A copy of count * size bytes; NULL when out of memory.
void *hf_arena_copy(hf_arena *arena, const void *from, size_t count, size_t size);

// An array that is wanted: where its pointer goes, and `count` items of `size` bytes.
typedef struct hf_arena_want {
    void *slot;
    size_t count, size;
} hf_arena_want;
// All of a list, zeroed. False when out of memory; pointers that there was none for are NULL.
bool hf_arena_take(hf_arena *arena, const hf_arena_want *wanted, size_t count);

void hf_arena_free(hf_arena *arena);

// A growing array owned by the caller: returns items (moved if necessary) with room for one more,
// or NULL, leaving the old array valid. *capacity counts items.
void *hf_grow(void *items, size_t count, size_t *capacity, size_t size);

#endif
