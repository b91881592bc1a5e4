// SPDX-License-Identifier: Apache-2.0
// hf_record: a sim's channels in a file, sample by sample.
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <holdfast/record.h>

#include "files.h"
#include "hf_test.h"

enum { STEPS = 200 };

// A mass that falls.
static hf_model *falling(void)
{
    hf_error error = {0};
    hf_spec *spec = hf_spec_create();
    assert_non_null(spec);
    assert_int_equal(hf_spec_set_name(spec, "falling", &error), HF_OK);
    assert_int_equal(hf_spec_set_text(spec, "name: falling\n", &error), HF_OK);
    assert_int_equal(hf_spec_set_gravity(spec, (hf_vec3){0.0, 0.0, -9.81}, &error), HF_OK);
    assert_int_equal(hf_spec_set_duration(spec, STEPS * 1e-3, &error), HF_OK);
    hf_mass_def mass = hf_mass_def_default();
    mass.name = "stone";
    assert_true(hf_spec_add_mass(spec, &mass, &error).id > 0);
    assert_int_equal(hf_spec_add_record(spec, "stone.position", &error), HF_OK);
    assert_int_equal(hf_spec_add_record(spec, "energy.kinetic", &error), HF_OK);
    hf_model *model = hf_model_compile(spec, &error);
    if (model == NULL) {
        fail_msg("%s", error.text);
    }
    hf_spec_destroy(spec);
    return model;
}

static void records_a_run(const char *name)
{
    files f = files_create();
    hf_model *model = falling();
    hf_error error = {0};
    hf_sim *sim = hf_sim_create(model, NULL, &error);
    assert_non_null(sim);
    hf_record *record = hf_record_create(files_path(&f, name), sim, NULL, &error);
    if (record == NULL) {
        fail_msg("%s", error.text);
    }
    double height[STEPS + 1];
    for (int k = 0; k <= STEPS; ++k) {
        height[k] = hf_sim_value(sim, hf_model_find_channel(model, "stone.position.z"));
        assert_int_equal(hf_record_sample(record, sim, &error), HF_OK);
        if (k < STEPS) {
            assert_int_equal(hf_sim_step(sim, &error), HF_OK);
        }
    }
    assert_int_equal(hf_record_close(record, &error), HF_OK);
    hf_recording *r = hf_recording_read(f.path, &error);
    if (r == NULL) {
        fail_msg("%s", error.text);
    }
    assert_int_equal(r->channel_count, 4);
    assert_int_equal(r->samples, STEPS + 1);
    int z = hf_recording_find(r, "stone.position.z");
    assert_int_equal(z, 2); // in the order of the model's record list
    assert_int_equal(hf_recording_find(r, "energy.kinetic"), 3);
    for (int k = 0; k <= STEPS; ++k) {
        hf_check_same_bits(r->values[z][k], height[k], "stone.position.z");
        hf_check_near(r->time[k], k * 1e-3, 1e-12, "time", "steps");
    }
    if (strstr(name, ".h5") != NULL) {
        assert_string_equal(r->title, "falling");
        assert_string_equal(r->model_text, "name: falling\n");
        assert_string_equal(r->units[z], "m");
        assert_string_equal(r->units[3], "J");
    }
    hf_recording_destroy(r);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    files_remove(&f);
}

static void both_formats(void **state)
{
    (void)state;
    records_a_run("run.csv");
    records_a_run("run.h5");
}

// A run that was closed before its first sample is not complete.
static void nothing_recorded(void **state)
{
    (void)state;
    files f = files_create();
    hf_model *model = falling();
    hf_error error = {0};
    hf_sim *sim = hf_sim_create(model, NULL, &error);
    hf_record_def def = hf_record_def_default(model);
    hf_record *record = hf_record_create(files_path(&f, "run.h5"), sim, &def, &error);
    assert_non_null(record);
    assert_int_equal(hf_record_close(record, &error), HF_OK);
    hf_recording *r = hf_recording_read(f.path, &error);
    assert_non_null(r);
    assert_int_equal(r->samples, 0);
    assert_non_null(strstr(r->summary, "\"completed\":false"));
    hf_recording_destroy(r);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    files_remove(&f);
}

// The verdict that is written is that of the sim, or what others know better.
static void verdicts(void **state)
{
    (void)state;
    static const hf_verdict doubt = {.reasons = 1, .why = "half the step ends elsewhere"};
    static const hf_verdict right = {.trustworthy = true, .within = "1 %", .compared = true};
    const struct {
        const hf_verdict *verdict;
        const char *text;
    } cases[] = {
        {NULL, "\"verdict\":{\"verdict\":\"trustworthy\",\"why\":\"\",\"compared\":false}"},
        {&doubt, "\"verdict\":{\"verdict\":\"doubtful\",\"why\":\"half the step ends "
                 "elsewhere\",\"compared\":false}"},
        {&right, "\"verdict\":{\"verdict\":\"trustworthy\",\"why\":\"\",\"within\":\"1 %\","
                 "\"compared\":true}"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        files f = files_create();
        hf_model *model = falling();
        hf_error error = {0};
        hf_sim *sim = hf_sim_create(model, NULL, &error);
        hf_record *record = hf_record_create(files_path(&f, "run.h5"), sim, NULL, &error);
        assert_non_null(record);
        assert_int_equal(hf_record_sample(record, sim, &error), HF_OK);
        hf_record_set_verdict(record, cases[i].verdict);
        assert_int_equal(hf_record_close(record, &error), HF_OK);
        hf_recording *r = hf_recording_read(f.path, &error);
        assert_non_null(r);
        if (strstr(r->summary, cases[i].text) == NULL) {
            fail_msg("no '%s' in: %s", cases[i].text, r->summary);
        }
        hf_recording_destroy(r);
        hf_sim_destroy(sim);
        hf_model_destroy(model);
        files_remove(&f);
    }
}

// What is flushed by the clock can be read while the run goes on.
static void flushed_by_the_clock(void **state)
{
    (void)state;
    const char *const names[] = {"run.csv", "run.h5"};
    for (int i = 0; i < 2; ++i) {
        files f = files_create();
        hf_model *model = falling();
        hf_error error = {0};
        hf_sim *sim = hf_sim_create(model, NULL, &error);
        hf_record_def def = hf_record_def_default(model);
        assert_true(def.flush_seconds == 1.0); // record.h
        def.flush_seconds = 0.02;
        hf_record *record = hf_record_create(files_path(&f, names[i]), sim, &def, &error);
        assert_non_null(record);
        assert_int_equal(hf_record_sample(record, sim, &error), HF_OK);
        (void)nanosleep(&(struct timespec){.tv_nsec = 30000000}, NULL);
        assert_int_equal(hf_record_sample(record, sim, &error), HF_OK); // due: flushes both
        hf_recording *r = hf_recording_read(f.path, &error);
        if (r == NULL) {
            fail_msg("%s", error.text);
        }
        assert_int_equal(r->samples, 2);
        hf_recording_destroy(r);
        assert_int_equal(hf_record_close(record, &error), HF_OK);
        hf_sim_destroy(sim);
        hf_model_destroy(model);
        files_remove(&f);
    }
}

static void refuses(void **state)
{
    (void)state;
    hf_model *model = falling();
    hf_sim *sim = hf_sim_create(model, NULL, NULL);
    hf_error error = {0};
    assert_null(hf_record_create("run.txt", sim, NULL, &error));
    assert_int_equal(error.status, HF_ERROR_INPUT);
    assert_non_null(strstr(error.text, ".csv, .h5 or .hdf5"));
    hf_record_def def = hf_record_def_default(model);
    def.flush_seconds = 0.0;
    assert_null(hf_record_create("run.csv", sim, &def, &error));
    assert_int_equal(error.status, HF_ERROR_RANGE);
    assert_null(hf_record_create("/nowhere/run.h5", sim, NULL, &error));
    assert_int_equal(error.status, HF_ERROR_FILE);
    assert_int_equal(hf_record_close(NULL, &error), HF_OK);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// After a failed write every call gives the same error, and the close does not hide it.
static void failure_stays(void **state)
{
    (void)state;
    files f = files_create();
    hf_model *model = falling();
    hf_sim *sim = hf_sim_create(model, NULL, NULL);
    hf_error error = {0};
    // The header, written at once, fits into nothing on a full disk.
    assert_int_equal(symlink("/dev/full", files_path(&f, "run.csv")), 0);
    assert_null(hf_record_create(f.path, sim, NULL, &error));
    assert_non_null(strstr(error.text, "No space left on device"));
    assert_int_equal(unlink(f.path), 0);
    int ends[2];
    assert_true(signal(SIGPIPE, SIG_IGN) != SIG_ERR);
    assert_int_equal(pipe(ends), 0);
    char target[64];
    (void)snprintf(target, sizeof target, "/dev/fd/%d", ends[1]);
    assert_int_equal(symlink(target, f.path), 0);
    hf_record *record = hf_record_create(f.path, sim, NULL, &error);
    assert_non_null(record);
    assert_int_equal(hf_record_sample(record, sim, &error), HF_OK); // the first is flushed
    assert_int_equal(close(ends[0]), 0);
    assert_int_equal(hf_record_sample(record, sim, &error), HF_OK); // still in memory
    for (int i = 0; i < 3; ++i) {
        error = (hf_error){0};
        hf_status status = i == 0   ? hf_record_flush(record, &error)
                           : i == 1 ? hf_record_sample(record, sim, &error)
                                    : hf_record_close(record, &error);
        assert_int_equal(status, HF_ERROR_FILE);
        assert_int_equal(error.status, HF_ERROR_FILE);
        assert_non_null(strstr(error.text, "Broken pipe"));
    }
    assert_int_equal(close(ends[1]), 0);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    files_remove(&f);
}

// A value that is not finite is told and not written; the recording stays whole, and may go on.
static void not_finite(void **state)
{
    (void)state;
    const char *const names[] = {"run.csv", "run.h5"};
    for (int i = 0; i < 2; ++i) {
        files f = files_create();
        hf_model *model = falling();
        hf_error error = {0};
        hf_sim *sim = hf_sim_create(model, NULL, &error);
        hf_record *record = hf_record_create(files_path(&f, names[i]), sim, NULL, &error);
        assert_non_null(record);
        assert_int_equal(hf_record_sample(record, sim, &error), HF_OK);
        // The state is finite, its energy is not
        const double fast[3] = {1e200, 0.0, 0.0}, slow[3] = {1.0, 0.0, 0.0};
        assert_int_equal(hf_sim_set_velocity(sim, (hf_body){1}, fast, &error), HF_OK);
        assert_int_equal(hf_record_sample(record, sim, &error), HF_ERROR_NOT_FINITE);
        assert_non_null(strstr(error.text, "channel 'energy.kinetic' is infinite"));
        assert_int_equal(hf_sim_set_velocity(sim, (hf_body){1}, slow, &error), HF_OK);
        assert_int_equal(hf_record_sample(record, sim, &error), HF_OK);
        assert_int_equal(hf_record_close(record, &error), HF_OK);
        hf_recording *r = hf_recording_read(f.path, &error);
        assert_non_null(r);
        assert_int_equal(r->samples, 2);
        assert_true(r->values[3][1] == 0.5);
        hf_recording_destroy(r);
        hf_sim_destroy(sim);
        hf_model_destroy(model);
        files_remove(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_formats),
        cmocka_unit_test(not_finite),
        cmocka_unit_test(flushed_by_the_clock),
        cmocka_unit_test(refuses),
        cmocka_unit_test(failure_stays),
        cmocka_unit_test(nothing_recorded),
        cmocka_unit_test(verdicts),
    };
    return hf_run_tests(tests);
}
