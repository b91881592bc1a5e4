// SPDX-License-Identifier: Apache-2.0
// Files that are not what they should be: each a message with its place, never a crash.
#include <hdf5.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <holdfast/record.h>

#include "files.h"
#include "hf_test.h"

static void expect_refused(const char *path, const char *part)
{
    hf_error error = {0};
    hf_recording *r = hf_recording_read(path, &error);
    if (r != NULL) {
        fail_msg("%s was read, expected '%s'", path, part);
    }
    assert_true(error.status < 0);
    if (strstr(error.text, part) == NULL) {
        fail_msg("expected '%s' in: %s", part, error.text);
    }
}

// ------------------------------------------------------------------------------------------------
// CSV

static void csv_refused(void **state)
{
    (void)state;
    const struct {
        const char *text;
        const char *message;
    } cases[] = {
        {"", "the file is empty"},
        {"a,b\n1,2\n", "w.csv:1:1: the first column must be 'time', not 'a'"},
        {"time,\n0,1\n", "w.csv:1:6: column 2 has no name"},
        {"time,a,a\n0,1,2\n", "channel 'a' is there twice"},
        {"time,a\n0,1\n1\n", "w.csv:3:1: expected 2 numbers as in the header, not 1"},
        {"time,a\n0,1\n1,2,3\n", "w.csv:3:1: expected 2 numbers as in the header, not 3"},
        {"time,a\n0,1\n1,\n", "w.csv:3:3: expected a number, not ''"},
        {"time,a\n0,one\n", "w.csv:2:3: expected a number, not 'one'"},
        {"time,a,b\n0,one,2\n", "w.csv:2:3: expected a number, not 'one'"},
        {"time,a\n0,1234567890123456789012345678901234567890x\n",
         "w.csv:2:3: expected a number, not '1234567890123456789012345678901234567890'"},
        {"time,a\n0,123456789012345678901234567890123456789x\n",
         "w.csv:2:3: expected a number, not '123456789012345678901234567890123456789x'"},
        {"time,a\n0,0x10\n", "w.csv:2:3: expected a number"},
        {"time,a\n0,1e999\n", "w.csv:2:3: expected a number"},
        {"time,a\n0,1 2\n", "w.csv:2:3: expected a number"},
        {"time,a\n0,1\n\n1,2\n", "w.csv:3:1: expected 2 numbers, not an empty line"},
        {"time,\"a\n0,1\n", "w.csv:1:6: a quoted field does not end on its line"},
        {"time,\"a\"b\n0,1\n", "w.csv:1:9: expected ',' after a quoted field"},
        {"time;a\n0;1\n", "the first column must be 'time', not 'time;a'"},
    };
    files f = files_create();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const char *path = files_write(&f, "w.csv", cases[i].text, strlen(cases[i].text));
        expect_refused(path, cases[i].message);
    }
    expect_refused(files_write(&f, "w.csv", "time,a\n0,\0\n", 11), "zero byte");
    expect_refused(files_path(&f, "none.csv"), "cannot open: No such file");
    assert_int_equal(symlink("/dev/zero", files_path(&f, "zero.csv")), 0);
    expect_refused(files_path(&f, "zero.csv"), "zero.csv:1:1: a zero byte: this is not a CSV file");
    (void)remove(files_path(&f, "zero.csv"));
    expect_refused(files_path(&f, "none.txt"), "must be .csv, .h5 or .hdf5");
    expect_refused("/tmp/.csv/", "must be .csv");
    files_remove(&f);
}

static void csv_accepted(void **state)
{
    (void)state;
    const struct {
        const char *text;
        int channels;
        long long samples;
        bool truncated;
    } cases[] = {
        {"time\n", 0, 0, false},
        {"time,a", 1, 0, false},
        {"time,a\r\n0,1\r\n1,2\r\n", 1, 2, false},
        {"\xEF\xBB\xBFtime,a\n0,1\n", 1, 1, false},
        {"time,\"a,b\",c\n0,\"1\",2\n", 2, 1, false},
        {"time,a\n0,1\n\n\n", 1, 1, false},
        {"time, a \n 0 ,\t1 \n", 1, 1, false},
        {"\"time\",l\",\",,\"", 2, 0, false}, // a quote within a field begins nothing
        {"time,a\n0,1\n1,2", 1, 1, true},     // may be the beginning of 1,25
        {"time,a\n0,1\n1", 1, 1, true},
        {"time,a\n0,nan\n1,-inf\n2,+3.e0\n", 1, 3, false},
    };
    files f = files_create();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        hf_error error = {0};
        const char *path = files_write(&f, "g.csv", cases[i].text, strlen(cases[i].text));
        hf_recording *r = hf_recording_read(path, &error);
        if (r == NULL) {
            fail_msg("case %zu: %s", i, error.text);
        }
        assert_int_equal(r->channel_count, cases[i].channels);
        assert_int_equal(r->samples, cases[i].samples);
        assert_int_equal(r->truncated, cases[i].truncated);
        hf_recording_destroy(r);
    }
    files_remove(&f);
}

// Bytes without meaning, and files with bytes changed: the answer may be anything but a crash.
static void csv_random(void **state)
{
    (void)state;
    files f = files_create();
    hf_rng rng = hf_rng_create(3);
    for (int i = 0; i < 1500; ++i) {
        const char pieces[] = "time,ab0123.5e-+\n\n\r\",nif\xEF\xBB\xBF";
        char text[200] = "time,a\n0,1\n1,2\n";
        size_t length = (size_t)hf_rng_int(&rng, 0, 199);
        for (size_t k = i % 2 == 0 ? 0 : 11; k < length; ++k) {
            text[k] = pieces[hf_rng_int(&rng, 0, (int)sizeof pieces - 1)];
        }
        hf_recording_destroy(hf_recording_read(files_write(&f, "r.csv", text, length), NULL));
    }
    files_remove(&f);
}

// ------------------------------------------------------------------------------------------------
// HDF5

// A file with /time of `length` and /channels/a of `channel_length`, made without hf_record.
static const char *make(files *f, hid_t type, hsize_t length, hsize_t channel_length, bool write)
{
    const char *path = files_path(f, "m.h5");
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t group = H5Gcreate2(file, "channels", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const hsize_t lengths[] = {length, channel_length};
    for (int i = 0; i < 2; ++i) {
        hid_t space = H5Screate_simple(1, &lengths[i], NULL);
        hid_t set = H5Dcreate2(i == 0 ? file : group, i == 0 ? "time" : "a", type, space,
                               H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        if (write) {
            void *zeros = calloc((size_t)lengths[i] + 1, 64);
            assert_non_null(zeros);
            assert_true(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, zeros) >= 0);
            free(zeros);
        }
        (void)H5Dclose(set);
        (void)H5Sclose(space);
    }
    (void)H5Gclose(group);
    assert_true(H5Fclose(file) >= 0);
    return path;
}

static void hdf5_refused(void **state)
{
    (void)state;
    files f = files_create();
    expect_refused(files_write(&f, "w.h5", "", 0), "cannot open as HDF5");
    expect_refused(files_write(&f, "w.h5", "time,a\n0,1\n", 11), "cannot open as HDF5");
    expect_refused(files_path(&f, "none.h5"), "No such file");
    expect_refused(make(&f, H5T_NATIVE_DOUBLE, 10, 9, true), "'a' has 9 samples, time has 10");
    hid_t text = H5Tcopy(H5T_C_S1);
    expect_refused(make(&f, text, 3, 3, true), "'/time' does not hold numbers");
    (void)H5Tclose(text);
    // Sizes that are only claimed: space that was never written.
    expect_refused(make(&f, H5T_NATIVE_DOUBLE, (hsize_t)1 << 40, 3, false), "claims 1099511627776");
    expect_refused(make(&f, H5T_NATIVE_DOUBLE, (hsize_t)1 << 59, 3, false), "claims");
    hf_recording *r = hf_recording_read(make(&f, H5T_NATIVE_INT, 3, 4, true), NULL);
    assert_non_null(r); // whole numbers are numbers, and a channel may be ahead of time
    assert_int_equal(r->samples, 3);
    hf_recording_destroy(r);
    files_remove(&f);
}

// A file of the present layout: `samples` times, `rows` x `columns` values, `named` names of type.
static const char *make_table(files *f, hsize_t samples, hsize_t rows, hsize_t columns,
                              hsize_t named, hid_t text)
{
    const char *path = make(f, H5T_NATIVE_DOUBLE, samples, samples, true);
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    const hsize_t extent[2] = {rows, columns};
    const long long layout = 2;
    hid_t one = H5Screate(H5S_SCALAR), table = H5Screate_simple(2, extent, NULL);
    hid_t list = H5Screate_simple(1, &named, NULL);
    hid_t mark = H5Acreate2(file, "layout", H5T_STD_I64LE, one, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Awrite(mark, H5T_NATIVE_LLONG, &layout) >= 0);
    (void)H5Aclose(mark);
    const char *const names[] = {"values", "names", "units"};
    for (int i = 0; i < 3; ++i) {
        hid_t type = i == 0 ? H5T_NATIVE_DOUBLE : text;
        hid_t set = H5Dcreate2(file, names[i], type, i == 0 ? table : list, H5P_DEFAULT,
                               H5P_DEFAULT, H5P_DEFAULT);
        size_t bytes = (size_t)(i == 0 ? rows * columns : named) * H5Tget_size(type);
        if (bytes < 1000000) { // otherwise only claimed
            char *letters = malloc(bytes + 1);
            assert_non_null(letters);
            for (size_t k = 0; k < bytes; ++k) {
                letters[k] = (char)('a' + k % 26); // names differ, and have no zero at their end
            }
            assert_true(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, letters) >= 0);
            free(letters);
        }
        (void)H5Dclose(set);
    }
    (void)H5Sclose(list);
    (void)H5Sclose(table);
    (void)H5Sclose(one);
    assert_true(H5Fclose(file) >= 0);
    return path;
}

static void hdf5_tables(void **state)
{
    (void)state;
    files f = files_create();
    hid_t text = H5Tcopy(H5T_C_S1);
    assert_true(H5Tset_size(text, 3) >= 0);
    hf_recording *r = hf_recording_read(make_table(&f, 5, 6, 2, 2, text), NULL);
    assert_non_null(r); // values may be ahead of time
    assert_int_equal(r->samples, 5);
    assert_int_equal(r->channel_count, 2);
    assert_string_equal(r->names[1], "def");
    hf_recording_destroy(r);
    expect_refused(make_table(&f, 5, 4, 2, 2, text), "'/values' has 4 samples, time has 5");
    expect_refused(make_table(&f, 5, 5, 2, 3, text), "'/names' has 3 texts for 2 channels");
    expect_refused(make_table(&f, 5, 5, 2, 2, H5T_NATIVE_INT), "does not hold texts");
    expect_refused(make_table(&f, 5, 5, 1u << 30, 2, text), "claims 1073741824 channels");
    expect_refused(make_table(&f, 5, (hsize_t)1 << 40, 2, 2, text), "claims 2199023255552 samples");
    (void)H5Tclose(text);
    files_remove(&f);
}

static void links_to_other_files_refused(void **state)
{
    (void)state;
    files f = files_create();
    const char *path = make(&f, H5T_NATIVE_DOUBLE, 3, 3, true);
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(H5Ldelete(file, "/time", H5P_DEFAULT) >= 0);
    assert_true(H5Lcreate_external("other.h5", "/time", file, "/time", H5P_DEFAULT, H5P_DEFAULT) >=
                0);
    assert_true(H5Fclose(file) >= 0);
    expect_refused(path, "'/time' is a link, not a dataset of this file");
    files_remove(&f);
}

static void hdf5_links_refused(void **state)
{
    (void)state;
    files f = files_create();
    const char *path = make(&f, H5T_NATIVE_DOUBLE, 3, 3, true);
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(H5Lcreate_external("/etc/passwd", "/time", file, "/channels/b", H5P_DEFAULT,
                                   H5P_DEFAULT) >= 0);
    assert_true(H5Fclose(file) >= 0);
    expect_refused(path, "a link that does not lead to a dataset of this file");
    path = make(&f, H5T_NATIVE_DOUBLE, 3, 3, true);
    file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    hid_t inner = H5Gcreate2(file, "/channels/g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Gclose(inner) >= 0);
    assert_true(H5Fclose(file) >= 0);
    expect_refused(path, "'g' is not a dataset");
    files_remove(&f);
}

static char *read_all(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*size);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    (void)fclose(file);
    return bytes;
}

static char *recorded(files *f, size_t *size)
{
    hf_run_facts facts = facts_create(3);
    facts.chunk = 16;
    hf_writer *writer = writer_open(files_path(f, "run.h5"), &facts, NULL);
    assert_non_null(writer);
    write_samples(writer, 3, 0, 100);
    assert_int_equal(writer->close(writer, &(hf_run_end){.samples = 100}, NULL), HF_OK);
    facts_free(&facts);
    return read_all(f->path, size);
}

static void hdf5_truncated(void **state)
{
    (void)state;
    files f = files_create();
    size_t size = 0;
    char *bytes = recorded(&f, &size);
    for (size_t length = 0; length < size; length += 397) {
        hf_error error = {0};
        hf_recording *r = hf_recording_read(files_write(&f, "t.h5", bytes, length), &error);
        if (r != NULL) {
            fail_msg("%zu of %zu bytes were read as a recording", length, size);
        }
        assert_true(error.text[0] != '\0');
    }
    free(bytes);
    files_remove(&f);
}

static void hdf5_attributes_of_another_kind(void **state)
{
    (void)state;
    files f = files_create();
    const char *path = make(&f, H5T_NATIVE_DOUBLE, 3, 3, true);
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), space = H5Screate(H5S_SCALAR);
    hid_t set = H5Dopen2(file, "/channels/a", H5P_DEFAULT);
    const char *const names[] = {"unit", "column"};
    for (int i = 0; i < 2; ++i) {
        hid_t attribute =
            H5Acreate2(set, names[i], H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT);
        const double value = 1e300;
        assert_true(H5Awrite(attribute, H5T_NATIVE_DOUBLE, &value) >= 0);
        (void)H5Aclose(attribute);
    }
    (void)H5Sclose(space);
    (void)H5Dclose(set);
    assert_true(H5Fclose(file) >= 0);
    hf_recording *r = hf_recording_read(path, NULL);
    assert_non_null(r);
    assert_string_equal(r->units[0], "");
    hf_recording_destroy(r);
    files_remove(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csv_refused),
        cmocka_unit_test(csv_accepted),
        cmocka_unit_test(csv_random),
        cmocka_unit_test(hdf5_refused),
        cmocka_unit_test(hdf5_tables),
        cmocka_unit_test(links_to_other_files_refused),
        cmocka_unit_test(hdf5_links_refused),
        cmocka_unit_test(hdf5_truncated),
        cmocka_unit_test(hdf5_attributes_of_another_kind),
    };
    return hf_run_tests(tests);
}
