// SPDX-License-Identifier: Apache-2.0
// holdfast channels: what of a machine can be recorded.
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "cli/model_command.h"
#include "cli/model_source.h"

enum { NAME_SIZE = 256, MOST_BODIES = 40 };

typedef struct channels_options {
    hf_cli_model_options model;
    bool json;
} channels_options;

// Whether a channel is meant: by a pattern, by its name, or by that of its group.
static bool is_meant(const char *name, const char *pattern)
{
    size_t length = pattern == NULL ? 0 : strlen(pattern);
    return pattern == NULL || fnmatch(pattern, name, 0) == 0 ||
           (strncmp(name, pattern, length) == 0 && name[length] == '.');
}

// By id: whether a run records the channel. NULL when out of memory.
static bool *find_recorded(const hf_model *model)
{
    bool *recorded = calloc((size_t)hf_model_channel_count(model) + 1, sizeof *recorded);
    for (int i = 0; recorded != NULL && i < hf_model_record_count(model); ++i) {
        recorded[hf_model_record_channel(model, i).id] = true;
    }
    return recorded;
}

// The channel nearest to a pattern without its stars; "": none is near.
static void find_nearest(const hf_model *model, const char *pattern, char *nearest, size_t size)
{
    char plain[NAME_SIZE];
    size_t used = 0;
    for (const char *c = pattern; *c != '\0' && used + 1 < sizeof plain; ++c) {
        if (strchr("*?[]", *c) == NULL) {
            plain[used++] = *c;
        }
    }
    plain[used] = '\0';
    hf_model_nearest_channel(model, plain, nearest, size);
    // A component alone, "blok.": the nearest first part of a name
    size_t stem = strcspn(plain, ".");
    for (int id = 1; nearest[0] == '\0' && stem > 0 && id <= hf_model_channel_count(model); ++id) {
        char name[NAME_SIZE], part[NAME_SIZE];
        hf_model_channel_name(model, (hf_channel){id}, name, sizeof name);
        (void)snprintf(part, sizeof part, "%.*s%s", (int)stem, plain, name + strcspn(name, "."));
        hf_model_nearest_channel(model, part, nearest, size);
    }
}

static int report_none(const hf_model *model, const char *pattern)
{
    char nearest[NAME_SIZE] = "";
    find_nearest(model, pattern, nearest, sizeof nearest);
    bool near = nearest[0] != '\0';
    return hf_cli_error("no channel matches '%.100s'%s%s%s", pattern,
                        near ? "; did you mean '" : "", nearest, near ? "'?" : "");
}

static void print_one(const char *name, const char *unit, bool recorded, hf_json *json)
{
    if (json == NULL) {
        unit = unit[0] == '\0' ? "-" : unit;
        (void)printf("%-38s %-*s%s\n", name, recorded ? 10 : 0, unit, recorded ? " recorded" : "");
        return;
    }
    hf_json_begin(json, NULL);
    hf_json_text(json, "name", name);
    hf_json_text(json, "unit", unit);
    hf_json_flag(json, "recorded", recorded);
    hf_json_end(json);
}

// Whether bodies may touch, for all that the model says.
static bool has_contacts(const hf_model *model)
{
    bool found = hf_method_solves_contacts(hf_model_method(model).type);
    for (int id = 1; id <= hf_model_get_info(model).forces && !found; ++id) {
        found = hf_coupling_is_contact(hf_model_force_info(model, (hf_force){id}).coupling.type);
    }
    return found;
}

// Names of channels that are there only where a recording names them (recording.md), as the value
// of --set record=: those that the model records, and these of all bodies. NULL: out of memory.
static char *ask_for_all(const hf_model *model)
{
    static const char *const words[] = {"pose",           "acceleration",    "angular_acceleration",
                                        "reaction_force", "reaction_torque", "contact_force",
                                        "contact_torque"};
    bool contacts = has_contacts(model);
    int bodies = hf_model_get_info(model).bodies, records = hf_model_record_count(model);
    size_t size = 20 + ((size_t)records + 7 * (size_t)bodies) * NAME_SIZE, used = 0;
    char *text = malloc(size);
    if (text == NULL) {
        return NULL;
    }
    // What is recorded
    used += (size_t)snprintf(text, size, "record=[");
    for (int i = 0; i < records; ++i) {
        char name[NAME_SIZE];
        hf_model_channel_name(model, hf_model_record_channel(model, i), name, sizeof name);
        used += (size_t)snprintf(text + used, size - used, "%s%s", i > 0 ? ", " : "", name);
    }
    // What each body has
    for (int id = 1; id <= bodies; ++id) {
        hf_body body = {id};
        hf_body_slots slots = hf_model_body_slots(model, body);
        bool link = hf_model_body_info(model, body).type == HF_BODY_LINK;
        int turning = slots.position_count != slots.velocity_count ? 3 : 0; // it has a quaternion
        const bool has[] = {
            true, slots.velocity_count > turning, turning > 0, link, link, contacts, contacts};
        for (int k = 0; k < 7; ++k) {
            used += !has[k] ? 0
                            : (size_t)snprintf(text + used, size - used, "%s%.200s.%s",
                                               text[used - 1] == '[' ? "" : ", ",
                                               hf_model_body_name(model, body), words[k]);
        }
    }
    (void)snprintf(text + used, size - used, "]");
    return text;
}

// Lists the channels of `all`, which may have more than the model has by itself.
static int list(const hf_model *model, const hf_model *all, const char *pattern, hf_json *json)
{
    int count = 0;
    bool *recorded = find_recorded(model);
    if (recorded == NULL) {
        return hf_cli_error("out of memory");
    }
    if (json != NULL) {
        hf_json_begin(json, NULL);
        hf_json_begin_list(json, "channels");
    }
    for (int id = 1; id <= hf_model_channel_count(all); ++id) {
        char name[NAME_SIZE];
        hf_model_channel_name(all, (hf_channel){id}, name, sizeof name);
        if (is_meant(name, pattern)) {
            hf_channel own = hf_model_find_channel(model, name);
            print_one(name, hf_model_channel_unit(all, (hf_channel){id}),
                      own.id > 0 && recorded[own.id], json);
            ++count;
        }
    }
    if (json != NULL) {
        hf_json_end_list(json);
        hf_json_end(json);
    }
    free(recorded);
    return count > 0 || pattern == NULL ? HF_CLI_DONE : report_none(all, pattern);
}

// The model with all channels that can be asked for. NULL: it says why.
static hf_model *load_all(const char *word, const hf_model *model, const hf_overrides *overrides)
{
    hf_model *all = NULL;
    char *ask = ask_for_all(model);
    const char **items = calloc((size_t)overrides->count + 1, sizeof *items);
    if (ask == NULL || items == NULL) {
        (void)hf_cli_error("out of memory");
    } else {
        for (int i = 0; i < overrides->count; ++i) {
            items[i] = overrides->items[i];
        }
        items[overrides->count] = ask;
        all =
            hf_cli_load_model(word, &(hf_overrides){.items = items, .count = overrides->count + 1});
    }
    free((void *)items);
    free(ask);
    return all;
}

static int start(void *options, const hf_cli_list *operands)
{
    const channels_options *o = options;
    const char *word = operands->items[0],
               *pattern = operands->count > 1 ? operands->items[1] : NULL;
    hf_overrides overrides = {.items = o->model.sets.items, .count = o->model.sets.count};
    hf_model *model = hf_cli_load_model(word, &overrides);
    if (model == NULL) {
        return HF_CLI_USAGE;
    }
    // Once more with all that can be asked for; of many bodies only where a pattern chooses
    hf_model *all = NULL;
    if (pattern != NULL || hf_model_get_info(model).bodies <= MOST_BODIES) {
        all = load_all(word, model, &overrides);
        if (all == NULL) {
            hf_model_destroy(model);
            return HF_CLI_USAGE;
        }
    }
    // What there is, and what is not listed
    hf_json json = {.file = stdout};
    int code = list(model, all != NULL ? all : model, pattern, o->json ? &json : NULL);
    if (all == NULL && !o->json && code == HF_CLI_DONE) {
        (void)printf("Of each body besides, by its name or a pattern: pose, acceleration, "
                     "reaction_force, ...\n");
    }
    hf_model_destroy(all);
    hf_model_destroy(model);
    return code;
}

static const hf_cli_option table[] = {
    {"set", 0, "P=V", "give the value V to the model's entry P; may be repeated", HF_CLI_LIST,
     offsetof(channels_options, model.sets), HF_CLI_WORD_ANY, NULL},
    {"json", 0, NULL, "print one JSON object", HF_CLI_FLAG, offsetof(channels_options, json),
     HF_CLI_WORD_ANY, NULL},
};

const hf_cli_command hf_cli_command_channels = {
    .name = "channels",
    .phrase = "list what of a machine can be recorded, with units",
    .usage = "MODEL [PATTERN] [--set P=V]... [--json]",
    .about =
        "Lists every channel of a model with its unit, and whether a run records it. PATTERN is a\n"
        "channel, a group such as sphere.position, or has * and ? for any letters. Poses,\n"
        "accelerations, reactions of joints and contact forces of more than 40 bodies are listed\n"
        "with a PATTERN only.\n",
    .after = "\nExamples:\n"
             "  holdfast channels rolling-sphere\n"
             "  holdfast channels rolling-sphere '*.force.*' --json\n",
    .operand = "MODEL",
    .least = 1,
    .most = 2,
    .first = HF_CLI_WORD_MODEL,
    .others = HF_CLI_WORD_ANY,
    HF_CLI_OPTIONS(table),
    .size = sizeof(channels_options),
    .start = start,
};
