// SPDX-License-Identifier: Apache-2.0
// Both formats: bits survive the round trip, failures are told, nothing is left open.
#include <hdf5.h>

#include <locale.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <holdfast/record.h>

#include "files.h"
#include "hf_test.h"

static const char *const formats[] = {"run.csv", "run.h5"};
enum { FORMATS = 2 };

static void check_made_up(const hf_recording *r, int channels, long long samples)
{
    assert_int_equal(r->channel_count, channels);
    assert_int_equal(r->samples, samples);
    for (long long k = 0; k < samples; ++k) {
        hf_check_same_bits(r->time[k], (double)k * 1e-3, "time");
        for (int i = 0; i < channels; ++i) {
            hf_check_same_bits(r->values[i][k], made_up(k, i), r->names[i]);
        }
    }
}

static void round_trip_of(const char *name, int channels, long long samples, long long flush_every)
{
    files f = files_create();
    hf_run_facts facts = facts_create(channels);
    hf_error error = {0};
    const char *path = files_path(&f, name);
    hf_writer *writer = writer_open(path, &facts, &error);
    if (writer == NULL) {
        fail_msg("%s", error.text);
    }
    for (long long k = 0; k < samples; k += flush_every) {
        write_samples(writer, channels, k, k + flush_every < samples ? k + flush_every : samples);
        assert_int_equal(writer->flush(writer, &error), HF_OK);
    }
    const hf_run_end end = {.samples = samples, .completed = true};
    assert_int_equal(writer->close(writer, &end, &error), HF_OK);
    hf_recording *r = hf_recording_read(path, &error);
    if (r == NULL) {
        fail_msg("%s", error.text);
    }
    check_made_up(r, channels, samples);
    assert_false(r->truncated);
    for (int i = 0; i < channels; ++i) {
        assert_string_equal(r->names[i], facts.names[i]);
        assert_int_equal(hf_recording_find(r, facts.names[i]), i);
    }
    assert_int_equal(hf_recording_find(r, "nothing"), -1);
    if (strstr(name, ".h5") != NULL) {
        assert_string_equal(r->title, facts.title);
        assert_string_equal(r->model_text, facts.model);
        assert_true(channels == 0 || strcmp(r->units[0], "m") == 0);
    } else {
        assert_string_equal(r->title, "");
    }
    hf_recording_destroy(r);
    facts_free(&facts);
    files_remove(&f);
}

static void round_trip(void **state)
{
    (void)state;
    for (int i = 0; i < FORMATS; ++i) {
        round_trip_of(formats[i], 3, 30000, 7001);
        round_trip_of(formats[i], 3, 5, 1);
        round_trip_of(formats[i], 1, 1, 1);
    }
}

static void empty_run(void **state)
{
    (void)state;
    for (int i = 0; i < FORMATS; ++i) {
        round_trip_of(formats[i], 3, 0, 1);
        round_trip_of(formats[i], 0, 0, 1);
        round_trip_of(formats[i], 0, 4, 2);
    }
}

static void many_channels(void **state)
{
    (void)state;
    for (int i = 0; i < FORMATS; ++i) {
        round_trip_of(formats[i], 2000, 60, 25);
    }
    round_trip_of("run.h5", 2000, 700, 400); // more than one chunk
}

// Chunk trees of HDF5 split at 124 chunks of 8192 samples.
static void many_chunks(void **state)
{
    (void)state;
    round_trip_of("run.h5", 1, 1200000, 100000);
}

static void not_a_number(void **state)
{
    (void)state;
    for (int i = 0; i < FORMATS; ++i) {
        files f = files_create();
        hf_run_facts facts = facts_create(3);
        hf_writer *writer = writer_open(files_path(&f, formats[i]), &facts, NULL);
        assert_non_null(writer);
        const double row[4] = {0.0, (double)NAN, INFINITY, -INFINITY};
        assert_int_equal(writer->sample(writer, row, NULL), HF_OK);
        assert_int_equal(writer->close(writer, &(hf_run_end){.samples = 1}, NULL), HF_OK);
        hf_recording *r = hf_recording_read(f.path, NULL);
        assert_non_null(r);
        assert_true(isnan(r->values[0][0]));
        assert_true(r->values[1][0] == INFINITY && r->values[2][0] == -INFINITY);
        hf_recording_destroy(r);
        facts_free(&facts);
        files_remove(&f);
    }
}

static void names_are_quoted(void **state)
{
    (void)state;
    files f = files_create();
    const char *const names[] = {"a,b", "say \"so\"", "plain"};
    const char *const units[] = {"", "", ""};
    const hf_run_facts facts = {
        .title = "", .model = "", .method = "", .count = 3, .names = names, .units = units};
    hf_writer *writer = hf_csv_create(files_path(&f, "q.csv"), &facts, NULL);
    assert_non_null(writer);
    assert_int_equal(writer->close(writer, &(hf_run_end){0}, NULL), HF_OK);
    hf_recording *r = hf_recording_read(f.path, NULL);
    assert_non_null(r);
    for (int i = 0; i < 3; ++i) {
        assert_string_equal(r->names[i], names[i]);
    }
    hf_recording_destroy(r);
    files_remove(&f);
}

static void decimal_comma(void **state)
{
    (void)state;
    const char *const locales[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "cs_CZ.UTF-8"};
    bool found = false;
    for (size_t i = 0; !found && i < sizeof locales / sizeof *locales; ++i) {
        found = setlocale(LC_ALL, locales[i]) != NULL;
    }
    if (!found) {
        skip();
    }
    round_trip_of("run.csv", 3, 100, 30);
    (void)setlocale(LC_ALL, "C");
}

// ------------------------------------------------------------------------------------------------
// Failures

static void expect_text(const hf_error *error, const char *part)
{
    if (strstr(error->text, part) == NULL) {
        fail_msg("expected '%s' in: %s", part, error->text);
    }
}

static void unwritable(void **state)
{
    (void)state;
    for (int i = 0; i < FORMATS; ++i) {
        files f = files_create();
        char path[200];
        (void)snprintf(path, sizeof path, "%s/none/%s", f.folder, formats[i]);
        hf_run_facts facts = facts_create(2);
        hf_error error = {0};
        assert_null(writer_open(path, &facts, &error));
        assert_int_equal(error.status, HF_ERROR_FILE);
        expect_text(&error, "none");
        expect_text(&error, "cannot create: No such file or directory");
        (void)snprintf(path, sizeof path, "%s/folder%s", f.folder, strchr(formats[i], '.'));
        assert_int_equal(mkdir(path, 0777), 0);
        assert_null(writer_open(path, &facts, &error));
        expect_text(&error, "Is a directory");
        assert_int_equal(rmdir(path), 0);
        facts_free(&facts);
        files_remove(&f);
    }
}

static void full_disk(void **state)
{
    (void)state;
    for (int i = 0; i < FORMATS; ++i) {
        files f = files_create();
        hf_run_facts facts = facts_create(2);
        hf_error error = {0};
        assert_int_equal(symlink("/dev/full", files_path(&f, formats[i])), 0);
        assert_null(writer_open(f.path, &facts, &error));
        assert_int_equal(error.status, HF_ERROR_FILE);
        expect_text(&error, "cannot write: No space left on device");
        facts_free(&facts);
        files_remove(&f);
    }
}

// A file that may not grow further: what was flushed before stays, and reads.
static void disk_fills_up(void **state)
{
    (void)state;
    assert_true(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    for (int i = 0; i < FORMATS; ++i) {
        files f = files_create();
        hf_run_facts facts = facts_create(3);
        hf_writer *writer = writer_open(files_path(&f, formats[i]), &facts, NULL);
        assert_non_null(writer);
        const struct rlimit limit = {.rlim_cur = 2000000, .rlim_max = before.rlim_max};
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
        hf_error error = {0};
        long long flushed = 0, k = 0;
        hf_status status = HF_OK;
        for (; status == HF_OK && k < 1000000; ++k) {
            double row[4] = {(double)k * 1e-3, made_up(k, 0), made_up(k, 1), made_up(k, 2)};
            status = writer->sample(writer, row, &error);
            if (status == HF_OK && k % 1000 == 999) {
                status = writer->flush(writer, &error);
                flushed = status == HF_OK ? k + 1 : flushed;
            }
        }
        assert_int_equal(status, HF_ERROR_FILE);
        expect_text(&error, "cannot write: File too large");
        assert_int_equal(writer->close(writer, NULL, NULL), HF_OK);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
        hf_recording *r = hf_recording_read(f.path, &error);
        if (r == NULL) {
            fail_msg("%s", error.text);
        }
        assert_true(r->samples >= flushed && flushed > 1000);
        check_made_up(r, 3, r->samples);
        hf_recording_destroy(r);
        facts_free(&facts);
        files_remove(&f);
    }
}

static void closed_pipe(void **state)
{
    (void)state;
    assert_true(signal(SIGPIPE, SIG_IGN) != SIG_ERR);
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    files f = files_create();
    char target[64];
    (void)snprintf(target, sizeof target, "/dev/fd/%d", ends[1]);
    assert_int_equal(symlink(target, files_path(&f, "run.csv")), 0);
    hf_run_facts facts = facts_create(1);
    hf_writer *writer = writer_open(f.path, &facts, NULL);
    assert_non_null(writer);
    assert_int_equal(close(ends[0]), 0);
    hf_error error = {0};
    write_samples(writer, 1, 0, 10);
    assert_int_equal(writer->flush(writer, &error), HF_ERROR_FILE);
    expect_text(&error, "cannot write: Broken pipe");
    assert_int_equal(writer->close(writer, NULL, NULL), HF_OK);
    assert_int_equal(close(ends[1]), 0);
    facts_free(&facts);
    files_remove(&f);
}

// ------------------------------------------------------------------------------------------------
// HDF5 as others see it

static void attributes(void **state)
{
    (void)state;
    files f = files_create();
    hf_run_facts facts = facts_create(2);
    hf_writer *writer = writer_open(files_path(&f, "run.h5"), &facts, NULL);
    assert_non_null(writer);
    write_samples(writer, 2, 0, 10);
    const hf_run_end end = {.samples = 10,
                            .steps = 1000000000000,
                            .evaluations = 4000000000000,
                            .energy_residual = -1.5e-12,
                            .completed = true};
    assert_int_equal(writer->close(writer, &end, NULL), HF_OK);
    hid_t file = H5Fopen(f.path, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    const struct {
        const char *name;
        double want;
    } numbers[] = {{"step", 1e-3},  {"duration", 1.0},     {"samples", 10},
                   {"steps", 1e12}, {"evaluations", 4e12}, {"energy_residual", -1.5e-12},
                   {"completed", 1}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
        hid_t attribute = H5Aopen(file, numbers[i].name, H5P_DEFAULT);
        double value = (double)NAN;
        assert_true(H5Aread(attribute, H5T_NATIVE_DOUBLE, &value) >= 0);
        hf_check_same_bits(value, numbers[i].want, numbers[i].name);
        assert_true(H5Aclose(attribute) >= 0);
    }
    for (int i = 0; i < 5; ++i) {
        const char *const names[] = {"title", "model", "version", "method", "created_by"};
        assert_true(H5Aexists(file, names[i]) > 0);
    }
    assert_true(H5Fclose(file) >= 0);
    facts_free(&facts);
    files_remove(&f);
}

// A model's text may be larger than what HDF5 keeps in a header (64 kB).
static void long_text(void **state)
{
    (void)state;
    enum { LENGTH = 3000000 };
    char *text = malloc(LENGTH + 1);
    assert_non_null(text);
    memset(text, 'x', LENGTH);
    text[LENGTH] = '\0';
    files f = files_create();
    hf_run_facts facts = facts_create(1);
    facts.model = text;
    hf_writer *writer = writer_open(files_path(&f, "run.h5"), &facts, NULL);
    assert_non_null(writer);
    assert_int_equal(writer->close(writer, &(hf_run_end){0}, NULL), HF_OK);
    hf_recording *r = hf_recording_read(f.path, NULL);
    assert_non_null(r);
    assert_string_equal(r->model_text, text);
    hf_recording_destroy(r);
    free(text);
    facts_free(&facts);
    files_remove(&f);
}

static void nothing_left_open(void **state)
{
    (void)state;
    assert_int_equal(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
    for (int fd = 3; fd < 64; ++fd) {
        char name[32], target[200] = "";
        (void)snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
        if (readlink(name, target, sizeof target - 1) > 0 &&
            strstr(target, "holdfast-record") != NULL) {
            fail_msg("left open: %s", target);
        }
    }
}

// Many channels of few samples cost what they hold: 20,000 of 11 are 1.8 MB of numbers.
static void wide(void **state)
{
    (void)state;
    enum { CHANNELS = 20000, SAMPLES = 11 };
    round_trip_of("run.h5", CHANNELS, SAMPLES, 4);
    files f = files_create();
    hf_run_facts facts = facts_create(CHANNELS);
    hf_error error = {0};
    hf_writer *writer = writer_open(files_path(&f, "run.h5"), &facts, &error);
    assert_non_null(writer);
    write_samples(writer, CHANNELS, 0, SAMPLES);
    const hf_run_end end = {.samples = SAMPLES, .completed = true};
    assert_int_equal(writer->close(writer, &end, &error), HF_OK);
    struct stat found;
    assert_int_equal(stat(f.path, &found), 0);
    hf_check_below((double)found.st_size, 5e6, "bytes of a wide recording", "numbers and names");
    facts_free(&facts);
    files_remove(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wide),
        cmocka_unit_test(round_trip),
        cmocka_unit_test(empty_run),
        cmocka_unit_test(many_channels),
        cmocka_unit_test(many_chunks),
        cmocka_unit_test(not_a_number),
        cmocka_unit_test(names_are_quoted),
        cmocka_unit_test(decimal_comma),
        cmocka_unit_test(unwritable),
        cmocka_unit_test(full_disk),
        cmocka_unit_test(disk_fills_up),
        cmocka_unit_test(closed_pipe),
        cmocka_unit_test(attributes),
        cmocka_unit_test(long_text),
        cmocka_unit_test(nothing_left_open),
    };
    return hf_run_tests(tests);
}
