// SPDX-License-Identifier: Apache-2.0
// A slider of 1 kg under one friction law, moved along a given path or pushed.
#include "cli/rig.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static const char prefix[] = "forces.friction.";

// The message names entries of the rig; the user has written only the keys of the law.
static void tidy(hf_error *error)
{
    static const char *const parts[] = {prefix, "friction 'friction': "};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i) {
        char *found = strstr(error->text, parts[i]);
        if (found != NULL) {
            size_t length = strlen(parts[i]);
            memmove(found, found + length, strlen(found + length) + 1);
        }
    }
}

// A friction of a file says its level: here it is the law's default, where the user gives none.
static void put_level(char *text, size_t size, const char *law, const char *const *parameters,
                      int parameter_count)
{
    const hf_law_info *info = hf_law_info_find(law);
    enum { ROOM = 4096 };
    _Alignas(max_align_t) char def[ROOM];
    bool given = info == NULL || info->def_size > sizeof def;
    for (int i = 0; i < parameter_count; ++i) {
        given = given || strncmp(parameters[i], "level", strlen("level")) == 0;
    }
    text[0] = '\0';
    for (int i = 0; !given && i < info->param_count; ++i) {
        if (info->params[i].kind == HF_PARAM_LEVEL && strcmp(info->params[i].name, "level") == 0) {
            info->set_default(def);
            const hf_level *level = (const void *)(def + info->params[i].offset);
            (void)snprintf(text, size,
                           ", level: {kinetic: %.17g, static: %.17g, stribeck_velocity: %.17g}",
                           level->kinetic[0], level->peak[0], level->stribeck[0]);
        }
    }
}

hf_status hf_cli_rig_compile(const char *law, const char *const *parameters, int parameter_count,
                             bool driven, hf_model **model, hf_error *error)
{
    char text[1000], level[200];
    // A slider with this law, as a model file
    put_level(level, sizeof level, law, parameters, parameter_count);
    (void)snprintf(text, sizeof text,
                   "method: {type: discrete, step: 1e-4}\n"
                   "bodies:\n"
                   "  slider: %s\n"
                   "signals: {input: {input: 0}}\n"
                   "forces:\n"
                   "%s"
                   "  - {name: friction, on: slider, type: friction, law: %.60s%s}\n",
                   driven ? "{type: driven, velocity: input}" : "{type: mass, dim: 1, mass: 1}",
                   driven ? "" : "  - {name: push, on: slider, type: force, value: input}\n", law,
                   level);
    // The law's numbers as overrides of it
    size_t count = (size_t)parameter_count;
    char **items = calloc(count + 1, sizeof *items);
    bool good = items != NULL;
    for (size_t i = 0; good && i < count; ++i) {
        size_t size = strlen(prefix) + strlen(parameters[i]) + 1;
        items[i] = malloc(size);
        good = items[i] != NULL;
        if (good) {
            (void)snprintf(items[i], size, "%s%s", prefix, parameters[i]);
        }
    }
    // The machine
    const hf_overrides overrides = {.items = (const char *const *)items, .count = (int)count};
    *model = good ? hf_model_parse(text, strlen(text), "law", NULL, &overrides, error) : NULL;
    if (!good) {
        (void)hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    }
    for (size_t i = 0; items != NULL && i < count; ++i) {
        free(items[i]);
    }
    free((void *)items);
    if (*model == NULL) {
        tidy(error);
        return error->status;
    }
    return HF_OK;
}

hf_status hf_cli_rig_open(hf_cli_rig *rig, const hf_cli_character *c, bool moved, double step,
                          hf_error *error)
{
    bool driven = moved && c->moved != NULL;
    const hf_model *model = driven ? c->moved : c->model;
    *rig = (hf_cli_rig){.mass = 1.0,
                        .driven = driven,
                        .step = step,
                        .slider = hf_model_find_body(model, "slider"),
                        .input = hf_model_find_signal(model, "input"),
                        .force = hf_model_find_channel(model, "friction.force")};
    hf_sim_def def = hf_sim_def_default(model);
    def.method.step = step;
    rig->sim = hf_sim_create(model, &def, error);
    if (rig->sim == NULL || driven || c->law->needs_applied) {
        return rig->sim == NULL ? error->status : HF_OK;
    }
    hf_force friction = hf_model_find_force(model, "friction");
    double largest = 0.2 * hf_sim_stability(rig->sim, friction).largest_step;
    if (largest > 0.0 && largest < step) {
        hf_sim_destroy(rig->sim);
        rig->step = def.method.step = largest;
        rig->sim = hf_sim_create(model, &def, error);
        return rig->sim == NULL ? error->status : HF_OK;
    }
    hf_sim_reset(rig->sim);
    return HF_OK;
}

hf_status hf_cli_rig_move(hf_cli_rig *rig, double speed, hf_error *error)
{
    double servo = rig->driven ? 0.0
                               : rig->mass * (speed - hf_cli_rig_speed(rig)) / rig->step +
                                     hf_cli_rig_force(rig);
    hf_sim_set_input(rig->sim, rig->input, rig->driven ? speed : servo);
    return hf_sim_step(rig->sim, error);
}

hf_status hf_cli_rig_push(hf_cli_rig *rig, double load, hf_error *error)
{
    hf_sim_set_input(rig->sim, rig->input, load);
    return hf_sim_step(rig->sim, error);
}

double hf_cli_rig_force(const hf_cli_rig *rig)
{
    return 0.0 - hf_sim_value(rig->sim, rig->force);
}

double hf_cli_rig_position(const hf_cli_rig *rig)
{
    return hf_sim_position(rig->sim, rig->slider)[0];
}

double hf_cli_rig_speed(const hf_cli_rig *rig)
{
    return hf_sim_velocity(rig->sim, rig->slider)[0];
}

void hf_cli_rig_close(hf_cli_rig *rig)
{
    hf_sim_destroy(rig->sim);
    rig->sim = NULL;
}
