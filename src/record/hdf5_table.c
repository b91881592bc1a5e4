// SPDX-License-Identifier: Apache-2.0
// Tables in HDF5: one contiguous dataset of a compound type. Nothing in the file tells when, where
// or by how many threads it was made: the same rows give the same bytes.
#include <hdf5.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "record/hdf5_file.h"
#include "record/hdf5_frames.h"
#include "record/hdf5_guard.h"
#include "record/table.h"

enum { BLOCK_BYTES = 1 << 20 };

typedef struct table {
    const hf_table_plan *plan;
    hid_t driver, file, type, space, dataset;
    size_t row_size; // [bytes]
    size_t *offsets; // of the columns in a row
    double *numbers;
    const char **texts;
    char *block; // rows waiting to be written
} table;

static hid_t text_type(size_t width)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    if (type >= 0 && (H5Tset_size(type, width) < 0 || H5Tset_cset(type, H5T_CSET_UTF8) < 0 ||
                      H5Tset_strpad(type, H5T_STR_NULLPAD) < 0)) {
        (void)H5Tclose(type);
        return -1;
    }
    return type;
}

// The compound type: columns beside each other without gaps.
static bool make_type(table *t)
{
    const hf_table_plan *plan = t->plan;
    for (int k = 0; k < plan->column_count; ++k) {
        size_t width = plan->columns[k].width;
        t->offsets[k] = t->row_size;
        t->row_size += width > 0 ? width : sizeof(double);
    }
    t->type = H5Tcreate(H5T_COMPOUND, t->row_size);
    bool good = t->type >= 0;
    for (int k = 0; good && k < plan->column_count; ++k) {
        size_t width = plan->columns[k].width;
        hid_t member = width > 0 ? text_type(width) : H5Tcopy(H5T_NATIVE_DOUBLE);
        good = member >= 0 && H5Tinsert(t->type, plan->columns[k].name, t->offsets[k], member) >= 0;
        if (member >= 0) {
            (void)H5Tclose(member);
        }
    }
    return good;
}

static bool put_columns(const table *t)
{
    const hf_table_plan *plan = t->plan;
    size_t count = (size_t)plan->column_count;
    const char **texts = calloc(count, sizeof *texts);
    bool good = texts != NULL;
    for (int part = 0; good && part < 3; ++part) {
        static const char *const names[] = {"names", "units", "roles"};
        for (size_t k = 0; k < count; ++k) {
            const hf_table_heading *column = &plan->columns[k];
            texts[k] = part == 0 ? column->name : part == 1 ? column->unit : column->role;
        }
        good = hf_hdf5_put_texts(t->file, names[part], texts, plan->column_count);
    }
    free((void *)texts);
    return good;
}

static bool put_facts(const table *t)
{
    hid_t root = H5Gopen2(t->file, "/", H5P_DEFAULT);
    bool good = root >= 0;
    for (int i = 0; good && i < t->plan->fact_count; ++i) {
        good = hf_hdf5_put_string(root, t->plan->facts[i].name, t->plan->facts[i].text) >= 0;
    }
    if (root >= 0) {
        (void)H5Gclose(root);
    }
    return good;
}

static bool create(table *t, const char *place)
{
    const hsize_t rows = (hsize_t)t->plan->rows;
    hid_t access = H5Pcreate(H5P_FILE_ACCESS), creation = H5Pcreate(H5P_DATASET_CREATE);
    bool good = access >= 0 && creation >= 0 &&
                H5Pset_libver_bounds(access, H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST) >= 0 &&
                H5Pset_obj_track_times(creation, false) >= 0 &&
                H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER) >= 0;
    // The driver of recordings: a full disk is an error, and HDF5 can close the file all the same.
    t->driver = good ? hf_hdf5_file_select(access) : -1;
    good = t->driver >= 0;
    t->file = good ? H5Fcreate(place, H5F_ACC_TRUNC, H5P_DEFAULT, access) : -1;
    good = t->file >= 0 && put_facts(t) && put_columns(t) && make_type(t) &&
           (t->space = H5Screate_simple(1, &rows, NULL)) >= 0;
    if (good) {
        t->dataset =
            H5Dcreate2(t->file, "table", t->type, t->space, H5P_DEFAULT, creation, H5P_DEFAULT);
    }
    hid_t errors = hf_hdf5_save_errors();
    (void)H5Pclose(access);
    (void)H5Pclose(creation);
    hf_hdf5_restore_errors(errors);
    return good && t->dataset >= 0;
}

// A row as it stands in the file.
static void pack(const table *t, char *row)
{
    for (int k = 0; k < t->plan->column_count; ++k) {
        size_t width = t->plan->columns[k].width;
        if (width > 0) {
            size_t length = strlen(t->texts[k]);
            memset(row + t->offsets[k], 0, width);
            memcpy(row + t->offsets[k], t->texts[k], length < width ? length : width);
        } else {
            memcpy(row + t->offsets[k], &t->numbers[k], sizeof(double));
        }
    }
}

static bool write_block(const table *t, hsize_t start, hsize_t count)
{
    hid_t memory = H5Screate_simple(1, &count, NULL);
    bool good = memory >= 0 &&
                H5Sselect_hyperslab(t->space, H5S_SELECT_SET, &start, NULL, &count, NULL) >= 0 &&
                H5Dwrite(t->dataset, t->type, memory, t->space, H5P_DEFAULT, t->block) >= 0;
    hid_t errors = hf_hdf5_save_errors();
    (void)H5Sclose(memory);
    hf_hdf5_restore_errors(errors);
    return good;
}

static hf_status write_rows(table *t, const char *path, hf_error *error)
{
    const hf_table_plan *plan = t->plan;
    size_t room = BLOCK_BYTES / t->row_size + 1, held = 0;
    t->block = malloc(room * t->row_size);
    if (t->block == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory for a table");
    }
    for (long long i = 0; i < plan->rows; ++i) {
        HF_TRY(plan->row(plan->context, i, t->numbers, t->texts, error));
        pack(t, t->block + held * t->row_size);
        ++held;
        if (held == room || i + 1 == plan->rows) {
            if (!write_block(t, (hsize_t)(i + 1 - (long long)held), held)) {
                return hf_hdf5_fail(error, path, "cannot write");
            }
            held = 0;
        }
    }
    return HF_OK;
}

static hf_status write_table(table *t, const char *place, const char *path, hf_error *error)
{
    if (t->offsets == NULL || t->numbers == NULL || t->texts == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory for a table");
    }
    if (!create(t, place)) {
        return hf_hdf5_fail(error, path, "cannot create");
    }
    HF_TRY(write_rows(t, path, error));
    return H5Fflush(t->file, H5F_SCOPE_GLOBAL) >= 0 ? HF_OK
                                                    : hf_hdf5_fail(error, path, "cannot write");
}

hf_status hf_hdf5_table_write(const char *place, const char *path, const hf_table_plan *plan,
                              hf_error *error)
{
    size_t count = (size_t)plan->column_count;
    hf_hdf5_guard guard = hf_hdf5_enter();
    table t = {.plan = plan,
               .driver = -1,
               .file = -1,
               .type = -1,
               .space = -1,
               .dataset = -1,
               .offsets = calloc(count, sizeof *t.offsets),
               .numbers = calloc(count, sizeof *t.numbers),
               .texts = calloc(count, sizeof *t.texts)};
    hf_status status = write_table(&t, place, path, error);
    if (t.file >= 0 && status != HF_OK) {
        hf_hdf5_file_give_up(t.file);
    }
    const hid_t ids[] = {t.dataset, t.space, t.type};
    (void)(ids[0] < 0 || H5Dclose(ids[0]) >= 0);
    (void)(ids[1] < 0 || H5Sclose(ids[1]) >= 0);
    (void)(ids[2] < 0 || H5Tclose(ids[2]) >= 0);
    if (t.file >= 0 && H5Fclose(t.file) < 0 && status == HF_OK) {
        status = hf_hdf5_fail(error, path, "cannot write");
    }
    if (t.driver >= 0) {
        (void)H5FDunregister(t.driver);
    }
    hf_hdf5_leave(guard);
    free(t.offsets);
    free(t.numbers);
    free((void *)t.texts);
    free(t.block);
    return status;
}
