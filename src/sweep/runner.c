// SPDX-License-Identifier: Apache-2.0
// Runs one case of a sweep: from its values to its row.
#include "sweep/runner.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "compile/model_data.h"
#include "record/format.h"
#include "spec/spec_data.h"

static const double MOST_STEPS = 9e15;

// ------------------------------------------------------------------------------------------------
// The machine

static void free_kept(hf_kept_model *kept)
{
    hf_model_destroy(kept->model);
    free(kept->key);
    *kept = (hf_kept_model){0};
}

// "PATH=VALUE" of every change, each ended by a zero, behind those of the sweep; variant and method
// behind all. It is what the machine depends on that is read from the file.
typedef struct changes {
    char *bytes;
    size_t length;
    const char **items;
    int count;
    const char *variant, *method;
} changes;

// "PATH=VALUE" in `to`, which has room; its end.
static char *print_change(const hf_case_value *v, char *to)
{
    char number[HF_NUMBER_SIZE];
    const char *text = v->value.text;
    if (text == NULL) {
        (void)hf_number_format(v->value.number, number);
        text = number;
    }
    to = stpcpy(to, v->path);
    *to++ = '=';
    return stpcpy(to, text) + 1;
}

static bool print_changes(changes *c, const hf_case_value *values, int count)
{
    // Room for all
    size_t room = 4 + (c->variant == NULL ? 0 : strlen(c->variant)) +
                  (c->method == NULL ? 0 : strlen(c->method));
    for (int i = 0; i < count; ++i) {
        const char *text = values[i].value.text;
        if (values[i].route == HF_ROUTE_SET) {
            room += strlen(values[i].path) + 2 + (text == NULL ? HF_NUMBER_SIZE : strlen(text));
        }
    }
    c->bytes = malloc(room);
    if (c->bytes == NULL) {
        return false;
    }
    // One behind the other
    char *end = c->bytes;
    for (int i = 0; i < count; ++i) {
        end = values[i].route == HF_ROUTE_SET ? print_change(&values[i], end) : end;
    }
    end += snprintf(end, room - (size_t)(end - c->bytes), "%c%s%c%s", 1,
                    c->variant == NULL ? "" : c->variant, 1, c->method == NULL ? "" : c->method);
    c->length = (size_t)(end - c->bytes);
    return true;
}

static bool gather_changes(changes *c, const hf_source_model *source, const hf_case_value *values,
                           int count)
{
    int own = 0;
    for (int i = 0; i < count; ++i) {
        own += values[i].route == HF_ROUTE_SET ? 1 : 0;
        const char *text = values[i].value.text; // empty: the model as it is
        text = text == NULL || text[0] == '\0' ? NULL : text;
        c->variant = values[i].route == HF_ROUTE_VARIANT ? text : c->variant;
        c->method = values[i].route == HF_ROUTE_METHOD ? text : c->method;
    }
    c->items = calloc((size_t)(source->set_count + own) + 1, sizeof *c->items);
    if (c->items == NULL || !print_changes(c, values, count)) {
        return false;
    }
    for (int i = 0; i < source->set_count; ++i) {
        c->items[c->count++] = source->sets[i];
    }
    const char *item = c->bytes;
    for (int i = 0; i < own; ++i) {
        c->items[c->count++] = item;
        item += strlen(item) + 1;
    }
    return true;
}

static hf_model *read_file(const hf_source_model *source, const changes *c, hf_error *error)
{
    const hf_overrides overrides = {
        .items = c->items, .count = c->count, .variant = c->variant, .method = c->method};
    return hf_model_file_compile(source->file, &overrides, error);
}

// Whether nothing but numbers of the compiled machine varies: all cases have one description.
static bool has_one_spec(const hf_case_value *values, int count)
{
    bool one = true;
    for (int i = 0; i < count; ++i) {
        one = one && values[i].route == HF_ROUTE_PARAMETER;
    }
    return one;
}

// The machine of a case without its parameters. Owned by *kept.
static hf_model *model_of(const hf_source_model *source, const hf_case_value *values, int count,
                          hf_kept_model *kept, hf_error *error)
{
    if (kept->model != NULL && has_one_spec(values, count)) {
        return kept->model;
    }
    // Its changes, as one text
    changes c = {0};
    bool good = gather_changes(&c, source, values, count);
    char *key = good ? malloc(c.length + 1) : NULL;
    bool same = false;
    if (key != NULL) {
        for (size_t i = 0; i < c.length; ++i) { // one text: zeros become another separator
            key[i] = c.bytes[i] == '\0' ? '\2' : c.bytes[i];
        }
        key[c.length] = '\0';
        same = kept->key != NULL && strcmp(kept->key, key) == 0;
    } else {
        (void)hf_error_set(error, HF_ERROR_MEMORY, "out of memory for a case");
    }
    // The file is read where they are not those of the case before
    if (key != NULL && !same) {
        free_kept(kept);
        kept->model = read_file(source, &c, error);
        kept->key = kept->model == NULL ? NULL : key;
    }
    if (kept->key != key) {
        free(key);
    }
    free((void *)c.items);
    free(c.bytes);
    return key == NULL ? NULL : kept->model;
}

// The machine with the parameters of a case.
static hf_model *set_parameters(const hf_model *base, const hf_case_value *values, int count,
                                hf_error *error)
{
    hf_spec *spec = hf_spec_copy(base->spec);
    if (spec == NULL) {
        (void)hf_error_set(error, HF_ERROR_MEMORY, "out of memory for a case");
        return NULL;
    }
    hf_status status = HF_OK;
    for (int i = 0; i < count && status == HF_OK; ++i) {
        if (values[i].route == HF_ROUTE_PARAMETER) {
            status = hf_spec_set_parameter(spec, values[i].name, values[i].value.number, error);
        }
    }
    hf_model *model = status == HF_OK ? hf_model_compile(spec, error) : NULL;
    hf_spec_destroy(spec);
    return model;
}

static bool has_parameters(const hf_case_value *values, int count)
{
    bool any = false;
    for (int i = 0; i < count; ++i) {
        any = any || values[i].route == HF_ROUTE_PARAMETER;
    }
    return any;
}

// *owned: it is not that of *kept, and the caller's to destroy.
static hf_model *compile_case(const hf_source_model *source, const hf_case_value *values, int count,
                              hf_kept_model *kept, bool *owned, hf_error *error)
{
    hf_model *base = model_of(source, values, count, kept, error);
    *owned = base != NULL && has_parameters(values, count);
    return *owned ? set_parameters(base, values, count, error) : base;
}

hf_model *hf_case_compile(const hf_source_model *source, const hf_case_value *values, int count,
                          hf_error *error)
{
    hf_kept_model kept = {0};
    bool owned = false;
    hf_model *model = compile_case(source, values, count, &kept, &owned, error);
    if (!owned) {
        kept.model = NULL; // the caller's
    }
    free_kept(&kept);
    return model;
}

// ------------------------------------------------------------------------------------------------
// The run

typedef struct run {
    hf_runner *runner;
    hf_sim *sim;
    hf_record *record; // NULL: none
    bool exclusive;    // HDF5: one thread at a time
    long long steps;
} run;

static void enter(const run *r)
{
    if (r->exclusive && r->runner->rules->recording_lock != NULL) {
        (void)pthread_mutex_lock(r->runner->rules->recording_lock);
    }
}

static void leave(const run *r)
{
    if (r->exclusive && r->runner->rules->recording_lock != NULL) {
        (void)pthread_mutex_unlock(r->runner->rules->recording_lock);
    }
}

static hf_status sample(run *r, hf_error *error)
{
    HF_TRY(hf_watcher_sample(r->runner->watcher, r->sim, error));
    if (r->record == NULL) {
        return HF_OK;
    }
    enter(r);
    hf_status status = hf_record_sample(r->record, r->sim, error);
    leave(r);
    return status == HF_ERROR_NOT_FINITE ? HF_OK : status;
}

// HF_OK, HF_INTERRUPTED, or an error: of the sweep if *outer, else of the case.
static hf_status step_through(run *r, bool *outer, hf_error *error)
{
    const hf_case_rules *rules = r->runner->rules;
    enum { STEPS_BETWEEN_LOOKS = 256 };
    // What is seen of every sample: nothing, where only the end counts
    bool seen = r->record != NULL || hf_watcher_samples(r->runner->watcher);
    long long until_sample = rules->every, until_look = STEPS_BETWEEN_LOOKS;
    *outer = true;
    HF_TRY(sample(r, error));
    for (long long k = 1; k <= r->steps; ++k) {
        hf_status status = hf_sim_step(r->sim, error);
        if (status == HF_ERROR_STOPPED) {
            return HF_INTERRUPTED;
        }
        if (status < 0) {
            *outer = false;
            return status;
        }
        if (seen && (--until_sample == 0 || k == r->steps)) {
            until_sample = rules->every;
            HF_TRY(sample(r, error));
        }
        // Whether the sweep is to end
        if (--until_look == 0) {
            until_look = STEPS_BETWEEN_LOOKS;
            if (rules->stop_wanted != NULL && rules->stop_wanted(rules->context)) {
                return HF_INTERRUPTED;
            }
        }
    }
    return HF_OK;
}

static hf_status open_recording(run *r, const char *path, double duration, hf_error *error)
{
    if (path == NULL) {
        return HF_OK;
    }
    r->exclusive = hf_file_format_of(path) == HF_FILE_HDF5;
    hf_record_def def = hf_record_def_default(hf_sim_model(r->sim));
    def.duration = duration;
    enter(r);
    r->record = hf_record_create(path, r->sim, &def, error);
    leave(r);
    return r->record == NULL ? HF_ERROR_FILE : HF_OK;
}

static hf_status close_recording(run *r, hf_error *error)
{
    if (r->record == NULL) {
        return HF_OK;
    }
    enter(r);
    hf_status status = hf_record_close(r->record, error);
    leave(r);
    return status;
}

static hf_status count_steps(const run *r, double duration, long long *count, hf_error *error)
{
    double step = hf_sim_method(r->sim).step, steps = round(duration / step);
    if (!(steps >= 1.0 && steps < MOST_STEPS)) {
        return hf_error_set(error, HF_ERROR_RANGE,
                            "%g s in steps of %g s: expected at least one step, and fewer than %g",
                            duration, step, MOST_STEPS);
    }
    *count = (long long)steps;
    return HF_OK;
}

static void keep_failure(hf_case_result *result, const hf_error *error)
{
    result->state = HF_CASE_FAILED;
    (void)snprintf(result->message, sizeof result->message, "%s", error->text);
}

static hf_status run_sim(run *r, const char *recording, hf_case_result *result, double *outputs,
                         hf_error *error)
{
    const hf_case_rules *rules = r->runner->rules;
    const hf_model *model = hf_sim_model(r->sim);
    // How long, and what is watched
    double duration = isnan(rules->duration) ? hf_model_duration(model) : rules->duration;
    hf_error inner = {0};
    if (count_steps(r, duration, &r->steps, &inner) < 0 ||
        hf_watcher_begin(r->runner->watcher, r->sim, rules->after, duration, &inner) < 0) {
        keep_failure(result, &inner);
        return HF_OK;
    }
    // All steps, with a recording where one is wanted
    bool outer = true;
    hf_status status = open_recording(r, recording, duration, &inner);
    status = status < 0 ? status : step_through(r, &outer, &inner);
    result->time = hf_sim_time(r->sim);
    hf_error closing = {0};
    if (close_recording(r, &closing) < 0 && (status >= 0 || !outer)) {
        status = closing.status;
        inner = closing;
        outer = true;
    }
    // A case that fails is a result; what stops the sweep is not
    if (status == HF_INTERRUPTED) {
        return status;
    }
    if (status < 0 && outer) {
        return hf_error_set(error, inner.status, "%s", inner.text);
    }
    if (status < 0) {
        keep_failure(result, &inner);
        return HF_OK;
    }
    // What it was worth
    hf_verdict verdict = hf_sim_verdict(r->sim);
    hf_watcher_end(r->runner->watcher, r->sim, &verdict, outputs);
    result->state = verdict.trustworthy ? HF_CASE_TRUSTWORTHY : HF_CASE_DOUBTFUL;
    (void)snprintf(result->message, sizeof result->message, "%s", verdict.why);
    return HF_OK;
}

// ------------------------------------------------------------------------------------------------
// Cases

hf_status hf_runner_open(hf_runner *runner, const hf_case_rules *rules, hf_error *error)
{
    *runner = (hf_runner){.rules = rules, .watcher = hf_watcher_create(rules->observe)};
    return runner->watcher == NULL
               ? hf_error_set(error, HF_ERROR_MEMORY, "out of memory for a sweep")
               : HF_OK;
}

static void end_live(hf_live_sim *live)
{
    hf_sim_destroy(live->sim);
    *live = (hf_live_sim){0};
}

void hf_runner_close(hf_runner *runner)
{
    end_live(&runner->live);
    hf_watcher_destroy(runner->watcher);
    free_kept(&runner->kept);
    *runner = (hf_runner){0};
}

static hf_sim *create_sim(const hf_case_rules *rules, const hf_model *model, hf_error *error)
{
    hf_sim_def def = hf_sim_def_default(model);
    for (int i = 0; rules->tables != NULL && i < HF_METHOD_TABLES; ++i) {
        def.methods[i] = rules->tables[i];
    }
    def.stop_wanted = rules->stop_wanted;
    def.stop_context = rules->context;
    return hf_sim_create(model, &def, error);
}

// The live sim with the numbers of this case, at its start; NULL where a case needs a sim of its
// own: something else than parameters varies, or the machine does not take these numbers alive.
// The numbers are set in the description as it was parsed, as hf_case_compile does: what the cases
// before had does not matter.
static hf_sim *take_live(hf_runner *runner, const hf_case_value *values, int count)
{
    enum { MOST = 64 };
    hf_live_sim *live = &runner->live;
    const char *names[MOST];
    double numbers[MOST];
    if (count > MOST || runner->kept.model == NULL || !has_one_spec(values, count)) {
        return NULL;
    }
    // Make it, once
    if (!live->tried) {
        live->tried = true;
        live->sim = create_sim(runner->rules, runner->kept.model, NULL);
    }
    if (live->sim == NULL) {
        return NULL;
    }
    // A failed run has left numbers that no evaluation should see
    if (live->damaged) {
        hf_sim_reset(live->sim);
        live->damaged = false;
    }
    for (int i = 0; i < count; ++i) {
        names[i] = values[i].name;
        numbers[i] = values[i].value.number;
    }
    if (hf_sim_set_model(live->sim, runner->kept.model, names, numbers, count, NULL) < 0) {
        return NULL;
    }
    hf_sim_reset(live->sim);
    return live->sim;
}

hf_status hf_runner_run(hf_runner *runner, const hf_case_value *values, int count,
                        const char *recording, hf_case_result *result, double *outputs,
                        hf_error *error)
{
    const hf_case_rules *rules = runner->rules;
    hf_error inner = {0};
    hf_model *model = NULL;
    bool owned = false;
    *result = (hf_case_result){0};
    for (int i = 0; i < rules->observe->output_count; ++i) {
        outputs[i] = (double)NAN;
    }
    // Set the numbers on the live sim, or compile a machine of its own
    run r = {.runner = runner, .sim = take_live(runner, values, count)};
    if (r.sim == NULL) {
        model = compile_case(rules->source, values, count, &runner->kept, &owned, &inner);
        r.sim = model == NULL ? NULL : create_sim(rules, model, &inner);
    }
    // Run it, or keep why there is none
    hf_status status = HF_OK;
    if (r.sim == NULL) {
        keep_failure(result, &inner);
    } else {
        status = run_sim(&r, recording, result, outputs, error);
        runner->live.damaged = result->state == HF_CASE_FAILED;
    }
    if (model != NULL) {
        hf_sim_destroy(r.sim);
    }
    if (owned) {
        hf_model_destroy(model);
    }
    return status;
}
