// SPDX-License-Identifier: Apache-2.0
// Contacts in the frames of a recording: all of them, or none where a frame has no room for all;
// and all of them in its list.
#include <hdf5.h>
#include <holdfast/record.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../contact/contact_test.h"
#include "files.h"

// The last frame's rows of /frames/contact_list: how many, and the sum of their forces upwards.
// Each is between the plank, the first body, and a table.
static int contacts_listed(const char *path, double *weight)
{
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    hid_t counts = H5Dopen2(file, "/frames/contact_count", H5P_DEFAULT);
    hid_t list = H5Dopen2(file, "/frames/contact_list", H5P_DEFAULT);
    hsize_t frames = 0, size[2] = {0};
    double count[2000], sum = 0.0;
    float row[100][HF_FRAME_LIST_COLUMNS];
    (void)H5Sget_simple_extent_dims(H5Dget_space(counts), &frames, NULL);
    (void)H5Sget_simple_extent_dims(H5Dget_space(list), size, NULL);
    assert_true(frames > 10 && frames < 2000 && size[1] == HF_FRAME_LIST_COLUMNS);
    assert_true(H5Dread(counts, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, count) >= 0);
    for (hsize_t i = 0; i < frames; ++i) {
        sum += count[i];
    }
    assert_true(sum == (double)size[0]);
    hsize_t last = (hsize_t)count[frames - 1], start[2] = {size[0] - last, 0};
    hsize_t part[2] = {last, HF_FRAME_LIST_COLUMNS};
    hid_t space = H5Dget_space(list), memory = H5Screate_simple(2, part, NULL);
    assert_true(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, part, NULL) >= 0);
    assert_true(H5Dread(list, H5T_NATIVE_FLOAT, memory, space, H5P_DEFAULT, row) >= 0);
    *weight = 0.0;
    for (hsize_t i = 0; i < last; ++i) {
        *weight += (double)row[i][5];
        assert_true(row[i][7] == 1.0F && row[i][8] > 1.0F);
    }
    (void)H5Fclose(file);
    return (int)last;
}

// A plank on so many tables, each of which it touches in four points: each has a surface of its
// own, as level ones of one surface carry it as one floor. It has room for eight.
static int contacts_shown(int tables, double *weight)
{
    char text[2048], *end = text;
    end += sprintf(end, "gravity: [0, 0, -9.81]\nbodies:\n"
                        "  plank: {type: rigid, mass: 2, shape: {type: box, size: [2, 0.2, 0.1]}, "
                        "position: [0, 0, 0.05]}\n");
    for (int i = 0; i < tables; ++i) {
        end += sprintf(end,
                       "  t%d: {type: static, shape: {type: box, size: [0.1, 0.4, 0.2], "
                       "friction: %g}, position: [%g, 0, -0.1]}\n",
                       i, 0.5 + 0.1 * i, tables == 1 ? 0.0 : -0.8 + 1.6 * i / (tables - 1));
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
    double all = 0.0;
    assert_int_equal(contacts_listed(f.path, &all), 4 * tables);
    hf_check_near(fabs(all), 2.0 * 9.81, 1e-4, "sum of the list", "weight");
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
    // The list as the library reads it.
    const hf_recording_frames *frames = &r->frames;
    assert_int_equal((int)frames->listed[frames->count - 1], 4 * tables);
    double listed = 0.0;
    for (long long i = frames->listed_rows - 4 * tables; i < frames->listed_rows; ++i) {
        listed += (double)frames->list[i * HF_FRAME_LIST_COLUMNS + 5];
    }
    hf_check_same_bits(listed, all, "sum of the list as read");
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
