// SPDX-License-Identifier: Apache-2.0
// HDF5: samples are gathered in memory and reach the datasets in blocks. All channels are columns
// of one dataset: an object of its own would cost each of them kilobytes of file and of memory.
//
// The format is the earliest that HDF5 writes: no flag in it says that a writer has the file open,
// so that every tool reads it at any moment. hdf5_file.h keeps it valid between and during flushes.
#include <hdf5.h>

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "record/hdf5_file.h"
#include "record/hdf5_frames.h"
#include "record/hdf5_guard.h"
#include "record/target.h"
#include "record/writer.h"

enum {
    CHUNK_BYTES = 1 << 19,    // at most; a short run of many channels stays a small file
    CHUNK_COLUMNS_MAX = 8192, // so that few rows of many channels fill it
    CHUNK_SAMPLES_MAX = 8192,
    TREE_HALF_RANK = 50 // 24 + 100 * 8 + 101 * 32 = 4056 bytes a node of two dimensions: one page
};

typedef struct hdf5 {
    hf_writer writer; // first: the two share their address
    char *path;
    hf_target target;
    hid_t driver, file, root;
    hid_t time, values;     // values negative: no channels
    int count;              // channels
    hsize_t written;        // samples in the datasets
    size_t held;            // samples in the buffers
    size_t chunk;           // samples in a chunk, and in the buffers
    double *times;          // [chunk]
    double *rows;           // [chunk][count]
    hf_hdf5_frames *frames; // NULL: none are kept
} hdf5;

static hf_status fail(const hdf5 *h, hf_error *error)
{
    return hf_hdf5_fail(error, h->path, "cannot write");
}

// ------------------------------------------------------------------------------------------------
// Attributes

herr_t hf_hdf5_put_string(hid_t object, const char *name, const char *text)
{
    hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    hid_t attribute = -1;
    if (type >= 0 && H5Tset_size(type, H5T_VARIABLE) >= 0 &&
        H5Tset_cset(type, H5T_CSET_UTF8) >= 0) {
        attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    }
    herr_t result = attribute < 0 ? -1 : H5Awrite(attribute, type, &text);
    hid_t errors = hf_hdf5_save_errors();
    (void)H5Aclose(attribute);
    (void)H5Sclose(space);
    (void)H5Tclose(type);
    hf_hdf5_restore_errors(errors);
    return result;
}

// Creates the attribute, or overwrites it in place.
static herr_t put_scalar(hid_t object, const char *name, hid_t file_type, hid_t type,
                         const void *value)
{
    hid_t attribute = -1, space = H5Screate(H5S_SCALAR);
    htri_t there = H5Aexists(object, name);
    if (there > 0) {
        attribute = H5Aopen(object, name, H5P_DEFAULT);
    } else if (there == 0) {
        attribute = H5Acreate2(object, name, file_type, space, H5P_DEFAULT, H5P_DEFAULT);
    }
    herr_t result = attribute < 0 ? -1 : H5Awrite(attribute, type, value);
    hid_t errors = hf_hdf5_save_errors();
    (void)H5Aclose(attribute);
    (void)H5Sclose(space);
    hf_hdf5_restore_errors(errors);
    return result;
}

static herr_t put_number(hid_t object, const char *name, double value)
{
    return put_scalar(object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &value);
}

static herr_t put_count(hid_t object, const char *name, long long value)
{
    return put_scalar(object, name, H5T_STD_I64LE, H5T_NATIVE_LLONG, &value);
}

static bool put_end(const hdf5 *h, const hf_run_end *end)
{
    return put_count(h->root, "samples", end->samples) >= 0 &&
           put_count(h->root, "steps", end->steps) >= 0 &&
           put_count(h->root, "evaluations", end->evaluations) >= 0 &&
           put_number(h->root, "energy_residual", end->energy_residual) >= 0 &&
           put_count(h->root, "completed", end->completed ? 1 : 0) >= 0;
}

static bool put_summary(const hdf5 *h, const hf_run_end *end)
{
    return h->frames == NULL || end->summary == NULL ||
           hf_hdf5_frames_put_summary(h->frames, end->summary);
}

// The end-of-run attributes are there from the beginning: later they only change in place.
static bool put_facts(const hdf5 *h, const hf_run_facts *facts)
{
    const hf_run_end end = {.energy_residual = (double)NAN};
    return hf_hdf5_put_string(h->root, "title", facts->title) >= 0 &&
           hf_hdf5_put_string(h->root, "model", facts->model) >= 0 &&
           hf_hdf5_put_string(h->root, "version", HF_VERSION) >= 0 &&
           hf_hdf5_put_string(h->root, "method", facts->method) >= 0 &&
           put_count(h->root, "layout", HF_HDF5_LAYOUT) >= 0 &&
           put_number(h->root, "step", facts->step) >= 0 &&
           put_number(h->root, "duration", facts->duration) >= 0 &&
           hf_hdf5_put_string(h->root, "created_by", "holdfast " HF_VERSION) >= 0 &&
           put_end(h, &end);
}

// ------------------------------------------------------------------------------------------------
// Samples

// Appends `held` rows of `columns` numbers to a dataset that has `written` of them.
static bool extend(hid_t dataset, int rank, hsize_t written, hsize_t held, hsize_t columns,
                   const double *values)
{
    const hsize_t size[2] = {written + held, columns}, start[2] = {written, 0};
    const hsize_t count[2] = {held, columns};
    hid_t memory = H5Screate_simple(rank, count, NULL), place = H5Screate_simple(rank, size, NULL);
    bool good = memory >= 0 && place >= 0 &&
                H5Sselect_hyperslab(place, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
                H5Dset_extent(dataset, size) >= 0 &&
                H5Dwrite(dataset, H5T_NATIVE_DOUBLE, memory, place, H5P_DEFAULT, values) >= 0;
    hid_t errors = hf_hdf5_save_errors();
    (void)H5Sclose(memory);
    (void)H5Sclose(place);
    hf_hdf5_restore_errors(errors);
    return good;
}

// Moves the buffers into the datasets.
static bool drain(hdf5 *h)
{
    if (h->held == 0) {
        return true;
    }
    bool good =
        (h->values < 0 || extend(h->values, 2, h->written, h->held, (hsize_t)h->count, h->rows)) &&
        extend(h->time, 1, h->written, h->held, 1, h->times);
    h->written += h->held;
    h->held = 0;
    return good;
}

static bool flush(hdf5 *h)
{
    return drain(h) && (h->frames == NULL || hf_hdf5_frames_drain(h->frames)) &&
           put_count(h->root, "samples", (long long)h->written) >= 0 &&
           H5Fflush(h->file, H5F_SCOPE_GLOBAL) >= 0;
}

static hf_status hdf5_sample(hf_writer *writer, const double *row, hf_error *error)
{
    hdf5 *h = (hdf5 *)writer;
    size_t count = (size_t)h->count;
    h->times[h->held] = row[0];
    memcpy(h->rows + h->held * count, row + 1, count * sizeof *row);
    h->held += 1;
    if (h->held < h->chunk) {
        return HF_OK;
    }
    // At once to the file: where the disk is full before the next, this much can be read.
    hf_hdf5_guard guard = hf_hdf5_enter();
    hf_status status = flush(h) ? HF_OK : fail(h, error);
    hf_hdf5_leave(guard);
    return status;
}

static hf_status hdf5_flush(hf_writer *writer, hf_error *error)
{
    hdf5 *h = (hdf5 *)writer;
    hf_hdf5_guard guard = hf_hdf5_enter();
    hf_status status = flush(h) ? HF_OK : fail(h, error);
    hf_hdf5_leave(guard);
    return status;
}

static hf_status hdf5_frame(hf_writer *writer, const hf_frame_rows *rows, hf_error *error)
{
    hdf5 *h = (hdf5 *)writer;
    if (h->frames == NULL) {
        return HF_OK;
    }
    hf_hdf5_guard guard = hf_hdf5_enter();
    hf_status status = hf_hdf5_frames_add(h->frames, rows) ? HF_OK : fail(h, error);
    hf_hdf5_leave(guard);
    return status;
}

static hf_status hdf5_event(hf_writer *writer, const double *row, hf_error *error)
{
    hdf5 *h = (hdf5 *)writer;
    if (h->frames == NULL) {
        return HF_OK;
    }
    hf_hdf5_guard guard = hf_hdf5_enter();
    hf_status status = hf_hdf5_frames_add_event(h->frames, row) ? HF_OK : fail(h, error);
    hf_hdf5_leave(guard);
    return status;
}

// ------------------------------------------------------------------------------------------------
// Opening and closing

// Closes what is open and frees. False when the file's close failed.
static bool dismantle(hdf5 *h)
{
    if (h->values >= 0) {
        (void)H5Dclose(h->values);
    }
    if (h->time >= 0) {
        (void)H5Dclose(h->time);
    }
    hf_hdf5_frames_destroy(h->frames);
    h->frames = NULL;
    if (h->root >= 0) {
        (void)H5Gclose(h->root);
    }
    bool good = h->file < 0 || H5Fclose(h->file) >= 0;
    if (h->driver >= 0) {
        (void)H5FDunregister(h->driver);
    }
    return good;
}

static void hdf5_free(hdf5 *h)
{
    free(h->times);
    free(h->rows);
    hf_target_close(&h->target);
    free(h->path);
    free(h);
}

static hf_status hdf5_close(hf_writer *writer, const hf_run_end *end, hf_error *error)
{
    hdf5 *h = (hdf5 *)writer;
    hf_hdf5_guard guard = hf_hdf5_enter();
    hf_status status = HF_OK;
    if (end != NULL && !(drain(h) && put_end(h, end) && put_summary(h, end) && flush(h))) {
        status = fail(h, error);
    }
    if (h->file >= 0 && (end == NULL || status != HF_OK)) {
        hf_hdf5_file_give_up(h->file);
    }
    if (!dismantle(h) && status == HF_OK && end != NULL) {
        status = fail(h, error);
    }
    hf_hdf5_leave(guard);
    hdf5_free(h);
    return status;
}

static bool create_file(hdf5 *h)
{
    hid_t creation = H5Pcreate(H5P_FILE_CREATE), access = H5Pcreate(H5P_FILE_ACCESS);
    if (creation >= 0 && access >= 0 && H5Pset_istore_k(creation, TREE_HALF_RANK) >= 0 &&
        H5Pset_libver_bounds(access, H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST) >= 0 &&
        H5Pset_alignment(access, HF_HDF5_PAGE / 2, HF_HDF5_PAGE) >= 0) {
        h->driver = hf_hdf5_file_select(access);
    }
    if (h->driver >= 0) {
        h->file = H5Fcreate(hf_target_place(&h->target), H5F_ACC_TRUNC, creation, access);
    }
    hid_t errors = hf_hdf5_save_errors();
    (void)H5Pclose(access);
    (void)H5Pclose(creation);
    hf_hdf5_restore_errors(errors);
    if (h->file >= 0) {
        h->root = H5Gopen2(h->file, "/", H5P_DEFAULT);
    }
    return h->root >= 0;
}

hid_t hf_hdf5_create_growing(hid_t parent, const char *name, hid_t type, int rank,
                             const hsize_t *chunk, hsize_t columns, const double *fill)
{
    const hsize_t none[2] = {0, columns}, most[2] = {H5S_UNLIMITED, columns};
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE), access = H5Pcreate(H5P_DATASET_ACCESS);
    hid_t space = H5Screate_simple(rank, none, most), dataset = -1;
    // Blocks go straight to the file: a chunk cache would keep a megabyte.
    if (creation >= 0 && access >= 0 && space >= 0 && H5Pset_chunk(creation, rank, chunk) >= 0 &&
        (fill == NULL || H5Pset_fill_value(creation, H5T_NATIVE_DOUBLE, fill) >= 0) &&
        H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER) >= 0 &&
        H5Pset_obj_track_times(creation, false) >= 0 &&
        H5Pset_chunk_cache(access, 1, 0, 1.0) >= 0) {
        dataset = H5Dcreate2(parent, name, type, space, H5P_DEFAULT, creation, access);
    }
    hid_t errors = hf_hdf5_save_errors();
    (void)H5Sclose(space);
    (void)H5Pclose(access);
    (void)H5Pclose(creation);
    hf_hdf5_restore_errors(errors);
    return dataset;
}

// Texts of one length, filled up with zeros, in the order of the columns. `bytes`: all of them.
static bool write_texts(hid_t root, const char *name, size_t length, hsize_t count,
                        const char *bytes)
{
    hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate_simple(1, &count, NULL), dataset = -1;
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    if (type >= 0 && space >= 0 && creation >= 0 && H5Tset_size(type, length) >= 0 &&
        H5Tset_cset(type, H5T_CSET_UTF8) >= 0 && H5Pset_obj_track_times(creation, false) >= 0) {
        dataset = H5Dcreate2(root, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    }
    bool good = dataset >= 0 && H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes) >= 0;
    hid_t errors = hf_hdf5_save_errors();
    (void)H5Dclose(dataset);
    (void)H5Pclose(creation);
    (void)H5Sclose(space);
    (void)H5Tclose(type);
    hf_hdf5_restore_errors(errors);
    return good;
}

bool hf_hdf5_put_texts(hid_t root, const char *name, const char *const *texts, int count)
{
    size_t length = 1, number = (size_t)count; // with the zero
    for (size_t i = 0; i < number; ++i) {
        size_t size = strlen(texts[i]) + 1;
        length = size > length ? size : length;
    }
    char *bytes = calloc(number, length);
    if (bytes == NULL) {
        return false;
    }
    for (size_t i = 0; i < number; ++i) {
        memcpy(bytes + i * length, texts[i], strlen(texts[i]));
    }
    bool good = write_texts(root, name, length, number, bytes);
    free(bytes);
    return good;
}

static bool create_datasets(hdf5 *h, const hf_run_facts *facts)
{
    const hsize_t rows[1] = {h->chunk};
    const double nan = (double)NAN;
    h->time = hf_hdf5_create_growing(h->root, "time", H5T_IEEE_F64LE, 1, rows, 1, &nan);
    if (h->time < 0 || hf_hdf5_put_string(h->time, "unit", "s") < 0) {
        return false;
    }
    if (h->count == 0) {
        return true;
    }
    hsize_t columns = (hsize_t)h->count, parts = (columns - 1) / CHUNK_COLUMNS_MAX + 1;
    const hsize_t chunk[2] = {h->chunk, (columns - 1) / parts + 1};
    h->values = hf_hdf5_create_growing(h->root, "values", H5T_IEEE_F64LE, 2, chunk, columns, &nan);
    return h->values >= 0 && hf_hdf5_put_texts(h->root, "names", facts->names, h->count) &&
           hf_hdf5_put_texts(h->root, "units", facts->units, h->count);
}

static bool create_frames(hdf5 *h, const hf_run_facts *facts)
{
    if (facts->scene == NULL) {
        return true;
    }
    h->frames = hf_hdf5_frames_create(h->root, facts);
    return h->frames != NULL;
}

// Samples in a chunk: what fits into CHUNK_BYTES with as many columns as a chunk has.
static size_t chunk_samples(int count)
{
    size_t columns = count < 1 ? 1 : count < CHUNK_COLUMNS_MAX ? (size_t)count : CHUNK_COLUMNS_MAX;
    size_t chunk = 1;
    while (chunk < CHUNK_SAMPLES_MAX && 2 * chunk * columns * sizeof(double) <= CHUNK_BYTES) {
        chunk *= 2;
    }
    return chunk;
}

static hdf5 *hdf5_allocate(const char *path, const hf_run_facts *facts)
{
    hdf5 *h = calloc(1, sizeof *h);
    if (h == NULL) {
        return NULL;
    }
    h->writer = (hf_writer){hdf5_sample, hdf5_frame, hdf5_event, hdf5_flush, hdf5_close};
    h->driver = h->file = h->root = h->time = h->values = -1;
    h->count = facts->count;
    h->target.lock = -1;
    h->chunk = facts->chunk != 0 ? facts->chunk : chunk_samples(h->count);
    h->path = strdup(path);
    h->times = calloc(h->chunk, sizeof *h->times);
    if ((size_t)h->count < SIZE_MAX / sizeof(double) / h->chunk) {
        h->rows = malloc(((size_t)h->count * h->chunk + 1) * sizeof *h->rows);
    }
    if (h->path == NULL || h->times == NULL || h->rows == NULL) {
        hdf5_free(h);
        return NULL;
    }
    return h;
}

hf_writer *hf_hdf5_create(const char *path, const hf_run_facts *facts, hf_error *error)
{
    // Memory, and a file beside the one that is asked for
    hdf5 *h = hdf5_allocate(path, facts);
    if (h == NULL) {
        (void)hf_error_set(error, HF_ERROR_MEMORY, "out of memory for %d channels", facts->count);
        return NULL;
    }
    if (hf_target_open(&h->target, path, error) != HF_OK) {
        hdf5_free(h);
        return NULL;
    }
    // All that a reader needs is there before the file gets its name
    hf_hdf5_guard guard = hf_hdf5_enter();
    const char *failed = NULL;
    bool revealed = false;
    if (!create_file(h)) {
        failed = "cannot create";
    } else if (!put_facts(h, facts) || !create_datasets(h, facts) || !create_frames(h, facts) ||
               !flush(h)) {
        failed = "cannot write";
    }
    // In its place, or nothing at all
    if (failed != NULL) {
        (void)hf_hdf5_fail(error, path, failed);
    } else {
        revealed = hf_target_reveal(&h->target, path, error) == HF_OK;
    }
    if (!revealed) {
        (void)hdf5_close(&h->writer, NULL, NULL);
        h = NULL;
    }
    hf_hdf5_leave(guard);
    return h == NULL ? NULL : &h->writer;
}
