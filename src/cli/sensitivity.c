// SPDX-License-Identifier: Apache-2.0
// Derivatives of a run with respect to parameters, as columns of its recording.
#include "cli/sensitivity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { MOST_TERMS = 256, NAME_SIZE = 700, UNIT_SIZE = 64 };

// Steps of differences over a number's size, and the least size of a number other than 0.
static const double PART = 1e-6, LEAST_SIZE = 1e-3;

struct hf_cli_sensitivity {
    hf_fit_machine *machine;
    hf_sensitivity *carried;
    hf_sensitivity_term terms[MOST_TERMS];
    char names[MOST_TERMS][200];
    char units[MOST_TERMS][UNIT_SIZE];
    hf_model *models[MOST_TERMS][2]; // on both sides; NULL: not of a number of the file
    int count;
    hf_fit_parameter found[MOST_TERMS]; // numbers of the file
    hf_channel *channels;               // that are recorded, without modes
    int channel_count;
    char **columns; // names, then units
};

void hf_cli_sensitivity_end(hf_cli_sensitivity *s)
{
    if (s == NULL) {
        return;
    }
    long long loose = s->carried == NULL ? 0 : hf_sensitivity_loose_steps(s->carried);
    if (loose > 0) {
        hf_cli_warning("derivatives: in %lld steps what sticks and slips beside the number was not "
                       "held (frictions that reactions load, or many contacts): events there may "
                       "be in them",
                       loose);
    }
    hf_sensitivity_destroy(s->carried);
    for (int i = 0; i < s->count; ++i) {
        hf_model_destroy(s->models[i][0]);
        hf_model_destroy(s->models[i][1]);
    }
    for (int i = 0; s->columns != NULL && i < 2 * s->count * s->channel_count; ++i) {
        free(s->columns[i]);
    }
    free(s->columns);
    free(s->channels);
    hf_fit_machine_destroy(s->machine);
    free(s);
}

// ------------------------------------------------------------------------------------------------
// What the names mean

// "initial.block.position": a coordinate at t = 0. False: the name means something else.
static bool find_initial(hf_cli_sensitivity *s, const hf_model *model, const char *name)
{
    const char *end = strrchr(name, '.');
    bool position = end != NULL && strcmp(end, ".position") == 0;
    bool velocity = end != NULL && strcmp(end, ".velocity") == 0;
    if (strncmp(name, "initial.", 8) != 0 || end < name + 8 || (!position && !velocity)) {
        return false;
    }
    char body[200];
    (void)snprintf(body, sizeof body, "%.*s", (int)(end - name - 8), name + 8);
    hf_coordinate coordinate = hf_model_find_coordinate(model, body);
    hf_channel channel = hf_model_find_channel(model, name + 8);
    if (coordinate.body.id == 0) {
        return false;
    }
    s->terms[s->count] = (hf_sensitivity_term){.kind = position ? HF_BY_POSITION : HF_BY_VELOCITY,
                                               .coordinate = coordinate};
    (void)snprintf(s->units[s->count], UNIT_SIZE, "%s",
                   channel.id == 0 ? "" : hf_model_channel_unit(model, channel));
    return true;
}

static bool find_input(hf_cli_sensitivity *s, const hf_model *model, const char *name)
{
    hf_signal signal =
        strncmp(name, "input.", 6) == 0 ? hf_model_find_signal(model, name + 6) : (hf_signal){0};
    s->terms[s->count] = (hf_sensitivity_term){.kind = HF_BY_INPUT, .input = signal};
    return signal.id != 0;
}

// The machine with one of the freed numbers changed.
static hf_model *make_model(const hf_cli_sensitivity *s, const hf_fit_parameter *all, int count,
                            int which, double change, hf_error *error)
{
    double values[MOST_TERMS];
    for (int i = 0; i < count; ++i) {
        values[i] = all[i].start + (i == which ? change : 0.0);
    }
    hf_spec *spec = hf_fit_machine_make(s->machine, values, error);
    hf_model *model = spec == NULL ? NULL : hf_model_compile(spec, error);
    hf_spec_destroy(spec);
    return model;
}

// One number of the file; false with the error filled: the machine refuses it on one side.
static bool add_number(hf_cli_sensitivity *s, int which, int count, hf_error *error)
{
    const hf_fit_parameter *found = &s->found[which];
    double size = found->start == 0.0 ? 1.0 : fmax(LEAST_SIZE, fabs(found->start));
    int at = s->count;
    for (int side = 0; side < 2; ++side) {
        double change = side == 0 ? -PART * size : PART * size;
        s->models[at][side] = make_model(s, s->found, count, which, change, error);
    }
    s->count += 1; // its models are to be destroyed
    (void)snprintf(s->names[at], sizeof s->names[at], "%.199s", found->name);
    (void)snprintf(s->units[at], UNIT_SIZE, "%s", found->unit == NULL ? "" : found->unit);
    s->terms[at] = (hf_sensitivity_term){.kind = HF_BY_MODEL,
                                         .step = PART * size,
                                         .below = s->models[at][0],
                                         .above = s->models[at][1]};
    return s->models[at][0] != NULL && s->models[at][1] != NULL;
}

// Takes the last term away again: its number is at its bound.
static void drop_last(hf_cli_sensitivity *s, const hf_error *error)
{
    hf_cli_warning("%s is left out: it has no derivative at its bound (%s)", s->names[s->count - 1],
                   error->text);
    s->count -= 1;
    for (int side = 0; side < 2; ++side) {
        hf_model_destroy(s->models[s->count][side]);
        s->models[s->count][side] = NULL;
    }
}

// Numbers of the file, by all names that are left. False with the error filled.
static bool find_numbers(hf_cli_sensitivity *s, const char *const *names, int name_count,
                         hf_error *error)
{
    int count = 0, end[MOST_TERMS];
    // What the names mean
    for (int i = 0; i < name_count; ++i) {
        int more = hf_fit_machine_free(s->machine, names[i], s->found + count,
                                       MOST_TERMS - s->count - count, error);
        if (more == 0) {
            return false;
        }
        count += more;
        end[i] = count;
    }
    // Models on both sides of each
    for (int i = 0, name = 0; i < count; ++i) {
        while (i >= end[name]) {
            ++name;
        }
        hf_error refused = {0};
        if (add_number(s, i, count, &refused)) {
            continue;
        }
        if (strchr(names[name], '*') == NULL) {
            char why[sizeof refused.text];
            (void)snprintf(why, sizeof why, "%s", refused.text);
            (void)hf_error_set(error, HF_ERROR_RANGE, "no derivative by %.100s at its bound: %s",
                               names[name], why);
            return false;
        }
        drop_last(s, &refused);
    }
    return s->count > 0 ||
           hf_error_set(error, HF_ERROR_RANGE,
                        "no derivative: all these numbers are at their bounds") == HF_OK;
}

static bool find_terms(hf_cli_sensitivity *s, const hf_model *model, const hf_cli_list *names,
                       hf_error *error)
{
    const char *left[MOST_TERMS];
    int left_count = 0;
    for (int i = 0; i < names->count && i < MOST_TERMS; ++i) {
        if (find_initial(s, model, names->items[i]) || find_input(s, model, names->items[i])) {
            (void)snprintf(s->names[s->count], sizeof s->names[0], "%.199s", names->items[i]);
            s->count += 1;
        } else {
            left[left_count++] = names->items[i];
        }
    }
    return left_count == 0 || find_numbers(s, left, left_count, error);
}

// ------------------------------------------------------------------------------------------------
// Columns

static char *text_of(const char *format, const char *a, const char *b)
{
    char *text = malloc(NAME_SIZE);
    if (text != NULL) {
        (void)snprintf(text, NAME_SIZE, format, a, b);
    }
    return text;
}

// Channels that are recorded and have derivatives, and the names of what is.
static bool find_columns(hf_cli_sensitivity *s, const hf_model *model)
{
    int recorded = hf_model_record_count(model);
    s->channels = calloc((size_t)recorded + 1, sizeof *s->channels);
    if (s->channels == NULL) {
        return false;
    }
    char name[400];
    // Channels
    for (int i = 0; i < recorded; ++i) {
        hf_channel channel = hf_model_record_channel(model, i);
        hf_model_channel_name(model, channel, name, sizeof name);
        const char *end = strrchr(name, '.');
        if (end == NULL || strcmp(end, ".mode") != 0) {
            s->channels[s->channel_count++] = channel;
        }
    }
    // A name and a unit of each with each term
    size_t all = (size_t)s->channel_count * (size_t)s->count, at = 0;
    s->columns = calloc(2 * all + 1, sizeof *s->columns);
    bool good = s->columns != NULL;
    for (int k = 0; k < s->channel_count && good; ++k) {
        const char *unit = hf_model_channel_unit(model, s->channels[k]);
        hf_model_channel_name(model, s->channels[k], name, sizeof name);
        for (int i = 0; i < s->count && good; ++i, ++at) {
            s->columns[at] = text_of("d(%.300s)/d(%.200s)", name, s->names[i]);
            s->columns[all + at] =
                text_of(s->units[i][0] == '\0' ? "%.60s%.0s" : "%.60s/(%.60s)",
                        unit[0] == '\0' && s->units[i][0] != '\0' ? "1" : unit, s->units[i]);
            good = s->columns[at] != NULL && s->columns[all + at] != NULL;
        }
    }
    return good;
}

static hf_status fill(void *context, hf_sim *sim, double *values, hf_error *error)
{
    const hf_cli_sensitivity *s = context;
    return hf_sim_sensitivity(sim, s->channels, s->channel_count, values, error);
}

void hf_cli_sensitivity_columns(hf_cli_sensitivity *s, hf_record_def *def)
{
    if (s == NULL) {
        return;
    }
    def->more_count = s->count * s->channel_count;
    def->more_names = (const char *const *)s->columns;
    def->more_units = (const char *const *)s->columns + def->more_count;
    def->more = fill;
    def->more_context = s;
}

hf_cli_sensitivity *hf_cli_sensitivity_begin(const char *word, const hf_overrides *overrides,
                                             hf_sim *sim, const hf_cli_list *names)
{
    hf_error error = {0};
    hf_cli_sensitivity *s = calloc(1, sizeof *s);
    if (s == NULL) {
        (void)hf_cli_error("out of memory");
        return NULL;
    }
    s->machine = hf_cli_fit_machine(word, overrides, &error);
    bool good = s->machine != NULL && find_terms(s, hf_sim_model(sim), names, &error);
    if (good && !find_columns(s, hf_sim_model(sim))) {
        good = hf_error_set(&error, HF_ERROR_MEMORY, "out of memory") == HF_OK;
    }
    if (good) {
        s->carried = hf_sensitivity_create(sim, s->terms, s->count, &error);
    }
    if (s->carried == NULL) {
        if (error.status != HF_OK) {
            hf_cli_report(&error);
        }
        hf_cli_sensitivity_end(s);
        return NULL;
    }
    return s;
}
