// SPDX-License-Identifier: Apache-2.0
// For LD_PRELOAD: calls of Holdfast's own code that fail on purpose. Calls that libraries make go
// through. glibc only.
//   HF_FAIL_KIND   memory (malloc and its kin), files (fopen, fclose, ...) or hdf5; memory unless
//                  given
//   HF_FAIL_AT     the call with this number fails, once
//   HF_FAIL_COUNT  a file that says at the end how many there were
//   HF_FAIL_SEEN   a file of the places that have failed already, and
//   HF_FAIL_DIR    a folder: at each place that has not failed yet the process splits. The call
//                  fails in the child, whose output goes to NUMBER.out and NUMBER.err; the parent
//                  waits, adds a line to "log" and goes on. So one run tries every place.
// A place is the chain of the nearest DEPTH callers.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fail_allocation.h"

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);

enum {
    DEPTH = 4,        // callers that make a place
    PLACES = 1 << 20, // in the file of places
    HUNG = 30,        // a child that takes longer is ended [s]
};

static atomic_llong count;
static long long wanted;
static hf_fail_kind counted;
static char program[4096];
static _Atomic(uint64_t) *seen; // hashes of places; NULL: none is tried by splitting
static const char *folder;
static bool child;
static pid_t process; // children of the program's own are left alone
static _Thread_local bool inside;

__attribute__((constructor)) static void begin(void)
{
    inside = true;
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    const char *number = getenv("HF_FAIL_AT"), *places = getenv("HF_FAIL_SEEN");
    const char *what = getenv("HF_FAIL_KIND");
    wanted = number == NULL ? 0 : atoll(number);
    static const char *const kinds[] = {"memory", "files", "hdf5"};
    for (int i = 0; i < 3; ++i) {
        counted = what != NULL && strcmp(what, kinds[i]) == 0 ? (hf_fail_kind)i : counted;
    }
    folder = getenv("HF_FAIL_DIR");
    if (places != NULL && folder != NULL && strstr(program, "holdfast") != NULL) {
        int file = open(places, O_RDWR | O_CREAT, 0600);
        size_t size = PLACES * sizeof *seen;
        if (file >= 0 && ftruncate(file, (off_t)size) == 0) {
            void *map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
            seen = map == MAP_FAILED ? NULL : map;
        }
        (void)close(file);
        void *frames[2];
        (void)backtrace(frames, 2); // loads what it needs
    }
    process = getpid();
    count = 0;
    inside = false;
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("HF_FAIL_COUNT");
    bool ours = path != NULL && strstr(program, "holdfast") != NULL && !child;
    int file = ours ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;
    if (file >= 0) {
        (void)dprintf(file, "%lld\n", (long long)count);
        (void)close(file);
    }
}

// The offset of an address in code of ours: of the program, when it is Holdfast, or of its modules.
// 0: of a library.
static uintptr_t own_offset(const void *address, const char **module)
{
    Dl_info info;
    if (dladdr(address, &info) == 0 || info.dli_fname == NULL) {
        return 0;
    }
    const char *name = strrchr(info.dli_fname, '/');
    *module = name == NULL ? info.dli_fname : name + 1;
    bool ours = strstr(*module, "holdfast") != NULL;
    return ours ? (uintptr_t)address - (uintptr_t)info.dli_fbase : 0;
}

// The chain of callers as text, and its hash (FNV-1a).
static uint64_t place_of(char *text, size_t size)
{
    void *frames[DEPTH + 12];
    int frame_count = backtrace(frames, DEPTH + 12), used = 0;
    size_t length = 0;
    uint64_t hash = 14695981039346656037u;
    text[0] = '\0';
    for (int i = 0; i < frame_count && used < DEPTH && length < size; ++i) {
        const char *module = "";
        uintptr_t offset = own_offset(frames[i], &module);
        if (offset != 0) {
            int more = snprintf(text + length, size - length, " %s+0x%lx", module, (long)offset);
            length += more > 0 ? (size_t)more : 0;
            ++used;
        }
    }
    for (const char *c = text; *c != '\0'; ++c) {
        hash = (hash ^ (unsigned char)*c) * 1099511628211u;
    }
    return hash == 0 ? 1 : hash;
}

// Whether a place has not failed yet; it has from now on.
static bool is_new(uint64_t place)
{
    for (size_t i = place % PLACES;; i = (i + 1) % PLACES) {
        uint64_t there = 0;
        if (atomic_compare_exchange_strong(&seen[i], &there, place)) {
            return true;
        }
        if (there == place) {
            return false;
        }
    }
}

static void to_file(int stream, long long number, const char *ending)
{
    char path[4200];
    (void)snprintf(path, sizeof path, "%s/%lld.%s", folder, number, ending);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file >= 0) {
        (void)dup2(file, stream);
        (void)close(file);
    }
}

// True in a child in which the call is to fail. Threads do not live on in a child: where there are
// any, none is made.
static bool splits(long long number)
{
    struct stat tasks;
    char text[1000], path[4200];
    if (stat("/proc/self/task", &tasks) != 0 || tasks.st_nlink != 3 ||
        !is_new(place_of(text, sizeof text))) {
        return false;
    }
    pid_t pid = fork();
    if (pid == 0) {
        child = true;
        to_file(STDOUT_FILENO, number, "out");
        to_file(STDERR_FILENO, number, "err");
        (void)alarm(HUNG);
        return true;
    }
    int status = -1;
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    (void)snprintf(path, sizeof path, "%s/log", folder);
    int file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (file >= 0) {
        int code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
        (void)dprintf(file, "%lld %d%s\n", number, code, text);
        (void)close(file);
    }
    return false;
}

// Whether this call fails.
bool hf_fail_now(hf_fail_kind kind, const void *caller)
{
    const char *module;
    if (kind != counted || inside || child || (wanted <= 0 && seen == NULL) ||
        strstr(program, "holdfast") == NULL || own_offset(caller, &module) == 0 ||
        getpid() != process) {
        return false;
    }
    inside = true;
    int before = errno;
    long long number = atomic_fetch_add(&count, 1) + 1;
    bool now = seen != NULL ? splits(number) : number == wanted;
    errno = before;
    inside = false;
    return now;
}

#define FAILS(kind) hf_fail_now(HF_FAIL_##kind, __builtin_return_address(0))
#define REAL(name)  ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

void *malloc(size_t size)
{
    return FAILS(MEMORY) ? NULL : __libc_malloc(size);
}

void *calloc(size_t number, size_t size)
{
    return FAILS(MEMORY) ? NULL : __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size)
{
    return FAILS(MEMORY) ? NULL : __libc_realloc(memory, size);
}

char *strdup(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = FAILS(MEMORY) ? NULL : __libc_malloc(size);
    return copy == NULL ? NULL : memcpy(copy, text, size);
}

char *strndup(const char *text, size_t most)
{
    size_t size = strnlen(text, most);
    char *copy = FAILS(MEMORY) ? NULL : __libc_malloc(size + 1);
    if (copy != NULL) {
        memcpy(copy, text, size);
        copy[size] = '\0';
    }
    return copy;
}

FILE *fopen(const char *path, const char *mode)
{
    if (FAILS(FILES)) {
        errno = EIO;
        return NULL;
    }
    return REAL(fopen)(path, mode);
}

FILE *open_memstream(char **text, size_t *size)
{
    if (FAILS(MEMORY)) {
        errno = ENOMEM;
        return NULL;
    }
    return REAL(open_memstream)(text, size);
}

int fclose(FILE *file)
{
    bool failed = FAILS(FILES);
    int result = REAL(fclose)(file);
    if (failed) {
        errno = ENOSPC;
        return EOF;
    }
    return result;
}

int fflush(FILE *file)
{
    if (FAILS(FILES)) {
        errno = ENOSPC;
        return EOF;
    }
    return REAL(fflush)(file);
}

int ferror(FILE *file)
{
    return FAILS(FILES) ? 1 : REAL(ferror)(file);
}

int fseek(FILE *file, long offset, int whence)
{
    if (FAILS(FILES)) {
        errno = ESPIPE;
        return -1;
    }
    return REAL(fseek)(file, offset, whence);
}

int rename(const char *from, const char *to)
{
    if (FAILS(FILES)) {
        errno = EXDEV;
        return -1;
    }
    return REAL(rename)(from, to);
}

char *realpath(const char *path, char *resolved)
{
    if (FAILS(FILES)) {
        errno = EACCES;
        return NULL;
    }
    return REAL(realpath)(path, resolved);
}

FILE *tmpfile(void)
{
    if (FAILS(FILES)) {
        errno = EMFILE;
        return NULL;
    }
    return REAL(tmpfile)();
}
