// SPDX-License-Identifier: Apache-2.0
#include "cli/model_command.h"

#include <stdlib.h>

#include "cli/cli.h"
#include "cli/model_source.h"

static int look(const hf_cli_model_command *command, const char *word,
                const hf_overrides *overrides)
{
    hf_model *model = hf_cli_load_model(word, overrides);
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
        code = command->look(word, overrides, sim);
        hf_sim_destroy(sim);
    }
    hf_model_destroy(model);
    return code;
}

int hf_cli_look_at_model(const hf_cli_model_command *command, int count, char **arguments)
{
    size_t room = (size_t)count + 1;
    const char **texts = calloc(2 * room, sizeof *texts);
    if (texts == NULL) {
        return hf_cli_error("out of memory");
    }
    hf_cli_list sets = {.items = texts}, operands = {.items = texts + room};
    const hf_cli_option options[] = {
        {"set", 0, "P=V", "give the value V to the model's entry P; may be repeated", HF_CLI_LIST,
         &sets},
    };
    const hf_cli_syntax syntax = {
        .command = command->name,
        .usage = "MODEL [--set P=V]...",
        .about = command->about,
        .operand = "MODEL",
        .least = 1,
        .most = 1,
        .options = options,
        .option_count = 1,
        .after = command->after,
    };
    int code = HF_CLI_USAGE;
    hf_cli_parsed parsed = hf_cli_parse(&syntax, count, arguments, &operands);
    if (parsed == HF_CLI_PARSED) {
        const hf_overrides overrides = {.items = sets.items, .count = sets.count};
        code = look(command, operands.items[0], &overrides);
    } else if (parsed == HF_CLI_HELPED) {
        code = HF_CLI_DONE;
    }
    free(texts);
    return code;
}
