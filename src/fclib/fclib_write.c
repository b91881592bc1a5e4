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

// How contacts are written: all three numbers of a block, or with rolling five of two blocks, which
// leaves the idle one out.
static bool is_idle(bool rolling, int index)
{
    return rolling && index % 6 == 3;
}

static int narrowed(bool rolling, int index)
{
    return rolling ? index / 6 * 5 + index % 6 - (index % 6 > 3 ? 1 : 0) : index;
}

// W as compressed rows of single numbers.
static bool write_matrix(hid_t file, const hf_fc3d_problem *p, bool rolling, hf_arena *arena)
{
    size_t n = 3 * (size_t)p->contacts, count = 9 * (size_t)p->start[p->contacts];
    int *begin = hf_arena_alloc(arena, n + 1, sizeof(int));
    int *index = hf_arena_alloc(arena, count + 1, sizeof(int));
    double *value = hf_arena_alloc(arena, count + 1, sizeof(double));
    if (begin == NULL || index == NULL || value == NULL) {
        return false;
    }
    // Rows that are not idle, their numbers, and where they end
    int used = 0, lines = 0;
    for (int row = 0; row < 3 * p->contacts; ++row) {
        for (int k = p->start[row / 3]; k < p->start[row / 3 + 1] && !is_idle(rolling, row); ++k) {
            for (int b = 0; b < 3; ++b) {
                int column = 3 * p->column[k] + b;
                if (!is_idle(rolling, column)) {
                    index[used] = narrowed(rolling, column);
                    value[used++] = p->w[9 * (size_t)k + 3 * (size_t)(row % 3) + (size_t)b];
                }
            }
        }
        lines += is_idle(rolling, row) ? 0 : 1;
        begin[lines] = used;
    }
    // nz = -2: compressed rows
    return write_int(file, "fclib_local/W/nzmax", used) &&
           write_int(file, "fclib_local/W/m", lines) && write_int(file, "fclib_local/W/n", lines) &&
           write_int(file, "fclib_local/W/nz", -2) &&
           write_numbers(file, "fclib_local/W/p", H5T_NATIVE_INT, begin, (size_t)lines + 1) &&
           write_numbers(file, "fclib_local/W/i", H5T_NATIVE_INT, index, (size_t)used) &&
           write_numbers(file, "fclib_local/W/x", H5T_NATIVE_DOUBLE, value, (size_t)used);
}

// Numbers of all contacts.
static bool write_rows(hid_t file, const char *name, const hf_fc3d_problem *p, bool rolling,
                       const double *x, hf_arena *arena)
{
    size_t n = 3 * (size_t)p->contacts, used = 0;
    double *rows = hf_arena_alloc(arena, n + 1, sizeof(double));
    for (size_t i = 0; rows != NULL && i < n; ++i) {
        if (!is_idle(rolling, (int)i)) {
            rows[used++] = x[i];
        }
    }
    return rows != NULL && write_numbers(file, name, H5T_NATIVE_DOUBLE, rows, used);
}

// mu, and mu_r where there is rolling.
static bool write_bounds(hid_t file, const hf_fc3d_problem *p, bool rolling, hf_arena *arena)
{
    size_t contacts = (size_t)p->contacts / (rolling ? 2 : 1);
    double *turn = hf_arena_alloc(arena, contacts + 1, sizeof(double));
    double *mu = hf_arena_alloc(arena, contacts + 1, sizeof(double));
    for (size_t i = 0; mu != NULL && turn != NULL && i < contacts; ++i) {
        mu[i] = p->mu[rolling ? 2 * i : i];
        turn[i] = rolling ? p->mu[2 * i + 1] : 0.0;
    }
    return mu != NULL && turn != NULL &&
           write_numbers(file, "fclib_local/vectors/mu", H5T_NATIVE_DOUBLE, mu, contacts) &&
           (!rolling ||
            write_numbers(file, "fclib_local/vectors/mu_r", H5T_NATIVE_DOUBLE, turn, contacts));
}

static bool write_solution(hid_t file, const hf_fc3d_problem *p, bool rolling, const double *r,
                           hf_arena *arena)
{
    double *u = hf_arena_alloc(arena, 3 * (size_t)p->contacts + 1, sizeof(double));
    if (u == NULL) {
        return false;
    }
    double (*judge)(const hf_fc3d_problem *, hf_fc3d_measure, const double *, double *) =
        rolling ? hf_fc3d_rolling_residual : hf_fc3d_residual;
    const double residual[2] = {judge(p, HF_FC3D_NATURAL, r, u), judge(p, HF_FC3D_SCALED, r, u)};
    return write_rows(file, "solution/r", p, rolling, r, arena) &&
           write_rows(file, "solution/u", p, rolling, u, arena) &&
           write_numbers(file, "solution/residual", H5T_NATIVE_DOUBLE, residual, 2);
}

// What is written.
typedef struct subject {
    const hf_fc3d_problem *problem;
    bool rolling;
    const char *title, *description;
    const double *r; // NULL: no solution
} subject;

static bool write_problem(hid_t file, const subject *s)
{
    hf_arena arena = {0};
    bool good =
        write_int(file, "fclib_local/spacedim", s->rolling ? 5 : 3) &&
        write_matrix(file, s->problem, s->rolling, &arena) &&
        write_rows(file, "fclib_local/vectors/q", s->problem, s->rolling, s->problem->q, &arena) &&
        write_bounds(file, s->problem, s->rolling, &arena) &&
        write_text(file, "fclib_local/info/title", s->title) &&
        write_text(file, "fclib_local/info/description", s->description) &&
        write_text(file, "fclib_local/info/math_info", "") &&
        (s->r == NULL || write_solution(file, s->problem, s->rolling, s->r, &arena));
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

static hf_status write_file(const char *path, const subject *s, hf_error *error)
{
    enum { GROWTH = 1 << 16 }; // of the file in memory, at a time
    HF_TRY(hf_fc3d_problem_check(s->problem, error));
    hf_fclib_quiet quiet = hf_fclib_enter();
    // In memory first: HDF5 does not recover from a disk that is full, and does not say why.
    hid_t access = H5Pcreate(H5P_FILE_ACCESS), file = -1;
    if (access >= 0 && H5Pset_fapl_core(access, GROWTH, false) >= 0) {
        file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    }
    size_t size = 0;
    bool good = file >= 0 && write_problem(file, s);
    void *bytes = good ? image_of(file, &size) : NULL;
    (void)H5Fclose(file);
    (void)H5Pclose(access);
    hf_fclib_leave(quiet);
    hf_status status = bytes == NULL ? hf_error_set(error, HF_ERROR_MEMORY,
                                                    "out of memory for a problem of %d contacts",
                                                    s->problem->contacts)
                                     : save(path, bytes, size, error);
    free(bytes);
    return status;
}

hf_status hf_fclib_write(const char *path, const hf_fc3d_problem *problem, const char *title,
                         const char *description, const double *r, hf_error *error)
{
    const subject s = {.problem = problem, .title = title, .description = description, .r = r};
    return write_file(path, &s, error);
}

hf_status hf_fclib_write_rolling(const char *path, const hf_fc3d_problem *problem,
                                 const char *title, const char *description, const double *r,
                                 hf_error *error)
{
    const subject s = {
        .problem = problem, .rolling = true, .title = title, .description = description, .r = r};
    if (problem->contacts % 2 != 0) {
        return hf_error_set(error, HF_ERROR_INPUT,
                            "a problem with friction of rolling has two blocks a contact, not %d",
                            problem->contacts);
    }
    return write_file(path, &s, error);
}
