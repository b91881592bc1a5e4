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

static void put(hid_t file, const char *name, hid_t type, const void *values, int count)
{
    hsize_t size = (hsize_t)count;
    hid_t space = H5Screate_simple(1, &size, NULL), links = H5Pcreate(H5P_LINK_CREATE);
    (void)H5Pset_create_intermediate_group(links, 1);
    hid_t made = H5Dcreate2(file, name, type, space, links, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Dwrite(made, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    (void)H5Dclose(made);
    (void)H5Pclose(links);
    (void)H5Sclose(space);
}

// Two contacts in a plane: the third coordinate of each is idle, with the tangent's inverse mass.
// The first slides with r_t = mu r_n against its velocity, the second sticks.
static void planar_problems_are_widened(void **state)
{
    (void)state;
    const double w[16] = {2.0, 0.5, 0.0, 0.0, 0.5, 3.0, 0.0, 0.0,
                          0.0, 0.0, 4.0, 0.0, 0.0, 0.0, 0.0, 5.0};
    const double q[4] = {-1.0, 2.0, -2.0, 0.1}, mu[2] = {0.1, 0.9};
    const int begin[5] = {0, 4, 8, 12, 16}, four = 4, rows = -2, two = 2, all = 16;
    int index[16];
    for (int k = 0; k < 16; ++k) {
        index[k] = k % 4;
    }
    hid_t file = H5Fcreate(scratch(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    put(file, "fclib_local/spacedim", H5T_NATIVE_INT, &two, 1);
    put(file, "fclib_local/W/nzmax", H5T_NATIVE_INT, &all, 1);
    put(file, "fclib_local/W/m", H5T_NATIVE_INT, &four, 1);
    put(file, "fclib_local/W/n", H5T_NATIVE_INT, &four, 1);
    put(file, "fclib_local/W/nz", H5T_NATIVE_INT, &rows, 1);
    put(file, "fclib_local/W/p", H5T_NATIVE_INT, begin, 5);
    put(file, "fclib_local/W/i", H5T_NATIVE_INT, index, 16);
    put(file, "fclib_local/W/x", H5T_NATIVE_DOUBLE, w, 16);
    put(file, "fclib_local/vectors/q", H5T_NATIVE_DOUBLE, q, 4);
    put(file, "fclib_local/vectors/mu", H5T_NATIVE_DOUBLE, mu, 2);
    (void)H5Fclose(file);
    hf_fclib read;
    hf_error error = {0};
    if (hf_fclib_read(scratch(), &read, &error) != HF_OK) {
        fail_msg("%s", error.text);
    }
    (void)remove(scratch());
    assert_int_equal(read.dimension, 2);
    assert_int_equal(read.problem->contacts, 2);
    const double wide_q[6] = {-1.0, 2.0, 0.0, -2.0, 0.1, 0.0};
    assert_memory_equal(read.problem->q, wide_q, sizeof wide_q);
    // u of unit reactions are W's columns
    double r[6] = {0.0}, u[6];
    const double columns[6][6] = {{2.0, 0.5, 0.0, 0.0, 0.0, 0.0}, {0.5, 3.0, 0.0, 0.0, 0.0, 0.0},
                                  {0.0, 0.0, 3.0, 0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 4.0, 0.0, 0.0},
                                  {0.0, 0.0, 0.0, 0.0, 5.0, 0.0}, {0.0, 0.0, 0.0, 0.0, 0.0, 5.0}};
    for (int k = 0; k < 6; ++k) {
        r[k] = 1.0;
        hf_fc3d_velocity(read.problem, r, u);
        for (int j = 0; j < 6; ++j) {
            hf_check_near(u[j] - wide_q[j], columns[k][j], 1e-15, "W", "widened");
        }
        r[k] = 0.0;
    }
    hf_fc3d_def def = hf_fc3d_def_default();
    hf_fc3d_solver *solver = hf_fc3d_solver_create(&def, read.problem, &error);
    assert_non_null(solver);
    hf_fc3d_info info;
    assert_int_equal(hf_fc3d_solve(solver, read.problem, r, u, &info, &error), HF_OK);
    double n = 1.0 / (2.0 - 0.05); // 2 n - 0.5 mu n = 1
    const double want[6] = {n, -0.1 * n, 0.0, 0.5, -0.02, 0.0};
    for (int k = 0; k < 6; ++k) {
        hf_check_near(r[k], want[k], 1e-7, "r", "closed form in the plane");
    }
    hf_fc3d_solver_destroy(solver);
    hf_fclib_clear(&read);
}

// ------------------------------------------------------------------------------------------------
// Friction of rolling

// Two spheres of unlike masses on a plane, one of them against the other: five rows a contact, by
// M, H, f as FCLIB has them. Freedoms: velocity and spin of each.
enum { ROLLING_CONTACTS = 3, ROLLING_FREEDOMS = 12 };

static void rolling_rows(double h[ROLLING_FREEDOMS][5 * ROLLING_CONTACTS])
{
    const double a = 0.1;
    memset(h, 0, sizeof(double) * ROLLING_FREEDOMS * 5 * ROLLING_CONTACTS);
    for (int b = 0; b < 2; ++b) { // on the plane: normal z, tangents x and y
        int v = 6 * b, w = v + 3, c = 5 * b;
        h[v + 2][c] = h[v][c + 1] = h[v + 1][c + 2] = h[w][c + 3] = h[w + 1][c + 4] = 1.0;
        h[w + 1][c + 1] = -a;
        h[w][c + 2] = a;
    }
    // The second is at +x of the first: normal x, tangents y and z, at a from both centers
    for (int b = 0; b < 2; ++b) {
        double sign = b == 1 ? 1.0 : -1.0;
        int v = 6 * b, w = v + 3, c = 10;
        h[v][c] = h[v + 1][c + 1] = h[v + 2][c + 2] = h[w + 1][c + 3] = h[w + 2][c + 4] = sign;
        h[w + 2][c + 1] = -a; // w x (-sign a x), times sign
        h[w + 1][c + 2] = a;
    }
}

static void put_numbers(hid_t file, const char *name, hid_t type, const void *values, hsize_t count)
{
    hid_t links = H5Pcreate(H5P_LINK_CREATE), space = H5Screate_simple(1, &count, NULL);
    assert_true(H5Pset_create_intermediate_group(links, 1) >= 0);
    hid_t dataset = H5Dcreate2(file, name, type, space, links, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(dataset >= 0);
    assert_true(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    (void)H5Dclose(dataset);
    (void)H5Sclose(space);
    (void)H5Pclose(links);
}

// A matrix as triplets, as Siconos writes them.
static void put_triplets(hid_t file, const char *root, const double *x, int m, int n)
{
    int p[400], i[400], count = 0;
    double value[400];
    char name[100];
    for (int k = 0; k < m * n; ++k) {
        if (x[k] != 0.0) {
            i[count] = k / n;
            p[count] = k % n;
            value[count++] = x[k];
        }
    }
    const char *names[] = {"m", "n", "nz", "nzmax"};
    const int numbers[] = {m, n, count, count};
    for (int k = 0; k < 4; ++k) {
        (void)snprintf(name, sizeof name, "%s/%s", root, names[k]);
        put_numbers(file, name, H5T_NATIVE_INT, &numbers[k], 1);
    }
    (void)snprintf(name, sizeof name, "%s/p", root);
    put_numbers(file, name, H5T_NATIVE_INT, p, (hsize_t)count);
    (void)snprintf(name, sizeof name, "%s/i", root);
    put_numbers(file, name, H5T_NATIVE_INT, i, (hsize_t)count);
    (void)snprintf(name, sizeof name, "%s/x", root);
    put_numbers(file, name, H5T_NATIVE_DOUBLE, value, (hsize_t)count);
}

// The first rolls towards the second, which lies still, at `speed`.
static void write_global_rolling(double speed)
{
    const double masses[2] = {1.0, 3.0}, a = 0.1, g = 9.81, step = 1e-2;
    double m[ROLLING_FREEDOMS * ROLLING_FREEDOMS] = {0.0}, f[ROLLING_FREEDOMS] = {0.0};
    double h[ROLLING_FREEDOMS][5 * ROLLING_CONTACTS], w[5 * ROLLING_CONTACTS] = {0.0};
    const double mu[3] = {0.5, 0.5, 0.2}, mu_r[3] = {1e-3, 1e-3, 1e-4};
    const int dimension = 5;
    rolling_rows(h);
    for (int b = 0; b < 2; ++b) {
        for (int k = 0; k < 6; ++k) {
            m[(6 * b + k) * (ROLLING_FREEDOMS + 1)] = masses[b] * (k < 3 ? 1.0 : 0.4 * a * a);
        }
        f[6 * b + 2] = -masses[b] * g * step;
    }
    f[0] = masses[0] * speed;
    f[4] = 0.4 * masses[0] * a * speed; // spin speed/a about y
    hid_t file = H5Fcreate(scratch(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(file >= 0);
    put_numbers(file, "fclib_global_rolling/spacedim", H5T_NATIVE_INT, &dimension, 1);
    put_triplets(file, "fclib_global_rolling/M", m, ROLLING_FREEDOMS, ROLLING_FREEDOMS);
    put_triplets(file, "fclib_global_rolling/H", &h[0][0], ROLLING_FREEDOMS, 5 * ROLLING_CONTACTS);
    put_numbers(file, "fclib_global_rolling/vectors/f", H5T_NATIVE_DOUBLE, f, ROLLING_FREEDOMS);
    put_numbers(file, "fclib_global_rolling/vectors/w", H5T_NATIVE_DOUBLE, w, 15);
    put_numbers(file, "fclib_global_rolling/vectors/mu", H5T_NATIVE_DOUBLE, mu, 3);
    put_numbers(file, "fclib_global_rolling/vectors/mu_r", H5T_NATIVE_DOUBLE, mu_r, 3);
    (void)H5Fclose(file);
}

static void rolling_from_files(void **state)
{
    (void)state;
    hf_error error = {0};
    hf_fclib file, again;
    double r[18] = {0.0}, u[18];
    // Away from the other: m g h on the plane, and the spin falls by mu_r g h/(1.4 a^2)
    write_global_rolling(-1.0);
    if (hf_fclib_read(scratch(), &file, &error) != HF_OK) {
        fail_msg("%s", error.text);
    }
    (void)remove(scratch());
    assert_int_equal(file.dimension, 5);
    assert_int_equal(file.freedoms, ROLLING_FREEDOMS);
    assert_int_equal(file.problem->contacts, 2 * ROLLING_CONTACTS);
    hf_fc3d_def def = hf_fc3d_def_default();
    def.tolerance = 1e-12;
    assert_int_equal(hf_fc3d_rolling_solve(&def, file.problem, r, u, NULL, &error), HF_OK);
    hf_check_near(r[0], 0.0981, 1e-10, "r_N", "m g h");
    hf_check_near(u[5], -10.0 + 1e-3 * 0.0981 / (1.4 * 0.01), 1e-9, "spin", "closed form");
    hf_check_near(r[12], 0.0, 0.0, "r_N between", "they part");
    hf_check_near(u[12], 1.0 - 0.1 * 1e-3 * 0.0981 / (1.4 * 0.01), 1e-9, "u_N between",
                  "closed form");
    // Written and read back: every number
    assert_int_equal(hf_fclib_write_rolling(scratch(), file.problem, "t", "d", r, &error), HF_OK);
    if (hf_fclib_read(scratch(), &again, &error) != HF_OK) {
        fail_msg("%s", error.text);
    }
    (void)remove(scratch());
    assert_int_equal(again.dimension, 5);
    assert_int_equal(again.freedoms, 0);
    assert_memory_equal(again.problem->mu, file.problem->mu, 6 * sizeof(double));
    assert_memory_equal(again.problem->q, file.problem->q, 18 * sizeof(double));
    assert_memory_equal(again.solution, r, sizeof r);
    double residual = hf_fc3d_rolling_residual(again.problem, HF_FC3D_STRICTER, again.solution, u);
    hf_check_below(residual, 1e-12, "residual", "of the solution that was read");
    hf_fclib_clear(&again);
    hf_fclib_clear(&file);
    // Into the other: an impact in which both slip against each other
    write_global_rolling(1.0);
    assert_int_equal(hf_fclib_read(scratch(), &file, &error), HF_OK);
    (void)remove(scratch());
    memset(r, 0, sizeof r);
    assert_int_equal(hf_fc3d_rolling_solve(&def, file.problem, r, u, NULL, &error), HF_OK);
    hf_check_near(u[12], 0.0, 1e-10, "u_N between", "they stay together");
    assert_true(r[12] > 0.5);
    hf_check_near(hypot(r[13], r[14]), 0.2 * r[12], 1e-9, "r_T between", "mu r_N");
    hf_fclib_clear(&file);
}

static void wrong_files_are_refused(void **state)
{
    (void)state;
    const int four = 4, minus[4] = {-1, -1, -1, -1}, huge = 1 << 30, row[3] = {0, 5, 2};
    refused("fclib_local/W/p", NULL, 0, "is missing");
    refused("fclib_local/vectors/q", NULL, 0, "is missing");
    refused("fclib_local/spacedim", &four, 1, "is 4, expected 2, 3 or 5");
    refused("fclib_local/W/m", &four, 1, "");
    refused("fclib_local/W/m", &huge, 1, "no possible size");
    refused("fclib_local/W/nz", &four, 1, "no possible size");
    refused("fclib_local/W/p", row, 3, "wrong beginnings");
    refused("fclib_local/vectors/mu", minus, 4, "negative");
    refused("fclib_local/vectors/mu", minus, 3, "has 3 numbers, expected 4");
    refused("fclib_local/V", &four, 1, "equality constraints");
    const int five = 5;
    refused("fclib_local/spacedim", &five, 1, "there is no vectors/mu_r");
    refused("fclib_local/vectors/mu_r", minus, 4, "spacedim is 3, not 5");
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
    assert_int_equal(hf_fclib_read(HF_SOURCE_DIR "/README.md", &file, &error), HF_ERROR_FILE);
    assert_non_null(strstr(error.text, "not an HDF5 file"));
}

// Triplets: each index one too small or too large, in turn; as they should be they are read.
static void entries_outside_are_refused(void **state)
{
    (void)state;
    const int three = 3;
    const double x[3] = {2.0, 3.0, 4.0}, q[3] = {-1.0, 0.2, 0.1}, mu = 0.5;
    for (int wrong = 0; wrong < 5; ++wrong) {
        int row[3] = {0, 1, 2}, column[3] = {0, 1, 2};
        (wrong < 2 ? row : column)[1] = wrong == 4 ? 1 : wrong % 2 == 0 ? -1 : 3;
        hid_t file = H5Fcreate(scratch(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
        put(file, "fclib_local/spacedim", H5T_NATIVE_INT, &three, 1);
        put(file, "fclib_local/W/nzmax", H5T_NATIVE_INT, &three, 1);
        put(file, "fclib_local/W/m", H5T_NATIVE_INT, &three, 1);
        put(file, "fclib_local/W/n", H5T_NATIVE_INT, &three, 1);
        put(file, "fclib_local/W/nz", H5T_NATIVE_INT, &three, 1);
        put(file, "fclib_local/W/p", H5T_NATIVE_INT, column, 3);
        put(file, "fclib_local/W/i", H5T_NATIVE_INT, row, 3);
        put(file, "fclib_local/W/x", H5T_NATIVE_DOUBLE, x, 3);
        put(file, "fclib_local/vectors/q", H5T_NATIVE_DOUBLE, q, 3);
        put(file, "fclib_local/vectors/mu", H5T_NATIVE_DOUBLE, &mu, 1);
        (void)H5Fclose(file);
        hf_fclib read;
        hf_error error = {0};
        hf_status status = hf_fclib_read(scratch(), &read, &error);
        (void)remove(scratch());
        if (wrong == 4) {
            assert_int_equal(status, HF_OK);
            assert_int_equal(read.problem->contacts, 1);
            hf_fclib_clear(&read);
        } else {
            assert_int_equal(status, HF_ERROR_FILE);
            assert_non_null(strstr(error.text, "has an entry ("));
            assert_non_null(strstr(error.text, "outside 3 x 3"));
        }
    }
}

// ------------------------------------------------------------------------------------------------
// Triangles

// A matrix of a file as triplets: of `full`, n x n, the entries that `keep` names.
enum { WHOLE, LOWER, UPPER, SKEWED };

static void put_matrix(hid_t file, const char *name, const double *full, int n, int keep)
{
    char part[100];
    int count = 0, rows[81], columns[81];
    double values[81];
    for (int k = 0; k < n * n; ++k) {
        int i = k / n, j = k % n;
        if (full[k] != 0.0 && !(keep == LOWER && j > i) && !(keep == UPPER && j < i)) {
            rows[count] = i;
            columns[count] = j;
            values[count++] = keep == SKEWED && j > i ? 0.5 * full[k] : full[k];
        }
    }
#define PART(word) ((void)snprintf(part, sizeof part, "%s/%s", name, word), part)
    put(file, PART("nzmax"), H5T_NATIVE_INT, &count, 1);
    put(file, PART("m"), H5T_NATIVE_INT, &n, 1);
    put(file, PART("n"), H5T_NATIVE_INT, &n, 1);
    put(file, PART("nz"), H5T_NATIVE_INT, &count, 1);
    put(file, PART("p"), H5T_NATIVE_INT, columns, count);
    put(file, PART("i"), H5T_NATIVE_INT, rows, count);
    put(file, PART("x"), H5T_NATIVE_DOUBLE, values, count);
#undef PART
}

// Two contacts, in the local form or in the global one with H = 1.
static hf_status read_back(bool local, const double *matrix, int keep, hf_fclib *read,
                           hf_error *error)
{
    const double q[6] = {-1.0, 0.2, 0.1, -1.5, 0.3, -0.4}, mu[2] = {0.3, 0.6}, zero[6] = {0.0};
    const double one[36] = {[0] = 1.0, [7] = 1.0, [14] = 1.0, [21] = 1.0, [28] = 1.0, [35] = 1.0};
    const int three = 3;
    hid_t file = H5Fcreate(scratch(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    if (local) {
        put(file, "fclib_local/spacedim", H5T_NATIVE_INT, &three, 1);
        put_matrix(file, "fclib_local/W", matrix, 6, keep);
        put(file, "fclib_local/vectors/q", H5T_NATIVE_DOUBLE, q, 6);
        put(file, "fclib_local/vectors/mu", H5T_NATIVE_DOUBLE, mu, 2);
    } else {
        put(file, "fclib_global/spacedim", H5T_NATIVE_INT, &three, 1);
        put_matrix(file, "fclib_global/M", matrix, 6, keep);
        put_matrix(file, "fclib_global/H", one, 6, WHOLE);
        put(file, "fclib_global/vectors/f", H5T_NATIVE_DOUBLE, q, 6);
        put(file, "fclib_global/vectors/w", H5T_NATIVE_DOUBLE, zero, 6);
        put(file, "fclib_global/vectors/mu", H5T_NATIVE_DOUBLE, mu, 2);
    }
    (void)H5Fclose(file);
    hf_status status = hf_fclib_read(scratch(), read, error);
    (void)remove(scratch());
    return status;
}

// A file with one triangle is the same problem as one with the whole matrix, to the bit; a matrix
// that is neither is refused, in both forms.
static void triangles_are_completed(void **state)
{
    (void)state;
    double full[36];
    for (int k = 0; k < 36; ++k) {
        int i = k / 6, j = k % 6;
        full[k] = i == j ? 3.0 + i : 0.1 * (1 + i + j);
    }
    for (int local = 0; local < 2; ++local) {
        hf_fclib whole, part;
        hf_error error = {0};
        assert_int_equal(read_back(local == 1, full, WHOLE, &whole, &error), HF_OK);
        for (int keep = LOWER; keep <= UPPER; ++keep) {
            if (read_back(local == 1, full, keep, &part, &error) != HF_OK) {
                fail_msg("%s", error.text);
            }
            assert_int_equal(part.problem->start[2], whole.problem->start[2]);
            assert_memory_equal(part.problem->w, whole.problem->w, 36 * sizeof(double));
            assert_memory_equal(part.problem->q, whole.problem->q, 6 * sizeof(double));
            hf_fclib_clear(&part);
        }
        assert_true(read_back(local == 1, full, SKEWED, &part, &error) < 0);
        assert_non_null(strstr(error.text, "is neither symmetric nor one triangle"));
        hf_fclib_clear(&whole);
    }
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
    hf_check_below(hf_fc3d_residual(file.problem, HF_FC3D_STRICTER, r, u), 1e-8, name,
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
        cmocka_unit_test(planar_problems_are_widened),
        cmocka_unit_test(rolling_from_files),
        cmocka_unit_test(wrong_files_are_refused),
        cmocka_unit_test(triangles_are_completed),
        cmocka_unit_test(the_collection_is_solved),
        cmocka_unit_test(entries_outside_are_refused),
    };
    return hf_run_tests(tests);
}
