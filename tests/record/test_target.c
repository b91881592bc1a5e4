// SPDX-License-Identifier: Apache-2.0
// Files that appear whole, have one writer at a time, and hold what is older than the interval.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <holdfast/record.h>

#include "files.h"
#include "hf_test.h"

static hf_writer *open_or_fail(const char *path, const hf_run_facts *facts)
{
    hf_error error = {0};
    hf_writer *writer = writer_open(path, facts, &error);
    if (writer == NULL) {
        fail_msg("%s", error.text);
    }
    return writer;
}

static void close_or_fail(hf_writer *writer, long long samples)
{
    hf_error error = {0};
    if (writer->close(writer, &(hf_run_end){.samples = samples}, &error) != HF_OK) {
        fail_msg("%s", error.text);
    }
}

static void expect_samples(const char *path, long long samples)
{
    hf_error error = {0};
    hf_recording *r = hf_recording_read(path, &error);
    if (r == NULL) {
        fail_msg("%s", error.text);
    }
    assert_int_equal(r->samples, samples);
    hf_recording_destroy(r);
}

static void expect_refused(const char *path, const hf_run_facts *facts)
{
    hf_error error = {0};
    hf_writer *writer = writer_open(path, facts, &error);
    if (writer != NULL) {
        fail_msg("%s: a second writer was let in", path);
    }
    if (strstr(error.text, "another run is writing this file") == NULL) {
        fail_msg("%s", error.text);
    }
}

// A second writer is refused, in this process and from another; readers are not.
static void one_writer(const char *name)
{
    files f = files_create();
    hf_run_facts facts = facts_create(3);
    hf_writer *writer = open_or_fail(files_path(&f, name), &facts);
    write_samples(writer, 3, 0, 10);
    assert_int_equal(writer->flush(writer, NULL), HF_OK);
    expect_refused(files_path(&f, name), &facts);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        // A fork shares the lock of its parent, but not by opening the file anew.
        _exit(writer_open(files_path(&f, name), &facts, NULL) == NULL ? 0 : 1);
    }
    int result = 0;
    assert_int_equal(waitpid(child, &result, 0), child);
    assert_true(WIFEXITED(result) && WEXITSTATUS(result) == 0);
    expect_samples(files_path(&f, name), 10);
    close_or_fail(writer, 10);
    // Once it is closed, the next one may.
    writer = open_or_fail(files_path(&f, name), &facts);
    write_samples(writer, 3, 0, 4);
    close_or_fail(writer, 4);
    expect_samples(files_path(&f, name), 4);
    char part[160];
    (void)snprintf(part, sizeof part, "%s.part", files_path(&f, name));
    assert_int_not_equal(access(part, F_OK), 0);
    facts_free(&facts);
    files_remove(&f);
}

// The lock ends with its program, however that ends.
static void killed_writer(const char *name)
{
    files f = files_create();
    hf_run_facts facts = facts_create(3);
    int ready[2];
    assert_int_equal(pipe(ready), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        hf_writer *writer = writer_open(files_path(&f, name), &facts, NULL);
        ssize_t told = write(ready[1], writer == NULL ? "n" : "y", 1);
        (void)told;
        (void)pause();
    }
    char answer = 0;
    assert_int_equal(read(ready[0], &answer, 1), 1);
    assert_int_equal(answer, 'y');
    expect_refused(files_path(&f, name), &facts);
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    close_or_fail(open_or_fail(files_path(&f, name), &facts), 0);
    (void)close(ready[0]);
    (void)close(ready[1]);
    facts_free(&facts);
    files_remove(&f);
}

static void locks(void **state)
{
    (void)state;
    one_writer("run.csv");
    one_writer("run.h5");
    killed_writer("run.csv");
    killed_writer("run.h5");
}

// A name so long that no FILE.part fits beside it: an old file of that name is written in place,
// with one writer at a time as any other.
static void longest_names(void **state)
{
    (void)state;
    for (int k = 0; k < 2; ++k) {
        files f = files_create();
        hf_run_facts facts = facts_create(3);
        char path[400];
        int length = snprintf(path, sizeof path, "%s/", f.folder);
        memset(path + length, 'a', 248); // names have 255 bytes at most
        (void)snprintf(path + length + 248, 8, "%s", k == 0 ? ".csv" : ".h5");
        FILE *old = fopen(path, "wb");
        assert_non_null(old);
        assert_true(fputs("old and much longer than nothing\n", old) >= 0);
        assert_int_equal(fclose(old), 0);
        hf_writer *writer = open_or_fail(path, &facts);
        write_samples(writer, 3, 0, 10);
        expect_refused(path, &facts);
        close_or_fail(writer, 10);
        expect_samples(path, 10);
        assert_int_equal(unlink(path), 0);
        facts_free(&facts);
        files_remove(&f);
    }
}

// A link stays a link, rights stay, a pipe is written as it is.
static void other_files(void **state)
{
    (void)state;
    files f = files_create();
    hf_run_facts facts = facts_create(1);
    char real[128];
    (void)snprintf(real, sizeof real, "%s", files_write(&f, "real.csv", "old\n", 4));
    assert_int_equal(chmod(real, 0640), 0);
    assert_int_equal(symlink("real.csv", files_path(&f, "link.csv")), 0);
    hf_writer *writer = open_or_fail(files_path(&f, "link.csv"), &facts);
    expect_refused(real, &facts);
    close_or_fail(writer, 0);
    struct stat found;
    assert_int_equal(lstat(files_path(&f, "link.csv"), &found), 0);
    assert_true(S_ISLNK(found.st_mode));
    assert_int_equal(stat(real, &found), 0);
    assert_int_equal(found.st_mode & 0777, 0640);
    expect_samples(real, 0);

    assert_int_equal(mkfifo(files_path(&f, "pipe.csv"), 0600), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        char text[200] = "";
        FILE *pipe = fopen(files_path(&f, "pipe.csv"), "r");
        size_t length = pipe == NULL ? 0 : fread(text, 1, sizeof text - 1, pipe);
        _exit(length > 0 && strncmp(text, "time,c0.value\n", 14) == 0 ? 0 : 1);
    }
    writer = open_or_fail(files_path(&f, "pipe.csv"), &facts);
    write_samples(writer, 1, 0, 3);
    close_or_fail(writer, 3);
    int result = 0;
    assert_int_equal(waitpid(child, &result, 0), child);
    assert_true(WIFEXITED(result) && WEXITSTATUS(result) == 0);
    facts_free(&facts);
    files_remove(&f);
}

// A folder that cannot take a file is an error, not a crash.
static void no_folder(void **state)
{
    (void)state;
    hf_error error = {0};
    hf_run_facts facts = facts_create(1);
    assert_null(writer_open("/nowhere/at/all/x.csv", &facts, &error));
    assert_non_null(strstr(error.text, "/nowhere/at/all/x.csv: cannot create: No such file"));
    assert_null(writer_open("/nowhere/at/all/x.h5", &facts, &error));
    assert_non_null(strstr(error.text, "/nowhere/at/all/x.h5: cannot create: No such file"));
    facts_free(&facts);
}

static hf_sim *create_sim(hf_model **model)
{
    hf_error error = {0};
    hf_spec *spec = hf_spec_create();
    hf_mass_def mass = hf_mass_def_default();
    mass.name = "stone";
    assert_true(hf_spec_add_mass(spec, &mass, &error).id > 0);
    assert_int_equal(hf_spec_add_record(spec, "stone.position", &error), HF_OK);
    *model = hf_model_compile(spec, &error);
    hf_spec_destroy(spec);
    hf_sim *sim = *model == NULL ? NULL : hf_sim_create(*model, NULL, &error);
    if (sim == NULL) {
        fail_msg("%s", error.text);
    }
    return sim;
}

// Samples that come more slowly than the interval are in the file at once; so is the first.
static void slow_samples(const char *name)
{
    files f = files_create();
    hf_model *model = NULL;
    hf_sim *sim = create_sim(&model);
    hf_error error = {0};
    hf_record_def def = hf_record_def_default(model);
    def.flush_seconds = 0.02;
    hf_record *record = hf_record_create(files_path(&f, name), sim, &def, &error);
    assert_non_null(record);
    for (int k = 1; k <= 5; ++k) {
        assert_int_equal(hf_record_sample(record, sim, &error), HF_OK);
        expect_samples(files_path(&f, name), k);
        assert_int_equal(hf_sim_step(sim, &error), HF_OK);
        (void)nanosleep(&(struct timespec){0, 30000000}, NULL);
    }
    assert_int_equal(hf_record_close(record, &error), HF_OK);
    // The second of two that come fast waits, until it is polled late enough.
    def.flush_seconds = 1e6;
    record = hf_record_create(files_path(&f, name), sim, &def, &error);
    assert_non_null(record);
    assert_int_equal(hf_record_sample(record, sim, &error), HF_OK);
    assert_int_equal(hf_sim_step(sim, &error), HF_OK);
    assert_int_equal(hf_record_sample(record, sim, &error), HF_OK);
    assert_int_equal(hf_record_poll(record, &error), HF_OK);
    expect_samples(files_path(&f, name), 1);
    assert_int_equal(hf_record_close(record, &error), HF_OK);
    def.flush_seconds = 0.4;
    record = hf_record_create(files_path(&f, name), sim, &def, &error);
    assert_non_null(record);
    assert_int_equal(hf_record_sample(record, sim, &error), HF_OK);
    assert_int_equal(hf_sim_step(sim, &error), HF_OK);
    assert_int_equal(hf_record_sample(record, sim, &error), HF_OK);
    (void)nanosleep(&(struct timespec){0, 450000000}, NULL);
    assert_int_equal(hf_record_poll(record, &error), HF_OK);
    expect_samples(files_path(&f, name), 2);
    assert_int_equal(hf_record_close(record, &error), HF_OK);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    files_remove(&f);
}

static void interval(void **state)
{
    (void)state;
    slow_samples("run.csv");
    slow_samples("run.h5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(locks),     cmocka_unit_test(longest_names), cmocka_unit_test(other_files),
        cmocka_unit_test(no_folder), cmocka_unit_test(interval),
    };
    return hf_run_tests(tests);
}
