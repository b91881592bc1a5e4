// SPDX-License-Identifier: Apache-2.0
// What pictures need in an HDF5 recording: /scene, /frames, /summary.
#include "record/hdf5_frames.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "record/hdf5_guard.h"

enum {
    PART_TIME,
    PART_POSES,
    PART_FORCES,
    PART_CONTACTS,
    PART_LISTED, // how many of a frame's contacts are in the list
    PART_ENERGY,
    PART_COUNT
};
enum { CHUNK_ROWS = 64, CHUNK_BYTES_MOST = 1 << 20, TEXT_CHUNK = 4096, LIST_CHUNK = 1024 };
enum { EVENT_CHUNK = 256 }; // rows

typedef struct part {
    hid_t dataset; // negative: no columns
    hsize_t columns;
    bool wide; // doubles, not floats
    void *buffer;
} part;

struct hf_hdf5_frames {
    part parts[PART_COUNT];
    hid_t summary;
    part events; // rows of /events; its buffer has EVENT_CHUNK of them
    size_t events_held;
    hsize_t events_written;
    hid_t list;     // of all frames' contacts; negative: none
    hsize_t listed; // rows of it
    size_t chunk;   // rows in a chunk, and in the buffers
    size_t held;
    hsize_t written;
};

// ------------------------------------------------------------------------------------------------
// Creating

static hid_t create_text(hid_t root, const char *name)
{
    const hsize_t chunk[2] = {TEXT_CHUNK, 1};
    hid_t dataset = hf_hdf5_create_growing(root, name, H5T_STD_U8LE, 1, chunk, 1, NULL);
    if (dataset >= 0 && hf_hdf5_put_string(dataset, "encoding", "JSON in UTF-8") < 0) {
        (void)H5Dclose(dataset);
        return -1;
    }
    return dataset;
}

static bool write_text(hid_t dataset, const char *text)
{
    hsize_t length = strlen(text);
    if (length == 0) {
        return true;
    }
    return H5Dset_extent(dataset, &length) >= 0 &&
           H5Dwrite(dataset, H5T_NATIVE_UCHAR, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0;
}

static bool create_scene(hid_t root, const char *text)
{
    hid_t dataset = create_text(root, "scene");
    bool good = dataset >= 0 && write_text(dataset, text);
    hid_t errors = hf_hdf5_save_errors();
    (void)H5Dclose(dataset);
    hf_hdf5_restore_errors(errors);
    return good;
}

static bool create_part(hid_t group, const char *name, const char *unit, part *p, size_t rows)
{
    if (p->columns == 0) {
        return true;
    }
    const hsize_t chunk[2] = {rows, p->columns};
    size_t size = p->wide ? sizeof(double) : sizeof(float);
    p->buffer = calloc(rows * p->columns, size);
    p->dataset = hf_hdf5_create_growing(group, name, p->wide ? H5T_IEEE_F64LE : H5T_IEEE_F32LE,
                                        p->columns == 1 ? 1 : 2, chunk, p->columns, NULL);
    return p->buffer != NULL && p->dataset >= 0 &&
           hf_hdf5_put_string(p->dataset, "columns", unit) >= 0;
}

static bool create_parts(hf_hdf5_frames *f, hid_t root)
{
    static const struct {
        const char *name, *columns;
    } texts[PART_COUNT] = {
        [PART_TIME] = {"time", "s"},
        [PART_POSES] = {"poses", "each body: position x y z [m], orientation w x y z"},
        [PART_FORCES] = {"forces", "each force: point on, point to x y z [m], force x y z [N], "
                                   "size [N or Nm], gap [m or rad], regime (0 open, 1 stick, "
                                   "2 slip)"},
        [PART_CONTACTS] = {"contacts", "each contact: point x y z [m], force x y z [N], regime"},
        [PART_LISTED] = {"contact_count", "rows of contact_list that belong to the frame"},
        [PART_ENERGY] = {"energy", "kinetic, potential, stored, input, dissipated, residual [J]"},
    };
    hid_t group = H5Gcreate2(root, "frames", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool good = group >= 0;
    for (int i = 0; good && i < PART_COUNT; ++i) {
        good = create_part(group, texts[i].name, texts[i].columns, &f->parts[i], f->chunk);
    }
    if (good && f->parts[PART_LISTED].columns > 0) {
        const hsize_t chunk[2] = {LIST_CHUNK, HF_FRAME_LIST_COLUMNS};
        f->list =
            hf_hdf5_create_growing(group, "contact_list", H5T_IEEE_F32LE, 2, chunk, chunk[1], NULL);
        good = f->list >= 0 && hf_hdf5_put_string(f->list, "columns",
                                                  "point x y z [m], force x y z [N], regime, body "
                                                  "on, body to (from 1; 0: the world)") >= 0;
    }
    hid_t errors = hf_hdf5_save_errors();
    (void)H5Gclose(group);
    hf_hdf5_restore_errors(errors);
    return good;
}

// Events, of methods that locate them.
static bool create_events(hf_hdf5_frames *f, hid_t root, bool wanted)
{
    f->events.columns = wanted ? HF_EVENT_COLUMNS : 0;
    return create_part(root, "events",
                       "time [s], force (from 1, in the order of /scene), mode before, mode after "
                       "(-1, 1 slips back, forth; 0 sticks; 2 open)",
                       &f->events, EVENT_CHUNK);
}

hf_hdf5_frames *hf_hdf5_frames_create(hid_t root, const hf_run_facts *facts)
{
    hf_hdf5_frames *f = calloc(1, sizeof *f);
    if (f == NULL) {
        return NULL;
    }
    // Columns of each part
    f->parts[PART_TIME] = (part){-1, 1, true, NULL};
    f->parts[PART_POSES] =
        (part){-1, (hsize_t)facts->frame_bodies * HF_FRAME_POSE_COLUMNS, false, NULL};
    f->parts[PART_FORCES] =
        (part){-1, (hsize_t)facts->frame_forces * HF_FRAME_FORCE_COLUMNS, false, NULL};
    f->parts[PART_CONTACTS] =
        (part){-1, (hsize_t)facts->frame_contacts * HF_FRAME_CONTACT_COLUMNS, false, NULL};
    f->parts[PART_ENERGY] = (part){-1, HF_FRAME_ENERGY_COLUMNS, true, NULL};
    f->parts[PART_LISTED] = (part){-1, facts->frame_contacts > 0 ? 1 : 0, true, NULL};
    f->events = (part){-1, 0, true, NULL};
    f->summary = f->list = -1;
    // Rows of a chunk: a fixed number, fewer where a row is large
    hsize_t row = sizeof(float) * (f->parts[PART_POSES].columns + f->parts[PART_FORCES].columns +
                                   f->parts[PART_CONTACTS].columns) +
                  sizeof(double) * (HF_FRAME_ENERGY_COLUMNS + 1);
    f->chunk = row > CHUNK_BYTES_MOST / CHUNK_ROWS ? (size_t)(CHUNK_BYTES_MOST / row) + 1
                                                   : (size_t)CHUNK_ROWS;
    // Groups and datasets in the file
    bool good = create_scene(root, facts->scene) && create_parts(f, root) &&
                create_events(f, root, facts->events);
    if (good) {
        f->summary = create_text(root, "summary");
    }
    if (!good || f->summary < 0) {
        hid_t errors = hf_hdf5_save_errors();
        hf_hdf5_frames_destroy(f);
        hf_hdf5_restore_errors(errors);
        return NULL;
    }
    return f;
}

void hf_hdf5_frames_destroy(hf_hdf5_frames *f)
{
    if (f == NULL) {
        return;
    }
    for (int i = 0; i < PART_COUNT; ++i) {
        if (f->parts[i].dataset >= 0) {
            (void)H5Dclose(f->parts[i].dataset);
        }
        free(f->parts[i].buffer);
    }
    if (f->events.dataset >= 0) {
        (void)H5Dclose(f->events.dataset);
    }
    free(f->events.buffer);
    if (f->summary >= 0) {
        (void)H5Dclose(f->summary);
    }
    if (f->list >= 0) {
        (void)H5Dclose(f->list);
    }
    free(f);
}

// ------------------------------------------------------------------------------------------------
// Writing

static bool drain_part(const part *p, hsize_t written, hsize_t held)
{
    if (p->dataset < 0) {
        return true;
    }
    int rank = p->columns == 1 ? 1 : 2;
    hsize_t size[2] = {written + held, p->columns}, start[2] = {written, 0};
    hsize_t count[2] = {held, p->columns};
    hid_t memory = H5Screate_simple(rank, count, NULL), place = H5Screate_simple(rank, size, NULL);
    bool good = memory >= 0 && place >= 0 &&
                H5Sselect_hyperslab(place, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
                H5Dset_extent(p->dataset, size) >= 0 &&
                H5Dwrite(p->dataset, p->wide ? H5T_NATIVE_DOUBLE : H5T_NATIVE_FLOAT, memory, place,
                         H5P_DEFAULT, p->buffer) >= 0;
    hid_t errors = hf_hdf5_save_errors();
    (void)H5Sclose(memory);
    (void)H5Sclose(place);
    hf_hdf5_restore_errors(errors);
    return good;
}

bool hf_hdf5_frames_drain(hf_hdf5_frames *f)
{
    bool good = f->events_held == 0 || drain_part(&f->events, f->events_written, f->events_held);
    f->events_written += f->events_held;
    f->events_held = 0;
    for (int i = 0; good && f->held > 0 && i < PART_COUNT; ++i) {
        good = drain_part(&f->parts[i], f->written, f->held);
    }
    f->written += f->held;
    f->held = 0;
    return good;
}

static void keep(const part *p, size_t row, const void *from)
{
    if (p->buffer != NULL) {
        size_t bytes = (size_t)p->columns * (p->wide ? sizeof(double) : sizeof(float));
        memcpy((char *)p->buffer + row * bytes, from, bytes);
    }
}

// Contacts of a frame, behind those of the frames before it.
static bool add_list(hf_hdf5_frames *f, const hf_frame_rows *rows)
{
    part p = {.dataset = rows->listed == 0 ? -1 : f->list,
              .columns = HF_FRAME_LIST_COLUMNS,
              .buffer = rows->list};
    bool good = drain_part(&p, f->listed, (hsize_t)rows->listed);
    f->listed += f->list < 0 ? 0 : (hsize_t)rows->listed;
    return good;
}

bool hf_hdf5_frames_add(hf_hdf5_frames *f, const hf_frame_rows *rows)
{
    double listed = rows->listed;
    keep(&f->parts[PART_TIME], f->held, &rows->time);
    keep(&f->parts[PART_POSES], f->held, rows->poses);
    keep(&f->parts[PART_FORCES], f->held, rows->forces);
    keep(&f->parts[PART_CONTACTS], f->held, rows->contacts);
    keep(&f->parts[PART_ENERGY], f->held, rows->energy);
    keep(&f->parts[PART_LISTED], f->held, &listed);
    f->held += 1;
    return add_list(f, rows) && (f->held < f->chunk || hf_hdf5_frames_drain(f));
}

bool hf_hdf5_frames_add_event(hf_hdf5_frames *f, const double *row)
{
    if (f->events.dataset < 0) {
        return true;
    }
    keep(&f->events, f->events_held, row);
    f->events_held += 1;
    return f->events_held < EVENT_CHUNK || hf_hdf5_frames_drain(f);
}

bool hf_hdf5_frames_put_summary(hf_hdf5_frames *f, const char *text)
{
    return write_text(f->summary, text);
}
