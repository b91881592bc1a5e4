// SPDX-License-Identifier: Apache-2.0
// hf_record: the recorded channels of a run, to a CSV or HDF5 file. Library: holdfast-record.
// What was flushed survives whatever happens to the program.
//
// CSV: a header `time,channel,...`, then one row a sample; every number reads back to the same
// double. HDF5: /time, /values (a row a sample, a column a channel) with /names and /units of the
// columns, and at the root what the run was (title, model, version, method, step, duration,
// created_by) and what came of it (samples, steps, evaluations, energy_residual, completed). The
// file can be read by any HDF5 tool at any moment, while the run goes on and after it was killed:
// it then holds what was there at the last flush. For pictures, whatever the channels: /scene
// (JSON: bodies and forces), /frames/time, poses, forces, contacts and energy at some 1,500
// moments, and /summary (JSON: what came of the run). docs/report.md has the keys.
//
// HDF5 serializes nothing by itself: use recordings to HDF5 from one thread at a time.
#ifndef HOLDFAST_RECORD_H
#define HOLDFAST_RECORD_H

#include <holdfast/sim.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hf_record hf_record;

typedef struct hf_record_def {
    // What is older than this is in the file, whatever happens to the program: wall time, > 0 [s];
    // default 1. Flushes come early enough for the next sample to come as late as the last one did;
    // where steps between samples may take longer, call hf_record_poll between them.
    double flush_seconds;
    double duration; // of the run, for the file's attributes, >= 0 [s]; default the model's. The
                     // run counts as completed when its last sample comes this late
    // Columns behind the channels, such as derivatives (sensitivity.h): their names and units, and
    // what fills them at each sample. None by default.
    const char *const *more_names;
    const char *const *more_units;
    int more_count;
    hf_status (*more)(void *context, hf_sim *sim, double *values, hf_error *error);
    void *more_context;
} hf_record_def;

// The defaults that stand beside the members.
HF_API hf_record_def hf_record_def_default(const hf_model *model);

// Creates a file; its ending selects the format: .csv, or .h5/.hdf5; "-" is CSV on standard output,
// without a file. Records the model's channels
// (hf_model_record_channel), time first. The file is made under another name, FILE.part, and then
// replaces an existing one: under its own name it can be read from the beginning. A file that
// another recording is being written to is refused. `def` NULL: the default.
// The sim must outlive the record. Allocates all buffers. NULL on error.
// A broken pipe is reported as an error if the program ignores SIGPIPE.
HF_API hf_record *hf_record_create(const char *path, hf_sim *sim, const hf_record_def *def,
                                   hf_error *error);
// Appends one sample of the sim's present state. After a write has failed nothing more is written,
// and every call returns the same error. HF_ERROR_NOT_FINITE: a channel is not finite, and the
// sample was not written; the recording may go on.
HF_API HF_NODISCARD hf_status hf_record_sample(hf_record *record, hf_sim *sim, hf_error *error);
// Appends an event that the sim reported (hf_sim_def.on_event); may be called from there. HDF5
// keeps events, CSV has no place for them.
HF_API HF_NODISCARD hf_status hf_record_event(hf_record *record, const hf_event *event,
                                              hf_error *error);
// The verdict that hf_record_close writes, where more is known of the run than the sim knows of
// itself. NULL, and by default: hf_sim_verdict at the close.
HF_API void hf_record_set_verdict(hf_record *record, const hf_verdict *verdict);
HF_API HF_NODISCARD hf_status hf_record_flush(hf_record *record, hf_error *error);
// Flushes if samples wait for it and the interval of hf_record_def is nearly over. While samples
// wait it reads the clock; otherwise it does nothing.
HF_API HF_NODISCARD hf_status hf_record_poll(hf_record *record, hf_error *error);
// Flushes, writes the end-of-run attributes and closes. The record is gone whatever is returned.
// NULL is allowed.
HF_API HF_NODISCARD hf_status hf_record_close(hf_record *record, hf_error *error);

// Columns of a frame. All vectors are in world axes.
#define HF_FRAME_POSE_COLUMNS 7 // a body: position x y z [m], orientation w x y z
// A force: where it acts on `on` and on `to` [m], force on `on` [N], size [N or Nm], gap [m or
// rad], hf_regime
#define HF_FRAME_FORCE_COLUMNS 12
// A row of /frames/contact_list: a point of contact as below, then its two bodies (from 1; 0: the
// world).
#define HF_FRAME_LIST_COLUMNS 9
// A point of contact (hf_sim_contacts): where [m], force on `on` [N], hf_regime
#define HF_FRAME_CONTACT_COLUMNS 7
#define HF_FRAME_ENERGY_COLUMNS  6 // kinetic, potential, stored, input, dissipated, residual [J]
// An event: time [s], its force (from 1, in the order of /scene), modes before and after it
// (hf_event)
#define HF_EVENT_COLUMNS 4

// The machine at some moments of a run.
typedef struct hf_recording_frames {
    long long count;
    int bodies, forces; // of the machine, in the order of /scene
    int contacts;       // places of a frame; those that are not in use are zero
    double *time;       // [count] [s]
    float *poses;       // [count][bodies][HF_FRAME_POSE_COLUMNS]
    float *forces_at;   // [count][forces][HF_FRAME_FORCE_COLUMNS]
    float *contacts_at; // [count][contacts][HF_FRAME_CONTACT_COLUMNS]
    double *energy;     // [count][HF_FRAME_ENERGY_COLUMNS]
    // All contacts of a frame, however many; NULL when there are none. Rows of a frame follow those
    // of the frame before it.
    long long listed_rows;
    double *listed; // [count] rows that belong to each frame
    float *list;    // [listed_rows][HF_FRAME_LIST_COLUMNS]
} hf_recording_frames;

// A recorded run, read back.
typedef struct hf_recording {
    int channel_count; // without time
    long long samples;
    char **names;               // [channel_count]
    char **units;               // [channel_count]; "" when unknown (CSV)
    double *time;               // [samples] [s]
    double **values;            // [channel_count][samples]
    char *model_text;           // "" when unknown
    char *title;                // the model's name, or ""
    char *scene;                // JSON; "" when there is none (CSV)
    char *summary;              // JSON; "" when there is none (CSV, or a run that was killed)
    hf_recording_frames frames; // count 0 when there are none
    long long event_count;
    double *events; // [event_count][HF_EVENT_COLUMNS]; NULL when there are none
    bool truncated; // CSV: the last row had no end of line (a killed run) and was left out
} hf_recording;

// Reads a file written by hf_record, or any CSV whose first column is `time`. NULL on error.
HF_API hf_recording *hf_recording_read(const char *path, hf_error *error);
HF_API void hf_recording_destroy(hf_recording *recording);
// Index of a channel, or -1.
HF_API int hf_recording_find(const hf_recording *recording, const char *name);

// ------------------------------------------------------------------------------------------------
// Tables: a row for each run of a sweep (sweep.h)
//
// HDF5: one dataset /table of a compound type, a member for each column (64-bit numbers, or texts
// of one length), with /names, /units and /roles of the columns, and facts as attributes of the
// root. CSV: a header `case,column,...`, then one row a case; no facts.

typedef struct hf_table_column {
    char *name;
    char *unit;      // "" when unknown
    char *role;      // what made it: sweep.h; "" when unknown
    double *numbers; // [rows]; NULL: a column of texts
    char **texts;    // [rows]; NULL: a column of numbers
} hf_table_column;

typedef struct hf_table {
    long long rows;
    int column_count;
    hf_table_column *columns;
    int fact_count;
    char **fact_names;
    char **facts;
} hf_table;

// Reads a table from .csv, .h5 or .hdf5. A column of a CSV file is of numbers when all its fields
// are. HF_ERROR_NAME: the HDF5 file has no table. NULL on error.
HF_API hf_table *hf_table_read(const char *path, hf_error *error);
HF_API void hf_table_destroy(hf_table *table); // NULL is allowed
// Index of a column, or -1.
HF_API int hf_table_find(const hf_table *table, const char *name);
// A fact by its name; "" when there is none.
HF_API const char *hf_table_fact(const hf_table *table, const char *name);

#ifdef __cplusplus
}
#endif
#endif
