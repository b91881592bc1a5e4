// SPDX-License-Identifier: Apache-2.0
// The tables of a model: from a description by name to arrays. Everything is laid out in the order
// of names, never of declaration, so that the order of declaration has no influence on a single
// bit. What depends on the machine's initial state comes later (sim/start.c).
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "compile/model_data.h"

// ------------------------------------------------------------------------------------------------
// Signals and names

static int by_number(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static const hf_list *jumps_of(const hf_signal_def *def)
{
    // Tables have kinks or jumps at their times.
    return def->type == HF_SIGNAL_TABLE ? &def->times : &def->jumps;
}

static bool same(const hf_list *a, const hf_list *b)
{
    return a->count == b->count &&
           (a->count == 0 ||
            memcmp(a->values, b->values, (size_t)a->count * sizeof *a->values) == 0);
}

// Whether a signal has nothing but kinks there.
static bool only_bends(const hf_signal_def *def)
{
    return def->type == HF_SIGNAL_TABLE && !def->hold;
}

// Points from which on a table is a log.
enum { LOG_POINTS = 100 };

typedef enum which_jumps { ALL_JUMPS, WITHOUT_BENDS, WITHOUT_LOGS } which_jumps;

// Whether a table is long, and nothing jumps at its points: no body is moved by signals, which may
// depend on it, and no force looks at its rate, or at that of an expression.
static bool is_log(const hf_model *model, int signal)
{
    const hf_signal_def *def = &model->signals[signal].def;
    bool log = only_bends(def) && def->times.count >= LOG_POINTS;
    for (int i = 0; i < model->drive_count && log; ++i) {
        log = model->drives[i].motion.signal < 0;
    }
    for (int i = 0; i < model->value_count && log; ++i) {
        int other = model->values[i].rate ? model->values[i].signal : -1;
        log =
            other != signal && (other < 0 || model->signals[other].def.type != HF_SIGNAL_FUNCTION);
    }
    return log;
}

// Times of all signals, rising; or of those that jump alone. *count: how many.
static hf_status collect_jumps(hf_model *model, which_jumps which, const double **list_of,
                               int *count_of, hf_error *error)
{
    int count = 0, kept = 0;
    // Room for all of them
    for (int i = 0; i < model->signal_count; ++i) {
        count += jumps_of(&model->signals[i].def)->count;
    }
    double *jumps;
    HF_ALLOC(jumps, count);
    count = 0;
    bool rising = true;
    const hf_list *last = NULL;
    // Those that are wanted; columns of one log have the same times
    for (int i = 0; i < model->signal_count; ++i) {
        const hf_list *list = jumps_of(&model->signals[i].def);
        if ((which == WITHOUT_BENDS && only_bends(&model->signals[i].def)) ||
            (which == WITHOUT_LOGS && is_log(model, i)) || (last != NULL && same(last, list))) {
            continue;
        }
        for (int k = 0; k < list->count; ++k) {
            rising = rising && (count == 0 || list->values[k] >= jumps[count - 1]);
            jumps[count++] = list->values[k];
        }
        last = list;
    }
    // Rising, and each once
    if (!rising) {
        qsort(jumps, (size_t)count, sizeof *jumps, by_number);
    }
    for (int i = 0; i < count; ++i) {
        if (jumps[i] > 0.0 && (kept == 0 || jumps[i] > jumps[kept - 1])) {
            jumps[kept++] = jumps[i];
        }
    }
    *list_of = jumps;
    *count_of = kept;
    return HF_OK;
}

static hf_status compile_jumps(hf_model *model, hf_error *error)
{
    HF_TRY(collect_jumps(model, ALL_JUMPS, &model->jumps, &model->jump_count, error));
    return collect_jumps(model, WITHOUT_BENDS, &model->breaks, &model->break_count, error);
}

// What is left when logs are gone through, and how long a step in them may be.
static hf_status compile_logs(hf_model *model, hf_error *error)
{
    for (int i = 0; i < model->signal_count; ++i) {
        const hf_list *times = &model->signals[i].def.times;
        if (is_log(model, i)) {
            double step = (times->values[times->count - 1] - times->values[0]) / (times->count - 1);
            model->log_step =
                model->log_step > 0.0 && model->log_step < step ? model->log_step : step;
        }
    }
    return collect_jumps(model, WITHOUT_LOGS, &model->stops, &model->stop_count, error);
}

static int by_signal_name(const void *a, const void *b)
{
    const hf_model_signal *const *x = a, *const *y = b;
    return hf_name_compare((*x)->def.name, (*y)->def.name);
}

// What must be evaluated again when time passes.
static hf_status list_passing(hf_model *model, hf_error *error)
{
    int *passing;
    HF_ALLOC(passing, model->signal_count);
    model->passing = passing;
    for (int i = 0; i < model->signal_count; ++i) {
        hf_signal_type type = model->signals[i].def.type;
        if (type != HF_SIGNAL_CONSTANT && type != HF_SIGNAL_INPUT) {
            passing[model->passing_count++] = i;
        }
        model->heard = model->heard || type == HF_SIGNAL_CHANNELS;
    }
    return HF_OK;
}

// Slots of inputs in a saved state, so that it fits whatever the order of declaration.
static hf_status order_signals(hf_model *model, hf_model_signal *signals, hf_error *error)
{
    hf_model_signal **order;
    HF_ALLOC(order, model->signal_count);
    for (int i = 0; i < model->signal_count; ++i) {
        order[i] = &signals[i];
    }
    qsort(order, (size_t)model->signal_count, sizeof *order, by_signal_name);
    for (int i = 0; i < model->signal_count; ++i) {
        order[i]->slot = i;
    }
    return HF_OK;
}

static hf_status compile_signals(hf_model *model, const hf_spec *spec, hf_error *error)
{
    hf_model_signal *signals;
    HF_ALLOC(signals, spec->signal_count);
    model->signals = signals;
    for (size_t i = 0; i < spec->signal_count; ++i) {
        hf_model_signal *signal = &signals[i];
        signal->def = spec->signals[i].def;
        signal->def.name = hf_arena_string(&model->arena, signal->def.name);
        if (signal->def.name == NULL || !hf_list_copy(&model->arena, &signal->def.times) ||
            !hf_list_copy(&model->arena, &signal->def.values) ||
            !hf_list_copy(&model->arena, &signal->def.jumps) ||
            !hf_list_copy(&model->arena, &signal->def.sines) ||
            !hf_list_copy(&model->arena, &signal->def.cosines) ||
            !hf_channel_names_copy(&model->arena, &signal->def)) {
            return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
        }
        signal->shared = spec->signals[i].shared;
        if (signal->shared != NULL) {
            atomic_fetch_add(&signal->shared->users, 1);
        }
        model->signal_count = (int)i + 1;
    }
    HF_TRY(order_signals(model, signals, error));
    HF_TRY(list_passing(model, error));
    return compile_jumps(model, error);
}

static void mark_moving_signals(hf_model *model)
{
    hf_model_signal *signals = (hf_model_signal *)model->signals;
    for (int i = 0; i < model->drive_count; ++i) {
        const hf_drive *drive = &model->drives[i];
        if (drive->motion.signal >= 0 && !drive->by_velocity && drive->follow_q < 0) {
            signals[drive->motion.signal].moves = true;
        }
    }
}

static bool add_name(hf_model *model, const char *name, hf_name_kind kind, int index)
{
    return hf_names_add(&model->names, name, index * HF_NAME_KIND_COUNT + (int)kind);
}

static hf_status compile_names(hf_model *model, const hf_spec *spec, hf_error *error)
{
    bool ok = true;
    // What a component is called
    for (int i = 0; i < model->body_count; ++i) {
        ok = ok && add_name(model, model->body_names[i], HF_NAME_BODY, i);
    }
    for (int i = 0; i < model->signal_count; ++i) {
        ok = ok && add_name(model, model->signals[i].def.name, HF_NAME_SIGNAL, i);
    }
    for (int i = 0; i < model->force_count; ++i) {
        ok = ok && add_name(model, model->forces[i].name, HF_NAME_FORCE, model->forces[i].id);
    }
    for (int i = 0; i < model->loop_count; ++i) {
        ok = ok && add_name(model, model->loops[i].name, HF_NAME_LOOP, model->loops[i].id);
    }
    for (size_t i = 0; ok && i < spec->tree_count; ++i) {
        const char *name = hf_arena_string(&model->arena, spec->trees[i].name);
        ok = name != NULL && add_name(model, name, HF_NAME_TREE, (int)i);
    }
    // Named numbers of the model
    model->parameter_count = (int)spec->parameter_count;
    model->parameters =
        hf_arena_alloc(&model->arena, spec->parameter_count + 1, sizeof *model->parameters);
    ok = ok && model->parameters != NULL;
    for (size_t i = 0; ok && i < spec->parameter_count; ++i) {
        hf_parameter_def *kept = &model->parameters[i];
        *kept = spec->parameters[i];
        kept->name = hf_arena_string(&model->arena, kept->name);
        kept->unit = hf_arena_string(&model->arena, kept->unit);
        kept->about = hf_arena_string(&model->arena, kept->about);
        ok = kept->name != NULL && kept->unit != NULL && kept->about != NULL;
    }
    // The model itself
    model->name = hf_arena_string(&model->arena, spec->name);
    model->text = hf_arena_string(&model->arena, spec->text);
    if (!ok || model->name == NULL || model->text == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    }
    return HF_OK;
}

static hf_status compile(hf_model *model, const hf_spec *spec, hf_error *error)
{
    model->gravity = spec->gravity;
    model->method = spec->method;
    model->duration = spec->duration;
    HF_TRY(compile_signals(model, spec, error));
    HF_TRY(hf_compile_bodies(model, spec, error));
    mark_moving_signals(model);
    HF_TRY(hf_compile_loops(model, spec, error));
    HF_TRY(hf_compile_forces(model, spec, error));
    HF_TRY(hf_compile_loads(model, spec, error));
    HF_TRY(compile_logs(model, error));
    model->nw = model->force_count + 1;
    model->n = model->nq + model->nv + model->ny + model->nw;
    HF_TRY(compile_names(model, spec, error));
    HF_TRY(hf_compile_channels(model, spec, error));
    HF_TRY(hf_compile_observed(model, error));
    model->hash = hf_model_fingerprint(model);
    return HF_OK;
}

hf_model *hf_compile_tables(const hf_spec *spec, hf_error *error)
{
    hf_model *model = calloc(1, sizeof *model);
    if (model == NULL) {
        hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    if (compile(model, spec, error) < 0) {
        hf_model_destroy(model);
        return NULL;
    }
    model->spec = hf_spec_copy(spec);
    if (model->spec == NULL) {
        hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
        hf_model_destroy(model);
        return NULL;
    }
    return model;
}

void hf_model_destroy(hf_model *model)
{
    if (model == NULL) {
        return;
    }
    for (int i = 0; i < model->signal_count; ++i) {
        hf_signal_context_drop(model->signals[i].shared);
    }
    hf_spec_destroy(model->spec);
    hf_names_free(&model->names);
    hf_arena_free(&model->arena);
    free(model);
}
