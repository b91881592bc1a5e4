// SPDX-License-Identifier: Apache-2.0
// Reading FCLIB's files; see holdfast/fclib.h.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "fclib/fclib_file.h"

typedef struct source {
    const char *path;
    hid_t file;
    const char *root; // "fclib_local", "fclib_global", or one of these with "_rolling"
    const char *mu_r; // the dataset of bounds on rolling; NULL: there are none
    hf_arena arena;
    int dimension;
    hf_error *error;
} source;

#define REFUSE(s, name, ...) hf_fclib_refuse((s)->error, (s)->path, name, __VA_ARGS__)

// ------------------------------------------------------------------------------------------------
// Datasets

// Opens root/name and counts its numbers.
static hf_status open_dataset(const source *s, const char *name, hid_t *dataset, hsize_t *count)
{
    *dataset = H5Dopen2(s->file, name, H5P_DEFAULT);
    if (*dataset < 0) {
        return REFUSE(s, name, "is missing");
    }
    hid_t type = H5Dget_type(*dataset), space = H5Dget_space(*dataset);
    H5T_class_t kind = H5Tget_class(type);
    hssize_t points = H5Sget_simple_extent_npoints(space);
    hsize_t stored = H5Dget_storage_size(*dataset);
    (void)H5Sclose(space);
    (void)H5Tclose(type);
    hf_status status = HF_OK;
    if (kind != H5T_INTEGER && kind != H5T_FLOAT) {
        status = REFUSE(s, name, "does not hold numbers");
    } else if (points < 0 || points > INT32_MAX || (points > 0 && stored == 0)) {
        status = REFUSE(s, name, "claims %lld numbers, and holds %llu bytes", (long long)points,
                        (unsigned long long)stored);
    }
    *count = points < 0 ? 0 : (hsize_t)points;
    if (status != HF_OK) {
        (void)H5Dclose(*dataset);
        *dataset = -1;
    }
    return status;
}

static hf_status read_numbers(source *s, const char *name, hid_t type, size_t size, void *result,
                              int *count)
{
    hid_t dataset = -1;
    hsize_t found = 0;
    HF_TRY(open_dataset(s, name, &dataset, &found));
    void *values = hf_arena_alloc(&s->arena, (size_t)found + 1, size);
    hf_status status = HF_OK;
    if (values == NULL) {
        status = hf_error_set(s->error, HF_ERROR_MEMORY, "%.200s: out of memory", s->path);
    } else if (found > 0 && H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0) {
        status = REFUSE(s, name, "cannot be read");
    }
    (void)H5Dclose(dataset);
    memcpy(result, &values, sizeof values);
    *count = (int)found;
    return status;
}

static hf_status read_doubles(source *s, const char *name, double **values, int expected)
{
    int count = 0;
    HF_TRY(read_numbers(s, name, H5T_NATIVE_DOUBLE, sizeof(double), values, &count));
    return count == expected ? HF_OK
                             : REFUSE(s, name, "has %d numbers, expected %d", count, expected);
}

static hf_status read_int(source *s, const char *name, int *value)
{
    int *values = NULL, count = 0;
    HF_TRY(read_numbers(s, name, H5T_NATIVE_INT, sizeof(int), &values, &count));
    if (count != 1) {
        return REFUSE(s, name, "has %d numbers, expected 1", count);
    }
    *value = values[0];
    return HF_OK;
}

static bool exists(const source *s, const char *path)
{
    char part[200];
    for (const char *c = path;; ++c) {
        if (*c == '/' || *c == '\0') {
            (void)snprintf(part, sizeof part, "%.*s", (int)(c - path), path);
            if (H5Lexists(s->file, part, H5P_DEFAULT) <= 0) {
                return false;
            }
        }
        if (*c == '\0') {
            return true;
        }
    }
}

// Text of root/name; "" when there is none.
static char *read_text(const source *s, const char *name)
{
    size_t size = 0;
    char *text = NULL;
    hid_t dataset = exists(s, name) ? H5Dopen2(s->file, name, H5P_DEFAULT) : -1;
    if (dataset >= 0) {
        hid_t type = H5Dget_type(dataset);
        bool plain = H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) <= 0;
        size = plain ? H5Tget_size(type) : 0;
        text = calloc((size < 1 << 20 ? size : 0) + 1, 1);
        if (text != NULL && size > 0 && size < 1 << 20 &&
            H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) < 0) {
            text[0] = '\0';
        }
        (void)H5Tclose(type);
        (void)H5Dclose(dataset);
    }
    return dataset < 0 ? calloc(1, 1) : text;
}

// ------------------------------------------------------------------------------------------------
// Matrices

// Sorts entries by column: `major` are the columns, `minor` the rows.
static hf_status compress(source *s, const char *name, int count, const int *rows,
                          const int *columns, const double *values, hf_fc3d_matrix *m)
{
    int *start = hf_arena_alloc(&s->arena, (size_t)m->columns + 2, sizeof(int));
    int *row = hf_arena_alloc(&s->arena, (size_t)count + 1, sizeof(int));
    double *value = hf_arena_alloc(&s->arena, (size_t)count + 1, sizeof(double));
    if (start == NULL || row == NULL || value == NULL) {
        return hf_error_set(s->error, HF_ERROR_MEMORY, "%.200s: out of memory", s->path);
    }
    for (int k = 0; k < count; ++k) {
        if (rows[k] < 0 || rows[k] >= m->rows || columns[k] < 0 || columns[k] >= m->columns) {
            return REFUSE(s, name, "has an entry (%d, %d) outside %d x %d", rows[k], columns[k],
                          m->rows, m->columns);
        }
        ++start[columns[k] + 2];
    }
    for (int j = 0; j < m->columns; ++j) {
        start[j + 2] += start[j + 1];
    }
    for (int k = 0; k < count; ++k) {
        int at = start[columns[k] + 1]++;
        row[at] = rows[k];
        value[at] = values[k];
    }
    m->start = start;
    m->row = row;
    m->value = value;
    return HF_OK;
}

// One index for each entry from where each row or column begins.
static hf_status expand(source *s, const char *name, const int *begin, int begins, int lines,
                        int count, int **index)
{
    bool good = begins == lines + 1 && begin[0] == 0 && begin[lines] == count;
    *index = hf_arena_alloc(&s->arena, (size_t)count + 1, sizeof(int));
    if (*index == NULL) {
        return hf_error_set(s->error, HF_ERROR_MEMORY, "%.200s: out of memory", s->path);
    }
    for (int j = 0; good && j < lines; ++j) {
        good = begin[j + 1] >= begin[j] && begin[j + 1] <= count;
        for (int k = begin[j]; good && k < begin[j + 1]; ++k) {
            (*index)[k] = j;
        }
    }
    return good ? HF_OK : REFUSE(s, name, "has wrong beginnings of rows or columns (p)");
}

static hf_status read_matrix(source *s, const char *matrix, hf_fc3d_matrix *m)
{
    char name[100];
    int nz = 0, p_count = 0, i_count = 0, *p = NULL, *i = NULL, *lines = NULL;
    double *x = NULL;
#define PART(part) ((void)snprintf(name, sizeof name, "%s/%s/%s", s->root, matrix, part), name)
    HF_TRY(read_int(s, PART("m"), &m->rows));
    HF_TRY(read_int(s, PART("n"), &m->columns));
    HF_TRY(read_int(s, PART("nz"), &nz));
    HF_TRY(read_numbers(s, PART("p"), H5T_NATIVE_INT, sizeof(int), &p, &p_count));
    HF_TRY(read_numbers(s, PART("i"), H5T_NATIVE_INT, sizeof(int), &i, &i_count));
    HF_TRY(read_doubles(s, PART("x"), &x, i_count));
#undef PART
    (void)snprintf(name, sizeof name, "%s/%s", s->root, matrix);
    if (m->rows < 0 || m->columns < 0 || m->rows > INT32_MAX / 16 || m->columns > INT32_MAX / 16 ||
        nz < -2 || (nz >= 0 && nz != p_count) || (nz >= 0 && nz > i_count)) {
        return REFUSE(s, name, "has no possible size (m = %d, n = %d, nz = %d)", m->rows,
                      m->columns, nz);
    }
    if (nz >= 0) {
        return compress(s, name, nz, i, p, x, m);
    }
    HF_TRY(expand(s, name, p, p_count, nz == -1 ? m->columns : m->rows, i_count, &lines));
    return nz == -1 ? compress(s, name, i_count, i, lines, x, m)
                    : compress(s, name, i_count, lines, i, x, m);
}

// ------------------------------------------------------------------------------------------------
// Two dimensions to three: contact c's coordinates 2c, 2c + 1 become 3c, 3c + 1. Five to six: 5c to
// 5c + 2 become 6c to 6c + 2, the last two 6c + 4 and 6c + 5.

static int widened(const source *s, int index)
{
    int contact = index / s->dimension, k = index % s->dimension;
    return s->dimension == 2 ? 3 * contact + k : 6 * contact + (k < 3 ? k : k + 1);
}

static bool is_wider(const source *s)
{
    return s->dimension != 3;
}

// Numbers of a contact in the problem.
static int width_of(const source *s)
{
    return s->dimension == 5 ? 6 : 3;
}

static double *widen_vector(source *s, const double *from, int contacts)
{
    size_t room = (size_t)width_of(s) * (size_t)contacts + 1;
    double *to = hf_arena_alloc(&s->arena, room, sizeof(double));
    for (int k = 0; to != NULL && k < s->dimension * contacts; ++k) {
        to[widened(s, k)] = from[k];
    }
    return to;
}

// Adds to W an idle coordinate for each contact, in two dimensions with the inverse mass of its
// tangent; to H, empty columns.
static hf_status widen_matrix(source *s, const char *name, bool rows_too, hf_fc3d_matrix *m)
{
    HF_ASSERT(m->start != NULL); // as read_matrix leaves it
    int count = m->start[m->columns], contacts = m->columns / s->dimension, used = 0;
    size_t room = (size_t)count + (size_t)contacts + 1;
    int *rows = hf_arena_alloc(&s->arena, room, sizeof(int));
    int *columns = hf_arena_alloc(&s->arena, room, sizeof(int));
    double *values = hf_arena_alloc(&s->arena, room, sizeof(double));
    if (rows == NULL || columns == NULL || values == NULL) {
        return hf_error_set(s->error, HF_ERROR_MEMORY, "%.200s: out of memory", s->path);
    }
    for (int j = 0; j < m->columns; ++j) {
        for (int k = m->start[j]; k < m->start[j + 1]; ++k) {
            rows[used] = rows_too ? widened(s, m->row[k]) : m->row[k];
            columns[used] = widened(s, j);
            values[used++] = m->value[k];
            if (rows_too && s->dimension == 2 && j % 2 == 1 && m->row[k] == j) {
                rows[used] = columns[used] = widened(s, j) + 1;
                values[used++] = m->value[k];
            }
        }
    }
    m->columns = width_of(s) * contacts;
    m->rows = rows_too ? width_of(s) * contacts : m->rows;
    return compress(s, name, used, rows, columns, values, m);
}

// ------------------------------------------------------------------------------------------------
// Problems

static hf_status read_contact_vector(source *s, const char *name, int contacts, double **values)
{
    HF_TRY(read_doubles(s, name, values, s->dimension * contacts));
    if (is_wider(s)) {
        *values = widen_vector(s, *values, contacts);
    }
    return *values != NULL
               ? HF_OK
               : hf_error_set(s->error, HF_ERROR_MEMORY, "%.200s: out of memory", s->path);
}

// root/vectors/mu; with rolling, each followed by its bound on that.
static hf_status read_bounds(source *s, int contacts, double **mu)
{
    char name[100];
    double *plain = NULL, *rolling = NULL;
    (void)snprintf(name, sizeof name, "%s/vectors/mu", s->root);
    HF_TRY(read_doubles(s, name, &plain, contacts));
    if (s->dimension != 5) {
        *mu = plain;
        return HF_OK;
    }
    HF_TRY(read_doubles(s, s->mu_r, &rolling, contacts));
    *mu = hf_arena_alloc(&s->arena, 2 * (size_t)contacts + 1, sizeof(double));
    if (*mu == NULL) {
        return hf_error_set(s->error, HF_ERROR_MEMORY, "%.200s: out of memory", s->path);
    }
    for (int i = 0; i < contacts; ++i) {
        (*mu)[2 * i] = plain[i];
        (*mu)[2 * i + 1] = rolling[i];
    }
    return HF_OK;
}

// A dataset of the problem.
static const char *dataset(const source *s, const char *name, char room[100])
{
    (void)snprintf(room, 100, "%s/%s", s->root, name);
    return room;
}

// What is wrong with a problem is wrong with its file.
static hf_status name_file(const source *s)
{
    hf_error wrong = *s->error;
    return hf_error_set(s->error, wrong.status, "%.200s: %.250s", s->path, wrong.text);
}

static hf_status read_local(source *s, hf_fclib *file)
{
    hf_fc3d_matrix w = {0};
    double *q = NULL, *mu = NULL;
    char name[100];
    HF_TRY(read_matrix(s, "W", &w));
    if (w.rows != w.columns || w.rows % s->dimension != 0) {
        return REFUSE(s, dataset(s, "W", name), "is %d x %d, not a square of %d rows a contact",
                      w.rows, w.columns, s->dimension);
    }
    int contacts = w.columns / s->dimension;
    if (contacts == 0) {
        return REFUSE(s, dataset(s, "W", name), "is empty: there are no contacts");
    }
    HF_TRY(read_contact_vector(s, dataset(s, "vectors/q", name), contacts, &q));
    HF_TRY(read_bounds(s, contacts, &mu));
    if (is_wider(s)) {
        HF_TRY(widen_matrix(s, dataset(s, "W", name), true, &w));
    }
    file->problem = hf_fc3d_problem_create(&w, q, mu, s->error);
    return file->problem == NULL ? name_file(s) : HF_OK;
}

static hf_status read_global(source *s, hf_fclib *file)
{
    hf_fc3d_global g = {0};
    double *f = NULL, *w = NULL, *mu = NULL;
    char name[100];
    // Matrices, which say how many contacts there are
    HF_TRY(read_matrix(s, "M", &g.mass));
    HF_TRY(read_matrix(s, "H", &g.map));
    if (g.map.columns % s->dimension != 0) {
        return REFUSE(s, dataset(s, "H", name), "has %d columns, not %d a contact", g.map.columns,
                      s->dimension);
    }
    int contacts = g.map.columns / s->dimension;
    if (contacts == 0) {
        return REFUSE(s, dataset(s, "H", name), "is empty: there are no contacts");
    }
    // Vectors, then contacts of three rows
    HF_TRY(read_doubles(s, dataset(s, "vectors/f", name), &f, g.mass.columns));
    HF_TRY(read_contact_vector(s, dataset(s, "vectors/w", name), contacts, &w));
    HF_TRY(read_bounds(s, contacts, &mu));
    if (is_wider(s)) {
        HF_TRY(widen_matrix(s, dataset(s, "H", name), false, &g.map));
    }
    g.contacts = g.map.columns / 3; // blocks: two a contact with rolling
    g.f = f;
    g.w = w;
    g.mu = mu;
    file->freedoms = g.mass.columns;
    file->problem = hf_fc3d_problem_reduce(&g, s->error);
    return file->problem == NULL ? name_file(s) : HF_OK;
}

// Whether a dataset exists and was ever written: FCLIB leaves unknown solutions empty.
static bool written(const source *s, const char *name)
{
    hid_t dataset = exists(s, name) ? H5Dopen2(s->file, name, H5P_DEFAULT) : -1;
    hsize_t stored = dataset < 0 ? 0 : H5Dget_storage_size(dataset);
    if (dataset >= 0) {
        (void)H5Dclose(dataset);
    }
    return stored > 0;
}

// r of a guess or solution, with memory of its own; NULL when there is none.
static hf_status read_reactions(source *s, const char *name, const hf_fclib *file, double **r)
{
    *r = NULL;
    if (!written(s, name)) {
        return HF_OK;
    }
    double *values = NULL;
    int contacts = file->problem->contacts; // blocks of three numbers
    HF_TRY(read_contact_vector(s, name, 3 * contacts / width_of(s), &values));
    *r = malloc((3 * (size_t)contacts + 1) * sizeof **r);
    if (*r == NULL) {
        return hf_error_set(s->error, HF_ERROR_MEMORY, "%.200s: out of memory", s->path);
    }
    memcpy(*r, values, 3 * (size_t)contacts * sizeof **r);
    return HF_OK;
}

// Which form the file has: local or global, perhaps in a group of its own for rolling; and where
// bounds on rolling are.
static hf_status find_form(source *s, bool *local)
{
    static const char *const roots[] = {"fclib_local", "fclib_global", "fclib_local_rolling",
                                        "fclib_global_rolling"};
    static const char *const bounds[][2] = {
        {"fclib_local/vectors/mu_r", "fclib_local/vectors/mur"},
        {"fclib_global/vectors/mu_r", "fclib_global/vectors/mur"},
        {"fclib_local_rolling/vectors/mu_r", "fclib_local_rolling/vectors/mur"},
        {"fclib_global_rolling/vectors/mu_r", "fclib_global_rolling/vectors/mur"}};
    for (int i = 0; i < 4 && s->root == NULL; ++i) {
        if (exists(s, roots[i])) {
            s->root = roots[i];
            *local = i % 2 == 0;
            s->mu_r = exists(s, bounds[i][1]) ? bounds[i][1] : bounds[i][0];
            s->mu_r = exists(s, s->mu_r) || i >= 2 ? s->mu_r : NULL;
        }
    }
    return s->root != NULL
               ? HF_OK
               : hf_error_set(s->error, HF_ERROR_FILE,
                              "%.300s: holds neither fclib_local nor fclib_global", s->path);
}

// The dimension: 2, 3, or 5 with rolling. Files of rolling in a group of their own may call it 3.
static hf_status read_dimension(source *s)
{
    char name[100];
    HF_TRY(read_int(s, dataset(s, "spacedim", name), &s->dimension));
    bool own = strstr(s->root, "_rolling") != NULL;
    s->dimension = own && s->dimension == 3 ? 5 : s->dimension;
    if (s->dimension == 5 && s->mu_r == NULL) {
        return REFUSE(s, name, "is 5, of friction of rolling, and there is no vectors/mu_r");
    }
    if (s->dimension != 5 && s->mu_r != NULL) {
        return REFUSE(s, s->mu_r, "is of friction of rolling, and spacedim is %d, not 5",
                      s->dimension);
    }
    if (s->dimension != 2 && s->dimension != 3 && s->dimension != 5) {
        return REFUSE(s, name, "is %d, expected 2, 3 or 5", s->dimension);
    }
    return HF_OK;
}

static hf_status read_all(source *s, hf_fclib *file)
{
    char name[100];
    // Its form, without equality constraints, and the dimension
    bool local = false;
    HF_TRY(find_form(s, &local));
    const char *constraints[] = {"V", "R", "G"};
    for (int i = local ? 0 : 2; i < (local ? 2 : 3); ++i) {
        if (exists(s, dataset(s, constraints[i], name))) {
            return REFUSE(s, name, "is of equality constraints, which are not supported");
        }
    }
    HF_TRY(read_dimension(s));
    file->dimension = s->dimension;
    HF_TRY(local ? read_local(s, file) : read_global(s, file));
    // What may be there besides: a guess, a solution, texts
    HF_TRY(read_reactions(s, "guesses/1/r", file, &file->guess));
    HF_TRY(read_reactions(s, "solution/r", file, &file->solution));
    char **texts[] = {&file->title, &file->description, &file->math_info};
    const char *names[] = {"title", "description", "math_info"};
    for (int i = 0; i < 3; ++i) {
        (void)snprintf(name, sizeof name, "%s/info/%s", s->root, names[i]);
        *texts[i] = read_text(s, name);
        if (*texts[i] == NULL) {
            return hf_error_set(s->error, HF_ERROR_MEMORY, "%.200s: out of memory", s->path);
        }
    }
    return HF_OK;
}

hf_status hf_fclib_read(const char *path, hf_fclib *file, hf_error *error)
{
    *file = (hf_fclib){0};
    hf_fclib_quiet quiet = hf_fclib_enter();
    source s = {.path = path, .error = error};
    s.file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    hf_status status = HF_OK;
    if (s.file < 0) {
        status = hf_fclib_cannot_open(error, path);
    } else {
        status = read_all(&s, file);
        (void)H5Fclose(s.file);
    }
    hf_arena_free(&s.arena);
    hf_fclib_leave(quiet);
    if (status != HF_OK) {
        hf_fclib_clear(file);
    }
    return status;
}

void hf_fclib_clear(hf_fclib *file)
{
    hf_fc3d_problem_destroy(file->problem);
    free(file->title);
    free(file->description);
    free(file->math_info);
    free(file->guess);
    free(file->solution);
    *file = (hf_fclib){0};
}
