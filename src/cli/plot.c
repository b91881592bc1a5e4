// SPDX-License-Identifier: Apache-2.0
// holdfast plot
#include <holdfast/report.h>

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

static int start(void *options, const hf_cli_list *operands)
{
    hf_plot_def *def = options;
    if (def->output == NULL) {
        return hf_cli_usage_error("plot", "the figure's name is missing: -o FIG.svg");
    }
    def->channels = operands->items + 1;
    def->channel_count = operands->count - 1;
    return draw(operands->items[0], def);
}

static const hf_cli_option table[] = {
    {"output", 'o', "FIG", "the figure: FIG.svg, FIG.png or FIG.pdf", HF_CLI_TEXT,
     offsetof(hf_plot_def, output), HF_CLI_WORD_FIGURE, NULL},
    {"x", 0, "CHANNEL", "horizontal axis; time unless given", HF_CLI_TEXT, offsetof(hf_plot_def, x),
     HF_CLI_WORD_CHANNEL, "With a channel in place of time: a phase portrait."},
    {"title", 0, "T", "title; the model's name unless given", HF_CLI_TEXT,
     offsetof(hf_plot_def, title), HF_CLI_WORD_ANY, NULL},
};

const hf_cli_command hf_cli_command_plot = {
    .name = "plot",
    .phrase = "draw channels of a recorded run",
    .usage = "FILE.h5|FILE.csv CHANNEL... -o FIG.svg|.png|.pdf [--x CHANNEL] [--title T]",
    .about = "Draws channels of a recorded run with gnuplot, one panel for each unit. A "
             "CHANNEL may be\n"
             "a group: sphere.position stands for its x, y and z.\n",
    .after = "\nExamples:\n"
             "  holdfast plot run.h5 sphere.velocity floor.force -o run.svg\n"
             "  holdfast plot run.h5 block.velocity --x block.position -o phase.png\n",
    .operand = "FILE or CHANNEL",
    .least = 2,
    .most = -1,
    .first = HF_CLI_WORD_RECORDING,
    .others = HF_CLI_WORD_CHANNEL,
    HF_CLI_OPTIONS(table),
    .size = sizeof(hf_plot_def),
    .start = start,
};
