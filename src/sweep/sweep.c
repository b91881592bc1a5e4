// SPDX-License-Identifier: Apache-2.0
// A sweep from its definition: everything is read and checked before the first run.
#include <holdfast/sweep.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "models/tree/node.h"
#include "record/format.h"
#include "record/table.h"
#include "sweep/sweep_data.h"

hf_sweep_def hf_sweep_def_default(void)
{
    return (hf_sweep_def){.duration = (double)NAN, .every = 1, .jobs = 1, .samples = 0, .seed = 1};
}

static hf_status out_of_memory(hf_error *error)
{
    return hf_error_set(error, HF_ERROR_MEMORY, "out of memory for a sweep");
}

// ------------------------------------------------------------------------------------------------
// Our own copy of the definition

static bool copy_text(hf_arena *arena, const char **text)
{
    *text = *text == NULL ? NULL : hf_arena_string(arena, *text);
    return true;
}

static hf_status copy_list(hf_arena *arena, const char *const **list, int count, const char *what,
                           hf_error *error)
{
    const char **copy = hf_arena_alloc(arena, (size_t)count, sizeof *copy);
    for (int i = 0; copy != NULL && i < count; ++i) {
        if (strpbrk((*list)[i], "\n\r") != NULL) {
            return hf_error_set(error, HF_ERROR_INPUT, "%s '%.60s...': expected one line", what,
                                (*list)[i]);
        }
        copy[i] = hf_arena_string(arena, (*list)[i]);
        if (copy[i] == NULL) {
            return out_of_memory(error);
        }
    }
    *list = copy;
    return copy == NULL ? out_of_memory(error) : HF_OK;
}

static hf_status copy_def(hf_sweep *s, hf_error *error)
{
    hf_sweep_def *d = &s->def;
    hf_arena *a = &s->arena;
    HF_TRY(copy_list(a, &d->sets, d->set_count, "set", error));
    HF_TRY(copy_list(a, &d->vary, d->vary_count, "vary", error));
    HF_TRY(copy_list(a, &d->variants, d->variant_count, "variant", error));
    HF_TRY(copy_list(a, &d->methods, d->method_count, "method", error));
    HF_TRY(copy_list(a, &d->of, d->of_count, "of", error));
    const char **texts[] = {&d->model, &d->label,      &d->folder,
                            &d->cases, &d->recordings, &d->output};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        bool given = *texts[i] != NULL;
        (void)copy_text(a, texts[i]);
        if (given && *texts[i] == NULL) {
            return out_of_memory(error);
        }
    }
    return HF_OK;
}

static hf_status check_def(const hf_sweep_def *d, hf_error *error)
{
    if ((d->model == NULL) == (d->text == NULL)) {
        return hf_error_set(error, HF_ERROR_INPUT, "a sweep needs a model: a file, or a text");
    }
    if (d->output == NULL ||
        (hf_file_format_of(d->output) == HF_FILE_UNKNOWN && !hf_is_parquet_name(d->output))) {
        return hf_error_set(error, HF_ERROR_INPUT,
                            "a sweep needs an output file that ends in .h5, .hdf5, .csv or "
                            ".parquet%s%.200s",
                            d->output == NULL ? "" : ", not ", d->output == NULL ? "" : d->output);
    }
    if (!(d->after >= 0.0) || !isfinite(d->after)) {
        return hf_error_set(error, HF_ERROR_RANGE, "after must be 0 or more [s], got %g", d->after);
    }
    if (!isnan(d->duration) && !(d->duration > 0.0 && isfinite(d->duration))) {
        return hf_error_set(error, HF_ERROR_RANGE, "duration must be above 0 [s], got %g",
                            d->duration);
    }
    if (d->every < 1 || d->jobs < 1) {
        return hf_error_set(error, HF_ERROR_RANGE, "every and jobs must be 1 or more");
    }
    if (d->shards < 0 || (d->shards > 0 && (d->shard < 1 || d->shard > d->shards))) {
        return hf_error_set(error, HF_ERROR_RANGE, "shard must be 1 to %d, got %d", d->shards,
                            d->shard);
    }
    return HF_OK;
}

// ------------------------------------------------------------------------------------------------
// The machine

static hf_status read_model(hf_sweep *s, hf_error *error)
{
    hf_sweep_def *d = &s->def;
    size_t length = d->length;
    // Its text and folder, from a file or as given
    if (d->model != NULL) {
        HF_TRY(hf_text_read(d->model, d->model, false, &s->text, &length, error));
        const char *slash = strrchr(d->model, '/');
        s->folder = slash == NULL
                        ? strdup(".")
                        : strndup(d->model, slash == d->model ? 1 : (size_t)(slash - d->model));
        d->label = d->model;
        d->folder = s->folder;
    } else {
        s->text = malloc(length + 1);
        if (s->text != NULL) {
            memcpy(s->text, d->text, length);
            s->text[length] = '\0';
        }
        s->folder = strdup(d->folder == NULL ? "" : d->folder);
    }
    d->text = s->text;
    d->length = length;
    d->label = d->label == NULL ? "model" : d->label;
    if (s->text == NULL || s->folder == NULL) {
        return out_of_memory(error);
    }
    // Parsed once, for all cases
    s->file = hf_model_file_parse(s->text, length, d->label, d->folder, NULL, error);
    if (s->file == NULL) {
        return error->status;
    }
    s->source = (hf_source_model){.file = s->file,
                                  .label = d->label,
                                  .folder = d->folder,
                                  .sets = d->sets,
                                  .set_count = d->set_count};
    return HF_OK;
}

static hf_model *compile_case(const hf_sweep *s, hf_case_value *values, long long index,
                              hf_error *error)
{
    hf_plan_case(&s->plan, index, values);
    return hf_case_compile(&s->source, values, s->plan.axis_count, error);
}

// A machine of the sweep, to read expressions against: the first case's, or else another one's, of
// some spread over all. None compiles: something is wrong that has nothing to do with single
// values.
static hf_model *reference(const hf_sweep *s, hf_error *error)
{
    hf_case_value *values = calloc((size_t)s->plan.axis_count, sizeof *values);
    if (values == NULL) {
        (void)out_of_memory(error);
        return NULL;
    }
    enum { TRIES = 24 };
    hf_error unused = {0};
    hf_model *model = compile_case(s, values, 0, error);
    for (long long k = TRIES; model == NULL && k > 0; --k) {
        model = compile_case(
            s, values, (s->plan.count - 1) / TRIES * k + (s->plan.count - 1) % TRIES * k / TRIES,
            &unused);
    }
    free(values);
    return model;
}

// ------------------------------------------------------------------------------------------------
// Outputs

static hf_status add_output(hf_sweep *s, const hf_model *model, const char *name, const char *text,
                            hf_error *error)
{
    int k = s->observe.output_count;
    if (k >= HF_TABLE_COLUMNS_MAX) {
        return hf_error_set(error, HF_ERROR_RANGE, "more than %d outputs", HF_TABLE_COLUMNS_MAX);
    }
    HF_TRY(hf_observe_add(&s->observe, model, name, text, error));
    // The expression alone: what stands behind its name
    const char *own = s->observe.outputs[k].name;
    size_t length = strlen(own);
    bool named = name == NULL && strncmp(text, own, length) == 0 && text[length] == '=';
    s->expressions[k] = hf_arena_string(&s->arena, named ? text + length + 1 : text);
    hf_channel channel = hf_model_find_channel(model, s->expressions[k] == NULL ? "" : text);
    s->units[k] =
        channel.id == 0 ? "" : hf_arena_string(&s->arena, hf_model_channel_unit(model, channel));
    return s->expressions[k] == NULL || s->units[k] == NULL ? out_of_memory(error) : HF_OK;
}

static hf_status add_regimes(hf_sweep *s, const hf_model *model, hf_error *error)
{
    static const char *const parts[] = {"stick", "slip", "open", "transitions"};
    enum { NAME_SIZE = 300 };
    for (int id = 1; id <= hf_model_get_info(model).forces; ++id) {
        hf_force_info force = hf_model_force_info(model, (hf_force){id});
        for (size_t i = 0; force.friction && i < sizeof parts / sizeof *parts; ++i) {
            char name[NAME_SIZE], text[NAME_SIZE];
            (void)snprintf(name, sizeof name, "%.200s.%s", force.name, parts[i]);
            (void)snprintf(text, sizeof text, "%s('%.200s')", parts[i], force.name);
            HF_TRY(add_output(s, model, name, text, error));
        }
    }
    return HF_OK;
}

static hf_status add_energy(hf_sweep *s, const hf_model *model, hf_error *error)
{
    static const char *const names[] = {"energy.kinetic", "energy.potential",  "energy.stored",
                                        "energy.input",   "energy.dissipated", "energy.residual",
                                        "ledger"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        HF_TRY(add_output(s, model, names[i], names[i], error));
    }
    return HF_OK;
}

static hf_status add_outputs(hf_sweep *s, const hf_model *model, hf_error *error)
{
    const hf_sweep_def *d = &s->def;
    s->expressions = hf_arena_alloc(&s->arena, HF_TABLE_COLUMNS_MAX, sizeof *s->expressions);
    s->units = hf_arena_alloc(&s->arena, HF_TABLE_COLUMNS_MAX, sizeof *s->units);
    if (s->expressions == NULL || s->units == NULL) {
        return out_of_memory(error);
    }
    for (int i = 0; i < d->of_count; ++i) {
        HF_TRY(add_output(s, model, NULL, d->of[i], error));
    }
    HF_TRY(d->regimes ? add_regimes(s, model, error) : HF_OK);
    HF_TRY(d->energy ? add_energy(s, model, error) : HF_OK);
    // Nothing asked for: recorded channels at the end
    enum { NAME_SIZE = 300 };
    bool none = d->of_count == 0 && !d->regimes && !d->energy;
    for (int i = 0; none && i < hf_model_record_count(model); ++i) {
        char name[NAME_SIZE], text[NAME_SIZE + 2];
        hf_model_channel_name(model, hf_model_record_channel(model, i), name, sizeof name);
        (void)snprintf(text, sizeof text, "'%s'", name);
        HF_TRY(add_output(s, model, name, text, error));
    }
    return HF_OK;
}

// ------------------------------------------------------------------------------------------------
// Fingerprint

static void hash_text(unsigned long long *hash, const char *text)
{
    *hash = hf_hash_bytes(*hash, text, strlen(text) + 1);
}

static void hash_numbers(unsigned long long *hash, const double *numbers, long long count)
{
    *hash = hf_hash_bytes(*hash, numbers, (size_t)count * sizeof *numbers);
}

static unsigned long long fingerprint_of(const hf_sweep *s)
{
    const hf_sweep_def *d = &s->def;
    unsigned long long hash = 0;
    hash_text(&hash, HF_VERSION);
    hash_text(&hash, s->text);
    for (int i = 0; i < d->set_count; ++i) {
        hash_text(&hash, d->sets[i]);
    }
    for (int k = 0; k < s->plan.axis_count; ++k) {
        const hf_axis *axis = &s->plan.axes[k];
        const double shape[] = {axis->low,           axis->high,          (double)axis->kind,
                                (double)axis->count, (double)axis->route, (double)axis->random};
        hash_text(&hash, axis->name);
        hash_numbers(&hash, shape, sizeof shape / sizeof *shape);
        hash_numbers(&hash, axis->numbers, axis->numbers == NULL ? 0 : axis->count);
        for (long long i = 0; axis->texts != NULL && i < axis->count; ++i) {
            hash_text(&hash, axis->texts[i]);
        }
    }
    for (int k = 0; k < s->observe.output_count; ++k) {
        hash_text(&hash, s->observe.outputs[k].name);
        hash_text(&hash, s->expressions[k]);
    }
    const double rules[] = {(double)d->design,  (double)d->indices,
                            (double)d->samples, (double)d->seed,
                            d->after,           isnan(d->duration) ? -1.0 : d->duration,
                            (double)d->every};
    hash_numbers(&hash, rules, sizeof rules / sizeof *rules);
    return hash;
}

// ------------------------------------------------------------------------------------------------

static bool is_stopped(void *context)
{
    hf_sweep *s = context;
    if (s->def.stop_wanted != NULL && s->def.stop_wanted(s->def.context)) {
        atomic_store(&s->stopped, true);
    }
    return atomic_load(&s->stopped);
}

static hf_status make(hf_sweep *s, hf_error *error)
{
    HF_TRY(check_def(&s->def, error));
    HF_TRY(copy_def(s, error));
    HF_TRY(read_model(s, error));
    HF_TRY(hf_plan_make(&s->plan, &s->def, error));
    s->axis_units = hf_arena_alloc(&s->arena, (size_t)s->plan.axis_count, sizeof *s->axis_units);
    if (s->axis_units == NULL) {
        return out_of_memory(error);
    }
    HF_TRY(hf_sweep_resolve(s, error));
    hf_model *model = reference(s, error);
    if (model == NULL) {
        return error->status < 0 ? error->status : HF_ERROR_INPUT;
    }
    hf_status status = add_outputs(s, model, error);
    hf_model_destroy(model);
    HF_TRY(status);
    // After all values were read: one that is not understood may have been meant as random
    if (s->plan.random_count == 0 && s->def.samples > 0) {
        return hf_error_set(error, HF_ERROR_INPUT,
                            "samples are of random axes (NAME=uniform:LOW:HIGH, normal, ...), and "
                            "none varies so");
    }
    s->fingerprint = fingerprint_of(s);
    s->rules = (hf_case_rules){.source = &s->source,
                               .observe = &s->observe,
                               .duration = s->def.duration,
                               .after = s->def.after,
                               .every = s->def.every,
                               .tables = s->def.tables,
                               .stop_wanted = is_stopped,
                               .context = s,
                               .recording_lock = &s->recording_lock};
    return HF_OK;
}

hf_sweep *hf_sweep_create(const hf_sweep_def *def, hf_error *error)
{
    hf_error own = {0};
    error = error == NULL ? &own : error;
    hf_sweep *s = calloc(1, sizeof *s);
    if (s == NULL) {
        (void)out_of_memory(error);
        return NULL;
    }
    s->def = *def;
    s->store.file = -1;
    (void)pthread_mutex_init(&s->recording_lock, NULL);
    (void)pthread_mutex_init(&s->progress_lock, NULL);
    if (make(s, error) < 0) {
        hf_sweep_destroy(s);
        return NULL;
    }
    return s;
}

void hf_sweep_destroy(hf_sweep *s)
{
    if (s == NULL) {
        return;
    }
    hf_store_close(&s->store);
    hf_observe_free(&s->observe);
    hf_plan_free(&s->plan);
    (void)pthread_mutex_destroy(&s->recording_lock);
    (void)pthread_mutex_destroy(&s->progress_lock);
    hf_model_file_destroy(s->file);
    free(s->text);
    free(s->folder);
    hf_arena_free(&s->arena);
    free(s);
}

long long hf_sweep_count(const hf_sweep *sweep)
{
    return sweep->plan.count;
}

hf_sweep_progress hf_sweep_get_progress(const hf_sweep *sweep)
{
    return sweep->progress;
}
