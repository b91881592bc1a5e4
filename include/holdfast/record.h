// SPDX-License-Identifier: Apache-2.0
// hf_record: the recorded channels of a run, to a CSV or HDF5 file. Library: holdfast-record.
// What was flushed survives whatever happens to the program.
#ifndef HOLDFAST_RECORD_H
#define HOLDFAST_RECORD_H

#include <holdfast/sim.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hf_record hf_record;

typedef struct hf_record_def {
    double flush_seconds; // wall time between flushes, > 0 [s]; default 1
} hf_record_def;

hf_record_def hf_record_def_default(void);

// Creates a file; its ending selects the format: .csv, or .h5/.hdf5. Records the model's channels
// (hf_model_record_channel), time first. An existing file is replaced. NULL on error.
hf_record *hf_record_create(const char *path, hf_sim *sim, const hf_record_def *def,
                            hf_error *error);
// Appends one sample of the sim's present state.
HF_NODISCARD hf_status hf_record_sample(hf_record *record, hf_sim *sim, hf_error *error);
HF_NODISCARD hf_status hf_record_flush(hf_record *record, hf_error *error);
// Flushes, writes the end-of-run attributes and closes. The record is gone whatever is returned.
HF_NODISCARD hf_status hf_record_close(hf_record *record, hf_error *error);

// A recorded run, read back.
typedef struct hf_recording {
    int channel_count;     // without time
    long long samples;
    char **names;          // [channel_count]
    char **units;          // [channel_count]; "" when unknown (CSV)
    double *time;          // [samples]
    double **values;       // [channel_count][samples]
    char *model_text;      // "" when unknown
    char *title;           // the model's name, or ""
} hf_recording;

// Reads a file written by hf_record (or any CSV whose first column is `time`). NULL on error.
hf_recording *hf_recording_read(const char *path, hf_error *error);
void hf_recording_destroy(hf_recording *recording);

#ifdef __cplusplus
}
#endif
#endif
