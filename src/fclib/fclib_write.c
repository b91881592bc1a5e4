// SPDX-License-Identifier: Apache-2.0
// Writing FCLIB's files; see holdfast/fclib.h.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/discard.h"
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
    const double residual[2] = {hf_fc3d_residual(p, HF_FC3D_NATURAL, r, u),
                                hf_fc3d_residual(p, HF_FC3D_SCALED, r, u)};
    return write_numbers(file, "solution/r", H5T_NATIVE_DOUBLE, r, n) &&
           write_numbers(file, "solution/u", H5T_NATIVE_DOUBLE, u, n) &&
           write_numbers(file, "solution/residual", H5T_NATIVE_DOUBLE, residual, 2);
}

static bool write_problem(hid_t file, const hf_fc3d_problem *problem, const char *title,
                          const char *description, const double *r)
{
    size_t contacts = (size_t)problem->contacts;
    hf_arena arena = {0};
    bool good =
        write_int(file, "fclib_local/spacedim", 3) && write_matrix(file, problem, &arena) &&
        write_numbers(file, "fclib_local/vectors/q", H5T_NATIVE_DOUBLE, problem->q, 3 * contacts) &&
        write_numbers(file, "fclib_local/vectors/mu", H5T_NATIVE_DOUBLE, problem->mu, contacts) &&
        write_text(file, "fclib_local/info/title", title) &&
        write_text(file, "fclib_local/info/description", description) &&
        write_text(file, "fclib_local/info/math_info", "") &&
        (r == NULL || write_solution(file, problem, r, &arena));
    hf_arena_free(&arena);
    return good;
}

// The bytes of a file that is in memory. NULL: out of memory.
static void *image_of(hid_t file, size_t *size)
{
    ssize_t wanted = H5Fflush(file, H5F_SCOPE_GLOBAL) < 0 ? -1 : H5Fget_file_image(file, NULL, 0);
    void *bytes = wanted > 0 ? malloc((size_t)wanted) : NULL;
    if (bytes != NULL && H5Fget_file_image(file, bytes, (size_t)wanted) != wanted) {
        free(bytes);
        bytes = NULL;
    }
    *size = bytes == NULL ? 0 : (size_t)wanted;
    return bytes;
}

static hf_status save(const char *path, const void *bytes, size_t size, hf_error *error)
{
    errno = 0;
    FILE *file = fopen(path, "wb");
    if (file == NULL) {
        return hf_error_set(error, HF_ERROR_FILE, "%.300s: cannot create: %s", path,
                            strerror(errno));
    }
    bool good = fwrite(bytes, 1, size, file) == size;
    int number = errno;
    if (fclose(file) != 0 && good) {
        number = errno;
        good = false;
    }
    if (good) {
        return HF_OK;
    }
    hf_discard(path);
    return hf_error_set(error, HF_ERROR_FILE, "%.300s: cannot write: %s", path, strerror(number));
}

hf_status hf_fclib_write(const char *path, const hf_fc3d_problem *problem, const char *title,
                         const char *description, const double *r, hf_error *error)
{
    enum { GROWTH = 1 << 16 }; // of the file in memory, at a time
    HF_TRY(hf_fc3d_problem_check(problem, error));
    hf_fclib_quiet quiet = hf_fclib_enter();
    // In memory first: HDF5 does not recover from a disk that is full, and does not say why.
    hid_t access = H5Pcreate(H5P_FILE_ACCESS), file = -1;
    if (access >= 0 && H5Pset_fapl_core(access, GROWTH, false) >= 0) {
        file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    }
    size_t size = 0;
    bool good = file >= 0 && write_problem(file, problem, title, description, r);
    void *bytes = good ? image_of(file, &size) : NULL;
    (void)H5Fclose(file);
    (void)H5Pclose(access);
    hf_fclib_leave(quiet);
    hf_status status = bytes == NULL ? hf_error_set(error, HF_ERROR_MEMORY,
                                                    "out of memory for a problem of %d contacts",
                                                    problem->contacts)
                                     : save(path, bytes, size, error);
    free(bytes);
    return status;
}
