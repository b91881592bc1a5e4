// SPDX-License-Identifier: Apache-2.0
#include <holdfast/record.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "base/error.h"
#include "record/format.h"
#include "record/writer.h"

enum { NAME_SIZE = 512 };

struct hf_record {
    hf_sim *sim;
    hf_writer *writer;
    hf_channel *channels; // [count]
    int count;
    double *row; // time, then the channels
    double flush_seconds;
    double duration;
    struct timespec flushed; // when
    long long samples;
    double last_time; // of the last sample
    hf_error failure; // status HF_OK: none yet
};

hf_record_def hf_record_def_default(const hf_model *model)
{
    return (hf_record_def){.flush_seconds = 1.0, .duration = hf_model_duration(model)};
}

static hf_writer *open_writer(const char *path, hf_sim *sim, const hf_record *record,
                              const hf_record_def *def, hf_error *error)
{
    const hf_model *model = hf_sim_model(sim);
    hf_arena arena = {0};
    size_t count = (size_t)record->count;
    const char **names = hf_arena_alloc(&arena, count, sizeof *names);
    const char **units = hf_arena_alloc(&arena, count, sizeof *units);
    bool good = names != NULL && units != NULL;
    for (size_t i = 0; good && i < count; ++i) {
        char name[NAME_SIZE];
        hf_model_channel_name(model, record->channels[i], name, sizeof name);
        names[i] = hf_arena_string(&arena, name);
        units[i] = hf_model_channel_unit(model, record->channels[i]);
        good = names[i] != NULL;
    }
    hf_writer *writer = NULL;
    if (!good) {
        (void)hf_error_set(error, HF_ERROR_MEMORY, "out of memory for %d channels", record->count);
    } else {
        const hf_run_facts facts = {.title = hf_model_name(model),
                                    .model = hf_model_text(model),
                                    .method = hf_method_name(hf_sim_method(sim).type),
                                    .step = hf_sim_method(sim).step,
                                    .duration = def->duration,
                                    .count = record->count,
                                    .names = names,
                                    .units = units};
        hf_file_format format = hf_file_format_of(path);
        writer = format == HF_FILE_CSV ? hf_csv_create(path, &facts, error)
                                       : hf_hdf5_create(path, &facts, error);
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
    free(record);
}

hf_record *hf_record_create(const char *path, hf_sim *sim, const hf_record_def *def,
                            hf_error *error)
{
    const hf_model *model = hf_sim_model(sim);
    const hf_record_def chosen = def == NULL ? hf_record_def_default(model) : *def;
    if (check_def(path, &chosen, error) != HF_OK) {
        return NULL;
    }
    hf_record *record = calloc(1, sizeof *record);
    if (record != NULL) {
        *record = (hf_record){.sim = sim,
                              .count = hf_model_record_count(model),
                              .flush_seconds = chosen.flush_seconds,
                              .duration = chosen.duration,
                              .last_time = -INFINITY};
        record->channels = calloc((size_t)record->count + 1, sizeof *record->channels);
        record->row = calloc((size_t)record->count + 1, sizeof *record->row);
    }
    if (record == NULL || record->channels == NULL || record->row == NULL) {
        (void)hf_error_set(error, HF_ERROR_MEMORY, "out of memory for a recording");
        if (record != NULL) {
            record_free(record);
        }
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

hf_status hf_record_flush(hf_record *record, hf_error *error)
{
    hf_status status = HF_OK;
    if (record->failure.status == HF_OK) {
        status = record->writer->flush(record->writer, &record->failure);
        (void)clock_gettime(CLOCK_MONOTONIC, &record->flushed);
    }
    return settle(record, status, error);
}

static bool is_flush_due(const hf_record *record)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    double waited = (double)(now.tv_sec - record->flushed.tv_sec) +
                    1e-9 * (double)(now.tv_nsec - record->flushed.tv_nsec);
    return waited >= record->flush_seconds;
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
    record->last_time = record->row[0];
    record->samples += 1;
    hf_status status = record->writer->sample(record->writer, record->row, &record->failure);
    if (status == HF_OK && is_flush_due(record)) {
        return hf_record_flush(record, error);
    }
    return settle(record, status, error);
}

hf_status hf_record_close(hf_record *record, hf_error *error)
{
    if (record == NULL) {
        return HF_OK;
    }
    hf_sim_stats stats = hf_sim_get_stats(record->sim);
    const hf_run_end end = {
        .samples = record->samples,
        .steps = stats.steps,
        .evaluations = stats.evaluations,
        .energy_residual = hf_sim_energy(record->sim).residual,
        .completed = record->last_time >= record->duration - 0.5 * hf_sim_method(record->sim).step,
    };
    bool failed = record->failure.status != HF_OK;
    hf_status status = record->writer->close(record->writer, failed ? NULL : &end,
                                             failed ? NULL : &record->failure);
    status = settle(record, status, error);
    record_free(record);
    return status;
}
