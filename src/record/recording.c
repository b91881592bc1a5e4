// SPDX-License-Identifier: Apache-2.0
// hf_recording: reads a recording of any format, checks it and finds its channels.
#include <holdfast/record.h>

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "record/format.h"
#include "record/reader.h"

hf_status hf_recording_allocate(hf_recording *recording, int count, hf_error *error)
{
    if (count < 0 || count > HF_RECORDING_MAX_CHANNELS) {
        return hf_error_set(error, HF_ERROR_RANGE, "%d channels are more than %d", count,
                            HF_RECORDING_MAX_CHANNELS);
    }
    size_t room = (size_t)count + 1;
    recording->names = calloc(room, sizeof *recording->names);
    recording->units = calloc(room, sizeof *recording->units);
    recording->values = calloc(room, sizeof *recording->values);
    if (recording->names == NULL || recording->units == NULL || recording->values == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory for %d channels", count);
    }
    recording->channel_count = count;
    return HF_OK;
}

// Strings that the format does not carry are empty, not absent.
static hf_status complete(hf_recording *recording, hf_error *error)
{
    bool good = true;
    char **texts[] = {&recording->model_text, &recording->title, &recording->scene,
                      &recording->summary};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        if (*texts[i] == NULL) {
            *texts[i] = calloc(1, 1);
            good = good && *texts[i] != NULL;
        }
    }
    for (int i = 0; i < recording->channel_count; ++i) {
        if (recording->units[i] == NULL) {
            recording->units[i] = calloc(1, 1);
            good = good && recording->units[i] != NULL;
        }
    }
    return good ? HF_OK : hf_error_set(error, HF_ERROR_MEMORY, "out of memory for a recording");
}

static hf_status check_names(const char *path, const hf_recording *recording, hf_error *error)
{
    hf_names known = {0};
    hf_status status = HF_OK;
    for (int i = 0; status == HF_OK && i < recording->channel_count; ++i) {
        const char *name = recording->names[i];
        if (hf_names_find(&known, name, strlen(name)) >= 0) {
            status = hf_error_set(error, HF_ERROR_NAME, "%.200s: channel '%.100s' is there twice",
                                  path, name);
        } else if (!hf_names_add(&known, name, i)) {
            status = hf_error_set(error, HF_ERROR_MEMORY, "out of memory for a recording");
        }
    }
    hf_names_free(&known);
    return status;
}

hf_recording *hf_recording_read(const char *path, hf_error *error)
{
    hf_file_format format = hf_file_format_of(path);
    if (format == HF_FILE_UNKNOWN) {
        (void)hf_error_set(error, HF_ERROR_INPUT,
                           "%.300s: the ending must be .csv, .h5 or .hdf5, to select the format",
                           path);
        return NULL;
    }
    hf_recording *recording = calloc(1, sizeof *recording);
    if (recording == NULL) {
        (void)hf_error_set(error, HF_ERROR_MEMORY, "out of memory for a recording");
        return NULL;
    }
    hf_status status = format == HF_FILE_CSV ? hf_csv_read(path, recording, error)
                                             : hf_hdf5_read(path, recording, error);
    if (status != HF_OK || check_names(path, recording, error) != HF_OK ||
        complete(recording, error) != HF_OK) {
        hf_recording_destroy(recording);
        return NULL;
    }
    return recording;
}

void hf_recording_destroy(hf_recording *recording)
{
    if (recording == NULL) {
        return;
    }
    for (int i = 0; i < recording->channel_count; ++i) {
        free(recording->names[i]);
        free(recording->units[i]);
        free(recording->values[i]);
    }
    free(recording->names);
    free(recording->units);
    free(recording->values);
    free(recording->time);
    free(recording->model_text);
    free(recording->title);
    free(recording->scene);
    free(recording->summary);
    free(recording->frames.time);
    free(recording->frames.poses);
    free(recording->frames.forces_at);
    free(recording->frames.contacts_at);
    free(recording->frames.energy);
    free(recording->frames.listed);
    free(recording->frames.list);
    free(recording->events);
    free(recording);
}

int hf_recording_find(const hf_recording *recording, const char *name)
{
    for (int i = 0; i < recording->channel_count; ++i) {
        if (strcmp(recording->names[i], name) == 0) {
            return i;
        }
    }
    return -1;
}
