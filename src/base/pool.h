// SPDX-License-Identifier: Apache-2.0
// A pool: memory taken once from an allocator and handed out again and again. Pieces are powers of
// two; what was released serves the next of its size. What does not fit comes from the allocator
// itself, and is counted.
#ifndef HF_BASE_POOL_H
#define HF_BASE_POOL_H

#include <holdfast/base.h>

enum { HF_POOL_CLASSES = 48 };

typedef struct hf_pool {
    hf_allocator parent;
    char *base;
    size_t size, used;           // of base [bytes]; used never falls
    void *free[HF_POOL_CLASSES]; // released pieces of 2^k bytes, each with the next at its head
    bool open;                   // false: everything comes from the parent, and is not counted
    long long outside;           // pieces that came from the parent since it is open
} hf_pool;

// Takes `size` bytes. False: out of memory.
HF_NODISCARD bool hf_pool_begin(hf_pool *pool, const hf_allocator *parent, size_t size);
void hf_pool_end(hf_pool *pool); // what it handed out is gone
// Its memory as an allocator, until the pool is freed.
hf_allocator hf_pool_allocator(hf_pool *pool);

#endif
