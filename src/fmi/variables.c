// SPDX-License-Identifier: Apache-2.0
// The variables of an FMU, in the order that makes their value references.
#include "fmi/variables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/measure.h"
#include "base/names.h"
#include "base/number.h"
#include "compile/model_data.h"

enum { NAME_SIZE = 512 };

// ------------------------------------------------------------------------------------------------
// Inputs

// What one force makes of an input that is its value: N or Nm, or NULL when it takes it otherwise.
static const char *unit_in(const hf_model *model, const hf_force_place *force, int signal)
{
    for (int i = 0; i < force->value_count; ++i) {
        const hf_input *input = &model->values[force->values + i];
        if (input->signal != signal) {
            continue;
        }
        if (force->info != NULL || input->rate) { // a reference, a speed, ...: the law has its unit
            return NULL;
        }
        return force->ops->row_turns(&force->coupling_def, model->sites, i) ? "Nm" : "N";
    }
    return "";
}

// The unit of an input: that of the prescribed forces which it is, where nothing scales it and they
// agree. "" otherwise.
static const char *input_unit(const hf_model *model, int signal)
{
    const char *unit = "";
    const hf_signal_def *def = &model->signals[signal].def;
    bool scaled = def->scale != 0.0 && def->scale != 1.0;
    for (int i = 0; i < model->force_count && !scaled; ++i) {
        const char *here = unit_in(model, &model->forces[i], signal);
        if (here == NULL || (unit[0] != '\0' && here[0] != '\0' && strcmp(here, unit) != 0)) {
            return "";
        }
        unit = here[0] != '\0' ? here : unit;
    }
    return unit;
}

// ------------------------------------------------------------------------------------------------
// The list

typedef struct lister {
    hf_fmu_variables *variables;
    const hf_model *model;
    hf_names names;
    hf_error *error;
} lister;

// Adds a variable. A name that is taken already gets its kind in front.
static hf_status add(lister *l, hf_fmu_variable variable, const char *name, const char *kind)
{
    hf_fmu_variables *v = l->variables;
    char other[NAME_SIZE];
    if (hf_names_find(&l->names, name, strlen(name)) >= 0) {
        (void)snprintf(other, sizeof other, "%s.%s", kind, name);
        name = other;
    }
    if (hf_names_find(&l->names, name, strlen(name)) >= 0) {
        return hf_error_set(l->error, HF_ERROR_NAME, "the machine has two variables '%.200s'",
                            name);
    }
    variable.name = hf_arena_string(&v->arena, name);
    variable.unit = hf_arena_string(&v->arena, variable.unit);
    variable.about = hf_arena_string(&v->arena, variable.about);
    if (variable.name == NULL || variable.unit == NULL || variable.about == NULL ||
        !hf_names_add(&l->names, variable.name, v->count)) {
        return hf_error_set(l->error, HF_ERROR_MEMORY, "out of memory");
    }
    v->items[v->count++] = variable;
    return HF_OK;
}

static hf_status add_inputs(lister *l)
{
    const hf_model *model = l->model;
    int count = hf_model_input_count(model);
    for (int i = 0; i < count; ++i) {
        hf_signal signal = hf_model_input(model, i);
        const hf_signal_def *def = &model->signals[signal.id - 1].def;
        hf_fmu_variable variable = {.kind = HF_FMU_INPUT,
                                    .index = i,
                                    .signal = signal,
                                    .unit = input_unit(model, signal.id - 1),
                                    .about = "",
                                    .start = def->value,
                                    .low = def->bounded ? def->low : -INFINITY,
                                    .high = def->bounded ? def->high : INFINITY};
        HF_TRY(add(l, variable, def->name, "input"));
    }
    return HF_OK;
}

static hf_status add_parameters(lister *l, const hf_fmu_manifest *manifest)
{
    for (int i = 0; i < hf_model_parameter_count(l->model); ++i) {
        hf_parameter_def def = hf_model_parameter(l->model, i);
        bool calculated = hf_fmu_names_have(&manifest->calculated, def.name);
        bool fixed = hf_fmu_names_have(&manifest->fixed, def.name);
        hf_fmu_variable variable = {.kind = calculated ? HF_FMU_CALCULATED
                                            : fixed    ? HF_FMU_PARAMETER
                                                       : HF_FMU_TUNABLE,
                                    .index = i,
                                    .unit = def.unit,
                                    .about = def.about,
                                    .start = def.value,
                                    .low = def.low,
                                    .high = def.high};
        HF_TRY(add(l, variable, def.name, "parameter"));
    }
    return HF_OK;
}

// Whether no input changes the channel at once: it is part of the state, and nothing moves as it is
// told.
static bool stands_apart(const hf_model *model, hf_channel channel)
{
    return model->drive_count == 0 && hf_model_channel_slot(model, channel).home != HF_IN_VALUES;
}

static hf_status add_channels(lister *l, const hf_fmu_names *names, hf_fmu_kind kind)
{
    for (int i = 0; i < names->count; ++i) {
        const char *name = names->items[i];
        hf_channel channel = hf_model_find_channel(l->model, name);
        if (channel.id == 0) {
            return hf_error_set(l->error, HF_ERROR_NAME, "the machine has no channel '%.200s'",
                                name);
        }
        size_t length = strlen(name);
        hf_fmu_variable variable = {.kind = kind,
                                    .index = channel.id,
                                    .unit = hf_model_channel_unit(l->model, channel),
                                    .about = "",
                                    .low = -INFINITY,
                                    .high = INFINITY,
                                    .discrete =
                                        length > 5 && strcmp(name + length - 5, ".mode") == 0,
                                    .apart = stands_apart(l->model, channel)};
        HF_TRY(add(l, variable, name, kind == HF_FMU_OUTPUT ? "output" : "local"));
    }
    return HF_OK;
}

static hf_status fill(lister *l, const hf_fmu_manifest *manifest)
{
    hf_fmu_variables *v = l->variables;
    HF_TRY(add(l, (hf_fmu_variable){.kind = HF_FMU_TIME, .unit = "s", .about = ""}, "time", ""));
    HF_TRY(add_inputs(l));
    v->first_parameter = v->count;
    HF_TRY(add_parameters(l, manifest));
    v->first_output = v->count;
    HF_TRY(add_channels(l, &manifest->outputs, HF_FMU_OUTPUT));
    return add_channels(l, &manifest->locals, HF_FMU_LOCAL);
}

hf_status hf_fmu_variables_list(hf_fmu_variables *variables, const hf_model *model,
                                const hf_fmu_manifest *manifest, hf_error *error)
{
    *variables = (hf_fmu_variables){.input_count = hf_model_input_count(model),
                                    .parameter_count = hf_model_parameter_count(model),
                                    .output_count = manifest->outputs.count};
    size_t room = 1 + (size_t)variables->input_count + (size_t)variables->parameter_count +
                  (size_t)manifest->outputs.count + (size_t)manifest->locals.count;
    variables->items = hf_arena_alloc(&variables->arena, room, sizeof *variables->items);
    lister l = {.variables = variables, .model = model, .error = error};
    hf_status status = variables->items == NULL
                           ? hf_error_set(error, HF_ERROR_MEMORY, "out of memory")
                           : fill(&l, manifest);
    hf_names_free(&l.names);
    if (status < 0) {
        hf_fmu_variables_free(variables);
    }
    return status;
}

void hf_fmu_variables_free(hf_fmu_variables *variables)
{
    hf_arena_free(&variables->arena);
    *variables = (hf_fmu_variables){0};
}

// The number that times `factor` is `value`, to the bit where there is one.
static double shared_out(double value, double factor)
{
    double number = value / factor, below = nextafter(number, -INFINITY),
           above = nextafter(number, INFINITY);
    return number * factor == value  ? number
           : below * factor == value ? below
           : above * factor == value ? above
                                     : number;
}

char *hf_fmu_parameter_change(const char *name, const char *unit, double value)
{
    hf_measure measure = {.factor = 1.0};
    size_t position = 0;
    char number[HF_NUMBER_SIZE], shown[HF_MEASURE_SHOWN] = "";
    // In the SI unit of its dimension; what has none counts in its own unit
    if (unit[0] != '\0' && hf_measure_parse(unit, false, &measure, &position)) {
        bool pure = true;
        for (int i = 0; i < HF_MEASURE_BASES; ++i) {
            pure = pure && measure.power[i] == 0;
        }
        value = pure ? shared_out(value, measure.factor) : value;
        if (pure) {
            (void)snprintf(shown, sizeof shown, "%.60s", unit);
        } else {
            (void)hf_measure_show(&measure, shown);
        }
    }
    (void)hf_number_format(value, number);
    size_t size = sizeof "parameters.= " + strlen(name) + strlen(number) + strlen(shown);
    char *text = malloc(size);
    if (text != NULL) {
        (void)snprintf(text, size, "parameters.%s=%s%s%s", name, number,
                       shown[0] == '\0' ? "" : " ", shown);
    }
    return text;
}
