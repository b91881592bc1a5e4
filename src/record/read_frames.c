// SPDX-License-Identifier: Apache-2.0
// The pictures of an HDF5 recording. They are extras: what is not as hf_record writes it is left
// out as a whole.
#include <hdf5.h>

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "record/reader.h"

enum { LARGEST_RATIO = 1100 }; // as read_hdf5.c

typedef struct extent {
    hsize_t rows, columns;
} extent;

// Whether the file itself has what the name leads to: no link to another file.
static bool is_own(hid_t file, const char *name)
{
    H5L_info_t link = {0};
    return H5Lexists(file, name, H5P_DEFAULT) > 0 &&
           H5Lget_info(file, name, &link, H5P_DEFAULT) >= 0 && link.type == H5L_TYPE_HARD;
}

// Opens a dataset of numbers that can be in a file of this size. Negative: there is none.
static hid_t open_numbers(hid_t file, const char *name, unsigned long long file_size,
                          H5T_class_t kind, extent *found)
{
    bool own = strncmp(name, "frames/", 7) != 0 || is_own(file, "frames");
    hid_t dataset = own && is_own(file, name) ? H5Dopen2(file, name, H5P_DEFAULT) : -1;
    if (dataset < 0) {
        return -1;
    }
    hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
    hid_t creation = H5Dget_create_plist(dataset);
    hsize_t size[2] = {0, 1};
    int rank = H5Sget_simple_extent_ndims(space);
    bool good = H5Tget_class(type) == kind && (rank == 1 || rank == 2) &&
                H5Sget_simple_extent_dims(space, size, NULL) == rank &&
                H5Pget_external_count(creation) == 0 && H5Pget_layout(creation) != H5D_VIRTUAL;
    unsigned long long stored = H5Dget_storage_size(dataset);
    unsigned long long least = H5Pget_nfilters(creation) > 0 ? LARGEST_RATIO : 1;
    good = good && stored <= file_size && size[1] > 0 && size[0] <= SIZE_MAX / 16 / size[1] &&
           size[0] * size[1] / least <= stored;
    (void)H5Pclose(creation);
    (void)H5Sclose(space);
    (void)H5Tclose(type);
    if (!good) {
        (void)H5Dclose(dataset);
        return -1;
    }
    *found = (extent){size[0], size[1]};
    return dataset;
}

// A text kept as bytes, to be freed; NULL when there is none.
static char *read_bytes(hid_t file, const char *name, unsigned long long file_size)
{
    extent size;
    hid_t dataset = open_numbers(file, name, file_size, H5T_INTEGER, &size);
    if (dataset < 0) {
        return NULL;
    }
    char *text = size.columns == 1 ? calloc((size_t)size.rows + 1, 1) : NULL;
    if (text != NULL && size.rows > 0 &&
        H5Dread(dataset, H5T_NATIVE_UCHAR, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) < 0) {
        free(text);
        text = NULL;
    }
    (void)H5Dclose(dataset);
    return text;
}

// A table of doubles (wide) or floats, to be freed; NULL when there is none.
static void *read_table(hid_t file, const char *name, unsigned long long file_size, bool wide,
                        extent *found)
{
    hid_t dataset = open_numbers(file, name, file_size, H5T_FLOAT, found);
    if (dataset < 0) {
        return NULL;
    }
    size_t count = (size_t)found->rows * (size_t)found->columns;
    void *values = calloc(count + 1, wide ? sizeof(double) : sizeof(float));
    if (values != NULL && count > 0 &&
        H5Dread(dataset, wide ? H5T_NATIVE_DOUBLE : H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                values) < 0) {
        free(values);
        values = NULL;
    }
    // A table that is damaged, or too large for the memory, has no rows and no columns
    *found = values == NULL ? (extent){0} : *found;
    (void)H5Dclose(dataset);
    return values;
}

static void drop_frames(hf_recording_frames *frames)
{
    free(frames->time);
    free(frames->poses);
    free(frames->forces_at);
    free(frames->contacts_at);
    free(frames->energy);
    free(frames->listed);
    free(frames->list);
    *frames = (hf_recording_frames){0};
}

// A killed run may have kept more rows of one table than of another: the shortest counts.
static hsize_t fewest(hsize_t a, hsize_t b)
{
    return a < b ? a : b;
}

// The contacts of all frames. What a killed run left incomplete, or what makes no sense, is
// dropped.
static void read_list(hid_t file, unsigned long long file_size, hf_recording_frames *frames)
{
    extent counts = {0}, rows = {0};
    frames->listed = read_table(file, "frames/contact_count", file_size, true, &counts);
    frames->list = read_table(file, "frames/contact_list", file_size, false, &rows);
    double total = 0.0;
    bool good = frames->listed != NULL && frames->list != NULL && counts.columns == 1 &&
                rows.columns == HF_FRAME_LIST_COLUMNS && counts.rows >= (hsize_t)frames->count;
    for (long long i = 0; good && i < frames->count; ++i) {
        double here = frames->listed[i];
        good = here >= 0.0 && here <= (double)rows.rows && here == floor(here);
        total += here;
    }
    if (!good || total > (double)rows.rows) {
        free(frames->listed);
        free(frames->list);
        frames->listed = NULL;
        frames->list = NULL;
        return;
    }
    frames->listed_rows = (long long)total;
}

static void read_events(hid_t file, unsigned long long file_size, hf_recording *recording)
{
    extent size = {0};
    recording->events = read_table(file, "events", file_size, true, &size);
    if (recording->events != NULL && size.columns != HF_EVENT_COLUMNS) {
        free(recording->events);
        recording->events = NULL;
    }
    recording->event_count = recording->events == NULL ? 0 : (long long)size.rows;
}

void hf_hdf5_read_frames(long long file_id, unsigned long long file_size, hf_recording *recording)
{
    hid_t file = (hid_t)file_id;
    hf_recording_frames *frames = &recording->frames;
    extent time = {0}, poses = {0}, forces = {0}, contacts = {0}, energy = {0};
    // The machine and the run, as texts
    recording->scene = read_bytes(file, "scene", file_size);
    recording->summary = read_bytes(file, "summary", file_size);
    read_events(file, file_size, recording);
    if (H5Lexists(file, "frames", H5P_DEFAULT) <= 0) {
        return;
    }
    // Tables of the frames
    frames->time = read_table(file, "frames/time", file_size, true, &time);
    frames->poses = read_table(file, "frames/poses", file_size, false, &poses);
    frames->forces_at = read_table(file, "frames/forces", file_size, false, &forces);
    frames->contacts_at = read_table(file, "frames/contacts", file_size, false, &contacts);
    frames->energy = read_table(file, "frames/energy", file_size, true, &energy);
    // All of one kind of file, or none
    bool good =
        frames->time != NULL && time.columns == 1 && frames->energy != NULL &&
        energy.columns == HF_FRAME_ENERGY_COLUMNS && poses.columns % HF_FRAME_POSE_COLUMNS == 0 &&
        forces.columns % HF_FRAME_FORCE_COLUMNS == 0 && poses.columns < HF_RECORDING_MAX_CHANNELS &&
        forces.columns < HF_RECORDING_MAX_CHANNELS &&
        contacts.columns % HF_FRAME_CONTACT_COLUMNS == 0 &&
        contacts.columns < HF_RECORDING_MAX_CHANNELS;
    if (!good) {
        drop_frames(frames);
        return;
    }
    // A run that was cut short has as many frames as all tables have
    hsize_t count = fewest(time.rows, energy.rows);
    count = frames->poses == NULL ? count : fewest(count, poses.rows);
    count = frames->forces_at == NULL ? count : fewest(count, forces.rows);
    count = frames->contacts_at == NULL ? count : fewest(count, contacts.rows);
    frames->count = (long long)count;
    frames->contacts = (int)(contacts.columns / HF_FRAME_CONTACT_COLUMNS);
    frames->bodies = (int)(poses.columns / HF_FRAME_POSE_COLUMNS);
    frames->forces = (int)(forces.columns / HF_FRAME_FORCE_COLUMNS);
    read_list(file, file_size, frames);
}
