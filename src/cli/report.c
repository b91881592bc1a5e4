// SPDX-License-Identifier: Apache-2.0
// holdfast report
#include "cli/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/recording.h"
#include "record/format.h"
#include <holdfast/report.h>

static bool ends_in(const char *text, const char *ending)
{
    size_t length = strlen(text), more = strlen(ending);
    return length > more && strcmp(text + length - more, ending) == 0;
}

bool hf_cli_page_check_name(const char *command, const char *path)
{
    if (ends_in(path, ".html") || ends_in(path, ".htm")) {
        return true;
    }
    (void)hf_cli_usage_error(command, "the page '%s' must end in .html", path);
    return false;
}

bool hf_cli_figure_check_name(const char *command, const char *path)
{
    if (ends_in(path, ".svg") || ends_in(path, ".png") || ends_in(path, ".pdf")) {
        return true;
    }
    (void)hf_cli_usage_error(command, "the figure '%s' must end in .svg, .png or .pdf", path);
    return false;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

static int exit_code(hf_status status)
{
    return status == HF_OK ? HF_CLI_DONE : HF_CLI_FAILED;
}

static int write_page(const char *path, const hf_page_run *runs, int count)
{
    hf_error error = {0};
    hf_status status = hf_page_write(path, runs, count, &error);
    if (status != HF_OK) {
        hf_cli_report(&error);
    }
    return exit_code(status);
}

bool hf_cli_page_can_be_made(void)
{
    if (!hf_page_is_built()) {
        (void)hf_cli_error("--report: the page was not built into this program: it needs node and "
                           "npm when holdfast is built (scripts/web.sh)");
        return false;
    }
    return true;
}

bool hf_cli_page_folder(char *folder, size_t size)
{
    const char *place = getenv("TMPDIR");
    place = place == NULL || place[0] == '\0' ? "/tmp" : place;
    int length = snprintf(folder, size, "%s/holdfast-XXXXXX", place);
    if (length < 0 || (size_t)length >= size || mkdtemp(folder) == NULL) {
        (void)hf_cli_error("cannot create a temporary folder in '%s'", place);
        return false;
    }
    return true;
}

// ------------------------------------------------------------------------------------------------
// For `holdfast run`

bool hf_cli_page_begin(hf_cli_page *page, const char *path, const char *output, const char *label)
{
    *page = (hf_cli_page){.path = path, .label = label, .recording = output};
    if (path == NULL) {
        return true;
    }
    if (!hf_cli_page_can_be_made()) {
        return false;
    }
    if (output != NULL && hf_file_format_of(output) == HF_FILE_HDF5) {
        return true;
    }
    if (!hf_cli_page_folder(page->folder, sizeof page->folder)) {
        return false;
    }
    (void)snprintf(page->file, sizeof page->file, "%s/run.h5", page->folder);
    page->recording = page->file;
    page->temporary = true;
    return true;
}

int hf_cli_page_end(hf_cli_page *page, bool write)
{
    int code = HF_CLI_DONE;
    if (page->path != NULL && write) {
        hf_error error = {0};
        hf_recording *recording = hf_recording_read(page->recording, &error);
        if (recording == NULL) {
            hf_cli_report(&error);
            code = HF_CLI_FAILED;
        } else {
            const hf_page_run run = {recording, page->label};
            code = write_page(page->path, &run, 1);
        }
        hf_recording_destroy(recording);
    }
    if (page->temporary) {
        (void)remove(page->file);
        (void)rmdir(page->folder);
    }
    return code;
}

// ------------------------------------------------------------------------------------------------
// The command

static int show(const char *output, const hf_cli_list *files)
{
    // Room for all runs
    hf_page_run *runs = calloc((size_t)files->count + 1, sizeof *runs);
    hf_recording **recordings = calloc((size_t)files->count + 1, sizeof *recordings);
    if (runs == NULL || recordings == NULL) {
        free(recordings);
        free(runs);
        return hf_cli_error("out of memory");
    }
    int code = HF_CLI_DONE;
    // Read each
    for (int i = 0; i < files->count; ++i) {
        hf_error error = {0};
        recordings[i] = hf_cli_read_recording(files->items[i], &error);
        if (recordings[i] == NULL) {
            hf_cli_report(&error);
            code = HF_CLI_USAGE;
            break;
        }
        if (recordings[i]->truncated) {
            hf_cli_warning("%s: the last row is not complete and was left out", files->items[i]);
        }
        runs[i] = (hf_page_run){recordings[i], base_name(files->items[i])};
    }
    // One page of all
    if (code == HF_CLI_DONE) {
        code = write_page(output, runs, files->count);
    }
    if (code == HF_CLI_DONE) {
        hf_cli_put(stdout, "%s\n", output);
    }
    for (int i = 0; i < files->count; ++i) {
        hf_recording_destroy(recordings[i]);
    }
    free(recordings);
    free(runs);
    return code;
}

// The table of a sweep; NULL: the file is none.
static hf_table *try_table(const char *path)
{
    hf_error unused = {0};
    if (hf_file_format_of(path) == HF_FILE_CSV) { // recordings begin with `time`
        char start[5] = "";
        FILE *file = fopen(path, "rb");
        size_t length = file == NULL ? 0 : fread(start, 1, sizeof start, file);
        if (file != NULL) {
            (void)fclose(file);
        }
        if (length < sizeof start || memcmp(start, "case,", sizeof start) != 0) {
            return NULL;
        }
    }
    return hf_cli_read_table(path, &unused);
}

static int show_table(const char *output, const char *path, const hf_table *table, const char *runs)
{
    hf_error error = {0};
    int code = runs == NULL ? HF_CLI_DONE : hf_cli_run_pages(table, output, runs);
    if (code != HF_CLI_DONE) {
        return code;
    }
    hf_status status = hf_table_page_write(output, table, base_name(path), runs, &error);
    if (status != HF_OK) {
        hf_cli_report(&error);
    } else {
        hf_cli_put(stdout, "%s\n", output);
    }
    return exit_code(status);
}

static int show_any(const char *output, const char *runs, const hf_cli_list *files)
{
    hf_table *table = files->count == 1 ? try_table(files->items[0]) : NULL;
    if (runs != NULL && table == NULL) {
        return hf_cli_usage_error("report", "--runs goes with the table of a sweep");
    }
    int code =
        table == NULL ? show(output, files) : show_table(output, files->items[0], table, runs);
    hf_table_destroy(table);
    return code;
}

// RUN.h5 becomes RUN.html. NULL when out of memory.
static char *default_output(const char *file)
{
    size_t length = strlen(file);
    char *path = malloc(length + sizeof ".html");
    if (path != NULL) {
        memcpy(path, file, length + 1);
        char *dot = strrchr(path, '.');
        char *end = dot == NULL || strchr(dot, '/') != NULL ? path + length : dot;
        memcpy(end, ".html", sizeof ".html");
    }
    return path;
}

typedef struct report_options {
    const char *output, *runs;
} report_options;

static int start(void *options, const hf_cli_list *files)
{
    const char *output = ((const report_options *)options)->output;
    const char *runs = ((const report_options *)options)->runs;
    if (output != NULL) {
        return hf_cli_page_check_name("report", output) ? show_any(output, runs, files)
                                                        : HF_CLI_USAGE;
    }
    char *path = default_output(files->items[0]);
    int code = path == NULL ? hf_cli_error("out of memory") : show_any(path, runs, files);
    free(path);
    return code;
}

static const hf_cli_option table[] = {
    {"output", 'o', "PAGE", "the page: PAGE.html; RUN.html beside the first run unless given",
     HF_CLI_TEXT, offsetof(report_options, output), HF_CLI_WORD_PAGE, NULL},
    {"runs", 0, "DIR", "of a sweep's table: run all cases again, and make pages that points open",
     HF_CLI_TEXT, offsetof(report_options, runs), HF_CLI_WORD_FOLDER, NULL},
};

const hf_cli_command hf_cli_command_report = {
    .name = "report",
    .phrase = "show recorded runs in one HTML page, with a 3-D replay",
    .usage = "RUN.h5|RUN.csv... [-o PAGE.html]",
    .about =
        "Writes one HTML page that shows recorded runs: plots, where the energy went, stick and\n"
        "slip, and the machine moving in 3-D. It holds everything and needs no network. Several\n"
        "runs are laid over each other. Recordings to HDF5 have the 3-D view; CSV has plots only.\n"
        "Of a sweep's table it shows a map, all columns side by side, and every case; with --runs\n"
        "each point of the map opens its run, which is made again to the same bits.\n",
    .after = "\nExamples:\n"
             "  holdfast report sphere.h5\n"
             "  holdfast report fine.h5 coarse.h5 -o compare.html\n"
             "  holdfast report sweep.h5 -o map.html --runs runs\n",
    .operand = "RUN",
    .least = 1,
    .most = -1,
    .first = HF_CLI_WORD_RECORDING,
    .others = HF_CLI_WORD_RECORDING,
    HF_CLI_OPTIONS(table),
    .size = sizeof(report_options),
    .start = start,
};
