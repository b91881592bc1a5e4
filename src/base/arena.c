// SPDX-License-Identifier: Apache-2.0
// Memory that is allocated piece by piece from a list of blocks and freed all at once.
#include "base/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// Pieces share blocks of this size [bytes]. With 1 each has its own: then every piece can fail,
// as builds for tests of failures need it.
#ifndef HF_ARENA_BLOCK
#define HF_ARENA_BLOCK (1 << 16)
#endif
enum { BLOCK_BYTES = HF_ARENA_BLOCK, ALIGNMENT = 64 };

typedef struct hf_arena_block {
    struct hf_arena_block *before;
    void *memory; // as the allocator gave it
    size_t used, size;
} hf_arena_block;

void *hf_memory_take(const hf_allocator *allocator, size_t size)
{
    return allocator->allocate == NULL ? malloc(size)
                                       : allocator->allocate(allocator->context, size);
}

void hf_memory_give(const hf_allocator *allocator, void *memory)
{
    if (memory != NULL && allocator->release != NULL) {
        allocator->release(allocator->context, memory);
    } else {
        free(memory);
    }
}

static size_t aligned(size_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static hf_arena_block *add_block(hf_arena *arena, size_t bytes)
{
    size_t head = aligned(sizeof(hf_arena_block));
    size_t size = bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES;
    char *memory = hf_memory_take(&arena->allocator, head + size + ALIGNMENT);
    if (memory == NULL) {
        return NULL;
    }
    size_t shift = (ALIGNMENT - (uintptr_t)memory % ALIGNMENT) % ALIGNMENT;
    hf_arena_block *block = (hf_arena_block *)(void *)(memory + shift);
    *block = (hf_arena_block){
        .before = arena->last, .memory = memory, .used = head, .size = head + size};
    arena->last = block;
    return block;
}

void *hf_arena_alloc(hf_arena *arena, size_t count, size_t size)
{
    if (size != 0 && count > (SIZE_MAX / 4) / size) {
        return NULL;
    }
    // Small pieces (strings) need no cache line of their own.
    size_t bytes = count * size;
    size_t padded = bytes < ALIGNMENT ? (bytes + 15) / 16 * 16 : aligned(bytes);
    padded = padded == 0 ? 16 : padded;
    hf_arena_block *block = arena->last;
    size_t start = block == NULL ? 0 : (bytes < ALIGNMENT ? block->used : aligned(block->used));
    if (block == NULL || start > block->size || padded > block->size - start) {
        block = add_block(arena, aligned(padded));
        if (block == NULL) {
            return NULL;
        }
        start = block->used;
    }
    block->used = start + padded;
    return memset((char *)block + start, 0, padded);
}

char *hf_arena_string(hf_arena *arena, const char *text)
{
    return hf_arena_copy(arena, text, strlen(text) + 1, 1);
}

void *hf_arena_copy(hf_arena *arena, const void *from, size_t count, size_t size)
{
    void *copy = hf_arena_alloc(arena, count, size);
    if (copy != NULL && count != 0 && size != 0) {
        memcpy(copy, from, count * size);
    }
    return copy;
}

// Bytes of one that is wanted; large ones are on lines of cache of their own. 0: too large to be
// added up here without a check for overflow.
static size_t bytes_of(const hf_arena_want *wanted)
{
    const size_t most = (size_t)1 << 24; // whose products are far from overflow
    if (wanted->count > most || wanted->size > most) {
        return 0;
    }
    size_t bytes = wanted->count * wanted->size;
    return bytes < ALIGNMENT ? (bytes + 16) / 16 * 16 : aligned(bytes);
}

// One after another: lists with something large, and all in builds whose every piece can fail.
static bool take_each(hf_arena *arena, const hf_arena_want *wanted, size_t count)
{
    bool good = true;
    for (size_t i = 0; i < count; ++i) {
        void *memory = hf_arena_alloc(arena, wanted[i].count, wanted[i].size);
        memcpy(wanted[i].slot, &memory, sizeof memory);
        good = good && memory != NULL;
    }
    return good;
}

bool hf_arena_take(hf_arena *arena, const hf_arena_want *wanted, size_t count)
{
    size_t sum = 0, at = 0;
    bool fits = BLOCK_BYTES > 1;
    for (size_t i = 0; i < count && fits; ++i) {
        size_t bytes = bytes_of(&wanted[i]);
        fits = bytes != 0 && sum <= BLOCK_BYTES;
        sum = (bytes < ALIGNMENT ? sum : aligned(sum)) + bytes;
    }
    if (!fits) {
        return take_each(arena, wanted, count);
    }
    // The same places as they were counted; none where there is no memory
    char *memory = hf_arena_alloc(arena, aligned(sum), 1);
    for (size_t i = 0; i < count; ++i) {
        size_t bytes = bytes_of(&wanted[i]);
        at = bytes < ALIGNMENT ? at : aligned(at);
        void *place = memory == NULL ? NULL : memory + at;
        memcpy(wanted[i].slot, &place, sizeof place);
        at += bytes;
    }
    return memory != NULL;
}

void hf_arena_free(hf_arena *arena)
{
    hf_arena_block *block = arena->last;
    while (block != NULL) {
        hf_arena_block *before = block->before;
        hf_memory_give(&arena->allocator, block->memory);
        block = before;
    }
    arena->last = NULL;
}

void *hf_grow(void *items, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity) {
        return items;
    }
    size_t wanted = *capacity == 0 ? 16 : *capacity * 2;
    if (wanted > (SIZE_MAX / 4) / size) {
        return NULL;
    }
    void *grown = realloc(items, wanted * size);
    if (grown != NULL) {
        *capacity = wanted;
    }
    return grown;
}
