// SPDX-License-Identifier: Apache-2.0
// holdfast plot
#include <holdfast/report.h>

#include <stdlib.h>

#include "cli/cli.h"
#include "cli/recording.h"
#include "record/format.h"

typedef struct plot_options {
    hf_plot_def plot;
    const char *y, *colour; // of a table
} plot_options;

static int exit_code(hf_status status)
{
    return status == HF_OK                                             ? HF_CLI_DONE
           : status == HF_ERROR_FILE || status == HF_ERROR_UNSUPPORTED ? HF_CLI_FAILED
                                                                       : HF_CLI_USAGE;
}

// Reads `count` files. How many were read; fewer after a message.
static int read_runs(const char *const *paths, int count, hf_page_run *runs)
{
    for (int i = 0; i < count; ++i) {
        hf_error error = {0};
        hf_recording *recording = hf_cli_read_recording(paths[i], &error);
        if (recording == NULL) {
            hf_cli_report(&error);
            return i;
        }
        if (recording->truncated) {
            hf_cli_warning("%s: the last row is not complete and was left out", paths[i]);
        }
        runs[i] = (hf_page_run){recording, paths[i]};
    }
    return count;
}

static int draw(const char *const *paths, int count, const hf_plot_def *def)
{
    hf_error error = {0};
    hf_page_run *runs = calloc((size_t)count, sizeof *runs);
    if (runs == NULL) {
        return hf_cli_error("out of memory");
    }
    int read = read_runs(paths, count, runs), code = HF_CLI_USAGE;
    if (read == count) {
        hf_status status = count == 1 ? hf_plot(runs[0].recording, def, &error)
                                      : hf_plot_runs(runs, count, def, &error);
        if (status != HF_OK) {
            hf_cli_report(&error);
        }
        code = exit_code(status);
    }
    for (int i = 0; i < read; ++i) {
        hf_recording_destroy((hf_recording *)runs[i].recording);
    }
    free(runs);
    return code;
}

// Files come first: words that end as recordings do. The first word is one in any case.
static int count_files(const hf_cli_list *operands)
{
    int count = 1;
    while (count < operands->count &&
           hf_file_format_of(operands->items[count]) != HF_FILE_UNKNOWN) {
        ++count;
    }
    return count;
}

// The table of a sweep.
static int draw_table(const char *path, const plot_options *o)
{
    hf_error error = {0};
    hf_table *table = hf_cli_read_table(path, &error);
    if (table == NULL) {
        hf_cli_report(&error);
        return HF_CLI_USAGE;
    }
    const hf_table_plot_def def = {.output = o->plot.output,
                                   .x = o->plot.x,
                                   .y = o->y,
                                   .colour = o->colour,
                                   .title = o->plot.title};
    hf_status status = hf_table_plot(table, &def, &error);
    hf_table_destroy(table);
    if (status != HF_OK) {
        hf_cli_report(&error);
    }
    return exit_code(status);
}

static int start(void *options, const hf_cli_list *operands)
{
    plot_options *o = options;
    hf_plot_def *def = &o->plot;
    if (def->output == NULL) {
        return hf_cli_usage_error("plot", "the figure's name is missing: -o FIG.svg");
    }
    if (o->y != NULL || o->colour != NULL) {
        if (o->y == NULL || def->x == NULL || operands->count > 1) {
            return hf_cli_usage_error("plot", "of a sweep's table: --x COLUMN --y COLUMN, and no "
                                              "channels");
        }
        return draw_table(operands->items[0], o);
    }
    int files = count_files(operands);
    if (operands->count == files) {
        return hf_cli_usage_error("plot", "CHANNEL is missing");
    }
    def->channels = operands->items + files;
    def->channel_count = operands->count - files;
    return draw(operands->items, files, def);
}

static const hf_cli_option table[] = {
    {"output", 'o', "FIG", "the figure: FIG.svg, FIG.png or FIG.pdf", HF_CLI_TEXT,
     offsetof(plot_options, plot.output), HF_CLI_WORD_FIGURE, NULL},
    {"x", 0, "CHANNEL", "horizontal axis; time unless given", HF_CLI_TEXT,
     offsetof(plot_options, plot.x), HF_CLI_WORD_CHANNEL,
     "With a channel in place of time: a phase portrait."},
    {"y", 0, "COLUMN", "of a sweep's table: this column over that of --x", HF_CLI_TEXT,
     offsetof(plot_options, y), HF_CLI_WORD_ANY, NULL},
    {"color", 0, "COLUMN", "of a sweep's table: a map, with this column in colour", HF_CLI_TEXT,
     offsetof(plot_options, colour), HF_CLI_WORD_ANY, NULL},
    {"title", 0, "T", "title; the model's name unless given", HF_CLI_TEXT,
     offsetof(plot_options, plot.title), HF_CLI_WORD_ANY, NULL},
};

const hf_cli_command hf_cli_command_plot = {
    .name = "plot",
    .phrase = "draw channels of a recorded run, or columns of a sweep",
    .usage = "FILE.h5|FILE.csv... CHANNEL... -o FIG.svg|.png|.pdf [--x CHANNEL] [--title T]",
    .about = "Draws channels of a recorded run with gnuplot, one panel for each unit. A "
             "CHANNEL may be\n"
             "a group: sphere.position stands for its x, y and z. Of several files there is one "
             "panel\nfor each channel, with a curve for each file.\n",
    .after = "\nExamples:\n"
             "  holdfast plot run.h5 sphere.velocity floor.force -o run.svg\n"
             "  holdfast plot run.h5 block.velocity --x block.position -o phase.png\n"
             "  holdfast plot fine.h5 coarse.h5 block.velocity -o both.svg\n"
             "  holdfast plot sweep.h5 --x mass --y mu --color stop.position -o map.svg\n",
    .operand = "FILE or CHANNEL",
    .least = 1,
    .most = -1,
    .first = HF_CLI_WORD_RECORDING,
    .others = HF_CLI_WORD_CHANNEL,
    HF_CLI_OPTIONS(table),
    .size = sizeof(plot_options),
    .start = start,
};
