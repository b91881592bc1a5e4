// SPDX-License-Identifier: Apache-2.0
// Makes a chosen allocation fail, by wrapping malloc and its kin at link time.
#include "failures.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// The linker's names (--wrap=malloc): calls of malloc come to __wrap_malloc, and __real_malloc is
// the one of libc or of the sanitizer. One thread.
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void __real_free(void *memory);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t length);
void __wrap_free(void *memory);

static long long wanted, count;
static bool hit;

// Open addressing; what libraries allocated and we free is not in it.
enum { SLOTS = 1 << 20 };
static const void *slots[SLOTS];
static const char gone;
static long long live;

static size_t slot_of(const void *memory)
{
    return (size_t)(((uintptr_t)memory >> 4) * 0x9E3779B97F4A7C15u) % SLOTS;
}

static void note(const void *memory)
{
    if (memory == NULL) {
        return;
    }
    size_t i = slot_of(memory);
    while (slots[i] != NULL && slots[i] != &gone) {
        i = (i + 1) % SLOTS;
    }
    slots[i] = memory;
    ++live;
}

static void forget(const void *memory)
{
    for (size_t i = slot_of(memory); memory != NULL && slots[i] != NULL; i = (i + 1) % SLOTS) {
        if (slots[i] == memory) {
            slots[i] = &gone;
            --live;
            return;
        }
    }
}

static bool fails(void)
{
    ++count;
    bool now = count == wanted;
    hit = hit || now;
    return now;
}

void hf_failures_arm(long long number)
{
    wanted = number;
    count = 0;
    hit = false;
    if (live == 0) {
        memset((void *)slots, 0, sizeof slots);
    }
}

bool hf_failures_hit(void)
{
    return hit;
}

long long hf_failures_count(void)
{
    return count;
}

long long hf_failures_live(void)
{
    return live;
}

void *__wrap_malloc(size_t size)
{
    void *memory = fails() ? NULL : __real_malloc(size);
    note(memory);
    return memory;
}

void *__wrap_calloc(size_t number, size_t size)
{
    void *memory = fails() ? NULL : __real_calloc(number, size);
    note(memory);
    return memory;
}

void *__wrap_realloc(void *memory, size_t size)
{
    if (fails()) {
        return NULL;
    }
    forget(memory);
    void *moved = __real_realloc(memory, size);
    note(moved == NULL ? memory : moved);
    return moved;
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    void *memory = fails() ? NULL : __real_aligned_alloc(alignment, size);
    note(memory);
    return memory;
}

char *__wrap_strndup(const char *text, size_t length)
{
    size_t used = strnlen(text, length);
    char *copy = __wrap_malloc(used + 1);
    if (copy != NULL) {
        memcpy(copy, text, used);
        copy[used] = '\0';
    }
    return copy;
}

char *__wrap_strdup(const char *text)
{
    return __wrap_strndup(text, strlen(text));
}

void __wrap_free(void *memory)
{
    forget(memory);
    __real_free(memory);
}
