// SPDX-License-Identifier: Apache-2.0
// Finished cases of a sweep on disk, so that a sweep that was stopped goes on.
#include "sweep/store.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/names.h"
#include "record/target.h"

enum { HEAD_SIZE = 4096, MOST_OUTPUTS = 512 };

typedef struct head {
    char magic[16];
    uint64_t order; // of bytes
    uint64_t fingerprint, count, outputs;
} head;

typedef struct slot {
    uint64_t check; // of all that follows, the case's number and its message
    uint32_t state, length;
    uint64_t place;
    double time;
    double outputs[MOST_OUTPUTS];
} slot;

static head head_of(const hf_store *s)
{
    head h = {.magic = "holdfast sweep1",
              .order = 0x0102030405060708ULL,
              .fingerprint = s->fingerprint,
              .count = (uint64_t)s->count,
              .outputs = (uint64_t)s->outputs};
    return h;
}

static hf_status fail(const hf_store *s, const char *what, hf_error *error)
{
    return hf_error_set(error, HF_ERROR_FILE, "%.300s: cannot %s: %s", s->path, what,
                        strerror(errno));
}

static bool put_bytes(int file, const void *bytes, size_t size, long long place)
{
    const char *from = bytes;
    while (size > 0) {
        ssize_t done = pwrite(file, from, size, (off_t)place);
        if (done < 0 && errno == EINTR) {
            continue;
        }
        if (done < 0) {
            return false;
        }
        from += done;
        place += done;
        size -= (size_t)done;
    }
    return true;
}

// Reads what is there; the rest is zero. False: an error.
static bool get_bytes(int file, void *bytes, size_t size, long long place)
{
    char *to = bytes;
    while (size > 0) {
        ssize_t done = pread(file, to, size, (off_t)place);
        if (done < 0 && errno == EINTR) {
            continue;
        }
        if (done < 0) {
            return false;
        }
        if (done == 0) {
            memset(to, 0, size);
            return true;
        }
        to += done;
        place += done;
        size -= (size_t)done;
    }
    return true;
}

// ------------------------------------------------------------------------------------------------
// Opening

static hf_status prepare(hf_store *s, const char *path, unsigned long long fingerprint,
                         long long count, int outputs, hf_error *error)
{
    *s = (hf_store){.file = -1,
                    .path = strdup(path),
                    .fingerprint = fingerprint,
                    .count = count,
                    .outputs = outputs,
                    .slot = offsetof(slot, outputs) + (size_t)outputs * sizeof(double)};
    if (s->path == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory for a sweep");
    }
    return outputs <= MOST_OUTPUTS
               ? HF_OK
               : hf_error_set(error, HF_ERROR_RANGE, "%d outputs are more than %d", outputs,
                              MOST_OUTPUTS);
}

// Whether the head is there and this sweep's. A head that was not written whole is none.
static hf_status check_head(hf_store *s, bool *found, hf_error *error)
{
    head there = {0}, ours = head_of(s);
    struct stat size;
    if (fstat(s->file, &size) != 0 || !get_bytes(s->file, &there, sizeof there, 0)) {
        return fail(s, "read", error);
    }
    *found = false;
    long long slots = HEAD_SIZE + s->count * (long long)s->slot;
    atomic_store(&s->end, size.st_size > slots ? (long long)size.st_size : slots);
    if (size.st_size < HEAD_SIZE) {
        return HF_OK;
    }
    if (memcmp(there.magic, ours.magic, sizeof there.magic) != 0) {
        return hf_error_set(error, HF_ERROR_STATE, "%.300s: this file is not of a sweep", s->path);
    }
    if (memcmp(&there, &ours, sizeof there) != 0) {
        return hf_error_set(error, HF_ERROR_STATE,
                            "%.300s: it holds cases of another sweep: other values, expressions or "
                            "model, or another version of holdfast; remove it to begin anew",
                            s->path);
    }
    *found = true;
    return HF_OK;
}

hf_status hf_store_open(hf_store *s, const char *path, unsigned long long fingerprint,
                        long long count, int outputs, bool *found, hf_error *error)
{
    HF_TRY(prepare(s, path, fingerprint, count, outputs, error));
    s->file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (s->file < 0) {
        return fail(s, "create", error);
    }
    if (!hf_file_lock(s->file)) {
        return hf_error_set(error, HF_ERROR_FILE, "%.300s: another sweep is writing this file",
                            path);
    }
    HF_TRY(check_head(s, found, error));
    if (*found) {
        return HF_OK;
    }
    char bytes[HEAD_SIZE] = {0};
    head ours = head_of(s);
    memcpy(bytes, &ours, sizeof ours);
    return put_bytes(s->file, bytes, sizeof bytes, 0) ? HF_OK : fail(s, "write", error);
}

hf_status hf_store_look(hf_store *s, const char *path, unsigned long long fingerprint,
                        long long count, int outputs, hf_error *error)
{
    bool found = false;
    HF_TRY(prepare(s, path, fingerprint, count, outputs, error));
    s->file = open(path, O_RDONLY | O_CLOEXEC);
    return s->file < 0 ? fail(s, "open", error) : check_head(s, &found, error);
}

void hf_store_close(hf_store *s)
{
    if (s->file >= 0) {
        (void)close(s->file);
    }
    free(s->path);
    *s = (hf_store){.file = -1};
}

// ------------------------------------------------------------------------------------------------
// Slots

static unsigned long long check_of(const hf_store *s, const slot *at, long long index,
                                   const char *message)
{
    unsigned long long hash = hf_hash_bytes(s->fingerprint, &index, sizeof index);
    hash = hf_hash_bytes(hash, (const char *)at + sizeof at->check, s->slot - sizeof at->check);
    return hf_hash_bytes(hash, message, at->length);
}

hf_status hf_store_put(hf_store *s, long long index, const hf_case_result *result,
                       const double *outputs, hf_error *error)
{
    slot at = {.state = (uint32_t)result->state,
               .length = (uint32_t)strlen(result->message),
               .time = result->time};
    memcpy(at.outputs, outputs, (size_t)s->outputs * sizeof *outputs);
    if (at.length > 0) {
        at.place = (uint64_t)atomic_fetch_add(&s->end, (long long)at.length);
        if (!put_bytes(s->file, result->message, at.length, (long long)at.place)) {
            return fail(s, "write", error);
        }
    }
    at.check = check_of(s, &at, index, result->message);
    return put_bytes(s->file, &at, s->slot, HEAD_SIZE + index * (long long)s->slot)
               ? HF_OK
               : fail(s, "write", error);
}

hf_status hf_store_get(const hf_store *s, long long index, hf_case_result *result, double *outputs,
                       hf_error *error)
{
    slot at = {0};
    *result = (hf_case_result){0};
    if (!get_bytes(s->file, &at, s->slot, HEAD_SIZE + index * (long long)s->slot)) {
        return fail(s, "read", error);
    }
    if (at.state < HF_CASE_TRUSTWORTHY || at.state > HF_CASE_FAILED ||
        at.length >= sizeof result->message || at.place > (uint64_t)INT64_MAX) {
        return HF_OK;
    }
    if (at.length > 0 && !get_bytes(s->file, result->message, at.length, (long long)at.place)) {
        return fail(s, "read", error);
    }
    if (at.check != check_of(s, &at, index, result->message)) {
        result->message[0] = '\0';
        return HF_OK;
    }
    result->state = (hf_case_state)at.state;
    result->time = at.time;
    if (outputs != NULL) {
        memcpy(outputs, at.outputs, (size_t)s->outputs * sizeof *outputs);
    }
    return HF_OK;
}
