// SPDX-License-Identifier: Apache-2.0
// A page for every case of a sweep's table, run again from it: what a point of the map opens.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/nlp.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "cli/stop.h"
#include <holdfast/report.h>
#include <holdfast/sweep.h>

enum { PATH_SIZE = 4096 };

// Runs a case again into a recording, and shows that as a page.
static hf_status make_page(const hf_table *table, long long row, const char *recording,
                           const char *page, hf_error *error)
{
    const hf_method_table *methods[HF_METHOD_TABLES] = {hf_cli_nlp_methods()};
    char label[64];
    (void)snprintf(label, sizeof label, "case %lld", row);
    hf_status status = hf_sweep_repeat(table, row, recording, methods, error);
    if (status != HF_OK) {
        return status;
    }
    hf_recording *read = hf_recording_read(recording, error);
    if (read == NULL) {
        return error->status;
    }
    const hf_page_run run = {read, label};
    status = hf_page_write(page, &run, 1, error);
    hf_recording_destroy(read);
    return status;
}

// Cases that failed have no run to look at.
static bool has_run(const hf_table *table, long long row)
{
    int k = hf_table_find(table, "verdict");
    return k < 0 || table->columns[k].texts == NULL ||
           strcmp(table->columns[k].texts[row], "failed") != 0;
}

static int make_all(const hf_table *table, const char *folder, const char *recording)
{
    hf_cli_progress progress = hf_cli_progress_begin(true);
    int code = HF_CLI_DONE;
    for (long long i = 0; i < table->rows && code == HF_CLI_DONE; ++i) {
        char page[PATH_SIZE + 64], text[64];
        hf_error error = {0};
        (void)snprintf(page, sizeof page, "%s/case-%lld.html", folder, i);
        (void)snprintf(text, sizeof text, "%lld of %lld cases", i, table->rows);
        hf_cli_progress_show(&progress, (double)i / (double)table->rows, text);
        if (hf_cli_stop_wanted(NULL)) {
            code = hf_cli_error("interrupted: %lld of %lld cases have a page", i, table->rows);
        } else if (has_run(table, i) && make_page(table, i, recording, page, &error) < 0) {
            hf_cli_progress_end(&progress);
            hf_cli_report(&error);
            code = HF_CLI_FAILED;
        }
    }
    hf_cli_progress_end(&progress);
    return code;
}

int hf_cli_run_pages(const hf_table *table, const char *page, const char *name)
{
    char folder[PATH_SIZE], recording[PATH_SIZE + 32];
    const char *slash = strrchr(page, '/');
    if (name[0] == '\0' || name[0] == '.' || strchr(name, '/') != NULL) {
        return hf_cli_usage_error(
            "report", "--runs: '%s' must be the name of a folder, which is made beside the page",
            name);
    }
    int length = snprintf(folder, sizeof folder, "%.*s%s",
                          slash == NULL ? 0 : (int)(slash + 1 - page), page, name);
    if (length < 0 || (size_t)length >= sizeof folder) {
        return hf_cli_usage_error("report", "--runs: the name is too long");
    }
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        return hf_cli_error("cannot create the folder '%s': %s", folder, strerror(errno));
    }
    (void)snprintf(recording, sizeof recording, "%s/.case-%ld.h5", folder, (long)getpid());
    hf_cli_catch_signals();
    int code = make_all(table, folder, recording);
    (void)remove(recording);
    return code;
}
