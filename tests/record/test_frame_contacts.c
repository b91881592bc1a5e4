// SPDX-License-Identifier: Apache-2.0
// Contacts in the frames of a recording: all of them, or none where a frame has no room for all.
#include <holdfast/record.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../contact/contact_test.h"
#include "files.h"

// A plank on so many tables, each of which it touches in four points. It has room for eight.
static int contacts_shown(int tables, double *weight)
{
    char text[2048], *end = text;
    end += sprintf(end, "gravity: [0, 0, -9.81]\nbodies:\n"
                        "  plank: {type: rigid, mass: 2, shape: {type: box, size: [2, 0.2, 0.1]}, "
                        "position: [0, 0, 0.05]}\n");
    for (int i = 0; i < tables; ++i) {
        end += sprintf(end,
                       "  t%d: {type: static, shape: {type: box, size: [0.1, 0.4, 0.2]}, "
                       "position: [%g, 0, -0.1]}\n",
                       i, tables == 1 ? 0.0 : -0.8 + 1.6 * i / (tables - 1));
    }
    (void)sprintf(end, "forces:\n  - {name: c, type: collide, among: all, friction: 0.5}\n");
    files f = files_create();
    hf_error error = {0};
    hf_model *model = model_of(text);
    hf_sim *sim = sim_with(model, timestep(1e-3));
    hf_record_def def = hf_record_def_default(model);
    def.duration = 0.1;
    hf_record *record = hf_record_create(files_path(&f, "plank.h5"), sim, &def, &error);
    assert_non_null(record);
    for (int k = 0; k < 100; ++k) {
        step(sim);
        assert_int_equal(hf_record_sample(record, sim, &error), HF_OK);
    }
    assert_int_equal(hf_record_close(record, &error), HF_OK);
    hf_recording *r = hf_recording_read(f.path, &error);
    assert_non_null(r);
    assert_int_equal(r->frames.contacts, 8);
    assert_true(r->frames.count > 10);
    // The last frame: point, force, regime of each contact.
    const float *row = r->frames.contacts_at + (r->frames.count - 1) * 8 * 7;
    int shown = 0;
    *weight = 0.0;
    for (int i = 0; i < 8; ++i, row += 7) {
        shown += row[5] != 0.0F;
        *weight += (double)row[5];
    }
    hf_recording_destroy(r);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    files_remove(&f);
    return shown;
}

static void all_or_none(void **state)
{
    (void)state;
    double weight;
    assert_int_equal(contacts_shown(1, &weight), 4);
    hf_check_near(fabs(weight), 2.0 * 9.81, 1e-4, "sum of forces", "weight");
    assert_int_equal(contacts_shown(2, &weight), 8);
    hf_check_near(fabs(weight), 2.0 * 9.81, 1e-4, "sum of forces", "weight");
    assert_int_equal(contacts_shown(3, &weight), 0); // twelve: half of them would mislead
    assert_true(weight == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_or_none)};
    return hf_run_tests(tests);
}
