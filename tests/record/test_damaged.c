// SPDX-License-Identifier: Apache-2.0
// Recordings of which a part is damaged: every dataset and every attribute of a file is left out,
// replaced by one of another size, shape or type, or given numbers that make no sense. What is read
// of it is compared with the lines of damaged.txt: the message, or what was kept of the run.
//   test-record-damaged        compares
//   test-record-damaged write  prints the lines anew
#include <hdf5.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <holdfast/holdfast.h>

#include "files.h"
#include "hf_test.h"

enum { MOST_NAMES = 64, NAME = 64, LINE = 400 };

// What is done to a dataset
typedef enum damage {
    GONE,
    EMPTY,     // no rows
    SHORTER,   // a row less
    LONGER,    // a row more, of zeros
    WIDER,     // a column more
    DEEPER,    // a dimension more
    SCALAR,    // one number
    TEXT,      // strings
    WHOLE,     // integers for floating-point numbers, and the reverse
    NEGATIVE,  // -1 everywhere
    HALVES,    // 0.5 everywhere
    HUGE_ONES, // 1e300 everywhere
    NANS,
    A_GROUP, // of the same name
    DAMAGES
} damage;
static const char *const DAMAGE_NAMES[DAMAGES] = {
    "gone", "empty", "shorter",  "longer", "wider",     "deeper", "scalar",
    "text", "whole", "negative", "halves", "huge_ones", "nans",   "a_group"};

typedef struct listing {
    char names[MOST_NAMES][NAME];
    int count;
} listing;

static herr_t list_dataset(hid_t file, const char *name, const H5L_info_t *info, void *context)
{
    listing *l = context;
    (void)info;
    hid_t object = H5Oopen(file, name, H5P_DEFAULT);
    if (H5Iget_type(object) == H5I_DATASET) {
        assert_true(l->count < MOST_NAMES && strlen(name) < NAME);
        (void)strcpy(l->names[l->count++], name);
    }
    (void)H5Oclose(object);
    return 0;
}

static herr_t list_attribute(hid_t file, const char *name, const H5A_info_t *info, void *context)
{
    listing *l = context;
    (void)file, (void)info;
    assert_true(l->count < MOST_NAMES && strlen(name) < NAME);
    (void)strcpy(l->names[l->count++], name);
    return 0;
}

// ------------------------------------------------------------------------------------------------
// A recording with all there is: events, frames, contacts in them, a list of contacts

static void record(const char *path)
{
    static const char text[] =
        "name: two boxes\ngravity: [0.5, 0, -9.81]\nmethod: {type: timestep, step: 2e-3}\n"
        "duration: 0.04\nbodies:\n"
        "  floor: {type: static, shape: {type: plane}}\n"
        "  one: {type: rigid, position: [0, 0, 0.05], shape: {type: box, size: [0.1, 0.1, 0.1], "
        "density: 500}}\n"
        "  two: {type: rigid, position: [0.3, 0, 0.05], velocity: [1, 0, 0], shape: {type: sphere, "
        "radius: 0.05, density: 500}}\n"
        "forces:\n  - {name: touch, type: collide, among: all, friction: 0.5}\n"
        "record: [one.position, two.velocity.x]\n";
    hf_error error = {0};
    hf_model *model = hf_model_parse(text, sizeof text - 1, "boxes.yaml", NULL, NULL, &error);
    assert_non_null(model);
    hf_sim_def sim_def = hf_sim_def_default(model);
    sim_def.methods[0] = hf_contact_methods();
    hf_sim *sim = hf_sim_create(model, &sim_def, &error);
    assert_non_null(sim);
    hf_record_def def = hf_record_def_default(model);
    def.duration = 0.04;
    hf_record *record = hf_record_create(path, sim, &def, &error);
    assert_non_null(record);
    for (int k = 0; k < 20; ++k) {
        assert_int_equal(hf_sim_step(sim, &error), HF_OK);
        assert_int_equal(hf_record_sample(record, sim, &error), HF_OK);
    }
    assert_int_equal(hf_record_close(record, &error), HF_OK);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// A table of events, as methods that locate them record it.
static void add_events(const char *path)
{
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    if (H5Lexists(file, "events", H5P_DEFAULT) <= 0) {
        hsize_t size[2] = {3, HF_EVENT_COLUMNS};
        double values[3][HF_EVENT_COLUMNS] = {{0.01, 1.0}, {0.02, 1.0}, {0.03, 1.0}};
        hid_t space = H5Screate_simple(2, size, NULL);
        hid_t set = H5Dcreate2(file, "events", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT,
                               H5P_DEFAULT);
        assert_true(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
        (void)H5Dclose(set);
        (void)H5Sclose(space);
    }
    (void)H5Fclose(file);
}

static void copy_file(const char *from, const char *to)
{
    static char bytes[1 << 22];
    FILE *file = fopen(from, "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, sizeof bytes, file);
    (void)fclose(file);
    assert_true(size > 0 && size < sizeof bytes);
    file = fopen(to, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    (void)fclose(file);
}

// ------------------------------------------------------------------------------------------------
// Damage

// Replaces a dataset. False: this damage is none for it.
static bool damage_dataset(hid_t file, const char *name, damage kind)
{
    hid_t old = H5Dopen2(file, name, H5P_DEFAULT);
    hid_t space = H5Dget_space(old), type = H5Dget_type(old);
    hsize_t size[3] = {1, 1, 1};
    int dimensions = H5Sget_simple_extent_dims(space, size, NULL);
    H5T_class_t class = H5Tget_class(type);
    bool numbers = class == H5T_FLOAT || class == H5T_INTEGER;
    (void)H5Sclose(space);
    (void)H5Tclose(type);
    (void)H5Dclose(old);
    // Its new size
    if (!numbers && kind >= WHOLE && kind <= NANS) {
        return false;
    }
    switch (kind) {
    case EMPTY:
        size[0] = 0;
        break;
    case SHORTER:
        size[0] -= size[0] > 0 ? 1 : 0;
        break;
    case LONGER:
        size[0] += 1;
        break;
    case WIDER:
        size[dimensions > 1 ? 1 : 0] += dimensions > 1 ? 1 : 2;
        break;
    case DEEPER:
        dimensions += dimensions < 3 ? 1 : 0;
        break;
    case SCALAR:
        dimensions = 0;
        break;
    default:
        break;
    }
    assert_true(H5Ldelete(file, name, H5P_DEFAULT) >= 0);
    if (kind == GONE) {
        return true;
    }
    if (kind == A_GROUP) {
        hid_t group = H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        (void)H5Gclose(group);
        return true;
    }
    // Its new type and numbers
    bool floats = (class == H5T_FLOAT) != (kind == WHOLE);
    hid_t file_type = H5Tcopy(H5T_C_S1);
    (void)H5Tset_size(file_type, 8);
    bool texts = kind == TEXT || !numbers;
    if (!texts) {
        (void)H5Tclose(file_type);
        file_type = H5Tcopy(floats ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT);
    }
    hid_t to = dimensions == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(dimensions, size, NULL);
    hid_t set = H5Dcreate2(file, name, file_type, to, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(set >= 0);
    size_t count = (size_t)(size[0] * size[1] * size[2]);
    double *values = calloc(count + 1, sizeof *values);
    for (size_t i = 0; i < count; ++i) {
        values[i] = kind == NEGATIVE    ? -1.0
                    : kind == HALVES    ? 0.5
                    : kind == HUGE_ONES ? 1e300
                    : kind == NANS      ? (double)NAN
                                        : (double)(i % 7);
    }
    if (!texts && count > 0) {
        assert_true(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    }
    free(values);
    (void)H5Dclose(set);
    (void)H5Sclose(to);
    (void)H5Tclose(file_type);
    return true;
}

// An attribute of the file: left out, a number for a text or the reverse, or empty.
static void damage_attribute(hid_t file, const char *name, int kind)
{
    assert_true(H5Adelete(file, name) >= 0);
    if (kind == 0) {
        return;
    }
    hsize_t none = 0;
    hid_t space = kind == 2 ? H5Screate_simple(1, &none, NULL) : H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT);
    double value = 7.0;
    if (kind == 1) {
        assert_true(H5Awrite(attribute, H5T_NATIVE_DOUBLE, &value) >= 0);
    }
    (void)H5Aclose(attribute);
    (void)H5Sclose(space);
}

// ------------------------------------------------------------------------------------------------
// What is left

static uint64_t add_bytes(uint64_t hash, const void *bytes, size_t count)
{
    for (size_t i = 0; bytes != NULL && i < count; ++i) {
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * UINT64_C(1099511628211);
    }
    return hash;
}

// Of numbers by ten digits, which any C library prints alike.
static uint64_t add_numbers(uint64_t hash, const double *numbers, size_t count)
{
    for (size_t i = 0; numbers != NULL && i < count; ++i) {
        char text[40];
        int length = snprintf(text, sizeof text, "%.10g ", numbers[i]);
        hash = add_bytes(hash, text, (size_t)length);
    }
    return hash;
}

static uint64_t add_floats(uint64_t hash, const float *numbers, size_t count)
{
    for (size_t i = 0; numbers != NULL && i < count; ++i) {
        double wide = numbers[i];
        hash = add_numbers(hash, &wide, 1);
    }
    return hash;
}

static void describe(const char *path, char line[LINE])
{
    hf_error error = {0};
    hf_recording *r = hf_recording_read(path, &error);
    if (r == NULL) {
        const char *name = strstr(error.text, "damaged.h5"); // in another folder every time
        (void)snprintf(line, LINE, "%.300s", name == NULL ? error.text : name);
        return;
    }
    const hf_recording_frames *f = &r->frames;
    size_t frames = (size_t)f->count;
    uint64_t hash = add_numbers(UINT64_C(14695981039346656037), r->time, (size_t)r->samples);
    for (int k = 0; k < r->channel_count; ++k) {
        hash = add_bytes(hash, r->names[k], strlen(r->names[k]));
        hash = add_bytes(hash, r->units[k], strlen(r->units[k]));
        hash = add_numbers(hash, r->values[k], (size_t)r->samples);
    }
    hash = add_numbers(hash, f->time, frames);
    hash = add_floats(hash, f->poses, frames * (size_t)f->bodies * HF_FRAME_POSE_COLUMNS);
    hash = add_floats(hash, f->forces_at, frames * (size_t)f->forces * HF_FRAME_FORCE_COLUMNS);
    hash =
        add_floats(hash, f->contacts_at, frames * (size_t)f->contacts * HF_FRAME_CONTACT_COLUMNS);
    hash = add_numbers(hash, f->energy, frames * HF_FRAME_ENERGY_COLUMNS);
    hash = add_numbers(hash, f->listed, frames);
    hash = add_floats(hash, f->list, (size_t)f->listed_rows * HF_FRAME_LIST_COLUMNS);
    hash = add_numbers(hash, r->events, (size_t)r->event_count * HF_EVENT_COLUMNS);
    hash = add_bytes(hash, r->model_text, strlen(r->model_text));
    (void)snprintf(line, LINE,
                   "%d channels, %lld samples, %lld frames of %d bodies, %d forces, %d contacts, "
                   "%lld listed, %lld events, %s, scene %s, title '%s', %016" PRIx64,
                   r->channel_count, r->samples, f->count, f->bodies, f->forces, f->contacts,
                   f->listed_rows, r->event_count, r->truncated ? "truncated" : "whole",
                   r->scene[0] == '\0' ? "none" : "there", r->title, hash);
    hf_recording_destroy(r);
}

// The line of a damaged copy, with its name; false where the damage is none.
static bool line_of(files *f, const char *whole, const char *name, int kind, bool attribute,
                    char line[LINE])
{
    char told[LINE], path[128];
    (void)snprintf(path, sizeof path, "%s", files_path(f, "damaged.h5"));
    copy_file(whole, path);
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(file >= 0);
    bool done = true;
    if (attribute) {
        damage_attribute(file, name, kind);
    } else if (name != NULL) {
        done = damage_dataset(file, name, (damage)kind);
    }
    (void)H5Fclose(file);
    if (done) {
        static const char *const attributes[] = {"gone", "a_number", "empty"};
        describe(path, told);
        (void)snprintf(line, LINE, "%s%s %s: %.300s\n", attribute ? "@" : "",
                       name == NULL ? "nothing" : name,
                       attribute      ? attributes[kind]
                       : name == NULL ? "damaged"
                                      : DAMAGE_NAMES[kind],
                       told);
    }
    return done;
}

static bool writes;

static void check_line(FILE *known, const char *line, int *wrong)
{
    char want[LINE] = "";
    if (writes) {
        (void)fputs(line, stdout);
    } else if (fgets(want, LINE, known) == NULL || strcmp(want, line) != 0) {
        print_error("got  %swant %s", line, want);
        *wrong += 1;
    }
}

static void damaged_recordings(void **state)
{
    (void)state;
    files f = files_create();
    char whole[128], line[LINE];
    (void)snprintf(whole, sizeof whole, "%s", files_path(&f, "whole.h5"));
    record(whole);
    add_events(whole);
    // What the file has
    listing sets = {.count = 0}, attributes = {.count = 0};
    hid_t file = H5Fopen(whole, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(H5Lvisit(file, H5_INDEX_NAME, H5_ITER_INC, list_dataset, &sets) >= 0);
    assert_true(H5Aiterate2(file, H5_INDEX_NAME, H5_ITER_INC, NULL, list_attribute, &attributes) >=
                0);
    (void)H5Fclose(file);
    assert_true(sets.count >= 12 && attributes.count >= 3);
    // Each of it damaged in each way
    int wrong = 0;
    FILE *known = writes ? NULL : fopen(HF_SOURCE_DIR "/tests/record/damaged.txt", "r");
    assert_true(writes || known != NULL);
    (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    assert_true(line_of(&f, whole, NULL, 0, false, line));
    check_line(known, line, &wrong);
    for (int i = 0; i < sets.count; ++i) {
        for (int kind = 0; kind < DAMAGES; ++kind) {
            if (line_of(&f, whole, sets.names[i], kind, false, line)) {
                check_line(known, line, &wrong);
            }
        }
    }
    for (int i = 0; i < attributes.count; ++i) {
        for (int kind = 0; kind < 3; ++kind) {
            (void)line_of(&f, whole, attributes.names[i], kind, true, line);
            check_line(known, line, &wrong);
        }
    }
    if (known != NULL) {
        (void)fclose(known);
    }
    files_remove(&f);
    assert_int_equal(wrong, 0);
}

int main(int count, char **words)
{
    writes = count == 2 && strcmp(words[1], "write") == 0;
    const struct CMUnitTest tests[] = {cmocka_unit_test(damaged_recordings)};
    return hf_run_tests(tests);
}
