// SPDX-License-Identifier: Apache-2.0
// The order of writes to an HDF5 file: a run that dies before any one of its writes of metadata
// leaves a file that reads, with everything that was flushed before.
#define _DEFAULT_SOURCE // MAP_ANONYMOUS, syscall

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <holdfast/record.h>

#include "files.h"
#include "hf_test.h"

// One sample a chunk, so that the trees of chunks grow fast: raw data come in pieces of 8 bytes.
enum { CHUNK = 1, RAW_SIZE = 8 };

static long writes_left = -1; // writes of metadata until death; negative: none is near

// Stands for the C library's in this program.
ssize_t pwrite(int file, const void *bytes, size_t size, off_t offset);
ssize_t pwrite(int file, const void *bytes, size_t size, off_t offset)
{
    if (size != RAW_SIZE && writes_left >= 0 && writes_left-- == 0) {
        (void)kill(getpid(), SIGKILL);
    }
    return syscall(SYS_pwrite64, file, bytes, size, offset);
}

typedef struct scene {
    int channels;
    int flush_every;       // samples, once armed
    long long armed_after; // samples before which nothing is flushed or killed
    long long samples;
} scene;

// In a child: writes the scene, dying at the given write of metadata after `armed_after`.
static void write_scene(const char *path, const scene *s, long death, volatile long long *flushed)
{
    hf_run_facts facts = facts_create(s->channels);
    facts.chunk = CHUNK;
    hf_writer *writer = hf_hdf5_create(path, &facts, NULL);
    double row[8] = {0};
    *flushed = 0;
    for (long long k = 0; writer != NULL && k < s->samples; ++k) {
        writes_left = k == s->armed_after ? death : writes_left;
        row[0] = (double)k * 1e-3;
        for (int i = 0; i < s->channels; ++i) {
            row[i + 1] = made_up(k, i);
        }
        bool due = k >= s->armed_after && k % s->flush_every == s->flush_every - 1;
        if (writer->sample(writer, row, NULL) != HF_OK ||
            (due && writer->flush(writer, NULL) != HF_OK)) {
            _exit(2);
        }
        *flushed = due ? k + 1 : *flushed;
    }
    _exit(writer == NULL || writer->close(writer, &(hf_run_end){0}, NULL) != HF_OK ? 2 : 0);
}

static void check_file(const char *path, const scene *s, long death, long long flushed)
{
    hf_error error = {0};
    hf_recording *r = hf_recording_read(path, &error);
    if (r == NULL) {
        fail_msg("killed at write %ld: %s", death, error.text);
    }
    if (r->samples < flushed) {
        fail_msg("killed at write %ld: %lld samples, %lld were flushed", death, r->samples,
                 flushed);
    }
    for (long long k = 0; k < r->samples; ++k) {
        for (int i = 0; i < s->channels; ++i) {
            hf_check_same_bits(r->values[i][k], made_up(k, i), r->names[i]);
        }
    }
    hf_recording_destroy(r);
}

// Kills at write 0, 1, 2, ... until the scene survives. Returns how often it was killed.
static long kill_everywhere(const scene *s)
{
    files f = files_create();
    const char *path = files_path(&f, "run.h5");
    long long *flushed =
        mmap(NULL, sizeof *flushed, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(flushed != MAP_FAILED);
    long death = 0;
    for (bool alive = false; !alive; ++death) {
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            write_scene(path, s, death, flushed);
        }
        int result = 0;
        assert_int_equal(waitpid(child, &result, 0), child);
        alive = WIFEXITED(result);
        assert_true(!alive || WEXITSTATUS(result) == 0);
        check_file(path, s, death, *flushed);
    }
    assert_int_equal(munmap(flushed, sizeof *flushed), 0);
    files_remove(&f);
    return death - 1;
}

static void headers_and_leaves(void **state)
{
    (void)state;
    assert_true(kill_everywhere(&(scene){.channels = 4, .flush_every = 3, .samples = 20}) > 40);
}

// A node holds 100 chunks (hdf5.c). Chunk 101 splits the root in two leaves of 90 and 11, chunk 191
// the second leaf. Flushing each sample, entries that are in the file already move to another node.
static void root_splits(void **state)
{
    (void)state;
    assert_true(kill_everywhere(&(scene){2, 1, 98, 103}) > 40);
}

static void leaf_splits(void **state)
{
    (void)state;
    assert_true(kill_everywhere(&(scene){2, 1, 188, 193}) > 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(headers_and_leaves),
        cmocka_unit_test(root_splits),
        cmocka_unit_test(leaf_splits),
    };
    return hf_run_tests(tests);
}
