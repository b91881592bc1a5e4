// SPDX-License-Identifier: Apache-2.0
// The part of an HDF5 recording that pictures need: /scene, /frames and /summary.
#ifndef HF_RECORD_HDF5_FRAMES_H
#define HF_RECORD_HDF5_FRAMES_H

#include <hdf5.h>

#include "record/writer.h"

typedef struct hf_hdf5_frames hf_hdf5_frames;

// Creates the datasets: everything that the file will ever hold is there from the beginning, and
// later only grows. NULL on failure (HDF5's error stack says why, or out of memory).
hf_hdf5_frames *hf_hdf5_frames_create(hid_t root, const hf_run_facts *facts);
// Keeps a frame; every now and then they move to the datasets.
bool hf_hdf5_frames_add(hf_hdf5_frames *frames, const hf_frame_rows *rows);
// Keeps an event, if the file has a place for events. row: HF_EVENT_COLUMNS numbers.
bool hf_hdf5_frames_add_event(hf_hdf5_frames *frames, const double *row);
bool hf_hdf5_frames_drain(hf_hdf5_frames *frames);
bool hf_hdf5_frames_put_summary(hf_hdf5_frames *frames, const char *text);
// Closes the datasets and frees. NULL is allowed.
void hf_hdf5_frames_destroy(hf_hdf5_frames *frames);

// A chunked dataset of `rank` 1 or 2 with `columns` numbers a row, which grows row by row (hdf5.c).
// fill: what it holds where nothing was written; NULL for HDF5's zero.
hid_t hf_hdf5_create_growing(hid_t parent, const char *name, hid_t type, int rank,
                             const hsize_t *chunk, hsize_t columns, const double *fill);
// A text attribute (hdf5.c).
herr_t hf_hdf5_put_string(hid_t object, const char *name, const char *text);
// A dataset of `count` texts, all with the room that the longest needs (hdf5.c).
bool hf_hdf5_put_texts(hid_t root, const char *name, const char *const *texts, int count);

#endif
