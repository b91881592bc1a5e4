// SPDX-License-Identifier: Apache-2.0
// Another law in the place of the friction of a machine that was read: on the spec, by the laws'
// parameters. What the file gives is translated (law_translate.c); what it leaves open is the new
// law's default.
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "models/forces.h"
#include "models/tree/override.h"
#include "spec/spec_data.h"

typedef struct job {
    hf_reader *reader;
    hf_change change;
    const hf_law_info *law;
    const hf_law_change *wanted;
    hf_node *parameters; // a map of those that are wanted
} job;

static bool fail(const job *j, hf_status status, const char *message)
{
    (void)hf_change_fail(&j->change, status, message);
    return false;
}

static bool find_law(job *j)
{
    const hf_spec *spec = j->reader->spec;
    size_t room = HF_LAW_TYPE_COUNT + spec->law_count;
    hf_arena *arena = &j->reader->document->arena;
    const char **names = hf_arena_alloc(arena, room, sizeof *names);
    const hf_law_info **laws = hf_arena_alloc(arena, room, sizeof *laws);
    if (names == NULL || laws == NULL) {
        return hf_reader_out_of_memory(j->reader);
    }
    int count = hf_spec_list_laws(spec, HF_KIND_FRICTION, names, laws);
    for (int i = 0; i < count; ++i) {
        if (strcmp(names[i], j->wanted->law) == 0) {
            j->law = laws[i];
            return true;
        }
    }
    char message[200], hint[HF_HINT_SIZE];
    (void)snprintf(message, sizeof message, "unknown friction law '%.60s'%s", j->wanted->law,
                   hf_hint(j->wanted->law, names, count, hint));
    return fail(j, HF_ERROR_NAME, message);
}

static bool unknown_parameter(const job *j, const char *key)
{
    const char *names[64];
    int count = 0;
    for (; count < j->law->param_count && count < 64; ++count) {
        names[count] = j->law->params[count].name;
    }
    char message[300], hint[HF_HINT_SIZE];
    (void)snprintf(message, sizeof message, "the law %s has no '%.60s'%s", j->law->name, key,
                   hf_hint(key, names, count, hint));
    return fail(j, HF_ERROR_NAME, message);
}

// "threshold=0.01" and its like, as a map.
static bool parse_parameters(job *j)
{
    j->parameters = hf_change_parse(&j->change, "{}");
    for (int i = 0; j->parameters != NULL && i < j->wanted->parameter_count; ++i) {
        // KEY=VALUE, of a parameter that the law has
        const char *text = j->wanted->parameters[i], *equals = strchr(text, '=');
        char key[64];
        if (equals == NULL || equals == text || (size_t)(equals - text) >= sizeof key) {
            return fail(j, HF_ERROR_SYNTAX, "expected LAW:KEY=VALUE, as in karnopp:threshold=0.01");
        }
        (void)snprintf(key, sizeof key, "%.*s", (int)(equals - text), text);
        if (hf_law_param(j->law, key) == NULL) {
            return unknown_parameter(j, key);
        }
        hf_node *value = hf_change_parse(&j->change, equals + 1);
        if (value == NULL) {
            return false;
        }
        // The last of several counts
        hf_node *before = hf_node_get(j->parameters, key);
        value->key = hf_arena_string(&j->reader->document->arena, key);
        if (value->key == NULL) {
            return hf_reader_out_of_memory(j->reader);
        }
        if (before != NULL) {
            hf_node_replace(before, value);
        } else {
            hf_node_append(j->parameters, value);
        }
    }
    return j->parameters != NULL;
}

// The wanted forces are frictions of the machine.
static bool check_names(const job *j)
{
    const hf_spec *spec = j->reader->spec;
    for (int i = 0; i < j->wanted->force_count; ++i) {
        hf_force force = hf_spec_find_force(spec, j->wanted->forces[i]);
        const hf_law_info *law =
            force.id == 0 ? NULL : hf_spec_law(spec, spec->forces[force.id - 1].law);
        if (law == NULL || law->kind != HF_KIND_FRICTION) {
            char message[200];
            (void)snprintf(message, sizeof message, "%s '%.60s'%s",
                           force.id == 0 ? "there is no force" : "the force", j->wanted->forces[i],
                           force.id == 0 ? "" : " is not of the type friction");
            return fail(j, HF_ERROR_NAME, message);
        }
    }
    return true;
}

static bool is_wanted(const job *j, const hf_force_def *force)
{
    bool named = j->wanted->force_count == 0;
    for (int i = 0; i < j->wanted->force_count; ++i) {
        named = named || strcmp(force->name, j->wanted->forces[i]) == 0;
    }
    const hf_law_info *law = hf_spec_law(j->reader->spec, force->law);
    return named && law != NULL && law->kind == HF_KIND_FRICTION;
}

// The new definition: what the file gave, then the wanted parameters.
static void *define(const job *j, const hf_force_def *force, const hf_node *item)
{
    const hf_law_info *old = hf_spec_law(j->reader->spec, force->law);
    hf_arena *arena = &j->reader->document->arena;
    bool *given = hf_arena_alloc(arena, (size_t)old->param_count, sizeof *given);
    for (int i = 0; given != NULL && i < old->param_count; ++i) {
        given[i] = hf_node_get(item, old->params[i].name) != NULL;
    }
    void *def = given == NULL ? NULL : hf_law_translate(arena, old, force->def, given, j->law);
    if (def == NULL) {
        (void)hf_reader_out_of_memory(j->reader);
        return NULL;
    }
    int dim = hf_coupling_dim(&force->coupling);
    return hf_read_params(j->reader, j->parameters, j->law, dim, def) ? def : NULL;
}

static bool change_force(const job *j, int index)
{
    hf_reader *reader = j->reader;
    const hf_force_def *force = &reader->spec->forces[index];
    const hf_node *item =
        reader->items[hf_names_find(&reader->item_nodes, force->name, strlen(force->name))];
    hf_reader_enter(reader, "friction", force->name);
    void *def = define(j, force, item);
    if (def == NULL) {
        return false;
    }
    // A wanted level may be a coefficient where the file's was none, and the other way round.
    bool needed = hf_law_is_per_normal(j->law, def), there = hf_node_get(item, "normal") != NULL;
    if (needed != there) {
        return hf_reader_fail_key(reader, j->parameters, HF_ERROR_INPUT, "%s",
                                  needed ? "normal is missing: the level is a coefficient of "
                                           "friction"
                                         : "normal has no effect: the level is not a coefficient");
    }
    hf_status status =
        hf_spec_set_law(reader->spec, (hf_force){index + 1}, j->law->type, def, reader->error);
    return status == HF_OK || hf_reader_pass(reader, j->parameters, true);
}

bool hf_change_law(hf_reader *reader, const hf_law_change *wanted)
{
    if (wanted == NULL) {
        return true;
    }
    job j = {.reader = reader,
             .change = {reader->document, reader->error,
                        hf_change_describe(reader->document, "--laws", wanted->law), NULL},
             .wanted = wanted};
    hf_reader_leave(reader);
    if (j.change.origin == NULL) {
        return hf_reader_out_of_memory(reader);
    }
    if (!find_law(&j) || !check_names(&j) || !parse_parameters(&j)) {
        return false;
    }
    int changed = 0;
    for (int i = 0; i < (int)reader->spec->force_count; ++i) {
        if (is_wanted(&j, &reader->spec->forces[i])) {
            if (!change_force(&j, i)) {
                return false;
            }
            ++changed;
        }
    }
    hf_reader_leave(reader);
    return changed > 0 || fail(&j, HF_ERROR_INPUT, "the machine has no force of the type friction");
}
