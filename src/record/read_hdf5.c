// SPDX-License-Identifier: Apache-2.0
// HDF5 in. Accepts what hf_record writes, also after other tools have repacked or compressed it.
#include <hdf5.h>

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "record/hdf5_file.h"
#include "record/hdf5_guard.h"
#include "record/reader.h"
#include "record/source.h"

// No filter of HDF5 packs numbers more densely than deflate, 1032 to 1.
enum { LARGEST_RATIO = 1100, LONGEST_TEXT = 1 << 30 };

hf_status hf_source_fail(const hf_source *s, const char *where)
{
    char what[80];
    (void)snprintf(what, sizeof what, "cannot read '%.60s'", where);
    return hf_hdf5_fail(s->error, s->path, what);
}

hf_status hf_source_refuse(const hf_source *s, const char *where, const char *format, ...)
{
    char text[200];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return hf_error_set(s->error, HF_ERROR_INPUT, "%.200s: '%.80s' %.180s", s->path, where, text);
}

// ------------------------------------------------------------------------------------------------
// Attributes

static char *read_variable_text(hid_t attribute, hid_t type)
{
    char *found = NULL;
    hid_t memory = H5Tcopy(H5T_C_S1);
    bool good = memory >= 0 && H5Tset_size(memory, H5T_VARIABLE) >= 0 &&
                H5Tset_cset(memory, H5Tget_cset(type)) >= 0 &&
                H5Aread(attribute, memory, &found) >= 0;
    (void)H5Tclose(memory);
    char *text = good ? strdup(found == NULL ? "" : found) : NULL;
    if (good && found != NULL) {
        (void)H5free_memory(found);
    }
    return text;
}

static char *read_fixed_text(hid_t attribute, hid_t type)
{
    size_t size = H5Tget_size(type);
    if (size == 0 || size > LONGEST_TEXT) {
        return NULL;
    }
    char *text = calloc(size + 1, 1);
    if (text != NULL && H5Aread(attribute, type, text) < 0) {
        free(text);
        return NULL;
    }
    return text;
}

// A scalar text attribute, as a string to be freed; NULL when there is none, or none that is text.
char *hf_source_text(hid_t object, const char *name)
{
    char *text = NULL;
    if (H5Aexists(object, name) <= 0) {
        return NULL;
    }
    hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    hid_t type = attribute < 0 ? -1 : H5Aget_type(attribute);
    hid_t space = attribute < 0 ? -1 : H5Aget_space(attribute);
    if (type >= 0 && space >= 0 && H5Tget_class(type) == H5T_STRING &&
        H5Sget_simple_extent_npoints(space) == 1) {
        text = H5Tis_variable_str(type) > 0 ? read_variable_text(attribute, type)
                                            : read_fixed_text(attribute, type);
    }
    (void)H5Sclose(space);
    (void)H5Tclose(type);
    (void)H5Aclose(attribute);
    return text;
}

static bool read_count(hid_t object, const char *name, long long *value)
{
    if (H5Aexists(object, name) <= 0) {
        return false;
    }
    hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    hid_t type = attribute < 0 ? -1 : H5Aget_type(attribute);
    hid_t space = attribute < 0 ? -1 : H5Aget_space(attribute);
    bool good = type >= 0 && H5Tget_class(type) == H5T_INTEGER &&
                H5Sget_simple_extent_npoints(space) == 1 &&
                H5Aread(attribute, H5T_NATIVE_LLONG, value) >= 0;
    (void)H5Sclose(space);
    (void)H5Tclose(type);
    (void)H5Aclose(attribute);
    return good;
}

// ------------------------------------------------------------------------------------------------
// Datasets

hf_status hf_source_check(const hf_source *s, const char *name, hid_t dataset, hsize_t length)
{
    hid_t creation = H5Dget_create_plist(dataset);
    H5D_layout_t layout = creation < 0 ? H5D_LAYOUT_ERROR : H5Pget_layout(creation);
    int external = creation < 0 ? -1 : H5Pget_external_count(creation);
    int filters = creation < 0 ? -1 : H5Pget_nfilters(creation);
    (void)H5Pclose(creation);
    if (layout < 0 || external < 0 || filters < 0) {
        return hf_source_fail(s, name);
    }
    if (external > 0 ||
        (layout != H5D_CHUNKED && layout != H5D_CONTIGUOUS && layout != H5D_COMPACT)) {
        return hf_source_refuse(s, name, "keeps its numbers in another file");
    }
    unsigned long long stored = H5Dget_storage_size(dataset);
    if (stored > s->file_size) {
        return hf_source_refuse(s, name, "claims %llu bytes in a file of %llu", stored,
                                s->file_size);
    }
    unsigned long long least = length / (filters > 0 ? LARGEST_RATIO : 1);
    if (least > stored) { // at least one byte a number
        return hf_source_refuse(s, name, "claims %llu samples but holds only %llu bytes",
                                (unsigned long long)length, stored);
    }
    return HF_OK;
}

static hf_status read_numbers(const hf_source *s, const char *name, hid_t dataset,
                              long long samples, double **values)
{
    hsize_t start = 0, count = (hsize_t)samples;
    *values = malloc((size_t)(count + 1) * sizeof **values);
    if (*values == NULL) {
        return hf_source_refuse(s, name, "has %lld samples: out of memory", samples);
    }
    if (samples == 0) {
        return HF_OK;
    }
    hid_t place = H5Dget_space(dataset), memory = H5Screate_simple(1, &count, NULL);
    bool good = H5Sselect_hyperslab(place, H5S_SELECT_SET, &start, NULL, &count, NULL) >= 0 &&
                H5Dread(dataset, H5T_NATIVE_DOUBLE, memory, place, H5P_DEFAULT, *values) >= 0;
    hf_status status = good ? HF_OK : hf_source_fail(s, name);
    (void)H5Sclose(memory);
    (void)H5Sclose(place);
    return status;
}

// Checks a dataset's type and shape. *length: its samples.
static hf_status check_dataset(const hf_source *s, const char *name, hid_t dataset, hsize_t *length)
{
    hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
    H5T_class_t kind = type < 0 ? H5T_NO_CLASS : H5Tget_class(type);
    int rank = space < 0 ? -1 : H5Sget_simple_extent_ndims(space);
    if (rank == 1) {
        rank = H5Sget_simple_extent_dims(space, length, NULL);
    }
    (void)H5Sclose(space);
    (void)H5Tclose(type);
    if (kind != H5T_FLOAT && kind != H5T_INTEGER) {
        return hf_source_refuse(s, name, "does not hold numbers");
    }
    if (rank != 1) {
        return hf_source_refuse(s, name, "has %d dimensions, expected 1", rank);
    }
    if (*length > SIZE_MAX / sizeof(double) / 4) {
        return hf_source_refuse(s, name, "claims %llu samples", (unsigned long long)*length);
    }
    return hf_source_check(s, name, dataset, *length);
}

hid_t hf_source_open(const hf_source *s, const char *name)
{
    H5L_info_t link = {0};
    if (H5Lexists(s->file, name, H5P_DEFAULT) > 0 &&
        H5Lget_info(s->file, name, &link, H5P_DEFAULT) >= 0 && link.type != H5L_TYPE_HARD) {
        (void)hf_source_refuse(s, name, "is a link, not a dataset of this file");
        return -1;
    }
    hid_t dataset = H5Dopen2(s->file, name, H5P_DEFAULT);
    if (dataset < 0) {
        (void)hf_source_fail(s, name);
    }
    return dataset;
}

static hf_status read_time(const hf_source *s)
{
    hid_t dataset = hf_source_open(s, "/time");
    if (dataset < 0) {
        return s->error == NULL ? HF_ERROR_FILE : s->error->status;
    }
    hsize_t length = 0;
    hf_status status = check_dataset(s, "/time", dataset, &length);
    if (status == HF_OK) {
        s->recording->samples = (long long)length;
        status = read_numbers(s, "/time", dataset, s->recording->samples, &s->recording->time);
    }
    (void)H5Dclose(dataset);
    return status;
}

static hf_status read_channel(const hf_source *s, hid_t group, int index)
{
    const char *name = s->recording->names[index];
    // It must be a dataset
    H5O_info_t info = {0};
    if (H5Oget_info_by_name(group, name, &info, H5P_DEFAULT) < 0) {
        return hf_source_fail(s, name);
    }
    if (info.type != H5O_TYPE_DATASET) {
        return hf_source_refuse(s, name, "is not a dataset");
    }
    hid_t dataset = H5Dopen2(group, name, H5P_DEFAULT);
    if (dataset < 0) {
        return hf_source_fail(s, name);
    }
    // With a number for each time
    hsize_t length = 0;
    hf_status status = check_dataset(s, name, dataset, &length);
    if (status == HF_OK && length < (hsize_t)s->recording->samples) {
        status = hf_source_refuse(s, name, "has %llu samples, time has %lld",
                                  (unsigned long long)length, s->recording->samples);
    }
    if (status == HF_OK) {
        status =
            read_numbers(s, name, dataset, s->recording->samples, &s->recording->values[index]);
    }
    // Its unit, and its place among the columns
    s->recording->units[index] = hf_source_text(dataset, "unit");
    if (s->columns != NULL && !read_count(dataset, "column", &s->columns[index])) {
        s->columns[index] = index;
    }
    (void)H5Dclose(dataset);
    return status;
}

// ------------------------------------------------------------------------------------------------
// The file

static herr_t list_name(hid_t group, const char *name, const H5L_info_t *info, void *context)
{
    (void)group;
    hf_source *s = context;
    if (info->type != H5L_TYPE_HARD || s->listed >= s->recording->channel_count) {
        return -1;
    }
    s->recording->names[s->listed] = strdup(name);
    return s->recording->names[s->listed++] == NULL ? -1 : 0;
}

static hf_status list_channels(hf_source *s, hid_t group)
{
    H5G_info_t info = {0};
    if (H5Gget_info(group, &info) < 0) {
        return hf_source_fail(s, "/channels");
    }
    // A link takes more than eight bytes of the file.
    if (info.nlinks > HF_RECORDING_MAX_CHANNELS || info.nlinks > s->file_size / 8) {
        return hf_source_refuse(s, "/channels", "claims %llu channels",
                                (unsigned long long)info.nlinks);
    }
    HF_TRY(hf_recording_allocate(s->recording, (int)info.nlinks, s->error));
    s->columns = calloc((size_t)info.nlinks + 1, sizeof *s->columns);
    if (s->columns == NULL) {
        return hf_error_set(s->error, HF_ERROR_MEMORY, "out of memory for a recording");
    }
    if (H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, NULL, list_name, s) < 0 ||
        s->listed != s->recording->channel_count) {
        return hf_source_refuse(s, "/channels",
                                "holds a link that does not lead to a dataset of this file");
    }
    return HF_OK;
}

typedef struct column {
    long long key;
    int index;
    char *name, *unit;
    double *values;
} column;

static int compare_columns(const void *left, const void *right)
{
    const column *a = left, *b = right;
    if (a->key != b->key) {
        return a->key < b->key ? -1 : 1;
    }
    return a->index - b->index;
}

// Puts the channels in the order in which they were recorded.
static hf_status sort_channels(const hf_source *s)
{
    hf_recording *r = s->recording;
    size_t count = (size_t)r->channel_count;
    column *columns = calloc(count + 1, sizeof *columns);
    if (columns == NULL || (count > 0 && s->columns == NULL)) {
        free(columns);
        return hf_error_set(s->error, HF_ERROR_MEMORY, "out of memory for a recording");
    }
    for (size_t i = 0; i < count; ++i) {
        columns[i] = (column){s->columns[i], (int)i, r->names[i], r->units[i], r->values[i]};
    }
    qsort(columns, count, sizeof *columns, compare_columns);
    for (size_t i = 0; i < count; ++i) {
        r->names[i] = columns[i].name;
        r->units[i] = columns[i].unit;
        r->values[i] = columns[i].values;
    }
    free(columns);
    return HF_OK;
}

// Files of earlier versions: /channels has a dataset for each.
static hf_status read_channels(hf_source *s)
{
    hid_t group = H5Gopen2(s->file, "/channels", H5P_DEFAULT);
    if (group < 0) {
        return hf_source_fail(s, "/channels");
    }
    hf_status status = list_channels(s, group);
    for (int i = 0; status == HF_OK && i < s->recording->channel_count; ++i) {
        status = read_channel(s, group, i);
    }
    (void)H5Gclose(group);
    return status == HF_OK ? sort_channels(s) : status;
}

static hf_status read_file(hf_source *s)
{
    HF_TRY(read_time(s));
    long long layout = 1;
    if (read_count(s->file, "layout", &layout) && layout > HF_HDF5_LAYOUT) {
        return hf_source_refuse(s, "layout", "is %lld; this version reads up to %d", layout,
                                HF_HDF5_LAYOUT);
    }
    hf_status status = layout == HF_HDF5_LAYOUT ? hf_source_read_values(s) : read_channels(s);
    s->recording->title = hf_source_text(s->file, "title");
    s->recording->model_text = hf_source_text(s->file, "model");
    if (status == HF_OK) {
        hf_hdf5_read_frames(s->file, s->file_size, s->recording);
    }
    return status;
}

hf_status hf_hdf5_read(const char *path, hf_recording *recording, hf_error *error)
{
    struct stat found;
    if (stat(path, &found) != 0) {
        return hf_error_set(error, HF_ERROR_FILE, "%.300s: cannot open: %s", path, strerror(errno));
    }
    if (!S_ISREG(found.st_mode)) {
        return hf_error_set(error, HF_ERROR_FILE, "%.300s: not a file", path);
    }
    hf_hdf5_guard guard = hf_hdf5_enter();
    hf_source s = {.path = path,
                   .file_size = (unsigned long long)found.st_size,
                   .recording = recording,
                   .error = error};
    s.file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    hf_status status = HF_OK;
    if (s.file < 0) {
        status = hf_hdf5_fail(error, path, "cannot open as HDF5");
    } else {
        status = read_file(&s);
        (void)H5Fclose(s.file);
    }
    free(s.columns);
    hf_hdf5_leave(guard);
    return status;
}
