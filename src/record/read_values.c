// SPDX-License-Identifier: Apache-2.0
// The channels of an HDF5 recording: names, units, and one dataset with a column for each.
#include "record/source.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "record/reader.h"

enum { BLOCK_BYTES = 1 << 22, LONGEST_TEXT = 1 << 16 };

// Opens a dataset and tells its extent. Negative: there is none of this rank, with the error
// filled.
static hid_t open_dataset(const hf_source *s, const char *name, int rank, hsize_t extent[2])
{
    hid_t dataset = hf_source_open(s, name);
    if (dataset < 0) {
        return -1;
    }
    hid_t space = H5Dget_space(dataset);
    if (space < 0) {
        (void)hf_source_fail(s, name);
    } else if (H5Sget_simple_extent_ndims(space) != rank) {
        (void)hf_source_refuse(s, name, "has not %d dimension%s", rank, rank == 1 ? "" : "s");
    } else if (H5Sget_simple_extent_dims(space, extent, NULL) == rank) {
        (void)H5Sclose(space);
        return dataset;
    } else {
        (void)hf_source_fail(s, name);
    }
    (void)H5Sclose(space);
    (void)H5Dclose(dataset);
    return -1;
}

// ------------------------------------------------------------------------------------------------
// Names and units

// Splits texts of `length` bytes each; the zeros at their ends are left out.
static bool split(const char *bytes, size_t length, int count, char **texts)
{
    bool good = true;
    for (int i = 0; good && i < count; ++i) {
        texts[i] = strndup(bytes + (size_t)i * length, length);
        good = texts[i] != NULL;
    }
    return good;
}

static hf_status read_bytes(const hf_source *s, const char *name, hid_t dataset, hid_t type,
                            int count, char **texts)
{
    size_t length = H5Tget_size(type);
    if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0 || length == 0 ||
        length > LONGEST_TEXT) {
        return hf_source_refuse(s, name, "does not hold texts of one length");
    }
    HF_TRY(hf_source_check(s, name, dataset, (hsize_t)count));
    char *bytes = calloc((size_t)count, length);
    if (bytes == NULL) {
        return hf_error_set(s->error, HF_ERROR_MEMORY, "out of memory for a recording");
    }
    hf_status status = HF_OK;
    if (H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes) < 0) {
        status = hf_source_fail(s, name);
    } else if (!split(bytes, length, count, texts)) {
        status = hf_error_set(s->error, HF_ERROR_MEMORY, "out of memory for a recording");
    }
    free(bytes);
    return status;
}

hf_status hf_source_read_texts(const hf_source *s, const char *name, int count, char **texts)
{
    hsize_t extent[2] = {0};
    hid_t dataset = open_dataset(s, name, 1, extent);
    if (dataset < 0) {
        return s->error == NULL ? HF_ERROR_FILE : s->error->status;
    }
    hid_t type = H5Dget_type(dataset);
    hf_status status = extent[0] == (hsize_t)count
                           ? read_bytes(s, name, dataset, type, count, texts)
                           : hf_source_refuse(s, name, "has %llu texts for %d channels",
                                              (unsigned long long)extent[0], count);
    (void)H5Tclose(type);
    (void)H5Dclose(dataset);
    return status;
}

// ------------------------------------------------------------------------------------------------
// Numbers

static hf_status allocate_values(const hf_source *s)
{
    hf_recording *r = s->recording;
    for (int i = 0; i < r->channel_count; ++i) {
        r->values[i] = malloc(((size_t)r->samples + 1) * sizeof **r->values);
        if (r->values[i] == NULL) {
            return hf_error_set(s->error, HF_ERROR_MEMORY, "out of memory for %lld samples",
                                r->samples);
        }
    }
    return HF_OK;
}

// Reads `rows` samples from the one called `first` on, into the columns.
static bool read_block(const hf_source *s, hid_t dataset, hsize_t first, hsize_t rows,
                       double *block)
{
    hf_recording *r = s->recording;
    size_t columns = (size_t)r->channel_count;
    const hsize_t start[2] = {first, 0}, count[2] = {rows, columns};
    hid_t place = H5Dget_space(dataset), memory = H5Screate_simple(2, count, NULL);
    bool good = H5Sselect_hyperslab(place, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
                H5Dread(dataset, H5T_NATIVE_DOUBLE, memory, place, H5P_DEFAULT, block) >= 0;
    (void)H5Sclose(memory);
    (void)H5Sclose(place);
    for (size_t i = 0; good && i < columns; ++i) {
        for (size_t k = 0; k < rows; ++k) {
            r->values[i][first + k] = block[k * columns + i];
        }
    }
    return good;
}

static hf_status read_blocks(const hf_source *s, hid_t dataset)
{
    size_t columns = (size_t)s->recording->channel_count;
    hsize_t samples = (hsize_t)s->recording->samples;
    hsize_t rows = BLOCK_BYTES / sizeof(double) / columns + 1;
    rows = rows < samples ? rows : samples;
    HF_TRY(allocate_values(s));
    double *block = malloc(((size_t)rows * columns + 1) * sizeof *block);
    if (block == NULL) {
        return hf_error_set(s->error, HF_ERROR_MEMORY, "out of memory for a recording");
    }
    hf_status status = HF_OK;
    for (hsize_t first = 0; first < samples && status == HF_OK; first += rows) {
        hsize_t left = samples - first;
        if (!read_block(s, dataset, first, left < rows ? left : rows, block)) {
            status = hf_source_fail(s, "/values");
        }
    }
    free(block);
    return status;
}

// Checks what /values claims, and makes room for its columns.
static hf_status check_values(const hf_source *s, hid_t dataset, const hsize_t extent[2])
{
    hid_t type = H5Dget_type(dataset);
    H5T_class_t kind = type < 0 ? H5T_NO_CLASS : H5Tget_class(type);
    (void)H5Tclose(type);
    if (kind != H5T_FLOAT && kind != H5T_INTEGER) {
        return hf_source_refuse(s, "/values", "does not hold numbers");
    }
    // A name takes more than a byte of the file.
    if (extent[1] == 0 || extent[1] > HF_RECORDING_MAX_CHANNELS || extent[1] > s->file_size) {
        return hf_source_refuse(s, "/values", "claims %llu channels",
                                (unsigned long long)extent[1]);
    }
    if (extent[0] < (hsize_t)s->recording->samples) {
        return hf_source_refuse(s, "/values", "has %llu samples, time has %lld",
                                (unsigned long long)extent[0], s->recording->samples);
    }
    if (extent[0] > SIZE_MAX / sizeof(double) / 4 / extent[1]) {
        return hf_source_refuse(s, "/values", "claims %llu samples", (unsigned long long)extent[0]);
    }
    HF_TRY(hf_source_check(s, "/values", dataset, extent[0] * extent[1]));
    return hf_recording_allocate(s->recording, (int)extent[1], s->error);
}

hf_status hf_source_read_values(hf_source *s)
{
    hsize_t extent[2] = {0};
    if (H5Lexists(s->file, "/values", H5P_DEFAULT) == 0) { // nothing but time was recorded
        if (H5Lexists(s->file, "/names", H5P_DEFAULT) > 0) {
            return hf_source_refuse(s, "/names", "names channels, and '/values' is missing");
        }
        return hf_recording_allocate(s->recording, 0, s->error);
    }
    hid_t dataset = open_dataset(s, "/values", 2, extent);
    if (dataset < 0) {
        return s->error == NULL ? HF_ERROR_FILE : s->error->status;
    }
    hf_recording *r = s->recording;
    hf_status status = check_values(s, dataset, extent);
    status =
        status == HF_OK ? hf_source_read_texts(s, "/names", r->channel_count, r->names) : status;
    status =
        status == HF_OK ? hf_source_read_texts(s, "/units", r->channel_count, r->units) : status;
    status = status == HF_OK ? read_blocks(s, dataset) : status;
    (void)H5Dclose(dataset);
    return status;
}
