// SPDX-License-Identifier: Apache-2.0
// A file being written, whatever its format. hf_record feeds it from a sim.
#ifndef HF_RECORD_WRITER_H
#define HF_RECORD_WRITER_H

#include <holdfast/record.h>

// What is known before the run. All strings are copied or written at once.
typedef struct hf_run_facts {
    const char *title;
    const char *model; // the model's text
    const char *method;
    double step;     // [s]
    double duration; // [s]
    int count;       // channels, without time
    const char *const *names;
    const char *const *units;
    size_t chunk; // HDF5: samples in a chunk; 0: by the number of channels
    // HDF5: the machine as JSON (scene.h), and what its frames show. NULL: neither is kept.
    const char *scene;
    int frame_bodies, frame_forces, frame_contacts;
    bool events; // the method locates events
} hf_run_facts;

// What is known after it.
typedef struct hf_run_end {
    long long samples;
    long long steps;
    long long evaluations;
    double energy_residual; // [J]
    bool completed;
    const char *summary; // JSON (scene.h); NULL: none. HDF5, beside a scene
} hf_run_end;

// The machine at one moment: record.h has the columns.
typedef struct hf_frame_rows {
    double time;     // [s]
    float *poses;    // [frame_bodies * HF_FRAME_POSE_COLUMNS]
    float *forces;   // [frame_forces * HF_FRAME_FORCE_COLUMNS]
    float *contacts; // [frame_contacts * HF_FRAME_CONTACT_COLUMNS]
    double energy[HF_FRAME_ENERGY_COLUMNS];
    // All contacts, however many. list: [room][HF_FRAME_LIST_COLUMNS], views: [room]; they grow.
    int listed, room;
    float *list;
    hf_contact_view *views;
} hf_frame_rows;

typedef struct hf_writer hf_writer;
struct hf_writer {
    // row: time, then one number a channel.
    hf_status (*sample)(hf_writer *writer, const double *row, hf_error *error);
    // Keeps a picture of the machine. NULL: the format has no place for it.
    hf_status (*frame)(hf_writer *writer, const hf_frame_rows *rows, hf_error *error);
    // Keeps an event: HF_EVENT_COLUMNS numbers (record.h). NULL: the format has no place for it.
    hf_status (*event)(hf_writer *writer, const double *row, hf_error *error);
    // Everything up to here reaches the operating system.
    hf_status (*flush)(hf_writer *writer, hf_error *error);
    // Flushes and frees, whatever is returned. `end` NULL: gives up, writes nothing more.
    hf_status (*close)(hf_writer *writer, const hf_run_end *end, hf_error *error);
};

hf_writer *hf_csv_create(const char *path, const hf_run_facts *facts, hf_error *error);
hf_writer *hf_hdf5_create(const char *path, const hf_run_facts *facts, hf_error *error);

#endif
