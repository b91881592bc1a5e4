// SPDX-License-Identifier: Apache-2.0
// FCLIB's files: written and read back, refused when wrong, and the collection in
// $HOLDFAST_DATA/fc3d solved to 1e-8.
#include <hf_test.h>

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <hdf5.h>
#include <holdfast/fclib.h>

#include "fc3d_problems.h"

static const char *scratch(void)
{
    static char path[64];
    (void)snprintf(path, sizeof path, "/tmp/holdfast-fclib-%ld.hdf5", (long)getpid());
    return path;
}

static void files_keep_every_number(void **state)
{
    (void)state;
    hf_random_fc3d def = {6, 15, 0.2, 0.6, 10, 0.3, false, 3};
    double r[45], u[45];
    hf_fc3d_problem *p = hf_random_fc3d_create(&def, r, u);
    hf_error error;
    assert_int_equal(hf_fclib_write(scratch(), p, "a title", "two\nlines", r, &error), HF_OK);
    hf_fclib file;
    assert_int_equal(hf_fclib_read(scratch(), &file, &error), HF_OK);
    (void)remove(scratch());
    assert_string_equal(file.title, "a title");
    assert_string_equal(file.description, "two\nlines");
    assert_int_equal(file.dimension, 3);
    assert_int_equal(file.freedoms, 0);
    assert_int_equal(file.problem->contacts, 15);
    int blocks = p->start[15];
    assert_memory_equal(file.problem->start, p->start, 16 * sizeof(int));
    assert_memory_equal(file.problem->column, p->column, (size_t)blocks * sizeof(int));
    assert_memory_equal(file.problem->w, p->w, 9 * (size_t)blocks * sizeof(double));
    assert_memory_equal(file.problem->q, p->q, 45 * sizeof(double));
    assert_memory_equal(file.problem->mu, p->mu, 15 * sizeof(double));
    assert_non_null(file.solution);
    assert_memory_equal(file.solution, r, sizeof r);
    assert_null(file.guess);
    hf_fclib_clear(&file);
    hf_fc3d_problem_destroy(p);
}

// Replaces or deletes a dataset of a good file, and expects a message with `pattern`.
static void refused(const char *dataset, const int *values, int count, const char *pattern)
{
    hf_random_fc3d def = {3, 4, 0.2, 0.6, 10, 0.3, false, 3};
    double r[12], u[12];
    hf_fc3d_problem *p = hf_random_fc3d_create(&def, r, u);
    hf_error error;
    assert_int_equal(hf_fclib_write(scratch(), p, "", "", NULL, &error), HF_OK);
    hf_fc3d_problem_destroy(p);
    hid_t file = H5Fopen(scratch(), H5F_ACC_RDWR, H5P_DEFAULT);
    if (H5Lexists(file, dataset, H5P_DEFAULT) > 0) {
        (void)H5Ldelete(file, dataset, H5P_DEFAULT);
    }
    if (values != NULL) {
        hsize_t size = (hsize_t)count;
        hid_t space = H5Screate_simple(1, &size, NULL);
        hid_t made =
            H5Dcreate2(file, dataset, H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        (void)H5Dwrite(made, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
        (void)H5Dclose(made);
        (void)H5Sclose(space);
    }
    (void)H5Fclose(file);
    hf_fclib read;
    hf_status status = hf_fclib_read(scratch(), &read, &error);
    (void)remove(scratch());
    if (status >= 0 || strstr(error.text, pattern) == NULL) {
        fail_msg("%s: status %d, no '%s' in '%s'", dataset, status, pattern, error.text);
    }
    assert_null(read.problem);
}

static void wrong_files_are_refused(void **state)
{
    (void)state;
    const int four = 4, minus[4] = {-1, -1, -1, -1}, huge = 1 << 30, row[3] = {0, 5, 2};
    refused("fclib_local/W/p", NULL, 0, "is missing");
    refused("fclib_local/vectors/q", NULL, 0, "is missing");
    refused("fclib_local/spacedim", &four, 1, "is 4, expected 2 or 3");
    refused("fclib_local/W/m", &four, 1, "");
    refused("fclib_local/W/m", &huge, 1, "no possible size");
    refused("fclib_local/W/nz", &four, 1, "no possible size");
    refused("fclib_local/W/p", row, 3, "wrong beginnings");
    refused("fclib_local/vectors/mu", minus, 4, "negative");
    refused("fclib_local/vectors/mu", minus, 3, "has 3 numbers, expected 4");
    refused("fclib_local/V", &four, 1, "equality constraints");
    hf_fclib file;
    hf_error error;
    const int none = 0;
    const double nothing = 0.0;
    hf_fc3d_problem *empty =
        hf_fc3d_problem_create(&(hf_fc3d_matrix){.start = &none, .row = &none, .value = &nothing},
                               &nothing, &nothing, &error);
    assert_non_null(empty);
    assert_int_equal(hf_fclib_write(scratch(), empty, "", "", NULL, &error), HF_OK);
    assert_int_equal(hf_fclib_read(scratch(), &file, &error), HF_ERROR_FILE);
    assert_non_null(strstr(error.text, "there are no contacts"));
    (void)remove(scratch());
    hf_fc3d_problem_destroy(empty);
    assert_int_equal(hf_fclib_read("/nowhere/none.hdf5", &file, &error), HF_ERROR_FILE);
    assert_non_null(strstr(error.text, "No such file"));
    assert_int_equal(hf_fclib_read(__FILE__, &file, &error), HF_ERROR_FILE);
    assert_non_null(strstr(error.text, "not an HDF5 file"));
}

// ------------------------------------------------------------------------------------------------
// The collection

static void check_file(const char *path, const char *name)
{
    hf_error error;
    hf_fclib file;
    if (hf_fclib_read(path, &file, &error) != HF_OK) {
        fail_msg("%s", error.text);
    }
    size_t n = 3 * (size_t)file.problem->contacts;
    double *r = calloc(n, sizeof *r), *u = calloc(n, sizeof *u);
    hf_fc3d_solver *solver = hf_fc3d_solver_create(NULL, file.problem, &error);
    hf_fc3d_info info;
    if (hf_fc3d_solve(solver, file.problem, r, u, &info, &error) != HF_OK) {
        fail_msg("%s: %s", name, error.text);
    }
    hf_check_below(hf_fc3d_residual(file.problem, HF_FC3D_NATURAL, r, u), 1e-8, name,
                   "the tolerance");
    hf_fc3d_solver_destroy(solver);
    free(r);
    free(u);
    hf_fclib_clear(&file);
}

static void the_collection_is_solved(void **state)
{
    (void)state;
    const char *data = getenv("HOLDFAST_DATA");
    if (data == NULL) {
        print_message("HOLDFAST_DATA is not set: its problems are not tried\n");
        skip();
        return;
    }
    char folder[500];
    (void)snprintf(folder, sizeof folder, "%s/fc3d", data);
    DIR *list = opendir(folder);
    if (list == NULL) {
        print_message("%s cannot be read: its problems are not tried\n", folder);
        skip();
        return;
    }
    int count = 0;
    for (struct dirent *entry = readdir(list); entry != NULL; entry = readdir(list)) {
        size_t length = strlen(entry->d_name);
        if (length > 5 && strcmp(entry->d_name + length - 5, ".hdf5") == 0) {
            char path[800];
            (void)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
            check_file(path, entry->d_name);
            ++count;
        }
    }
    (void)closedir(list);
    assert_true(count > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_keep_every_number),
        cmocka_unit_test(wrong_files_are_refused),
        cmocka_unit_test(the_collection_is_solved),
    };
    return hf_run_tests(tests);
}
