// SPDX-License-Identifier: Apache-2.0
// Events in recordings: as the sim tells of them, in order, read back by the library; none in CSV,
// and no place for them in runs of a method that locates none.
#include <hdf5.h>

#include <string.h>

#include <holdfast/models.h>
#include <holdfast/record.h>

#include "files.h"
#include "hf_test.h"

// A block on a belt that stops and breaks away again and again.
static const char BLOCK[] = "method: {type: %s, step: 0.01}\n"
                            "duration: 30\n"
                            "bodies:\n"
                            "  block: {type: mass, dim: 1, mass: 1}\n"
                            "forces:\n"
                            "  - {name: spring, on: block, type: spring, stiffness: 1}\n"
                            "  - {name: pull, on: block, type: force, value: \"1.2*sin(t)\"}\n"
                            "  - {name: floor, on: block, type: friction, law: %s, level: 0.4}\n"
                            "record: [block.position]\n";

enum { MOST = 200 };

typedef struct listener {
    hf_event events[MOST];
    int count;
    hf_record *record;
} listener;

// Records within hf_sim_step, as the header allows.
static void heard(void *context, const hf_event *event)
{
    listener *l = context;
    assert_true(l->count < MOST);
    l->events[l->count++] = *event;
    assert_int_equal(hf_record_event(l->record, event, NULL), HF_OK);
}

// Runs the block and returns what was read back; `l` has what was told.
static hf_recording *run(const char *method, const char *law, const char *path, listener *l)
{
    char text[1024];
    (void)snprintf(text, sizeof text, BLOCK, method, law);
    hf_error error = {0};
    hf_model *model = hf_model_parse(text, strlen(text), "block.yaml", NULL, NULL, &error);
    if (model == NULL) {
        fail_msg("%s", error.text);
    }
    hf_sim_def def = hf_sim_def_default(model);
    def.on_event = heard;
    def.event_context = l;
    hf_sim *sim = hf_sim_create(model, &def, &error);
    assert_non_null(sim);
    l->record = hf_record_create(path, sim, NULL, &error);
    assert_non_null(l->record);
    while (hf_sim_time(sim) < 29.995) {
        assert_int_equal(hf_sim_step(sim, &error), HF_OK);
        assert_int_equal(hf_record_sample(l->record, sim, &error), HF_OK);
    }
    assert_int_equal(hf_record_close(l->record, &error), HF_OK);
    hf_recording *r = hf_recording_read(path, &error);
    assert_non_null(r);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    return r;
}

static void events_come_back(void **state)
{
    (void)state;
    files f = files_create();
    listener l = {.count = 0};
    hf_recording *r = run("switch", "coulomb", files_path(&f, "block.h5"), &l);
    assert_true(l.count > 5);
    assert_int_equal(r->event_count, l.count);
    for (int i = 0; i < l.count; ++i) {
        const double *row = &r->events[i * HF_EVENT_COLUMNS];
        hf_check_same_bits(row[0], l.events[i].time, "time of an event");
        assert_int_equal((int)row[1], 3); // the third force
        assert_int_equal((int)row[1], l.events[i].force.id);
        assert_int_equal((int)row[2], l.events[i].from);
        assert_int_equal((int)row[3], l.events[i].to);
    }
    hf_recording_destroy(r);
    files_remove(&f);
}

static void csv_has_none(void **state)
{
    (void)state;
    files f = files_create();
    listener l = {.count = 0};
    hf_recording *r = run("switch", "coulomb", files_path(&f, "block.csv"), &l);
    assert_true(l.count > 5 && r->event_count == 0 && r->events == NULL);
    hf_recording_destroy(r);
    files_remove(&f);
}

static void other_methods_have_no_place(void **state)
{
    (void)state;
    files f = files_create();
    listener l = {.count = 0};
    hf_recording *r = run("discrete", "coulomb", files_path(&f, "block.h5"), &l);
    assert_true(l.count == 0 && r->event_count == 0 && r->events == NULL);
    hf_recording_destroy(r);
    hid_t file = H5Fopen(f.path, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(H5Lexists(file, "events", H5P_DEFAULT) == 0);
    (void)H5Fclose(file);
    files_remove(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_come_back),
        cmocka_unit_test(csv_has_none),
        cmocka_unit_test(other_methods_have_no_place),
    };
    return hf_run_tests(tests);
}
