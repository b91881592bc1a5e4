// SPDX-License-Identifier: Apache-2.0
// Reads recordings that are named on the command line, in a child process where a file may be
// damaged.
#include "cli/recording.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "record/format.h"

// Processor time that reading may take: far above what any disk needs.
enum { SECONDS_AT_LEAST = 10, BYTES_A_SECOND = 2000000 };

static void limit_child(const char *path)
{
    struct stat found = {0};
    (void)stat(path, &found);
    rlim_t seconds = SECONDS_AT_LEAST + (rlim_t)(found.st_size / BYTES_A_SECOND);
    const struct rlimit time = {seconds, seconds}, core = {0, 0};
    (void)setrlimit(RLIMIT_CPU, &time);
    (void)setrlimit(RLIMIT_CORE, &core);
    int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0) {
        (void)dup2(nowhere, STDOUT_FILENO);
        (void)dup2(nowhere, STDERR_FILENO);
    }
}

enum { CHILD_DONE = 40 }; // the child came to its end, whatever the file was

// Whether a process that reads the file survives it. True also when no child can be had.
static bool is_survived(const char *path, void (*read)(const char *path))
{
    pid_t child = fork();
    if (child < 0) {
        return true;
    }
    if (child == 0) {
        limit_child(path);
        read(path);
        _exit(CHILD_DONE);
    }
    int result = 0;
    pid_t ended = 0;
    do {
        ended = waitpid(child, &result, 0);
    } while (ended < 0 && errno == EINTR);
    return ended == child && WIFEXITED(result) && WEXITSTATUS(result) == CHILD_DONE;
}

static void try_recording(const char *path)
{
    hf_recording_destroy(hf_recording_read(path, NULL));
}

static void try_table(const char *path)
{
    hf_table_destroy(hf_table_read(path, NULL));
}

// False with the error filled.
static bool is_safe(const char *path, void (*read)(const char *path), hf_error *error)
{
    if (hf_file_format_of(path) != HF_FILE_HDF5 || is_survived(path, read)) {
        return true;
    }
    (void)hf_error_set(error, HF_ERROR_FILE,
                       "%.300s: the file is damaged: HDF5 failed while reading it", path);
    return false;
}

hf_recording *hf_cli_read_recording(const char *path, hf_error *error)
{
    return is_safe(path, try_recording, error) ? hf_recording_read(path, error) : NULL;
}

hf_table *hf_cli_read_table(const char *path, hf_error *error)
{
    return is_safe(path, try_table, error) ? hf_table_read(path, error) : NULL;
}
