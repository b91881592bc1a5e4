// SPDX-License-Identifier: Apache-2.0
// Writing FCLIB's files; see holdfast/fclib.h.
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "fclib/fclib_file.h"

static bool write_numbers(hid_t file, const char *name, hid_t type, const void *values,
                          size_t count)
{
    hsize_t size = count;
    hid_t space = H5Screate_simple(1, &size, NULL), links = H5Pcreate(H5P_LINK_CREATE);
    (void)H5Pset_create_intermediate_group(links, 1);
    hid_t dataset = H5Dcreate2(file, name, type, space, links, H5P_DEFAULT, H5P_DEFAULT);
    bool good = dataset >= 0 &&
                (count == 0 || H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    (void)H5Dclose(dataset);
    (void)H5Pclose(links);
    (void)H5Sclose(space);
    return good;
}

static bool write_int(hid_t file, const char *name, int value)
{
    return write_numbers(file, name, H5T_NATIVE_INT, &value, 1);
}

static bool write_text(hid_t file, const char *name, const char *text)
{
    size_t length = strlen(text);
    hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    hid_t links = H5Pcreate(H5P_LINK_CREATE);
    (void)H5Pset_create_intermediate_group(links, 1);
    (void)H5Tset_size(type, length == 0 ? 1 : length);
    hid_t dataset = H5Dcreate2(file, name, type, space, links, H5P_DEFAULT, H5P_DEFAULT);
    bool good = dataset >= 0 && H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0;
    (void)H5Dclose(dataset);
    (void)H5Pclose(links);
    (void)H5Sclose(space);
    (void)H5Tclose(type);
    return good;
}

// W as compressed rows of single numbers.
static bool write_matrix(hid_t file, const hf_fc3d_problem *p, hf_arena *arena)
{
    size_t n = 3 * (size_t)p->contacts, count = 9 * (size_t)p->start[p->contacts];
    int *begin = hf_arena_alloc(arena, n + 1, sizeof(int));
    int *index = hf_arena_alloc(arena, count + 1, sizeof(int));
    double *value = hf_arena_alloc(arena, count + 1, sizeof(double));
    if (begin == NULL || index == NULL || value == NULL) {
        return false;
    }
    int used = 0;
    for (int i = 0; i < p->contacts; ++i) {
        for (int a = 0; a < 3; ++a) {
            for (int k = p->start[i]; k < p->start[i + 1]; ++k) {
                for (int b = 0; b < 3; ++b) {
                    index[used] = 3 * p->column[k] + b;
                    value[used++] = p->w[9 * (size_t)k + 3 * (size_t)a + (size_t)b];
                }
            }
            begin[3 * i + a + 1] = used;
        }
    }
    return write_int(file, "fclib_local/W/nzmax", used) &&
           write_int(file, "fclib_local/W/m", (int)n) &&
           write_int(file, "fclib_local/W/n", (int)n) && write_int(file, "fclib_local/W/nz", -2) &&
           write_numbers(file, "fclib_local/W/p", H5T_NATIVE_INT, begin, n + 1) &&
           write_numbers(file, "fclib_local/W/i", H5T_NATIVE_INT, index, count) &&
           write_numbers(file, "fclib_local/W/x", H5T_NATIVE_DOUBLE, value, count);
}

static bool write_solution(hid_t file, const hf_fc3d_problem *p, const double *r, hf_arena *arena)
{
    size_t n = 3 * (size_t)p->contacts;
    double *u = hf_arena_alloc(arena, n + 1, sizeof(double));
    if (u == NULL) {
        return false;
    }
    hf_fc3d_velocity(p, r, u);
    return write_numbers(file, "solution/r", H5T_NATIVE_DOUBLE, r, n) &&
           write_numbers(file, "solution/u", H5T_NATIVE_DOUBLE, u, n);
}

hf_status hf_fclib_write(const char *path, const hf_fc3d_problem *problem, const char *title,
                         const char *description, const double *r, hf_error *error)
{
    HF_TRY(hf_fc3d_problem_check(problem, error));
    hf_fclib_quiet quiet = hf_fclib_enter();
    hf_arena arena = {0};
    hf_status status = HF_OK;
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    if (file < 0) {
        status = hf_error_set(error, HF_ERROR_FILE, "%.300s: cannot create", path);
    } else {
        size_t contacts = (size_t)problem->contacts;
        bool good = write_int(file, "fclib_local/spacedim", 3) &&
                    write_matrix(file, problem, &arena) &&
                    write_numbers(file, "fclib_local/vectors/q", H5T_NATIVE_DOUBLE, problem->q,
                                  3 * contacts) &&
                    write_numbers(file, "fclib_local/vectors/mu", H5T_NATIVE_DOUBLE, problem->mu,
                                  contacts) &&
                    write_text(file, "fclib_local/info/title", title) &&
                    write_text(file, "fclib_local/info/description", description) &&
                    write_text(file, "fclib_local/info/math_info", "") &&
                    (r == NULL || write_solution(file, problem, r, &arena));
        if (H5Fclose(file) < 0 || !good) {
            status = hf_error_set(error, HF_ERROR_FILE, "%.300s: cannot write", path);
        }
    }
    hf_arena_free(&arena);
    hf_fclib_leave(quiet);
    return status;
}
