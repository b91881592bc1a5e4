// SPDX-License-Identifier: Apache-2.0
// holdfast schema: the model file as a JSON schema (draft 7), for editors and other programs.
//
// Maps of the file are definitions made from schema_keys.c; parameters of laws and keys of methods
// come from their own tables. What depends on a `type`, a `law` or a class is said by if and then:
// editors complete and complain by it.
#include <stdio.h>
#include <string.h>

#include <holdfast/laws.h>

#include "base/json.h"
#include "base/names.h"
#include "cli/cli.h"
#include "cli/examples.h"
#include "cli/schema_keys.h"
#include "sim/method_info.h"

enum { HF_CLI_MOST_SCHEMAS = 30 };

// ------------------------------------------------------------------------------------------------
// Small pieces

static void put_reference(hf_json *json, const char *key, const char *name)
{
    char path[100];
    (void)snprintf(path, sizeof path, "#/definitions/%s", name);
    hf_json_begin(json, key);
    hf_json_text(json, "$ref", path);
    hf_json_end(json);
}

// A list of words with `separator` between them. Numbers are written as numbers.
static void put_words(hf_json *json, const char *key, const char *words, char separator)
{
    hf_json_begin_list(json, key);
    while (*words != '\0') {
        char word[60];
        size_t length = strcspn(words, (char[]){separator, '\0'});
        (void)snprintf(word, sizeof word, "%.*s", (int)length, words);
        if (length == 1 && word[0] >= '0' && word[0] <= '9') {
            hf_json_count(json, NULL, word[0] - '0');
        } else {
            hf_json_text(json, NULL, word);
        }
        words += length + (words[length] == separator);
    }
    hf_json_end_list(json);
}

// An entry of a map: {allOf: [its type], description}, since what stands beside $ref is not read.
static void put_entry(hf_json *json, const char *name, const char *type, const char *about)
{
    hf_json_begin(json, name);
    if (type[0] == '=') {
        put_words(json, "enum", type + 1, '|');
    } else {
        hf_json_begin_list(json, "allOf");
        put_reference(json, NULL, type);
        hf_json_end_list(json);
    }
    hf_json_text(json, "description", about);
    hf_json_end(json);
}

static void put_constant(hf_json *json, const char *name, const char *value)
{
    hf_json_begin(json, name);
    hf_json_text(json, "const", value);
    hf_json_end(json);
}

// Of a map with a class the class may have the rest.
static void put_needed(hf_json *json, const char *needed, bool classes)
{
    if (needed[0] == '\0') {
        return;
    }
    if (!classes) {
        put_words(json, "required", needed, ' ');
        return;
    }
    hf_json_begin_list(json, "anyOf");
    hf_json_begin(json, NULL);
    put_words(json, "required", needed, ' ');
    hf_json_end(json);
    hf_json_begin(json, NULL);
    put_words(json, "required", "class", ' ');
    hf_json_end(json);
    hf_json_end_list(json);
}

// ------------------------------------------------------------------------------------------------
// Laws and methods, by their tables

static const char *type_of_param(const hf_param *param)
{
    static const char *const types[] = {
        [HF_PARAM_NUMBER] = "number", [HF_PARAM_LEVEL] = "level",
        [HF_PARAM_LIST] = "numbers",  [HF_PARAM_FLAG] = "flag",
        [HF_PARAM_COUNT] = "count",   [HF_PARAM_AUTO] = "number-or-auto",
    };
    return types[param->kind];
}

static void put_params(hf_json *json, const hf_law_info *law)
{
    for (int i = 0; i < law->param_count; ++i) {
        char about[200];
        const hf_param *param = &law->params[i];
        (void)snprintf(about, sizeof about, "%s%s%s%s", param->meaning,
                       param->unit[0] == '\0' ? "" : " [", param->unit,
                       param->unit[0] == '\0' ? "" : "]");
        put_entry(json, param->name, type_of_param(param), about);
    }
    for (int i = 0; i < law->input_count; ++i) {
        put_entry(json, law->inputs[i].name, "values", "a number, a signal or an expression of t");
    }
}

static void put_method_key(hf_json *json, const char *name, const hf_method_key *key)
{
    hf_json_begin(json, name);
    if (key->kind == HF_KEY_CHOICE || key->kind == HF_KEY_FLAG) {
        int count = key->kind == HF_KEY_FLAG ? 2 : key->choice_count;
        hf_json_begin_list(json, "enum");
        for (int i = 0; i < count; ++i) {
            const char *word = key->choice == NULL ? NULL : key->choice(i);
            if (word != NULL) {
                hf_json_text(json, NULL, word);
            }
        }
        hf_json_end_list(json);
    } else {
        hf_json_begin_list(json, "allOf");
        put_reference(json, NULL, key->kind == HF_KEY_COUNT ? "count" : "number");
        hf_json_end_list(json);
    }
    hf_json_text(json, "description", key->meaning);
    hf_json_end(json);
}

static void put_method(hf_json *json, const hf_method_info *info)
{
    hf_json_begin(json, NULL);
    hf_json_begin(json, "if");
    hf_json_begin(json, "properties");
    put_constant(json, "type", info->name);
    hf_json_end(json);
    hf_json_end(json);
    hf_json_begin(json, "then");
    hf_json_text(json, "description", info->phrase);
    hf_json_begin(json, "properties");
    put_constant(json, "type", info->name);
    put_entry(json, "step", "number", "s");
    for (int i = 0; i < info->key_count; ++i) {
        put_method_key(json, info->keys[i].name, &info->keys[i]);
        if (info->keys[i].other_name != NULL) {
            put_method_key(json, info->keys[i].other_name, &info->keys[i]);
        }
    }
    hf_json_end(json);
    hf_json_flag(json, "additionalProperties", false);
    hf_json_end(json);
    hf_json_end(json);
}

static void put_methods(hf_json *json)
{
    hf_json_begin(json, "method");
    hf_json_text(json, "type", "object");
    hf_json_begin(json, "properties");
    hf_json_begin(json, "type");
    hf_json_begin_list(json, "enum");
    for (int i = 0; i < HF_METHOD_COUNT; ++i) {
        hf_json_text(json, NULL, hf_method_info_get((hf_method_type)i)->name);
    }
    hf_json_end_list(json);
    hf_json_end(json);
    hf_json_end(json);
    put_words(json, "required", "type", ' ');
    hf_json_begin_list(json, "allOf");
    for (int i = 0; i < HF_METHOD_COUNT; ++i) {
        put_method(json, hf_method_info_get((hf_method_type)i));
    }
    hf_json_end_list(json);
    hf_json_end(json);
}

// ------------------------------------------------------------------------------------------------
// Maps

// The entries of a map, of a law that goes with it, and `type` where it has one.
static void put_map(hf_json *json, const char *key, const hf_cli_schema_map *map,
                    const hf_law_info *const *laws, int law_count, bool classes)
{
    hf_json_begin(json, key);
    hf_json_text(json, "type", "object");
    hf_json_begin(json, "properties");
    if (map->kind != NULL) {
        put_constant(json, "type", map->kind);
    }
    for (int i = 0; i < map->count; ++i) {
        put_entry(json, map->keys[i].name, map->keys[i].type, map->keys[i].about);
    }
    for (int i = 0; i < law_count; ++i) {
        put_params(json, laws[i]);
    }
    if (classes && map->kind != NULL && law_count == 0) {
        put_entry(json, "class", "text", "of defaults");
    }
    hf_json_end(json);
    hf_json_flag(json, "additionalProperties", false);
    put_needed(json, map->needed, classes);
    hf_json_end(json);
}

// An object whose `type` tells what else it has. Of bodies and forces one without a type has a
// class.
static void begin_choice(hf_json *json, const char *name, const hf_cli_schema_map *maps, int count,
                         bool classes)
{
    hf_json_begin(json, name);
    hf_json_text(json, "type", "object");
    hf_json_begin(json, "properties");
    hf_json_begin(json, "type");
    hf_json_begin_list(json, "enum");
    for (int i = 0; i < count; ++i) {
        hf_json_text(json, NULL, maps[i].kind);
    }
    hf_json_end_list(json);
    hf_json_end(json);
    if (classes) {
        put_entry(json, "class", "text", "of defaults");
    }
    hf_json_end(json);
    put_needed(json, "type", classes);
    hf_json_begin_list(json, "allOf");
}

static void end_choice(hf_json *json)
{
    hf_json_end_list(json);
    hf_json_end(json);
}

// The condition of a force: its type and, where they matter, its law or that it names none.
static void put_if(hf_json *json, const char *kind, const char *law, bool without_law)
{
    hf_json_begin(json, "if");
    hf_json_begin(json, "properties");
    put_constant(json, "type", kind);
    if (law != NULL) {
        put_constant(json, "law", law);
    }
    hf_json_end(json);
    put_words(json, "required", law == NULL ? "type" : "type law", ' ');
    if (without_law) {
        hf_json_begin(json, "not");
        put_words(json, "required", "law", ' ');
        hf_json_end(json);
    }
    hf_json_end(json);
}

static void put_choice(hf_json *json, const char *name, const hf_cli_schema_map *maps, int count,
                       bool classes)
{
    begin_choice(json, name, maps, count, classes);
    for (int i = 0; i < count; ++i) {
        hf_json_begin(json, NULL);
        put_if(json, maps[i].kind, NULL, false);
        put_map(json, "then", &maps[i], NULL, 0, classes);
        hf_json_end(json);
    }
    end_choice(json);
}

// Laws that a type of forces may name, the usual ones (without `law`) first. Returns how many are
// usual; *count of them in all.
static int laws_of(const char *kind, const hf_law_info *laws[HF_LAW_TYPE_COUNT], int *count)
{
    static const struct {
        const char *kind, *usual[2];
        hf_law_kind laws;
    } table[] = {
        {"spring", {"spring", NULL}, HF_KIND_SPRING},
        {"stop", {"stop", NULL}, HF_KIND_STOP},
        {"friction", {"stiction", NULL}, HF_KIND_FRICTION},
        {"contact", {"rigid-contact", "contact"}, HF_KIND_CONTACT},
        {"collide", {"rigid-contact", NULL}, HF_KIND_CONTACT},
        {"joint", {"joint", NULL}, HF_KIND_JOINT},
        {"controller", {"pid", NULL}, HF_KIND_CONTROLLER},
    };
    int usual = 0;
    *count = 0;
    // The usual laws of this type first
    for (size_t i = 0; i < sizeof table / sizeof table[0]; ++i) {
        if (strcmp(kind, table[i].kind) != 0) {
            continue;
        }
        for (; usual < 2 && table[i].usual[usual] != NULL; ++usual) {
            laws[(*count)++] = hf_law_info_find(table[i].usual[usual]);
        }
        // then all others of its kind
        for (int k = 0; k < HF_LAW_TYPE_COUNT; ++k) {
            const hf_law_info *law = hf_law_info_get((hf_law_type)k);
            bool known = law == NULL || law->kind != table[i].laws;
            for (int j = 0; j < usual && !known; ++j) {
                known = law == laws[j];
            }
            if (!known) {
                laws[(*count)++] = law;
            }
        }
    }
    return usual;
}

static void put_forces(hf_json *json)
{
    begin_choice(json, "force", hf_cli_schema_forces, hf_cli_schema_force_count, true);
    for (int i = 0; i < hf_cli_schema_force_count; ++i) {
        const hf_cli_schema_map *map = &hf_cli_schema_forces[i];
        const hf_law_info *laws[HF_LAW_TYPE_COUNT] = {NULL};
        int count = 0, usual = laws_of(map->kind, laws, &count);
        // Without `law`: the usual ones. A class may bring a law, and with it any entry.
        hf_json_begin(json, NULL);
        put_if(json, map->kind, NULL, true);
        put_map(json, "then", map, laws, usual, true);
        hf_json_end(json);
        for (int k = 0; k < count; ++k) {
            hf_json_begin(json, NULL);
            put_if(json, map->kind, laws[k]->name, false);
            put_map(json, "then", map, &laws[k], 1, true);
            hf_json_end(json);
        }
    }
    end_choice(json);
}

// A joint's friction: a level, or the entries of any friction law with those of its level.
static void put_joint_friction(hf_json *json)
{
    const hf_law_info *laws[HF_LAW_TYPE_COUNT] = {NULL};
    int count = 0;
    (void)laws_of("friction", laws, &count);
    hf_json_begin(json, "joint-friction");
    hf_json_begin_list(json, "anyOf");
    put_reference(json, NULL, "number");
    hf_json_begin(json, NULL);
    hf_json_text(json, "type", "object");
    hf_json_begin(json, "properties");
    hf_json_begin(json, "law");
    hf_json_begin_list(json, "enum");
    for (int i = 0; i < count; ++i) {
        hf_json_text(json, NULL, laws[i]->name);
    }
    hf_json_end_list(json);
    hf_json_end(json);
    hf_json_end(json);
    hf_json_end(json);
    hf_json_end_list(json);
    hf_json_end(json);
}

// ------------------------------------------------------------------------------------------------
// The whole

static void put_definitions(hf_json *json)
{
    hf_json_begin(json, "definitions");
    for (int i = 0; i < hf_cli_schema_type_count; ++i) {
        hf_json_raw(json, hf_cli_schema_types[i].name, hf_cli_schema_types[i].json);
    }
    for (int i = 0; i < hf_cli_schema_map_count; ++i) {
        put_map(json, hf_cli_schema_maps[i].name, &hf_cli_schema_maps[i], NULL, 0, false);
    }
    put_methods(json);
    put_choice(json, "body", hf_cli_schema_bodies, hf_cli_schema_body_count, true);
    put_choice(json, "shape-map", hf_cli_schema_shapes, hf_cli_schema_shape_count, false);
    put_choice(json, "loop", hf_cli_schema_loops, hf_cli_schema_loop_count, false);
    put_forces(json);
    put_joint_friction(json);
    hf_json_end(json);
}

static void print_model_schema(void)
{
    hf_json json = {.file = stdout};
    hf_json_begin(&json, NULL);
    hf_json_text(&json, "$schema", "http://json-schema.org/draft-07/schema#");
    hf_json_text(&json, "title", "Holdfast model file");
    hf_json_text(&json, "$ref", "#/definitions/machine");
    put_definitions(&json);
    hf_json_end(&json);
}

// ------------------------------------------------------------------------------------------------
// What the command prints as JSON

static int print_output_schema(const char *word)
{
    const char *names[HF_CLI_MOST_SCHEMAS + 1] = {"model"};
    int count = 1;
    for (int i = 0; i < hf_cli_output_schema_count; ++i) {
        const hf_cli_example *schema = &hf_cli_output_schemas[i];
        if (strcmp(schema->name, word) == 0) {
            (void)fwrite(schema->text, 1, schema->length, stdout);
            return HF_CLI_DONE;
        }
        if (count <= HF_CLI_MOST_SCHEMAS) {
            names[count++] = schema->name;
        }
    }
    const char *nearest = hf_nearest_name(word, names, count);
    return hf_cli_usage_error("schema", "no schema of '%s'%s%s%s", word,
                              nearest == NULL ? "" : "; did you mean '",
                              nearest == NULL ? "" : nearest, nearest == NULL ? "" : "'?");
}

static int start(void *options, const hf_cli_list *operands)
{
    (void)options;
    if (operands->count > 0 && strcmp(operands->items[0], "model") != 0) {
        return print_output_schema(operands->items[0]);
    }
    print_model_schema();
    return HF_CLI_DONE;
}

const hf_cli_command hf_cli_command_schema = {
    .name = "schema",
    .phrase = "print the JSON schema of model files, or of what a command prints",
    .usage = "[model|COMMAND]",
    .about =
        "Prints a JSON schema (draft 7) of model files, for completion and checks in editors, or\n"
        "of what COMMAND prints with --json.\n",
    .after = "\nExamples:\n"
             "  holdfast schema > holdfast.json\n"
             "  holdfast schema run\n"
             "\nA model file says which schema it follows in its first line:\n"
             "  # yaml-language-server: $schema=holdfast.json\n",
    .operand = "COMMAND",
    .least = 0,
    .most = 1,
    .start = start,
};
