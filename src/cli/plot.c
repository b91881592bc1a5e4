// SPDX-License-Identifier: Apache-2.0
// holdfast plot
#include "report/plot.h"

#include <stdlib.h>

#include "cli/cli.h"
#include "cli/recording.h"

static int draw(const char *path, const hf_plot_def *def)
{
    hf_error error = {0};
    hf_recording *recording = hf_cli_read_recording(path, &error);
    if (recording == NULL) {
        hf_cli_report(&error);
        return HF_CLI_USAGE;
    }
    if (recording->truncated) {
        hf_cli_warning("%s: the last row is not complete and was left out", path);
    }
    hf_status status = hf_plot(recording, def, &error);
    hf_recording_destroy(recording);
    if (status == HF_OK) {
        return HF_CLI_DONE;
    }
    hf_cli_report(&error);
    return status == HF_ERROR_FILE || status == HF_ERROR_UNSUPPORTED ? HF_CLI_FAILED : HF_CLI_USAGE;
}

int hf_cli_plot(int count, char **arguments)
{
    const char **texts = calloc((size_t)count + 1, sizeof *texts);
    if (texts == NULL) {
        return hf_cli_error("out of memory");
    }
    hf_plot_def def = {0};
    hf_cli_list operands = {.items = texts};
    const hf_cli_option options[] = {
        {"output", 'o', "FIG", "the figure: FIG.svg, FIG.png or FIG.pdf", HF_CLI_TEXT, &def.output},
        {"x", 0, "CHANNEL", "horizontal axis; time unless given", HF_CLI_TEXT, &def.x},
        {"title", 0, "T", "title; the model's name unless given", HF_CLI_TEXT, &def.title},
    };
    const hf_cli_syntax syntax = {
        .command = "plot",
        .usage = "FILE.h5|FILE.csv CHANNEL... -o FIG.svg|.png|.pdf [--x CHANNEL] [--title T]",
        .about = "Draws channels of a recorded run with gnuplot, one panel for each unit. A "
                 "CHANNEL may be\n"
                 "a group: sphere.position stands for its x, y and z.\n",
        .operand = "FILE or CHANNEL",
        .least = 2,
        .most = -1,
        .options = options,
        .option_count = sizeof options / sizeof *options,
        .after = "\nExamples:\n"
                 "  holdfast plot run.h5 sphere.velocity floor.force -o run.svg\n"
                 "  holdfast plot run.h5 block.velocity --x block.position -o phase.png\n",
    };
    int code = HF_CLI_USAGE;
    hf_cli_parsed parsed = hf_cli_parse(&syntax, count, arguments, &operands);
    if (parsed == HF_CLI_HELPED) {
        code = HF_CLI_DONE;
    } else if (parsed == HF_CLI_PARSED && def.output == NULL) {
        code = hf_cli_usage_error("plot", "the figure's name is missing: -o FIG.svg");
    } else if (parsed == HF_CLI_PARSED) {
        def.channels = texts + 1;
        def.channel_count = operands.count - 1;
        code = draw(texts[0], &def);
    }
    free(texts);
    return code;
}
