// SPDX-License-Identifier: Apache-2.0
// holdfast parameters: the numbers of a machine that have names.
#include <math.h>
#include <stdio.h>

#include "base/json.h"
#include "cli/model_command.h"
#include "cli/model_source.h"

typedef struct parameters_options {
    hf_cli_model_options model;
    bool json;
} parameters_options;

static void print_json(const hf_model *model)
{
    hf_json json = {.file = stdout};
    hf_json_begin(&json, NULL);
    hf_json_begin_list(&json, "parameters");
    for (int i = 0; i < hf_model_parameter_count(model); ++i) {
        hf_parameter_def p = hf_model_parameter(model, i);
        hf_json_begin(&json, NULL);
        hf_json_text(&json, "name", p.name);
        hf_json_number(&json, "value", p.value);
        hf_json_text(&json, "unit", p.unit);
        hf_json_number(&json, "low", p.low);
        hf_json_number(&json, "high", p.high);
        hf_json_text(&json, "about", p.about);
        hf_json_end(&json);
    }
    hf_json_end_list(&json);
    hf_json_end(&json);
}

static void print_table(const hf_model *model)
{
    if (hf_model_parameter_count(model) == 0) {
        (void)printf("The model has no parameters.\n");
        return;
    }
    (void)printf("%-20s %16s  %-12s %-24s %s\n", "Parameter", "value (SI)", "given in",
                 "range (SI)", "about");
    for (int i = 0; i < hf_model_parameter_count(model); ++i) {
        hf_parameter_def p = hf_model_parameter(model, i);
        char range[64] = "-";
        if (isfinite(p.low) || isfinite(p.high)) {
            (void)snprintf(range, sizeof range, "%g to %g", p.low, p.high);
        }
        hf_cli_put(stdout, "%-20s %16.10g  %-12s %-24s %s\n", p.name, p.value,
                   p.unit[0] == '\0' ? "-" : p.unit, range, p.about);
    }
}

static int start(void *options, const hf_cli_list *operands)
{
    const parameters_options *o = options;
    const hf_overrides overrides = {.items = o->model.sets.items, .count = o->model.sets.count};
    hf_model *model = hf_cli_load_model(operands->items[0], &overrides);
    if (model == NULL) {
        return HF_CLI_USAGE;
    }
    if (o->json) {
        print_json(model);
    } else {
        print_table(model);
    }
    hf_model_destroy(model);
    return HF_CLI_DONE;
}

static const hf_cli_option table[] = {
    {"set", 0, "P=V", "give the value V to the model's entry or parameter P; may be repeated",
     HF_CLI_LIST, offsetof(parameters_options, model.sets), HF_CLI_WORD_ANY, NULL},
    {"json", 0, NULL, "print one JSON object", HF_CLI_FLAG, offsetof(parameters_options, json),
     HF_CLI_WORD_ANY, NULL},
};

const hf_cli_command hf_cli_command_parameters = {
    .name = "parameters",
    .phrase = "list the parameters of a machine: its named numbers",
    .usage = "MODEL [--set P=V]... [--json]",
    .about =
        "Lists what the model's `parameters:` name, with values in SI units, the unit in which\n"
        "each was given, its range and what it is. `--set NAME=VALUE` changes one.\n",
    .after = "\nExamples:\n"
             "  holdfast parameters winch-brake\n"
             "  holdfast run winch-brake --set mu=0.2\n",
    HF_CLI_ONE_MODEL,
    HF_CLI_OPTIONS(table),
    .size = sizeof(parameters_options),
    .start = start,
};
