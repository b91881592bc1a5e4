// SPDX-License-Identifier: Apache-2.0
// hf_spec: creation, names, settings, signals and look-up.
#include "spec/spec_data.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

hf_spec *hf_spec_create(void)
{
    hf_spec *spec = calloc(1, sizeof *spec);
    if (spec != NULL) {
        spec->name = "machine";
        spec->text = "";
        spec->method = hf_method_def_default();
        spec->duration = 1.0;
    }
    return spec;
}

void hf_spec_destroy(hf_spec *spec)
{
    if (spec == NULL) {
        return;
    }
    for (size_t i = 0; i < spec->signal_count; ++i) {
        hf_signal_context_drop(spec->signals[i].shared);
    }
    free(spec->bodies);
    free(spec->trees);
    free(spec->shapes);
    free(spec->materials);
    free(spec->pairs);
    free(spec->signals);
    free(spec->forces);
    free((void *)spec->laws);
    free(spec->loops);
    free(spec->records);
    free(spec->parameters);
    hf_names_free(&spec->names);
    hf_arena_free(&spec->arena);
    free(spec);
}

void hf_signal_context_drop(hf_signal_context *shared)
{
    if (shared == NULL) {
        return;
    }
    if (atomic_fetch_sub(&shared->users, 1) == 1) {
        shared->release(shared->context);
        free(shared);
    }
}

int hf_names_find_kind(const hf_names *names, hf_name_kind kind, const char *name)
{
    int value = hf_names_find(names, name, strlen(name));
    return value >= 0 && value % HF_NAME_KIND_COUNT == (int)kind ? value / HF_NAME_KIND_COUNT : -1;
}

static bool name_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.';
}

static hf_status check_name(const hf_spec *spec, const char *name, hf_error *error)
{
    if (name == NULL || name[0] == '\0') {
        return hf_error_set(error, HF_ERROR_NAME, "a name is missing");
    }
    size_t length = strlen(name);
    for (size_t i = 0; i < length; ++i) {
        if (!name_letter(name[i])) {
            return hf_error_at(error, HF_ERROR_NAME, hf_at(NULL, name),
                               "name '%.60s': names are letters, digits, '_' and '-'", name);
        }
    }
    if (name[0] == '.' || name[length - 1] == '.' || length > 200) {
        return hf_error_at(error, HF_ERROR_NAME, hf_at(NULL, name),
                           "name '%.60s': names have 1 to 200 letters and no dot at their ends",
                           name);
    }
    if (strcmp(name, "world") == 0 || strcmp(name, "energy") == 0 || strcmp(name, "time") == 0 ||
        strcmp(name, "t") == 0) {
        return hf_error_at(error, HF_ERROR_NAME, hf_at(NULL, name), "name '%s' is reserved", name);
    }
    if (hf_names_find(&spec->names, name, length) >= 0) {
        return hf_error_at(error, HF_ERROR_NAME, hf_at(NULL, name), "name '%.60s' is already taken",
                           name);
    }
    return HF_OK;
}

const char *hf_spec_take_name(hf_spec *spec, const char *name, hf_name_kind kind, size_t index,
                              hf_error *error)
{
    if (check_name(spec, name, error) < 0) {
        return NULL;
    }
    char *copy =
        index < INT32_MAX / HF_NAME_KIND_COUNT ? hf_arena_string(&spec->arena, name) : NULL;
    if (copy == NULL ||
        !hf_names_add(&spec->names, copy, (int)index * HF_NAME_KIND_COUNT + (int)kind)) {
        hf_error_at(error, HF_ERROR_MEMORY, hf_at(NULL, name), "out of memory for '%.60s'", name);
        return NULL;
    }
    return copy;
}

// ------------------------------------------------------------------------------------------------
// Settings

static hf_status keep_string(hf_spec *spec, const char *text, const char **kept, hf_error *error)
{
    char *copy = hf_arena_string(&spec->arena, text);
    if (copy == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    }
    *kept = copy;
    return HF_OK;
}

hf_status hf_spec_set_name(hf_spec *spec, const char *name, hf_error *error)
{
    return keep_string(spec, name, &spec->name, error);
}

hf_status hf_spec_set_text(hf_spec *spec, const char *text, hf_error *error)
{
    return keep_string(spec, text, &spec->text, error);
}

hf_status hf_spec_set_gravity(hf_spec *spec, hf_vec3 gravity, hf_error *error)
{
    HF_TRY(hf_check_numbers(&gravity.x, 3, "machine", spec->name, "gravity", error));
    spec->gravity = gravity;
    return HF_OK;
}

hf_status hf_spec_set_method(hf_spec *spec, hf_method_def method, hf_error *error)
{
    HF_TRY(hf_method_check(&method, error));
    spec->method = method;
    return HF_OK;
}

hf_status hf_spec_set_duration(hf_spec *spec, double seconds, hf_error *error)
{
    if (!(seconds >= 0.0) || !isfinite(seconds)) {
        return hf_error_set(error, HF_ERROR_RANGE, "duration must not be negative, got %g s",
                            seconds);
    }
    spec->duration = seconds;
    return HF_OK;
}

hf_status hf_spec_add_record(hf_spec *spec, const char *channel, hf_error *error)
{
    void *grown =
        hf_grow(spec->records, spec->record_count, &spec->record_capacity, sizeof *spec->records);
    if (grown == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    }
    spec->records = grown;
    HF_TRY(keep_string(spec, channel, &spec->records[spec->record_count], error));
    spec->record_count += 1;
    return HF_OK;
}

hf_status hf_spec_add_parameter(hf_spec *spec, const hf_parameter_def *def, hf_error *error)
{
    HF_TRY(hf_check_numbers(&def->value, 1, "parameter", def->name, "value", error));
    hf_parameter_def *grown = hf_grow(spec->parameters, spec->parameter_count,
                                      &spec->parameter_capacity, sizeof *spec->parameters);
    if (grown == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    }
    spec->parameters = grown;
    hf_parameter_def *kept = &grown[spec->parameter_count];
    *kept = *def;
    HF_TRY(keep_string(spec, def->name, &kept->name, error));
    HF_TRY(keep_string(spec, def->unit == NULL ? "" : def->unit, &kept->unit, error));
    HF_TRY(keep_string(spec, def->about == NULL ? "" : def->about, &kept->about, error));
    spec->parameter_count += 1;
    return HF_OK;
}

// ------------------------------------------------------------------------------------------------
// Signals

hf_signal_def hf_signal_def_default(void)
{
    return (hf_signal_def){.type = HF_SIGNAL_CONSTANT};
}

static hf_status check_rising(const hf_list *list, const char *name, const char *member,
                              hf_error *error)
{
    HF_TRY(hf_check_numbers(list->values, list->count, "signal", name, member, error));
    for (int i = 1; i < list->count; ++i) {
        if (!(list->values[i] > list->values[i - 1])) {
            return hf_error_at(error, HF_ERROR_RANGE, hf_at_member("signal", name, member),
                               "%s must rise, got %g after %g", member, list->values[i],
                               list->values[i - 1]);
        }
    }
    return HF_OK;
}

static hf_status check_fourier(const hf_signal_def *def, const char *name, hf_error *error)
{
    if (!(def->frequency > 0.0) || !isfinite(def->frequency)) {
        return hf_error_at(error, HF_ERROR_RANGE, hf_at_member("signal", name, "frequency"),
                           "frequency must be positive, got %g Hz", def->frequency);
    }
    if (def->sines.count + def->cosines.count < 1) {
        return hf_error_at(error, HF_ERROR_INPUT, hf_at("signal", name),
                           "a Fourier series needs sines or cosines");
    }
    HF_TRY(hf_check_numbers(&def->value, 1, "signal", name, "offset", error));
    HF_TRY(hf_check_numbers(def->sines.values, def->sines.count, "signal", name, "sines", error));
    return hf_check_numbers(def->cosines.values, def->cosines.count, "signal", name, "cosines",
                            error);
}

static hf_status check_signal(const hf_signal_def *def, const char *name, hf_error *error)
{
    // Each type has members of its own
    switch (def->type) {
    case HF_SIGNAL_INPUT:
        if (!isfinite(def->scale) ||
            (def->bounded && !(def->low < def->high && isfinite(def->high - def->low)))) {
            return hf_error_at(error, HF_ERROR_RANGE, hf_at_member("signal", name, "range"),
                               "scale must be finite, and range must rise");
        }
        return hf_check_numbers(&def->value, 1, "signal", name, "value", error);
    case HF_SIGNAL_CONSTANT:
        return hf_check_numbers(&def->value, 1, "signal", name, "value", error);
    case HF_SIGNAL_TABLE:
        if (def->times.count < 1 || def->times.count != def->values.count ||
            def->times.values == NULL || def->values.values == NULL) {
            return hf_error_at(error, HF_ERROR_INPUT, hf_at("signal", name),
                               "a table needs as many values as times, and at least one; got %d "
                               "times and %d values",
                               def->times.count, def->values.count);
        }
        if (def->hold && def->smooth) {
            return hf_error_at(error, HF_ERROR_INPUT, hf_at("signal", name),
                               "a table cannot both hold and be smooth");
        }
        HF_TRY(check_rising(&def->times, name, "times", error));
        return hf_check_numbers(def->values.values, def->values.count, "signal", name, "values",
                                error);
    case HF_SIGNAL_FUNCTION:
        if (def->function == NULL) {
            return hf_error_at(error, HF_ERROR_INPUT, hf_at_member("signal", name, "function"),
                               "function is missing");
        }
        if (def->switch_count < 0 || (def->switch_count > 0 && def->switches == NULL)) {
            return hf_error_at(error, HF_ERROR_INPUT, hf_at("signal", name),
                               "switches is missing, or switch_count is negative");
        }
        return check_rising(&def->jumps, name, "jumps", error);
    case HF_SIGNAL_FOURIER:
        return check_fourier(def, name, error);
    case HF_SIGNAL_CHANNELS:
        if (def->of == NULL || def->gradient == NULL || def->channels == NULL ||
            def->channel_count < 1 || def->channel_count > HF_SIGNAL_MOST_CHANNELS) {
            return hf_error_at(error, HF_ERROR_INPUT, hf_at("signal", name),
                               "a function of channels needs `of`, `gradient` and 1 to %d channels",
                               HF_SIGNAL_MOST_CHANNELS);
        }
        return check_rising(&def->jumps, name, "jumps", error);
    }
    return hf_error_at(error, HF_ERROR_INPUT, hf_at("signal", name), "unknown type");
}

bool hf_channel_names_copy(hf_arena *arena, hf_signal_def *def)
{
    const char **names = hf_arena_alloc(arena, (size_t)def->channel_count + 1, sizeof *names);
    for (int i = 0; names != NULL && i < def->channel_count; ++i) {
        names[i] = hf_arena_string(arena, def->channels[i]);
        if (names[i] == NULL) {
            return false;
        }
    }
    def->channels = names;
    return names != NULL;
}

hf_signal hf_spec_add_signal(hf_spec *spec, const hf_signal_def *def, hf_error *error)
{
    const hf_signal none = {0};
    const char *label = def->name == NULL ? "" : def->name;
    if (check_signal(def, label, error) < 0) {
        return none;
    }
    void *grown =
        hf_grow(spec->signals, spec->signal_count, &spec->signal_capacity, sizeof *spec->signals);
    if (grown == NULL) {
        hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
        return none;
    }
    spec->signals = grown;
    // Lists become the spec's own
    hf_spec_signal signal = {.def = *def};
    if (!hf_list_copy(&spec->arena, &signal.def.times) ||
        !hf_list_copy(&spec->arena, &signal.def.values) ||
        !hf_list_copy(&spec->arena, &signal.def.jumps) ||
        !hf_list_copy(&spec->arena, &signal.def.sines) ||
        !hf_list_copy(&spec->arena, &signal.def.cosines) ||
        !hf_channel_names_copy(&spec->arena, &signal.def)) {
        hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
        return none;
    }
    // The context is shared with models, and released by the last user
    if (def->release != NULL) {
        signal.shared = malloc(sizeof *signal.shared);
        if (signal.shared == NULL) {
            hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
            return none;
        }
        signal.shared->context = def->context;
        signal.shared->release = def->release;
        atomic_init(&signal.shared->users, 1);
    }
    signal.def.name = hf_spec_take_name(spec, def->name, HF_NAME_SIGNAL, spec->signal_count, error);
    if (signal.def.name == NULL) {
        free(signal.shared);
        return none;
    }
    spec->signals[spec->signal_count] = signal;
    spec->signal_count += 1;
    return (hf_signal){(int)spec->signal_count};
}

hf_status hf_spec_set_table(hf_spec *spec, hf_signal input, hf_list times, hf_list values,
                            bool hold, bool smooth, hf_error *error)
{
    HF_ASSERT(input.id >= 1 && (size_t)input.id <= spec->signal_count);
    hf_signal_def *signal = &spec->signals[input.id - 1].def;
    hf_signal_def def = {.name = signal->name,
                         .type = HF_SIGNAL_TABLE,
                         .times = times,
                         .values = values,
                         .hold = hold,
                         .smooth = smooth};
    if (signal->type != HF_SIGNAL_INPUT) {
        return hf_error_at(error, HF_ERROR_INPUT, hf_at("signal", signal->name),
                           "it is no input, which a table could take the place of; an input is "
                           "declared as '%.60s: {input: 0}'",
                           signal->name);
    }
    HF_TRY(check_signal(&def, def.name, error));
    if (!hf_list_copy(&spec->arena, &def.times) || !hf_list_copy(&spec->arena, &def.values)) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    }
    *signal = def;
    return HF_OK;
}

// ------------------------------------------------------------------------------------------------
// Look-up

hf_body hf_spec_find_body(const hf_spec *spec, const char *name)
{
    return (hf_body){hf_names_find_kind(&spec->names, HF_NAME_BODY, name) + 1};
}

hf_tree hf_spec_find_tree(const hf_spec *spec, const char *name)
{
    return (hf_tree){hf_names_find_kind(&spec->names, HF_NAME_TREE, name) + 1};
}

hf_signal hf_spec_find_signal(const hf_spec *spec, const char *name)
{
    return (hf_signal){hf_names_find_kind(&spec->names, HF_NAME_SIGNAL, name) + 1};
}

hf_force hf_spec_find_force(const hf_spec *spec, const char *name)
{
    return (hf_force){hf_names_find_kind(&spec->names, HF_NAME_FORCE, name) + 1};
}

hf_loop hf_spec_find_loop(const hf_spec *spec, const char *name)
{
    return (hf_loop){hf_names_find_kind(&spec->names, HF_NAME_LOOP, name) + 1};
}

static const hf_spec_body *body_of(const hf_spec *spec, hf_body body)
{
    HF_ASSERT(body.id >= 1 && (size_t)body.id <= spec->body_count);
    return &spec->bodies[body.id - 1];
}

hf_body_type hf_spec_body_type(const hf_spec *spec, hf_body body)
{
    return body_of(spec, body)->type;
}

const char *hf_spec_body_name(const hf_spec *spec, hf_body body)
{
    bool known = body.id >= 1 && (size_t)body.id <= spec->body_count;
    return known ? spec->bodies[body.id - 1].name : NULL;
}

int hf_spec_body_axes(const hf_spec *spec, hf_body body)
{
    const hf_spec_body *b = body_of(spec, body);
    const hf_body_ops *ops = hf_body_ops_of(b->type);
    int nq = 0, nv = 0;
    if (ops->coordinates) {
        ops->size(b->def, &nq, &nv);
    }
    return nv;
}

static hf_body_info info_of(const hf_spec_body *body)
{
    hf_body_info info = {.type = body->type, .joint = HF_JOINT_FREE};
    hf_body_ops_of(body->type)->info(body->def, &info);
    return info;
}

hf_joint_type hf_spec_joint_type(const hf_spec *spec, hf_body link)
{
    return info_of(body_of(spec, link)).joint;
}

hf_shape hf_spec_body_shape(const hf_spec *spec, hf_body body)
{
    return info_of(body_of(spec, body)).shape;
}

int hf_spec_body_shape_count(const hf_spec *spec, hf_body body)
{
    int own = hf_spec_body_shape(spec, body).type != HF_SHAPE_POINT;
    return own + body_of(spec, body)->shape_count;
}
