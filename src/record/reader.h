// SPDX-License-Identifier: Apache-2.0
// Reading recordings back. Files are not trusted: every size is checked before it is used.
#ifndef HF_RECORD_READER_H
#define HF_RECORD_READER_H

#include <stdio.h>

#include <holdfast/record.h>

enum { HF_RECORDING_MAX_CHANNELS = 10000000 };

// All fill a recording that hf_recording_destroy can free, whatever they return. A stream stays
// open; `label` names it in messages.
hf_status hf_csv_read(const char *path, hf_recording *recording, hf_error *error);
hf_status hf_csv_read_stream(FILE *file, const char *label, hf_recording *recording,
                             hf_error *error);
hf_status hf_hdf5_read(const char *path, hf_recording *recording, hf_error *error);

// Reads /scene, /summary and /frames, where they are there and whole, from an open HDF5 file
// (an hid_t) of file_size bytes. What is missing stays NULL or zero: a recording without pictures
// is a recording.
void hf_hdf5_read_frames(long long file, unsigned long long file_size, hf_recording *recording);

// Makes room for the names and columns of `count` channels, all NULL.
hf_status hf_recording_allocate(hf_recording *recording, int count, hf_error *error);

#endif
