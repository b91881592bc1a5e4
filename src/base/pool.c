// SPDX-License-Identifier: Apache-2.0
// A pool of memory in size classes (powers of two), so that what is released is used again.
#include "base/pool.h"

#include <stdint.h>
#include <string.h>

#include "base/arena.h"

enum { HEAD = 16, LEAST_CLASS = 6 }; // before every piece: its class; pieces of 64 bytes or more

// The least k with 2^k >= size.
static int class_of(size_t size)
{
    int k = LEAST_CLASS;
    while (k < HF_POOL_CLASSES && ((size_t)1 << k) < size) {
        ++k;
    }
    return k;
}

// A released piece of this class or of a larger one, which it stays then; NULL: none.
static char *take_released(hf_pool *pool, int k)
{
    for (; k < HF_POOL_CLASSES; ++k) {
        char *piece = pool->free[k];
        if (piece != NULL) {
            memcpy(&pool->free[k], piece + HEAD, sizeof pool->free[k]);
            return piece;
        }
    }
    return NULL;
}

static char *take_fresh(hf_pool *pool, int k)
{
    size_t size = k < HF_POOL_CLASSES ? (size_t)1 << k : SIZE_MAX;
    if (size > pool->size - pool->used) {
        return NULL;
    }
    char *piece = pool->base + pool->used;
    pool->used += size;
    memcpy(piece, &k, sizeof k);
    return piece;
}

static void *allocate(void *context, size_t size)
{
    hf_pool *pool = context;
    if (pool->open && size < SIZE_MAX - HEAD) {
        int k = class_of(size + HEAD);
        char *piece = k < HF_POOL_CLASSES && pool->free[k] != NULL ? take_released(pool, k)
                                                                   : take_fresh(pool, k);
        piece = piece == NULL ? take_released(pool, k) : piece;
        if (piece != NULL) {
            return piece + HEAD;
        }
        pool->outside += 1;
    }
    return hf_memory_take(&pool->parent, size);
}

static void release(void *context, void *memory)
{
    hf_pool *pool = context;
    uintptr_t at = (uintptr_t)memory, base = (uintptr_t)pool->base;
    if (at < base || at >= base + pool->size) {
        hf_memory_give(&pool->parent, memory);
        return;
    }
    char *piece = (char *)memory - HEAD;
    int k;
    memcpy(&k, piece, sizeof k);
    memcpy(piece + HEAD, &pool->free[k], sizeof pool->free[k]);
    pool->free[k] = piece;
}

bool hf_pool_begin(hf_pool *pool, const hf_allocator *parent, size_t size)
{
    *pool = (hf_pool){.parent = *parent, .size = size};
    pool->base = hf_memory_take(parent, size);
    if (pool->base != NULL) {
        memset(pool->base, 0, size); // the pages are there before the first step
    }
    return pool->base != NULL;
}

void hf_pool_end(hf_pool *pool)
{
    if (pool->base != NULL) {
        hf_memory_give(&pool->parent, pool->base);
    }
    *pool = (hf_pool){0};
}

hf_allocator hf_pool_allocator(hf_pool *pool)
{
    return (hf_allocator){.allocate = allocate, .release = release, .context = pool};
}
