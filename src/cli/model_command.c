// SPDX-License-Identifier: Apache-2.0
// Commands that read a model, print something about it and change nothing.
#include "cli/model_command.h"

#include "cli/model_source.h"

const hf_cli_option hf_cli_set_option = {
    "set",           0,
    "P=V",           "give the value V to the model's entry P; may be repeated",
    HF_CLI_LIST,     offsetof(hf_cli_model_options, sets),
    HF_CLI_WORD_ANY, NULL};

int hf_cli_look_at_model(const char *word, const hf_cli_model_options *options,
                         int (*look)(const char *word, const hf_overrides *overrides, hf_sim *sim))
{
    const hf_overrides overrides = {.items = options->sets.items, .count = options->sets.count};
    hf_model *model = hf_cli_load_model(word, &overrides);
    if (model == NULL) {
        return HF_CLI_USAGE;
    }
    hf_error error = {0};
    hf_sim_def def = hf_cli_sim_def(model);
    hf_sim *sim = hf_sim_create(model, &def, &error);
    int code = HF_CLI_USAGE;
    if (sim == NULL) {
        hf_cli_report(&error);
    } else {
        code = look(word, &overrides, sim);
        hf_sim_destroy(sim);
    }
    hf_model_destroy(model);
    return code;
}
