// SPDX-License-Identifier: Apache-2.0
// hf_record: takes samples of a run and hands them to the writer of the file's format.
#include <holdfast/record.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "base/error.h"
#include "record/format.h"
#include "record/scene.h"
#include "record/writer.h"
#include "sim/method_info.h"

enum { NAME_SIZE = 512 };

// Part of the interval by which a frame may come early: times of steps are rounded.
static const double FRAME_TOLERANCE = 1e-6;

// A flush is due when the next sample is expected after this part of the flush interval. The rest
// is a reserve for slower steps and a busy processor.
static const double FLUSH_SHARE = 0.75;

struct hf_record {
    hf_sim *sim;
    hf_writer *writer;
    hf_channel *channels; // [count]
    int count;
    int more_count;
    hf_status (*more)(void *context, hf_sim *sim, double *values, hf_error *error);
    void *more_context;
    double *row; // time, then the channels, then more
    double flush_seconds;
    bool waiting; // a sample was taken since the last flush
    double duration;
    struct timespec created, flushed, sampled; // when
    double flush_cost;                         // what the last flush took [s]
    hf_frame_plan plan;
    hf_frame_rows frame;  // scratch
    double next_frame;    // due at this time [s]
    double last_frame;    // of the last frame [s]
    long long frame_room; // frames left at the present interval
    long long samples;
    double last_time;   // of the last sample
    hf_verdict verdict; // to be written
    bool judged;        // by others than the sim
    hf_error failure;   // status HF_OK: none yet
};

hf_record_def hf_record_def_default(const hf_model *model)
{
    return (hf_record_def){.flush_seconds = 1.0, .duration = hf_model_duration(model)};
}

static hf_writer *open_format(const char *path, hf_run_facts *facts, const hf_record *record,
                              hf_error *error)
{
    if (hf_file_format_of(path) == HF_FILE_CSV) {
        return hf_csv_create(path, facts, error);
    }
    char *scene = hf_scene_text(record->sim, &record->plan, facts->duration);
    if (scene == NULL) {
        (void)hf_error_set(error, HF_ERROR_MEMORY, "out of memory for a recording");
        return NULL;
    }
    facts->scene = scene;
    hf_writer *writer = hf_hdf5_create(path, facts, error);
    free(scene);
    return writer;
}

static bool method_locates_events(const hf_sim *sim)
{
    return hf_method_info_get(hf_sim_method(sim).type)->locates_events;
}

static hf_writer *open_writer(const char *path, hf_sim *sim, const hf_record *record,
                              const hf_record_def *def, hf_error *error)
{
    const hf_model *model = hf_sim_model(sim);
    hf_arena arena = {0};
    size_t count = (size_t)record->count, all = count + (size_t)record->more_count;
    const char **names = hf_arena_alloc(&arena, all, sizeof *names);
    const char **units = hf_arena_alloc(&arena, all, sizeof *units);
    bool good = names != NULL && units != NULL;
    for (size_t i = 0; good && i < count; ++i) {
        char name[NAME_SIZE];
        hf_model_channel_name(model, record->channels[i], name, sizeof name);
        names[i] = hf_arena_string(&arena, name);
        units[i] = hf_model_channel_unit(model, record->channels[i]);
        good = names[i] != NULL;
    }
    for (size_t i = count; good && i < all; ++i) {
        names[i] = def->more_names[i - count];
        units[i] = def->more_units[i - count];
    }
    hf_writer *writer = NULL;
    if (!good) {
        (void)hf_error_set(error, HF_ERROR_MEMORY, "out of memory for %d channels", record->count);
    } else {
        hf_run_facts facts = {.title = hf_model_name(model),
                              .model = hf_model_text(model),
                              .method = hf_method_name(hf_sim_method(sim).type),
                              .step = hf_sim_method(sim).step,
                              .duration = def->duration,
                              .count = (int)all,
                              .names = names,
                              .units = units,
                              .frame_bodies = record->plan.wanted ? record->plan.bodies : 0,
                              .frame_forces = record->plan.wanted ? record->plan.forces : 0,
                              .frame_contacts = record->plan.wanted ? record->plan.contacts : 0,
                              .events = method_locates_events(sim)};
        writer = open_format(path, &facts, record, error);
    }
    hf_arena_free(&arena);
    return writer;
}

static hf_status check_def(const char *path, const hf_record_def *def, hf_error *error)
{
    if (hf_file_format_of(path) == HF_FILE_UNKNOWN) {
        return hf_error_set(error, HF_ERROR_INPUT,
                            "%.300s: the ending must be .csv, .h5 or .hdf5, to select the format",
                            path);
    }
    if (!(def->flush_seconds > 0.0)) {
        return hf_error_set(error, HF_ERROR_RANGE, "record: flush interval (%g s) must be positive",
                            def->flush_seconds);
    }
    if (def->more_count < 0 ||
        (def->more_count > 0 &&
         (def->more == NULL || def->more_names == NULL || def->more_units == NULL))) {
        return hf_error_set(error, HF_ERROR_INPUT,
                            "record: further columns want names, units and "
                            "what fills them");
    }
    if (!(def->duration >= 0.0)) {
        return hf_error_set(error, HF_ERROR_RANGE, "record: duration (%g s) must not be negative",
                            def->duration);
    }
    return HF_OK;
}

static void record_free(hf_record *record)
{
    free(record->channels);
    free(record->row);
    free(record->frame.poses);
    free(record->frame.forces);
    free(record->frame.contacts);
    free(record->frame.list);
    free(record->frame.views);
    free(record);
}

static hf_record *record_allocate(hf_sim *sim, const hf_record_def *def)
{
    const hf_model *model = hf_sim_model(sim);
    hf_record *record = calloc(1, sizeof *record);
    if (record == NULL) {
        return NULL;
    }
    *record = (hf_record){.sim = sim,
                          .count = hf_model_record_count(model),
                          .more_count = def->more_count,
                          .more = def->more,
                          .more_context = def->more_context,
                          .flush_seconds = def->flush_seconds,
                          .duration = def->duration,
                          .last_time = -INFINITY,
                          .plan = hf_frame_plan_make(sim, def->duration),
                          .next_frame = -INFINITY,
                          .last_frame = -INFINITY};
    record->frame_room = record->plan.most;
    size_t bodies = record->plan.wanted ? (size_t)record->plan.bodies : 0;
    size_t forces = record->plan.wanted ? (size_t)record->plan.forces : 0;
    record->channels = calloc((size_t)record->count + 1, sizeof *record->channels);
    record->row =
        calloc((size_t)record->count + (size_t)record->more_count + 1, sizeof *record->row);
    record->frame.poses = calloc(bodies + 1, HF_FRAME_POSE_COLUMNS * sizeof(float));
    record->frame.forces = calloc(forces + 1, HF_FRAME_FORCE_COLUMNS * sizeof(float));
    size_t contacts = record->plan.wanted ? (size_t)record->plan.contacts : 0;
    record->frame.contacts = calloc(contacts + 1, HF_FRAME_CONTACT_COLUMNS * sizeof(float));
    if (record->channels == NULL || record->row == NULL || record->frame.poses == NULL ||
        record->frame.forces == NULL || record->frame.contacts == NULL) {
        record_free(record);
        return NULL;
    }
    return record;
}

hf_record *hf_record_create(const char *path, hf_sim *sim, const hf_record_def *def,
                            hf_error *error)
{
    const hf_model *model = hf_sim_model(sim);
    const hf_record_def chosen = def == NULL ? hf_record_def_default(model) : *def;
    if (check_def(path, &chosen, error) != HF_OK) {
        return NULL;
    }
    hf_record *record = record_allocate(sim, &chosen);
    if (record == NULL) {
        (void)hf_error_set(error, HF_ERROR_MEMORY, "out of memory for a recording");
        return NULL;
    }
    for (int i = 0; i < record->count; ++i) {
        record->channels[i] = hf_model_record_channel(model, i);
    }
    record->writer = open_writer(path, sim, record, &chosen, error);
    if (record->writer == NULL) {
        record_free(record);
        return NULL;
    }
    (void)clock_gettime(CLOCK_MONOTONIC, &record->flushed);
    record->created = record->sampled = record->flushed;
    return record;
}

// Keeps the first failure and hands it out again.
static hf_status settle(hf_record *record, hf_status status, hf_error *error)
{
    if (record->failure.status == HF_OK) {
        record->failure.status = status;
    }
    if (record->failure.status != HF_OK && error != NULL) {
        *error = record->failure;
    }
    return record->failure.status;
}

static double seconds_between(struct timespec start, struct timespec end)
{
    return (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
}

static double seconds_since(struct timespec start)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return seconds_between(start, now);
}

hf_status hf_record_flush(hf_record *record, hf_error *error)
{
    hf_status status = HF_OK;
    if (record->failure.status == HF_OK) {
        struct timespec start;
        (void)clock_gettime(CLOCK_MONOTONIC, &start);
        status = record->writer->flush(record->writer, &record->failure);
        (void)clock_gettime(CLOCK_MONOTONIC, &record->flushed);
        record->flush_cost = seconds_between(start, record->flushed);
        record->waiting = false;
    }
    return settle(record, status, error);
}

hf_status hf_record_poll(hf_record *record, hf_error *error)
{
    if (record->waiting && record->failure.status == HF_OK &&
        seconds_since(record->flushed) + record->flush_cost >=
            FLUSH_SHARE * record->flush_seconds) {
        return hf_record_flush(record, error);
    }
    return settle(record, HF_OK, error);
}

// Whether a sample that waits in memory for the next one may become older than the flush interval.
// The next is expected after as long as the last one took; nothing is expected at the first.
static bool flush_is_due(hf_record *record)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    double gap = seconds_between(record->sampled, now);
    record->sampled = now;
    return record->samples == 1 ||
           seconds_between(record->flushed, now) + gap + record->flush_cost >=
               FLUSH_SHARE * record->flush_seconds;
}

static bool has_frames(const hf_record *record)
{
    return record->writer->frame != NULL && record->plan.wanted;
}

// A value that has left the finite numbers is reported, not recorded: the state it comes from may
// still be finite, and the run would go on. What was recorded before it stays a whole file.
static hf_status check_row(const hf_record *record, hf_error *error)
{
    for (int i = 0; i < record->count; ++i) {
        double value = record->row[i + 1];
        if (!isfinite(value)) {
            char name[NAME_SIZE];
            hf_model_channel_name(hf_sim_model(record->sim), record->channels[i], name,
                                  sizeof name);
            return hf_error_at(error, HF_ERROR_NOT_FINITE, hf_at_time(record->row[0], NULL, NULL),
                               "channel '%s' is %s; the sample is not recorded", name,
                               isnan(value) ? "not a number" : "infinite");
        }
    }
    return HF_OK;
}

// Pictures are in float: what is too large for it is not drawn.
static bool frame_is_finite(const hf_record *record)
{
    const hf_frame_plan *plan = &record->plan;
    const struct {
        const float *values;
        size_t count;
    } parts[] = {{record->frame.poses, (size_t)plan->bodies * HF_FRAME_POSE_COLUMNS},
                 {record->frame.forces, (size_t)plan->forces * HF_FRAME_FORCE_COLUMNS},
                 {record->frame.contacts, (size_t)plan->contacts * HF_FRAME_CONTACT_COLUMNS},
                 {record->frame.list, (size_t)record->frame.listed * HF_FRAME_LIST_COLUMNS}};
    bool finite = true;
    for (size_t part = 0; part < sizeof parts / sizeof *parts; ++part) {
        for (size_t i = 0; i < parts[part].count; ++i) {
            finite = finite && isfinite(parts[part].values[i]);
        }
    }
    return finite;
}

// Frames are evenly spaced over the duration; in a run that goes on beyond it every second one is
// dropped.
static hf_status take_frame(hf_record *record)
{
    double now = hf_sim_time(record->sim);
    if (!hf_frame_fill(record->sim, &record->plan, &record->frame)) {
        return hf_error_set(&record->failure, HF_ERROR_MEMORY, "out of memory for contacts");
    }
    record->last_frame = now;
    record->next_frame = now + record->plan.interval * (1.0 - FRAME_TOLERANCE);
    record->frame_room -= 1;
    if (record->frame_room < 0) {
        record->plan.interval = fmax(2.0 * record->plan.interval, now / record->plan.most);
        record->frame_room = record->plan.most / 16;
    }
    return frame_is_finite(record)
               ? record->writer->frame(record->writer, &record->frame, &record->failure)
               : HF_OK;
}

hf_status hf_record_sample(hf_record *record, hf_sim *sim, hf_error *error)
{
    if (record->failure.status != HF_OK) {
        return settle(record, HF_OK, error);
    }
    record->row[0] = hf_sim_time(sim);
    for (int i = 0; i < record->count; ++i) {
        record->row[i + 1] = hf_sim_value(sim, record->channels[i]);
    }
    HF_TRY(check_row(record, error));
    if (record->more_count > 0) {
        HF_TRY(record->more(record->more_context, sim, record->row + 1 + record->count, error));
    }
    record->last_time = record->row[0];
    record->samples += 1;
    hf_status status = record->writer->sample(record->writer, record->row, &record->failure);
    if (status == HF_OK && has_frames(record) && record->last_time >= record->next_frame) {
        status = take_frame(record);
    }
    record->waiting = true;
    if (status == HF_OK && flush_is_due(record)) {
        return hf_record_flush(record, error);
    }
    return settle(record, status, error);
}

hf_status hf_record_event(hf_record *record, const hf_event *event, hf_error *error)
{
    if (record->failure.status != HF_OK || record->writer->event == NULL) {
        return settle(record, HF_OK, error);
    }
    const double row[HF_EVENT_COLUMNS] = {event->time, event->force.id, event->from, event->to};
    record->waiting = true;
    return settle(record, record->writer->event(record->writer, row, &record->failure), error);
}

static hf_status finish(hf_record *record)
{
    hf_sim_stats stats = hf_sim_get_stats(record->sim);
    hf_run_end end = {
        .samples = record->samples,
        .steps = stats.steps,
        .evaluations = stats.evaluations,
        .energy_residual = hf_sim_energy(record->sim).residual,
        .completed = record->last_time >= record->duration - 0.5 * hf_sim_method(record->sim).step,
    };
    hf_status status = HF_OK;
    // The last sample is also the last picture, if the sim still stands there.
    if (has_frames(record) && record->last_frame < record->last_time &&
        hf_sim_time(record->sim) == record->last_time) {
        status = take_frame(record);
    }
    char *summary = NULL;
    if (status == HF_OK && record->writer->frame != NULL) {
        hf_verdict verdict = record->judged ? record->verdict : hf_sim_verdict(record->sim);
        summary = hf_summary_text(record->sim, end.completed,
                                  seconds_between(record->created, record->sampled), &verdict);
        if (summary == NULL) {
            status = hf_error_set(&record->failure, HF_ERROR_MEMORY, "out of memory for a summary");
        }
    }
    end.summary = summary;
    hf_status closed = record->writer->close(record->writer, status == HF_OK ? &end : NULL,
                                             status == HF_OK ? &record->failure : NULL);
    free(summary);
    return status == HF_OK ? closed : status;
}

void hf_record_set_verdict(hf_record *record, const hf_verdict *verdict)
{
    record->judged = verdict != NULL;
    if (verdict != NULL) {
        record->verdict = *verdict;
    }
}

hf_status hf_record_close(hf_record *record, hf_error *error)
{
    if (record == NULL) {
        return HF_OK;
    }
    hf_status status = HF_OK;
    if (record->failure.status == HF_OK) {
        status = finish(record);
    } else {
        status = record->writer->close(record->writer, NULL, NULL);
    }
    status = settle(record, status, error);
    record_free(record);
    return status;
}
