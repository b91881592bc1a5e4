// SPDX-License-Identifier: Apache-2.0
// What the name of an axis means: a parameter (parameter.h), or a path of the model file as --set
// takes it, whose section (forces, bodies, ...) may be left out.
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "sweep/sweep_data.h"

enum { PATH_SIZE = 512, MOST_NAMES = 4096 };

static const char *const sections[] = {"", "forces.", "bodies.", "signals.", "loops."};
enum { SECTIONS = sizeof sections / sizeof *sections };

void hf_plan_case(const hf_plan *plan, long long index, hf_case_value *values)
{
    for (int k = 0; k < plan->axis_count; ++k) {
        const hf_axis *axis = &plan->axes[k];
        values[k] = (hf_case_value){.name = axis->name,
                                    .path = axis->path,
                                    .route = axis->route,
                                    .value = hf_plan_value(plan, k, index)};
    }
}

// ------------------------------------------------------------------------------------------------
// Parameters

typedef struct search {
    const char *name;
    bool found;
    const char *unit;
    hf_arena *arena;
    const char **names; // of all, for the nearest
    int count;
} search;

static bool look_at(void *context, const hf_parameter *parameter)
{
    search *s = context;
    if (strcmp(parameter->name, s->name) == 0) {
        s->found = true;
        s->unit = hf_arena_string(s->arena, parameter->unit);
        return false;
    }
    if (s->names != NULL && s->count < MOST_NAMES) {
        s->names[s->count] = hf_arena_string(s->arena, parameter->name);
        s->count += s->names[s->count] == NULL ? 0 : 1;
    }
    return true;
}

// The only parameter that ends in ".NAME", as block.mass does for mass; NULL: none, or several.
static const char *only_ending(const search *s)
{
    const char *only = NULL;
    size_t length = strlen(s->name);
    for (int i = 0; s->names != NULL && i < s->count; ++i) {
        size_t own = strlen(s->names[i]);
        if (own > length && s->names[i][own - length - 1] == '.' &&
            strcmp(s->names[i] + own - length, s->name) == 0) {
            if (only != NULL) {
                return NULL;
            }
            only = s->names[i];
        }
    }
    return only;
}

static hf_status unknown(hf_sweep *sweep, const hf_model *base, const char *name, hf_error *error)
{
    search s = {.name = name, .arena = &sweep->arena};
    s.names = hf_arena_alloc(&sweep->arena, MOST_NAMES, sizeof *s.names);
    hf_model_parameters(base, look_at, &s);
    const char *nearest = only_ending(&s);
    if (nearest == NULL && s.names != NULL) {
        nearest = hf_nearest_name(name, s.names, s.count);
    }
    return hf_error_set(
        error, HF_ERROR_NAME,
        "vary '%.100s': the model has no parameter and no entry of this name%s%.100s"
        "%s; 'holdfast parameters' lists parameters",
        name, nearest == NULL ? "" : "; did you mean '", nearest == NULL ? "" : nearest,
        nearest == NULL ? "" : "'?");
}

// ------------------------------------------------------------------------------------------------
// Paths

// Whether the machine takes a value at this path: 1; 0: there is no such place; -1: there is, but
// the value is refused.
static int try_path(const hf_sweep *sweep, const hf_axis *axis, const hf_axis_value *value,
                    const char *path, hf_error *error)
{
    const hf_case_value one = {
        .name = axis->name, .path = path, .route = HF_ROUTE_SET, .value = *value};
    hf_model *model = hf_case_compile(&sweep->source, &one, 1, error);
    bool good = model != NULL;
    hf_model_destroy(model);
    return good ? 1 : error->status == HF_ERROR_NAME ? 0 : -1;
}

// A path that begins with a known section, and goes wrong further inside, is reported as written.
static bool is_deeper(const hf_error *error, const char *section)
{
    char place[64];
    (void)snprintf(place, sizeof place, "in %s", section);
    return section[0] != '\0' &&
           (strstr(error->text, place) != NULL || strstr(error->text, "is a single value") != NULL);
}

static hf_status resolve_path(hf_sweep *sweep, const hf_model *base, int k, hf_error *error)
{
    hf_axis *axis = &sweep->plan.axes[k];
    hf_axis_value value = hf_plan_value(&sweep->plan, k, 0);
    char path[PATH_SIZE], fallback[PATH_SIZE] = "";
    hf_error deeper = {0};
    bool own = false; // the name begins with a section itself
    bool dotted = strchr(axis->name, '.') != NULL;
    // Which sections of the file can hold it
    for (int i = 0; i < SECTIONS; ++i) {
        own = own || (i > 0 && strncmp(axis->name, sections[i], strlen(sections[i])) == 0);
    }
    // The first of them that takes a value there
    for (int i = 0; i < (own ? 1 : SECTIONS); ++i) {
        hf_error inner = {0};
        bool signal =
            strcmp(sections[i], "signals.") == 0 && hf_model_find_signal(base, axis->name).id != 0;
        if (!dotted && i > 0 && !signal) {
            continue; // a whole force, body or loop is no value; a new signal would move nothing
        }
        int length = snprintf(path, sizeof path, "%s%s", sections[i], axis->name);
        if (length < 0 || (size_t)length >= sizeof path) {
            return hf_error_set(error, HF_ERROR_NAME, "vary '%.100s...': the name is too long",
                                axis->name);
        }
        int taken = try_path(sweep, axis, &value, path, &inner);
        if (taken == 1) {
            axis->path = hf_arena_string(&sweep->arena, path);
            return axis->path != NULL
                       ? HF_OK
                       : hf_error_set(error, HF_ERROR_MEMORY, "out of memory for a sweep");
        }
        if (taken < 0 && fallback[0] == '\0') {
            memcpy(fallback, path, (size_t)length + 1);
        }
        if (taken == 0 && (own || is_deeper(&inner, sections[i])) && deeper.text[0] == '\0') {
            deeper = inner;
        }
    }
    // What none takes: the most helpful of the complaints
    if (fallback[0] != '\0') { // another value may be allowed; if none is, the first case tells
        axis->path = hf_arena_string(&sweep->arena, fallback);
        return axis->path != NULL
                   ? HF_OK
                   : hf_error_set(error, HF_ERROR_MEMORY, "out of memory for a sweep");
    }
    if (deeper.text[0] != '\0') {
        return hf_error_set(error, deeper.status, "%s", deeper.text);
    }
    return unknown(sweep, base, axis->name, error);
}

hf_status hf_sweep_resolve(hf_sweep *sweep, hf_error *error)
{
    hf_plan *plan = &sweep->plan;
    hf_model *base = hf_case_compile(&sweep->source, NULL, 0, error);
    if (base == NULL) {
        return error->status;
    }
    sweep->title = hf_arena_string(&sweep->arena, hf_model_name(base));
    hf_status status = HF_OK;
    // Paths into the file; named numbers of the model need no reading
    for (int k = 0; k < plan->axis_count && status == HF_OK; ++k) {
        hf_axis *axis = &plan->axes[k];
        sweep->axis_units[k] = "";
        if (axis->route != HF_ROUTE_SET) {
            continue;
        }
        // A parameter by its name, or a path
        search s = {.name = axis->name, .arena = &sweep->arena};
        if (axis->kind != HF_AXIS_TEXTS) {
            hf_model_parameters(base, look_at, &s);
        }
        if (s.found) {
            axis->route = HF_ROUTE_PARAMETER;
            sweep->axis_units[k] = s.unit == NULL ? "" : s.unit;
        } else {
            status = resolve_path(sweep, base, k, error);
        }
    }
    hf_model_destroy(base);
    return status;
}
