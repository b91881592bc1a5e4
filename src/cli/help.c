// SPDX-License-Identifier: Apache-2.0
// holdfast help: what a command, a law, a method or an entry of a model file is, from the tables
// that define them.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <holdfast/law.h>

#include "base/names.h"
#include "cli/cli.h"
#include "cli/help_keys.h"
#include "sim/method_info.h"

enum { MOST_TOPICS = 1000 };

static void print_topics(void)
{
    (void)printf("Topics:\n"
                 "  laws        every law with what it does\n"
                 "  methods     every method with what it does\n"
                 "  LAW         parameters, inputs and source of a law: 'holdfast help lugre'\n"
                 "  METHOD      keys of a method: 'holdfast help timestep'\n"
                 "  PART        entries of a part of a model file: 'holdfast help joint'\n"
                 "  ENTRY       where an entry may stand: 'holdfast help armature'\n"
                 "  COMMAND     the options of a command\n\nParts of a model file:\n");
    hf_cli_help_maps();
    (void)printf("\nCommands:\n");
    for (int i = 0; i < hf_cli_command_count; ++i) {
        (void)printf("  %-11s %s\n", hf_cli_commands[i]->name, hf_cli_commands[i]->phrase);
    }
    (void)printf(
        "\nMachines that come along: 'holdfast examples'. Model files, laws and methods are\n"
        "explained in the folder docs of the sources.\n");
}

static void print_laws(void)
{
    for (int i = 0; i < HF_LAW_TYPE_COUNT; ++i) {
        const hf_law_info *info = hf_law_info_get((hf_law_type)i);
        if (info != NULL) { // a prescribed force is no law
            (void)printf("  %-22s %s\n", info->name, info->phrase);
        }
    }
}

static void print_methods(void)
{
    for (int i = 0; i < HF_METHOD_COUNT; ++i) {
        const hf_method_info *info = hf_method_info_get((hf_method_type)i);
        (void)printf("  %-22s %s\n", info->name, info->phrase);
    }
}

static const char *kind_name(hf_param_kind kind)
{
    static const char *const names[] = {
        [HF_PARAM_NUMBER] = "number", [HF_PARAM_LEVEL] = "level", [HF_PARAM_LIST] = "list",
        [HF_PARAM_FLAG] = "flag",     [HF_PARAM_COUNT] = "count", [HF_PARAM_AUTO] = "auto"};
    return names[kind];
}

static void print_law(const hf_law_info *info)
{
    (void)printf("%s: %s\n", info->name, info->phrase);
    if (info->source != NULL && info->source[0] != '\0') {
        (void)printf("Source: %s\n", info->source);
    }
    if (info->param_count > 0) {
        (void)printf("\n  %-22s %-8s %-12s\n", "parameter", "kind", "unit");
    }
    for (int i = 0; i < info->param_count; ++i) {
        const hf_param *p = &info->params[i];
        (void)printf("  %-22s %-8s %-12s %s\n", p->name, kind_name(p->kind),
                     p->unit[0] == '\0' ? "-" : p->unit, p->meaning);
    }
    for (int i = 0; i < info->input_count; ++i) {
        (void)printf("  %-22s %-8s %-12s a constant or a signal\n", info->inputs[i].name, "input",
                     info->inputs[i].unit[0] == '\0' ? "-" : info->inputs[i].unit);
    }
    (void)printf(
        "\nUnits are those of motion along a line; where a law turns, N is Nm and m is rad.\n"
        "'holdfast law %s' draws what a friction law does by itself.\n",
        info->name);
}

static void print_key(const hf_method_key *key)
{
    (void)printf("  %-16s %-6s %s", key->name, key->unit[0] == '\0' ? "-" : key->unit,
                 key->meaning);
    if (key->choice != NULL) {
        const char *before = ": ";
        for (int i = 0; i < key->choice_count; ++i) {
            const char *name = key->choice(i);
            if (name != NULL) {
                (void)printf("%s%s", before, name);
                before = ", ";
            }
        }
    } else if (key->usual != 0.0) {
        (void)printf("; %g unless given", key->usual);
    }
    (void)printf("\n");
}

static void print_method(const hf_method_info *info)
{
    (void)printf("%s: %s\n\n  %-16s %-6s %s\n", info->name, info->phrase, "step", "s",
                 info->is_adaptive ? "between records; internal steps are chosen"
                                   : "of the method");
    for (int i = 0; i < info->key_count; ++i) {
        print_key(&info->keys[i]);
    }
    (void)printf(
        "\nIn a model file: 'method: {type: %s, step: 1e-3}'; for one run: '--method %s'.\n",
        info->name, info->name);
    if (info->library != NULL) {
        (void)printf("It is in the library %s.\n", info->library);
    }
}

static int unknown_topic(const char *word)
{
    const char *known[MOST_TOPICS] = {"laws", "methods"};
    int count = 2;
    for (int i = 0; i < hf_cli_command_count && count < MOST_TOPICS; ++i) {
        known[count++] = hf_cli_commands[i]->name;
    }
    for (int i = 0; i < HF_LAW_TYPE_COUNT && count < MOST_TOPICS; ++i) {
        const hf_law_info *info = hf_law_info_get((hf_law_type)i);
        if (info != NULL) {
            known[count++] = info->name;
        }
    }
    for (int i = 0; i < HF_METHOD_COUNT && count < MOST_TOPICS; ++i) {
        known[count++] = hf_method_info_get((hf_method_type)i)->name;
    }
    count = hf_cli_help_names(known, count, MOST_TOPICS);
    const char *nearest = hf_nearest_name(word, known, count);
    return nearest == NULL
               ? hf_cli_usage_error("help", "no help on '%s'; 'holdfast help' lists the topics",
                                    word)
               : hf_cli_usage_error("help", "no help on '%s'; did you mean '%s'?", word, nearest);
}

// A topic may be several things at once: a command and a method. All are printed.
static int print_topic(const char *word)
{
    int told = 0;
    // Lists
    if (strcmp(word, "laws") == 0) {
        print_laws();
        ++told;
    }
    if (strcmp(word, "methods") == 0) {
        print_methods();
        ++told;
    }
    // Parts of a model file, commands, laws and methods of this name
    told += hf_cli_help_map(word);
    for (int i = 0; i < hf_cli_command_count; ++i) {
        if (strcmp(hf_cli_commands[i]->name, word) == 0) {
            char help[] = "--help", *arguments[] = {help};
            (void)hf_cli_start(hf_cli_commands[i], 1, arguments);
            ++told;
        }
    }
    const hf_law_info *law = hf_law_info_find(word);
    if (law != NULL) {
        (void)printf("%s", told > 0 ? "\n" : "");
        print_law(law);
        ++told;
    }
    for (int i = 0; i < HF_METHOD_COUNT; ++i) {
        const hf_method_info *info = hf_method_info_get((hf_method_type)i);
        if (strcmp(info->name, word) == 0) {
            print_method(info);
            ++told;
        }
    }
    // An entry of a model file, where the word is nothing else
    if (told == 0) {
        told = hf_cli_help_entry(word);
    }
    return told > 0 ? HF_CLI_DONE : unknown_topic(word);
}

static int start(void *options, const hf_cli_list *operands)
{
    (void)options;
    if (operands->count == 0) {
        print_topics();
        return HF_CLI_DONE;
    }
    return print_topic(operands->items[0]);
}

const hf_cli_command hf_cli_command_help = {
    .name = "help",
    .phrase = "explain a command, a law, a method or a key of model files",
    .usage = "[TOPIC]",
    .about =
        "Tells what a command, a law, a method or a part of a model file is, with its options,\n"
        "parameters or entries, their units and what they mean. Without a topic it lists the "
        "topics.\n",
    .after = "\nExamples:\n"
             "  holdfast help laws\n"
             "  holdfast help lugre\n"
             "  holdfast help timestep\n"
             "  holdfast help joint\n"
             "  holdfast help stribeck_velocity\n",
    .operand = "TOPIC",
    .least = 0,
    .most = 1,
    .first = HF_CLI_WORD_ANY,
    .others = HF_CLI_WORD_ANY,
    .start = start,
};
