// SPDX-License-Identifier: Apache-2.0
// kill -9 at random moments: the file reads, and holds at least what was flushed, unaltered.
#define _DEFAULT_SOURCE // MAP_ANONYMOUS
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <holdfast/record.h>

#include "files.h"
#include "hf_test.h"

// Samples known to be flushed, shared with the child.
typedef struct progress {
    volatile long long flushed;
} progress;

// Never returns: writes until it is killed. Flushes are so frequent that most kills hit one.
static void write_until_killed(const char *path, const hf_run_facts *facts, int flush_every,
                               progress *shared)
{
    hf_writer *writer = writer_open(path, facts, NULL);
    double *row = calloc((size_t)facts->count + 1, sizeof *row);
    if (writer == NULL || row == NULL) {
        _exit(1);
    }
    shared->flushed = 0;
    for (long long k = 0;; ++k) {
        row[0] = (double)k * 1e-3;
        for (int i = 0; i < facts->count; ++i) {
            row[i + 1] = made_up(k, i);
        }
        if (writer->sample(writer, row, NULL) != HF_OK) {
            _exit(1);
        }
        if (k % flush_every == flush_every - 1) {
            if (writer->flush(writer, NULL) != HF_OK) {
                _exit(1);
            }
            shared->flushed = k + 1;
        }
    }
}

static void sleep_for(double seconds)
{
    const struct timespec time = {(time_t)seconds,
                                  (long)(1e9 * (seconds - (double)(time_t)seconds))};
    (void)nanosleep(&time, NULL);
}

static long long kill_once(files *f, const char *name, int channels, int flush_every,
                           double seconds)
{
    hf_run_facts facts = facts_create(channels);
    progress *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(shared != MAP_FAILED);
    shared->flushed = -1;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        write_until_killed(files_path(f, name), &facts, flush_every, shared);
    }
    for (int i = 0; i < 20000 && shared->flushed < 0; ++i) {
        sleep_for(0.001);
    }
    sleep_for(seconds);
    assert_int_equal(kill(child, SIGKILL), 0);
    int result = 0;
    assert_int_equal(waitpid(child, &result, 0), child);
    assert_true(WIFSIGNALED(result));
    long long flushed = shared->flushed;
    assert_int_equal(munmap(shared, sizeof *shared), 0);

    hf_error error = {0};
    hf_recording *r = hf_recording_read(files_path(f, name), &error);
    if (r == NULL) {
        fail_msg("%s", error.text);
    }
    assert_int_equal(r->channel_count, channels);
    if (r->samples < flushed) {
        fail_msg("%s: %lld samples, but %lld were flushed", name, r->samples, flushed);
    }
    for (long long k = 0; k < r->samples; ++k) {
        hf_check_same_bits(r->time[k], (double)k * 1e-3, "time");
        for (int i = 0; i < channels; ++i) {
            hf_check_same_bits(r->values[i][k], made_up(k, i), r->names[i]);
        }
    }
    long long samples = r->samples;
    hf_recording_destroy(r);
    facts_free(&facts);
    return samples;
}

static void kill_many(const char *name, int channels, int flush_every, int times, double longest)
{
    hf_rng rng = hf_rng_create(9);
    files f = files_create();
    long long total = 0;
    for (int i = 0; i < times; ++i) {
        total += kill_once(&f, name, channels, flush_every, hf_rng_uniform(&rng, 0.0, longest));
    }
    assert_true(total > 0);
    files_remove(&f);
}

static void killed_csv(void **state)
{
    (void)state;
    kill_many("run.csv", 3, 50, 12, 0.02);
    kill_many("run.csv", 300, 1, 8, 0.02);
}

static void killed_hdf5(void **state)
{
    (void)state;
    kill_many("run.h5", 3, 100, 15, 0.02);
    kill_many("run.h5", 300, 40, 10, 0.05);
}

static void killed_hdf5_while_trees_grow(void **state)
{
    (void)state;
    kill_many("run.h5", 1, 20000, 5, 0.25); // a new chunk or more a flush, splits at 124 chunks
}

// Killed while the file is created: what stood under its name before stays, or the new one reads.
static void kill_while_created(const char *name, int channels, int times, double longest)
{
    hf_rng rng = hf_rng_create(10);
    files f = files_create();
    hf_run_facts old = facts_create(1), facts = facts_create(channels);
    int kept = 0;
    for (int i = 0; i < times; ++i) {
        hf_error error = {0};
        hf_writer *writer = writer_open(files_path(&f, name), &old, &error);
        if (writer == NULL) {
            fail_msg("%s", error.text);
        }
        write_samples(writer, 1, 0, 5);
        assert_int_equal(writer->close(writer, &(hf_run_end){.samples = 5}, &error), HF_OK);
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            (void)writer_open(files_path(&f, name), &facts, NULL);
            (void)pause();
        }
        sleep_for(hf_rng_uniform(&rng, 0.0, longest));
        assert_int_equal(kill(child, SIGKILL), 0);
        assert_int_equal(waitpid(child, NULL, 0), child);
        hf_recording *r = hf_recording_read(files_path(&f, name), &error);
        if (r == NULL) {
            fail_msg("%s", error.text);
        }
        assert_true(r->channel_count == channels || (r->channel_count == 1 && r->samples == 5));
        kept += r->channel_count == 1 ? 1 : 0;
        hf_recording_destroy(r);
    }
    print_message("%s: %d of %d killed before the file had its name\n", name, kept, times);
    facts_free(&old);
    facts_free(&facts);
    files_remove(&f);
}

static void killed_while_created(void **state)
{
    (void)state;
    kill_while_created("run.csv", 3000, 40, 0.004);
    kill_while_created("run.h5", 300, 25, 0.12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(killed_csv),
        cmocka_unit_test(killed_hdf5),
        cmocka_unit_test(killed_hdf5_while_trees_grow),
        cmocka_unit_test(killed_while_created),
    };
    return hf_run_tests(tests);
}
