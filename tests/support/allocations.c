// SPDX-License-Identifier: Apache-2.0
// Counts allocations of the whole process. Linked only into programs that ask for the count.
//
// With AddressSanitizer its hook counts. Otherwise, with glibc, these definitions take the place of
// libc's own and pass on to it; memory is still libc's, so free needs no replacement.
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "hf_test.h"

static atomic_llong allocations;

#if defined(__SANITIZE_ADDRESS__)
#define COUNT_BY_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define COUNT_BY_SANITIZER 1
#endif
#endif

#if defined(COUNT_BY_SANITIZER)

#define CAN_COUNT true

void __sanitizer_malloc_hook(const volatile void *memory, size_t size);

void __sanitizer_malloc_hook(const volatile void *memory, size_t size)
{
    (void)memory;
    (void)size;
    atomic_fetch_add(&allocations, 1);
}

#elif defined(__GLIBC__)

#define CAN_COUNT true

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size)
{
    atomic_fetch_add(&allocations, 1);
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    atomic_fetch_add(&allocations, 1);
    return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    atomic_fetch_add(&allocations, 1);
    return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    atomic_fetch_add(&allocations, 1);
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0) {
        return EINVAL;
    }
    atomic_fetch_add(&allocations, 1);
    void *block = __libc_memalign(alignment, size);
    if (!block) {
        return ENOMEM;
    }
    *memory = block;
    return 0;
}

#else

#define CAN_COUNT false

#endif

long long hf_test_allocations(void)
{
    if (!CAN_COUNT) {
        print_message("allocations cannot be counted here\n");
        skip();
    }
    return atomic_load(&allocations);
}
