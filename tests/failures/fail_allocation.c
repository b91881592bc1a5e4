// SPDX-License-Identifier: Apache-2.0
// For LD_PRELOAD: the allocation with the number HF_FAIL_AT fails, once. Only those that Holdfast's
// own code makes count; libraries have theirs. At the end the file HF_FAIL_COUNT says how many
// there were. glibc only.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);

static atomic_llong count;
static long long wanted;
static char program[4096];

__attribute__((constructor)) static void begin(void)
{
    const char *number = getenv("HF_FAIL_AT");
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    wanted = number == NULL ? 0 : atoll(number);
    count = 0;
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("HF_FAIL_COUNT");
    FILE *file = path == NULL || strstr(program, "holdfast") == NULL ? NULL : fopen(path, "w");
    if (file != NULL) {
        (void)fprintf(file, "%lld\n", (long long)count);
        (void)fclose(file);
    }
}

// Whether code of ours asks: of the program, when it is Holdfast, or of its modules.
static bool fails(const void *caller)
{
    Dl_info info;
    if (wanted <= 0 || strstr(program, "holdfast") == NULL || dladdr(caller, &info) == 0 ||
        info.dli_fname == NULL) {
        return false;
    }
    const char *name = strrchr(info.dli_fname, '/');
    name = name == NULL ? info.dli_fname : name + 1;
    return strstr(name, "holdfast") != NULL && atomic_fetch_add(&count, 1) + 1 == wanted;
}

void *malloc(size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t number, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(memory, size);
}

char *strdup(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
    return copy == NULL ? NULL : memcpy(copy, text, size);
}

char *strndup(const char *text, size_t most)
{
    size_t size = strnlen(text, most);
    char *copy = fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size + 1);
    if (copy != NULL) {
        memcpy(copy, text, size);
        copy[size] = '\0';
    }
    return copy;
}
