// SPDX-License-Identifier: Apache-2.0
// The file that a recording becomes: locked, written under another name, renamed when it is whole.
#define _GNU_SOURCE // F_OFD_SETLK: a lock of the open file, not of the process (POSIX 2024)
#include "record/target.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

// HDF5 and others use flock() to keep readers away; fcntl's locks are apart from those, and readers
// stay welcome.
#ifdef F_OFD_SETLK
enum { SET_LOCK = F_OFD_SETLK, GET_LOCK = F_OFD_GETLK };
#else
enum { SET_LOCK = F_SETLK, GET_LOCK = F_GETLK };
#endif

enum { MOST_TRIES = 100 }; // each fails only when another writer finished in between

static hf_status fail(hf_error *error, const char *path)
{
    return hf_error_set(error, HF_ERROR_FILE, "%.300s: cannot create: %s", path, strerror(errno));
}

static hf_status refuse(hf_error *error, const char *path)
{
    return hf_error_set(error, HF_ERROR_FILE, "%.300s: another run is writing this file", path);
}

// Where symbolic links lead, or the path itself when there is no file yet. NULL: out of memory.
static char *resolve(const char *path)
{
    char *resolved = realpath(path, NULL);
    return resolved != NULL ? resolved : strdup(path);
}

bool hf_file_lock(int file)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(file, SET_LOCK, &whole) == 0 || (errno != EAGAIN && errno != EACCES);
}

// Whether somebody writes the file that has this name now.
static bool is_written(const char *path)
{
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) {
        return false;
    }
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    bool written = fcntl(file, GET_LOCK, &whole) == 0 && whole.l_type != F_UNLCK;
    (void)close(file);
    return written;
}

static bool is_same(int file, const char *path)
{
    struct stat opened, named;
    return fstat(file, &opened) == 0 && stat(path, &named) == 0 && opened.st_dev == named.st_dev &&
           opened.st_ino == named.st_ino;
}

// Opens and locks FILE.part. It may be left from a killed run, and another writer may give it its
// name between our opening and locking it: then it is not FILE.part any more.
// *trouble: errno when it cannot be created.
static hf_status open_part(hf_target *t, const char *path, int *trouble, hf_error *error)
{
    for (int i = 0; i < MOST_TRIES; ++i) {
        t->lock = open(t->part, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (t->lock < 0) {
            *trouble = errno;
            return fail(error, path);
        }
        bool locked = hf_file_lock(t->lock);
        if (locked && is_same(t->lock, t->part)) {
            return is_written(t->path) ? refuse(error, path) : HF_OK;
        }
        (void)close(t->lock);
        t->lock = -1;
        if (!locked) {
            return refuse(error, path);
        }
    }
    return refuse(error, path);
}

static hf_status open_in_place(hf_target *t, const char *path, hf_error *error)
{
    free(t->part);
    t->part = NULL;
    t->lock = open(t->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (t->lock < 0) {
        return fail(error, path);
    }
    return hf_file_lock(t->lock) ? HF_OK : refuse(error, path);
}

static hf_status open_target(hf_target *t, const char *path, hf_error *error)
{
    struct stat found;
    bool there = stat(path, &found) == 0;
    t->path = resolve(path);
    size_t size = t->path == NULL ? 0 : strlen(t->path) + sizeof ".part";
    t->part = size == 0 ? NULL : malloc(size);
    if (t->part == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory for a recording");
    }
    (void)snprintf(t->part, size, "%s.part", t->path);
    // Pipes and devices have no other name, and no lock
    if (there && !S_ISREG(found.st_mode)) {
        free(t->part);
        t->part = NULL;
        return HF_OK;
    }
    // A file that may not be written may not be replaced either
    if (there && access(t->path, W_OK) != 0) {
        return fail(error, path);
    }
    int trouble = 0;
    hf_status status = open_part(t, path, &trouble, error);
    if (there && (trouble == EACCES || trouble == EROFS || trouble == ENAMETOOLONG)) {
        return open_in_place(t, path, error);
    }
    // The new file is open to whom the old one was
    if (status == HF_OK &&
        (ftruncate(t->lock, 0) != 0 ||
         (there && fchmod(t->lock, found.st_mode & 07777) != 0 && errno != EPERM))) {
        status = fail(error, path);
    }
    return status;
}

hf_status hf_target_open(hf_target *target, const char *path, hf_error *error)
{
    *target = (hf_target){.lock = -1};
    errno = 0;
    hf_status status = open_target(target, path, error);
    if (status != HF_OK) {
        // Another writer's FILE.part is not ours to remove
        if (target->lock < 0) {
            free(target->part);
            target->part = NULL;
        }
        hf_target_close(target);
    }
    return status;
}

const char *hf_target_place(const hf_target *target)
{
    return target->part != NULL ? target->part : target->path;
}

hf_status hf_target_reveal(hf_target *target, const char *path, hf_error *error)
{
    if (target->part == NULL) {
        return HF_OK;
    }
    if (rename(target->part, target->path) != 0) {
        return fail(error, path);
    }
    free(target->part);
    target->part = NULL;
    return HF_OK;
}

void hf_target_close(hf_target *target)
{
    if (target->part != NULL) {
        (void)unlink(target->part);
    }
    if (target->lock >= 0) {
        (void)close(target->lock);
    }
    free(target->part);
    free(target->path);
    *target = (hf_target){.lock = -1};
}
